"""The rules of Pente on small boards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import games, rules
from quintet.errors import UserError
from quintet.notation import move_name, parse_move, parse_picture, picture
from quintet.symmetry import symmetries, transformed


def drawn(text: str, *rows: str, turn: int = 0, captured: str = "0 0") -> Any:
    """A game and the position in which `rows` lie on the top left of an empty board."""
    game = games.make(text)
    size = game.size
    lines = [list(row) + ["."] * (size - len(row)) for row in rows]
    lines += [["."] * size for _ in range(size - len(rows))]
    board = [f"{size - i} {' '.join(line)}" for i, line in enumerate(lines)]
    facts = [f"turn: {turn}", f"captured: {captured}"]
    return game, parse_picture(game, "\n".join(["columns", *board, *facts]))


def rows_of(game: Any, position: Any) -> list[str]:
    """The rows of a position, without the empty ends and the empty rows below."""
    lines = picture(game, position).splitlines()[1 : game.size + 1]
    return [row for line in lines if (row := "".join(line.split()[1:]).rstrip("."))]


# one board in one word, one in two, one in six
SIZES = pytest.mark.parametrize("size", [7, 9, 19])


@SIZES
def test_a_pair_is_captured(size: int) -> None:
    game, position = drawn(f"pente:size={size}", ".OOX")
    rules.play(game, position, 0)
    assert rows_of(game, position) == ["X..X"]
    assert position.captured.tolist() == [2, 0]
    assert 1 in rules.list_legal_moves(game, position)


@SIZES
def test_captures_in_all_directions_at_once(size: int) -> None:
    game, position = drawn(
        f"pente:size={size},captures=20",
        "X..X..X",
        ".O.O.O.",
        "..OOO..",
        "XOO.OOX",
        "..OOO..",
        ".O.O.O.",
        "X..X..X",
    )
    rules.play(game, position, 3 * size + 3)
    assert rows_of(game, position) == ["X..X..X", "X..X..X", "X..X..X"]
    assert position.captured.tolist() == [16, 0]
    assert not rules.is_over(game, position)


@SIZES
def test_mixed_colours_are_not_captured(size: int) -> None:
    game, position = drawn(f"pente:size={size},players=3", ".O#X", captured="0 0 0")
    rules.play(game, position, 0)
    assert rows_of(game, position) == ["XO#X"]
    assert position.captured.tolist() == [0, 0, 0]


@SIZES
def test_one_stone_can_capture_from_two_opponents(size: int) -> None:
    game, position = drawn(f"pente:size={size},players=3", ".OOX", "#", "#", "X", captured="0 0 0")
    rules.play(game, position, 0)
    assert rows_of(game, position) == ["X..X", "X"]
    assert position.captured.tolist() == [4, 0, 0]


@SIZES
def test_moving_into_a_bracket_is_safe(size: int) -> None:
    game, position = drawn(f"pente:size={size}", "O.XO")
    rules.play(game, position, 1)
    assert rows_of(game, position) == ["OXXO"]


@SIZES
@pytest.mark.parametrize("row", [".OO", ".OOO", ".OXX", ".OOOX", ".OX", ".O.X"])
def test_only_pairs_closed_by_an_own_stone_are_captured(size: int, row: str) -> None:
    game, position = drawn(f"pente:size={size}", row)
    rules.play(game, position, 0)
    assert rows_of(game, position) == ["X" + row[1:]]


@SIZES
@pytest.mark.parametrize("shift", [0, 1, 2, 3])
def test_captures_do_not_wrap_round_the_edge(size: int, shift: int) -> None:
    """O O X follow X in reading order, but on two rows."""
    game = games.make(f"pente:size={size}")
    start = 2 * size - 1 - shift
    if shift == 3:
        start = size * size - 4  # the last row, and nothing after it
    content = np.zeros(size * size, np.int8)
    content[start + 1 : start + 4] = [2, 2, 1]
    position = np.zeros(1, game.position_type())[0]
    rules.set_up(game, position, content)
    rules.play(game, position, start)
    assert position.captured[0] == (2 if shift == 3 else 0)


@SIZES
def test_five_win(size: int) -> None:
    game, position = drawn(f"pente:size={size}", "XX.XX", "OOO")
    rules.play(game, position, 2)
    assert rules.list_scores(game, position) == [1.0, 0.0]
    assert rules.list_legal_moves(game, position) == []


@SIZES
def test_six_win_too(size: int) -> None:
    game, position = drawn(f"pente:size={size}", "XX.XXX", "OOO")
    rules.play(game, position, 2)
    assert rules.list_scores(game, position) == [1.0, 0.0]


@SIZES
def test_five_do_not_wrap_round_the_edge(size: int) -> None:
    game = games.make(f"pente:size={size}")
    content = np.zeros(size * size, np.int8)
    content[size - 2 : size + 2] = 1
    position = np.zeros(1, game.position_type())[0]
    rules.set_up(game, position, content)
    rules.play(game, position, size + 2)
    assert not rules.is_over(game, position)


@SIZES
def test_the_fifth_pair_wins(size: int) -> None:
    game, position = drawn(f"pente:size={size}", ".OOX", captured="8 8")
    rules.play(game, position, 0)
    assert rules.list_scores(game, position) == [1.0, 0.0]
    points = np.zeros(2)
    rules.points(game, position, points)
    assert points.tolist() == [10.0, 8.0]


@SIZES
def test_keryo_captures_threes_and_pairs_but_not_four(size: int) -> None:
    game, position = drawn(f"keryo-pente:size={size}", ".OOOX", "O", "O", "X")
    rules.play(game, position, 0)
    assert rows_of(game, position) == ["X...X", "X"]
    assert position.captured.tolist() == [5, 0]
    game, position = drawn(f"keryo-pente:size={size}", ".OOOOX")
    rules.play(game, position, 0)
    assert rows_of(game, position) == ["XOOOOX"]


def test_three_players_can_first_capture_at_the_fifth_ply() -> None:
    """Whoever captures has two stones; the second player has them after five plies."""
    game = games.make("pente:size=7,players=3")
    position = rules.new_position(game)
    for name, captured in [("D4", 0), ("C4", 0), ("A1", 0), ("E4", 0), ("F4", 2)]:
        assert position.captured.tolist() == [0, 0, 0]
        rules.checked_play(game, position, parse_move(game, name))
        assert position.captured[1] == captured


def test_a_full_board_is_a_draw() -> None:
    rows = ["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOX."]
    game, position = drawn("pente:size=5", *rows)
    rules.play(game, position, 24)
    assert rules.is_over(game, position)
    assert rules.list_scores(game, position) == [0.5, 0.5]


def test_the_first_stone_is_on_the_centre() -> None:
    game = games.make("pente")
    position = rules.new_position(game)
    (move,) = rules.list_legal_moves(game, position)
    assert move_name(game, move) == "K10"
    assert len(rules.list_legal_moves(games.make("pente:centre=no"), position)) == 361


def test_even_sizes_have_no_centre() -> None:
    with pytest.raises(UserError, match="centre=no"):
        games.make("pente:size=8")
    assert games.make("pente:size=8,centre=no").size == 8


def test_a_drawn_position_knows_how_it_ended() -> None:
    game, position = drawn("pente:size=7", "OOOOO", "XXXX", turn=0)
    assert rules.list_scores(game, position) == [0.0, 1.0]
    game, position = drawn("pente:size=7", "XX", captured="10 0", turn=1)
    assert rules.list_scores(game, position) == [1.0, 0.0]


def test_captured_stones_are_part_of_the_key() -> None:
    game, one = drawn("pente:size=7", "XO", captured="2 0")
    _, other = drawn("pente:size=7", "XO", captured="0 2")
    _, same = drawn("pente:size=7", "XO", captured="2 0")
    assert rules.key(game, one) == rules.key(game, same) != rules.key(game, other)


def test_an_observation_is_relative_to_the_seat() -> None:
    game, position = drawn("pente:size=7,players=3", "XO#", turn=1, captured="2 4 0")
    planes = np.full((game.limits().planes, 7, 7), 9.0, np.float32)
    rules.observe(game, position, 1, planes)
    corner = planes[:, 0, :3].tolist()
    assert corner[:3] == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert planes[3:6].min(axis=(1, 2)).tolist() == [1, 0, 0]
    assert planes[6:, 6, 6] == pytest.approx([0.4, 0.0, 0.2])
    assert planes[:3].sum() == 3


@SIZES
def test_symmetries_respect_the_rules(size: int) -> None:
    game, position = drawn(f"pente:size={size}", ".OOX", "O.X", "O", "X")
    after = rules.copied(position)
    rules.play(game, after, 0)
    for s, moves in enumerate(symmetries(game).moves):
        turned = transformed(game, position, s)
        rules.play(game, turned, int(moves[0]))
        assert turned.tobytes() == transformed(game, after, s).tobytes()


def test_the_turn_is_not_confused_with_captured_stones() -> None:
    text = "pente:size=7,players=3"
    game, one = drawn(text, "XO#", turn=2, captured="0 0 0")
    _, other = drawn(text, "XO#", turn=0, captured="2 0 0")
    assert rules.key(game, one) != rules.key(game, other)


def test_tournament_rule_keeps_the_second_stone_of_the_first_seat_away() -> None:
    game = games.make("pente:size=9,tournament=yes")
    position = rules.new_position(game)
    for move in ("E5", "E6"):
        rules.checked_play(game, position, parse_move(game, move))
    legal = rules.list_legal_moves(game, position)
    assert len(legal) == 81 - 25
    assert parse_move(game, "H5") in legal
    assert parse_move(game, "G5") not in legal
    rules.checked_play(game, position, parse_move(game, "B5"))
    assert len(rules.list_legal_moves(game, position)) == 81 - 3
    with pytest.raises(UserError, match="7 or more"):
        games.make("pente:size=5,tournament=yes")
