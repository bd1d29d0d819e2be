"""Othello's known numbers.

The published counts of move sequences, with a pass as a ply, agree with
`rules.perft` up to depth 9.  Beyond it they also count each game that ended
earlier as one leaf; `rules.perft` counts sequences of exactly the given length.
The shortest games take 9 plies and there are 228 of them, so the two differ by
228 at depth 10, by 228 + 356 = 584 at depth 11, by 584 + 6384 = 6968 at depth 12.

Source of the counts: bin/perft.py of Edax, after A. Bik; also Egaroucid's pages.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from quintet import games, notation, rules
from quintet.compiled import COMPILED, jit

PUBLISHED = [
    4,
    12,
    56,
    244,
    1396,
    8200,
    55092,
    390216,
    3005288,
    24571284,
    212258800,
]
ENDED_BEFORE = {10: 228, 11: 584}  # games that ended before this depth
DEPTHS = range(1, 12 if COMPILED else 6)


@pytest.mark.parametrize("depth", DEPTHS)
def test_sequences_of_moves(depth: int) -> None:
    game = games.make("othello")
    found = rules.perft(game, rules.new_position(game), depth)
    assert found + ENDED_BEFORE.get(depth, 0) == PUBLISHED[depth - 1]


@pytest.mark.skipif(not COMPILED, reason="millions of moves")
def test_games_that_end_early() -> None:
    game = games.make("othello")
    depth = 10
    stack = rules.new_positions(game, depth + 1)
    buffers = np.empty((depth + 1, game.limits().moves), np.int32)
    ended = np.zeros(depth + 1, np.int64)
    count_ended(game, stack, buffers, 0, ended)
    assert ended.tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 0, 228, 356]


@jit
def count_ended(
    game: Any, stack: Any, buffers: NDArray[np.int32], ply: int, ended: NDArray[np.int64]
) -> None:
    """Count the games that end at each ply below stack[ply]."""
    count = rules.legal_moves(game, stack[ply], buffers[ply])
    if count == 0:
        ended[ply] += 1
    if ply + 1 < len(ended):
        for i in range(count):
            stack[ply + 1] = stack[ply]
            rules.play(game, stack[ply + 1], buffers[ply, i])
            count_ended(game, stack, buffers, ply + 1, ended)


def test_a_shortest_game() -> None:
    game = games.make("othello")
    position = rules.new_position(game)
    for name in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]:
        assert not rules.is_over(game, position)
        rules.checked_play(game, position, notation.parse_move(game, name))
    assert rules.is_over(game, position)
    assert rules.list_scores(game, position) == [1.0, 0.0]
    discs = np.zeros(2)
    rules.points(game, position, discs)
    assert discs.tolist() == [13.0, 0.0]
