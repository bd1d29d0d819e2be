"""While something takes its time: a bar on a terminal, and Ctrl-C."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any, Protocol

import click

INTERRUPTED = 130  # the exit code, as the shell counts Ctrl-C


class CanBeSet(Protocol):
    """An `arena.running.Stop`, or a `threading.Event`."""

    def set(self) -> Any:
        """End soon."""


@contextlib.contextmanager
def stopping_by_ctrl_c(stop: CanBeSet) -> Iterator[None]:
    """The first Ctrl-C sets `stop`, the second ends the program."""
    before = signal.getsignal(signal.SIGINT)

    def end(*_: Any) -> None:
        stop.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def progress_bar(described: bool = False) -> Iterator[Any]:
    """A progress bar with the time left, on a terminal; None elsewhere.

    `described` shows the descriptions of its tasks after it.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    errors = Console(stderr=True)
    if not errors.is_terminal:
        yield None
        return
    columns: list[ProgressColumn] = [BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    if described:
        columns.append(TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=errors, transient=True) as bar:
        yield bar


def leave_if(stopped: bool) -> None:
    """End the command as one that was interrupted."""
    if stopped:
        click.get_current_context().exit(INTERRUPTED)
