"""What the server allows: numbers that can be changed by a TOML file, ``--config``."""

from __future__ import annotations

import dataclasses
import difflib
import os
import pathlib
import tomllib
from typing import Any

from quintet.errors import UserError


@dataclasses.dataclass(frozen=True)
class Configuration:
    """Limits, with the numbers that suit one small machine."""

    # what people may ask for
    most_tables: int = 1_000
    most_connections: int = 1_000
    connections_a_table: int = 50
    nodes_a_table: int = 5_000  # moves in the tree of a round
    message_bytes: int = 16_384
    body_bytes: int = 262_144
    messages_a_second: float = 20.0  # of a connection
    messages_at_once: int = 60
    join_seconds: float = 10.0
    expire_hours: float = 24.0 * 14  # without use
    forget_seconds: float = 600.0  # without a connection: then only the disk knows a table
    # what players may use
    most_sims: int = 200_000  # a move
    most_seconds: float = 10.0  # a move
    most_depth: int = 6  # of players that know no clock
    most_nodes: int = 200_000  # of a tree in memory: 20 MB
    table_megabytes: int = 16  # of a transposition table
    most_engines: int = 8  # programs of others that run at once
    engine_seconds: float = 30.0  # that one of them may take for a move
    thinkers: int = max(1, (os.cpu_count() or 2) - 1)  # players that think at once
    analysts: int = 1  # analyses that think at once, in turns
    most_analyses: int = 20  # that are switched on
    waiting_players: int = 500  # more are told that the server is busy
    # analysis
    analysis_player: str = "uct:solve=yes"
    hint_player: str = "uct:sims=2000,solve=yes"
    analysis_seconds: float = 60.0
    slice_seconds: float = 0.25  # until an analysis tells what it found, and lets another think

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, int | float) and not value > 0:
                raise UserError(f"{field.name} = {value}; expected more than 0")


def read_configuration(path: pathlib.Path) -> Configuration:
    """The configuration in a TOML file; what it does not name stays as it is."""
    try:
        content = tomllib.loads(path.read_text())
    except OSError as error:
        raise UserError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{str(path)!r} is no TOML file: {error}") from error
    known = {field.name: getattr(Configuration, field.name) for field in _fields()}
    for name, value in content.items():
        _check(str(path), name, value, known)
    return Configuration(**{name: type(known[name])(value) for name, value in content.items()})


def _fields() -> tuple[Any, ...]:
    return dataclasses.fields(Configuration)


def _check(path: str, name: str, value: Any, known: dict[str, Any]) -> None:
    if name not in known:
        close = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(known)}"
        raise UserError(f"{path!r}: no setting {name!r}; {hint}")
    wanted = type(known[name])
    fits = type(value) is wanted or (wanted is float and type(value) is int)
    if not fits:
        words = {int: "a whole number", float: "a number", str: "a text"}
        raise UserError(f"{path!r}: {name} = {value!r}; expected {words[wanted]}")
