"""Elbow room: claim cells, keep your distance, and hold a corner for yourself.

Players put a stone on an empty cell in turn, but never beside a stone of
somebody else.  Who has no such cell is passed over.  When nobody has one the
game is over, and who has placed the most stones wins; equals share the win.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from quintet import rules
from quintet.compiled import jit
from quintet.layout import Layout
from quintet.parameters import Between
from quintet.rules import Cells, Limits, Moves, Position, Scores, record


class ElbowRoom(NamedTuple):
    """Claim cells that are not beside a rival's; the most stones win."""

    size: Annotated[int, Between(2, 12), "cells on a side"] = 5
    players: Annotated[int, Between(2, 6), "how many play"] = 3
    diagonals: Annotated[bool, "cells that touch at a corner are beside each other too"] = False

    def position_type(self) -> np.dtype[Any]:
        """The owner of each cell, whose turn it is, and whether it has ended."""
        return record(
            board=(np.int8, (self.size, self.size)),
            turn=np.int8,
            over=np.bool_,
            # takes no room: its shape tells the compiler the size of the board
            grid=(np.int8, (self.size, self.size, 0)),
        )

    def limits(self) -> Limits:
        """One move a cell."""
        board = self.size * self.size
        return Limits(seats=self.players, moves=board, plies=board, planes=2 * self.players)

    def layout(self) -> Layout:
        """A board of squares, the same from all sides."""
        return Layout(self.size, self.size)


@rules.start.implement(ElbowRoom)
def _start(game: ElbowRoom, position: Position) -> None:
    pass  # all fields are zero: an empty board, seat 0 to move


@rules.turn.implement(ElbowRoom)
def _turn(game: ElbowRoom, position: Position) -> int:
    return position.turn


@rules.is_over.implement(ElbowRoom)
def _is_over(game: ElbowRoom, position: Position) -> bool:
    return position.over


@jit
def has_room(game: ElbowRoom, position: Position, seat: int, row: int, column: int) -> bool:
    """May `seat` claim this cell: is it empty, with no rival beside it?"""
    size = position.board.shape[0]
    if position.board[row, column] != 0:
        return False
    for r in range(max(row - 1, 0), min(row + 2, size)):
        for c in range(max(column - 1, 0), min(column + 2, size)):
            touches = game.diagonals or r == row or c == column
            if touches and position.board[r, c] != 0 and position.board[r, c] != seat + 1:
                return False
    return True


@rules.legal_moves.implement(ElbowRoom)
def _legal_moves(game: ElbowRoom, position: Position, moves: Moves) -> int:
    if position.over:
        return 0
    size = position.board.shape[0]
    found = 0
    for cell in range(size * size):
        if has_room(game, position, position.turn, cell // size, cell % size):
            moves[found] = cell
            found += 1
    return found


@rules.play.implement(ElbowRoom)
def _play(game: ElbowRoom, position: Position, move: int) -> None:
    size = position.board.shape[0]
    position.board[move // size, move % size] = position.turn + 1
    position.turn = (position.turn + 1) % game.players
    pass_over_the_stuck(game, position)


@jit
def pass_over_the_stuck(game: ElbowRoom, position: Position) -> None:
    """Give the turn to the next seat that has a move; with none the game is over."""
    size = position.board.shape[0]
    for _ in range(game.players):
        for cell in range(size * size):
            if has_room(game, position, position.turn, cell // size, cell % size):
                return
        position.turn = (position.turn + 1) % game.players
    position.over = True


@rules.scores.implement(ElbowRoom)
def _scores(game: ElbowRoom, position: Position, out: Scores) -> None:
    out[:] = 0.0
    for owner in position.board.flat:
        if owner > 0:
            out[owner - 1] += 1.0
    most = out.max()
    winners = (out == most).sum()
    for seat in range(game.players):
        out[seat] = 1.0 / winners if out[seat] == most else 0.0


@rules.cells.implement(ElbowRoom)
def _cells(game: ElbowRoom, position: Position, out: Cells) -> None:
    out[:] = position.board.ravel()


@rules.set_up.implement(ElbowRoom)
def _set_up(game: ElbowRoom, position: Position, content: Cells) -> None:
    size = position.board.shape[0]
    for cell in range(content.shape[0]):
        position.board[cell // size, cell % size] = content[cell]
    pass_over_the_stuck(game, position)
