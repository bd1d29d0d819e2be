"""Things that are made from text: ``name:setting=value,...``."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from quintet.errors import UserError


class Entry(NamedTuple):
    """A name stands for a class and presets of its parameters."""

    place: str  # module:Class
    presets: Mapping[str, Any]
    summary: str

    def load(self) -> Any:
        """The class, imported only now."""
        module, _, class_name = self.place.partition(":")
        return getattr(importlib.import_module(module), class_name)

    def preset(self) -> Any:
        """What the name alone stands for."""
        return self.load()(**self.presets)


def find(entries: Mapping[str, Entry], name: str, kind: str, offered: Iterable[str] = ()) -> Entry:
    """The entry of a name, or an error that lists what is offered (by default, all)."""
    if name in entries:
        return entries[name]
    offered = sorted(offered or entries)
    close = difflib.get_close_matches(name, offered, 1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    raise UserError(f"no {kind} {name!r}; {hint}there are {', '.join(offered)}")


def fit_for(entries: Mapping[str, Entry], game: Any) -> list[tuple[str, Entry]]:
    """The names that suit a game, with their entries; all where the game is None."""
    pairs = entries.items()
    return [
        (name, entry) for name, entry in pairs if game is None or not unfit(entry.preset(), game)
    ]


def unfit(thing: Any, game: Any) -> str | None:
    """Why a thing made of parameters, or one of these, does not suit a game, or None."""
    problem: str | None = thing.unfit(game) if hasattr(thing, "unfit") else None
    for name in getattr(thing, "_fields", ()) if problem is None else ():
        inner = unfit(getattr(thing, name), game)
        if inner:
            return f"{name}: {inner}"
    return problem


def name_of(entries: Mapping[str, Entry], cls: type) -> str:
    """The first name that stands for a class."""
    place = f"{cls.__module__}:{cls.__qualname__}"
    return next(name for name, entry in entries.items() if entry.place == place)
