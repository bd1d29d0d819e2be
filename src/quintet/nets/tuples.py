"""Sets of cells for a network to look at, as data, from the layout of a board alone.

A **tuple** is a list of cells; its order decides the index into its table.  Shapes are
named by text, joined by ``+``:

- ``lines(n)``: every straight line from edge to edge of at least n cells;
- ``windows(n)``: every straight piece of n cells;
- ``turned(n)``: on a board whose quadrants turn, where the cells of such a line may lie
  before a quadrant makes a quarter turn: what shows a line one move before;
- ``quadrants``: the four quarters of the board;
- ``rectangles(RxC)``: every rectangle of R rows and C columns;
- ``corners(RxC)``: those of them that hold a corner;
- ``edges``: the edges of the board, each with the two cells diagonally inside its corners;
- ``queens``: every cell with those that a queen of chess on it attacks;
- ``squares(n)``: every square of at least n cells on a side;
- ``board``: all cells;
- ``walks(KxN)``: K random walks over N neighbouring cells, always the same ones.

What a symmetry of the board maps onto one another shares one table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.errors import UserError
from quintet.layout import Layout
from quintet.parameters import ByText, split_outside
from quintet.symmetry import cell_symmetries

Tuple = tuple[int, ...]  # of cells

MOST_ENTRIES = 1 << 24  # of all tables together
_DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]
_WALKS_SEED = 1


class Orbit(NamedTuple):
    """Tuples that share a table, as symmetries map them onto one another."""

    tuples: list[Tuple]

    @property
    def length(self) -> int:
        """How many cells each has."""
        return len(self.tuples[0])


def orbits(layout: Layout, text: str) -> list[Orbit]:
    """The tuples that a text names, with their images under the symmetries of the board."""
    symmetries = cell_symmetries(layout)
    seen: set[frozenset[int]] = set()
    found = []
    for cells in named_tuples(layout, text):
        if frozenset(cells) not in seen:
            images = {tuple(int(cell) for cell in taken[list(cells)]) for taken in symmetries}
            seen.update(map(frozenset, images))
            found.append(Orbit(sorted(images)))
    return found


def named_tuples(layout: Layout, text: str) -> list[Tuple]:
    """The tuples that a text names, each set of cells at least once."""
    found: list[Tuple] = []
    for word in split_outside(text, "+"):
        make, numbers = _understood(word)
        found += make(layout, *numbers)
    return found


def lines(layout: Layout, least: int) -> list[Tuple]:
    """Straight lines from edge to edge."""
    return [line for line in _whole_lines(layout) if len(line) >= least]


def windows(layout: Layout, length: int) -> list[Tuple]:
    """Straight pieces of this length."""
    return [
        line[first : first + length]
        for line in _whole_lines(layout)
        for first in range(len(line) - length + 1)
    ]


def turned(layout: Layout, least: int) -> list[Tuple]:
    """Lines through several quadrants, as they lie before one of these makes a quarter turn."""
    if layout.kind != "quadrants":
        raise UserError("tuples of turned lines are for boards in quadrants")
    board = np.arange(layout.cells).reshape(layout.rows, layout.columns)
    found = []
    for quadrant in _quadrant_views(board):
        for turns in (1, 3):
            before = board.copy()
            _same_view(before, board, quadrant)[:] = np.rot90(quadrant, turns)
            moved = {int(now): int(was) for now, was in zip(board.flat, before.flat, strict=True)}
            inside = set(quadrant.ravel().tolist())
            found += [
                tuple(moved[cell] for cell in line)
                for line in lines(layout, least)
                if inside & set(line)
            ]
    return found


def quadrants(layout: Layout) -> list[Tuple]:
    """The four quarters of the board."""
    board = np.arange(layout.cells).reshape(layout.rows, layout.columns)
    return [tuple(int(cell) for cell in view.flat) for view in _quadrant_views(board)]


def rectangles(layout: Layout, rows: int, columns: int) -> list[Tuple]:
    """Every rectangle of this shape, upright as well if the board's symmetries turn it."""
    board = np.arange(layout.cells).reshape(layout.rows, layout.columns)
    return [
        tuple(int(cell) for cell in board[row : row + rows, column : column + columns].flat)
        for row in range(layout.rows - rows + 1)
        for column in range(layout.columns - columns + 1)
    ]


def corners(layout: Layout, rows: int, columns: int) -> list[Tuple]:
    """Every rectangle of this shape that holds a corner of the board."""
    ends = {0, layout.columns - 1, layout.cells - layout.columns, layout.cells - 1}
    return [cells for cells in rectangles(layout, rows, columns) if ends & set(cells)]


