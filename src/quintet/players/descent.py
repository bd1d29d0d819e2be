"""Unbounded best-first search as a player: what networks trained by Descent play with.

``descent:eval=run(NAME),sims=200``; any other evaluation will do too.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from quintet.compiled import jit
from quintet.parameters import Between
from quintet.players.evaluations import EVALUATION
from quintet.players.player import Thoughts, choose
from quintet.randomness import Random
from quintet.rules import Position
from quintet.search.descent import NONE, Graph, best_edge, clear, iterate, new_graph, safest_edge
from quintet.search.evaluation import Level


class Descent(NamedTuple):
    """Follows the best moves it knows, and values what comes after."""

    eval: Annotated[Any, EVALUATION, "what a position is worth"] = Level()
    sims: Annotated[int, Between(1, 10**9), "iterations a move"] = 200
    deep: Annotated[bool, "each iteration goes on to the end of the game"] = False
    nodes: Annotated[int, Between(1, 10**8), "children kept at most"] = 10**6

    def memory(self, game: Any) -> Graph:
        """Room to search."""
        limits = game.limits()
        needed = (self.sims * (limits.plies if self.deep else 1) + 2) * limits.moves
        return new_graph(game, min(self.nodes, needed))

    def thoughts(self, game: Any, position: Position, memory: Graph) -> Thoughts:
        """What the last choice found."""
        graph, root = memory, memory.nodes[int(memory.work["root"][0])]
        edges = graph.edges[int(root["first"]) : int(root["first"] + root["count"])]
        best = int(safest_edge(graph)) - int(root["first"])
        order = sorted(range(len(edges)), key=lambda i: (i != best, -edges["visits"][i]))
        return Thoughts(
            [int(edges["move"][i]) for i in order],
            [int(edges["visits"][i]) for i in order],
            [[float(value) for value in edges["values"][i]] for i in order],
            _line(graph, best + int(root["first"])),
            int(graph.work["edges"][0]),
            len(_line(graph, best + int(root["first"]))),
            bool(root["solved"]),
        )


def _line(graph: Graph, edge: int) -> list[int]:
    """A move and the best ones after it, as far as they were looked at."""
    line = [int(graph.edges["move"][edge])]
    node = int(graph.edges["child"][edge])
    while node != NONE and graph.nodes["count"][node] > 0:
        first, mover = int(graph.nodes["first"][node]), int(graph.nodes["mover"][node])
        places = range(first, first + int(graph.nodes["count"][node]))
        edge = max(places, key=lambda place: float(graph.edges["values"][place][mover]))
        line.append(int(graph.edges["move"][edge]))
        node = int(graph.edges["child"][edge])
    return line


@choose.implement(Descent)
def _choose(player: Descent, game: Any, position: Position, memory: Graph, random: Random) -> int:
    search(player.eval, game, position, memory, random, player.sims, player.deep)
    return int(memory.edges[safest_edge(memory)].move)


@jit
def search(
    evaluation: Any,
    game: Any,
    position: Position,
    graph: Graph,
    random: Random,
    sims: int,
    deep: bool,
) -> None:
    """Search a position until so many iterations are done or it is solved."""
    clear(game, graph, position)
    for _ in range(sims):
        if graph.nodes[graph.work[0].root].solved or not iterate(
            evaluation, game, graph, random, deep
        ):
            break


def solved_values(game: Any, graph: Graph) -> list[float] | None:
    """What each seat gets from the root, if that is certain."""
    root = int(graph.work["root"][0])
    if not graph.nodes["solved"][root]:
        return None
    return [float(value) for value in graph.edges["values"][best_edge(graph, root, False)]]
