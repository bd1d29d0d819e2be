"""Things that are made from text: ``name:setting=value,...``."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import pathlib
import sys
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

    def stands_for(self, cls: type) -> bool:
        """Is this the class that is meant?  Nothing is imported."""
        return self.place == f"{cls.__module__}:{cls.__qualname__}"

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
    return next(name for name, entry in entries.items() if entry.stands_for(cls))


def joined(name: str, settings: str) -> str:
    """A name with its settings, if there are any."""
    return f"{name}:{settings}" if settings else name


def module_in_file(file: pathlib.Path, prefix: str) -> Any:
    """A user's own Python file, loaded once, as a module whose name begins with the prefix."""
    name = prefix + hashlib.sha256(str(file).encode()).hexdigest()[:12]
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise UserError(f"{file} could not be loaded: {type(error).__name__}: {error}") from error
    return module
