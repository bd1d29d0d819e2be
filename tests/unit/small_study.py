"""A study of the tests' own: cheap, with an experiment that can be made to crash or to be slow.

Files in the folder that the environment names by SMALL_STUDY steer it, and what it does is
written down there, a line for each experiment that is begun or finished.
"""

from __future__ import annotations

import math
import os
import pathlib
import time

from quintet.studies.study import (
    Claim,
    Curve,
    Experiment,
    Figures,
    Interrupted,
    Plot,
    Scale,
    Sense,
    Study,
    Task,
)

SLOW_STEPS = 100


def _desk() -> pathlib.Path:
    return pathlib.Path(os.environ["SMALL_STUDY"])


def _note(line: str) -> None:
    with open(_desk() / "diary.txt", "a") as file:
        file.write(line + "\n")


def _square(task: Task) -> Figures:
    _note(f"square {task.seed}")
    print("a line that must not disturb")
    side = task.sizes["side"]
    return {"area": side * side + task.seed / 10, "curve": [task.seed * x for x in range(5)]}


def _doubled(task: Task) -> Figures:
    _note(f"doubled {task.seed}")
    area = task.found["square"]["area"]
    assert isinstance(area, float)
    return {"area": 2 * area, "cores": len(os.sched_getaffinity(0)), "nothing": math.nan}


def _fragile(task: Task) -> Figures:
    _note(f"fragile {task.seed}")
    if (_desk() / f"crash-{task.seed}").exists():
        raise RuntimeError("it <broke>")
    if (_desk() / f"die-{task.seed}").exists():
        os.kill(os.getpid(), 9)
    if (_desk() / f"odd-{task.seed}").exists():
        return {"ok": "yes"}  # type: ignore[dict-item]
    return {"ok": 1}


def _slow(task: Task) -> Figures:
    """Counts in a file of its own, from where it goes on; slow only if it is told so."""
    _note(f"slow {task.seed}")
    file = task.folder / "count"
    while (count := len(file.read_bytes()) if file.exists() else 0) < SLOW_STEPS:
        if task.stop() and not (_desk() / "deaf").exists():
            raise Interrupted
        with open(file, "ab") as stream:
            stream.write(b"x")
        if (_desk() / "slow").exists():
            time.sleep(0.05)
    return {"count": count}


def _sizes(**sizes: int) -> dict[Scale, dict[str, int]]:
    return {
        scale: {name: size + n for name, size in sizes.items()} for n, scale in enumerate(Scale)
    }


STUDY = Study(
    name="small",
    title="Squares & <their> doubles",
    paper="A. Author, On squares, Journal of | Areas 1 (1900)",
    about="It *squares*.\n\nWe also double.",
    experiments=[
        Experiment("doubled", "twice that", _doubled, _sizes(), needs=["square"]),
        Experiment("square", "a side, <squared>", _square, _sizes(side=3)),
        Experiment("fragile", "may crash", _fragile, _sizes()),
        Experiment("after", "needs the fragile", _square, _sizes(side=1), needs=["fragile"]),
        Experiment("slow", "takes its time", _slow, _sizes(steps=SLOW_STEPS)),
    ],
    claims=[
        Claim("area of a square", "Table 1", "9.15", "square.area", 9.15),
        Claim("twice <script>alert(1)</script>", "Table 2", "2:1", "doubled.area", 30, 0.5,
              why="we | think it is wrong"),
        Claim("a lot", "goal", "10", "doubled.area", 10, sense=Sense.AT_LEAST),
        Claim("nothing", "p. 3", "1", "doubled.nothing", 1),
    ],
    plots=[
        Plot("A curve of $5 & more", "As it <is>.", "step", "value",
             [Curve("square.curve", "ours <x>", [(1, 1.5), (4, 6)]),
              Curve("after.curve", "after")]),
    ],
)  # fmt: skip
