"""Studies as people use them: run, interrupt, kill, go on, report."""

from __future__ import annotations

import os
import pathlib
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable

import pytest

from quintet.studies import load
from quintet.studies.results import Results
from quintet.studies.study import Scale
from tests.journeys.test_cli import QUINTET, TIMEOUT, output, run, terminal
from tests.unit import small_study

TEXT = f"{small_study.__file__}:STUDY"
RUN = ["study", "run", TEXT, "--scale", "smoke"]


@pytest.fixture(autouse=True)
def desk(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    folder = tmp_path / "desk"
    folder.mkdir()
    monkeypatch.setenv("SMALL_STUDY", str(folder))
    monkeypatch.setenv("QUINTET_STUDIES", str(tmp_path / "studies"))
    return folder


def diary(desk: pathlib.Path) -> Counter[str]:
    return Counter((desk / "diary.txt").read_text().splitlines())


def wait_until(is_so: Callable[[], bool]) -> None:
    begun = time.monotonic()
    while not is_so():
        assert time.monotonic() - begun < TIMEOUT
        time.sleep(0.02)


def test_run_and_report(tmp_path: pathlib.Path) -> None:
    shown = output(*RUN)
    assert "small, smoke, 2 seeds: 10 parts to run, 0 kept" in shown
    assert "10/10 " in shown
    assert "9.15 (8.51 to 9.79)" in shown
    assert "3 claims: 1 reproduced, 1 not reached, 1 not run; 1 goal: 1 reached." in shown
    assert "0 parts to run, 10 kept" in output(*RUN)
    folder = tmp_path / "studies" / "small" / "smoke"
    shown = output("study", "report", TEXT, "--scale", "smoke")
    assert shown == f"written: {folder}/report.html\nwritten: {folder}/report.md\n"
    assert (folder / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert (folder / "report" / "a-curve-of-5-more.svg").exists()
    file = str(tmp_path / "own.md")
    shown = output("study", "report", TEXT, "--scale", "smoke", "--markdown", file)
    assert shown == f"written: {file}\n"
    assert f"--markdown {file}" in pathlib.Path(file).read_text()


def test_a_bar_is_shown_on_a_terminal() -> None:
    shown = terminal("", *RUN, "--only", "square")
    assert "━" in shown
    assert "square, seed 1" in shown
    assert "2 parts to run" in shown


def test_a_failure_is_told_and_counts_as_one(desk: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (desk / "crash-2").touch()
    done = run(*RUN, "--folder", str(tmp_path / "own"))
    assert done.returncode == 1
    assert "failed: fragile, seed 2: RuntimeError: it <broke>\n" in done.stdout
    assert "left out: after, seed 2, as something that it needs has failed\n" in done.stdout
    assert "8/10 " in done.stdout
    assert f"What they printed is in {tmp_path}/own/small/smoke/log.txt." in done.stdout
    assert done.stderr == ""


def slow_count(tmp_path: pathlib.Path, seed: int) -> int:
    results = Results(load(TEXT), Scale.SMOKE, tmp_path / "studies")
    file = results.work("slow", seed) / "count"
    return file.stat().st_size if file.exists() else 0


def began(tmp_path: pathlib.Path) -> subprocess.Popen[str]:
    """A run that is in the middle of its slow part, with others finished."""
    process = subprocess.Popen(
        [*QUINTET, *RUN, "--seeds", "1", "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    finished = tmp_path / "studies" / "small" / "smoke" / "results"
    wait_until(lambda: slow_count(tmp_path, 1) > 5 and len([*finished.glob("*.json")]) == 4)
    return process


def test_ctrl_c_stops_and_the_same_command_goes_on(
    desk: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    (desk / "slow").touch()
    with began(tmp_path) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130
    assert err == ""
    assert "Stopped after 4 of 5 parts; the same command goes on." in out
    assert "area of a square" in out
    assert_goes_on(desk, tmp_path)


def test_a_killed_run_leaves_nobody_and_goes_on(desk: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (desk / "slow").touch()
    with began(tmp_path) as process:
        pid = process.pid
        workers = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        assert len(workers) == 2
        process.kill()
        process.communicate(timeout=TIMEOUT)
    assert process.returncode == -signal.SIGKILL
    wait_until(lambda: not any(is_alive(int(worker)) for worker in workers))
    assert_goes_on(desk, tmp_path)


def is_alive(pid: int) -> bool:
    """Is a process at work?  One that nobody has asked after yet, a zombie, is not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def assert_goes_on(desk: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The rest is done, nothing twice, and the slow part goes on where it was."""
    done = slow_count(tmp_path, 1)
    assert 5 < done < small_study.SLOW_STEPS
    (desk / "slow").unlink()
    shown = output(*RUN, "--seeds", "1")
    assert "1 parts to run, 4 kept" in shown
    assert "1/1 slow, seed 1" in shown
    assert slow_count(tmp_path, 1) == small_study.SLOW_STEPS
    # the experiments "square" and "after" are the same function
    assert diary(desk) == {"square 1": 2, "doubled 1": 1, "fragile 1": 1, "slow 1": 2}


def test_a_measure_that_no_experiment_gave_is_told(desk: pathlib.Path) -> None:
    text = pathlib.Path(small_study.__file__).read_text()
    file = desk / "mistaken.py"
    file.write_text(text.replace('"square.area", 9.15', '"square.aera", 9.15'))
    shown = output("study", "run", f"{file}:STUDY", "--scale", "smoke", "--only", "square")
    assert "The study speaks of square.aera, which its experiment did not give." in shown


def test_a_study_of_ones_own_is_found_from_where_one_is(
    desk: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk / "mine.py").write_text(pathlib.Path(small_study.__file__).read_text())
    monkeypatch.chdir(desk)
    monkeypatch.delenv("QUINTET_STUDIES")
    words = ["./mine.py:STUDY", "--scale", "smoke"]
    output("study", "run", *words, "--only", "square", "--seeds", "1")
    assert (desk / "studies" / "small" / "smoke" / "results" / "square-1.json").exists()
    output("study", "report", *words)
    assert os.path.exists("studies/small/smoke/report.html")


def test_studies_are_listed() -> None:
    output("study", "list")
    assert "run" in output("study", "--help")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("study run nothing-like-it", "no study 'nothing-like-it'"),
        ("study run ./nothing.py:STUDY", "no file './nothing.py'; expected a Python file"),
        (f"study run {TEXT} --only sqare", "no experiment of small 'sqare'; did you mean 'square'"),
        (f"study run {TEXT} --folder /dev/null", "'/dev/null/small/quick' cannot be written"),
        (f"study report {TEXT}", f"study {TEXT!r} has no results in"),
    ],
)
def test_a_mistake_is_told_in_one_line(words: str, told: str) -> None:
    done = run(*words.split())
    assert done.returncode == 2
    assert done.stderr.startswith(f"quintet: {told}")
    assert done.stderr.count("\n") == 1


def test_a_report_that_cannot_be_written_is_told() -> None:
    output(*RUN, "--only", "square", "--seeds", "1")
    done = run("study", "report", TEXT, "--scale", "smoke", "--html", "/no/report.html")
    assert done.returncode == 2
    assert (
        done.stderr == "quintet: '/no/report.html' cannot be written: No such file or directory\n"
    )


def test_the_study_of_the_guide_runs(desk: pathlib.Path) -> None:
    guide = pathlib.Path(__file__).parents[2] / "docs" / "guide" / "studies.md"
    (code,) = re.findall(r"```python\n(.*?)```", guide.read_text(), re.S)
    (desk / "my_study.py").write_text(code)
    shown = output("study", "run", f"{desk}/my_study.py:STUDY", "--scale", "smoke")
    assert "1 claim: 1 reproduced; 1 goal: 1 reached." in shown
