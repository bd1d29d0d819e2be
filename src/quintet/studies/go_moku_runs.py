"""What the experiments of paper 004 share: runs, curves, and games counted out of 50."""

from __future__ import annotations

from typing import Any

import numpy as np

from quintet.arena.games import Worker
from quintet.learn import learner_from
from quintet.learn.lessons import examine, network_of, tally, turns
from quintet.runs.run import Run
from quintet.runs.settings import Settings
from quintet.studies.study import Figures, Interrupted, Scale, Task

GAME = "go-moku"
OUT_OF = 50  # the paper's test games
CHECKPOINTS = 10_000  # all of them: each tested network can be used later
SIZES = {
    Scale.SMOKE: {"series": 1, "games": 4, "batch": 2, "tests": 2, "again": 2},
    Scale.QUICK: {"series": 4, "games": 100, "batch": 10, "tests": 50, "again": 100},
    Scale.FULL: {"series": 10, "games": 100, "batch": 10, "tests": OUT_OF, "again": 400},
}
MATCH_SIZES = {
    Scale.SMOKE: {"games": 2},
    Scale.QUICK: {"games": 100},
    Scale.FULL: {"games": 400},
}
_BY_LEARNER = {  # what of an experiment's sizes each learner is told
    "comparison": ("series", "games", "batch", "tests"),
    "product-td": ("series", "games", "tests"),
    "ranking": ("batches", "games", "every", "tests"),
    "product-cma": ("generations", "matches", "every", "trials"),
}


def trained(task: Task, text: str, game: Any) -> Run:
    """The run of a learner with the sizes of a task, gone on with until it is finished."""
    folder = task.folder / "run"
    name, _, settings = text.partition(":")
    sizes = [f"{size}={task.sizes[size]}" for size in _BY_LEARNER[name]]
    if (folder / "run.toml").is_file():
        run = Run(folder)
    else:
        whole = f"{name}:{','.join([settings, *sizes] if settings else sizes)}"
        learner = learner_from(whole, game)
        run = Run.create(folder, Settings(learner, game, task.seed, CHECKPOINTS))
    if not run.train(task.stop):
        raise Interrupted
    return run


def curves(run: Run, tests: int) -> Figures:
    """Test results as the paper gives them: out of 50 games, after so many learnt ones."""
    tested = [line for line in run.metrics() if "learned" in line]
    scale = OUT_OF / max(tests, 1)
    won = [line["won"] * scale for line in tested]
    lost = [line["lost"] * scale for line in tested]
    best = max(range(len(won)), key=lambda i: won[i] - lost[i])
    return {
        "learned": [line["learned"] for line in tested],
        "won": won,
        "lost": lost,
        "won_before": won[0],
        "lost_before": lost[0],
        "won_after": won[-1],
        "lost_after": lost[-1],
        "won_best": won[best],
        "lost_best": lost[best],
        "best_step": float(tested[best]["step"] - 1),  # the state that was tested
    }


def training_curve(run: Run, batch: int, games: int) -> list[float]:
    """Games won of each series of training games, out of 100."""
    won = [line["training_won"] for line in run.metrics() if "training_won" in line]
    width = max(games // batch, 1)
    return [sum(won[first : first + width]) * 100 / games for first in range(0, len(won), width)]


def more_games(run: Run, task: Task, tester: str = "hardnet") -> Figures:
    """The last network in more games than the paper's, out of 50."""
    game, count = run.settings.game, task.sizes["again"]
    network = network_of(run.state())
    result = examine(network, game, tester, count, task.seed)
    return {
        "won_again": result.won * OUT_OF / count,
        "lost_again": result.lost * OUT_OF / count,
    }


def out_of_fifty(game: Any, players: list[Any], count: int, seed: int) -> Figures:
    """Games of the first player against the others, out of 50."""
    plan = turns(count, 2, len(players), seed)
    result = tally(plan, Worker(game, players).play(plan, np.zeros(1, np.int64)))
    return {"won": result.won * OUT_OF / count, "lost": result.lost * OUT_OF / count}
