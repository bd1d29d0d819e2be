"""When is a difference sure, if one looks after every round?

A fixed interval, looked at again and again, errs in the end.  What may be looked
at forever is a **bet**: start with 1, and before each round stake a fixed part of
what one has on the difference being positive.  If it is not, on average, the
money cannot be expected to grow, and the chance that it ever reaches 20 is at most
1 in 20 (Ville 1939).  As the best stake is not known, the money is spread over many
stakes (Robbins 1970).  No normal approximation is involved; only that the
differences are bounded and none depends on later rounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintet.arena.intervals import LEVEL, Estimate

# parts of what one may stake without risking all: small ones for small differences
STAKES: NDArray[np.float64] = 0.95 * 0.8 ** np.arange(32.0)


class Race:
    """Who of several players is best, looked at after every round.

    The leader is sure when the bets on it against each of the others have all won k
    times 20.  A leader that is not the best has lost, on average, to some other; so
    with chance 1 in 20 k at most it wins that bet, and of k players any does so with
    chance 1 in 20.
    """

    def __init__(self, players: int, span: float, level: float = LEVEL) -> None:
        """For scores that differ by at most `span`."""
        self._span = span
        self._needed = math.log(players / (1 - level))
        # logarithms, for each player, other player and stake
        self._money: NDArray[np.float64] = np.zeros((players, players, len(STAKES)))

    def see(self, scores: Sequence[float] | NDArray[np.float64]) -> None:
        """The mean score of each player in one more round."""
        own = np.asarray(scores, np.float64) / self._span
        leads = np.clip(own[:, None] - own[None, :], -1.0, 1.0)
        self._money += np.log1p(leads[:, :, None] * STAKES)

    def evidence(self) -> NDArray[np.float64]:
        """The logarithm of what the bets on each player against each other have won."""
        return _log_mean(self._money)

    def winner(self) -> int | None:
        """Who is better than each other, if that is sure."""
        won = self.evidence() >= self._needed
        np.fill_diagonal(won, True)
        best = np.flatnonzero(won.all(axis=1))
        return int(best[0]) if len(best) and len(won) > 1 else None


def lasting_mean_of(
    rounds: Sequence[float] | NDArray[Any],
    lowest: float = 0.0,
    highest: float = 1.0,
    level: float = LEVEL,
) -> Estimate:
    """The mean with an interval that holds however long one looked before stopping.

    All means that no bet, on being higher or lower, has refuted.
    """
    values = (np.asarray(rounds, np.float64) - lowest) / (highest - lowest)
    if len(values) == 0:
        return Estimate(math.nan, lowest, highest)
    needed = math.log(2 / (1 - level))
    mean = float(values.mean())
    low = _edge(values, mean, needed)
    high = 1.0 - _edge(1.0 - values, 1.0 - mean, needed)
    scale = highest - lowest
    return Estimate(lowest + mean * scale, lowest + low * scale, lowest + high * scale)


def _edge(values: NDArray[np.float64], mean: float, needed: float) -> float:
    """The lowest mean that a bet on more does not refute."""
    if mean <= 0.0:
        return 0.0
    distinct, counts = np.unique(values, return_counts=True)

    def is_refuted(candidate: float) -> bool:
        gains = np.log1p(np.outer(STAKES, distinct / candidate - 1.0)) @ counts.astype(np.float64)
        return bool(_log_mean(gains) >= needed)

    low, high = 0.0, mean
    for _ in range(40):
        middle = (low + high) / 2
        if is_refuted(middle):
            low = middle
        else:
            high = middle
    return low


def _log_mean(logarithms: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithm of the mean over the last axis."""
    highest = logarithms.max(axis=-1)
    means = np.exp(logarithms - highest[..., None]).mean(axis=-1)
    return np.asarray(highest + np.log(means), np.float64)
