"""Networks whose weights are one row of numbers: what evolution changes.

A **genome** is a row of float32.  `express` writes it into the arrays of a network, laid
out as the network needs them.  A **blueprint** is a NamedTuple of parameters that gives
networks for a game: its units are alike, and each has a **gene**, as many numbers as any
other; the genes of all units, one after the other, are the genome.

A network of points looks at stones.  It keeps **sums**, to which every stone adds its
part and from which a captured stone takes it away again, so that a move costs what it
changes; whose stone it is, is told by the seat's distance from the viewer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.compiled import borrowing, generic
from quintet.lanes import WIDE, Floats, padded

Genome = NDArray[np.float32]

THREE = 3  # colours that a network tells apart at least (000.2)


class Trace(NamedTuple):
    """What a network keeps during a game."""

    sums: Floats  # of the stones on the board
    hidden: Floats  # what the units gave last
    before: Floats  # and the time before
    outputs: Floats  # a number for each point, and padding
    penalties: Floats  # where there is no empty point, infinite


@generic
def express(thing: Any, genome: Genome) -> None:
    """Write a genome into the weights of a network, or of a player that has one."""


@express.default
def _has_no_weights(thing: Any, genome: Genome) -> None:
    pass


@generic
def clear(network: Any, trace: Trace) -> None:
    """An empty board, and no past."""


@generic
def add_stone(network: Any, trace: Trace, relative: int, cell: int, sign: np.float32) -> None:
    """A stone of the seat so far behind the viewer appears (sign 1) or goes (sign -1)."""


@generic
def activate(network: Any, trace: Trace, shares: Floats) -> None:
    """Take one step in time: the units look at the sums, and at what each seat has captured."""


@generic
def write_outputs(network: Any, trace: Trace) -> None:
    """Write what the network thinks of each empty point, from its units."""


@borrowing
def copy_row(target: Floats, source: Floats) -> None:
    """As a loop, which needs no room in between."""
    for i in range(source.shape[0]):
        target[i] = source[i]


def new_trace(sums: int, units: int, cells: int) -> Trace:
    """Room for so many sums, units and points."""
    row = np.zeros(padded(units), np.float32)
    outputs = np.zeros(padded(cells, WIDE), np.float32)
    penalties = np.where(np.arange(len(outputs)) < cells, 0.0, np.inf).astype(np.float32)
    return Trace(np.zeros(sums, np.float32), row, row.copy(), outputs, penalties)


def colours_for(seats: int) -> int:
    """How many kinds of stones a network tells apart: three, also where two play (000.2)."""
    return max(THREE, seats)
