"""Iagno 2.22, restated from a description of it in words (001.4).

It plays its first moves at random, then searches a few plies, and solves the end
of the game: at first for a win only, then for the most discs.  The search is a
fail-hard alpha-beta: of the moves with the best value it keeps the one that was
tried first, which is the one that leaves the other the fewest moves, and among
those the first on the board.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.bits import NONE, Word, bit, count, lowest, without_lowest
from quintet.compiled import jit
from quintet.games.othello import PASSING, board, cell_of, enclosed, places_for
from quintet.parameters import Between
from quintet.players.othello import iagno_worth, mobility, unless_othello
from quintet.players.player import choose
from quintet.randomness import Random, below
from quintet.rules import Position

RANDOM_MOVES = 4  # of both seats together: on 8 x 8 while more than 56 cells are empty
_WIN = 100  # on top of the discs ahead
_WIPE_OUT = 10_000
_MOST_MOVES = 64  # no position has as many
_NO_MOVE = -1
_UNSORTED = 3  # this close to the leaves, sorting takes longer than it spares

# No literals: what calls itself is compiled for one type of number only.
_FIRST_PLY: int = np.int64(1)  # type: ignore[assignment]
_BEYOND: int = np.int64(20_000)  # type: ignore[assignment]  # more than any value
_DRAW: int = np.int64(0)  # type: ignore[assignment]
_ANY_WIN: int = np.int64(1)  # type: ignore[assignment]


class IagnoMemory(NamedTuple):
    """For each ply the positions after its moves, the first to be tried first."""

    own: NDArray[np.uint64]  # the discs of who is to move then
    other: NDArray[np.uint64]
    moves: NDArray[np.int64]  # the cell of each move, as a bit
    replies: NDArray[np.int64]  # how many moves it leaves the other


class IagnoPlayer(NamedTuple):
    """Iagno's phases, search and evaluation."""

    level: Annotated[int, Between(1, 3), "the higher, the earlier and deeper it looks"] = 3
    depth: Annotated[int, Between(-1, 20), "plies looked ahead after the move; -1: by level"] = -1

    def memory(self, game: Any) -> IagnoMemory:
        """Room for the moves of each ply."""
        shape = (game.size * game.size, _MOST_MOVES)
        return IagnoMemory(
            np.zeros(shape, np.uint64),
            np.zeros(shape, np.uint64),
            np.zeros(shape, np.int64),
            np.zeros(shape, np.int64),
        )

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return unless_othello(game)


@choose.implement(IagnoPlayer)
def _choose_as_iagno(
    player: IagnoPlayer, game: Any, position: Position, memory: IagnoMemory, random: Random
) -> int:
    size = position.grid.shape[0]
    if position.state == PASSING:
        return size * size
    empty = size * size - count(position.own | position.other)
    listed = list_moves(memory, 0, position.own, position.other, position.places)
    if empty > size * size - 4 - RANDOM_MOVES:
        chosen = below(random, listed)
    else:
        sort_moves(memory, 0, listed, size)
        chosen = searched(memory, size, listed, empty, offset(player), plies(player))
    return cell_of(memory.moves[0, chosen], size)


@jit
def offset(player: IagnoPlayer) -> int:
    """By how much a level looks less far than the program could: 6, 4 or 2."""
    return 8 - 2 * player.level


@jit
def plies(player: IagnoPlayer) -> int:
    """How deep the normal search of a level goes, the move itself included."""
    return player.depth + 1 if player.depth >= 0 else 7 - offset(player)


@jit
def searched(
    memory: IagnoMemory, size: int, listed: int, empty: int, offset: int, plies: int
) -> int:
    """The number of the best of the moves listed for ply 0."""
    if empty <= 17 - offset:  # as many discs as can be
        return best(memory, size, listed, empty, -_BEYOND, _BEYOND)
    if empty <= 19 - offset:  # any win
        winning = best(memory, size, listed, empty, _DRAW, _ANY_WIN)
        if winning != _NO_MOVE:
            return winning
    return best(memory, size, listed, plies, -_BEYOND, _BEYOND)


@jit
def best(memory: IagnoMemory, size: int, listed: int, depth: int, alpha: int, beta: int) -> int:
    """The first of the best moves; none where all are worth no more than `alpha`."""
    found = _NO_MOVE
    for i in range(listed):
        own, other = memory.own[0, i], memory.other[0, i]
        worth = -value(memory, size, own, other, _FIRST_PLY, depth - 1, -beta, -alpha)
        if worth > alpha:
            alpha, found = worth, i
        if alpha >= beta:
            break
    return found


@jit
def value(
    memory: IagnoMemory,
    size: int,
    own: Word,
    other: Word,
    ply: int,
    depth: int,
    alpha: int,
    beta: int,
) -> int:
    """What a position is worth to the mover, from `alpha` to `beta`."""
    places = places_for(own, other) & board(size)
    if places == NONE:
        if mobility(other, own, size) == 0:
            return within(final_worth(own, other), alpha, beta)
        return -value(memory, size, other, own, ply, depth, -beta, -alpha)  # costs no depth
    if depth == 0:
        moves = count(places) - mobility(other, own, size)
        return within(moves + iagno_worth(own, other, size), alpha, beta)
    listed = list_moves(memory, ply, own, other, places)
    if depth > _UNSORTED:
        sort_moves(memory, ply, listed, size)
    for i in range(listed):
        next_own, next_other = memory.own[ply, i], memory.other[ply, i]
        worth = -value(memory, size, next_own, next_other, ply + 1, depth - 1, -beta, -alpha)
        if worth >= beta:
            return beta
        alpha = max(alpha, worth)
    return alpha


@jit
def within(worth: int, alpha: int, beta: int) -> int:
    """The nearest number from `alpha` to `beta`."""
    return max(alpha, min(beta, worth))


@jit
def final_worth(own: Word, other: Word) -> int:
    """What the end of a game is worth."""
    lead = count(own) - count(other)
    if lead == 0:
        return 0
    sign = 1 if lead > 0 else -1
    if count(own | other) == abs(lead):
        return sign * _WIPE_OUT
    return lead + sign * _WIN


@jit
def list_moves(memory: IagnoMemory, ply: int, own: Word, other: Word, places: Word) -> int:
    """Write the positions after a disc on each of the places; returns how many."""
    listed = 0
    while places != NONE:
        index = lowest(places)
        turned = enclosed(own, other, bit(index))
        memory.own[ply, listed] = other & ~turned
        memory.other[ply, listed] = own | turned | bit(index)
        memory.moves[ply, listed] = index
        places = without_lowest(places)
        listed += 1
    return listed


@jit
def sort_moves(memory: IagnoMemory, ply: int, listed: int, size: int) -> None:
    """Bring moves that leave few replies to the front; equal ones keep their order."""
    for i in range(listed):
        memory.replies[ply, i] = mobility(memory.own[ply, i], memory.other[ply, i], size)
        for j in range(i, 0, -1):
            if memory.replies[ply, j - 1] <= memory.replies[ply, j]:
                break
            swap(memory, ply, j)


@jit
def swap(memory: IagnoMemory, ply: int, j: int) -> None:
    """Exchange a move with the one before it."""
    for lines in (memory.own, memory.other):
        lines[ply, j - 1], lines[ply, j] = lines[ply, j], lines[ply, j - 1]
    for numbers in (memory.moves, memory.replies):
        numbers[ply, j - 1], numbers[ply, j] = numbers[ply, j], numbers[ply, j - 1]
