"""Evaluations for Othello, as fixed opponents have used them.

Each is a whole number for the mover, the same with the other sign for the other.
A power of two turns it into a value, so all steps are exact, equal numbers stay
equal values, and no number that a board allows is cut off.
"""

from __future__ import annotations

import enum
from typing import Annotated, Any, NamedTuple

import numpy as np

from quintet.bits import NONE, Word, count, shifted
from quintet.compiled import jit
from quintet.games.othello import Othello, board, places_for
from quintet.randomness import Random
from quintet.rules import Position
from quintet.search.evaluation import Desk, Values, evaluate, spread

OF_A_DISC = 2.0**-7  # no more than 61 discs or moves ahead while the game goes on
OF_A_POINT = 2.0**-12  # the tables, with all else that counts in points, reach 1136

_FIRST_COLUMN = Word(0x0101_0101_0101_0101)
_LAST_COLUMN = Word(0x8080_8080_8080_8080)
_ENCLOSED = 2  # what a disc without an empty neighbour is worth to Iagno


class Table(enum.IntEnum):
    """What a disc is worth on each cell."""

    A = 0  # Iago's kind
    B = 1  # the weighted piece counter of Yoshioka, Lucas and Szubert, in hundredths
    C = 2  # van Eck and van Wezel's
    D = 3  # Iagno's


# One octant, row by row from the corner: cells 0, 1, 2 and 3 steps from the edge.
_OCTANT = [(row, column) for row in range(4) for column in range(row, 4)]
_WORTHS = np.array(
    [
        [50, -1, 5, 2, -10, 1, 1, 1, 1, 0],
        [100, -25, 10, 5, -25, 1, 1, 5, 2, 1],
        [100, -20, 10, 5, -50, -2, -2, -1, -1, -1],
        [65, -3, 6, 4, -29, 3, 1, 5, 3, 1],
    ]
)


def _alike(size: int, row: int, column: int) -> int:
    """The cells of a board that are this far from its edges, as a set of bits."""
    steps = [min(line, size - 1 - line) for line in range(size)]
    return sum(
        1 << (8 * y + x)
        for y in range(size)
        for x in range(size)
        if sorted((steps[y], steps[x])) == [row, column]
    )


_ALIKE = np.array([[_alike(size, *cell) for cell in _OCTANT] for size in (4, 6, 8)], np.uint64)


class Positional(NamedTuple):
    """The worth of the cells that the own discs hold, less that of the other's.

    On a board smaller than 8 x 8 the middle of the table is left out.
    """

    table: Annotated[Table, "what a disc is worth on each cell"] = Table.A

    def unfit(self, game: Any) -> str | None:
        """Why this does not suit a game, or None."""
        return unless_othello(game)


@evaluate.implement(Positional)
def _positional(
    evaluation: Positional, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    size = position.grid.shape[0]
    amount = cells_worth(position.own, position.other, size, evaluation.table.value)
    write_values(position, amount, OF_A_POINT, out)
    return 0


class Discs(NamedTuple):
    """The own discs less the other's."""

    def unfit(self, game: Any) -> str | None:
        """Why this does not suit a game, or None."""
        return unless_othello(game)


@evaluate.implement(Discs)
def _discs(
    evaluation: Discs, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    amount = count(position.own) - count(position.other)
    write_values(position, amount, OF_A_DISC, out)
    return 0


class Whose(enum.IntEnum):
    """Whose legal moves count: for the one and against the other."""

    BOTH = 0
    BLACK = 1
    WHITE = 2


class Mobility(NamedTuple):
    """The own legal moves less the other's; or only those of one seat."""

    whose: Annotated[Whose, "legal moves that count"] = Whose.BOTH

    def unfit(self, game: Any) -> str | None:
        """Why this does not suit a game, or None."""
        return unless_othello(game)


@evaluate.implement(Mobility)
def _mobility(
    evaluation: Mobility, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    whose = evaluation.whose.value
    own = count(position.places)
    other = mobility(position.other, position.own, position.grid.shape[0])
    if whose == 2 - position.turn:
        own = 0
    elif whose == 1 + position.turn:
        other = 0
    write_values(position, own - other, OF_A_DISC, out)
    return 0


class Iagno(NamedTuple):
    """What Iagno 2.22 sees in a position: moves, empty neighbours and cells."""

    def unfit(self, game: Any) -> str | None:
        """Why this does not suit a game, or None."""
        return unless_othello(game)


@evaluate.implement(Iagno)
def _iagno(
    evaluation: Iagno, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    size = position.grid.shape[0]
    own, other = position.own, position.other
    moves = count(position.places) - mobility(other, own, size)
    write_values(position, moves + iagno_worth(own, other, size), OF_A_POINT, out)
    return 0


def unless_othello(game: Any) -> str | None:
    """Why what is made for Othello does not suit a game, or None."""
    return None if isinstance(game, Othello) else "made for Othello only"


@jit
def write_values(position: Position, amount: int, worth: float, out: Values) -> None:
    """Write the values of both seats, from what the mover is ahead."""
    out[position.turn] = amount
    out[1 - position.turn] = 0.0
    spread(out, worth)


@jit
def mobility(own: Word, other: Word, size: int) -> int:
    """Where `own` could place a disc, if it were to move."""
    return count(places_for(own, other) & board(size))


@jit
def cells_worth(own: Word, other: Word, size: int, table: int) -> int:
    """What the own cells are worth, less the other's (001.4, tables A to D)."""
    total = 0
    for i in range(_WORTHS.shape[1]):
        alike = _ALIKE[size // 2 - 2, i]
        total += _WORTHS[table, i] * (count(own & alike) - count(other & alike))
    return total


@jit
def iagno_worth(own: Word, other: Word, size: int) -> int:
    """Parts B and C of Iagno's evaluation (001.4); its part A is the moves."""
    return openness(own, other, size) + cells_worth(own, other, size, Table.D.value)


@jit
def openness(own: Word, other: Word, size: int) -> int:
    """Minus the empty neighbours of each disc, or 2 for a disc that has none."""
    empty = board(size) & ~(own | other)
    right = shifted(empty, 1) & ~_FIRST_COLUMN
    left = shifted(empty, -1) & ~_LAST_COLUMN
    near = NONE
    total = 0
    for row in (empty, left, right):
        for beside in (shifted(row, -8), shifted(row, 8)):
            total -= count(own & beside) - count(other & beside)
            near |= beside
    for beside in (left, right):
        total -= count(own & beside) - count(other & beside)
        near |= beside
    return total + _ENCLOSED * (count(own & ~near) - count(other & ~near))
