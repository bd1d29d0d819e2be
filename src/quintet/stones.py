"""Stones on a board as sets of bits, for the games whose positions hold them.

Such a position has ``stones`` (a set for each seat), ``occupied`` (all of them)
and ``grid`` (its shape is the board's).  A row takes one bit more than it has
cells: this guard bit is never set, so lines do not run round the edge.  Row 0 is
the top row as shown; the set's low bits.  A cell's bit is its *index* here.
"""

from __future__ import annotations

from typing import Any

from quintet.bits import NONE, ONE, Word, bit, count, has, lowest, nth, without_lowest
from quintet.compiled import borrowing
from quintet.randomness import Random, below
from quintet.rules import Cells, Moves, Position

NOBODY = -1
PLAYING, WON, DRAWN = 0, 1, 2


@borrowing
def place(position: Position, seat: int, index: int) -> None:
    """Put a stone of `seat` on an empty cell, named by its bit."""
    position.stones[seat, index >> 6] |= bit(index & 63)
    position.occupied[index >> 6] |= bit(index & 63)


@borrowing
def is_occupied(position: Position, index: int) -> bool:
    """Is there a stone on the cell with this bit?"""
    return has(position.occupied[index >> 6], index & 63)


@borrowing
def holds(own: Any, index: int) -> bool:
    """Is this bit in a set of words?  Bits before the first row and after the last are not."""
    word = index >> 6
    inside = 0 <= word < own.shape[0]
    return inside & bool(has(own[word if inside else 0], index & 63))  # without a branch


@borrowing
def open_cells(rows: int, columns: int) -> Word:
    """All cells of the first rows, as one word."""
    word = NONE
    row = bit(columns) - ONE
    for i in range(rows):
        word |= row << Word(i * (columns + 1))
    return word


@borrowing
def list_empty(position: Position, rows: int, moves: Moves) -> int:
    """Write the empty cells of the first rows, and return how many there are."""
    columns = position.grid.shape[1]
    found = 0
    for row in range(rows):
        for column in range(columns):
            if not is_occupied(position, row * (columns + 1) + column):
                moves[found] = row * columns + column
                found += 1
    return found


@borrowing
def random_empty(position: Position, rows: int, random: Random) -> int:
    """A random empty cell of the first rows; there must be one."""
    columns = position.grid.shape[1]
    if position.occupied.shape[0] == 1:
        # in one word: take one of the empty bits
        empty = ~position.occupied[0] & open_cells(rows, columns)
        index = nth(empty, below(random, count(empty)))
        return index - index // (columns + 1)
    while True:  # a large board is rarely nearly full
        move = below(random, rows * columns)
        if not is_occupied(position, move + move // columns):
            return move


@borrowing
def is_full(position: Position) -> bool:
    """Is every cell taken?"""
    rows, columns, _ = position.grid.shape
    if position.occupied.shape[0] == 1:
        return position.occupied[0] == open_cells(rows, columns)
    stones = 0
    for word in position.occupied:
        stones += count(word)
    return stones == rows * columns


@borrowing
def makes_line(position: Position, seat: int, index: int, k: int, exact: bool) -> bool:
    """Does the stone at this bit complete k in a row?

    On a board in one word, unless exactly k are asked for, any line counts.
    """
    rows, columns, _ = position.grid.shape
    if position.occupied.shape[0] == 1 and not exact:
        return any_line(position.stones[seat, 0], rows, columns, k)
    own_words = position.stones[seat]
    return (
        is_line(own_words, index, 1, k, exact)
        or is_line(own_words, index, columns, k, exact)
        or is_line(own_words, index, columns + 1, k, exact)
        or is_line(own_words, index, columns + 2, k, exact)
    )


@borrowing
def any_line(own: Word, rows: int, columns: int, k: int) -> bool:
    """Are there k stones in a row, in any direction?"""
    starts = lines(own, 1, k)
    if k <= rows:  # elsewhere a shift by 64 bits or more would be undefined
        starts |= lines(own, columns, k) | lines(own, columns + 1, k) | lines(own, columns + 2, k)
    return starts != NONE


@borrowing
def lines(own: Word, step: int, k: int) -> Word:
    """The first stones of k in a row, each `step` bits from the last."""
    starts = own
    length = 1
    while 2 * length <= k:  # double the length while it fits
        starts &= starts >> Word(length * step)
        length *= 2
    return starts & (starts >> Word((k - length) * step))


@borrowing
def is_line(own: Any, index: int, step: int, k: int, exact: bool) -> bool:
    """Do k stones (exactly or at least) go through the stone at this bit?"""
    # of three or more others in its line, two follow it on one side: mostly none do
    if k > 3 and not (has_two(own, index, step) | has_two(own, index, -step)):
        return False
    length = 1 + run(own, index, step) + run(own, index, -step)
    return length == k if exact else length >= k


@borrowing
def has_two(own: Any, index: int, step: int) -> bool:
    """Do two stones follow this bit?"""
    return holds(own, index + step) & holds(own, index + 2 * step)


@borrowing
def run(own: Any, index: int, step: int) -> int:
    """How many stones follow one another from this bit on, without the first."""
    length = 0
    index += step
    while holds(own, index):
        length += 1
        index += step
    return length


@borrowing
def write_owners(position: Position, out: Cells) -> None:
    """Write who owns each cell: 0 for nobody, or the seat + 1."""
    columns = position.grid.shape[1]
    out[:] = 0
    for seat in range(position.stones.shape[0]):
        for w in range(position.occupied.shape[0]):
            word = position.stones[seat, w]
            while word != NONE:
                index = 64 * w + lowest(word)
                out[index - index // (columns + 1)] = seat + 1
                word = without_lowest(word)


@borrowing
def place_all(position: Position, content: Cells) -> None:
    """Put the stones of all seats on an empty board."""
    columns = position.grid.shape[1]
    for cell in range(content.shape[0]):
        if content[cell] > 0:
            place(position, content[cell] - 1, cell + cell // columns)
