"""Runs: what they are made of, and what they refuse."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

from quintet import games
from quintet.arena.records import Reader
from quintet.errors import UserError
from quintet.learn import LEARNERS, make_learner
from quintet.players import make_player
from quintet.runs import run as run_module
from quintet.runs.files import read_arrays, write_arrays
from quintet.runs.run import Run
from quintet.runs.settings import Settings, read_settings_file
from quintet.search.evaluation import Lead
from tests.unit.toy_learner import TOY

GAME = "tic-tac-toe"


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setitem(LEARNERS, "toy", TOY)
    monkeypatch.setenv("QUINTET_RUNS", str(tmp_path))


def new_run(folder: pathlib.Path, name: str = "toy", **settings: Any) -> Run:
    game = games.make(GAME)
    pairs = [(key, str(value)) for key, value in settings.items()]
    return Run.create(folder / name, Settings(make_learner("toy", game, pairs), game, 7))


def lasting(run: Run) -> dict[str, bytes]:
    """All files of a run that must not depend on when it was stopped."""
    files = [file for file in run.folder.rglob("*") if file.is_file()]
    kept = [file for file in files if file.name not in {".lock", "sessions.jsonl"}]
    return {str(file.relative_to(run.folder)): file.read_bytes() for file in kept}


def test_stopped_after_every_step_it_ends_the_same(tmp_path: pathlib.Path) -> None:
    straight, halting = new_run(tmp_path, "straight"), new_run(tmp_path, "halting")
    assert straight.train()
    for number in range(straight.steps):
        seen: list[int] = []
        done = Run(halting.folder).train(
            lambda seen=seen: bool(seen), lambda step, _, seen=seen: seen.append(step)
        )
        assert seen == [number + 1]
        assert done == (number + 1 == straight.steps)
    assert lasting(straight) == lasting(halting)
    assert len(halting.sessions()) == straight.steps


def test_work_after_the_last_checkpoint_is_done_again(tmp_path: pathlib.Path) -> None:
    straight, broken = new_run(tmp_path, "straight"), new_run(tmp_path, "broken")
    straight.train()

    def fail(step: int, _: Any) -> None:
        if step == 13:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken.train(on_step=fail)
    assert broken.step() == 12  # kept every second step
    with open(broken.folder / "metrics.jsonl", "ab") as metrics:
        metrics.write(b'{"step": 14, "lev')  # cut off
    (broken.folder / "checkpoints" / "step-14.safetensors.unfinished").write_bytes(b"x")
    assert broken.train()
    assert lasting(straight) == lasting(broken)


def test_checkpoints_for_safety_do_not_stay(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = new_run(tmp_path, "usual", steps=60)
    usual.train()
    monkeypatch.setattr(run_module, "SECONDS_BETWEEN", 0.0)
    careful = new_run(tmp_path, "careful", steps=60)
    careful.train()
    assert lasting(usual) == lasting(careful)
    assert [checkpoint.step for checkpoint in careful.checkpoints()] == list(range(0, 61, 3))


def test_figures_and_games_are_kept(tmp_path: pathlib.Path) -> None:
    run = new_run(tmp_path)
    run.train()
    metrics = run.metrics()
    assert [line["step"] for line in metrics] == list(range(1, 41))
    assert metrics[-1]["level"] == pytest.approx(1 - 0.9**40)
    records = list(Reader(str(run.folder / "games.jsonl")))
    assert [record.number for record in records] == list(range(5, 41, 5))


def test_settings_can_be_read_back(tmp_path: pathlib.Path) -> None:
    run = new_run(tmp_path, rate=0.1234567890123, foe="uct(sims=20,c=0.3)")
    settings, versions = read_settings_file(run.folder / "run.toml")
    assert settings == run.settings
    assert settings.learner.rate == 0.1234567890123
    assert "numpy" in versions


def test_only_one_process_trains_a_run(tmp_path: pathlib.Path) -> None:
    run = new_run(tmp_path)
    with run._locked():
        assert run.is_training()
        with pytest.raises(UserError, match="another process"):
            Run(run.folder).train()
    assert not run.is_training()


def test_trained_players_by_text(tmp_path: pathlib.Path) -> None:
    run = new_run(tmp_path)
    run.train()
    game = games.make(GAME)
    assert type(make_player("run:toy", game)).__name__ == "Greedy"
    assert type(make_player("run:toy@2", game)).__name__ == "RandomPlayer"
    file = run.checkpoints()[-1].path
    assert type(make_player(f"model:{file}", game)).__name__ == "Greedy"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("run:toy@3", "no checkpoint 3; there are 0, 2"),
        ("run:toy@x", "'x' is no step"),
        ("run:nobody", "no run in 'nobody'"),
        ("model:nowhere.safetensors", "no file 'nowhere.safetensors'"),
    ],
)
def test_what_is_not_there(tmp_path: pathlib.Path, text: str, told: str) -> None:
    new_run(tmp_path).train()
    with pytest.raises(UserError, match=told):
        make_player(text, games.make(GAME))


def test_what_was_learnt_values_positions(tmp_path: pathlib.Path) -> None:
    new_run(tmp_path).train()
    game = games.make(GAME)
    assert make_player("alphabeta:depth=1,eval=run(toy@40)", game).eval == Lead(0.01)
    file = tmp_path / "toy" / "checkpoints" / "step-40.safetensors"
    assert make_player(f"uct:sims=10,eval=model({file})", game).eval == Lead(0.01)


def test_a_player_plays_what_it_has_learnt(tmp_path: pathlib.Path) -> None:
    new_run(tmp_path).train()
    with pytest.raises(UserError, match="has learnt tic-tac-toe, not othello"):
        make_player("run:toy", games.make("othello"))


def test_models_that_are_none(tmp_path: pathlib.Path) -> None:
    game = games.make(GAME)
    file = tmp_path / "model.safetensors"
    file.write_bytes(b"\x10\0\0\0\0\0\0\0 no json at all!")
    with pytest.raises(UserError, match="no safetensors file, or is damaged"):
        make_player(f"model:{file}", game)
    write_arrays(file, {"level": np.zeros(1)}, {"game": GAME})
    with pytest.raises(UserError, match="does not tell its learner"):
        make_player(f"model:{file}", game)
    write_arrays(file, {"levels": np.zeros(1)}, {"game": GAME, "learner": "toy"})
    with pytest.raises(UserError, match="does not hold what its learner needs: 'level'"):
        make_player(f"model:{file}", game)


@pytest.mark.parametrize("name", ["game", "learner"])
def test_a_model_runs_no_code(tmp_path: pathlib.Path, name: str) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    described = {"game": GAME, "learner": "toy", name: f"{trap}:Trap"}
    write_arrays(tmp_path / "model.safetensors", {"level": np.zeros(1)}, described)
    with pytest.raises(UserError, match="names the Python file"):
        make_player(f"model:{tmp_path / 'model.safetensors'}", games.make(GAME))
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("learner = 'toy'", "expected game = a text"),
        ("lerner = 'toy'\ngame = 'othello'", "no setting 'lerner'; did you mean 'learner'?"),
        ("learner = 'toy'\ngame = 'othello'\n[settings]\nrat = 1", "did you mean 'rate'?"),
        ("learner = 'toy'\ngame = 'othello'\n[settings]\nrate = 2", "rate=2 is not possible"),
        ("learner = 'toy'\ngame = 'tic-tac-mo'", "it needs two players"),
        ("learner = 'toy'\ngame = 'othello'\npreset = 'slow'", "there are hasty"),
        ("learner = 'toy'\ngame = 'othello'\nseed = -1", "expected a whole number from 0"),
        ("learner = 'toy'\ngame = 'othello'\nseed = true", "expected a whole number from 0"),
        ("learner = toy", "is no TOML file"),
    ],
)
def test_files_with_mistakes(tmp_path: pathlib.Path, content: str, told: str) -> None:
    file = tmp_path / "run.toml"
    file.write_text(content)
    with pytest.raises(UserError, match=told.replace("?", r"\?")):
        read_settings_file(file)


def test_arrays_are_the_same_bytes(tmp_path: pathlib.Path) -> None:
    one, two = np.arange(3), np.ones((2, 2), np.float32)
    write_arrays(tmp_path / "a", {"one": one, "two": two}, {"x": "1", "y": "2"})
    write_arrays(tmp_path / "b", {"two": two, "one": one}, {"y": "2", "x": "1"})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    arrays, described = read_arrays(tmp_path / "a")
    assert arrays["two"].dtype == np.float32
    assert described == {"x": "1", "y": "2"}


def test_arrays_come_back_as_they_were_however_they_lie_in_memory(tmp_path: pathlib.Path) -> None:
    whole = np.arange(24.0).reshape(2, 3, 4)
    given = {
        "turned": whole.T,
        "picked": whole[:, :, np.array([3, 0])],
        "skipped": whole[:, ::2],
        "empty": whole[:0].T,
        "single": np.array(5.0),
    }
    write_arrays(tmp_path / "a", given, {})
    arrays, _ = read_arrays(tmp_path / "a")
    assert arrays.keys() == given.keys()
    for name, array in given.items():
        assert arrays[name].shape == array.shape
        assert (arrays[name] == array).all(), name
