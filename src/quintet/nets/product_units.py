"""The Go-Moku network of product units (Freisleben, paper 004): geometry and weights apart.

The network looks at one empty point at a time.  Two sub-networks see the 56 points
around it: one with own stones as 1, the other with the opponent's; empty points
are `empty`, all else 0.  A product unit multiplies its inputs.

- L2: twenty **star** units, one for each line of five through the point;
- L3: twenty-four **pattern** units, each over the points of three or four crossing
  lines, times a factor for the number of points;
- L4: the weighted sum of star and pattern units;
- L5: attack times the own sum plus defence times the opponent's.

Figure 4 of the paper is lost; the patterns are a reconstruction (papers: 004.2).
So they are data: `Geometry` can hold others, and `Weights` are what a learner
changes.  Stars fit any k, patterns only five.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.compiled import jit
from quintet.rules import Cells

OFF_BOARD = -1
FIVE = 5

Place = tuple[int, int]  # right and down from the point that is looked at
Shape = frozenset[Place]

_DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]
_SYMMETRIES = [
    (1, 0, 0, 1),
    (0, -1, 1, 0),
    (-1, 0, 0, -1),
    (0, 1, -1, 0),
    (-1, 0, 0, 1),
    (1, 0, 0, -1),
    (0, 1, 1, 0),
    (0, -1, -1, 0),
]
_EAST, _NORTH, _NORTH_EAST = (
    frozenset((i * right, i * down) for i in range(1, 5)) for right, down in _DIRECTIONS[:3]
)
BASIC_CHAINS: list[Shape] = [
    frozenset([(2, -1), (2, 0), (2, 1), (2, 2), (2, 3)]),
    frozenset([(-1, 3), (0, 2), (1, 1), (2, 0), (3, -1)]),
    frozenset([(-1, 2), (0, 1), (1, 0), (2, -1), (3, -2)]),
]
BASIC_PATTERNS: list[list[Shape]] = [
    [_EAST, _NORTH_EAST, BASIC_CHAINS[0]],
    [_NORTH, _EAST, BASIC_CHAINS[1], BASIC_CHAINS[2]],
    [_EAST, _NORTH_EAST, BASIC_CHAINS[0], BASIC_CHAINS[1]],
]


class Geometry(NamedTuple):
    """Which points each unit looks at, on a board with a margin."""

    margin: int  # points around the board
    width: int  # of the board with its margin
    star: NDArray[np.int32]  # for each unit, the distances of its points
    patterns: NDArray[np.int32]  # the same, in the rows' first `sizes`
    sizes: NDArray[np.int32]
    factors: NDArray[np.float64]  # of the pattern units


class Weights(NamedTuple):
    """What the units count; row 0 for the own stones, row 1 for the opponent's."""

    star: NDArray[np.float64]
    patterns: NDArray[np.float64]  # those that the paper trains
    output: NDArray[np.float64]  # attack and defence
    empty: NDArray[np.float64]  # one: the code of an empty point


def star_shapes(k: int) -> list[Shape]:
    """The lines of k through a point, without it."""
    return [
        frozenset((i * right, i * down) for i in range(first, first + k) if i)
        for right, down in _DIRECTIONS
        for first in range(1 - k, 1)
    ]


def is_diagonal(shape: Shape) -> bool:
    """Does a line go right and down at once?"""
    return all(right and down for right, down in shape)


def copies(pattern: list[Shape]) -> list[frozenset[Shape]]:
    """A pattern in all its orientations."""
    turned = {
        frozenset(frozenset((a * x + b * y, c * x + d * y) for x, y in shape) for shape in pattern)
        for a, b, c, d in _SYMMETRIES
    }
    return sorted(turned, key=lambda found: sorted(sorted(shape) for shape in found))


def pattern_shapes() -> list[Shape]:
    """The points of the 24 patterns."""
    found = [copy for pattern in BASIC_PATTERNS for copy in copies(pattern)]
    return [frozenset().union(*shapes) for shapes in found]


