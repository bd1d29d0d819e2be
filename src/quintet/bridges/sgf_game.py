"""Which game an SGF file tells, by GM, SZ and KM, and how a game is told."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from typing import Any

from quintet import games
from quintet.bridges.sgf_text import escaped, unescaped
from quintet.errors import UserError
from quintet.parameters import parameters_of, value_text

_PLAYERS = {"Two": 2, "Three": 3, "Four": 4, "Five": 5, "Six": 6}
_NUMBERED = {1: ("go", 19), 2: ("othello", 8), 4: ("go-moku", 15)}  # with the usual size
_FIVE = 5

Properties = Mapping[str, list[str]]


def game_of(properties: Properties, trust: games.Trust) -> Any:
    """The game that the root of a file tells."""
    told = first(properties, "QUINTET")
    if told:
        return games.make_as_told(told, trust)
    return games.make(_standard_text(*_told(properties)))


def header_of(game: Any) -> dict[str, list[str]]:
    """The properties that tell a game."""
    return {name: [value] for name, value in _header_of(game).items()}


@functools.lru_cache(maxsize=64, typed=True)  # a file has many games of one kind
def _header_of(game: Any) -> dict[str, str]:
    layout, number = game.layout(), number_of(game)
    is_square = layout.rows == layout.columns
    size = f"{layout.rows}" if is_square else f"{layout.columns}:{layout.rows}"
    text = games.text_of(game)
    header = {"GM": str(number) if number else escaped(_title(game, text)), "SZ": size}
    if number == 1 and any(game.komi):
        header["KM"] = value_text(float(game.komi[1] - game.komi[0]))
    if _other_game(header, text):
        header["QUINTET"] = escaped(text)
    return header


def _other_game(header: Mapping[str, str], text: str) -> bool:
    """Do the properties of SGF alone tell another game, or none?"""
    try:
        standard = _standard_text(header["GM"], header["SZ"], header.get("KM", ""))
        return games.text_of(games.make(standard)) != text
    except UserError:
        return True


def number_of(game: Any) -> int | None:
    """The game's GM, if it has one."""
    name = getattr(game, "family", type(game)).__name__
    seats, layout = game.limits().seats, game.layout()
    if name == "Go" and seats == 2:
        return 1
    if name == "Othello":
        return 2
    is_five = name == "KInARow" and game.k == _FIVE and seats == 2 and not game.gravity
    return 4 if is_five and min(layout.rows, layout.columns) >= _FIVE else None


def _title(game: Any, text: str) -> str:
    """A game's name in words, with its players where they are more than two."""
    name = type(game).__name__ if ".py:" in text else text.partition(":")[0]
    seats = game.limits().seats
    many = next((word for word, count in _PLAYERS.items() if count == seats and seats > 2), "")
    return name.replace("-", " ").title() + (f" {many}-Player" if many else "")


def _told(properties: Properties) -> tuple[str, str, str]:
    return first(properties, "GM"), first(properties, "SZ"), first(properties, "KM")


@functools.lru_cache(maxsize=64)
def _standard_text(kind: str, size: str, komi: str) -> str:
    """The text of the game that GM, SZ and KM tell."""
    told = kind.strip() or "1"
    columns, rows = _size(size)
    if told.isdecimal():
        if not told.isascii() or int(told[:4]) not in _NUMBERED:
            expected = "1 (Go), 2 (Othello), 4 (Go-Moku) or a name"
            raise UserError(f"GM[{told[:20]}]; expected {expected}")
        name, usual = _NUMBERED[int(told[:4])]
        settings = _size_settings(name, columns or usual, rows or usual)
        if name == "go":
            settings.update(_komi(komi))
    else:
        words = re.fullmatch(r"(.*?)(?: (\w+)-Player)?", told, re.DOTALL)
        name = (words[1] if words else told).lower().replace(" ", "-")
        if name not in games.names():
            raise UserError(
                f"GM[{told[:40]}] is no game; expected one of {', '.join(games.names())}"
            )
        settings = _size_settings(name, columns, rows) if columns else {}
        if words and words[2]:
            if words[2] not in _PLAYERS:
                raise UserError(f"GM[{told[:40]}]; expected Two-Player to Six-Player")
            settings["players"] = str(_PLAYERS[words[2]])
    return name + ":" + ",".join(f"{key}={value}" for key, value in settings.items())


def _size(text: str) -> tuple[int, int]:
    """Columns and rows; zeros where nothing is said."""
    if not text.strip():
        return 0, 0
    found = re.fullmatch(r"\s*([0-9]{1,3})\s*(?::\s*([0-9]{1,3})\s*)?", text)
    if not found or "0" in (found[1], found[2]):
        raise UserError(f"SZ[{text[:20]}]; expected a size such as 9, or columns:rows")
    return int(found[1]), int(found[2] or found[1])


def _size_settings(name: str, columns: int, rows: int) -> dict[str, str]:
    known = {parameter.name for parameter in parameters_of(games.names()[name].load())}
    if {"rows", "columns"} <= known:
        return {"rows": str(rows), "columns": str(columns)}
    if columns != rows:
        raise UserError(f"SZ[{columns}:{rows}]; expected a square board")
    return {"size": str(rows)} if "size" in known else {}


def _komi(text: str) -> dict[str, str]:
    if not text.strip():
        return {}
    points = number(text)
    if points is None:
        raise UserError(f"KM[{text[:20]}]; expected a number")
    return {"komi": f"0/{value_text(points)}"} if points else {}


def number(text: str) -> float | None:
    """A finite number from its text, if it is one."""
    if not re.fullmatch(r"\s*[+-]?(\d{1,12}\.?\d{0,20}|\.\d{1,20})\s*", text, re.ASCII):
        return None
    found = float(text)
    return found if math.isfinite(found) else None


def first(properties: Properties, name: str) -> str:
    """The first value of a property, without escapes; empty if there is none."""
    return unescaped(next(iter(properties.get(name, [])), ""))
