"""The contract: what a learner must answer.

A **learner** is a NamedTuple of parameters, with the methods below.  What it has
learnt so far is its **state**: named arrays, and nothing else; so a run can stop
after any step and go on later as if nothing had been.  A **step** is what is done
at once, a second of work or less.

A step depends on the parameters, the state and the step's own chance alone: not on
the clock, the number of cores, or anything a learner might keep elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

State: TypeAlias = dict[str, NDArray[Any]]


class PlayedGame(NamedTuple):
    """A game that is worth keeping."""

    players: tuple[str, ...]  # their texts, seat by seat
    moves: list[int]
    scores: list[float]


class Step:
    """One step: its number, its chance, and what is to be told about it."""

    def __init__(self, number: int, seed: int) -> None:
        """Step 0 is the start."""
        self.number = number
        self.chance = np.random.default_rng([seed, number])
        self.figures: dict[str, float] = {}
        self.games: list[PlayedGame] = []

    def seed(self) -> int:
        """A seed for compiled code, another each time."""
        return int(self.chance.integers(2**63))

    def tell(self, **figures: float) -> None:
        """Figures for the curves; those of the bar are named in the learner's `headline`."""
        self.figures.update({name: float(figure) for name, figure in figures.items()})

    def keep(self, players: Sequence[str], moves: Sequence[int], scores: Sequence[float]) -> None:
        """Keep a game that began at the start position."""
        self.games.append(PlayedGame(tuple(players), [int(m) for m in moves], list(scores)))


class Learner(Protocol):
    """What the class of a learner tells; its fields are its parameters."""

    @property
    def steps(self) -> int:
        """How many steps a run has."""

    @property
    def headline(self) -> Sequence[str]:
        """The one or two figures that matter."""

    def unfit(self, game: Any) -> str | None:
        """Why it cannot learn a game, or None."""

    def start(self, game: Any, step: Step) -> State:
        """The state before the first step."""

    def step(self, game: Any, state: State, step: Step) -> None:
        """Learn: change the arrays of the state, or put others in their place."""

    def player(self, game: Any, state: State) -> Any:
        """The player that has learnt so much."""
