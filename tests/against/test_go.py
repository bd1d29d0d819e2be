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
def test_random_games_agree_under_all_rules(extra: str) -> None:
    compare_random_games(f"go:size=5,players=3,{extra}", GoReference, 2)
    compare_random_games(f"go:size=5,players=3,{extra}", GoReference, 2, prefer=board_moves)


@pytest.mark.parametrize("extra", RULES)
def test_boards_on_bits_and_in_arrays_agree(extra: str) -> None:
    compare_random_games(f"go:size=5,players=3,{extra}", ArraysJudge, 5)
    compare_random_games(f"go:size=5,players=3,{extra}", ArraysJudge, 15, prefer=board_moves)


@pytest.mark.parametrize("extra", [rule for rule in RULES if "simple," not in rule])
def test_many_small_games_agree(extra: str) -> None:
    """On 3 x 3 boards nearly come back again and again."""
    compare_random_games(f"go:size=3,players=3,{extra}", GoReference, 10, prefer=board_moves)
    compare_random_games(f"go:size=3,players=3,{extra}", ArraysJudge, 100, prefer=board_moves)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("go:size=2", 40),
        ("go:size=4,players=4,suicide=yes", 10),
        ("go:cap=200,komi=0/6.5", 1),
        ("go:size=19,players=4,cap=120,komi=0/1/2/3", 1),
        pytest.param("go:size=4,passing=forced", 100, marks=pytest.mark.slow),
        pytest.param("go:size=6,players=4,ko=situational", 30, marks=pytest.mark.slow),
        pytest.param("go:size=7,players=3,passing=forced", 20, marks=pytest.mark.slow),
        pytest.param("go:size=8,players=3,suicide=yes", 10, marks=pytest.mark.slow),
        pytest.param("go:size=9,players=3,ko=situational", 10, marks=pytest.mark.slow),
        pytest.param("go:size=9,players=4,ko=simple,suicide=yes", 10, marks=pytest.mark.slow),
        pytest.param(
            "go:size=13,players=3,cap=240,ko=simple,passing=forced", 2, marks=pytest.mark.slow
        ),
        pytest.param("go:size=19,passing=forced,eye=simple", 1, marks=pytest.mark.slow),
    ],
)
def test_random_games_agree_on_all_sizes(text: str, count: int) -> None:
    compare_random_games(text, GoReference, count, prefer=board_moves)


@pytest.mark.slow
@pytest.mark.parametrize("extra", RULES)
@pytest.mark.parametrize("text", ["go:size=2", "go:size=3,players=3", "go:size=7,players=4"])
def test_many_games_on_bits_and_in_arrays_agree(text: str, extra: str) -> None:
    compare_random_games(f"{text},{extra}", ArraysJudge, 100, prefer=board_moves)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("go:size=5,komi=0/0.5", 20),
        ("go:size=5,komi=0/0.5,ko=simple", 20),
        ("go:size=7,komi=0/-3.5", 5),
        ("go:komi=0/7.5,cap=200", 3),
    ],
)
def test_random_games_agree_with_openspiel(text: str, count: int) -> None:
    pytest.importorskip("pyspiel")
    from tests.against.openspiel_go import OpenSpielGo

    compare_random_games(text, OpenSpielGo, count, prefer=new_boards)


def new_boards(judge: Any) -> list[int]:
    """Stones after which OpenSpiel's game goes on."""
    return [move for move in board_moves(judge) if judge.is_new(move)]


def test_moves_have_the_names_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = games.make("go:size=9")
    state = pyspiel.load_game("go", {"board_size": 9}).new_initial_state()
    for action in range(82):
        name = state.action_to_string(0, action).removeprefix("B ")
        move = notation.parse_move(game, name)
        assert move == (action if action == 81 else (8 - action // 9) * 9 + action % 9)
