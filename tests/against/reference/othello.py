"""Othello with lists and loops."""

from __future__ import annotations

from typing import Any

DIRECTIONS = [
    (down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)
]


class OthelloReference:
    """The board as a list of rows; every line is walked for every question."""

    def __init__(self, game: Any) -> None:
        self.size = game.size
        self.board = [[0] * self.size for _ in range(self.size)]
        low, high = self.size // 2 - 1, self.size // 2
        self.board[low][low] = self.board[high][high] = 2
        self.board[low][high] = self.board[high][low] = 1
        self.mover = 0

    def turn(self) -> int:
        return self.mover

    def legal_moves(self) -> list[int]:
        if self.is_over():
            return []
        return self.places(self.mover) or [self.size * self.size]

    def play(self, move: int) -> None:
        if move < self.size * self.size:
            row, column = divmod(move, self.size)
            for turned_row, turned_column in self.turned(self.mover, row, column):
                self.board[turned_row][turned_column] = self.mover + 1
            self.board[row][column] = self.mover + 1
        self.mover = 1 - self.mover

    def places(self, seat: int) -> list[int]:
        """Where a seat can place a disc."""
        return [
            row * self.size + column
            for row in range(self.size)
            for column in range(self.size)
            if self.board[row][column] == 0 and self.turned(seat, row, column)
        ]

    def turned(self, seat: int, row: int, column: int) -> list[tuple[int, int]]:
        """What a disc placed here turns."""
        found = []
        for down, right in DIRECTIONS:
            line = []
            r, c = row + down, column + right
            while self.owner(r, c) == 2 - seat:
                line.append((r, c))
                r, c = r + down, c + right
            if self.owner(r, c) == seat + 1:
                found += line
        return found

    def owner(self, row: int, column: int) -> int:
        """Whose disc is here: 0 for nobody's, -1 off the board."""
        on_board = 0 <= row < self.size and 0 <= column < self.size
        return self.board[row][column] if on_board else -1

    def is_over(self) -> bool:
        return not self.places(0) and not self.places(1)

    def scores(self) -> list[float]:
        black, white = self.cells().count(1), self.cells().count(2)
        if black == white:
            return [0.5, 0.5]
        return [float(black > white), float(white > black)]

    def cells(self) -> list[int]:
        return [owner for row in self.board for owner in row]
