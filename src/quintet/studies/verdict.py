"""Beside each number of a paper, ours with its interval, and what to think of it.

**Ours** is the mean over the seeds, with Student's 95% interval.  A seed that gave no
number (NaN) does not count.  One seed has no interval; its number is then compared as it
is, and the verdict says so.

**A published number** is the range `value` +- `spread`.

=============  ===============================================================
reproduced     our interval and the published range overlap
beaten         they do not; the sense is at least (at most), and ours is above
               (below) it
not reached    they do not, and it is not beaten.  Where the sense is *about the
               same*, that is so on either side
not run        there is no number of ours
=============  ===============================================================

**A goal** is reached if our mean is on the right side of `value` (at least, at most),
or, in the sense *about the same*, if interval and range overlap.  If the mean is on the right
side and part of the interval is not, it is reached, and a note says so.
"""

from __future__ import annotations

import collections
import enum
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from quintet.arena.intervals import Estimate, student
from quintet.studies.results import Result
from quintet.studies.study import Claim, Sense, Study, figure

GOAL = "goal"  # the `where` of a claim that is ours
ONE_SEED = "one seed, no interval"
_ROUNDING = 1e-9  # numbers that differ by less, relatively, are the same


class Verdict(enum.Enum):
    """What to think of our number."""

    REPRODUCED = "reproduced"
    BEATEN = "beaten"
    REACHED = "reached"  # a goal
    NOT_REACHED = "not reached"
    NOT_RUN = "not run"


class Judgement(NamedTuple):
    """A claim, what we found, and the verdict."""

    claim: Claim
    ours: Estimate  # the interval is NaN for one seed, the mean too for none
    seeds: int
    verdict: Verdict
    note: str  # what to know of the verdict, or why the claim was missed


def judged(study: Study, found: Mapping[str, Mapping[int, Result]]) -> list[Judgement]:
    """All claims of a study."""
    return [judge(claim, numbers_of(found, claim.measure)) for claim in study.claims]


def judge(claim: Claim, numbers: Sequence[float]) -> Judgement:
    """A claim beside what each seed gave."""
    counted = [number for number in numbers if math.isfinite(number)]
    ours = over_seeds(counted)
    verdict = _verdict(claim, ours)
    notes = []
    if len(counted) == 1:
        notes.append(ONE_SEED)
    if verdict is Verdict.REACHED and not _is_sure(claim, ours):
        notes.append("by the mean; the interval holds values that would not reach it")
    if verdict is Verdict.NOT_REACHED and claim.why:
        notes.append(claim.why)
    return Judgement(claim, ours, len(counted), verdict, "; ".join(notes))


def over_seeds(numbers: Sequence[float]) -> Estimate:
    """The mean and Student's interval; NaN for what cannot be known."""
    if not numbers:
        return Estimate(math.nan, math.nan, math.nan)
    mean = float(np.mean(numbers))
    if len(numbers) == 1:
        return Estimate(mean, math.nan, math.nan)
    error = float(np.std(numbers, ddof=1)) / math.sqrt(len(numbers))
    half = student(len(numbers) - 1) * error
    return Estimate(mean, mean - half, mean + half)


def numbers_of(found: Mapping[str, Mapping[int, Result]], measure: str) -> list[float]:
    """What each seed gave for "experiment.figure", where that is a number."""
    values = _values(found, measure)
    return [value for value in values if isinstance(value, float)]


def curves_of(found: Mapping[str, Mapping[int, Result]], measure: str) -> list[list[float]]:
    """What each seed gave for "experiment.figure", where that is a curve."""
    return [value for value in _values(found, measure) if isinstance(value, list)]


def _values(found: Mapping[str, Mapping[int, Result]], measure: str) -> list[object]:
    experiment, _, _ = measure.partition(".")
    results = found.get(experiment, {}).values()
    return [figure({experiment: result.figures}, measure) for result in results]


