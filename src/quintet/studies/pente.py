"""Schrum's three-player Pente, repeated: networks evolved by Enforced Sub-Populations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from quintet.learn.evolving import ATTENTION, FIVE, THREE_PLAYERS, TWO_PLAYERS
from quintet.runs.run import Run
from quintet.studies import pente_beyond
from quintet.studies.pente_beyond import THREE, TWO
from quintet.studies.pente_runs import met, shares, trained, word
from quintet.studies.study import (
    Claim,
    Curve,
    Experiment,
    Figures,
    Plot,
    Scale,
    Sense,
    Study,
    Task,
)

PAIRS = THREE_PLAYERS.split("/")
KINDS = ("forward", "recurrent", "attentive")
POINTS = 200  # of a curve
BEATEN = 0.95  # of the games of an evaluation: 19 of 20
EARLY = 0.1  # of all generations


# --- how a run went ------------------------------------------------------------------


def thinned(values: Sequence[float]) -> list[float]:
    """The means of equally long parts of a curve."""
    parts = np.array_split(np.asarray(values, float), min(POINTS, len(values)))
    return [float(part.mean()) for part in parts]


def progress(run: Run, names: Sequence[str]) -> Figures:
    """The champions of all generations: fitness, and wins against each group."""
    lines = run.metrics()
    fitness = [line["fitness"] for line in lines]
    figures: Figures = {
        "generation": thinned([line["step"] for line in lines]),
        "fitness": thinned(fitness),
        "shown": lines[-1]["won"],
        "most_shown": max(line["won"] for line in lines),
        "wins": thinned([line["won"] for line in lines]),
        "rise": early_rise(fitness),
    }
    for number, name in enumerate(names):
        won = [line[f"won_{number + 1}"] for line in lines]
        figures[f"wins_{word(name)}"] = thinned(won)
        beaten = [line["step"] for line in lines if line[f"won_{number + 1}"] >= BEATEN]
        figures[f"beaten_{word(name)}"] = beaten[0] if beaten else len(lines)
    return figures


def early_rise(fitness: Sequence[float]) -> float:
    """How much of the whole rise is done after a tenth of the generations."""
    window = max(1, len(fitness) // 20)
    early = int(len(fitness) * EARLY)
    before, after = fitness[0], np.mean(fitness[-window:])
    return float((np.mean(fitness[early : early + window]) - before) / (after - before))


def seconds_of(run: Run) -> float:
    """How long a run was at work."""
    return sum(float(session["seconds"]) for session in run.sessions())


# --- the experiments ----------------------------------------------------------------


def evolve(game: str, preset: str, tests: str) -> Callable[[Task], Figures]:
    """One of the paper's: evolution, then the champion of its last generation in fresh games."""

    def run_experiment(task: Task) -> Figures:
        sizes = {"generations": task.sizes["generations"], "matches": task.sizes["matches"]}
        run = trained(task, "esp", "esp", game, sizes, preset)
        settings, names = run.settings, tests.split("/")
        figures = progress(run, names)
        tally = met(task, settings.learner, settings.game, run.state(), tests, task.sizes["fresh"])
        figures |= shares(tally, names)
        figures["seconds"] = seconds_of(run)
        return figures

    return run_experiment


def two_players(task: Task) -> Figures:
    """Experiment 1, and in what order the opponents are beaten."""
    figures = evolve(TWO, "two-players", TWO_PLAYERS)(task)
    when = {name: float(figures[f"beaten_{name}"]) for name in FIVE}  # type: ignore[arg-type]
    figures["better_last"] = when["better"] - max(when[name] for name in FIVE[:3])
    figures["better_after_simple"] = when["better"] - when["simple"]
    figures["first_seat_ahead"] = float(figures["seat_1"]) - float(figures["seat_2"])  # type: ignore[arg-type]
    return figures


def three_players(task: Task) -> Figures:
    """Experiment 2, and which pair is easiest."""
    figures = evolve(THREE, "three-players", THREE_PLAYERS)(task)
    won = {pair: float(figures[f"fresh_{word(pair)}"]) for pair in PAIRS}  # type: ignore[arg-type]
    figures["simple_better_ahead"] = won["simple+better"] - max(
        won["random+blocker"], won["random+better"]
    )
    return figures


def attention(task: Task) -> Figures:
    """Experiment 3 compared: what remembering brings, with the same seed."""
    found = task.found
    fresh = {kind: float(found[kind]["fresh"]) for kind in KINDS}  # type: ignore[arg-type]
    most = {kind: float(found[kind]["most_shown"]) for kind in KINDS}  # type: ignore[arg-type]
    return {
        "forward_ahead": fresh["forward"] - max(fresh["recurrent"], fresh["attentive"]),
        "attention_brings": fresh["attentive"] - fresh["recurrent"],
        "recurrent_lost": most["recurrent"] - fresh["recurrent"],
    }


