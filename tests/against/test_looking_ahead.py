"""The searches find what their definitions say, on thousands of small positions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from quintet import rules
from quintet.bits import Word
from quintet.compiled import COMPILED
from quintet.games import make
from quintet.players.alphabeta import AlphaBeta
from quintet.players.maxn import BestReply, MaxN, Paranoid
from quintet.players.player import Seat, Thoughts
from quintet.randomness import below, seeded
from quintet.rules import Position
from quintet.search.evaluation import Desk, Values, evaluate
from quintet.search.lookahead import Ties
from quintet.search.ordering import Order
from tests.against.reference import minimax as reference

POSITIONS = 250 if COMPILED else 4
DEPTHS = range(5) if COMPILED else range(3)


class Whim(NamedTuple):
    """An evaluation without sense, but with ties: it depends on the position alone."""


@evaluate.implement(Whim)
def _by_whim(
    evaluation: Whim, game: Any, position: Position, desk: Desk, random: Any, out: Values
) -> int:
    key = rules.key(game, position) >> Word(20)
    for seat in range(out.shape[0]):
        out[seat] = 0.1 + 0.08 * float(key % Word(11))
        key = key >> Word(8)
    return 0


def late_positions(game: Any, plies: tuple[int, int], count: int) -> Iterator[Position]:
    """Positions after a random number of random moves, not over."""
    found = 0
    random = seeded(7)
    while found < count:
        position = rules.new_position(game)
        for _ in range(plies[0] + below(random, plies[1] - plies[0] + 1)):
            if not rules.is_over(game, position):
                moves = rules.list_legal_moves(game, position)
                rules.play(game, position, moves[below(random, len(moves))])
        if not rules.is_over(game, position):
            found += 1
            yield position


def check(found: Thoughts, move: int, expected: dict[int, list[float]], depth: int) -> None:
    """Is what was found true, and the move one of the best?"""
    best = max(value[0] for value in expected.values())
    assert sorted(found.moves) == sorted(expected)
    assert found.moves[0] == move == found.line[0]
    assert expected[move][0] == best
    assert found.solved or found.depth == depth
    assert len(found.line) <= depth + 1
    if found.depth < depth:  # a sure win or loss, or all games end before
        return
    for one, exact, value in zip(found.moves, found.visits, found.values, strict=True):
        assert value[0] == expected[one][0] if exact else value[0] >= expected[one][0]


def in_leads(found: Thoughts, seat: int) -> Thoughts:
    """Thoughts with the lead in place of the values."""
    leads = [[2.0 * value[seat] - 1.0] for value in found.values]
    return found._replace(values=leads)


# game, and after how many plies depth 4 is small enough to do without pruning
TWO_PLAYERS = [
    ("tic-tac-toe", (0, 6)),
    ("othello:size=4", (0, 9)),
    ("othello:size=6", (10, 30)),
    ("k-in-a-row:rows=4,columns=4,k=3,gravity=yes", (0, 12)),
    ("go:size=3,komi=0/0.5", (0, 12)),
    ("pentago", (33, 35)),
]
WAYS = [
    AlphaBeta(order=Order.LISTED, table=0),
    AlphaBeta(order=Order.LISTED, table=1),
    AlphaBeta(order=Order.HISTORY, table=1),
    AlphaBeta(order=Order.REPLIES, table=1),
    AlphaBeta(order=Order.REPLIES, table=0),
    AlphaBeta(order=Order.HISTORY, table=1, ties=Ties.FIRST),
    AlphaBeta(order=Order.HISTORY, table=1, ties=Ties.ANY),
]


@pytest.mark.parametrize(("text", "plies"), TWO_PLAYERS, ids=[text for text, _ in TWO_PLAYERS])
def test_alphabeta_is_minimax(text: str, plies: tuple[int, int]) -> None:
    game = make(text)
    random = seeded(1)
    seats = {
        (way, depth): Seat(way._replace(eval=Whim(), depth=depth), game, seeded(2))
        for way in WAYS
        for depth in DEPTHS
    }
    for position in late_positions(game, plies, POSITIONS):
        for depth in DEPTHS:
            args = (Whim(), game, position, depth, random)
            expected = reference.move_values(reference.LEAD, *args)
            best = max(expected.values())
            equals = [move for move, value in expected.items() if value == best]
            for way in WAYS:
                seat = seats[way, depth]
                move = seat.choose(position)
                found = in_leads(seat.thoughts(position), int(rules.turn(game, position)))
                rounded = {m: [round(v[0], 9)] for m, v in expected.items()}
                leads = [[round(value[0], 9)] for value in found.values]
                check(found._replace(values=leads), move, rounded, depth)
                if way.ties == Ties.FIRST and found.depth == depth and abs(best[0]) < 1:
                    assert move == equals[0]


