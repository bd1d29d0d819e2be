"""The games of a plan on all cores, in order, whatever the number of workers."""

from __future__ import annotations

import collections
import concurrent.futures
import os
import queue
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintet.arena.games import NoOpening, Outcome, Plan, Worker, WrongMove
from quintet.arena.schedule import Program
from quintet.errors import UserError
from quintet.notation import move_name, picture

_SECONDS = 0.1  # of a batch: short enough for a bar, long enough to be worth a call
_MOST_GAMES = 4096
_MOST_MOVES = 2_000_000  # written down in a batch
_WAITING = 16  # batches for each worker


class Stop:
    """Set it, from a signal or another thread, and all games end at their next move."""

    def __init__(self) -> None:
        """Not yet."""
        self._is_set = False
        self._flags: list[NDArray[np.int64]] = []

    def set(self) -> None:
        """End now."""
        self._is_set = True
        for flag in self._flags:
            flag[0] = 1

    def is_set(self) -> bool:
        """Has anybody asked for the end?"""
        return self._is_set

    def new_flag(self) -> NDArray[np.int64]:
        """What compiled code looks at: 0 until the stop is set."""
        flag = np.zeros(1, np.int64)
        self._flags.append(flag)
        flag[0] = self._is_set
        return flag


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def played(
    game: Any,
    players: list[Any],
    program: Program,
    workers: int | None = None,
    stop: Stop | None = None,
) -> Iterator[tuple[Plan, Outcome]]:
    """The games of a program and what became of them, batch by batch, in order.

    After a stop the batches may have gaps: what was not finished is left out.
    """
    workers = min(workers or cores(), max(1, program.games))
    flag = (stop or Stop()).new_flag()
    free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    for _ in range(workers):
        free.put(Worker(game, players))
    pace = _Pace(game)

    def play(part: Plan) -> tuple[Plan, Outcome]:
        worker = free.get()
        begun = time.perf_counter()
        try:
            outcome = worker.play(part, flag)
        finally:
            free.put(worker)
        pace.note(len(outcome.lengths), time.perf_counter() - begun)
        return part.part(0, len(outcome.lengths)), outcome

    pool = concurrent.futures.ThreadPoolExecutor(workers, "arena")
    under_way: collections.deque[concurrent.futures.Future[tuple[Plan, Outcome]]]
    under_way = collections.deque()
    begun = 0
    try:
        while begun < program.games or under_way:
            while begun < program.games and len(under_way) < _WAITING * workers:
                if flag[0]:
                    begun = program.games
                    break
                part = program.part(begun, begun + pace.games)
                under_way.append(pool.submit(play, part))
                begun += len(part.numbers)
            if under_way:
                yield _finished(game, players, under_way.popleft())
    finally:
        flag[0] = 1  # nobody waits for what is under way
        pool.shutdown(cancel_futures=True)


def _finished(
    game: Any, players: list[Any], future: concurrent.futures.Future[tuple[Plan, Outcome]]
) -> tuple[Plan, Outcome]:
    try:
        return future.result()
    except NoOpening as error:
        told = f"no opening of {error.plies} plies was found that does not end the game"
        raise UserError(f"{told}; expected fewer") from None
    except WrongMove as error:
        limit = game.limits().moves
        move = move_name(game, error.move) if 0 <= error.move < limit else f"{error.move}"
        who = f"player {error.entrant + 1} ({players[error.entrant]}) chose move {move}"
        board = picture(game, error.position)
        raise UserError(f"{who} in game {error.number}, which is not legal\n{board}") from None


class _Pace:
    """How many games make a batch."""

    def __init__(self, game: Any) -> None:
        self.games = 1
        self._most = max(1, min(_MOST_GAMES, _MOST_MOVES // game.limits().plies))

    def note(self, games: int, seconds: float) -> None:
        """Learn from a batch; the first ones, which compile, only seem slow."""
        fitting = int(games * _SECONDS / max(seconds, 1e-9))
        self.games = max(1, min(fitting, 2 * self.games, self._most))
