"""Lines from a program that started us, and what we say to it.

A thread reads, so that a line can end a thought that is going on.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import threading
import time
from collections.abc import Callable
from typing import BinaryIO

LONGEST = 1 << 16  # characters of a line; what follows them is not kept
_MOST_WAITING = 10_000  # lines; then the other program has to wait
_POLL = 0.01  # seconds
_LISTENS_STILL = 0.5


class Channel:
    """Standard input and output of an engine, or what stands for them."""

    def __init__(self, source: BinaryIO, target: BinaryIO, longest: int = LONGEST) -> None:
        """Nothing is read before `open`."""
        self._source, self._target, self._longest = source, target, longest
        self._lines: queue.Queue[str | None] = queue.Queue(_MOST_WAITING)
        self._writing = threading.Lock()
        self.gone = False  # the other program does not listen any more

    def open(self, arrived: Callable[[str | None], None]) -> None:
        """Begin to read; `arrived` is called with each line at once, and with None at the end.

        It is called by the thread that reads, after the line is to be had from `next`; and
        once more if nobody reads what we write any more.  A script that has sent all its
        lines still waits for the answers, a program that ended does not.
        """
        threading.Thread(target=self._read, args=[arrived], daemon=True).start()

    def _read(self, arrived: Callable[[str | None], None]) -> None:
        line: str | None = ""
        while line is not None:
            line = self._line()
            self._lines.put(line)
            arrived(line)
        while not self.gone and _can_tell(self._target):
            time.sleep(_LISTENS_STILL)
            if _nobody_reads(self._target):
                self.gone = True
                arrived(None)

    def _line(self) -> str | None:
        try:
            data = self._source.readline(self._longest)
            rest = data
            while len(rest) == self._longest and not rest.endswith(b"\n"):
                rest = self._source.readline(self._longest)
        except (OSError, ValueError):  # closed
            return None
        return data.decode(errors="replace").rstrip("\r\n") if data else None

    def next(self) -> str | None:
        """The next line; None after the last."""
        return self._lines.get()

    def is_waiting(self) -> bool:
        """Has a line arrived, or the end?"""
        return not self._lines.empty()

    def wait(self, seconds: float) -> bool:
        """Wait so long for a line, or the end; has one arrived?"""
        end = time.monotonic() + seconds
        while not self.is_waiting() and time.monotonic() < end:
            time.sleep(_POLL)
        return self.is_waiting()

    def say(self, text: str) -> None:
        """Write, at once."""
        with self._writing:
            try:
                self._target.write(text.encode(errors="replace"))
                self._target.flush()
            except (OSError, ValueError):  # nobody reads any more
                self.gone = True
                _let_go(self._target)


def _let_go(target: BinaryIO) -> None:
    """What could not be written is not tried again when the process ends."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, target.fileno())
        os.close(nowhere)


def _can_tell(target: BinaryIO) -> bool:
    try:
        return hasattr(select, "poll") and target.fileno() >= 0
    except (OSError, ValueError):  # not a file of the system
        return False


def _nobody_reads(target: BinaryIO) -> bool:
    """Is the other end of a pipe closed?"""
    try:
        poll = select.poll()
        poll.register(target.fileno(), 0)
        return any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0))
    except (OSError, ValueError):
        return True
