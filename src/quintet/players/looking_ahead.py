"""What the players share that look ahead a number of plies.

Depth d means: make the move, then d further plies, then evaluate; so depth 0 takes the
move after which the position looks best.  (Some count the own move: their depth is one
more.)  A forced pass costs a ply, unless ``free_pass=yes``.

With a deterministic evaluation the move chosen has exactly the value of plain minimax
to this depth; the transposition table and the order of moves only save time.  Of the
moves that win for sure one of the quickest is chosen, and where all moves lose, one that
lasts longest among them.
"""

from __future__ import annotations

import threading
from typing import Annotated, Any

from quintet import rules
from quintet.compiled import jit
from quintet.parameters import Between
from quintet.players.evaluations import EVALUATION
from quintet.players.player import Thoughts, choose
from quintet.randomness import Random
from quintet.rules import Position
from quintet.search.lookahead import (
    CHOSEN,
    DEEPEST,
    DEPTH,
    FOUND,
    NODES,
    SOLVED,
    STOP,
    Lookahead,
    Ties,
    deepen,
    line_after,
    pick,
    prepare,
)
from quintet.search.ordering import Order

AS_BUDGETED = -1
_USUAL_DEPTH = 3

Depth = Annotated[int, Between(-1, 100), "plies after the move; -1: 3, or what the budget allows"]
Nodes = Annotated[int, Between(0, 10**12), "positions to look at, at most; 0: no limit"]
Seconds = Annotated[float, Between(0.0, 10**6), "time to think, at most; 0: no limit"]
Eval = Annotated[Any, EVALUATION, "what a position is worth"]
TiesOfMoves = Annotated[Ties, "which of equally good moves is made"]
OrderOfMoves = Annotated[Order, "which moves are tried first"]


@jit
def choose_by_depth(
    player: Any, game: Any, position: Position, memory: Lookahead, random: Random, order: Order
) -> int:
    """Search to the player's depth, and pick one of the best moves."""
    work = memory.work[0]
    prepare(game, position, work, player.nodes, order)
    deepen(player, game, work, memory.table, random, deepest_for(player))
    return pick(player, work, random)


@jit
def deepest_for(player: Any) -> int:
    """How deep a player looks at most."""
    if player.depth != AS_BUDGETED:
        return player.depth
    return DEEPEST if player.nodes > 0 or player.seconds > 0 else _USUAL_DEPTH


def against_the_clock(
    player: Any, game: Any, position: Position, memory: Lookahead, random: Random
) -> int:
    """Choose, and end the search when its time is over."""
    counts = memory.work[0].counts
    counts[STOP] = 0  # it may have been said to a thought that had just ended
    clock = threading.Timer(player.seconds, counts.__setitem__, (STOP, 1))
    clock.daemon = True
    clock.start()
    try:
        return int(choose(player, game, position, memory, random))
    finally:
        clock.cancel()
        clock.join()
        counts[STOP] = 0


def stop(memory: Lookahead) -> None:
    """End a search that has a clock, and that another thread is in."""
    memory.work[0].counts[STOP] = 1


def thoughts_of(game: Any, position: Position, memory: Lookahead) -> Thoughts:
    """What the last search found.

    A move is worth its values; where `visits` is 0 instead of 1, the mover's value is
    only known to be no better.  What is not known of a seat is NaN.
    """
    work = memory.work[0]
    seat = int(rules.turn(game, position))
    moves = [int(move) for move in work.listed[: work.counts[FOUND]]]
    found = {move: work.candidates[move] for move in moves}
    chosen = int(work.counts[CHOSEN])
    moves.sort(key=lambda m: (m != chosen, not found[m].exact, -found[m].values[seat]))
    return Thoughts(
        moves,
        [int(found[move].exact) for move in moves],
        [[float(value) for value in found[move].values] for move in moves],
        line_after(work, chosen),
        int(work.counts[NODES]),
        int(work.counts[DEPTH]),
        bool(work.counts[SOLVED]),
        lines=[line_after(work, move) for move in moves],
    )
