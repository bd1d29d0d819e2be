"""``models`` and ``export``: what comes trained with Quintet, and files of what you trained."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

import click

from quintet.cli.entry import main
from quintet.cli.given import make_game
from quintet.cli.printing import say
from quintet.cli.tables import print_table
from quintet.errors import UserError

if TYPE_CHECKING:
    from quintet.runs.shipped import Card


@main.command()
@click.argument("game_text", metavar="[GAME]", required=False)
def models(game_text: str | None) -> None:
    """List the trained players that come with Quintet; for a GAME, with their cards.

    Each is a player: `quintet play GAME --players human model:NAME`.
    """
    from rich.table import Table

    from quintet.runs.trained import shipped_for

    cards = shipped_for(None if game_text is None else make_game(game_text))
    if not cards:
        say("no model that comes with Quintet plays this; `quintet models` lists all")
    elif game_text is not None:
        for card in cards:
            _print_card(card)
    else:
        table = Table("player", "game", "summary", box=None, pad_edge=False)
        for card in cards:
            table.add_row(card.player, card.game, card.summary)
        print_table(table)


def _print_card(card: Card) -> None:
    say(f"{card.player}: {card.summary}")
    say(f"  game: {card.game}")
    say(f"  learner: {card.learner}, seed {card.seed}, step {card.step}, commit {card.commit}")
    say(f"  made by: {card.made}")
    for it in card.strengths:
        share = f"{100 * it.wins:.1f}% ({100 * it.low:.1f} to {100 * it.high:.1f})"
        say(f"  wins {share} of {it.games} games against {it.against}")
        say(f"      {it.command}")


@main.command()
@click.argument("run", metavar="RUN[@STEP]")
@click.argument("file", metavar="FILE")
def export(run: str, file: str) -> None:
    """Write what a run's player needs, and nothing else, to a FILE: model:FILE plays by it."""
    from quintet.runs.shipped import SUFFIX, write_model
    from quintet.runs.trained import find_run

    name, at, step = run.partition("@")
    if at and not step.isdecimal():
        raise UserError(f"{run}: {step!r} is no step; expected a whole number")
    if not file.endswith(SUFFIX):
        raise UserError(f"{file!r} is no name for a model; expected one that ends with {SUFFIX}")
    size = write_model(find_run(name), int(step) if at else None, pathlib.Path(file))
    say(f"model:{file} ({size / 1000:.1f} kB)")
