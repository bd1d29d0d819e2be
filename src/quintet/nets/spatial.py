"""Networks that look at a board through windows: what a position is worth (001.2).

A **window** is a set of cells, by text as in tuples.py: ``queens+board`` is Lin and
White's layer, ``squares(3)`` that of Chellapilla and Fogel.  The first layer has a node
for each window; two more layers and an output follow, all tanh(gain x sum).  A cell is -1
for a stone of the first seat, Black; +1 for one of the second, White; 0 if empty.

The sums of the first layer are kept by those who play: a move changes few cells, and each
adds one row of weights.

Two layers are computed in float32, the others in float64.  With the paper's gain of 0.01
each layer leaves a hundredth of the differences between positions: outputs of about 1e-3
differ by 3e-10 after a move, and float32 has steps of 1e-10 there.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.compiled import borrowing, jit
from quintet.lanes import WIDE, Floats, padded, write_weighted
from quintet.layout import Layout
from quintet.nets.genomes import Genome, express
from quintet.nets.tuples import TUPLES, Tuple, named_tuples
from quintet.parameters import Between
from quintet.rules import Cells, record
from quintet.symmetry import cell_symmetries

STONE = np.array([0.0, -1.0, 1.0], np.float32)  # by owner: nobody, Black, White
_LANES = 16  # numbers in a register: rows are padded to them
_AT_ONCE = 5  # inputs of the third layer: its sums are read and written once for so many
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)

Wires = NDArray[np.int32]  # for each weight of a layer: row, column, place in the genome
Room = Any  # a record: see `new_room`


class View(enum.IntEnum):
    """Whose stones are +1."""

    COLOURS = 0  # White's, always: Black wants the output to be low (001.2)
    OWN = 1  # those of the seat that has just moved


class Network(NamedTuple):
    """The weights of all layers, and where they are in a genome."""

    weights: NDArray[Any]  # one record: see `weights_type`
    wires: tuple[Wires, Wires, Wires, Wires]
    gain: float
    own: bool


class Node(NamedTuple):
    """A window, and which weights of the genome its cells have."""

    cells: Tuple
    genes: list[int]
    bias: int
    kind: int  # nodes of one kind have the same weights, here and in the second layer


class Spatial(NamedTuple):
    """A layer of windows, two more, and an output."""

    windows: Annotated[str, TUPLES, "what the first layer looks at"] = "queens+board"
    hidden: Annotated[int, Between(1, 1000), "nodes of the second layer"] = 40
    second: Annotated[int, Between(1, 1000), "nodes of the third layer"] = 10
    gain: Annotated[float, Between(1e-6, 100.0), "the coefficient of tanh (001.2)"] = 0.01
    lead: Annotated[bool, "the output sees the stones ahead, with weight 1 (001.2)"] = False
    view: Annotated[View, "whose stones are +1"] = View.COLOURS
    shared: Annotated[bool, "images of a window have the same weights"] = False

    @property
    def units(self) -> int:
        """All weights are one gene."""
        return 1

    def gene(self, game: Any) -> int:
        """How many weights there are."""
        return sum(len(set(wires[:, 2])) for wires in wiring(self, game.layout()))

    def network(self, game: Any) -> Network:
        """A network without weights."""
        layout = game.layout()
        weights = np.zeros(1, weights_type(self, layout))
        if self.lead:
            units = weights.dtype["sizes"].shape[1]
            weights[0]["first"][: layout.cells, units] = 1.0 / layout.cells
        return Network(weights, wiring(self, layout), self.gain, self.view == View.OWN)


def weights_type(net: Spatial, layout: Layout) -> np.dtype[Any]:
    """A matrix for each layer: a row for each input and one for the bias, padded."""
    units = sum(1 for _ in nodes(net, layout))
    further = padded(net.hidden + 1, _AT_ONCE)
    return record(
        first=(np.float32, (layout.cells + 1, padded(units + 1, _LANES))),
        second=(np.float32, (units + 1, padded(further, WIDE))),
        third=(np.float64, (further, padded(net.second + 1, _LANES))),
        last=(np.float64, (net.second + 1, 1)),
        # takes no room: its shape tells the compiler the sizes
        sizes=(np.int8, (layout.cells, units, net.hidden, net.second, 0)),
    )


def new_room(network: Network) -> NDArray[Any]:
    """To work in, one record: the sums of the first layer, and what each layer gives."""
    fields = network.weights.dtype
    width = fields["first"].shape[1]
    return np.zeros(
        1,
        record(
            base=(np.float32, (width,)),
            sums=(np.float32, (width,)),
            first=(np.float32, (width,)),
            second=(np.float32, fields["second"].shape[1:]),
            third=(np.float64, fields["third"].shape[1:]),
        ),
    )


# --- which weight is where ------------------------------------------------------


def wiring(net: Spatial, layout: Layout) -> tuple[Wires, Wires, Wires, Wires]:
    """Where each layer's weights are in a genome: node by node, the bias last."""
    windows = list(nodes(net, layout))
    first = [
        (cell, column, gene)
        for column, node in enumerate(windows)
        for cell, gene in zip((*node.cells, layout.cells), (*node.genes, node.bias), strict=True)
    ]
    kinds = [node.kind for node in windows]
    used = 1 + max(gene for _, _, gene in first)
    second = _full_layer(used, [*kinds, max(kinds) + 1], net.hidden)
    used += (max(kinds) + 2) * net.hidden
    third = _full_layer(used, list(range(net.hidden + 1)), net.second)
    used += (net.hidden + 1) * net.second
    last = _full_layer(used, list(range(net.second + 1)), 1)
    one, two, three, four = (np.array(layer, np.int32) for layer in (first, second, third, last))
    return one, two, three, four


