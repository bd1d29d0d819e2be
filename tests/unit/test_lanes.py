"""Rows of numbers in the processor's lanes: the same as in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import lanes
from quintet.compiled import COMPILED, jit

CHANCE = np.random.default_rng


def row(seed: int, *shape: int) -> Any:
    return CHANCE(seed).normal(0, 5, shape).astype(np.float32)


@jit
def in_lanes(target: Any, weights: Any, rows: Any, narrow: Any, source: Any, found: Any) -> int:
    lanes.write_weighted(target, weights, rows)
    lanes.write_logistic(narrow, source)
    lanes.add_scaled(target, 8, source, np.float32(-0.5))
    found[0] = lanes.positive_part(target, 8, 3, source, narrow)
    return lanes.highest_place(target, rows[0])


@pytest.mark.skipif(not COMPILED, reason="compares with what is compiled")
@pytest.mark.parametrize(("rows", "width", "narrow"), [(1, 32, 8), (10, 64, 16), (33, 96, 24)])
def test_lanes_do_what_python_does(rows: int, width: int, narrow: int) -> None:
    matrix, weights, source = row(1, rows, width), row(2, rows), row(3, narrow)
    ours, theirs = np.zeros((2, width), np.float32)
    our_row, their_row, found = *np.zeros((2, narrow), np.float32), np.zeros(1, np.float32)
    place = in_lanes(ours, weights, matrix, our_row, source, found)
    lanes.write_weighted(theirs, weights, matrix)
    lanes.write_logistic(their_row, source)
    lanes.add_scaled(theirs, 8, source, np.float32(-0.5))
    if 8 + 3 * narrow <= width:
        positive = lanes.positive_part(theirs, 8, 3, source, their_row)
        assert found[0] == pytest.approx(positive, rel=1e-4)
    assert np.allclose(ours, theirs, rtol=1e-5, atol=1e-4)
    assert np.allclose(our_row, their_row, atol=1e-6)
    assert place == lanes.highest_place(ours, matrix[0])


@jit
def logistic(target: Any, source: Any) -> None:
    lanes.write_logistic(target, source)


@jit
def place_of(values: Any, penalties: Any) -> int:
    return lanes.highest_place(values, penalties)


def test_the_logistic_function_to_six_digits_and_to_its_ends() -> None:
    source = np.linspace(-200, 200, 80_000, dtype=np.float32)
    target = np.zeros_like(source)
    logistic(target, source)
    exact = 1 / (1 + np.exp(-source.astype(np.float64)))
    assert np.abs(target - exact).max() < 1e-6
    assert target[-1] == 1.0


def test_of_equals_the_first_and_never_a_barred_one() -> None:
    values, penalties = np.zeros(64, np.float32), np.zeros(64, np.float32)
    assert place_of(values, penalties) == 0
    penalties[:40] = np.inf
    assert place_of(values, penalties) == 40
    values[[3, 45, 50]] = 7.0
    assert place_of(values, penalties) == 45
    values[:] = -1e30
    assert place_of(values, penalties) == 40
