"""Temporal differences with an n-tuple network, by self-play, for any game of cells.

The network (nets/ntuple.py) values **afterstates**: positions after a move.  All seats
play the move whose afterstate is worth most to them, or at times a random one.  When a
game is over, its afterstates are moved, from the last to the first, towards what came
after: TD(lambda) in its forward view.  Where the next move was a random one, what came
after is what the best move promised (as Watkins does for Q-learning).

Step sizes are the same for all entries and shrink evenly, or, with ``coherent=yes``, each
entry has its own: the share of its changes that point one way (temporal coherence, Beal
and Smith 1999; for n-tuples Bagheri, Thill, Koch and Konen 2015).
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.learn.learner import State, Step
from quintet.nets.ntuple import (
    Indices,
    Network,
    NTupleValue,
    Weights,
    new_network,
    too_large,
)
from quintet.nets.tuples import TUPLES
from quintet.parameters import Between
from quintet.players.ntuple import (
    AfterstateMemory,
    NTuplePlayer,
    best_move,
    keep_values,
    new_afterstates,
)
from quintet.randomness import Random, below, seeded, uniform
from quintet.rules import Positions


class Diary(NamedTuple):
    """A game while it is played: a row for each ply."""

    indices: NDArray[np.int32]  # the entries of the afterstate
    parts: NDArray[np.int64]
    viewers: NDArray[np.int64]  # the seat to move next
    values: NDArray[np.float64]  # of each seat, after the move made
    promised: NDArray[np.float64]  # of each seat, after the best move
    strayed: NDArray[np.bool_]  # the move made was not chosen for its value


class Coherence(NamedTuple):
    """For each entry, the sum of its changes and that of their sizes; no room if not used."""

    sums: Weights
    sizes: Weights


class Habits(NamedTuple):
    """How a step's games are played and learnt from."""

    games: int
    rate: float
    decay: float
    epsilon: float
    opening: int


