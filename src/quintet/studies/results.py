"""What a study has found so far, on disk.

::

    FOLDER/NAME/SCALE/
        results/EXPERIMENT-SEED.json      what was found, written when it is finished
        work/EXPERIMENT/SEED-DIGEST/      the experiment's own, to go on after an interruption
        log.txt                           what experiments print

A result notes a digest of what it was computed from.  If a size is changed, the old
result counts no more.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import numbers
import os
import pathlib
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any, NamedTuple

from quintet.errors import UserError
from quintet.runs.files import write_whole
from quintet.studies.study import Experiment, Figures, Scale, Study

FOLDER = "QUINTET_STUDIES"  # the environment variable that names the folder of all studies
SEEDS = {Scale.SMOKE: 2, Scale.QUICK: 3, Scale.FULL: 10}  # unless told otherwise

_RESULT = re.compile(r"(.+)-(\d+)\.json")


def studies_folder() -> pathlib.Path:
    """Where results are, unless told otherwise."""
    return pathlib.Path(os.environ.get(FOLDER, "studies"))


class Result(NamedTuple):
    """One experiment with one seed, finished."""

    experiment: str
    seed: int
    figures: Figures
    sizes: Mapping[str, int]
    seconds: float  # at work, all sessions together
    processor: float  # seconds of it that a processor gave
    megabytes: int  # the most memory of the process
    versions: Mapping[str, str]


class Results:
    """The results of a study at a scale."""

    def __init__(self, study: Study, scale: Scale, root: pathlib.Path) -> None:
        """Nothing is written before there is something."""
        self.study = study
        self.scale = scale
        self.folder = root / study.name / scale.value
        self._experiments = {experiment.name: experiment for experiment in study.experiments}

    def sizes(self, name: str) -> Mapping[str, int]:
        """Of an experiment."""
        return self._experiments[name].sizes[self.scale]

    def digest(self, name: str, seed: int) -> str:
        """Of everything that decides a result, as far as the study says it."""
        experiment = self._experiments[name]
        content = {
            "experiment": name,
            "version": experiment.version,
            "seed": seed,
            "sizes": dict(self.sizes(name)),
            "needs": [self.digest(needed, seed) for needed in experiment.needs],
        }
        text = json.dumps(content, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def work(self, name: str, seed: int) -> pathlib.Path:
        """The folder of an experiment for a seed; other sizes have another one."""
        return self.folder / "work" / name / f"{seed}-{self.digest(name, seed)}"

    def read(self, name: str, seed: int) -> Result | None:
        """A result, unless there is none, or one of other sizes."""
        try:
            content = json.loads(self._file(name, seed).read_bytes())
            if content["digest"] != self.digest(name, seed):
                return None
            figures = {key: _read_figure(value) for key, value in content["figures"].items()}
            return Result(
                name,
                seed,
                figures,
                content["sizes"],
                content["seconds"],
                content["processor"],
                content["megabytes"],
                content["versions"],
            )
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            told = f"{str(self._file(name, seed))!r} cannot be read: {error.strerror}"
            raise UserError(told) from error
        except (ValueError, KeyError, TypeError):  # not written by us: it counts as none
            return None

    def figures(self, name: str, seed: int) -> Figures:
        """Of an experiment that is finished."""
        result = self.read(name, seed)
        assert result is not None, f"{name} with seed {seed} is not finished"
        return result.figures

    def all(self) -> dict[str, dict[int, Result]]:
        """For each experiment, its results by seed."""
        found: dict[str, dict[int, Result]] = {name: {} for name in self._experiments}
        folder = self.folder / "results"
        files = sorted(folder.iterdir()) if folder.is_dir() else []
        for match in filter(None, (_RESULT.fullmatch(file.name) for file in files)):
            name, seed = match[1], int(match[2])
            result = self.read(name, seed) if name in found else None
            if result is not None:
                found[name][seed] = result
        return {name: dict(sorted(results.items())) for name, results in found.items()}

    def write(self, result: Result) -> None:
        """Keep a result."""
        content = {
            "experiment": result.experiment,
            "seed": result.seed,
            "scale": self.scale.value,
            "digest": self.digest(result.experiment, result.seed),
            "sizes": dict(result.sizes),
            "seconds": round(result.seconds, 3),
            "processor": round(result.processor, 3),
            "megabytes": result.megabytes,
            "versions": dict(result.versions),
            "figures": {key: _written_figure(it) for key, it in result.figures.items()},
        }
        file = self._file(result.experiment, result.seed)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, (json.dumps(content, indent=1, allow_nan=False) + "\n").encode())

    def _file(self, name: str, seed: int) -> pathlib.Path:
        return self.folder / "results" / f"{name}-{seed}.json"

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else works on these results; the lock goes with the process."""
        import fcntl

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file: IO[Any] = open(self.folder / ".lock", "ab")  # noqa: SIM115 - closed below
        except OSError as error:
            told = f"{str(self.folder)!r} cannot be written: {error.strerror}"
            raise UserError(told) from error
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                told = f"study {self.study.name!r} at scale {self.scale.value}"
                raise UserError(f"{told} is being run by another process") from None
            yield


def checked_figures(experiment: Experiment, found: Any) -> Figures:
    """What an experiment gave, as plain numbers, or an error that says what is wrong."""
    if not isinstance(found, dict):
        raise TypeError(f"{experiment.name} gave {found!r}; expected a dict of figures")
    return {str(name): _plain(f"{experiment.name}.{name}", it) for name, it in found.items()}


def _plain(measure: str, value: Any) -> float | list[float]:
    values = value.tolist() if hasattr(value, "tolist") else value  # of NumPy
    if isinstance(values, list | tuple):
        return [_number(measure, each) for each in values]
    return _number(measure, values)


def _number(measure: str, value: Any) -> float:
    value = value.item() if hasattr(value, "item") else value
    if not isinstance(value, numbers.Real):
        raise TypeError(f"{measure} is {value!r}; expected a number, or a list of numbers")
    return float(value)


def _written_figure(value: float | list[float]) -> Any:
    """JSON knows no NaN."""
    if isinstance(value, list):
        return [_written_figure(each) for each in value]
    return value if math.isfinite(value) else None


def _read_figure(value: Any) -> Any:
    if isinstance(value, list):
        return [_read_figure(each) for each in value]
    return math.nan if value is None else float(value)
