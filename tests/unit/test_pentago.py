"""Pentago: wins, ties, turns, names and symmetries on small examples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import games, notation, randomness, rules, symmetry

GAME = games.make("pentago")


def after(picture: str, move: str) -> Any:
    """The position that a legal move makes of a drawn one."""
    position = notation.parse_picture(GAME, picture)
    rules.checked_play(GAME, position, notation.parse_move(GAME, move))
    return position


def board(position: Any) -> list[str]:
    """The rows of a position, without coordinates."""
    return [line[2:].replace(" ", "") for line in notation.picture(GAME, position).splitlines()[1:7]]


@pytest.mark.parametrize(
    ("move", "rows"),
    [
        ("a1:1L", ["...", "...", "X.."]),
        ("a1:1R", ["..X", "...", "..."]),
        ("b1:1L", ["...", "X..", "..."]),
        ("b1:1R", ["...", "..X", "..."]),
        ("b2:1R", ["...", ".X.", "..."]),
        ("a1:4R", ["X..", "...", "..."]),
    ],
)
def test_left_is_anticlockwise(move: str, rows: list[str]) -> None:
    """In the top left quadrant; the rest of the board stays empty."""
    position = rules.new_position(GAME)
    rules.checked_play(GAME, position, notation.parse_move(GAME, move))
    assert board(position) == [row + "..." for row in rows] + ["......"] * 3


@pytest.mark.parametrize(
    ("cell", "quadrant", "goes_to"), [("a1", 1, "c1"), ("d1", 2, "f1"), ("a4", 3, "c4"), ("d4", 4, "f4")]
)
def test_quadrants_are_numbered_row_by_row(cell: str, quadrant: int, goes_to: str) -> None:
    """A quadrant's top left corner goes to its top right one."""
    position = rules.new_position(GAME)
    rules.play(GAME, position, notation.parse_move(GAME, f"{cell}:{quadrant}R"))
    content = np.zeros(36, np.int8)
    rules.cells(GAME, position, content)
    names = [GAME.layout().cell_name(int(i)) for i in np.flatnonzero(content)]
    assert names == [goes_to]


FOUR = """
  a b c d e f
1 X X X X . .
2 . . . . . .
3 . . O . . .
4 . . O . . .
5 . . O O . .
6 . . . . . .
turn: 0
"""


def test_a_five_by_the_stone_alone_wins_before_the_turn() -> None:
    """The turn would break the five, but is not made."""
    position = after(FOUR, "e1:1L")
    assert rules.is_over(GAME, position)
    assert rules.list_scores(GAME, position) == [1.0, 0.0]
    assert board(position)[0] == "XXXXX."
    assert rules.list_legal_moves(GAME, position) == []


BOTH = """
  a b c d e f
1 O X . X X .
2 O X . . . .
3 O X . . . .
4 . . O O . .
5 . . . . . .
6 . . . . . .
turn: 0
"""


def test_fives_of_both_after_the_turn_are_a_tie() -> None:
    """Turned left, the columns of the first quadrant become the rows of two fives."""
    position = after(
        """
  a b c d e f
1 . X O O O .
2 . X O . . .
3 . X O . . .
4 . . . . . .
5 . . . . . .
6 . . . . . .
turn: 0
""",
        "d2:1L",
    )
    assert board(position)[:3] == ["OOOOO.", "XXXX..", "......"]
    assert rules.list_scores(GAME, position) == [0.0, 1.0]
    position = after(
        """
  a b c d e f
1 . X O O O .
2 . X O . X .
3 . X O . . .
4 . . . . . .
5 . . . . . .
6 . . . . . .
turn: 0
""",
        "d2:1L",
    )
    assert board(position)[:3] == ["OOOOO.", "XXXXX.", "......"]
    assert rules.is_over(GAME, position)
    assert rules.list_scores(GAME, position) == [0.5, 0.5]


OPPONENT = """
  a b c d e f
1 . . O O O .
2 . X O . . .
3 . X O . . .
4 . . . . . .
5 . . . . . .
6 . . . . . X
turn: 0
"""
