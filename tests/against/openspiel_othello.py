"""OpenSpiel's Othello as a judge.

Its cells, its pass (64) and its players (0 is Black) are numbered as ours.  It
shows the game to a player as three planes: empty, own, other; we look as Black.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

SHARES = {1.0: [1.0, 0.0], 0.0: [0.5, 0.5], -1.0: [0.0, 1.0]}


class OpenSpielOthello:
    """The 8 x 8 game of OpenSpiel, answering as a Judge."""

    def __init__(self, game: Any) -> None:
        assert game.size == 8
        self.state = pyspiel.load_game("othello").new_initial_state()

    def turn(self) -> int:
        return int(self.state.current_player())

    def legal_moves(self) -> list[int]:
        return sorted(self.state.legal_actions())

    def play(self, move: int) -> None:
        self.state.apply_action(move)

    def is_over(self) -> bool:
        return bool(self.state.is_terminal())

    def scores(self) -> list[float]:
        return SHARES[self.state.returns()[0]]

    def cells(self) -> list[int]:
        planes = np.reshape(self.state.observation_tensor(0), (3, 64))
        return [int(owner) for owner in planes.argmax(axis=0)]
