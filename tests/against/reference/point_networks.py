"""Networks of points in plain NumPy: the whole input at every look, and no sums kept."""

from __future__ import annotations

from typing import Any

import numpy as np

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)]


def inputs(owners: Any, viewer: int, seats: int) -> Any:
    """0 or 1 for each colour and cell, as a seat sees it; two players have three colours."""
    colours = max(3, seats)
    planes = np.zeros((colours, len(owners)))
    for cell, owner in enumerate(owners):
        if owner:
            relative = (owner - 1 - viewer) % seats
            if seats == 2 and relative == 1:
                planes[1:, cell] = 1.0
            else:
                planes[relative, cell] = 1.0
    return planes


def counted(captured: Any, viewer: int, seats: int) -> Any:
    """Shares of a win, colour by colour."""
    relative = [captured[(viewer + i) % seats] for i in range(seats)]
    return np.array([relative[0], relative[1], relative[1]] if seats == 2 else relative)


class Hidden:
    """One hidden layer; it remembers what its units gave, if it is recurrent."""

    def __init__(self, genome: Any, hidden: int, recurrent: bool) -> None:
        self.genes = np.asarray(genome, float).reshape(hidden, -1)
        self.last = np.zeros(hidden if recurrent else 0)

    def look(self, owners: Any, viewer: int, seats: int, shares: Any = None) -> Any:
        planes = inputs(owners, viewer, seats).reshape(-1)
        extra = [] if shares is None else counted(shares, viewer, seats)
        given = np.concatenate([planes, extra, [0.5], self.last])
        inward, outward = self.genes[:, : len(given)], self.genes[:, len(given) :]
        hidden = 1 / (1 + np.exp(-inward @ given))
        if len(self.last):
            self.last = hidden
        return 1 / (1 + np.exp(-hidden @ outward))


def line_eye(genome: Any, units: int, lines: int, owners: Any, shape: Any, viewer: int,
             seats: int, shares: Any = None) -> Any:  # fmt: skip
    """What an eye gives for each cell; `lines` directions (or pairs) are summed apart."""
    rows, columns = shape
    colours = max(3, seats)
    genes = np.asarray(genome, float).reshape(units, -1)
    planes = inputs(owners, viewer, seats)
    outputs = np.zeros(rows * columns)
    for cell in range(rows * columns):
        for gene in genes:
            table = gene[: 8 * (colours + 1)].reshape(2, 4, colours + 1)
            sums = np.full(lines, gene[-2])
            if shares is not None:
                sums += counted(shares, viewer, seats) @ gene[-2 - colours : -2]
            for number, (down, right) in enumerate(DIRECTIONS):
                for distance in range(1, 5):
                    row, column = divmod(cell, columns)
                    row, column = row + distance * down, column + distance * right
                    weights = table[int(down != 0 and right != 0), distance - 1]
                    if 0 <= row < rows and 0 <= column < columns:
                        seen = planes[:, row * columns + column] @ weights[:colours]
                    else:
                        seen = weights[colours]
                    sums[number % lines] += seen
            outputs[cell] += gene[-1] * np.maximum(sums, 0).sum()
    return outputs
