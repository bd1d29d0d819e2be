"""What the hand-coded players of lines choose from, against the obvious reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quintet import games, notation, rules
from quintet.players import make_player
from quintet.players.lines import make_wish
from quintet.players.player import Seat
from quintet.randomness import seeded
from tests.against.reference import line_players as reference

EVERYDAY = [
    ("keryo-pente:size=7,players=3", 60),
    ("keryo-pente:size=9", 12),
    ("k-in-a-row:rows=7,columns=6,k=4,exact=yes", 60),
]
OTHERS = [
    ("pente:size=7,players=3", 60),
    ("pente:size=9,players=3", 25),
    ("k-in-a-row:rows=9,columns=12,k=4,exact=yes", 25),
    ("pente:size=7", 60),
    ("pente:size=6,players=4,centre=no", 40),
    ("keryo-pente:size=8,centre=no", 25),
    ("k-in-a-row:rows=7,columns=7,k=5,players=3", 50),
    ("k-in-a-row:rows=4,columns=15,k=8", 20),
    ("k-in-a-row:rows=5,columns=5,k=3", 50),
    ("pente:size=19", 3),
]
GAMES = [*EVERYDAY, *(pytest.param(*row, marks=pytest.mark.slow) for row in OTHERS)]


def board_of(game: Any, position: Any) -> list[list[int]]:
    content = np.zeros(game.layout().cells, np.int8)
    rules.cells(game, position, content)
    return [[int(o) for o in row] for row in content.reshape(game.layout().rows, -1)]


def wish_of(seat: Seat, position: Any) -> set[tuple[int, int]]:
    """The points that a player chooses from."""
    make_wish(seat.player, seat.game, position, seat.memory)
    columns = seat.game.layout().columns
    indices = [i for i in range(64 * len(seat.memory.wish)) if _holds(seat.memory.wish, i)]
    return {divmod(i, columns + 1) for i in indices}


def _holds(words: Any, index: int) -> bool:
    return bool(int(words[index // 64]) >> (index % 64) & 1)


def k_of(game: Any) -> int:
    return int(getattr(game, "k", 5))


def expected_of_stateless(name: str, game: Any) -> Callable[[list[list[int]], int], Any]:
    lengths = [2, 3] if getattr(game, "keryo", False) else [2]
    if name == "blocker":
        return lambda board, seat: reference.blocker(board, seat, k_of(game))
    return lambda board, seat: reference.capturer(board, seat, lengths)


@pytest.mark.parametrize(("text", "count"), GAMES)
@pytest.mark.parametrize("name", ["blocker", "capturer"])
def test_wishes_without_memory(text: str, count: int, name: str) -> None:
    game = games.make(text)
    if name == "capturer" and "pente" not in text:
        return
    player = Seat(make_player(name, game), game)
    expected = expected_of_stateless(name, game)
    # half of the games among builders: random stones make few rows
    for seed in range(count):
        company = "simple" if seed % 2 else "random"
        seats = [Seat(make_player(company, game), game, seeded(seed, i)) for i in range(9)]
        position = rules.new_position(game)
        while not rules.is_over(game, position):
            turn = int(rules.turn(game, position))
            board = board_of(game, position)
            story = notation.picture(game, position)
            assert wish_of(player, position) == expected(board, turn), story
            rules.play(game, position, seats[turn].choose(position))


@pytest.mark.parametrize(("text", "count"), GAMES)
@pytest.mark.parametrize("name", ["simple", "better"])
def test_plans(text: str, count: int, name: str) -> None:
    """Seat 0 builds; the others are of all kinds, so that rows are blocked and captured."""
    game = games.make(text)
    company = ["blocker", "simple", "capturer" if "pente" in text else "better", "random"]
    for seed in range(count):
        player = Seat(make_player(name, game), game, seeded(seed, 99))
        player.begin()
        model = reference.Builder(name == "better", k_of(game))
        others = [
            Seat(make_player(company[(seed + i) % 4], game), game, seeded(seed, i))
            for i in range(game.limits().seats)
        ]
        position = rules.new_position(game)
        while not rules.is_over(game, position):
            turn = int(rules.turn(game, position))
            if turn != 0:
                rules.play(game, position, others[turn].choose(position))
                continue
            wish = model.wish(board_of(game, position), turn)
            story = f"{notation.picture(game, position)}\nanchor {model.anchor} {model.tried}"
            assert wish_of(player, position) == wish, story
            move = player.choose(position)
            point = divmod(move, game.layout().columns)
            assert point in wish or not wish, story
            model.note(point)
            rules.checked_play(game, position, move)


def test_every_wish_is_chosen_equally_often() -> None:
    game = games.make("keryo-pente:size=7,players=3")
    # X has three in a row with two open ends
    position = rules.new_position(game)
    for name in ["D4", "A1", "A7", "E4", "A3", "C7", "F4"]:
        rules.checked_play(game, position, notation.parse_move(game, name))
    seat = Seat(make_player("blocker", game), game, seeded(5))
    chosen = [notation.move_name(game, seat.choose(position)) for _ in range(2000)]
    assert set(chosen) == {"C4", "G4"}
    assert 900 < chosen.count("C4") < 1100


def test_without_a_wish_every_empty_point_is_chosen_equally_often() -> None:
    game = games.make("keryo-pente:size=7,players=3")
    position = rules.new_position(game)
    rules.play(game, position, 24)
    seat = Seat(make_player("blocker", game), game, seeded(5))
    counts = np.bincount([seat.choose(position) for _ in range(9600)], minlength=49)
    assert counts[24] == 0
    assert counts[np.arange(49) != 24].min() > 140
