"""CMA-ES on networks of points: a normal distribution of genomes moves uphill."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from quintet.learn.archive import Archive
from quintet.learn.evolving import (
    THREE_PLAYERS,
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
from quintet.learn.strategy import keep_strategy, new_strategy, strategy_of
from quintet.nets.line_eye import LineEye
from quintet.parameters import Between
from quintet.players.finishing import Finish

MOST_WEIGHTS = 1000  # the covariances of more take too long


class CmaEs(NamedTuple):
    """A normal distribution of genomes moves uphill."""

    net: Net = LineEye()
    tests: Tests = "random"
    generations: Annotated[int, Between(1, 10**9), "steps"] = 300
    population: Annotated[int, Between(0, 10**5), "genomes of a generation; 0: as Hansen"] = 0
    sigma: Annotated[float, Between(0.0001, 1000), "how far the first genomes are from zero"] = 1.0
    matches: Matches = 20
    moves_max: MovesMax = 0
    consolation: Consolation = 0.1
    finish: Finishing = Finish.ALL
    retests: Retests = 3
    seat: OwnSeat = 0
    archive: Remembered = Archive.FAME
    room: Room = 40
    rivals: Rivals = 4

    @staticmethod
    def presets() -> dict[str, str]:
        """Beyond the paper's experiments 1 and 2."""
        return {"two-players": f"tests={TWO_PLAYERS}", "three-players": f"tests={THREE_PLAYERS}"}

    @property
    def headline(self) -> tuple[str, ...]:
        """The champion's fitness, and how many games the best won when tried again."""
        return ("fitness", "retested" if self.retests else "won")

    @property
    def steps(self) -> int:
        """A step is a generation."""
        return self.generations

    def unfit(self, game: Any) -> str | None:
        """It needs a network for the game, and not too large a one."""
        weights = self.net.units * self.net.gene(game)
        if weights > MOST_WEIGHTS:
            return f"the network has {weights} weights; expected at most {MOST_WEIGHTS}"
        return unfit(self, game)

    def start(self, game: Any, step: Step) -> State:
        """Around zero."""
        weights = self.net.units * self.net.gene(game)
        nothing = np.zeros(weights, np.float32)
        return {
            **new_strategy(np.zeros(weights), self.sigma),
            "champion": nothing,
            "best": nothing.copy(),
            **no_champion(),
        }

    def step(self, game: Any, state: State, step: Step) -> None:
        """A generation: draw genomes, try them, move."""
        strategy = strategy_of(state, self.population, step.seed())
        genomes = np.array([strategy.ask() for _ in range(strategy.population_size)])
        rows = genomes.astype(np.float32)
        rivals = drawn_rivals(self, state, rows, step)
        tally = tried(self, game, self.net, rows, step.seed(), rivals)
        crown(self, game, self.net, state, rows, tally, step, rivals)
        fitness = tally.fitness()
        strategy.tell([(x, -f) for x, f in zip(genomes, fitness, strict=True)])
        keep_strategy(state, strategy)
        step.tell(sigma=strategy._sigma)

    def plays(self, learnt: Any, game: Any) -> bool:
        """An eye plays on boards of any size."""
        same: bool = game == learnt
        fits = type(game) is type(learnt) and game.limits().seats == learnt.limits().seats
        return same or (isinstance(self.net, LineEye) and fits)

    def essence(self, state: State) -> State:
        """What the player needs."""
        return essence(self, state)

    def player(self, game: Any, state: State) -> Any:
        """The best network so far."""
        return player_of(self, game, self.net, state)
