"""The study of paper 004: what it claims, and that its experiments run."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from quintet.studies.go_moku import STUDY
from quintet.studies.study import Scale, Task, figure


def run(names: set[str], folder: pathlib.Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for experiment in STUDY.experiments:
        if experiment.name in names:
            own = folder / experiment.name
            own.mkdir()
            sizes = experiment.sizes[Scale.SMOKE]
            needed = {name: found[name] for name in experiment.needs}
            folders = {name: folder / name for name in experiment.needs}
            task = Task(1, Scale.SMOKE, sizes, own, needed, lambda: False, folders)
            found[experiment.name] = experiment.run(task)
    return found


def test_every_claim_and_curve_names_an_experiment() -> None:
    names = {experiment.name for experiment in STUDY.experiments}
    measures = [claim.measure for claim in STUDY.claims]
    measures += [curve.measure for plot in STUDY.plots for curve in plot.curves]
    assert {name for measure in measures if (name := measure.partition(".")[0])} == names
    for experiment in STUDY.experiments:
        assert set(experiment.needs) <= names


@pytest.mark.slow
def test_all_experiments_give_what_is_claimed(tmp_path: pathlib.Path) -> None:
    found = run({experiment.name for experiment in STUDY.experiments}, tmp_path)
    for claim in STUDY.claims:
        assert isinstance(figure(found, claim.measure), float), claim.measure
    for plot in STUDY.plots:
        for curve in plot.curves:
            assert isinstance(figure(found, curve.measure), list)


def test_simple_experiments_give_what_is_claimed(tmp_path: pathlib.Path) -> None:
    names = {"code-25", "hardnet"}
    found = run(names, tmp_path)
    claims = [claim for claim in STUDY.claims if claim.measure.partition(".")[0] in names]
    assert len(claims) == 8
    for claim in claims:
        value = figure(found, claim.measure)
        assert value is not None, claim.measure
        assert 0.0 <= value <= 50.0
