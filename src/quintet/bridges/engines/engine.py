"""What is known of an engine before it runs: its command, its protocol, its games."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any, NamedTuple

from quintet import games
from quintet.errors import UserError
from quintet.registry import Entry

_PACKAGE = "quintet.bridges.engines"
PROTOCOLS = {
    "gtp": Entry(f"{_PACKAGE}.gtp:Gtp", {}, "Go Text Protocol 2"),
    "gomocup": Entry(f"{_PACKAGE}.gomocup:Gomocup", {}, "Piskvork, of Gomocup"),
    "nboard": Entry(f"{_PACKAGE}.nboard:NBoard", {}, "NBoard 2, for Othello"),
    "pente": Entry(f"{_PACKAGE}.pente:Pente", {}, "the dialogue of W. Shubert's pente"),
    "bsd-gomoku": Entry(f"{_PACKAGE}.bsd_gomoku:BsdGomoku", {}, "the terminal of BSD gomoku"),
}


class Setting(NamedTuple):
    """A whole number that a user may choose."""

    name: str
    low: int
    high: int
    default: int


def _any_game(game: Any) -> str | None:
    return None


def _no_more(game: Any) -> tuple[str, ...]:
    return ()


class Engine(NamedTuple):
    """A program that plays."""

    name: str
    command: tuple[str, ...]  # {level} stands for the setting of this name
    protocol: str
    games: tuple[str, ...]  # texts; one without settings stands for all of its kind
    settings: tuple[Setting, ...] = ()
    timeout: float = 60.0  # seconds for an answer
    passes: bool = True  # does it want to be told of forced passes?
    configured: bool = False  # does the user's file name it?
    package: str = ""  # that installs it
    version: tuple[str, ...] = ()  # what to add to the program's name to learn its version
    more: Callable[[Any], tuple[str, ...]] = _no_more  # words of the command for a game
    problem: Callable[[Any], str | None] = _any_game  # why its rules are others

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        if not any(_covers(text, game) for text in self.games):
            return f"it plays {', '.join(self.games)}; not {games.text_of(game)}"
        return self.problem(game)

    def values(self, given: list[tuple[str, str]]) -> tuple[tuple[str, int], ...]:
        """The values of all settings: those that were given, else the defaults."""
        values = {setting.name: setting.default for setting in self.settings}
        for name, text in given:
            if name not in values:
                close = difflib.get_close_matches(name, values, 1)
                known = ", ".join([*values, "timeout"])
                hint = f"did you mean {close[0]!r}?" if close else f"it has {known}"
                raise UserError(f"engine {self.name} has no setting {name!r}; {hint}")
            values[name] = _whole_number(next(s for s in self.settings if s.name == name), text)
        return tuple(values.items())

    def command_for(self, game: Any, values: dict[str, int]) -> list[str]:
        """The words that start it."""
        words = [*self.command, *self.more(game)]
        for name, value in values.items():
            words = [word.replace(f"{{{name}}}", str(value)) for word in words]
        return words


def _whole_number(setting: Setting, text: str) -> int:
    name, low, high, _ = setting
    if not (text.isascii() and text.isdecimal() and len(text) < 16 and low <= int(text) <= high):
        raise UserError(f"{name}={text} is not possible; expected {low} to {high}")
    return int(text)


def _covers(text: str, game: Any) -> bool:
    """Is this the game, or does the text name all games of its kind?"""
    named = games.make(text)
    kind, wanted = (getattr(it, "family", type(it)) for it in (named, game))
    return named == game and kind is wanted if ":" in text else _kind(named) == _kind(game)


def _kind(game: Any) -> tuple[Any, ...]:
    """What all boards and rules of one name share."""
    family = getattr(game, "family", type(game))
    return family, getattr(game, "k", None), getattr(game, "gravity", None)
