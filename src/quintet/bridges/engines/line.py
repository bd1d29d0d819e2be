"""How a position was reached: what engines, which know only moves, must be told."""

from __future__ import annotations

from typing import Any

import numpy as np

from quintet import rules
from quintet.rules import Position


class Line:
    """The moves from the start of a game, or from a position that was set up."""

    def __init__(self, game: Any) -> None:
        """At the start."""
        self.game = game
        self.start: Position | None = None  # None for the game's own
        self.moves: list[int] = []
        self.seats: list[int] = []  # of each move
        self.position = rules.new_position(game)
        self.seed = 0  # of the game, for engines that take one

    def begin(self) -> None:
        """Back to the start."""
        self.start, self.moves, self.seats = None, [], []
        self.position = rules.new_position(self.game)

    def meet(self, position: Position) -> None:
        """Be at this position; if it does not follow from the moves, it was set up."""
        if not _same(self.position, position):
            self.start, self.moves, self.seats = rules.copied(position), [], []
            self.position = rules.copied(position)

    def play(self, move: int) -> None:
        """Somebody makes a legal move."""
        self.moves.append(move)
        self.seats.append(self.turn)
        rules.play(self.game, self.position, move)

    @property
    def turn(self) -> int:
        """The seat to move."""
        return int(rules.turn(self.game, self.position))

    def follows(self, told: list[int], start: Position | None) -> bool:
        """Does it go on from moves that an engine was told before?"""
        if (self.start is None) != (start is None):
            return False
        same_start = start is None or _same(start, self.start)
        return same_start and self.moves[: len(told)] == told


def _same(one: Position, other: Position) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one.dtype.names)
