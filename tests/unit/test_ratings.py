"""Ratings find the strengths that made the games, and know how sure they are."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from quintet.arena.ratings import ELO, rate

STRENGTHS = np.array([1.0, 0.5, 0.0, -0.5, -1.0])


def full_rankings(
    rng: np.random.Generator, games: int, seats: int
) -> tuple[np.ndarray, np.ndarray]:
    """Games by Plackett and Luce's model: who has the highest of ratings plus Gumbel noise."""
    seatings = np.array([rng.permutation(len(STRENGTHS))[:seats] for _ in range(games)])
    luck = STRENGTHS[seatings] + rng.gumbel(size=seatings.shape)
    return seatings, np.argsort(np.argsort(luck, axis=1), axis=1).astype(float)


def only_winners(
    rng: np.random.Generator, games: int, seats: int, drawn: float
) -> tuple[np.ndarray, np.ndarray]:
    """Games with one winner, or a draw of all, by Davidson's model."""
    seatings = np.array([rng.permutation(len(STRENGTHS))[:seats] for _ in range(games)])
    scores = np.zeros(seatings.shape)
    for game, players in enumerate(seatings):
        weights = np.exp(STRENGTHS[players])
        draw = drawn * math.exp(STRENGTHS[players].mean())
        winner = rng.choice(seats + 1, p=np.append(weights, draw) / (weights.sum() + draw))
        scores[game] = 1 / seats if winner == seats else np.eye(seats)[winner]
    return seatings, scores


def coverage(trials: int, games: int, seats: int, places: int | None, drawn: float) -> float:
    rng = np.random.default_rng(12)
    held = []
    for _ in range(trials):
        if places == 1:
            seatings, scores = only_winners(rng, games, seats, drawn)
        else:
            seatings, scores = full_rankings(rng, games, seats)
        found = rate(len(STRENGTHS), seatings, scores, None, places)
        for player, strength in enumerate(STRENGTHS * ELO):
            held.append(found.of(player).low <= strength <= found.of(player).high)
    return float(np.mean(held))


CASES = [(2, 1, 0.0), (2, 1, 1.0), (3, None, 0.0), (3, 1, 0.0), (4, 1, 0.7)]


@pytest.mark.parametrize(("seats", "places", "drawn"), CASES)
def test_planted_strengths_are_within_the_intervals(
    seats: int, places: int | None, drawn: float
) -> None:
    assert 0.90 <= coverage(60, 200, seats, places, drawn) <= 0.99


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "places", "drawn"), CASES)
def test_intervals_hold_95_in_100(seats: int, places: int | None, drawn: float) -> None:
    assert 0.938 <= coverage(1000, 200, seats, places, drawn) <= 0.968


@pytest.mark.parametrize(("seats", "places"), [(2, 1), (3, 1), (3, None), (5, None)])
def test_many_games_find_the_strengths(seats: int, places: int | None) -> None:
    rng = np.random.default_rng(13)
    make = full_rankings if places is None else (lambda *a: only_winners(*a, 0.8))
    errors = [
        rate(5, *make(rng, 2500, seats), None, places).values / ELO - STRENGTHS for _ in range(16)
    ]
    # one tournament errs by up to 0.08 (standard error); the mean of 16 shows a bias of 0.08
    assert np.mean(errors, axis=0) == pytest.approx(np.zeros(5), abs=0.08)


def test_two_players_by_hand() -> None:
    # 30 : 10, and half a point each against the phantom: expected shares are those had
    found = rate(2, np.tile([0, 1], (40, 1)), np.repeat([[1.0, 0.0], [0.0, 1.0]], [30, 10], axis=0))
    lead = (found.values[0] - found.values[1]) / ELO
    expected = 40 / (1 + math.exp(-lead)) + 1 / (1 + math.exp(-lead / 2))
    assert expected == pytest.approx(30.5)
    chance = 1 / (1 + math.exp(-lead))
    error = ELO / math.sqrt(40 * chance * (1 - chance))
    assert found.lead(0, 1).high - found.lead(0, 1).low == pytest.approx(2 * 1.96 * error, rel=0.05)


