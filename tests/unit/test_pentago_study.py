"""The study of Pentago works at its smallest scale, and measures all that it claims."""

from __future__ import annotations

import pathlib

import pytest

from quintet import studies
from quintet.registry import Entry
from quintet.studies.pentago import BEST, SEARCHED, STUDY, search, share, some_positions
from quintet.studies.study import Figures, Interrupted, Scale, Task, figure

SMALL = {"games": 4, "training": 10, "most_training": 50}


def task(folder: pathlib.Path, found: dict[str, Figures], name: str, stop: bool = False) -> Task:
    experiment = next(it for it in STUDY.experiments if it.name == name)
    (folder / name).mkdir()
    sizes = experiment.sizes[Scale.SMOKE]
    folders = {needed: folder / needed for needed in experiment.needs}
    return Task(1, Scale.SMOKE, sizes, folder / name, found, lambda: stop, folders)


@pytest.mark.slow
def test_every_claim_and_curve_is_measured(tmp_path: pathlib.Path) -> None:
    found: dict[str, Figures] = {}
    for experiment in STUDY.experiments:
        assert set(experiment.needs) <= set(found)
        found[experiment.name] = experiment.run(task(tmp_path, found, experiment.name))
    for claim in STUDY.claims:
        assert isinstance(figure(found, claim.measure), float), claim.measure
    for plot in STUDY.plots:
        across = figure(found, plot.x or "")
        for curve in plot.curves:
            assert len(figure(found, curve.measure)) == len(across), curve.measure


def test_a_search_goes_on_where_it_was_stopped(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SEARCHED, "buckets", (100, 1500))
    given = Task(1, Scale.SMOKE, SMALL, tmp_path, {}, lambda: True)
    with pytest.raises(Interrupted):
        search("buckets")(given)
    figures = search("buckets")(given._replace(stop=lambda: False))
    assert figures["values"] == [100, 1500]
    again = search("buckets")(given._replace(stop=lambda: False))
    assert again == figures  # the runs were not done again: their seconds are the same


def test_a_share_counts_wins_or_half_of_draws(tmp_path: pathlib.Path) -> None:
    given = Task(1, Scale.SMOKE, SMALL, tmp_path, {}, lambda: False)
    both = share(given, "finisher", "random", 100, drawn=0.5)
    mirrored = share(given, "random", "finisher", 100, drawn=0.5)
    assert share(given, "finisher", "random", 100) <= both
    assert both > 0.8
    assert mirrored < 0.2


def test_the_study_is_known_and_its_positions_are_not_over() -> None:
    assert Entry(studies.STUDIES["pentago"], {}, "").load() is STUDY
    assert (some_positions(100, 1)["outcome"] == 0).all()
    assert all(BEST[name] in values for name, values in SEARCHED.items())
