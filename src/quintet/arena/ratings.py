"""One number for the strength of each player, from games of any number of seats.

Plackett and Luce: a player of rating r takes the first place with a chance that is
proportional to exp(r); of the others, one takes the second place likewise, and so
on.  For two players that is Bradley and Terry's model, or Elo's.  Ties are Davidson's:
that the players T share a place has a chance proportional to

    d(|T|) exp(mean rating of T),                d(1) = 1, the other d are estimated

(Davidson 1970 for two, Firth, Kosmidis and Turner 2019 for more).  The ratings that
make the games most likely give each player just the shares of places that it had.

A player that has won every game would have an infinite rating; so each is taken to
have drawn one more game, against a player of rating 0.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.arena.intervals import LEVEL, Estimate

ELO = 400 / math.log(10)  # points of Elo's scale for a factor e of strength
_SCARCE = 1 / 100  # the weight of the belief that a d is not far from 1
_STEPS = 100

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]


class Ratings(NamedTuple):
    """Ratings in Elo's points; their mean is 0."""

    values: Vector
    covariance: Matrix
    level: float

    def of(self, player: int) -> Estimate:
        """The rating of a player."""
        return self._estimate(self.values[player], self.covariance[player, player])

    def lead(self, one: int, other: int) -> Estimate:
        """By how much one player is better than another."""
        c = self.covariance
        variance = c[one, one] + c[other, other] - 2 * c[one, other]
        return self._estimate(self.values[one] - self.values[other], variance)

    def _estimate(self, value: float, variance: float) -> Estimate:
        half = statistics.NormalDist().inv_cdf((1 + self.level) / 2) * math.sqrt(max(variance, 0.0))
        return Estimate(float(value), float(value - half), float(value + half))


class _Choice(NamedTuple):
    """A place of a game: who was left to take it, and who took it."""

    left: tuple[int, ...]  # players, in ascending order
    took: tuple[int, ...]


def rate(
    players: int,
    seatings: NDArray[Any],
    scores: NDArray[np.float64],
    rounds: NDArray[Any] | None = None,
    places: int | None = None,
    level: float = LEVEL,
) -> Ratings:
    """The ratings of players numbered from 0, from who sat where and had which score.

    `places` is how many places of a game count: 1 where there is only a winner.
    `rounds` tells which games are alike.  The variance of a rating is the larger of
    two estimates: the one that the model gives, and the one found between rounds,
    which is right even where the model is not.
    """
    patterns, pattern_of = _patterns(seatings, scores)
    choices = [list(_choices(seats, ranks, places)) for seats, ranks in patterns]
    ties = sorted({len(c.took) for of_game in choices for c in of_game} - {1})
    model = _Model(players, ties)
    counts = np.bincount(pattern_of, minlength=len(patterns))
    worth = model.fitted(_counted(choices, counts))
    inverse = np.linalg.inv(model.information)
    scored = np.array([model.score(of_game, worth) for of_game in choices])
    clusters = np.unique(pattern_of if rounds is None else rounds, return_inverse=True)[1]
    if rounds is None:
        clusters = np.arange(len(pattern_of))
    sums = np.zeros((clusters.max() + 1, scored.shape[1]))
    np.add.at(sums, clusters, scored[pattern_of])
    between = sums.T @ sums * len(sums) / max(len(sums) - 1, 1)
    centre = np.eye(players) - 1 / players
    by_model = centre @ inverse[:players, :players] @ centre.T
    by_rounds = centre @ (inverse @ between @ inverse)[:players, :players] @ centre.T
    return Ratings(ELO * centre @ worth[:players], ELO**2 * _wider(by_model, by_rounds), level)


def _wider(one: Matrix, other: Matrix) -> Matrix:
    """The first covariance, stretched so that no variance of a lead or rating is below either's.

    The largest ratio of the second to the first, over all directions.
    """
    values, directions = np.linalg.eigh(one)
    kept = values > 1e-9 * values.max()
    basis = directions[:, kept] / np.sqrt(values[kept])
    ratios, axes = np.linalg.eigh(basis.T @ other @ basis)
    back = one @ basis @ axes
    return back @ np.diag(np.maximum(ratios, 1.0)) @ back.T


