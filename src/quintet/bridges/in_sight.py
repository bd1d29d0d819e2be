"""A thought with limits that reports on the way: in slices, so that it can be looked at."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from quintet.bridges.clock import LEAST
from quintet.players.thinking import Answer, Line, Thinker, is_settled

_SLICE = 0.1  # seconds, at most, before it looks around


class Limits(NamedTuple):
    """What ends a thought."""

    sims: int | None  # 0 for no limit; None where the player does not count any
    seconds: float


def limits_of(player: Any, seconds: float) -> Limits:
    """A player's own number of simulations, and what its clock leaves it."""
    return Limits(getattr(player, "sims", None), seconds)


def think_in_sight(
    thinker: Thinker,
    line: Line,
    limits: Limits,
    every: float,
    report: Callable[[Answer], None],
    goes_on: Callable[[], bool],
) -> Answer:
    """What a `deepening` search finds within its limits, with reports on the way.

    A player that could not go on where it was thinks at once, and does not report.
    """
    sims, seconds = limits
    if sims is None:
        return thinker.choose(line, lambda: True, seconds)
    answer = thinker.choose(line, lambda: True, LEAST, 1)
    known, begun = _visits(answer) - 1, time.monotonic()
    told = begun
    while goes_on() and not is_settled(answer):
        now, done = time.monotonic(), _visits(answer) - known
        if now - begun >= seconds or (sims and done >= sims):
            break
        if now - told >= every:
            report(answer)
            told = now
        slice_ = min(_SLICE, every, begun + seconds - now)
        answer = thinker.choose(line, lambda: True, slice_, sims and sims - done)
    return answer._replace(seconds=time.monotonic() - begun)


def _visits(answer: Answer) -> int:
    return 0 if answer.thoughts is None else sum(answer.thoughts.visits)
