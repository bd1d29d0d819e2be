"""The move that wins at once, found without trying all moves: for games of lines, and Pente."""

from __future__ import annotations

import enum
from typing import Any

from quintet.bits import NONE, Word, count, lowest, shifted, without_lowest
from quintet.compiled import borrowing, generic
from quintet.games.k_in_a_row import KInARow
from quintet.games.pente import Pente
from quintet.players.lines import line_length
from quintet.players.points_of_interest import (
    captured_at,
    captures_in_word,
    empty_points,
    is_empty,
    moved,
)
from quintet.rules import Position
from quintet.stones import is_line

NO_MOVE = -1


class Finish(enum.IntEnum):
    """Which wins a network need not see for itself."""

    NONE = 0
    LINE = 1  # enough stones in a row (000.2)
    ALL = 2  # or captured (section 7)
    GUARD = 3  # and where there is none, another's row is stopped


@generic
def winning_move(game: Any, position: Position, captures: bool) -> int:
    """A move that wins by a line, or perhaps by captures; -1 if there is none."""
    raise NotImplementedError


@generic
def guarding_move(game: Any, position: Position) -> int:
    """Where another would complete a line, the next to move first; -1 if nobody would."""
    raise NotImplementedError


@winning_move.default
@borrowing
def _nobody_knows(game: Any, position: Position, captures: bool) -> int:
    return NO_MOVE


@guarding_move.default
@borrowing
def _nobody_guards(game: Any, position: Position) -> int:
    return NO_MOVE


@guarding_move.implement(KInARow)
@borrowing
def _guard_lines(game: KInARow, position: Position) -> int:
    return completing_move_of_others(position, game.k, game.exact)


@guarding_move.implement(Pente)
@borrowing
def _guard_fives(game: Pente, position: Position) -> int:
    return completing_move_of_others(position, line_length(game), False)


@borrowing
def completing_move_of_others(position: Position, k: int, exact: bool) -> int:
    """The first move by which the next seat makes k in a row, or the one after it, ..."""
    seats = position.stones.shape[0]
    for distance in range(1, seats):
        move = completing_move(position, (position.turn + distance) % seats, k, exact)
        if move != NO_MOVE:
            return move
    return NO_MOVE


@winning_move.implement(KInARow)
@borrowing
def _finish_line(game: KInARow, position: Position, captures: bool) -> int:
    return completing_move(position, position.turn, game.k, game.exact)


@winning_move.implement(Pente)
@borrowing
def _finish_pente(game: Pente, position: Position, captures: bool) -> int:
    move = completing_move(position, position.turn, line_length(game), False)
    if move == NO_MOVE and captures:
        return capturing_move(game, position)
    return move


@borrowing
def completing_move(position: Position, seat: int, k: int, exact: bool) -> int:
    """The first point where a seat would make k in a row, or -1."""
    rows, columns, _ = position.grid.shape
    if position.occupied.shape[0] == 1 and not exact:
        own = position.stones[seat, 0]
        if count(own) < k - 1:
            return NO_MOVE
        empty = empty_points(position)
        found = gaps(own, empty, 1, k)
        if k <= rows:
            found |= gaps(own, empty, columns, k)
            found |= gaps(own, empty, columns + 1, k) | gaps(own, empty, columns + 2, k)
        return cell_of(lowest(found), columns) if found != NONE else NO_MOVE
    return completing_by_walking(position, seat, k, exact)


@borrowing
def gaps(own: Word, empty: Word, step: int, k: int) -> Word:
    """The empty points that complete k in a row in one direction."""
    found = NONE
    for gap in range(k):
        starts = moved(empty, -gap * step)
        for i in range(k):
            if i != gap:
                starts &= moved(own, -i * step)
        found |= shifted(starts, gap * step)
    return found


@borrowing
def completing_by_walking(position: Position, seat: int, k: int, exact: bool) -> int:
    """The same on a larger board."""
    columns = position.grid.shape[1]
    own = position.stones[seat]
    for index in range(64 * position.occupied.shape[0]):
        if is_empty(position, index):
            for step in (1, columns, columns + 1, columns + 2):
                if is_line(own, index, step, k, exact):
                    return cell_of(index, columns)
    return NO_MOVE


@borrowing
def capturing_move(game: Pente, position: Position) -> int:
    """The first move that captures enough, or -1."""
    columns = position.grid.shape[1]
    missing = game.captures - position.captured[position.turn]
    if position.occupied.shape[0] == 1:
        points = captures_in_word(game, position)  # where most are captured
        while points != NONE:
            if captured_at(game, position, lowest(points)) >= missing:
                return cell_of(lowest(points), columns)
            points = without_lowest(points)
        return NO_MOVE
    for index in range(64 * position.occupied.shape[0]):
        if is_empty(position, index) and captured_at(game, position, index) >= missing:
            return cell_of(index, columns)
    return NO_MOVE


@borrowing
def cell_of(index: int, columns: int) -> int:
    """The cell of a bit."""
    return index - index // (columns + 1)
