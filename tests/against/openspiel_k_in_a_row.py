"""OpenSpiel's tic-tac-toe, Connect Four and Gomoku as judges.

Its moves (cells row by row from the top, or columns) and its players are numbered
as ours.  The pictures differ: tic-tac-toe and Connect Four show x and o, Gomoku a
line with the player to move and then b and w.
"""

from __future__ import annotations

from typing import Any

import pyspiel

OWNERS = {".": 0, "x": 1, "o": 2, "b": 1, "w": 2}


class OpenSpielKInARow:
    """A game of OpenSpiel, answering as a Judge."""

    def __init__(self, game: Any) -> None:
        self.rows = game.rows
        self.state = pyspiel.load_game(game_text(game)).new_initial_state()

    def turn(self) -> int:
        return int(self.state.current_player())

    def legal_moves(self) -> list[int]:
        return sorted(self.state.legal_actions())

    def play(self, move: int) -> None:
        self.state.apply_action(move)

    def is_over(self) -> bool:
        return bool(self.state.is_terminal())

    def scores(self) -> list[float]:
        return [(result + 1) / 2 for result in self.state.returns()]

    def cells(self) -> list[int]:
        board = str(self.state).split()[-self.rows :]
        return [OWNERS[symbol] for row in board for symbol in row]


def game_text(game: Any) -> str:
    """OpenSpiel's text for one of our games."""
    assert game.players == 2
    assert not game.exact
    if game.gravity:
        return f"connect_four(rows={game.rows},columns={game.columns},x_in_row={game.k})"
    if (game.rows, game.columns, game.k) == (3, 3, 3):
        return "tic_tac_toe()"
    assert game.rows == game.columns
    return f"gomoku(size={game.rows},connect={game.k})"
