"""Positions a second that the compiled networks answer, on one core."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.progress import track
from rich.table import Table

from bench.othello_players import POSITIONS, evaluate_all, random_positions, rates_of
from quintet import games, learn
from quintet.compiled import jit
from quintet.learn.learner import Step
from quintet.nets.product_units import Kind, Network, shapes_of
from quintet.players import make_player
from quintet.players.evaluations import make_evaluation
from quintet.players.finishing import Finish
from quintet.players.networks import make_network
from quintet.players.player import choose
from quintet.players.point_network import network_player
from quintet.players.points import player_of
from quintet.randomness import seeded
from quintet.search.evaluation import new_desk

_POINTS = ("perceptron(hidden=20)", "line-eye")


def speeds(rounds: int) -> tuple[Table, Any]:
    """Networks of points choose a move, others evaluate a position."""
    rows = []
    for what, measure in track(_measures(), "networks", transient=True):
        rates = {name: rate * POSITIONS for name, rate in rates_of(measure, rounds).items()}
        rows.append({"what": what, **rates})
    table = Table("", "positions a second", "range", title="Compiled networks on one core")
    for row in rows:
        spread = f"{row['least']:,.0f} to {row['most']:,.0f}"
        table.add_row(row["what"], f"{row['median']:,.0f}", spread)
    return table, rows


def _measures() -> list[tuple[str, Any]]:
    board, pente = games.make("go-moku"), games.make("pente:size=7")
    pentago = games.make("pentago")
    named: list[tuple[str, Any]] = []
    for text in ("hardnet", "product units, 64 a seat"):
        player = make_player(text, board) if text == "hardnet" else player_of(_all_units())
        named.append((f"{text}: all points of Go-Moku, move by move", _chosen(player, board)))
        named.append((f"{text}: from any board to any other", _chosen(player, board, mixed=True)))
    for text in _POINTS:
        network = make_network(text, pente)
        genome = np.random.default_rng(1).normal(size=network.units * network.gene(pente))
        player = network_player(network, pente, Finish.NONE, genome.astype(np.float32))
        named.append((f"{text}: all points of Pente 7x7, move by move", _chosen(player, pente)))
    named.append(("35 features of Pentago", _evaluated(make_evaluation("features"), pentago)))
    named.append(
        (
            "n-tuples of Pentago: a move, from all boards it can lead to",
            _chosen(_lines(pentago), pentago),
        )
    )
    return named


def _all_units() -> Network:
    weights = np.random.default_rng(1).normal(size=(2, len(shapes_of(Kind.ALL))))
    return Network(weights, np.ones(2), 0.25)


def _lines(game: Any) -> Any:
    learner = learn.make_learner("ntuple", game, preset="pentago")
    return learner.player(game, learner.start(game, Step(0, 1)))


def _chosen(player: Any, game: Any, *, mixed: bool = False) -> Any:
    positions, memory, random = random_positions(game), player.memory(game), seeded(1)
    if mixed:
        np.random.default_rng(1).shuffle(positions)
    return lambda count: _choose_all(player, game, positions, memory, random, count)


def _evaluated(evaluation: Any, game: Any) -> Any:
    positions, desk, random, out = random_positions(game), new_desk(game), seeded(1), np.zeros(2)
    return lambda count: evaluate_all(evaluation, game, positions, desk, random, out, count)


@jit
def _choose_all(
    player: Any, game: Any, positions: Any, memory: Any, random: Any, count: int
) -> int:
    total = 0
    for _ in range(count):
        for i in range(positions.shape[0]):
            total += choose(player, game, positions[i], memory, random)
    return total
