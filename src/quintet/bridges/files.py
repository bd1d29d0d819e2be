"""Files of games: which format one has, and what is left out when it gets another."""

from __future__ import annotations

import codecs
import json
import os
import pathlib
import tempfile
from collections.abc import Callable
from typing import Any, NamedTuple

from quintet import games, rules
from quintet.arena.records import FORMAT, Reader
from quintet.bridges import ggf, move_text, psq, sgf, tree_json, wthor
from quintet.bridges.game_tree import GameTree, Result, last_position, tree_of
from quintet.errors import UserError
from quintet.runs.files import write_whole

LARGEST = 1 << 25  # bytes: a wrong file should not fill the memory


class Format(NamedTuple):
    """How files of a kind are read and written."""

    meaning: str
    suffix: str
    read: Callable[[bytes, Any, bool], list[GameTree]]
    write: Callable[[list[GameTree]], bytes]
    keeps: tuple[str, ...] = ()  # of variations, comments and analysis


def _read_record(data: bytes, game: Any, trust: bool) -> list[GameTree]:
    """Records are checked by their own reader, which wants a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "record")
        pathlib.Path(path).write_bytes(data)
        reader = Reader(path, trust)
        try:
            trees = [_tree_of_record(record) for record in reader]
            if reader.note or not trees:  # nothing is lost in silence
                raise UserError(reader.note or "no games; expected some after the first line")
            return trees
        except UserError as error:
            raise UserError(
                str(error).replace(f"{path!r}, ", "").replace(repr(path), "it")
            ) from None


def _tree_of_record(record: Any) -> GameTree:
    game = games.make(record.header.game)
    names = [record.header.players[player] for player in record.seats]
    tree = tree_of(game, record.moves, names)
    tree.result = Result(tuple(record.scores))
    return tree


def _write_record(trees: list[GameTree]) -> bytes:
    lines: list[dict[str, Any]] = []
    for number, tree in enumerate(trees):
        position = last_position(tree)
        if any(tree.nodes[n].setup is not None for n in tree.main_line()):
            raise UserError(f"game {number + 1} does not begin at the start; a record must")
        if not rules.is_over(tree.game, position):
            raise UserError(f"game {number + 1} is not over; a record has finished games only")
        seats = list(range(len(tree.players)))
        version = int(tree.game.limits().version)
        names = [name or f"player {seat + 1}" for seat, name in enumerate(tree.players)]
        header = {"quintet": FORMAT, "game": games.text_of(tree.game), "version": version}
        lines.append({**header, "players": names, "seed": 0})
        scores = rules.list_scores(tree.game, position)
        lines.append({"number": number, "seats": seats, "opening": 0, "moves": tree.moves(), "scores": scores})  # fmt: skip # noqa: E501
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)


_ALL = ("variations", "comments", "analysis")
FORMATS = {
    "sgf": Format("SGF FF[4], all games", ".sgf", sgf.read, sgf.write, _ALL),
    "json": Format("trees as JSON, all games", ".json", tree_json.read, tree_json.write, _ALL),
    "record": Format("quintet's records, all games", ".jsonl", _read_record, _write_record),
    "ggf": Format("GGF, Othello", ".ggf", ggf.read, ggf.write),
    "wthor": Format("WTHOR, Othello", ".wtb", wthor.read, wthor.write),
    "psq": Format("Piskvork, Go-Moku", ".psq", psq.read, psq.write),
    "compact": Format("moves as people paste them", ".txt", move_text.read, move_text.write),
    "names": Format(
        "quintet's names of moves", ".moves", move_text.read_names, move_text.write_names
    ),
}


def is_game_file(name: str) -> bool:
    """Does a name look like that of a file of games?"""
    return pathlib.Path(name).suffix.lower() in {kind.suffix for kind in FORMATS.values()}


def format_named(name: str | None, path: str, data: bytes | None = None) -> Format:
    """The format by its name, or else by the file's suffix, or by its content."""
    if name is not None:
        return FORMATS[name]
    suffix = pathlib.Path(path).suffix.lower()
    for kind in FORMATS.values():
        if kind.suffix == suffix:
            return kind
    found = None if data is None else _by_content(data)
    if found is None:
        known = ", ".join(kind.suffix for kind in FORMATS.values())
        raise UserError(f"{path!r} has no known format; expected one of {known}, or --from or --to")
    return FORMATS[found]


def _by_content(data: bytes) -> str | None:
    begin = b"".join(data[:2000].removeprefix(codecs.BOM_UTF8).split())
    signs = {
        b'{"quintet":': "record",
        b'{"quintet_games"': "json",
        b"Piskvorky": "psq",
        b"(;GM[Othello]": "ggf",
        b"(;": "sgf",
    }
    return next((name for sign, name in signs.items() if begin.startswith(sign)), None)


def read_bytes(path: str) -> bytes:
    """A file's content, unless it is too large."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UserError(f"{path!r} cannot be read: {error.strerror}") from error
    if len(data) > LARGEST:
        raise UserError(f"{path!r} is larger than {LARGEST >> 20} MiB")
    return data


def read_trees(data: bytes, path: str, kind: Format, game: Any, trust: bool) -> list[GameTree]:
    """The games of a file; whatever is wrong is told with its name."""
    try:
        return kind.read(data, game, trust)
    except UserError as error:
        raise UserError(f"{path!r}, {error}") from None


def write_trees(path: str, kind: Format, trees: list[GameTree]) -> None:
    """Write a file whole, or leave what was there."""
    data = kind.write(trees)
    try:
        write_whole(pathlib.Path(path), data)
    except OSError as error:
        raise UserError(f"{path!r} cannot be written: {error.strerror}") from error


def left_out(trees: list[GameTree], kind: Format) -> list[str]:
    """What the trees have and a format has no place for."""
    nodes = [node for tree in trees for node in tree.nodes]
    has = {
        "variations": any(len(tree.main_line()) < len(tree.nodes) for tree in trees),
        "comments": any(node.comment for node in nodes),
        "analysis": any(node.analysis is not None for node in nodes),
    }
    return [what for what, there in has.items() if there and what not in kind.keeps]
