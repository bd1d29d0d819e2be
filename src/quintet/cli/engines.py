"""``gtp``, ``gomocup``, ``nboard`` and ``jsonl``: our players as engines for other programs."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING

import click

from quintet.cli.entry import main
from quintet.cli.given import make_game, seed_option

if TYPE_CHECKING:
    from quintet.bridges.channel import Channel


@main.command()
@click.argument("game_text", metavar="GAME")
@click.argument("player")
@seed_option
def gtp(game_text: str, player: str, seed: int | None) -> None:
    """Let a PLAYER answer to the Go Text Protocol on standard input and output."""
    from quintet.bridges.gtp_server import Engine, serve

    channel = _channel()
    serve(Engine(make_game(game_text), player, _chosen(seed), channel), channel)


@main.command()
@click.argument("player")
@seed_option
def gomocup(player: str, seed: int | None) -> None:
    """Let a PLAYER be a brain of Go-Moku, as Piskvork and Gomocup want it."""
    from quintet.bridges.gomocup_server import Brain, serve
    from quintet.games import make
    from quintet.players import make_player

    make_player(player, make("go-moku"))  # told now, not to the manager
    channel = _channel()
    serve(Brain(player, _chosen(seed), channel), channel)


@main.command()
@click.argument("player")
@seed_option
def nboard(player: str, seed: int | None) -> None:
    """Let a PLAYER be an engine of NBoard, for Othello."""
    from quintet.bridges.nboard_server import Engine, serve

    channel = _channel()
    serve(Engine(player, _chosen(seed), channel), channel)


@main.command()
@click.option(
    "--at-once", type=click.IntRange(1, 256), help="Requests that are worked on.  [default: cores]"
)
@click.option(
    "--most-seconds",
    type=click.FloatRange(0.01, 1e6),
    help="Of thinking about one position.  [default: 60]",
)
@click.option("--trust", is_flag=True, help="Let requests name Python files as games.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of both directions, and exit.")
def jsonl(at_once: int | None, most_seconds: float | None, trust: bool, schema: bool) -> None:
    """Answer requests in lines of JSON: any game, any player, several at once."""
    from quintet.bridges.channel import Channel
    from quintet.bridges.jsonl_requests import LONGEST_LINE, SCHEMA
    from quintet.bridges.jsonl_server import Bounds, Server

    if schema:
        click.echo(SCHEMA.read_text(), nl=False)
        return
    usual = Bounds()
    bounds = usual._replace(at_once=at_once or usual.at_once, seconds=most_seconds or usual.seconds)
    Server(Channel(sys.stdin.buffer, sys.stdout.buffer, LONGEST_LINE), bounds, trust).serve()


def _channel() -> Channel:
    from quintet.bridges.channel import Channel

    return Channel(sys.stdin.buffer, sys.stdout.buffer)


def _chosen(seed: int | None) -> int:
    return secrets.randbits(32) if seed is None else seed
