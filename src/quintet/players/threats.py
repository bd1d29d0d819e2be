"""A player that wins by force where it can, and else stops the opponent from doing so."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.parameters import Between
from quintet.players.go_moku import line_value, line_worths
from quintet.players.player import Thoughts, choose
from quintet.randomness import Random, below
from quintet.rules import Cells, Moves, Position
from quintet.search.lines import put, set_stones, take_back, whole
from quintet.search.threats import ThreatMemory, find_win, no_threats_in, threat_memory


class ThreatsMemory(NamedTuple):
    """The search, and room to choose."""

    search: ThreatMemory
    worth: NDArray[np.float64]
    owners: Cells
    values: NDArray[np.float64]  # of each cell; below zero where it is not to be played
    best: Moves
    found: NDArray[np.int64]  # by the last choice: plies of a forced win or 0, and positions


class Threats(NamedTuple):
    """Plays a forced win, or stops one, or takes the most promising point (Hardnet's)."""

    threes: Annotated[int, Between(0, 30), "moves of a win before fours alone win"] = 3
    fours: Annotated[int, Between(1, 30), "fours of a win"] = 12
    nodes: Annotated[int, Between(1, 1e9), "positions of one search"] = 5_000

    def memory(self, game: Any) -> ThreatsMemory:
        """Room for the search on this board."""
        cells = game.rows * game.columns
        return ThreatsMemory(
            threat_memory(game),
            line_worths(game.k),
            np.zeros(cells, np.int8),
            np.zeros(cells),
            rules.move_buffer(game),
            np.zeros(2, np.int64),
        )

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return no_threats_in(game)

    def thoughts(self, game: Any, position: Position, memory: ThreatsMemory) -> Thoughts | None:
        """The forced win that it found, against the longest defence; None if it found none."""
        plies, nodes = (int(number) for number in memory.found)
        if not plies:
            return None
        line = [int(move) for move in memory.search.line[:plies]]
        values = [0.0, 0.0]
        values[int(rules.turn(game, position))] = 1.0
        return Thoughts(line[:1], [1], [values], line, nodes, plies, True)


@choose.implement(Threats)
def _choose_by_threats(
    player: Threats, game: Any, position: Position, memory: ThreatsMemory, random: Random
) -> int:
    rules.cells(game, position, memory.owners)
    set_stones(memory.search.lines, memory.owners)
    side = whole(rules.turn(game, position))
    memory.found[0] = seek(player, memory, side)
    memory.found[1] = player.nodes - memory.search.left[0]
    if memory.found[0] > 0:
        return memory.search.line[0]
    for cell in range(memory.owners.shape[0]):
        memory.values[cell] = -1.0
        if memory.owners[cell] == 0:
            memory.values[cell] = line_value(memory.search.lines, memory.worth, cell, side)
    if seek(player, memory, 1 - side) > 0:
        return best_defence(player, memory, side, random)
    return best_cell(memory, random)


@jit
def seek(player: Threats, memory: ThreatsMemory, side: int) -> int:
    """The plies of a forced win of `side`, if it is to move, or 0."""
    return find_win(memory.search, side, player.threes, player.fours, player.nodes)


@jit
def best_defence(player: Threats, memory: ThreatsMemory, side: int, random: Random) -> int:
    """The most promising cell that leaves the opponent no forced win.

    If all leave one, the first move of the opponent's win.
    """
    resort = whole(memory.search.line[0])
    for _ in range(memory.owners.shape[0]):
        cell = best_cell(memory, random)
        if memory.values[cell] < 0.0:
            break
        put(memory.search.lines, cell, side)
        danger = seek(player, memory, 1 - side)
        take_back(memory.search.lines, cell)
        if danger == 0:
            return cell
        memory.values[cell] = -1.0
    return resort


@jit
def best_cell(memory: ThreatsMemory, random: Random) -> int:
    """A random one of the cells with the highest value."""
    most, found = -2.0, 0
    for cell in range(memory.values.shape[0]):
        if memory.values[cell] > most:
            most, found = memory.values[cell], 0
        if memory.values[cell] == most:
            memory.best[found] = cell
            found += 1
    return whole(memory.best[below(random, found)])
