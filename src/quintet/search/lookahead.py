"""Looking ahead to a depth that grows: what all searches of this kind share.

**Depth** d means: make the move, then d further plies, then evaluate.  Depth 0 is
greedy over the positions after one move.  A pass is a ply like any other, unless a
plan says that a forced pass is free.

A **plan** is a NamedTuple with at least ``eval`` and ``ties`` that implements `value_after`.
  Depth 0 is searched first, then 1 and so on.  That orders the moves well,
answers at any time, takes the quickest win in sight and puts off a certain loss.
"""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import generic, jit
from quintet.randomness import Random, below
from quintet.rules import Position, record
from quintet.search.evaluation import Desk, Values, evaluate, final_values, new_desk
from quintet.search.ordering import ORDER, Order, next_move, rank_moves
from quintet.search.table import Table, new_table

Work = Any  # a record: see work_type

LINE = 64  # moves of a line that are kept
DEEPEST = 120  # plies; no search goes deeper
WIDTH = 1e-9  # of a window that is only to tell more from less
# plies by the type in which recursive functions count them; a literal would be of another
ROOT: Any = np.int64(0)
CHILD: Any = np.int64(1)
NO_MOVE: Any = np.int64(-1)
UNSURE = 1e-6  # no estimate counts as a certain win or loss

# what `counts` holds: first what a search finds,
NODES, GUESSES, FOUND, DEPTH, SOLVED, STOPPED, ANSWERED, CHOSEN = range(8)
# then what it is told.  Another thread may write 1 to `counts[STOP]` to end the search.
LIMIT, STOP, TO_END, GOAL, FREE_PASS, AGE = range(8, 14)  # and ORDER


class Ties(enum.IntEnum):
    """Which of equally good moves is made."""

    RANDOM = 0  # any of them
    FIRST = 1  # the one with the lowest number
    ANY = 2  # the first that was found: spares the search for the others


class Goal(enum.IntEnum):
    """What counts at the end of a game."""

    WIN = 0  # the score
    POINTS = 1  # by how many points


class Lookahead(NamedTuple):
    """The memory of a search."""

    work: NDArray[Any]  # one record
    table: Table


def new_lookahead(game: Any, megabytes: int) -> Lookahead:
    """Memory for any search of this game."""
    memory = Lookahead(np.zeros(1, work_type(game)), new_table(megabytes))
    memory.work[0].range[:] = new_desk(game).range
    return memory


def work_type(game: Any) -> np.dtype[Any]:
    """All a search works with, but for the table.

    One record, not many arrays: a recursive function then passes on one pointer.
    """
    limits, layout = game.limits(), game.layout()
    moves, seats = limits.moves, limits.seats
    ply = record(
        position=game.position_type(),
        moves=(np.int32, (moves,)),
        ranks=(np.float64, (moves,)),
        values=(np.float64, (seats,)),
        killers=(np.int32, (2,)),  # good moves of other positions at this ply
        line=(np.int32, (LINE,)),  # the best from here on
        length=np.int64,  # of that line
    )
    candidate = record(  # a move in the position searched
        lead=np.float64,  # what moves are compared by
        values=(np.float64, (seats,)),
        exact=np.bool_,  # or else the value is only known to be no better
        best=np.bool_,
        tried_values=(np.float64, (seats,)),  # of the depth that is being searched
        tried_exact=np.bool_,
        line=(np.int32, (LINE + 1,)),  # expected after it, then -1
    )
    return record(
        plies=(ply, (min(limits.plies, DEEPEST) + 3,)),
        candidates=(candidate, (moves,)),  # by the number of the move
        listed=(np.int32, (moves,)),  # those that are legal
        history=(np.float64, (seats, moves)),  # how often a move was good
        content=(np.int8, (2, layout.rows * layout.columns)),
        counts=(np.int64, (ORDER + 1,)),
        moves=(np.int32, (moves,)),  # of the desk, as the next two
        trace=(np.int32, (0,)),
        range=(np.float64, (2,)),
    )


