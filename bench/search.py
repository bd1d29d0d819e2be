"""Simulations a second of tree search, side by side with OpenSpiel's in C++.

Of the processor, not of the clock: other work on the machine then counts for nobody.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable
from time import process_time
from typing import Any

from rich.progress import track
from rich.table import Table

SECONDS = 0.5  # of each measurement; pairs alternate, so that both see the same machine
SIMULATIONS = 1000  # from the start of the game, again and again
C = 0.8  # of the UCT formula, for both (our values are 0 to 1, OpenSpiel's -1 to 1)

PAIRS = [
    ("othello", "othello"),
    ("connect-four", "connect_four"),
    ("go-moku", "gomoku(size=15)"),
    ("go:size=5,cap=50", "go(board_size=5)"),  # which ends a game after two plies a point
    ("go:size=9,cap=162", "go(board_size=9)"),
    ("pentago", "pentago"),
]
ALONE = ["go:size=5,players=3,passing=forced,ko=situational,cap=150"]


def uct(rounds: int) -> tuple[Table, Any]:
    """Simulations a second, and how many times the peer's that is (median, and range)."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        rows = [_measured(*pair, rounds) for pair in track(PAIRS, "tree search", transient=True)]
        rows += [_measured(text, None, rounds) for text in ALONE]
    finally:
        os.sched_setaffinity(0, cores)
    title = f"UCT on one core, {SIMULATIONS} simulations a move, simulations a second of its time"
    table = Table("game", title=title)
    for heading in ("Quintet", "OpenSpiel", "ratio", "range"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(row["game"], *_shown(row))
    return table, rows


def _measured(text: str, name: str | None, rounds: int) -> dict[str, Any]:
    ours = quintet(text)
    if name is None:
        speed = statistics.median(ours(SECONDS) for _ in range(rounds))
        return {"game": text, "quintet": speed}
    theirs = open_spiel(name)
    pairs = [(ours(SECONDS), theirs(SECONDS)) for _ in range(rounds)]
    ratios = sorted(one / other for one, other in pairs)
    return {
        "game": text,
        "quintet": statistics.median(one for one, _ in pairs),
        "peer": f"OpenSpiel {name}",
        "theirs": statistics.median(other for _, other in pairs),
        "ratio": statistics.median(ratios),
        "range": (ratios[0], ratios[-1]),
    }


def _shown(row: dict[str, Any]) -> list[str]:
    if "ratio" not in row:
        return [f"{row['quintet']:,.0f}"]
    low, high = row["range"]
    ratio = f"{row['ratio']:.0f}x"
    return [f"{row['quintet']:,.0f}", f"{row['theirs']:,.0f}", ratio, f"{low:.0f} - {high:.0f}"]


def quintet(text: str, seed: int = 1) -> Callable[[float], float]:
    """Our UCT with random playouts."""
    from quintet import games, rules
    from quintet.players import make_player
    from quintet.players.player import Seat
    from quintet.randomness import seeded

    game = games.make(text)
    seat = Seat(make_player(f"uct:sims={SIMULATIONS},c={C}", game), game, seeded(seed))
    position = rules.new_position(game)
    return _repeated(lambda: seat.choose(position))


def open_spiel(name: str, seed: int = 1) -> Callable[[float], float]:
    """OpenSpiel's MCTSBot with one random rollout a leaf, all in C++."""
    import pyspiel

    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, C, SIMULATIONS, 1000, False, seed, False)
    state = game.new_initial_state()
    return _repeated(lambda: bot.mcts_search(state))


def _repeated(search: Callable[[], Any]) -> Callable[[float], float]:
    def run(seconds: float) -> float:
        done, begun = 0, process_time()
        while (spent := process_time() - begun) < seconds:
            search()
            done += SIMULATIONS
        return done / spent

    search()  # compiles
    return run
