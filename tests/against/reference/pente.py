"""Pente with lists and loops."""

from __future__ import annotations

from typing import Any

DIRECTIONS = [(d, r) for d in (-1, 0, 1) for r in (-1, 0, 1) if (d, r) != (0, 0)]


class PenteReference:
    """The board as a list of rows; every line is looked at after every move."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.board = [[0] * game.size for _ in range(game.size)]
        self.captured = [0] * game.players
        self.plies = 0

    def turn(self) -> int:
        return self.plies % self.game.players

    def legal_moves(self) -> list[int]:
        if self.is_over():
            return []
        if self.game.centre and self.plies == 0:
            middle = self.game.size // 2
            return [middle * self.game.size + middle]
        if self.game.tournament and self.plies == self.game.players:
            return [move for move in self.empty() if self.is_far(move)]
        return self.empty()

    def is_far(self, move: int) -> bool:
        """Are there two points or more between this one and the first seat's stone?"""
        first = self.cells().index(1)
        row, column = divmod(move, self.game.size)
        near = range(-2, 3)
        return first not in [
            (row + i) * self.game.size + column + j
            for i in near
            for j in near
            if 0 <= column + j < self.game.size
        ]

    def empty(self) -> list[int]:
        return [i for i, owner in enumerate(self.cells()) if owner == 0]

    def play(self, move: int) -> None:
        row, column = divmod(move, self.game.size)
        taken = self.taken_by(move)
        self.board[row][column] = self.turn() + 1
        for taken_row, taken_column in taken:
            self.board[taken_row][taken_column] = 0
        self.captured[self.turn()] += len(taken)
        self.plies += 1

    def taken_by(self, move: int) -> list[tuple[int, int]]:
        """The points that a stone of the seat to move would capture."""
        row, column = divmod(move, self.game.size)
        own = self.turn() + 1
        taken = []
        for down, right in DIRECTIONS:
            for length in (2, 3) if self.game.keryo else (2,):
                line = [(row + i * down, column + i * right) for i in range(1, length + 2)]
                *inside, end = [self.owner(*point) for point in line]
                first = inside[0]
                bracketed = first > 0 and first != own and inside == [first] * length
                if bracketed and end == own:
                    taken += line[:-1]
        return taken

    def capturing_moves(self) -> list[int]:
        return [move for move in self.legal_moves() if self.taken_by(move)]

    def owner(self, row: int, column: int) -> int:
        on_board = 0 <= row < self.game.size and 0 <= column < self.game.size
        return self.board[row][column] if on_board else -1

    def has_five(self, seat: int) -> bool:
        for row in range(self.game.size):
            for column in range(self.game.size):
                for down, right in DIRECTIONS:
                    line = [self.owner(row + i * down, column + i * right) for i in range(5)]
                    if line == [seat + 1] * 5:
                        return True
        return False

    def winner(self) -> int | None:
        mover = (self.plies - 1) % self.game.players
        if self.has_five(mover) or self.captured[mover] >= self.game.captures:
            return mover
        return None

    def is_over(self) -> bool:
        return self.winner() is not None or not self.empty()

    def scores(self) -> list[float]:
        winner = self.winner()
        if winner is None:
            return [1.0 / self.game.players] * self.game.players
        return [float(seat == winner) for seat in range(self.game.players)]

    def points(self) -> list[float]:
        return [float(stones) for stones in self.captured]

    def cells(self) -> list[int]:
        return [owner for row in self.board for owner in row]
