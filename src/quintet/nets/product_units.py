"""The Go-Moku network of product units (Freisleben, paper 004): geometry and weights apart.

The network looks at one empty point at a time.  A sub-network for each seat sees the
56 points around it, with that seat's stones as 1; empty points are `empty`, all else
0.  A product unit multiplies its inputs.

- L2: twenty **star** units, one for each line of five through the point, and twenty
  **chains**, lines of five that pass it by;
- L3: twenty-four **pattern** units, each over the points of three or four crossing
  lines, times a factor for the number of points;
- L4: the weighted sum of star and pattern units (and of the chains, if a learner wishes);
- L5: attack times the own sum plus defence times those of the others.

Figure 4 of the paper is lost; the patterns are a reconstruction (papers: 004.2).
So they are data: `Units` can hold others, and a `Network` is what a learner changes.
Stars fit any k, chains and patterns only five.  What the units give is in sight.py.
"""

from __future__ import annotations

import enum
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.bits import Word

FIVE = 5
MOST_INPUTS = 64

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


class Kind(enum.IntEnum):
    """Which units a sub-network has."""

    STAR = 0  # the paper's simplified network, and Hardnet
    PAPER = 1  # stars and patterns
    ALL = 2  # and chains


class Units(NamedTuple):
    """Which points each unit looks at, as bits of a word, on a board with a margin."""

    margin: int  # points around the board
    width: int  # of the board with its margin
    reach: NDArray[np.int32]  # how far each input is on that board
    masks: NDArray[np.uint64]  # the inputs of each unit
    sizes: NDArray[np.int64]  # how many these are
    factors: NDArray[np.float64]


class Network(NamedTuple):
    """What the units count.  Row 0 is for the mover's stones, row 1 for the next seat's, ..."""

    weights: NDArray[np.float64]  # for each unit
    output: NDArray[np.float64]  # attack, and defence against each other seat
    empty: float  # the code of an empty point


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


def chain_shapes() -> list[Shape]:
    """The points of the 20 lines that pass a point by."""
    return [shape for chain in BASIC_CHAINS for copy in copies([chain]) for shape in copy]


def shapes_of(kind: Kind, k: int = FIVE) -> list[Shape]:
    """The points of all units: stars, then chains, then patterns."""
    chains = chain_shapes() if kind == Kind.ALL else []
    patterns = [] if kind == Kind.STAR else pattern_shapes()
    return star_shapes(k) + chains + patterns


def new_units(columns: int, kind: Kind, k: int = FIVE) -> Units:
    """The units for a board of so many columns."""
    width = columns + 2 * (k - 1)
    shapes = shapes_of(kind, k)
    inputs = sorted(frozenset().union(*shapes))
    if len(inputs) > MOST_INPUTS:
        raise ValueError(f"{len(inputs)} inputs do not fit into a word")
    places = {place: number for number, place in enumerate(inputs)}
    masks = [sum(1 << places[place] for place in shape) for shape in shapes]
    sizes = [len(shape) for shape in shapes]
    # factor 2^(n-4) for n points: calibrated (papers: 004.2); none for lines
    factors = [2.0 ** (size - 4) if size > k else 1.0 for size in sizes]
    return Units(
        k - 1,
        width,
        np.array([down * width + right for right, down in inputs], np.int32),
        np.array(masks, Word),
        np.array(sizes, np.int64),
        np.array(factors),
    )


def kind_of(units: int, k: int = FIVE) -> Kind:
    """The kind of a network with so many units."""
    return next(kind for kind in Kind if len(shapes_of(kind, k)) == units)


def star_weights() -> NDArray[np.float64]:
    """The paper's: the square root of 2 on diagonals, else 1."""
    return np.array([math.sqrt(2) if is_diagonal(shape) else 1.0 for shape in star_shapes(FIVE)])


def hardnet(seats: int = 2, k: int = FIVE, defence: float = 0.9, empty: float = 0.25) -> Network:
    """Star units only, all alike."""
    return Network(np.ones((seats, 4 * k)), output_weights(seats, defence), empty)


def output_weights(seats: int, defence: float) -> NDArray[np.float64]:
    """Attack is 1."""
    return np.array([1.0] + [defence] * (seats - 1))


def untrained(
    chance: np.random.Generator,
    seats: int = 2,
    *,
    simplified: bool = False,
    defence: float = 0.6,
    empty: float = 0.25,
    highest: float = 0.05,
) -> Network:
    """Fixed stars and random patterns; or, simplified, random stars alone."""
    if simplified:
        weights = chance.uniform(0.0, highest, (seats, 4 * FIVE))
    else:
        star = np.tile(star_weights(), (seats, 1))
        patterns = chance.uniform(0.0, highest, (seats, len(pattern_shapes())))
        weights = np.hstack([star, patterns])
    return Network(weights, output_weights(seats, defence), empty)


def kinds_of_units(kind: Kind = Kind.ALL) -> NDArray[np.int64]:
    """Which units are turned or mirrored copies of each other: a number for each unit."""
    first = [copies([shape])[0] for shape in shapes_of(kind)]
    distinct = list(dict.fromkeys(first))
    return np.array([distinct.index(shape) for shape in first])
