"""Learning to rank: the network of paper 004, taught to prefer a teacher's move to all others.

The learner's network, each time with a little chance, and others play games; wherever the
learner was to move, the **teacher** says what it would play (as DAgger does: Ross, Gordon
and Bagnell 2011, so that the network learns what to do where its own play leads).  The
values of all empty points are turned into chances by a softmax, and the weights follow
the gradient of the logarithm of the chance of the teacher's move.  All units count:
stars, chains and patterns, 64 for each seat; steps are scaled by AdaGrad (Duchi, Hazan
and Singer 2011), as patterns give far smaller numbers than stars.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.arena.games import Outcome, Plan, Table, Worker
from quintet.bits import NONE, count
from quintet.compiled import jit
from quintet.learn.learner import State, Step
from quintet.learn.lessons import (
    TEACHER,
    company,
    examine,
    network_of,
    seats_of,
    state_of,
    tally,
    turns,
)
from quintet.nets.product_units import FIVE, Kind, Network, output_weights, shapes_of
from quintet.nets.sight import (
    Sight,
    blocked,
    forget,
    put_stone,
    show,
    value_points,
)
from quintet.parameters import Between
from quintet.players import PLAYER, make_player
from quintet.players.player import Seat, choose
from quintet.players.points import ProductUnits, no_points_in, player_of, sight_of
from quintet.randomness import Random, seeded
from quintet.search.lines import whole

_UNLIKELY = 1e-5  # chances below this change nothing that can be seen


class Ranking(NamedTuple):
    """A better learner for the same network."""

    teacher: Annotated[str, PLAYER, "whose moves are preferred"] = "xmake5"
    company: Annotated[str, TEACHER, "whom it meets in training"] = "hardnet+xmake5+copy"
    tester: Annotated[str, TEACHER, "whom it is tested against"] = "hardnet"
    batches: Annotated[int, Between(1, 100_000), "steps"] = 100
    games: Annotated[int, Between(1, 10_000), "of a step"] = 10
    every: Annotated[int, Between(1, 100_000), "steps between tests"] = 10
    tests: Annotated[int, Between(0, 100_000), "games of a test"] = 50
    empty: Annotated[float, Between(0, 1), "the code of an empty point"] = 0.25
    rate: Annotated[float, Between(0, 100), "of AdaGrad: the size of the first changes"] = 0.3
    passes: Annotated[int, Between(1, 100), "how often a step goes through its games"] = 2
    scale: Annotated[float, Between(1e-6, 1e6), "of the first weights: sharpness"] = 8.0
    noise: Annotated[float, Between(0, 100), "of values in training games"] = 1.0
    careful: Annotated[bool, "its player wins and blocks before it asks the network"] = False

    @property
    def steps(self) -> int:
        """All batches, and a last test."""
        return self.batches + 1

    @property
    def headline(self) -> Sequence[str]:
        """Test games won, and how often the teacher's move was the first choice."""
        return ("won", "agreed")

    def unfit(self, game: Any) -> str | None:
        """Why it cannot learn a game, or None."""
        return no_points_in(game, FIVE)

    def start(self, game: Any, step: Step) -> State:
        """Hardnet's weights, sharper; nothing for chains and patterns."""
        seats = seats_of(game)
        weights = np.zeros((seats, len(shapes_of(Kind.ALL))))
        weights[:, : 4 * FIVE] = self.scale
        weights *= output_weights(seats, 0.9)[:, None]
        state = state_of(Network(weights, np.ones(seats), self.empty))
        state["squares"] = np.zeros_like(weights)
        return state

    def step(self, game: Any, state: State, step: Step) -> None:
        """Test now and then; play, ask the teacher, and learn."""
        network = network_of(state)
        number = step.number - 1
        if number % self.every == 0 and self.tests:
            seed, careful = step.seed(), self.careful
            result = examine(network, game, self.tester, self.tests, seed, careful=careful)
            step.tell(learned=number * self.games, **result._asdict())
        if step.number < self.steps:
            squares = np.array(state["squares"], np.float64)
            self._train(game, Pupil(network, sight_of(game, network), squares), step)
            state["weights"], state["squares"] = network.weights, squares

    def _train(self, game: Any, pupil: Pupil, step: Step) -> None:
        noisy = ProductUnits(pupil.network, np.array([self.noise]), self.careful)
        entrants = company(self.company, game, noisy)
        plan = turns(self.games, seats_of(game), len(entrants), step.seed())
        worker = Worker(game, entrants)
        outcome = worker.play(plan, np.zeros(1, np.int64))
        teacher = Seat(make_player(self.teacher, game), game, seeded(step.seed()))
        advice = np.full(outcome.moves.shape, -1, np.int32)
        ask(
            game,
            teacher.player,
            teacher.memory,
            worker.table,
            plan,
            outcome,
            advice,
            teacher.random,
        )
        agreed = 0.0
        for _ in range(self.passes):
            agreed = learn_advice(game, worker.table, outcome, advice, pupil, self.rate)
        result = tally(plan, outcome)
        step.tell(agreed=agreed, training_won=result.won, training_lost=result.lost)

    def player(self, game: Any, state: State) -> ProductUnits:
        """The network, without noise."""
        return player_of(network_of(state), careful=self.careful)


