"""Pentago against published and derived numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from quintet import games, rules
from quintet.compiled import jit

GAME = games.make("pentago")


@pytest.mark.parametrize(("depth", "sequences"), [(1, 288), (2, 80640), (3, 21934080)])
def test_perft(depth: int, sequences: int) -> None:
    """All (36 - k) * 8 moves count, as no five is possible before ply 9."""
    assert rules.perft(GAME, rules.new_position(GAME), depth) == sequences


def test_distinct_boards() -> None:
    """After n moves every arrangement of their stones is reached (Irving's counts)."""
    positions = rules.new_positions(GAME, 1)
    counts = [len(positions)]
    for _ in range(4):
        following = np.empty(len(positions) * 288, positions.dtype)
        numbers = np.empty(len(following), np.int64)
        found = expand(GAME, positions, rules.move_buffer(GAME), following, numbers)
        _, first = np.unique(numbers[:found], return_index=True)
        positions = following[first]
        counts.append(len(positions))
    assert counts == [1, 36, 1260, 21420, 353430]


@jit
def expand(
    game: Any, positions: Any, moves: Any, following: Any, numbers: NDArray[np.int64]
) -> int:
    """Write all positions after one more move, with their boards' numbers; returns how many."""
    content = np.empty(36, np.int8)
    found = 0
    for i in range(len(positions)):
        for m in range(rules.legal_moves(game, positions[i], moves)):
            following[found] = positions[i]
            rules.play(game, following[found], moves[m])
            rules.cells(game, following[found], content)
            numbers[found] = 0
            for owner in content:  # in base 3, so that no two boards share a number
                numbers[found] = 3 * numbers[found] + owner
            found += 1
    return found
