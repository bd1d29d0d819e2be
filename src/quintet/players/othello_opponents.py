"""The fixed opponents of Lin and White's Othello study: one evaluation, a few plies (001.4).

Each is an alpha-beta with an evaluation of its own.  Depth d means, as there: make
the move, then d further plies, then evaluate (001.3).  The end of a game counts by
its score, whatever the evaluation.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from quintet.parameters import Between
from quintet.players.alphabeta import AlphaBeta
from quintet.players.looking_ahead import TiesOfMoves, thoughts_of
from quintet.players.othello import Discs, Mobility, Positional, Table, Whose, unless_othello
from quintet.players.player import Thoughts, begin, choose
from quintet.randomness import Random
from quintet.rules import Position
from quintet.search.lookahead import Lookahead, Ties

Depth = Annotated[int, Between(0, 60), "plies looked ahead after the move"]


class OpponentMemory(NamedTuple):
    """For each seat how to search, and what the search works with."""

    plans: tuple[AlphaBeta, AlphaBeta]
    searches: tuple[Lookahead, Lookahead]


def _memory(game: Any, black: AlphaBeta, white: AlphaBeta) -> OpponentMemory:
    first = black.memory(game)
    # what one search keeps in its table is wrong for another evaluation
    second = first if white == black else white.memory(game)
    return OpponentMemory((black, white), (first, second))


def _thoughts(game: Any, position: Position, memory: OpponentMemory) -> Thoughts:
    return thoughts_of(game, position, memory.searches[position.turn])


class PositionalPlayer(NamedTuple):
    """Wants the cells that a table says are worth most."""

    depth: Depth = 2
    table: Annotated[Table, "what a disc is worth on each cell"] = Table.A
    ties: TiesOfMoves = Ties.FIRST

    def memory(self, game: Any) -> OpponentMemory:
        """A search by this table."""
        plan = AlphaBeta(self.depth, Positional(self.table), ties=self.ties)
        return _memory(game, plan, plan)

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return unless_othello(game)

    def thoughts(self, game: Any, position: Position, memory: OpponentMemory) -> Thoughts:
        """What the last search found."""
        return _thoughts(game, position, memory)


class DiscsPlayer(NamedTuple):
    """Wants the most discs, at once: a beginner's mistake."""

    depth: Depth = 2
    ties: TiesOfMoves = Ties.FIRST

    def memory(self, game: Any) -> OpponentMemory:
        """A search by discs."""
        plan = AlphaBeta(self.depth, Discs(), ties=self.ties)
        return _memory(game, plan, plan)

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return unless_othello(game)

    def thoughts(self, game: Any, position: Position, memory: OpponentMemory) -> Thoughts:
        """What the last search found."""
        return _thoughts(game, position, memory)


class MobilityPlayer(NamedTuple):
    """Wants many moves for itself, and few for the other."""

    depth: Depth = 2
    plain: Annotated[bool, "count the own moves only"] = False
    ties: TiesOfMoves = Ties.FIRST

    def memory(self, game: Any) -> OpponentMemory:
        """A search by moves: for each seat by its own, if only those count."""
        seats = (Whose.BLACK, Whose.WHITE) if self.plain else (Whose.BOTH, Whose.BOTH)
        black, white = (AlphaBeta(self.depth, Mobility(of), ties=self.ties) for of in seats)
        return _memory(game, black, white)

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return unless_othello(game)

    def thoughts(self, game: Any, position: Position, memory: OpponentMemory) -> Thoughts:
        """What the last search found."""
        return _thoughts(game, position, memory)


def _choose_as_planned(
    player: Any, game: Any, position: Position, memory: OpponentMemory, random: Random
) -> int:
    """What the search of the seat to move chooses."""
    turn = position.turn
    return choose(memory.plans[turn], game, position, memory.searches[turn], random)


def _begin_anew(player: Any, game: Any, memory: OpponentMemory) -> None:
    """Forget the last game."""
    for seat in range(2):
        begin(memory.plans[seat], game, memory.searches[seat])


for _player in (PositionalPlayer, DiscsPlayer, MobilityPlayer):
    choose.implement(_player)(_choose_as_planned)
    begin.implement(_player)(_begin_anew)
