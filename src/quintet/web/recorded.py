"""Recorded games: in files of the folder of runs, and in texts that a page gives or takes.

Every format is a reader and a writer here, by its name; a page asks by that name.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import pathlib
from collections.abc import Callable
from typing import Any, NamedTuple

from quintet import games
from quintet.arena.records import FORMAT, Reader, Record
from quintet.errors import UserError
from quintet.runs.trained import runs_folder
from quintet.web.allowed import inside
from quintet.web.answers import (
    FromFile,
    FromText,
    RecordedGame,
    RecordedGames,
    RecordFile,
)
from quintet.web.messages import SeatWanted
from quintet.web.problems import Refused
from quintet.web.tables import Table

_MOST_FILES = 1_000
_ENDING = ".jsonl"


class Recorded(NamedTuple):
    """A game to put on a table."""

    game: str
    seats: list[SeatWanted]  # none: people
    moves: list[int]


# --- files in the folder of runs ----------------------------------------------


def record_files() -> list[RecordFile]:
    """The files that begin like a record."""
    root = runs_folder().resolve()
    found = []
    for file in itertools.islice(_files(root), _MOST_FILES):
        with file.open("rb") as content:
            if content.read(11) == b'{"quintet":':
                size, name = file.stat().st_size, file.relative_to(root).as_posix()
                found.append(RecordFile(file=name, bytes=size))
    return found


def _files(root: pathlib.Path) -> Any:
    """Plain files; links are not followed."""
    for folder, names, files in os.walk(root):
        names.sort()
        for name in sorted(files):
            file = pathlib.Path(folder, name)
            if name.endswith(_ENDING) and file.is_file() and not file.is_symlink():
                yield file


def games_of(file: str, first: int, count: int) -> RecordedGames:
    """Some games of a file, each checked by the rules."""
    reader = _reader(file)
    records = list(itertools.islice(reader, first, first + count + 1))
    shown = [_shown(first + number, record) for number, record in enumerate(records[:count])]
    more = len(records) > count
    return RecordedGames(file=file, first=first, games=shown, more=more, note=reader.note)


def _shown(number: int, record: Record) -> RecordedGame:
    return RecordedGame(
        number=number,
        game=record.header.game,
        players=[record.header.players[player] for player in record.seats],
        plies=len(record.moves),
        scores=record.scores,
    )


def _reader(file: str) -> Reader:
    path = inside(runs_folder(), file)
    if path.suffix != _ENDING or not path.is_file():
        raise Refused("unknown", f"no file {file!r} of recorded games in the folder of runs")
    return Reader(str(path))


def game_in_file(wanted: FromFile) -> Recorded:
    """A game of a file."""
    return _nth(_reader(wanted.file), wanted.number, wanted.file)


def _nth(reader: Reader, number: int, name: str) -> Recorded:
    record = next(itertools.islice(reader, number, None), None)
    if record is None:
        raise Refused("unknown", f"{name} has no game {number}")
    seats = [
        SeatWanted(kind="here", name=record.header.players[player][:40]) for player in record.seats
    ]
    return Recorded(record.header.game, seats, record.moves)


# --- texts --------------------------------------------------------------------


def game_in_text(wanted: FromText) -> Recorded:
    """A game of a text."""
    return READERS[wanted.format](wanted)


def _from_record(wanted: FromText) -> Recorded:
    content = wanted.content.rstrip() + "\n"  # what was pasted may lack the end of its line
    reader = Reader("the record", unfinished=True, content=io.BytesIO(content.encode()))
    return _nth(reader, wanted.number, "the record")


def _no_sgf(_: Any) -> Any:
    # its place: the reader and writer of SGF go into the two dictionaries below
    raise Refused("refused", "format 'sgf' is not known yet; expected 'record'")


READERS: dict[str, Callable[[FromText], Recorded]] = {"record": _from_record, "sgf": _no_sgf}


def text_of_table(table: Table, format: str) -> str:
    """The line of moves to where a table is, in a format."""
    if table.tree.picture is not None:
        raise UserError("the game began with a set-up position, which a record cannot hold")
    return WRITERS[format](table)


def _to_record(table: Table) -> str:
    """A record of one game; without scores if the rules do not know its end."""
    position = table.shown(table.node)
    by_rules = position.over and table.resigned(table.node) is None
    header = {
        "quintet": FORMAT,
        "game": games.text_of(table.game),
        "version": int(table.game.limits().version),
        "players": table.names(),
        "seed": 0,
    }
    line = {
        "number": 0,
        "seats": list(range(len(table.seats))),
        "opening": 0,
        "moves": table.tree.moves(table.node),
        "scores": position.scores if by_rules else [],
    }
    return "".join(json.dumps(part, separators=(",", ":")) + "\n" for part in (header, line))


WRITERS: dict[str, Callable[[Table], str]] = {"record": _to_record, "sgf": _no_sgf}
