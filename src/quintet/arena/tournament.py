"""A tournament: all players against each other, in sets that fill the seats."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.arena.games import Outcome, Plan
from quintet.arena.intervals import Estimate, mean_of
from quintet.arena.match import Entrant, Terms, find_opening, table_for
from quintet.arena.ratings import Ratings, rate
from quintet.arena.results import Games, Standing, gathered, standings, unit_means
from quintet.arena.running import Stop, played
from quintet.arena.schedule import meetings, orders, rounds_for
from quintet.errors import UserError

_PARTS = 8  # all sets play a part of their games before any plays the next


class TournamentResult(NamedTuple):
    """A tournament that was played, perhaps not to its end."""

    game: Any
    names: list[str]
    terms: Terms
    meetings: list[tuple[int, ...]]
    rounds: int  # of each set
    games: Games
    planned: int

    @property
    def stopped(self) -> bool:
        """Was it broken off?"""
        return len(self.games.numbers) < self.planned

    def standings(self) -> list[Standing]:
        """How each player did, overall and in each seat."""
        games, turns = self._whole_turns()
        return standings(self.game, self.names, games, turns)

    def ratings(self) -> Ratings:
        """The strength of each player, from all games."""
        limits = self.game.limits()
        only_winners = limits.total == limits.highest == 1.0
        games = self.games
        places = 1 if only_winners else None
        return rate(len(self.names), games.seatings, games.scores, games.rounds, places)

    def ahead(self, one: int, other: int) -> Estimate | None:
        """How often one player is ahead of another in their games; a tie counts half."""
        games, turns = self._whole_turns()
        together = (games.seatings == one).any(axis=1) & (games.seatings == other).any(axis=1)
        if not together.any():
            return None
        own = np.where(games.seatings == one, games.scores, 0.0).sum(axis=1)
        its = np.where(games.seatings == other, games.scores, 0.0).sum(axis=1)
        ahead = (own > its) + 0.5 * (own == its)
        return mean_of(unit_means(ahead[:, None], together[:, None], turns))

    def _whole_turns(self) -> tuple[Games, NDArray[np.int64]]:
        """The games of the turns in which every set played a round, and each game's turn.

        What is averaged are turns: rounds of different sets differ by who was there.
        """
        turns = self.games.rounds % self.rounds
        size = self.planned // self.rounds
        counts = np.bincount(turns, minlength=self.rounds)
        whole = counts[turns] == size
        if not whole.any():
            return self.games, turns
        return Games._make(field[whole] for field in self.games), turns[whole]


def play_tournament(
    game: Any,
    players: Sequence[Entrant],
    terms: Terms,
    workers: int | None = None,
    stop: Stop | None = None,
    on_begin: Callable[[int], None] | None = None,
    on_games: Callable[[Sequence[int], Plan, Outcome], None] | None = None,
) -> TournamentResult:
    """Play a tournament; `terms.games` is the number of games of each set that meets.

    `on_games` is told the set, and its games.
    """
    names = [entrant.name for entrant in players]
    sets = checked_meetings(names, game)
    seats = game.limits().seats
    size = len(orders([str(seat) for seat in range(seats)]))
    rounds = rounds_for(terms.games, range(size))  # type: ignore[arg-type]
    planned = rounds * size * len(sets)
    if on_begin:
        on_begin(planned)
    stop = stop or Stop()
    tables = [table_for(game, [players[member] for member in members]) for members in sets]
    openings = [find_opening(table, rounds, terms, workers, stop)[0] for table in tables]
    found: list[Games] = []
    for number, first, last in _parts(len(sets), rounds):
        members, table = sets[number], tables[number]
        program = table.plan(last - first, terms, openings[number], number * rounds + first)
        batches = []
        for part, outcome in played(
            game, [e.player for e in table.players], program, workers, stop
        ):
            if on_games and len(part.numbers):
                on_games(members, part, outcome)
            batches.append((part, outcome.without_moves()))
        found.append(gathered(batches, members, seats))
        if stop.is_set():
            break
    games = Games._make(np.concatenate(fields) for fields in zip(*found, strict=True))
    return TournamentResult(game, names, terms, sets, rounds, games, planned)


def checked_meetings(names: Sequence[str], game: Any) -> list[tuple[int, ...]]:
    """The sets of players that meet, if there are enough players, all different."""
    seats = game.limits().seats
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise UserError(f"player {twice[0]!r} is given twice; expected different players")
    if len(names) < max(seats, 2):
        raise UserError(f"{len(names)} player(s) for {seats} seats; expected at least {seats}")
    return meetings(len(names), seats)


def _parts(sets: int, rounds: int) -> list[tuple[int, int, int]]:
    """Which set plays which rounds (from, to), one after the other."""
    edges = sorted({rounds * part // _PARTS for part in range(_PARTS + 1)})
    return [(number, *rows) for rows in itertools.pairwise(edges) for number in range(sets)]
