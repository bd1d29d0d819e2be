"""What games say about their players: wins, scores and ranks, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.arena.games import Outcome, Plan
from quintet.arena.intervals import Estimate, mean_of

Interval = Callable[[NDArray[np.float64], float, float], Estimate]


class Games(NamedTuple):
    """Finished games, a row for each."""

    numbers: NDArray[np.int64]
    rounds: NDArray[np.int64]
    seatings: NDArray[np.int64]  # for each seat, whose it was: an index into names
    scores: NDArray[np.float64]
    lengths: NDArray[np.int64]
    digests: NDArray[np.uint64]

    def first(self, count: int) -> Games:
        """The first games."""
        return Games._make(field[:count] for field in self)

    @property
    def distinct(self) -> int:
        """How many differ in their moves or in who sat where."""
        rows = np.column_stack([self.seatings, self.digests.view(np.int64)])
        return len(np.unique(rows, axis=0))


def gathered(batches: Sequence[tuple[Plan, Outcome]], whose: Sequence[int], seats: int) -> Games:
    """The games of some batches; `whose[i]` is the name of the i-th player at the table."""
    if not batches:
        none = np.zeros((0, seats))
        empty = np.zeros(0, np.int64)
        return Games(empty, empty, none.astype(np.int64), none, empty, empty.astype(np.uint64))
    names = np.array(whose, np.int64)
    return Games(
        np.concatenate([plan.numbers for plan, _ in batches]),
        np.concatenate([plan.rounds for plan, _ in batches]),
        names[np.concatenate([plan.orders for plan, _ in batches])],
        np.concatenate([outcome.scores for _, outcome in batches]),
        np.concatenate([outcome.lengths for _, outcome in batches]),
        np.concatenate([outcome.digests for _, outcome in batches]),
    )


class Standing(NamedTuple):
    """How a player did, in one seat (from 0) or in all."""

    player: str
    seat: int | None
    games: int
    wins: Estimate  # the part of the games with no equal
    score: Estimate
    rank: Estimate  # from 1; those who tie share their ranks

    def as_json(self) -> dict[str, Any]:
        """For a file; seats are counted from 1 there, as on the screen."""
        seat = None if self.seat is None else self.seat + 1
        row: dict[str, Any] = {"player": self.player, "seat": seat, "games": self.games}
        for name in ("wins", "score", "rank"):
            row[name] = getattr(self, name)._asdict()
        return row


def standings(
    game: Any,
    names: Sequence[str],
    games: Games,
    units: NDArray[np.int64],
    interval: Interval = mean_of,
) -> list[Standing]:
    """How each player did, overall and in each seat, the best score first.

    `units` tells which games are averaged before they are compared: their rounds.
    """
    count = games.scores.shape[1]
    found = []
    for player, name in enumerate(names):
        sat = games.seatings == player
        if not sat.any():
            continue
        overall = _standing(game, name, None, games, units, sat, interval)
        in_seats = []
        for seat in range(count):
            here = np.zeros_like(sat)
            here[:, seat] = sat[:, seat]
            if here.any():
                in_seats.append(_standing(game, name, seat, games, units, here, interval))
        found.append((overall, in_seats))
    found.sort(key=lambda pair: -pair[0].score.mean)
    return [standing for overall, in_seats in found for standing in (overall, *in_seats)]


def _standing(
    game: Any,
    name: str,
    seat: int | None,
    games: Games,
    units: NDArray[np.int64],
    sat: NDArray[np.bool_],
    interval: Interval,
) -> Standing:
    limits = game.limits()
    scores = games.scores

    def estimate(values: NDArray[np.float64], low: float, high: float) -> Estimate:
        return interval(unit_means(values, sat, units), low, high)

    return Standing(
        name,
        seat,
        int(sat.any(axis=1).sum()),
        estimate(wins(scores), 0.0, 1.0),
        estimate(scores, limits.lowest, limits.highest),
        estimate(ranks(scores), 1.0, float(max(limits.seats, 2))),
    )


def wins(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 for a seat that has more than all others of its game, else 0."""
    best = scores == scores.max(axis=1, keepdims=True)
    return (best & (best.sum(axis=1, keepdims=True) == 1)).astype(np.float64)


def ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 for the best of a game; those who tie share their ranks."""
    above = (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    equal = (scores[:, None, :] == scores[:, :, None]).sum(axis=2)
    return 1.0 + above + (equal - 1) / 2


def unit_means(
    values: NDArray[np.float64], which: NDArray[np.bool_], units: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The mean of the chosen values in each unit that has any."""
    groups = np.unique(units, return_inverse=True)[1].ravel()
    size = int(groups.max()) + 1 if len(groups) else 0
    sums = np.bincount(groups, (values * which).sum(axis=1), minlength=size)
    counts = np.bincount(groups, which.sum(axis=1), minlength=size)
    return sums[counts > 0] / counts[counts > 0]
