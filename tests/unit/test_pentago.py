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
    lines = notation.picture(GAME, position).splitlines()[1:7]
    return [line[2:].replace(" ", "") for line in lines]


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
    ("cell", "quadrant", "goes_to"),
    [("a1", 1, "c1"), ("d1", 2, "f1"), ("a4", 3, "c4"), ("d4", 4, "f4")],
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


COLUMNS = """
  a b c d e f
1 . X O O O .
2 . X O . X .
3 . X O . . .
4 . . . . . .
5 . . . . . .
6 . . . . . .
turn: 0
"""


def test_fives_of_both_after_the_turn_are_a_tie() -> None:
    """Turned left, the columns of the first quadrant become parts of two fives."""
    position = after(COLUMNS, "d2:1L")
    assert board(position)[:3] == ["OOOOO.", "XXXXX.", "......"]
    assert rules.is_over(GAME, position)
    assert rules.list_scores(GAME, position) == [0.5, 0.5]
    assert rules.list_legal_moves(GAME, position) == []


def test_a_five_of_only_the_opponent_loses() -> None:
    """The same turn without the second five."""
    position = after(COLUMNS, "f6:1L")
    assert board(position)[:2] == ["OOOOO.", "XXX.X."]
    assert rules.is_over(GAME, position)
    assert rules.list_scores(GAME, position) == [0.0, 1.0]


def test_a_five_of_only_the_mover_after_the_turn_wins() -> None:
    """The seats swapped: now the owner of the five turns."""
    swapped = COLUMNS.replace("turn: 0", "turn: 1")
    assert rules.list_scores(GAME, after(swapped, "f6:1L")) == [0.0, 1.0]


@pytest.mark.parametrize(
    "cells",
    [
        "a1 b1 c1 d1 e1",
        "b6 c6 d6 e6 f6",
        "f2 f3 f4 f5 f6",
        "a1 b2 c3 d4 e5",
        "b1 c2 d3 e4 f5",
        "e1 d2 c3 b4 a5",
        "f2 e3 d4 c5 b6",
        "a3 b3 c3 d3 e3 f3",
    ],
)
def test_fives_and_sixes_are_seen(cells: str) -> None:
    """In every direction and at the edges."""
    assert rules.is_over(GAME, with_stones(cells))


@pytest.mark.parametrize(
    "cells",
    [
        "a1 b1 c1 d1 f1",
        "d1 e1 f1 a2 b2 c2",  # over the edge
        "c1 d2 e3 f4 a6",
        "d1 c2 b3 a4 f4",
    ],
)
def test_other_lines_are_not_fives(cells: str) -> None:
    """Lines with a gap, too short ones, and those that run round the edge."""
    assert not rules.is_over(GAME, with_stones(cells))


def with_stones(cells: str) -> Any:
    """A position with stones of seat 0 on these cells."""
    names = [GAME.layout().cell_name(cell) for cell in range(36)]
    content = np.zeros(36, np.int8)
    content[[names.index(cell) for cell in cells.split()]] = 1
    position = rules.new_position(GAME)
    rules.set_up(GAME, position, content)
    return position


FULL_BUT_ONE = """
  a b c d e f
1 X X O O X X
2 O O X X O O
3 X X O O X X
4 O O X X O O
5 X X O . X X
6 O O X X O O
turn: 1
"""


def test_a_full_board_without_a_five_is_a_tie() -> None:
    """The last stone ends the game."""
    position = after(FULL_BUT_ONE, "d5:2L")
    assert "." not in "".join(board(position))
    assert rules.is_over(GAME, position)
    assert rules.list_scores(GAME, position) == [0.5, 0.5]


def test_names_of_moves() -> None:
    """Cell, quadrant, direction; every name leads back to its move."""
    assert notation.move_name(GAME, 7 * 8) == "b2:1L"
    assert notation.move_name(GAME, 287) == "f6:4R"
    for move in range(288):
        assert notation.parse_move(GAME, notation.move_name(GAME, move)) == move


def test_random_moves_cover_the_legal_ones() -> None:
    """On a board with few empty cells every legal move is drawn, and no other."""
    position = notation.parse_picture(GAME, FULL_BUT_ONE)
    random, buffer = randomness.seeded(3), rules.move_buffer(GAME)
    drawn = {int(rules.random_move(GAME, position, buffer, random)) for _ in range(200)}
    assert sorted(drawn) == rules.list_legal_moves(GAME, position)


@pytest.mark.parametrize("number", range(8))
def test_symmetries_commute_with_moves(number: int) -> None:
    """To move and then transform is to transform and then make the transformed move."""
    moved = symmetry.symmetries(GAME).moves[number]
    assert sorted(moved) == list(range(288))
    random, buffer = randomness.seeded(5, number), rules.move_buffer(GAME)
    for _ in range(10):
        position = rules.new_position(GAME)
        while not rules.is_over(GAME, position):
            move = rules.random_move(GAME, position, buffer, random)
            other = symmetry.transformed(GAME, position, number)
            rules.play(GAME, position, move)
            rules.play(GAME, other, moved[move])
            assert other.tobytes() == symmetry.transformed(GAME, position, number).tobytes()


def test_a_picture_gives_the_position_back() -> None:
    """Also of a finished game; and equal positions have equal keys."""
    random, buffer = randomness.seeded(6), rules.move_buffer(GAME)
    position = rules.new_position(GAME)
    while not rules.is_over(GAME, position):
        rules.play(GAME, position, rules.random_move(GAME, position, buffer, random))
        again = notation.parse_picture(GAME, notation.picture(GAME, position))
        assert again.tobytes() == position.tobytes()
        assert rules.key(GAME, again) == rules.key(GAME, position)


def test_the_turn_is_not_confused_with_a_stone() -> None:
    rest = "\n".join(f"{row} . . . . . ." for row in range(2, 7))
    one = notation.parse_picture(GAME, f"columns\n1 X X . . . .\n{rest}\nturn: 0")
    other = notation.parse_picture(GAME, f"columns\n1 . X . . . .\n{rest}\nturn: 1")
    assert rules.key(GAME, one) != rules.key(GAME, other)
