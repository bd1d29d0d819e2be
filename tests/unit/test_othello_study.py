"""The study of Othello reads the numbers of the paper out of a run, and asks for no others."""

from __future__ import annotations

import math
import pathlib
from typing import Any

import pytest

from quintet import studies
from quintet.learn.evolutionary_programming import JUDGES, rungs
from quintet.registry import Entry
from quintet.studies.othello import (
    DEPTHS,
    JUDGED,
    STUDY,
    curves,
    milestones,
    opponents,
    shares,
)
from quintet.studies.study import Experiment, Figures, Scale, Task


def lines(generations: int) -> list[dict[str, Any]]:
    """Metrics of a run in which all numbers grow."""
    found: list[dict[str, Any]] = []
    for step in range(1, generations + 1):
        line: dict[str, Any] = {"step": step, "survival": step / 10, "step_size": 0.05}
        line["rival"] = 0.25 if step < generations - 4 else 0.75
        if step == 1 or step % 50 == 0:
            line |= {f"{name}(depth={d})": step // 250 + d for name in JUDGED for d in DEPTHS}
        found.append(line)
    return found


def task(folder: pathlib.Path, experiment: str) -> Task:
    (chosen,) = (e for e in STUDY.experiments if e.name == experiment)
    sizes = chosen.sizes[Scale.SMOKE]
    return Task(1, Scale.SMOKE, sizes, folder, {}, lambda: False)


def test_it_is_known_by_its_name() -> None:
    assert Entry(studies.STUDIES["othello"], {}, "").load() is STUDY


def test_curves_are_what_was_measured() -> None:
    found = curves(lines(200))
    assert found["generations"] == [1, 50, 100, 150, 200]
    assert found["positional_6"] == [6] * 5
    assert found["survival"] == [0.1, 5, 10, 15, 20]
    assert found["rival_end"] == pytest.approx(0.5)


def test_milestones_are_means_over_the_generations_that_the_paper_names() -> None:
    found = milestones(lines(10000))
    assert found["positional_2_100_100"] == 2
    assert found["discs_6_8000_10000"] == pytest.approx(
        sum(step // 250 + 6 for step in range(8000, 10001, 50)) / 41
    )
    assert found["survival_9900_10000"] == pytest.approx(995)
    assert found["jump"] == 1


def test_there_are_no_milestones_that_a_run_did_not_reach() -> None:
    found = milestones(lines(500))
    assert found["positional_2_100_100"] == 2
    for name in ("positional_4_1_4000", "discs_6_8000_10000", "survival_9900_10000", "jump"):
        assert math.isnan(found[name])  # type: ignore[arg-type]


def test_a_run_measures_what_the_curves_show() -> None:
    told = {word for ladder in rungs(JUDGES) for word in ladder}
    assert told == {f"{name}(depth={d})" for name in JUDGED for d in DEPTHS}


def test_claims_and_plots_ask_for_figures_that_there_are(tmp_path: pathlib.Path) -> None:
    evolved = figures_of(curves(lines(10000)), milestones(lines(10000)))
    shared = set(shares(task(tmp_path, "differences"), lambda _: (0.5, 0.5)))
    assert "iagno_3_white" in shared
    assert len(shared) == 2 * len(opponents())
    asked = [claim.measure for claim in STUDY.claims]
    asked += [curve.measure for plot in STUDY.plots for curve in plot.curves]
    asked += [plot.x for plot in STUDY.plots if plot.x]
    for measure in asked:
        experiment, _, figure = measure.partition(".")
        assert figure in (shared if experiment == "differences" else evolved | shared), measure


def figures_of(*parts: Figures) -> set[str]:
    return {name for part in parts for name in part}


@pytest.mark.slow
@pytest.mark.parametrize("name", [e.name for e in STUDY.experiments])
def test_experiments_run(tmp_path: pathlib.Path, name: str) -> None:
    (experiment,) = (e for e in STUDY.experiments if e.name == name)
    assert isinstance(experiment, Experiment)
    found = experiment.run(task(tmp_path, name))
    for word in opponents():
        for colour in ("black", "white"):
            assert 0 <= found[f"{word}_{colour}"] <= 1  # type: ignore[operator]
    if name != "differences":
        assert len(found["generations"]) == len(found["mobility_6"])  # type: ignore[arg-type]
