"""How environments show a position: text, SVG, or an array of pixels for films."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintet.drawing import SEATS, cells_of, svg
from quintet.errors import UserError
from quintet.notation import picture

RENDER_MODES = ["human", "ansi", "rgb_array", "svg"]
_PIXELS = 24  # of a cell
_STONE = 10.0
_BOARD, _LINE = (220, 184, 120), (106, 78, 32)


def check_mode(mode: str | None) -> None:
    """Refuse what is no render mode."""
    if mode not in (None, *RENDER_MODES):
        raise UserError(f"render_mode={mode!r}; expected one of {', '.join(RENDER_MODES)}")


def rendered(game: Any, position: Any, mode: str | None) -> Any:
    """A position in a render mode; None for "human", which prints."""
    if mode == "rgb_array":
        return pixels(game, position)
    if mode == "svg":
        return svg(game, position)
    if mode == "human":
        print(picture(game, position), flush=True)
    return picture(game, position) if mode == "ansi" else None


def pixels(game: Any, position: Any) -> NDArray[np.uint8]:
    """The board, [height, width, 3]: a grid through the cells, and the stones on it."""
    layout = game.layout()
    board = np.empty((layout.rows * _PIXELS, layout.columns * _PIXELS, 3), np.uint8)
    board[:] = _BOARD
    middle = _PIXELS // 2
    board[middle::_PIXELS] = _LINE
    board[:, middle::_PIXELS] = _LINE
    stones = [_stone(seat) for seat in range(len(SEATS))]
    for cell, owner in enumerate(cells_of(game, position)):
        if owner:
            row, column = divmod(cell, layout.columns)
            top, left = row * _PIXELS, column * _PIXELS
            inside, colour = stones[owner - 1]
            board[top : top + _PIXELS, left : left + _PIXELS][inside] = colour
    return board


def _stone(seat: int) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """The pixels of a stone, and their colours: of the seat, with a dark edge."""
    rows, columns = np.mgrid[:_PIXELS, :_PIXELS] - (_PIXELS - 1) / 2
    distance = np.hypot(rows, columns)
    inside = distance < _STONE
    colour = np.array([int(SEATS[seat][i : i + 2], 16) for i in (1, 3, 5)], np.uint8)
    filled = np.where((distance < _STONE - 1.2)[..., None], colour, np.uint8(20))
    return inside, filled[inside]
