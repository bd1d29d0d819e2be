"""Games on disk: a line of JSON for each, as docs/guide/records.md tells.

A line that begins a match tells the game, its version, the players and the seed;
each line after it is one game.  A file that was cut off, by a full disk or a killed
process, is read up to its last whole line.  Whatever else is wrong with a file is
told with the number of the line; no move is believed before the rules allowed it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from quintet import games, rules
from quintet.arena.games import Outcome, Plan, is_legal
from quintet.compiled import jit
from quintet.errors import UserError
from quintet.notation import move_name
from quintet.rules import Moves, Positions

FORMAT = 1
_LONGEST_LINE = 1 << 20  # bytes: a wrong file should not fill the memory
_HEADER = {"quintet", "game", "version", "players", "seed"}
_GAME = {"number", "seats", "opening", "moves", "scores"}


class Header(NamedTuple):
    """What the games of a match have in common."""

    game: str  # its text
    version: int  # of its rules
    players: list[str]
    seed: int


class Record(NamedTuple):
    """One game."""

    header: Header
    number: int  # in its match: seed and number repeat the game
    seats: list[int]  # for each seat, which of the players had it
    opening: int  # how many of the moves were random
    moves: list[int]
    scores: list[float]  # none, where a game that was not finished is allowed


# --- writing ------------------------------------------------------------------


class Recorder:
    """Writes games to a file, each as soon as it is finished."""

    def __init__(self, path: str, game: Any, players: Sequence[str], seed: int) -> None:
        """Begin a match at the end of the file, which is made if there is none."""
        header = Header(games.text_of(game), int(game.limits().version), list(players), seed)
        try:
            self._file = _opened(path)
            self._write({"quintet": FORMAT, **header._asdict()})
            self._file.flush()
        except OSError as error:
            raise UserError(f"{path!r} cannot be written: {error.strerror}") from error

    def write(self, members: Sequence[int], plan: Plan, outcome: Outcome) -> None:
        """Add games; `members[i]` is the i-th player at the table."""
        for row, number in enumerate(plan.numbers.tolist()):
            seats = [members[entrant] for entrant in plan.orders[row].tolist()]
            moves = outcome.moves[row, : outcome.lengths[row]].tolist()
            scores = outcome.scores[row].tolist()
            opening = min(plan.opening, len(moves))
            self._write(Record._make([None, number, seats, opening, moves, scores])._asdict())
        self._file.flush()

    def close(self) -> None:
        """No more games."""
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        line.pop("header", None)
        self._file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")


def _opened(path: str) -> BinaryIO:
    """A file to write on, without the rest of a line that was cut off."""
    with contextlib.suppress(FileExistsError):
        return open(path, "xb")
    with open(path, "rb") as old:
        first = old.readline(_LONGEST_LINE)
    if first and b'{"quintet":' not in first[:12]:
        raise UserError(f"{path!r} is no record of games, and is left as it is")
    file = open(path, "r+b")  # noqa: SIM115 - the recorder closes it
    file.seek(_end_of_last_line(path))
    file.truncate()
    return file


def _end_of_last_line(path: str) -> int:
    with open(path, "rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end > 0:
            begin = max(0, end - 65536)
            file.seek(begin)
            found = file.read(end - begin).rfind(b"\n")
            if found >= 0:
                return begin + found + 1
            end = begin
    return 0


# --- reading ------------------------------------------------------------------


class Reader:
    """The games of a file, each checked against the rules."""

    def __init__(
        self,
        path: str,
        trust: games.Trust = False,
        unfinished: bool = False,
        content: BinaryIO | None = None,
    ) -> None:
        """A record may name a Python file as its game: that is run only if trusted.

        Games without scores, which were not finished, are refused unless wanted.  With
        `content` nothing is opened, and the path is only a name.
        """
        self.path = path
        self.trust = trust
        self._unfinished, self._content = unfinished, content
        self.note: str | None = None  # what was left out, once all is read
        self._table: _Table | None = None

    def __iter__(self) -> Iterator[Record]:
        """Read on; raises UserError at the first line that is wrong."""
        try:
            with self._content or open(self.path, "rb") as file:
                yield from self._records(file)
        except OSError as error:
            raise UserError(f"{self.path!r} cannot be read: {error.strerror}") from error

    def _records(self, file: Any) -> Iterator[Record]:
        header: Header | None = None
        number = 0
        while line := file.readline(_LONGEST_LINE + 1):
            number += 1
            if len(line) > _LONGEST_LINE:
                raise self._wrong(number, f"longer than {_LONGEST_LINE} bytes")
            if not line.endswith(b"\n"):
                self.note = f"line {number} was cut off, and is left out"
                return
            try:
                found = _parsed(line)
                if "quintet" in found:
                    header = _header(found)
                    self._table = _Table(_game(header, self.trust))
                elif header is None or self._table is None:
                    raise UserError("a game before the line that begins a match")
                else:
                    read = _record(found, header, self._table.game, self._unfinished)
                    yield self._table.checked(read)
            except UserError as error:
                raise self._wrong(number, str(error)) from None
        if number == 0:
            raise UserError(f"{self.path!r} is empty; expected a record of games")

    def _wrong(self, number: int, what: str) -> UserError:
        return UserError(f"{self.path!r}, line {number}: {what}")


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise UserError("no JSON; expected a record of games") from None
    if not isinstance(found, dict):
        raise UserError(f"{_short(found)}; expected an object")
    return found


def _header(found: dict[str, Any]) -> Header:
    if found["quintet"] != FORMAT:
        raise UserError(f"format {_short(found['quintet'])}; expected {FORMAT}")
    _expect_keys(found, _HEADER)
    _expect(isinstance(found["game"], str), "game", found["game"], "a text")
    _expect(_is_whole(found["version"]), "version", found["version"], "a whole number")
    _expect(_is_whole(found["seed"]), "seed", found["seed"], "a whole number")
    players = found["players"]
    is_list = isinstance(players, list) and all(isinstance(p, str) for p in players)
    _expect(is_list and len(players) > 0, "players", players, "a list of texts")
    return Header(found["game"], found["version"], players, found["seed"])


def _game(header: Header, trust: games.Trust) -> Any:
    game = games.make_as_told(header.game, trust)
    if game.limits().version != header.version:
        told = f"{header.game} by version {header.version} of its rules"
        raise UserError(f"{told}; expected {game.limits().version}")
    return game


def _record(found: dict[str, Any], header: Header, game: Any, unfinished: bool) -> Record:
    _expect_keys(found, _GAME)
    limits = game.limits()
    seats, moves, scores = found["seats"], found["moves"], found["scores"]
    players = len(header.players)
    _expect(_is_whole(found["number"]), "number", found["number"], "a whole number")
    fine = _are_whole(seats, players - 1) and len(seats) == limits.seats
    _expect(fine, "seats", seats, f"{limits.seats} numbers from 0 to {players - 1}")
    _expect(_are_whole(moves, None), "moves", moves, "a list of whole numbers")
    _expect(len(moves) <= limits.plies, "moves", len(moves), f"at most {limits.plies}")
    opening = found["opening"]
    fine = _is_whole(opening) and opening <= len(moves)
    _expect(fine, "opening", opening, f"0 to {len(moves)}")
    lengths = {limits.seats, 0} if unfinished else {limits.seats}
    fine = isinstance(scores, list) and len(scores) in lengths
    fine = fine and all(type(score) in (int, float) for score in scores)
    _expect(fine, "scores", scores, f"{limits.seats} numbers")
    return Record(header, found["number"], seats, opening, moves, scores)


class _Table:
    """Replays games of one kind."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self._positions = rules.new_positions(game, 2)
        self._legal = rules.move_buffer(game)

    def checked(self, record: Record) -> Record:
        """The record, if the rules allow it."""
        game, count = self.game, game_moves(self.game)
        large = next((ply for ply, move in enumerate(record.moves) if move >= count), None)
        if large is not None:
            raise UserError(_illegal(record, large, f"number {record.moves[large]}"))
        self._positions[1] = self._positions[0]
        moves = np.array(record.moves, np.int32)
        done = int(replayed(game, self._positions, self._legal, moves))
        if done < len(moves):
            raise UserError(_illegal(record, done, move_name(game, record.moves[done])))
        if not record.scores:  # not finished, and allowed to be so
            return record
        if not rules.is_over(game, self._positions[1]):
            raise UserError(f"the game is not over after its {done} moves")
        scores = rules.list_scores(game, self._positions[1])
        _expect(scores == record.scores, "scores", record.scores, f"{scores}")
        return record._replace(scores=scores)


