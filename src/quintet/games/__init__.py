"""The games, by text: ``pente:size=7,players=3``, ``./mygame.py:MyGame:size=5``.

A name stands for a class and presets of its parameters.  Games of other
packages are found by their entry points in the group ``quintet.games``, those of
OpenSpiel by ``openspiel:breakthrough(rows=6)``.
"""

from __future__ import annotations

import functools
import importlib.metadata
import pathlib
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

from quintet.errors import UserError
from quintet.parameters import build, read_settings, settings_text
from quintet.registry import Entry, find, joined, module_in_file

_K = "quintet.games.k_in_a_row:KInARow"
BUILT_IN = {
    "k-in-a-row": Entry(_K, {}, "the first with k stones in a row wins, 2 to 6 players"),
    "tic-tac-toe": Entry(_K, {"rows": 3, "columns": 3, "k": 3}, "three in a row on 3 x 3"),
    "tic-tac-mo": Entry(
        _K, {"rows": 3, "columns": 5, "k": 3, "players": 3}, "tic-tac-toe for three, on 3 x 5"
    ),
    "connect-four": Entry(
        _K, {"rows": 6, "columns": 7, "k": 4, "gravity": True}, "four in a row, stones fall"
    ),
    "connect-3x3": Entry(
        _K,
        {"rows": 6, "columns": 7, "k": 3, "players": 3, "gravity": True},
        "three in a row for three players, stones fall",
    ),
    "go-moku": Entry(_K, {"rows": 15, "columns": 15, "k": 5}, "five in a row on 15 x 15"),
    "pente": Entry("quintet.games.pente:Pente", {}, "five in a row or five captured pairs"),
    "keryo-pente": Entry(
        "quintet.games.pente:Pente",
        {"keryo": True, "captures": 15},
        "pente in which threes are captured too",
    ),
    "othello": Entry("quintet.games.othello:Othello", {}, "most discs when nobody can move"),
    "go": Entry("quintet.games.go:Go", {}, "most area, for 2 to 4 colours"),
    "pentago": Entry("quintet.games.pentago:Pentago", {}, "five in a row on turning quadrants"),
}


def names() -> dict[str, Entry]:
    """Every game that can be made by name."""
    found = dict(BUILT_IN)
    for point in importlib.metadata.entry_points(group="quintet.games"):
        found.setdefault(point.name, Entry(point.value, {}, f"from {point.module}"))
    return found


@functools.lru_cache(maxsize=256)
def make(text: str) -> Any:
    """A game from its text."""
    if ".py:" in text:
        path, _, rest = text.partition(".py:")
        class_name, _, settings = rest.partition(":")
        return build(_class_in_file(path + ".py", class_name), read_settings(settings))
    name, _, settings = text.partition(":")
    if name == _OPEN_SPIEL:
        from quintet.games.open_spiel import load

        return load(settings)
    entry = find(names(), name, "game")
    game = build(entry.load(), read_settings(settings), **entry.presets)
    # a game may have a faster class for some of its parameters
    return game.specialised() if hasattr(game, "specialised") else game


Trust: TypeAlias = bool | Callable[[str], bool]  # of the games that files name: all, none, or which


def make_as_told(text: str, trust: Trust = False) -> Any:
    """A game that a file of somebody's names; only if trusted may that run code.

    Games of OpenSpiel count as such: some read files, or take any amount of memory.
    """
    kinds = {"a Python file": ".py:" in text, "OpenSpiel's": text.startswith(f"{_OPEN_SPIEL}:")}
    for kind, found in kinds.items():
        if found and not (trust(text) if callable(trust) else trust):
            told = f"the game {text[:_SHOWN]!r} is {kind}"
            raise UserError(f"{told}, which is not run unless you trust it")
    try:
        return make(text)
    except (ImportError, AttributeError, TypeError, OverflowError, OSError) as error:
        raise UserError(f"game {text[:_SHOWN]!r} could not be loaded: {error}") from error


def text_of(game: Any) -> str:
    """The shortest text from which `make` gives this game again."""
    cls = getattr(game, "family", type(game))
    # a game may hold parameters that its user need not give
    given = game.as_given() if hasattr(game, "as_given") else game
    if hasattr(game, "text"):  # it has no parameters of ours
        return joined(_OPEN_SPIEL, game.text())
    if cls.__module__.startswith(_FROM_FILE):
        file = sys.modules[cls.__module__].__file__
        return joined(f"{file}:{cls.__qualname__}", settings_text(given))
    texts = [
        joined(name, settings_text(given, entry.presets))
        for name, entry in names().items()
        if entry.stands_for(cls)
    ]
    # of equals the last: the general name comes before the special ones
    return min(reversed(texts), key=lambda text: text.count("="))


_FROM_FILE = "quintet_game_file_"
_OPEN_SPIEL = "openspiel"
_SHOWN = 100  # characters of a text that may be anything


def _class_in_file(path: str, class_name: str) -> Any:
    file = pathlib.Path(path).expanduser().resolve()
    if not file.is_file():
        raise UserError(f"no file {path!r}; expected a Python file with a game")
    module = module_in_file(file, _FROM_FILE)
    cls = getattr(module, class_name, None)
    if not (isinstance(cls, type) and hasattr(cls, "position_type")):
        games = [name for name, it in vars(module).items() if hasattr(it, "position_type")]
        raise UserError(f"{path} has no game {class_name!r}; it has {', '.join(games) or 'none'}")
    return cls
