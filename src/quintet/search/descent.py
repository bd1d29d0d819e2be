"""Unbounded best-first search and Descent, for any number of seats, with completion.

Korf and Chickering 1996; Cohen-Solal 2020; Cohen-Solal and Cazenave 2021 (paper 002, 3.3).
An iteration follows the best moves from the root.  At the first node that was not
expanded, all children are valued: there unbounded best-first search stops, and **descent**
goes on to the end of the game.  On the way back each node takes the whole vector of values
of the child that its mover likes best (max^n): the highest own value, then the greatest
lead over the best of the others.

**Completion**: the end of a game is solved; a node is solved when all its children are, or
the mover's best child is and gives all there is to have.  What is solved is not followed
again.  Guesses stay below what only the end of a game can give, so wins go first.

Positions that are reached in several ways are one node, unless legal moves depend on
earlier boards.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import Word
from quintet.compiled import borrowing, jit
from quintet.randomness import Random, uniform
from quintet.rules import Position, Positions
from quintet.search.evaluation import Desk, Values, evaluate, final_values, new_desk

NONE = -1
_UNSURE = 1e-6  # a guess stays this far from what only the end of a game can give


class Graph(NamedTuple):
    """Nodes, and the edges that leave them."""

    nodes: Any  # [place] key, mover, edges
    edges: Any  # [place] move, values, what is known
    slots: NDArray[np.int64]  # [hash of a key] the node's place + 1, or 0
    work: Any  # [1] how much is used, and room for one iteration
    positions: Positions  # [3] the root, that of the walk, and one to look at
    desk: Desk
    values: Values
    merges: bool  # are positions reached in several ways one node?
    kept: Positions  # some of those that were expanded, to learn from
    kept_nodes: NDArray[np.int64]  # and their nodes


def new_graph(game: Any, places: int, keeps: int = 0) -> Graph:
    """Room for so many edges, and for positions to be kept."""
    limits = game.limits()
    values = (np.float64, (limits.seats,))
    places = max(places, 2 * limits.moves)
    node = rules.record(
        key=np.uint64, mover=np.int64, first=np.int64, count=np.int64, solved=np.int64
    )
    edge = rules.record(
        values=values, move=np.int64, child=np.int64, visits=np.int64, solved=np.int64
    )
    path = (np.int64, (limits.plies + 1,))
    work = rules.record(
        root=np.int64, nodes=np.int64, edges=np.int64, kept=np.int64, share=np.float64, path=path
    )
    return Graph(
        np.zeros(places, node),
        np.zeros(places, edge),
        np.zeros(1 << (2 * places - 1).bit_length(), np.int64),
        np.zeros(1, work),
        np.zeros(3, game.position_type()),
        new_desk(game),
        np.zeros(limits.seats),
        not limits.remembers,
        np.zeros(keeps, game.position_type()),
        np.zeros(keeps, np.int64),
    )


# --- compiled -----------------------------------------------------------------


@jit
def clear(game: Any, graph: Graph, position: Position) -> None:
    """Forget everything: a root that was not expanded is left."""
    graph.slots[:] = 0
    graph.work[0].nodes = graph.work[0].edges = graph.work[0].kept = 0
    go_to(game, graph, position)


@borrowing
def go_to(game: Any, graph: Graph, position: Position) -> None:
    """Make a position the root; what is known about it stays."""
    graph.positions[0] = position
    graph.work[0].root = node_of(game, graph, position)


@borrowing
def node_of(game: Any, graph: Graph, position: Position) -> int:
    """The place of a position's node, which is new if it was not known."""
    key = rules.key(game, position)
    mask = graph.slots.shape[0] - 1
    slot = np.int64(key & Word(mask))
    while graph.merges and graph.slots[slot] > 0:
        if graph.nodes[graph.slots[slot] - 1].key == key:
            return int(graph.slots[slot]) - 1
        slot = (slot + 1) & mask
    place = int(graph.work[0].nodes)
    graph.work[0].nodes += 1
    graph.slots[slot] = place + 1
    graph.nodes[place].key = key
    graph.nodes[place].mover = int(rules.turn(game, position))
    graph.nodes[place].count = graph.nodes[place].solved = 0
    return place


@jit
def iterate(evaluation: Any, game: Any, graph: Graph, random: Random, to_end: bool) -> bool:
    """One iteration from the root; returns whether there is room for another."""
    position = graph.positions[1]
    graph.positions[1] = graph.positions[0]
    node, depth = int(graph.work[0].root), 0
    while True:
        if graph.nodes[node].count == 0:
            if not has_room(graph):
                break
            expand(evaluation, game, graph, node, random)
            if not to_end or graph.nodes[node].solved:
                break
        elif graph.nodes[node].solved:
            break
        edge = best_edge(graph, node, True)
        graph.edges[edge].visits += 1
        graph.work[0].path[depth] = edge
        depth += 1
        rules.play(game, position, int(graph.edges[edge].move))
        if graph.edges[edge].child == NONE:
            graph.edges[edge].child = node_of(game, graph, position)
        node = int(graph.edges[edge].child)
    back_up(graph, node, depth)
    return has_room(graph)


