"""TD(lambda) in self-play for the simplified network of paper 004: the baseline that failed.

The network plays itself.  A seat predicts by the value of the point it takes, squashed
to a chance of winning, P = 1 / (1 + exp(-value)); its next prediction, and in the end the
result, is what the last one should have been (Sutton 1988)::

    dw = alpha (P(t+1) - P(t)) sum over k of lambda^(t-k) dP(k)/dw

The paper tells neither alpha, lambda nor the squashing: these are choices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.arena.games import Table, new_table
from quintet.compiled import jit
from quintet.learn.learner import State, Step
from quintet.learn.lessons import TEACHER, examine, network_of, seats_of, state_of
from quintet.learn.ranking import add_outputs
from quintet.nets.product_units import FIVE, Network, untrained
from quintet.nets.sight import (
    Sight,
    best_point,
    forget,
    put_stone,
    show,
    value_points,
)
from quintet.parameters import Between
from quintet.players.points import ProductUnits, no_points_in, player_of, sight_of
from quintet.randomness import Random, seeded
from quintet.search.lines import whole


class ProductTd(NamedTuple):
    """The first experiment of paper 004."""

    tester: Annotated[str, TEACHER, "whom it is tested against (004.4)"] = "hardnet"
    series: Annotated[int, Between(1, 100_000), "of tests and training games (004.3)"] = 10
    games: Annotated[int, Between(1, 100_000), "games with itself in a series (004.3)"] = 100
    tests: Annotated[int, Between(0, 100_000), "test games of a series (004.3)"] = 50
    simplified: Annotated[bool, "only stars (004.5)"] = True
    empty: Annotated[float, Between(0, 1), "the code of an empty point (004.2)"] = 0.25
    defence: Annotated[float, Between(0, 10), "L5, where attack is 1 (004.2: calibrated)"] = 0.6
    highest: Annotated[float, Between(0, 10), "first weight (004.3: calibrated)"] = 1.0
    alpha: Annotated[float, Between(0, 10), "learning rate (choice)"] = 0.1
    trace: Annotated[float, Between(0, 1), "lambda (choice)"] = 0.7
    noise: Annotated[float, Between(0, 10), "of values in training games (choice)"] = 0.01

    @property
    def steps(self) -> int:
        """A series each, and a last test."""
        return self.series + 1

    @property
    def headline(self) -> Sequence[str]:
        """Test games won and lost."""
        return ("won", "lost")

    def unfit(self, game: Any) -> str | None:
        """Why it cannot learn a game, or None."""
        return no_points_in(game, FIVE)

    def start(self, game: Any, step: Step) -> State:
        """Random weights."""
        return state_of(
            untrained(
                step.chance,
                seats_of(game),
                simplified=self.simplified,
                defence=self.defence,
                empty=self.empty,
                highest=self.highest,
            )
        )

    def step(self, game: Any, state: State, step: Step) -> None:
        """Test, then learn, unless all is learnt."""
        network = network_of(state)
        if self.tests:
            result = examine(network, game, self.tester, self.tests, step.seed())
            step.tell(learned=(step.number - 1) * self.games, **result._asdict())
        if step.number < self.steps:
            seats = seats_of(game)
            traces = Traces(np.zeros((seats, *network.weights.shape)), np.zeros(seats))
            sight, random = sight_of(game, network), seeded(step.seed())
            play_and_learn(
                game,
                Course(self.games, self.alpha, self.trace, self.noise),
                network,
                sight,
                traces,
                new_table(game),
                random,
            )
            state["weights"] = network.weights

    def player(self, game: Any, state: State) -> ProductUnits:
        """The network, without noise."""
        return player_of(network_of(state))


class Course(NamedTuple):
    """How much is learnt, and how."""

    games: int
    alpha: float
    trace: float
    noise: float


class Traces(NamedTuple):
    """For each seat, the faded slopes of what it predicted, and its last prediction."""

    slopes: NDArray[np.float64]
    predicted: NDArray[np.float64]


@jit
def play_and_learn(
    game: Any,
    course: Course,
    network: Network,
    sight: Sight,
    traces: Traces,
    table: Table,
    random: Random,
) -> None:
    """Games of the network with itself; it learns at each move."""
    position = table.positions[1]
    scores = np.zeros(network.output.shape[0])
    for _ in range(course.games):
        table.positions[1] = table.positions[0]
        sight.now[:] = 0
        show(sight, sight.now)
        traces.slopes[:] = 0.0
        traces.predicted[:] = -1.0
        while not rules.is_over(game, position):
            mover = whole(rules.turn(game, position))
            forget(sight)
            value_points(sight, network, mover)
            move = best_point(sight, course.noise, random)
            predict(course, network, sight, traces, mover, move)
            put_stone(sight, move, mover)
            rules.play(game, position, move)
        rules.scores(game, position, scores)
        for seat in range(scores.shape[0]):
            if traces.predicted[seat] >= 0.0:
                correct(course, network, traces, seat, scores[seat])


@jit
def predict(
    course: Course, network: Network, sight: Sight, traces: Traces, mover: int, move: int
) -> None:
    """Correct the mover's last prediction by this one, and note the slope of this one."""
    chance = 1.0 / (1.0 + math.exp(-sight.values[move]))
    if traces.predicted[mover] >= 0.0:
        correct(course, network, traces, mover, chance)
    traces.predicted[mover] = chance
    traces.slopes[mover] *= course.trace
    place, slope = sight.places[move], chance * (1.0 - chance)
    add_outputs(sight, network, place, mover, slope, traces.slopes[mover])


@jit
def correct(course: Course, network: Network, traces: Traces, seat: int, truth: float) -> None:
    """Move the weights so that the seat's predictions come closer to what came after."""
    error = course.alpha * (truth - traces.predicted[seat])
    for row in range(network.weights.shape[0]):
        for unit in range(network.weights.shape[1]):
            network.weights[row, unit] += error * traces.slopes[seat, row, unit]
