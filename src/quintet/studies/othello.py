"""Lin and White's evolved Othello networks, repeated (papers: 001), and what beats them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from quintet import games
from quintet.arena.match import Entrant, Terms, play_match
from quintet.learn import learner_from, presets_of
from quintet.learn.evolutionary_programming import JUDGES
from quintet.learn.ntuple import NTuple
from quintet.learn.tournament import play_opponent
from quintet.players import make_player
from quintet.players.networks import evolved_player
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

CHECKPOINTS = 20
OPENING = 8  # random plies: the judges always play the same
QUEENS, SQUARES = "spatial", "spatial(windows=squares(3),lead=yes)"
JUDGED, DEPTHS = ("positional", "discs", "mobility"), (0, 2, 4, 6)
_PAPER = {"parents": 50, "opponents": 10, "every": 50}
_TINY = {"parents": 4, "opponents": 1, "every": 1}
_EVOLUTION = {
    Scale.SMOKE: {"generations": 2, "games": 2, **_TINY},
    Scale.QUICK: {"generations": 500, "games": 40, **_PAPER},
    Scale.FULL: {"generations": 10000, "games": 400, **_PAPER},
}
_TWO_PLIES = {
    Scale.SMOKE: {"generations": 1, "games": 2, "rival_games": 2, **_TINY},
    Scale.QUICK: {"generations": 10, "games": 10, "rival_games": 25, **_PAPER},
    # an hour of one core; the paper's 10,000 would take two days
    Scale.FULL: {"generations": 200, "games": 400, "rival_games": 25, **_PAPER},
}
_DIFFERENCES = {
    Scale.SMOKE: {"learnt": 20, "games": 2},
    Scale.QUICK: {"learnt": 100_000, "games": 100},
    Scale.FULL: {"learnt": 1_000_000, "games": 400},
}


def trained(task: Task, text: str) -> Run:
    """The run of a learner, gone on with until it is finished."""
    folder, game = task.folder / "run", games.make("othello")
    if (folder / "run.toml").is_file():
        run = Run(folder)
    else:
        settings = Settings(learner_from(text, game), game, task.seed, CHECKPOINTS)
        run = Run.create(folder, settings)
    if not run.train(task.stop):
        raise Interrupted
    return run


def evolved(net: str, tournament: str, more: str = "") -> Any:
    """An experiment: evolution of a network."""

    def run_it(task: Task) -> Figures:
        sizes = ("generations", "parents", "opponents", "every", "rival_games")
        words = [f"{name}={task.sizes[name]}" for name in sizes if name in task.sizes]
        words += [f"net={net}", f"tournament={tournament}", f"judges={JUDGES}"]
        settings = ",".join([*words, more] if more else words)
        run = trained(task, f"evolutionary-programming:{settings}")
        lines = run.metrics()
        return curves(lines) | milestones(lines) | shares_of_best(run, task)

    return run_it


def curves(lines: list[dict[str, Any]]) -> Figures:
    """What was measured, as curves over the generations."""
    measured = [line for line in lines if "mobility(depth=0)" in line]
    found: Figures = {
        "generations": [line["step"] for line in measured],
        "survival": [line["survival"] for line in measured],
        "step_size": [line["step_size"] for line in measured],
    }
    for name in JUDGED:
        for depth in DEPTHS:
            found[f"{name}_{depth}"] = [line[f"{name}(depth={depth})"] for line in measured]
    rivals = [(line["step"], line["rival"]) for line in lines if "rival" in line]
    if rivals:
        found["rival_generations"] = [step for step, _ in rivals]
        found["rival"] = [share for _, share in rivals]
        found["rival_end"] = _mean([share for _, share in rivals[-10:]])
    return found


def milestones(lines: list[dict[str, Any]]) -> Figures:
    """The numbers that the paper tells in words; NaN where the run is too short."""
    found: Figures = {}
    for name, depth, begin, end in (
        ("positional", 2, 100, 100),
        ("positional", 2, 6000, 10000),
        ("positional", 4, 1, 4000),
        ("positional", 4, 7000, 10000),
        ("positional", 6, 7500, 10000),
        ("discs", 2, 100, 100),
        ("discs", 2, 3000, 4000),
        ("discs", 4, 4500, 10000),
        ("discs", 6, 8000, 10000),
        ("mobility", 0, 9000, 10000),
        ("mobility", 2, 9000, 10000),
    ):
        key = f"{name}_{depth}_{begin}_{end}"
        found[key] = _between(lines, f"{name}(depth={depth})", begin, end)
    found["survival_1_4000"] = _between(lines, "survival", 1, 4000)
    found["survival_9900_10000"] = _between(lines, "survival", 9900, 10000)
    fours = [line["positional(depth=4)"] for line in lines if "positional(depth=4)" in line]
    jumps = [after - before for before, after in itertools.pairwise(fours)]
    found["jump"] = max(jumps, default=math.nan) if lines[-1]["step"] >= 5000 else math.nan
    return found


def _between(lines: list[dict[str, Any]], name: str, begin: int, end: int) -> float:
    """The mean of a figure over some generations, if the run has all of them."""
    if lines[-1]["step"] < end:
        return math.nan
    return _mean([line[name] for line in lines if begin <= line["step"] <= end and name in line])


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else math.nan


def opponents() -> dict[str, str]:
    """Whom the best network meets: the judges and Iagno, by what the figures call them."""
    judges = {f"{name}_{depth}": f"{name}:depth={depth}" for name in JUDGED for depth in DEPTHS}
    return judges | {f"iagno_{level}": f"iagno:level={level}" for level in (1, 2, 3)}


def shares(task: Task, scores: Callable[[str], Sequence[float]]) -> Figures:
    """What a player scores against each opponent, in each seat."""
    found: Figures = {}
    for name, word in opponents().items():
        if task.stop():
            raise Interrupted
        found[f"{name}_black"], found[f"{name}_white"] = scores(word)
    return found


def shares_of_best(run: Run, task: Task) -> Figures:
    """What the best network of the last tournament scores without looking ahead."""
    game, net, count = run.settings.game, run.settings.learner.net, task.sizes["games"]
    genomes = np.repeat(run.state()["weights"][:1], 2 * count, axis=0)
    seats = np.arange(2 * count) % 2

    def scores(word: str) -> Sequence[float]:
        other = make_player(word, game)
        found = play_opponent(
            game, lambda: evolved_player(net, game), genomes, other, seats, task.seed, OPENING
        )
        return float(found[0::2].mean()), float(found[1::2].mean())

    return shares(task, scores)


def shares_of_tables(run: Run, task: Task) -> Figures:
    """The same for a network of tuples."""
    game = run.settings.game
    player = run.settings.learner.player(game, run.state())

    def scores(word: str) -> Sequence[float]:
        entrants = [Entrant("own", player), Entrant(word, make_player(word, game))]
        terms = Terms(2 * task.sizes["games"], task.seed, OPENING)
        standings = play_match(game, entrants, terms, workers=1).standings()
        found = {s.seat: float(s.score.mean) for s in standings if s.player == "own"}
        return found[0], found[1]

    return shares(task, scores)


def by_differences(task: Task) -> Figures:
    """Beyond the paper: tables over tuples of cells, by temporal differences."""
    preset = presets_of(NTuple)["othello"]
    return shares_of_tables(trained(task, f"ntuple:{preset},games={task.sizes['learnt']}"), task)


def evolution(name: str, what: str, *settings: str) -> Experiment:
    """An experiment with the sizes of the paper's."""
    return Experiment(name, what, evolved(*settings), _EVOLUTION)