def _full_layer(begin: int, kinds: list[int], columns: int) -> list[tuple[int, int, int]]:
    """All inputs, of so many kinds, to all nodes of a layer."""
    each = max(kinds) + 1
    return [
        (row, column, begin + column * each + kind)
        for column in range(columns)
        for row, kind in enumerate(kinds)
    ]


def nodes(net: Spatial, layout: Layout) -> Iterator[Node]:
    """The nodes of the first layer."""
    used = 0
    for kind, images in enumerate(_kinds(net, layout)):
        alike = images[0][1]
        for cells, _ in images:
            yield Node(cells, [used + one for one in alike], used + max(alike) + 1, kind)
        used += max(alike) + 2


def _kinds(net: Spatial, layout: Layout) -> Iterator[list[tuple[Tuple, list[int]]]]:
    """Windows that share their weights; of each, which of its cells do."""
    seen: set[frozenset[int]] = set()
    for cells in named_tuples(layout, net.windows):
        if not net.shared:
            yield [(cells, list(range(len(cells))))]
        elif frozenset(cells) not in seen:
            images: dict[frozenset[int], list[Tuple]] = {}
            for taken in cell_symmetries(layout):
                image = tuple(int(cell) for cell in taken[list(cells)])
                images.setdefault(frozenset(image), []).append(image)
            seen.update(images)
            alike = _alike(cells, images[frozenset(cells)])
            yield [(found[0], alike) for found in images.values()]


def _alike(cells: Tuple, onto_itself: list[Tuple]) -> list[int]:
    """Numbers for the cells of a window, the same where a symmetry exchanges them."""
    first = [min(cells.index(image[i]) for image in onto_itself) for i in range(len(cells))]
    numbers = {place: number for number, place in enumerate(sorted(set(first)))}
    return [numbers[place] for place in first]


# --- compiled -------------------------------------------------------------------


@express.implement(Network)
@borrowing
def _express(network: Network, genome: Genome) -> None:
    weights = network.weights[0]
    one, two, three, four = network.wires
    for i in range(one.shape[0]):
        weights.first[one[i, 0], one[i, 1]] = genome[one[i, 2]]
    for i in range(two.shape[0]):
        weights.second[two[i, 0], two[i, 1]] = genome[two[i, 2]]
    for i in range(three.shape[0]):
        weights.third[three[i, 0], three[i, 1]] = genome[three[i, 2]]
    for i in range(four.shape[0]):
        weights.last[four[i, 0], 0] = genome[four[i, 2]]


