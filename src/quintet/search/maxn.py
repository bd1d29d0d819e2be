"""Searches for any number of seats: max^n, paranoid and best reply.

- **max^n** (Luckhardt and Irani 1986): every seat takes the move best for itself; of
  moves as good for it, the one with the lowest number.
- **paranoid** (Sturtevant and Korf 2000): all others play to make the seat's value small.
- **best reply** (Schadd and Winands 2011): between two moves of the seat only one of
  the others moves, the one who can harm it most; the rest sit still.  So a ply is a
  move of the seat, or one reply.

Paranoid and best reply compare one number, the seat's own value, and so can prune like
alpha-beta.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quintet import rules
from quintet.compiled import generic, jit
from quintet.randomness import Random
from quintet.rules import Position
from quintet.search.evaluation import Values
from quintet.search.lookahead import (
    STOPPED,
    Work,
    is_leaf,
    must_stop,
    note_line,
    plies_left,
)
from quintet.search.ordering import next_move, praise, rank_moves

WON = 1.0  # the highest value, and with WON alone nothing is left to find out:
CERTAIN = (-np.inf, WON)  # who has lost for sure may still decide who wins


@jit
def foresee(plan: Any, game: Any, work: Work, random: Random, ply: int, depth: int) -> float:
    """Write each seat's value at this ply if all play by max^n for `depth` plies.

    Returns that of the seat to move.
    """
    if must_stop(work):
        return 0.0
    here, after = work.plies[ply], work.plies[ply + 1]
    mover = int(rules.turn(game, here.position))
    if is_leaf(plan, game, work, random, ply, depth):
        return here.values[mover]
    count = rules.legal_moves(game, here.position, here.moves)
    best = -np.inf
    for i in range(count):
        after.position = here.position
        rules.play(game, after.position, here.moves[i])
        left = plies_left(game, work, ply, count, depth)
        foresee(plan, game, work, random, ply + 1, left)
        if work.counts[STOPPED] != 0:
            return 0.0
        if after.values[mover] > best:
            best = after.values[mover]
            here.values[:] = after.values
            note_line(work, ply, int(here.moves[i]))
        if best >= WON:
            break
    return best


@generic
def repliers(plan: Any, seats: int) -> int:
    """How many of the others may move after the seat: the next one, or any of them."""
    raise NotImplementedError


@repliers.default
def _the_next(plan: Any, seats: int) -> int:
    return 1


@generic
def hand_turn(plan: Any, position: Position, seat: int) -> None:
    """Let a seat move that is not the next, if the plan wants that."""


@hand_turn.default
def _keep_turns(plan: Any, position: Position, seat: int) -> None:
    pass


@jit
def sure_value(
    plan: Any,
    game: Any,
    work: Work,
    random: Random,
    ply: int,
    depth: int,
    seat: int,
    alpha: float,
    beta: float,
) -> float:
    """What `seat` is sure of at this ply if all others are against it for `depth` plies."""
    if must_stop(work):
        return 0.0
    here, after = work.plies[ply], work.plies[ply + 1]
    if is_leaf(plan, game, work, random, ply, depth):
        return here.values[seat]
    seats = here.values.shape[0]
    is_own = rules.turn(game, here.position) == seat
    sign = 1.0 if is_own else -1.0
    low, high = (alpha, beta) if is_own else (-beta, -alpha)
    best = -np.inf
    for step in range(1 if is_own else repliers(plan, seats)):
        if not is_own:
            hand_turn(plan, here.position, (seat + 1 + step) % seats)
        mover = int(rules.turn(game, here.position))
        count = rules.legal_moves(game, here.position, here.moves)
        rank_moves(game, work, ply, count, mover, depth, -1)
        for i in range(count):
            move = next_move(work, ply, i, count)
            after.position = here.position
            rules.play(game, after.position, move)
            if not is_own:
                hand_turn(plan, after.position, seat)
            left = plies_left(game, work, ply, count, depth)
            floor = max(low, best)
            lower, upper = (floor, high) if is_own else (-high, -floor)
            value = sure_value(plan, game, work, random, ply + 1, left, seat, lower, upper)
            if work.counts[STOPPED] != 0:
                return 0.0
            if sign * value > best:
                best = sign * value
                note_line(work, ply, move)
            if best >= high:
                praise(work, ply, mover, move, depth)
                return sign * best
    return sign * best


@jit
def sure_value_after(
    plan: Any,
    game: Any,
    work: Work,
    random: Random,
    depth: int,
    seat: int,
    alpha: float,
    out: Values,
) -> float:
    """`value_after` for paranoid and best reply: of the others nothing is known."""
    ply = np.int64(1)
    # no value is below 0, so one of 0 is exact
    value = sure_value(plan, game, work, random, ply, depth, seat, max(alpha, 0.0), WON)
    out[:] = np.nan
    out[seat] = value
    return value
