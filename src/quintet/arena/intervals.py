"""Means of rounds, with intervals that hold the true mean 95 times in 100.

A **round** is every order of the players once, with the same opening.  Its games
are alike, rounds are not; so what is averaged are rounds.
"""

from __future__ import annotations

import functools
import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95
_MANY = 1000  # degrees of freedom: from here on, t is normal


class Estimate(NamedTuple):
    """A mean and its interval."""

    mean: float
    low: float
    high: float


def mean_of(
    rounds: Sequence[float] | NDArray[np.float64],
    lowest: float = 0.0,
    highest: float = 1.0,
    level: float = LEVEL,
) -> Estimate:
    """The mean of numbers between two bounds, each of a round, with its interval.

    Wilson's interval: the means m whose distance from the one found is at most t
    standard errors, *as they would be if m were true*.  For single wins and losses
    the variance at m is m (1 - m).  Rounds of many games vary less, or more; so that
    is multiplied by the ratio found in the rounds (the design effect of Korn and
    Graubard 1998), and t is Student's, as the ratio is an estimate.
    """
    values = (np.asarray(rounds, np.float64) - lowest) / (highest - lowest)
    count = len(values)
    if count == 0:
        return Estimate(math.nan, lowest, highest)
    mean = min(max(float(values.mean()), 0.0), 1.0)
    if count == 1:
        return Estimate(lowest + mean * (highest - lowest), lowest, highest)
    variance = float(values.var(ddof=1))
    if variance < 1e-12:
        low, high = _all_alike(mean, count, level)
    else:
        ratio = variance / (mean * (1.0 - mean))
        low, high = wilson(mean, count / ratio, student(count - 1, level))
    scale = highest - lowest
    return Estimate(lowest + mean * scale, lowest + low * scale, lowest + high * scale)


def wilson(mean: float, count: float, quantile: float) -> tuple[float, float]:
    """The solutions m of (mean - m)^2 = quantile^2 m (1 - m) / count."""
    square = quantile**2 / count
    centre = (mean + square / 2) / (1 + square)
    half = math.sqrt(square * mean * (1 - mean) + square**2 / 4) / (1 + square)
    return max(0.0, centre - half), min(1.0, centre + half)


def _all_alike(mean: float, count: int, level: float) -> tuple[float, float]:
    """Bounds where no round differs: what was never seen may be this frequent.

    For rounds that are all won this is Clopper and Pearson's interval.
    """
    unseen = 1.0 - ((1.0 - level) / 2) ** (1.0 / count)
    return mean * (1.0 - unseen), mean + (1.0 - mean) * unseen


@functools.lru_cache(maxsize=1024)
def student(freedom: int, level: float = LEVEL) -> float:
    """Student's t: what a t variable exceeds, on either side, with chance 1 - level."""
    if freedom >= _MANY:
        return statistics.NormalDist().inv_cdf((1.0 + level) / 2)
    low, high = 0.0, 1.0
    while _student_within(high, freedom) < level:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        if _student_within(middle, freedom) < level:
            low = middle
        else:
            high = middle
    return high


def _student_within(t: float, freedom: int) -> float:
    """The chance that |T| <= t: the finite sums 26.7.3 and 26.7.4 of Abramowitz and Stegun."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    if freedom % 2:
        total, term = 0.0, cosine
        for i in range(3, freedom + 1, 2):
            total += term
            term *= cosine * cosine * (i - 1) / i
        return 2 / math.pi * (angle + sine * total)
    total, term = 0.0, 1.0
    for i in range(2, freedom + 1, 2):
        total += term
        term *= cosine * cosine * (i - 1) / i
    return sine * total
