"""The searches by their definitions: no pruning, no table, no order of moves.

Plain recursion over the rules, compiled only so that thousands of positions take
seconds.  Nothing is imported from the searches but `evaluate`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.search.evaluation import evaluate, final_values, new_desk

LEAD, MAXN, PARANOID, BEST_REPLY = range(4)


class Room(NamedTuple):
    """A position, its moves and its values for each ply."""

    positions: Any
    moves: NDArray[np.int32]
    values: NDArray[np.float64]
    desk: Any


def new_room(game: Any, depth: int) -> Room:
    """Room for a search to this depth."""
    limits = game.limits()
    return Room(
        np.zeros(depth + 3, game.position_type()),
        np.zeros((depth + 3, limits.moves), np.int32),
        np.zeros((depth + 3, limits.seats)),
        new_desk(game),
    )


def move_values(
    kind: int, evaluation: Any, game: Any, position: Any, depth: int, random: Any
) -> dict[int, list[float]]:
    """What each move is worth: the mover's number, or a vector for max^n."""
    room = new_room(game, depth)
    seat = int(rules.turn(game, position))
    found = {}
    for move in rules.list_legal_moves(game, position):
        room.positions[1] = position
        rules.play(game, room.positions[1], move)
        args = (evaluation, game, room, random, 1, depth, seat)
        if kind == MAXN:
            maxn(*args)
            found[move] = [float(value) for value in room.values[1]]
        elif kind == LEAD:
            found[move] = [float(lead(*args))]
        else:
            found[move] = [float(paranoid(*args, kind == BEST_REPLY))]
    return found


@jit
def is_leaf(evaluation: Any, game: Any, room: Room, random: Any, ply: int, depth: int) -> bool:
    """Is the game over, or the depth reached?  Writes the values if so."""
    position = room.positions[ply]
    if rules.is_over(game, position):
        final_values(game, position, room.desk, room.values[ply])
        return True
    if depth == 0:
        evaluate(evaluation, game, position, room.desk, random, room.values[ply])
        return True
    return False


@jit
def lead(
    evaluation: Any, game: Any, room: Room, random: Any, ply: int, depth: int, seat: int
) -> float:
    """Minimax on the difference of the two seats' values."""
    if is_leaf(evaluation, game, room, random, ply, depth):
        return room.values[ply, seat] - room.values[ply, 1 - seat]
    is_own = rules.turn(game, room.positions[ply]) == seat
    best = -np.inf if is_own else np.inf
    for i in range(rules.legal_moves(game, room.positions[ply], room.moves[ply])):
        room.positions[ply + 1] = room.positions[ply]
        rules.play(game, room.positions[ply + 1], room.moves[ply, i])
        value = lead(evaluation, game, room, random, ply + 1, depth - 1, seat)
        best = max(best, value) if is_own else min(best, value)
    return best


@jit
def maxn(
    evaluation: Any, game: Any, room: Room, random: Any, ply: int, depth: int, seat: int
) -> int:
    """Write the values if each seat takes the first of the moves best for it."""
    if is_leaf(evaluation, game, room, random, ply, depth):
        return 0
    mover = rules.turn(game, room.positions[ply])
    best = -1.0
    for i in range(rules.legal_moves(game, room.positions[ply], room.moves[ply])):
        room.positions[ply + 1] = room.positions[ply]
        rules.play(game, room.positions[ply + 1], room.moves[ply, i])
        maxn(evaluation, game, room, random, ply + 1, depth - 1, seat)
        if room.values[ply + 1, mover] > best:
            best = room.values[ply + 1, mover]
            room.values[ply] = room.values[ply + 1]
    return 0


@jit
def paranoid(
    evaluation: Any,
    game: Any,
    room: Room,
    random: Any,
    ply: int,
    depth: int,
    seat: int,
    one_reply: bool,
) -> float:
    """Minimax of one seat against all others, who move all or one of them."""
    if is_leaf(evaluation, game, room, random, ply, depth):
        return room.values[ply, seat]
    turn = int(rules.turn(game, room.positions[ply]))
    best = -np.inf if turn == seat else np.inf
    for mover in range(room.values.shape[1]):
        if mover != turn and (seat in (turn, mover) or not one_reply):
            continue
        if one_reply:
            room.positions[ply].turn = mover
        for i in range(rules.legal_moves(game, room.positions[ply], room.moves[ply])):
            room.positions[ply + 1] = room.positions[ply]
            rules.play(game, room.positions[ply + 1], room.moves[ply, i])
            if one_reply and mover != seat:
                room.positions[ply + 1].turn = seat
            value = paranoid(evaluation, game, room, random, ply + 1, depth - 1, seat, one_reply)
            best = max(best, value) if mover == seat else min(best, value)
    return best
