"""Hill climbing finds the weights that win where these are known, step by step the same."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

from quintet import learn, rules
from quintet.arena.match import Entrant, Terms, play_match
from quintet.compiled import jit
from quintet.errors import UserError
from quintet.games import make
from quintet.learn.hill_climbing import HillClimbing
from quintet.learn.learner import State, Step
from quintet.parameters import Between
from quintet.players.evaluations import EVALUATIONS
from quintet.players.judge import Judge
from quintet.randomness import Random
from quintet.registry import Entry
from quintet.rules import Position
from quintet.search.evaluation import Desk, Values, evaluate

GAME = make("tic-tac-toe")


class CellWeights(NamedTuple):
    """Tic-tac-toe: what the centre is worth; only the sign matters, and it starts wrong."""

    centre: Annotated[float, Between(-1, 1), "the weight that the centre begins with"] = -0.05

    def start_weights(self, game: Any) -> Any:
        return np.array([self.centre])

    def weighted(self, weights: Any) -> WeightedCells:
        return WeightedCells(weights)


class WeightedCells(NamedTuple):
    """The same with weights of its own."""

    weights: Any


@evaluate.implement(WeightedCells)
def _worth_of_cells(
    evaluation: WeightedCells,
    game: Any,
    position: Position,
    desk: Desk,
    random: Random,
    out: Values,
) -> int:
    content = np.zeros(9, np.int8)
    rules.cells(game, position, content)
    for seat in range(2):
        out[seat] = 0.5 + 0.1 * worth(evaluation.weights, content, seat + 1)
    return 0


@jit
def worth(weights: Any, content: Any, owner: int) -> float:
    """Of an owner's stones."""
    return weights[0] if content[4] == owner else 0.0


@pytest.fixture(autouse=True)
def _with_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EVALUATIONS, "cells", Entry(f"{__name__}:CellWeights", {}, "a toy"))


def trained(learner: HillClimbing, seed: int) -> State:
    state = learner.start(GAME, Step(0, seed))
    for number in range(1, learner.steps + 1):
        learner.step(GAME, state, Step(number, seed))
    return state


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_finds_that_the_centre_is_good(seed: int) -> None:
    """Who takes the centre first wins more often where both play the rest at random."""
    learner = HillClimbing("cells", games=4000, pairs=50, deviation=0.5)
    weights = trained(learner, seed)["weights"]
    assert weights[0] > 0.0
    player = learner.player(GAME, {"weights": weights})
    flawed = Judge(WeightedCells(np.array([-0.05])))
    match = play_match(
        GAME, [Entrant("tuned", player), Entrant("flawed", flawed)], Terms(1000, seed), workers=1
    )
    best = match.standings()[0]
    assert best.player == "tuned"
    assert best.score.low > 0.55


def test_steps_follow_from_their_seed() -> None:
    learner = HillClimbing("cells", games=300, batch=100)
    first, again, other = (trained(learner, seed)["weights"] for seed in (5, 5, 6))
    assert (first == again).all()
    assert (first != other).any()


def test_the_number_of_games_is_kept() -> None:
    assert HillClimbing(games=2000, batch=200).steps == 10
    assert HillClimbing(games=2000, batch=200, pairs=10).challenges == 100
    assert HillClimbing(games=2000, batch=10, pairs=10).steps == 100
    assert HillClimbing(games=250, batch=100).steps == 3


def test_no_deviation_changes_nothing() -> None:
    weights = trained(HillClimbing("cells", games=50, deviation=0.0), 1)["weights"]
    assert (weights == [-0.05]).all()


def test_texts_and_what_cannot_be_tuned() -> None:
    game = make("pentago")
    learner = learn.learner_from("hill-climbing:eval=features,pairs=3", game)
    assert learn.text_of(learner) == "hill-climbing:eval=features,pairs=3"
    assert learner.start(game, Step(0, 0))["weights"].shape == (35,)
    with pytest.raises(UserError, match="'lead' has no weights"):
        learn.learner_from("hill-climbing:eval=lead", game)
    offered = [name for name, _ in learn.learners_for(make("tic-tac-mo"))]
    assert "hill-climbing" not in offered


@pytest.mark.slow
def test_pentago_gets_better_by_matches() -> None:
    """A crippled start, which sees no threats, is left behind quickly."""
    game = make("pentago")
    learner = HillClimbing(games=400, pairs=5, opening=4, batch=200)
    state = learner.start(game, Step(0, 1))
    state["weights"][:] = np.sign(state["weights"]) * 0.1
    crippled = learner.player(game, {"weights": state["weights"].copy()})
    for number in range(1, learner.steps + 1):
        learner.step(game, state, Step(number, 1))
    players = [Entrant("tuned", learner.player(game, state)), Entrant("crippled", crippled)]
    best = play_match(game, players, Terms(400, 1, opening=4), workers=1).standings()[0]
    assert best.player == "tuned"
    assert best.score.low > 0.5
