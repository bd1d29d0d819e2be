"""What is printed: boards, results, plain lines."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from quintet.rules import Position

_COLOURS = ("bold red", "bold cyan", "bold yellow", "bold green", "bold magenta", "bold blue")


def say_compiling() -> None:
    """Say why the first use of a game or player takes a moment."""
    if sys.stderr is not None and sys.stderr.isatty():
        print("Compiling; the next time this is kept ...", file=sys.stderr)


def print_board(game: Any, position: Position) -> None:
    """Print the picture, with coloured stones where the terminal has colours."""
    from rich.text import Text

    from quintet.notation import picture

    rows = game.layout().rows
    for number, line in enumerate(picture(game, position).split("\n")):
        # the header and the facts may hold the letters of stones: leave them plain
        say(_coloured(line) if 0 < number <= rows else Text(line))


def _coloured(line: str) -> Text:
    from rich.text import Text

    from quintet.notation import EMPTY, STONES

    styles = {EMPTY: "dim", **dict(zip(STONES, _COLOURS, strict=True))}
    text = Text()
    for character in line:
        text.append(character, styles.get(character))
    return text


def print_legal_moves(game: Any, position: Position) -> None:
    """The legal moves in lines as wide as the screen."""
    from quintet import rules
    from quintet.notation import move_name

    names = [move_name(game, move) for move in rules.list_legal_moves(game, position)]
    line = f"legal moves ({len(names)}): {' '.join(names)}"
    say(textwrap.fill(line, console().width, subsequent_indent="  ", break_on_hyphens=False))


def points(game: Any, position: Position) -> str:
    """What each seat has so far."""
    import numpy as np

    from quintet import rules

    out = np.zeros(game.limits().seats)
    rules.points(game, position, out)
    return ", ".join(f"{mark(seat)} {points:g}" for seat, points in enumerate(out))


def results(game: Any, position: Position, players: list[str] | None = None) -> list[str]:
    """How a finished game ended for each seat, in words."""
    from quintet import rules

    scores = rules.list_scores(game, position)
    winners = scores.count(max(scores))
    lines = []
    for seat, score in enumerate(scores):
        if winners == len(scores):
            word = "draws"
        elif score < max(scores):
            word = "loses"
        else:
            word = "wins" if winners == 1 else "shares the win"
        who = f" ({players[seat]})" if players else ""
        # 1 for a win is no news; points are
        tail = f" with {score:g}" if game.limits().highest > 1 else ""
        lines.append(f"{mark(seat)}{who} {word}{tail}")
    return lines


def mark(seat: int) -> str:
    """The stone of a seat."""
    from quintet.notation import STONES

    return STONES[seat]


def console() -> Console:
    """Where lines are printed."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def say(text: str | Text) -> None:
    """Print without rich's guesses: no wrapping, no markup."""
    console().print(text, soft_wrap=True)
