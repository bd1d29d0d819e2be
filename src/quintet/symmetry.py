"""The symmetries of a board, acting on its cells, on moves and on positions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.layout import Layout


class Symmetries(NamedTuple):
    """Row s tells where symmetry s takes each cell and each move; row 0 moves nothing."""

    cells: NDArray[np.int32]  # [symmetries, cells]
    moves: NDArray[np.int32]  # [symmetries, moves]


def symmetries(game: Any) -> Symmetries:
    """The symmetries that the rules of a game respect.

    Moves are taken to be cells, and moves beyond the cells (a pass) to stay; a
    game whose moves are not says so in ``moved(cells)``.
    """
    layout = game.layout()
    cell_rows = cell_symmetries(layout)
    moves = np.tile(np.arange(game.limits().moves, dtype=np.int32), (len(cell_rows), 1))
    for taken, row in zip(cell_rows, moves, strict=True):
        if hasattr(game, "moved"):
            row[:] = game.moved(taken)
        elif layout.kind == "columns":
            row[:] = taken[: layout.columns]
        else:
            row[: layout.cells] = taken
    return Symmetries(cell_rows, moves)


def cell_symmetries(layout: Layout) -> NDArray[np.int32]:
    """Where each symmetry takes each cell."""
    origin = np.arange(layout.cells, dtype=np.int32).reshape(layout.rows, layout.columns)
    views = [origin]
    if layout.symmetric != "none":
        views.append(origin[:, ::-1])
    if layout.symmetric == "all":
        views += [origin[::-1], origin[::-1, ::-1]]
        if layout.rows == layout.columns:
            views += [view.T for view in views]
    # a view shows, at each cell, which cell came there; we want the inverse
    return np.stack([np.argsort(view.ravel()).astype(np.int32) for view in views])


def transformed(game: Any, position: Any, symmetry: int) -> Any:
    """The position under a symmetry.

    Facts that hold a cell move along.
    What a position remembers of earlier boards (superko) starts anew.
    """
    layout = game.layout()
    taken = cell_symmetries(layout)[symmetry]
    content = np.zeros(len(taken), np.int8)
    rules.cells(game, position, content)
    moved = np.empty_like(content)
    moved[taken] = content
    result = np.zeros(1, position.dtype)[0]
    for fact in layout.facts:
        value = position[fact]
        if fact in layout.located and value >= 0:
            value = taken[value]
        result[fact] = value
    rules.set_up(game, result, moved)
    return result
