"""Names of moves and pictures of boards, for people, and back again."""

from __future__ import annotations

import functools
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.errors import UserError
from quintet.layout import Layout, Touch

EMPTY = "."
STONES = "XO#@%&"  # the stone of each seat
PASS = "pass"


def move_name(game: Any, move: int) -> str:
    """The name of a move in the habit of the game: d3, K10, pass."""
    own_name = game.move_name(move) if hasattr(game, "move_name") else None
    if own_name is not None:
        return str(own_name)
    layout: Layout = game.layout()
    return layout.cell_name(move) if move < layout.cells else PASS


def touch(game: Any, move: int) -> Touch:
    """How a move is made on a drawn board, as the game tells by ``touch`` or its layout."""
    own: Touch = game.touch(move) if hasattr(game, "touch") else game.layout().touch(move)
    return own


def parse_move(game: Any, text: str) -> int:
    """The number of a move from its name; capitals do not matter."""
    moves = _moves_by_name(game)
    try:
        return moves[text.strip().lower()]
    except KeyError:
        examples = ", ".join(move_name(game, move) for move in range(min(3, len(moves))))
        raise UserError(f"{text!r} is no move; expected one such as {examples}") from None


@functools.lru_cache(maxsize=32, typed=True)  # games of two classes may be equal tuples
def _moves_by_name(game: Any) -> dict[str, int]:
    return {move_name(game, move).lower(): move for move in range(game.limits().moves)}


def picture(game: Any, position: Any) -> str:
    """The board in text, with coordinates, and what does not show on it below.

    A game whose board is not one of stones draws it itself, by ``picture``.
    """
    if hasattr(game, "picture"):
        return str(game.picture(position))
    layout: Layout = game.layout()
    content = np.zeros(layout.cells, np.int8)
    rules.cells(game, position, content)
    width = len(str(layout.rows))
    header = " " * (width + 1) + " ".join(layout.column_name(c) for c in range(layout.columns))
    lines = [header]
    for row in range(layout.rows):
        owners = content[row * layout.columns : (row + 1) * layout.columns]
        stones = " ".join(STONES[owner - 1] if owner else EMPTY for owner in owners)
        lines.append(f"{layout.row_name(row):>{width}} {stones}")
    for fact in layout.facts:
        values = " ".join(str(value) for value in np.ravel(position[fact]))
        lines.append(f"{fact}: {values}")
    return "\n".join(lines)


def parse_picture(game: Any, text: str) -> Any:
    """The position that a picture shows."""
    layout: Layout = game.layout()
    lines = [line for line in text.splitlines() if line.strip()]
    board, facts = lines[1 : layout.rows + 1], lines[layout.rows + 1 :]
    if len(board) < layout.rows:
        raise UserError(f"the picture has {len(board)} rows; expected {layout.rows}")
    content = np.zeros(layout.cells, np.int8)
    for row, line in enumerate(board):
        content[row * layout.columns : (row + 1) * layout.columns] = _owners(game, line, row)
    problem = game.board_problem(content) if hasattr(game, "board_problem") else None
    if problem:
        raise UserError(problem)
    position = np.zeros(1, game.position_type())[0]
    _read_facts(game, position, facts)
    rules.set_up(game, position, content)
    return position


def _owners(game: Any, line: str, row: int) -> list[int]:
    layout: Layout = game.layout()
    stones = re.sub(r"^\s*\d+\s", "", line).split()
    symbols = EMPTY + STONES[: game.limits().seats]
    wrong = [stone for stone in stones if stone not in symbols or len(stone) != 1]
    if wrong:
        raise UserError(f"{wrong[0]!r} in row {layout.row_name(row)}; expected one of {symbols}")
    if len(stones) != layout.columns:
        found = f"row {layout.row_name(row)} has {len(stones)} cells"
        raise UserError(f"{found}; expected {layout.columns}")
    return [symbols.index(stone) for stone in stones]


def _read_facts(game: Any, position: Any, lines: list[str]) -> None:
    given = dict(line.split(":", 1) for line in lines if ":" in line)
    for fact in game.layout().facts:
        if fact not in given:
            raise UserError(f"the picture does not tell {fact!r}; expected a line '{fact}: ...'")
        wanted = np.ravel(position[fact])
        try:
            values = np.array(given[fact].split(), dtype=np.int64)
            if len(values) != len(wanted) or np.any(values.astype(wanted.dtype) != values):
                raise ValueError
        except (ValueError, OverflowError):
            expected = f"{len(wanted)} whole number(s)"
            raise UserError(f"{fact}: {given[fact].strip()!r}; expected {expected}") from None
        _check_fact(game, fact, values)
        position[fact] = values.reshape(np.shape(position[fact]))


def _check_fact(game: Any, fact: str, values: NDArray[np.int64]) -> None:
    """Refuse what compiled code would trust: it reads and writes by these numbers."""
    layout, limits = game.layout(), game.limits()
    least, most = 0, None
    if fact == "turn":
        most = limits.seats - 1
    elif fact == "ply":
        most = limits.plies
    elif fact in layout.located:
        least, most = -1, layout.cells - 1
    for value in values:
        if value < least or (most is not None and value > most):
            allowed = f"{least} to {most}" if most is not None else f"at least {least}"
            raise UserError(f"{fact}: {value}; expected {allowed}")
