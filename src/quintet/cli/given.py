"""What a user gives: a game, a position, options."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from quintet.errors import UserError

if TYPE_CHECKING:
    from quintet.rules import Position

F = TypeVar("F", bound=Callable[..., Any])

_LARGEST_PICTURE = 100_000  # bytes: a wrong file should not fill the memory

moves_option = click.option(
    "--moves", default="", metavar='"d3 c3 ..."', help="Moves to make first."
)
picture_option = click.option(
    "--picture", metavar="FILE", help="Begin with the position that a text file shows."
)
seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), help="The same seed gives the same games."
)


def players_option(meaning: str, required: bool = False) -> Callable[[F], F]:
    """Players, by all the words up to the next option."""
    return click.option(
        "--players", multiple=True, metavar="WORD...", required=required, help=meaning
    )


def split_words(texts: tuple[str, ...]) -> list[str]:
    """The words of players, each given on its own or several in quotes."""
    return [word for text in texts for word in text.split()]


def make_game(text: str) -> Any:
    """A game from its text; one that cannot be loaded is the user's to mend."""
    from quintet.cli.printing import say_compiling
    from quintet.compiled import tell_when_compiling
    from quintet.games import make

    tell_when_compiling(say_compiling)
    try:
        return make(text)
    except (ImportError, AttributeError, TypeError) as error:
        raise UserError(f"game {text!r} could not be loaded: {error}") from error


def read_start(game: Any, picture_file: str | None) -> Position:
    """The position in a file, or the start."""
    from quintet import rules
    from quintet.notation import parse_picture

    if picture_file is None:
        return rules.new_position(game)
    return parse_picture(game, _read_picture(picture_file))


def move_names(text: str) -> list[str]:
    """The names in a list of moves."""
    return [name for name in re.split(r"[\s,]+", text) if name]


def read_position(game: Any, moves: str, picture_file: str | None) -> Position:
    """The position in a file, or the start, after some moves."""
    from quintet import rules
    from quintet.notation import parse_move

    position = read_start(game, picture_file)
    for name in move_names(moves):
        rules.checked_play(game, position, parse_move(game, name))
    return position


def _read_picture(file: str) -> str:
    try:
        with open(file, "rb") as stream:
            content = stream.read(_LARGEST_PICTURE + 1)
        text = content.decode()
    except OSError as error:
        raise UserError(f"{file!r} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{file!r} is no text; expected a picture of a board") from error
    if len(content) > _LARGEST_PICTURE:
        raise UserError(f"{file!r} is too large for a picture of a board")
    return text