READINGS: dict[
    str, dict[str, object]
] = {  # what else the paper's words may mean: settings of the learner
    "as_specified": {},
    "moves_max_73": {"moves_max": 73},
    "consolation_01": {"consolation": 0.1},
    "no_consolation": {"consolation": 0.0},
    "hidden_20": {"net": "perceptron(hidden=20)"},
    "hidden_5": {"net": "perceptron(hidden=5)"},
    "members_40": {"members": 40},
    "trials_5": {"trials": 5},
    "no_bursts": {"stagnation": 0},
    "first_end": {"tests": "random/blocker/capturer/simple(end=first)/better(end=first)"},
    "anchor_replaced": {
        "tests": "random/blocker/capturer/simple(captured=replace)/better(captured=replace)"
    },
    "anchor_free": {
        "tests": "random/blocker/capturer/simple(from_centre=no)/better(from_centre=no)"
    },
}


def readings(task: Task) -> Figures:
    """Experiment 1 with one thing changed, against the opponents of that reading."""
    figures: Figures = {}
    sizes = {"generations": task.sizes["generations"], "matches": task.sizes["matches"]}
    for name, changed in READINGS.items():
        run = trained(task, name, "esp", TWO, {**sizes, **changed}, "two-players")
        learner, game = run.settings.learner, run.settings.game
        tally = met(task, learner, game, run.state(), learner.tests, task.sizes["fresh"])
        figures[name] = float(tally.won()[0])
        base = figures["as_specified"]
        assert isinstance(base, float)
        figures[f"{name}_gain"] = float(tally.won()[0]) - base
    return figures


def _sizes(smoke: dict[str, int], quick: dict[str, int], full: dict[str, int]) -> Any:
    return {Scale.SMOKE: smoke, Scale.QUICK: quick, Scale.FULL: full}


_KIND_WHAT = {
    "forward": "A feed-forward network against two Better players.",
    "recurrent": "A simple recurrent network, activated on its own turns.",
    "attentive": "A recurrent network that pays attention: it is activated on everybody's turn.",
}
_KIND_SIZES = _sizes(
    {"generations": 2, "matches": 1, "fresh": 4},
    {"generations": 300, "matches": 10, "fresh": 334},
    {"generations": 2000, "matches": 10, "fresh": 334},
)

EXPERIMENTS = [
    Experiment(
        "two_players",
        "Experiment 1: a feed-forward network against each of the five hand-coded players, 10 "
        "matches of two games, so 100 games an evaluation, 200 evaluations a generation. The "
        "champion of the last generation is tried again in fresh games.",
        two_players,
        _sizes(
            {"generations": 2, "matches": 1, "fresh": 4},
            {"generations": 200, "matches": 10, "fresh": 500},
            {"generations": 2000, "matches": 10, "fresh": 500},
        ),
    ),
    Experiment(
        "three_players",
        "Experiment 2: against the ten pairs of different players, 10 matches of three games, so "
        "300 games an evaluation.",
        three_players,
        _sizes(
            {"generations": 1, "matches": 1, "fresh": 2},
            {"generations": 60, "matches": 10, "fresh": 334},
            {"generations": 900, "matches": 10, "fresh": 334},
        ),
    ),
    *(
        Experiment(kind, f"Experiment 3: {what}", evolve(THREE, kind, ATTENTION), _KIND_SIZES)
        for kind, what in _KIND_WHAT.items()
    ),
    Experiment(
        "attention",
        "Experiment 3 compared, seed by seed: wins in fresh games.",
        attention,
        _sizes({}, {}, {}),
        needs=KINDS,
    ),
    Experiment(
        "readings",
        "Experiment 1, shortened, with one reading or parameter changed at a time: wins of the "
        "last champion in fresh games.",
        readings,
        _sizes(
            {"generations": 1, "matches": 1, "fresh": 2},
            {"generations": 100, "matches": 10, "fresh": 200},
            {"generations": 400, "matches": 10, "fresh": 500},
        ),
    ),
]

_FLATTERED = (
    "The champion of a generation is the best of 200 noisy evaluations, which flatters it: what "
    "it wins when it is chosen it does not win in fresh games. A fresh game shows the network."
)

