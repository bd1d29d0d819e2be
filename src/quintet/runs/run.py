"""A run: one training, in a folder of its own.

::

    run.toml            what decides how it goes, with all defaults written out
    metrics.jsonl       the learner's figures, a line a step that had any
    games.jsonl         the games it kept, as records
    sessions.jsonl      when it was at work, for how long, with how much memory
    checkpoints/        the learner's state after some steps

The first two follow from `run.toml` alone, bit for bit, however often the run was
stopped or killed: a checkpoint notes how long the files of lines were, so what was
written after it is cut off when the run goes on.
"""

from __future__ import annotations

import contextlib
import datetime
import pathlib
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from quintet import games
from quintet.arena.records import FORMAT
from quintet.arena.running import cores
from quintet.errors import UserError
from quintet.learn.learner import PlayedGame, State, Step
from quintet.runs.files import (
    UNFINISHED,
    Lines,
    read_arrays,
    read_lines,
    write_arrays,
    write_whole,
)
from quintet.runs.settings import Settings, read_settings_file, versions

SECONDS_BETWEEN = 20.0  # at most so much work is lost by a kill
_FILE = "run.toml"
_LINES = ("metrics.jsonl", "games.jsonl")
_CHECKPOINT = re.compile(r"step-(\d+)\.safetensors")
_SHOWN = 1.0  # seconds until others see new lines

OnStep = Callable[[int, dict[str, float]], None]


class Checkpoint(NamedTuple):
    """A learner's state on disk."""

    step: int
    path: pathlib.Path