_EXPERIMENTS = [
    evolution("queens-fair", "Queen windows, fair tournaments: the paper's run.", QUEENS, "fair"),
    evolution(
        "squares-unfair",
        "Squares and the piece difference, unfair tournaments: the run before it, Chong's.",
        SQUARES,
        "unfair",
    ),
    evolution("queens-unfair", "Queen windows, unfair tournaments.", QUEENS, "unfair"),
    evolution(
        "squares-fair", "Squares and the piece difference, fair tournaments.", SQUARES, "fair"
    ),
    Experiment(
        "iagno",
        "The paper's run with two plies of look-ahead in training; the best of each generation "
        "plays Iagno's evaluation at the same depth.",
        evolved(QUEENS, "fair", "depth=2,rival=iagno(depth=2)"),
        _TWO_PLIES,
    ),
    evolution(
        "own-view",
        "Beyond: +1 are the discs of who has just moved, so one network plays both colours alike.",
        "spatial(view=own)",
        "fair",
    ),
    evolution(
        "shared",
        "Beyond: the same, and windows that symmetries exchange share their weights.",
        "spatial(view=own,shared=yes)",
        "fair",
    ),
    evolution(
        "fame",
        "Beyond: the paper's run, and everybody also meets two of 20 former champions.",
        QUEENS,
        "fair",
        "fame=20",
    ),
    Experiment(
        "differences",
        "Beyond: temporal differences, tables over lines, corners and edges.",
        by_differences,
        _DIFFERENCES,
    ),
]
_QUEENS, _WHERE = "queens-fair", "II Results"
_NEARLY_ALL, _HARDLY_ANY = 45.0, 5.0  # of 50: how we read "essentially all" and "none"


def at_least(what: str, where: str, printed: str, measure: str, value: float) -> Claim:
    """A claim of the paper that so many networks, or more, win."""
    return Claim(what, where, printed, measure, value, sense=Sense.AT_LEAST)


def at_most(what: str, where: str, printed: str, measure: str, value: float) -> Claim:
    """A claim of the paper that so many networks, or fewer, win."""
    return Claim(what, where, printed, measure, value, sense=Sense.AT_MOST)


