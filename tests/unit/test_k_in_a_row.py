"""The rules of k in a row on small boards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import games, rules
from quintet.errors import IllegalMove, UserError
from quintet.notation import move_name, parse_move, parse_picture, picture
from quintet.symmetry import symmetries, transformed


def drawn(text: str, *rows: str, turn: int = 0) -> Any:
    """A game and the position in which `rows` lie on the top left of an empty board."""
    game = games.make(text)
    lines = [list(row) + ["."] * (game.columns - len(row)) for row in rows]
    lines += [["."] * game.columns for _ in range(game.rows - len(rows))]
    board = [f"{game.rows - i} {' '.join(line)}" for i, line in enumerate(lines)]
    return game, parse_picture(game, "\n".join(["columns", *board, f"turn: {turn}"]))


def played(text: str, *names: str) -> Any:
    """A game and the position after the moves."""
    game = games.make(text)
    position = rules.new_position(game)
    for name in names:
        rules.checked_play(game, position, parse_move(game, name))
    return game, position


def rows_of(game: Any, position: Any) -> list[str]:
    """The rows of a position."""
    lines = picture(game, position).splitlines()[1 : game.rows + 1]
    return ["".join(line.split()[1:]) for line in lines]


# one board in one word, one in two
SIZES = pytest.mark.parametrize("size", [7, 9])
KINDS = pytest.mark.parametrize("exact", ["no", "yes"])

FOURS = {
    "across": ["XX.X"],
    "down": ["X", "X", ".", "X"],
    "falling": ["X", ".X", "...", "...X"],
    "rising": ["...X", "..X", "...", "X"],
}
GAPS = {"across": (0, 2), "down": (2, 0), "falling": (2, 2), "rising": (2, 1)}


@SIZES
@KINDS
@pytest.mark.parametrize("direction", FOURS)
def test_four_win_in_every_direction(size: int, exact: str, direction: str) -> None:
    text = f"k-in-a-row:rows={size},columns={size},k=4,exact={exact}"
    game, position = drawn(text, *FOURS[direction])
    assert not rules.is_over(game, position)
    row, column = GAPS[direction]
    rules.play(game, position, row * size + column)
    assert rules.list_scores(game, position) == [1.0, 0.0]
    assert rules.list_legal_moves(game, position) == []


@SIZES
@KINDS
@pytest.mark.parametrize("direction", FOURS)
def test_the_other_colour_does_not_complete_a_line(size: int, exact: str, direction: str) -> None:
    text = f"k-in-a-row:rows={size},columns={size},k=4,exact={exact}"
    game, position = drawn(text, *FOURS[direction], turn=1)
    row, column = GAPS[direction]
    rules.play(game, position, row * size + column)
    assert not rules.is_over(game, position)


@SIZES
@KINDS
@pytest.mark.parametrize("step", [-1, 0, 1], ids=["rising", "across", "falling"])
def test_lines_do_not_wrap_round_the_edge(size: int, exact: str, step: int) -> None:
    """Two stones at the right edge and two at the left are next to one another in the words."""
    game = games.make(f"k-in-a-row:rows={size},columns={size},k=4,exact={exact}")
    content = np.zeros(size * size, np.int8)
    cells = [(2 + i * step) * size + size - 2 + i for i in range(4)]
    content[cells[1:]] = 1
    position = np.zeros(1, game.position_type())[0]
    rules.set_up(game, position, content)
    rules.play(game, position, cells[0])
    assert not rules.is_over(game, position)


@SIZES
def test_more_than_k_win_unless_k_must_be_exact(size: int) -> None:
    text = f"k-in-a-row:rows={size},columns={size},k=4"
    game, position = drawn(text, "XX.XX")
    rules.play(game, position, 2)
    assert rules.list_scores(game, position) == [1.0, 0.0]
    game, position = drawn(f"{text},exact=yes", "XX.XX")
    rules.play(game, position, 2)
    assert not rules.is_over(game, position)


def test_an_exact_line_wins_across_a_longer_one() -> None:
    game, position = drawn("k-in-a-row:rows=5,columns=5,k=3,exact=yes", ".XXX", "X", "X")
    assert rules.is_over(game, position)
    game, position = drawn("k-in-a-row:rows=5,columns=5,k=3,exact=yes", ".XX.X", "X", "X")
    rules.play(game, position, 0)
    assert rules.list_scores(game, position) == [1.0, 0.0]
    game, position = drawn("k-in-a-row:rows=5,columns=5,k=3,exact=yes", "XX.X", "..X", "..X")
    rules.play(game, position, 2)
    assert rules.list_scores(game, position) == [1.0, 0.0]


@pytest.mark.parametrize("columns", [14, 15])
@pytest.mark.parametrize("rows", [["X", "X", "X"], ["X...X", ".X...X", "..X...X"]])
def test_a_short_line_down_a_low_board_does_not_win(columns: int, rows: list[str]) -> None:
    """Four rows of sixteen bits fill the word: shifting by four rows must not do nothing."""
    game, position = drawn(f"k-in-a-row:rows=4,columns={columns},k=8", *rows, "....")
    rules.play(game, position, 3 * columns + (0 if len(rows[1]) == 1 else 3))
    assert not rules.is_over(game, position)


@pytest.mark.parametrize("rows", [6, 12])
def test_stones_fall_onto_one_another(rows: int) -> None:
    game, position = played(f"connect-four:rows={rows}", "d", "d", "a", "d")
    assert rows_of(game, position)[-3:] == ["...O...", "...O...", "X..X..."]
    assert rows_of(game, position)[:-3] == ["......."] * (rows - 3)


@pytest.mark.parametrize("rows", [6, 12])
def test_a_full_column_takes_no_stone(rows: int) -> None:
    game, position = played(f"connect-four:rows={rows}", *"b" * rows)
    assert rules.list_legal_moves(game, position) == [0, 2, 3, 4, 5, 6]
    with pytest.raises(IllegalMove, match="move b: not legal here"):
        rules.checked_play(game, position, 1)


def test_a_full_board_is_a_draw() -> None:
    game, position = drawn("tic-tac-toe", "XOX", "XOO", "OX.")
    assert not rules.is_over(game, position)
    rules.play(game, position, 8)
    assert rules.list_scores(game, position) == [0.5, 0.5]
    assert rules.list_legal_moves(game, position) == []


def test_a_full_board_of_many_words_is_a_draw() -> None:
    rows = ["XXOOXXOOX", "OOXXOOXXO"] * 4 + ["XXOOXXOO."]
    game, position = drawn("k-in-a-row:rows=9,columns=9,k=5", *rows)
    assert not rules.is_over(game, position)
    rules.play(game, position, 80)
    assert rules.list_scores(game, position) == [0.5, 0.5]


def test_a_draw_is_shared_by_all() -> None:
    text = "k-in-a-row:rows=2,columns=3,k=2,players=6"
    game, position = played(text, "a1", "b1", "c1", "a2", "b2", "c2")
    assert rules.list_scores(game, position) == [1 / 6] * 6


@pytest.mark.parametrize("exact", ["no", "yes"])
def test_a_line_on_the_last_cell_wins(exact: str) -> None:
    game, position = drawn(f"tic-tac-toe:exact={exact}", "XOX", "OXO", "OX.")
    rules.play(game, position, 8)
    assert rules.list_scores(game, position) == [1.0, 0.0]


def test_six_players_take_turns() -> None:
    game = games.make("k-in-a-row:rows=3,columns=6,k=3,players=6")
    position = rules.new_position(game)
    turns = []
    for move in range(8):
        turns.append(rules.turn(game, position))
        rules.play(game, position, move)
    assert turns == [0, 1, 2, 3, 4, 5, 0, 1]
    assert rows_of(game, position) == ["XO#@%&", "XO....", "......"]


@pytest.mark.parametrize("seat", range(6))
def test_each_of_six_players_can_win(seat: int) -> None:
    text = "k-in-a-row:rows=3,columns=6,k=3,players=6"
    game, position = drawn(text, "XO#@%&", "XO#@%&", turn=seat)
    rules.play(game, position, 12 + seat)
    assert rules.list_scores(game, position) == [float(other == seat) for other in range(6)]


def test_a_drawn_position_knows_how_it_ended() -> None:
    game, position = drawn("tic-tac-toe", "XXO", "XO.", "O..", turn=0)
    assert rules.list_scores(game, position) == [0.0, 1.0]
    game, position = drawn("tic-tac-toe", "XOX", "XOO", "OXX")
    assert rules.is_over(game, position)
    assert rules.list_scores(game, position) == [0.5, 0.5]
    game, position = drawn("tic-tac-toe", "XOX", "OXO", "OXX")  # full, but won
    assert rules.list_scores(game, position) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("k=1", "k=1 is not possible; expected 2 to 19"),
        ("rows=0", "rows=0 is not possible; expected 1 to 20"),
        ("columns=21", "columns=21 is not possible; expected 1 to 20"),
        ("players=7", "players=7 is not possible; expected 2 to 6"),
        ("k=4", "k=4 does not fit on a board of 3 x 3"),
    ],
)
def test_degenerate_games_are_refused(settings: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        games.make(f"k-in-a-row:{settings}")


@pytest.mark.parametrize("gravity", ["no", "yes"])
@pytest.mark.parametrize(("rows", "columns"), [(1, 20), (20, 1)])
def test_a_board_may_be_a_single_line(rows: int, columns: int, gravity: str) -> None:
    game = games.make(f"k-in-a-row:rows={rows},columns={columns},k=2,gravity={gravity}")
    position = rules.new_position(game)
    for _ in range(20):
        rules.play(game, position, rules.list_legal_moves(game, position)[0])
    assert rules.list_scores(game, position) == [0.5, 0.5]
    board = [2, 1] * 10 if gravity == "yes" and rows > 1 else [1, 2] * 10  # from the bottom up
    content = np.zeros(20, np.int8)
    rules.cells(game, position, content)
    assert content.tolist() == board


def test_names_of_moves() -> None:
    go_moku = games.make("go-moku")
    assert move_name(go_moku, 112) == "H8"
    assert move_name(go_moku, 8) == "J15"  # no column I
    assert parse_move(go_moku, "a1") == 210
    connect_four = games.make("connect-four")
    assert [move_name(connect_four, move) for move in range(7)] == list("abcdefg")
    assert parse_move(connect_four, "G") == 6
    assert move_name(games.make("tic-tac-toe"), 0) == "a3"
    with pytest.raises(UserError, match="'I8' is no move; expected one such as A15, B15, C15"):
        parse_move(go_moku, "I8")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["XO#"], "'#' in row 3; expected one of .XO"),
        (["XO", "XX", "...."], "row 1 has 4 cells; expected 3"),
    ],
)
def test_wrong_pictures_are_refused(rows: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        drawn("tic-tac-toe", *rows)


def test_a_stone_in_the_air_is_refused() -> None:
    with pytest.raises(UserError, match="the stone on c2 has nothing under it"):
        drawn("connect-four", *["......."] * 4, "..X....", "XO.....")
    drawn("k-in-a-row:rows=6,columns=7,k=4", "..X")


def test_the_key_tells_turn_and_owners_apart() -> None:
    keys = set()
    for rows, turn in [("XO", 0), ("XO", 1), ("OX", 0), ("XX", 0), ("X.O", 0)]:
        game, position = drawn("tic-tac-toe", rows, turn=turn)
        keys.add(int(rules.key(game, position)))
    assert len(keys) == 5
    one = played("tic-tac-toe", "a1", "b2", "c3")
    other = played("tic-tac-toe", "c3", "b2", "a1")
    assert rules.key(*one) == rules.key(*other)


@pytest.mark.parametrize("text", ["tic-tac-mo", "go-moku:players=3"])
def test_an_observation_is_relative_to_the_seat(text: str) -> None:
    game, position = drawn(text, "XO#", turn=2)
    planes = np.full((game.limits().planes, game.rows, game.columns), 9.0, np.float32)
    rules.observe(game, position, 1, planes)
    assert planes[:3, 0, :3].tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert planes[:3].sum() == 3
    assert planes[3:].min(axis=(1, 2)).tolist() == [0, 1, 0]
    assert planes[3:].max(axis=(1, 2)).tolist() == [0, 1, 0]


@pytest.mark.parametrize(("text", "count"), [("go-moku", 8), ("tic-tac-mo", 4)])
def test_symmetries_respect_the_rules(text: str, count: int) -> None:
    game, position = drawn(text, ".OX", "O.X")
    after = rules.copied(position)
    rules.play(game, after, 3)
    assert len(symmetries(game).moves) == count
    for s, moves in enumerate(symmetries(game).moves):
        turned = transformed(game, position, s)
        rules.play(game, turned, int(moves[3]))
        assert turned.tobytes() == transformed(game, after, s).tobytes()


def test_connect_four_has_only_a_mirror() -> None:
    game, position = played("connect-four", *"aabg")
    assert symmetries(game).moves.tolist() == [[0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0]]
    mirrored = played("connect-four", *"ggfa")[1]
    assert transformed(game, position, 1).tobytes() == mirrored.tobytes()
