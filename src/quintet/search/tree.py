"""Search trees as arrays: many at once, each with a stated number of places for nodes.

A node takes its children's places all at once, one after the other, when it is
**expanded**; until one of them is tried, only its move is written there.  What the
choice among children reads (`edges`) lies apart from what it does not (`nodes`), and
both from the moves, which are written for many children that nobody ever visits.
The root is always at place 0, and children always come after their parent.

A tree also holds what one walk from its root to a leaf needs, so that walks in
many trees can wait at their leaves for a network.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from quintet import rules
from quintet.compiled import borrowing, jit
from quintet.randomness import Random, below
from quintet.rules import Position, Positions
from quintet.search.evaluation import new_desk

ROOT: Any = np.int64(0)  # not a literal, for which Numba would compile every function again
NONE = -1


class Trees(NamedTuple):
    """Arrays of many trees."""

    edges: Any  # [tree, place] how good, how little explored
    moves: Any  # [tree, place] that lead there
    nodes: Any  # [tree, place] counts and sums
    walks: Any  # [tree] the way from the root to a leaf, and room to work
    positions: Positions  # [tree, 2] that of the walk, and one to replay from
    amaf: Any  # [tree, table, seat * move] all moves as first


class Tree(NamedTuple):
    """One of them."""

    edges: Any
    moves: Any
    nodes: Any
    walks: Any  # [1]
    positions: Positions
    amaf: Any


def new_trees(game: Any, count: int, places: int, *, amaf: bool = False) -> Trees:
    """Room for `count` trees of `places` nodes; memory is taken as it is first used."""
    limits = game.limits()
    places = max(places, limits.moves + 1)
    tables = places // limits.moves + 1 if amaf else 0
    told = rules.record(total=np.float64, count=np.int64)
    trees = Trees(
        np.zeros((count, places), _edge_type()),
        np.zeros((count, places), np.int32),
        np.zeros((count, places), _node_type(limits.seats)),
        np.zeros(count, _walk_type(limits, amaf)),
        np.zeros((count, 2), game.position_type()),
        np.zeros((count, tables, limits.seats * limits.moves), told),
    )
    trees.walks["range"] = new_desk(game).range
    for number in range(count):
        tree = tree_of(trees, number)
        for_themselves(tree.walks[0])
        uproot(tree)
    return trees


def _edge_type() -> np.dtype[Any]:
    return rules.record(
        value=np.float64,  # to the seat that chooses it
        rarity=np.float64,
        prior=np.float64,  # how likely the move looked at first
    )


def _node_type(seats: int) -> np.dtype[Any]:
    return rules.record(
        totals=(np.float64, (seats,)),  # sums of values; of a solved node, its value
        visits=np.int64,
        first=np.int32,  # where its children are
        count=np.int32,  # how many there are; 0 before it is expanded
        tried=np.int32,  # how many of them, the first ones, have been visited
        proven=np.int32,  # how many of them are solved
        table=np.int32,  # of all moves as first
        solved=np.int32,
    )


def _walk_type(limits: Any, amaf: bool) -> np.dtype[Any]:
    pairs = limits.seats * limits.moves
    return rules.record(
        used=np.int64,  # places
        visited=np.int64,  # nodes
        deepest=np.int64,
        unused=np.int64,  # tables from here on have never been used,
        free=np.int64,  # and this is the first of those given back
        depth=np.int64,
        stamp=np.int64,  # the number of the walk
        aims=(np.float64, (limits.seats, limits.seats + 2)),  # what a seat wants: see `wanted`
        values=(np.float64, (limits.seats,)),  # what the leaf is worth
        path=(np.int64, (limits.plies + 1,)),  # the places of the walk, from the root on
        seats=(np.int64, (limits.plies + 1,)),  # who moved there
        sure=(np.int64, (limits.plies + 1,)),  # the solved child that the mover prefers, or NONE
        pairs=(np.int64, (limits.plies + 1,)),  # seat * moves + move, of this simulation
        ready=np.int64,  # has chance had its say at the root?
        hoped=np.float64,  # what the root was worth to the seat to move, before the search
        chosen=np.int64,  # the root's child to try next, or NONE: as the search likes
        luck=(np.float64, (limits.moves,)),  # that a move of the root has
        seen=(np.int64, (pairs,)),  # the last walk with this seat * moves + move
        listed=(np.int32, (limits.moves,)),  # a desk for evaluations: see `Desk`
        played=(np.int32, (limits.plies + 1 if amaf else 0,)),
        range=(np.float64, (2,)),
        apart=(np.int64, (16,)),  # walks of two threads share no cache line
    )


@jit
def tree_of(trees: Trees, number: int) -> Tree:
    """One of many trees."""
    return Tree(
        trees.edges[number],
        trees.moves[number],
        trees.nodes[number],
        trees.walks[number : number + 1],
        trees.positions[number],
        trees.amaf[number],
    )


@borrowing
def uproot(tree: Tree) -> None:
    """Forget everything: a root that nobody visited is left."""
    tree.walks[0].used = tree.walks[0].visited = 1
    tree.walks[0].deepest = 0
    tree.walks[0].unused, tree.walks[0].free = 0, NONE
    tree.walks[0].ready, tree.walks[0].chosen = 0, NONE
    clear(tree, ROOT)


@borrowing
def clear(tree: Tree, node: int) -> None:
    """Make this place a node that nobody visited."""
    for seat in range(tree.nodes[node].totals.shape[0]):
        tree.nodes[node].totals[seat] = 0.0
    tree.nodes[node].visits = 0
    tree.nodes[node].count = 0
    tree.nodes[node].tried = 0
    tree.nodes[node].proven = 0
    tree.nodes[node].table = NONE
    tree.nodes[node].solved = 0


@borrowing
def expand(game: Any, tree: Tree, position: Position, node: int) -> bool:
    """Give a node places for its children; False if too few are left."""
    first = int(tree.walks[0].used)
    if first + tree.walks[0].listed.shape[0] > tree.moves.shape[0]:
        return False
    count = rules.legal_moves(game, position, tree.moves[first:])
    tree.walks[0].used += count
    tree.nodes[node].first = first
    tree.nodes[node].count = count
    if tree.amaf.shape[0] > 0:
        take_table(tree, node)
    return True


@borrowing
def take_table(tree: Tree, node: int) -> None:
    """Give a node an empty table of all moves as first, if one is left."""
    table = int(tree.walks[0].free)
    if table != NONE:
        tree.walks[0].free = tree.amaf[table, 0].count  # a free table tells the next one there
    elif tree.walks[0].unused < tree.amaf.shape[0]:
        table = int(tree.walks[0].unused)
        tree.walks[0].unused += 1
    else:
        return
    tree.nodes[node].table = table
    for i in range(tree.amaf.shape[1]):
        tree.amaf[table, i].total = 0.0
        tree.amaf[table, i].count = 0


@borrowing
def set_priors(tree: Tree, node: int, likely: Any) -> None:
    """Note how likely each child's move is, from one number for each move of the game."""
    first, count = int(tree.nodes[node].first), int(tree.nodes[node].count)
    total = 0.0
    for place in range(first, first + count):
        total += likely[tree.moves[place]]
    for place in range(first, first + count):
        share = likely[tree.moves[place]] / total if total > 0.0 else 1.0 / count
        tree.edges[place].prior = share
    bring_likeliest(tree, node)


