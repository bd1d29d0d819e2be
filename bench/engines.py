"""Our players against other programs: who wins, and how long each thinks.

    python -m bench.engines othello --seed 1 --json figures.jsonl
    python -m bench.engines go-9 --row 2           # one row of a section

Each row is a match in both orders of seats, refereed by our rules, on one core.  Times are
of the processor, so that other work on the machine does not count.
Games have no random opening: some programs play only from the start.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import time
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from quintet import games
from quintet.arena.match import Entrant, Terms, play_match
from quintet.players import make_player
from quintet.players.player import Seat


class Row(NamedTuple):
    """A match."""

    ours: str
    theirs: str
    games: int


class Clock:
    """How long somebody has thought."""

    def __init__(self) -> None:
        """Not yet."""
        self.seconds, self.moves = 0.0, 0

    @property
    def a_move(self) -> float:
        """Seconds."""
        return self.seconds / max(1, self.moves)


class Timed(NamedTuple):
    """A player under a clock."""

    player: Any
    clock: Clock

    def memory(self, game: Any) -> Seat:
        """The player's own."""
        return Seat(self.player, game)

    def begin(self, game: Any, memory: Seat) -> None:
        """A new game."""
        memory.begin()

    def watch(self, game: Any, position: Any, move: int, memory: Seat) -> None:
        """Somebody moves."""
        memory.watch(position, move)

    def think(self, game: Any, position: Any, memory: Seat, random: Any) -> int:
        """The player's move, timed."""
        memory.random[0] = random[0]
        spent = getattr(memory.memory, "spent", time.thread_time)  # of a program, or our own
        begun = spent()
        move = memory.choose(position)
        self.clock.seconds += spent() - begun
        self.clock.moves += 1
        random[0] = memory.random[0]
        return move


def _against(name: str, levels: tuple[int, ...], players: dict[str, int]) -> list[Row]:
    """Each of our players, with the number of games, against each level."""
    return [
        Row(player, f"engine:{name}:level={level}", count)
        for level in levels
        for player, count in players.items()
    ]


_GRAVE = "rave=grave,goal=win"
_GO_5 = {"uct:sims=500,rave=rave,goal=win": 20, "uct:sims=5000,rave=rave,goal=win": 20}
_GO_7 = {f"uct:sims=1000,{_GRAVE}": 20, f"uct:sims=5000,{_GRAVE}": 10}
_GO_9 = {f"uct:sims=1000,{_GRAVE}": 30, f"uct:sims=5000,{_GRAVE}": 10}
_OTHELLO = {
    "uct:sims=2000,solve=yes": 20,
    "alphabeta:depth=4,eval=positional,endgame=10": 20,
    "alphabeta:depth=8,eval=positional,endgame=14": 20,
}
_PENTE = {"better": 20, "uct:sims=1000,rave=grave,solve=yes": 10, "alphabeta:depth=2": 10}
_FIVE = {"hardnet": 6, "threats": 6, "uct:sims=1000,rave=grave,solve=yes": 6, "xmake5": 4}
SECTIONS = {
    "go-5": ("go:size=5,komi=0/6.5", _against("gnugo", (1, 10), _GO_5)),
    "go-7": ("go:size=7,komi=0/6.5", _against("gnugo", (1, 10), _GO_7)),
    "go-9": ("go:size=9,komi=0/6.5", _against("gnugo", (1, 10), _GO_9)),
    "othello": ("othello", _against("grhino", (1, 2, 3, 4, 5), _OTHELLO)),
    "pente": ("pente:tournament=yes", _against("pente", (1, 3, 5), _PENTE)),
    "gomoku": (
        "go-moku:rows=19,columns=19",
        [Row(player, "engine:gomoku", count) for player, count in _FIVE.items()],
    ),
}


def main() -> None:
    """Play the rows of a section and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.engines")
    parser.add_argument("section", choices=SECTIONS)
    parser.add_argument("--row", type=int, help="only this one, from 1")
    parser.add_argument("--ours", help="another player of ours in place of that of the row")
    parser.add_argument("--games", type=int, help="in place of the row's number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path, help="add the figures to this file")
    chosen = parser.parse_args()
    game_text, rows = SECTIONS[chosen.section]
    wanted = [rows[chosen.row - 1]] if chosen.row else rows
    console = Console(width=None if Console().is_terminal else 160)
    table = Table("ours", "theirs", "games", "distinct", "wins", "score", "our ms", "their ms")
    for one in wanted:
        row = Row(chosen.ours or one.ours, one.theirs, chosen.games or one.games)
        found = measured(game_text, row, chosen.seed)
        table.add_row(*_cells(found))
        if chosen.json:
            with chosen.json.open("a") as file:
                file.write(json.dumps(found) + "\n")
    console.print(f"{game_text}, seed {chosen.seed}")
    console.print(table)


def measured(game_text: str, row: Row, seed: int) -> dict[str, Any]:
    """The figures of one match."""
    game = games.make(game_text)
    clocks = {text: Clock() for text in (row.ours, row.theirs)}
    entrants = [Entrant(t, Timed(make_player(t, game), clocks[t])) for t in clocks]
    _warm(game, row.ours)
    with Progress(transient=True) as bar:
        task = bar.add_task(f"{row.ours} - {row.theirs}", total=row.games)
        result = play_match(
            game,
            entrants,
            Terms(row.games, seed, opening=0),
            workers=1,
            on_games=lambda plan, _: bar.advance(task, len(plan.numbers)),
        )
    ours = next(it for it in result.standings() if it.player == row.ours and it.seat is None)
    return {
        "game": game_text,
        **row._asdict(),
        "games": len(result.games.numbers),
        "distinct": result.games.distinct,
        "seed": seed,
        "wins": list(ours.wins),
        "score": list(ours.score),
        "our_ms": 1000 * clocks[row.ours].a_move,
        "their_ms": 1000 * clocks[row.theirs].a_move,
    }


def _warm(game: Any, player: str) -> None:
    """Compile before the clock runs."""
    from quintet import rules

    Seat(make_player(player, game), game).choose(rules.new_position(game))


def _cells(found: dict[str, Any]) -> list[str]:
    wins, low, high = (100 * value for value in found["wins"])
    score = "{:.3f} ({:.3f} to {:.3f})".format(*found["score"])
    return [
        found["ours"],
        found["theirs"],
        str(found["games"]),
        str(found["distinct"]),
        f"{wins:.1f}% ({low:.1f} to {high:.1f})",
        score,
        f"{found['our_ms']:.1f}",
        f"{found['their_ms']:.1f}",
    ]


if __name__ == "__main__":
    main()
