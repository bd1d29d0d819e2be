"""Beyond paper 004: better learners on the same network, what it is good for, and three players."""

from __future__ import annotations

from typing import Any

from quintet import games
from quintet.learn.lessons import examine, network_of
from quintet.players import make_player
from quintet.runs.run import Run
from quintet.studies.go_moku_runs import (
    GAME,
    MATCH_SIZES,
    OUT_OF,
    SIZES,
    curves,
    more_games,
    out_of_fifty,
    trained,
)
from quintet.studies.study import Claim, Curve, Experiment, Figures, Plot, Scale, Sense, Task

_QUICKER = "xmake5:depth=4"  # whom the network meets while it evolves: its games take less time
_RANKING_SIZES = {
    Scale.SMOKE: {"batches": 1, "games": 2, "every": 1, "tests": 2, "again": 2},
    Scale.QUICK: {"batches": 30, "games": 10, "every": 10, "tests": 50, "again": 100},
    Scale.FULL: {"batches": 120, "games": 10, "every": 10, "tests": OUT_OF, "again": 400},
}
_EVOLVED_SIZES = {
    Scale.SMOKE: {"generations": 1, "matches": 1, "every": 1, "trials": 2, "again": 2},
    Scale.QUICK: {"generations": 20, "matches": 50, "every": 5, "trials": 50, "again": 200},
    Scale.FULL: {"generations": 120, "matches": 30, "every": 10, "trials": 200, "again": 1000},
}
_BOTH_SIZES = {
    Scale.SMOKE: {"generations": 1, "matches": 1, "every": 1, "trials": 2, "again": 2},
    Scale.QUICK: {"generations": 5, "matches": 10, "every": 5, "trials": 50, "again": 100},
    Scale.FULL: {"generations": 25, "matches": 12, "every": 5, "trials": 200, "again": 200},
}
_PRIOR_SIZES = {
    Scale.SMOKE: {"games": 2, "sims": 4},
    Scale.QUICK: {"games": 20, "sims": 180},
    Scale.FULL: {"games": 50, "sims": 180},
}
_SHORT = "it comes close: the distribution still moves uphill when the budget is spent"
_RANDOM_GAMES = (
    "random games say little about threats, and 180 of them are few: they talk the search out of "
    "the network's moves"
)


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


def by_evolution(task: Task) -> Figures:
    """Beyond the paper: weights by CMA-ES, from nothing but games against Hardnet."""
    return _evolved(task, "product-cma:tests=hardnet,population=16")


def by_more_evolution(task: Task) -> Figures:
    """The same network, evolved on against both opponents."""
    folder = task.folders["evolved"] / "run"
    tests = f"hardnet/{_QUICKER}"
    return _evolved(task, f"product-cma:tests={tests},sigma=0.12,origin=run:{folder}")


def _evolved(task: Task, text: str) -> Figures:
    run = trained(task, text, games.make(GAME))
    found = curves(run, task.sizes["trials"]) | more_games(run, task)
    network, count = network_of(run.state()), task.sizes["again"]
    for name, careful in (("xmake5", False), ("careful_xmake5", True)):
        result = examine(network, run.settings.game, "xmake5", count, task.seed, careful=careful)
        found[f"{name}_won"] = result.won * OUT_OF / count
        found[f"{name}_lost"] = result.lost * OUT_OF / count
        found[f"{name}_lead"] = (result.won - result.lost) * OUT_OF / count
    return found


def as_order(task: Task) -> Figures:
    """Beyond the paper: the network orders the moves of the search, in place of Hardnet."""
    from quintet.players.go_moku import Guided

    players = [Guided(_evolved_network(task)), make_player("xmake5", games.make(GAME))]
    return out_of_fifty(games.make(GAME), players, task.sizes["games"], task.seed)


