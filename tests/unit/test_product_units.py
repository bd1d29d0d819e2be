"""The Go-Moku network: its geometry as the paper counts it, and its sums."""

from __future__ import annotations

import numpy as np
import pytest

from quintet.nets import product_units as net

X = 0.25


def value(stones: dict[tuple[int, int], int], viewer: int = 0, size: int = 15) -> float:
    """The star's sum for the centre of a board with some stones (right, down: owner)."""
    geometry = net.new_geometry(size, patterns=False)
    weights = net.hardnet_weights(empty=X)
    board = net.new_board(geometry, size)
    owners = np.zeros(size * size, np.int8)
    centre = size // 2
    for (right, down), owner in stones.items():
        owners[(centre + down) * size + centre + right] = owner
    net.fill_board(geometry, owners, board)
    place = net.place_of(geometry, centre * size + centre, size)
    return float(net.sub_network(geometry, weights, board, place, viewer, 0))


def test_geometry_as_the_paper_counts_it() -> None:
    stars = net.star_shapes(5)
    assert len(set(stars)) == 20
    assert {len(shape) for shape in stars} == {4}
    assert [len(net.copies([chain])) for chain in net.BASIC_CHAINS] == [8, 4, 8]
    assert [len(net.copies(pattern)) for pattern in net.BASIC_PATTERNS] == [8, 8, 8]
    new = [sum(shape not in stars for shape in pattern) for pattern in net.BASIC_PATTERNS]
    assert new == [1, 2, 2]
    shapes = net.pattern_shapes()
    assert sorted({len(shape) for shape in shapes}) == [11, 14]
    inputs = frozenset().union(*stars, *shapes)
    square = {(x, y) for x in range(-3, 4) for y in range(-3, 4)} - {(0, 0)}
    assert inputs == frozenset().union(*stars) | square
    assert len(inputs) == 56


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
    geometry = net.new_geometry(15)
    weights = net.untrained_weights(np.random.default_rng(1))
    board = net.new_board(geometry, 15)
    net.fill_board(geometry, np.zeros(225, np.int8), board)
    place = net.place_of(geometry, 112, 15)
    for unit in range(24):
        size = int(geometry.sizes[unit])
        found = net.pattern_output(geometry, weights, board, place, unit, 0)
        assert found == pytest.approx(2.0 ** (size - 4) * X**size)
    board[place + geometry.patterns[0, 0]] = 2
    assert net.pattern_output(geometry, weights, board, place, 0, 0) == 0.0
    assert net.pattern_output(geometry, weights, board, place, 0, 1) > 0.0


def test_untrained_weights() -> None:
    weights = net.untrained_weights(np.random.default_rng(1))
    assert sorted(set(weights.star[0])) == [1.0, pytest.approx(2**0.5)]
    assert (weights.star[0] > 1).sum() == 10
    assert weights.patterns.shape == (2, 24)
    assert weights.patterns.min() > 0
    assert weights.patterns.max() < 0.05
