"""The players, by text: ``random``, ``greedy``."""

from __future__ import annotations

import difflib
from typing import Any, Protocol

from quintet.errors import UserError
from quintet.players.simple import Greedy, RandomPlayer
from quintet.randomness import Random


class Player(Protocol):
    """Whoever chooses moves."""

    def choose(self, game: Any, position: Any, random: Random) -> int:
        """A legal move in a position that is not over."""


PLAYERS: dict[str, type[Player]] = {"greedy": Greedy, "random": RandomPlayer}


def make_player(text: str) -> Player:
    """A player from its text."""
    if text not in PLAYERS:
        close = difflib.get_close_matches(text, PLAYERS, 1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        known = ", ".join(sorted(PLAYERS))
        raise UserError(f"no player {text!r}; {hint}there are {known}, and human in a terminal")
    return PLAYERS[text]()
