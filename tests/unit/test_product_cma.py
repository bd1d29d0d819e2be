"""Product units with shared weights: the symmetry they keep, and that evolution finds better ones.

And UCT with such a network as prior.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.errors import UserError
from quintet.games import make
from quintet.learn import learner_from
from quintet.learn.learner import Step
from quintet.learn.lessons import examine, network_of
from quintet.learn.product_cma import expanded, genome_of
from quintet.nets import product_units as net
from quintet.nets.product_units import Kind, Network
from quintet.nets.sight import forget, show, value_points
from quintet.players.guided_uct import GuidedUct
from quintet.players.player import Seat
from quintet.players.points import player_of, sight_of
from quintet.randomness import seeded

SMALL = "go-moku:rows=9,columns=9"


def some_network(seed: int = 1) -> Network:
    genome = np.random.default_rng(seed).normal(size=(1, 24))
    return Network(expanded(genome, 2)[0], np.ones(2), 0.25)


def values(network: Network, board: np.ndarray) -> np.ndarray:
    """Of the empty points, for the second seat; 0 elsewhere."""
    sight = sight_of(make(SMALL), network)
    show(sight, np.ascontiguousarray(board, np.int8).ravel())
    forget(sight)
    value_points(sight, network, 1)
    return np.where(board == 0, sight.values.reshape(9, 9), 0.0)


def a_board(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).choice(3, (9, 9), p=[0.7, 0.15, 0.15])


def test_a_turned_or_mirrored_board_is_worth_the_same() -> None:
    network = some_network()
    for seed in range(3):
        board = a_board(seed)
        found = values(network, board)
        assert len(np.unique(found.round(9))) > 20
        for turned in (np.rot90, np.fliplr, np.transpose):
            assert values(network, turned(board)) == pytest.approx(turned(found), abs=1e-9)


def test_copies_of_a_unit_are_of_one_kind_and_no_others() -> None:
    kinds, shapes = net.kinds_of_units(), net.shapes_of(Kind.ALL)
    assert np.bincount(kinds).tolist() == [4, 4, 2, 4, 4, 2, 8, 4, 8, 8, 8, 8][: kinds.max() + 1]
    for shape, kind in zip(shapes, kinds, strict=True):
        mirrored = frozenset((-right, down) for right, down in shape)
        turned = frozenset((-down, right) for right, down in shape)
        for copy in (mirrored, turned):
            # two patterns may look at the same points: then any of the same kind will do
            assert kind in {k for s, k in zip(shapes, kinds, strict=True) if s == copy}


def test_a_genome_and_its_weights() -> None:
    genome = np.random.default_rng(2).normal(size=24)
    weights = expanded(genome[None], 2)[0]
    assert genome_of(Network(weights, np.ones(2), 0.25)) == pytest.approx(genome)
    weights[0, 0] *= 1.1
    with pytest.raises(UserError, match="not those of an evolved network"):
        genome_of(Network(weights, np.ones(2), 0.25))
    with pytest.raises(UserError, match="20 units; expected 64"):
        genome_of(net.hardnet())


def test_it_begins_as_hardnet() -> None:
    game = make(SMALL)
    learner = learner_from("product-cma:empty=0.25", game)
    start = network_of(learner.start(game, Step(0, 1)))
    assert values(start, a_board(5)) == pytest.approx(values(net.hardnet(), a_board(5)))


def test_steps_depend_on_the_state_and_the_seed_alone() -> None:
    game = make(SMALL)
    learner = learner_from("product-cma:generations=2,population=4,matches=2,trials=0", game)
    states: list[Any] = []
    for _ in range(2):
        state = learner.start(game, Step(0, 7))
        steps = [Step(number, 7) for number in (1, 2, 3)]
        for step in steps:
            learner.step(game, state, step)
            state = {name: array.copy() for name, array in state.items()}
        states.append(({n: a.tobytes() for n, a in state.items()}, [s.figures for s in steps]))
    assert states[0] == states[1]
    told = [set(figures) for figures in states[0][1]]
    assert told[0] == told[1] == {"fitness", "mean", "sigma", "won_1"}
    assert genome_of(network_of(state)) == pytest.approx(state["mean"])


@pytest.mark.slow
def test_what_evolves_beats_where_it_began() -> None:
    """Hardnet against itself wins 37% and loses as much here."""
    game = make(SMALL)
    learner = learner_from("product-cma:generations=25,population=16,matches=50,trials=0", game)
    state = learner.start(game, Step(0, 1))
    before = examine(network_of(state), game, "hardnet", 1000, 5)
    for number in range(1, 26):
        learner.step(game, state, Step(number, 1))
    after = examine(network_of(state), game, "hardnet", 1000, 5)
    assert after.won - after.lost > before.won - before.lost + 200


# --- as prior of UCT ------------------------------------------------------------


def position_after(moves: list[int]) -> Any:
    game = make(SMALL)
    position = rules.new_position(game)
    for move in moves:
        rules.checked_play(game, position, move)
    return position


def choice(network: Network, sims: int, position: Any, seed: int = 1) -> int:
    return Seat(GuidedUct(network, sims), make(SMALL), seeded(seed)).choose(position)


@pytest.mark.slow
def test_the_first_move_it_looks_at_is_the_networks() -> None:
    for seed in range(5):
        network, position = some_network(seed), position_after([40, 41, 31, 30, 22, 49, 13])
        wish = Seat(player_of(network), make(SMALL), seeded(1)).choose(position)
        assert choice(network, 2, position) == wish


@pytest.mark.slow
def test_simulations_find_what_the_network_does_not_see() -> None:
    blind = Network(np.zeros((2, 64)), np.ones(2), 0.25)
    four = [40, 0, 41, 2, 42, 4, 43, 39]  # blocked at one end
    assert choice(blind, 400, position_after(four)) == 44
