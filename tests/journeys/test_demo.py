"""The first minute with Quintet: a player learns before one's eyes."""

from __future__ import annotations

import os
import pathlib
import re
import signal
import subprocess
import sys


def demo(folder: pathlib.Path, *words: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "quintet", "demo", *words],
        env={**os.environ, "QUINTET_RUNS": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_it_learns_and_ends_without_a_terminal(tmp_path: pathlib.Path) -> None:
    told = demo(tmp_path, "--games", "2000")
    wins = [float(found[1]) for line in told if (found := re.search(r": +([\d.]+)% \(", line))]
    assert wins[0] < 20
    assert wins[-1] > 50
    assert "quintet serve" in told[-1]
    begun = (tmp_path / "demo" / "run.toml").stat().st_mtime_ns
    assert demo(tmp_path, "--no-serve") == told  # nothing is trained, or lost, by another call
    assert (tmp_path / "demo" / "run.toml").stat().st_mtime_ns == begun


def test_ctrl_c_while_it_is_judged_is_kind(tmp_path: pathlib.Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-u", "-m", "quintet", "demo", "--no-serve"],
        env={**os.environ, "QUINTET_RUNS": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert any("Its wins in" in line for line in child.stdout)
    child.send_signal(signal.SIGINT)
    told, complaints = child.communicate(timeout=120)
    assert "`quintet demo` goes on" in told
    assert (child.returncode, complaints) == (130, "")
