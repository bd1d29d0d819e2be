"""CoSyNE: every weight has a population of its own (Gomez, Schmidhuber, Miikkulainen 2008).

A population is a matrix: a row for each network, a column for each weight.  The best
quarter mates, unit by unit; the children replace the worst half, and all but the parents
change.  Then every column is permuted among the networks that are no parents, so that
weights meet in new company (papers 000.7).
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.learn.archive import Archive
from quintet.learn.evolving import (
    TWO_PLAYERS,
    Consolation,
    Finishing,
    Matches,
    MovesMax,
    Net,
    OwnSeat,
    Remembered,
    Retests,
    Rivals,
    Room,
    Tests,
    crown,
    drawn_rivals,
    essence,
    no_champion,
    player_of,
    tried,
    unfit,
)
from quintet.learn.learner import State, Step
from quintet.learn.population import Genomes
from quintet.learn.subpopulations import Chance, cauchy
from quintet.nets.perceptron import Perceptron
from quintet.parameters import Between
from quintet.players.finishing import Finish


class Cosyne(NamedTuple):
    """Every weight has a population of its own."""

    net: Net = Perceptron()
    tests: Tests = "random"
    generations: Annotated[int, Between(1, 10**9), "steps"] = 2000
    population: Annotated[int, Between(4, 10**5), "networks (000.7: choice)"] = 40
    mutation: Annotated[float, Between(0, 1), "chance that a weight changes (000.7)"] = 0.05
    scale: Annotated[float, Between(0, 10), "of changes, by Cauchy (000.7)"] = 0.3
    span: Annotated[float, Between(0, 100), "weights begin between -span and span"] = 6.0
    matches: Matches = 10
    moves_max: MovesMax = 0
    consolation: Consolation = 0.5
    finish: Finishing = Finish.LINE
    retests: Retests = 0
    seat: OwnSeat = 0
    archive: Remembered = Archive.FAME
    room: Room = 40
    rivals: Rivals = 4

    @staticmethod
    def presets() -> dict[str, str]:
        """The paper's experiment 1."""
        return {"two-players": f"tests={TWO_PLAYERS}"}

    @property
    def headline(self) -> tuple[str, ...]:
        """The champion's fitness, and how many games it won."""
        return ("fitness", "won")

    @property
    def steps(self) -> int:
        """A step is a generation."""
        return self.generations

    def problem(self) -> str | None:
        """Quarters breed."""
        if self.population % 4:
            return f"population={self.population} has no quarter; expected a multiple of 4"
        return None

    def unfit(self, game: Any) -> str | None:
        """It needs a network for the game."""
        return unfit(self, game)

    def start(self, game: Any, step: Step) -> State:
        """Random weights."""
        shape = (self.population, self.net.units * self.net.gene(game))
        genomes = step.chance.uniform(-self.span, self.span, shape).astype(np.float32)
        return {
            "genomes": genomes,
            "champion": genomes[0].copy(),
            "best": genomes[0].copy(),
            **no_champion(),
        }

    def step(self, game: Any, state: State, step: Step) -> None:
        """A generation."""
        genomes = state["genomes"]
        rivals = drawn_rivals(self, state, genomes, step)
        tally = tried(self, game, self.net, genomes, step.seed(), rivals)
        crown(self, game, self.net, state, genomes, tally, step, rivals)
        state["genomes"] = renewed(
            step.chance, genomes, tally.fitness(), self.net.units, self.mutation, self.scale
        )

    def essence(self, state: State) -> State:
        """What the player needs."""
        return essence(self, state)

    def player(self, game: Any, state: State) -> Any:
        """The best network so far."""
        return player_of(self, game, self.net, state)


def renewed(
    chance: Chance,
    genomes: Genomes,
    fitness: NDArray[np.float64],
    units: int,
    mutation: float,
    scale: float,
) -> Genomes:
    """The next generation: parents first and as they were, the others changed and mixed."""
    ranked: Genomes = genomes[np.argsort(-fitness, kind="stable")]
    quarter, gene = len(genomes) // 4, genomes.shape[1] // units
    for rank in range(quarter):
        mate = int(chance.integers(rank if rank > 0 else quarter))
        points = chance.integers(gene, size=(units, 1))
        own = (np.arange(gene) < points).reshape(-1)  # of each unit, the weights before its point
        last = len(genomes) - 1 - 2 * rank
        ranked[last] = np.where(own, ranked[rank], ranked[mate])
        ranked[last - 1] = np.where(own, ranked[mate], ranked[rank])
    rest = ranked[quarter:]
    changes = cauchy(chance, scale, rest.shape)
    rest += np.where(chance.random(rest.shape) < mutation, changes, 0.0).astype(np.float32)
    ranked[quarter:] = chance.permuted(rest, axis=0)
    return ranked