def edges(layout: Layout) -> list[Tuple]:
    """The edges, each with the cells diagonally inside its corners."""
    board = np.arange(layout.cells).reshape(layout.rows, layout.columns)
    found = []
    for view in (board, board[::-1], board.T, board.T[::-1]):
        if view.shape[0] > 1 and view.shape[1] > 3:  # else they are not two
            found.append((*map(int, view[0]), int(view[1, 1]), int(view[1, -2])))
    return found


def queens(layout: Layout) -> list[Tuple]:
    """Every cell with the row, the column and the diagonals through it (001.2)."""
    through: list[set[int]] = [{cell} for cell in range(layout.cells)]
    for line in _whole_lines(layout):
        for cell in line:
            through[cell].update(line)
    return [tuple(sorted(cells)) for cells in through]


def squares(layout: Layout, least: int) -> list[Tuple]:
    """Every square of at least so many cells on a side (001.2)."""
    return [
        cells
        for side in range(least, min(layout.rows, layout.columns) + 1)
        for cells in rectangles(layout, side, side)
    ]


def whole_board(layout: Layout) -> list[Tuple]:
    """All cells."""
    return [tuple(range(layout.cells))]


def walks(layout: Layout, count: int, length: int) -> list[Tuple]:
    """Random walks to neighbouring cells, diagonally too, that visit `length` cells."""
    chance = np.random.default_rng(_WALKS_SEED)
    return [_walk(layout, length, chance) for _ in range(count)]


def _walk(layout: Layout, length: int, chance: np.random.Generator) -> Tuple:
    visited = {int(chance.integers(layout.cells)): None}
    place = next(iter(visited))
    while len(visited) < min(length, layout.cells):
        row, column = divmod(place, layout.columns)
        near = [
            (row + down) * layout.columns + column + right
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if 0 <= row + down < layout.rows and 0 <= column + right < layout.columns
        ]
        place = near[chance.integers(len(near))]
        visited[place] = None
    return tuple(sorted(visited))


def _whole_lines(layout: Layout) -> Iterator[Tuple]:
    for down, right in _DIRECTIONS:
        for row in range(layout.rows):
            for column in range(layout.columns):
                if not _on_board(layout, row - down, column - right):
                    yield tuple(_ray(layout, row, column, down, right))


def _ray(layout: Layout, row: int, column: int, down: int, right: int) -> Iterator[int]:
    while _on_board(layout, row, column):
        yield row * layout.columns + column
        row, column = row + down, column + right


def _on_board(layout: Layout, row: int, column: int) -> bool:
    return 0 <= row < layout.rows and 0 <= column < layout.columns


def _quadrant_views(board: NDArray[Any]) -> list[NDArray[Any]]:
    rows, columns = board.shape[0] // 2, board.shape[1] // 2
    return [
        board[top : top + rows, left : left + columns]
        for top in (0, board.shape[0] - rows)
        for left in (0, board.shape[1] - columns)
    ]


def _same_view(other: NDArray[Any], board: NDArray[Any], view: NDArray[Any]) -> NDArray[Any]:
    """The part of another board that lies as this view does."""
    top, left = np.argwhere(board == view[0, 0])[0]
    return other[top : top + view.shape[0], left : left + view.shape[1]]


_SHAPES: dict[str, tuple[Callable[..., list[Tuple]], int]] = {  # with how many numbers
    "lines": (lines, 1),
    "windows": (windows, 1),
    "turned": (turned, 1),
    "quadrants": (quadrants, 0),
    "rectangles": (rectangles, 2),
    "corners": (corners, 2),
    "edges": (edges, 0),
    "queens": (queens, 0),
    "squares": (squares, 1),
    "board": (whole_board, 0),
    "walks": (walks, 2),
}
EXPECTED = "shapes such as lines(5)+quadrants: " + ", ".join(_SHAPES)


def _understood(word: str) -> tuple[Callable[..., list[Tuple]], list[int]]:
    match = re.fullmatch(r"(\w+?)(?:\((\d+(?:x\d+)*)\))?", word)
    if match is None or match[1] not in _SHAPES:
        raise UserError(f"{word!r} names no tuples; expected {EXPECTED}")
    make, wanted = _SHAPES[match[1]]
    numbers = [int(number) for number in match[2].split("x")] if match[2] else []
    if len(numbers) != wanted or 0 in numbers:
        form = "(" + "x".join(["n"] * wanted) + ")" if wanted else ""
        raise UserError(f"{word!r} names no tuples; expected {match[1]}{form}")
    return make, numbers


def _checked(text: str, game: Any) -> str:
    for word in split_outside(text, "+"):
        _understood(word)
    return text


# a parameter that names tuples: it keeps the text
TUPLES = ByText(_checked, str, lambda: EXPECTED)
