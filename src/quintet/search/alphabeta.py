"""Alpha-beta for two players.

The value of a position to a seat is its **lead**: its own value less the other's.  So
it is right for scores that do not sum to the same in every game, such as Go's.

The search is a principal variation search: whether a move is better than the best so
far it asks with a window of almost no width first.  It is fail-soft: what it returns
is exact inside the window, a bound outside.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quintet import rules
from quintet.bits import NONE, Word
from quintet.compiled import jit
from quintet.randomness import Random
from quintet.search.evaluation import Values
from quintet.search.lookahead import (
    AGE,
    CHILD,
    GOAL,
    GUESSES,
    STOPPED,
    TO_END,
    WIDTH,
    Goal,
    Work,
    is_leaf,
    must_stop,
    note_line,
    plies_left,
)
from quintet.search.ordering import next_move, praise, rank_moves
from quintet.search.table import EXACT, LOWER, UPPER, Table, answers, find, keep

FOREVER = 127  # the depth of an entry in the table that is true to the end of the game
_TABLE_FROM = 1  # plies before the leaves; nearer to them the table costs more than it saves
_SOLVING_TABLE_FROM = 5  # the same, where the leaves are the ends of games


@jit
def certain_leads(work: Work) -> tuple[float, float]:
    """`certain_values` for two players: what is lost to one is won by the other."""
    if work.counts[GOAL] == Goal.WIN:
        return -1.0, 1.0
    return -np.inf, np.inf


@jit
def lead_after(
    plan: Any,
    game: Any,
    work: Work,
    table: Table,
    random: Random,
    depth: int,
    seat: int,
    alpha: float,
    out: Values,
) -> float:
    """`value_after` for two players."""
    least, beta = certain_leads(work)
    # twice as wide as inside the tree: what is as good as the best is to be exact
    window = min(alpha + 2.0 * WIDTH, beta) if alpha > -np.inf else beta
    alpha = max(alpha, least)  # no value is below the least, so that is exact too
    value = lead(plan, game, work, table, random, CHILD, depth, seat, alpha, window)
    if window <= value < beta and not is_exact(work, depth):
        value = lead(plan, game, work, table, random, CHILD, depth, seat, alpha, beta)
    worth = 0.5 if work.counts[GOAL] == Goal.WIN else 0.5 / work.content.shape[1]
    out[seat] = 0.5 + worth * value
    out[1 - seat] = 0.5 - worth * value
    return value


@jit
def lead(
    plan: Any,
    game: Any,
    work: Work,
    table: Table,
    random: Random,
    ply: int,
    depth: int,
    seat: int,
    alpha: float,
    beta: float,
) -> float:
    """How far `seat` is ahead at this ply if both play well for `depth` plies."""
    if must_stop(work):
        return 0.0
    here, after = work.plies[ply], work.plies[ply + 1]
    if is_leaf(plan, game, work, random, ply, depth):
        return here.values[seat] - here.values[1 - seat]
    mover = int(rules.turn(game, here.position))
    sign = 1.0 if mover == seat else -1.0
    low, high = (alpha, beta) if mover == seat else (-beta, -alpha)
    known, key = recall(game, work, table, ply, depth)
    if known >= 0 and answers(table, known, table_depth(work, depth), low, high):
        if not table[known].certain:
            work.counts[GUESSES] += 1
        return sign * table[known].value
    guesses = work.counts[GUESSES]
    count = rules.distinct_moves(game, here.position, here.moves)
    first = int(table[known].move) if known >= 0 else -1
    rank_moves(game, work, ply, count, mover, depth, first)
    best = -np.inf
    chosen = -1
    for i in range(count):
        move = next_move(work, ply, i, count)
        after.position = here.position
        rules.play(game, after.position, move)
        left = plies_left(game, work, ply, count, depth)
        floor = max(low, best)
        window = high if i == 0 else min(floor + WIDTH, high)
        value = lead(plan, game, work, table, random, ply + 1, left, mover, floor, window)
        if window <= value < high and not is_exact(work, left):
            value = lead(plan, game, work, table, random, ply + 1, left, mover, floor, high)
        if work.counts[STOPPED] != 0:
            return 0.0
        if value > best:
            best, chosen = value, move
            if best > low:
                note_line(work, ply, move)
        if best >= high:
            praise(work, ply, mover, move, depth)
            break
    if uses_table(work, table, depth):
        certain = work.counts[GUESSES] == guesses
        bound = LOWER if best >= high else EXACT if best > low else UPPER
        kept = table_depth(work, depth)
        keep(table, key, work.counts[AGE], kept, best, bound, chosen, certain)
    return sign * best


@jit
def is_exact(work: Work, depth: int) -> bool:
    """Is a value from this depth exact whatever the window was, as it is an estimate?"""
    return depth <= 0 and work.counts[TO_END] == 0


@jit
def uses_table(work: Work, table: Table, depth: int) -> bool:
    """Is a position at this depth worth an entry?"""
    from_depth = _TABLE_FROM if work.counts[TO_END] == 0 else _SOLVING_TABLE_FROM
    return depth >= from_depth and table.shape[0] > 0


@jit
def table_depth(work: Work, depth: int) -> int:
    """The depth under which the table keeps an entry."""
    return FOREVER if work.counts[TO_END] != 0 else depth


@jit
def recall(game: Any, work: Work, table: Table, ply: int, depth: int) -> tuple[int, Word]:
    """Where the table has the position of a ply, or -1; and its key, if the table is used."""
    if not uses_table(work, table, depth):
        return -1, NONE
    key = rules.key(game, work.plies[ply].position)
    return find(table, key, work.counts[AGE]), key
