"""The study of Pente works at its smallest scale, and measures all that it claims."""

from __future__ import annotations

import pathlib

import pytest

from quintet import games, studies
from quintet.learn import make_learner
from quintet.learn.population import groups
from quintet.registry import Entry
from quintet.studies.pente import (
    PAIRS,
    READINGS,
    STUDY,
    THREE,
    TWO,
    early_rise,
    progress,
    thinned,
    word,
)
from quintet.studies.pente_beyond import WAYS
from quintet.studies.study import Figures, Scale, Task, figure


class Told:
    """A run that tells these metrics."""

    def __init__(self, won: list[float]) -> None:
        self.won = won

    def metrics(self) -> list[dict[str, float]]:
        return [
            {"step": i + 1, "fitness": 10.0 * i, "won": share, "won_1": share, "won_2": 0.5}
            for i, share in enumerate(self.won)
        ]


def test_progress_tells_when_an_opponent_was_first_beaten() -> None:
    figures = progress(Told([0.2, 0.95, 0.3, 1.0, 0.9]), ["better", "simple+better"])  # type: ignore[arg-type]
    assert figures["beaten_better"] == 2
    assert figures["beaten_simple_better"] == 5  # never: all generations
    assert (figures["shown"], figures["most_shown"]) == (0.9, 1.0)
    assert figures["wins_better"] == [0.2, 0.95, 0.3, 1.0, 0.9]
    assert figures["generation"] == [1, 2, 3, 4, 5]


def test_a_curve_is_thinned_by_means() -> None:
    assert thinned([1.0, 2.0]) == [1.0, 2.0]
    long = thinned(list(range(1000)))
    assert len(long) == 200
    assert long[0] == 2.0
    assert long[-1] == 997.0


def test_an_early_rise_and_a_late_one() -> None:
    early = [0.0] + [90.0] * 50 + [100.0] * 49
    late = [0.0] * 90 + [100.0] * 10
    assert early_rise(early) == pytest.approx(0.9)
    assert early_rise(late) == 0.0


def test_the_experiments_are_the_papers() -> None:
    two = make_learner("esp", games.make(TWO), preset="two-players")
    assert [len(group) for group in groups(two.tests)] == [1] * 5
    assert (two.generations, two.members * two.trials, two.matches) == (2000, 200, 10)
    three = make_learner("esp", games.make(THREE), preset="three-players")
    assert three.generations == 900
    assert three.tests.split("/") == PAIRS
    assert len({word(pair) for pair in PAIRS}) == 10
    attentive = make_learner("esp", games.make(THREE), preset="attentive")
    assert attentive.tests == "better+better"
    for changed in READINGS.values():
        pairs = [(key, str(value)) for key, value in changed.items()]
        make_learner("esp", games.make(TWO), pairs, preset="two-players")
    full = {each.name: each.sizes[Scale.FULL] for each in STUDY.experiments}
    assert full["two_players"]["fresh"] * 2 >= 1000
    assert full["three_players"]["fresh"] * 3 >= 1000
    assert studies._problem(STUDY) is None
    assert isinstance(Entry(studies.STUDIES["pente"], {}, "").load(), type(STUDY))


def test_every_way_beyond_is_one_that_a_learner_takes() -> None:
    for learner, text, tests, settings in WAYS.values():
        given = [("tests", tests), *((key, str(value)) for key, value in settings.items())]
        assert make_learner(learner, games.make(text), given).tests == tests
    seat = make_learner("esp", games.make(THREE), [("seat", "3")], "three-players")
    assert (seat.seat, seat.tests.split("/")) == (3, PAIRS)


@pytest.mark.slow
def test_every_claim_and_curve_is_measured(tmp_path: pathlib.Path) -> None:
    found: dict[str, Figures] = {}
    for experiment in STUDY.experiments:
        folder = tmp_path / experiment.name
        folder.mkdir()
        folders = {needed: tmp_path / needed for needed in experiment.needs}
        sizes = experiment.sizes[Scale.SMOKE]
        task = Task(1, Scale.SMOKE, sizes, folder, found, lambda: False, folders)
        found[experiment.name] = experiment.run(task)
    for claim in STUDY.claims:
        assert isinstance(figure(found, claim.measure), float), claim.measure
    for plot in STUDY.plots:
        across = figure(found, plot.x or "")
        for curve in plot.curves:
            assert len(figure(found, curve.measure)) == len(across), curve.measure
