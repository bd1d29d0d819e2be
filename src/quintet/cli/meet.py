"""``match`` and ``tournament``: let players meet, and see who is stronger."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from quintet.cli.entry import PlayersCommand, main
from quintet.cli.given import make_game, players_option, seed_option, split_words
from quintet.cli.printing import say
from quintet.cli.progress import leave_if, progress_bar, stopping_by_ctrl_c
from quintet.cli.tables import (
    check_writable,
    print_cross_table,
    print_standings,
    write_csv,
    write_json,
)

if TYPE_CHECKING:
    from quintet.arena.match import MatchResult
    from quintet.arena.records import Recorder
    from quintet.arena.running import Stop
    from quintet.arena.tournament import TournamentResult

F = TypeVar("F", bound=Callable[..., Any])


def _meeting_options(command: F) -> F:
    """The options that matches and tournaments share."""
    for option in (
        click.option("--csv", metavar="FILE", help="Write the table to a CSV file."),
        click.option("--json", metavar="FILE", help="Write the results to a JSON file."),
        click.option("--record", metavar="FILE", help="Add every game to this file."),
        click.option(
            "--openings",
            type=click.IntRange(0, 1000),
            metavar="PLIES",
            help="Begin with random plies, the same for all orders of a round.  By default "
            "only if all players always play the same.",
        ),
        click.option(
            "--workers", type=click.IntRange(1, 256), help="Threads; by default all cores."
        ),
        seed_option,
    ):
        command = option(command)
    return command


# --- match --------------------------------------------------------------------


@main.command(cls=PlayersCommand)
@click.argument("game_text", metavar="GAME")
@players_option("One for each seat, in any order: they change seats.", required=True)
@click.option("--games", type=click.IntRange(1, 10**9), default=100, show_default=True,
              help="Rounded up, so that all seats are had equally often.")  # fmt: skip
@click.option("--until-sure", is_flag=True, help="Stop as soon as the best player is sure.")
@_meeting_options
def match(game_text: str, players: tuple[str, ...], games: int, **options: Any) -> None:
    """Let players meet at one table, in every order of seats.

    Tells how often each wins, its mean score and rank, each with an interval that
    holds the true value in 95 of 100 matches.
    """
    from quintet.arena.match import Terms, entrants, play_match, table_for

    game = make_game(game_text)
    words = split_words(players)
    terms = Terms(games, _seed(options), options["openings"], options["until_sure"])
    known = entrants(words, game)
    table_for(game, known)  # tells a wrong number of players before any file is touched
    with _output(game, words, terms.seed, options) as output:

        def on_games(part: Any, outcome: Any) -> None:
            output.note(range(len(words)), part, outcome)

        result = play_match(
            game, known, terms, options["workers"], output.stop, output.begin_match, on_games
        )
    _report_match(result)
    _write_files(_match_as_json(result, words), result.standings(), None, options)
    leave_if(result.stopped)


def _report_match(result: MatchResult) -> None:
    games = result.games
    if result.stopped:
        say(f"Stopped after {result.finished} of {result.planned} games.")
    print_standings(result.game, result.standings())
    _tell_distinct(len(games.numbers), games.distinct)
    if result.deterministic:
        say(
            f"The players always play the same, so rounds begin with {result.opening} random plies."
        )
    if result.terms.until_sure:
        sure = f"{result.winner} is best" if result.winner else "It is not sure who is best"
        say(f"{sure}, with an error of at most 5%; the intervals hold at any time of stopping.")
    say(f"seed: {result.terms.seed}")


def _match_as_json(result: MatchResult, words: list[str]) -> dict[str, Any]:
    return {
        **_facts(result.game, words, result.terms.seed),
        "opening": result.opening,
        "games": len(result.games.numbers),
        "distinct": result.games.distinct,
        "planned": result.planned,
        "stopped": result.stopped,
        "intervals": "95% at any time of stopping" if result.terms.until_sure else "95%",
        "best": result.winner,
        "standings": [standing.as_json() for standing in result.standings()],
    }


# --- tournament ---------------------------------------------------------------


@main.command(cls=PlayersCommand)
@click.argument("game_text", metavar="GAME")
@players_option("At least one for each seat.", required=True)
@click.option("--games", type=click.IntRange(1, 10**9), default=100, show_default=True,
              help="Of each set of players that meets, rounded up to whole rounds.")  # fmt: skip
@_meeting_options
def tournament(game_text: str, players: tuple[str, ...], games: int, **options: Any) -> None:
    """Let all players meet each other, and rate them.

    Every set of players that fills the seats meets (or a balanced choice of the
    sets, where there are very many), in every order of seats.
    """
    from quintet.arena.match import Terms, entrants
    from quintet.arena.tournament import checked_meetings, play_tournament

    game = make_game(game_text)
    words = split_words(players)
    terms = Terms(games, _seed(options), options["openings"])
    known = entrants(words, game)
    checked_meetings(words, game)
    with _output(game, words, terms.seed, options) as output:
        result = play_tournament(
            game, known, terms, options["workers"], output.stop, output.begin, output.note
        )
    if not len(result.games.numbers):
        say("Stopped before the first game was finished.")
        leave_if(True)
    _report_tournament(result)
    ratings = _ratings(result)
    _write_files(_tournament_as_json(result, ratings), result.standings(), ratings, options)
    leave_if(result.stopped)


def _ratings(result: TournamentResult) -> dict[str, Any]:
    found = result.ratings()
    return {name: found.of(number) for number, name in enumerate(result.names)}


def _report_tournament(result: TournamentResult) -> None:
    games = result.games
    if result.stopped:
        say(f"Stopped after {len(games.numbers)} of {result.planned} games.")
    print_standings(result.game, result.standings(), _ratings(result))
    say("")
    print_cross_table(result)
    _tell_distinct(len(games.numbers), games.distinct)
    say(f"seed: {result.terms.seed}")


def _tournament_as_json(result: TournamentResult, ratings: dict[str, Any]) -> dict[str, Any]:
    names = result.names
    ahead = {
        one: {
            other: estimate._asdict()
            for j, other in enumerate(names)
            if i != j and (estimate := result.ahead(i, j)) is not None
        }
        for i, one in enumerate(names)
    }
    return {
        **_facts(result.game, names, result.terms.seed),
        "meetings": len(result.meetings),
        "games": len(result.games.numbers),
        "distinct": result.games.distinct,
        "planned": result.planned,
        "stopped": result.stopped,
        "intervals": "95%",
        "ratings": {name: rating._asdict() for name, rating in ratings.items()},
        "ahead": ahead,
        "standings": [standing.as_json() for standing in result.standings()],
    }


# --- shared -------------------------------------------------------------------


class _Output:
    """What happens while games are played: a bar, a record, and Ctrl-C."""

    def __init__(self, stop: Stop, recorder: Recorder | None, bar: Any) -> None:
        self.stop = stop
        self._recorder = recorder
        self._bar = bar
        self._task: Any = None

    def begin_match(self, opening: int, games: int) -> None:
        self.begin(games)

    def begin(self, games: int) -> None:
        if self._bar is not None:
            self._task = self._bar.add_task("games", total=games)

    def note(self, members: Sequence[int], part: Any, outcome: Any) -> None:
        if self._recorder is not None:
            self._recorder.write(members, part, outcome)
        if self._task is not None:
            self._bar.advance(self._task, len(part.numbers))


@contextlib.contextmanager
def _output(
    game: Any, words: Sequence[str], seed: int, options: dict[str, Any]
) -> Iterator[_Output]:
    """Everything ready to play; when games are over, all is closed."""
    from quintet.arena.records import Recorder
    from quintet.arena.running import Stop

    for name in ("json", "csv"):
        check_writable(options[name])
    stop = Stop()
    with contextlib.ExitStack() as stack:
        recorder = None
        if options["record"] is not None:
            recorder = Recorder(options["record"], game, words, seed)
            stack.callback(recorder.close)
        stack.enter_context(stopping_by_ctrl_c(stop))
        yield _Output(stop, recorder, stack.enter_context(progress_bar()))


def _seed(options: dict[str, Any]) -> int:
    return secrets.randbits(32) if options["seed"] is None else int(options["seed"])


def _facts(game: Any, words: Sequence[str], seed: int) -> dict[str, Any]:
    from quintet.games import text_of

    version = game.limits().version
    return {"game": text_of(game), "version": version, "players": list(words), "seed": seed}


def _tell_distinct(games: int, distinct: int) -> None:
    warning = "" if distinct == games else ": the others repeat them and tell nothing new"
    say(f"{games} games, {distinct} distinct{warning}")


def _write_files(
    content: dict[str, Any], standings: list[Any], ratings: Any, options: dict[str, Any]
) -> None:
    if options["json"] is not None:
        write_json(options["json"], content)
    if options["csv"] is not None:
        write_csv(options["csv"], standings, ratings)