@borrowing
def has_room(graph: Graph) -> bool:
    """Can one more node be expanded, and another one be made?"""
    most = graph.desk.moves.shape[0]
    return graph.work[0].edges + most <= graph.edges.shape[0] and (
        graph.work[0].nodes + 1 < graph.nodes.shape[0]
    )


@jit
def expand(evaluation: Any, game: Any, graph: Graph, node: int, random: Random) -> None:
    """Value all children of the position of the walk."""
    first = int(graph.work[0].edges)
    count = int(rules.legal_moves(game, graph.positions[1], graph.desk.moves))
    for i in range(count):
        graph.edges[first + i].move = graph.desk.moves[i]
    graph.nodes[node].first, graph.nodes[node].count = first, count
    graph.work[0].edges += count
    if graph.work[0].kept < graph.kept.shape[0] and uniform(random) < graph.work[0].share:
        graph.kept[graph.work[0].kept] = graph.positions[1]
        graph.kept_nodes[graph.work[0].kept] = node
        graph.work[0].kept += 1
    for place in range(first, first + count):
        after = graph.positions[2]
        graph.positions[2] = graph.positions[1]
        rules.play(game, after, int(graph.edges[place].move))
        graph.edges[place].child, graph.edges[place].visits = NONE, 0
        graph.edges[place].solved = 1 if rules.is_over(game, after) else 0
        if graph.edges[place].solved:
            final_values(game, after, graph.desk, graph.values)
        else:
            evaluate(evaluation, game, after, graph.desk, random, graph.values)
        for seat in range(graph.values.shape[0]):
            value = graph.values[seat]
            if graph.edges[place].solved == 0:
                value = min(max(value, _UNSURE), 1.0 - _UNSURE)
            graph.edges[place].values[seat] = value
    settle(graph, node)


@borrowing
def best_edge(graph: Graph, node: int, unsolved: bool) -> int:
    """The child that the mover likes best, perhaps only among those that are not solved."""
    first, mover = int(graph.nodes[node].first), int(graph.nodes[node].mover)
    best, highest, widest = first, -math.inf, -math.inf
    for place in range(first, first + graph.nodes[node].count):
        if unsolved and graph.edges[place].solved:
            continue
        value = graph.edges[place].values[mover]
        lead = value - best_of_others(graph, place, mover)
        if value > highest or (value == highest and lead > widest):
            best, highest, widest = place, value, lead
    return best


@borrowing
def best_of_others(graph: Graph, place: int, mover: int) -> float:
    """The highest value of another seat."""
    highest = -math.inf
    for seat in range(graph.values.shape[0]):
        if seat != mover:
            highest = max(highest, graph.edges[place].values[seat])
    return highest


@borrowing
def settle(graph: Graph, node: int) -> None:
    """Is a node certain by now?"""
    best = best_edge(graph, node, False)
    if graph.edges[best].solved and graph.edges[best].values[graph.nodes[node].mover] >= 1.0:
        graph.nodes[node].solved = 1
        return
    first = int(graph.nodes[node].first)
    for place in range(first, first + graph.nodes[node].count):
        if graph.edges[place].solved == 0:
            return
    graph.nodes[node].solved = 1


@borrowing
def back_up(graph: Graph, node: int, depth: int) -> None:
    """Bring what was found at the end of the walk to all nodes above."""
    for ply in range(depth - 1, -1, -1):
        edge = int(graph.work[0].path[ply])
        if graph.nodes[node].count > 0:
            best = best_edge(graph, node, False)
            for seat in range(graph.values.shape[0]):
                graph.edges[edge].values[seat] = graph.edges[best].values[seat]
            graph.edges[edge].solved = graph.nodes[node].solved
        node = int(graph.work[0].root)
        if ply > 0:
            node = int(graph.edges[graph.work[0].path[ply - 1]].child)
        settle(graph, node)


@borrowing
def safest_edge(graph: Graph) -> int:
    """The move to play: a solved win, or the most visited of those not lost, by value if equal."""
    root = int(graph.work[0].root)
    best = best_edge(graph, root, False)
    if graph.edges[best].solved:
        return best
    first, mover = int(graph.nodes[root].first), int(graph.nodes[root].mover)
    for place in range(first, first + graph.nodes[root].count):
        more = graph.edges[place].visits - graph.edges[best].visits
        value = graph.edges[place].values[mover]
        better = more > 0 or (more == 0 and value > graph.edges[best].values[mover])
        if graph.edges[place].solved == 0 and better:
            best = place
    return best


@jit
def ordinal_edge(graph: Graph, certainty: float, random: Random) -> int:
    """A move for learning: by its rank alone, the best one with at least this likelihood."""
    root = int(graph.work[0].root)
    first, mover = int(graph.nodes[root].first), int(graph.nodes[root].mover)
    count = int(graph.nodes[root].count)
    values = np.empty(count)
    for i in range(count):
        values[i] = -graph.edges[first + i].values[mover] + 1e-9 * uniform(random)
    order = np.argsort(values)
    for i in range(count):
        if uniform(random) < certainty + (1.0 - certainty) / (count - i):
            return first + int(order[i])
    return first + int(order[count - 1])
