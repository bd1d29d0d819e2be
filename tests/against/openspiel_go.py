"""OpenSpiel's Go as a judge, for two players without suicide.

Its actions are our moves, but with the bottom row first; the pass is last in
both.  It forbids what simple ko forbids, and ends a game as a draw as soon as a
board comes back.  So with ``ko=simple`` the legal moves are the same until
then, and with ``ko=positional`` they are those after which its game is no such
draw; komi must be no whole number, that there be no other.

It tells only who won.  The area is therefore counted by the obvious Go, and
must make the same player the winner.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from quintet.games.go import Ko
from tests.against.reference.go import GoReference


class OpenSpielGo:
    """The game of OpenSpiel with the same size, komi and cap, answering as a Judge."""

    def __init__(self, game: Any) -> None:
        black, white = game.komi
        assert black == 0
        assert white % 1 != 0
        assert not game.suicide
        self.game = game
        settings = {"board_size": game.size, "komi": white, "max_game_length": game.limits().plies}
        self.state = pyspiel.load_game("go", settings).new_initial_state()

    def turn(self) -> int:
        return int(self.state.current_player())

    def legal_moves(self) -> list[int]:
        simple = sorted(self.flipped(action) for action in self.state.legal_actions())
        return simple if self.game.ko == Ko.SIMPLE else [m for m in simple if self.is_new(m)]

    def is_new(self, move: int) -> bool:
        """Does this move bring back no board?"""
        after = self.state.child(self.flipped(move))
        return not after.is_terminal() or any(after.returns())

    def play(self, move: int) -> None:
        self.state.apply_action(self.flipped(move))

    def is_over(self) -> bool:
        return bool(self.state.is_terminal())

    def scores(self) -> list[float]:
        counted = GoReference(self.game)
        counted.board = tuple(self.cells())
        black, white = counted.scores()
        assert self.state.returns() == ([1.0, -1.0] if black > white else [-1.0, 1.0])
        return [black, white]

    def cells(self) -> list[int]:
        size = self.game.size
        planes = np.reshape(self.state.observation_tensor(0), (4, size, size))
        black, white = planes[0, ::-1], planes[1, ::-1]
        return [int(owner) for owner in np.ravel(black + 2 * white)]

    def flipped(self, move: int) -> int:
        """Our number of an action, or the action of our number."""
        size = self.game.size
        row, column = divmod(move, size)
        return move if row == size else (size - 1 - row) * size + column