CLAIMS = [
    Claim(
        "experiment 1: wins of the last champion when it was chosen",
        "6.1, Figures 5 and 6",
        "100 of 100, in the run shown",
        "two_players.shown",
        1.0,
        sense=Sense.AT_LEAST,
        why="The paper shows one run and says that others do not get there.",
    ),
    Claim(
        "experiment 1: most wins any champion of a run showed",
        "6.1, Figures 5 and 6",
        "100 of 100, in the run shown",
        "two_players.most_shown",
        1.0,
        sense=Sense.AT_LEAST,
        why="The paper shows one run and says that others do not get there.",
    ),
    Claim(
        "experiment 1: wins of the last champion in fresh games",
        "6.1",
        "consistently all 20 games against each",
        "two_players.fresh",
        1.0,
        0.01,
        Sense.AT_LEAST,
        why=_FLATTERED,
    ),
    Claim(
        "experiment 1: part of the whole rise of fitness in the first tenth",
        "Figure 5",
        "raises quickly and levels out",
        "two_players.rise",
        0.5,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "generations by which Better is beaten later than Random, Blocker and Capturer",
        "Figure 6",
        "Better took the longest",
        "two_players.better_last",
        0.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "generations by which Better is beaten later than Simple",
        "6.1",
        "coincides",
        "two_players.better_after_simple",
        0.0,
        spread=200.0,
    ),
    Claim(
        "experiment 1: wins in the first seat less those in the second",
        "section 7",
        "over 10 wins was fairly easy; the second seat was hard",
        "two_players.first_seat_ahead",
        0.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "experiment 2: wins against all pairs in fresh games",
        "6.2, Figure 8",
        "do not consistently win",
        "three_players.fresh",
        0.95,
        sense=Sense.AT_MOST,
    ),
    Claim(
        "experiment 2: part of the whole rise of fitness in the first tenth",
        "Figure 7",
        "levels out early",
        "three_players.rise",
        0.5,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "experiment 2: wins against Simple and Better less those against the better of Random "
        "with Blocker and Random with Better",
        "Figure 8",
        "best against Simple and Better",
        "three_players.simple_better_ahead",
        0.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "experiment 3: wins of the last feed-forward champion when it was chosen",
        "6.3, Figure 10",
        "consistently all 30",
        "forward.shown",
        1.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "experiment 3: wins of the last feed-forward champion in fresh games",
        "6.3",
        "consistently all 30",
        "forward.fresh",
        1.0,
        0.01,
        Sense.AT_LEAST,
        why=_FLATTERED,
    ),
    Claim(
        "experiment 3: most wins any champion of a recurrent run showed",
        "Figure 10",
        "all 30, early",
        "recurrent.most_shown",
        1.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "experiment 3: what a recurrent run loses of it again",
        "Figure 10",
        "inexplicably start losing",
        "attention.recurrent_lost",
        0.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "experiment 3: feed-forward less the better of the recurrent kinds, fresh games",
        "6.3",
        "feed-forward is superior",
        "attention.forward_ahead",
        0.0,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "experiment 3: what attention brings a recurrent network, fresh games",
        "6.3",
        "no significant difference",
        "attention.attention_brings",
        0.0,
        0.05,
    ),
]


def _kind_curves(figure: str) -> list[Curve]:
    return [Curve(f"{kind}.{figure}", kind) for kind in KINDS]


PLOTS = [
    Plot(
        "Figure 5: fitness against five hand-coded players",
        "The champion of each generation. The most that is possible is 3950.",
        "generation",
        "fitness",
        [Curve("two_players.fitness", "champion")],
        "two_players.generation",
    ),
    Plot(
        "Figure 6: wins against each player",
        "The paper shows Better alone; 1 is 20 of 20 games.",
        "generation",
        "wins",
        [Curve(f"two_players.wins_{name}", name) for name in FIVE],
        "two_players.generation",
    ),
    Plot(
        "Figure 7: fitness against pairs",
        "The champion of each generation. The most that is possible is 10500.",
        "generation",
        "fitness",
        [Curve("three_players.fitness", "champion")],
        "three_players.generation",
    ),
    Plot(
        "Figure 8: wins against selected pairs",
        "1 is 30 of 30 games.",
        "generation",
        "wins",
        [
            Curve(f"three_players.wins_{word(pair)}", pair)
            for pair in ("random+blocker", "random+better", "simple+better")
        ],
        "three_players.generation",
    ),
    Plot(
        "Figure 9: fitness against two Better players",
        "The champion of each generation. The most that is possible is 1050.",
        "generation",
        "fitness",
        _kind_curves("fitness"),
        "forward.generation",
    ),
    Plot(
        "Figure 10: wins against two Better players",
        "1 is 30 of 30 games.",
        "generation",
        "wins",
        _kind_curves("wins"),
        "forward.generation",
    ),
]

STUDY = Study(
    "pente",
    "Pente for two and three by neuro-evolution",
    "J. Schrum: Neuro-evolution of Pente players for two and three players, by Enforced "
    "Sub-Populations",
    "The paper evolves networks with one hidden layer by Enforced Sub-Populations, until they "
    "beat five simple hand-coded players on 7 x 7, alone and in pairs, and asks whether memory "
    "helps. It does not give the number of hidden units (we take 10) nor the parameters of the "
    "evolution (ours are those of the public package), and the hand-coded players are told in "
    "words. It shows one run of each; we show several, and try each last champion again in games "
    "that it has not seen, since the best of many noisy evaluations is flattered.",
    [*EXPERIMENTS, *pente_beyond.EXPERIMENTS],
    [*CLAIMS, *pente_beyond.CLAIMS],
    PLOTS,
)
