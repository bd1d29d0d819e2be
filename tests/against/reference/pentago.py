"""Pentago with lists and loops."""

from __future__ import annotations

from typing import Any

SIDE = 6
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class PentagoReference:
    """The board as a list of rows; every line is looked at after every part of a move."""

    def __init__(self, game: Any) -> None:
        """Start a game; there are no options to keep."""
        self.board = [[0] * SIDE for _ in range(SIDE)]
        self.plies = 0

    def turn(self) -> int:
        """The seat to move."""
        return self.plies % 2

    def legal_moves(self) -> list[int]:
        """Every empty cell with every turn."""
        if self.is_over():
            return []
        empty = [cell for cell, owner in enumerate(self.cells()) if owner == 0]
        return [cell * 8 + turning for cell in empty for turning in range(8)]

    def play(self, move: int) -> None:
        """Place a stone and, unless that wins, turn a quadrant."""
        cell, turning = move // 8, move % 8
        quadrant, direction = turning // 2, turning % 2
        self.board[cell // SIDE][cell % SIDE] = self.turn() + 1
        if not self.has_five(self.turn() + 1):
            self.turn_quadrant(quadrant, clockwise=direction == 1)
        self.plies += 1

    def turn_quadrant(self, quadrant: int, clockwise: bool) -> None:
        """Turn a quadrant by a quarter."""
        top, left = quadrant // 2 * 3, quadrant % 2 * 3
        old = [self.board[top + row][left : left + 3] for row in range(3)]
        for row in range(3):
            for column in range(3):
                # clockwise, the top row becomes the right column
                came_from = (2 - column, row) if clockwise else (column, 2 - row)
                self.board[top + row][left + column] = old[came_from[0]][came_from[1]]

    def has_five(self, owner: int) -> bool:
        """Has this owner five stones in a row?"""
        return any(
            all(self.owner(row + i * down, column + i * right) == owner for i in range(5))
            for row in range(SIDE)
            for column in range(SIDE)
            for down, right in DIRECTIONS
        )

    def owner(self, row: int, column: int) -> int:
        """Whose stone lies there: 0 for nobody's, -1 beyond the edge."""
        on_board = 0 <= row < SIDE and 0 <= column < SIDE
        return self.board[row][column] if on_board else -1

    def is_over(self) -> bool:
        """Is there a five, or no empty cell?"""
        return self.has_five(1) or self.has_five(2) or 0 not in self.cells()

    def scores(self) -> list[float]:
        """Half for both where both or neither have a five."""
        first, second = self.has_five(1), self.has_five(2)
        return [0.5, 0.5] if first == second else [float(first), float(second)]

    def cells(self) -> list[int]:
        """The owners, row by row."""
        return [owner for row in self.board for owner in row]
