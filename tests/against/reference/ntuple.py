"""An n-tuple network by lists and loops."""

from __future__ import annotations

import math
from collections.abc import Sequence


def sums(
    owners: Sequence[int],
    viewer: int,
    seats: int,
    tables: Sequence[tuple[Sequence[Sequence[int]], Sequence[Sequence[float]]]],
) -> list[float]:
    """The sum for each output; a table comes with the tuples that read it."""
    outputs = len(tables[0][1][0])
    found = [0.0] * outputs
    for tuples, entries in tables:
        for cells in tuples:
            number = 0
            for cell in reversed(cells):
                digit = 0 if owners[cell] == 0 else 1 + (owners[cell] - 1 - viewer) % seats
                number = number * (seats + 1) + digit
            for output in range(outputs):
                found[output] += entries[number][output]
    return found


def values(sums_of_entries: Sequence[float], viewer: int, seats: int) -> list[float]:
    """What each seat may expect."""
    squeezed = [1 / (1 + math.exp(-one)) for one in sums_of_entries]
    if len(squeezed) == 1 and seats == 2:
        squeezed.append(1 - squeezed[0])
    return [squeezed[(seat - viewer) % seats] for seat in range(seats)]
