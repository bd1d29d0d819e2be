"""How long a player may think, by its own settings and by what another program says.

The program can only shorten a thought: what a player does in more time than its own
settings give it, they say.
"""

from __future__ import annotations

from typing import Any

ENDLESS = 1e6  # seconds: no limit, but a clock, so that the search can be stopped
LEAST = 0.005  # seconds: a search answers even then
_MOVES_TO_GO = 25  # that the time left is meant for
_SAFE = 0.9  # of the time: the rest is for starting, stopping and telling


def own_seconds(player: Any) -> float:
    """How long a player's own settings let it think."""
    return float(getattr(player, "seconds", 0) or ENDLESS)


def seconds_for(own: float, turn: float | None, left: float | None, moves: int = 0) -> float:
    """The seconds for the next move: the player's own, unless the turn or the game has less.

    `turn` is for this move alone; `left` is for `moves` moves, or for the rest of the game.
    """
    share = None if left is None else left / (moves or _MOVES_TO_GO)
    limits = [_SAFE * limit for limit in (turn, share) if limit is not None]
    return max(LEAST, min([own, *limits]))


class Clock:
    """Time as GTP tells it: a main time, and then so many moves in each period."""

    def __init__(self) -> None:
        """No limit."""
        self._main: float | None = None
        self._period, self._moves = 0.0, 0
        self._left: dict[int, tuple[float, int]] = {}

    def settle(self, main: float, period: float, moves: int) -> None:
        """The terms of the game; a period without moves is no limit, as GTP has it."""
        is_endless = (period > 0 and moves == 0) or (main == 0 and period == 0)
        self._main = None if is_endless else main
        self._period, self._moves = period, moves
        self._left.clear()

    def tell(self, seat: int, seconds: float, moves: int) -> None:
        """What a seat has left: seconds, for so many moves, or 0 in the main time."""
        self._left[seat] = (seconds, moves)

    def begin(self) -> None:
        """A new game."""
        self._left.clear()

    def spend(self, seat: int, seconds: float) -> None:
        """A seat has thought, and moved."""
        has = self._of(seat)
        if has is not None:
            left, moves = has
            left = 0.0 if moves == 1 else left - seconds  # after its last move the next period
            self._left[seat] = self._or_period(left, max(0, moves - 1))

    def seconds(self, seat: int, own: float) -> float:
        """How long a seat may think about its next move."""
        has = self._of(seat)
        return seconds_for(own, None, None) if has is None else seconds_for(own, None, *has)

    def _of(self, seat: int) -> tuple[float, int] | None:
        if seat in self._left:
            return self._or_period(*self._left[seat])
        return None if self._main is None else self._or_period(self._main, 0)

    def _or_period(self, left: float, moves: int) -> tuple[float, int]:
        """The time left, or a period if there is none."""
        return (self._period, self._moves) if left <= 0 and self._moves else (max(0.0, left), moves)