@borrowing
def bring_likeliest(tree: Tree, node: int) -> None:
    """Put the likeliest untried child next in order."""
    first, tried = int(tree.nodes[node].first), int(tree.nodes[node].tried)
    following = best = first + tried
    for place in range(following + 1, first + tree.nodes[node].count):
        if tree.edges[place].prior > tree.edges[best].prior:
            best = place
    exchange(tree, following, best)
    prior = tree.edges[following].prior
    tree.edges[following].prior = tree.edges[best].prior
    tree.edges[best].prior = prior


@borrowing
def try_random(tree: Tree, node: int, random: Random) -> int:
    """Take any untried child."""
    left = int(tree.nodes[node].count) - int(tree.nodes[node].tried)
    following = int(tree.nodes[node].first) + int(tree.nodes[node].tried)
    return try_place(tree, node, following + below(random, left))


@borrowing
def try_place(tree: Tree, node: int, place: int) -> int:
    """Take this untried child; returns its place from now on, after those tried before."""
    following = int(tree.nodes[node].first) + int(tree.nodes[node].tried)
    exchange(tree, following, place)
    clear(tree, following)
    tree.nodes[node].tried += 1
    tree.walks[0].visited += 1
    return following


@borrowing
def exchange(tree: Tree, one: int, other: int) -> None:
    """Swap the moves of two untried children."""
    tree.moves[one], tree.moves[other] = tree.moves[other], tree.moves[one]


