"""How fast positions are searched to a depth, and Othello endgames to their end."""

from __future__ import annotations

import statistics
import time
from typing import Any

from rich.table import Table

MILLION = 1e6
DEPTH = 6
POSITIONS = 20
EMPTIES = 16
ENDGAMES = 15


def othello_positions(empties: tuple[int, int], count: int) -> list[Any]:
    """Positions of random games with so many empty cells and a choice of moves."""
    from quintet import games, rules
    from quintet.randomness import below, seeded

    game = games.make("othello")
    found: list[Any] = []
    random = seeded(20)
    while len(found) < count:
        left = empties[0] + below(random, empties[1] - empties[0] + 1)
        position = rules.new_position(game)
        while not rules.is_over(game, position):
            moves = rules.list_legal_moves(game, position)
            discs = int(position.own).bit_count() + int(position.other).bit_count()
            if 64 - discs == left and len(moves) > 1:
                found.append(position)
                break
            rules.play(game, position, moves[below(random, len(moves))])
    return found


def alphabeta(rounds: int) -> tuple[Table, Any]:
    """Nodes a second at depth 6, and seconds to solve 16 empty cells, on one core."""
    figures = {"depth": _to_depth(rounds), "solving": _to_the_end()}
    table = Table("what", "figure", title="alpha-beta on Othello, one core, table of 16 megabytes")
    for order, found in figures["depth"].items():
        table.add_row(
            f"depth {DEPTH}, eval=lead, order={order}: million nodes a second",
            f"{found['nodes_per_second'] / MILLION:.1f}",
        )
        table.add_row("  nodes a move, mean", f"{found['nodes']:,.0f}")
        table.add_row("  milliseconds a move, mean", f"{found['seconds'] * 1000:.1f}")
    for goal, found in figures["solving"].items():
        table.add_row(
            f"solve {EMPTIES} empty cells, goal={goal}: seconds, median (and slowest)",
            f"{found['median']:.2f} ({found['slowest']:.2f})",
        )
        table.add_row("  million nodes a second", f"{found['nodes_per_second'] / MILLION:.1f}")
    return table, figures


def _to_depth(rounds: int) -> dict[str, dict[str, float]]:
    from quintet import games
    from quintet.players import make_player
    from quintet.players.player import Seat

    game = games.make("othello")
    positions = othello_positions((20, 50), POSITIONS)
    found = {}
    for order in ("history", "replies"):
        seat = Seat(make_player(f"alphabeta:depth={DEPTH},eval=lead,order={order}", game), game)
        seat.begin()
        seat.choose(positions[0])
        times, nodes = [], 0
        for _ in range(rounds):
            nodes = 0
            begun = time.perf_counter()
            for position in positions:
                seat.begin()
                seat.choose(position)
                nodes += int(seat.memory.work[0].counts[0])
            times.append(time.perf_counter() - begun)
        seconds = statistics.median(times)
        found[order] = {
            "nodes_per_second": nodes / seconds,
            "nodes": nodes / len(positions),
            "seconds": seconds / len(positions),
        }
    return found


def _to_the_end() -> dict[str, dict[str, float]]:
    from quintet import games
    from quintet.search.lookahead import Goal
    from quintet.search.solving import Solver, solve

    game = games.make("othello")
    memory = Solver(megabytes=16).memory(game)
    positions = othello_positions((EMPTIES, EMPTIES), ENDGAMES)
    solve(game, othello_positions((6, 6), 1)[0], memory=memory)
    found = {}
    for goal in (Goal.POINTS, Goal.WIN):
        times, nodes = [], 0
        for position in positions:
            begun = time.perf_counter()
            nodes += solve(game, position, goal, memory=memory).nodes
            times.append(time.perf_counter() - begun)
        found[goal.name.lower()] = {
            "median": statistics.median(times),
            "slowest": max(times),
            "nodes_per_second": nodes / sum(times),
        }
    return found
