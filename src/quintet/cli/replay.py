"""``replay``: look at recorded games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from quintet.cli.entry import main
from quintet.cli.given import make_game
from quintet.cli.printing import mark, print_board, results, say
from quintet.errors import UserError

if TYPE_CHECKING:
    from quintet.arena.records import Header, Reader, Record


@main.command()
@click.argument("file", metavar="FILE")
@click.option("--game", "wanted", type=click.IntRange(min=1), metavar="N", help="Show this game.")
@click.option("--ply", type=click.IntRange(min=0), help="Show the position after so many moves.")
@click.option(
    "--trust", is_flag=True, help="Run the Python file that the record names as its game."
)
def replay(file: str, wanted: int | None, ply: int | None, trust: bool) -> None:
    """Check recorded games against the rules, and show one.

    Games are counted from 1 through the whole file.
    """
    from quintet.arena.records import Reader

    reader = Reader(file, trust)
    if wanted is None:
        _list(reader)
    else:
        _show(reader, wanted, ply)
    if reader.note:
        say(f"note: {reader.note}")


def _list(reader: Reader) -> None:
    """Each match of a file, after all its games were checked."""
    matches: list[tuple[Header, int, int]] = []
    count = 0
    for record in reader:
        count += 1
        if not matches or matches[-1][0] is not record.header:
            matches.append((record.header, count, 0))
        header, first, _ = matches[-1]
        matches[-1] = (header, first, count)
    for header, first, last in matches:
        say(f"games {first} to {last}: {header.game}")
        say(f"  players: {' '.join(header.players)}")
        say(f"  seed: {header.seed}")
    say(f"{count} games, all by the rules")


def _show(reader: Reader, wanted: int, ply: int | None) -> None:
    count = 0
    for record in reader:
        count += 1
        if count == wanted:
            _print_game(record, ply)
            return
    raise UserError(f"game {wanted} of {reader.path!r}; it has {count}")


def _print_game(record: Record, ply: int | None) -> None:
    from quintet import rules
    from quintet.notation import move_name

    game = make_game(record.header.game)
    if ply is not None and ply > len(record.moves):
        raise UserError(f"ply {ply}; the game has {len(record.moves)}")
    players = [record.header.players[player] for player in record.seats]
    say(f"{record.header.game}, game {record.number} of seed {record.header.seed}")
    for seat, name in enumerate(players):
        say(f"{mark(seat)}: {name}")
    position = rules.new_position(game)
    for move in record.moves[:ply]:
        rules.play(game, position, move)
    print_board(game, position)
    if rules.is_over(game, position):
        for line in results(game, position, players):
            say(line)
    say(f"moves: {' '.join(move_name(game, move) for move in record.moves[:ply])}")
    if record.opening:
        say(f"The first {record.opening} were drawn at random.")
