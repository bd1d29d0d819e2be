"""Games a second of the evaluation of networks that evolve, and time for a generation."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np
from rich.table import Table

from quintet import games
from quintet.learn.evolving import THREE_PLAYERS, TWO_PLAYERS
from quintet.learn.population import Haste, Trials
from quintet.players.finishing import Finish
from quintet.players.networks import make_network
from quintet.players.point_network import network_player

NETWORKS = ["perceptron", "perceptron(kind=recurrent)", "perceptron(kind=attentive)", "line-eye"]
TESTS = {"pente:size=7": TWO_PLAYERS, "pente:size=7,players=3": THREE_PLAYERS}
EVALUATIONS = 200  # of a generation, as in paper 000
MATCHES = 10


def games_a_second(rounds: int) -> tuple[Table, Any]:
    """Random networks against the opponents of the Pente study, by one and by two threads."""
    table = Table(title="evaluation of networks on Pente 7 x 7")
    headings = ["network", "players", "games/s, one core", "two cores", "s a generation, two cores"]
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "network" else "right")
    rows = [_measured(net, text, rounds) for net in NETWORKS for text in TESTS]
    for row in rows:
        table.add_row(
            row["network"],
            str(row["players"]),
            f"{row['one']:,.0f}",
            f"{row['two']:,.0f}",
            f"{row['games'] / row['two']:.3f}",
        )
    return table, rows


def _measured(net: str, text: str, rounds: int) -> dict[str, Any]:
    game = games.make(text)
    blueprint = make_network(net, game)
    shape = EVALUATIONS, blueprint.units * blueprint.gene(game)
    genomes = np.random.default_rng(1).uniform(-6, 6, shape).astype(np.float32)
    trials = Trials(game, TESTS[text], MATCHES, Haste(49.0, 0.5))
    count = EVALUATIONS * MATCHES * len(trials.seated) * trials.seats

    def play(seed: int, workers: int) -> None:
        trials.of(lambda: network_player(blueprint, game, Finish.LINE), genomes, seed, workers)

    play(0, 1)  # compiles
    one, two = [], []
    for seed in range(rounds):
        # of one thread the processor's time, which others at work do not change; of two the clock's
        begun = time.process_time()
        play(seed, 1)
        one.append(time.process_time() - begun)
        begun = time.perf_counter()
        play(seed, 2)
        two.append(time.perf_counter() - begun)
    return {
        "network": net,
        "players": game.limits().seats,
        "games": count,
        "one": count / statistics.median(one),
        "two": count / statistics.median(two),
    }
