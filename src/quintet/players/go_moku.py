"""Opponents of the Go-Moku study, paper 004: Hardnet, and a stand-in for XMake5.

For two players, on every k in a row without gravity.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import NONE
from quintet.compiled import jit
from quintet.nets.product_units import (
    Geometry,
    Weights,
    fill_board,
    hardnet_weights,
    new_board,
    new_geometry,
    place_of,
    point_value,
)
from quintet.parameters import Between
from quintet.players.player import choose
from quintet.randomness import Random, below
from quintet.rules import Cells, Moves, Position
from quintet.search.lines import (
    OFF,
    Lines,
    lines_of,
    put,
    set_stones,
    stones_if_open,
    take_back,
    whole,
    wins_anywhere,
    would_win,
)
from quintet.search.threats import no_threats_in

DEFENCE = 0.9  # of Hardnet, where its attack is 1 (papers: 004.2)
EMPTY = 0.25  # what an empty point is to it
_SURE = 1e9  # no evaluation reaches this


# --- Hardnet ------------------------------------------------------------------


class HardnetMemory(NamedTuple):
    """The network and what it looks at."""

    geometry: Geometry
    weights: Weights
    owners: Cells
    board: Cells  # with a margin
    best: Moves


class Hardnet(NamedTuple):
    """The point with the most promising lines through it, for oneself and for the opponent."""

    defence: Annotated[float, Between(0, 10), "weight of the opponent's lines"] = DEFENCE
    empty: Annotated[float, Between(0, 1), "what an empty point is worth in a product"] = EMPTY

    def memory(self, game: Any) -> HardnetMemory:
        """The network for this board."""
        geometry = new_geometry(game.columns, game.k, patterns=False)
        return HardnetMemory(
            geometry,
            hardnet_weights(game.k, self.defence, self.empty),
            np.zeros(game.rows * game.columns, np.int8),
            new_board(geometry, game.rows),
            rules.move_buffer(game),
        )

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return no_threats_in(game)


@choose.implement(Hardnet)
def _choose_best_point(
    player: Hardnet, game: Any, position: Position, memory: HardnetMemory, random: Random
) -> int:
    rules.cells(game, position, memory.owners)
    fill_board(memory.geometry, memory.owners, memory.board)
    seat = whole(rules.turn(game, position))
    most, found = -1.0, 0
    for point in range(memory.owners.shape[0]):
        if memory.owners[point] == 0:
            place = place_of(memory.geometry, point, game.columns)
            value = point_value(memory.geometry, memory.weights, memory.board, place, seat)
            if value > most:
                most, found = value, 0
            if value == most:
                memory.best[found] = point
                found += 1
    return memory.best[below(random, found)]


@jit
def line_value(lines: Lines, worth: NDArray[np.float64], cell: int, side: int) -> float:
    """Hardnet's value of an empty cell, from the counts of its lines."""
    own, other = 0.0, 0.0
    for line in lines.through[cell]:
        if line == OFF:
            break
        if lines.counts[line, 1 - side] == 0:
            own += worth[lines.counts[line, side]]
        if lines.counts[line, side] == 0:
            other += worth[lines.counts[line, 1 - side]]
    return own + DEFENCE * other


def line_worths(k: int) -> NDArray[np.float64]:
    """What a line with so many stones, and else empty, gives Hardnet."""
    return np.array([EMPTY ** (k - 1 - stones) for stones in range(k + 1)])


# --- the stand-in for XMake5 --------------------------------------------------


class XMake5Memory(NamedTuple):
    """The board, and room for the moves and values of each ply."""

    lines: Lines
    near: NDArray[np.int16]  # the cells within two of each cell
    worth: NDArray[np.float64]  # of lines, for the order of moves
    scores: NDArray[np.float64]  # of lines, for the evaluation
    owners: Cells
    moves: NDArray[np.int32]  # for each ply
    values: NDArray[np.float64]  # for each ply, of its moves
    best: Moves
    weights: NDArray[np.float64]  # of each side's lines in the evaluation


class XMake5(NamedTuple):
    """Alpha-beta over the points that look best: in place of the lost program XMake5."""

    depth: Annotated[int, Between(1, 12), "plies"] = 6
    width: Annotated[int, Between(1, 40), "moves tried at each position"] = 5
    caution: Annotated[float, Between(0, 10), "weight of the opponent's lines"] = 1.1

    def memory(self, game: Any) -> XMake5Memory:
        """The lines of this board, and room for the search."""
        cells = game.rows * game.columns
        scores = [0.0] + [10.0 ** (stones - 1) for stones in range(1, game.k)] + [0.0]
        return XMake5Memory(
            lines_of(game),
            neighbourhoods(game.rows, game.columns),
            line_worths(game.k),
            np.array(scores),
            np.zeros(cells, np.int8),
            np.zeros((self.depth + 1, self.width + 1), np.int32),
            np.zeros((self.depth + 1, self.width + 1)),
            rules.move_buffer(game),
            np.ones(2),
        )

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return no_threats_in(game)


