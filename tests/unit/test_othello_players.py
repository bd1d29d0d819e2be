"""Othello's opponents: who may use them, and how strong they are."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import pytest

from quintet import rules
from quintet.errors import UserError
from quintet.games import make
from quintet.parameters import build
from quintet.players import make_player, players_for, text_of
from quintet.players.evaluations import EVALUATION, EVALUATIONS, make_evaluation
from quintet.players.player import Seat
from quintet.randomness import seeded
from quintet.registry import fit_for, unfit
from quintet.search.evaluation import Level

OTHELLO_ONLY = {"positional", "discs", "mobility", "iagno"}


class Judge(NamedTuple):
    """A player with an evaluation."""

    eval: Annotated[Any, EVALUATION, "what it goes by"] = Level()


def points(first: str, second: str, game_text: str, games: int, seed: int) -> float:
    """What the first player wins on average, the seats in turn."""
    game = make(game_text)
    seats = [
        Seat(make_player(text, game), game, seeded(seed, i))
        for i, text in enumerate((first, second))
    ]
    total = 0.0
    for number in range(games):
        position = rules.new_position(game)
        for seat in seats:
            seat.begin()
        while not rules.is_over(game, position):
            mover = seats[(int(rules.turn(game, position)) + number) % 2]
            rules.checked_play(game, position, mover.choose(position))
        total += rules.list_scores(game, position)[number % 2]
    return total / games


@pytest.mark.parametrize(
    ("first", "second", "game", "games", "least"),
    [
        ("iagno:level=1", "random", "othello", 40, 0.95),
        ("iagno:level=1", "greedy", "othello", 40, 0.9),
        ("iagno:level=2", "iagno:level=1", "othello", 60, 0.75),
        ("iagno:level=3", "iagno:level=1", "othello", 24, 0.8),
        ("iagno:level=3", "random", "othello:size=6", 20, 0.95),
        ("iagno:level=3", "iagno:level=1", "othello:size=6", 40, 0.65),
        ("positional:depth=2", "random", "othello", 40, 0.8),
        pytest.param(
            *("discs:depth=2", "random", "othello:size=6", 40, 0.6), marks=pytest.mark.slow
        ),
        ("mobility:depth=2", "random", "othello:size=6", 40, 0.6),
        ("iagno:level=3", "positional:depth=4", "othello", 16, 0.8),
    ],
)
def test_strength(first: str, second: str, game: str, games: int, least: float) -> None:
    assert points(first, second, game, games, seed=11) >= least


def test_evaluations_say_which_games_they_suit() -> None:
    othello, other = make("othello:size=6"), make("go-moku")
    for_any = {"level", "lead", "playout"}
    assert {name for name, _ in fit_for(EVALUATIONS, othello)} == for_any | OTHELLO_ONLY
    assert {name for name, _ in fit_for(EVALUATIONS, other)} == for_any
    for name in OTHELLO_ONLY:
        with pytest.raises(UserError, match=f"'{name}': made for Othello only; there are lead, "):
            make_evaluation(name, other)
        assert make_evaluation(name, othello) == make_evaluation(name)


def test_unknown_evaluations_are_answered_with_those_that_suit_the_game() -> None:
    with pytest.raises(UserError, match="mobility") as refused:
        build(Judge, [("eval", "nonsense")], for_game=make("othello"))
    assert "positional" in str(refused.value)
    with pytest.raises(UserError, match="lead") as refused:
        build(Judge, [("eval", "nonsense")], for_game=make("go-moku"))
    assert not any(name in str(refused.value) for name in OTHELLO_ONLY)


def test_a_player_is_unfit_where_its_evaluation_is() -> None:
    judge = Judge(make_evaluation("mobility"))
    assert unfit(judge, make("othello")) is None
    assert unfit(judge, make("tic-tac-toe")) == "eval: made for Othello only"


def test_iagno_plays_othello_only() -> None:
    with pytest.raises(UserError, match="'iagno': made for Othello only"):
        make_player("iagno", make("pente"))
    assert "iagno" in dict(players_for(make("othello:size=4")))
    assert "iagno" not in dict(players_for(make("pente")))


@pytest.mark.parametrize(
    "text", ["iagno:level=0", "iagno:level=4", "iagno:depth=-2", "iagno:tabel=a"]
)
def test_wrong_settings_are_refused(text: str) -> None:
    with pytest.raises(UserError):
        make_player(text, make("othello"))


def test_texts_give_the_same_player_again() -> None:
    game = make("othello")
    for text in ("iagno", "iagno:level=2", "iagno:level=1,depth=4"):
        assert text_of(make_player(text, game)) == text
