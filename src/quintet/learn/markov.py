"""Learning by a Markov model of hashed boards, after Heon and Oetting (papers 003.3).

A state of the model is a **bucket**: all boards with the same hash after one's own
move.  The first buckets stand for games that a seat has won.  Each seat has a model:
how often which bucket followed which, from its own move to its next, and a value for
each bucket: the reward, and the discounted value of what follows.

What is not known is thought to lead everywhere alike: as if `prior` transitions had
been seen, spread over all buckets.  So all buckets without a successor have the same
value, the **level**; only the others are kept and swept over.  What a sweep costs does
not depend on the number of buckets, and no matrix is written out.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.learn.learner import State, Step
from quintet.parameters import Between
from quintet.players.hashes import HASH, Key, number_of
from quintet.players.player import choose
from quintet.randomness import Random, below, seeded, uniform
from quintet.rules import Moves, Position, Positions, Scores

NONE = -1
SOURCES, EDGES = 0, 1  # the columns of `sizes`
_MOST_SWEEPS = 100_000


class Rates(NamedTuple):
    """The numbers by which a model learns."""

    discount: float
    tolerance: float
    exploration: float
    prior: float
    reward: float


class Models(NamedTuple):
    """The models of all seats; the first index is the seat."""

    totals: NDArray[np.int32]  # [bucket] transitions seen from it
    heads: NDArray[np.int32]  # [bucket] its first edge, or none
    values: NDArray[np.float64]  # [bucket] of those with successors, and of won games
    sources: NDArray[np.int32]  # the buckets with successors, in the order they were met
    targets: NDArray[np.int32]  # [edge]
    counts: NDArray[np.int32]  # [edge] how often it was seen
    following: NDArray[np.int32]  # [edge] the next edge of the same bucket, or none
    levels: NDArray[np.float64]  # the value of all other buckets
    sizes: NDArray[np.int64]  # how many sources and edges there are

    def with_room(self, edges: int) -> Models:
        """The same models, with room for so many more edges in each."""
        missing = int(self.sizes[:, EDGES].max()) + edges - self.targets.shape[1]
        if missing <= 0:
            return self
        more = np.zeros((len(self.sizes), max(missing, self.targets.shape[1])), np.int32)
        names = ("targets", "counts", "following")
        grown = {name: np.concatenate([getattr(self, name), more], axis=1) for name in names}
        return self._replace(**grown)


def new_models(seats: int, buckets: int, reward: float) -> Models:
    """Models that have seen nothing."""
    values = np.zeros((seats, buckets))
    values[:, :seats] = np.where(np.eye(seats) > 0, reward, -reward)
    no_edges = np.zeros((seats, 0), np.int32)
    return Models(
        totals=np.zeros((seats, buckets), np.int32),
        heads=np.full((seats, buckets), NONE, np.int32),
        values=values,
        sources=np.zeros((seats, buckets), np.int32),
        targets=no_edges,
        counts=no_edges,
        following=no_edges,
        levels=np.zeros(seats),
        sizes=np.zeros((seats, 2), np.int64),
    )


class Markov(NamedTuple):
    """A value for each bucket of boards, from which buckets followed it in self-play."""

    hash: Annotated[Any, HASH, "what puts boards into buckets"] = Key()
    buckets: Annotated[int, Between(10, 10**8), "how many there are (003.3)"] = 1500
    games: Annotated[int, Between(1, 10**9), "of training (003.3)"] = 2000
    gamma: Annotated[float, Between(0, 0.999999), "discount for each own move (003.3)"] = 0.9
    tau: Annotated[float, Between(1e-12, 10), "sweep until no value changes more (003.3)"] = 0.001
    epsilon: Annotated[float, Between(0, 1), "part of training moves at random (003.3)"] = 0.2
    reward: Annotated[float, Between(0, 10**6), "of a win; minus that of a loss (003.3)"] = 10.0
    prior: Annotated[
        float, Between(1e-9, 10**6), "transitions as if seen, to everywhere (choice: 003.3)"
    ] = 1.0
    batch: Annotated[int, Between(1, 10**6), "games in a step"] = 100

    @staticmethod
    def presets() -> dict[str, str]:
        """The paper's best parameters with either of its hash functions."""
        return {"paper": "hash=primes", "streaks": "hash=streaks"}

    @property
    def headline(self) -> tuple[str, ...]:
        """How often the first seat wins, and what the models hold."""
        return ("first_wins", "known")

    @property
    def steps(self) -> int:
        """How many steps a run has."""
        return -(-self.games // self.batch)

    def unfit(self, game: Any) -> str | None:
        """Any game of two or more seats."""
        return None if game.limits().seats > 1 else "self-play needs two players or more"

    def start(self, game: Any, step: Step) -> State:
        """Nothing is known."""
        return new_models(game.limits().seats, self.buckets, self.reward)._asdict()

    def step(self, game: Any, state: State, step: Step) -> None:
        """Some games of self-play, with sweeps after each."""
        count = min(self.batch, self.games - (step.number - 1) * self.batch)
        limits = game.limits()
        models = Models(**{name: array.copy() for name, array in state.items()})
        models = models.with_room(count * (limits.plies + 1))
        wins = np.zeros(limits.seats, np.int64)
        rates = Rates(self.gamma, self.tau, self.epsilon, self.prior, self.reward)
        study = new_study(game)
        sweeps = train(self.hash, game, models, rates, study, wins, count, seeded(step.seed()))
        state.update(models._asdict())
        step.tell(
            first_wins=wins[0] / count,
            known=float(models.sizes[:, SOURCES].mean()),
            edges=float(models.sizes[:, EDGES].mean()),
            sweeps=sweeps / count,
        )

    def player(self, game: Any, state: State) -> MarkovPlayer:
        """Takes the bucket of the highest value."""
        return MarkovPlayer(self.hash, Models(**state))


# --- the model --------------------------------------------------------------------


@jit
def value_of(models: Models, seat: int, bucket: int) -> float:
    """What a bucket is worth to a seat."""
    if bucket < models.levels.shape[0] or models.totals[seat, bucket] > 0:
        return models.values[seat, bucket]
    return models.levels[seat]


@jit
def add_transition(models: Models, seat: int, bucket: int, target: int) -> None:
    """Count that one bucket followed another."""
    if models.totals[seat, bucket] == 0:
        models.sources[seat, models.sizes[seat, SOURCES]] = bucket
        models.sizes[seat, SOURCES] += 1
        models.values[seat, bucket] = models.levels[seat]
    models.totals[seat, bucket] += 1
    edge = models.heads[seat, bucket]
    while edge != NONE and models.targets[seat, edge] != target:
        edge = models.following[seat, edge]
    if edge == NONE:
        edge = models.sizes[seat, EDGES]
        models.sizes[seat, EDGES] += 1
        models.targets[seat, edge] = target
        models.counts[seat, edge] = 0
        models.following[seat, edge] = models.heads[seat, bucket]
        models.heads[seat, bucket] = edge
    models.counts[seat, edge] += 1


@jit
def sweep(models: Models, rates: Rates, seat: int) -> float:
    """Make all values of a seat agree better with those that follow; the largest change."""
    sources = models.sizes[seat, SOURCES]
    change = 0.0
    # what was met last stands nearest to the ends of games
    for place in range(sources - 1, -1, -1):
        bucket = models.sources[seat, place]
        total = 0.0
        edge = models.heads[seat, bucket]
        while edge != NONE:
            total += models.counts[seat, edge] * value_of(models, seat, models.targets[seat, edge])
            edge = models.following[seat, edge]
        total = rates.discount * total + rates.prior * models.levels[seat]
        value = total / (models.totals[seat, bucket] + rates.prior)
        change = max(change, abs(value - models.values[seat, bucket]))
        models.values[seat, bucket] = value
    return max(change, settle_level(models, rates, seat))


@jit
def settle_level(models: Models, rates: Rates, seat: int) -> float:
    """Set the level to the discounted mean of all values, its own too; returns the change."""
    seats, buckets = models.values.shape
    sources = models.sizes[seat, SOURCES]
    total = 0.0
    for winner in range(seats):
        total += models.values[seat, winner]
    for place in range(sources):
        total += models.values[seat, models.sources[seat, place]]
    alike = buckets - seats - sources  # those at the level: level = discount * mean
    level = rates.discount * total / (buckets - rates.discount * alike)
    change = abs(level - models.levels[seat])
    models.levels[seat] = level
    return change


@jit
def iterate_values(models: Models, rates: Rates, seat: int) -> int:
    """Sweep until no value changes by the tolerance; returns how often."""
    for sweeps in range(1, _MOST_SWEEPS):
        if sweep(models, rates, seat) < rates.tolerance:
            return sweeps
    return _MOST_SWEEPS


# --- self-play --------------------------------------------------------------------


class Study(NamedTuple):
    """Room to play and to look at what can follow."""

    positions: Positions  # the start, the game, and what can follow
    moves: Moves
    scores: Scores
    last: NDArray[np.int64]  # each seat's bucket after its last move


def new_study(game: Any) -> Study:
    """Room for this game."""
    seats = game.limits().seats
    return Study(
        rules.new_positions(game, 3),
        rules.move_buffer(game),
        np.zeros(seats),
        np.zeros(seats, np.int64),
    )


@jit
def bucket_of(hash: Any, game: Any, position: Position, scores: Scores, buckets: int) -> int:
    """Where a board belongs: by who has won, or else by its hash."""
    seats = scores.shape[0]
    if rules.is_over(game, position):
        winner = winner_of(game, position, scores)
        if winner != NONE:
            return winner
    return seats + number_of(hash, game, position) % (buckets - seats)


@jit
def winner_of(game: Any, position: Position, scores: Scores) -> int:
    """Who has more than all others at the end, or nobody."""
    rules.scores(game, position, scores)
    best = int(scores.argmax())
    for seat in range(scores.shape[0]):
        if seat != best and scores[seat] == scores[best]:
            return NONE
    return best


@jit
def train(
    hash: Any,
    game: Any,
    models: Models,
    rates: Rates,
    study: Study,
    wins: NDArray[np.int64],
    count: int,
    random: Random,
) -> int:
    """Play some games, learn from each, and count who wins; returns the sweeps."""
    sweeps = 0
    for _ in range(count):
        play_and_count(hash, game, models, rates, study, random)
        winner = winner_of(game, study.positions[1], study.scores)
        if winner != NONE:
            wins[winner] += 1
        for seat in range(study.last.shape[0]):
            sweeps += iterate_values(models, rates, seat)
    return sweeps


@jit
def play_and_count(
    hash: Any, game: Any, models: Models, rates: Rates, study: Study, random: Random
) -> None:
    """Play a game and count the transitions of every seat.

    A game that is won leads all seats to the winner's bucket; one that nobody has won
    ends where its board belongs, for the last who moved.
    """
    positions, last = study.positions, study.last
    buckets = models.values.shape[1]
    positions[1] = positions[0]
    position = positions[1]
    last[:] = NONE
    while not rules.is_over(game, position):
        seat = int(rules.turn(game, position))
        if uniform(random) < rates.exploration:
            move = rules.random_move(game, position, study.moves, random)
        else:
            move = best_move(hash, game, models, seat, study, random)
        rules.play(game, position, move)
        bucket = bucket_of(hash, game, position, study.scores, buckets)
        for other in range(last.shape[0]):
            if (other == seat or bucket < last.shape[0]) and last[other] != NONE:
                add_transition(models, other, last[other], bucket)
        last[seat] = bucket


@jit
def best_move(hash: Any, game: Any, models: Models, seat: int, study: Study, random: Random) -> int:
    """The move to the bucket of the highest value; of equals, any."""
    positions, moves = study.positions, study.moves
    buckets = models.values.shape[1]
    best, equals, chosen = -np.inf, 0, NONE
    for i in range(rules.distinct_moves(game, positions[1], moves)):
        positions[2] = positions[1]
        rules.play(game, positions[2], moves[i])
        bucket = bucket_of(hash, game, positions[2], study.scores, buckets)
        value = value_of(models, seat, bucket)
        if value > best:
            best, equals, chosen = value, 1, int(moves[i])
        elif value == best:
            equals += 1
            if below(random, equals) == 0:
                chosen = int(moves[i])
    return chosen


# --- the player -------------------------------------------------------------------


class MarkovPlayer(NamedTuple):
    """Takes the board in the bucket of the highest value."""

    hash: Any
    models: Models

    def memory(self, game: Any) -> Study:
        """Room to look at what can follow."""
        return new_study(game)


@choose.implement(MarkovPlayer)
def _choose_by_buckets(
    player: MarkovPlayer, game: Any, position: Position, memory: Study, random: Random
) -> int:
    memory.positions[1] = position
    seat = int(rules.turn(game, position))
    return best_move(player.hash, game, player.models, seat, memory, random)
