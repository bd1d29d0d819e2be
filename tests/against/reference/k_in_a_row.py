"""k in a row with lists and loops."""

from __future__ import annotations

from typing import Any


class KInARowReference:
    """The board as a list of rows; every line is looked at after every move."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.board = [[0] * game.columns for _ in range(game.rows)]
        self.plies = 0

    def turn(self) -> int:
        return self.plies % self.game.players

    def legal_moves(self) -> list[int]:
        if self.is_over():
            return []
        if self.game.gravity:
            return [c for c in range(self.game.columns) if self.board[0][c] == 0]
        return [i for i, owner in enumerate(self.cells()) if owner == 0]

    def play(self, move: int) -> None:
        row, column = divmod(move, self.game.columns)
        if self.game.gravity:
            column = move
            row = max(r for r in range(self.game.rows) if self.board[r][column] == 0)
        self.board[row][column] = self.turn() + 1
        self.plies += 1

    def winner(self) -> int | None:
        for row in range(self.game.rows):
            for column in range(self.game.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    owner = self.owner(row, column)
                    before = self.owner(row - down, column - right)
                    if owner > 0 and owner != before:
                        length = 1
                        while self.owner(row + length * down, column + length * right) == owner:
                            length += 1
                        if length == self.game.k or (length > self.game.k and not self.game.exact):
                            return owner - 1
        return None

    def owner(self, row: int, column: int) -> int:
        on_board = 0 <= row < self.game.rows and 0 <= column < self.game.columns
        return self.board[row][column] if on_board else -1

    def is_over(self) -> bool:
        return self.winner() is not None or 0 not in self.cells()

    def scores(self) -> list[float]:
        winner = self.winner()
        if winner is None:
            return [1.0 / self.game.players] * self.game.players
        return [float(seat == winner) for seat in range(self.game.players)]

    def cells(self) -> list[int]:
        return [owner for row in self.board for owner in row]