def never_given(study: Study, found: Mapping[str, Mapping[int, Result]]) -> list[str]:
    """Measures that experiments did not give, though they were done: mistakes of the study."""
    curves = {curve.measure for plot in study.plots for curve in plot.curves}
    curves |= {plot.x for plot in study.plots if plot.x is not None}
    missing = {measure for measure in curves if not curves_of(found, measure)}
    missing |= {c.measure for c in study.claims if not numbers_of(found, c.measure)}
    return sorted(measure for measure in missing if found.get(measure.partition(".")[0]))


def count_of(judgements: Iterable[Judgement]) -> str:
    """``12 claims: 7 reproduced, 5 not reached; 1 goal: 1 reached``."""
    parts = []
    kinds: dict[str, list[Verdict]] = {"claim": [], GOAL: []}
    for judgement in judgements:
        kinds[GOAL if judgement.claim.where == GOAL else "claim"].append(judgement.verdict)
    for kind, verdicts in kinds.items():
        if verdicts:
            counts = collections.Counter(verdicts)
            told = ", ".join(f"{counts[each]} {each.value}" for each in Verdict if counts[each])
            parts.append(f"{len(verdicts)} {kind}{'s' if len(verdicts) > 1 else ''}: {told}")
    return "; ".join(parts) or "no claims"


def _verdict(claim: Claim, ours: Estimate) -> Verdict:
    if math.isnan(ours.mean):
        return Verdict.NOT_RUN
    least, most = claim.value - claim.spread, claim.value + claim.spread
    low, high = _range(ours)
    slack = _ROUNDING * max(abs(claim.value), 1.0)
    overlap = low <= most + slack and high >= least - slack
    if claim.where == GOAL:
        reached = {
            Sense.SAME: overlap,
            Sense.AT_LEAST: ours.mean >= claim.value - slack,
            Sense.AT_MOST: ours.mean <= claim.value + slack,
        }
        return Verdict.REACHED if reached[claim.sense] else Verdict.NOT_REACHED
    if overlap:
        return Verdict.REPRODUCED
    beaten = {Sense.SAME: False, Sense.AT_LEAST: low > most, Sense.AT_MOST: high < least}
    return Verdict.BEATEN if beaten[claim.sense] else Verdict.NOT_REACHED


def _is_sure(claim: Claim, ours: Estimate) -> bool:
    """Is a goal reached by all of the interval?"""
    low, high = _range(ours)
    slack = _ROUNDING * max(abs(claim.value), 1.0)
    sure = {
        Sense.SAME: True,
        Sense.AT_LEAST: low >= claim.value - slack,
        Sense.AT_MOST: high <= claim.value + slack,
    }
    return sure[claim.sense]


def _range(ours: Estimate) -> tuple[float, float]:
    return (ours.mean, ours.mean) if math.isnan(ours.low) else (ours.low, ours.high)


# --- words --------------------------------------------------------------------


def ours_in_words(ours: Estimate) -> str:
    """``0.963 (0.951 to 0.975)``, with the digits that mean something."""
    if math.isnan(ours.mean):
        return "-"
    if math.isnan(ours.low):
        return f"{ours.mean:.4g}"
    half = (ours.high - ours.low) / 2
    if half <= _ROUNDING * max(abs(ours.mean), 1e-300):
        return f"{ours.mean:.6g} (all seeds the same)"
    places = max(0, min(9, 1 - math.floor(math.log10(half))))
    mean, low, high = (f"{value:.{places}f}" for value in ours)
    return f"{mean} ({low} to {high})"


def published_in_words(claim: Claim) -> str:
    """What was printed and, where that is not said by it, what ours is compared with."""
    sense = "" if claim.sense is Sense.SAME else f"{claim.sense.value} "
    spread = f" ± {claim.spread:.3g}" if claim.spread else ""
    compared = f"{sense}{claim.value:.6g}{spread}"
    printed = claim.published or compared
    is_same = printed in (compared, f"{claim.value:.6g}") and not (sense or spread)
    return printed if is_same or printed == compared else f"{printed} ({compared})"
