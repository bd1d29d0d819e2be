"""What a study is: a paper's experiments, repeated, and every number it claimed.

A study is one readable file: a `Study` of experiments, claims and curves.  An
**experiment** is a function that gives figures for one seed; a **claim** says what
the paper had for one of these figures, or what we set out to reach.
"""

from __future__ import annotations

import enum
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

Figures: TypeAlias = dict[str, float | list[float]]  # a number, or a curve


class Scale(enum.Enum):
    """How much work an experiment is given."""

    SMOKE = "smoke"  # seconds, to see that it works
    QUICK = "quick"  # minutes
    FULL = "full"  # the paper's own budget


class Task(NamedTuple):
    """One experiment, to be done with one seed."""

    seed: int
    scale: Scale
    sizes: Mapping[str, int]  # what the experiment named for this scale: games, steps, ...
    folder: pathlib.Path  # its own, to keep runs in; it is still there after an interruption
    found: Mapping[str, Figures]  # of the experiments it needs, with the same seed
    stop: Callable[[], bool]  # should it break off?
    folders: Mapping[str, pathlib.Path] = {}  # of the experiments it needs, with the same seed


class Interrupted(Exception):
    """An experiment saw that it should break off; what it keeps in its folder is used again."""


class Experiment(NamedTuple):
    """What was done, and how to do it again."""

    name: str
    what: str  # a sentence or two for the report
    run: Callable[[Task], Figures]
    sizes: Mapping[Scale, Mapping[str, int]]
    needs: Sequence[str] = ()  # experiments that come first
    version: int = 1  # raise it when a change of the code makes old results wrong


class Sense(enum.Enum):
    """When a claim holds."""

    SAME = "about the same"
    AT_LEAST = "at least"
    AT_MOST = "at most"


class Claim(NamedTuple):
    """A number of the paper, or a goal of ours, beside which ours is put."""

    what: str
    where: str  # section, figure or table; "goal" for ours
    published: str  # as it was printed: "28:16"
    measure: str  # "experiment.figure"
    value: float  # what was published, in the units of the measure
    spread: float = 0.0  # half its own 95% interval, where it can be known
    sense: Sense = Sense.SAME
    why: str = ""  # what we think, if it is not reached


class Curve(NamedTuple):
    """One line of a plot: the mean over the seeds, with its interval."""

    measure: str  # "experiment.figure": a list of numbers
    label: str
    published: Sequence[tuple[float, float]] = ()  # points read from the paper


class Plot(NamedTuple):
    """Curves in one picture."""

    title: str
    caption: str
    across: str  # the label of the x axis
    up: str
    curves: Sequence[Curve]
    x: str | None = None  # "experiment.figure" with the x of the points; by default 0, 1, 2, ...


class Study(NamedTuple):
    """A paper, repeated."""

    name: str
    title: str
    paper: str  # the reference
    about: str  # what it did, and what we do beyond, in a paragraph
    experiments: Sequence[Experiment]
    claims: Sequence[Claim]
    plots: Sequence[Plot]


def figure(found: Mapping[str, Any], measure: str) -> Any:
    """What an experiment gave for "experiment.figure", or None."""
    experiment, _, name = measure.partition(".")
    return found.get(experiment, {}).get(name)
