"""Intervals hold the truth as often as they say, also when one looks all the time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from quintet.arena.intervals import Estimate, mean_of, student
from quintet.arena.sequential import Race, lasting_mean_of

# (chance of a win, rounds, games of a round, how much rounds differ in that chance)
CASES = [
    (0.5, 50, 2, 0.0),
    (0.9, 50, 1, 0.0),
    (0.97, 100, 1, 0.0),
    (0.05, 60, 2, 0.0),
    (0.3, 10, 6, 0.0),
    (0.3, 84, 6, 0.0),
    (0.5, 40, 6, 0.3),
    (0.2, 100, 2, 0.2),
]


def rounds_of(
    rng: np.random.Generator, chance: float, count: int, games: int, spread: float
) -> np.ndarray:
    """Means of rounds whose games share an opening that favours or hinders."""
    chances = np.where(rng.random(count) < 0.5, chance - spread, chance + spread)
    return rng.binomial(games, chances) / games


@pytest.mark.parametrize(("chance", "count", "games", "spread"), CASES)
def test_coverage_is_95_in_100(chance: float, count: int, games: int, spread: float) -> None:
    rng = np.random.default_rng(5)
    trials = 2000
    found = [mean_of(rounds_of(rng, chance, count, games, spread)) for _ in range(trials)]
    held = np.mean([e.low <= chance <= e.high for e in found])
    # Wilson's interval for counts is off by what counts jump
    assert 0.93 <= held <= 0.985


def test_games_that_share_an_opening_are_not_counted_as_many() -> None:
    rng = np.random.default_rng(6)
    rounds = rounds_of(rng, 0.5, 40, 6, 0.45)
    as_rounds, as_games = mean_of(rounds), mean_of(np.repeat(rounds, 6))
    assert as_rounds.high - as_rounds.low > 2 * (as_games.high - as_games.low)


def test_pairing_narrows_where_the_seat_decides() -> None:
    # who begins wins: each round is 1 : 1, with rare exceptions
    rounds = np.full(100, 0.5)
    rounds[:4] = [0, 0, 1, 1]
    paired = mean_of(rounds)
    alone = mean_of(np.repeat([0.0, 1.0], 100))
    assert paired.high - paired.low < 0.5 * (alone.high - alone.low)


def test_wilson_by_hand() -> None:
    # 50 rounds of one game, 40 won; t for z, and the variance by n - 1
    found = mean_of([1.0] * 40 + [0.0] * 10)
    t, n, p = 2.009575, 49.0, 0.8
    centre = (p + t * t / (2 * n)) / (1 + t * t / n)
    half = t / (1 + t * t / n) * math.sqrt(p * (1 - p) / n + t * t / (4 * n * n))
    assert found.mean == pytest.approx(0.8)
    assert found.low == pytest.approx(centre - half, abs=1e-6)
    assert found.high == pytest.approx(centre + half, abs=1e-6)


def test_all_won_is_clopper_and_pearson() -> None:
    found = mean_of([1.0] * 100)
    assert found.high == 1.0
    assert found.low == pytest.approx(0.9637833, abs=1e-6)  # 0.025 ** (1 / 100)
    lost = mean_of([0.0] * 100)
    assert lost.low == 0.0
    assert lost.high == pytest.approx(1 - found.low)


def test_the_same_in_every_round_is_not_certain() -> None:
    found = mean_of([0.5] * 10)
    assert found.low < 0.4
    assert found.high > 0.6


def test_intervals_scale_with_the_scores() -> None:
    values = np.array([3.0, 8.0, 12.0, 25.0, 0.0, 9.0])
    points, shares = mean_of(values, 0, 25), mean_of(values / 25)
    assert points == pytest.approx([25 * number for number in shares])


def test_one_round_tells_nothing() -> None:
    assert mean_of([0.7]) == Estimate(0.7, 0.0, 1.0)
    assert math.isnan(mean_of([]).mean)


@pytest.mark.parametrize(
    ("freedom", "t"), [(1, 12.7062), (2, 4.30265), (5, 2.57058), (10, 2.22814), (99, 1.98422)]
)
def test_students_table(freedom: int, t: float) -> None:
    assert student(freedom) == pytest.approx(t, abs=1e-4)


def test_student_becomes_normal() -> None:
    assert student(10**6) == pytest.approx(1.959964, abs=1e-6)
    assert student(999) == pytest.approx(student(1000), abs=5e-3)


# --- looking all the time -----------------------------------------------------


def _first_winner(rng: np.random.Generator, chances: list[float], rounds: int) -> int | None:
    race = Race(len(chances), 1.0)
    for winner in rng.choice(len(chances), rounds, p=chances):
        race.see(np.eye(len(chances))[winner])
        if race.winner() is not None:
            return race.winner()
    return None


@pytest.mark.parametrize("chances", [[0.5, 0.5], [1 / 3, 1 / 3, 1 / 3], [0.4, 0.4, 0.2]])
def test_no_difference_is_rarely_found(chances: list[float]) -> None:
    rng = np.random.default_rng(7)
    trials, looks = 150, 300
    found = [_first_winner(rng, chances, looks) for _ in range(trials)]
    # at most 5 in 100 in all time; 14 of 150 would be 2.6 standard errors above that
    assert sum(winner is not None for winner in found) < 14


def test_a_fixed_interval_looked_at_again_and_again_errs() -> None:
    """What the bets are for: the same players, judged by the usual interval."""
    rng = np.random.default_rng(8)
    wrong = 0
    for _ in range(100):
        wins = rng.integers(0, 2, 300).astype(float)
        looks = (mean_of(wins[:count]) for count in range(10, 300, 5))
        wrong += any(not e.low <= 0.5 <= e.high for e in looks)
    assert wrong > 15


@pytest.mark.slow
@pytest.mark.parametrize("chances", [[0.5, 0.5], [0.25] * 4, [0.4, 0.4, 0.2]])
def test_no_difference_is_rarely_found_in_many_matches(chances: list[float]) -> None:
    rng = np.random.default_rng(9)
    trials = 1000
    found = [_first_winner(rng, chances, 1000) for _ in range(trials)]
    assert np.mean([winner is not None for winner in found]) <= 0.05


def test_a_difference_is_found_and_soon() -> None:
    rng = np.random.default_rng(10)
    assert [_first_winner(rng, [0.7, 0.3], 500) for _ in range(30)] == [0] * 30
    assert [_first_winner(rng, [0.2, 0.6, 0.2], 500) for _ in range(30)] == [1] * 30
    assert _first_winner(rng, [1.0, 0.0], 12) == 0


def test_a_bet_cannot_be_expected_to_grow() -> None:
    # the mean over all sequences of 6 fair games is exactly the money one began with
    total = 0.0
    for sequence in range(2**6):
        race = Race(2, 1.0)
        for game in range(6):
            race.see([1.0, 0.0] if sequence >> game & 1 else [0.0, 1.0])
        total += math.exp(race.evidence()[0, 1])
    assert total / 2**6 == pytest.approx(1.0)


def test_lasting_intervals_hold_at_all_times() -> None:
    rng = np.random.default_rng(11)
    trials, wrong = 100, 0
    for _ in range(trials):
        wins = rng.binomial(2, 0.3, 200) / 2
        looks = (lasting_mean_of(wins[:count]) for count in range(5, 200, 15))
        wrong += any(not e.low <= 0.3 <= e.high for e in looks)
    assert wrong <= 5
    last = lasting_mean_of(wins)
    assert last.high - last.low < 0.2


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_lasting_intervals_at_the_edge(value: float) -> None:
    found = lasting_mean_of([value] * 50)
    assert found.mean == value
    assert found.high - found.low == pytest.approx(0.15, abs=0.1)
    assert value in (found.low, found.high)
