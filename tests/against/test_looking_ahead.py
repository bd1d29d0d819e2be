"""The searches find what their definitions say, on thousands of small positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from quintet import rules
from quintet.bits import Word
from quintet.compiled import COMPILED
from quintet.games import make
from quintet.players.alphabeta import AlphaBeta
from quintet.players.maxn import BestReply, MaxN, Paranoid
from quintet.players.player import Seat
from quintet.randomness import below, seeded
from quintet.rules import Position
from quintet.search.evaluation import Desk, Values, evaluate
from quintet.search.lookahead import DEPTH, NODES, Ties
from quintet.search.ordering import Order
from quintet.search.table import key_tells_all
from tests.against.reference import minimax as reference

POSITIONS = 60 if COMPILED else 3
MANY = 300  # in what is slow anyway
DEPTHS = range(5) if COMPILED else range(3)


class Whim(NamedTuple):
    """An evaluation without sense, but with ties: it depends on the position alone."""


@evaluate.implement(Whim)
def _by_whim(
    evaluation: Whim, game: Any, position: Position, desk: Desk, random: Any, out: Values
) -> int:
    key = rules.key(game, position) >> Word(20)
    for seat in range(out.shape[0]):
        out[seat] = float(key % Word(5) + Word(6)) / 16.0  # exact, so differences are equal too
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


def check(seat: Seat, position: Position, expected: dict[int, list[float]], depth: int) -> int:
    """Choose; is what was found true, and the move one of the best?"""
    move = seat.choose(position)
    found = seat.thoughts(position)
    assert found is not None
    candidates = seat.memory.work[0].candidates
    assert sorted(found.moves) == sorted(expected)
    assert found.moves[0] == move == found.line[0]
    assert expected[move][0] == max(value[0] for value in expected.values())
    assert found.solved or found.depth == depth
    assert len(found.line) <= depth + 1
    if found.depth == depth:  # or else there is a sure win or loss, or all games end before
        for one, exact in zip(found.moves, found.visits, strict=True):
            value = float(candidates[one].lead)
            assert value == expected[one][0] if exact else value >= expected[one][0]
    return move


# after how many plies depth 4 is small enough to do without pruning
TWO_PLAYERS = [
    ("tic-tac-toe", (0, 6), POSITIONS),
    ("go:size=3,komi=0/0.5", (0, 12), POSITIONS),
    pytest.param("tic-tac-toe", (0, 6), MANY, marks=pytest.mark.slow),
    pytest.param("go:size=3,komi=0/0.5", (0, 12), MANY, marks=pytest.mark.slow),
    pytest.param("othello:size=6", (10, 30), MANY, marks=pytest.mark.slow),
    pytest.param("othello:size=4", (0, 9), MANY, marks=pytest.mark.slow),
    pytest.param(
        "k-in-a-row:rows=4,columns=4,k=3,gravity=yes", (0, 12), MANY, marks=pytest.mark.slow
    ),
    pytest.param("pentago", (33, 35), MANY, marks=pytest.mark.slow),
    pytest.param("pente:size=5,captures=4", (14, 24), MANY, marks=pytest.mark.slow),
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


@pytest.mark.parametrize(("text", "plies", "count"), TWO_PLAYERS)
def test_alphabeta_is_minimax(text: str, plies: tuple[int, int], count: int) -> None:
    game = make(text)
    seats = {
        (way, depth): Seat(way._replace(eval=Whim(), depth=depth), game, seeded(2))
        for way in WAYS
        for depth in DEPTHS
    }
    for position in late_positions(game, plies, count):
        for depth in DEPTHS:
            expected = reference.move_values(
                reference.LEAD, Whim(), game, position, depth, seeded(1)
            )
            best = max(expected.values())
            for way in WAYS:
                move = check(seats[way, depth], position, expected, depth)
                if way.ties == Ties.FIRST and abs(best[0]) < 1:
                    assert move == min(m for m, value in expected.items() if value == best)


MANY_PLAYERS = [
    ("tic-tac-mo", (6, 12), POSITIONS),
    pytest.param("pente:size=5,players=3,captures=4", (15, 24), MANY, marks=pytest.mark.slow),
    pytest.param(
        "k-in-a-row:rows=4,columns=4,k=3,players=4", (8, 14), MANY, marks=pytest.mark.slow
    ),
    pytest.param("go:size=3,players=3", (2, 12), MANY, marks=pytest.mark.slow),
]
KINDS = [(MaxN, reference.MAXN), (Paranoid, reference.PARANOID), (BestReply, reference.BEST_REPLY)]


@pytest.mark.parametrize(("text", "plies", "count"), MANY_PLAYERS)
@pytest.mark.parametrize(("player", "kind"), KINDS)
def test_searches_for_many_are_what_they_say(
    player: Any, kind: int, text: str, plies: tuple[int, int], count: int
) -> None:
    game = make(text)
    ways = [player(eval=Whim()), player(eval=Whim(), ties=Ties.FIRST)]
    if player is not MaxN:
        ways += [player(eval=Whim(), order=order) for order in Order]
    for position in late_positions(game, plies, count):
        own = int(rules.turn(game, position))
        for depth in DEPTHS:
            found = reference.move_values(kind, Whim(), game, position, depth, seeded(1))
            expected = {m: [v[own] if kind == reference.MAXN else v[0]] for m, v in found.items()}
            for way in ways:
                seat = Seat(way._replace(depth=depth), game, seeded(3))
                move = check(seat, position, expected, depth)
                if kind == reference.MAXN and seat.memory.work[0].counts[DEPTH] == depth:
                    assert seat.memory.work[0].candidates[move].values.tolist() == found[move]


def test_equal_moves_are_all_chosen_and_no_other() -> None:
    game = make("tic-tac-toe")
    seat = Seat(AlphaBeta(depth=1, eval=Whim()), game, seeded(5))
    sizes = []
    for position in late_positions(game, (0, 2), 40):
        expected = reference.move_values(reference.LEAD, Whim(), game, position, 1, seeded(1))
        best = max(expected.values())
        equals = {move for move, value in expected.items() if value == best}
        assert {seat.choose(position) for _ in range(60)} == equals
        sizes.append(len(equals))
    assert sum(size > 1 for size in sizes) >= 5


@pytest.mark.skipif(not COMPILED, reason="many positions")
@pytest.mark.parametrize(
    ("player", "text", "share"),
    [
        (AlphaBeta(table=0), "tic-tac-toe", 0.35),
        (AlphaBeta(table=1), "tic-tac-toe", 0.25),
        (Paranoid(), "tic-tac-mo", 0.25),
    ],
)
def test_most_positions_are_spared(player: Any, text: str, share: float) -> None:
    game = make(text)
    seat = Seat(player._replace(eval=Whim(), depth=4), game, seeded(2))
    looked_at = everything = 0
    for position in late_positions(game, (0, 3), 20):
        seat.begin()
        seat.choose(position)
        looked_at += int(seat.memory.work[0].counts[NODES])
        everything += sum(rules.perft(game, position, plies) for plies in range(1, 6))
    assert looked_at / everything < share


def test_only_complete_keys_are_trusted() -> None:
    assert key_tells_all(make("othello"))
    assert key_tells_all(make("go:size=5,ko=simple"))
    assert not key_tells_all(make("go:size=5"))
    assert not key_tells_all(make("go:size=9,ko=situational"))
    assert len(AlphaBeta().memory(make("go:size=5")).table) == 0
