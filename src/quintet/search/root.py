"""What a search found at its root: counted over trees, and the move to play."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from quintet import rules
from quintet.compiled import borrowing, jit
from quintet.randomness import Random, below
from quintet.search.tree import ROOT, Tree, Trees, child_by_move, tree_of, value_of, wanted


def new_tally(game: Any) -> Any:
    """For each move of the game, what the roots of some trees say of it together."""
    limits = game.limits()
    values = (np.float64, (limits.seats,))  # means
    return np.zeros(limits.moves, rules.record(values=values, visits=np.int64, solved=np.int64))


@jit
def count_root(trees: Trees, begin: int, step: int, tally: Any) -> None:
    """Add up the moves at the roots of every `step`-th tree."""
    for move in range(tally.shape[0]):
        tally[move].values[:] = 0.0
        tally[move].visits = 0
        tally[move].solved = 0
    for number in range(begin, trees.edges.shape[0], step):
        tree = tree_of(trees, number)
        first = int(tree.nodes[ROOT].first)
        for place in range(first, first + tree.nodes[ROOT].tried):
            count_move(tree, place, tally[tree.moves[place]])


@borrowing
def count_move(tree: Tree, place: int, told: Any) -> None:
    """Add a child of the root; what is solved in one tree is no matter of counting."""
    visits, before = int(tree.nodes[place].visits), int(told.visits)
    told.visits += visits
    if told.solved:
        return
    if tree.nodes[place].solved:
        told.solved = 1
        before = 0
    share = visits / (before + visits)
    for seat in range(told.values.shape[0]):
        told.values[seat] += (value_of(tree, place, seat) - told.values[seat]) * share


@borrowing
def best_move(tally: Any, walk: Any, seat: int, by_value: bool, random: Random) -> int:
    """The move to play: most visits or the best value, the other to break ties, then chance.

    A solved move is compared by its value alone: it is played if no other seems
    better, and never because it was visited often before it was solved.
    """
    sure, sure_value = best_of(tally, walk, seat, True, True, random)
    move, value = best_of(tally, walk, seat, False, by_value, random)
    return sure if sure_value >= value else move


@borrowing
def best_of(
    tally: Any, walk: Any, seat: int, solved: bool, by_value: bool, random: Random
) -> tuple[int, float]:
    """The best move among those that are solved, or not, and its value; -inf if there is none."""
    best, highest, most, equals = -1, -math.inf, 0, 0
    for move in range(tally.shape[0]):
        visits = tally[move].visits
        if visits == 0 or (tally[move].solved == 1) != solved:
            continue
        value = wanted(walk, seat, tally[move].values, 1.0)
        if value == highest and visits == most:
            equals += 1
            if below(random, equals) > 0:
                continue
        elif by_value:
            if (value, visits) < (highest, most):
                continue
            equals = 1
        else:
            if (visits, value) < (most, highest):
                continue
            equals = 1
        best, highest, most = move, value, visits
    return best, highest


def ranked_moves(tally: Any, walk: Any, seat: int, chosen: int) -> list[int]:
    """The visited moves: the one chosen, then by visits and value."""

    def rank(move: int) -> tuple[bool, int, float]:
        value = float(wanted(walk, seat, tally["values"][move], 1.0))
        return move != chosen, -int(tally["visits"][move]), -value

    return sorted((int(move) for move in np.flatnonzero(tally["visits"])), key=rank)


def likely_line(tree: Tree, move: int) -> list[int]:
    """A move and the most visited ones after it."""
    line = [int(move)]
    node = int(child_by_move(tree, ROOT, move))
    while node >= 0 and tree.nodes["tried"][node] > 0:
        node = _likeliest(tree, node)
        line.append(int(tree.moves[node]))
    return line


def _likeliest(tree: Tree, node: int) -> int:
    """The child that makes a solved node certain, or else the most visited."""
    first = int(tree.nodes["first"][node])
    children = tree.nodes[first : first + int(tree.nodes["tried"][node])]
    rank = children["visits"]
    if tree.nodes["solved"][node]:
        agrees = (children["totals"] == tree.nodes["totals"][node]).all(axis=1)
        rank = np.where(agrees & (children["solved"] != 0), rank + rank.max() + 1, rank)
    return first + int(rank.argmax())
