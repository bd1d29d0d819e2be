"""Points that block a row, capture, or prepare a capture.

A board in one word is looked at by shifting all its points at once; a larger one
point by point.  Sets of points are written into words as in stones.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintet.bits import NONE, Word, bit, count, lowest, shifted, without_lowest
from quintet.compiled import borrowing
from quintet.games.pente import all_held, bracketed
from quintet.rules import Position
from quintet.stones import any_line, holds, is_occupied, open_cells, run

Words = NDArray[np.uint64]


@borrowing
def on_board(position: Position, index: int) -> bool:
    """Is this the bit of a point, not of a guard or beyond?"""
    rows, columns, _ = position.grid.shape
    return 0 <= index < rows * (columns + 1) and index % (columns + 1) != columns


@borrowing
def is_empty(position: Position, index: int) -> bool:
    """Is this the bit of an empty point?"""
    return on_board(position, index) and not is_occupied(position, index)


@borrowing
def add(points: Words, index: int) -> None:
    """Put a point into a set."""
    points[index >> 6] |= bit(index & 63)


@borrowing
def empty_points(position: Position) -> Word:
    """The empty points of a board in one word."""
    rows, columns, _ = position.grid.shape
    return ~position.occupied[0] & open_cells(rows, columns)


@borrowing
def moved(word: Word, by: int) -> Word:
    """Every point moved up by `by`, or down; what leaves the word is lost."""
    return shifted(word, by) if -64 < by < 64 else NONE


# --- ends of rows -------------------------------------------------------------


@borrowing
def add_blocks(position: Position, length: int, points: Words) -> bool:
    """Add the empty ends of others' rows of exactly this length; is there one?"""
    found = False
    for seat in range(position.stones.shape[0]):
        if seat != position.turn:
            for w in range(position.occupied.shape[0]):
                stones = position.stones[seat, w]
                while stones != NONE:
                    index = 64 * w + lowest(stones)
                    found |= add_blocks_from(position, seat, index, length, points)
                    stones = without_lowest(stones)
    return found


@borrowing
def add_blocks_from(position: Position, seat: int, index: int, length: int, points: Words) -> bool:
    """Add the empty ends of the rows that begin with this stone."""
    columns = position.grid.shape[1]
    theirs = position.stones[seat]
    found = False
    for step in (1, columns, columns + 1, columns + 2):
        if not holds(theirs, index - step) and run(theirs, index, step) + 1 == length:
            for end in (index - step, index + length * step):
                if is_empty(position, end):
                    add(points, end)
                    found = True
    return found


@borrowing
def has_row(position: Position, length: int) -> bool:
    """Has another seat at least so many in a row?  Mostly not, and this is quick."""
    rows, columns, _ = position.grid.shape
    found = False
    for seat in range(position.stones.shape[0]):
        if seat != position.turn:
            found |= any_line(position.stones[seat, 0], rows, columns, length)
    return found


@borrowing
def blocks_in_word(position: Position, length: int) -> Word:
    """The empty ends of others' rows of exactly this length, on a board in one word."""
    if not has_row(position, length):
        return NONE
    columns = position.grid.shape[1]
    empty = empty_points(position)
    ends = NONE
    for seat in range(position.stones.shape[0]):
        if seat != position.turn:
            theirs = position.stones[seat, 0]
            ends |= (
                ends_of_rows(theirs, 1, length)
                | ends_of_rows(theirs, columns, length)
                | ends_of_rows(theirs, columns + 1, length)
                | ends_of_rows(theirs, columns + 2, length)
            )
    return ends & empty


@borrowing
def ends_of_rows(theirs: Word, step: int, length: int) -> Word:
    """What lies before and behind the rows of exactly this length, in one direction."""
    first = theirs
    for i in range(1, length):
        first &= moved(theirs, -i * step)
    first &= ~shifted(theirs, step) & ~moved(theirs, -length * step)
    return shifted(first, -step) | moved(first, length * step)


# --- captures -----------------------------------------------------------------


@borrowing
def prey_in_word(game: Any, position: Position) -> Word:
    """Where most stones are captured; else where a capture is prepared.

    Best is next to a pair with an empty point behind it, where a capture is then
    threatened; second next to a stone with two empty points behind it, where its
    owner may make it a pair.
    """
    found = captures_in_word(game, position)
    if found == NONE:
        found = threats_in_word(game, position)
    return lures_in_word(position) if found == NONE else found


@borrowing
def add_prey(game: Any, position: Position, points: Words) -> None:
    """The same on a larger board."""
    if not (
        add_most_captures(game, position, points) or add_preparations(game, position, points, True)
    ):
        add_preparations(game, position, points, False)


