"""Othello's evaluations and Iagno with lists and loops; all amounts are Black's."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tests.against.reference.othello import DIRECTIONS, OthelloReference

# The quarter of the board at the corner, as printed in papers.
TABLES = {
    "a": [[50, -1, 5, 2], [-1, -10, 1, 1], [5, 1, 1, 1], [2, 1, 1, 0]],
    "b": [[100, -25, 10, 5], [-25, -25, 1, 1], [10, 1, 5, 2], [5, 1, 2, 1]],
    "c": [[100, -20, 10, 5], [-20, -50, -2, -2], [10, -2, -1, -1], [5, -2, -1, -1]],
    "d": [[65, -3, 6, 4], [-3, -29, 3, 1], [6, 3, 5, 3], [4, 1, 3, 1]],
}
SIGNS = {1: 1, 2: -1}


def reference_for(game: Any, cells: Any, turn: int) -> OthelloReference:
    """The board with these owners of its cells."""
    board = OthelloReference(game)
    size = board.size
    board.board = [[int(cells[row * size + i]) for i in range(size)] for row in range(size)]
    board.mover = turn
    return board


def after(board: OthelloReference, move: int) -> OthelloReference:
    """A board of its own, after a move."""
    changed = copy.deepcopy(board)
    changed.play(move)
    return changed


def owned(board: OthelloReference) -> list[tuple[int, int, int]]:
    """The discs: row, column, and 1 for Black's or -1 for White's."""
    size = board.size
    return [
        (row, column, SIGNS[board.board[row][column]])
        for row in range(size)
        for column in range(size)
        if board.board[row][column]
    ]


def positional(board: OthelloReference, table: str) -> int:
    last = board.size - 1
    quarter = TABLES[table]
    return sum(
        sign * quarter[min(row, last - row)][min(column, last - column)]
        for row, column, sign in owned(board)
    )


def discs(board: OthelloReference) -> int:
    return sum(sign for _, _, sign in owned(board))


def mobility(board: OthelloReference) -> int:
    return len(board.places(0)) - len(board.places(1))


def openness(board: OthelloReference) -> int:
    total = 0
    for row, column, sign in owned(board):
        empty = sum(board.owner(row + down, column + right) == 0 for down, right in DIRECTIONS)
        total += sign * (-empty if empty else 2)
    return total


def iagno(board: OthelloReference) -> int:
    return mobility(board) + openness(board) + positional(board, "d")


def final(board: OthelloReference) -> int:
    """What Iagno makes of the end of a game."""
    owners = {sign for _, _, sign in owned(board)}
    if len(owners) == 1:
        return 10_000 * owners.pop()
    lead = discs(board)
    return lead + 100 * ((lead > 0) - (lead < 0))


def value(board: OthelloReference, depth: int) -> int:
    """Minimax, without any cut; a pass costs no depth."""
    moves = board.legal_moves()
    if not moves:
        return final(board)
    if moves == [board.size * board.size]:
        return value(after(board, moves[0]), depth)
    if depth == 0:
        return iagno(board)
    values = [value(after(board, move), depth - 1) for move in moves]
    return max(values) if board.mover == 0 else min(values)


def root_values(board: OthelloReference, depth: int) -> dict[int, int]:
    """What each move is worth to the mover, in the order in which Iagno tries them."""
    sign = 1 if board.mover == 0 else -1
    boards = {move: after(board, move) for move in board.legal_moves()}
    order = sorted(boards, key=lambda move: len(boards[move].places(1 - board.mover)))
    return {move: sign * value(boards[move], depth - 1) for move in order}


def best(values: dict[int, int]) -> int:
    """The first of the best."""
    return max(values, key=lambda move: values[move])


WON = 10**6


def plain_value(
    board: OthelloReference, depth: int, count: Callable[[OthelloReference], int]
) -> int:
    """Minimax by any count; a pass is a ply, and the end of a game is won, drawn or lost."""
    moves = board.legal_moves()
    if not moves:
        lead = discs(board)
        return WON * ((lead > 0) - (lead < 0))
    if depth == 0:
        return count(board)
    values = [plain_value(after(board, move), depth - 1, count) for move in moves]
    return max(values) if board.mover == 0 else min(values)


def plain_root_values(
    board: OthelloReference, depth: int, count: Callable[[OthelloReference], int]
) -> dict[int, int]:
    """What each move is worth to the mover, if `depth` plies follow it."""
    sign = 1 if board.mover == 0 else -1
    return {
        move: sign * plain_value(after(board, move), depth, count) for move in board.legal_moves()
    }
