"""Lin and White's networks, slow and obvious: NumPy in float64, windows by their definition."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def queens(size: int) -> list[list[int]]:
    """Each cell with all cells on its row, column and diagonals; then the whole board."""
    cells = [(row, column) for row in range(size) for column in range(size)]
    windows = [
        [
            number
            for number, (row, column) in enumerate(cells)
            if row == y or column == x or row - column == y - x or row + column == y + x
        ]
        for y, x in cells
    ]
    return [*windows, list(range(size * size))]


def subsquares(size: int) -> list[list[int]]:
    """All squares of 3 x 3 cells and more, the small ones first."""
    return [
        [y * size + x for y in range(top, top + side) for x in range(left, left + side)]
        for side in range(3, size + 1)
        for top in range(size - side + 1)
        for left in range(size - side + 1)
    ]


def output(
    genome: NDArray[np.float32],
    windows: list[list[int]],
    board: NDArray[np.float64],
    gain: float,
    *,
    lead: bool = False,
) -> float:
    """The output for a board of -1 (Black), 0 and +1 (White)."""
    weights = iter(genome.astype(np.float64))

    def node(inputs: NDArray[np.float64]) -> float:
        total = sum(next(weights) * given for given in inputs)
        return float(total + next(weights))

    values = np.array([np.tanh(gain * node(board[window])) for window in windows])
    for width in (40, 10):
        values = np.array([np.tanh(gain * node(values)) for _ in range(width)])
    total = node(values)
    assert next(weights, None) is None
    return float(np.tanh(gain * (total + (board.sum() / len(board) if lead else 0.0))))
