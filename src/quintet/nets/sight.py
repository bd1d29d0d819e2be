"""What every point sees of the stones around it, kept up to date: product units, fast.

The inputs of the units (product_units.py) around a point are the bits of one word for
each seat.  A unit whose points hold a stone of another seat, or lie off the board, gives
0; else only the number of stones matters.  So a unit costs two or three instructions, and
a stone changes the words of the points around it alone: only those are looked at again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.bits import NONE, Word, bit, count
from quintet.compiled import jit
from quintet.nets.product_units import Network, Units
from quintet.randomness import Random, below, uniform
from quintet.rules import Cells, Moves

NOBODY = -1


class Sight(NamedTuple):
    """The words of all points; places are points of the board with its margin."""

    units: Units
    outputs: NDArray[np.float64]  # what a unit gives, by its number of stones
    places: NDArray[np.int32]  # of the points
    outside: NDArray[np.uint64]  # for each place, what lies off the board
    taken: NDArray[np.uint64]  # for each place, all stones
    seen: NDArray[np.uint64]  # for each seat and place, its stones
    owners: Cells  # of the points
    stale: NDArray[np.bool_]  # for each place, must its value be computed again?
    values: NDArray[np.float64]  # of the points, for `mover`
    mover: NDArray[np.int64]  # one
    now: Cells  # room for the board as it is
    best: Moves


def new_sight(units: Units, rows: int, columns: int, seats: int, empty: float) -> Sight:
    """An empty board."""
    places = np.array(
        [
            (row + units.margin) * units.width + column + units.margin
            for row in range(rows)
            for column in range(columns)
        ],
        np.int32,
    )
    size = (rows + 2 * units.margin) * units.width
    sight = Sight(
        units,
        unit_outputs(units, empty),
        places,
        np.zeros(size, Word),
        np.zeros(size, Word),
        np.zeros((seats, size), Word),
        np.zeros(rows * columns, np.int8),
        np.ones(size, np.bool_),
        np.zeros(rows * columns),
        np.full(1, NOBODY),
        np.zeros(rows * columns, np.int8),
        np.zeros(rows * columns, np.int32),
    )
    inside = set(places.tolist())
    for place in inside:
        for number, distance in enumerate(units.reach.tolist()):
            if place + distance not in inside:
                sight.outside[place] |= Word(1 << number)
    return sight


def unit_outputs(units: Units, empty: float) -> NDArray[np.float64]:
    """What each unit gives with so many stones on its points, the others empty."""
    outputs = np.zeros((len(units.sizes), int(units.sizes.max()) + 1))
    for unit, size in enumerate(units.sizes.tolist()):
        product = float(units.factors[unit])
        for stones in range(size, -1, -1):
            outputs[unit, stones] = product
            product *= empty
    return outputs


@jit
def forget(sight: Sight) -> None:
    """No value holds any more: the weights have changed."""
    sight.mover[0] = NOBODY


@jit
def put_stone(sight: Sight, point: int, seat: int) -> None:
    """Place a stone on an empty point."""
    sight.owners[point] = seat + 1
    place = sight.places[point]
    for number in range(sight.units.reach.shape[0]):
        viewer = place - sight.units.reach[number]
        sight.seen[seat, viewer] |= bit(number)
        sight.taken[viewer] |= bit(number)
        sight.stale[viewer] = True


@jit
def lift_stone(sight: Sight, point: int) -> None:
    """Remove a stone."""
    seat = sight.owners[point] - 1
    sight.owners[point] = 0
    place = sight.places[point]
    sight.stale[place] = True
    for number in range(sight.units.reach.shape[0]):
        viewer = place - sight.units.reach[number]
        sight.seen[seat, viewer] &= ~bit(number)
        sight.taken[viewer] &= ~bit(number)
        sight.stale[viewer] = True


@jit
def show(sight: Sight, owners: Cells) -> None:
    """Make the board what it is now."""
    for point in range(owners.shape[0]):
        if owners[point] != sight.owners[point]:
            if sight.owners[point] != 0:
                lift_stone(sight, point)
            if owners[point] != 0:
                put_stone(sight, point, owners[point] - 1)


@jit
def blocked(sight: Sight, place: int, seat: int) -> Word:
    """The inputs that are 0 to a sub-network that looks for the stones of a seat."""
    return sight.outside[place] | (sight.taken[place] & ~sight.seen[seat, place])


@jit
def unit_output(sight: Sight, unit: int, own: Word, no: Word) -> float:
    """What a product unit gives."""
    mask = sight.units.masks[unit]
    if mask & no != NONE:
        return 0.0
    return sight.outputs[unit, count(mask & own)]


@jit
def sub_network(sight: Sight, weights: NDArray[np.float64], place: int, seat: int) -> float:
    """L4: the weighted sum of the units that look for the stones of a seat."""
    own, no = sight.seen[seat, place], blocked(sight, place, seat)
    total = 0.0
    for unit in range(weights.shape[0]):
        mask = sight.units.masks[unit]
        if mask & no == NONE:
            total += weights[unit] * sight.outputs[unit, count(mask & own)]
    return total


@jit
def point_value(sight: Sight, network: Network, place: int, mover: int) -> float:
    """L5: how good an empty point is for the seat to move."""
    seats = network.output.shape[0]
    total = 0.0
    for row in range(seats):
        seat = (mover + row) % seats
        total += network.output[row] * sub_network(sight, network.weights[row], place, seat)
    return total


@jit
def value_points(sight: Sight, network: Network, mover: int) -> None:
    """Write what every empty point is worth to the seat to move."""
    is_new = sight.mover[0] != mover
    sight.mover[0] = mover
    for point in range(sight.owners.shape[0]):
        place = sight.places[point]
        if sight.owners[point] == 0 and (is_new or sight.stale[place]):
            sight.values[point] = point_value(sight, network, place, mover)
        sight.stale[place] = False


@jit
def best_point(sight: Sight, noise: float, random: Random) -> int:
    """The empty point with the highest value, a random one of equals.

    With noise each value is first decreased by a random part of it (papers: 004.2).
    """
    most, found = -np.inf, 0
    for point in range(sight.owners.shape[0]):
        if sight.owners[point] == 0:
            value = sight.values[point]
            if noise > 0.0:
                value -= noise * uniform(random)
            if value > most:
                most, found = value, 0
            if value == most:
                sight.best[found] = point
                found += 1
    return int(sight.best[below(random, found)])
