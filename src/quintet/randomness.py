"""Explicit random numbers: one word of state, passed to whoever needs chance.

splitmix64 (Steele, Lea and Flood 2014): the state is a counter, the number its
scrambled value.  A stream for each game of a batch is a scrambled (seed, game)
pair, so a batch gives the same games on any number of workers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from quintet.bits import Word, added, mixed, multiplied
from quintet.compiled import jit

Random = NDArray[np.uint64]  # one word

_STEP = Word(0x9E3779B97F4A7C15)
_HALF = Word(32)
_LOW_HALF = Word(0xFFFF_FFFF)
_APART = 16  # words: two generators in one cache line would slow each other's threads


def seeded(seed: int, stream: int = 0) -> Random:
    """A generator of its own for each (seed, stream)."""
    random = np.empty(_APART, np.uint64)[:1]
    seed_stream(random, seed, stream)
    return random


@jit
def seed_stream(random: Random, seed: int, stream: int) -> None:
    """Set `random` to the start of stream number `stream` of `seed`."""
    random[0] = mixed(added(mixed(added(Word(seed), _STEP)), multiplied(Word(stream), _STEP)))


@jit
def next_word(random: Random) -> Word:
    """The next 64 random bits."""
    random[0] = added(random[0], _STEP)
    return mixed(random[0])


@jit
def below(random: Random, limit: int) -> int:
    """A whole number in [0, limit), for limits up to 2**32.

    A multiplication in place of a division; it favours some numbers by less
    than limit / 2**32.
    """
    chosen = multiplied(next_word(random) >> _HALF, Word(limit)) >> _HALF
    return np.int64(chosen)  # type: ignore[return-value]


@jit
def uniform(random: Random) -> float:
    """A float in [0, 1)."""
    return np.float64(next_word(random) >> Word(11)) * (1.0 / 9007199254740992.0)
