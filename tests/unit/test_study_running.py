"""Studies are carried out once, whatever stops them."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import time
from collections import Counter

import pytest

from quintet.errors import UserError
from quintet.studies import load, running
from quintet.studies.results import Results
from quintet.studies.running import News, Part, State, carried_out, chosen, unfinished
from quintet.studies.study import Scale
from tests.unit import small_study

TEXT = f"{small_study.__file__}:STUDY"
PARTS = len(small_study.STUDY.experiments)


@pytest.fixture
def desk(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    folder = tmp_path / "desk"
    folder.mkdir()
    monkeypatch.setenv("SMALL_STUDY", str(folder))
    return folder


def diary(desk: pathlib.Path) -> Counter[str]:
    file = desk / "diary.txt"
    return Counter(file.read_text().splitlines() if file.exists() else [])


class Work:
    """A study in a folder."""

    def __init__(self, desk: pathlib.Path, text: str = TEXT) -> None:
        self.text = text
        self.results = Results(load(text), Scale.SMOKE, desk.parent / "studies")

    def parts(self, seeds: int = 1, *only: str) -> list[Part]:
        return unfinished(self.results, chosen(self.results.study, only), seeds)

    def done(self, seeds: int = 1, *only: str, workers: int = 2) -> list[News]:
        """What happens when all is done that is not finished."""
        parts = self.parts(seeds, *only)
        news = list(carried_out(self.text, self.results, parts, workers))
        assert Counter(each.part for each in news if each.state is State.BEGUN) == Counter(
            each.part for each in news if each.state not in (State.BEGUN, State.LEFT_OUT)
        )
        return news

    def figures(self, name: str, seed: int) -> dict[str, object]:
        return dict(self.results.figures(name, seed))


def edited(desk: pathlib.Path, before: str, after: str) -> str:
    """The study after a change of its file."""
    text = pathlib.Path(small_study.__file__).read_text()
    assert text.count(before) == 1
    file = desk / f"edited-{len(list(desk.iterdir()))}.py"
    file.write_text(text.replace(before, after))
    return f"{file}:STUDY"


def states(news: list[News]) -> dict[Part, State]:
    return {each.part: each.state for each in news}


def test_all_experiments_with_all_seeds(desk: pathlib.Path) -> None:
    work = Work(desk)
    news = work.done(2)
    assert Counter(states(news).values()) == {State.FINISHED: 2 * PARTS}
    assert work.figures("square", 2) == {"area": 9.2, "curve": [0, 2, 4, 6, 8]}
    doubled = work.figures("doubled", 2)
    assert doubled["area"] == 18.4
    assert doubled["cores"] == 1
    assert doubled["nothing"] != doubled["nothing"]
    result = work.results.read("slow", 1)
    assert result is not None
    assert 0 <= result.processor <= result.seconds + 0.1 < 60
    assert 10 < result.megabytes < 4000
    assert set(result.versions) == {"quintet", "python", "numpy", "numba", "platform"}
    assert result.sizes == {"steps": small_study.SLOW_STEPS}


def test_what_is_finished_is_not_run_again(desk: pathlib.Path) -> None:
    work = Work(desk)
    work.done(1)
    before = diary(desk)
    assert work.done(1) == []
    assert diary(desk) == before
    assert len(states(work.done(2))) == PARTS
    assert all(count == 1 for line, count in diary(desk).items() if "square" not in line)


@pytest.mark.parametrize(
    ("before", "after"),
    [("_sizes(side=3)", "_sizes(side=4)"), ("_sizes(side=3)", "_sizes(side=3), version=2")],
)
def test_a_change_is_run_anew_with_all_that_needs_it(
    desk: pathlib.Path, before: str, after: str
) -> None:
    Work(desk).done(1)
    changed = Work(desk, edited(desk, before, after))
    assert set(states(changed.done(1))) == {Part("square", 1), Part("doubled", 1)}
    side = 4 if "4" in after else 3
    assert changed.figures("doubled", 1)["area"] == pytest.approx(2 * (side**2 + 0.1))
    assert changed.done(1) == []


def test_a_damaged_result_counts_as_none(desk: pathlib.Path) -> None:
    work = Work(desk)
    work.done(1, "square", "fragile")
    folder = work.results.folder / "results"
    (folder / "square-1.json").write_text('{"digest": ')
    content = json.loads((folder / "fragile-1.json").read_text())
    del content["figures"]
    (folder / "fragile-1.json").write_text(json.dumps(content))
    (folder / "stranger-1.json").write_text("{}")
    assert set(work.results.all()["square"]) == set()
    assert set(states(work.done(1, "square", "fragile"))) == {Part("square", 1), Part("fragile", 1)}


def test_only_some_with_what_they_need(desk: pathlib.Path) -> None:
    assert set(states(Work(desk).done(1, "doubled"))) == {Part("square", 1), Part("doubled", 1)}
    with pytest.raises(UserError, match="no experiment of small 'sqare'; did you mean 'square'"):
        chosen(small_study.STUDY, ["sqare"])


def test_workers_change_no_result(desk: pathlib.Path) -> None:
    found = []
    for workers in (1, 3):
        work = Work(desk)
        work.results.folder = desk / str(workers) / "small" / "smoke"
        work.done(2, "doubled", "fragile", workers=workers)
        results = work.results.all()
        found.append(
            {(name, seed): repr(r.figures) for name in results for seed, r in results[name].items()}
        )
    assert found[0] == found[1]
    assert len(found[0]) == 6


# --- what goes wrong ----------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ("crash", "RuntimeError: it <broke>"),
        ("die", "its process was ended by SIGKILL"),
        ("odd", "TypeError: fragile.ok is 'yes'; expected a number, or a list of numbers"),
    ],
)
def test_a_failure_is_told_and_others_go_on(desk: pathlib.Path, how: str, error: str) -> None:
    (desk / f"{how}-2").touch()
    work = Work(desk)
    news = work.done(3)
    failed = [each for each in news if each.state is State.FAILED]
    assert failed == [News(Part("fragile", 2), State.FAILED, error=error)]
    assert states(news)[Part("after", 2)] is State.LEFT_OUT
    assert list(states(news).values()).count(State.FINISHED) == 3 * PARTS - 2
    if how != "die":
        assert error in (work.results.folder / "log.txt").read_text()
    (desk / f"{how}-2").unlink()
    assert set(states(work.done(3))) == {Part("fragile", 2), Part("after", 2)}
    assert work.parts(3) == []


def steps_so_far(work: Work, seed: int = 1) -> int:
    file = work.results.work("slow", seed) / "count"
    return file.stat().st_size if file.exists() else 0


def test_a_stop_breaks_off_and_the_next_run_goes_on(desk: pathlib.Path) -> None:
    (desk / "slow").touch()
    work = Work(desk)
    begun = time.monotonic()

    def stop() -> bool:
        return steps_so_far(work) >= 10 or time.monotonic() - begun > 60

    news = list(carried_out(TEXT, work.results, work.parts(1, "slow"), stop=stop))
    assert [each.state for each in news] == [State.BEGUN, State.STOPPED]
    done = steps_so_far(work)
    assert 10 <= done < small_study.SLOW_STEPS
    (desk / "slow").unlink()
    assert states(work.done(1, "slow")) == {Part("slow", 1): State.FINISHED}
    assert work.figures("slow", 1) == {"count": small_study.SLOW_STEPS}
    result = work.results.read("slow", 1)
    assert result is not None
    assert result.seconds > 10 * 0.05  # the first session counts
    assert steps_so_far(work) == small_study.SLOW_STEPS


def test_an_experiment_that_does_not_listen_is_killed(
    desk: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_GRACE", 0.3)
    for name in ("slow", "deaf"):
        (desk / name).touch()
    work = Work(desk)
    stop = lambda: steps_so_far(work) >= 2  # noqa: E731
    news = list(carried_out(TEXT, work.results, work.parts(1, "slow"), stop=stop))
    assert [each.state for each in news] == [State.BEGUN]
    done = steps_so_far(work)
    time.sleep(0.2)
    assert steps_so_far(work) == done < small_study.SLOW_STEPS  # nobody is at work any more


def test_nobody_is_left_when_the_iterator_is_closed(desk: pathlib.Path) -> None:
    (desk / "slow").touch()
    work = Work(desk)
    events = carried_out(TEXT, work.results, work.parts(1, "slow"))
    assert next(events).state is State.BEGUN
    other = Work(desk)
    with pytest.raises(UserError, match="'small' at scale smoke is being run by another process"):
        next(carried_out(TEXT, other.results, other.parts(1, "slow")))
    events.close()
    done = steps_so_far(work)
    time.sleep(0.2)
    assert steps_so_far(work) == done


def test_a_killed_worker_is_replaced(desk: pathlib.Path) -> None:
    (desk / "slow").touch()
    work = Work(desk)
    events = carried_out(TEXT, work.results, work.parts(1, "slow", "square"), workers=1)
    news = [next(events)]
    while news[-1].part.experiment != "slow":
        news.append(next(events))
    while not steps_so_far(work):
        time.sleep(0.01)
    (worker,) = children(os.getpid())
    os.kill(worker, signal.SIGKILL)
    news += events
    assert news[-1] == News(Part("slow", 1), State.FAILED, error="its process was ended by SIGKILL")
    (desk / "slow").unlink()
    assert states(work.done(1, "slow", "square")) == {Part("slow", 1): State.FINISHED}
    assert diary(desk) == {"square 1": 1, "slow 1": 2}


def children(pid: int) -> list[int]:
    """The processes that one has started."""
    text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


# --- mistakes in a study ------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('needs=["square"]', 'needs=["sqare"]', "'doubled' needs 'sqare', which there is not"),
        ('needs=["fragile"]', 'needs=["after"]', "experiments need each other: after, after"),
        ('Experiment("slow"', 'Experiment("square"', "there are two experiments 'square'"),
        ('Experiment("slow"', 'Experiment("a.b"', "'a.b' is no name; expected small letters"),
        ('"square.area", 9.15', '"area", 9.15', "'area' is no measure; expected 'experiment"),
        ('Curve("after.curve"', 'Curve("later.curve"', "'later.curve' is no measure"),
        ("_slow, _sizes(steps=SLOW_STEPS)", "_slow, {}", "'slow' has no sizes for the scale smoke"),
        ('name="small"', 'name="../small"', "'../small' is no name"),
    ],
)
def test_mistakes_in_a_study_are_told(
    desk: pathlib.Path, before: str, after: str, told: str
) -> None:
    with pytest.raises(UserError, match=told.replace(".", r"\.")):
        load(edited(desk, before, after))


def test_wrong_names_are_told(desk: pathlib.Path) -> None:
    with pytest.raises(UserError, match="no study 'smal'"):
        load("smal")
    with pytest.raises(UserError, match=r"no file '\./nothing\.py'; expected a Python file"):
        load("./nothing.py:STUDY")
    with pytest.raises(UserError, match="has no study 'STUDIES'; it has STUDY"):
        load(f"{small_study.__file__}:STUDIES")
    (desk / "broken.py").write_text("1 / 0")
    with pytest.raises(UserError, match="could not be loaded: ZeroDivisionError"):
        load(f"{desk}/broken.py:STUDY")
