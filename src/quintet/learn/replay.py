"""The latest games of self-play, as moves and policies: positions are played anew to learn from.

That is quick, and takes a tenth of the room that their planes would.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.learn.learner import State
from quintet.learn.self_play import PlayedOut
from quintet.nets.residual import Floats, Head, Sizes, look, scale_of
from quintet.rules import Positions
from quintet.symmetry import Symmetries, symmetries

_FIELDS = ("moves", "policies", "marks", "lengths")


class Batch(NamedTuple):
    """Positions to learn from: what is seen, and what a network should say."""

    planes: Floats
    policies: Floats
    scores: Floats  # in the order in which the network sees the seats
    areas: NDArray[np.int64]


def empty(game: Any) -> State:
    """No games."""
    return {
        "games.moves": np.zeros(0, np.int32),
        "games.policies": np.zeros((0, game.limits().moves), np.uint8),
        "games.marks": np.zeros(0, np.bool_),
        "games.lengths": np.zeros(0, np.int64),
    }


def add(state: State, games: list[PlayedOut], window: int) -> int:
    """Add games, and forget the oldest above so many plies; returns the new positions."""
    if not games:
        return 0
    lengths = [len(game.moves) for game in games]
    state["games.lengths"] = np.concatenate((state["games.lengths"], lengths))
    for name in _FIELDS[:3]:
        parts = [getattr(game, name) for game in games]
        state[f"games.{name}"] = np.concatenate((state[f"games.{name}"], *parts))
    _forget(state, window)
    return sum(int(game.marks.sum()) for game in games)


def _forget(state: State, window: int) -> None:
    ends = np.cumsum(state["games.lengths"])
    gone = min(int(np.searchsorted(ends, ends[-1] - window)) + 1, len(ends) - 1)
    if ends[-1] > window and gone:
        plies = int(ends[gone - 1])
        state["games.lengths"] = state["games.lengths"][gone:]
        for name in _FIELDS[:3]:
            state[f"games.{name}"] = state[f"games.{name}"][plies:]


class Shelf:
    """The games as they are now; draws batches from them."""

    def __init__(self, game: Any, sizes: Sizes, state: State, *, turned: bool) -> None:
        """`turned`: each position is shown under any symmetry of the board."""
        self.game, self.sizes = game, sizes
        self._moves, self._policies = state["games.moves"], state["games.policies"]
        lengths = state["games.lengths"]
        self._lengths = lengths
        self._starts = np.cumsum(lengths) - lengths
        self._marked = np.flatnonzero(state["games.marks"])
        self._symmetries = symmetries(game)
        self._turned, self._scale = turned, scale_of(game)
        self._positions = rules.new_positions(game, 2)

    def __len__(self) -> int:
        """How many positions there are to learn from."""
        return len(self._marked)

    def batch(self, count: int, chance: np.random.Generator) -> Batch:
        """Any positions, each as likely."""
        picks = self._marked[chance.integers(len(self._marked), size=count)]
        ways = len(self._symmetries.cells) if self._turned else 1
        turns = chance.integers(ways, size=count)
        sizes = self.sizes
        cells = sizes.rows * sizes.columns
        batch = Batch(
            np.zeros((count, sizes.planes, sizes.rows, sizes.columns), np.float32),
            np.zeros((count, sizes.moves), np.float32),
            np.zeros((count, sizes.seats), np.float32),
            np.zeros((count, cells), np.int64),
        )
        games = np.searchsorted(self._starts, picks, "right") - 1
        write_batch(
            self.game,
            sizes,
            self._scale,
            self._symmetries,
            self._moves,
            self._policies,
            self._starts[games],
            self._lengths[games],
            picks,
            turns,
            self._positions,
            batch,
        )
        return batch


# --- compiled -----------------------------------------------------------------


@jit
def write_batch(
    game: Any,
    sizes: Sizes,
    scale: NDArray[np.float64],
    ways: Symmetries,
    moves: NDArray[np.int32],
    policies: NDArray[np.uint8],
    starts: NDArray[np.int64],
    lengths: NDArray[np.int64],
    picks: NDArray[np.int64],
    turns: NDArray[np.int64],
    positions: Positions,
    batch: Batch,
) -> None:
    """Play each game anew: to the position that is shown, then to its end."""
    planes = np.zeros((sizes.seen + sizes.hinted, sizes.rows, sizes.columns), np.float32)
    owners = np.zeros(sizes.rows * sizes.columns, np.int8)
    results = np.zeros(sizes.seats)
    for row in range(picks.shape[0]):
        position = positions[1]
        positions[1] = positions[0]
        viewer = 0
        for ply in range(starts[row], starts[row] + lengths[row]):
            if ply == picks[row]:
                look(game, sizes, position, planes)
                viewer = int(rules.turn(game, position)) if sizes.relative else 0
            rules.play(game, position, moves[ply])
        cells, there = ways.cells[turns[row]], ways.moves[turns[row]]
        write_planes(planes, cells, batch.planes[row])
        write_policy(policies[picks[row]], there, batch.policies[row])
        write_end(game, sizes, scale, position, viewer, cells, owners, results, batch, row)


@jit
def write_planes(planes: Floats, cells: NDArray[np.int32], out: Floats) -> None:
    """Write what is seen under a symmetry."""
    columns = planes.shape[2]
    for cell in range(cells.shape[0]):
        to = cells[cell]
        for plane in range(planes.shape[0]):
            shown = planes[plane, cell // columns, cell % columns]
            out[plane, to // columns, to % columns] = shown


@jit
def write_policy(policy: NDArray[np.uint8], there: NDArray[np.int32], out: Floats) -> None:
    """Write a policy under a symmetry; it sums to 1."""
    total = 0
    for move in range(policy.shape[0]):
        total += policy[move]
    for move in range(policy.shape[0]):
        out[there[move]] = np.float32(policy[move] / max(total, 1))


@jit
def write_end(
    game: Any,
    sizes: Sizes,
    scale: NDArray[np.float64],
    position: Any,
    viewer: int,
    cells: NDArray[np.int32],
    owners: NDArray[np.int8],
    results: NDArray[np.float64],
    batch: Batch,
    row: int,
) -> None:
    """Write how the game ended, as the network sees the seats."""
    seats = results.shape[0]
    if sizes.head in (Head.POINTS, Head.AREAS):
        rules.points(game, position, results)
    else:
        rules.scores(game, position, results)
        for seat in range(seats):
            results[seat] = (results[seat] - scale[seats]) * scale[seats + 1]
    for seat in range(seats):
        batch.scores[row, (seat - viewer) % seats] = results[seat]
    rules.areas(game, position, owners)
    for cell in range(cells.shape[0]):
        owner = int(owners[cell])
        batch.areas[row, cells[cell]] = (owner - 1 - viewer) % seats + 1 if owner > 0 else 0
