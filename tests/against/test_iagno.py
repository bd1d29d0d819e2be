"""Iagno chooses as plain minimax with lists and loops does, and changes phases in time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.games import make
from quintet.players import make_player
from quintet.players.iagno import IagnoPlayer, best, list_moves, sort_moves, value
from quintet.players.player import Seat
from quintet.randomness import seeded
from tests.against.othello_positions import empties, positions, reference_of
from tests.against.reference import othello_players as reference

BEYOND = 20_000
OFFSETS = {1: 6, 2: 4, 3: 2}


def places_discs(game: Any, position: Any) -> bool:
    """Is there a choice, and is it no pass?"""
    return len(rules.list_legal_moves(game, position)) > 1


def sample(game: Any, low: int, high: int, number: int, leaves: int, depth: int = 1) -> list[Any]:
    """Positions with `low` to `high` empty cells and not too much to look at."""
    fitting = (
        position
        for position in positions(game, 4000, seed=5)
        if low <= empties(game, position) <= high
        and places_discs(game, position)
        and rules.perft(game, position, depth) <= leaves
    )
    return list(itertools.islice(fitting, number))


def chosen(text: str, game: Any, position: Any) -> int:
    """What a player chooses."""
    return Seat(make_player(text, game), game, seeded(1)).choose(position)


def phase_choices(game: Any, position: Any, plies: int) -> Iterator[int]:
    """What full solving, solving for a win (or -1), and the normal search would choose."""
    memory = IagnoPlayer().memory(game)
    empty = empties(game, position)
    listed = list_moves(memory, 0, position.own, position.other, position.places)
    sort_moves(memory, 0, listed, game.size)
    for depth, alpha, beta in ((empty, -BEYOND, BEYOND), (empty, 0, 1), (plies, -BEYOND, BEYOND)):
        arguments = (np.int64(number) for number in (game.size, listed, depth, alpha, beta))
        found = int(best(memory, *arguments))
        bit = int(memory.moves[0, found])
        yield bit // 8 * game.size + bit % 8 if found >= 0 else -1


@pytest.mark.parametrize(
    ("level", "size", "number", "leaves"),
    [
        (1, 8, 100, 100),
        (2, 8, 25, 100),
        pytest.param(3, 8, 4, 5000, marks=pytest.mark.slow),
        (1, 6, 100, 100),
        (2, 6, 20, 100),
        (3, 6, 3, 1500),
    ],
)
def test_normal_search_is_minimax(level: int, size: int, number: int, leaves: int) -> None:
    game = make(f"othello:size={size}")
    plies = 7 - OFFSETS[level]
    low, high = 20 - OFFSETS[level], size * size - 8
    found = sample(game, low, high, number, leaves, plies)
    assert len(found) == number
    for position in found:
        values = reference.root_values(reference_of(game, position), plies)
        assert chosen(f"iagno:level={level}", game, position) == reference.best(values)


@pytest.mark.parametrize("size", [4, 6])
def test_values_near_the_end_are_minimax(size: int) -> None:
    """Where passes, ends and wipe-outs are inside the search, and beyond it."""
    game = make(f"othello:size={size}")
    memory = IagnoPlayer().memory(game)
    found = sample(game, 3, 8, 150, 150, 3)
    assert len(found) == 150
    for position in found:
        board = reference_of(game, position)
        sign = 1 if board.turn() == 0 else -1
        for depth in range(4):
            numbers = (np.int64(number) for number in (1, depth, -BEYOND, BEYOND))
            worth = value(memory, np.int64(size), position.own, position.other, *numbers)
            assert worth == sign * reference.value(board, depth)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_solves_the_end_as_brute_force(size: int) -> None:
    game = make(f"othello:size={size}")
    found = sample(game, 2, 6, 60, 10**9) + sample(game, 7, 8, 10, 5000, 8)
    assert len(found) == 70
    for position in found:
        empty = empties(game, position)
        values = reference.root_values(reference_of(game, position), empty)
        full, win, _ = phase_choices(game, position, 1)
        assert full == reference.best(values)
        assert win == next((move for move in values if values[move] > 0), -1)
        for level in OFFSETS:
            assert chosen(f"iagno:level={level}", game, position) == full


@pytest.mark.parametrize(
    ("level", "number"), [(1, 30), (2, 15), pytest.param(3, 10, marks=pytest.mark.slow)]
)
def test_phases_change_where_they_should(level: int, number: int) -> None:
    game = make("othello")
    offset = OFFSETS[level]
    for empty in range(17 - offset, 21 - offset):
        told_apart = 0
        for position in sample(game, empty, empty, number, 100):
            full, win, normal = phase_choices(game, position, 7 - offset)
            any_win = win if win >= 0 else normal
            if empty == 17 - offset:
                expected, other = full, any_win
            elif empty == 18 - offset:
                expected, other = any_win, full
            elif empty == 19 - offset:
                expected, other = any_win, normal
            else:
                expected, other = normal, any_win
            assert chosen(f"iagno:level={level}", game, position) == expected
            told_apart += expected != other
        assert told_apart >= 2


@pytest.mark.parametrize("size", [6, 8])
def test_first_four_moves_are_random(size: int) -> None:
    game = make(f"othello:size={size}")
    seat = Seat(make_player("iagno:level=1", game), game, seeded(3))
    tried = set()
    for position in positions(game, 40, seed=9):
        placed = size * size - 4 - empties(game, position)
        if placed > 5:
            continue
        choices = {seat.choose(position) for _ in range(60)}
        if placed < 4:
            assert choices == set(rules.list_legal_moves(game, position))
        else:
            assert len(choices) == 1
        tried.add(placed)
    assert tried == set(range(6))


def test_depth_replaces_that_of_the_level() -> None:
    game = make("othello")
    for position in sample(game, 30, 50, 20, 60, 2):
        board = reference_of(game, position)
        for depth in (0, 1):
            expected = reference.best(reference.root_values(board, depth + 1))
            assert chosen(f"iagno:depth={depth}", game, position) == expected
        assert chosen("iagno:level=3,depth=2", game, position) == chosen(
            "iagno:level=2", game, position
        )
