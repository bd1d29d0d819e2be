"""Engines without a process: what they say to lines that are all there, or come one by one."""

from __future__ import annotations

import io
import queue
import threading
from typing import Any

from quintet.bridges.channel import Channel


def silent() -> Channel:
    """A channel from a program that has said all and does not wait: an analysis ends at once."""
    channel = Channel(io.BytesIO(), io.BytesIO())
    channel.open(lambda line: None)
    channel.wait(10)
    return channel


class Talk:
    """A conversation with a server in a thread: lines are sent, and what it says is awaited."""

    def __init__(self, serve: Any) -> None:
        """`serve` is called with the channel and ends when the talk does."""
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._said = b""
        self._changed = threading.Condition()
        self.channel = Channel(self, self)  # type: ignore[arg-type]
        self.thread = threading.Thread(target=serve, args=[self.channel], daemon=True)
        self.thread.start()

    def say(self, *lines: str) -> None:
        """Send lines."""
        for line in lines:
            self._lines.put(f"{line}\n".encode())

    def end(self) -> None:
        """There will be no more lines; wait until the server has ended."""
        self._lines.put(b"")
        self.thread.join(120)
        assert not self.thread.is_alive()

    def until(self, end: str, seconds: float = 200) -> str:
        """All that was said since the last time, up to and with this text."""
        with self._changed:
            assert self._changed.wait_for(lambda: end.encode() in self._said, seconds), self._said
            text, found, self._said = self._said.partition(end.encode())
            return (text + found).decode()

    # what the channel takes for files

    def readline(self, most: int) -> bytes:
        """The next line that was sent."""
        return self._lines.get()

    def write(self, data: bytes) -> None:
        """The server says something."""
        with self._changed:
            self._said += data
            self._changed.notify_all()

    def flush(self) -> None:
        """Nothing is held back."""

    def fileno(self) -> int:
        """It is no file."""
        raise OSError
