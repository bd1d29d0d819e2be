"""Table 3 of the three-colour Go paper: all UCT, under every plausible reading.

    python -m bench.go_table_3 --games 4000

The paper (002, Table 3) gives 11.5, 7.1 and 6.3 points for Black, White and Red,
each about +-1, from 500 games, n = 180 and c = 0.8.  It does not tell all rules.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import time

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from quintet import games
from quintet.arena.match import Terms, entrants, play_match

GAME = "go:size=5,players=3,passing=forced,ko=situational,cap=150"
PLAYER = "uct:sims=180,c=0.8"
READINGS = [
    ("as in papers.md: diagonal eyes, situational superko, score / 25", GAME, PLAYER),
    ("simple eyes", f"{GAME},eye=simple", PLAYER),
    ("simple ko", GAME.replace("situational", "simple"), PLAYER),
    ("simple eyes, simple ko", f"{GAME},eye=simple".replace("situational", "simple"), PLAYER),
    ("positional superko", GAME.replace("situational", "positional"), PLAYER),
    ("reward score / 5", GAME, "uct:sims=180,c=0.16"),
    ("reward score", GAME, "uct:sims=180,c=0.032"),
    ("reward win or loss", GAME, f"{PLAYER},goal=win"),
    ("plays the best mean", GAME, f"{PLAYER},final=value"),
]
PUBLISHED = ("11.5 (+-1)", "7.1 (+-1)", "6.3 (+-1)")


def main() -> None:
    """Play every reading and print the points of each colour with 95% intervals."""
    parser = argparse.ArgumentParser(prog="python -m bench.go_table_3")
    parser.add_argument("--games", type=int, default=4000, help="of each reading")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file")
    chosen = parser.parse_args()
    rows = []
    with Progress() as bar:
        task = bar.add_task("readings", total=len(READINGS) * chosen.games)
        for name, game_text, player in READINGS:
            rows.append(_measured(name, game_text, player, chosen, bar, task))
    table = Table(title=f"Table 3: points of 25; {chosen.games} games each, seed {chosen.seed}")
    for heading in ("reading", "Black", "White", "Red", "seconds"):
        table.add_column(heading)
    table.add_row("published, 500 games", *PUBLISHED, "")
    for row in rows:
        cells = [f"{mean:.2f} ({low:.2f} to {high:.2f})" for mean, low, high in row["points"]]
        table.add_row(row["reading"], *cells, f"{row['seconds']:.0f}")
    Console(width=None if Console().is_terminal else 140).print(table)
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=2) + "\n")


def _measured(
    name: str,
    game_text: str,
    player: str,
    chosen: argparse.Namespace,
    bar: Progress,
    task: object,
) -> dict[str, object]:
    game = games.make(game_text)
    begun = time.perf_counter()
    result = play_match(
        game,
        entrants([player] * 3, game),
        Terms(chosen.games, chosen.seed),
        on_games=lambda plan, _: bar.advance(task, len(plan.numbers)),  # type: ignore[arg-type]
    )
    points = [tuple(part.score) for part in result.standings() if part.seat is not None]
    seconds = time.perf_counter() - begun
    return {
        "reading": name,
        "game": game_text,
        "player": player,
        "points": points,
        "seconds": seconds,
    }


if __name__ == "__main__":
    main()
