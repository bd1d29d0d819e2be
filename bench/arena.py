"""Games a second of the arena, with simple players, on one worker and on two."""

from __future__ import annotations

import statistics
import time
from typing import Any

from rich.table import Table

from quintet.arena.games import CHECKED_GAMES
from quintet.arena.match import Terms, entrants, table_for
from quintet.arena.running import Stop, played
from quintet.games import make

SECONDS = 1.0
SEED = 1
MATCHES = [
    ("pente:size=7", "random random"),
    ("pente:size=7", "greedy greedy"),
    ("pente:size=7,players=3", "random random random"),
    ("pente:size=7,players=3", "greedy random random"),
]


def games_a_second(rounds: int) -> tuple[Table, Any]:
    """The median over some rounds; one and two workers alternate.

    On a busy machine two workers may not get two cores: the cores that the process
    had are shown beside, and the speed for each second of one core.
    """
    rows = []
    for game, players in MATCHES:
        _speed(game, players, 2, 0.1)  # compiles
        runs: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
        for _ in range(rounds):
            for workers, found in runs.items():
                found.append(_speed(game, players, workers, SECONDS))
        for workers, found in runs.items():
            speed = statistics.median(speed for speed, _ in found)
            cores = statistics.median(cores for _, cores in found)
            row = {"game": game, "players": players, "workers": workers}
            rows.append({**row, "games": speed, "cores": cores})
    headings = ("game", "players", "workers", "games/s", "cores had", "games/s of a core")
    table = Table(*headings, title="arena")
    for row in rows:
        speed, cores = float(row["games"]), float(row["cores"])
        cells = (f"{speed:,.0f}", f"{cores:.2f}", f"{speed / cores:,.0f}")
        table.add_row(str(row["game"]), str(row["players"]), str(row["workers"]), *cells)
    return table, rows


def _speed(game_text: str, players: str, workers: int, seconds: float) -> tuple[float, float]:
    """Games a second of a match that is stopped after some time, and the cores it had."""
    game = make(game_text)
    table = table_for(game, entrants(players.split(), game))
    # later games, of which every 16th is checked: the first ones all are
    first_round = CHECKED_GAMES // len(table.seating) + 1
    program = table.plan(10**9, Terms(1, SEED), 0, first_round)
    stop = Stop()
    games = 0
    begun, used = time.perf_counter(), time.process_time()
    for part, _ in played(game, [e.player for e in table.players], program, workers, stop):
        games += len(part.numbers)
        if time.perf_counter() - begun > seconds:
            stop.set()
    passed = time.perf_counter() - begun
    return games / passed, (time.process_time() - used) / passed
