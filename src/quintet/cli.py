"""The command line: list, show, count and play games.

Nothing heavy is imported before a command needs it, so that help is quick:
numba, NumPy and rich are loaded inside the functions.
"""

from __future__ import annotations

import contextlib
import io
import re
import secrets
import sys
import textwrap
import time
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from quintet.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from quintet.parameters import Parameter
    from quintet.players.player import Seat
    from quintet.rules import Position

_COLOURS = ("bold red", "bold cyan", "bold yellow", "bold green", "bold magenta", "bold blue")
_LARGEST_PICTURE = 100_000  # bytes: a wrong file should not fill the memory
_QUICK = 2.0  # seconds without a progress bar
_MILLION = 1_000_000


class _Failure(click.ClickException):
    """A user's mistake, told in one line."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"quintet: {self.message}", file=file, err=file is None)


class _Group(click.Group):
    """Turns every UserError of a command into a line and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            raise _Failure(str(error)) from error


class _PlayersCommand(click.Command):
    """Lets ``--players`` take all the words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spread: list[str] = []
        listing = False
        for word in args:
            if word.startswith("-"):
                listing = word == "--players"
                spread += [] if listing else [word]
            else:
                spread += ["--players", word] if listing else [word]
        if args and args[-1] == "--players":
            spread.append("--players")  # click tells that its value is missing
        return super().parse_args(ctx, spread)


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    import importlib.metadata

    try:
        version = importlib.metadata.version("quintet")
    except importlib.metadata.PackageNotFoundError:  # run from its sources
        version = "(not installed)"
    click.echo(f"quintet {version}")
    ctx.exit()


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Board games for two, three or more players.

    A GAME is a name, perhaps with settings, such as tic-tac-toe or
    tic-tac-mo:columns=6.
    """


_moves_option = click.option(
    "--moves", default="", metavar='"d3 c3 ..."', help="Moves to make first."
)
_picture_option = click.option(
    "--picture", metavar="FILE", help="Begin with the position that a text file shows."
)


# --- games --------------------------------------------------------------------


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
    _console().print(table)


def _seats(name: str) -> str:
    """How many play, and how many could; a game that does not load must not hide the others."""
    try:
        game = _make_game(name)
    except UserError:
        return "does not load"
    limits = next((p.limits for p in _parameters(game) if p.name == "players"), None)
    return f"{game.limits().seats}" + (f" ({limits})" if limits else "")


def _print_parameters(name: str) -> None:
    from rich.table import Table

    from quintet.games import names

    game = _make_game(name)
    plain_name = name.partition(":")[0]
    entry = names().get(plain_name)
    _say(f"{plain_name}: {entry.summary}" if entry else name)
    title = "default" if plain_name == name else "value"
    table = Table("parameter", title, "allowed", "meaning", box=None, pad_edge=False)
    for parameter in _parameters(game):
        value = parameter.written(getattr(game, parameter.name, parameter.default))
        table.add_row(parameter.name, value, parameter.expected, parameter.meaning)
    if table.rows:
        _console().print(table)
    else:
        _say("It has no parameters.")


def _parameters(game: Any) -> list[Parameter]:
    from quintet.parameters import parameters_of

    return parameters_of(getattr(game, "family", type(game)))


# --- show ---------------------------------------------------------------------


@main.command()
@click.argument("game_text", metavar="GAME")
@_moves_option
@_picture_option
def show(game_text: str, moves: str, picture: str | None) -> None:
    """Show a position, whose turn it is, and the legal moves."""
    from quintet import rules

    game = _make_game(game_text)
    position = _position(game, moves, picture)
    _print_board(game, position)
    if rules.is_over(game, position):
        _say("The game is over.")
        for line in _results(game, position):
            _say(line)
    else:
        seat = int(rules.turn(game, position))
        _say(f"{_mark(seat)} to move (seat {seat + 1} of {game.limits().seats})")
        _print_legal_moves(game, position)
    _say(f"points: {_points(game, position)}")


def _print_board(game: Any, position: Position) -> None:
    """Print the picture, with coloured stones where the terminal has colours."""
    from rich.text import Text

    from quintet.notation import picture

    rows = game.layout().rows
    for number, line in enumerate(picture(game, position).split("\n")):
        # the header and the facts may hold the letters of stones: leave them plain
        _say(_coloured(line) if 0 < number <= rows else Text(line))


