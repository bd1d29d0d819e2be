"""``serve``: the page in a browser."""

from __future__ import annotations

import contextlib
import ipaddress
import pathlib
import sys
from typing import TYPE_CHECKING, Any

import click

from quintet.cli.entry import main
from quintet.cli.printing import say
from quintet.errors import UserError

if TYPE_CHECKING:
    import socket

    from quintet.web.configuration import Configuration

_RISKS = """\
Everybody who reaches {host}:{port} can make tables and let players think here, as far as
the limits of --config allow, and can see the runs, their figures and their recorded games.
Nothing is encrypted: secrets of seats can be read on the way. Put a proxy with HTTPS before it."""


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to answer on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--data", type=click.Path(path_type=pathlib.Path), metavar="DIR", help="Where tables are kept."
)
@click.option("--runs", metavar="DIR", help="The folder of runs and recorded games.")
@click.option("--game", "own_games", multiple=True, metavar="FILE.py:Class",
              help="Your own game; or openspiel:NAME.")  # fmt: skip
@click.option("--name", "names", multiple=True, help="A host name by which people reach this.")
@click.option(
    "--config", type=click.Path(path_type=pathlib.Path), metavar="FILE", help="Limits, as TOML."
)
def serve(
    host: str,
    port: int,
    data: pathlib.Path | None,
    runs: str | None,
    own_games: tuple[str, ...],
    names: tuple[str, ...],
    config: pathlib.Path | None,
) -> None:
    """Play in a browser: any game, with people and players in any seat.

    Only this computer can reach it, unless --host says otherwise.
    """
    import os

    from quintet.runs.trained import FOLDER

    if runs is not None:
        os.environ[FOLDER] = runs
    for text in own_games:
        _check_game(text)
    if not _is_loopback(host):
        click.echo(_RISKS.format(host=host, port=port), err=True)
    _run(host, port, data or _data_folder(), config, own_games, names)


def _check_game(text: str) -> None:
    from quintet.cli.given import make_game

    if ".py:" not in text and not text.startswith("openspiel:"):
        raise UserError(f"--game {text!r}; expected FILE.py:Class, or openspiel:NAME")
    make_game(text)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _data_folder() -> pathlib.Path:
    import platformdirs

    return pathlib.Path(platformdirs.user_data_dir("quintet"))


def _run(
    host: str,
    port: int,
    data: pathlib.Path,
    config: pathlib.Path | None,
    own_games: tuple[str, ...],
    names: tuple[str, ...],
) -> None:
    try:
        import uvicorn

        from quintet.bridges.engines.configuration import all_engines
        from quintet.web.app import make_app
        from quintet.web.configuration import Configuration, read_configuration
    except ModuleNotFoundError as error:
        told = f"the page needs {error.name!r}"
        raise UserError(f"{told}; install it with: pip install 'quintet[web]'") from error
    sys.setswitchinterval(0.001)  # people wait for short answers while others compile or search
    all_engines()  # a mistake in their file is told now, and not to people who come
    configuration = Configuration() if config is None else read_configuration(config)
    app = make_app(data, configuration, own_games, names)
    server = uvicorn.Server(uvicorn.Config(app, **uvicorn_settings(configuration)))
    with contextlib.suppress(KeyboardInterrupt):  # how one ends it
        server.run(sockets=[_listening(host, port)])


def uvicorn_settings(configuration: Configuration) -> dict[str, Any]:
    """How the server of the page is run."""
    return {
        "log_level": "warning",
        "ws": "websockets-sansio",
        "ws_max_size": 4 * configuration.message_bytes,
        "ws_per_message_deflate": False,
        "timeout_graceful_shutdown": 2,
        "server_header": False,
    }


def _listening(host: str, port: int) -> socket.socket:
    """A socket that already listens, so that what is said about it is true."""
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise UserError(f"{host}:{port} cannot be used: {error.strerror}") from error
    shown = f"[{host}]" if ":" in host else host
    say(f"Quintet is at http://{shown}:{listener.getsockname()[1]}/ (stop with Ctrl-C)")
    return listener
