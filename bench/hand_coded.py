"""Whole games a second among hand-coded players, on one core."""

from __future__ import annotations

import itertools
import os
import statistics
import time
from typing import Any

from rich.table import Table

from quintet import games, rules
from quintet.compiled import jit
from quintet.players import make_player
from quintet.players.player import begin, choose
from quintet.randomness import seeded

NAMES = ["random", "blocker", "capturer", "simple", "better"]
GAMES = 20_000  # at once: about a tenth of a second


@jit
def two_play(
    game: Any, players: Any, memories: Any, positions: Any, random: Any, count: int
) -> int:
    """Play whole games between two players from positions[0]; returns all plies."""
    plies = 0
    position = positions[1]
    for _ in range(count):
        positions[1] = positions[0]
        begin(players[0], game, memories[0])
        begin(players[1], game, memories[1])
        while not rules.is_over(game, position):
            if position.turn == 0:
                move = choose(players[0], game, position, memories[0], random)
            else:
                move = choose(players[1], game, position, memories[1], random)
            rules.play(game, position, move)
            plies += 1
    return plies


@jit
def three_play(
    game: Any, players: Any, memories: Any, positions: Any, random: Any, count: int
) -> int:
    """Play whole games among three players from positions[0]; returns all plies."""
    plies = 0
    position = positions[1]
    for _ in range(count):
        positions[1] = positions[0]
        begin(players[0], game, memories[0])
        begin(players[1], game, memories[1])
        begin(players[2], game, memories[2])
        while not rules.is_over(game, position):
            if position.turn == 0:
                move = choose(players[0], game, position, memories[0], random)
            elif position.turn == 1:
                move = choose(players[1], game, position, memories[1], random)
            else:
                move = choose(players[2], game, position, memories[2], random)
            rules.play(game, position, move)
            plies += 1
    return plies


def among_each_other(rounds: int) -> tuple[Table, Any]:
    """Every pair of different players, and every three of them, on 7 x 7."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        rows = [_measured("pente:size=7", two_play, pair, rounds) for pair in _groups(2)]
        rows += [_measured("pente:size=7,players=3", three_play, g, rounds) for g in _groups(3)]
    finally:
        os.sched_setaffinity(0, cores)
    table = Table(title="hand-coded players on Pente 7 x 7, one core")
    for heading in ("players", "games a second", "plies a game", "ns a ply"):
        table.add_column(heading, justify="left" if heading == "players" else "right")
    for row in rows:
        plies, speed = row["plies"], row["games"]
        table.add_row(row["players"], f"{speed:,.0f}", f"{plies:.1f}", f"{1e9 / plies / speed:.0f}")
    return table, rows


def _groups(size: int) -> list[tuple[str, ...]]:
    return list(itertools.combinations(NAMES, size))


def _measured(text: str, kernel: Any, names: tuple[str, ...], rounds: int) -> dict[str, Any]:
    game = games.make(text)
    players = tuple(make_player(name, game) for name in names)
    memories = tuple(player.memory(game) for player in players)
    positions, random = rules.new_positions(game, 2), seeded(1)
    kernel(game, players, memories, positions, random, 10)  # compiles
    times, plies = [], 0
    for _ in range(rounds):
        begun = time.process_time()
        plies += kernel(game, players, memories, positions, random, GAMES)
        times.append(time.process_time() - begun)
    speed = GAMES / statistics.median(times)
    return {"players": " ".join(names), "games": speed, "plies": plies / rounds / GAMES}
