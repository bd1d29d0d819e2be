"""``convert``, and what ``analyse`` does with files: games of other programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from quintet.cli.entry import main
from quintet.cli.given import make_game
from quintet.cli.printing import mark, say
from quintet.errors import UserError

if TYPE_CHECKING:
    from quintet.bridges.files import Format
    from quintet.bridges.game_tree import GameTree

# as bridges.files.FORMATS, which would load the rules only to show the help
_FORMATS = click.Choice(["sgf", "json", "record", "ggf", "wthor", "psq", "compact", "names"])
_STREAM = "-"

from_option = click.option("--from", "source", type=_FORMATS, help="The format of the file.")
out_option = click.option(
    "--out", metavar="FILE", help="Write the file's games with what is found."
)
game_option = click.option(
    "--game", "game_text", metavar="GAME", help="The game, where the file does not tell it."
)
trust_option = click.option(
    "--trust", is_flag=True, help="Run the Python file that the file names as its game."
)


@main.command()
@click.argument("file", metavar="IN")
@click.argument("out", metavar="OUT")
@from_option
@click.option("--to", "target", type=_FORMATS, help="The format to write.")
@game_option
@trust_option
def convert(
    file: str, out: str, source: str | None, target: str | None, game_text: str | None, trust: bool
) -> None:
    """Turn a file of games into another format.

    The formats are known by the files' endings: .sgf, .json, .jsonl (records), .ggf
    and .wtb (Othello), .psq (Go-Moku), .txt (moves as people paste them) and .moves
    (with our names); or by --from and --to.  A file may be - for input or output.
    """
    from quintet.bridges.files import format_named, left_out, write_trees

    trees = _read(file, source, game_text, trust)
    kind = format_named(target, out)
    lost = left_out(trees, kind)
    if out == _STREAM:
        sys.stdout.buffer.write(kind.write(trees))
    else:
        write_trees(out, kind, trees)
        say(f"{len(trees)} {'game' if len(trees) == 1 else 'games'} written to {out}")
    if lost:
        click.echo(f"note: {kind.meaning} has no place for {' and '.join(lost)}", err=True)


def _read(file: str, source: str | None, game_text: str | None, trust: bool) -> list[GameTree]:
    from quintet.bridges.files import LARGEST, format_named, read_bytes, read_trees

    data = sys.stdin.buffer.read(LARGEST + 1) if file == _STREAM else read_bytes(file)
    if len(data) > LARGEST:
        raise UserError(f"more than {LARGEST >> 20} MiB")
    game = None if game_text is None else make_game(game_text)
    return read_trees(data, file, format_named(source, file, data), game, trust)


# --- analyse --------------------------------------------------------------------


def analyse_file(
    file: str,
    player: str,
    seed: int,
    out: str | None,
    source: str | None,
    game_text: str | None,
    trust: bool,
) -> None:
    """Let a player think about every position of a file's games."""
    from quintet.bridges.annotate import annotate, to_annotate
    from quintet.bridges.files import format_named, write_trees
    from quintet.cli.progress import progress_bar

    trees = _read(file, source, game_text, trust)
    kind = None if out is None else format_named(None, out)
    _refuse_without_place(out, kind)
    with progress_bar(described=True) as bar:
        task = None if bar is None else bar.add_task("", total=sum(map(to_annotate, trees)))
        for tree in trees:
            for _ in annotate(tree, player, seed):
                if bar is not None:
                    bar.advance(task)
    if out is None or kind is None:
        for number, tree in enumerate(trees, 1):
            _print_analysis(number, tree)
    else:
        write_trees(out, kind, trees)
        say(f"{sum(map(to_annotate, trees))} positions analysed, written to {out}")


def _refuse_without_place(out: str | None, kind: Format | None) -> None:
    if kind is not None and "analysis" not in kind.keeps:
        raise UserError(
            f"{out!r}: {kind.meaning} has no place for analysis; expected .sgf or .json"
        )


def _print_analysis(number: int, tree: GameTree) -> None:
    """A line for each position of the main line."""
    from rich.table import Table

    from quintet.cli.tables import print_table
    from quintet.games import text_of
    from quintet.notation import move_name

    say(f"game {number}: {text_of(tree.game)}")
    seats = range(tree.game.limits().seats)
    table = Table("ply", "played", "best", *map(mark, seats), "line", box=None, pad_edge=False)
    ply = 0
    line = tree.main_line()
    for place, node in enumerate(tree.nodes[n] for n in line):
        ply += node.move is not None
        if node.analysis is None:
            continue
        following = tree.nodes[line[place + 1]].move if place + 1 < len(line) else None
        played = "" if following is None else move_name(tree.game, following)
        found: Any = node.analysis
        values = [f"{value:.3f}" for value in found.values] or ["" for _ in seats]
        names = " ".join(move_name(tree.game, move) for move in found.line[:6])
        table.add_row(str(ply), played, move_name(tree.game, found.best), *values, names)
    print_table(table)
