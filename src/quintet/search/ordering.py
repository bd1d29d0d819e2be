"""The order in which a search tries moves: the sooner the best, the less remains to search."""

from __future__ import annotations

import enum
from typing import Any

from quintet import rules
from quintet.compiled import jit

ORDER = 14  # its place in `counts`: see lookahead.py
_FIRST = 1e18
_KILLER = 1e12
_REPLY = 1e12  # one reply more outweighs all of `history`
_REPLIES_FROM = 2  # plies before the end: nearer to it, counting replies costs more than it saves


class Order(enum.IntEnum):
    """What decides which move is tried first, after the one that was best last time."""

    LISTED = 0  # the number of the move
    HISTORY = 1  # what refuted a neighbour, then what was good most often
    REPLIES = 2  # what leaves the next player the fewest moves


@jit
def rank_moves(
    game: Any, work: Any, ply: int, count: int, mover: int, depth: int, first: int
) -> None:
    """Write a rank for each of the moves listed at a ply; `first` is tried before all others."""
    here = work.plies[ply]
    order = work.counts[ORDER]
    counts_replies = order == Order.REPLIES and depth >= _REPLIES_FROM
    for i in range(count):
        move = here.moves[i]
        rank = float(-i)
        if move == first:
            rank = _FIRST
        elif counts_replies:
            rank = work.history[mover, move] - _REPLY * replies(game, work, ply, move)
        elif order != Order.LISTED:
            rank = work.history[mover, move]
            if move == here.killers[0] or move == here.killers[1]:
                rank += _KILLER
        here.ranks[i] = rank


@jit
def replies(game: Any, work: Any, ply: int, move: int) -> int:
    """How many moves the next player has after this one."""
    after = work.plies[ply + 1]
    after.position = work.plies[ply].position
    rules.play(game, after.position, move)
    return rules.legal_moves(game, after.position, after.moves)


@jit
def next_move(work: Any, ply: int, i: int, count: int) -> int:
    """Bring the highest ranked of the moves from number `i` on to place `i`."""
    ranks, moves = work.plies[ply].ranks, work.plies[ply].moves
    best = i
    for j in range(i + 1, count):
        if ranks[j] > ranks[best]:
            best = j
    move = int(moves[best])
    moves[best], ranks[best] = moves[i], ranks[i]
    moves[i] = move
    return move


@jit
def praise(work: Any, ply: int, mover: int, move: int, depth: int) -> None:
    """Remember a move that made the others of its position superfluous."""
    work.history[mover, move] += float((depth + 1) * (depth + 1))
    here = work.plies[ply]
    if here.killers[0] != move:
        here.killers[1] = here.killers[0]
        here.killers[0] = move
