"""Recorded games in files of the folder of runs."""

from __future__ import annotations

import itertools
import os
import pathlib
from typing import Any

from quintet.arena.records import Reader, Record
from quintet.games import Trust
from quintet.runs.trained import runs_folder
from quintet.web.allowed import inside
from quintet.web.answers import (
    FromFile,
    RecordedGame,
    RecordedGames,
    RecordFile,
)
from quintet.web.kept import Kept, kept_of_record, nth
from quintet.web.problems import Refused

_MOST_FILES = 1_000
_ENDING = ".jsonl"


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


def games_of(file: str, first: int, count: int, trust: Trust = False) -> RecordedGames:
    """Some games of a file, each checked by the rules."""
    reader = _reader(file, trust)
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


def _reader(file: str, trust: Trust) -> Reader:
    path = inside(runs_folder(), file)
    if path.suffix != _ENDING or not path.is_file():
        raise Refused("unknown", f"no file {file!r} of recorded games in the folder of runs")
    return Reader(str(path), trust)


def game_in_file(wanted: FromFile, trust: Trust = False) -> Kept:
    """A game of a file."""
    return kept_of_record(nth(_reader(wanted.file, trust), wanted.number, wanted.file))
