"""Players for any number of seats that look ahead: max^n, paranoid and best reply.

See looking_ahead.py for what they share, search/maxn.py for what they assume.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from quintet.players.looking_ahead import (
    AS_BUDGETED,
    Depth,
    Eval,
    Nodes,
    OrderOfMoves,
    Seconds,
    TiesOfMoves,
    against_the_clock,
    choose_by_depth,
    stop,
    thoughts_of,
)
from quintet.players.player import Thoughts, choose
from quintet.randomness import Random
from quintet.rules import Position
from quintet.search.evaluation import Lead, Values
from quintet.search.lookahead import (
    Lookahead,
    Ties,
    Work,
    certain_values,
    new_lookahead,
    value_after,
)
from quintet.search.maxn import CERTAIN, foreseen_after, hand_turn, repliers, sure_value_after
from quintet.search.ordering import Order
from quintet.search.table import Table


class MaxN(NamedTuple):
    """Looks ahead for any number of players: each takes what is best for itself."""

    depth: Depth = AS_BUDGETED
    eval: Eval = Lead()
    nodes: Nodes = 0
    seconds: Seconds = 0.0
    ties: TiesOfMoves = Ties.RANDOM

    def memory(self, game: Any) -> Lookahead:
        """The stack."""
        return new_lookahead(game, 0)

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


@choose.implement(MaxN)
def _choose_by_maxn(
    player: MaxN, game: Any, position: Position, memory: Lookahead, random: Random
) -> int:
    # of equally good moves the first counts, so they are tried as listed
    return choose_by_depth(player, game, position, memory, random, Order.LISTED)


@value_after.implement(MaxN)
def _foreseen_after(
    plan: MaxN,
    game: Any,
    work: Work,
    table: Table,
    random: Random,
    depth: int,
    seat: int,
    alpha: float,
    out: Values,
) -> float:
    return foreseen_after(plan, game, work, random, depth, seat, out)


@certain_values.implement(MaxN)
def _certain_for_maxn(plan: MaxN, work: Work) -> tuple[float, float]:
    return CERTAIN


class Paranoid(NamedTuple):
    """Looks ahead for any number of players: all others are against it."""

    depth: Depth = AS_BUDGETED
    eval: Eval = Lead()
    nodes: Nodes = 0
    seconds: Seconds = 0.0
    order: OrderOfMoves = Order.HISTORY
    ties: TiesOfMoves = Ties.RANDOM

    def memory(self, game: Any) -> Lookahead:
        """The stack."""
        return new_lookahead(game, 0)

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


@choose.implement(Paranoid)
def _choose_by_paranoia(
    player: Paranoid, game: Any, position: Position, memory: Lookahead, random: Random
) -> int:
    return choose_by_depth(player, game, position, memory, random, player.order)


@value_after.implement(Paranoid)
def _paranoid_after(
    plan: Paranoid,
    game: Any,
    work: Work,
    table: Table,
    random: Random,
    depth: int,
    seat: int,
    alpha: float,
    out: Values,
) -> float:
    return sure_value_after(plan, game, work, random, depth, seat, alpha, out)


@certain_values.implement(Paranoid)
def _certain_for_paranoid(plan: Paranoid, work: Work) -> tuple[float, float]:
    return CERTAIN


class BestReply(NamedTuple):
    """Looks ahead for any number of players: only the most harmful of the others replies."""

    depth: Depth = AS_BUDGETED
    eval: Eval = Lead()
    nodes: Nodes = 0
    seconds: Seconds = 0.0
    order: OrderOfMoves = Order.HISTORY
    ties: TiesOfMoves = Ties.RANDOM

    def unfit(self, game: Any) -> str | None:
        """It must be able to say whose turn it is."""
        named = "turn" in (game.position_type().names or ())
        return None if named else "best-reply needs positions with a field `turn`"

    def memory(self, game: Any) -> Lookahead:
        """The stack."""
        return new_lookahead(game, 0)

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


@choose.implement(BestReply)
def _choose_by_best_reply(
    player: BestReply, game: Any, position: Position, memory: Lookahead, random: Random
) -> int:
    return choose_by_depth(player, game, position, memory, random, player.order)


@value_after.implement(BestReply)
def _best_reply_after(
    plan: BestReply,
    game: Any,
    work: Work,
    table: Table,
    random: Random,
    depth: int,
    seat: int,
    alpha: float,
    out: Values,
) -> float:
    return sure_value_after(plan, game, work, random, depth, seat, alpha, out)


@certain_values.implement(BestReply)
def _certain_for_best_reply(plan: BestReply, work: Work) -> tuple[float, float]:
    return CERTAIN


@repliers.implement(BestReply)
def _all_others(plan: BestReply, seats: int) -> int:
    return seats - 1


@hand_turn.implement(BestReply)
def _hand_turn(plan: BestReply, position: Position, seat: int) -> None:
    if position.turn != seat:
        position.turn = seat
