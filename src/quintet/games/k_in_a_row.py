"""k in a row: tic-tac-toe, Connect Four, Go-Moku and their kin, for 2 to 6 players.

Players place stones in turn; the first with k of them in a line, in any of the
four directions, wins.  With gravity a stone falls to the lowest empty cell of
its column, and moves are columns; otherwise moves are cells, row by row.

Each seat's stones are a set of bits; see stones.py.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from quintet import rules
from quintet.bits import NONE, Word, added, bit, count, mixed, nth, nth_bit
from quintet.compiled import borrowing
from quintet.layout import Layout
from quintet.parameters import Between
from quintet.randomness import Random, below
from quintet.rules import Cells, Limits, Moves, Position, Scores, record
from quintet.stones import (
    DRAWN,
    NOBODY,
    PLAYING,
    WON,
    any_line,
    is_full,
    is_occupied,
    list_empty,
    makes_line,
    open_cells,
    place,
    place_all,
    random_empty,
    write_owners,
)


class KInARow(NamedTuple):
    """The first with k in a row wins."""

    rows: Annotated[int, Between(1, 20), "cells from top to bottom"] = 3
    columns: Annotated[int, Between(1, 20), "cells from left to right"] = 3
    k: Annotated[int, Between(2, 19), "stones in a row that win"] = 3
    players: Annotated[int, Between(2, 6), "how many play"] = 2
    gravity: Annotated[bool, "stones fall to the bottom of their column"] = False
    exact: Annotated[bool, "more than k in a row do not win"] = False

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
            # take no room: their shapes tell the compiler the size of the board, and k
            grid=(np.int8, (self.rows, self.columns, 0)),
            line=(np.int8, (self.k, 0)),
        )

    def limits(self) -> Limits:
        """One move a cell, or a column."""
        board = self.rows * self.columns
        moves = self.columns if self.gravity else board
        return Limits(self.players, moves, board, 2 * self.players)

    def layout(self) -> Layout:
        """Squares for small boards, points for large ones, columns with gravity."""
        if self.gravity:
            kind = Layout(self.rows, self.columns, "columns", upward=True, symmetric="mirror")
        elif min(self.rows, self.columns) > 8:
            kind = Layout(self.rows, self.columns, "points", skip_i=True, upward=True, capital=True)
        else:
            kind = Layout(self.rows, self.columns, upward=True)
        return kind._replace(line=self.k)

    def move_name(self, move: int) -> str | None:
        """The column's letter with gravity; otherwise the cell's name."""
        return self.layout().column_name(move) if self.gravity else None

    def board_problem(self, content: Cells) -> str | None:
        """Why no game has this board, where playing on would spoil it: a stone in the air."""
        if not self.gravity:
            return None
        for cell in range(self.columns * (self.rows - 1)):
            if content[cell] > 0 and content[cell + self.columns] == 0:
                return f"the stone on {self.layout().cell_name(cell)} has nothing under it"
        return None


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
@borrowing
def _legal_moves(game: KInARow, position: Position, moves: Moves) -> int:
    if position.outcome != PLAYING:
        return 0
    return list_empty(position, 1 if game.gravity else position.grid.shape[0], moves)


@rules.random_move.implement(KInARow)
@borrowing
def _random_move(game: KInARow, position: Position, moves: Moves, random: Random) -> int:
    rows, columns, _ = position.grid.shape
    if position.occupied.shape[0] > 1 or not game.gravity:
        return random_empty(position, 1 if game.gravity else rows, random)
    free = free_cells(game, position, position.occupied[0])
    return nth(free, below(random, count(free))) % (columns + 1)


@borrowing
def free_cells(game: KInARow, position: Position, occupied: Word) -> Word:
    """Where a stone can be placed, on a board in one word."""
    rows, columns, _ = position.grid.shape
    free = open_cells(rows, columns) & ~occupied
    if game.gravity:  # on the bottom row, or on another stone
        bottom = open_cells(1, columns) << Word((rows - 1) * (columns + 1))
        free &= bottom | (occupied >> Word(columns + 1))
    return free


@rules.play.implement(KInARow)
@borrowing
def _play(game: KInARow, position: Position, move: int) -> None:
    columns = position.grid.shape[1]
    index = move + move // columns
    if game.gravity:
        index = landing(position, move)
    place(position, position.turn, index)
    settle(game, position, index)
    position.turn = 0 if position.turn + 1 == game.players else position.turn + 1


@rules.play_out.implement(KInARow)
@borrowing
def _play_out(game: KInARow, position: Position, moves: Moves, random: Random) -> int:
    if position.occupied.shape[0] > 1 or game.exact:
        return rules.play_on(game, position, moves, random)
    return play_out_in_word(game, position, random)


@borrowing
def play_out_in_word(game: KInARow, position: Position, random: Random) -> int:
    """The same as move by move, on a board in one word, with that word in a register."""
    rows, columns, _ = position.grid.shape
    board, occupied = open_cells(rows, columns), position.occupied[0]
    seat, plies = int(position.turn), 0
    while position.outcome == PLAYING:
        free = free_cells(game, position, occupied)
        chosen = nth_bit(free, below(random, count(free)))
        occupied |= chosen
        own = position.stones[seat, 0] | chosen
        position.stones[seat, 0] = own
        plies += 1
        if any_line(own, rows, columns, position.line.shape[0]):
            position.outcome = WON
            position.winner = seat
        elif occupied == board:
            position.outcome = DRAWN
        seat = 0 if seat + 1 == position.stones.shape[0] else seat + 1
    position.occupied[0] = occupied
    position.turn = seat
    return plies


@borrowing
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


@borrowing
def settle(game: KInARow, position: Position, index: int) -> None:
    """Note a win through the stone just placed, or a full board."""
    if makes_line(position, position.turn, index, game.k, game.exact):
        position.outcome = WON
        position.winner = position.turn
    elif is_full(position):
        position.outcome = DRAWN


@rules.scores.implement(KInARow)
def _scores(game: KInARow, position: Position, out: Scores) -> None:
    if position.outcome == WON:
        out[:] = 0.0
        out[position.winner] = 1.0
    else:
        out[:] = 1.0 / game.players


@rules.cells.implement(KInARow)
def _cells(game: KInARow, position: Position, out: Cells) -> None:
    write_owners(position, out)


@rules.set_up.implement(KInARow)
def _set_up(game: KInARow, position: Position, content: Cells) -> None:
    columns = position.grid.shape[1]
    position.winner = NOBODY
    position.outcome = PLAYING
    place_all(position, content)
    if is_full(position):
        position.outcome = DRAWN
    for cell in range(content.shape[0]):  # a line on a full board is no draw
        owner = content[cell] - 1
        index = cell + cell // columns
        if owner >= 0 and makes_line(position, owner, index, game.k, game.exact):
            position.outcome = WON
            position.winner = owner


@rules.key.implement(KInARow)
def _key(game: KInARow, position: Position) -> Word:
    word = mixed(Word(position.turn + 1))  # unmixed, it would add to the first stones
    for seat in range(game.players):
        for w in range(position.occupied.shape[0]):
            word = mixed(added(word, position.stones[seat, w]))
    return word
