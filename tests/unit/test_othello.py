"""Othello on small positions, drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import games, notation, rules, symmetry
from quintet.errors import IllegalMove, UserError


def names_of_moves(game: Any, position: Any) -> list[str]:
    """The legal moves as people write them."""
    return [notation.move_name(game, move) for move in rules.list_legal_moves(game, position)]


def discs(game: Any, position: Any) -> list[float]:
    """How many each seat has."""
    out = np.zeros(2)
    rules.points(game, position, out)
    return [float(count) for count in out]


def play_named(game: Any, position: Any, name: str) -> None:
    """Make a legal move, by its name."""
    rules.checked_play(game, position, notation.parse_move(game, name))


@pytest.mark.parametrize(
    ("size", "moves"),
    [(4, "b1 a2 d3 c4"), (6, "c2 b3 e4 d5"), (8, "d3 c4 f5 e6")],
)
def test_the_start(size: int, moves: str) -> None:
    game = games.make(f"othello:size={size}")
    position = rules.new_position(game)
    assert rules.turn(game, position) == 0
    assert names_of_moves(game, position) == moves.split()
    assert discs(game, position) == [2.0, 2.0]


def test_a_disc_turns_every_line_it_encloses_and_no_other() -> None:
    game = games.make("othello:size=6")
    before = """
  a b c d e f
1 X . X . X .
2 . O O O . .
3 X O . O . .
4 . O O O . .
5 X . X . O .
6 . . . . . X
turn: 0"""
    after = """
  a b c d e f
1 X . X . X .
2 . X X X . .
3 X X X O . .
4 . X X X . .
5 X . X . X .
6 . . . . . X
turn: 1"""
    position = notation.parse_picture(game, before)
    play_named(game, position, "c3")
    assert notation.picture(game, position) == after.strip("\n")
    assert discs(game, position) == [16.0, 1.0]


def test_a_line_of_six_is_turned() -> None:
    game = games.make("othello")
    rows = ["X O O O O O O ."] + [". . . . . . . ."] * 7
    position = notation.parse_picture(game, drawn(rows, 0))
    assert names_of_moves(game, position) == ["h1"]
    play_named(game, position, "h1")
    assert rules.is_over(game, position)
    assert discs(game, position) == [8.0, 0.0]


def test_lines_do_not_run_round_the_edge_and_a_stuck_mover_passes() -> None:
    game = games.make("othello")
    rows = [". . . . . . X O", *[". . . . . . . ."] * 7]
    position = notation.parse_picture(game, drawn(rows, 0))
    assert not rules.is_over(game, position)
    assert rules.list_legal_moves(game, position) == [64]
    assert names_of_moves(game, position) == ["pass"]
    play_named(game, position, "pass")
    assert rules.turn(game, position) == 1
    assert discs(game, position) == [1.0, 1.0]
    assert names_of_moves(game, position) == ["f1"]


def test_no_pass_while_a_disc_can_be_placed() -> None:
    game = games.make("othello")
    with pytest.raises(IllegalMove, match="pass: not legal here"):
        play_named(game, rules.new_position(game), "pass")


@pytest.mark.parametrize(
    ("row", "scores"),
    [("X X . O", [1.0, 0.0]), ("X . . O", [0.5, 0.5]), ("X . O O", [0.0, 1.0])],
)
@pytest.mark.parametrize("turn", [0, 1])
def test_the_game_ends_when_both_are_stuck(row: str, scores: list[float], turn: int) -> None:
    game = games.make("othello:size=4")
    position = notation.parse_picture(game, drawn([row, *[". . . ."] * 3], turn))
    assert rules.is_over(game, position)
    assert rules.list_legal_moves(game, position) == []
    assert rules.list_scores(game, position) == scores


@pytest.mark.parametrize("size", [5, 7])
def test_an_odd_size_is_refused(size: int) -> None:
    with pytest.raises(UserError, match=f"size={size} is odd"):
        games.make(f"othello:size={size}")


def test_the_record_after_play_is_the_record_set_up() -> None:
    for size in (4, 6, 8):
        game = games.make(f"othello:size={size}")
        position = rules.new_position(game)
        while not rules.is_over(game, position):
            again = notation.parse_picture(game, notation.picture(game, position))
            assert again.tobytes() == position.tobytes()
            assert rules.key(game, again) == rules.key(game, position)
            rules.play(game, position, rules.list_legal_moves(game, position)[-1])


def test_the_rules_respect_all_symmetries() -> None:
    game = games.make("othello:size=6")
    position = rules.new_position(game)
    for _ in range(8):
        rules.play(game, position, rules.list_legal_moves(game, position)[0])
    legal = rules.list_legal_moves(game, position)
    moves = symmetry.symmetries(game).moves
    assert len(moves) == 8
    for i, taken in enumerate(moves):
        moved = symmetry.transformed(game, position, i)
        assert rules.list_legal_moves(game, moved) == sorted(int(taken[move]) for move in legal)


def drawn(rows: list[str], turn: int) -> str:
    """A picture of these rows."""
    header = "  " + " ".join("abcdefgh"[: len(rows)])
    lines = [f"{number} {row}" for number, row in enumerate(rows, 1)]
    return "\n".join([header, *lines, f"turn: {turn}"])


def test_the_turn_is_not_confused_with_a_disc() -> None:
    game = games.make("othello:size=4")
    rest = "2 . . . .\n3 . . . .\n4 . . . ."
    one = notation.parse_picture(game, f"columns\n1 . X . O\n{rest}\nturn: 0")
    other = notation.parse_picture(game, f"columns\n1 O . . X\n{rest}\nturn: 1")
    assert rules.key(game, one) != rules.key(game, other)
