"""Evolved Othello networks: evaluations, games and generations a second, beside PyTorch."""

from __future__ import annotations

import itertools
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.progress import track
from rich.table import Table

from quintet import games
from quintet.compiled import jit
from quintet.learn import learner_from
from quintet.learn.learner import Step
from quintet.learn.tournament import Fairness, draw_seatings, play_seatings
from quintet.nets.genomes import express
from quintet.nets.spatial import Spatial, add_stone, answer, new_room, write_sums
from quintet.players.networks import evolved_player

EVALUATIONS = 20_000
GAMES = {0: 1000, 2: 40}  # at once, by plies of look-ahead
BATCH = 256  # positions that PyTorch looks at together; and one
NETS = {"queens": Spatial(), "squares": Spatial("squares(3)", lead=True)}


def speeds(rounds: int) -> tuple[Table, Any]:
    """On one core, processor time; games and generations on all cores as well, clock time."""
    rows = []
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        for name, net in track(NETS.items(), "evaluations", transient=True):
            rows += _evaluations(name, net, rounds)
        rows += _torch(rounds)
        rows += _games(rounds, "one core", time.process_time)
    finally:
        os.sched_setaffinity(0, cores)
    rows += _games(rounds, f"{len(cores)} cores", time.perf_counter)
    table = Table("", "a second", "range", title="Othello's evolved networks")
    for row in rows:
        table.add_row(
            row["what"], f"{row['median']:,.1f}", f"{row['least']:,.1f} to {row['most']:,.1f}"
        )
    return table, rows


def _rated(
    what: str, count: int, work: Callable[[], Any], rounds: int, clock: Callable[[], float]
) -> dict[str, Any]:
    work()  # compiles
    rates = []
    for _ in range(rounds):
        begun = clock()
        work()
        rates.append(count / (clock() - begun))
    return {
        "what": what,
        "median": statistics.median(rates),
        "least": min(rates),
        "most": max(rates),
    }


def _evaluations(name: str, net: Spatial, rounds: int) -> list[dict[str, Any]]:
    """Of boards with 34 discs, each looked at anew, and after moves that change four cells."""
    game = games.make("othello")
    network = net.network(game)
    chance = np.random.default_rng(1)
    express(network, chance.uniform(-0.2, 0.2, net.gene(game)).astype(np.float32))
    room, content = new_room(network), np.zeros(64, np.int8)
    content[chance.permutation(64)[:34]] = chance.integers(1, 3, 34)
    changed = chance.permutation(64)[:4]
    return [
        _rated(
            f"{name}: evaluations {how}",
            EVALUATIONS,
            lambda anew=anew: _evaluate(network, room, content, changed, anew, EVALUATIONS),  # type: ignore[misc]
            rounds,
            time.process_time,
        )
        for how, anew in (("of a board", True), ("after a move", False))
    ]


@jit
def _evaluate(
    network: Any, rooms: Any, content: Any, changed: Any, anew: bool, count: int
) -> float:
    room, total = rooms[0], 0.0
    write_sums(network, content, room.base)
    for _ in range(count):
        if anew:
            write_sums(network, content, room.sums)
        else:
            for i in range(room.sums.shape[0]):
                room.sums[i] = room.base[i]
            for cell in changed:
                add_stone(network, room.sums, cell, np.float32(2.0))
        total += answer(network.weights[0], room, network.gain, np.float32(1.0))
    return total


def _torch(rounds: int) -> list[dict[str, Any]]:
    """The same network as PyTorch writes it: dense layers."""
    import torch

    torch.set_num_threads(1)
    widths = (64, 65, 40, 10, 1)
    layers = [torch.nn.Linear(*pair) for pair in itertools.pairwise(widths)]

    def forward(boards: Any) -> Any:
        for layer in layers:
            boards = torch.tanh(0.01 * layer(boards))
        return boards

    rows = []
    with torch.inference_mode():
        for batch in (1, BATCH):
            boards = torch.randint(-1, 2, (batch, 64)).float()
            calls = EVALUATIONS // batch // 4

            def work(boards: Any = boards, calls: int = calls) -> None:
                for _ in range(calls):
                    forward(boards)

            what = f"queens in PyTorch: boards, {batch} at once"
            rows.append(_rated(what, batch * calls, work, rounds, time.process_time))
    return rows


def _games(rounds: int, where: str, clock: Callable[[], float]) -> list[dict[str, Any]]:
    game, net = games.make("othello"), NETS["queens"]
    chance = np.random.default_rng(1)
    genomes = chance.uniform(-0.2, 0.2, (100, net.gene(game))).astype(np.float32)
    rows = []
    for depth, count in GAMES.items():
        seatings = draw_seatings(100, 2, 10, Fairness.FAIR, chance)[:count]

        def play(depth: int = depth, seatings: Any = seatings) -> None:
            play_seatings(game, lambda: evolved_player(net, game, depth), genomes, seatings, 1)

        rows.append(_rated(f"{where}: games at ply {depth}", count, play, rounds, clock))
    learner = learner_from("evolutionary-programming", game)
    state = learner.start(game, Step(0, 1))
    step = lambda: learner.step(game, state, Step(1, 1))  # noqa: E731
    rows.append(_rated(f"{where}: generations of 1000 games", 1, step, rounds, clock))
    return rows