class NTuple(NamedTuple):
    """TD(lambda) by self-play."""

    tuples: Annotated[str, TUPLES, "the cells that each table looks at"] = (
        "windows(3)+rectangles(2x3)"
    )
    games: Annotated[int, Between(1, 10**9), "of self-play"] = 20000
    batch: Annotated[int, Between(1, 10**6), "games in a step"] = 200
    alpha: Annotated[float, Between(0.0, 100.0), "how far a value moves to its target"] = 3.0
    alpha_end: Annotated[float, Between(0.0, 100.0), "the same, in the last step"] = 3.0
    coherent: Annotated[bool, "each entry has a step size of its own"] = True
    decay: Annotated[
        float, Between(0.0, 1.0), "lambda: how much a target looks at later values"
    ] = 0.6
    epsilon: Annotated[float, Between(0.0, 1.0), "the share of random moves"] = 0.1
    epsilon_end: Annotated[float, Between(0.0, 1.0), "the same, in the last step"] = 0.1
    opening: Annotated[int, Between(0, 1000), "random plies at the start, at most"] = 0
    stages: Annotated[int, Between(1, 60), "of a game, each with tables of its own"] = 1
    own_seats: Annotated[bool, "each seat has tables of its own"] = False

    @staticmethod
    def presets() -> dict[str, str]:
        """What worked."""
        learning = "alpha=10,alpha_end=10,opening=8"
        othello = "lines(4)+corners(3x3)+corners(2x5)+edges"
        return {
            "pentago": f"tuples=lines(5)+turned(5)+quadrants,{learning},games=45000",
            "othello": f"tuples={othello},{learning}",
        }

    @property
    def headline(self) -> tuple[str, ...]:
        """How far values are from what follows, and how long the games are."""
        return ("surprise", "plies")

    @property
    def steps(self) -> int:
        """As many as the games need."""
        return -(-self.games // self.batch)

    def unfit(self, game: Any) -> str | None:
        """Tables must fit into memory."""
        return too_large(game, self.tuples)

    def start(self, game: Any, step: Step) -> State:
        """All positions are worth the same."""
        network, seats = self.network(game), game.limits().seats
        shape = tuple(network.shape)
        # an equal share, before anything is known
        share = 0.0 if seats == 2 else -np.log(seats - 1.0)
        state = {"weights": np.full(shape, share / len(network.starts), np.float32)}
        if self.coherent:
            state["sums"] = np.zeros(shape, np.float32)
            state["sizes"] = np.zeros(shape, np.float32)
        return state

    def step(self, game: Any, state: State, step: Step) -> None:
        """Play a batch of games, and learn from each when it is over."""
        done = (step.number - 1) / max(self.steps - 1, 1)
        habits = Habits(
            min(self.batch, self.games - (step.number - 1) * self.batch),
            self.alpha + (self.alpha_end - self.alpha) * done,
            self.decay,
            self.epsilon + (self.epsilon_end - self.epsilon) * done,
            self.opening,
        )
        network = self.network(game)
        nothing = np.zeros((0, 0, 0), np.float32)
        coherence = Coherence(state.get("sums", nothing), state.get("sizes", nothing))
        surprise, plies = play_and_learn(
            game,
            network,
            state["weights"],
            coherence,
            habits,
            new_afterstates(game, network),
            new_diary(game, network),
            rules.new_positions(game, 2),
            seeded(step.seed()),
        )
        step.tell(surprise=surprise, plies=plies)

    def essence(self, state: State) -> State:
        """What the player needs, as exactly as it matters."""
        return {"weights": state["weights"].astype(np.float16)}

    def player(self, game: Any, state: State) -> NTuplePlayer:
        """Who takes the move that looks best."""
        return NTuplePlayer(self.network(game), state["weights"].astype(np.float32))

    def evaluation(self, game: Any, state: State) -> NTupleValue:
        """What the network makes of a position: for players that look ahead."""
        return NTupleValue(self.network(game), state["weights"].astype(np.float32))

    def network(self, game: Any) -> Network:
        """Which entries a position needs."""
        return new_network(game, self.tuples, self.stages, self.own_seats)


def new_diary(game: Any, network: Network) -> Diary:
    """Room for the longest game."""
    plies, seats = game.limits().plies + 1, game.limits().seats
    return Diary(
        np.zeros((plies, len(network.starts)), np.int32),
        np.zeros(plies, np.int64),
        np.zeros(plies, np.int64),
        np.zeros((plies, seats)),
        np.zeros((plies, seats)),
        np.zeros(plies, np.bool_),
    )


# --- compiled -----------------------------------------------------------------


@jit
def play_and_learn(
    game: Any,
    network: Network,
    weights: Weights,
    coherence: Coherence,
    habits: Habits,
    memory: AfterstateMemory,
    diary: Diary,
    positions: Positions,
    random: Random,
) -> tuple[float, float]:
    """Play games from positions[0] and learn from each.

    Returns how far a value was from its target, squared, on average; and the plies a game had.
    """
    surprise = 0.0
    afterstates = plies = 0
    for _ in range(habits.games):
        played = play_one(game, network, weights, habits, memory, diary, positions, random)
        surprise += learn_from(network, weights, coherence, habits, diary, played)
        plies += played
        afterstates += max(played - 1, 0)
    return surprise / max(afterstates, 1), plies / max(habits.games, 1)


@jit
def play_one(
    game: Any,
    network: Network,
    weights: Weights,
    habits: Habits,
    memory: AfterstateMemory,
    diary: Diary,
    positions: Positions,
    random: Random,
) -> int:
    """Play a game and write its diary; returns its plies, without those of the opening."""
    position = positions[1]
    begin_game(game, habits, memory, positions, random)
    ply = 0
    while not rules.is_over(game, position):
        move = best_move(game, network, weights, position, memory, random)
        diary.promised[ply] = memory.best_values
        diary.strayed[ply] = uniform(random) < habits.epsilon
        if diary.strayed[ply]:
            move = memory.moves[below(random, memory.counts[0])]
        rules.play(game, position, move)
        keep_values(game, network, weights, position, memory)
        diary.values[ply] = memory.values
        diary.indices[ply] = memory.indices
        diary.parts[ply] = memory.counts[1]
        diary.viewers[ply] = int(rules.turn(game, position))
        ply += 1
    return ply


@jit
def begin_game(
    game: Any, habits: Habits, memory: AfterstateMemory, positions: Positions, random: Random
) -> None:
    """Set up the start, then play a random number of random moves that do not end the game."""
    positions[1] = positions[0]
    wanted = below(random, habits.opening + 1)
    for _ in range(wanted):
        rules.play(game, positions[1], rules.random_move(game, positions[1], memory.moves, random))
        if rules.is_over(game, positions[1]):
            positions[1] = positions[0]


@jit
def learn_from(
    network: Network,
    weights: Weights,
    coherence: Coherence,
    habits: Habits,
    diary: Diary,
    plies: int,
) -> float:
    """Move each afterstate towards its target, the last first; returns the squared distances."""
    seats = diary.values.shape[1]
    surprise = 0.0
    if plies == 0:
        return surprise
    target = diary.values[plies - 1].copy()
    for ply in range(plies - 2, -1, -1):
        for seat in range(seats):
            later = habits.decay * target[seat]
            target[seat] = later + (1.0 - habits.decay) * diary.values[ply + 1, seat]
            if diary.strayed[ply + 1]:
                target[seat] = diary.promised[ply + 1, seat]
        for output in range(network.shape[2]):
            seat = (diary.viewers[ply] + output) % seats
            error = target[seat] - diary.values[ply, seat]
            surprise += error * error / network.shape[2]
            change = habits.rate * error / network.starts.shape[0]
            part, indices = diary.parts[ply], diary.indices[ply]
            if coherence.sums.shape[0] > 0:
                move_coherently(weights, coherence, part, indices, output, change)
            else:
                move_entries(weights, part, indices, output, change)
    return surprise


@jit
def move_entries(weights: Weights, part: int, indices: Indices, output: int, change: float) -> None:
    """Change all entries alike."""
    for index in indices:
        weights[part, index, output] += np.float32(change)


@jit
def move_coherently(
    weights: Weights, coherence: Coherence, part: int, indices: Indices, output: int, change: float
) -> None:
    """Change each entry the more, the more its changes agreed so far."""
    sums, sizes = coherence.sums, coherence.sizes
    for index in indices:
        agreement = 1.0
        if sizes[part, index, output] > 0.0:
            agreement = abs(sums[part, index, output]) / sizes[part, index, output]
        weights[part, index, output] += np.float32(agreement * change)
        sums[part, index, output] += np.float32(change)
        sizes[part, index, output] += np.float32(abs(change))
