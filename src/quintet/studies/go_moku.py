"""Freisleben's Go-Moku network, repeated (papers: 004), and what a better learner makes of it."""

from __future__ import annotations

import math
from typing import Any

from quintet import games
from quintet.players import make_player
from quintet.studies import go_moku_beyond
from quintet.studies.go_moku_runs import (
    GAME,
    MATCH_SIZES,
    OUT_OF,
    SIZES,
    curves,
    more_games,
    out_of_fifty,
    trained,
    training_curve,
)
from quintet.studies.study import Claim, Curve, Experiment, Figures, Plot, Study, Task


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
    game = games.make(GAME)
    players = [make_player(name, game) for name in ("xmake5", "hardnet")]
    return out_of_fifty(game, players, task.sizes["games"], task.seed)


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
_START = (
    "the paper does not tell the weights at the start; ours, evenly spread from 0 to 1, play better"
)
_TEXT = "section 4"
_EXPERIMENTS = [
    Experiment("td", "TD(lambda) in self-play, simplified network.", by_td, SIZES),
    *(
        Experiment(
            f"code-{float(code) * 100:.0f}",
            f"Simplified network trained by Hardnet; an empty point is {code}.",
            comparison(f"simplified=yes,empty={code}"),
            SIZES,
        )
        for code in ("0.1", "0.25", "0.5")
    ),
    Experiment(
        "random",
        "Full network, trained and tested by Random.",
        comparison("trainer=random,tester=random", "random"),
        SIZES,
    ),
    Experiment("hardnet", "Full network trained by Hardnet.", comparison("trainer=hardnet"), SIZES),
    Experiment(
        "hardnet-random",
        "That network, retrained by Random.",
        retrained("hardnet", "random", best=False),
        SIZES,
        ("hardnet",),
    ),
    Experiment(
        "xmake5-match",
        "The stand-in for XMake5 against Hardnet.",
        xmake5_against_hardnet,
        MATCH_SIZES,
    ),
    Experiment(
        "xmake5", "Full network trained by XMake5's stand-in.", comparison("trainer=xmake5"), SIZES
    ),
    Experiment(
        "xmake5-hardnet",
        "The best network of that, retrained by Hardnet.",
        retrained("xmake5", "hardnet", best=True),
        SIZES,
        ("xmake5",),
    ),
    Experiment(
        "xmake5-copy",
        "The same, trained by a copy of itself.",
        retrained("xmake5", "copy", best=True),
        SIZES,
        ("xmake5",),
    ),
]
_CLAIMS = [
    *scores("TD, before", _TEXT, "0:50", "td.before"),
    *scores("TD, after 1000 games", _TEXT, "0:50", "td.after"),
    *scores("empty 0.1, before", _TEXT, "0:50", "code-10.before", _START),
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
    "rewarded and its own other wishes penalised.  The paper leaves out its constants; with ours "
    "the full network hardly changes: with the same seed, all five experiments that train it play "
    "the same test games to the last move, whoever the trainer is.  So where their scores agree "
    "with the paper's, they do as those of an untrained network would.  Beyond the paper: a "
    "ranking loss over all moves, evolution, the network as order of moves in a search and as "
    "prior of UCT, and three players.",
    [*_EXPERIMENTS, *go_moku_beyond.EXPERIMENTS],
    [*_CLAIMS, *go_moku_beyond.CLAIMS],
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
        *go_moku_beyond.PLOTS,
    ],
)
