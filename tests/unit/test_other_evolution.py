"""CoSyNE and CMA-ES: their bookkeeping, and that they find what is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet.compiled import COMPILED
from quintet.errors import UserError
from quintet.games import make
from quintet.learn import learner_from
from quintet.learn.cosyne import renewed
from quintet.learn.learner import Step
from quintet.nets.line_eye import LineEye
from quintet.players.finishing import Finish
from quintet.players.point_network import network_player
from tests.unit.test_esp import share_won, trained

needs_speed = pytest.mark.skipif(not COMPILED, reason="thousands of games")


def test_weights_stay_in_their_columns_and_parents_as_they_are() -> None:
    units, gene, count = 3, 5, 16
    # weight = 100 x column + network: its origin can be told
    genomes = (100 * np.arange(units * gene) + np.arange(count)[:, None]).astype(np.float32)
    fitness = np.arange(count, dtype=float)
    after = renewed(np.random.default_rng(1), genomes, fitness, units, 0.0, 0.3)
    assert (after[:4] == genomes[::-1][:4]).all()
    assert (after // 100 == np.arange(units * gene)).all()
    assert (after % 100 >= 8).all()  # the worse half is gone
    mixed = after[4:] % 100
    assert (mixed != mixed[:, :1]).any(axis=1).all()  # networks are put together anew


def test_only_some_weights_change() -> None:
    zeros = np.zeros((40, 500), np.float32)
    after = renewed(np.random.default_rng(1), zeros, np.zeros(40), 5, 0.05, 0.3)
    assert (after[:10] == 0).all()
    assert (after[10:] != 0).mean() == pytest.approx(0.05, abs=0.01)


@needs_speed
@pytest.mark.parametrize(
    "text",
    [
        "cma-es:net=line-eye(units=2),generations=25,moves_max=30,consolation=0",
        "cosyne:net=line-eye(units=2),generations=40,matches=20,retests=3,moves_max=30,consolation=0",
    ],
)
def test_tic_tac_toe_is_learnt_against_random(text: str) -> None:
    game = make("tic-tac-toe")
    learner, state = trained(text, game, 1)
    assert share_won(learner, game, state, "random") > 0.85


@needs_speed
@pytest.mark.parametrize("text", ["cma-es:net=line-eye(units=1)", "cosyne:population=4"])
def test_steps_depend_on_the_state_and_the_seed_alone(text: str) -> None:
    game = make("tic-tac-toe")
    text += ",generations=4,matches=1"
    _, once = trained(text, game, 7)
    learner, again = trained(text, game, 7, steps=2)
    for number in (3, 4):
        again = {name: array.copy() for name, array in again.items()}
        learner.step(game, again, Step(number, 7))
    assert once.keys() == again.keys()
    for name, array in once.items():
        assert array.tobytes() == again[name].tobytes()


def test_too_many_weights() -> None:
    with pytest.raises(UserError, match="1970 weights; expected at most 1000"):
        learner_from("cma-es:net=perceptron(hidden=10)", make("pente:size=7"))


def test_an_eye_plays_on_any_board() -> None:
    learner: Any = learner_from("cma-es", make("pente:size=7"))
    small, large = make("pente:size=7"), make("pente:size=19")
    assert learner.plays(small, large)
    assert not learner.plays(small, make("pente:size=7,players=3"))
    assert LineEye().gene(small) == LineEye().gene(large) == 34
    genome = np.ones(8 * 34, np.float32)
    network_player(LineEye(), large, Finish.LINE, genome)
