"""Players think here: in a few threads, beside everything else, and can be stopped.

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
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from quintet.notation import move_name
from quintet.players import player as players
from quintet.players.player import Seat
from quintet.randomness import seeded
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


class Line(NamedTuple):
    """How a position was reached."""

    round: int
    nodes: tuple[int, ...]  # from the start
    moves: tuple[int, ...]
    positions: tuple[Any, ...]  # one more than moves: the last is the position itself

    @property
    def node(self) -> int:
        """The node of the position."""
        return self.nodes[-1]


class Answer(NamedTuple):
    """What a player chose, and what it thought."""

    move: int
    thoughts: players.Thoughts | None
    seconds: float


class Thinker:
    """A player with its memory, which one thread at a time may use."""

    def __init__(self, make: Callable[[], Any], game: Any, seed: int) -> None:
        """The player is made only when it must think, by the thread that thinks."""
        self._make, self._game, self._seed = make, game, seed
        self._seat: Seat | None = None
        self._seen: tuple[int, tuple[int, ...]] = (0, ())
        self._lock = threading.Lock()

    def choose(
        self, line: Line, wanted: Callable[[], bool], seconds: float | None = None
    ) -> Answer:
        """Think about a position, unless it is wanted no more; perhaps for so many seconds."""
        with self._lock:
            if not wanted():
                raise concurrent.futures.CancelledError
            seat = self._followed(line)
            if seconds is not None and "seconds" in seat.player._fields:
                seat.player = seat.player._replace(seconds=seconds)
            begun = time.perf_counter()
            position = line.positions[-1]
            move = seat.choose(position)
            return Answer(move, seat.thoughts(position), time.perf_counter() - begun)

    def stop(self) -> None:
        """End the thought that is going on, if the player can."""
        if self._seat is not None:
            self._seat.stop()

    def deepens(self) -> bool:
        """Would more time give more?"""
        return self._seat is not None and "seconds" in self._seat.player._fields

    def resumes(self) -> bool:
        """Does it go on with what it found, when it is asked again?"""
        return self._seat is not None and getattr(self._seat.player, "reuse", False)

    def _followed(self, line: Line) -> Seat:
        """The player, after it was told the moves that it has not seen."""
        if self._seat is None:
            player = self._make()
            _compile(player, self._game, line.positions[-1])
            self._seat = Seat(player, self._game, seeded(self._seed))
        seat, (round_, seen) = self._seat, self._seen
        goes_on = round_ == line.round and line.nodes[: len(seen)] == seen and len(seen) > 0
        if not goes_on:
            seat.begin()
            seen = line.nodes[:1]
        for ply in range(len(seen) - 1, len(line.moves)):
            seat.watch(line.positions[ply], line.moves[ply])
        self._seen = (line.round, line.nodes)
        return seat


def _compile(player: Any, game: Any, position: Any) -> None:
    """Let a search think as little as it can, so that its clock does not run while it compiles."""
    least = {"sims": 1, "depth": 0}
    fields = set(getattr(player, "_fields", ()))
    if "seconds" in fields:
        little = {name: value for name, value in least.items() if name in fields}
        seat = Seat(player._replace(**little), game, seeded(0))
        seat.choose(position)
        seat.thoughts(position)


def deepening(player: Any) -> Any:
    """The same search, but such that it goes on where it was when it is asked again."""
    if {"sims", "reuse", "seconds"} <= set(player._fields):
        return player._replace(sims=0, reuse=True)
    return player


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
