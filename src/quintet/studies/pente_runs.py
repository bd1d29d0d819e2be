"""What the experiments on Pente share: a run, and its player in fresh games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from quintet import games
from quintet.learn import make_learner
from quintet.learn.learner import State
from quintet.learn.population import Haste, Tally, Trials
from quintet.runs.run import Run
from quintet.runs.settings import Settings
from quintet.studies.study import Figures, Interrupted, Task

FRESH = 7_000_000  # seeds of games that no evolution has seen


def trained(
    task: Task,
    name: str,
    learner: str,
    game_text: str,
    settings: Mapping[str, object],
    preset: str | None = None,
) -> Run:
    """A run in the task's folder, begun or gone on with, and finished."""
    game = games.make(game_text)
    folder = task.folder / name
    if (folder / "run.toml").is_file():
        run = Run(folder)
    else:
        pairs = [(key, str(value)) for key, value in settings.items()]
        made = make_learner(learner, game, pairs, preset)
        run = Run.create(folder, Settings(made, game, task.seed))
    if not run.is_finished() and not run.train(task.stop):
        raise Interrupted
    return run


def met(task: Task, learner: Any, game: Any, state: State, tests: str, matches: int) -> Tally:
    """What becomes of the player that a learner has made, in fresh games."""
    if task.stop():
        raise Interrupted
    essence = learner.essence(state)
    (genome,) = (essence[name] for name in ("champion", "best") if name in essence)
    trials = Trials(game, tests, matches, Haste(float(game.layout().cells), 0.5))
    row = genome[np.newaxis]
    return trials.of(lambda: learner.player(game, state), row, FRESH + task.seed, workers=1)


def shares(tally: Tally, names: Sequence[str]) -> Figures:
    """The part of the games won: in all, the least of any test, by test and by seat."""
    won = tally.wins[0] / tally.games
    figures: Figures = {"fresh": won.mean(), "weakest": won.mean(axis=1).min()}
    for name, share in zip(names, won.mean(axis=1), strict=True):
        figures[f"fresh_{word(name)}"] = share
    for seat, share in enumerate(won.mean(axis=0)):
        figures[f"seat_{seat + 1}"] = share
    return figures


def word(names: str) -> str:
    """As a part of the name of a figure."""
    return names.replace("+", "_")
