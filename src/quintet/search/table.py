"""A transposition table: what a search found out about positions that come up again.

Its size is fixed.  An entry is used only for the position with the same 64-bit
key and only where it says exactly what a new search would: the table changes how
long a search takes, never what it answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintet.bits import Word
from quintet.compiled import jit
from quintet.rules import record

Table = NDArray[Any]
_AGES = 2**15 - 1
UPPER, EXACT, LOWER = 1, 2, 3  # the value is at most, is, or is at least this
ENTRY = record(
    key=np.uint64,
    value=np.float64,  # to the player to move
    move=np.int32,  # the best one
    age=np.int16,  # entries of another age do not count
    depth=np.int8,
    bound=np.int8,
    certain=np.bool_,  # no estimate went into it: true at any greater depth too
)


def new_table(megabytes: int) -> Table:
    """An empty table: of no entry for 0 megabytes, else of a power of two."""
    room = megabytes * 2**20 // ENTRY.itemsize
    return np.zeros(1 << room.bit_length() - 1 if room else 0, ENTRY)


def key_tells_all(game: Any) -> bool:
    """Do two positions with the same key always have the same future?

    Go with superko leaves earlier boards out of its key: else hardly two positions
    would be the same.
    """
    return not game.limits().remembers


@jit
def forget(table: Table, age: int) -> int:
    """The next age, in which no entry of the past counts."""
    if age < _AGES:
        return age + 1
    for slot in range(table.shape[0]):
        table[slot].bound = 0
    return 1


@jit
def first_slot(table: Table, key: Word) -> int:
    """The first of the two places where the entry of a key may be."""
    return np.int64(key & Word(table.shape[0] - 1))  # type: ignore[return-value]


@jit
def find(table: Table, key: Word, age: int) -> int:
    """Where the entry of a key is, or -1."""
    first = first_slot(table, key)
    for slot in (first, first ^ 1):
        if table[slot].key == key and table[slot].age == age and table[slot].bound > 0:
            return slot
    return -1


@jit
def answers(table: Table, slot: int, depth: int, low: float, high: float) -> bool:
    """Does an entry say what a search to this depth and with these bounds would?"""
    entry = table[slot]
    if entry.depth != depth and not (entry.certain and entry.depth < depth):
        return False
    return (
        entry.bound == EXACT
        or (entry.bound == LOWER and entry.value >= high)
        or (entry.bound == UPPER and entry.value <= low)
    )


@jit
def keep(
    table: Table,
    key: Word,
    age: int,
    depth: int,
    value: float,
    bound: int,
    move: int,
    certain: bool,
) -> None:
    """Write an entry: over a shallower one if there is one, else over the second of its pair."""
    first = first_slot(table, key)
    slot = first ^ 1
    if table[first].key == key or table[first].age != age or table[first].depth <= depth:
        slot = first
    entry = table[slot]
    entry.key = key
    entry.value = value
    entry.move = move
    entry.age = age
    entry.depth = depth
    entry.bound = bound
    entry.certain = certain
