"""Positions of two players solved to the end of the game.

For Othello from about 16 empty cells on, late positions of Pentago, and small boards
from their start.  The memory is bounded; another thread may watch ``counts[NODES]`` of
its record ``memory.work[0]``, and end the search by writing 1 to ``counts[STOP]``.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from quintet.compiled import jit
from quintet.errors import UserError
from quintet.randomness import Random, seeded
from quintet.rules import Position
from quintet.search.alphabeta import certain_leads, lead_after
from quintet.search.evaluation import Level, Values
from quintet.search.lookahead import (
    AGE,
    ANSWERED,
    GOAL,
    NODES,
    SOLVED,
    TO_END,
    Goal,
    Lookahead,
    Ties,
    Work,
    best_moves,
    certain_values,
    empty_cells,
    line_after,
    new_lookahead,
    prepare,
    search_root,
    value_after,
)
from quintet.search.ordering import Order
from quintet.search.table import Table, forget, key_tells_all


class Solver(NamedTuple):
    """A plan that knows no estimates."""

    goal: Goal = Goal.WIN
    order: Order = Order.REPLIES
    ties: Ties = Ties.ANY
    megabytes: int = 64
    eval: Level = Level()

    def memory(self, game: Any) -> Lookahead:
        """Room for the longest game."""
        return new_lookahead(game, self.megabytes if key_tells_all(game) else 0)


class Solution(NamedTuple):
    """How a position ends if both play their best."""

    value: float  # to the mover: its values less the other's, or points
    moves: list[int]  # the best move, or all of them if they were asked for
    line: list[int]  # how it may go on
    nodes: int
    solved: bool  # or else the search was stopped, and the rest means nothing


@value_after.implement(Solver)
def _value_after(
    plan: Solver,
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


@certain_values.implement(Solver)
def _certain_values(plan: Solver, work: Work) -> tuple[float, float]:
    return certain_leads(work)


def solve(
    game: Any,
    position: Position,
    goal: Goal = Goal.WIN,
    *,
    all_best: bool = False,
    megabytes: int = 64,
    nodes: int = 0,
    memory: Lookahead | None = None,
) -> Solution:
    """Solve a position of a two-player game that is not over, with at most so many nodes (0: all).

    `memory`, from ``Solver(goal, megabytes=...).memory(game)``, lets another thread stop it.
    """
    if game.limits().seats != 2:
        raise UserError(f"solving needs two players; this game has {game.limits().seats}")
    solver = Solver(goal, ties=Ties.RANDOM if all_best else Ties.ANY, megabytes=megabytes)
    memory = memory or solver.memory(game)
    work = memory.work[0]
    work.counts[AGE] = forget(memory.table, work.counts[AGE])
    prepare(game, position, work, nodes, solver.order)
    solve_root(solver, game, work, memory.table, seeded(0))
    solved = bool(work.counts[SOLVED])
    best = best_moves(work) if solved else []
    return Solution(
        value=float(work.candidates[best[0]].lead) if solved else math.nan,
        moves=best,
        line=line_after(work, best[0]) if solved else [],
        nodes=int(work.counts[NODES]),
        solved=solved,
    )


@jit
def solve_root(plan: Any, game: Any, work: Work, table: Table, random: Random) -> None:
    """Search the position to the end of the game, unless stopped."""
    counts = work.counts
    counts[TO_END] = 1
    counts[GOAL] = 1 if plan.goal == Goal.POINTS else 0
    counts[ANSWERED] = 1
    search_root(plan, game, work, table, random, empty_cells(game, work))
    counts[TO_END] = 0
    counts[GOAL] = 0
