"""Enforced Sub-Populations: its bookkeeping, its games, and that it finds what is known."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

from quintet.compiled import COMPILED
from quintet.errors import UserError
from quintet.games import make
from quintet.learn import learner_from
from quintet.learn.learner import State, Step
from quintet.learn.population import Haste, Trials, gain, genome_rows
from quintet.learn.subpopulations import breed, burst, cauchy, neuron_fitness, new_neurons, teams
from quintet.nets.perceptron import Kind, Perceptron
from quintet.players.finishing import Finish
from quintet.players.point_network import network_player
from quintet.runs.run import Run
from quintet.runs.settings import Settings

needs_speed = pytest.mark.skipif(not COMPILED, reason="thousands of games")
CHANCE = np.random.default_rng


def test_every_neuron_has_exactly_its_trials() -> None:
    chosen = teams(CHANCE(1), 3, 8, 10)
    assert chosen.shape == (80, 3)
    for unit in range(3):
        assert (np.bincount(chosen[:, unit], minlength=8) == 10).all()
    assert (chosen[:, 0] != chosen[:, 1]).any()  # shuffled apart


def test_a_neuron_is_worth_the_mean_of_its_networks() -> None:
    chosen = np.array([[0, 1], [1, 0], [0, 0], [1, 1]])
    found = neuron_fitness(chosen, np.array([4.0, 8.0, 2.0, 0.0]), 2)
    assert found.tolist() == [[3.0, 4.0], [5.0, 2.0]]


def test_genomes_are_the_genes_of_those_chosen() -> None:
    neurons = np.arange(2 * 3 * 2, dtype=np.float32).reshape(2, 3, 2)
    assert genome_rows(neurons, np.array([[2, 0]])).tolist() == [[4, 5, 6, 7]]


def test_the_better_half_stays_and_children_come_from_the_best_quarter() -> None:
    units, members, gene = 2, 8, 30
    # weight = 100 x sub-population + member: the origin of every weight can be told
    names = 100 * np.arange(units)[:, None] + np.arange(members)
    neurons = np.repeat(names[:, :, None], gene, axis=2).astype(np.float32)
    fitness = np.array([[0, 7, 1, 6, 2, 5, 3, 4], [7, 6, 5, 4, 3, 2, 1, 0]], float)
    for seed in range(20):
        after = breed(CHANCE(seed), neurons, fitness, 0.0, 0.3)
        for unit, best in enumerate([[1, 3, 5, 7], [0, 1, 2, 3]]):
            kept = after[unit, :4, :] - 100 * unit
            assert (kept == np.array(best)[:, None]).all()
            children = after[unit, 4:] - 100 * unit
            assert set(np.unique(children)) <= set(best[:2])  # a quarter, of its own kind
            assert (np.diff(children, axis=1) != 0).sum(axis=1).max() <= 1  # one point
    assert (neurons[0, :, 0] == np.arange(members)).all()  # the old generation is left alone


def test_mutation_changes_one_weight_of_a_child_at_most() -> None:
    neurons = np.zeros((1, 40, 50), np.float32)
    after = breed(CHANCE(1), neurons, np.zeros((1, 40)), 0.4, 0.3)
    changed = (after[0] != 0).sum(axis=1)
    assert (changed[:20] == 0).all()
    assert changed[20:].max() == 1
    assert 2 <= changed[20:].sum() <= 14


def test_changes_are_by_cauchy_and_never_too_far() -> None:
    drawn = cauchy(CHANCE(1), 0.3, (100_000,))
    assert np.abs(drawn).max() <= 10.0
    assert np.quantile(np.abs(drawn), 0.5) == pytest.approx(0.3, rel=0.05)  # half are below scale


def test_a_burst_changes_every_weight_around_the_best() -> None:
    best = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    after = burst(CHANCE(1), best, 400, 0.3)
    assert after.shape == (2, 400, 2)
    assert (after != best[:, None]).all()
    assert np.allclose(np.median(after, axis=1), best, atol=0.1)


def test_quick_wins_gain_most_and_long_games_console() -> None:
    measure = Haste(49.0, 0.5)
    assert gain(measure, 1.0, 1.0, 9) == 40.0
    assert gain(measure, 1.0, 1.0, 60) == 1.0  # captures made it longer than the board
    assert gain(measure, 0.0, 1.0, 20) == 10.0
    assert gain(measure, 0.5, 0.5, 49) == 24.5


def network_genomes(game: Any, net: Any, count: int) -> Any:
    return new_neurons(CHANCE(3), 1, count, net.units * net.gene(game))[0]


@needs_speed
def test_workers_do_not_matter_and_every_game_is_counted() -> None:
    game, net = make("tic-tac-mo"), Perceptron(hidden=3, kind=Kind.ATTENTIVE)
    trials = Trials(game, "random+greedy/random+random", 4, Haste(9.0, 0.5))
    genomes = network_genomes(game, net, 13)

    def player() -> Any:
        return network_player(net, game, Finish.LINE)

    one = trials.of(player, genomes, 5, workers=1)
    for workers in (2, 5):
        for found, again in zip(one[:3], trials.of(player, genomes, 5, workers)[:3], strict=True):
            assert (found == again).all()
    assert (one.wins + one.draws <= 4).all()
    assert one.wins.shape == (13, 2, 3)
    assert not (one.gains == trials.of(player, genomes, 6).gains).all()


def trained(text: str, game: Any, seed: int, steps: int | None = None) -> tuple[Any, State]:
    learner = learner_from(text, game)
    state = learner.start(game, Step(0, seed))
    for number in range(1, (learner.steps if steps is None else steps) + 1):
        learner.step(game, state, Step(number, seed))
    return learner, state


def share_won(learner: Any, game: Any, state: State, test: str) -> float:
    """Of many fresh games."""
    trials = Trials(game, test, 200, Haste(9.0, 0.5))
    player = learner.player(game, state)
    genome = np.ascontiguousarray(state["best" if learner.retests else "champion"][None])
    tally = trials.of(lambda: player, genome, 99, workers=1)
    return float((tally.wins + 0.5 * tally.draws).mean() / 200)


@needs_speed
def test_tic_tac_toe_is_learnt_against_random() -> None:
    """A perfect player loses nothing to random and wins nearly all."""
    game = make("tic-tac-toe")
    text = "esp:net=perceptron(hidden=6),generations=60,matches=20,retests=4"
    text += ",moves_max=30,consolation=0"
    learner, state = trained(text, game, 1)
    before = learner.start(game, Step(0, 1))
    assert share_won(learner, game, before, "random") < 0.8
    assert share_won(learner, game, state, "random") > 0.85


@needs_speed
def test_units_come_and_go() -> None:
    game = make("tic-tac-toe")
    for kind in ("forward", "recurrent"):
        text = f"esp:net=perceptron(hidden=2,kind={kind}),members=4,trials=1,matches=1,"
        learner = learner_from(text + "generations=30,stagnation=1,resize=yes", game)
        state = learner.start(game, Step(0, 2))
        sizes = set()
        for number in range(1, 31):
            learner.step(game, state, Step(number, 2))
            sizes.add(len(state["neurons"]))
            learner.player(game, state)
        assert len(sizes) > 1


@needs_speed
def test_stopped_and_resumed_it_ends_the_same(tmp_path: pathlib.Path) -> None:
    game = make("tic-tac-toe")
    text = "esp:net=perceptron(hidden=2),members=4,trials=2,matches=1,generations=8,stagnation=2"
    runs = [
        Run.create(tmp_path / name, Settings(learner_from(text, game), game, 7))
        for name in ("straight", "halting")
    ]
    assert runs[0].train()
    for _ in range(8):
        seen: list[int] = []
        Run(runs[1].folder).train(
            lambda seen=seen: bool(seen), lambda step, _, seen=seen: seen.append(step)
        )
    first, second = (run.state() for run in runs)
    assert first.keys() == second.keys()
    for name, array in first.items():
        assert array.tobytes() == second[name].tobytes()


@pytest.mark.parametrize(
    ("text", "game", "told"),
    [
        ("esp:members=6", "tic-tac-toe", "no quarter"),
        ("esp:tests=random", "tic-tac-mo", "1 opponents; expected 2"),
        ("esp:tests=nobody", "tic-tac-toe", "no player 'nobody'"),
        ("esp:net=perceptron(hidden=0)", "tic-tac-toe", "hidden=0 is not possible"),
        ("esp:net=retina", "tic-tac-toe", "no network 'retina'"),
        ("esp:net=perceptron(counters=yes)", "tic-tac-toe", "needs a game with captures"),
        ("esp", "connect-four", "chooses among 42 cells"),
    ],
)
def test_what_is_not_possible(text: str, game: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        learner_from(text, make(game))