@borrowing
def captures_in_word(game: Any, position: Position) -> Word:
    """The points where most stones are captured."""
    own = position.stones[position.turn, 0]
    columns = position.grid.shape[1]
    possible = NONE
    for seat in range(position.stones.shape[0]):
        if seat != position.turn:
            theirs = position.stones[seat, 0]
            for step in (1, columns, columns + 1, columns + 2):
                possible |= before_rows(theirs, own, step, 2) | before_rows(theirs, own, -step, 2)
                if game.keryo:
                    possible |= before_rows(theirs, own, step, 3)
                    possible |= before_rows(theirs, own, -step, 3)
    return with_most_captures(game, position, possible & empty_points(position))


@borrowing
def before_rows(theirs: Word, behind: Word, step: int, length: int) -> Word:
    """The points with `length` stones of `theirs` next to them, and then one of `behind`."""
    found = shifted(behind, -(length + 1) * step)
    for i in range(1, length + 1):
        found &= shifted(theirs, -i * step)
    return found


@borrowing
def with_most_captures(game: Any, position: Position, possible: Word) -> Word:
    """Those of some points where most stones are captured."""
    best, most = NONE, 0
    while possible != NONE:
        point = possible & ~without_lowest(possible)
        taken = captured_in_word(game, position, point)
        if taken > most:
            best, most = NONE, taken
        if taken == most:
            best |= point
        possible = without_lowest(possible)
    return best


@borrowing
def captured_in_word(game: Any, position: Position, point: Word) -> int:
    """How many stones a stone on this point captures."""
    own = position.stones[position.turn, 0]
    columns = position.grid.shape[1]
    taken = 0
    for seat in range(position.stones.shape[0]):
        if seat != position.turn:
            theirs = position.stones[seat, 0]
            taken += count(bracketed(own, theirs, point, columns, game.keryo))
    return taken


@borrowing
def threats_in_word(game: Any, position: Position) -> Word:
    """The points next to a pair (with keryo, or a three) that is open behind."""
    columns = position.grid.shape[1]
    empty = empty_points(position)
    found = NONE
    for seat in range(position.stones.shape[0]):
        if seat != position.turn:
            theirs = position.stones[seat, 0]
            for step in (1, columns, columns + 1, columns + 2):
                found |= before_rows(theirs, empty, step, 2) | before_rows(theirs, empty, -step, 2)
                if game.keryo:
                    found |= before_rows(theirs, empty, step, 3)
                    found |= before_rows(theirs, empty, -step, 3)
    return found & empty


@borrowing
def lures_in_word(position: Position) -> Word:
    """The points next to another's stone with two empty points behind it."""
    columns = position.grid.shape[1]
    empty = empty_points(position)
    others = position.occupied[0] & ~position.stones[position.turn, 0]
    found = NONE
    for step in (1, columns, columns + 1, columns + 2):
        found |= shifted(others, -step) & shifted(empty, -2 * step) & shifted(empty, -3 * step)
        found |= shifted(others, step) & shifted(empty, 2 * step) & shifted(empty, 3 * step)
    return found & empty


@borrowing
def add_most_captures(game: Any, position: Position, points: Words) -> bool:
    """Add where most stones are captured on a larger board; is there such a point?"""
    most = 1
    for index in range(64 * position.occupied.shape[0]):
        if is_empty(position, index):
            taken = captured_at(game, position, index)
            if taken > most:
                points[:] = NONE
                most = taken
            if taken == most:
                add(points, index)
    return most > 1


@borrowing
def captured_at(game: Any, position: Position, index: int) -> int:
    """How many stones a stone with this bit captures."""
    columns = position.grid.shape[1]
    own = position.stones[position.turn]
    taken = 0
    for sign in (1, -1):
        for part in (1, columns, columns + 1, columns + 2):
            step = sign * part
            for length in range(2, 4 if game.keryo else 3):
                behind = index + (length + 1) * step
                if holds(own, behind) and is_row(position, index + step, step, length):
                    taken += length
    return taken


@borrowing
def is_row(position: Position, index: int, step: int, length: int) -> bool:
    """Are there `length` stones of one other seat from this bit on?"""
    found = False
    for seat in range(position.stones.shape[0]):
        if seat != position.turn:
            found |= all_held(position.stones[seat], index, step, length)
    return found


@borrowing
def add_preparations(game: Any, position: Position, points: Words, threats: bool) -> bool:
    """Add the threats to capture, or the lures, of a larger board; is there one?"""
    columns = position.grid.shape[1]
    found = False
    for index in range(64 * position.occupied.shape[0]):
        if is_empty(position, index):
            for sign in (1, -1):
                for part in (1, columns, columns + 1, columns + 2):
                    if prepares(game, position, index, sign * part, threats):
                        add(points, index)
                        found = True
    return found


@borrowing
def prepares(game: Any, position: Position, index: int, step: int, threat: bool) -> bool:
    """Does a stone at this bit threaten to capture, or lure, in this direction?"""
    if not threat:
        behind = is_empty(position, index + 2 * step) and is_empty(position, index + 3 * step)
        return behind and is_row(position, index + step, step, 1)
    found = is_row(position, index + step, step, 2) and is_empty(position, index + 3 * step)
    if game.keryo and is_row(position, index + step, step, 3):
        found |= is_empty(position, index + 4 * step)
    return found