@borrowing
def write_sums(network: Network, content: Cells, sums: Floats) -> None:
    """Write the sums of the first layer for a board, without the bias."""
    sums[:] = _ZERO
    for cell in range(content.shape[0]):
        if content[cell] > 0:
            add_stone(network, sums, cell, STONE[content[cell]])


@borrowing
def add_stone(network: Network, sums: Floats, cell: int, worth: np.float32) -> None:
    """A stone of that worth appears in a cell."""
    first = network.weights[0].first
    for i in range(sums.shape[0]):
        sums[i] += worth * first[cell, i]


@jit
def answer(weights: Any, room: Room, gain: float, sign: np.float32) -> float:
    """The output, before its tanh, for the sums in a room; with sign -1 the colours exchanged."""
    cells, units, hidden, second, _ = weights.sizes.shape
    low_gain = np.float32(gain)
    for i in range(room.first.shape[0]):
        room.first[i] = squashed(low_gain * (weights.first[cells, i] + sign * room.sums[i]))
    room.first[units] = _ONE
    write_weighted(room.second, room.first, weights.second)
    for i in range(room.second.shape[0]):
        room.second[i] = squashed(low_gain * room.second[i])
    room.second[hidden] = _ONE
    add_up(room.second, weights.third, room.third)
    for i in range(room.third.shape[0]):
        room.third[i] = squashed_finely(gain * room.third[i])
    room.third[second] = 1.0
    total = np.float64(sign * room.sums[units])  # the lead; 0 if it does not count
    for i in range(second + 1):
        total += room.third[i] * weights.last[i, 0]
    return total


@borrowing
def add_up(given: Floats, matrix: NDArray[Any], sums: NDArray[Any]) -> None:
    """The sums of a layer in float64."""
    for j in range(sums.shape[0]):
        sums[j] = 0.0
    for i in range(0, matrix.shape[0], _AT_ONCE):
        a, b, c, d, e = given[i], given[i + 1], given[i + 2], given[i + 3], given[i + 4]
        for j in range(sums.shape[0]):
            two = a * matrix[i, j] + b * matrix[i + 1, j]
            four = two + (c * matrix[i + 2, j] + d * matrix[i + 3, j])
            sums[j] += four + e * matrix[i + 4, j]


# tanh as x P(x^2) / Q(x^2), fitted to the least relative error by reweighted least squares:
# 3.3e-7 with the rounding of float32, and 2e-13; up to the ends, beyond which it is 1
_END, _FINE_END = np.float32(8.5), 10.0
_P1, _P2, _P3, _P4 = (
    np.float32(p) for p in (1.341323731e-01, 3.534015171e-03, 2.125084240e-05, 1.426893019e-08)
)
_Q1, _Q2, _Q3, _Q4 = (
    np.float32(q) for q in (4.674656006e-01, 2.602270756e-02, 3.348845268e-04, 8.145005416e-07)
)


@borrowing
def squashed(x: np.float32) -> np.float32:
    """Tanh, as fast as float32 allows."""
    x = min(max(x, -_END), _END)
    u = x * x
    above = _ONE + u * (_P1 + u * (_P2 + u * (_P3 + u * _P4)))
    below = _ONE + u * (_Q1 + u * (_Q2 + u * (_Q3 + u * _Q4)))
    return x * above / below


@borrowing
def squashed_finely(x: float) -> float:
    """Tanh in float64."""
    x = min(max(x, -_FINE_END), _FINE_END)
    u = x * x
    above = 2.6263464659004e-07 + u * (3.4756054829280e-10 + u * 6.1564180488949e-14)
    above = 5.0263836998724e-03 + u * (6.0164542853861e-05 + u * above)
    above = 1.0 + u * (1.4531822914739e-01 + u * above)
    below = 4.5316636364586e-06 + u * (1.1369907283511e-08 + u * 6.7081636408514e-12)
    below = 3.1243571197311e-02 + u * (6.2273390897532e-04 + u * below)
    below = 1.0 + u * (4.7865156247849e-01 + u * below)
    return x * above / below
