"""What was learnt, by text: ``run:NAME``, ``run:NAME@STEP``, ``model:FILE``, ``model:NAME``.

A model is a checkpoint by itself: the file tells the learner and the game.  Some come with
Quintet, and are named without a suffix (shipped.py).
"""

from __future__ import annotations

import os
import pathlib
from typing import Any, NamedTuple

from quintet import games, learn
from quintet.errors import UserError
from quintet.learn.learner import State
from quintet.runs import shipped
from quintet.runs.files import read_arrays
from quintet.runs.run import Run

FOLDER = "QUINTET_RUNS"  # the environment variable that names the folder of all runs


def runs_folder() -> pathlib.Path:
    """Where runs are, unless told otherwise."""
    return pathlib.Path(os.environ.get(FOLDER, "runs"))


def checked_name(name: str) -> str:
    """The name of a new run, if it can be one."""
    if not name or pathlib.Path(name).name != name or "@" in name:
        raise UserError(f"{name!r} is no name of a run; expected a name without / and @")
    return name


def all_runs() -> tuple[list[Run], list[str]]:
    """The runs on disk, by name, and what is wrong with those that cannot be read."""
    found, broken = [], []
    for file in sorted(runs_folder().glob("*/run.toml")):
        try:
            found.append(Run(file.parent))
        except UserError as error:
            broken.append(str(error))
    return found, broken


def find_run(name: str) -> Run:
    """A run, by its name or its folder."""
    known = runs_folder() / name
    return Run(known if (known / "run.toml").is_file() else pathlib.Path(name))


def player_of_run(text: str, game: Any) -> Any:
    """The player that a run has made so far, or up to a step."""
    return _of_run(text).player(game)


def player_of_file(text: str, game: Any) -> Any:
    """The player in a file."""
    return _of_file(text).player(game)


def evaluation_of_run(text: str, game: Any) -> Any:
    """What a run's learner makes of a position."""
    return _of_run(text).evaluation(game)


def evaluation_of_file(text: str, game: Any) -> Any:
    """The same, of a learner in a file."""
    return _of_file(text).evaluation(game)


def shipped_for(game: Any = None) -> list[shipped.Card]:
    """The models that come with Quintet and play a game; all where the game is None."""
    cards = [shipped.card_of(name) for name in shipped.names()]
    return [card for card in cards if game is None or _suits(card, game)]


def _suits(card: shipped.Card, game: Any) -> bool:
    learnt = games.make(card.game)
    if type(learnt) is not type(game):  # without importing the learner
        return False
    return _plays(learn.learner_from(card.learner, learnt), learnt, game)


def _plays(learner: Any, learnt: Any, game: Any) -> bool:
    """Is it the game that was learnt?  Learners may allow more, by ``plays(learnt, game)``."""
    return bool(learner.plays(learnt, game)) if hasattr(learner, "plays") else game == learnt


class Trained(NamedTuple):
    """A learner, and what it has learnt."""

    learner: Any
    game: Any
    state: State
    text: str  # how it was named

    def player(self, game: Any) -> Any:
        """The player."""
        self._check(game)
        return self._made(self.learner.player, game)

    def evaluation(self, game: Any) -> Any:
        """What it makes of positions; learners that have a method ``evaluation`` do."""
        self._check(game)
        if not hasattr(self.learner, "evaluation"):
            raise UserError(f"{self.text} has learnt to choose moves, not to value positions")
        return self._made(self.learner.evaluation, game)

    def _check(self, game: Any) -> None:
        if not _plays(self.learner, self.game, game):
            had, wanted = games.text_of(self.game), games.text_of(game)
            raise UserError(f"{self.text} has learnt {had}, not {wanted}")

    def _made(self, make: Any, game: Any) -> Any:
        try:
            return make(game, self.state)
        except (KeyError, ValueError, IndexError) as error:
            told = f"{self.text} does not hold what its learner needs: {error}"
            raise UserError(told) from error


def _of_run(text: str) -> Trained:
    name, at, step = text.partition("@")
    if at and not step.isdecimal():
        raise UserError(f"run:{text}: {step!r} is no step; expected a whole number")
    run = find_run(name)
    state = run.state(int(step) if at else None)
    return Trained(run.settings.learner, run.settings.game, state, f"run:{text}")


def _of_file(text: str) -> Trained:
    path = shipped.file_of(text) if shipped.is_shipped(text) else pathlib.Path(text)
    state, described = read_arrays(path)
    missing = {"learner", "game"} - set(described)
    if missing:
        raise UserError(f"{text!r} is no model of Quintet; it does not tell its {missing.pop()}")
    for name in ("learner", "game"):  # a model may come from anywhere: it must not run code
        if ".py:" in described[name]:
            raise UserError(f"{text!r} names the Python file {described[name]!r} as its {name}")
    game = games.make(described["game"])
    return Trained(learn.learner_from(described["learner"], game), game, state, f"model:{text}")
