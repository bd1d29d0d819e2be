"""All moves as first: what a move is worth, whenever it is played after a node.

RAVE (Gelly and Silver 2007) takes these values from the node itself, GRAVE
(Cazenave 2015) from the closest ancestor with more than `ref` visits.  They are
kept for each seat: the same move of another seat is another move.

A node has a table from when it is expanded on, so the very first evaluation at a
node counts for the tables above it only.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from quintet import rules
from quintet.compiled import borrowing, jit
from quintet.randomness import Random, below
from quintet.search.tree import Tree, try_place, wanted


@borrowing
def best_by_amaf(
    search: Any, tree: Tree, node: int, table: int, seat: int, weight: float, random: Random
) -> int:
    """The child with the highest score, where a table tells about those rarely tried.

    An untried child is explored as one tried once; if the table knows nothing of it
    either, it is worth the first-play urgency.
    """
    first, tried = int(tree.nodes[node].first), int(tree.nodes[node].tried)
    best, highest = first, -math.inf
    unknown = 0
    for place in range(first, first + tree.nodes[node].count):
        if place < first + tried:
            score = blended(search, tree, place, table, seat) + weight * tree.edges[place].rarity
        else:
            told = told_of(tree, place, table, seat)
            if told.count == 0:
                unknown += 1
                continue
            score = told.total / told.count + weight
        if score > highest:
            best, highest = place, score
    if unknown > 0 and search.fpu > highest:
        return try_place(tree, node, nth_unknown(tree, node, table, seat, below(random, unknown)))
    return best if best < first + tried else try_place(tree, node, best)


@jit
def told_of(tree: Tree, place: int, table: int, seat: int) -> Any:
    """What a table tells about the move to this place."""
    return tree.amaf[table, seat * tree.walks[0].listed.shape[0] + tree.moves[place]]


@borrowing
def nth_unknown(tree: Tree, node: int, table: int, seat: int, number: int) -> int:
    """The place of an untried child of which the table knows nothing."""
    place = int(tree.nodes[node].first) + int(tree.nodes[node].tried)
    while True:
        if told_of(tree, place, table, seat).count == 0:
            if number == 0:
                return place
            number -= 1
        place += 1


@borrowing
def blended(search: Any, tree: Tree, place: int, table: int, seat: int) -> float:
    """(1 - b) mean + b AMAF with b = n' / (n' + n + bias n' n), n' visits as first."""
    mean = float(tree.edges[place].value)
    told = told_of(tree, place, table, seat)
    if told.count == 0 or tree.nodes[place].solved:
        return mean
    known, visits = float(told.count), float(tree.nodes[place].visits)
    share = known / (known + visits + search.bias * known * visits)
    return (1.0 - share) * mean + share * (told.total / known)


@borrowing
def learn_moves(game: Any, tree: Tree, depth: int, played: int) -> None:
    """Count ``tree.walks[0].values`` for every move of this simulation, in all tables above it.

    A move that a seat plays twice, where a stone was taken, counts once.
    """
    tree.walks[0].stamp += 1
    found: Any = np.int64(0)
    for i in range(played):
        move = int(tree.walks[0].played[i])
        found = note(tree, int(rules.turn(game, tree.positions[1])), move, found)
        rules.play(game, tree.positions[1], move)
    for ply in range(depth, -1, -1):
        if ply < depth:
            found = note(
                tree,
                int(tree.walks[0].seats[ply]),
                int(tree.moves[tree.walks[0].path[ply + 1]]),
                found,
            )
        table = int(tree.nodes[tree.walks[0].path[ply]].table)
        if table >= 0:
            count_all(tree, table, found)


@borrowing
def note(tree: Tree, seat: int, move: int, found: int) -> int:
    """Add a move to those of this simulation, if it is new; returns how many they are."""
    pair = seat * tree.walks[0].listed.shape[0] + move
    if tree.walks[0].seen[pair] == tree.walks[0].stamp:
        return found
    tree.walks[0].seen[pair] = tree.walks[0].stamp
    tree.walks[0].pairs[found] = pair
    return found + 1


@borrowing
def count_all(tree: Tree, table: int, found: int) -> None:
    """Count this simulation for the moves found in it."""
    for i in range(found):
        pair = tree.walks[0].pairs[i]
        seat = pair // tree.walks[0].listed.shape[0]
        tree.amaf[table, pair].count += 1
        tree.amaf[table, pair].total += wanted(tree.walks[0], seat, tree.walks[0].values, 1.0)