class Pupil(NamedTuple):
    """What learns."""

    network: Network
    sight: Sight
    squares: NDArray[np.float64]  # of all changes of each weight so far


@jit
def ask(
    game: Any,
    teacher: Any,
    memory: Any,
    table: Table,
    plan: Plan,
    outcome: Outcome,
    advice: NDArray[np.int32],
    random: Random,
) -> None:
    """Write what the teacher would play wherever entrant 0 was to move."""
    position = table.positions[1]
    for row in range(outcome.moves.shape[0]):
        table.positions[1] = table.positions[0]
        for ply in range(outcome.lengths[row]):
            if plan.orders[row, rules.turn(game, position)] == 0:
                advice[row, ply] = choose(teacher, game, position, memory, random)
            rules.play(game, position, outcome.moves[row, ply])


@jit
def learn_advice(
    game: Any,
    table: Table,
    outcome: Outcome,
    advice: NDArray[np.int32],
    pupil: Pupil,
    rate: float,
) -> float:
    """Go through games once, and learn wherever there is advice; the share already followed."""
    sight, position = pupil.sight, table.positions[1]
    change = np.zeros_like(pupil.squares)
    asked, agreed = 0, 0
    for row in range(outcome.moves.shape[0]):
        table.positions[1] = table.positions[0]
        sight.now[:] = 0
        show(sight, sight.now)
        for ply in range(outcome.lengths[row]):
            move, wish = outcome.moves[row, ply], whole(advice[row, ply])
            mover = whole(rules.turn(game, position))
            if wish >= 0:
                asked += 1
                forget(sight)
                value_points(sight, pupil.network, mover)
                agreed += learn_preference(pupil, mover, wish, change, rate)
            put_stone(sight, move, mover)
            rules.play(game, position, move)
    return agreed / max(asked, 1)


@jit
def learn_preference(
    pupil: Pupil, mover: int, wish: int, change: NDArray[np.float64], rate: float
) -> int:
    """One step up the gradient of log softmax; returns whether the wish was the first choice."""
    sight, network = pupil.sight, pupil.network
    highest, total = -np.inf, 0.0
    for point in range(sight.owners.shape[0]):
        if sight.owners[point] == 0:
            highest = max(highest, sight.values[point])
    for point in range(sight.owners.shape[0]):
        if sight.owners[point] == 0:
            total += math.exp(sight.values[point] - highest)
    change[:] = 0.0
    for point in range(sight.owners.shape[0]):
        if sight.owners[point] == 0:
            error = -math.exp(sight.values[point] - highest) / total
            if point == wish:
                error += 1.0
            if abs(error) > _UNLIKELY:
                add_outputs(sight, network, sight.places[point], mover, error, change)
    for row in range(change.shape[0]):
        for unit in range(change.shape[1]):
            slope = change[row, unit]
            if slope != 0.0:
                pupil.squares[row, unit] += slope * slope
                network.weights[row, unit] += rate * slope / math.sqrt(pupil.squares[row, unit])
    return 1 if sight.values[wish] == highest else 0


@jit
def add_outputs(
    sight: Sight, network: Network, place: int, mover: int, times: float, out: NDArray[np.float64]
) -> None:
    """Add what each unit gives to each weight's slope."""
    # as `unit_output`, but a call for each unit would count all arrays of the sight again
    masks, outputs = sight.units.masks, sight.outputs
    seats = network.output.shape[0]
    for row in range(seats):
        seat = (mover + row) % seats
        own, no = sight.seen[seat, place], blocked(sight, place, seat)
        factor = times * network.output[row]
        for unit in range(out.shape[1]):
            if masks[unit] & no == NONE:
                out[row, unit] += factor * outputs[unit, count(masks[unit] & own)]
