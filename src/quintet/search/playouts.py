"""What random games from a position come to: who owns each cell, and the scores."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import borrowing, jit
from quintet.randomness import Random
from quintet.rules import Cells, Moves, Position, Scores


class Survey(NamedTuple):
    """Means over random games."""

    owned: NDArray[np.float64]  # [seat, cell] how often the cell was the seat's
    scores: list[float]  # per seat


def survey(game: Any, position: Position, random: Random, count: int) -> Survey:
    """Play so many random games to their end."""
    limits, layout = game.limits(), game.layout()
    owned = np.zeros((limits.seats, layout.cells))
    totals, scores = np.zeros(limits.seats), np.zeros(limits.seats)
    positions = np.zeros(2, game.position_type())
    positions[0] = position
    content, todo = np.zeros(layout.cells, np.int8), np.zeros(layout.cells, np.int64)
    moves, columns = rules.move_buffer(game), int(layout.columns)
    _play(game, positions, moves, random, count, owned, totals, scores, content, todo, columns)
    return Survey(owned / count, [float(total) / count for total in totals])


@jit
def _play(
    game: Any,
    positions: Any,
    moves: Moves,
    random: Random,
    count: int,
    owned: Any,
    totals: Scores,
    scores: Scores,
    content: Cells,
    todo: Any,
    columns: int,
) -> None:
    for _ in range(count):
        positions[1] = positions[0]
        rules.play_out(game, positions[1], moves, random)
        rules.scores(game, positions[1], scores)
        rules.cells(game, positions[1], content)
        claim_regions(content, todo, columns)
        for seat in range(totals.shape[0]):
            totals[seat] += scores[seat]
        for cell in range(content.shape[0]):
            if content[cell] > 0:
                owned[content[cell] - 1, cell] += 1.0


@borrowing
def claim_regions(content: Cells, todo: Any, columns: int) -> None:
    """Give each empty region to the seat that alone has stones beside it; to -1 if none has."""
    for cell in range(content.shape[0]):
        if content[cell] == 0:
            owner = fill(content, todo, columns, cell, 0, -2)
            fill(content, todo, columns, cell, -2, owner)


@borrowing
def fill(content: Cells, todo: Any, columns: int, begin: int, old: int, new: int) -> int:
    """Change a region of cells; returns the owner of all stones beside it, or -1."""
    content[begin] = new
    todo[0] = begin
    found, done, owner = 1, 0, 0
    while done < found:
        cell = todo[done]
        done += 1
        for side in range(4):
            beside = cell + (1, -1, columns, -columns)[side]
            edge = (columns - 1, 0, -1, -1)[side]
            if not 0 <= beside < content.shape[0] or cell % columns == edge:
                continue
            if content[beside] == old:
                content[beside] = new
                todo[found] = beside
                found += 1
            elif content[beside] > 0 and owner != content[beside]:
                owner = content[beside] if owner == 0 else -1
    return owner if owner > 0 else -1
