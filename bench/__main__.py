"""Run the benchmarks: all, or those named."""

from __future__ import annotations

import argparse
import json
import pathlib

from rich.console import Console

from bench import (
    arena,
    evolution,
    hand_coded,
    networks,
    othello_evolution,
    othello_players,
    random_play,
    search,
    search_depth,
    startup,
    web,
)

WIDTH = 120  # of tables in a file
SECTIONS = {
    "random-play": random_play.against_peers,
    "threads": random_play.on_two_threads,
    "perft": random_play.othello_perft,
    "uct": search.uct,
    "alphabeta": search_depth.alphabeta,
    "hand-coded": hand_coded.among_each_other,
    "othello-players": othello_players.speeds,
    "othello-evolution": othello_evolution.speeds,
    "networks": networks.speeds,
    "arena": arena.games_a_second,
    "evolution": evolution.games_a_second,
    "startup": startup.times,
    "web": web.answers,
}


def main() -> None:
    """Print a table for each section; keep the figures in a file if asked."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="section", help=", ".join(SECTIONS))
    parser.add_argument("--rounds", type=int, default=5, help="how often each pair is timed")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file")
    chosen = parser.parse_args()
    unknown = sorted(set(chosen.sections) - set(SECTIONS))
    if unknown:
        parser.error(f"no section {unknown[0]!r}; there are {', '.join(SECTIONS)}")
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    figures = {}
    for name in chosen.sections or SECTIONS:
        table, figures[name] = SECTIONS[name](chosen.rounds)
        console.print(table)
        console.print()
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