def game_moves(game: Any) -> int:
    """How many numbers of moves there are."""
    return int(game.limits().moves)


@jit
def replayed(game: Any, positions: Positions, legal: Moves, moves: Moves) -> int:
    """Play moves in positions[1] as long as they are legal; returns how many were."""
    position = positions[1]
    for ply in range(moves.shape[0]):
        if not is_legal(game, position, legal, int(moves[ply])):
            return ply
        rules.play(game, position, int(moves[ply]))
    return moves.shape[0]


def _illegal(record: Record, ply: int, move: str) -> str:
    return f"game {record.number}: ply {ply + 1}, move {move}, is not legal"


def _expect_keys(found: dict[str, Any], wanted: set[str]) -> None:
    missing, strange = sorted(wanted - set(found)), sorted(set(found) - wanted)
    if missing or strange:
        what = f"no {missing[0]!r}" if missing else f"unknown {strange[0][:40]!r}"
        raise UserError(f"{what}; expected {', '.join(sorted(wanted))}")


def _expect(fine: bool, name: str, value: Any, expected: str) -> None:
    if not fine:
        raise UserError(f"{name} {_short(value)}; expected {expected}")


def _is_whole(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _are_whole(values: Any, highest: int | None) -> bool:
    if not isinstance(values, list) or not all(_is_whole(value) for value in values):
        return False
    return highest is None or all(value <= highest for value in values)


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except RecursionError:
        text = "something deep"
    return text if len(text) <= 60 else text[:57] + "..."
