"""Monte-Carlo tree search for any number of seats: select, expand, evaluate, back up.

Kocsis and Szepesvari 2006; with a vector of values, of which each seat looks at
its own, Sturtevant 2008.  The leaf is judged by an evaluation; batch.py has leaves
judged by a network.

A child's score is ``mean + urgency * rarity``.  UCT (paper 002, eq. 1)::

    urgency = c sqrt(ln N(s))    rarity = 1 / sqrt(N(s,a))

and PUCT, as in AlphaZero::

    urgency = c sqrt(N(s))       rarity = P(s,a) / (1 + N(s,a))

so that only what changes by a visit is computed at a visit.

What is certain is noted if asked for (after Winands, Bjornsson and Saito 2008, for
any number of seats).  A solved child's score is its value: nothing is left to
explore.  Where it is the best, the node is credited with that value, and the walk
goes on into another child, which may be solved too one day.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import borrowing
from quintet.randomness import Random
from quintet.rules import Position
from quintet.search.amaf import best_by_amaf, learn_moves
from quintet.search.evaluation import Desk, evaluate, final_values
from quintet.search.tree import (
    NONE,
    ROOT,
    Tree,
    bring_likeliest,
    expand,
    set_values,
    try_place,
    try_random,
    uproot,
    wanted,
)

_AT_ONCE = 4  # children


class Search(NamedTuple):
    """How a tree is searched."""

    c: float = 0.8  # how much exploration counts
    fpu: float = math.inf  # first-play urgency: what an untried child is taken to be worth
    puct: bool = False  # children have priors
    amaf: bool = False  # the values of all moves as first are mixed in
    ref: int = 0  # visits that a node needs for its own table to be used
    bias: float = 0.0  # of the values of all moves as first
    solve: bool = False  # what is certain is noted and not searched again
    wins: bool = False  # values are shares of the win, not scores
    inherits: bool = False  # an untried child is worth what its parent is, less fpu
    candidates: int = 0  # moves of the root that are tried by sequential halving; 0: all alike
    scale: float = 1.0  # how much values count beside priors there
    luck: float = 0.0  # how much chance counts there
    noise: float = 0.0  # share of noise in the priors of the root
    alpha: float = 0.3  # of that noise: the smaller, the fewer moves it falls on


@borrowing
def plant(game: Any, tree: Tree, position: Position) -> None:
    """Forget everything, and expand the root without evaluating it."""
    uproot(tree)
    expand(game, tree, position, ROOT)


@borrowing
def simulate(
    evaluation: Any,
    game: Any,
    search: Search,
    root: Position,
    tree: Tree,
    random: Random,
    count: int,
    stop: NDArray[np.int64],
) -> int:
    """Search until `count` simulations are done, the root is solved or somebody says stop.

    Returns how many were done: one at least, so that there is a move to play.
    """
    done = 0
    while (
        done < count
        and (stop[0] == 0 or tree.nodes[ROOT].visits == 0)
        and tree.nodes[ROOT].solved == 0
    ):
        depth = walk(game, search, root, tree, random)
        judge(evaluation, game, search, tree, depth, random)
        back_up(search, tree, depth)
        done += 1
    return done


# --- select, and expand -------------------------------------------------------


@borrowing
def walk(game: Any, search: Search, root: Position, tree: Tree, random: Random) -> int:
    """Go down from the root to a leaf; returns its depth."""
    tree.positions[0] = root
    position = tree.positions[0]
    node = depth = ROOT  # the root's place and its depth are both 0
    table = int(tree.nodes[ROOT].table)
    tree.walks[0].path[0] = ROOT
    while leads_on(game, tree, position, node):
        seat = int(rules.turn(game, position))
        if depth == ROOT and tree.walks[0].chosen != NONE:
            node = take_chosen(tree)
        elif search.amaf:
            if tree.nodes[node].visits > search.ref and tree.nodes[node].table >= 0:
                table = int(tree.nodes[node].table)
            node = best_by_amaf(
                search, tree, node, table, seat, urgency(search, tree, node), random
            )
        else:
            node = best_child(search, tree, node, seat, random)
        tree.walks[0].sure[depth] = NONE
        if tree.nodes[node].solved:
            tree.walks[0].sure[depth] = node
            parent = int(tree.walks[0].path[depth])
            node = best_unsure(search, tree, parent, node, random)
        rules.play(game, position, int(tree.moves[node]))
        tree.walks[0].seats[depth] = seat
        depth += 1
        tree.walks[0].path[depth] = node
    tree.walks[0].depth = depth
    tree.walks[0].deepest = max(int(tree.walks[0].deepest), depth)
    return depth


@borrowing
def leads_on(game: Any, tree: Tree, position: Position, node: int) -> bool:
    """Has a node children?  It gets them at its second visit, if there is room."""
    if tree.nodes[node].solved:
        return False
    if tree.nodes[node].count > 0:
        return True
    if tree.nodes[node].visits == 0 or rules.is_over(game, position):
        return False
    return expand(game, tree, position, node)


# the root of the logarithm, of the numbers of visits that most nodes have
_ROOT_OF_LOG = np.array([math.sqrt(math.log(max(visits, 1))) for visits in range(1024)])


@borrowing
def take_chosen(tree: Tree) -> int:
    """The child of the root that was chosen beforehand."""
    place = int(tree.walks[0].chosen)
    if place < tree.nodes[ROOT].first + tree.nodes[ROOT].tried:
        return place
    return try_place(tree, ROOT, place)


@borrowing
def hoped(search: Search, tree: Tree, node: int, seat: int) -> float:
    """What an untried child is taken to be worth."""
    visits = float(tree.nodes[node].visits)
    if search.inherits and visits > 0.0:
        return wanted(tree.walks[0], seat, tree.nodes[node].totals, visits) - search.fpu
    return search.fpu


@borrowing
def urgency(search: Search, tree: Tree, node: int) -> float:
    """How much the exploration of a child counts here."""
    visits = int(tree.nodes[node].visits)
    if search.puct:
        return search.c * math.sqrt(max(visits, 1))
    if visits < _ROOT_OF_LOG.shape[0]:
        return search.c * _ROOT_OF_LOG[visits]
    return search.c * math.sqrt(math.log(visits))


@borrowing
def best_child(search: Search, tree: Tree, node: int, seat: int, random: Random) -> int:
    """The child with the highest score, the first of equals; untried ones in random order."""
    first, tried = int(tree.nodes[node].first), int(tree.nodes[node].tried)
    is_untried = tried < tree.nodes[node].count
    if is_untried and not search.puct and search.fpu == math.inf:
        return try_random(tree, node, random)
    weight = urgency(search, tree, node)
    best, highest, place = first, -math.inf, first
    while place < first + tried:
        if place + _AT_ONCE <= first + tried and none_better(tree, place, weight, highest):
            place += _AT_ONCE
            continue
        score = tree.edges[place].value + weight * tree.edges[place].rarity
        if score > highest:
            best, highest = place, score
        place += 1
    if not is_untried:
        return best
    if search.puct:
        following = first + tried
        fpu = hoped(search, tree, node, seat)
        if fpu + weight * tree.edges[following].prior > highest:
            best = try_place(tree, node, following)
            bring_likeliest(tree, node)
    elif search.fpu > highest:
        best = try_random(tree, node, random)
    return best


@borrowing
def none_better(tree: Tree, place: int, weight: float, highest: float) -> bool:
    """Has none of the next children a higher score?  Asked at once: mostly so."""
    found = True
    for i in range(place, place + _AT_ONCE):
        found &= tree.edges[i].value + weight * tree.edges[i].rarity <= highest
    return found


@borrowing
def best_unsure(search: Search, tree: Tree, node: int, sure: int, random: Random) -> int:
    """The child to look into where the best one is solved, so that there is nothing to learn.

    What counts for the node is the solved one all the same.
    """
    first, tried = int(tree.nodes[node].first), int(tree.nodes[node].tried)
    weight = urgency(search, tree, node)
    best, highest = sure, -math.inf
    for place in range(first, first + tried):
        score = tree.edges[place].value + weight * tree.edges[place].rarity
        if tree.nodes[place].solved == 0 and score > highest:
            best, highest = place, score
    if best != sure or tried == tree.nodes[node].count:
        return best
    if not search.puct:
        return try_random(tree, node, random)
    best = try_place(tree, node, first + tried)
    bring_likeliest(tree, node)
    return best


# --- evaluate -----------------------------------------------------------------


@borrowing
def desk_of(walk: Any) -> Desk:
    """Room to work in, for an evaluation."""
    return Desk(walk.listed, walk.played, walk.range)


@borrowing
def judge(
    evaluation: Any, game: Any, search: Search, tree: Tree, depth: int, random: Random
) -> None:
    """Write into ``tree.walks[0].values`` what the leaf is worth."""
    leaf = int(tree.walks[0].path[depth])
    position = tree.positions[0]
    played = 0
    if tree.nodes[leaf].solved:
        set_values(tree.walks[0].values, tree.nodes[leaf].totals)
    elif rules.is_over(game, position):
        end(game, search, tree, leaf)
    else:
        if search.amaf:
            tree.positions[1] = position
        played = evaluate(
            evaluation, game, position, desk_of(tree.walks[0]), random, tree.walks[0].values
        )
        if search.wins and rules.is_over(game, position):
            share_win(tree.walks[0].values)
    if search.amaf:
        learn_moves(game, tree, depth, played)


@borrowing
def end(game: Any, search: Search, tree: Tree, leaf: int) -> None:
    """Write the values of a finished game."""
    final_values(game, tree.positions[0], desk_of(tree.walks[0]), tree.walks[0].values)
    if search.wins:
        share_win(tree.walks[0].values)
    if search.solve:
        set_values(tree.nodes[leaf].totals, tree.walks[0].values)
        tree.nodes[leaf].solved = 1


@borrowing
def share_win(values: Any) -> None:
    """Turn values into shares of the win."""
    highest, winners = -math.inf, 0
    for value in values:
        if value > highest:
            highest, winners = value, 0
        winners += value == highest
    for seat in range(values.shape[0]):
        values[seat] = 1.0 / winners if values[seat] == highest else 0.0


# --- back up ------------------------------------------------------------------


@borrowing
def back_up(search: Search, tree: Tree, depth: int) -> None:
    """Add ``tree.walks[0].values`` to all nodes of the walk, and solve those that can be."""
    leaf = int(tree.walks[0].path[depth])
    solved = tree.nodes[leaf].solved == 1 and tree.nodes[leaf].visits == 0
    for ply in range(depth, -1, -1):
        node = int(tree.walks[0].path[ply])
        if ply < depth and tree.walks[0].sure[ply] != NONE:
            set_values(tree.walks[0].values, tree.nodes[tree.walks[0].sure[ply]].totals)
        if solved and ply < depth:
            tree.nodes[node].proven += 1
            solved = settle(
                tree, node, int(tree.walks[0].path[ply + 1]), int(tree.walks[0].seats[ply])
            )
        tree.nodes[node].visits += 1
        if tree.nodes[node].solved == 0:
            for seat in range(tree.walks[0].values.shape[0]):
                tree.nodes[node].totals[seat] += tree.walks[0].values[seat]
        if ply > 0:
            assess(search, tree, node, int(tree.walks[0].seats[ply - 1]))


@borrowing
def assess(search: Search, tree: Tree, node: int, chooser: int) -> None:
    """Write how good and how rare a node is to the seat that chooses it."""
    visits = int(tree.nodes[node].visits)
    if tree.nodes[node].solved:  # nothing is left to explore
        tree.edges[node].value = wanted(tree.walks[0], chooser, tree.nodes[node].totals, 1.0)
        tree.edges[node].rarity = 0.0
        return
    tree.edges[node].value = wanted(tree.walks[0], chooser, tree.nodes[node].totals, float(visits))
    if search.puct:
        tree.edges[node].rarity = tree.edges[node].prior / (1 + visits)
    else:
        tree.edges[node].rarity = 1.0 / math.sqrt(visits)


@borrowing
def settle(tree: Tree, node: int, child: int, mover: int) -> bool:
    """Is a node certain, now that this child is?  If so, note its value.

    It is if the child is all that the mover can wish for, or if all children are
    certain and the best ones agree about every seat.
    """
    best = child
    highest = tree.walks[0].aims[mover, tree.walks[0].values.shape[0] + 1]
    if wanted(tree.walks[0], mover, tree.nodes[child].totals, 1.0) < highest:
        if tree.nodes[node].proven < tree.nodes[node].count:
            return False
        best = best_solved(tree, node, mover)
        if not best_agree(tree, node, mover, best):
            return False
    tree.nodes[node].solved = 1
    set_values(tree.nodes[node].totals, tree.nodes[best].totals)
    set_values(tree.walks[0].values, tree.nodes[best].totals)
    return True


@borrowing
def best_solved(tree: Tree, node: int, mover: int) -> int:
    """The best child of a node whose children are all solved."""
    first = int(tree.nodes[node].first)
    best, highest = first, -math.inf
    for place in range(first, first + tree.nodes[node].count):
        value = wanted(tree.walks[0], mover, tree.nodes[place].totals, 1.0)
        if value > highest:
            best, highest = place, value
    return best


@borrowing
def best_agree(tree: Tree, node: int, mover: int, best: int) -> bool:
    """Do all children that are as good for the mover give every seat the same?"""
    first = int(tree.nodes[node].first)
    highest = wanted(tree.walks[0], mover, tree.nodes[best].totals, 1.0)
    for place in range(first, first + tree.nodes[node].count):
        if wanted(tree.walks[0], mover, tree.nodes[place].totals, 1.0) < highest:
            continue
        for seat in range(tree.walks[0].values.shape[0]):
            one = wanted(tree.walks[0], seat, tree.nodes[best].totals, 1.0)
            if wanted(tree.walks[0], seat, tree.nodes[place].totals, 1.0) != one:
                return False
    return True
