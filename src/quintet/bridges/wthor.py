"""WTHOR, the French federation's archive of Othello: binary files .wtb.

A header of 16 bytes: the century, year, month and day of its making, the number of
games (4 bytes), 0 (2 bytes), the year of the games (2 bytes), the size of the board
(0 means 8), the kind (0), the depth of the theoretical scores, 0.  Then 68 bytes a
game: the numbers of tournament, Black and White (2 bytes each), Black's discs with
the empty cells given to the winner, the theoretical score, and 60 moves, each ten
times the row and the column; passes are left out, and zeros fill the rest.  Numbers
are little-endian (ledpup.blogspot.com/2012/03, after the federation's description).

The names of players are in other files; here their numbers are kept as
WTHOR[tournament:black:white:theoretical].
"""

from __future__ import annotations

import datetime
import re
import struct
from typing import Any

import numpy as np

from quintet import games
from quintet.bridges.coordinates import WTHOR
from quintet.bridges.game_tree import (
    GameTree,
    Result,
    content_of,
    last_position,
    pass_of,
    tree_of,
    with_forced_passes,
)
from quintet.errors import UserError

_HEADER = struct.Struct("<4BIHH4B")
_GAME = struct.Struct("<HHHBB60s")
_MOST_GAMES = 100_000
_CELLS = 64


def read(data: bytes, game: Any = None, trust: bool = False) -> list[GameTree]:
    """The games of a file."""
    if len(data) < _HEADER.size:
        raise UserError(f"byte {len(data)}: the file ends; expected a header of 16 bytes")
    _, _, _, _, count, _, year, size, _, _, _ = _HEADER.unpack_from(data)
    if size not in (0, 8):
        raise UserError(f"byte 12: a board of size {size}; expected 0 or 8, which is 8 x 8")
    expected = _HEADER.size + count * _GAME.size
    if count > _MOST_GAMES or len(data) != expected:
        told = f"byte 4: {count} games need {expected} bytes, the file has {len(data)}"
        raise UserError(f"{told}; expected these to agree")
    game = game or games.make("othello")
    if type(game).__name__ != "Othello" or game.layout().cells != _CELLS:
        raise UserError(f"WTHOR is for Othello on 8 x 8; not for {games.text_of(game)}")
    return [_read_game(data, _HEADER.size + n * _GAME.size, game, year) for n in range(count)]


def _read_game(data: bytes, offset: int, game: Any, year: int) -> GameTree:
    tournament, black, white, score, theoretical, codes = _GAME.unpack_from(data, offset)
    played = codes.rstrip(b"\0")
    moves: list[int] = []
    try:
        if score > _CELLS:
            raise UserError(f"{score} discs of Black; expected 0 to {_CELLS}")
        cells = (WTHOR.read(game.layout(), str(code)) for code in played)
        for move in with_forced_passes(game, cells):
            moves.append(move)
    except UserError as error:
        raise UserError(f"byte {offset}, after {len(moves)} moves: {error}") from None
    tree = tree_of(game, moves)
    tree.result = Result((float(score), float(_CELLS - score)))
    tree.nodes[0].other["WTHOR"] = [f"{tournament}:{black}:{white}:{theoretical}"]
    if year:
        tree.nodes[0].other["DT"] = [str(year)]
    return tree


def write(trees: list[GameTree], made: datetime.date | None = None) -> bytes:
    """Games of one year; `made` is the date of the file, today unless told."""
    made = made or datetime.date.today()
    century, year = divmod(made.year, 100)
    years = [re.match(r"\d{4}", "".join(tree.nodes[0].other.get("DT", []))) for tree in trees]
    played = next((int(found[0]) for found in years if found), made.year)
    header = _HEADER.pack(
        century, year, made.month, made.day, len(trees), 0, min(played, 65535), 8, 0, 0, 0
    )
    return header + b"".join(_written(tree) for tree in trees)


def _written(tree: GameTree) -> bytes:
    game = tree.game
    if type(game).__name__ != "Othello" or game.layout().cells != _CELLS:
        raise UserError(f"WTHOR is for Othello on 8 x 8; not for {games.text_of(game)}")
    if any(tree.nodes[number].setup is not None for number in tree.main_line()):
        raise UserError("WTHOR is for games from the usual start")
    moves = [move for move in tree.moves() if move != pass_of(game)]
    codes = bytes(int(WTHOR.write(game.layout(), move)) for move in moves)
    return _GAME.pack(*_numbers(tree), codes)


def _numbers(tree: GameTree) -> tuple[int, int, int, int, int]:
    """Tournament, players, score and theoretical score."""
    score = _score(tree)
    kept = "".join(tree.nodes[0].other.get("WTHOR", []))
    if re.fullmatch(r"(\d{1,4}:){3}\d{1,2}", kept, re.ASCII):
        tournament, black, white, theoretical = (int(part) for part in kept.split(":"))
        return tournament, black, white, score, theoretical
    return 0, 0, 0, score, score


def _score(tree: GameTree) -> int:
    """Black's discs, with the empty cells given to the winner."""
    told = tree.result.scores if tree.result is not None else ()
    if sum(told) == _CELLS:
        return int(told[0])
    content = content_of(tree.game, last_position(tree))
    black, white = int(np.sum(content == 1)), int(np.sum(content == 2))
    empty = _CELLS - black - white
    share = empty if black > white else 0 if black < white else empty // 2
    return black + share
