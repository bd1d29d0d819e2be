"""The Go-Moku network: its geometry as the paper counts it, and its sums."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from quintet.nets import product_units as net
from quintet.nets import sight as seeing
from quintet.nets.product_units import Kind
from tests.against.reference.go_moku_learning import Net

X = 0.25
SIZE = 15


def sight_of(kind: Kind, owners: np.ndarray, seats: int = 2, empty: float = X) -> seeing.Sight:
    rows, columns = owners.shape
    units = net.new_units(columns, kind)
    sight = seeing.new_sight(units, rows, columns, seats, empty)
    seeing.show(sight, owners.ravel().astype(np.int8))
    return sight


def value(stones: dict[tuple[int, int], int], viewer: int = 0, size: int = SIZE) -> float:
    """The star's sum for the centre of a board with some stones (right, down: owner)."""
    owners = np.zeros((size, size), np.int8)
    centre = size // 2
    for (right, down), owner in stones.items():
        owners[centre + down, centre + right] = owner
    sight = sight_of(Kind.STAR, owners)
    place = int(sight.places[centre * size + centre])
    return float(seeing.sub_network(sight, np.ones(20), place, viewer))


def test_geometry_as_the_paper_counts_it() -> None:
    stars = net.star_shapes(5)
    assert len(set(stars)) == 20
    assert {len(shape) for shape in stars} == {4}
    assert [len(net.copies([chain])) for chain in net.BASIC_CHAINS] == [8, 4, 8]
    assert len(set(net.chain_shapes())) == 20
    assert [len(net.copies(pattern)) for pattern in net.BASIC_PATTERNS] == [8, 8, 8]
    new = [sum(shape not in stars for shape in pattern) for pattern in net.BASIC_PATTERNS]
    assert new == [1, 2, 2]
    shapes = net.pattern_shapes()
    assert sorted({len(shape) for shape in shapes}) == [11, 14]
    inputs = frozenset().union(*stars, *shapes)
    square = {(x, y) for x in range(-3, 4) for y in range(-3, 4)} - {(0, 0)}
    assert inputs == frozenset().union(*stars) | square
    assert len(inputs) == 56
    counts = {kind: len(net.new_units(SIZE, kind).masks) for kind in Kind}
    assert counts == {Kind.STAR: 20, Kind.PAPER: 44, Kind.ALL: 64}
    assert [net.kind_of(count) for count in counts.values()] == list(Kind)


def blocked_elsewhere(open_axes: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Enemies next to the centre on all axes but these."""
    axes = [(1, 0), (0, 1), (1, 1), (1, -1)]
    return {
        (sign * right, sign * down): 2
        for right, down in axes
        if (right, down) not in open_axes
        for sign in (1, -1)
    }


def test_a_four_beside_an_empty_line() -> None:
    """1 + 5 x^4: a four completed here, its other side blocked, and an empty line."""
    stones = blocked_elsewhere([(1, 0), (0, 1)])
    stones |= {(i, 0): 1 for i in range(1, 5)} | {(-1, 0): 2}
    assert value(stones) == pytest.approx(1 + 5 * X**4)


def test_two_threes_that_cross() -> None:
    """3 x + x^2 + x^3 + x^4: an open three and a half-blocked one meet here."""
    stones = blocked_elsewhere([(1, 0), (0, 1)])
    stones |= {(i, 0): 1 for i in (1, 2, 3)}
    stones |= {(0, i): 1 for i in (1, 2, 3)} | {(0, -1): 2}
    assert value(stones) == pytest.approx(3 * X + X**2 + X**3 + X**4)


def test_enemies_and_the_edge_give_nothing() -> None:
    assert value(blocked_elsewhere([])) == 0.0
    assert value({}, size=3) == 0.0
    assert value({(1, 0): 2}, viewer=1) > value({(1, 0): 2}, viewer=0)


def test_patterns_multiply_their_points() -> None:
    owners = np.zeros((SIZE, SIZE), np.int8)
    sight = sight_of(Kind.PAPER, owners)
    place = int(sight.places[112])
    shapes = net.shapes_of(Kind.PAPER)
    for unit in range(20, 44):
        size = len(shapes[unit])
        found = seeing.unit_output(
            sight, unit, sight.seen[0, place], seeing.blocked(sight, place, 0)
        )
        assert found == pytest.approx(2.0 ** (size - 4) * X**size)
    right, down = min(shapes[20])
    owners[7 + down, 7 + right] = 2
    seeing.show(sight, owners.ravel())
    found = [
        seeing.unit_output(sight, 20, sight.seen[seat, place], seeing.blocked(sight, place, seat))
        for seat in (0, 1)
    ]
    assert found[0] == 0.0
    assert found[1] > 0.0


def test_untrained_weights() -> None:
    chance = np.random.default_rng(1)
    weights = net.untrained(chance).weights
    assert sorted(set(weights[0, :20])) == [1.0, pytest.approx(2**0.5)]
    assert (weights[0, :20] > 1).sum() == 10
    assert weights.shape == (2, 44)
    assert 0 < weights[:, 20:].min() < weights[:, 20:].max() < 0.05
    simple = net.untrained(chance, simplified=True, highest=1.0).weights
    assert simple.shape == (2, 20)
    assert 0.05 < simple.max() < 1


@pytest.mark.parametrize(
    ("kind", "seats", "empty"),
    [(Kind.STAR, 2, 0.1), (Kind.PAPER, 2, 0.25), (Kind.ALL, 3, 0.5)],
)
def test_values_of_all_points_as_stones_come_and_go(kind: Kind, seats: int, empty: float) -> None:
    """Against loops over the units; the board changes by a stone or two, then altogether."""
    chance = np.random.default_rng(seats)
    rows, columns = 8, 9
    shapes = [sorted(shape) for shape in net.shapes_of(kind)]
    network = net.Network(
        chance.normal(size=(seats, len(shapes))), chance.normal(size=seats), empty
    )
    plain = Net(shapes, network.weights.tolist(), network.output.tolist(), empty)
    board = np.zeros((rows, columns), np.int8)
    sight = sight_of(kind, board, seats, empty)
    for ply in range(12):
        board.ravel()[chance.integers(rows * columns, size=2)] = chance.integers(seats + 1, size=2)
        if ply == 8:
            board = chance.integers(seats + 1, size=board.shape).astype(np.int8)
        seeing.show(sight, board.ravel())
        mover = int(ply // 2 % seats)
        seeing.value_points(sight, network, mover)
        expected = plain.values(board.tolist(), mover)
        for row, column in itertools.product(range(rows), range(columns)):
            if board[row, column] == 0:
                found = sight.values[row * columns + column]
                assert found == pytest.approx(expected[row, column], rel=1e-12, abs=1e-15)
