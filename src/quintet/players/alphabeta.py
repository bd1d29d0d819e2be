"""Alpha-beta: the player for two-player games that looks ahead; see looking_ahead.py."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from quintet.parameters import Between
from quintet.players.looking_ahead import (
    AS_BUDGETED,
    Depth,
    Eval,
    Nodes,
    OrderOfMoves,
    Seconds,
    TiesOfMoves,
    against_the_clock,
    deepest_for,
    stop,
    thoughts_of,
)
from quintet.players.player import Thoughts, begin, choose
from quintet.randomness import Random
from quintet.rules import Position
from quintet.search.alphabeta import certain_leads, lead_after
from quintet.search.evaluation import Lead, Values
from quintet.search.lookahead import (
    AGE,
    FREE_PASS,
    SOLVED,
    STOPPED,
    Goal,
    Lookahead,
    Ties,
    Work,
    certain_values,
    deepen,
    empty_cells,
    new_lookahead,
    pick,
    prepare,
    value_after,
)
from quintet.search.ordering import Order
from quintet.search.solving import solve_root
from quintet.search.table import Table, forget, key_tells_all

_BEFORE_SOLVING = 3  # depth of the search that answers if solving is stopped


class AlphaBeta(NamedTuple):
    """Looks a number of plies ahead, for two players."""

    depth: Depth = AS_BUDGETED
    eval: Eval = Lead()
    nodes: Nodes = 0
    seconds: Seconds = 0.0
    order: OrderOfMoves = Order.HISTORY
    ties: TiesOfMoves = Ties.RANDOM
    table: Annotated[int, Between(0, 65536), "megabytes for the transposition table"] = 16
    endgame: Annotated[int, Between(0, 60), "solve from this many empty cells on"] = 0
    goal: Annotated[Goal, "what counts where it solves"] = Goal.WIN
    free_pass: Annotated[bool, "a forced pass costs no ply"] = False

    def unfit(self, game: Any) -> str | None:
        """It is for two players."""
        return None if game.limits().seats == 2 else "alphabeta needs two players"

    def memory(self, game: Any) -> Lookahead:
        """The stack and the table; none where keys do not tell positions apart."""
        return new_lookahead(game, self.table if key_tells_all(game) else 0)

    def needs_python(self) -> bool:
        """Only a clock does."""
        return self.seconds > 0

    def think(self, game: Any, position: Position, memory: Lookahead, random: Random) -> int:
        """`choose`, with a clock."""
        return against_the_clock(self, game, position, memory, random)

    def thoughts(self, game: Any, position: Position, memory: Lookahead) -> Thoughts:
        """What the last search found."""
        return thoughts_of(game, position, memory)

    def stop(self, memory: Lookahead) -> None:
        """End a search that has a clock."""
        stop(memory)


@begin.implement(AlphaBeta)
def _begin(player: AlphaBeta, game: Any, memory: Lookahead) -> None:
    counts = memory.work[0].counts
    counts[AGE] = forget(memory.table, counts[AGE])


@choose.implement(AlphaBeta)
def _choose_by_alphabeta(
    player: AlphaBeta, game: Any, position: Position, memory: Lookahead, random: Random
) -> int:
    work, table = memory.work[0], memory.table
    prepare(game, position, work, player.nodes, player.order)
    work.counts[FREE_PASS] = 1 if player.free_pass else 0
    solves = empty_cells(game, work) <= player.endgame
    deepest = deepest_for(player)
    deepen(player, game, work, table, random, min(deepest, _BEFORE_SOLVING) if solves else deepest)
    is_settled = work.counts[SOLVED] != 0 and player.goal == Goal.WIN
    if solves and work.counts[STOPPED] == 0 and not is_settled:
        solve_root(player, game, work, table, random)
    return pick(player, work, random)


@value_after.implement(AlphaBeta)
def _lead_after(
    plan: AlphaBeta,
    game: Any,
    work: Work,
    table: Table,
    random: Random,
    depth: int,
    seat: int,
    alpha: float,
    out: Values,
) -> float:
    return lead_after(plan, game, work, table, random, depth, seat, alpha, out)


@certain_values.implement(AlphaBeta)
def _certain_leads(plan: AlphaBeta, work: Work) -> tuple[float, float]:
    return certain_leads(work)
