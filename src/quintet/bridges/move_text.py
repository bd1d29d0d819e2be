"""Moves as people paste them: f5d6c3 of Othello, 4453 of Connect Four, h8i9 of Go-Moku.

A line is a game.  Blanks, commas and numbers of moves (``1. K10 L9``) may stand between
the moves; forced passes may be left out.  The letters of Go-Moku keep the I, as on the
web and at Gomocup, those of Go and Pente leave it out.  In the other format, `names`, all
moves have the names that Quintet itself prints, with blanks between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from quintet import games, notation
from quintet.bridges import coordinates
from quintet.bridges.coordinates import Convention, shortened
from quintet.bridges.game_tree import GameTree, pass_of, tree_of, with_forced_passes
from quintet.bridges.sgf_game import number_of
from quintet.bridges.sgf_text import Text
from quintet.errors import UserError

_MOST_LINES = 100_000
_MOVE_NUMBER = re.compile(r"\b\d{1,4}\.+(?!\d)")
_PASSES = ("pass", "pa", "ps", "--")


def read(data: bytes, game: Any = None, trust: bool = False) -> list[GameTree]:
    """The games of a pasted text."""
    return _read(data, _known(game), _pasted)


def read_names(data: bytes, game: Any = None, trust: bool = False) -> list[GameTree]:
    """The games of a text with Quintet's names of moves."""
    return _read(data, _known(game), _named)


def _known(game: Any) -> Any:
    if game is None:
        raise UserError("a text of moves does not tell its game; expected --game")
    return game


def _read(data: bytes, game: Any, moves_of: Callable[[Any, str], list[int]]) -> list[GameTree]:
    found = []
    for number, line in enumerate(Text(data).text.split("\n", _MOST_LINES), 1):
        if line.strip():
            try:
                moves = list(with_forced_passes(game, moves_of(game, line)))
            except UserError as error:
                raise UserError(f"line {number}: {error}") from None
            found.append(tree_of(game, moves))
    if not found:
        raise UserError("line 1: no moves; expected some, a line for each game")
    return found


def _named(game: Any, line: str) -> list[int]:
    return [notation.parse_move(game, word) for word in re.split(r"[\s,]+", line) if word]


def _pasted(game: Any, line: str) -> list[int]:
    convention = _convention(game)
    if convention is None:
        return _named(game, line)
    # digits without a dot, as all of Connect Four's moves are, number nothing
    words = re.split(r"[\s,;]+", _MOVE_NUMBER.sub(" ", line))
    pieces = [piece for word in words for piece in _pieces(convention, word) if piece]
    return [_move(game, convention, piece) for piece in pieces]


def _pieces(convention: Convention, word: str) -> list[str]:
    if word.lower() in _PASSES:
        return [word]
    if convention == coordinates.CONNECT_FOUR:
        return list(word)
    return re.findall(r"(?i:pass|pa|ps|--)(?![0-9])|[A-Za-z][0-9]*|.", word)


def _move(game: Any, convention: Convention, piece: str) -> int:
    if piece.lower() in _PASSES:
        passing = pass_of(game)
        if passing is None:
            raise UserError(f"{shortened(piece)} is a pass, which this game has not")
        return passing
    return convention.read(game.layout(), piece)


def _convention(game: Any) -> Convention | None:
    """How people write the cells of this game; None if they do as we do."""
    family = getattr(game, "family", type(game)).__name__
    if family == "Othello":
        return coordinates.OTHELLO
    if family in ("Go", "Pente"):
        return coordinates.GO
    if number_of(game) == 4:
        return coordinates.RENJU
    if family == "KInARow" and game.gravity and game.columns <= 9:
        return coordinates.CONNECT_FOUR
    return None


def write(trees: list[GameTree]) -> bytes:
    """Games as people paste them."""
    return _written(trees, _pasted_text)


def write_names(trees: list[GameTree]) -> bytes:
    """Games with Quintet's names of moves."""
    return _written(trees, _named_text)


def _written(trees: list[GameTree], text_of: Callable[[Any, list[int]], str]) -> bytes:
    lines = []
    for tree in trees:
        if any(tree.nodes[number].setup is not None for number in tree.main_line()):
            raise UserError("a text of moves cannot tell that the board was set up")
        if not tree.moves():
            raise UserError(f"a game of {games.text_of(tree.game)} without moves; expected some")
        lines.append(text_of(tree.game, tree.moves()))
    return "".join(line + "\n" for line in lines).encode()


def _named_text(game: Any, moves: list[int]) -> str:
    return " ".join(notation.move_name(game, move) for move in moves)


def _pasted_text(game: Any, moves: list[int]) -> str:
    convention = _convention(game)
    if convention is None:
        return _named_text(game, moves)
    is_othello = convention == coordinates.OTHELLO
    passing, layout = pass_of(game), game.layout()
    names = [
        "pass" if move == passing else convention.write(layout, move)
        for move in moves
        if not (is_othello and move == passing)
    ]
    return (" " if convention == coordinates.GO else "").join(names)
