"""Othello's evaluations count what lists and loops count, exactly, for both seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.games import make
from quintet.players.evaluations import EVALUATIONS, make_evaluation, text_of_evaluation
from quintet.players.othello import OF_A_DISC, OF_A_POINT
from quintet.randomness import seeded
from quintet.search.evaluation import evaluate, new_desk
from quintet.symmetry import symmetries, transformed
from tests.against.othello_positions import cells, positions, reference_of
from tests.against.reference import othello_players as reference
from tests.against.reference.othello import OthelloReference

Count = Callable[[OthelloReference], int]
EXPECTED: dict[str, tuple[Count, float]] = {
    "positional": (lambda board: reference.positional(board, "a"), OF_A_POINT),
    "positional(table=b)": (lambda board: reference.positional(board, "b"), OF_A_POINT),
    "positional(table=c)": (lambda board: reference.positional(board, "c"), OF_A_POINT),
    "positional(table=d)": (lambda board: reference.positional(board, "d"), OF_A_POINT),
    "discs": (reference.discs, OF_A_DISC),
    "mobility": (reference.mobility, OF_A_DISC),
    "mobility(whose=black)": (lambda board: len(board.places(0)), OF_A_DISC),
    "mobility(whose=white)": (lambda board: -len(board.places(1)), OF_A_DISC),
    "iagno": (reference.iagno, OF_A_POINT),
}
SIZES = (4, 6, 8)
GAMES = {4: 60, 6: 30, 8: 25}  # about 700, 1000 and 1500 positions


def values(text: str, game: Any, position: Any) -> list[float]:
    """What an evaluation says for both seats."""
    out = np.zeros(2)
    played = evaluate(make_evaluation(text), game, position, new_desk(game), seeded(0), out)
    assert played == 0
    return [float(value) for value in out]


@pytest.mark.parametrize("size", SIZES)
def test_evaluations_count_as_lists_and_loops_do(size: int) -> None:
    game = make(f"othello:size={size}")
    turns = set()
    for position in positions(game, GAMES[size], seed=size):
        board = reference_of(game, position)
        turns.add(board.turn())
        before = position.tobytes()
        for text, (count, worth) in EXPECTED.items():
            lead = count(board) * worth
            assert values(text, game, position) == [0.5 + lead, 0.5 - lead], text
        assert position.tobytes() == before
    assert turns == {0, 1}


@pytest.mark.parametrize("size", SIZES)
def test_exchanged_colours_exchange_the_values(size: int) -> None:
    game = make(f"othello:size={size}")
    for position in positions(game, 5, seed=20 + size):
        exchanged = rules.copied(position)
        exchanged.turn = 1 - position.turn
        rules.set_up(game, exchanged, np.array([0, 2, 1], np.int8)[cells(game, position)])
        for text in EXPECTED:
            if "whose" not in text:
                assert values(text, game, exchanged) == values(text, game, position)[::-1]
        black = values("mobility(whose=black)", game, exchanged)
        assert black == values("mobility(whose=white)", game, position)[::-1]


@pytest.mark.parametrize("size", SIZES)
def test_symmetries_change_no_value(size: int) -> None:
    game = make(f"othello:size={size}")
    count = len(symmetries(game).cells)
    assert count == 8
    for position in positions(game, 3, seed=30 + size):
        for text in EXPECTED:
            expected = values(text, game, position)
            for symmetry in range(1, count):
                assert values(text, game, transformed(game, position, symmetry)) == expected


def test_no_amount_is_cut_off() -> None:
    """Values stay inside (0, 1) for the highest sums that a board allows, and more."""
    most_on_cells = max(
        4 * sum(abs(worth) for row in quarter for worth in row)
        for quarter in reference.TABLES.values()
    )
    iagnos = 4 * sum(abs(worth) for row in reference.TABLES["d"] for worth in row)
    empty_neighbours, moves = 64 * 8, 64
    assert max(most_on_cells, iagnos + empty_neighbours + moves) * OF_A_POINT < 0.49
    assert 62 * OF_A_DISC < 0.49


def test_evaluations_have_names() -> None:
    for text in EXPECTED:
        assert text_of_evaluation(make_evaluation(text)) == text
    assert {text.partition("(")[0] for text in EXPECTED} < set(EVALUATIONS)
