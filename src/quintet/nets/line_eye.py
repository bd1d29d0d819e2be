"""The line-eye: every point looks along its lines with the same few units.

From a point the eye sees four points in each of the eight directions: what is there (an
own stone, the next seat's, ..., or the edge) and how far away it is count, and whether
the line is diagonal.  A unit adds this up over all directions at once, over the two
directions of a line, or over one direction; what is above zero counts, and the outputs of
all units are summed.  So one genome plays on a board of any size.

A unit's gene: for straight and then diagonal lines, distance by distance, a weight for
each colour and one for the edge; weights of the counters, if it sees them; a constant;
and the weight of its output.
"""

from __future__ import annotations

import enum
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.compiled import borrowing
from quintet.lanes import Floats, add_scaled, padded, positive_part
from quintet.nets.genomes import (
    Genome,
    Trace,
    activate,
    add_stone,
    clear,
    colours_for,
    copy_row,
    express,
    new_trace,
    write_outputs,
)
from quintet.nets.perceptron import seen_as
from quintet.parameters import Between

DISTANCES = 4
_DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)]
_STRAIGHT_OR_DIAGONAL = 2
_ROWS = _STRAIGHT_OR_DIAGONAL * DISTANCES  # of weights for one colour


class Sight(enum.IntEnum):
    """Over what a unit adds up; the value is how many such sums a point has."""

    POINT = 1
    LINE = 4
    RAY = 8


class Eye(NamedTuple):
    """Geometry and weights.  Sums are ordered by cell, line (or ray), unit."""

    start: Floats  # sums of an empty board
    inward: Floats  # by seat and kind of neighbour
    counters: Floats  # by seat; no rows if it does not see them
    outward: Floats  # of each unit
    sees: NDArray[np.int32]  # for each cell: which sums see it,
    kinds: NDArray[np.int32]  # and as what kind of neighbour
    seers: NDArray[np.int32]  # and how many there are
    edges: NDArray[np.int32]  # for each sum and kind: how often it sees beyond the edge
    parts: NDArray[np.int64]  # of a gene: colours, counters, sums of a point


class LineEye(NamedTuple):
    """Every point looks along its lines with shared weights."""

    units: Annotated[int, Between(1, 1000), "that look from every point"] = 8
    sight: Annotated[Sight, "what a unit sees at once"] = Sight.LINE
    counters: Annotated[bool, "captured stones are inputs"] = False

    @property
    def attentive(self) -> bool:
        """It remembers nothing."""
        return False

    def with_units(self, units: int) -> LineEye:
        """The same with more or fewer units."""
        return self._replace(units=units)

    def parts(self, game: Any) -> tuple[int, int, int]:
        """Colours, counters, and sums of a point."""
        colours = colours_for(game.limits().seats)
        return colours, colours if self.counters else 0, int(self.sight)

    def gene(self, game: Any) -> int:
        """How many weights a unit has."""
        colours, counters, _ = self.parts(game)
        return _ROWS * (colours + 1) + counters + 2

    def without(self, game: Any, neurons: NDArray[Any], unit: int) -> NDArray[Any]:
        """Genes without those of one unit."""
        return np.delete(neurons, unit, axis=0)

    def with_one_more(self, game: Any, neurons: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
        """Genes with those of one unit more."""
        return np.concatenate([neurons, new[np.newaxis]]).astype(neurons.dtype)

    def network(self, game: Any) -> Eye:
        """An eye without weights."""
        layout, seats = game.layout(), game.limits().seats
        parts, width = self.parts(game), padded(self.units)
        sees, kinds, seers, edges = _geometry(layout.rows, layout.columns, int(self.sight), width)
        return Eye(
            np.zeros(len(edges) * width, np.float32),
            np.zeros((seats * _ROWS, width), np.float32),
            np.zeros((seats if self.counters else 0, width), np.float32),
            np.zeros(width, np.float32),
            sees,
            kinds,
            seers,
            edges,
            np.array(parts, np.int64),
        )

    def trace(self, game: Any) -> Trace:
        """Room for a game."""
        cells = game.layout().cells
        return new_trace(cells * int(self.sight) * padded(self.units), self.units, cells)


def _geometry(rows: int, columns: int, sums: int, width: int) -> Any:
    """Which sums see each cell, as what, how many; and how often each sees the edge."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(rows * columns)]
    edges = np.zeros((rows * columns * sums, _ROWS), np.int32)
    for cell in range(rows * columns):
        for direction, (down, right) in enumerate(_DIRECTIONS):
            place = cell * sums + direction % sums
            for distance in range(1, DISTANCES + 1):
                row, column = cell // columns + distance * down, cell % columns + distance * right
                kind = (DISTANCES if down and right else 0) + distance - 1
                if 0 <= row < rows and 0 <= column < columns:
                    found[row * columns + column].append((place * width, kind))
                else:
                    edges[place, kind] += 1
    most = max(map(len, found))
    table = np.zeros((2, rows * columns, max(most, 1)), np.int32)
    for cell, seen in enumerate(found):
        table[:, cell, : len(seen)] = np.array(seen, np.int32).reshape(-1, 2).T
    return table[0], table[1], np.array([len(seen) for seen in found], np.int32), edges


@express.implement(Eye)
def _express(eye: Eye, genome: Genome) -> None:
    colours, counters, _ = eye.parts
    width, seats = eye.outward.shape[0], eye.inward.shape[0] // _ROWS
    gene = _ROWS * (colours + 1) + counters + 2
    for unit in range(genome.shape[0] // gene):
        weights = genome[unit * gene : (unit + 1) * gene]
        for seat in range(seats):
            for kind in range(_ROWS):
                eye.inward[seat * _ROWS + kind, unit] = seen_as(
                    weights, kind * (colours + 1), 1, 0, seat, seats, colours
                )
            if counters > 0:
                eye.counters[seat, unit] = seen_as(
                    weights, _ROWS * (colours + 1), 1, 0, seat, seats, colours
                )
        for place in range(eye.edges.shape[0]):
            total = weights[gene - 2]
            for kind in range(_ROWS):
                total += (
                    np.float32(eye.edges[place, kind]) * weights[kind * (colours + 1) + colours]
                )
            eye.start[place * width + unit] = total
        eye.outward[unit] = weights[gene - 1]


@clear.implement(Eye)
@borrowing
def _clear(eye: Eye, trace: Trace) -> None:
    copy_row(trace.sums, eye.start)


@add_stone.implement(Eye)
@borrowing
def _add_stone(eye: Eye, trace: Trace, relative: int, cell: int, sign: np.float32) -> None:
    for i in range(eye.seers[cell]):
        row = eye.inward[relative * _ROWS + eye.kinds[cell, i]]
        add_scaled(trace.sums, eye.sees[cell, i], row, sign)


@activate.implement(Eye)
@borrowing
def _activate(eye: Eye, trace: Trace, shares: Floats) -> None:
    trace.hidden[:] = np.float32(0.0)
    for seat in range(eye.counters.shape[0]):
        add_scaled(trace.hidden, 0, eye.counters[seat], shares[seat])


@write_outputs.implement(Eye)
@borrowing
def _write_outputs(eye: Eye, trace: Trace) -> None:
    width, lines = eye.outward.shape[0], eye.parts[2]
    for cell in range(eye.seers.shape[0]):
        if trace.penalties[cell] == 0:  # the others may not be played on
            first = cell * lines * width
            trace.outputs[cell] = positive_part(trace.sums, first, lines, trace.hidden, eye.outward)
