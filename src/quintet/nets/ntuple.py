"""n-tuple networks: what a position is worth, as the sum of entries of tables.

Each tuple of cells (tuples.py) is a number in base seats + 1: 0 for an empty cell, 1
for a stone of the seat to move, 2 for one of the next seat, and so on.  That number is
an index into the tuple's table; the sum of all entries, squeezed to the range from 0 to
1, is what a seat may expect.  Images of a tuple under the board's symmetries read the
same table, so the value of a position is that of its images.

Where two seats share what there is, one sum tells both values; else each seat has its
own.  (Bledsoe and Browning 1959; for games Lucas 2008, Szubert and Jaskowski 2014.)
"""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.nets.tuples import MOST_ENTRIES, Orbit, orbits
from quintet.randomness import Random
from quintet.rules import Cells, Position
from quintet.search.evaluation import Desk, Values, evaluate

Weights = NDArray[np.float32]  # [part, entry, output]
Indices = NDArray[np.int32]  # for each look-up, the entry that it reads

_FARTHEST = 30.0  # beyond, a sum is as good as certain


class Network(NamedTuple):
    """Who reads what.  Look-up l is one tuple; its table may serve others too."""

    starts: Indices  # for each look-up, where its table begins
    readers: NDArray[np.int32]  # for each cell, the look-ups that read it, then
    powers: NDArray[np.int32]  # what a stone there adds to their indices
    reads: NDArray[np.int32]  # how many there are of these
    shape: NDArray[np.int64]  # of the weights: parts, entries, outputs
    stages: int  # a game is divided into so many, by the stones on the board
    own_seats: bool  # the tables depend on the seat to move


def new_network(game: Any, tuples: str, stages: int = 1, own_seats: bool = False) -> Network:
    """The network of the tuples that a text names."""
    layout, limits = game.layout(), game.limits()
    symbols = limits.seats + 1
    shared = orbits(layout, tuples)
    starts: list[int] = []
    readers: list[list[tuple[int, int]]] = [[] for _ in range(layout.cells)]
    entries = 0
    for orbit in shared:
        for cells in orbit.tuples:
            for place, cell in enumerate(cells):
                readers[cell].append((len(starts), symbols**place))
            starts.append(entries)
        entries += symbols**orbit.length
    parts = stages * (limits.seats if own_seats else 1)
    outputs = 1 if shares_all(game) else limits.seats
    most = max(map(len, readers))
    table = np.zeros((2, layout.cells, most), np.int32)
    for cell, found in enumerate(readers):
        table[:, cell, : len(found)] = np.array(found, np.int32).reshape(-1, 2).T
    return Network(
        np.array(starts, np.int32),
        table[0],
        table[1],
        np.array([len(found) for found in readers], np.int32),
        np.array([parts, entries, outputs]),
        stages,
        own_seats,
    )


def too_large(game: Any, tuples: str) -> str | None:
    """Why there is no such network for a game, or None."""
    shared = orbits(game.layout(), tuples)
    if not shared:
        return f"this board has no tuples {tuples}"
    entries = sum(_entries(game, orbit) for orbit in shared)
    if entries > MOST_ENTRIES:
        return f"tuples {tuples} need {entries} entries; expected at most {MOST_ENTRIES}"
    return None


def _entries(game: Any, orbit: Orbit) -> int:
    return int((game.limits().seats + 1) ** orbit.length)


def shares_all(game: Any) -> bool:
    """Do two seats always share the same sum, so that one value tells the other?"""
    limits = game.limits()
    return bool(limits.seats == 2 and limits.total == limits.highest + limits.lowest)


# --- compiled -----------------------------------------------------------------


@jit
def symbol_of(owner: int, viewer: int, seats: int) -> int:
    """How a cell looks to a seat: 0 empty, 1 own, 2 the next seat's, and so on."""
    if owner == 0:
        return 0
    return (int(owner) - 1 - viewer + seats) % seats + 1


@jit
def part_of(network: Network, content: Cells, viewer: int) -> int:
    """Which part of the weights a position needs: by the stage, and the seat to move."""
    seat = viewer if network.own_seats else 0
    if network.stages == 1:
        return seat
    stones = 0
    for owner in content:
        if owner > 0:
            stones += 1
    return seat * network.stages + min(
        stones * network.stages // content.shape[0], network.stages - 1
    )


@jit
def write_indices(
    network: Network, content: Cells, viewer: int, seats: int, indices: Indices
) -> None:
    """Write which entries a board needs, as a seat sees it."""
    indices[:] = network.starts
    for cell in range(content.shape[0]):
        symbol = symbol_of(content[cell], viewer, seats)
        if symbol != 0:
            for i in range(network.reads[cell]):
                indices[network.readers[cell, i]] += symbol * network.powers[cell, i]


@jit
def total(weights: Weights, part: int, indices: Indices, output: int) -> float:
    """The sum of all entries."""
    found = 0.0
    for index in indices:
        found += weights[part, index, output]
    return found


@jit
def squeezed(sum_of_entries: float) -> float:
    """A value from 0 to 1."""
    return 1.0 / (1.0 + exp(-min(max(sum_of_entries, -_FARTHEST), _FARTHEST)))


@jit
def write_values(
    network: Network, weights: Weights, part: int, indices: Indices, viewer: int, out: Values
) -> None:
    """Write each seat's value, from the entries that are needed."""
    seats = out.shape[0]
    for output in range(network.shape[2]):
        out[(viewer + output) % seats] = squeezed(total(weights, part, indices, output))
    if network.shape[2] < seats:
        out[1 - viewer] = 1.0 - out[viewer]


class NTupleValue(NamedTuple):
    """The evaluation that a network gives: for searches."""

    network: Network
    weights: Weights


@evaluate.implement(NTupleValue)
def _evaluate(
    evaluation: NTupleValue, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    network = evaluation.network
    content = np.empty(network.reads.shape[0], np.int8)
    indices = np.empty(network.starts.shape[0], np.int32)
    rules.cells(game, position, content)
    viewer = int(rules.turn(game, position))
    write_indices(network, content, viewer, out.shape[0], indices)
    part = part_of(network, content, viewer)
    write_values(network, evaluation.weights, part, indices, viewer, out)
    return 0
