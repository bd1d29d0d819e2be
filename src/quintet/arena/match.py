"""A match: some players at one table, in every order, until enough games are played."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from quintet.arena.games import Outcome, Plan
from quintet.arena.intervals import mean_of
from quintet.arena.results import Games, Standing, gathered, standings
from quintet.arena.running import Stop, played
from quintet.arena.schedule import Program, orders, plan_rounds, rounds_for
from quintet.arena.sequential import Race, lasting_mean_of
from quintet.errors import UserError
from quintet.players import make_player

_PROBES = 2  # rounds that tell whether players always play the same

OnGames: TypeAlias = Callable[[Plan, Outcome], None]


class Entrant(NamedTuple):
    """A player and its name; those of the same name are the same."""

    name: str
    player: Any


def entrants(texts: Sequence[str], game: Any) -> list[Entrant]:
    """The players that some texts name."""
    return [Entrant(text, make_player(text, game)) for text in texts]


class Terms(NamedTuple):
    """How a match is to be played."""

    games: int  # at least so many, in whole rounds; at most, if it may stop before
    seed: int = 0
    opening: int | None = None  # random plies; None: some if nobody plays at random
    until_sure: bool = False  # stop as soon as the best player is sure


class MatchResult(NamedTuple):
    """A match that was played, perhaps not to its end."""

    game: Any
    names: list[str]  # each once
    terms: Terms
    opening: int
    deterministic: bool  # all games of an order were alike, so openings were drawn
    games: Games  # whole rounds
    finished: int  # games, with those of a round that was broken off
    planned: int
    winner: str | None  # who is best, if the match was to go on until that is sure

    def standings(self) -> list[Standing]:
        """How each player did, overall and in each seat."""
        interval = lasting_mean_of if self.terms.until_sure else mean_of
        return standings(self.game, self.names, self.games, self.games.rounds, interval)

    @property
    def stopped(self) -> bool:
        """Was it broken off?"""
        return self.finished < self.planned and self.winner is None


class Table(NamedTuple):
    """A game with its players, and in which orders they sit down."""

    game: Any
    players: list[Entrant]
    seating: list[tuple[int, ...]]
    names: list[str]
    whose: list[int]  # the name of each player

    def plan(self, rounds: int, terms: Terms, opening: int, first_round: int = 0) -> Program:
        """Some rounds."""
        return plan_rounds(self.seating, rounds, terms.seed, opening, first_round)


def table_for(game: Any, players: Sequence[Entrant]) -> Table:
    """A table with one player for each seat."""
    seats = game.limits().seats
    if len(players) != seats:
        raise UserError(f"{len(players)} player(s) for {seats} seats; expected one for each")
    texts = [entrant.name for entrant in players]
    names = list(dict.fromkeys(texts))
    return Table(game, list(players), orders(texts), names, [names.index(t) for t in texts])


def play_match(
    game: Any,
    players: Sequence[Entrant],
    terms: Terms,
    workers: int | None = None,
    stop: Stop | None = None,
    on_begin: Callable[[int, int], None] | None = None,
    on_games: OnGames | None = None,
) -> MatchResult:
    """Play a match.  The result does not depend on the number of workers.

    `on_begin` is told the opening and the number of games, then `on_games` every
    batch of finished games, in order.
    """
    table = table_for(game, players)
    stop = stop or Stop()
    if terms.games < 1:
        raise UserError(f"{terms.games} games; expected at least 1")
    rounds = rounds_for(terms.games, table.seating)
    opening, probed = find_opening(table, rounds, terms, workers, stop)
    program = table.plan(rounds, terms, opening)
    if on_begin:
        on_begin(opening, program.games)
    rest = program.after(sum(len(part.numbers) for part, _ in probed))
    race = Race(len(table.names), _span(game)) if terms.until_sure else None
    batches = _chain(probed, _play(table, rest, workers, stop))
    kept, winner = _watched(table, batches, race, on_games)
    games = gathered(kept, table.whose, game.limits().seats)
    names, size = table.names, len(table.seating)
    return MatchResult(
        game,
        names,
        terms,
        opening,
        terms.opening is None and opening > 0,
        games.first(_whole(games, size)),
        len(games.numbers),
        program.games,
        None if winner is None else names[winner],
    )


def _play(
    table: Table, program: Program, workers: int | None, stop: Stop
) -> Iterator[tuple[Plan, Outcome]]:
    if not program.games or stop.is_set():
        return iter(())
    return played(table.game, [entrant.player for entrant in table.players], program, workers, stop)


def _chain(
    first: list[tuple[Plan, Outcome]], then: Iterator[tuple[Plan, Outcome]]
) -> Generator[tuple[Plan, Outcome], None, None]:
    yield from first
    yield from then


def find_opening(
    table: Table, rounds: int, terms: Terms, workers: int | None, stop: Stop
) -> tuple[int, list[tuple[Plan, Outcome]]]:
    """How many plies are random, and the games that were played to find out.

    If two rounds are the same, move by move, chance has no part in the players.
    """
    if terms.opening is not None or rounds < _PROBES:
        return terms.opening or 0, []
    batches = list(_play(table, table.plan(_PROBES, terms, 0), workers, stop))
    games = gathered(batches, table.whose, table.game.limits().seats)
    if len(games.numbers) < _PROBES * len(table.seating) or 2 * games.distinct > len(games.numbers):
        return 0, batches
    return 2 * table.game.limits().seats, []


def _watched(
    table: Table,
    batches: Generator[tuple[Plan, Outcome], None, None],
    race: Race | None,
    on_games: OnGames | None,
) -> tuple[list[tuple[Plan, Outcome]], int | None]:
    """The games up to the one that makes the winner sure, and the winner."""
    kept: list[tuple[Plan, Outcome]] = []
    referee = _Referee(table, race)
    for plan, outcome in batches:
        needed = referee.needed(plan, outcome)
        part = plan.part(0, needed), outcome.first(needed)
        if needed and on_games:
            on_games(*part)
        kept.append((part[0], part[1].without_moves()))
        if referee.winner is not None:
            break
    batches.close()
    return kept, referee.winner


class _Referee:
    """Looks at every round as it ends."""

    def __init__(self, table: Table, race: Race | None) -> None:
        self.winner: int | None = None
        self._race = race
        self._whose = np.array(table.whose)
        self._size = len(table.seating)
        self._sums = np.zeros(len(table.names))
        self._counts = np.zeros(len(table.names))
        self._next = 0

    def needed(self, plan: Plan, outcome: Outcome) -> int:
        """How many games of a batch there are before the winner is sure."""
        if self._race is None:
            return len(plan.numbers)
        for row, number in enumerate(plan.numbers):
            if number != self._next:  # a gap: the match was stopped
                break
            self._next += 1
            np.add.at(self._sums, self._whose[plan.orders[row]], outcome.scores[row])
            np.add.at(self._counts, self._whose[plan.orders[row]], 1.0)
            if self._next % self._size == 0:
                self._race.see(self._sums / self._counts)
                self._sums[:] = self._counts[:] = 0.0
                self.winner = self._race.winner()
                if self.winner is not None:
                    return row + 1
        return len(plan.numbers)


def _whole(games: Games, size: int) -> int:
    """How many games, from the first on, are in whole rounds (or in the first one)."""
    gaps = np.flatnonzero(games.numbers != np.arange(len(games.numbers)))
    without_gap = int(gaps[0]) if len(gaps) else len(games.numbers)
    return without_gap // size * size or without_gap


def _span(game: Any) -> float:
    limits = game.limits()
    return float(limits.highest - limits.lowest)
