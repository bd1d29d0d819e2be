"""Counts of k-in-a-row games that are published or follow on paper.

A sequence ends where its game ends: `rules.perft` counts those of exactly the
given length.
"""

from __future__ import annotations

from itertools import product
from math import perm
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from quintet import games, rules
from quintet.compiled import COMPILED, jit
from quintet.symmetry import symmetries, transformed

TIC_TAC_TOE = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]
CONNECT_FOUR = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def sequences(text: str, depth: int) -> int:
    """How many sequences of moves there are from the start."""
    game = games.make(text)
    return rules.perft(game, rules.new_position(game), depth)


@pytest.mark.parametrize("depth", range(1, 11 if COMPILED else 6))
def test_sequences_of_tic_tac_toe(depth: int) -> None:
    assert sequences("tic-tac-toe", depth) == TIC_TAC_TOE[depth - 1]


@pytest.mark.skipif(not COMPILED, reason="half a million moves")
def test_games_of_tic_tac_toe() -> None:
    """255168 in all, and how each of them ends."""
    game = games.make("tic-tac-toe")
    stack = rules.new_positions(game, 10)
    buffers = np.empty((10, 9), np.int32)
    ended = np.zeros((10, 3), np.int64)  # by length; won by X, won by O, drawn
    count_games(game, stack, buffers, 0, ended)
    assert ended.sum() == 255168
    assert ended.sum(axis=0).tolist() == [131184, 77904, 46080]
    assert ended.sum(axis=1).tolist() == [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]


@jit
def count_games(
    game: Any, stack: Any, buffers: NDArray[np.int32], ply: int, ended: NDArray[np.int64]
) -> None:
    """Count the games below stack[ply] by their length and their winner."""
    if rules.is_over(game, stack[ply]):
        ended[ply, stack[ply].winner] += 1  # nobody is -1, the last
        return
    for i in range(rules.legal_moves(game, stack[ply], buffers[ply])):
        stack[ply + 1] = stack[ply]
        rules.play(game, stack[ply + 1], buffers[ply, i])
        count_games(game, stack, buffers, ply + 1, ended)


def reachable(game: Any) -> dict[int, Any]:
    """Every position that a game can come to, by its key."""
    found = {int(rules.key(game, rules.new_position(game))): rules.new_position(game)}
    waiting = list(found.values())
    while waiting:
        position = waiting.pop()
        for move in rules.list_legal_moves(game, position):
            after = rules.copied(position)
            rules.play(game, after, move)
            number = int(rules.key(game, after))
            if number not in found:
                found[number] = after
                waiting.append(after)
    return found


def test_positions_of_tic_tac_toe() -> None:
    """5478 in all, 765 up to symmetry; no two have the same key."""
    game = games.make("tic-tac-toe")
    positions = reachable(game)
    assert len(positions) == 5478
    assert len({position.tobytes() for position in positions.values()}) == 5478
    classes = {
        min(int(rules.key(game, transformed(game, position, s))) for s in range(8))
        for position in positions.values()
    }
    assert len(symmetries(game).cells) == 8
    assert len(classes) == 765


@pytest.mark.parametrize("depth", range(1, 9 if COMPILED else 5))
def test_sequences_of_connect_four(depth: int) -> None:
    assert sequences("connect-four", depth) == CONNECT_FOUR[depth - 1]


@pytest.mark.parametrize("depth", range(1, 8 if COMPILED else 4))
def test_sequences_of_tic_tac_mo(depth: int) -> None:
    """Nobody has three stones before the seventh ply."""
    assert sequences("tic-tac-mo", depth) == perm(15, depth)


@pytest.mark.skipif(not COMPILED, reason="two million moves")
def test_first_wins_of_tic_tac_mo() -> None:
    """X wins at ply 7 on each line, in 3! orders, whatever O and # do elsewhere."""
    wins = len(lines(3, 5, 3)) * 6 * perm(12, 4)
    assert sequences("tic-tac-mo", 8) == (perm(15, 7) - wins) * 8


@pytest.mark.parametrize("depth", range(1, 8 if COMPILED else 4))
def test_sequences_of_connect_3x3(depth: int) -> None:
    """Nobody has three stones before the seventh ply; seven do not fit in a column."""
    assert sequences("connect-3x3", depth) == 7**depth - (7 if depth == 7 else 0)


@pytest.mark.parametrize("depth", [1, 2, 3] if COMPILED else [1, 2])
def test_sequences_of_go_moku(depth: int) -> None:
    assert sequences("go-moku", depth) == perm(225, depth)


def lines(rows: int, columns: int, k: int) -> list[list[int]]:
    """Every straight line of k cells."""
    found = []
    for row, column, (down, right) in product(range(rows), range(columns), DIRECTIONS):
        cells = [(row + i * down, column + i * right) for i in range(k)]
        if all(0 <= r < rows and 0 <= c < columns for r, c in cells):
            found.append([r * columns + c for r, c in cells])
    return found


@pytest.mark.parametrize(
    ("text", "number"),
    [("tic-tac-toe", 8), ("tic-tac-mo", 20), ("go-moku", 572)],
)
def test_exactly_the_lines_win(text: str, number: int) -> None:
    """Each line wins by its last stone, whichever that is; before it nobody has won."""
    game = games.make(text)
    all_lines = lines(game.rows, game.columns, game.k)
    assert len(all_lines) == number
    for i, line in enumerate(all_lines):
        last = line[i % game.k]
        content = np.zeros(game.rows * game.columns, np.int8)
        content[line] = 1
        content[last] = 0
        position = np.zeros(1, game.position_type())[0]
        rules.set_up(game, position, content)
        assert not rules.is_over(game, position)
        rules.play(game, position, last)
        assert rules.list_scores(game, position)[0] == 1.0
