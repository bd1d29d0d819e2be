"""A stand-in for XMake5, an opponent of the Go-Moku study, paper 004.

For two players, on every k in a row without gravity.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import NONE
from quintet.compiled import generic, jit
from quintet.nets.product_units import Network
from quintet.nets.sight import Sight, lift_stone, point_value, put_stone
from quintet.parameters import Between
from quintet.players.player import choose
from quintet.players.points import DEFENCE, EMPTY, sight_of
from quintet.randomness import Random, below
from quintet.rules import Cells, Moves, Position
from quintet.search.lines import (
    OFF,
    Lines,
    lines_of,
    put,
    stones_if_open,
    take_back,
    whole,
    wins_anywhere,
    would_win,
)
from quintet.search.threats import no_threats_in

_SURE = 1e9  # no evaluation reaches this


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


# --- which moves are tried first ----------------------------------------------


@generic
def promise(order: Any, cell: int, side: int) -> float:
    """How good an empty cell looks to a side."""
    raise NotImplementedError


@generic
def stone_placed(order: Any, cell: int, side: int) -> None:
    """A stone comes to an empty cell."""


@generic
def stone_lifted(order: Any, cell: int, side: int) -> None:
    """A stone goes."""


class ByLines(NamedTuple):
    """Hardnet's values of all cells, kept up to date.

    The sums are of powers of a quarter, so adding and subtracting them is exact.
    """

    cells: NDArray[np.int16]  # of each line
    through: NDArray[np.int16]  # the lines through each cell
    counts: NDArray[np.int8]  # stones of each side on each line
    worth: NDArray[np.float64]  # of a line with so many stones
    sums: NDArray[np.float64]  # for each side and cell, of the lines that are open for it


def by_lines(game: Any) -> ByLines:
    """For an empty board."""
    lines, worth = lines_of(game), line_worths(game.k)
    sums = [worth[0] * (row != OFF).sum() for row in lines.through]
    return ByLines(lines.cells, lines.through, lines.counts, worth, np.array([sums, sums]))


@promise.implement(ByLines)
def _open_lines(order: ByLines, cell: int, side: int) -> float:
    return order.sums[side, cell] + DEFENCE * order.sums[1 - side, cell]


@stone_placed.implement(ByLines)
def _count_stone(order: ByLines, cell: int, side: int) -> None:
    for line in order.through[cell]:
        if line == OFF:
            break
        own, other = order.counts[line, side], order.counts[line, 1 - side]
        order.counts[line, side] += 1
        if other == 0:
            add_to_line(order, line, side, order.worth[own + 1] - order.worth[own])
        if own == 0:
            add_to_line(order, line, 1 - side, -order.worth[other])


@stone_lifted.implement(ByLines)
def _discount_stone(order: ByLines, cell: int, side: int) -> None:
    for line in order.through[cell]:
        if line == OFF:
            break
        order.counts[line, side] -= 1
        own, other = order.counts[line, side], order.counts[line, 1 - side]
        if other == 0:
            add_to_line(order, line, side, order.worth[own] - order.worth[own + 1])
        if own == 0:
            add_to_line(order, line, 1 - side, order.worth[other])


@jit
def add_to_line(order: ByLines, line: int, side: int, change: float) -> None:
    """A line has become so much more promising to a side."""
    for cell in order.cells[line]:
        order.sums[side, cell] += change


class ByNetwork(NamedTuple):
    """The values of a network of product units."""

    network: Network
    sight: Sight


@promise.implement(ByNetwork)
def _value_by_network(order: ByNetwork, cell: int, side: int) -> float:
    return point_value(order.sight, order.network, order.sight.places[cell], side)


@stone_placed.implement(ByNetwork)
def _show_stone(order: ByNetwork, cell: int, side: int) -> None:
    put_stone(order.sight, cell, side)


@stone_lifted.implement(ByNetwork)
def _hide_stone(order: ByNetwork, cell: int, side: int) -> None:
    lift_stone(order.sight, cell)


# --- the search ---------------------------------------------------------------


class XMake5Memory(NamedTuple):
    """The board, and room for the moves and values of each ply."""

    lines: Lines
    order: Any  # ByLines or ByNetwork
    near: NDArray[np.int16]  # the cells within two of each cell
    company: NDArray[np.int16]  # for each cell, stones within two of it
    fours: NDArray[np.int64]  # for each side, lines that lack one stone
    scores: NDArray[np.float64]  # of lines, for the evaluation
    owners: Cells
    moves: NDArray[np.int32]  # for each ply
    values: NDArray[np.float64]  # for each ply, of its moves
    best: Moves
    weights: NDArray[np.float64]  # of each side's lines in the evaluation


def search_memory(game: Any, depth: int, width: int, order: Any) -> XMake5Memory:
    """Room for a search of a game."""
    cells = game.rows * game.columns
    scores = [0.0] + [10.0 ** (stones - 1) for stones in range(1, game.k)] + [0.0]
    return XMake5Memory(
        lines_of(game),
        order,
        neighbourhoods(game.rows, game.columns),
        np.zeros(cells, np.int16),
        np.zeros(2, np.int64),
        np.array(scores),
        np.zeros(cells, np.int8),
        np.zeros((depth + 1, width + 1), np.int32),
        np.zeros((depth + 1, width + 1)),
        rules.move_buffer(game),
        np.ones(2),
    )


class XMake5(NamedTuple):
    """Alpha-beta over the points that look best: in place of the lost program XMake5."""

    depth: Annotated[int, Between(1, 12), "plies"] = 6
    width: Annotated[int, Between(1, 40), "moves tried at each position"] = 5
    caution: Annotated[float, Between(0, 10), "weight of the opponent's lines"] = 1.1

    def memory(self, game: Any) -> XMake5Memory:
        """The lines of this board, and room for the search."""
        return search_memory(game, self.depth, self.width, by_lines(game))

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


class Guided(NamedTuple):
    """The same search, with a trained network to say which points look best."""

    network: Network
    depth: int = 6
    width: int = 5
    caution: float = 1.1

    def memory(self, game: Any) -> XMake5Memory:
        """The lines of this board, and room for the search."""
        order = ByNetwork(self.network, sight_of(game, self.network))
        return search_memory(game, self.depth, self.width, order)


@choose.implement(XMake5)
def _choose_by_search(
    player: XMake5, game: Any, position: Position, memory: XMake5Memory, random: Random
) -> int:
    return best_by_search(player, game, position, memory, random)


@choose.implement(Guided)
def _choose_by_guided_search(
    player: Guided, game: Any, position: Position, memory: XMake5Memory, random: Random
) -> int:
    return best_by_search(player, game, position, memory, random)


@jit
def best_by_search(
    player: Any, game: Any, position: Position, memory: XMake5Memory, random: Random
) -> int:
    """A random one of the best moves."""
    rules.cells(game, position, memory.owners)
    catch_up(memory)
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
def catch_up(memory: XMake5Memory) -> None:
    """Make the board what it is now."""
    for cell in range(memory.owners.shape[0]):
        before, now = memory.lines.owners[cell], memory.owners[cell]
        if before != now:
            if before != 0:
                lift(memory, cell)
            if now != 0:
                place(memory, cell, now - 1)


@jit
def place(memory: XMake5Memory, cell: int, side: int) -> None:
    """Put a stone on an empty cell."""
    count_fours(memory, cell, side, 1)
    put(memory.lines, cell, side)
    stone_placed(memory.order, cell, side)
    for other in memory.near[cell]:
        if other == OFF:
            break
        memory.company[other] += 1


@jit
def lift(memory: XMake5Memory, cell: int) -> None:
    """Take a stone back."""
    side = whole(memory.lines.owners[cell]) - 1
    take_back(memory.lines, cell)
    count_fours(memory, cell, side, -1)
    stone_lifted(memory.order, cell, side)
    for other in memory.near[cell]:
        if other == OFF:
            break
        memory.company[other] -= 1


@jit
def count_fours(memory: XMake5Memory, cell: int, side: int, sign: int) -> None:
    """Note the lines that lack one stone, as a side's stone comes to an empty cell or goes."""
    k = memory.lines.cells.shape[1]
    for line in memory.lines.through[cell]:
        if line == OFF:
            break
        own, other = memory.lines.counts[line, side], memory.lines.counts[line, 1 - side]
        if other == 0 and own >= k - 2:
            memory.fours[side] += sign if own == k - 2 else -sign
        elif own == 0 and other == k - 1:
            memory.fours[1 - side] -= sign


