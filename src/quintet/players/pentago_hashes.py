"""The two hash functions of Heon and Oetting for Pentago (papers 003.3)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.bits import Word
from quintet.compiled import jit
from quintet.games.pentago import pattern_of
from quintet.players.hashes import number_of
from quintet.players.pentago_features import streaks, unless_pentago
from quintet.rules import Position

_PRIMES = (2, 3, 5, 7)  # one for each quadrant


def _sums_of_powers() -> NDArray[np.int64]:
    """For each quadrant and pattern, the sum of the prime's powers at the stones."""
    table = np.zeros((4, 512), np.int64)
    for quadrant, prime in enumerate(_PRIMES):
        for pattern in range(512):
            table[quadrant, pattern] = sum(prime**i for i in range(9) if pattern >> i & 1)
    return table


POWERS = _sums_of_powers()


class Primes(NamedTuple):
    """The sum of piece times prime to the power of the cell; piece is 0, 1 or 2."""

    def unfit(self, game: Any) -> str | None:
        """Why this does not suit a game, or None."""
        return unless_pentago(game)


@number_of.implement(Primes)
def _sum_of_powers(hash: Primes, game: Any, position: Position) -> int:
    total = 0
    for quadrant in range(4):
        total += POWERS[quadrant, pattern_of(position.stones[0], quadrant)]
        total += 2 * POWERS[quadrant, pattern_of(position.stones[1], quadrant)]
    return total


class Streaks(NamedTuple):
    """The cubes of the lengths of the first player's runs, and five times the second's.

    Runs of two stones and more count, in all four directions.
    """

    def unfit(self, game: Any) -> str | None:
        """Why this does not suit a game, or None."""
        return unless_pentago(game)


@number_of.implement(Streaks)
def _sum_of_cubes(hash: Streaks, game: Any, position: Position) -> int:
    return cubes(position.stones[0]) + 5 * cubes(position.stones[1])


@jit
def cubes(stones: Word) -> int:
    """The sum of the cubes of the lengths of all runs."""
    two, three, four, five, six = streaks(stones)
    return 8 * two + 27 * three + 64 * four + 125 * five + 216 * six