def new_geometry(columns: int, k: int = FIVE, patterns: bool = True) -> Geometry:
    """The units for a board of so many columns."""
    margin = k - 1
    width = columns + 2 * margin
    shapes = pattern_shapes() if patterns else []
    sizes = [len(shape) for shape in shapes]
    table = np.zeros((len(shapes), max(sizes, default=0)), np.int32)
    for row, shape in zip(table, shapes, strict=True):
        row[: len(shape)] = _distances(shape, width)
    star = np.array([_distances(shape, width) for shape in star_shapes(k)], np.int32)
    # factor 2^(n-4) for n points: calibrated (papers: 004.2)
    factors = np.array([2.0 ** (size - 4) for size in sizes])
    return Geometry(margin, width, star, table, np.array(sizes, np.int32), factors)


def _distances(shape: Shape, width: int) -> list[int]:
    return sorted(down * width + right for right, down in shape)


def hardnet_weights(k: int = FIVE, defence: float = 0.9, empty: float = 0.25) -> Weights:
    """Star units only, all alike."""
    return Weights(
        np.ones((2, 4 * k)), np.zeros((2, 0)), np.array([1.0, defence]), np.array([empty])
    )


def untrained_weights(
    chance: np.random.Generator, defence: float = 0.6, empty: float = 0.25
) -> Weights:
    """Stars with the square root of 2 on diagonals; patterns from 0 to 0.05, at random."""
    star = [math.sqrt(2) if is_diagonal(shape) else 1.0 for shape in star_shapes(FIVE)]
    patterns = chance.uniform(0.0, 0.05, (2, len(pattern_shapes())))
    return Weights(np.array([star, star]), patterns, np.array([1.0, defence]), np.array([empty]))


def new_board(geometry: Geometry, rows: int) -> Cells:
    """Room for a board with its margin."""
    return np.full((rows + 2 * geometry.margin) * geometry.width, OFF_BOARD, np.int8)


@jit
def fill_board(geometry: Geometry, owners: Cells, board: Cells) -> None:
    """Write the owners of the points into the board inside its margin."""
    columns = geometry.width - 2 * geometry.margin
    for point in range(owners.shape[0]):
        board[place_of(geometry, point, columns)] = owners[point]


@jit
def place_of(geometry: Geometry, point: int, columns: int) -> int:
    """Where a point is on the board with its margin."""
    row, column = point // columns, point % columns
    return (row + geometry.margin) * geometry.width + column + geometry.margin


@jit
def product(
    board: Cells, place: int, distances: NDArray[np.int32], viewer: int, empty: float
) -> float:
    """What a product unit gives: 0 as soon as one of its points is not the viewer's or empty."""
    value = 1.0
    for distance in distances:
        owner = board[place + distance]
        if owner == 0:
            value *= empty
        elif owner != viewer + 1:
            return 0.0
    return value


@jit
def pattern_output(
    geometry: Geometry, weights: Weights, board: Cells, place: int, unit: int, viewer: int
) -> float:
    """What a unit of L3 gives."""
    points = geometry.patterns[unit, : geometry.sizes[unit]]
    return geometry.factors[unit] * product(board, place, points, viewer, weights.empty[0])


@jit
def sub_network(
    geometry: Geometry, weights: Weights, board: Cells, place: int, viewer: int, part: int
) -> float:
    """L4: what the own (part 0) or the opponent's (part 1) sub-network gives."""
    total = 0.0
    for unit in range(geometry.star.shape[0]):
        value = product(board, place, geometry.star[unit], viewer, weights.empty[0])
        total += weights.star[part, unit] * value
    for unit in range(geometry.patterns.shape[0]):
        value = pattern_output(geometry, weights, board, place, unit, viewer)
        total += weights.patterns[part, unit] * value
    return total


@jit
def point_value(geometry: Geometry, weights: Weights, board: Cells, place: int, seat: int) -> float:
    """L5: how good an empty point is for a seat of two."""
    own = sub_network(geometry, weights, board, place, seat, 0)
    other = sub_network(geometry, weights, board, place, 1 - seat, 1)
    return weights.output[0] * own + weights.output[1] * other
