"""What a text from a page may name: no file outside the runs, no program, no endless thought."""

from __future__ import annotations

import pathlib
import re
from typing import Any

from quintet import games
from quintet.errors import UserError
from quintet.players import PLAYERS, make_player
from quintet.runs.shipped import is_shipped
from quintet.runs.trained import Trained, player_of_file, runs_folder
from quintet.web.configuration import Configuration
from quintet.web.problems import Refused

_TRAINED = re.compile(r"(run|model):(.+)", re.DOTALL)
_NAMES_A_FILE = re.compile(r"\b(run|model|engine)\s*[:(]")
_RUN_NAME = re.compile(r"[\w][\w.+=-]*")


class Allowed:
    """Makes games and players from what strangers wrote."""

    def __init__(self, configuration: Configuration, own_games: tuple[str, ...] = ()) -> None:
        """`own_games` are the texts of Python files with games, given on the command line."""
        self._configuration = configuration
        self.own_games = own_games

    def game(self, text: str) -> Any:
        """A game, unless it is a Python file that was not given on the command line.

        Nor one of OpenSpiel: some of theirs read files, or take any amount of memory.
        """
        if text.startswith("openspiel:"):
            raise Refused("refused", "games of OpenSpiel are not played here")
        if ".py:" in text and not self._is_own(text):
            told = f"{text!r} is a Python file; a page can only use those that the server was"
            raise Refused("refused", f"{told} started with, by --game")
        try:
            return games.make(text)
        except (ImportError, AttributeError, TypeError, OverflowError) as error:
            raise Refused("invalid", f"game {text!r} could not be loaded: {error}") from error

    def _is_own(self, text: str) -> bool:
        return any(text == own or text.startswith(f"{own}:") for own in self.own_games)

    def player(self, text: str, game: Any) -> Any:
        """A player for a game that keeps to the limits."""
        trained = _TRAINED.fullmatch(text)
        if trained:
            player = self._trained(trained[1], trained[2], game)
        elif _NAMES_A_FILE.search(text):
            raise Refused("refused", f"{text!r} names a file or a program inside its settings")
        elif re.split(r"[:(]", text, maxsplit=1)[0] not in PLAYERS:
            raise UserError(f"no player {text!r}; there are {', '.join(PLAYERS)}, run:NAME@STEP")
        else:
            player = _made(text, game)
        return self.limited(player, text)

    def _trained(self, kind: str, rest: str, game: Any) -> Any:
        if kind == "run":
            return self._of_run(rest, game)
        if is_shipped(rest):
            return player_of_file(rest, game)
        path = inside(runs_folder(), rest)
        if path.suffix != ".safetensors":
            raise Refused("refused", f"model {rest!r}; expected a file *.safetensors")
        return player_of_file(str(path), game)

    def _of_run(self, rest: str, game: Any) -> Any:
        name, at, step = rest.partition("@")
        if at and not (step.isascii() and step.isdecimal() and len(step) < 16):
            raise Refused("invalid", f"run:{rest}: {step!r} is no step; expected a whole number")
        run = find_run(name)
        state = run.state(int(step) if at else None)
        settings = run.settings
        return Trained(settings.learner, settings.game, state, f"run:{rest}").player(game)

    def limited(self, player: Any, text: str) -> Any:
        """The player within the limits; one that asks for more is refused."""
        limits = self._configuration
        fields = getattr(player, "_fields", ())
        for name, most in (("sims", limits.most_sims), ("seconds", limits.most_seconds)):
            if name in fields and getattr(player, name) > most:
                raise _too_much(text, name, getattr(player, name), most)
        if "threads" in fields and player.threads > 1:
            raise _too_much(text, "threads", player.threads, 1)
        if "depth" in fields and "seconds" not in fields and player.depth > limits.most_depth:
            raise _too_much(text, "depth", player.depth, limits.most_depth)
        return self._capped(player, fields)

    def _capped(self, player: Any, fields: tuple[str, ...]) -> Any:
        """What is only an upper bound is lowered; a clock makes a search end, and stoppable."""
        limits, changes = self._configuration, {}
        if "seconds" in fields:
            changes["seconds"] = player.seconds or limits.most_seconds
        if "nodes" in fields and "sims" in fields:  # places of a tree
            changes["nodes"] = min(player.nodes, limits.most_nodes)
        if "table" in fields and type(player.table) is int:
            changes["table"] = min(player.table, limits.table_megabytes)
        return player._replace(**changes) if changes else player


def _made(text: str, game: Any) -> Any:
    try:
        return make_player(text, game)
    except (TypeError, OverflowError, RecursionError) as error:
        raise UserError(f"player {text!r} could not be made: {error}") from error


def _too_much(text: str, name: str, value: float, most: float) -> Refused:
    return Refused("refused", f"player {text!r}: {name}={value:g}; this server allows {most:g}")


def find_run(name: str) -> Any:
    """A run in the folder of runs, and nowhere else."""
    from quintet.runs.run import Run

    if not _RUN_NAME.fullmatch(name):
        raise Refused("unknown", f"no run {name!r}; expected the name of a folder of a run")
    folder = inside(runs_folder(), name)
    if not (folder / "run.toml").is_file():
        raise Refused("unknown", f"no run {name!r}; expected the name of a folder of a run")
    for file in ("run.toml", "checkpoints"):
        inside(runs_folder(), f"{name}/{file}")
    return Run(folder)


def inside(folder: pathlib.Path, text: str) -> pathlib.Path:
    """A path below a folder, symlinks followed; what leads out of it is refused."""
    root = folder.resolve()
    try:
        path = (root / text).resolve()
    except (OSError, ValueError, RuntimeError) as error:  # a NUL, a loop of links
        raise Refused("invalid", f"{text!r} is no file: {error}") from error
    if not path.is_relative_to(root) or path == root:
        raise Refused("refused", f"{text!r} is outside the folder of runs")
    return path