def _coloured(line: str) -> Text:
    from rich.text import Text

    from quintet.notation import EMPTY, STONES

    styles = {EMPTY: "dim", **dict(zip(STONES, _COLOURS, strict=True))}
    text = Text()
    for character in line:
        text.append(character, styles.get(character))
    return text


def _print_legal_moves(game: Any, position: Position) -> None:
    from quintet import rules
    from quintet.notation import move_name

    names = [move_name(game, move) for move in rules.list_legal_moves(game, position)]
    line = f"legal moves ({len(names)}): {' '.join(names)}"
    _say(textwrap.fill(line, _console().width, subsequent_indent="  ", break_on_hyphens=False))


def _points(game: Any, position: Position) -> str:
    import numpy as np

    from quintet import rules

    out = np.zeros(game.limits().seats)
    rules.points(game, position, out)
    return ", ".join(f"{_mark(seat)} {points:g}" for seat, points in enumerate(out))


def _results(game: Any, position: Position, players: list[str] | None = None) -> list[str]:
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
        lines.append(f"{_mark(seat)}{who} {word}{tail}")
    return lines


# --- perft --------------------------------------------------------------------


@main.command()
@click.argument("game_text", metavar="GAME")
@click.option("--depth", type=click.IntRange(min=1), required=True, help="Count up to this depth.")
@_moves_option
@_picture_option
def perft(game_text: str, depth: int, moves: str, picture: str | None) -> None:
    """Count the sequences of 1, 2, ... moves: a check of rules and speed."""
    game = _make_game(game_text)
    position = _position(game, moves, picture)
    _count(game, position, 2)  # loads and compiles, so that the clock sees only the counting
    for plies in range(1, depth + 1):
        begun = time.perf_counter()
        count = _count(game, position, plies)
        seconds = time.perf_counter() - begun
        speed = f"{count / max(seconds, 1e-9) / _MILLION:.2f} million nodes/s"
        _say(f"{plies:>3} {count:>20} {seconds:>9.3f} s  {speed}")
        if count == 0:
            _say("Every game ends before.")
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
    console = Console(stderr=True)
    with contextlib.ExitStack() as stack:
        bar: Progress | None = None
        for done, move in enumerate(moves):
            slow = time.perf_counter() - begun > _QUICK
            if slow and bar is None and console.is_terminal:
                bar = stack.enter_context(Progress(console=console, transient=True))
                task = bar.add_task(f"depth {depth}", total=len(moves))
            if bar is not None:
                bar.update(task, completed=done)
            after = rules.copied(position)
            rules.play(game, after, move)
            total += rules.perft(game, after, depth - 1)
    return total


# --- play ---------------------------------------------------------------------


@main.command(cls=_PlayersCommand)
@click.argument("game_text", metavar="GAME")
@click.option(
    "--players",
    multiple=True,
    metavar="WORD...",
    help="One for each seat, after GAME: human, greedy, random.",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), help="The same seed gives the same game."
)
def play(game_text: str, players: tuple[str, ...], seed: int | None) -> None:
    """Play a game in the terminal.

    By default you have the first seat and greedy players the others; without a
    terminal, greedy players have them all.  Chosen humans may also be piped in:
    one move a line.
    """
    from quintet import rules

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are a wrong move
    game = _make_game(game_text)
    words = [word for text in players for word in text.split()]
    words = words or _default_players(game.limits().seats)
    match = _Match(game, words, secrets.randbits(32) if seed is None else seed)
    try:
        match.run()
    except _Quit:
        _say("Stopped.")
    except (EOFError, KeyboardInterrupt):  # the prompt's line is still open
        _say("\nStopped.")
    if rules.is_over(game, match.position):
        _print_board(game, match.position)
        for line in _results(game, match.position, words):
            _say(line)
    _say(f"moves: {match.moves()}")
    _say(f"seed: {match.seed}")


class _Quit(Exception):
    """A person wants to stop."""


class _Turn(NamedTuple):
    """A move made, and what it was made in."""

    seat: int
    before: Any
    move: int


