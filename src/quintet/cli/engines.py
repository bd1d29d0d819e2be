"""``gtp``: our players as engines for other programs."""

from __future__ import annotations

import secrets
import sys

import click

from quintet.cli.entry import main
from quintet.cli.given import make_game, seed_option


@main.command()
@click.argument("game_text", metavar="GAME")
@click.argument("player")
@seed_option
def gtp(game_text: str, player: str, seed: int | None) -> None:
    """Let a PLAYER answer to the Go Text Protocol on standard input and output."""
    from quintet.bridges.gtp_server import Engine, serve

    seed = secrets.randbits(32) if seed is None else seed
    serve(Engine(make_game(game_text), player, seed), sys.stdin.buffer, sys.stdout.buffer)
