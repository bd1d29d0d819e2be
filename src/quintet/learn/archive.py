"""What evolution remembers of its own past: networks that later ones must beat.

**Fame** (Rosin and Belew 1997): the champion of every generation, and when there is no more
room, a random one is forgotten.  **Pareto** layers (LAPCA; Monroy, Stanley and Miikkulainen
2006): a champion joins, all that are remembered meet each other, and those stay that nobody
dominates; then those that only these dominate, as far as there is room.  One dominates another
if it wins as often against everybody, and more often against somebody.  Unlike LAPCA's, the
archive is at once those that are judged and those that judge.
"""

from __future__ import annotations

import enum

import numpy as np
from numpy.typing import NDArray

from quintet.learn.subpopulations import Chance

Wins = NDArray[np.int64]  # a row for each network: against each of the others


class Archive(enum.IntEnum):
    """Which champions are remembered."""

    FAME = 0
    PARETO = 1


def layers(wins: Wins) -> NDArray[np.int64]:
    """For each network its layer: 0 if nobody dominates it, 1 if only those of layer 0 do, ..."""
    found = np.full(len(wins), -1)
    layer = 0
    while (left := np.flatnonzero(found < 0)).size:
        rows = wins[left]
        at_least = (rows[:, np.newaxis] >= rows).all(axis=2)
        dominated = (at_least & ~at_least.T).any(axis=0)
        found[left[~dominated]] = layer
        layer += 1
    return found


def best_layers(wins: Wins, room: int) -> NDArray[np.int64]:
    """Which networks stay: by layer, and within one the latest first; in their old order."""
    order = np.lexsort((-np.arange(len(wins)), layers(wins)))
    return np.sort(order[:room])


def forgetting_one(chance: Chance, count: int, room: int) -> NDArray[np.int64]:
    """Which networks stay: all but some random ones, if there are too many; the last does."""
    kept = chance.permutation(count - 1)[: room - 1]
    return np.append(np.sort(kept), count - 1)