_HELP = """\
a move's name   make that move
moves           list the legal moves
undo            go back to your last turn
help            show this
quit            stop the game"""


class _Match:
    """A game in the terminal among people and simple players."""

    def __init__(self, game: Any, words: list[str], seed: int) -> None:
        from quintet import rules
        from quintet.players import make_player
        from quintet.players.player import Seat
        from quintet.randomness import seeded

        seats = game.limits().seats
        if len(words) != seats:
            raise UserError(f"{len(words)} player(s) for {seats} seats; expected one for each")
        self.players: list[Seat | None] = [
            None if word == "human" else Seat(make_player(word, game), game, seeded(seed, number))
            for number, word in enumerate(words)
        ]
        self.game = game
        self.seed = seed
        self.position = rules.new_position(game)
        self.turns: list[_Turn] = []

    def run(self) -> None:
        """Play to the end, or to _Quit, EOFError or KeyboardInterrupt."""
        from quintet import rules
        from quintet.notation import move_name

        while not rules.is_over(self.game, self.position):
            seat = int(rules.turn(self.game, self.position))
            player = self.players[seat]
            if player is None:
                self._ask(seat)
            else:
                move = player.choose(self.position)
                _say(f"{_mark(seat)} plays {move_name(self.game, move)}")
                self._make(seat, move)

    def moves(self) -> str:
        """The moves so far, as --moves takes them."""
        from quintet.notation import move_name

        return " ".join(move_name(self.game, turn.move) for turn in self.turns)

    def _make(self, seat: int, move: int) -> None:
        from quintet import rules

        before = rules.copied(self.position)
        rules.checked_play(self.game, self.position, move)
        self.turns.append(_Turn(seat, before, move))

    def _ask(self, seat: int) -> None:
        """Let a person answer until a move is made."""
        from quintet.notation import parse_move

        _print_board(self.game, self.position)
        made = len(self.turns)
        while len(self.turns) == made:
            answer = _read_line(f"{_mark(seat)} to move: ")
            if answer == "quit":
                raise _Quit
            if answer == "undo":
                if self._undo(seat):
                    return
                _say("There is nothing to undo.")
            elif answer == "moves":
                _print_legal_moves(self.game, self.position)
            elif answer == "help":
                _say(_HELP)
            elif answer:
                try:
                    self._make(seat, parse_move(self.game, answer))
                except UserError as error:
                    # the board is on the screen already: tell only the mistake
                    _say(f"{str(error).splitlines()[0]} (try: moves, help)")

    def _undo(self, seat: int) -> bool:
        """Go back to the last turn of `seat`, if it had one."""
        own = [number for number, turn in enumerate(self.turns) if turn.seat == seat]
        if not own:
            return False
        self.position = self.turns[own[-1]].before
        del self.turns[own[-1] :]
        return True


def _default_players(seats: int) -> list[str]:
    person = sys.stdin is not None and sys.stdin.isatty()
    return ["human" if person and seat == 0 else "greedy" for seat in range(seats)]


def _read_line(prompt: str) -> str:
    if sys.stdin is None:  # closed by whoever started us
        raise EOFError
    answer = input(prompt).strip().lower()
    if not sys.stdin.isatty():
        _say(answer)  # as a terminal would have shown it
    return answer


# --- shared -------------------------------------------------------------------


def _make_game(text: str) -> Any:
    """A game from its text; one that cannot be loaded is the user's to mend."""
    from quintet.games import make

    try:
        return make(text)
    except (ImportError, AttributeError, TypeError) as error:
        raise UserError(f"game {text!r} could not be loaded: {error}") from error


def _position(game: Any, moves: str, picture_file: str | None) -> Position:
    """The position in a file, or the start, after some moves."""
    from quintet import rules
    from quintet.notation import parse_move, parse_picture

    if picture_file is None:
        position = rules.new_position(game)
    else:
        position = parse_picture(game, _read_picture(picture_file))
    for name in re.split(r"[\s,]+", moves):
        if name:
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


def _mark(seat: int) -> str:
    from quintet.notation import STONES

    return STONES[seat]


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def _say(text: str | Text) -> None:
    """Print without rich's guesses: no wrapping, no markup."""
    _console().print(text, soft_wrap=True)
