"""Freisleben's Go-Moku network, repeated (papers: 004), and what a better learner makes of it."""

from __future__ import annotations

import math
from typing import Any

from quintet import games
from quintet.arena.games import Worker
from quintet.learn import learner_from
from quintet.learn.lessons import examine, network_of, tally, turns
from quintet.players import make_player
from quintet.runs.run import Run
from quintet.runs.settings import Settings
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

GAME = "go-moku"
OUT_OF = 50  # the paper's test games
CHECKPOINTS = 10_000  # all of them: each tested network can be used later
_SIZES = {
    Scale.SMOKE: {"series": 1, "games": 4, "batch": 2, "tests": 2, "again": 2},
    Scale.QUICK: {"series": 4, "games": 100, "batch": 10, "tests": 50, "again": 100},
    Scale.FULL: {"series": 10, "games": 100, "batch": 10, "tests": OUT_OF, "again": 400},
}
_RANKING_SIZES = {
    Scale.SMOKE: {"batches": 1, "games": 2, "every": 1, "tests": 2, "again": 2},
    Scale.QUICK: {"batches": 30, "games": 10, "every": 10, "tests": 50, "again": 100},
    Scale.FULL: {"batches": 120, "games": 10, "every": 10, "tests": OUT_OF, "again": 400},
}
_MATCH_SIZES = {
    Scale.SMOKE: {"games": 2},
    Scale.QUICK: {"games": 100},
    Scale.FULL: {"games": 400},
}
_BY_LEARNER = {  # what of an experiment's sizes each learner is told
    "comparison": ("series", "games", "batch", "tests"),
    "product-td": ("series", "games", "tests"),
    "ranking": ("batches", "games", "every", "tests"),
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


def comparison(text: str, tester: str = "hardnet") -> Any:
    """An experiment with the learner of the paper."""

    def run_it(task: Task) -> Figures:
        run = trained(task, f"comparison:{text}", games.make(GAME))
        found = curves(run, task.sizes["tests"])
        found["training"] = training_curve(run, task.sizes["batch"], task.sizes["games"])
        return found | more_games(run, task, tester)

    return run_it


def retrained(before: str, trainer: str, *, best: bool) -> Any:
    """An experiment that goes on with the last, or the best, network of another one."""

    def run_it(task: Task) -> Figures:
        folder = task.folders[before] / "run"
        step = f"@{int(_number(task.found[before]['best_step']))}" if best else ""
        return comparison(f"trainer={trainer},origin=run:{folder}{step}")(task)

    return run_it


def _number(figure: Any) -> float:
    return float(figure)


def by_td(task: Task) -> Figures:
    """Experiment 1: temporal differences in self-play."""
    run = trained(task, "product-td", games.make(GAME))
    return curves(run, task.sizes["tests"]) | more_games(run, task)


def xmake5_against_hardnet(task: Task) -> Figures:
    """What the stand-in for XMake5 can do."""
    return against_hardnet("xmake5", task)


def against_hardnet(text: str, task: Task) -> Figures:
    """Games of a player against Hardnet, out of 50."""
    game, count = games.make(GAME), task.sizes["games"]
    players = [make_player(text, game), make_player("hardnet", game)]
    return _out_of_fifty(game, players, count, task.seed)


def _out_of_fifty(game: Any, players: list[Any], count: int, seed: int) -> Figures:
    import numpy as np

    plan = turns(count, 2, len(players), seed)
    result = tally(plan, Worker(game, players).play(plan, np.zeros(1, np.int64)))
    return {"won": result.won * OUT_OF / count, "lost": result.lost * OUT_OF / count}


def by_ranking(task: Task) -> Figures:
    """Beyond the paper: a ranking loss over all moves, all 64 weights a seat free."""
    game = games.make(GAME)
    run = trained(task, "ranking:teacher=xmake5,company=hardnet+copy,noise=0.5", game)
    found = curves(run, task.sizes["tests"]) | more_games(run, task)
    network, count = network_of(run.state()), task.sizes["again"]
    for name, tester, careful in (
        ("careful", "hardnet", True),
        ("xmake5", "xmake5", False),
        ("careful_xmake5", "xmake5", True),
    ):
        result = examine(network, game, tester, count, task.seed, careful=careful)
        found[f"{name}_won"] = result.won * OUT_OF / count
        found[f"{name}_lost"] = result.lost * OUT_OF / count
    return found


def as_order(task: Task) -> Figures:
    """Beyond the paper: the network orders the moves of the search, in place of Hardnet."""
    from quintet.players.go_moku import Guided

    game = games.make(GAME)
    run = Run(task.folders["ranking"] / "run")
    players = [Guided(network_of(run.state())), make_player("xmake5", game)]
    return _out_of_fifty(game, players, task.sizes["games"], task.seed)


def three_players(task: Task) -> Figures:
    """Beyond the paper: the same learner where three play; a third of the games is even."""
    game = games.make("go-moku:players=3")
    sizes = {**task.sizes, "tests": task.sizes["tests"]}
    run = trained(task._replace(sizes=sizes), "comparison:trainer=hardnet", game)
    found: Figures = {}
    network, count = network_of(run.state()), task.sizes["again"]
    for tester in ("random", "greedy", "hardnet"):
        result = examine(network, game, tester, count, task.seed)
        found[f"{tester}_won"] = result.won / count
    return found


def spread_of(won: float) -> float:
    """Half the 95% interval of a number of games won out of 50."""
    share = (won + 2) / (OUT_OF + 4)  # Agresti and Coull 1998
    return 1.96 * OUT_OF * math.sqrt(share * (1 - share) / OUT_OF)


def scores(what: str, where: str, printed: str, measure: str, why: str = "") -> list[Claim]:
    """The two claims of a score such as 28:16: games won, and games lost."""
    before, after = (float(number) for number in printed.split(":"))
    experiment, _, when = measure.partition(".")
    suffix = f"_{when}" if when else ""
    return [
        Claim(
            f"{what}: {word}",
            where,
            printed,
            f"{experiment}.{word}{suffix}",
            value,
            spread_of(value),
            why=why,
        )
        for word, value in (("won", before), ("lost", after))
    ]


_STILL = (
    "with the calibrated constants the weights of the patterns change by about a percent, and the "
    "patterns seem too small to decide many moves: our curves show the chance of 50 games"
)
_TEXT = "section 4"
_EXPERIMENTS = [
    Experiment("td", "TD(lambda) in self-play, simplified network.", by_td, _SIZES),
    *(
        Experiment(
            f"code-{float(code) * 100:.0f}",
            f"Simplified network trained by Hardnet; an empty point is {code}.",
            comparison(f"simplified=yes,empty={code}"),
            _SIZES,
        )
        for code in ("0.1", "0.25", "0.5")
    ),
    Experiment(
        "random",
        "Full network, trained and tested by Random.",
        comparison("trainer=random,tester=random", "random"),
        _SIZES,
    ),
    Experiment(
        "hardnet", "Full network trained by Hardnet.", comparison("trainer=hardnet"), _SIZES
    ),
    Experiment(
        "hardnet-random",
        "That network, retrained by Random.",
        retrained("hardnet", "random", best=False),
        _SIZES,
        ("hardnet",),
    ),
    Experiment(
        "xmake5-match",
        "The stand-in for XMake5 against Hardnet.",
        xmake5_against_hardnet,
        _MATCH_SIZES,
    ),
    Experiment(
        "xmake5", "Full network trained by XMake5's stand-in.", comparison("trainer=xmake5"), _SIZES
    ),
    Experiment(
        "xmake5-hardnet",
        "The best network of that, retrained by Hardnet.",
        retrained("xmake5", "hardnet", best=True),
        _SIZES,
        ("xmake5",),
    ),
    Experiment(
        "xmake5-copy",
        "The same, trained by a copy of itself.",
        retrained("xmake5", "copy", best=True),
        _SIZES,
        ("xmake5",),
    ),
    Experiment(
        "ranking",
        "A ranking loss, all weights free, advice of XMake5's stand-in.",
        by_ranking,
        _RANKING_SIZES,
    ),
    Experiment(
        "order",
        "The search of XMake5's stand-in, moves ordered by that network, against "
        "the stand-in itself.",
        as_order,
        _MATCH_SIZES,
        ("ranking",),
    ),
    Experiment("three", "The paper's learner where three play.", three_players, _SIZES),
]
_CLAIMS = [
    *scores("TD, before", _TEXT, "0:50", "td.before"),
    *scores("TD, after 1000 games", _TEXT, "0:50", "td.after"),
    *scores("empty 0.1, before", _TEXT, "0:50", "code-10.before"),
    *scores("empty 0.1, after", _TEXT, "9:36", "code-10.after"),
    *scores("empty 0.25, before", _TEXT, "0:50", "code-25.before"),
    *scores("empty 0.25, after", f"{_TEXT}, Figure 7", "22:24", "code-25.after"),
    *scores("empty 0.5, before", _TEXT, "0:50", "code-50.before"),
    *scores("empty 0.5, after", _TEXT, "0:50", "code-50.after"),
    *scores("Random, before", _TEXT, "50:0", "random.before"),
    *scores("Random, after", _TEXT, "50:0", "random.after"),
    *scores("trained by Hardnet, before", f"{_TEXT}, Figure 8", "28:16", "hardnet.before"),
    *scores("trained by Hardnet, after", f"{_TEXT}, Figure 8", "18:24", "hardnet.after", _STILL),
    *scores("retrained by Random", _TEXT, "18:24", "hardnet-random.after", _STILL),
    *scores("XMake5 against Hardnet", _TEXT, "41:9", "xmake5-match"),
    *scores("trained by XMake5, before", f"{_TEXT}, Figure 9", "29:20", "xmake5.before"),
    *scores("trained by XMake5, best", f"{_TEXT}, Figure 9", "36:14", "xmake5.best", _STILL),
    *scores("retrained by Hardnet", f"{_TEXT}, Figure 10", "25:24", "xmake5-hardnet.after"),
    Claim(
        "against a copy: won",
        _TEXT,
        "38",
        "xmake5-copy.won_after",
        38.0,
        spread_of(38.0),
        why=_STILL,
    ),
    Claim(
        "ranking against Hardnet: won",
        "goal",
        "48:2",
        "ranking.won_again",
        48.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "ranking against Hardnet: lost",
        "goal",
        "48:2",
        "ranking.lost_again",
        2.0,
        sense=Sense.AT_MOST,
    ),
    Claim(
        "the same, wins and blocks first: won",
        "goal",
        "48:2",
        "ranking.careful_won",
        48.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "ranking against XMake5: won",
        "goal",
        "more than it loses",
        "ranking.xmake5_won",
        25.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "ordered by the network against XMake5: won",
        "goal",
        "more than it loses",
        "order.won",
        25.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "three players, against Hardnet: won",
        "goal",
        "more than a third",
        "three.hardnet_won",
        1 / 3,
        sense=Sense.AT_LEAST,
    ),
]


def figure(number: int, title: str, experiment: str, published: str, end: str) -> Plot:
    """A figure of the paper: test games won and lost; only its ends are told in numbers."""
    first, last = ([float(part) for part in score.split(":")] for score in (published, end))
    return Plot(
        f"Figure {number}",
        title,
        "learnt games",
        "test games of 50",
        [
            Curve(f"{experiment}.won", "won", [(0, first[0]), (1000, last[0])]),
            Curve(f"{experiment}.lost", "lost", [(0, first[1]), (1000, last[1])]),
        ],
        f"{experiment}.learned",
    )


STUDY = Study(
    "go-moku",
    "A neural network that learns to play Go-Moku",
    "B. Freisleben: A neural network that learns to play five-in-a-row, 1995",
    "A network of product units values every empty point; after each game the winner's moves are "
    "rewarded and its own other wishes penalised.  Beyond the paper: a ranking loss over all "
    "moves, the network as order of moves in a search, and three players.",
    _EXPERIMENTS,
    _CLAIMS,
    [
        figure(7, "Simplified network, empty points 0.25.", "code-25", "0:50", "22:24"),
        figure(8, "Trained by and tested against Hardnet.", "hardnet", "28:16", "18:24"),
        figure(9, "Trained by XMake5; the best of it was 36:14.", "xmake5", "29:20", "36:14"),
        figure(10, "That network, retrained by Hardnet.", "xmake5-hardnet", "36:14", "25:24"),
        Plot(
            "Training by XMake5",
            "Figure 9, right: never more than about 30 of 100 games won.",
            "series",
            "games won of 100",
            [Curve("xmake5.training", "won")],
        ),
        Plot(
            "Ranking",
            "A ranking loss on the same network.",
            "learnt games",
            "test games of 50",
            [Curve("ranking.won", "won"), Curve("ranking.lost", "lost")],
            "ranking.learned",
        ),
    ],
)
