"""The player of an n-tuple network: takes the move after which the position looks best.

A move changes few cells, so the value after it comes from the sum before it and the
entries that differ.  What ends the game counts for what it is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.nets.ntuple import (
    Indices,
    Network,
    Weights,
    part_of,
    squeezed,
    symbol_of,
    write_indices,
    write_values,
)
from quintet.players.player import Thoughts, by_value, choose
from quintet.randomness import Random, below
from quintet.rules import Cells, Moves, Position, Positions
from quintet.search.evaluation import Desk, Values, final_values, new_desk

FOUND, PART = 0, 1  # what `counts` holds: the number of moves, the part of the last values


class AfterstateMemory(NamedTuple):
    """Room to value every position after a move."""

    desk: Desk
    moves: Moves
    positions: Positions  # one
    before: Cells  # the board as it is, and
    content: Cells  # as it would be after a move
    base: Indices  # the entries of the board as it is
    indices: Indices  # those of an afterstate
    touched: Indices  # the look-ups whose entries differ
    sums: NDArray[np.float64]  # of each output, for the board as it is
    values: Values  # of the afterstate looked at
    best_values: Values  # of the best one
    counts: NDArray[np.int64]


def new_afterstates(game: Any, network: Network) -> AfterstateMemory:
    """Memory for a game and a network."""
    limits, cells = game.limits(), game.layout().cells
    lookups = len(network.starts)
    return AfterstateMemory(
        new_desk(game),
        rules.move_buffer(game),
        rules.new_positions(game, 1),
        np.zeros(cells, np.int8),
        np.zeros(cells, np.int8),
        np.zeros(lookups, np.int32),
        np.zeros(lookups, np.int32),
        np.zeros(lookups, np.int32),
        np.zeros(int(network.shape[2])),
        np.zeros(limits.seats),
        np.zeros(limits.seats),
        np.zeros(2, np.int64),
    )


class NTuplePlayer(NamedTuple):
    """Takes the move after which the position looks best."""

    network: Network
    weights: Weights

    def memory(self, game: Any) -> AfterstateMemory:
        """Room to value every position after a move."""
        return new_afterstates(game, self.network)

    def thoughts(self, game: Any, position: Position, memory: AfterstateMemory) -> Thoughts:
        """What the network makes of each position that can follow."""
        values, after = {}, memory.positions[0]
        for move in rules.list_legal_moves(game, position):
            memory.positions[0] = position
            rules.play(game, after, move)
            keep_values(game, self.network, self.weights, after, memory)
            values[move] = memory.values.tolist()
        return by_value(values, int(rules.turn(game, position)))


@choose.implement(NTuplePlayer)
def _choose_the_best(
    player: NTuplePlayer, game: Any, position: Position, memory: AfterstateMemory, random: Random
) -> int:
    return best_move(game, player.network, player.weights, position, memory, random)


@jit
def best_move(
    game: Any,
    network: Network,
    weights: Weights,
    position: Position,
    memory: AfterstateMemory,
    random: Random,
) -> int:
    """The move that is worth most to the mover; its values go to `best_values`."""
    mover = int(rules.turn(game, position))
    count = rules.distinct_moves(game, position, memory.moves)
    memory.counts[FOUND] = count
    rules.cells(game, position, memory.before)
    viewer = -1
    best, equals = -1, 0
    for i in range(count):
        after = memory.positions[0]
        memory.positions[0] = position
        rules.play(game, after, memory.moves[i])
        if rules.is_over(game, after):
            final_values(game, after, memory.desk, memory.values)
        else:
            next_viewer = int(rules.turn(game, after))
            if next_viewer != viewer:
                viewer = next_viewer
                look_from(network, memory, viewer)
            rules.cells(game, after, memory.content)
            value_change(network, weights, memory, viewer)
        if best >= 0 and memory.values[mover] < memory.best_values[mover]:
            continue
        if best >= 0 and memory.values[mover] == memory.best_values[mover]:
            equals += 1
            if below(random, equals) > 0:  # each of the best is as likely
                continue
        else:
            equals = 1
        best = memory.moves[i]
        memory.best_values[:] = memory.values
    return best


@jit
def look_from(network: Network, memory: AfterstateMemory, viewer: int) -> None:
    """Note the entries of the board as it is, as a seat sees it."""
    seats = memory.values.shape[0]
    write_indices(network, memory.before, viewer, seats, memory.base)
    memory.indices[:] = memory.base
    memory.counts[PART] = -1


@jit
def value_change(network: Network, weights: Weights, memory: AfterstateMemory, viewer: int) -> None:
    """Write the values after a move, from the cells that it changed."""
    seats = memory.values.shape[0]
    base, indices, touched = memory.base, memory.indices, memory.touched
    part = part_of(network, memory.content, viewer)
    if memory.counts[PART] != part:  # a stage may begin with this move
        memory.counts[PART] = part
        for output in range(memory.sums.shape[0]):
            memory.sums[output] = 0.0
            for index in base:
                memory.sums[output] += weights[part, index, output]
    count = 0
    for cell in range(memory.content.shape[0]):
        if memory.content[cell] != memory.before[cell]:
            change = symbol_of(memory.content[cell], viewer, seats)
            change -= symbol_of(memory.before[cell], viewer, seats)
            for i in range(network.reads[cell]):
                reader = network.readers[cell, i]
                if indices[reader] == base[reader]:  # changes of several cells never cancel out
                    touched[count] = reader
                    count += 1
                indices[reader] += change * network.powers[cell, i]
    for output in range(memory.sums.shape[0]):
        found = memory.sums[output]
        for i in range(count):
            reader = touched[i]
            found += weights[part, indices[reader], output] - weights[part, base[reader], output]
        memory.values[(viewer + output) % seats] = squeezed(found)
    if memory.sums.shape[0] < seats:
        memory.values[1 - viewer] = 1.0 - memory.values[viewer]
    for i in range(count):
        indices[touched[i]] = base[touched[i]]


@jit
def keep_values(
    game: Any, network: Network, weights: Weights, position: Position, memory: AfterstateMemory
) -> None:
    """Write the values of a position after a move, and where they come from."""
    if rules.is_over(game, position):
        final_values(game, position, memory.desk, memory.values)
        return
    viewer = int(rules.turn(game, position))
    rules.cells(game, position, memory.content)
    write_indices(network, memory.content, viewer, memory.values.shape[0], memory.indices)
    memory.counts[PART] = part_of(network, memory.content, viewer)
    write_values(network, weights, memory.counts[PART], memory.indices, viewer, memory.values)
