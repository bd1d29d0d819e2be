"""The rules of Go on drawn boards, kept on bits and in arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import games, rules
from quintet.errors import UserError
from quintet.games.go import Go, Ko, breathes
from quintet.games.go_on_bits import GoOnBits
from quintet.notation import parse_move, parse_picture, picture

CLASSES = pytest.mark.parametrize("cls", [GoOnBits, Go])
BASE = "go:size=5,players=3"  # one size, as each costs seconds to compile


def drawn(
    cls: type, extra: str, *rows: str, turn: int = 0, passes: int = 0, ply: int = 0, ko: int = -1
) -> Any:
    """A game, and the position in which `rows` lie on the top left of an empty board."""
    game = cls(*games.make(f"{BASE},{extra}"))
    board = [" ".join(row.ljust(5, ".")) for row in (*rows, *[""] * (5 - len(rows)))]
    facts = [f"turn: {turn}", f"passes: {passes}", f"ply: {ply}", f"ko: {ko}"]
    return game, parse_picture(game, "\n".join(["columns", *board, *facts]))


def rows_of(game: Any, position: Any) -> list[str]:
    """The rows of a position, without the empty ends and the empty rows below."""
    lines = picture(game, position).splitlines()[1 : game.size + 1]
    rows = ["".join(line.split()[1:]).rstrip(".") for line in lines]
    return rows[: max((i + 1 for i, row in enumerate(rows) if row), default=0)]


def play(game: Any, position: Any, moves: str) -> None:
    for name in moves.split():
        rules.checked_play(game, position, parse_move(game, name))


def is_legal(game: Any, position: Any, name: str) -> bool:
    return parse_move(game, name) in rules.list_legal_moves(game, position)


def area(game: Any, position: Any) -> list[float]:
    out = np.full(game.players, np.nan)
    rules.points(game, position, out)
    return [float(points) for points in out]


# --- taking -----------------------------------------------------------------------


@CLASSES
def test_a_stone_takes_groups_of_several_colours(cls: type) -> None:
    game, position = drawn(cls, "", ".OX", "#X", "#X", "X")
    play(game, position, "A5")
    assert rows_of(game, position) == ["X.X", ".X", ".X", "X"]


@CLASSES
def test_groups_that_would_free_one_another_are_taken_at_once(cls: type) -> None:
    game, position = drawn(cls, "", ".OX", "##X", "XX")
    play(game, position, "A5")
    assert rows_of(game, position) == ["X.X", "..X", "XX"]


@CLASSES
def test_one_group_beside_a_stone_twice_is_taken_once(cls: type) -> None:
    game, position = drawn(cls, "", ".OX", "OOX", "XX")
    play(game, position, "A5")
    assert rows_of(game, position) == ["X.X", "..X", "XX"]
    assert area(game, position) == [25, 0, 0]


@CLASSES
def test_every_other_colour_takes_a_liberty(cls: type) -> None:
    game, position = drawn(cls, "", "#X", ".O", turn=1)
    play(game, position, "A4")
    assert rows_of(game, position) == [".X", "OO"]


@CLASSES
def test_groups_do_not_hang_together_round_the_edge(cls: type) -> None:
    game, position = drawn(cls, "", "...XO", "O..OX", "X", turn=0)
    play(game, position, "B4")  # A4 still breathes above
    assert rows_of(game, position) == ["...XO", "OX.OX", "X"]
    play(game, position, "pass pass A5")
    assert rows_of(game, position) == ["X..XO", ".X.OX", "X"]


@CLASSES
def test_a_snapback(cls: type) -> None:
    game, position = drawn(cls, "", "XO..X", "XOOOX", ".XXX")
    play(game, position, "C5 D5")
    assert rows_of(game, position) == ["XO.OX", "XOOOX", ".XXX"]
    play(game, position, "pass C5")
    assert rows_of(game, position) == ["X.X.X", "X...X", ".XXX"]


# --- suicide ----------------------------------------------------------------------


@CLASSES
@pytest.mark.parametrize("extra", ["suicide=yes", "suicide=no", "suicide=yes,ko=simple"])
def test_a_single_stone_never_kills_itself(cls: type, extra: str) -> None:
    game, position = drawn(cls, extra, ".O", "#")
    assert not is_legal(game, position, "A5")


@CLASSES
def test_suicide_where_it_is_forbidden(cls: type) -> None:
    game, position = drawn(cls, "suicide=no", ".XO", "##")
    assert not is_legal(game, position, "A5")


@CLASSES
def test_suicide_where_it_is_allowed(cls: type) -> None:
    game, position = drawn(cls, "suicide=yes", ".XO", "##")
    play(game, position, "A5")
    assert rows_of(game, position) == ["..O", "##"]
    assert position.turn == 1


@CLASSES
def test_suicide_must_not_repeat_a_board(cls: type) -> None:
    for suicide, legal in [("yes", True), ("no", False)]:
        game, position = drawn(cls, f"suicide={suicide}", "..O", "##")
        play(game, position, "B5 pass pass")
        assert not is_legal(game, position, "A5")  # back to the empty corner
        game, position = drawn(cls, f"suicide={suicide}", "..O", "##", "OO")
        play(game, position, "B5 E1 pass")
        assert is_legal(game, position, "A5") == legal


@CLASSES
def test_taking_comes_before_suicide(cls: type) -> None:
    game, position = drawn(cls, "", ".OX", "OX", "X")
    play(game, position, "A5")
    assert rows_of(game, position) == ["X.X", ".X", "X"]


# --- ko ---------------------------------------------------------------------------

KO = (".XO", "XO.O", ".XO")
KO_OF_THE_THIRD = (".X#", "X#.#", ".X#")


@CLASSES
@pytest.mark.parametrize(("ko", "legal"), [("simple", 0), ("positional", 0), ("situational", 1)])
def test_the_next_player_taking_back(cls: type, ko: str, legal: bool) -> None:
    """It leads back to the board, but with three players another one is to move."""
    game, position = drawn(cls, f"ko={ko}", *KO)
    play(game, position, "C4")
    assert rows_of(game, position) == [".XO", "X.XO", ".XO"]
    assert is_legal(game, position, "B4") == legal
    play(game, position, "E1 pass pass")
    assert is_legal(game, position, "B4")  # with a stone more on the board


@CLASSES
@pytest.mark.parametrize(("ko", "legal"), [("simple", 1), ("positional", 0), ("situational", 0)])
def test_the_player_after_the_next_taking_back(cls: type, ko: str, legal: bool) -> None:
    """Simple ko looks back over the last move only: here a pass."""
    game, position = drawn(cls, f"ko={ko}", *KO_OF_THE_THIRD)
    play(game, position, "C4")
    assert is_legal(game, position, "B4")  # another's stone there is another board
    play(game, position, "pass")
    assert is_legal(game, position, "B4") == legal


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_two_players_may_never_take_back_at_once(ko: str) -> None:
    game = games.make(f"go:size=5,ko={ko}")
    position = rules.new_position(game)
    play(game, position, "B5 C5 A4 D4 B3 C3 E1 B4 C4")
    assert not is_legal(game, position, "B4")
    assert position.ko == parse_move(game, "B4")


@CLASSES
def test_a_drawn_ko_point_is_kept(cls: type) -> None:
    game, position = drawn(cls, "ko=simple", ".XO", "X.XO", ".XO", turn=1, ko=6)
    assert not is_legal(game, position, "B4")
    play(game, position, "pass")
    assert position.ko == -1


@CLASSES
def test_taking_two_is_no_ko(cls: type) -> None:
    game, position = drawn(cls, "ko=simple", "XOO.O", "XXXOO")
    play(game, position, "D5")
    assert rows_of(game, position) == ["X..XO", "XXXOO"]
    assert position.ko == -1


@CLASSES
@pytest.mark.parametrize("rows", [(".OX", ".X"), (".OX", "XX")])
def test_a_taker_with_another_liberty_or_friend_leaves_no_ko(cls: type, rows: list[str]) -> None:
    game, position = drawn(cls, "ko=simple", *rows)
    play(game, position, "A5")
    assert position.ko == -1


@CLASSES
@pytest.mark.parametrize(("ko", "legal"), [("simple", 1), ("positional", 0), ("situational", 1)])
def test_sending_two_returning_one(cls: type, ko: str, legal: bool) -> None:
    game, position = drawn(cls, f"ko={ko}", ".X.X", "OOX")
    play(game, position, "A5 C5")
    assert rows_of(game, position) == ["..OX", "OOX"]
    play(game, position, "pass")
    assert is_legal(game, position, "B5") == legal


@CLASSES
@pytest.mark.parametrize(("ko", "legal"), [("simple", 1), ("situational", 0)])
def test_a_situation_that_comes_back_after_passes(cls: type, ko: str, legal: bool) -> None:
    game, position = drawn(cls, f"ko={ko}", ".X.X", "OOX")
    play(game, position, "A5 C5 pass B5 pass pass")
    assert rows_of(game, position) == [".X.X", "OOX"]
    assert is_legal(game, position, "A5") == legal


@CLASSES
def test_a_board_set_up_anew_has_no_past(cls: type) -> None:
    game, position = drawn(cls, "", ".X.X", "OOX")
    play(game, position, "A5 C5 pass")
    again = parse_picture(game, picture(game, position))
    assert not is_legal(game, position, "B5")
    assert is_legal(game, again, "B5")


# --- passing and eyes ---------------------------------------------------------------

INNER = ["", "..X", ".X.X", "..X"]


@CLASSES
@pytest.mark.parametrize(
    ("rows", "point", "diagonal", "simple"),
    [
        ([".X", "X"], "A5", True, True),
        ([".X", "XO"], "A5", False, True),
        (["X.X", ".X"], "B5", True, True),
        (["X.X", "#X"], "B5", False, True),
        ([".X", "O"], "A5", False, False),
        ([".X", ""], "A5", False, False),
        (INNER, "C3", True, True),
        (["", ".OX", ".X.X", "..X"], "C3", True, True),
        (["", ".OX#", ".X.X", "..X"], "C3", False, True),
        (["", ".OX", ".X.X", "..XO"], "C3", False, True),
        (["", "..XO", ".X.X", ".#X"], "C3", False, True),
        (["", "..X", ".X.X", ".#XO"], "C3", False, True),
        (["", ".XXO", ".X.X", ".XXX"], "C3", True, True),
    ],
)
def test_eyes_are_not_filled(
    cls: type, rows: list[str], point: str, diagonal: bool, simple: bool
) -> None:
    for eye, is_eye in [("diagonal", diagonal), ("simple", simple)]:
        game, position = drawn(cls, f"passing=forced,eye={eye}", *rows)
        assert is_legal(game, position, point) == (not is_eye)
        assert not is_legal(game, position, "pass")
        game, position = drawn(cls, f"passing=free,eye={eye}", *rows)
        assert is_legal(game, position, point)
        assert is_legal(game, position, "pass")


@CLASSES
def test_who_has_only_eyes_passes(cls: type) -> None:
    rows = (".XXXX", "XXXXX", "XXXXX", "XXXXX", "XXXX.")
    for turn in (0, 1, 2):  # the others could only kill themselves
        game, position = drawn(cls, "passing=forced", *rows, turn=turn)
        assert rules.list_legal_moves(game, position) == [25]
    game, position = drawn(cls, "passing=free", *rows)
    assert rules.list_legal_moves(game, position) == [0, 24, 25]


# --- the end ------------------------------------------------------------------------

NEUTRAL = (".X.O.", "XX.OO", "#####")  # between X and O, two points of nobody


@CLASSES
def test_regions_that_touch_two_colours_are_of_nobody(cls: type) -> None:
    game, position = drawn(cls, "", *NEUTRAL)
    assert area(game, position) == [4, 4, 15]
    game, position = drawn(cls, "")
    assert area(game, position) == [0, 0, 0]


@CLASSES
def test_areas_tell_whose_each_point_is(cls: type) -> None:
    for rows in (NEUTRAL, (".X.O.", "XX.OO"), ()):
        game, position = drawn(cls, "", *rows)
        owners = np.full(25, 9, np.int8)
        rules.areas(game, position, owners)
        assert [int((owners == seat + 1).sum()) for seat in range(3)] == area(game, position)
    game, position = drawn(cls, "", ".X.O.", "XX.OO")
    rules.areas(game, position, owners)
    assert owners[:10].tolist() == [1, 1, 0, 2, 2, 1, 1, 0, 2, 2]


@CLASSES
def test_hints_show_chains_with_one_liberty_and_with_two(cls: type) -> None:
    game, position = drawn(cls, "", "XX...", "XX#..", "O.#..", ".O...")
    planes = np.full((2, 5, 5), np.nan, np.float32)
    rules.hint(game, position, 0, planes)
    lines = [["".join(".x"[int(on)] for on in row) for row in plane] for plane in planes]
    assert lines[0] == [".....", ".....", ".....", ".....", "....."]
    assert lines[1] == ["xx...", "xx...", "x....", ".....", "....."]
    game, position = drawn(cls, "", ".XO..", "XOO..", "O....")
    rules.hint(game, position, 0, planes)
    assert planes[0].sum() == 2
    assert planes[0, 0, 1] == planes[0, 1, 0] == 1


@CLASSES
def test_komi_is_added(cls: type) -> None:
    game, position = drawn(cls, "komi=0/0.5/-2", *NEUTRAL, passes=3)
    assert rules.list_scores(game, position) == [4, 4.5, 13]
    assert area(game, position) == [4, 4, 15]
    assert (game.limits().highest, game.limits().lowest) == (25.5, -2)


@CLASSES
def test_the_game_ends_when_all_have_passed_in_turn(cls: type) -> None:
    game, position = drawn(cls, "")
    play(game, position, "pass pass A1 pass pass")
    assert not rules.is_over(game, position)
    play(game, position, "pass")
    assert rules.is_over(game, position)
    assert rules.list_legal_moves(game, position) == []
    assert rules.list_scores(game, position) == [0, 0, 25]


@CLASSES
def test_the_game_ends_at_the_cap(cls: type) -> None:
    game, position = drawn(cls, "cap=4,ko=simple", ply=2)
    play(game, position, "A1")
    assert not rules.is_over(game, position)
    play(game, position, "B1")
    assert rules.is_over(game, position)
    game, position = drawn(cls, "ko=simple", ply=149)
    play(game, position, "A1")
    assert rules.is_over(game, position)


# --- what is written ----------------------------------------------------------------


@pytest.mark.parametrize("fact", [{"ply": -1000}, {"ko": 999}, {"passes": -1}])
def test_facts_out_of_range_are_refused(fact: dict[str, int]) -> None:
    """The past has room for as many boards as there are plies: no ply is below 0."""
    with pytest.raises(UserError, match=next(iter(fact))):
        drawn(Go, "", **fact)


@CLASSES
def test_breathing(cls: type) -> None:
    for rows, expected in [((".X", "X"), True), (("OX", "X"), False), (("OX", "#"), False)]:
        game, position = drawn(cls, "", *rows)
        assert breathes(game, position) == expected


@CLASSES
def test_the_key_knows_what_the_board_does_not_show(cls: type) -> None:
    game, position = drawn(cls, "", "XO")
    keys = {int(rules.key(game, position))}
    for other in ({"turn": 1}, {"passes": 1}, {"ply": 1}, {"ko": 3}):
        keys.add(int(rules.key(game, drawn(cls, "", "XO", **other)[1])))
    assert len(keys) == 5
    assert int(rules.key(game, drawn(cls, "", "XO")[1])) in keys


def test_small_boards_are_kept_on_bits() -> None:
    assert type(games.make("go:size=7")) is GoOnBits
    assert type(games.make("go:size=8")) is Go


@pytest.mark.parametrize(
    "text", ["go", "go:size=5,players=3", "go:komi=0/6.5,ko=simple", "go:size=7,suicide=yes"]
)
def test_a_game_has_its_text(text: str) -> None:
    assert games.text_of(games.make(text)) == text


def test_parameters_are_read() -> None:
    game = games.make("go:komi=0/6.5,ko=situational")
    assert (game.komi, game.ko) == ((0.0, 6.5), Ko.SITUATIONAL)
    assert games.make("go:players=4").komi == (0.0,) * 4


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("komi=6.5", "komi for 1 seats; expected one for each of 2"),
        ("players=3,komi=0/6.5", "komi for 2 seats; expected one for each of 3"),
        ("komi=0/much", "numbers joined by /"),
        ("komi=0/nan", "finite"),
        ("size=1", "2 to 19"),
        ("size=20", "2 to 19"),
        ("players=5", "2 to 4"),
        ("cap=-1", "0 to 10000"),
        ("ko=super", "simple or positional or situational"),
        ("passing=never", "free or forced"),
    ],
)
def test_impossible_parameters(settings: str, expected: str) -> None:
    with pytest.raises(UserError, match=expected):
        games.make(f"go:{settings}")
