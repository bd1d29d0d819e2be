"""Learning by reward and penalty: the network's move is compared with the winner's (paper 004).

After each game that somebody won, the network proposes a move wherever the winner
was to move.  If it is the recorded one, the weights w of each sub-network change by
``alpha * delta * y * w``, where y is what the units gave; else by ``alpha * eta * y * w``
for the recorded move and by ``-alpha * eta * y * w`` for the proposed one, where eta
is the distance of the two outputs (equation 1 and Figure 6).

A series: 50 test games, then 100 games against the trainer.  A run ends with a test.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.arena.games import Outcome, Plan, Table, Worker, finish, new_outcome, play_game
from quintet.compiled import jit
from quintet.errors import UserError
from quintet.learn.learner import State, Step
from quintet.learn.lessons import (
    NOTHING,
    START,
    TEACHER,
    company,
    examine,
    network_of,
    seats_of,
    state_of,
    tally,
    trained_network,
    turns,
)
from quintet.nets.product_units import FIVE, Network, untrained
from quintet.nets.sight import (
    Sight,
    best_point,
    blocked,
    forget,
    put_stone,
    show,
    sub_network,
    unit_output,
    value_points,
)
from quintet.parameters import Between
from quintet.players.points import ProductUnits, no_points_in, player_of, sight_of
from quintet.randomness import Random, seeded
from quintet.rules import Moves, Scores
from quintet.search.lines import whole

STARS = 4 * FIVE


class Layer(enum.IntEnum):
    """Whose outputs are compared."""

    L4 = 0  # of each sub-network, as the text says
    L5 = 1  # of the whole network, as Figure 6 says


class Comparison(NamedTuple):
    """The learner of paper 004."""

    trainer: Annotated[str, TEACHER, "whom it meets, and learns from (004.4)"] = "hardnet"
    tester: Annotated[str, TEACHER, "whom it is tested against (004.4)"] = "hardnet"
    series: Annotated[int, Between(1, 100_000), "of tests and training games (004.3)"] = 10
    games: Annotated[int, Between(1, 100_000), "training games of a series (004.3)"] = 100
    batch: Annotated[int, Between(1, 10_000), "training games of a step"] = 10
    tests: Annotated[int, Between(0, 100_000), "test games of a series (004.3)"] = 50
    simplified: Annotated[bool, "only stars, whose weights are learnt (004.3)"] = False
    empty: Annotated[float, Between(0, 1), "the code of an empty point (004.2)"] = 0.25
    defence: Annotated[float, Between(0, 10), "L5, where attack is 1 (004.2: calibrated)"] = 0.6
    patterns: Annotated[float, Between(0, 10), "highest first weight (004.2: calibrated)"] = 0.05
    stars: Annotated[float, Between(0, 10), "the same, simplified (004.3: calibrated)"] = 1.0
    alpha: Annotated[float, Between(0, 10), "learning rate (004.2: calibrated)"] = 0.1
    delta: Annotated[float, Between(0, 1), "reward of the same move (004.2: calibrated)"] = 0.01
    noise: Annotated[float, Between(0, 10), "at first, in training (004.2: calibrated)"] = 0.01
    highest: Annotated[float, Between(0, 1e9), "of a weight (004.3: choice)"] = 10.0
    layer: Annotated[Layer, "whose outputs are compared (004.3: choice)"] = Layer.L4
    origin: Annotated[str, START, "the trained player to begin with, or none"] = NOTHING

    @property
    def steps(self) -> int:
        """All batches of training games, and a last test."""
        return self.series * self._batches + 1

    @property
    def _batches(self) -> int:
        return -(-self.games // self.batch)

    @property
    def headline(self) -> Sequence[str]:
        """Test games won and lost."""
        return ("won", "lost")

    @staticmethod
    def presets() -> dict[str, str]:
        """The paper's experiments."""
        return {
            "code-0.1": "simplified=yes,empty=0.1",
            "code-0.25": "simplified=yes",
            "code-0.5": "simplified=yes,empty=0.5",
            "random": "trainer=random,tester=random",
            "hardnet": "trainer=hardnet",
            "xmake5": "trainer=xmake5",
        }

    def problem(self) -> str | None:
        """Why the parameters do not fit together, or None."""
        if self.games % self.batch:
            return f"games={self.games} cannot be split into steps of batch={self.batch}"
        return None

    def unfit(self, game: Any) -> str | None:
        """Why it cannot learn a game, or None."""
        return no_points_in(game, FIVE)

    def start(self, game: Any, step: Step) -> State:
        """Random weights, or those of another run."""
        if self.origin == NOTHING:
            network = untrained(
                step.chance,
                seats_of(game),
                simplified=self.simplified,
                defence=self.defence,
                empty=self.empty,
                highest=self.stars if self.simplified else self.patterns,
            )
            return state_of(network)
        network = trained_network(self.origin, game)
        if self.simplified != (network.weights.shape[1] == STARS):
            raise UserError(f"origin={self.origin} has {network.weights.shape[1]} units a part")
        return state_of(network)

    def step(self, game: Any, state: State, step: Step) -> None:
        """Test, if a series begins or all is learnt; then learn, unless all is."""
        network = network_of(state)
        learned = (step.number - 1) * self.batch
        if learned % self.games == 0 and self.tests:
            result = examine(network, game, self.tester, self.tests, step.seed())
            step.tell(learned=learned, **result._asdict())
        if step.number < self.steps:
            self._train(game, network, learned, step)
            state["weights"] = network.weights

    def _train(self, game: Any, network: Network, learned: int, step: Step) -> None:
        left = 1.0 - (learned + np.arange(self.batch)) / (self.series * self.games)
        lesson = Lesson(network, sight_of(game, network), np.zeros(1), seeded(step.seed()))
        entrants = company(self.trainer, game, ProductUnits(network, lesson.noise))
        plan = turns(self.batch, seats_of(game), len(entrants), step.seed())
        outcome = teach(game, entrants, plan, self.rule(), lesson, self.noise * left)
        result = tally(plan, outcome)
        step.tell(training_won=result.won, training_lost=result.lost, training_drawn=result.drawn)

    def rule(self) -> Rule:
        """How weights change."""
        first = 0 if self.simplified else STARS
        return Rule(self.alpha, self.delta, self.highest, self.layer == Layer.L5, first)

    def player(self, game: Any, state: State) -> ProductUnits:
        """The network, without noise."""
        return player_of(network_of(state))