def as_prior(task: Task) -> Figures:
    """Beyond the paper: UCT looks first where the network would play."""
    from quintet.players.guided_uct import GuidedUct
    from quintet.players.points import player_of

    game, count, sims = games.make(GAME), task.sizes["games"], task.sizes["sims"]
    network = _evolved_network(task)
    plain = make_player(f"uct:sims={sims}", game)
    guided = GuidedUct(network, sims)
    found: Figures = {}
    for name, one, other in (
        ("uct", guided, plain),
        ("hardnet", guided, make_player("hardnet", game)),
        ("network", guided, player_of(network)),
        ("plain_hardnet", plain, make_player("hardnet", game)),
    ):
        result = out_of_fifty(game, [one, other], count, task.seed)
        found |= {f"{name}_{key}": figure for key, figure in result.items()}
    return found


def _evolved_network(task: Task) -> Any:
    return network_of(Run(task.folders["evolved-both"] / "run").state())


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


EXPERIMENTS = [
    Experiment(
        "ranking",
        "A ranking loss, all weights free, advice of XMake5's stand-in.",
        by_ranking,
        _RANKING_SIZES,
    ),
    Experiment(
        "evolved",
        "CMA-ES on 24 weights, which the symmetries share out to the 128: games against Hardnet "
        "and nothing else.",
        by_evolution,
        _EVOLVED_SIZES,
    ),
    Experiment(
        "evolved-both",
        "The same, gone on with against Hardnet and XMake5's stand-in, here four plies deep; "
        "tested against the stand-in as it is.",
        by_more_evolution,
        _BOTH_SIZES,
        ("evolved",),
    ),
    Experiment(
        "order",
        "The search of XMake5's stand-in, moves ordered by that network, against "
        "the stand-in itself.",
        as_order,
        MATCH_SIZES,
        ("evolved-both",),
    ),
    Experiment(
        "prior",
        "UCT with that network's choice as prior, against UCT without, with as many simulations; "
        "against Hardnet; and against the network alone.",
        as_prior,
        _PRIOR_SIZES,
        ("evolved-both",),
    ),
    Experiment("three", "The paper's learner where three play.", three_players, SIZES),
]

CLAIMS = [
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
    *(
        Claim(
            f"{name} against Hardnet: {word}",
            "goal",
            "48:2",
            f"{measure}.{word}_again",
            value,
            sense=sense,
            why=why,
        )
        for name, measure, why in (
            ("evolved", "evolved", _SHORT),
            ("evolved against both,", "evolved-both", _SHORT),
        )
        for word, value, sense in (
            ("won", 48.0, Sense.AT_LEAST),
            ("lost", 2.0, Sense.AT_MOST),
        )
    ),
    Claim(
        "evolved against both, against XMake5: won less lost",
        "goal",
        "more won than lost",
        "evolved-both.xmake5_lead",
        0.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "prior of the network, UCT against UCT without: won",
        "goal",
        "more than it loses",
        "prior.uct_won",
        25.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "prior of the network, UCT against the network alone: won",
        "goal",
        "more than it loses",
        "prior.network_won",
        25.0,
        sense=Sense.AT_LEAST,
        why=_RANDOM_GAMES,
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

PLOTS = [
    Plot(
        "Ranking",
        "A ranking loss on the same network.",
        "learnt games",
        "test games of 50",
        [Curve("ranking.won", "won"), Curve("ranking.lost", "lost")],
        "ranking.learned",
    ),
    Plot(
        "Evolved against Hardnet",
        "CMA-ES on 24 shared weights of the same network; what the middle of the distribution "
        "wins.",
        "games played",
        "test games of 50",
        [Curve("evolved.won", "won"), Curve("evolved.lost", "lost")],
        "evolved.learned",
    ),
    Plot(
        "Evolved against both",
        "The same network goes on against Hardnet and XMake5's stand-in; tested against Hardnet.",
        "games played",
        "test games of 50",
        [Curve("evolved-both.won", "won"), Curve("evolved-both.lost", "lost")],
        "evolved-both.learned",
    ),
]
