"""Names and pictures, and the mistakes in them that are refused."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pytest

from quintet import games, rules
from quintet.errors import UserError
from quintet.layout import Layout
from quintet.notation import move_name, parse_move, parse_picture, picture

PICTURE = """  a b c
3 X O .
2 . X .
1 . . O
turn: 0"""

PENTE = """  A B C D E
5 X . . . .
4 . O . . .
3 . . . . .
2 . . . . .
1 . . . . .
turn: 1
captured: 2 0"""


def board(text: str, lines: str) -> Any:
    """The position that a picture shows, given by the text of its game."""
    return parse_picture(games.make(text), lines)


@pytest.mark.parametrize(
    ("layout", "first", "last"),
    [
        (Layout(8, 8), "a1", "h8"),
        (Layout(3, 5, upward=True), "a3", "e1"),
        (Layout(19, 19, skip_i=True, upward=True, capital=True), "A19", "T1"),
        (Layout(1, 26), "a1", "z1"),
        (Layout(2, 9, skip_i=True), "a1", "j2"),
        (Layout(2, 9), "a1", "i2"),
    ],
)
def test_names_of_cells(layout: Layout, first: str, last: str) -> None:
    assert layout.cell_name(0) == first
    assert layout.cell_name(layout.cells - 1) == last
    assert len({layout.cell_name(cell) for cell in range(layout.cells)}) == layout.cells


@pytest.mark.parametrize("text", ["tic-tac-mo", "connect-four", "pente", "othello", "pentago"])
def test_every_move_has_a_name_of_its_own(text: str) -> None:
    game = games.make(text)
    for move in range(game.limits().moves):
        name = move_name(game, move)
        assert [parse_move(game, way) for way in (name, name.upper(), f" {name} ")] == [move] * 3


class LookAlike(NamedTuple):
    """Equal to Othello as a tuple, but its rows are numbered upward."""

    size: int = 8

    def limits(self) -> rules.Limits:
        """As many moves as cells."""
        return rules.Limits(seats=2, moves=64, plies=64, planes=4)

    def layout(self) -> Layout:
        """Upside down."""
        return Layout(8, 8, upward=True)


def test_games_with_equal_parameters_keep_their_own_names() -> None:
    assert LookAlike() == games.make("othello")
    assert parse_move(games.make("othello"), "a1") == 0
    assert parse_move(LookAlike(), "a1") == 56


def test_a_move_beyond_the_cells_is_a_pass() -> None:
    assert move_name(games.make("othello"), 64) == "pass"
    assert parse_move(games.make("othello"), "PASS") == 64


@pytest.mark.parametrize("name", ["", "a", "d9", "a4", "3a", "pass", "a 1"])
def test_what_is_no_move_is_told(name: str) -> None:
    message = f"{name!r} is no move; expected one such as a3, b3, c3"
    with pytest.raises(UserError, match=f"^{re.escape(message)}$"):
        parse_move(games.make("tic-tac-toe"), name)


def test_a_picture_is_read_as_it_is_written() -> None:
    game = games.make("tic-tac-toe")
    position = parse_picture(game, PICTURE)
    assert picture(game, position) == PICTURE
    content = np.zeros(9, np.int8)
    rules.cells(game, position, content)
    assert content.tolist() == [1, 2, 0, 0, 1, 0, 0, 0, 2]


def test_blank_lines_and_row_numbers_do_not_matter() -> None:
    spaced = "\n\n  " + PICTURE.replace("\n", "\n\n") + "\n"
    numberless = re.sub(r"(?m)^\d ", "", PICTURE)
    expected = board("tic-tac-toe", PICTURE).tobytes()
    assert board("tic-tac-toe", spaced).tobytes() == expected
    assert board("tic-tac-toe", numberless).tobytes() == expected


def test_numbers_of_two_digits_are_aligned() -> None:
    lines = picture(games.make("go-moku"), rules.new_position(games.make("go-moku"))).splitlines()
    assert lines[0] == "   A B C D E F G H J K L M N O P"
    assert lines[1].startswith("15 . ")
    assert lines[15].startswith(" 1 . ")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1 . . O\nturn: 0", "", "the picture has 2 rows; expected 3"),
        ("2 . X .", "2 . #  .", "'#' in row 2; expected one of .XO"),
        ("2 . X .", "2 .X .", "'.X' in row 2; expected one of .XO"),
        ("2 . X .", "2 . X", "row 2 has 2 cells; expected 3"),
        ("2 . X .", "2 . X . .", "row 2 has 4 cells; expected 3"),
        ("turn: 0", "", "the picture does not tell 'turn'; expected a line 'turn: ...'"),
        ("turn: 0", "turn: X", "turn: 'X'; expected 1 whole number(s)"),
        ("turn: 0", "turn:", "turn: ''; expected 1 whole number(s)"),
        ("turn: 0", "turn: 0 1", "turn: '0 1'; expected 1 whole number(s)"),
        ("turn: 0", "turn: 0.5", "turn: '0.5'; expected 1 whole number(s)"),
        ("turn: 0", "turn: 256", "turn: '256'; expected 1 whole number(s)"),
        ("turn: 0", f"turn: {10**30}", f"turn: '{10**30}'; expected 1 whole number(s)"),
        ("turn: 0", "turn: 2", "turn: 2; expected 0 to 1"),
        ("turn: 0", "turn: -1", "turn: -1; expected 0 to 1"),
    ],
)
def test_mistakes_in_a_picture_are_told(old: str, new: str, message: str) -> None:
    assert old in PICTURE
    with pytest.raises(UserError, match=f"^{re.escape(message)}$"):
        board("tic-tac-toe", PICTURE.replace(old, new))


@pytest.mark.parametrize(
    ("captured", "message"),
    [
        ("2", "captured: '2'; expected 2 whole number(s)"),
        ("0 -2", "captured: -2; expected at least 0"),
        ("0 300", "captured: '0 300'; expected 2 whole number(s)"),
    ],
)
def test_facts_of_several_numbers_are_checked(captured: str, message: str) -> None:
    assert board("pente:size=5", PENTE).captured.tolist() == [2, 0]
    with pytest.raises(UserError, match=f"^{re.escape(message)}$"):
        board("pente:size=5", PENTE.replace("captured: 2 0", f"captured: {captured}"))


@pytest.mark.parametrize(
    ("fact", "wrong", "allowed"),
    [("ko", "-2", "-1 to 24"), ("ko", "25", "-1 to 24"), ("ply", "-1", "0 to {plies}")],
)
def test_facts_that_hold_a_cell_or_a_ply_are_checked(fact: str, wrong: str, allowed: str) -> None:
    game = games.make("go:size=5")
    start = picture(game, rules.new_position(game))
    changed = re.sub(rf"(?m)^{fact}: .*$", f"{fact}: {wrong}", start)
    assert changed != start
    message = f"{fact}: {wrong}; expected {allowed.format(plies=game.limits().plies)}"
    with pytest.raises(UserError, match=f"^{re.escape(message)}$"):
        parse_picture(game, changed)
