"""Networks with one hidden layer over all points: the paper's (000.2).

Inputs are, for each point, an own stone, one of the next seat and one of the seat after
it; where two play, the other's stone switches on both (the double coding).  Outputs are
the points.  The hidden units of a recurrent network see what they gave the last time; it
is activated on its own turns, or, paying **attention**, on everybody's.

A unit's gene: weights from the inputs, colour by colour; from the counters of captured
stones, if it sees them; from a constant input; from each unit's last value, if it is
recurrent; and to the outputs.
"""

from __future__ import annotations

import enum
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.compiled import borrowing
from quintet.lanes import WIDE, Floats, add_scaled, padded, write_logistic, write_weighted
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
from quintet.parameters import Between

CONSTANT = np.float32(0.5)  # the input that is always on (000.2)


class Kind(enum.IntEnum):
    """What a network remembers."""

    FORWARD = 0  # nothing
    RECURRENT = 1  # its own turns
    ATTENTIVE = 2  # everybody's


class Network(NamedTuple):
    """The weights, a row for each source, so that a stone adds one row."""

    start: Floats  # sums of an empty board
    inward: Floats  # by seat and cell
    counters: Floats  # by seat; no rows if it does not see them
    context: Floats  # by unit; no rows if it does not remember
    outward: Floats  # by unit: a row of cells
    parts: NDArray[np.int64]  # of a gene: colours, cells, counters, context


class Perceptron(NamedTuple):
    """One hidden layer over all points."""

    hidden: Annotated[int, Between(1, 1000), "units (000.3: choice)"] = 10
    kind: Annotated[Kind, "what it remembers"] = Kind.FORWARD
    counters: Annotated[bool, "captured stones are inputs (section 7)"] = False

    @property
    def units(self) -> int:
        """How many have a gene."""
        return self.hidden

    @property
    def attentive(self) -> bool:
        """Is it activated on everybody's turn?"""
        return self.kind == Kind.ATTENTIVE

    def with_units(self, units: int) -> Perceptron:
        """The same with more or fewer units."""
        return self._replace(hidden=units)

    def parts(self, game: Any) -> tuple[int, int, int, int]:
        """Colours, cells, counters and remembered units."""
        colours = colours_for(game.limits().seats)
        context = self.hidden if self.kind != Kind.FORWARD else 0
        return colours, game.layout().cells, colours if self.counters else 0, context

    def gene(self, game: Any) -> int:
        """How many weights a unit has."""
        colours, cells, counters, context = self.parts(game)
        return colours * cells + counters + 1 + context + cells

    def without(self, game: Any, neurons: NDArray[Any], unit: int) -> NDArray[Any]:
        """Genes (units first, weights last) without one unit, and without what comes from it."""
        neurons = np.delete(neurons, unit, axis=0)
        place = self._context(game) + unit
        return neurons if self.kind == Kind.FORWARD else np.delete(neurons, place, axis=-1)

    def with_one_more(self, game: Any, neurons: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
        """Genes with those of one unit more; the others do not listen to it yet."""
        if self.kind != Kind.FORWARD:
            neurons = np.insert(neurons, self._context(game) + self.hidden, 0.0, axis=-1)
        return np.concatenate([neurons, new[np.newaxis]]).astype(neurons.dtype)

    def _context(self, game: Any) -> int:
        """Where the weights from other units begin."""
        colours, cells, counters, _ = self.parts(game)
        return colours * cells + counters + 1

    def network(self, game: Any) -> Network:
        """A network without weights."""
        parts = self.parts(game)
        _, cells, counters, context = parts
        seats, width = game.limits().seats, padded(self.hidden)
        return Network(
            np.zeros(width, np.float32),
            np.zeros((seats * cells, width), np.float32),
            np.zeros((seats if counters else 0, width), np.float32),
            np.zeros((context, width), np.float32),
            np.zeros((self.hidden, padded(cells, WIDE)), np.float32),
            np.array(parts, np.int64),
        )

    def trace(self, game: Any) -> Trace:
        """Room for a game."""
        return new_trace(padded(self.hidden), self.hidden, game.layout().cells)


@express.implement(Network)
def _express(network: Network, genome: Genome) -> None:
    colours, cells, counters, context = network.parts
    hidden = network.outward.shape[0]
    seats = network.inward.shape[0] // cells
    gene = genome.shape[0] // hidden
    for unit in range(hidden):
        weights = genome[unit * gene : (unit + 1) * gene]
        for seat in range(seats):
            for cell in range(cells):
                network.inward[seat * cells + cell, unit] = seen_as(
                    weights, 0, cells, cell, seat, seats, colours
                )
            if counters > 0:
                network.counters[seat, unit] = seen_as(
                    weights, colours * cells, 1, 0, seat, seats, colours
                )
        place = colours * cells + counters
        network.start[unit] = CONSTANT * weights[place]
        place += 1
        for other in range(context):
            network.context[other, unit] = weights[place + other]
        place += context
        for cell in range(cells):
            network.outward[unit, cell] = weights[place + cell]


@borrowing
def seen_as(
    weights: Floats, first: int, stride: int, cell: int, seat: int, seats: int, colours: int
) -> np.float32:
    """The weight of a seat's input; where two play, the other has all colours but the own."""
    if seats != 2 or seat == 0:
        return weights[first + seat * stride + cell]
    total = np.float32(0.0)
    for colour in range(1, colours):
        total += weights[first + colour * stride + cell]
    return total


@clear.implement(Network)
@borrowing
def _clear(network: Network, trace: Trace) -> None:
    copy_row(trace.sums, network.start)
    trace.hidden[:] = np.float32(0.0)


@add_stone.implement(Network)
@borrowing
def _add_stone(network: Network, trace: Trace, relative: int, cell: int, sign: np.float32) -> None:
    add_scaled(trace.sums, 0, network.inward[relative * network.parts[1] + cell], sign)


@activate.implement(Network)
@borrowing
def _activate(network: Network, trace: Trace, shares: Floats) -> None:
    total, hidden = trace.before, trace.hidden
    copy_row(total, trace.sums)
    for seat in range(network.counters.shape[0]):
        add_scaled(total, 0, network.counters[seat], shares[seat])
    for other in range(network.context.shape[0]):
        add_scaled(total, 0, network.context[other], hidden[other])
    write_logistic(hidden, total)


@write_outputs.implement(Network)
@borrowing
def _write_outputs(network: Network, trace: Trace) -> None:
    # without the last sigmoid, which would not change their order
    write_weighted(trace.outputs, trace.hidden, network.outward)
