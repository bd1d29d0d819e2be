"""OpenSpiel's Pentago as a judge.

It numbers moves as we do, but counts the quadrants clockwise from the top left,
and it differs in one rule: the quadrant always turns, and only the board after
the turn is judged.  A five made by the stone alone, which wins for us, may be
broken by the turn there, or be tied by a five of the other seat.
"""

from __future__ import annotations

from typing import Any

import pyspiel

from tests.against.reference.pentago import SIDE, PentagoReference

OWNERS = {".": 0, "O": 1, "@": 2}
QUADRANTS = (0, 1, 3, 2)  # ours to theirs, and back


class OpenSpielPentagoUnchanged:
    """OpenSpiel's own rules, in our numbers."""

    def __init__(self, game: Any) -> None:
        """Start a game; there are no options to keep."""
        self.state = pyspiel.load_game("pentago(ansi_color_output=False)").new_initial_state()

    def turn(self) -> int:
        """The seat to move."""
        return int(self.state.current_player())

    def legal_moves(self) -> list[int]:
        """The legal moves in our numbers."""
        return sorted(renumbered(action) for action in self.state.legal_actions())

    def play(self, move: int) -> None:
        """Make a move given by our number."""
        self.state.apply_action(renumbered(move))

    def is_over(self) -> bool:
        """Has the game ended?"""
        return bool(self.state.is_terminal())

    def scores(self) -> list[float]:
        """Returns of -1, 0 and 1 as 0, 0.5 and 1."""
        return [(result + 1) / 2 for result in self.state.returns()]

    def cells(self) -> list[int]:
        """The owners, read from the picture: two lines of heading, then the rows."""
        rows = str(self.state).splitlines()[2 : 2 + SIDE]
        return [OWNERS[symbol] for row in rows for symbol in row if symbol in OWNERS]


class OpenSpielPentago(OpenSpielPentagoUnchanged):
    """OpenSpiel's rules, and the win before the turn added to them."""

    def __init__(self, game: Any) -> None:
        """Start a game."""
        super().__init__(game)
        self.won: PentagoReference | None = None  # the board of a win before the turn

    def play(self, move: int) -> None:
        """Make a move; after a five by the stone alone OpenSpiel is no longer asked."""
        placed = PentagoReference(None)
        owners = self.cells()
        owners[move // 8] = self.turn() + 1
        placed.board = [owners[row * SIDE : (row + 1) * SIDE] for row in range(SIDE)]
        if placed.has_five(self.turn() + 1):
            self.won = placed
        else:
            super().play(move)

    def is_over(self) -> bool:
        """Has the game ended?"""
        return self.won is not None or super().is_over()

    def scores(self) -> list[float]:
        """Each seat's score."""
        return self.won.scores() if self.won else super().scores()

    def cells(self) -> list[int]:
        """The owners, row by row."""
        return self.won.cells() if self.won else super().cells()


def renumbered(move: int) -> int:
    """Their number of our move, and ours of theirs."""
    cell, turning = divmod(move, 8)
    return cell * 8 + QUADRANTS[turning // 2] * 2 + turning % 2
