"""What is said of a claim: every case, and the intervals by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from quintet.arena.intervals import Estimate
from quintet.studies.results import Result
from quintet.studies.study import Claim, Sense
from quintet.studies.verdict import (
    GOAL,
    ONE_SEED,
    Verdict,
    count_of,
    judge,
    numbers_of,
    ours_in_words,
    over_seeds,
    published_in_words,
)


def claim(
    value: float, spread: float = 0.0, sense: Sense = Sense.SAME, where: str = "Table 1"
) -> Claim:
    return Claim("a share", where, "1:2", "x.share", value, spread, sense, why="it is odd")


NARROW = [0.49, 0.50, 0.51]  # the interval is 0.475 to 0.525
SAME, AT_LEAST, AT_MOST = Sense.SAME, Sense.AT_LEAST, Sense.AT_MOST


@pytest.mark.parametrize(
    ("value", "spread", "sense", "verdict"),
    [
        (0.52, 0.0, SAME, Verdict.REPRODUCED),
        (0.48, 0.0, SAME, Verdict.REPRODUCED),
        (0.53, 0.0, SAME, Verdict.NOT_REACHED),
        (0.47, 0.0, SAME, Verdict.NOT_REACHED),  # there is no better side
        (0.60, 0.08, SAME, Verdict.REPRODUCED),  # 0.52 to 0.68
        (0.60, 0.07, SAME, Verdict.NOT_REACHED),
        (0.52, 0.0, AT_LEAST, Verdict.REPRODUCED),
        (0.47, 0.0, AT_LEAST, Verdict.BEATEN),
        (0.47, 0.01, AT_LEAST, Verdict.REPRODUCED),
        (0.53, 0.0, AT_LEAST, Verdict.NOT_REACHED),
        (0.48, 0.0, AT_MOST, Verdict.REPRODUCED),
        (0.53, 0.0, AT_MOST, Verdict.BEATEN),
        (0.53, 0.01, AT_MOST, Verdict.REPRODUCED),
        (0.47, 0.0, AT_MOST, Verdict.NOT_REACHED),
    ],
)
def test_published_numbers(value: float, spread: float, sense: Sense, verdict: Verdict) -> None:
    judgement = judge(claim(value, spread, sense), NARROW)
    assert judgement.verdict is verdict
    assert judgement.seeds == 3
    assert judgement.note == ("it is odd" if verdict is Verdict.NOT_REACHED else "")


@pytest.mark.parametrize(
    ("value", "sense", "verdict", "is_sure"),
    [
        (0.47, AT_LEAST, Verdict.REACHED, True),
        (0.50, AT_LEAST, Verdict.REACHED, False),
        (0.51, AT_LEAST, Verdict.NOT_REACHED, True),
        (0.53, AT_MOST, Verdict.REACHED, True),
        (0.50, AT_MOST, Verdict.REACHED, False),
        (0.49, AT_MOST, Verdict.NOT_REACHED, True),
        (0.52, SAME, Verdict.REACHED, True),
        (0.53, SAME, Verdict.NOT_REACHED, True),
    ],
)
def test_goals(value: float, sense: Sense, verdict: Verdict, is_sure: bool) -> None:
    judgement = judge(claim(value, sense=sense, where=GOAL), NARROW)
    assert judgement.verdict is verdict
    assert ("would not reach it" in judgement.note) == (not is_sure)
    assert ("it is odd" in judgement.note) == (verdict is Verdict.NOT_REACHED)


@pytest.mark.parametrize("numbers", [[], [math.nan], [math.nan, math.inf]])
@pytest.mark.parametrize("where", ["Table 1", GOAL])
def test_what_has_no_number_was_not_run(numbers: list[float], where: str) -> None:
    judgement = judge(claim(0.5, where=where), numbers)
    assert judgement.verdict is Verdict.NOT_RUN
    assert judgement.seeds == 0
    assert judgement.note == ""
    assert ours_in_words(judgement.ours) == "-"


def test_seeds_without_a_number_do_not_count() -> None:
    assert judge(claim(0.5), [*NARROW, math.nan]) == judge(claim(0.5), NARROW)


@pytest.mark.parametrize(
    ("value", "spread", "sense", "verdict"),
    [
        (0.5, 0.0, SAME, Verdict.REPRODUCED),
        (0.6, 0.0, SAME, Verdict.NOT_REACHED),
        (0.6, 0.1, SAME, Verdict.REPRODUCED),
        (0.4, 0.0, AT_LEAST, Verdict.BEATEN),
        (0.6, 0.0, AT_MOST, Verdict.BEATEN),
    ],
)
def test_one_seed_has_no_interval(
    value: float, spread: float, sense: Sense, verdict: Verdict
) -> None:
    judgement = judge(claim(value, spread, sense), [0.5])
    assert judgement.verdict is verdict
    assert ONE_SEED in judgement.note
    assert math.isnan(judgement.ours.low)
    assert ours_in_words(judgement.ours) == "0.5"


def test_seeds_that_agree_are_compared_up_to_rounding() -> None:
    thirds = [0.1 + 0.2] * 4
    assert judge(claim(0.3), thirds).verdict is Verdict.REPRODUCED
    assert judge(claim(0.3001), thirds).verdict is Verdict.NOT_REACHED


def test_the_interval_by_hand() -> None:
    # mean 3, standard deviation sqrt(2.5), t of 4 degrees of freedom 2.7764
    mean, low, high = over_seeds([1, 2, 3, 4, 5])
    half = 2.7764451 * math.sqrt(2.5 / 5)
    assert (mean, low, high) == pytest.approx((3, 3 - half, 3 + half))


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    found = [over_seeds(list(rng.normal(7, 2, 10))) for _ in range(4000)]
    assert 0.94 <= np.mean([each.low <= 7 <= each.high for each in found]) <= 0.96


def test_a_curve_is_no_number() -> None:
    result = Result("x", 1, {"share": 0.5, "curve": [0.5]}, {}, 1.0, 1.0, 1, {})
    assert numbers_of({"x": {1: result}}, "x.share") == [0.5]
    assert numbers_of({"x": {1: result}}, "x.curve") == []
    assert numbers_of({"x": {1: result}}, "y.share") == []


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (Estimate(0.96312, 0.9511, 0.9751), "0.963 (0.951 to 0.975)"),
        (Estimate(1234.56, 1200.1, 1269.0), "1235 (1200 to 1269)"),
        (Estimate(-0.5, -2.0, 1.0), "-0.5 (-2.0 to 1.0)"),
        (Estimate(0.25, 0.25, 0.25), "0.25 (all seeds the same)"),
        (Estimate(0.0, 0.0, 0.0), "0 (all seeds the same)"),
        (Estimate(0.123456, math.nan, math.nan), "0.1235"),
    ],
)
def test_ours_has_the_digits_that_mean_something(estimate: Estimate, words: str) -> None:
    assert ours_in_words(estimate) == words


@pytest.mark.parametrize(
    ("published", "spread", "sense", "words"),
    [
        ("0.5", 0.0, SAME, "0.5"),
        ("", 0.0, SAME, "0.5"),
        ("28:28", 0.0, SAME, "28:28 (0.5)"),
        ("28:28", 0.1, SAME, "28:28 (0.5 ± 0.1)"),
        ("at least 0.5", 0.0, AT_LEAST, "at least 0.5"),
        ("half", 0.0, AT_MOST, "half (at most 0.5)"),
    ],
)
def test_published_numbers_say_what_they_are_compared_with(
    published: str, spread: float, sense: Sense, words: str
) -> None:
    assert published_in_words(Claim("a", "b", published, "x.y", 0.5, spread, sense)) == words


def test_verdicts_are_counted() -> None:
    judgements = [judge(claim(value), NARROW) for value in (0.5, 0.5, 0.9)]
    assert count_of(judgements) == "3 claims: 2 reproduced, 1 not reached"
    judgements.append(judge(claim(0.4, sense=AT_LEAST, where=GOAL), NARROW))
    told = "3 claims: 2 reproduced, 1 not reached; 1 goal: 1 reached"
    assert count_of(judgements) == told
    assert count_of([]) == "no claims"