@generic
def value_after(
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
    """What the position at ply 1, after a move of `seat`, is worth to it.

    Exact if it is more than `alpha`; else it may be any upper bound up to `alpha`.
    Also writes what is so known of each seat, from 0 to 1, or NaN.
    """
    raise NotImplementedError


@generic
def certain_values(plan: Any, work: Work) -> tuple[float, float]:
    """The values at which nothing is left to find out: a sure loss, and a sure win."""
    raise NotImplementedError


# --- the leaves -----------------------------------------------------------------


@jit
def must_stop(work: Work) -> bool:
    """Count a position; is the time or the number of positions used up?"""
    counts = work.counts
    if counts[STOPPED] != 0:
        return True
    counts[NODES] += 1
    if counts[ANSWERED] != 0 and (counts[STOP] != 0 or counts[NODES] > counts[LIMIT]):
        counts[STOPPED] = 1
    return counts[STOPPED] != 0


@jit
def write_estimate(plan: Any, game: Any, work: Work, random: Random, ply: int) -> None:
    """Write each seat's value of a position that is not over."""
    here = work.plies[ply]
    work.counts[GUESSES] += 1
    desk = Desk(work.moves, work.trace, work.range)
    evaluate(plan.eval, game, here.position, desk, random, here.values)
    for seat in range(here.values.shape[0]):
        here.values[seat] = min(max(here.values[seat], UNSURE), 1.0 - UNSURE)


@jit
def write_outcome(game: Any, work: Work, ply: int) -> None:
    """Write each seat's value, or points if they are the goal, of a position that is over."""
    here = work.plies[ply]
    if work.counts[GOAL] == Goal.POINTS:
        rules.points(game, here.position, here.values)
    else:
        desk = Desk(work.moves, work.trace, work.range)
        final_values(game, here.position, desk, here.values)


@jit
def is_leaf(plan: Any, game: Any, work: Work, random: Random, ply: int, depth: int) -> bool:
    """Does the search end here?  If so, writes the values of the position."""
    work.plies[ply].length = 0
    if rules.is_over(game, work.plies[ply].position):
        write_outcome(game, work, ply)
        return True
    if ply + 2 >= work.plies.shape[0]:  # only where captures make a game very long
        work.counts[STOPPED] = 1
    if depth <= 0 and work.counts[TO_END] == 0:
        write_estimate(plan, game, work, random, ply)
        return True
    return False


@jit
def plies_left(game: Any, work: Work, ply: int, count: int, depth: int) -> int:
    """The depth after a move, one of `count`, from this ply to the next."""
    if work.counts[FREE_PASS] != 0 and count == 1:
        rules.cells(game, work.plies[ply].position, work.content[0])
        rules.cells(game, work.plies[ply + 1].position, work.content[1])
        for cell in range(work.content.shape[1]):
            if work.content[0, cell] != work.content[1, cell]:
                return depth - 1
        return depth
    return depth - 1


@jit
def note_line(work: Work, ply: int, move: int) -> None:
    """The best line from here on is this move, then that of the next ply."""
    here, after = work.plies[ply], work.plies[ply + 1]
    length = min(after.length, LINE - 1)
    here.line[0] = move
    for i in range(length):
        here.line[i + 1] = after.line[i]
    here.length = length + 1


# --- the root -------------------------------------------------------------------


@jit
def prepare(game: Any, position: Position, work: Work, limit: int, order: Order) -> None:
    """Begin to search a position, with at most `limit` nodes (0: any number)."""
    counts = work.counts
    for i in range(LIMIT):
        counts[i] = 0
    counts[DEPTH] = -1
    counts[LIMIT] = limit if limit > 0 else np.iinfo(np.int64).max
    counts[ORDER] = order
    for ply in range(work.plies.shape[0]):
        work.plies[ply].killers[0] = work.plies[ply].killers[1] = -1
    for seat in range(work.history.shape[0]):
        for move in range(work.history.shape[1]):
            work.history[seat, move] = 0.0
    work.plies[0].position = position
    counts[FOUND] = rules.legal_moves(game, position, work.listed)
    for i in range(counts[FOUND]):
        work.candidates[work.listed[i]].best = False


@jit
def empty_cells(game: Any, work: Work) -> int:
    """How many cells are empty in the position searched."""
    rules.cells(game, work.plies[0].position, work.content[0])
    count = 0
    for cell in range(work.content.shape[1]):
        if work.content[0, cell] == 0:
            count += 1
    return count


@jit
def deepen(plan: Any, game: Any, work: Work, table: Table, random: Random, deepest: int) -> None:
    """Search depth 0, 1 and so on, until `deepest`, certainty or a stop.

    Depth 0 is always searched to its end, so that there is an answer.
    """
    counts = work.counts
    for depth in range(deepest + 1):
        if counts[SOLVED] == 0 and counts[STOPPED] == 0:
            search_root(plan, game, work, table, random, depth)
            counts[ANSWERED] = 1


@jit
def search_root(plan: Any, game: Any, work: Work, table: Table, random: Random, depth: int) -> None:
    """Search all moves to one depth; if stopped, what was known before stays."""
    counts = work.counts
    guesses = counts[GUESSES]
    order_root(game, work, depth)
    best = -np.inf
    first = -1
    for i in range(counts[FOUND]):
        move = next_move(work, ROOT, i, counts[FOUND])
        alpha = best - WIDTH  # what is as good must be known exactly
        if plan.ties == Ties.ANY or (plan.ties == Ties.FIRST and move > first):
            alpha = best
        value = try_move(plan, game, work, table, random, depth, move, alpha)
        if counts[STOPPED] != 0:
            return
        if value > best or (value == best and work.candidates[move].tried_exact):
            first = move if value > best else min(first, move)
            best = value
    low, high = certain_values(plan, work)
    adopt(work, best, best > low)
    counts[DEPTH] = depth
    if counts[GUESSES] == guesses or best <= low or best >= high:
        counts[SOLVED] = 1


@jit
def order_root(game: Any, work: Work, depth: int) -> None:
    """Rank the moves by what the last depth found, if there was one."""
    root = work.plies[0]
    found = work.counts[FOUND]
    for i in range(found):
        root.moves[i] = work.listed[i]
    if work.counts[DEPTH] < 0:
        mover = int(rules.turn(game, root.position))
        rank_moves(game, work, ROOT, found, mover, depth, NO_MOVE)
    else:
        for i in range(found):
            candidate = work.candidates[work.listed[i]]
            root.ranks[i] = candidate.lead + (1e6 if candidate.best else 0.0)


@jit
def try_move(
    plan: Any,
    game: Any,
    work: Work,
    table: Table,
    random: Random,
    depth: int,
    move: int,
    alpha: float,
) -> float:
    """Search one move, and note what is found."""
    root, after = work.plies[0], work.plies[1]
    after.position = root.position
    rules.play(game, after.position, move)
    candidate = work.candidates[move]
    seat = int(rules.turn(game, root.position))
    out = candidate.tried_values
    value = value_after(plan, game, work, table, random, depth, seat, alpha, out)
    candidate.lead = value
    candidate.tried_exact = value > alpha
    length = after.length
    for i in range(length):
        candidate.line[i] = after.line[i]
    candidate.line[length] = -1
    return value


@jit
def adopt(work: Work, best: float, choose_anew: bool) -> None:
    """Take over what a depth found; where all is lost, the last choice lasts longest."""
    choose_anew = choose_anew or work.counts[DEPTH] < 0
    for i in range(work.counts[FOUND]):
        candidate = work.candidates[work.listed[i]]
        for seat in range(candidate.values.shape[0]):
            candidate.values[seat] = candidate.tried_values[seat]
        candidate.exact = candidate.tried_exact
        if choose_anew:
            candidate.best = candidate.exact and candidate.lead == best


@jit
def pick(plan: Any, work: Work, random: Random) -> int:
    """One of the best moves."""
    found = work.counts[FOUND]
    count = 0
    for i in range(found):
        if work.candidates[work.listed[i]].best:
            count += 1
    skipped = below(random, count) if plan.ties == Ties.RANDOM else 0
    for i in range(found):
        move = work.listed[i]
        if work.candidates[move].best:
            if skipped == 0:
                work.counts[CHOSEN] = move
            skipped -= 1
    return work.counts[CHOSEN]


def best_moves(work: Work) -> list[int]:
    """The moves that are the best or as good, in ascending order."""
    listed = work.listed[: work.counts[FOUND]]
    return [int(move) for move in listed if work.candidates[move].best]


def line_after(work: Work, move: int) -> list[int]:
    """A move and what is expected after it."""
    line = [int(one) for one in work.candidates[move].line]
    return [move, *line[: line.index(-1)]]
