"""A running program that we talk to, and that does not outlive us.

It has a process group and a home directory of its own.  Whatever it does, we wait
at most `timeout` for an answer and keep at most a megabyte of it.  Reading, writing
and its complaints (stderr) go through one `select`, so neither side can wait for the
other forever, and no thread is needed.

Its group is killed when the object is closed or forgotten, at the interpreter's
exit, and also if we are killed: then a guard, a shell that only waits for its
standard input to end, does it.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import weakref
from collections.abc import Callable, Mapping, Sequence

import platformdirs

from quintet.errors import UserError

MOST_BYTES = 1 << 20  # of an answer
_LONGEST_MATCH = 400  # bytes that a pattern needs at most
_LAST_WORDS = 600  # bytes of stderr that are kept
_SHOWN = 200  # characters of it, or of what was said last, in a message
_GRACE = 1.0  # seconds: from the end of its output to the end of the program
_LOOK = 0.25  # seconds of silence after which we look if it has ended
_POLL = 0.002  # seconds between two looks at a condition
_FOLDERS = ("/usr/games", "/usr/local/games")  # where Debian puts games; not on every PATH
_GROUP, _TICKS = 2, slice(11, 15)  # in /proc/N/stat, after the name
_GUARD = 'read -r _; kill -s KILL -- "-$1"'


class EngineError(UserError):
    """What an engine did wrong; the message names it."""


def found(program: str) -> str | None:
    """Where a program is: on the PATH, or where games are."""
    return shutil.which(program, path=_path())


def _path() -> str:
    return os.pathsep.join([os.environ.get("PATH", os.defpath), *_FOLDERS])


_programs: weakref.WeakSet[Program] = weakref.WeakSet()


def running() -> int:
    """How many programs we have started that nobody has ended."""
    return sum(program.is_usable for program in list(_programs))


class Program:
    """A program at the other end of pipes, or of a terminal of its own."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        timeout: float,
        terminal: bool = False,
        files: Mapping[str, str] | None = None,
    ) -> None:
        """Start it, with some files in its home.

        `name` is what messages call it, `timeout` the seconds for an answer.
        """
        self.name, self._timeout = name, timeout
        path = found(command[0])
        if path is None:
            raise EngineError(f"{name}: there is no program {command[0]!r} here")
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="quintet-engine-"))
        for file, content in (files or {}).items():
            (self.home / file).write_text(content)
        try:
            self._process, self._in, self._out = _started([path, *command[1:]], self.home, terminal)
        except OSError as error:
            shutil.rmtree(self.home, ignore_errors=True)
            raise EngineError(f"{name}: {command[0]!r} cannot be run: {error}") from error
        self._errors = self._process.stderr.fileno() if self._process.stderr else -1
        guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "guard", str(self._process.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._finish = weakref.finalize(self, _end, self._process, guard, self._in, self.home)
        self._waiting = bytearray()  # not yet written
        self._read = bytearray()  # not yet looked at
        self._last_words = b""
        self._said = ""
        self._stopped = False
        self._begin_answer()
        _programs.add(self)

    # --- talking ----------------------------------------------------------------

    def send(self, text: str) -> None:
        """Write something; the time and the room for the answer begin anew."""
        self._said = text.strip()
        self._waiting += text.encode()
        self._begin_answer()

    def line(self) -> str:
        """The next line of the answer, without its end."""
        seen = 0  # so that what comes in drops is not searched again and again
        while (end := self._read.find(b"\n", seen)) < 0:
            seen = len(self._read)
            self._exchange(self._deadline)
        return self._taken(end + 1).rstrip("\r\n")

    def until(self, pattern: re.Pattern[bytes]) -> Sequence[str]:
        """What is found first, and its groups; all up to its end is used up."""
        seen = 0
        while (match := pattern.search(self._read, max(0, seen - _LONGEST_MATCH))) is None:
            seen = len(self._read)
            self._exchange(self._deadline)
        told = [group.decode(errors="replace") for group in (match[0], *match.groups(b""))]
        self._taken(match.end())
        return told

    def _taken(self, count: int) -> str:
        """The first bytes that were read, which count as a part of the answer."""
        text = self._read[:count].decode(errors="replace")
        del self._read[:count]
        self._left -= count
        self._check_room()
        return text

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Let it work until something outside is true; its output is thrown away."""
        while not condition():
            self._exchange(min(self._deadline, time.monotonic() + _POLL), waits=False)
            if time.monotonic() > self._deadline:
                raise self._silent()
            self._last_words = (self._last_words + self._read)[-_LAST_WORDS:]
            self._left -= len(self._read)
            self._read.clear()

    def wrong(self, text: str, expected: str) -> EngineError:
        """An answer that cannot be understood."""
        shown = repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
        return EngineError(f"{self.name} answered {shown}{self._question()}; expected {expected}")

    def _question(self) -> str:
        said = self._said if len(self._said) <= _SHOWN else self._said[:_SHOWN] + "..."
        return f" to {said!r}" if said else ""

    def _begin_answer(self) -> None:
        self._deadline = time.monotonic() + self._timeout
        self._left = MOST_BYTES

    # --- the pipes --------------------------------------------------------------

    def _exchange(self, deadline: float, waits: bool = True) -> None:
        """Write and read what can be, at least something before the deadline."""
        self._check_room()
        if waits and time.monotonic() > deadline:  # it may always have a little more to say
            raise self._silent()
        readable, writable = self._ready(min(deadline, time.monotonic() + _LOOK))
        while waits and not readable and not writable:
            if self._has_ended():  # what it has started may hold its output open
                raise self._died()
            if time.monotonic() > deadline:
                raise self._silent()
            readable, writable = self._ready(min(deadline, time.monotonic() + _LOOK))
        if writable:
            self._write()
        if self._errors in readable:
            self._read_errors()
        if self._out in readable:
            content = _read(self._out)
            if not content:
                if self._process.stderr is None:  # a terminal shows all in one
                    self._last_words = bytes(self._last_words + self._read)[-_LAST_WORDS:]
                raise self._died()
            self._read += content

    def _ready(self, end: float) -> tuple[list[int], list[int]]:
        """What can be read and written, as soon as something can be."""
        readers = [self._out] + ([self._errors] if self._errors >= 0 else [])
        writers = [self._in] if self._waiting else []
        seconds = max(0.0, end - time.monotonic())
        readable, writable, _ = select.select(readers, writers, [], seconds)
        return readable, writable

    def _write(self) -> None:
        try:
            del self._waiting[: os.write(self._in, self._waiting)]
        except BlockingIOError:
            pass
        except OSError:
            self._waiting.clear()  # why it does not listen, the end of its output tells

    def _read_errors(self) -> None:
        content = _read(self._errors)
        self._last_words = (self._last_words + content)[-_LAST_WORDS:]
        if not content:
            self._errors = -1

    def _check_room(self) -> None:
        if len(self._read) > self._left:
            told = f"{self.name} said more than {MOST_BYTES} bytes{self._question()}"
            raise EngineError(f"{told}; expected an answer")

    def _silent(self) -> EngineError:
        told = f"{self.name} did not answer{self._question()} in {self._timeout:g} seconds"
        return EngineError(f"{told}{self._complaint()}")

    def _died(self) -> EngineError:
        if self._stopped:
            return EngineError(f"{self.name} was stopped")
        ended = self._ends_now()
        _kill_group(self._process)
        code = self._process.wait()
        while self._errors >= 0 and select.select([self._errors], [], [], 0)[0]:
            self._read_errors()
        how = f"ended with exit code {code}" if ended else "closed its output"
        if ended and code < 0:
            how = f"was killed ({signal.Signals(-code).name})"
        return EngineError(f"{self.name} {how}{self._question()}{self._complaint()}")

    def _has_ended(self) -> bool:
        """Has it ended by itself?  It is not buried yet, see `_kill_group`."""
        if self._process.returncode is not None:
            return True
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, look) is not None

    def _ends_now(self) -> bool:
        """Has it ended by itself, or does it in a moment?"""
        end = time.monotonic() + _GRACE
        while not self._has_ended():
            if time.monotonic() > end:
                return False
            time.sleep(_POLL)
        return True

    def _complaint(self) -> str:
        words = self._last_words.decode(errors="replace").strip()
        return f"; it said: {words[-_SHOWN:]!r}" if words else ""

    # --- the end ----------------------------------------------------------------

    def stop(self) -> None:
        """End it, from another thread: who waits for its answer is told."""
        self._stopped = True
        _kill_group(self._process)

    def close(self) -> None:
        """End it, with all that it has started, and remove its home."""
        self._finish()

    def spent(self) -> float:
        """Seconds of processor time of its whole group; 0 where the system does not tell."""
        ticks = 0
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError, IndexError):  # it may end while we look
                fields = path.read_bytes().rpartition(b")")[2].split()
                if int(fields[_GROUP]) == self._process.pid:
                    ticks += sum(int(field) for field in fields[_TICKS])
        return ticks / os.sysconf("SC_CLK_TCK")

    @property
    def is_usable(self) -> bool:
        """Has nobody ended it?"""
        return self._finish.alive and not self._stopped


def _started(
    command: list[str], home: pathlib.Path, terminal: bool
) -> tuple[subprocess.Popen[bytes], int, int]:
    """The process, and the ends to write to and to read from."""
    if terminal:
        return _started_in_terminal(command, home)
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=home,
        env=_environment(home),
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    os.set_blocking(process.stdin.fileno(), False)
    return process, process.stdin.fileno(), process.stdout.fileno()


def _started_in_terminal(
    command: list[str], home: pathlib.Path
) -> tuple[subprocess.Popen[bytes], int, int]:
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    try:
        process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=home,
            env={**_environment(home), "TERM": "vt100"},
            start_new_session=True,
        )
    except OSError:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    os.set_blocking(ours, False)
    return process, ours, ours


def _environment(home: pathlib.Path) -> dict[str, str]:
    """Ours, but with its own home; an engine that is Quintet finds what was compiled."""
    cache = os.environ.get("QUINTET_CACHE", str(platformdirs.user_cache_path("quintet")))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return {**kept, "PATH": _path(), "HOME": str(home), "LC_ALL": "C", "QUINTET_CACHE": cache}


def _read(file: int) -> bytes:
    """What is there; nothing at the end, also where a terminal tells that by an error."""
    try:
        return os.read(file, 1 << 16)
    except OSError:
        return b""


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    # while nobody has waited for the process, its number, the group's, is nobody else's
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _end(
    process: subprocess.Popen[bytes],
    guard: subprocess.Popen[bytes],
    terminal: int,
    home: pathlib.Path,
) -> None:
    guard.kill()
    _kill_group(process)
    for child in (guard, process):
        child.wait()
        for stream in (child.stdin, child.stdout, child.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
    if process.stdin is None:
        os.close(terminal)
    shutil.rmtree(home, ignore_errors=True)