# --- one game after the other -------------------------------------------------


class Rule(NamedTuple):
    """How weights change."""

    alpha: float
    delta: float
    highest: float
    at_l5: bool
    first: int  # units before this one are fixed


class Lesson(NamedTuple):
    """What learns, and what it needs for that."""

    network: Network
    sight: Sight
    noise: NDArray[np.float64]  # one: that of the game
    random: Random


def teach(
    game: Any,
    entrants: list[Any],
    plan: Plan,
    rule: Rule,
    lesson: Lesson,
    noise: NDArray[np.float64],
) -> Outcome:
    """Play the games of a plan, with so much noise each, and learn after each of them."""
    worker = Worker(game, entrants)
    outcome = new_outcome(game, len(plan.numbers))
    if not worker.compiled:
        raise UserError("the trainer needs the interpreter; expected one that runs compiled")
    learn_games(
        game,
        *worker.compiled_players(),
        worker.table,
        worker.placed(plan),
        outcome,
        rule,
        lesson,
        noise,
    )
    return outcome


@jit
def learn_games(
    game: Any,
    players: Any,
    memories: Any,
    table: Table,
    plan: Plan,
    outcome: Outcome,
    rule: Rule,
    lesson: Lesson,
    noise: NDArray[np.float64],
) -> None:
    """Play and learn, game by game."""
    stop = np.zeros(1, np.int64)
    for row in range(plan.numbers.shape[0]):
        lesson.noise[0] = noise[row]
        moves = outcome.moves[row]
        length = play_game(game, players, memories, table, plan, row, moves, stop)
        outcome.lengths[row] = length
        finish(game, table, row, outcome)
        learn_game(game, table, moves[:length], outcome.scores[row], rule, lesson)


@jit
def learn_game(
    game: Any, table: Table, moves: Moves, scores: Scores, rule: Rule, lesson: Lesson
) -> None:
    """Figure 6: go through a game once more, and compare each move of the winner."""
    winner = np.argmax(scores)
    if scores[winner] < 1.0:
        return  # a draw teaches nothing (papers: 004.3, choice)
    sight, position = lesson.sight, table.positions[1]
    sight.now[:] = 0
    show(sight, sight.now)
    table.positions[1] = table.positions[0]
    for move in moves:
        mover = whole(rules.turn(game, position))
        if mover == winner:
            forget(sight)
            value_points(sight, lesson.network, mover)
            proposed = best_point(sight, 0.0, lesson.random)
            learn_move(rule, lesson.network, sight, mover, whole(move), proposed)
        put_stone(sight, move, mover)
        rules.play(game, position, move)


@jit
def learn_move(
    rule: Rule, network: Network, sight: Sight, mover: int, recorded: int, proposed: int
) -> None:
    """Equation 1, for the recorded and the proposed move together."""
    good, bad = sight.places[recorded], sight.places[proposed]
    seats = network.output.shape[0]
    whole_distance = abs(sight.values[recorded] - sight.values[proposed])
    for row in range(seats):
        seat = (mover + row) % seats
        weights = network.weights[row]
        eta = whole_distance
        if not rule.at_l5:
            one = sub_network(sight, weights, good, seat)
            eta = abs(one - sub_network(sight, weights, bad, seat))
        own_good, no_good = sight.seen[seat, good], blocked(sight, good, seat)
        own_bad, no_bad = sight.seen[seat, bad], blocked(sight, bad, seat)
        for unit in range(rule.first, weights.shape[0]):
            reward = unit_output(sight, unit, own_good, no_good)
            if recorded == proposed:
                change = rule.delta * reward
            else:
                change = eta * (reward - unit_output(sight, unit, own_bad, no_bad))
            changed = weights[unit] + rule.alpha * change * weights[unit]
            weights[unit] = min(max(changed, 0.0), rule.highest)
