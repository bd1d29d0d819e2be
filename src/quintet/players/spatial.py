"""The players of a network that looks through windows (nets/spatial.py).

Without looking ahead, `SpatialPlayer` takes the move after which the position is worth
most to it; the first layer's sums of all positions that can follow come from those of the
position as it is.  `SpatialValue` is the same network as an evaluation, for searches.

What ends the game counts for what it is: above, between or below all else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import NONE, Word, lowest, without_lowest
from quintet.compiled import borrowing, generic, jit
from quintet.games.othello import Othello, cell_of
from quintet.nets.genomes import Genome, express
from quintet.nets.spatial import (
    STONE,
    Network,
    Spatial,
    add_stone,
    answer,
    new_room,
    squashed_finely,
    write_sums,
)
from quintet.players.alphabeta import AlphaBeta
from quintet.players.player import begin, choose
from quintet.randomness import Random, below
from quintet.rules import Cells, Moves, Position, Positions, Scores
from quintet.search.evaluation import Desk, Values, evaluate
from quintet.search.lookahead import Lookahead

_ONE = np.float32(1.0)
_HIGHEST = 1e300  # what a won game is worth; a lost one this much below 0


class SpatialMemory(NamedTuple):
    """Room to value every position after a move."""

    room: NDArray[Any]  # one record
    moves: Moves
    following: Positions  # one
    before: Cells
    after: Cells
    scores: Scores


class SpatialPlayer(NamedTuple):
    """Takes the move after which the position is worth most."""

    network: Network

    def memory(self, game: Any) -> SpatialMemory:
        """Room to value every position after a move."""
        cells = game.layout().cells
        return SpatialMemory(
            new_room(self.network),
            rules.move_buffer(game),
            rules.new_positions(game, 1),
            np.zeros(cells, np.int8),
            np.zeros(cells, np.int8),
            np.zeros(game.limits().seats),
        )


class SpatialValue(NamedTuple):
    """What the network makes of a position: for searches."""

    network: Network
    blank: NDArray[Any]  # room to work in, for copies: several threads may ask at once


def value_by(network: Network) -> SpatialValue:
    """The evaluation by a network."""
    return SpatialValue(network, new_room(network))


class SpatialSearch(NamedTuple):
    """Looks ahead by alpha-beta, with the network as the evaluation."""

    network: Network
    plan: AlphaBeta

    def memory(self, game: Any) -> Lookahead:
        """Of the search."""
        return self.plan.memory(game)


def spatial_player(net: Spatial, game: Any, depth: int = 0, genome: Genome | None = None) -> Any:
    """The player of a network that looks so many plies ahead, after its move."""
    network = net.network(game)
    if genome is not None:
        express_checked(net, game, network, genome)
    if depth == 0:
        return SpatialPlayer(network)
    # so near to the leaves a table costs more than it saves
    return SpatialSearch(network, AlphaBeta(depth, value_by(network), table=0))


def spatial_value(net: Spatial, game: Any, genome: Genome) -> SpatialValue:
    """The evaluation of a network."""
    network = net.network(game)
    express_checked(net, game, network, genome)
    return value_by(network)


def express_checked(net: Spatial, game: Any, network: Network, genome: Genome) -> None:
    """Write a genome into a network, if it is one."""
    wanted = net.gene(game)
    if genome.shape != (wanted,):
        raise ValueError(f"a genome of {genome.size} weights; expected {wanted}")
    express(network, np.ascontiguousarray(genome, np.float32))


def unfit_for_windows(net: Spatial, game: Any) -> str | None:
    """Why a network of windows cannot play a game, or None."""
    if game.limits().seats != 2:
        return "a network of windows tells two players apart"
    return None


# --- compiled -------------------------------------------------------------------


@express.implement(SpatialPlayer)
@borrowing
def _express_player(player: SpatialPlayer, genome: Genome) -> None:
    express(player.network, genome)


@express.implement(SpatialSearch)
@borrowing
def _express_search(player: SpatialSearch, genome: Genome) -> None:
    express(player.network, genome)


@begin.implement(SpatialSearch)
def _begin(player: SpatialSearch, game: Any, memory: Lookahead) -> None:
    begin(player.plan, game, memory)


@choose.implement(SpatialSearch)
def _choose_by_search(
    player: SpatialSearch, game: Any, position: Position, memory: Lookahead, random: Random
) -> int:
    return choose(player.plan, game, position, memory, random)


@choose.implement(SpatialPlayer)
def _choose_the_best(
    player: SpatialPlayer, game: Any, position: Position, memory: SpatialMemory, random: Random
) -> int:
    mover = int(rules.turn(game, position))
    room = memory.room[0]
    look(game, position, player.network, room.base, memory.before)
    best, equals, chosen = -np.inf, 0, -1
    for i in range(rules.distinct_moves(game, position, memory.moves)):
        move = memory.moves[i]
        worth = worth_of(player.network, game, position, move, mover, memory)
        if worth > best:
            best, equals, chosen = worth, 1, move
        elif worth == best:
            equals += 1
            if below(random, equals) == 0:  # each of the best is as likely
                chosen = move
    return chosen


@jit
def worth_of(
    network: Network, game: Any, position: Position, move: int, mover: int, memory: SpatialMemory
) -> float:
    """What a move is worth to the mover: the output of the network, before its tanh."""
    room, after = memory.room[0], memory.following[0]
    memory.following[0] = position
    rules.play(game, after, move)
    if rules.is_over(game, after):
        return outcome(game, after, mover, memory.scores)
    for i in range(room.sums.shape[0]):
        room.sums[i] = room.base[i]
    add_changes(game, position, after, network, room.sums, memory)
    return answer_to(network, room, mover)


@borrowing
def outcome(game: Any, position: Position, mover: int, scores: Scores) -> float:
    """What a finished game is worth to a seat, beside answers of a network."""
    rules.scores(game, position, scores)
    if scores[mover] == scores[1 - mover]:
        return 0.0
    return _HIGHEST if scores[mover] > scores[1 - mover] else -_HIGHEST


@borrowing
def answer_to(network: Network, room: Any, seat: int) -> float:
    """The answer for the sums in a room, as it is good for a seat that has just moved."""
    sign = -_ONE if network.own and seat == 0 else _ONE
    found = answer(network.weights[0], room, network.gain, sign)
    return -found if seat == 0 and not network.own else found


@evaluate.implement(SpatialValue)
def _evaluate(
    evaluation: SpatialValue, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    network = evaluation.network
    room = np.empty_like(evaluation.blank)
    content = np.empty(network.weights[0].sizes.shape[0], np.int8)
    look(game, position, network, room[0].sums, content)
    seat = 1 - int(rules.turn(game, position))  # which has just moved
    value = 0.5 + 0.5 * squashed_finely(network.gain * answer_to(network, room[0], seat))
    out[seat] = value
    out[1 - seat] = 1.0 - value
    return 0


# --- what depends on the kind of game -------------------------------------------


@generic
def look(game: Any, position: Position, network: Network, sums: Any, content: Cells) -> None:
    """Write the sums of the first layer for a position."""


@look.default
@borrowing
def _look_at_cells(
    game: Any, position: Position, network: Network, sums: Any, content: Cells
) -> None:
    rules.cells(game, position, content)
    write_sums(network, content, sums)


@look.implement(Othello)
@borrowing
def _look_at_discs(
    game: Othello, position: Position, network: Network, sums: Any, content: Cells
) -> None:
    for i in range(sums.shape[0]):
        sums[i] = np.float32(0.0)
    mover = position.turn
    add_discs(position, position.own, network, sums, STONE[mover + 1])
    add_discs(position, position.other, network, sums, STONE[2 - mover])


@borrowing
def add_discs(
    position: Position, discs: Word, network: Network, sums: Any, worth: np.float32
) -> None:
    """Add the discs of a set to the sums."""
    while discs != NONE:
        add_stone(network, sums, cell_of(lowest(discs), position.grid.shape[0]), worth)
        discs = without_lowest(discs)


@generic
def add_changes(
    game: Any, before: Position, after: Position, network: Network, sums: Any, memory: SpatialMemory
) -> None:
    """Change the sums as a move has changed the board; `look` has seen the one before."""


@add_changes.default
@borrowing
def _compare_cells(
    game: Any, before: Position, after: Position, network: Network, sums: Any, memory: SpatialMemory
) -> None:
    rules.cells(game, after, memory.after)
    for cell in range(memory.after.shape[0]):
        now, then = memory.after[cell], memory.before[cell]
        if now != then:
            add_stone(network, sums, cell, STONE[now] - STONE[then])


@add_changes.implement(Othello)
@borrowing
def _compare_discs(
    game: Othello,
    before: Position,
    after: Position,
    network: Network,
    sums: Any,
    memory: SpatialMemory,
) -> None:
    worth = STONE[before.turn + 1]
    came = after.other & ~before.own  # the mover's: the other is to move now
    turned = came & before.other
    add_discs(before, came, network, sums, worth)
    add_discs(before, turned, network, sums, worth)
