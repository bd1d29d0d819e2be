"""Othello's hand-coded opponents: whole games a second, and evaluations a second."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.progress import track
from rich.table import Table

from quintet import games, rules
from quintet.compiled import jit
from quintet.players import make_player
from quintet.players.evaluations import make_evaluation
from quintet.players.player import choose
from quintet.randomness import seeded
from quintet.search.evaluation import evaluate, new_desk

SECONDS = 0.5  # of each measurement, at least
PLAYERS = ("iagno:level=1", "iagno:level=2", "iagno:level=3")
EVALUATIONS = ("positional", "discs", "mobility", "iagno")
POSITIONS = 2048


def speeds(rounds: int) -> tuple[Table, Any]:
    """Games a second against random play, seats in turn; evaluations a second."""
    game = games.make("othello")
    rows = []
    for text in track(PLAYERS, "Othello players", transient=True):
        rows.append(
            {"what": f"{text} against random", "unit": "games", **_games(text, game, rounds)}
        )
    for text in EVALUATIONS:
        rows.append(
            {"what": f"eval={text}", "unit": "positions", **_evaluations(text, game, rounds)}
        )
    table = Table("", "a second", "", "range", title="Othello's opponents on one core")
    for row in rows:
        spread = f"{row['least']:,.0f} to {row['most']:,.0f}"
        table.add_row(row["what"], f"{row['median']:,.0f}", row["unit"], spread)
    return table, rows


def rates_of(work: Callable[[int], Any], rounds: int) -> dict[str, float]:
    work(2)  # compiles
    rates = []
    for _ in range(rounds):
        begun = time.perf_counter()
        done = 0
        while time.perf_counter() - begun < SECONDS:
            work(4)
            done += 4
        rates.append(done / (time.perf_counter() - begun))
    return {"median": statistics.median(rates), "least": min(rates), "most": max(rates)}


def _games(text: str, game: Any, rounds: int) -> dict[str, float]:
    player, other = make_player(text, game), make_player("random", game)
    position = rules.new_position(game)
    memories = player.memory(game), other.memory(game)
    random = seeded(1)
    return rates_of(
        lambda count: _play_games(game, position, player, other, *memories, random, count), rounds
    )


@jit
def _play_games(
    game: Any,
    position: Any,
    player: Any,
    other: Any,
    memory: Any,
    other_memory: Any,
    random: Any,
    count: int,
) -> None:
    for number in range(count):
        rules.start(game, position)
        position.turn = 0
        while not rules.is_over(game, position):
            if rules.turn(game, position) == number % 2:
                move = choose(player, game, position, memory, random)
            else:
                move = choose(other, game, position, other_memory, random)
            rules.play(game, position, move)


def _evaluations(text: str, game: Any, rounds: int) -> dict[str, float]:
    evaluation, desk, random, out = make_evaluation(text), new_desk(game), seeded(1), np.zeros(2)
    positions = random_positions(game)
    rates = rates_of(
        lambda count: evaluate_all(evaluation, game, positions, desk, random, out, count), rounds
    )
    return {name: rate * POSITIONS for name, rate in rates.items()}


def random_positions(game: Any) -> Any:
    """Positions from all parts of random games."""
    positions = rules.new_positions(game, POSITIONS)
    moves = rules.move_buffer(game)
    random = seeded(2)
    for i in range(1, POSITIONS):
        positions[i] = positions[i - 1]
        rules.play(game, positions[i], rules.random_move(game, positions[i], moves, random))
        if rules.is_over(game, positions[i]):
            positions[i] = positions[0]
    return positions


@jit
def evaluate_all(
    evaluation: Any, game: Any, positions: Any, desk: Any, random: Any, out: Any, count: int
) -> float:
    total = 0.0
    for _ in range(count):
        for i in range(positions.shape[0]):
            evaluate(evaluation, game, positions[i], desk, random, out)
            total += out[0]
    return total
