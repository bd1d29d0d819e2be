"""Players think here: in a few threads, beside everything else, and tell it to the page.

Compiled code runs without the interpreter's lock, so threads are enough.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import math
import os
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from quintet.notation import move_name
from quintet.players import player as players
from quintet.players.thinking import Answer, Line
from quintet.web.messages import MoveThought, Thoughts
from quintet.web.problems import Refused

R = TypeVar("R")
_MODEST = 5  # of niceness: a third of the weight of who answers, enough beside a training


class Pool:
    """A few threads, and a queue of bounded length before them."""

    def __init__(self, name: str, threads: int, waiting: int, modest: bool = False) -> None:
        """`waiting` is how many may wait at once; who is modest lets others go first."""
        initial = _be_modest if modest else None
        self._executor = concurrent.futures.ThreadPoolExecutor(threads, name, initial)
        self._most = threads + waiting
        self._here = 0

    async def run(self, function: Callable[..., R], *given: Any) -> R:
        """What a function answers, computed in a thread."""
        if self._here >= self._most:
            raise Refused("busy", "too many players think already; try again in a moment")
        self._here += 1
        loop = asyncio.get_running_loop()
        future = self._executor.submit(function, *given)
        future.add_done_callback(lambda _: self._leave(loop))
        return await asyncio.wrap_future(future)

    def _leave(self, loop: asyncio.AbstractEventLoop) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._count_out)

    def _count_out(self) -> None:
        self._here -= 1

    def close(self) -> None:
        """Nothing new begins; what is at work is not waited for."""
        self._executor.shutdown(wait=False, cancel_futures=True)


def _be_modest() -> None:
    """Get a core only when the answers to people do not need it: this thread and its own."""
    if sys.platform == "linux":  # elsewhere it would be the whole process
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _MODEST)


def told(
    answer: Answer, line: Line, game: Any, seat: int, why: Any, player: str, finished: bool
) -> Thoughts:
    """What a player thought, for the page."""
    seats = game.limits().seats
    found = answer.thoughts or players.Thoughts(
        [answer.move], [0], [[math.nan] * seats], [answer.move], 0, 0, False
    )
    visits = sum(found.visits)
    utilities = found.utilities or [math.nan] * len(found.moves)
    rows = zip(found.moves, found.visits, found.values, _known(utilities), strict=True)
    moves = [
        MoveThought(
            move=move,
            visits=count,
            share=count / max(1, visits),
            values=_known(values),
            utility=utility,
        )
        for move, count, values, utility in rows
    ]
    return Thoughts(
        why=why,
        round=line.round,
        node=line.node,
        seat=seat,
        player=player,
        moves=moves,
        values=moves[0].values,
        line=found.line,
        line_names=[move_name(game, move) for move in found.line],
        visits=visits,
        depth=found.depth,
        seconds=round(answer.seconds, 3),
        solved=found.solved,
        finished=finished,
    )


def _known(values: list[float]) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in values]
