"""Players that look ahead: texts, budgets, thoughts, and the moves they must find."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from quintet import rules
from quintet.compiled import COMPILED
from quintet.errors import UserError
from quintet.games import make
from quintet.notation import move_name
from quintet.players import make_player, text_of
from quintet.players.player import Seat, is_compiled
from quintet.randomness import below, seeded
from tests.golden.test_solved_games import endgames, hard_position, set_up
from tests.unit.test_simple_players import after, choices


def test_alphabeta_says_what_it_needs() -> None:
    with pytest.raises(UserError, match="alphabeta needs two players"):
        make_player("alphabeta", make("tic-tac-mo"))
    with pytest.raises(UserError, match="depth=200 is not possible"):
        make_player("alphabeta:depth=200", make("othello"))


@pytest.mark.parametrize(
    "text",
    [
        "alphabeta",
        "alphabeta:depth=4,eval=level",
        "alphabeta:depth=6,eval=lead(worth=0.01),order=replies,ties=first,endgame=12,goal=points",
        "maxn:depth=2",
        "paranoid:nodes=1000,order=listed",
        "best-reply:seconds=0.5",
    ],
)
def test_texts_are_read_and_written(text: str) -> None:
    assert text_of(make_player(text, make("tic-tac-toe"))) == text


def test_only_a_clock_needs_the_interpreter() -> None:
    game = make("othello")
    assert is_compiled(make_player("alphabeta:nodes=100", game))
    assert not is_compiled(make_player("alphabeta:seconds=1", game))


def test_win_block_and_fork() -> None:
    play = "alphabeta:depth=8,eval=level"
    assert choices(play, "tic-tac-toe", "a1 a3 b1 b3") == {"c1"}  # win rather than block
    assert choices(play, "tic-tac-toe", "a1 b2 b1") == {"c1"}
    # opposite corners taken: a corner would lose to a fork
    assert choices(play, "tic-tac-toe", "a1 b2 c3") == {"a2", "b1", "b3", "c2"}


def test_the_quickest_win_and_the_slowest_loss() -> None:
    game = make("tic-tac-toe")
    seat = Seat(make_player("alphabeta:depth=8,eval=level", game), game)
    # X has a1 and a3 with b2, c2 of O: a2 wins at once, other moves win too, but later
    position = after(game, "a1 b2 a3 c2")
    assert move_name(game, seat.choose(position)) == "a2"
    thoughts = seat.thoughts(position)
    assert thoughts is not None
    assert (thoughts.depth, thoughts.solved, thoughts.values[0]) == (0, True, [1.0, 0.0])
    # O is lost against two threats, but must not be beaten by the nearer one unblocked
    position = after(game, "a1 b3 c1 b1 c3")
    assert {move_name(game, seat.choose(position)) for _ in range(20)} == {"b2", "c2"}
    thoughts = seat.thoughts(position)
    assert thoughts is not None
    assert thoughts.solved
    assert thoughts.values[0] == [1.0, 0.0]


def test_thoughts() -> None:
    game = make("tic-tac-toe")
    seat = Seat(make_player("alphabeta:depth=8,eval=level,ties=first", game), game)
    position = rules.new_position(game)
    assert seat.choose(position) == 0
    thoughts = seat.thoughts(position)
    assert thoughts is not None
    assert thoughts.values[0] == [0.5, 0.5]
    assert thoughts.solved
    assert thoughts.depth == 8
    assert thoughts.line[0] == 0
    for move in thoughts.line:
        rules.checked_play(game, position, move)


@pytest.mark.skipif(not COMPILED, reason="many positions")
def test_budgets() -> None:
    game = make("othello")
    start = rules.new_position(game)
    seat = Seat(make_player("alphabeta:nodes=50000,order=replies", game), game)
    seat.choose(start)
    thoughts = seat.thoughts(start)
    assert thoughts is not None
    assert 25_000 < thoughts.nodes <= 50_001
    assert thoughts.depth > 5
    slow = Seat(make_player("alphabeta:seconds=0.4,order=replies", game), game)
    begun = time.perf_counter()
    slow.choose(start)
    assert 0.35 < time.perf_counter() - begun < 2
    deeper = slow.thoughts(start)
    assert deeper is not None
    assert deeper.nodes > thoughts.nodes
    # the clock of one move does not stop the next
    slow.choose(start)
    assert slow.thoughts(start).depth >= 1  # type: ignore[union-attr]


@pytest.mark.skipif(not COMPILED, reason="many positions")
def test_a_seed_gives_the_same_games_whatever_was_played_before() -> None:
    game = make("othello")
    seat = Seat(make_player("alphabeta:nodes=2000,order=history", game), game)
    games = []
    for _ in range(2):
        seat.random = seeded(4)
        seat.begin()
        position = rules.new_position(game)
        moves = []
        while not rules.is_over(game, position):
            moves.append(seat.choose(position))
            rules.checked_play(game, position, moves[-1])
        games.append(moves)
    assert games[0] == games[1]


@pytest.mark.skipif(not COMPILED, reason="many positions")
def test_the_endgame_is_solved() -> None:
    game = make("othello")
    points = Seat(make_player("alphabeta:depth=1,endgame=12,goal=points", game), game)
    for board, mover, value in endgames(10, 12):
        position = set_up(board, mover)
        points.choose(position)
        thoughts = points.thoughts(position)
        assert thoughts is not None
        assert thoughts.solved
        own = "XO".index(mover)
        assert math.isclose((2 * thoughts.values[0][own] - 1) * 64, value)
        for move in thoughts.line:
            rules.checked_play(game, position, move)
    # out of reach: the answer of a shallow search is kept
    bounded = Seat(make_player("alphabeta:nodes=20000,endgame=40", game), game)
    position = hard_position()
    assert bounded.choose(position) in rules.list_legal_moves(game, position)
    assert bounded.thoughts(position).depth == 3  # type: ignore[union-attr]


@pytest.mark.skipif(not COMPILED, reason="many positions")
def test_a_forced_pass_may_be_free() -> None:
    game = make("othello")
    random = seeded(8)
    seats = {
        free: Seat(make_player(f"alphabeta:depth=1,table=0,free_pass={free}", game), game)
        for free in ("yes", "no")
    }
    differing = 0
    for _ in range(200):
        position = rules.new_position(game)
        while not rules.is_over(game, position):
            moves = rules.list_legal_moves(game, position)
            passes = [m for m in moves if forces_pass(position, m)]
            nodes = {free: nodes_of(seat, position) for free, seat in seats.items()}
            if not passes and nodes["yes"] != nodes["no"]:
                raise AssertionError("no pass, but another search")
            differing += nodes["yes"] != nodes["no"]
            rules.play(game, position, moves[below(random, len(moves))])
        if differing > 5:
            return
    raise AssertionError("a free pass never made a difference")


def forces_pass(position: np.record, move: int) -> bool:
    """Must the other pass after this move?"""
    game = make("othello")
    reached = rules.copied(position)
    rules.play(game, reached, move)
    return rules.list_legal_moves(game, reached) == [64]


def nodes_of(seat: Seat, position: np.record) -> int:
    """How many positions a search looked at."""
    seat.choose(position)
    thoughts = seat.thoughts(position)
    assert thoughts is not None
    return thoughts.nodes


@pytest.mark.parametrize("name", ["maxn", "paranoid", "best-reply"])
def test_many_players_win_and_block(name: str) -> None:
    play = f"{name}:depth=2,eval=level"
    assert choices(play, "tic-tac-mo", "a1 e2 e3 b1 d2 d3") == {"c1"}  # all three could win
    if name != "maxn":  # which thinks that somebody else may block
        assert choices(play, "tic-tac-mo", "a1 e1 a3 b3 d1 e3") == {"c1"}
