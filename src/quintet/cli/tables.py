"""Results as tables: on the screen, and in files."""

from __future__ import annotations

import csv
import io
import json
import os
import pathlib
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from quintet.cli.printing import console
from quintet.errors import UserError

if TYPE_CHECKING:
    from quintet.arena.intervals import Estimate
    from quintet.arena.results import Standing
    from quintet.arena.tournament import TournamentResult

_WIDE = 200  # columns of a table that goes to a file or a pipe
_MEASURES = ("wins", "score", "rank")


def percent(estimate: Estimate) -> str:
    """``69.7% (66.2 to 72.9)``."""
    mean, low, high = (100 * number for number in estimate)
    return f"{mean:.1f}% ({low:.1f} to {high:.1f})"


def number(estimate: Estimate, places: int) -> str:
    """``1.36 (1.32 to 1.40)``."""
    mean, low, high = (f"{value:.{places}f}" for value in estimate)
    return f"{mean} ({low} to {high})"


def print_standings(game: Any, standings: Sequence[Standing], ratings: Any = None) -> None:
    """A row for each player, and below it its seats."""
    from rich.table import Table

    headings = ["player", "seat", "games", "wins", "score", "rank"]
    table = Table(*headings, *(["rating"] if ratings else []), box=None, pad_edge=False)
    places = 3 if game.limits().highest <= 1 else 2
    for standing in standings:
        overall = standing.seat is None
        cells = [
            standing.player if overall else "",
            "all" if standing.seat is None else str(standing.seat + 1),
            str(standing.games),
            percent(standing.wins),
            number(standing.score, places),
            number(standing.rank, 2),
        ]
        if ratings and overall:
            cells.append(number(ratings[standing.player], 0))
        table.add_row(*cells)
    print_table(table)


def print_cross_table(result: TournamentResult) -> None:
    """How often the player of a row is ahead of the player of a column."""
    from rich.table import Table

    ratings = result.ratings().values
    order = sorted(range(len(result.names)), key=lambda player: -ratings[player])
    columns = [str(place + 1) for place in range(len(order))]
    table = Table("ahead of", "", *columns, box=None, pad_edge=False)
    for place, player in enumerate(order):
        cells = []
        for other in order:
            estimate = None if other == player else result.ahead(player, other)
            cells.append("-" if estimate is None else percent(estimate))
        table.add_row(str(place + 1), result.names[player], *cells)
    print_table(table)


def print_table(table: Any) -> None:
    """Print without cutting or wrapping where there is no screen to fit."""
    for column in table.columns:
        column.no_wrap = True
    screen = console()
    if not screen.is_terminal:
        screen.width = max(_WIDE, 40 * len(table.columns))
    screen.print(table, crop=False, soft_wrap=not screen.is_terminal)


# --- files --------------------------------------------------------------------


def check_writable(path: str | None) -> None:
    """Tell before an hour of games that their results cannot be written."""
    if path is None:
        return
    folder = pathlib.Path(path).resolve().parent
    if not folder.is_dir():
        raise UserError(f"{path!r} cannot be written: there is no folder {str(folder)!r}")
    if pathlib.Path(path).is_dir() or not os.access(folder, os.W_OK):
        raise UserError(f"{path!r} cannot be written; expected a file in a folder of yours")


def write_json(path: str, content: dict[str, Any]) -> None:
    """All numbers, in full."""
    _write(path, json.dumps(content, indent=2) + "\n")


def write_csv(path: str, standings: Sequence[Standing], ratings: Any = None) -> None:
    """The table of standings, a row for each player and seat."""
    edges = ("", "_low", "_high")
    measures = [*_MEASURES, *(["rating"] if ratings else [])]
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["player", "seat", "games", *(m + edge for m in measures for edge in edges)])
    for standing in standings:
        numbers = [value for measure in _MEASURES for value in getattr(standing, measure)]
        if ratings:
            numbers += list(ratings[standing.player]) if standing.seat is None else ["", "", ""]
        seat = "all" if standing.seat is None else standing.seat + 1
        writer.writerow([standing.player, seat, standing.games, *numbers])
    _write(path, stream.getvalue())


def _write(path: str, text: str) -> None:
    """All or nothing: a reader never sees half a file."""
    try:
        folder = pathlib.Path(path).resolve().parent
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, newline="") as file:
            file.write(text)
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)
    except OSError as error:
        raise UserError(f"{path!r} cannot be written: {error.strerror}") from error
