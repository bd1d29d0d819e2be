"""k in a row: tic-tac-toe, Connect Four, Go-Moku and their kin, for 2 to 6 players.

Players place stones in turn; the first with k of them in a line, in any of the
four directions, wins.  With gravity a stone falls to the lowest empty cell of
its column, and moves are columns; otherwise moves are cells, row by row.

Each seat's stones are a set of bits.  A row takes one bit more than it has
cells: this guard bit is never set, so lines do not run round the edge.  Row 0
is the top row as shown; the set's low bits.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from quintet import rules
from quintet.bits import NONE, ONE, Word, added, bit, count, has, lowest, mixed, nth, without_lowest
from quintet.compiled import jit
from quintet.layout import Layout
from quintet.parameters import Between
from quintet.randomness import Random, below
from quintet.rules import Cells, Limits, Moves, Position, Scores, record

NOBODY = -1
PLAYING, WON, DRAWN = 0, 1, 2


class KInARow(NamedTuple):
    """The first with k in a row wins."""

    rows: Annotated[int, Between(1, 19), "cells from top to bottom"] = 3
    columns: Annotated[int, Between(1, 19), "cells from left to right"] = 3
    k: Annotated[int, Between(2, 19), "stones in a row that win"] = 3
    players: Annotated[int, Between(2, 6), "how many play"] = 2
    gravity: Annotated[bool, "stones fall to the bottom of their column"] = False
    exact: Annotated[bool, "more than k in a row do not win"] = False

    version = 1
    facts = ("turn",)

    def problem(self) -> str | None:
        """Why these parameters make no game, if they do not."""
        if self.k > max(self.rows, self.columns):
            return f"k={self.k} does not fit on a board of {self.rows} x {self.columns}"
        return None

    def position_type(self) -> np.dtype[Any]:
        """Stones of each seat, all stones, whose turn it is, how it stands."""
        words = (self.rows * (self.columns + 1) + 63) // 64
        return record(
            stones=(np.uint64, (self.players, words)),
            occupied=(np.uint64, (words,)),
            turn=np.int8,
            outcome=np.int8,
            winner=np.int8,
            # takes no room: its shape tells the compiler the size of the board
            grid=(np.int8, (self.rows, self.columns, 0)),
        )

    def limits(self) -> Limits:
        """One move a cell, or a column."""
        board = self.rows * self.columns
        moves = self.columns if self.gravity else board
        return Limits(self.players, moves, board, 2 * self.players)

    def layout(self) -> Layout:
        """Squares for small boards, points for large ones, columns with gravity."""
        if self.gravity:
            return Layout(self.rows, self.columns, "columns", upward=True, symmetric="mirror")
        if min(self.rows, self.columns) > 8:
            return Layout(self.rows, self.columns, "points", skip_i=True, upward=True, capital=True)
        return Layout(self.rows, self.columns, upward=True)

    def move_name(self, move: int) -> str | None:
        """The column's letter with gravity; otherwise the cell's name."""
        return self.layout().column_name(move) if self.gravity else None


@rules.start.implement(KInARow)
def _start(game: KInARow, position: Position) -> None:
    position.winner = NOBODY


@rules.turn.implement(KInARow)
def _turn(game: KInARow, position: Position) -> int:
    return position.turn


@rules.is_over.implement(KInARow)
def _is_over(game: KInARow, position: Position) -> bool:
    return position.outcome != PLAYING


@rules.legal_moves.implement(KInARow)
def _legal_moves(game: KInARow, position: Position, moves: Moves) -> int:
    if position.outcome != PLAYING:
        return 0
    rows, columns, _ = position.grid.shape
    found = 0
    for row in range(1 if game.gravity else rows):
        for column in range(columns):
            if not is_occupied(position, row * (columns + 1) + column):
                moves[found] = row * columns + column
                found += 1
    return found


@rules.random_move.implement(KInARow)
def _random_move(game: KInARow, position: Position, moves: Moves, random: Random) -> int:
    rows, columns, _ = position.grid.shape
    if position.occupied.shape[0] == 1:
        # in one word: take one of the empty bits
        empty = ~position.occupied[0] & open_cells(1 if game.gravity else rows, columns)
        index = nth(empty, below(random, count(empty)))
        return index - index // (columns + 1)
    while True:  # a large board is rarely nearly full
        move = below(random, columns if game.gravity else rows * columns)
        if not is_occupied(position, move + move // columns):
            return move


@rules.play.implement(KInARow)
def _play(game: KInARow, position: Position, move: int) -> None:
    columns = position.grid.shape[1]
    index = move + move // columns
    if game.gravity:
        index = landing(position, move)
    place(position, position.turn, index)
    settle(game, position, index)
    position.turn = 0 if position.turn + 1 == game.players else position.turn + 1


@jit
def place(position: Position, seat: int, index: int) -> None:
    """Put a stone of `seat` on an empty cell, named by its bit."""
    position.stones[seat, index >> 6] |= bit(index & 63)
    position.occupied[index >> 6] |= bit(index & 63)


@jit
def is_occupied(position: Position, index: int) -> bool:
    """Is there a stone on the cell with this bit?"""
    return has(position.occupied[index >> 6], index & 63)


@jit
def open_cells(rows: int, columns: int) -> Word:
    """All cells of the first rows, as one word."""
    word = NONE
    row = bit(columns) - ONE
    for i in range(rows):
        word |= row << Word(i * (columns + 1))
    return word


@jit
def landing(position: Position, column: int) -> int:
    """The bit of the lowest empty cell of a column."""
    rows, columns, _ = position.grid.shape
    if position.occupied.shape[0] == 1:
        whole_column = NONE
        for row in range(rows):
            whole_column |= bit(row * (columns + 1))
        fallen = count(position.occupied[0] & (whole_column << Word(column)))
        return (rows - 1 - fallen) * (columns + 1) + column
    row = rows - 1
    while is_occupied(position, row * (columns + 1) + column):
        row -= 1
    return row * (columns + 1) + column


@jit
def settle(game: KInARow, position: Position, index: int) -> None:
    """Note a win through the stone just placed, or a full board."""
    if makes_line(game, position, index):
        position.outcome = WON
        position.winner = position.turn
    elif is_full(position):
        position.outcome = DRAWN


@jit
def is_full(position: Position) -> bool:
    """Is every cell taken?"""
    rows, columns, _ = position.grid.shape
    if position.occupied.shape[0] == 1:
        return position.occupied[0] == open_cells(rows, columns)
    stones = 0
    for word in position.occupied:
        stones += count(word)
    return stones == rows * columns


@jit
def makes_line(game: KInARow, position: Position, index: int) -> bool:
    """Does the stone at this bit complete k in a row?"""
    columns = position.grid.shape[1]
    if position.occupied.shape[0] == 1 and not game.exact:
        own = position.stones[position.turn, 0]
        return (
            has_line(own, 1, game.k)
            or has_line(own, columns, game.k)
            or has_line(own, columns + 1, game.k)
            or has_line(own, columns + 2, game.k)
        )
    own_words = position.stones[position.turn]
    return (
        is_line(game, own_words, index, 1)
        or is_line(game, own_words, index, columns)
        or is_line(game, own_words, index, columns + 1)
        or is_line(game, own_words, index, columns + 2)
    )


@jit
def has_line(own: Word, step: int, k: int) -> bool:
    """Are there k stones in a row, each `step` bits from the last?"""
    starts = own
    length = 1
    while 2 * length <= k:  # double the length while it fits
        starts &= starts >> Word(length * step)
        length *= 2
    return starts & (starts >> Word((k - length) * step)) != NONE


@jit
def is_line(game: KInARow, own: Any, index: int, step: int) -> bool:
    """Do k stones (exactly or at least) go through the stone at this bit?"""
    length = 1 + run(own, index, step) + run(own, index, -step)
    return length == game.k if game.exact else length >= game.k


@jit
def run(own: Any, index: int, step: int) -> int:
    """How many stones follow one another from this bit on, without the first."""
    length = 0
    index += step
    while 0 <= index < 64 * own.shape[0] and has(own[index >> 6], index & 63):
        length += 1
        index += step
    return length


@rules.scores.implement(KInARow)
def _scores(game: KInARow, position: Position, out: Scores) -> None:
    if position.outcome == WON:
        out[:] = 0.0
        out[position.winner] = 1.0
    else:
        out[:] = 1.0 / game.players


@rules.cells.implement(KInARow)
def _cells(game: KInARow, position: Position, out: Cells) -> None:
    columns = position.grid.shape[1]
    out[:] = 0
    for seat in range(game.players):
        for w in range(position.occupied.shape[0]):
            word = position.stones[seat, w]
            while word != NONE:
                index = 64 * w + lowest(word)
                out[index - index // (columns + 1)] = seat + 1
                word = without_lowest(word)


@rules.set_up.implement(KInARow)
def _set_up(game: KInARow, position: Position, content: Cells) -> None:
    columns = position.grid.shape[1]
    mover = position.turn
    position.winner = NOBODY
    position.outcome = PLAYING
    for cell in range(content.shape[0]):
        if content[cell] > 0:
            place(position, content[cell] - 1, cell + cell // columns)
    for cell in range(content.shape[0]):
        if content[cell] > 0 and position.outcome == PLAYING:
            position.turn = content[cell] - 1
            settle(game, position, cell + cell // columns)
    position.turn = mover


@rules.key.implement(KInARow)
def _key(game: KInARow, position: Position) -> Word:
    word = Word(position.turn)
    for seat in range(game.players):
        for w in range(position.occupied.shape[0]):
            word = mixed(added(word, position.stones[seat, w]))
    return word
