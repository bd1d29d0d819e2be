"""Descent for any number of seats: a network learns the values that best-first search finds.

Cohen-Solal 2020 (paper 002, 3.3): before each move some iterations go from the root to the
end of a game, along the best moves known.  All positions that were looked into are worth
learning, with the values that came back to them, not only those that were played; here a
share of them, as training on all would take most of the time.  The search keeps what it
knows for the whole game.  Moves are chosen by their rank: at first nearly at random, at the
end of the run the best ones.

As in `alphazero`, another thread trains while games are played.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import borrowing, jit
from quintet.learn import training
from quintet.learn.learner import State, Step
from quintet.learn.replay import Batch, write_planes
from quintet.nets.residual import (
    BLUEPRINT,
    Floats,
    Head,
    Residual,
    Sizes,
    Tower,
    look,
    sizes_for,
    tower,
)
from quintet.parameters import Between
from quintet.players.descent import Descent as DescentPlayer
from quintet.randomness import Random, seeded
from quintet.rules import Position, Positions
from quintet.search.descent import (
    NONE,
    Graph,
    best_edge,
    clear,
    go_to,
    has_room,
    iterate,
    new_graph,
    ordinal_edge,
)
from quintet.symmetry import Symmetries, symmetries

_LINEAR = Residual(head=Head.LINEAR)


class Samples(NamedTuple):
    """Positions as a network sees them, and what each seat may expect, in its own order."""

    planes: Floats
    values: Floats
    results: NDArray[np.float64]  # room for one, and the scores of the last game
    counts: NDArray[np.int64]  # how many there are, and the plies of the games


class Descent(NamedTuple):
    """Best-first search to the end of the game, learnt from as a whole."""

    net: Annotated[Any, BLUEPRINT, "the network; head=linear"] = _LINEAR
    steps: Annotated[int, Between(1, 10**7), "of the run"] = 200
    games: Annotated[int, Between(1, 10**5), "of each worker in a step"] = 1
    sims: Annotated[int, Between(1, 10**6), "iterations a move"] = 1
    share: Annotated[float, Between(1e-6, 1), "of the positions looked into that are kept"] = 0.1
    places: Annotated[int, Between(1000, 10**8), "children known in a game, at most"] = 400_000
    window: Annotated[int, Between(1, 10**8), "positions that are learnt from"] = 20_000
    batch: Annotated[int, Between(2, 10**5), "positions learnt from at once"] = 128
    passes: Annotated[float, Between(0, 1000), "how often a position is learnt from"] = 4.0
    rate: Annotated[float, Between(0, 10), "of learning, at first"] = 1e-3
    rate_end: Annotated[float, Between(0, 10), "and at the end"] = 1e-4
    decay: Annotated[float, Between(0, 10), "of the weights"] = 1e-4
    average: Annotated[float, Between(0, 1), "how slowly the playing network follows"] = 0.99
    turned: Annotated[bool, "learn all symmetries of the board"] = True
    workers: Annotated[int, Between(1, 64), "threads that play"] = 2
    play_sims: Annotated[int, Between(1, 10**6), "iterations a move of its player"] = 50
    device: Annotated[str, training.DEVICE, "where the network is trained"] = "cpu"

    @staticmethod
    def presets() -> dict[str, str]:
        """The network and the rates of paper 002, Table 2; and a small one."""
        return {
            "small": "net=residual(blocks=1,filters=16,hidden=32,head=linear),games=8,share=0.3",
            "paper": "net=residual(blocks=8,filters=128,head=linear,relative=no),rate=0.0001,"
            "rate_end=0.0001,batch=128,window=200000,share=0.04",
        }

    @property
    def packages(self) -> tuple[str, ...]:
        """On which the exact bits depend, besides those of all learners."""
        return ("torch",)

    @property
    def headline(self) -> tuple[str, ...]:
        """How far values are from those that came back, and how long the games are."""
        return ("value", "plies")

    def problem(self) -> str | None:
        """Values are learnt as they are."""
        return None if self.net.head == Head.LINEAR else "descent needs net=residual(head=linear)"

    def unfit(self, game: Any) -> str | None:
        """Why a network cannot play it."""
        return None  # the network tells itself

    def start(self, game: Any, step: Step) -> State:
        """A network that knows nothing."""
        sizes = sizes_for(self.net, game)
        state = training.begin(sizes, step.chance)
        shape = (0, sizes.planes, sizes.rows, sizes.columns)
        state["samples.planes"] = np.zeros(shape, np.float16)
        state["samples.values"] = np.zeros((0, sizes.seats), np.float32)
        state["owed"] = np.zeros(1)  # positions still to be learnt from
        return state

    def step(self, game: Any, state: State, step: Step) -> None:
        """Play and train at the same time, each on what was there before."""
        sizes, seed = sizes_for(self.net, game), step.seed()
        network = self.evaluation(game, state)
        certainty = (step.number - 1) / max(self.steps - 1, 1)
        with ThreadPoolExecutor(self.workers + 1) as pool:
            playing = [
                pool.submit(self._play, game, network, certainty, seeded(seed, number))
                for number in range(self.workers)
            ]
            learning = pool.submit(self._train, game, sizes, state, step)
            found = [future.result() for future in playing]
            told = learning.result()
        for name, parts in (
            ("planes", [samples.planes[: samples.counts[0]] for samples in found]),
            ("values", [samples.values[: samples.counts[0]] for samples in found]),
        ):
            kept = state[f"samples.{name}"]
            whole = np.concatenate((kept, *(part.astype(kept.dtype) for part in parts)))
            state[f"samples.{name}"] = whole[-self.window :]
        new = sum(int(samples.counts[0]) for samples in found)
        state["owed"] += new * self.passes
        plies = sum(int(samples.counts[1]) for samples in found) / (self.workers * self.games)
        step.tell(positions=float(new), plies=plies)
        if told is not None:
            step.tell(value=told[1])

    def player(self, game: Any, state: State) -> DescentPlayer:
        """Who searches, best moves first, with what was learnt."""
        return DescentPlayer(self.evaluation(game, state), self.play_sims)

    def evaluation(self, game: Any, state: State) -> Tower:
        """The network."""
        return tower(sizes_for(self.net, game), training.named(state, "play"), game)

    def _play(self, game: Any, network: Tower, certainty: float, random: Random) -> Samples:
        """Games of one worker."""
        sizes, limits = network.sizes, game.limits()
        deep = self.sims * limits.plies  # nodes expanded before a move
        keeps = int(min(2 * self.share * deep * limits.plies + 100, 10_000))
        room = keeps * self.games
        samples = Samples(
            np.zeros((room, sizes.planes, sizes.rows, sizes.columns), np.float32),
            np.zeros((room, limits.seats), np.float32),
            np.zeros(limits.seats),
            np.zeros(2, np.int64),
        )
        graph = new_graph(game, self.places, keeps)
        graph.work["share"] = self.share
        positions = rules.new_positions(game, 2)
        play_games(
            network,
            game,
            graph,
            positions,
            samples,
            random,
            self.games,
            self.sims,
            float(certainty),
        )
        return samples

    def _train(self, game: Any, sizes: Sizes, state: State, step: Step) -> Any:
        """Learn from so many positions as are owed; returns the mean losses, if any."""
        planes, values = state["samples.planes"], state["samples.values"]
        changes = int(state["owed"][0] // self.batch)
        if not changes or len(planes) < self.batch:
            return None
        state["owed"] -= changes * self.batch
        chance = np.random.default_rng([step.number, int(state["changes"][0]), len(planes)])
        ways = symmetries(game)

        def batch() -> Batch:
            picks = chance.integers(len(planes), size=self.batch)
            shown = planes[picks].astype(np.float32)
            turns = chance.integers(len(ways.cells) if self.turned else 1, size=self.batch)
            turn_planes(shown, ways, turns)
            nothing = np.zeros((self.batch, sizes.moves), np.float32)  # it has no policy
            areas = np.zeros((self.batch, sizes.rows * sizes.columns), np.int64)
            return Batch(shown, nothing, values[picks], areas)

        done = (step.number - 1) / max(self.steps - 1, 1)
        rate = training.fading(self.rate, self.rate_end, done)
        plan = training.Plan(rate, float(self.decay), True, float(self.average), self.device)
        return training.train(sizes, state, batch, changes, plan)


# --- compiled -----------------------------------------------------------------


@jit
def play_games(
    network: Tower,
    game: Any,
    graph: Graph,
    positions: Positions,
    samples: Samples,
    random: Random,
    games: int,
    sims: int,
    certainty: float,
) -> None:
    """Play games from positions[0], and keep what is to be learnt."""
    for _ in range(games):
        position = positions[1]
        positions[1] = positions[0]
        clear(game, graph, position)
        while not rules.is_over(game, position):
            for _ in range(sims):
                root = graph.work[0].root
                if graph.nodes[root].solved:
                    break
                iterate(network, game, graph, random, True)
            if graph.nodes[graph.work[0].root].count == 0:  # nothing can be added: begin anew
                harvest(network, game, graph, samples)
                clear(game, graph, position)
                continue
            edge = ordinal_edge(graph, certainty, random)
            child = int(graph.edges[edge].child)
            rules.play(game, position, int(graph.edges[edge].move))
            samples.counts[1] += 1
            if not has_room(graph):
                harvest(network, game, graph, samples)
                clear(game, graph, position)
            elif not rules.is_over(game, position):
                go_on(game, graph, position, child)
        harvest(network, game, graph, samples)


@borrowing
def go_on(game: Any, graph: Graph, position: Position, child: int) -> None:
    """Make the position after a move the root, whose node may be known."""
    if child == NONE:
        go_to(game, graph, position)
    else:
        graph.positions[0] = position
        graph.work[0].root = child


@borrowing
def harvest(network: Tower, game: Any, graph: Graph, samples: Samples) -> None:
    """Write the positions that were kept, and what came back to them."""
    sizes, seats = network.sizes, samples.results.shape[0]
    for i in range(graph.work[0].kept):
        row = samples.counts[0]
        if row == samples.planes.shape[0]:
            break
        look(game, sizes, graph.kept[i], samples.planes[row])
        edge = best_edge(graph, graph.kept_nodes[i], False)
        viewer = int(rules.turn(game, graph.kept[i])) if sizes.relative else 0
        for seat in range(seats):
            samples.values[row, (seat - viewer) % seats] = graph.edges[edge].values[seat]
        samples.counts[0] += 1
    graph.work[0].kept = 0


@jit
def turn_planes(planes: Floats, ways: Symmetries, turns: NDArray[np.int64]) -> None:
    """Show each position under one of the symmetries."""
    before = np.empty_like(planes[0])
    for row in range(planes.shape[0]):
        before[:] = planes[row]
        write_planes(before, ways.cells[turns[row]], planes[row])
