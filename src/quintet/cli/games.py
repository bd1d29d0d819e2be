"""``games``, ``show`` and ``perft``: look at the games and their rules."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

import click

from quintet.cli.entry import main
from quintet.cli.given import make_game, moves_option, picture_option, read_position
from quintet.cli.printing import console, mark, points, print_board, print_legal_moves, results, say
from quintet.errors import UserError

if TYPE_CHECKING:
    from quintet.parameters import Parameter
    from quintet.rules import Position

_QUICK = 2.0  # seconds without a progress bar
_MILLION = 1_000_000


@main.command()
@click.argument("name", required=False)
def games(name: str | None) -> None:
    """List the games, or the parameters of one."""
    from rich.table import Table

    if name is not None:
        _print_parameters(name)
        return
    from quintet.games import names

    table = Table("game", "seats", "summary", box=None, pad_edge=False)
    for game_name, entry in names().items():
        table.add_row(game_name, _seats(game_name), entry.summary)
    console().print(table)


def _seats(name: str) -> str:
    """How many play, and how many could; a game that does not load must not hide the others."""
    try:
        game = make_game(name)
    except UserError:
        return "does not load"
    limits = next((p.limits for p in _parameters(game) if p.name == "players"), None)
    return f"{game.limits().seats}" + (f" ({limits})" if limits else "")


def _print_parameters(name: str) -> None:
    from rich.table import Table

    from quintet.games import names

    game = make_game(name)
    plain_name = name.partition(":")[0]
    entry = names().get(plain_name)
    say(f"{plain_name}: {entry.summary}" if entry else name)
    title = "default" if plain_name == name else "value"
    table = Table("parameter", title, "allowed", "meaning", box=None, pad_edge=False)
    for parameter in _parameters(game):
        value = parameter.written(getattr(game, parameter.name, parameter.default))
        table.add_row(parameter.name, value, parameter.expected, parameter.meaning)
    if table.rows:
        console().print(table)
    else:
        say("It has no parameters.")


def _parameters(game: Any) -> list[Parameter]:
    from quintet.parameters import parameters_of

    return parameters_of(getattr(game, "family", type(game)))


@main.command()
@click.argument("game_text", metavar="GAME")
@moves_option
@picture_option
def show(game_text: str, moves: str, picture: str | None) -> None:
    """Show a position, whose turn it is, and the legal moves."""
    from quintet import rules

    game = make_game(game_text)
    position = read_position(game, moves, picture)
    print_board(game, position)
    if rules.is_over(game, position):
        say("The game is over.")
        for line in results(game, position):
            say(line)
    else:
        seat = int(rules.turn(game, position))
        say(f"{mark(seat)} to move (seat {seat + 1} of {game.limits().seats})")
        print_legal_moves(game, position)
    say(f"points: {points(game, position)}")


@main.command()
@click.argument("game_text", metavar="GAME")
@click.option("--depth", type=click.IntRange(min=1), required=True, help="Count up to this depth.")
@moves_option
@picture_option
def perft(game_text: str, depth: int, moves: str, picture: str | None) -> None:
    """Count the sequences of 1, 2, ... moves: a check of rules and speed."""
    game = make_game(game_text)
    position = read_position(game, moves, picture)
    _count(game, position, 2)  # loads and compiles, so that the clock sees only the counting
    for plies in range(1, depth + 1):
        begun = time.perf_counter()
        count = _count(game, position, plies)
        seconds = time.perf_counter() - begun
        speed = f"{count / max(seconds, 1e-9) / _MILLION:.2f} million nodes/s"
        say(f"{plies:>3} {count:>20} {seconds:>9.3f} s  {speed}")
        if count == 0:
            say("Every game ends before.")
            break


def _count(game: Any, position: Position, depth: int) -> int:
    """Perft root move by root move: Ctrl-C and a progress bar get a turn between them."""
    from rich.console import Console
    from rich.progress import Progress

    from quintet import rules

    if depth == 1:
        return rules.perft(game, position, 1)
    total = 0
    begun = time.perf_counter()
    moves = rules.list_legal_moves(game, position)
    errors = Console(stderr=True)
    with contextlib.ExitStack() as stack:
        bar: Progress | None = None
        for done, move in enumerate(moves):
            slow = time.perf_counter() - begun > _QUICK
            if slow and bar is None and errors.is_terminal:
                bar = stack.enter_context(Progress(console=errors, transient=True))
                task = bar.add_task(f"depth {depth}", total=len(moves))
            if bar is not None:
                bar.update(task, completed=done)
            after = rules.copied(position)
            rules.play(game, after, move)
            total += rules.perft(game, after, depth - 1)
    return total
