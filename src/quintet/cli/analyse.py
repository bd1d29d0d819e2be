"""``players`` and ``analyse``: who can play, and what a player thinks."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING, Any

import click

from quintet.cli.convert import (
    analyse_file,
    from_option,
    game_option,
    out_option,
    trust_option,
)
from quintet.cli.entry import main
from quintet.cli.given import (
    make_game,
    move_names,
    moves_option,
    picture_option,
    read_start,
    seed_option,
)
from quintet.cli.printing import mark, print_board, say
from quintet.cli.tables import print_table
from quintet.errors import UserError

if TYPE_CHECKING:
    from quintet.players.player import Thoughts

# --- players ------------------------------------------------------------------


@main.command()
@click.argument("game_text", metavar="[GAME]", required=False)
def players(game_text: str | None) -> None:
    """List the players, their parameters, and the evaluations they may use.

    With a GAME only those that can play it, and why the others cannot.
    """
    from quintet.players import ELSEWHERE, PLAYERS
    from quintet.players.evaluations import EVALUATIONS

    game = None if game_text is None else make_game(game_text)
    for title, entries in (("players", PLAYERS), ("evaluations", EVALUATIONS)):
        say(f"{title}:")
        unfit = {}
        for name, entry in entries.items():
            problem = _problem(entry, game)
            if problem is None:
                _print_entry(name, entry)
            else:
                unfit[name] = problem
        for name, problem in unfit.items():
            say(f"  not {name}: {problem}")
    say("made elsewhere:")
    for name, entry in ELSEWHERE.items():
        say(f"  {name}: {entry.summary}")


def _problem(entry: Any, game: Any) -> str | None:
    """Why this cannot be used for a game, if it cannot."""
    if game is None:
        return None
    it = entry.load()(**entry.presets)
    return it.unfit(game) if hasattr(it, "unfit") else None


def _print_entry(name: str, entry: Any) -> None:
    from quintet.parameters import parameters_of

    say(f"  {name}: {entry.summary}")
    for parameter in parameters_of(entry.load()):
        value = entry.presets.get(parameter.name, parameter.default)
        said = f"{parameter.name}={parameter.written(value)} ({parameter.expected})"
        say(f"      {said}  {parameter.meaning}".rstrip())


# --- analyse ------------------------------------------------------------------


@main.command()
@click.argument("game_or_file", metavar="GAME|FILE")
@click.option("--player", "text", required=True, metavar="WORD", help="Who thinks.")
@moves_option
@picture_option
@seed_option
@click.option(
    "--most", type=click.IntRange(min=1), default=10, show_default=True, help="Moves to list."
)
@out_option
@from_option
@game_option
@trust_option
def analyse(
    game_or_file: str,
    text: str,
    moves: str,
    picture: str | None,
    seed: int | None,
    most: int,
    out: str | None,
    source: str | None,
    game_text: str | None,
    trust: bool,
) -> None:
    """Let a player think about a position, or about every position of a file.

    A FILE of games is known by its ending, such as .sgf.  What the player found
    is added to --out, as comments of an SGF file or as JSON, or else printed.
    """
    from quintet.bridges.files import is_game_file

    seed = secrets.randbits(32) if seed is None else seed
    if source is not None or is_game_file(game_or_file):
        if moves or picture:
            raise UserError("--moves and --picture go with a GAME; the FILE has its own positions")
        analyse_file(game_or_file, text, seed, out, source, game_text, trust)
    elif out or game_text:
        raise UserError(f"{game_or_file!r} is no file of games, with which --out and --game go")
    else:
        _analyse_position(make_game(game_or_file), text, moves, picture, seed, most)
    say(f"seed: {seed}")


def _analyse_position(
    game: Any, text: str, moves: str, picture: str | None, seed: int, most: int
) -> None:
    from quintet import rules
    from quintet.notation import move_name, parse_move
    from quintet.players import make_player
    from quintet.players.player import Seat
    from quintet.randomness import seeded

    thinker = Seat(make_player(text, game), game, seeded(seed))
    thinker.begin()
    position = read_start(game, picture)
    for name in move_names(moves):
        move = parse_move(game, name)
        before = rules.copied(position)
        rules.checked_play(game, position, move)
        thinker.watch(before, move)
    if rules.is_over(game, position):
        raise UserError("the game is over; expected a position with a move to make")
    begun = time.perf_counter()
    move = thinker.choose(position)
    seconds = time.perf_counter() - begun
    print_board(game, position)
    say(f"{mark(int(rules.turn(game, position)))} ({text}) plays {move_name(game, move)}")
    thoughts = thinker.thoughts(position)
    if thoughts is None and hasattr(thinker.player, "thoughts"):
        say("It found nothing to tell.")
    elif thoughts is None:
        say("This player does not tell what it thinks.")
    else:
        _print_thoughts(game, thoughts, most, seconds)


def _print_thoughts(game: Any, thoughts: Thoughts, most: int, seconds: float) -> None:
    from rich.table import Table

    from quintet.notation import move_name

    if thoughts.utilities:
        table = Table("move", "utility", box=None, pad_edge=False)
        for move, utility in list(zip(thoughts.moves, thoughts.utilities, strict=True))[:most]:
            table.add_row(move_name(game, move), f"{utility:.4g}")
        print_table(table)
        return
    seats = range(game.limits().seats)
    table = Table("move", "visits", *(mark(seat) for seat in seats), box=None, pad_edge=False)
    rows = zip(thoughts.moves, thoughts.visits, thoughts.values, strict=True)
    for move, visits, values in list(rows)[:most]:
        table.add_row(move_name(game, move), str(visits), *(f"{value:.3f}" for value in values))
    print_table(table)
    if len(thoughts.moves) > most:
        say(f"and {len(thoughts.moves) - most} other moves")
    say(f"line: {' '.join(move_name(game, move) for move in thoughts.line)}")
    sure = ", the value is certain" if thoughts.solved else ""
    say(f"{thoughts.nodes} nodes, depth {thoughts.depth}, {seconds:.2f} s{sure}")
