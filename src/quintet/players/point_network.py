"""The player of a network of points: it plays where the network's output is highest.

The networks are those of nets/genomes.py.  Which stones came or went since the last look
is found by comparing; so a look costs what has changed, whoever moved.

A network that pays attention is activated before every move, from its own seat's view.
Which seat that is, it learns when it first has to choose: until then it keeps what it saw.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import NONE, lowest, without_lowest
from quintet.compiled import borrowing, generic
from quintet.games.k_in_a_row import KInARow
from quintet.games.pente import Pente
from quintet.lanes import Floats, highest_place
from quintet.nets.genomes import (
    Genome,
    Trace,
    activate,
    add_stone,
    clear,
    express,
    write_outputs,
)
from quintet.players.finishing import Finish, guarding_move, winning_move
from quintet.players.lines import is_forced
from quintet.players.player import Thoughts, begin, by_utility, by_value, choose, watch
from quintet.randomness import Random
from quintet.rules import Cells, Moves, Position, Positions

VIEWER, KEPT, LOOKED = 0, 1, 2  # what the notes hold
NOBODY_YET = -1
_NO_FINISH, _ANY_FINISH, _GUARD = int(Finish.NONE), int(Finish.ALL), int(Finish.GUARD)
_CAME, _WENT = np.float32(1.0), np.float32(-1.0)
_LOWEST = np.float32(-np.inf)
_FREE, _TAKEN = np.float32(0.0), np.float32(np.inf)


class PointMemory(NamedTuple):
    """What a network knows of a game."""

    trace: Trace
    moves: Moves
    stones: NDArray[np.uint64]  # as last looked at: sets of bits by seat, where the game has them,
    seen: Cells  # else the owners of cells
    content: Cells
    shares: Floats  # captured, of a win, by seats from the viewer's on
    kept: Positions  # seen before the viewer was known
    notes: NDArray[np.int64]


class PointNetwork(NamedTuple):
    """Plays where the output of a network is highest."""

    network: Any
    blueprint: Any
    attentive: bool
    finish: int

    def memory(self, game: Any) -> PointMemory:
        """Room for a game."""
        limits, cells = game.limits(), game.layout().cells
        fields = game.position_type()
        words = fields["stones"].shape[1] if "stones" in (fields.names or ()) else 1
        return PointMemory(
            self.blueprint.trace(game),
            rules.move_buffer(game),
            np.zeros((limits.seats, words), np.uint64),
            np.zeros(cells, np.int8),
            np.zeros(cells, np.int8),
            np.zeros(limits.seats, np.float32),
            np.zeros(limits.plies if self.attentive else 1, fields),
            np.zeros(3, np.int64),
        )

    def thoughts(self, game: Any, position: Position, memory: PointMemory) -> Thoughts:
        """What the network gave each point; or a win, of which it is not asked."""
        legal = rules.list_legal_moves(game, position)
        won = -1
        if self.finish != _NO_FINISH:
            won = int(winning_move(game, position, self.finish == _ANY_FINISH))
        if won >= 0:
            wins = [float(seat == rules.turn(game, position)) for seat in range(len(memory.shares))]
            return by_value({won: wins}, 0)
        points = [move for move in legal if move < len(memory.seen)]
        return by_utility(game, {move: float(memory.trace.outputs[move]) for move in points})


def network_player(blueprint: Any, game: Any, finish: Finish, genome: Genome | None = None) -> Any:
    """The player of a network, with the weights of a genome if it is given."""
    network = blueprint.network(game)
    player = PointNetwork(network, blueprint, blueprint.attentive, int(finish))
    if genome is not None:
        wanted = blueprint.units * blueprint.gene(game)
        if genome.shape != (wanted,):
            raise ValueError(f"a genome of {genome.size} weights; expected {wanted}")
        express(network, np.ascontiguousarray(genome, np.float32))
    return player


def unfit_for_points(blueprint: Any, game: Any) -> str | None:
    """Why a network of points cannot play a game, or None."""
    if not hasattr(blueprint, "attentive"):
        return "the network values positions; expected one of points"
    moves, cells = game.limits().moves, game.layout().cells
    if not cells <= moves <= cells + 1:  # one more: a pass
        return f"a network chooses among {cells} cells, but the game has {moves} moves"
    if blueprint.counters and not isinstance(game, Pente):
        return "counters=yes needs a game with captures: Pente"
    return None


@express.implement(PointNetwork)
def _express(player: PointNetwork, genome: Genome) -> None:
    express(player.network, genome)


@begin.implement(PointNetwork)
@borrowing
def _begin(player: PointNetwork, game: Any, memory: PointMemory) -> None:
    forget_board(player, memory)
    memory.notes[VIEWER] = NOBODY_YET
    memory.notes[KEPT] = 0
    memory.notes[LOOKED] = 0


@borrowing
def forget_board(player: PointNetwork, memory: PointMemory) -> None:
    """An empty board, and no past."""
    clear(player.network, memory.trace)
    memory.stones[:] = NONE
    memory.seen[:] = 0
    for cell in range(memory.seen.shape[0]):
        memory.trace.penalties[cell] = _FREE


@choose.implement(PointNetwork)
@borrowing
def _choose(
    player: PointNetwork, game: Any, position: Position, memory: PointMemory, random: Random
) -> int:
    viewer = int(rules.turn(game, position))
    if memory.notes[VIEWER] != viewer:
        meet(player, game, memory, viewer)
    if player.finish != _NO_FINISH:
        move = winning_move(game, position, player.finish >= _ANY_FINISH)
        if move < 0 and player.finish == _GUARD:
            move = guarding_move(game, position)
        if move >= 0:
            return move
    look(player, game, position, memory)
    memory.notes[LOOKED] = 1
    write_outputs(player.network, memory.trace)
    return highest(game, position, memory)


@borrowing
def meet(player: PointNetwork, game: Any, memory: PointMemory, viewer: int) -> None:
    """Learn which seat is its own, and look at what was kept until now."""
    if memory.notes[VIEWER] != NOBODY_YET:
        forget_board(player, memory)
    memory.notes[VIEWER] = viewer
    for i in range(memory.notes[KEPT]):
        look(player, game, memory.kept[i], memory)
    memory.notes[KEPT] = 0


@watch.implement(PointNetwork)
@borrowing
def _watch(
    player: PointNetwork, game: Any, position: Position, move: int, memory: PointMemory
) -> None:
    if not player.attentive:
        return
    if memory.notes[VIEWER] == NOBODY_YET:
        memory.kept[memory.notes[KEPT]] = position
        memory.notes[KEPT] += 1
    elif memory.notes[LOOKED] == 0:
        look(player, game, position, memory)
    memory.notes[LOOKED] = 0


@borrowing
def look(player: PointNetwork, game: Any, position: Position, memory: PointMemory) -> None:
    """Notice what has changed, and activate the network."""
    notice(game, position, player.network, memory)
    write_shares(game, position, memory)
    activate(player.network, memory.trace, memory.shares)


# --- what depends on the kind of game -----------------------------------------


@generic
def notice(game: Any, position: Position, network: Any, memory: PointMemory) -> None:
    """Tell the network of the stones that came or went."""


@notice.default
@borrowing
def _compare_cells(game: Any, position: Position, network: Any, memory: PointMemory) -> None:
    seats, viewer = memory.shares.shape[0], memory.notes[VIEWER]
    rules.cells(game, position, memory.content)
    for cell in range(memory.content.shape[0]):
        now, then = memory.content[cell], memory.seen[cell]
        if now != then:
            if then > 0:
                relative = (then - 1 - viewer + seats) % seats
                add_stone(network, memory.trace, relative, cell, _WENT)
            if now > 0:
                relative = (now - 1 - viewer + seats) % seats
                add_stone(network, memory.trace, relative, cell, _CAME)
            memory.trace.penalties[cell] = _TAKEN if now > 0 else _FREE
            memory.seen[cell] = now


@notice.implement(KInARow)
@notice.implement(Pente)
@borrowing
def _compare_sets(game: Any, position: Position, network: Any, memory: PointMemory) -> None:
    seats, viewer = memory.shares.shape[0], memory.notes[VIEWER]
    columns = position.grid.shape[1]
    for seat in range(seats):
        relative = (seat - viewer + seats) % seats
        for w in range(memory.stones.shape[1]):
            now, then = position.stones[seat, w], memory.stones[seat, w]
            came, went = now & ~then, then & ~now
            memory.stones[seat, w] = now
            while came != NONE:
                index = 64 * w + lowest(came)
                cell = index - index // (columns + 1)
                add_stone(network, memory.trace, relative, cell, _CAME)
                memory.trace.penalties[cell] = _TAKEN
                came = without_lowest(came)
            while went != NONE:
                index = 64 * w + lowest(went)
                cell = index - index // (columns + 1)
                add_stone(network, memory.trace, relative, cell, _WENT)
                memory.trace.penalties[cell] = _FREE
                went = without_lowest(went)


@generic
def write_shares(game: Any, position: Position, memory: PointMemory) -> None:
    """Write how much of a win each seat has captured, the viewer first."""


@write_shares.default
@borrowing
def _no_captures(game: Any, position: Position, memory: PointMemory) -> None:
    pass


@write_shares.implement(Pente)
@borrowing
def _captured(game: Pente, position: Position, memory: PointMemory) -> None:
    seats, viewer = memory.shares.shape[0], memory.notes[VIEWER]
    for seat in range(seats):
        relative = (seat - viewer + seats) % seats
        memory.shares[relative] = np.float32(position.captured[seat]) / np.float32(game.captures)


@generic
def highest(game: Any, position: Position, memory: PointMemory) -> int:
    """The legal move with the highest output; of equals the first."""
    raise NotImplementedError


@highest.default
@borrowing
def _highest_listed(game: Any, position: Position, memory: PointMemory) -> int:
    count = rules.legal_moves(game, position, memory.moves)
    chosen, best = memory.moves[0], _LOWEST
    for i in range(count):
        move = memory.moves[i]
        if move < memory.seen.shape[0] and memory.trace.outputs[move] > best:
            chosen, best = move, memory.trace.outputs[move]
    return chosen


@highest.implement(KInARow)
@highest.implement(Pente)
@borrowing
def _highest_empty(game: Any, position: Position, memory: PointMemory) -> int:
    if is_forced(game, position):
        return _highest_listed(game, position, memory)
    place = highest_place(memory.trace.outputs, memory.trace.penalties)
    if memory.trace.penalties[place] > _FREE:  # no output is a number: weights of strangers
        return _highest_listed(game, position, memory)
    return place