def test_draws_by_hand() -> None:
    # 30 won, 10 lost, 60 drawn: the odds of a win are 3 : 1, whatever the draws (Davidson)
    scores = np.repeat([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]], [300, 100, 600], axis=0)
    found = rate(2, np.tile([0, 1], (1000, 1)), scores)
    assert found.lead(0, 1).mean / ELO == pytest.approx(math.log(3), abs=0.02)
    # the lead is log(300 / 100), so its variance is 1 / 300 + 1 / 100
    error = ELO * math.sqrt(1 / 300 + 1 / 100)
    assert found.lead(0, 1).high - found.lead(0, 1).mean == pytest.approx(1.96 * error, rel=0.02)


def test_draws_alone_tell_nothing() -> None:
    drawn = rate(2, np.tile([0, 1], (100, 1)), np.full((100, 2), 0.5))
    assert drawn.values == pytest.approx([0.0, 0.0], abs=1e-6)
    assert drawn.lead(0, 1).high > 400


def test_who_won_all_games_has_a_finite_rating_and_a_wide_interval() -> None:
    found = rate(2, np.tile([0, 1], (100, 1)), np.tile([1.0, 0.0], (100, 1)))
    lead = found.lead(0, 1)
    assert 400 < lead.mean < 2000
    # Clopper and Pearson's bound for 100 : 0 is 96.4%, which is 570 points
    assert 250 < lead.low < 570


def test_a_wrong_order_of_three_counts() -> None:
    # places: b is mostly second, c mostly third; who is only ever not first is not told apart
    rankings = np.tile(
        [[2.0, 1.0, 0.0], [2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 1.0, 2.0]], (20, 1)
    )
    seatings = np.tile([0, 1, 2], (80, 1))
    all_places = rate(3, seatings, rankings)
    first_only = rate(3, seatings, rankings, None, 1)
    assert all_places.values[1] - all_places.values[2] > 100
    assert first_only.values[1] == pytest.approx(first_only.values[2])


def test_ratings_do_not_depend_on_seats_or_the_order_of_games() -> None:
    rng = np.random.default_rng(14)
    seatings, scores = full_rankings(rng, 300, 3)
    found = rate(5, seatings, scores)
    other = rate(5, seatings[::-1, ::-1], scores[::-1, ::-1])
    assert other.values == pytest.approx(found.values)
    assert other.covariance == pytest.approx(found.covariance)


def test_games_that_repeat_each_other_do_not_narrow_the_interval() -> None:
    rng = np.random.default_rng(15)
    seatings, scores = full_rankings(rng, 200, 2)
    once = rate(5, seatings, scores)
    copies = np.repeat(np.arange(200), 10)
    copied = rate(5, seatings[copies], scores[copies], rounds=copies)
    naive = rate(5, seatings[copies], scores[copies])
    for one, other in itertools.combinations(range(5), 2):
        width = once.lead(one, other).high - once.lead(one, other).low
        assert copied.lead(one, other).high - copied.lead(one, other).low > 0.8 * width
        assert naive.lead(one, other).high - naive.lead(one, other).low < 0.45 * width


def test_players_who_never_met_are_compared_through_others() -> None:
    seatings = np.array([[0, 1]] * 60 + [[1, 2]] * 60)
    scores = np.array(([[1.0, 0.0]] * 45 + [[0.0, 1.0]] * 15) * 2)
    found = rate(3, seatings, scores)
    step = ELO * math.log(3)  # 3 : 1
    assert found.lead(0, 2).mean == pytest.approx(2 * step, rel=0.1)
    assert (
        found.lead(0, 2).high - found.lead(0, 2).low > found.lead(0, 1).high - found.lead(0, 1).low
    )
