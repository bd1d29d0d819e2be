"""The compiled Go against the obvious one, against itself, and against OpenSpiel's.

Compiling takes longer than the games, and is done once for each size and number
of players: so few such pairs are met with many rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import games, notation, rules
from quintet.games.go import Go
from quintet.games.go_on_bits import GoOnBits
from tests.against.compare import compare_random_games
from tests.against.reference.go import GoReference

RULES = (
    "ko=positional",
    "ko=positional,suicide=yes,passing=forced",
    "ko=situational,suicide=yes",
    "ko=situational,passing=forced,eye=simple",
    "ko=simple,passing=forced",
    "ko=simple,suicide=yes,cap=40",
)


class ArraysJudge:
    """The class with arrays, which fits every size, as a judge of the other."""

    def __init__(self, game: Any) -> None:
        assert type(game) is GoOnBits
        self.game = Go(*game).normal()
        self.position = rules.new_position(self.game)

    def turn(self) -> int:
        return int(rules.turn(self.game, self.position))

    def legal_moves(self) -> list[int]:
        return rules.list_legal_moves(self.game, self.position)

    def play(self, move: int) -> None:
        rules.play(self.game, self.position, move)

    def is_over(self) -> bool:
        return bool(rules.is_over(self.game, self.position))

    def scores(self) -> list[float]:
        return rules.list_scores(self.game, self.position)

    def points(self) -> list[float]:
        points = np.zeros(self.game.players)
        rules.points(self.game, self.position, points)
        return [float(value) for value in points]

    def cells(self) -> list[int]:
        content = np.zeros(self.game.size**2, np.int8)
        rules.cells(self.game, self.position, content)
        return [int(owner) for owner in content]


def board_moves(judge: Any) -> list[int]:
    """Passes only where nothing else is possible: such games are longer and fuller."""
    return [move for move in judge.legal_moves() if move < judge.game.size**2]


@pytest.mark.parametrize("extra", RULES)
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("go:size=2", 40),
        ("go:size=3,players=3", 40),
        ("go:size=4,players=4", 15),
        ("go:size=5,players=3", 6),
        ("go:size=7", 2),
    ],
)
def test_random_games_on_bits_agree(text: str, count: int, extra: str) -> None:
    compare_random_games(f"{text},{extra}", GoReference, count)
    compare_random_games(f"{text},{extra}", GoReference, count // 2, prefer=board_moves)


@pytest.mark.parametrize("extra", RULES)
@pytest.mark.parametrize(("text", "count"), [("go:size=3,players=3", 100), ("go:size=5", 20)])
def test_boards_on_bits_and_in_arrays_agree(text: str, count: int, extra: str) -> None:
    compare_random_games(f"{text},{extra}", ArraysJudge, count)
    compare_random_games(f"{text},{extra}", ArraysJudge, count, prefer=board_moves)


@pytest.mark.parametrize("extra", RULES)
def test_random_games_in_arrays_agree(extra: str) -> None:
    compare_random_games(f"go:size=8,players=3,{extra}", GoReference, 1, prefer=board_moves)


@pytest.mark.parametrize(
    "text",
    [
        "go:cap=200,komi=0/6.5",
        "go:size=13,cap=230,ko=simple,passing=forced",
        "go:size=19,players=4,cap=80,komi=0/1/2/3",
    ],
)
def test_games_on_large_boards_agree(text: str) -> None:
    compare_random_games(text, GoReference, 1, prefer=board_moves)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("go:size=5,komi=0/0.5", 20),
        ("go:size=7,komi=0/-3.5", 5),
        ("go:komi=0/7.5", 4),
    ],
)
def test_random_games_agree_with_openspiel(text: str, count: int) -> None:
    pytest.importorskip("pyspiel")
    from tests.against.openspiel_go import OpenSpielGo

    compare_random_games(f"{text},cap=150", OpenSpielGo, count)
    compare_random_games(f"{text},cap=150", OpenSpielGo, count, prefer=board_moves)
    compare_random_games(f"{text},cap=150,ko=simple", OpenSpielGo, count, prefer=new_boards)


def new_boards(judge: Any) -> list[int]:
    """Moves after which OpenSpiel's game goes on."""
    return list(judge.new_boards())


def test_moves_have_the_names_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = games.make("go:size=9")
    state = pyspiel.load_game("go", {"board_size": 9}).new_initial_state()
    for action in range(82):
        name = state.action_to_string(0, action).removeprefix("B ")
        move = notation.parse_move(game, name)
        assert move == (action if action == 81 else (8 - action // 9) * 9 + action % 9)