_CLAIMS = [
    at_least(
        "positional ply 2, generation 100",
        _WHERE,
        "over half",
        f"{_QUEENS}.positional_2_100_100",
        25.0,
    ),
    at_least(
        "positional ply 2, from 6000 on",
        _WHERE,
        "essentially all",
        f"{_QUEENS}.positional_2_6000_10000",
        _NEARLY_ALL,
    ),
    at_most(
        "positional ply 4, before 4000",
        _WHERE,
        "only after 4000",
        f"{_QUEENS}.positional_4_1_4000",
        _HARDLY_ANY,
    ),
    at_least(
        "positional ply 4, from 7000 on",
        f"{_WHERE}, Figure 4",
        "essentially all",
        f"{_QUEENS}.positional_4_7000_10000",
        _NEARLY_ALL,
    ),
    at_most(
        "positional ply 6, from 7500 on",
        f"{_WHERE}, Figure 4",
        "not possible",
        f"{_QUEENS}.positional_6_7500_10000",
        _HARDLY_ANY,
    ),
    at_least(
        "positional ply 4, the largest rise in 50 generations",
        "Figure 6",
        "sudden",
        f"{_QUEENS}.jump",
        25.0,
    ),
    at_least(
        "discs ply 2, generation 100",
        _WHERE,
        "over 25",
        f"{_QUEENS}.discs_2_100_100",
        25.0,
    ),
    at_most(
        "discs ply 2, 3000 to 4000",
        f"{_WHERE}, Figure 5",
        "lose all ability",
        f"{_QUEENS}.discs_2_3000_4000",
        _HARDLY_ANY,
    ),
    at_least(
        "discs ply 4, from 4500 on",
        "report",
        "nearly all",
        f"{_QUEENS}.discs_4_4500_10000",
        _NEARLY_ALL,
    ),
    at_least(
        "discs ply 6, from 8000 on",
        "report",
        "90%",
        f"{_QUEENS}.discs_6_8000_10000",
        45.0,
    ),
    at_least(
        "mobility ply 0, from 9000 on",
        _WHERE,
        "defeated",
        f"{_QUEENS}.mobility_0_9000_10000",
        25.0,
    ),
    at_most(
        "mobility ply 2, from 9000 on",
        f"{_WHERE}; the Chinese report says it is beaten",
        "no ability",
        f"{_QUEENS}.mobility_2_9000_10000",
        _HARDLY_ANY,
    ),
    at_most(
        "survival before 4000, in generations",
        "Figure 8",
        "less than 10",
        f"{_QUEENS}.survival_1_4000",
        10.0,
    ),
    at_least(
        "survival at 10000",
        "Figure 8",
        "over 600",
        f"{_QUEENS}.survival_9900_10000",
        600.0,
    ),
    at_most(
        "survival at 10000, Chong's run",
        _WHERE,
        "no increase",
        "squares-unfair.survival_9900_10000",
        10.0,
    ),
    at_least(
        "Iagno at equal ply, share of points",
        "report, Figure 5",
        "good performance",
        "iagno.rival_end",
        0.5,
    ),
    *(
        Claim(
            f"{name} ply {depth}, as {colour.title()}: share of points",
            "goal",
            "more than half",
            f"differences.{name}_{depth}_{colour}",
            0.5,
            sense=Sense.AT_LEAST,
        )
        for name, depth in (("positional", 6), ("mobility", 2), ("mobility", 4), ("iagno", 3))
        for colour in ("black", "white")
    ),
]


def climbing(number: str, name: str, experiment: str = _QUEENS) -> Plot:
    """How many parents beat a judge, as in Figures 4 and 5."""
    depths = (0, 2, 4, 6) if name == "mobility" else (2, 4, 6)
    return Plot(
        number,
        f"Parents of 50 that beat {name} looking so many plies ahead; they are Black and do not "
        "look ahead.",
        "generation",
        "networks",
        [Curve(f"{experiment}.{name}_{depth}", f"ply {depth}") for depth in depths],
        f"{experiment}.generations",
    )


STUDY = Study(
    "othello",
    "Evolved networks that look at Othello through windows",
    "S. Y. Lin and J. D. White: Spatial processing layer effects on the evolution of neural "
    "networks to play the game of Othello, CEC 2009; and the report of project NSC "
    "97-2221-E-155-066",
    "Fifty networks and a mutated child of each play tournaments; the better half lives on. What "
    "a network sees of the board decides how far that leads. Beyond the paper: another view, "
    "shared windows, a hall of fame, and tables of tuples that learn by temporal differences.",
    _EXPERIMENTS,
    _CLAIMS,
    [
        climbing("Figure 4", "positional"),
        climbing("Figure 5", "discs"),
        climbing("Figure 7", "mobility"),
        Plot(
            "Figure 8",
            "How long the parents have survived, on average.",
            "generation",
            "generations",
            [
                Curve("queens-fair.survival", "queens, fair"),
                Curve("squares-unfair.survival", "squares, unfair"),
                Curve("queens-unfair.survival", "queens, unfair"),
                Curve("squares-fair.survival", "squares, fair"),
            ],
            "queens-fair.generations",
        ),
        climbing("Positional, squares", "positional", "squares-unfair"),
        climbing("Positional, own view", "positional", "own-view"),
        Plot(
            "Iagno",
            "Points of each generation's best network in 25 games at equal depth.",
            "generation",
            "share of points",
            [Curve("iagno.rival", "two plies")],
            "iagno.rival_generations",
        ),
    ],
)
