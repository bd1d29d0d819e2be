"""Words as sets: each answer as plain Python's whole numbers give it."""

from __future__ import annotations

import random

import pytest

from quintet.bits import (
    ALL,
    NONE,
    ONE,
    Word,
    added,
    bit,
    count,
    filled,
    has,
    lowest,
    mixed,
    multiplied,
    nth,
    shifted,
    without_lowest,
)
from quintet.compiled import jit

TOP = 1 << 63
FULL = (1 << 64) - 1
_chance = random.Random(3)
NUMBERS = [1, 2, 3, TOP, TOP | 1, FULL, FULL - 1, *(_chance.getrandbits(64) for _ in range(20))]


@pytest.mark.parametrize("index", [0, 1, 31, 32, 62, 63])
def test_one_bit(index: int) -> None:
    word = Word(bit(index))
    assert int(word) == 1 << index
    assert [has(word, other) for other in range(64)] == [i == index for i in range(64)]


@pytest.mark.parametrize("number", NUMBERS)
def test_members_of_a_set(number: int) -> None:
    members = [i for i in range(64) if number >> i & 1]
    word = Word(number)
    assert [i for i in range(64) if has(word, i)] == members
    assert [i for i in range(64) if filled(word, i) == ALL] == members
    assert all(filled(word, i) == NONE for i in range(64) if i not in members)
    assert count(word) == len(members)
    assert lowest(word) == members[0]
    assert [nth(word, n) for n in range(len(members))] == members
    assert int(without_lowest(word)) == number - (1 << members[0])


def test_the_constants() -> None:
    assert (int(NONE), int(ONE), int(ALL)) == (0, 1, FULL)
    assert count(NONE) == 0
    assert count(ALL) == 64


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("by", [0, 1, 7, 63, -1, -7, -63])
def test_shifts(number: int, by: int) -> None:
    expected = number << by & FULL if by >= 0 else number >> -by
    assert int(shifted(Word(number), by)) == expected


@pytest.mark.parametrize("number", NUMBERS)
def test_sums_and_products_wrap(number: int) -> None:
    for other in NUMBERS:
        assert int(added(Word(number), Word(other))) == (number + other) & FULL
        assert int(multiplied(Word(number), Word(other))) == number * other & FULL


@jit
def _difference_of_counts(one: Word, other: Word) -> int:
    return count(one) - count(other) + lowest(one) - lowest(other)


def test_counts_are_signed_in_compiled_code() -> None:
    assert _difference_of_counts(ONE, ALL & ~ONE) == 1 - 63 + 0 - 1


def test_mixing_changes_about_half_of_the_bits() -> None:
    word = Word(NUMBERS[-1])
    for index in range(64):
        other = word ^ Word(bit(index))
        assert 12 < (int(mixed(word)) ^ int(mixed(other))).bit_count() < 52


def test_mixing_is_one_to_one() -> None:
    words = {int(mixed(Word(number))) for number in range(5000)}
    assert len(words) == 5000