class Run:
    """A run on disk."""

    def __init__(self, folder: pathlib.Path) -> None:
        """Open a run."""
        if not (folder / _FILE).is_file():
            raise UserError(f"there is no run in {str(folder)!r}; `quintet runs` lists them")
        self.folder = folder
        self.settings, self.versions = read_settings_file(folder / _FILE)

    @classmethod
    def create(cls, folder: pathlib.Path, settings: Settings) -> Run:
        """A new run, not begun yet."""
        try:
            (folder / "checkpoints").mkdir(parents=True)
            write_whole(folder / _FILE, settings.written().encode())
        except FileExistsError:
            raise UserError(
                f"there is a run in {str(folder)!r} already; give a new name, or resume it"
            ) from None
        except OSError as error:
            raise UserError(f"{str(folder)!r} cannot be written: {error.strerror}") from error
        return cls(folder)

    @property
    def name(self) -> str:
        """The folder's."""
        return self.folder.name

    @property
    def steps(self) -> int:
        """How many it has when it is finished."""
        return int(self.settings.learner.steps)

    def checkpoints(self) -> list[Checkpoint]:
        """What there is, the earliest first."""
        files = (self.folder / "checkpoints").iterdir()
        found = [(match, file) for file in files if (match := _CHECKPOINT.fullmatch(file.name))]
        return sorted(Checkpoint(int(match[1]), file) for match, file in found)

    def step(self) -> int:
        """The step of the last checkpoint."""
        return max((checkpoint.step for checkpoint in self.checkpoints()), default=0)

    def is_finished(self) -> bool:
        """Has it done all its steps?"""
        return self.step() >= self.steps

    def is_training(self) -> bool:
        """Is some process at work on it now?"""
        try:
            with self._locked():
                return False
        except UserError:
            return True

    def metrics(self) -> list[dict[str, Any]]:
        """The figures of each step that had any."""
        return list(read_lines(self.folder / "metrics.jsonl"))

    def last_figures(self) -> dict[str, Any]:
        """Each figure as it was told last."""
        found: dict[str, Any] = {}
        for line in self.metrics():
            found.update(line)
        return found

    def sessions(self) -> list[dict[str, Any]]:
        """When it was at work."""
        return list(read_lines(self.folder / "sessions.jsonl"))

    def other_versions(self) -> dict[str, tuple[str, str]]:
        """What has changed since it was created: exact bits may differ."""
        now = versions(self.settings.learner)
        return {
            name: (was, now.get(name, "none"))
            for name, was in self.versions.items()
            if now.get(name) != was
        }

    def state(self, step: int | None = None) -> State:
        """What had been learnt after a step, by default the last one."""
        known = {checkpoint.step: checkpoint.path for checkpoint in self.checkpoints()}
        step = max(known, default=0) if step is None else step
        if step not in known:
            steps = ", ".join(str(number) for number in known) or "none yet"
            raise UserError(f"run {self.name!r} has no checkpoint {step}; there are {steps}")
        return read_arrays(known[step])[0]

    def train(
        self, stop: Callable[[], bool] = lambda: False, on_step: OnStep = lambda *_: None
    ) -> bool:
        """Go on until all steps are done, or `stop` says so; are they done?

        `on_step` is told the number of each step and its figures.
        """
        with self._locked(), contextlib.closing(_Session(self)) as session:
            try:
                return session.train(stop, on_step)
            except OSError as error:
                told = f"run {self.name!r} could not be written: {error.strerror or error}"
                hint = (
                    f"it is safe up to step {self.step()}, and `quintet resume` goes on from there"
                )
                raise UserError(f"{told}; {hint}") from error

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Nobody else works on this run; the lock goes with the process, even if it is killed."""
        import fcntl

        with open(self.folder / ".lock", "ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UserError(f"run {self.name!r} is being trained by another process") from None
            yield


class _Session:
    """One time at work on a run."""

    def __init__(self, run: Run) -> None:
        """Load what was done, and forget what was done after the last checkpoint."""
        self._run = run
        settings = run.settings
        self._description = settings.description()
        for file in (run.folder / "checkpoints").glob(f"*{UNFINISHED}"):
            file.unlink()
        lengths = dict.fromkeys(_LINES, 0)
        found = run.checkpoints()
        self._number = 0
        if found:
            self._number = found[-1].step
            self._state, described = read_arrays(found[-1].path)
            lengths = {name: int(described[name]) for name in _LINES}
        else:
            self._state = settings.learner.start(settings.game, Step(0, settings.seed))
        self._saved = self._number if found else None
        self._metrics, self._games = (Lines(run.folder / name, lengths[name]) for name in _LINES)
        self._began_at = self._number
        self._begun = datetime.datetime.now(datetime.UTC)
        self._clock = time.perf_counter()

    def train(self, stop: Callable[[], bool], on_step: OnStep) -> bool:
        learner, game, seed, _ = self._run.settings
        steps = self._run.steps
        if self._saved is None:
            self._save()
        saved = shown = time.monotonic()
        while self._number < steps and not stop():
            step = Step(self._number + 1, seed)
            learner.step(game, self._state, step)
            self._number += 1
            self._note(step)
            on_step(self._number, step.figures)
            now = time.monotonic()
            if self._is_kept(self._number) or now - saved > SECONDS_BETWEEN:
                self._save()
                saved = shown = time.monotonic()
            elif now - shown > _SHOWN:
                self._metrics.show()
                shown = now
        if self._saved != self._number:
            self._save()
        return self._number >= steps

    def _note(self, step: Step) -> None:
        if step.figures:
            self._metrics.add({"step": step.number, **step.figures})
        for number, played in enumerate(step.games):
            if number == 0 or played.players != step.games[number - 1].players:
                self._games.add(self._header(played))
            seats = list(range(len(played.players)))
            line = {"number": step.number, "seats": seats, "opening": 0}
            self._games.add({**line, "moves": played.moves, "scores": played.scores})

    def _header(self, played: PlayedGame) -> dict[str, Any]:
        """What begins the games of the same players, in a record."""
        game = self._run.settings.game
        text, version = games.text_of(game), int(game.limits().version)
        return {
            "quintet": FORMAT,
            "game": text,
            "version": version,
            "players": played.players,
            "seed": self._run.settings.seed,
        }

    def _is_kept(self, step: int) -> bool:
        return step % self._run.settings.steps_between == 0 or step == self._run.steps

    def _save(self) -> None:
        """A checkpoint; those that were only for safety go."""
        lengths = [str(lines.settle()) for lines in (self._metrics, self._games)]
        described = {**self._description, "step": str(self._number)}
        described.update(zip(_LINES, lengths, strict=True))
        folder = self._run.folder / "checkpoints"
        width = len(str(self._run.steps))
        path = folder / f"step-{self._number:0{width}}.safetensors"
        write_arrays(path, self._state, described)
        self._saved = self._number
        for step, file in self._run.checkpoints():
            if step < self._number and not self._is_kept(step):
                file.unlink()

    def close(self) -> None:
        """Write down how long it took."""
        for lines in (self._metrics, self._games):
            lines.close()
        with contextlib.suppress(OSError):
            path = self._run.folder / "sessions.jsonl"
            sessions = Lines(path, path.stat().st_size if path.exists() else 0)
            sessions.add(
                {
                    "begun": self._begun.isoformat(timespec="seconds"),
                    "from": self._began_at,
                    "to": self._number,
                    "seconds": round(time.perf_counter() - self._clock, 3),
                    "megabytes": peak_memory(),
                    "cores": cores(),
                }
            )
            sessions.close()


def peak_memory() -> int:
    """The most memory this process ever had, in megabytes."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(most // (1 << 20 if sys.platform == "darwin" else 1 << 10))