def neighbourhoods(rows: int, columns: int) -> NDArray[np.int16]:
    """The cells within two rows and columns of each cell, itself left out."""
    near = np.full((rows * columns, 24), OFF, np.int16)
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        found = [
            r * columns + c
            for r in range(max(row - 2, 0), min(row + 3, rows))
            for c in range(max(column - 2, 0), min(column + 3, columns))
            if (r, c) != (row, column)
        ]
        near[cell, : len(found)] = found
    return near


@choose.implement(XMake5)
def _choose_by_search(
    player: XMake5, game: Any, position: Position, memory: XMake5Memory, random: Random
) -> int:
    rules.cells(game, position, memory.owners)
    set_stones(memory.lines, memory.owners)
    side = whole(rules.turn(game, position))
    memory.weights[side] = 1.0
    memory.weights[1 - side] = player.caution
    count = list_candidates(player, memory, side, whole(player.depth))
    balance = whole_balance(memory, side)
    most, found = -2.0 * _SURE, 0
    for i in range(count):
        cell = whole(memory.moves[player.depth, i])
        # equal moves must show as equal, so the window reaches just below the best
        value = value_of_move(player, memory, side, cell, most - 1e-6, balance)
        if value > most:
            most, found = value, 0
        if value == most:
            memory.best[found] = cell
            found += 1
    return memory.best[below(random, found)]


@jit
def value_of_move(
    player: XMake5, memory: XMake5Memory, side: int, cell: int, least: float, balance: float
) -> float:
    """What a move at the root is worth; at most `least` if it is not better than that."""
    depth = whole(player.depth)
    gain = gain_of(memory, cell, side)
    if wins_by(memory.lines, cell, side):
        return _SURE + depth
    if depth == 1:
        return balance + gain
    put(memory.lines, cell, side)
    value = -best_value(
        player, memory, 1 - side, depth - 1, -2.0 * _SURE, -least, -(balance + gain)
    )
    take_back(memory.lines, cell)
    return value


@jit
def best_value(
    player: XMake5,
    memory: XMake5Memory,
    side: int,
    depth: int,
    alpha: float,
    beta: float,
    balance: float,
) -> float:
    """Fail-soft alpha-beta: what the side to move can reach in `depth` plies."""
    count = list_candidates(player, memory, side, depth)
    if count == 0:
        return balance  # nowhere to go
    most = -2.0 * _SURE
    for i in range(count):
        cell = whole(memory.moves[depth, i])
        value = balance + gain_of(memory, cell, side)
        if wins_by(memory.lines, cell, side):
            value = _SURE + depth
        elif depth > 1:
            put(memory.lines, cell, side)
            value = -best_value(
                player, memory, 1 - side, depth - 1, -beta, -max(alpha, most), -value
            )
            take_back(memory.lines, cell)
        most = max(most, value)
        if most >= beta:
            break
    return most


@jit
def list_candidates(player: XMake5, memory: XMake5Memory, side: int, depth: int) -> int:
    """Write a winning move, or else a forced block, or else the best-looking moves."""
    moves = memory.moves[depth]
    for who in (side, 1 - side):
        count, cell = wins_anywhere(memory.lines, who)
        if count > 0:
            moves[0] = cell
            return 1
    values = memory.values[depth]
    owners = memory.lines.owners
    is_blank = memory.lines.key[0] == NONE
    count = 0
    for cell in range(owners.shape[0]):
        if owners[cell] == 0 and (is_blank or is_near(memory, cell)):
            value = line_value(memory.lines, memory.worth, cell, side)
            at = min(count, player.width)
            while at > 0 and values[at - 1] < value:
                moves[at] = moves[at - 1]
                values[at] = values[at - 1]
                at -= 1
            moves[at] = cell
            values[at] = value
            count = min(count + 1, player.width)
    return count


@jit
def is_near(memory: XMake5Memory, cell: int) -> bool:
    """Is there a stone within two of this cell?"""
    found = False
    for other in memory.near[cell]:
        found |= other != OFF and memory.lines.owners[other] != 0
    return found


@jit
def wins_by(lines: Lines, cell: int, side: int) -> bool:
    """Does a stone of `side` on this empty cell win?"""
    k = lines.cells.shape[1]
    found = False
    for line in lines.through[cell]:
        if line == OFF:
            break
        if stones_if_open(lines, line, side) == k - 1:
            found |= would_win(lines, line, side)
    return found


@jit
def gain_of(memory: XMake5Memory, cell: int, side: int) -> float:
    """How the balance of `side` changes by a stone on this cell."""
    gain = 0.0
    for line in memory.lines.through[cell]:
        if line == OFF:
            break
        own, other = memory.lines.counts[line, side], memory.lines.counts[line, 1 - side]
        if other == 0:
            gain += memory.weights[side] * (memory.scores[own + 1] - memory.scores[own])
        elif own == 0:
            gain += memory.weights[1 - side] * memory.scores[other]
    return gain


@jit
def whole_balance(memory: XMake5Memory, side: int) -> float:
    """What the open lines of `side` are worth, less those of the other side."""
    total = 0.0
    for line in range(memory.lines.cells.shape[0]):
        own, other = memory.lines.counts[line, side], memory.lines.counts[line, 1 - side]
        if other == 0:
            total += memory.weights[side] * memory.scores[own]
        elif own == 0:
            total -= memory.weights[1 - side] * memory.scores[other]
    return total
