"""The engines that a user has: those of a file, ``engines.toml``, and those known from Debian.

Each table of the file is an engine::

    [rapfi]
    command = ["/opt/rapfi/rapfi", "--threads", "{threads}"]
    protocol = "gomocup"
    games = ["go-moku"]
    timeout = 30
    settings = { threads = [1, 8, 1] }     # lowest, highest, and what is meant if none is given

A known one needs no entry; an empty table, ``[gnugo]``, says that also the page may use it.
"""

from __future__ import annotations

import os
import pathlib
import re
import shlex
import tomllib
from typing import Any

import platformdirs

from quintet import games
from quintet.bridges.engines.engine import PROTOCOLS, Engine, Setting
from quintet.bridges.engines.known import KNOWN
from quintet.errors import UserError

FILE = "QUINTET_ENGINES"  # the environment variable that names the file
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_LARGEST = 100_000  # bytes
_KINDS = {
    "command": (str, list),
    "protocol": (str,),
    "games": (list,),
    "settings": (dict,),
    "timeout": (int, float),
    "passes": (bool,),
}


def engines_file() -> pathlib.Path:
    """Where the user's engines are described; there need be no such file."""
    chosen = os.environ.get(FILE)
    return pathlib.Path(chosen or platformdirs.user_config_path("quintet") / "engines.toml")


def all_engines() -> dict[str, Engine]:
    """The known engines and the user's, by name; the user's descriptions win."""
    engines = {engine.name: engine for engine in KNOWN}
    for name, table in _tables().items():
        try:
            engines[name] = _described(name, table, engines.get(name))
        except UserError as error:
            raise UserError(f"{engines_file()}: engine {name!r}: {error}") from None
    return engines


def find_engine(name: str) -> Engine:
    """An engine by name."""
    engines = all_engines()
    if name not in engines:
        told = f"no engine {name[:80]!r}; there are {', '.join(sorted(engines))}"
        raise UserError(f"{told}; others can be described in {engines_file()}")
    return engines[name]


def page_engines() -> list[Engine]:
    """Those that a page may use: the ones that the user's file names."""
    return [engine for engine in all_engines().values() if engine.configured]


def _tables() -> dict[str, Any]:
    path = engines_file()
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > _LARGEST:
        raise UserError(f"{path} is too large; expected at most {_LARGEST} bytes")
    try:
        tables = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{path} is no TOML file: {error}") from error
    for name, table in tables.items():
        if not isinstance(table, dict) or not _NAME.fullmatch(name):
            raise UserError(f"{path}: {name!r} is no engine; expected a table such as [rapfi]")
    return tables


def _described(name: str, table: dict[str, Any], known: Engine | None) -> Engine:
    for key, value in table.items():
        if key not in _KINDS:
            raise UserError(f"no key {key!r}; there are {', '.join(_KINDS)}")
        if not isinstance(value, _KINDS[key]) or (isinstance(value, bool) and key != "passes"):
            words = " or ".join(kind.__name__ for kind in _KINDS[key])
            raise UserError(f"{key} = {value!r}; expected a {words}")
    if known is None or "command" in table:
        missing = {"command", "protocol", "games"} - set(table)
        if missing:
            raise UserError(f"{sorted(missing)[0]!r} is missing")
        known = Engine(name, (), "", ())
    changes: dict[str, Any] = {"configured": True}
    for key, value in table.items():
        changes[key] = _READERS[key](value)
    return known._replace(**changes)


def _command(value: str | list[Any]) -> tuple[str, ...]:
    try:
        words = shlex.split(value) if isinstance(value, str) else value
    except ValueError as error:
        raise UserError(f"command = {value!r} cannot be read: {error}") from None
    if not words or not all(isinstance(word, str) and word and "\0" not in word for word in words):
        raise UserError(f"command = {value!r}; expected a program and its words")
    return tuple(words)


def _protocol(value: str) -> str:
    if value not in PROTOCOLS:
        raise UserError(f"protocol = {value!r}; expected {', '.join(PROTOCOLS)}")
    return value


def _games(value: list[Any]) -> tuple[str, ...]:
    if not value or not all(isinstance(text, str) for text in value):
        raise UserError(f"games = {value!r}; expected texts of games, such as 'go'")
    for text in value:
        games.make(text)
    return tuple(value)


def _settings(value: dict[str, Any]) -> tuple[Setting, ...]:
    found = []
    for name, numbers in value.items():
        fits = isinstance(numbers, list) and len(numbers) == 3
        if not fits or not all(type(number) is int for number in numbers):
            raise UserError(f"settings: {name} = {numbers!r}; expected [lowest, highest, default]")
        low, high, default = numbers
        if not 0 <= low <= default <= high or name == "timeout":
            raise UserError(f"settings: {name} = {numbers!r}; expected 0 <= low <= default <= high")
        found.append(Setting(name, low, high, default))
    return tuple(found)


def _timeout(value: float) -> float:
    if not 0 < value <= 86_400:
        raise UserError(f"timeout = {value}; expected more than 0 seconds, and at most a day")
    return float(value)


_READERS: dict[str, Any] = {
    "command": _command,
    "protocol": _protocol,
    "games": _games,
    "settings": _settings,
    "timeout": _timeout,
    "passes": bool,
}
