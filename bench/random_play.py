"""Random games a second: against peers on one core, and on two threads."""

from __future__ import annotations

import os
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rich.progress import track
from rich.table import Table

from bench import peers

SECONDS = 0.5  # of each measurement; pairs alternate, so that both see the same machine
MILLION = 1e6

PAIRS = [
    ("tic-tac-toe", "OpenSpiel", "tic_tac_toe"),
    ("connect-four", "OpenSpiel", "connect_four"),
    ("go-moku", "OpenSpiel", "gomoku(size=15)"),
    ("othello", "OpenSpiel", "othello"),
    ("pentago", "OpenSpiel", "pentago"),
    ("go:size=5", "OpenSpiel", "go(board_size=5)"),
    ("go:size=9", "OpenSpiel", "go(board_size=9)"),
    ("go:size=19", "OpenSpiel", "go(board_size=19)"),
    ("tic-tac-toe", "pgx", "tic_tac_toe"),
    ("connect-four", "pgx", "connect_four"),
    ("othello", "pgx", "othello"),
    ("go:size=9", "pgx", "go_9x9"),
    ("go:size=19", "pgx", "go_19x19"),
]
ALONE = ["pente:size=7", "pente:size=7,players=3", "go:size=5,players=3,passing=forced"]
START = {"OpenSpiel": peers.open_spiel, "pgx": peers.pgx}


def against_peers(rounds: int) -> tuple[Table, Any]:
    """Moves a second, and how many times the peer's that is (median, and range)."""
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        rows = [_measured(*pair, rounds) for pair in track(PAIRS, "random play", transient=True)]
        rows += [_measured_alone(text, rounds) for text in ALONE]
    finally:
        os.sched_setaffinity(0, cores)
    table = Table(title="random play on one core, million moves a second")
    for heading in ("game", "Quintet", "peer", "its speed", "ratio", "range"):
        side = "left" if heading in ("game", "peer") else "right"
        table.add_column(heading, justify=side, no_wrap=True)
    for row in rows:
        table.add_row(*_cells(row))
    return table, rows


def _measured(text: str, peer: str, name: str, rounds: int) -> dict[str, Any]:
    ours, theirs = peers.quintet(text), START[peer](name)
    pairs = [(ours(SECONDS), theirs(SECONDS)) for _ in range(rounds)]
    ratios = sorted(one / other for one, other in pairs)
    return {
        "game": text,
        "quintet": statistics.median(one for one, _ in pairs),
        "peer": f"{peer} {name}",
        "theirs": statistics.median(other for _, other in pairs),
        "ratio": statistics.median(ratios),
        "range": (ratios[0], ratios[-1]),
    }


def _measured_alone(text: str, rounds: int) -> dict[str, Any]:
    run = peers.quintet(text)
    speed = statistics.median(run(SECONDS) for _ in range(rounds))
    return {
        "game": text,
        "quintet": speed,
        "peer": "",
        "theirs": None,
        "ratio": None,
        "range": None,
    }


def _cells(row: dict[str, Any]) -> list[str]:
    ours = f"{row['quintet'] / MILLION:.1f}"
    if row["theirs"] is None:
        return [row["game"], ours]
    low, high = row["range"]
    theirs, ratio = f"{row['theirs'] / MILLION:.3f}", f"{row['ratio']:.0f}x"
    return [row["game"], ours, row["peer"], theirs, ratio, f"{low:.0f} - {high:.0f}"]


def on_two_threads(rounds: int) -> tuple[Table, Any]:
    """The same work on one thread and on two."""
    rows = []
    for text in ("othello", "go:size=5,players=3", "go-moku"):
        ratios = [_gain_of_two_threads(text) for _ in range(rounds)]
        rows.append({"game": text, "ratio": statistics.median(ratios)})
    table = Table("game", "two threads / one", title="threads")
    for row in rows:
        table.add_row(row["game"], f"{row['ratio']:.2f}")
    return table, rows


def _gain_of_two_threads(text: str) -> float:
    def speed(seed: int) -> float:
        return peers.quintet(text, seed, time.perf_counter)(SECONDS)

    alone = speed(1)
    with ThreadPoolExecutor(2) as pool:
        return sum(pool.map(speed, (1, 2))) / alone


def othello_perft(_: int) -> tuple[Table, Any]:
    """Count Othello's sequences of eleven moves."""
    from quintet import games, rules

    game = games.make("othello")
    position = rules.new_position(game)
    rules.perft(game, position, 2)
    begun = time.perf_counter()
    count = rules.perft(game, position, 11)
    seconds = time.perf_counter() - begun
    table = Table("sequences", "seconds", "million a second", title="Othello perft(11)")
    table.add_row(f"{count:,}", f"{seconds:.1f}", f"{count / seconds / MILLION:.0f}")
    return table, {"count": count, "seconds": seconds}
