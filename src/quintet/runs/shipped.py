"""Models that come with Quintet: ``model:NAME``, with neither a slash nor a suffix.

Each is a small checkpoint in the package's folder ``models``, with a card beside it: a TOML file
that tells how it was made, and how strong it was found to be.  Game, learner and seed are
told by the checkpoint itself, so that the card cannot contradict it.
"""

from __future__ import annotations

import pathlib
import re
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

from quintet.errors import UserError
from quintet.learn.learner import State
from quintet.runs.files import read_description, write_arrays
from quintet.runs.run import Run

FOLDER = pathlib.Path(__file__).parents[1] / "models"
SUFFIX = ".safetensors"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


class Strength(NamedTuple):
    """What was measured against somebody."""

    against: str  # players of the other seats
    games: int
    wins: float  # share of the games
    low: float  # the interval that holds the true share in 95 of 100 measurements
    high: float
    command: str  # that measures it again


class Card(NamedTuple):
    """What is known about a model."""

    name: str
    game: str
    learner: str  # with its settings
    seed: int
    step: int
    summary: str  # a sentence
    made: str  # the command
    commit: str  # of the code that made it
    strengths: tuple[Strength, ...]

    @property
    def player(self) -> str:
        """The text of the player."""
        return f"model:{self.name}"


def is_shipped(text: str) -> bool:
    """Is this the name of a model that comes with Quintet, not of a file?"""
    return _NAME.fullmatch(text) is not None


def names() -> list[str]:
    """Of all models that come with Quintet."""
    return sorted(file.stem for file in FOLDER.glob(f"*{SUFFIX}"))


def file_of(name: str) -> pathlib.Path:
    """The checkpoint of a model."""
    if name not in names():
        offered = ", ".join(names()) or "none"
        raise UserError(
            f"no model {name!r} comes with Quintet; there are {offered}. "
            f"A file is named with its suffix: model:{name}{SUFFIX}"
        )
    return FOLDER / f"{name}{SUFFIX}"


def card_of(name: str) -> Card:
    """What is known about a model."""
    file = file_of(name)
    return read_card(file.with_suffix(".toml"), name, read_description(file))


def read_card(path: pathlib.Path, name: str, described: Mapping[str, str]) -> Card:
    """A card, which must be complete."""
    try:
        content = tomllib.loads(path.read_text())
        return Card(
            name,
            described["game"],
            described["learner"],
            int(described["seed"]),
            int(described["step"]),
            _text(content, "summary"),
            _text(content, "made"),
            _text(content, "commit"),
            tuple(_strength(each) for each in content["strength"]),
        )
    except OSError as error:
        raise UserError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{str(path)!r} is no complete card: {error!r}") from error


def _text(content: Mapping[str, Any], key: str) -> str:
    text = content[key]
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{key} = {text!r}; expected a text")
    return text


def _strength(content: Mapping[str, Any]) -> Strength:
    low, high = content["interval"]
    wins = float(content["wins"])
    if not 0.0 <= low <= wins <= high <= 1.0:
        raise ValueError(f"wins = {wins}, interval = {[low, high]}; expected shares, in order")
    against, command = _text(content, "against"), _text(content, "command")
    return Strength(against, int(content["games"]), wins, float(low), float(high), command)


def write_model(run: Run, step: int | None, path: pathlib.Path) -> int:
    """Write a file with nothing but what a run's player needs; returns its size in bytes."""
    settings = run.settings
    last = run.step() if step is None else step
    state: State = run.state(last)
    if hasattr(settings.learner, "essence"):
        state = settings.learner.essence(state)
    try:
        write_arrays(path, state, {**settings.description(), "step": str(last)})
        return path.stat().st_size
    except OSError as error:
        raise UserError(f"{str(path)!r} cannot be written: {error.strerror}") from error
