"""Known values of small games, and Othello endgames of our own: othello_endgames.txt.

4 x 4 Othello: the second player wins 11 to 3 (known; 8 points with the two empty cells
uncounted).  Connect Four on 4 x 4 and 4 x 5: a draw (J. Tromp's table).
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.compiled import COMPILED
from quintet.errors import UserError
from quintet.games import make
from quintet.randomness import below, seeded
from quintet.search.lookahead import NODES, STOP, Goal
from quintet.search.solving import Solver, solve
from tests.against.reference import minimax as reference
from tests.against.test_looking_ahead import Whim, late_positions
from tests.golden.make_othello_endgames import FILE


def endgames(least: int, most: int) -> list[tuple[str, str, int]]:
    """Board, mover and value of the positions with so many empty cells."""
    lines = FILE.read_text().splitlines()[1:]
    found = [line.split() for line in lines if least <= line.count("-", 0, 64) <= most]
    return [(board, mover, int(value)) for board, mover, value in found]


def set_up(board: str, mover: str) -> Any:
    """The position of a line of the file."""
    game = make("othello")
    position = rules.new_position(game)
    position.turn = "XO".index(mover)
    rules.set_up(game, position, np.array(["-XO".index(c) for c in board], np.int8))
    return position


def check_endgame(board: str, mover: str, value: int) -> None:
    game = make("othello")
    position = set_up(board, mover)
    found = solve(game, position, Goal.POINTS, all_best=True)
    assert found.solved
    assert found.value == value
    assert solve(game, position, Goal.WIN).value == np.sign(value)
    for move in rules.list_legal_moves(game, position):  # the best moves, and no other
        after = rules.copied(position)
        rules.play(game, after, move)
        assert (value_to(game, after, position) == value) == (move in found.moves)


def value_to(game: Any, after: Any, before: Any) -> float:
    """The solved value of a position to the player who moved before."""
    if rules.is_over(game, after):
        points = np.zeros(2)
        rules.points(game, after, points)
        return float(points[int(before.turn)] - points[1 - int(before.turn)])
    sign = 1 if after.turn == before.turn else -1
    return sign * solve(game, after, Goal.POINTS, megabytes=1).value


def test_othello_endgames() -> None:
    for endgame in endgames(6, 14) if COMPILED else endgames(6, 6)[:1]:
        check_endgame(*endgame)
    assert len(endgames(6, 14)) == 30


@pytest.mark.slow
def test_longer_othello_endgames() -> None:
    for endgame in endgames(16, 16):
        check_endgame(*endgame)
    assert len(endgames(16, 16)) == 3


def test_tic_tac_toe_is_drawn() -> None:
    game = make("tic-tac-toe")
    found = solve(game, rules.new_position(game), all_best=True)
    assert found.value == 0
    assert found.moves == list(range(9))
    position = rules.new_position(game)
    rules.play(game, position, 0)
    assert solve(game, position, all_best=True).moves == [4]  # a corner: only the centre holds


@pytest.mark.skipif(not COMPILED, reason="many positions")
def test_small_othello() -> None:
    game = make("othello:size=4")
    start = rules.new_position(game)
    found = solve(game, start, Goal.POINTS, all_best=True)
    assert found.value == -8
    assert len(found.moves) == 4
    assert solve(game, start, Goal.WIN).value == -1
    for move in found.line:  # the line leads to this result
        rules.checked_play(game, start, move)
    assert rules.is_over(game, start)
    points = np.zeros(2)
    rules.points(game, start, points)
    assert points.tolist() == [3, 11]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "value"),
    [
        ("rows=4,columns=4,k=3", 1),
        ("rows=4,columns=4,k=4", 0),
        ("rows=4,columns=5,k=4", 0),
        ("rows=5,columns=4,k=4", 0),
    ],
)
def test_small_connect(board: str, value: int) -> None:
    game = make(f"k-in-a-row:{board},gravity=yes")
    assert solve(game, rules.new_position(game)).value == value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "plies"),
    [
        ("pentago", (33, 35)),
        ("k-in-a-row:rows=4,columns=4,k=3,gravity=yes", (5, 14)),
        ("pente:size=5,captures=4", (17, 30)),
    ],
)
def test_late_positions_are_solved_as_by_minimax(text: str, plies: tuple[int, int]) -> None:
    game = make(text)
    to_end = 40
    for position in late_positions(game, plies, 60):
        args = (reference.LEAD, Whim(), game, position, to_end, seeded(1))
        expected = {move: value for move, (value,) in reference.move_values(*args).items()}
        found = solve(game, position, all_best=True)
        assert found.value == max(expected.values())
        assert found.moves == [m for m, value in expected.items() if value == found.value]


def hard_position() -> Any:
    """An Othello position that takes long to solve: 26 empty cells."""
    game = make("othello")
    random = seeded(11)
    position = rules.new_position(game)
    for _ in range(34):
        moves = rules.list_legal_moves(game, position)
        rules.play(game, position, moves[below(random, len(moves))])
    return position


@pytest.mark.skipif(not COMPILED, reason="many positions")
def test_solving_can_be_bounded_and_stopped() -> None:
    game = make("othello")
    found = solve(game, hard_position(), Goal.POINTS, nodes=10_000)
    assert not found.solved
    assert found.moves == []
    assert found.nodes <= 10_001
    memory = Solver(Goal.POINTS, megabytes=1).memory(game)
    counts = memory.work[0].counts
    threading.Timer(0.3, counts.__setitem__, (STOP, 1)).start()
    found = solve(game, hard_position(), Goal.POINTS, memory=memory)
    assert not found.solved
    assert counts[NODES] == found.nodes > 10_001


def test_only_two_players() -> None:
    game = make("tic-tac-mo")
    with pytest.raises(UserError, match="needs two players; this game has 3"):
        solve(game, rules.new_position(game))
