"""Rivals out of evolution's own past, and which of them are remembered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet.compiled import COMPILED
from quintet.errors import UserError
from quintet.games import make
from quintet.learn import learner_from
from quintet.learn.archive import best_layers, forgetting_one, layers
from quintet.learn.evolving import met_each_other
from quintet.learn.learner import Step
from quintet.learn.population import Haste, Trials
from quintet.nets.perceptron import Perceptron
from quintet.players.finishing import Finish
from quintet.players.point_network import network_player

CHANCE = np.random.default_rng
CIRCLE = np.array([[1, 2, 0], [0, 1, 2], [2, 0, 1]])  # each beats the next


def test_in_a_circle_nobody_dominates() -> None:
    assert layers(CIRCLE).tolist() == [0, 0, 0]


def test_layers_are_peeled_one_after_the_other() -> None:
    wins = np.array([[0, 0, 0], [2, 2, 2], [1, 1, 1], [2, 2, 2]])
    assert layers(wins).tolist() == [2, 0, 1, 0]  # equals do not dominate each other


def test_who_stays_is_of_the_best_layers_and_of_them_the_latest() -> None:
    wins = np.array([[2, 2, 2, 2], [0, 0, 0, 0], [2, 2, 2, 2], [1, 1, 1, 1]])
    assert best_layers(wins, 2).tolist() == [0, 2]
    assert best_layers(wins, 1).tolist() == [2]
    assert best_layers(wins, 3).tolist() == [0, 2, 3]


def test_one_is_forgotten_but_never_the_last() -> None:
    for seed in range(20):
        kept = forgetting_one(CHANCE(seed), 6, 5).tolist()
        assert len(set(kept)) == 5
        assert kept == sorted(kept)
        assert kept[-1] == 5
    assert len({tuple(forgetting_one(CHANCE(seed), 6, 5)) for seed in range(20)}) > 1


@pytest.mark.skipif(not COMPILED, reason="many games")
def test_rivals_seats_and_the_archive() -> None:
    game, net = make("tic-tac-toe"), Perceptron(hidden=2)
    learner = learner_from("esp:tests=rival,net=perceptron(hidden=2),members=4,room=3", game)
    genomes = CHANCE(1).normal(size=(5, 2 * net.gene(game))).astype(np.float32)

    def tally(seat: int) -> Any:
        trials = Trials(game, "rival", 1, Haste(9.0, 0.5), seat, genomes)
        return trials.of(lambda: network_player(net, game, Finish.LINE), genomes, 1)

    both, first, second = tally(0), tally(1), tally(2)
    assert both.wins.shape == (5, 5, 2)
    assert (both.wins[:, :, :1] == first.wins).all()
    assert (both.wins[:, :, 1:] == second.wins).all()
    # networks play without chance: i in seat 1 against j is j in seat 2 against i
    one, other = both.wins[:, :, 0], both.wins[:, :, 1].T
    assert (one + other + both.draws[:, :, 0] == 1).all()
    assert (both.draws[:, :, 0] == both.draws[:, :, 1].T).all()
    assert 0 < one.sum() < 25
    wins = met_each_other(learner, game, net, genomes, 1)
    assert (wins == both.wins.sum(axis=2)).all()

    for kind in ("fame", "pareto"):
        state = (learner := learner._replace(archive=type(learner.archive)[kind.upper()])).start(
            game, Step(0, 1)
        )
        for number in range(1, 6):
            learner.step(game, state, Step(number, 1))
        assert len(state["archive"]) == 3
        if kind == "fame":  # without retests, the champion of the generation
            assert (state["archive"][-1] == state["champion"]).all()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("esp:tests=rival,resize=yes", "can be no rivals"),
        ("esp:seat=3", "there are 2 seats"),
        ("esp:tests=rival+rival", "are 2 opponents"),
    ],
)
def test_what_is_not_possible(text: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        learner_from(text, make("tic-tac-toe"))
