"""The command itself: how it reads its words and tells mistakes."""

from __future__ import annotations

from typing import IO, Any

import click

from quintet.errors import UserError


class _Failure(click.ClickException):
    """A user's mistake, told in one line."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"quintet: {self.message}", file=file, err=file is None)


class _Group(click.Group):
    """Turns every UserError, and every wrong use, into a line and exit code 2."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            raise _in_a_line(error) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            raise _Failure(str(error)) from error
        except click.UsageError as error:
            raise _in_a_line(error) from None


def _in_a_line(error: click.UsageError) -> click.ClickException:
    """A wrong word or option, told as other mistakes are."""
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
        return error
    message = error.format_message().replace("valid integer range", "whole number")
    path = error.ctx.command_path if error.ctx else "quintet"
    return _Failure(f"{message.replace(chr(10), ' ').rstrip('.')}; see {path} --help")


class PlayersCommand(click.Command):
    """Lets ``--players`` take all the words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Say ``--players`` again before each of its words."""
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