@borrowing
def child_by_move(tree: Tree, node: int, move: int) -> int:
    """The place of the tried child to which a move leads, or -1."""
    first = int(tree.nodes[node].first)
    for place in range(first, first + tree.nodes[node].tried):
        if tree.moves[place] == move:
            return place
    return -1


@borrowing
def value_of(tree: Tree, node: int, seat: int) -> float:
    """What a seat may expect at a visited node."""
    if tree.nodes[node].solved:
        return tree.nodes[node].totals[seat]
    return tree.nodes[node].totals[seat] / tree.nodes[node].visits


@borrowing
def set_values(target: Any, source: Any) -> None:
    """Write one value for each seat."""
    for seat in range(source.shape[0]):
        target[seat] = source[seat]


# --- what the seats want ------------------------------------------------------


@borrowing
def wanted(walk: Any, seat: int, totals: Any, visits: float) -> float:
    """What a seat makes of the average of some values.

    Its row of `aims` tells how much each seat's value counts, what to add, and the
    highest that can come of it.
    """
    seats = walk.values.shape[0]
    total = 0.0
    for other in range(seats):
        total += walk.aims[seat, other] * totals[other]
    return walk.aims[seat, seats] + total / visits


@borrowing
def for_themselves(walk: Any) -> None:
    """Every seat wants its own value."""
    seats = walk.values.shape[0]
    for seat in range(seats):
        for column in range(seats + 2):
            walk.aims[seat, column] = 0.0
        walk.aims[seat, seat] = 1.0
        walk.aims[seat, seats + 1] = 1.0


@borrowing
def against(walk: Any, seat: int) -> None:
    """All others want this seat to have as little as can be."""
    seats = walk.values.shape[0]
    for other in range(seats):
        if other != seat:
            walk.aims[other, other] = 0.0
            walk.aims[other, seat] = -1.0
            walk.aims[other, seats] = 1.0


@borrowing
def allied(walk: Any, seat: int, other: int, most: float) -> None:
    """These two want the sum of their values, which is at most `most`."""
    seats = walk.values.shape[0]
    walk.aims[seat, other] = walk.aims[other, seat] = 1.0
    walk.aims[seat, seats + 1] = walk.aims[other, seats + 1] = most


# --- keeping a part -----------------------------------------------------------


@borrowing
def keep_below(tree: Tree, root: int, places: Any) -> None:
    """Make a node the root and forget all that is not below it.

    `places` is room for one number a place, in which each learns its new one.
    """
    used = int(tree.walks[0].used)
    mark_below(tree, root, used, places)
    kept, visited = 0, 1
    for place in range(used):
        if places[place] >= 0:
            places[place] = kept
            kept += 1
            visited += tree.nodes[place].tried
    for place in range(root, used):  # never to a place that is still needed: all move down
        if places[place] >= 0:
            move_node(tree, place, places)
    tree.walks[0].used, tree.walks[0].visited = kept, visited
    tree.walks[0].deepest = max(int(tree.walks[0].deepest) - 1, 0)
    tree.walks[0].ready, tree.walks[0].chosen = 0, NONE
    free_tables(tree, places)


@borrowing
def mark_below(tree: Tree, root: int, used: int, places: Any) -> None:
    """Set the numbers of a node and of all below it to 0, others to -1."""
    for place in range(used):
        places[place] = -1
    places[root] = 0
    for place in range(root, used):
        if places[place] < 0:
            continue
        first, tried = int(tree.nodes[place].first), int(tree.nodes[place].tried)
        for i in range(tree.nodes[place].count):
            places[first + i] = 0
            if i >= tried:
                clear(tree, first + i)


@borrowing
def move_node(tree: Tree, place: int, places: Any) -> None:
    """Bring a node to its new place."""
    new = places[place]
    tree.nodes[new] = tree.nodes[place]
    tree.edges[new] = tree.edges[place]
    tree.moves[new] = tree.moves[place]
    if tree.nodes[new].count > 0:
        tree.nodes[new].first = places[tree.nodes[new].first]


@borrowing
def free_tables(tree: Tree, taken: Any) -> None:
    """List the tables that no node has; `taken` is room for one number a table."""
    tables = int(tree.walks[0].unused)
    for table in range(tables):
        taken[table] = 0
    for place in range(tree.walks[0].used):
        if tree.nodes[place].table != NONE:
            taken[tree.nodes[place].table] = 1
    tree.walks[0].free = NONE
    for table in range(tables):
        if taken[table] == 0:
            tree.amaf[table, 0].count = tree.walks[0].free
            tree.walks[0].free = table