@jit
def value_of_move(
    player: Any, memory: XMake5Memory, side: int, cell: int, least: float, balance: float
) -> float:
    """What a move at the root is worth; at most `least` if it is not better than that."""
    depth = whole(player.depth)
    gain = gain_of(memory, cell, side)
    if wins_by(memory.lines, cell, side):
        return _SURE + depth
    if depth == 1:
        return balance + gain
    place(memory, cell, side)
    value = -best_value(
        player, memory, 1 - side, depth - 1, -2.0 * _SURE, -least, -(balance + gain)
    )
    lift(memory, cell)
    return value


@jit
def best_value(
    player: Any,
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
        if memory.fours[side] > 0 and wins_by(memory.lines, cell, side):
            value = _SURE + depth
        elif depth > 1:
            place(memory, cell, side)
            value = -best_value(
                player, memory, 1 - side, depth - 1, -beta, -max(alpha, most), -value
            )
            lift(memory, cell)
        most = max(most, value)
        if most >= beta:
            break
    return most


@jit
def list_candidates(player: Any, memory: XMake5Memory, side: int, depth: int) -> int:
    """Write a winning move, or else a forced block, or else the best-looking moves."""
    moves = memory.moves[depth]
    for who in (side, 1 - side):
        if memory.fours[who] > 0:
            count, cell = wins_anywhere(memory.lines, who)
            if count > 0:
                moves[0] = cell
                return 1
    values = memory.values[depth]
    owners = memory.lines.owners
    is_blank = memory.lines.key[0] == NONE
    count = 0
    for cell in range(owners.shape[0]):
        if owners[cell] == 0 and (is_blank or memory.company[cell] > 0):
            value = promise(memory.order, cell, side)
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
