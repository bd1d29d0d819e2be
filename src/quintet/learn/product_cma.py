"""The network of paper 004, evolved: CMA-ES on weights that the board's symmetries share.

The 64 units of a sub-network are turned and mirrored copies of twelve: six kinds of
stars (on a row or a diagonal; with the point at an end, next to it, or in the middle),
three of chains and three of patterns.  Copies have one weight.  So a genome is short,
twelve numbers for each seat, and CMA-ES learns from nothing but who won.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.errors import UserError
from quintet.learn.learner import State, Step
from quintet.learn.lessons import (
    NOTHING,
    START,
    TEACHER,
    examine,
    network_of,
    seats_of,
    state_of,
    trained_network,
)
from quintet.learn.population import TESTS, Genomes, Trials, gain, win_at
from quintet.learn.strategy import keep_strategy, new_strategy, strategy_of
from quintet.nets.product_units import (
    FIVE,
    Network,
    kinds_of_units,
    output_weights,
)
from quintet.parameters import Between
from quintet.players.points import DEFENCE, ProductUnits, no_points_in, player_of

_STARS = 4 * FIVE


class Score(NamedTuple):
    """A game is worth what it gives: 1 for a win, nothing for a loss."""


@gain.implement(Score)
def _gain(measure: Score, score: float, best: float, plies: int) -> float:
    return score


class ProductCma(NamedTuple):
    """Weights that win: a normal distribution of networks moves uphill."""

    tests: Annotated[str, TESTS, "groups of opponents, joined by /"] = "hardnet"
    generations: Annotated[int, Between(1, 100_000), "steps"] = 100
    population: Annotated[int, Between(0, 10_000), "genomes of a step; 0: as Hansen"] = 24
    matches: Annotated[int, Between(1, 100_000), "of each test: a game from every seat"] = 100
    sigma: Annotated[float, Between(1e-4, 100), "how far the first genomes are from Hardnet"] = 0.25
    empty: Annotated[float, Between(0, 1), "the code of an empty point"] = 0.29
    origin: Annotated[str, START, "networks to begin with: run:NAME@STEP"] = NOTHING
    every: Annotated[int, Between(1, 100_000), "steps between tests"] = 10
    trials: Annotated[int, Between(0, 100_000), "games of a test"] = 50
    tester: Annotated[str, TEACHER, "whom it is tested against"] = "hardnet"

    @property
    def steps(self) -> int:
        """All generations, and a last test."""
        return self.generations + 1

    @property
    def headline(self) -> Sequence[str]:
        """The mean of a generation, and how far it still goes."""
        return ("mean", "sigma")

    def unfit(self, game: Any) -> str | None:
        """Why it cannot learn a game, or None."""
        if game.limits().seats < 2:
            return "it needs opponents"
        return no_points_in(game, FIVE)

    def start(self, game: Any, step: Step) -> State:
        """Hardnet, or the network of another run of this learner."""
        seats = seats_of(game)
        genome = np.zeros(seats * len(set(kinds_of_units().tolist())))
        if self.origin != NOTHING:
            genome = genome_of(trained_network(self.origin, game))
        network = Network(expanded(genome[None], seats)[0], np.ones(seats), self.empty)
        return {**state_of(network), **new_strategy(genome, self.sigma)}

    def step(self, game: Any, state: State, step: Step) -> None:
        """Test now and then; draw genomes, play their games, move."""
        number = step.number - 1
        if self.trials and (number % self.every == 0 or step.number == self.steps):
            result = examine(network_of(state), game, self.tester, self.trials, step.seed())
            step.tell(learned=number * self._games_of_a_step(game, state), **result._asdict())
        if step.number < self.steps:
            self._evolve(game, state, step)

    def _evolve(self, game: Any, state: State, step: Step) -> None:
        seats = seats_of(game)
        strategy = strategy_of(state, self.population, step.seed())
        genomes = np.array([strategy.ask() for _ in range(strategy.population_size)])
        rows: Genomes = expanded(genomes, seats).reshape(len(genomes), -1).astype(np.float32)
        trials = Trials(game, self.tests, self.matches, Score())
        tally = trials.of(lambda: player_of(network_of(state)), rows, step.seed())
        fitness = tally.fitness() / tally.gains[0].size / self.matches
        strategy.tell([(x, -f) for x, f in zip(genomes, fitness, strict=True)])
        keep_strategy(state, strategy)
        state["weights"] = expanded(state["mean"][None], seats)[0]
        won = {f"won_{i + 1}": share for i, share in enumerate(win_at(tally, fitness.argmax()))}
        step.tell(fitness=fitness.max(), mean=fitness.mean(), sigma=strategy._sigma, **won)

    def _games_of_a_step(self, game: Any, state: State) -> int:
        population = strategy_of(state, self.population, 0).population_size
        trials = Trials(game, self.tests, self.matches, Score())
        return int(population * self.matches * len(trials.seated) * trials.seats)

    def player(self, game: Any, state: State) -> ProductUnits:
        """The network in the middle of the distribution."""
        return player_of(network_of(state))


def expanded(genomes: NDArray[np.float64], seats: int) -> NDArray[np.float64]:
    """The weights of genomes, by genome, seat and unit: all copies of a unit have the same.

    A star's number is a logarithm, and where it is 0 the star counts as it does for Hardnet.
    """
    weights: NDArray[np.float64] = genomes.reshape(len(genomes), seats, -1)[:, :, kinds_of_units()]
    hardnet = output_weights(seats, DEFENCE)[:, None]
    weights[:, :, :_STARS] = hardnet * np.exp(weights[:, :, :_STARS])
    return np.ascontiguousarray(weights)  # picking columns leaves them in another order


def genome_of(network: Network) -> NDArray[np.float64]:
    """The genome from which `expanded` gives the weights of a network again."""
    kinds = kinds_of_units()
    seats, units = network.weights.shape
    if units != len(kinds):
        raise UserError(f"the network has {units} units; expected {len(kinds)}")
    weights = network.weights.copy()
    hardnet = output_weights(seats, DEFENCE)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        weights[:, :_STARS] = np.log(weights[:, :_STARS] / hardnet)
    genome: NDArray[np.float64] = weights[:, np.unique(kinds, return_index=True)[1]]
    if not np.allclose(genome[:, kinds], weights, equal_nan=False):
        raise UserError("its weights are not those of an evolved network")
    return genome.ravel()
