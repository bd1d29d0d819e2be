"""Sets of squares in 64-bit words.

This module owns ``uint64``: a word next to a bare integer silently becomes
``int64`` or ``float64`` in compiled code, so words meet only words, and counts
and shifts pass through the functions here.
"""

from __future__ import annotations

import numpy as np

from quintet.compiled import jit, machine

Word = np.uint64

NONE = Word(0)
ONE = Word(1)
ALL = Word(0xFFFF_FFFF_FFFF_FFFF)
_MASK = 0xFFFF_FFFF_FFFF_FFFF


@machine("llvm.ctpop.i64")
def _population(word: Word) -> Word:
    return Word(int(word).bit_count())


@machine("llvm.cttz.i64")
def _trailing_zeros(word: Word) -> Word:
    return Word((int(word) & -int(word)).bit_length() - 1 if word else 64)


@machine("mul")
def multiplied(a: Word, b: Word) -> Word:
    """The product, modulo 2**64."""
    return Word(int(a) * int(b) & _MASK)


@machine("add")
def added(a: Word, b: Word) -> Word:
    """The sum, modulo 2**64."""
    return Word((int(a) + int(b)) & _MASK)


@machine("llvm.x86.bmi.pdep.64", requires="bmi2")
def _deposited(word: Word, mask: Word) -> Word:
    """The low bits of `word`, laid one after the other onto the bits of `mask`."""
    result = NONE
    source = ONE
    while mask != NONE:
        lowest = mask & ~without_lowest(mask)
        if word & source != NONE:
            result |= lowest
        mask = without_lowest(mask)
        source = source << ONE
    return result


@jit
def bit(index: int) -> Word:
    """The set of one square."""
    return ONE << Word(index)


@jit
def has(word: Word, index: int) -> bool:
    """Is the square in the set?"""
    return (word >> Word(index)) & ONE != NONE


@jit
def filled(word: Word, index: int) -> Word:
    """All bits if the square is in the set, else none: a choice without a branch."""
    return multiplied((word >> Word(index)) & ONE, ALL)


@jit
def count(word: Word) -> int:
    """How many squares are in the set."""
    return np.int64(_population(word))  # type: ignore[return-value]  # int() stays unsigned


@jit
def lowest(word: Word) -> int:
    """The index of the first square of a set that is not empty."""
    return np.int64(_trailing_zeros(word))  # type: ignore[return-value]


@jit
def without_lowest(word: Word) -> Word:
    """The set less its first square; it must not be empty."""
    return word & (word - ONE)


@jit
def nth(word: Word, n: int) -> int:
    """The index of the `n`-th square of the set, counted from zero."""
    return lowest(nth_bit(word, n))


@jit
def nth_bit(word: Word, n: int) -> Word:
    """The set of the `n`-th square alone."""
    return _deposited(bit(n), word)


@jit
def shifted(word: Word, by: int) -> Word:
    """Every square moved up by `by`, or down where `by` is negative."""
    if by >= 0:
        return word << Word(by)
    return word >> Word(-by)


@jit
def mixed(word: Word) -> Word:
    """A scrambled word: every bit depends on every bit (splitmix64's finish)."""
    word = multiplied(word ^ (word >> Word(30)), Word(0xBF58476D1CE4E5B9))
    word = multiplied(word ^ (word >> Word(27)), Word(0x94D049BB133111EB))
    return word ^ (word >> Word(31))
