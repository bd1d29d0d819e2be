"""How long a person waits: for help, and for the first move of a game."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from rich.progress import track
from rich.table import Table

GAMES = ("tic-tac-toe", "go-moku", "pente", "othello", "pentago", "go:size=5,players=3", "go")
FIRST_MOVE = """
import time
begun = time.perf_counter()
import sys
from quintet import games, rules
game = games.make(sys.argv[1])
position = rules.new_position(game)
rules.checked_play(game, position, rules.list_legal_moves(game, position)[0])
print(time.perf_counter() - begun)
"""


def times(rounds: int) -> tuple[Table, Any]:
    """Seconds to help; seconds from a new process to the first move, cold and warm."""
    rows = [{"what": "quintet --help", "cold": None, "warm": _help(rounds)}]
    for text in track(GAMES, "start-up", transient=True):
        with tempfile.TemporaryDirectory() as cache:
            cold = _first_move(text, cache)
            warm = statistics.median(_first_move(text, cache) for _ in range(rounds))
        rows.append({"what": f"first move of {text}", "cold": cold, "warm": warm})
    table = Table("", "cold", "warm", title="start-up, seconds")
    for row in rows:
        cold = "" if row["cold"] is None else f"{row['cold']:.2f}"
        table.add_row(row["what"], cold, f"{row['warm']:.2f}")
    return table, rows


def _help(rounds: int) -> float:
    spent = []
    for _ in range(rounds):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-m", "quintet", "--help"], check=True, capture_output=True)
        spent.append(time.perf_counter() - begun)
    return statistics.median(spent)


def _first_move(text: str, cache: str) -> float:
    """Imports included, the interpreter's own start not."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_MOVE, text],
        env={**os.environ, "QUINTET_CACHE": cache},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)
