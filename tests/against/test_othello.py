"""The compiled Othello against the obvious one, and against OpenSpiel's."""

from __future__ import annotations

import pytest

from quintet import games, notation
from tests.against.compare import compare_random_games
from tests.against.reference.othello import OthelloReference


@pytest.mark.parametrize(
    ("text", "count"),
    [("othello:size=4", 400), ("othello:size=6", 100), ("othello", 100)],
)
def test_random_games_agree(text: str, count: int) -> None:
    compare_random_games(text, OthelloReference, count)


def test_random_games_agree_with_openspiel() -> None:
    pytest.importorskip("pyspiel")
    from tests.against.openspiel_othello import OpenSpielOthello

    compare_random_games("othello", OpenSpielOthello, 300)


def test_moves_have_the_names_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = games.make("othello")
    state = pyspiel.load_game("othello").new_initial_state()
    for move in range(65):
        assert state.action_to_string(0, move) == notation.move_name(game, move)