def _patterns(
    seatings: NDArray[Any], scores: NDArray[np.float64]
) -> tuple[list[tuple[tuple[int, ...], tuple[int, ...]]], NDArray[np.intp]]:
    """The different results, as (players, their places from 0), and which each game had."""
    above = scores[:, None, :] > scores[:, :, None]
    rows = np.hstack([np.asarray(seatings, np.int64), above.sum(axis=2)])
    distinct, which = np.unique(rows, axis=0, return_inverse=True)
    seats = scores.shape[1]
    return [(tuple(r[:seats].tolist()), tuple(r[seats:].tolist())) for r in distinct], which.ravel()


def _choices(seats: Sequence[int], ranks: Sequence[int], places: int | None) -> Iterator[_Choice]:
    """The choices of one game, from the first place on; the last one left is none."""
    most = len(seats) - 1 if places is None else places
    for place in sorted(set(ranks)):
        left = tuple(sorted(p for p, r in zip(seats, ranks, strict=True) if r >= place))
        if place >= most or len(left) == 1:
            return
        yield _Choice(
            left, tuple(sorted(p for p, r in zip(seats, ranks, strict=True) if r == place))
        )


def _counted(choices: list[list[_Choice]], counts: NDArray[Any]) -> Counter[_Choice]:
    found: Counter[_Choice] = Counter()
    for of_game, count in zip(choices, counts, strict=True):
        for choice in of_game:
            found[choice] += int(count)
    return found


class _Model:
    """The likelihood: a row of features for each way to take a place."""

    def __init__(self, players: int, ties: list[int]) -> None:
        self.players = players
        self.ties = ties
        self.size = players + len(ties)
        self.information: Matrix = np.zeros((self.size, self.size))
        self._ways: dict[tuple[int, ...], Matrix] = {}

    def fitted(self, observed: Counter[_Choice]) -> Vector:
        """The most likely ratings, and logarithms of d: Newton's method, the steps kept small."""
        took = np.sum([n * self.features(c.took) for c, n in observed.items()], axis=0)
        sizes: Counter[tuple[int, ...]] = Counter()
        for choice, count in observed.items():
            sizes[choice.left] += count
        worth = np.zeros(self.size)
        for _ in range(_STEPS):
            expected, self.information = self._expected(sizes, worth)
            step = np.linalg.solve(self.information, took - expected + self._pull(worth))
            worth = worth + step / max(1.0, float(np.abs(step).max()))
            if np.abs(step).max() < 1e-10:
                break
        return worth

    def score(self, choices: list[_Choice], worth: Vector) -> Vector:
        """By how much one game differs from what was expected."""
        total = np.zeros(self.size)
        for choice in choices:
            ways = self.ways(choice.left)
            total += self.features(choice.took) - _chances(ways, worth) @ ways
        return total

    def features(self, took: Sequence[int]) -> Vector:
        """What the logarithm of a way's weight is made of: shares of ratings, and a d."""
        row = np.zeros(self.size)
        for player in took:
            row[player] += 1 / len(took)
        if len(took) > 1:
            row[self.players + self.ties.index(len(took))] = 1.0
        return row

    def ways(self, left: tuple[int, ...]) -> Matrix:
        """The features of all ways to take a place."""
        if left not in self._ways:
            sizes = [size for size in [1, *self.ties] if size <= len(left)]
            rows = [self.features(t) for size in sizes for t in itertools.combinations(left, size)]
            self._ways[left] = np.array(rows)
        return self._ways[left]

    def _expected(self, sizes: Counter[tuple[int, ...]], worth: Vector) -> tuple[Vector, Matrix]:
        total = np.zeros(self.size)
        information = np.zeros((self.size, self.size))
        for left, count in sizes.items():
            ways = self.ways(left)
            chances = _chances(ways, worth)
            mean = chances @ ways
            total += count * mean
            information += count * ((ways * chances[:, None]).T @ ways - np.outer(mean, mean))
        own = 1 / (1 + np.exp(-worth[: self.players]))
        weights = np.concatenate([own * (1 - own), np.full(len(self.ties), _SCARCE)])
        return total, information + np.diag(weights)

    def _pull(self, worth: Vector) -> Vector:
        """Towards 0: one draw for each player, and that no d is far from 1."""
        own = 1 / (1 + np.exp(-worth[: self.players]))
        return np.concatenate([0.5 - own, -_SCARCE * worth[self.players :]])


def _chances(ways: Matrix, worth: Vector) -> Vector:
    weights = ways @ worth
    chances = np.exp(weights - weights.max())
    return chances / chances.sum()
