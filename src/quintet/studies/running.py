"""Carry out a study: every experiment with every seed that is not finished, on all cores."""

from __future__ import annotations

import contextlib
import enum
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import IO, Any, NamedTuple

from quintet.arena.running import cores
from quintet.registry import Entry, find
from quintet.studies import full_text
from quintet.studies.results import Results
from quintet.studies.study import Study
from quintet.studies.worker import STOP

_TICK = 0.2  # seconds between looks at `stop`
_GRACE = 5.0  # seconds for experiments to break off; then they are killed, which harms nothing
_BEGIN = "import sys; sys.path[:] = {path!r}; from quintet.studies.worker import main; main({core})"


class Part(NamedTuple):
    """One experiment with one seed."""

    experiment: str
    seed: int

    def __str__(self) -> str:
        return f"{self.experiment}, seed {self.seed}"


class State(enum.Enum):
    """What becomes of a part."""

    BEGUN = "begun"
    FINISHED = "finished"
    STOPPED = "stopped"  # it broke off, as it was asked to
    FAILED = "failed"
    LEFT_OUT = "left out"  # something that it needs has failed


class News(NamedTuple):
    """Something has happened to a part."""

    part: Part
    state: State
    seconds: float = 0.0
    error: str = ""


def chosen(study: Study, only: Sequence[str]) -> list[str]:
    """The experiments of these names and what they need, in the study's order; by default all."""
    entries = {experiment.name: Entry("", {}, "") for experiment in study.experiments}
    needs = {experiment.name: experiment.needs for experiment in study.experiments}
    wanted = set()
    waiting = list(only or entries)
    while waiting:
        name = waiting.pop()
        find(entries, name, f"experiment of {study.name}")
        if name not in wanted:
            wanted.add(name)
            waiting += needs[name]
    return [name for name in entries if name in wanted]


def unfinished(results: Results, experiments: Sequence[str], seeds: int) -> list[Part]:
    """What there is to do.  Seed by seed, so that a study that is stopped has some seeds whole."""
    parts = [Part(name, seed) for seed in range(1, seeds + 1) for name in experiments]
    return [part for part in parts if results.read(*part) is None]


def carried_out(
    text: str,
    results: Results,
    parts: Sequence[Part],
    workers: int | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Generator[News, None, None]:
    """Do the parts, as many at a time as there are workers; what happens, as it happens.

    `text` is the one from which workers load the study.  After a stop, or when
    the iterator is closed, what is finished is on disk, and nothing is left running.
    """
    orders = {"study": full_text(text), "scale": results.scale.value}
    orders["root"] = str(results.folder.parents[1].resolve())
    with results.locked(), contextlib.ExitStack() as stack:
        log = stack.enter_context(open(results.folder / "log.txt", "ab"))
        crew = _Crew(min(workers or cores(), max(1, len(parts))), orders, log)
        stack.callback(crew.end)
        yield from _shared_out(crew, _Plan(results.study, parts), stop)


def _shared_out(crew: _Crew, plan: _Plan, stop: Callable[[], bool]) -> Iterator[News]:
    until = None
    while True:
        if until is None and stop():
            until = time.monotonic() + _GRACE
            crew.stop()
        while until is None and crew.has_room() and (part := plan.next()) is not None:
            crew.give(part)
            yield News(part, State.BEGUN)
        if not crew.is_busy() or (until is not None and time.monotonic() > until):
            return
        for news in crew.heard():
            yield news
            for part in plan.note(news):
                yield News(part, State.LEFT_OUT)


class _Plan:
    """Which part can be done next."""

    def __init__(self, study: Study, parts: Sequence[Part]) -> None:
        self._needs = {experiment.name: experiment.needs for experiment in study.experiments}
        self._waiting = list(parts)
        self._ahead = set(parts)  # not finished

    def next(self) -> Part | None:
        for part in self._waiting:
            if not any(
                Part(name, part.seed) in self._ahead for name in self._needs[part.experiment]
            ):
                self._waiting.remove(part)
                return part
        return None

    def note(self, news: News) -> list[Part]:
        """Learn what became of a part; those that can never be done now."""
        if news.state is State.FINISHED:
            self._ahead.discard(news.part)
        if news.state is not State.FAILED:
            return []
        lost = {news.part}
        # a part may come before what it needs: look until nothing new is lost
        while more := {
            part for part in self._waiting if part not in lost and self._lacks(part, lost)
        }:
            lost |= more
        self._waiting = [part for part in self._waiting if part not in lost]
        return sorted(lost - {news.part}, key=lambda part: (part.seed, part.experiment))

    def _lacks(self, part: Part, lost: set[Part]) -> bool:
        return any(Part(name, part.seed) in lost for name in self._needs[part.experiment])


class _Crew:
    """The processes at work."""

    def __init__(self, workers: int, orders: Mapping[str, str], log: IO[bytes]) -> None:
        self._orders = orders
        self._log = log
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []
        self._selector = selectors.DefaultSelector()
        usable = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [None]
        self._free_cores = [usable[number % len(usable)] for number in range(workers)]

    def has_room(self) -> bool:
        return bool(self._idle or self._free_cores)

    def is_busy(self) -> bool:
        return bool(self._busy)

    def give(self, part: Part) -> None:
        if self._idle:
            worker = self._idle.pop()
        else:
            worker = _Worker(self._free_cores.pop(0), self._log)
            self._selector.register(worker.answers, selectors.EVENT_READ, worker)
        self._busy.append(worker)
        worker.part = part
        worker.say(json.dumps({**self._orders, "experiment": part.experiment, "seed": part.seed}))

    def heard(self) -> list[News]:
        """What workers have said, after a moment."""
        news = []
        for key, _ in self._selector.select(_TICK):
            worker = key.data
            answer = worker.answer()
            self._busy.remove(worker)
            if answer is None:
                news.append(News(worker.part, State.FAILED, error=self._buried(worker)))
            else:
                self._idle.append(worker)
                state = State(answer.pop("state"))
                news.append(News(worker.part, state, **answer))
        return news

    def _buried(self, worker: _Worker) -> str:
        """How a worker has died; another one may take its core."""
        self._selector.unregister(worker.answers)
        self._free_cores.append(worker.core)
        return worker.end()

    def stop(self) -> None:
        for worker in self._busy:
            worker.say(STOP)

    def end(self) -> None:
        """Nobody stays: what is unfinished goes on from its folder another time."""
        for worker in (*self._idle, *self._busy):
            worker.end()
        self._selector.close()


class _Worker:
    """A process on a core."""

    def __init__(self, core: int | None, log: IO[bytes]) -> None:
        self.core = core
        self.part = Part("", 0)
        code = _BEGIN.format(path=sys.path, core=core)
        # a session of its own: Ctrl-C on the terminal is for the parent alone
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self.answers = self._process.stdout

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # its death is heard, too
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()

    def answer(self) -> dict[str, Any] | None:
        """What it says, or None if it has died."""
        line = self.answers.readline()
        return json.loads(line) if line.endswith(b"\n") else None

    def end(self) -> str:
        """Kill it, if it is still there; how it ended."""
        self._process.kill()
        with contextlib.suppress(BrokenPipeError):
            self._process.communicate()
        code = self._process.returncode
        if code < 0:
            return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process ended with exit code {code}"
