"""Training as a user does it: stopped, killed, out of room, resumed."""

from __future__ import annotations

import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).parents[2]
LONG = ["--set", "steps=120", "--set", "pause=0.01"]


def quintet(
    folder: pathlib.Path, *words: str, before: Callable[[], Any] | None = None
) -> subprocess.Popen[str]:
    """The command, with the toy learner of the tests."""
    environment = {**os.environ, "QUINTET_RUNS": str(folder), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.unit.toy_learner", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before,  # noqa: PLW1509 - nothing here has threads
    )


def said(process: subprocess.Popen[str], code: int = 0) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == code, out + err
    assert "Traceback" not in err
    return out + err


def train(folder: pathlib.Path, name: str, *words: str, **options: Any) -> subprocess.Popen[str]:
    given = ["--game", "tic-tac-toe", "--seed", "3", "--name", name]
    return quintet(folder, "train", "toy", *given, *words, **options)


def lasting(run: pathlib.Path) -> dict[str, bytes]:
    """All that must not depend on when a run was stopped."""
    files = [file for file in run.rglob("*") if file.is_file()]
    kept = [file for file in files if file.name not in {".lock", "sessions.jsonl"}]
    return {str(file.relative_to(run)): file.read_bytes() for file in kept}


def wait_until(is_so: Callable[[], bool]) -> None:
    for _ in range(6000):
        if is_so():
            return
        time.sleep(0.01)
    raise TimeoutError


def steps_done(run: pathlib.Path) -> int:
    return len(list(run.glob("checkpoints/*.safetensors")))


def test_killed_many_times_it_ends_the_same(tmp_path: pathlib.Path) -> None:
    straight = train(tmp_path, "straight", *LONG)
    chance = random.Random(5)
    killed = train(tmp_path, "killed", *LONG)
    run = tmp_path / "killed"
    for _ in range(5):
        known = steps_done(run)
        wait_until(lambda known=known: steps_done(run) > known)
        time.sleep(chance.uniform(0.0, 0.15))
        killed.kill()
        killed.communicate()
        if steps_done(run) < 21:
            assert killed.returncode == -signal.SIGKILL
        killed = quintet(tmp_path, "resume", "killed")
    said(straight)
    said(killed)
    assert lasting(tmp_path / "straight") == lasting(run)


def test_ctrl_c_loses_nothing(tmp_path: pathlib.Path) -> None:
    process = train(tmp_path, "toy", *LONG)
    wait_until(lambda: steps_done(tmp_path / "toy") > 2)
    process.send_signal(signal.SIGINT)
    told = said(process, 130)
    assert "Stopped after step" in told
    assert "quintet resume toy" in told
    metrics = (tmp_path / "toy" / "metrics.jsonl").read_text().splitlines()
    assert f"Stopped after step {len(metrics)} of 120" in told
    assert "run:toy   is the player" in said(quintet(tmp_path, "resume", "toy"))
    assert "is finished" in said(quintet(tmp_path, "resume", "toy"))


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: pathlib.Path) -> None:
    settings = ["--set", "room=2000"]  # a checkpoint has 16 kilobytes
    said(train(tmp_path, "straight", *settings))

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    told = said(train(tmp_path, "full", *settings, before=little_room), 2)
    assert "could not be written: File too large" in told
    assert "`quintet resume` goes on" in told
    said(quintet(tmp_path, "resume", "full"))
    assert lasting(tmp_path / "straight") == lasting(tmp_path / "full")


def test_runs_are_listed_and_play(tmp_path: pathlib.Path) -> None:
    said(train(tmp_path, "one", "--preset", "hasty"))
    listed = said(quintet(tmp_path, "runs"))
    assert "one" in listed
    assert "12/12" in listed
    assert "finished" in listed
    words = ["tic-tac-toe", "--players", "run:one", "run:one@0", "--games", "200", "--seed", "1"]
    assert "run:one@0" in said(quintet(tmp_path, "match", *words))
    replayed = said(quintet(tmp_path, "replay", str(tmp_path / "one" / "games.jsonl")))
    assert "2 games" in replayed


def test_figures_for_tensorboard(tmp_path: pathlib.Path) -> None:
    said(train(tmp_path, "toy", "--tensorboard"))
    assert list((tmp_path / "toy" / "tensorboard").glob("events*"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["train", "tou", "--game", "othello"], "did you mean 'toy'?"),
        (["train", "toy"], "expected --game GAME"),
        (["train", "toy", "--game", "tic-tac-mo"], "it needs two players"),
        (["train", "toy", "--game", "othello", "--set", "rats=1"], "did you mean 'rate'?"),
        (["train", "toy", "--game", "othello", "--set", "rate"], "expected KEY=VALUE"),
        (["train", "toy", "--game", "othello", "--preset", "no"], "there are hasty"),
        (["train", "toy", "--game", "othello", "--name", "../x"], "expected a name without /"),
        (["train", "none.toml"], "cannot be read"),
        (["train", "none.toml", "--set", "a=1"], "expected no --set"),
        (["resume", "nobody"], "no run in 'nobody'"),
    ],
)
def test_mistakes_are_told(tmp_path: pathlib.Path, words: list[str], told: str) -> None:
    assert told in said(quintet(tmp_path, *words), 2)
    assert not list(tmp_path.iterdir())


def test_a_settings_file_is_all_that_is_needed(tmp_path: pathlib.Path) -> None:
    said(train(tmp_path, "one", "--set", "rate=0.3"))
    again = quintet(tmp_path, "train", str(tmp_path / "one" / "run.toml"), "--name", "two")
    assert "seed 3" in said(again)
    assert lasting(tmp_path / "one") == lasting(tmp_path / "two")
