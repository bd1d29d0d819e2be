"""All lines of k cells on a board, and how many stones of each side are on them.

What threat searches and line evaluations of two-player games need to know: a
**line** is a window of k cells in a row; a line with stones of both sides is
dead.  Placing a stone updates the at most 4k lines through it.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.bits import Word, mixed
from quintet.compiled import jit
from quintet.rules import Cells

OFF = -1  # where there is no cell, or no line
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # down, right


class Lines(NamedTuple):
    """The lines of a board, and the stones on them."""

    cells: NDArray[np.int16]  # of each line, in order
    beyond: NDArray[np.int16]  # the cells before and behind each line
    through: NDArray[np.int16]  # the lines through each cell
    owners: Cells  # of each cell: 0 for nobody, or the side + 1
    counts: NDArray[np.int8]  # stones of each side on each line
    key: NDArray[np.uint64]  # one word: a hash of the stones
    exact: NDArray[np.bool_]  # one: do more than k in a row not win?


def new_lines(rows: int, columns: int, k: int, exact: bool = False) -> Lines:
    """The lines of an empty board."""
    cells, beyond, through = _geometry(rows, columns, k)
    return Lines(
        cells,
        beyond,
        through,
        np.zeros(rows * columns, np.int8),
        np.zeros((len(cells), 2), np.int8),
        np.zeros(1, np.uint64),
        np.array([exact]),
    )


@functools.lru_cache(maxsize=16)
def _geometry(rows: int, columns: int, k: int) -> tuple[NDArray[np.int16], ...]:
    """Cells, beyond and through: the same for all boards of a size."""
    cells: list[list[int]] = []
    beyond: list[list[int]] = []
    through = np.full((rows * columns, 4 * k), OFF, np.int16)
    known = [0] * (rows * columns)  # lines through each cell so far
    for row, column, (down, right) in itertools.product(range(rows), range(columns), DIRECTIONS):
        places = [(row + i * down, column + i * right) for i in range(-1, k + 1)]
        before, *line, behind = [_number(rows, columns, *place) for place in places]
        if OFF not in line:
            for cell in line:
                through[cell, known[cell]] = len(cells)
                known[cell] += 1
            cells.append(line)
            beyond.append([before, behind])
    return (
        np.array(cells, np.int16).reshape(-1, k),
        np.array(beyond, np.int16).reshape(-1, 2),
        through,
    )


def _number(rows: int, columns: int, row: int, column: int) -> int:
    return row * columns + column if 0 <= row < rows and 0 <= column < columns else OFF


@jit
def whole(number: Any) -> int:
    """A whole number of full width: compiled code would keep a small one small."""
    return np.int64(number)  # type: ignore[return-value]


@jit
def set_stones(lines: Lines, owners: Cells) -> None:
    """Put the stones of a position onto the board."""
    lines.owners[:] = 0
    lines.counts[:] = 0
    lines.key[0] = Word(0)
    for cell in range(owners.shape[0]):
        if owners[cell] > 0:
            put(lines, cell, owners[cell] - 1)


@jit
def put(lines: Lines, cell: int, side: int) -> None:
    """Place a stone on an empty cell."""
    lines.owners[cell] = side + 1
    lines.key[0] ^= mixed(Word(2 * cell + side + 1))
    for line in lines.through[cell]:
        if line == OFF:
            break
        lines.counts[line, side] += 1


@jit
def take_back(lines: Lines, cell: int) -> None:
    """Remove a stone."""
    side = lines.owners[cell] - 1
    lines.owners[cell] = 0
    lines.key[0] ^= mixed(Word(2 * cell + side + 1))
    for line in lines.through[cell]:
        if line == OFF:
            break
        lines.counts[line, side] -= 1


@jit
def stones_if_open(lines: Lines, line: int, side: int) -> int:
    """How many stones `side` has on a line; OFF if the line is dead for it."""
    if lines.counts[line, 1 - side] > 0:
        return OFF
    return lines.counts[line, side]


@jit
def would_win(lines: Lines, line: int, side: int) -> bool:
    """Does `side` win by filling this line?  Not if it then has more than exactly k in a row."""
    if not lines.exact[0]:
        return True
    before, behind = lines.beyond[line, 0], lines.beyond[line, 1]
    too_long = before != OFF and lines.owners[before] == side + 1
    too_long |= behind != OFF and lines.owners[behind] == side + 1
    return not too_long


@jit
def first_empty(lines: Lines, line: int) -> int:
    """The first empty cell of a line, or OFF."""
    for cell in lines.cells[line]:
        if lines.owners[cell] == 0:
            return whole(cell)
    return OFF


@jit
def wins_through(lines: Lines, cell: int, side: int) -> tuple[int, int]:
    """How many cells (two means more) win at once for `side` on lines through its stone here.

    And one of them, or OFF.
    """
    k = lines.cells.shape[1]
    found = whole(OFF)
    for line in lines.through[cell]:
        if line == OFF:
            break
        if stones_if_open(lines, line, side) == k - 1 and would_win(lines, line, side):
            winning = first_empty(lines, line)
            if found not in (OFF, winning):
                return 2, found
            found = winning
    return (0 if found == OFF else 1), found


@jit
def wins_anywhere(lines: Lines, side: int) -> tuple[int, int]:
    """How many cells (two means more) win at once for `side`, and one of them, or OFF."""
    k = lines.cells.shape[1]
    found = whole(OFF)
    for line in range(lines.cells.shape[0]):
        if stones_if_open(lines, line, side) == k - 1 and would_win(lines, line, side):
            winning = first_empty(lines, line)
            if found not in (OFF, winning):
                return 2, found
            found = winning
    return (0 if found == OFF else 1), found


def lines_of(game: Any) -> Lines:
    """The lines of a game that has rows, columns, k and perhaps `exact`."""
    return new_lines(game.rows, game.columns, game.k, bool(getattr(game, "exact", False)))
