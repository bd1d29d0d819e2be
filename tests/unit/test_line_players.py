"""The hand-coded players of lines, rule by rule, and who beats whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.errors import UserError
from quintet.games import make
from quintet.notation import move_name, parse_move, parse_picture
from quintet.players import make_player
from quintet.players.player import Seat
from quintet.randomness import seeded

PENTE = "pente:size=7"


def drawn(text: str, board: str, turn: int) -> tuple[Any, Any]:
    """A position from its rows, top row first; columns A to G."""
    game = make(text)
    rows = [" ".join(row) for row in board.split()]
    numbered = [f"{7 - i} {row}" for i, row in enumerate(rows)]
    captured = " ".join("0" for _ in range(game.players))
    picture = "\n".join(["  A B C D E F G", *numbered, f"turn: {turn}", f"captured: {captured}"])
    return game, parse_picture(game, picture)


def choices(player: str, game: Any, position: Any, tries: int = 60) -> set[str]:
    """What a player without a plan chooses with some seeds."""
    made = make_player(player, game)
    chosen = {Seat(made, game, seeded(seed)).choose(position) for seed in range(tries)}
    return {move_name(game, move) for move in chosen}


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        # a four before a three, even one with a single open end
        ("....... .XXX... ....... OXXXX.. ....... ....... .......", {"F4"}),
        # both ends of a three
        ("....... ....... ....... .XXX... ....... ....... ...O...", {"A4", "E4"}),
        # on a diagonal, next to the edge
        ("X...... .X..... ..X.... ....... ....... ....... ...O...", {"D4"}),
        # a three whose ends are both taken is left
        ("...XXX. ....... OXXXO.. ....... ....... ....... .......", {"C7", "G7"}),
    ],
)
def test_blocker_blocks(board: str, expected: set[str]) -> None:
    assert choices("blocker", *drawn(PENTE, board, 1)) == expected


def test_blocker_leaves_gaps_and_own_rows() -> None:
    board = "....... .OOO... ....... XX.XX.. ....... ....... ......."
    assert len(choices("blocker", *drawn(PENTE, board, 1), tries=300)) > 25


def test_blocker_blocks_every_other_seat_of_three() -> None:
    board = "....... .OOO... ....... .###... ....... ....... XX....."
    expected = {"A6", "E6", "A4", "E4"}
    assert choices("blocker", *drawn("pente:size=7,players=3", board, 0)) == expected


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        ("....... .XOO... ....... ....... ....... ....... .......", {"E6"}),
        # two pairs rather than one
        ("....X.. ....O.. ....O.. .XOO... ....... ....... XOO....", {"E4"}),
        # no capture yet: beside an open pair, at either end
        ("....... ..OO... ....... ....... ....... ....... ......X", {"B6", "E6"}),
        # a pair at the edge cannot be captured; lures beside the pair's stones
        ("XOO.... XX..... ....... ....... ....... ....... .......", {"D7"}),
    ],
)
def test_capturer(board: str, expected: set[str]) -> None:
    assert choices("capturer", *drawn(PENTE, board, 0)) == expected


def test_capturer_lures() -> None:
    board = "....... ....... ....... O...... ....... ....... ......."
    # not from B4: there is no room behind
    assert choices("capturer", *drawn(PENTE, board, 0)) == {"A5", "A3"}


def test_two_different_stones_are_no_pair() -> None:
    board = "....... .XO#... ....... ....... ....... ....... ......."
    game, position = drawn("pente:size=7,players=3", board, 0)
    # neither a capture nor a threat at E6; from above, each stone has room behind it
    assert choices("capturer", game, position) == {"B7", "C7", "D7", "E7"}


def plan(player: str, text: str, own: list[str], others: list[str]) -> tuple[Seat, Any]:
    """A builder in seat 0 that was made to play some moves: they are put under its hand."""
    game = make(text)
    seat = Seat(make_player(player, game), game, seeded(3))
    position = rules.new_position(game)
    for mine, other in zip(own, others, strict=True):
        move = parse_move(game, mine)
        seat.choose(position)
        if mine == own[0]:  # the anchor
            seat.memory.plan[0] = move + move // game.layout().columns
        rules.checked_play(game, position, move)
        rules.checked_play(game, position, parse_move(game, other))
    return seat, position


def wishes(seat: Seat, position: Any, tries: int = 40) -> set[str]:
    before = seat.memory.plan.copy()
    found = set()
    for _ in range(tries):
        seat.memory.plan[:] = before
        found.add(move_name(seat.game, seat.choose(position)))
    return found


def test_simple_builds_a_row_then_a_column() -> None:
    seat, position = plan("simple", PENTE, ["D4", "E4"], ["A1", "A2"])
    assert wishes(seat, position) == {"C4", "F4"}
    seat, position = plan("simple", PENTE, ["D4", "E4", "F4"], ["A1", "C4", "G4"])
    assert wishes(seat, position) == {"D3", "D5"}


def test_simple_starts_over_when_boxed_in() -> None:
    seat, position = plan("simple", PENTE, ["D4", "A1", "A7"], ["C4", "E4", "D3"])
    assert wishes(seat, position) == {"D5"}
    seat, position = plan("simple", PENTE, ["D4", "A1", "A7", "G7"], ["C4", "E4", "D3", "D5"])
    assert len(wishes(seat, position, 200)) > 30


def test_better_leaves_a_row_without_room() -> None:
    # from B4 to G4 there are six points, from C4 only five, from D4 too few
    for blocked, expected in (("A4", {"C4", "E4"}), ("B4", {"C4", "E4"}), ("C4", {"D3", "D5"})):
        seat, position = plan("better", PENTE, ["D4"], [blocked])
        assert wishes(seat, position) == expected
    seat, position = plan("simple", PENTE, ["D4"], ["C4"])
    assert wishes(seat, position) == {"E4"}  # Simple does not see it


def test_better_goes_on_to_diagonals() -> None:
    seat, position = plan("better", PENTE, ["D4", "A1"], ["C4", "D5"])
    assert wishes(seat, position) == {"C5", "E3"}
    seat, position = plan("better", PENTE, ["D4", "A1", "A2"], ["C4", "D5", "E3"])
    assert wishes(seat, position) == {"C3", "E5"}


def test_first_end() -> None:
    seat, position = plan("simple:end=first", PENTE, ["D4", "E4"], ["A1", "A2"])
    assert wishes(seat, position) == {"C4"}
    seat, position = plan("better:end=first", "pente:size=9", ["E5", "F5"], ["D5", "J5"])
    assert wishes(seat, position) == {"E6"}  # the row has no room: upward


@pytest.mark.parametrize("text", [PENTE, "pente:size=9"])
def test_captured_anchor(text: str) -> None:
    centre = "D4" if "7" in text else "E5"
    beside, left, right = ("E4", "C4", "F4") if "7" in text else ("F5", "D5", "G5")
    for option, expected in (("", None), (":captured=replace", {centre})):
        seat, position = plan(f"better{option}", text, [centre, beside], [left, right])
        assert position.captured[1] == 2
        found = wishes(seat, position, 200)
        assert found == expected if expected else len(found) > 30


def test_the_forced_first_stone_is_the_anchor_unless_told_otherwise() -> None:
    game = make(PENTE)
    for option in ("", ":from_centre=no"):
        seat = Seat(make_player(f"simple{option}", game), game, seeded(1))
        position = rules.new_position(game)
        rules.checked_play(game, position, seat.choose(position))
        rules.checked_play(game, position, parse_move(game, "A1"))
        found = wishes(seat, position, 400)
        assert len(found) > 40 if option else found == {"C4", "E4"}


def test_a_new_game_forgets_the_plan() -> None:
    seat, _ = plan("better", PENTE, ["D4", "E4"], ["A1", "A2"])
    seat.begin()
    assert seat.memory.plan[0] < 0


def share(text: str, names: list[str], count: int) -> np.ndarray[Any, Any]:
    """Each player's share of the games, with all rotations of the seats."""
    game = make(text)
    total = np.zeros(len(names))
    for number in range(count):
        order = [(seat + number) % len(names) for seat in range(len(names))]
        seats = [Seat(make_player(names[i], game), game, seeded(number, i)) for i in order]
        position = rules.new_position(game)
        while not rules.is_over(game, position):
            rules.play(game, position, seats[rules.turn(game, position)].choose(position))
        for seat, score in enumerate(rules.list_scores(game, position)):
            total[order[seat]] += score
    return total / count


@pytest.mark.parametrize(
    ("names", "least"),
    [
        (["better", "random"], 0.95),
        (["simple", "random"], 0.9),
        (["capturer", "random"], 0.9),
        (["blocker", "random"], 0.6),
        (["better", "capturer"], 0.5),
    ],
)
def test_who_beats_whom(names: list[str], least: float) -> None:
    assert share(PENTE, names, 100)[0] > least


def test_better_is_best_of_three() -> None:
    shares = share("pente:size=7,players=3", ["better", "simple", "random"], 150)
    assert shares[0] > shares[1] > shares[2]


@pytest.mark.parametrize(
    ("player", "text", "why"),
    [
        ("blocker", "connect-four", "gravity"),
        ("better", "othello", "a row of stones wins"),
        ("simple", "k-in-a-row:k=2", "at least 3"),
        ("capturer", "go-moku", "captures"),
    ],
)
def test_unfit_games_are_refused(player: str, text: str, why: str) -> None:
    with pytest.raises(UserError, match=why):
        make_player(player, make(text))
