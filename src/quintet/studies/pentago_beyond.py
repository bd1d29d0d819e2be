"""Beyond the Pentago paper: a learner that sees lines, and the truth about late moves."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from quintet import games
from quintet.arena.match import Entrant, Terms, play_match
from quintet.learn import make_learner
from quintet.learn.learner import Step
from quintet.players import make_player
from quintet.players.pentago_solver import move_worths, new_room
from quintet.runs.run import Run
from quintet.runs.settings import Settings
from quintet.studies.late_game import choices, reached, value_kept
from quintet.studies.study import (
    Claim,
    Curve,
    Experiment,
    Figures,
    Interrupted,
    Plot,
    Scale,
    Sense,
    Task,
)

_GAME = "pentago"
_FEATURES = "judge:eval=features"  # the greedy player of the paper, with the starting weights
_OPENING = 4  # random plies of each match: the players are deterministic
_CHECKPOINTS = 10
_EMPTY = (6, 8, 10, 12)  # cells, in the positions where late moves are judged
_SOLVED_EMPTY = (10, 12, 14, 15, 16)  # cells, in those that are solved for the time it takes


def _trained(task: Task) -> Run:
    """The run of the n-tuple learner with this seed, finished."""
    game = games.make(_GAME)
    chosen = [("games", str(task.sizes["training"]))]
    learner = make_learner("ntuple", game, chosen, preset="pentago")
    folder = task.folder / "ntuple"
    known = (folder / "run.toml").is_file()
    settings = Settings(learner, game, task.seed, _CHECKPOINTS)
    run = Run(folder) if known else Run.create(folder, settings)
    if not run.train(task.stop):
        raise Interrupted
    return run


def _player(run: Run, step: int | None = None) -> Any:
    return run.settings.learner.player(run.settings.game, run.state(step))


def _markov(game: Any, seed: int, training: int) -> Any:
    """The paper's model, trained as it was."""
    learner = make_learner("markov", game, [("games", str(training))], preset="paper")
    state = learner.start(game, Step(0, seed))
    for number in range(1, learner.steps + 1):
        learner.step(game, state, Step(number, seed))
    return learner.player(game, state)


def _wins(task: Task, game: Any, player: Any, other: Any) -> float:
    """The part of the games that a player wins; ties do not count."""
    entrants = [Entrant("ntuple", player), Entrant("other", other)]
    result = play_match(game, entrants, Terms(task.sizes["games"], task.seed, _OPENING), workers=1)
    return float(next(s.wins.mean for s in result.standings() if s.player == "ntuple"))


def learn_lines(task: Task) -> Figures:
    """Train, then meet the players of the paper."""
    begun = time.perf_counter()
    run = _trained(task)
    seconds = sum(session["seconds"] for session in run.sessions())
    game, player = run.settings.game, _player(run)
    figures: Figures = {"training_seconds": seconds or time.perf_counter() - begun}
    for name in ("random", "greedy"):
        figures[name] = _wins(task, game, player, make_player(name, game))
    figures["features"] = _wins(task, game, player, make_player(_FEATURES, game))
    figures["markov"] = _wins(task, game, player, _markov(game, task.seed, task.sizes["markov"]))
    return figures


def solve_late(task: Task) -> Figures:
    """Seconds of a processor to solve a position, by how many cells are empty."""
    game = games.make(_GAME)
    empty = [number for number in _SOLVED_EMPTY if number <= task.sizes["empty"]]
    median, slowest, won = [], [], []
    for number in empty:
        room = new_room(number)
        positions = reached(game, 36 - number, task.sizes["positions"], task.seed)
        move_worths(positions[0], room)  # compiles
        seconds, wins = [], 0
        for position in positions:
            if task.stop():
                raise Interrupted
            begun = time.process_time()
            worths = move_worths(position, room)
            seconds.append(time.process_time() - begun)
            wins += max(worths.values()) == 1
        median.append(float(np.median(seconds)))
        slowest.append(max(seconds))
        won.append(wins / len(positions))
    stones = [36.0 - number for number in empty]
    return {
        "stones": stones,
        "median": median,
        "slowest": slowest,
        "won": won,
        "earliest_median": median[-1],
        "earliest_stones": stones[-1],
    }


def keep_the_value(task: Task) -> Figures:
    """The share of late moves that keep the value of the game."""
    run = Run(task.folders["learn_lines"] / "ntuple")
    game = run.settings.game
    empty = [number for number in _EMPTY if number <= task.sizes["empty"]]
    positions = choices(game, empty, task.sizes["positions"], task.seed)
    figures: Figures = {}
    for name, text in (
        ("random", "random"),
        ("finisher", "finisher"),
        ("greedy", "greedy"),
        ("features", _FEATURES),
    ):
        figures[name] = value_kept(make_player(text, game), game, positions)
    markov = _markov(game, task.seed, task.sizes["markov"])
    figures["markov"] = value_kept(markov, game, positions)
    steps, kept = [], []
    for checkpoint in run.checkpoints():
        steps.append(float(checkpoint.step * run.settings.learner.batch))
        kept.append(value_kept(_player(run, checkpoint.step), game, positions))
    figures |= {"games": steps, "ntuple_curve": kept, "ntuple": kept[-1]}
    figures["gain"] = kept[-1] - float(figures["features"])  # type: ignore[arg-type]
    for name in ("random", "greedy", "features", "markov"):
        figures[f"{name}_curve"] = [float(figures[name])] * len(steps)  # type: ignore[arg-type]
    return figures


EXPERIMENTS = [
    Experiment(
        "learn_lines",
        "TD(lambda) with tables over lines, over lines one turn before, and over quadrants, "
        "trained by self-play; greedy play against the players of the paper, both seats, after "
        f"{_OPENING} random plies.",
        learn_lines,
        {
            Scale.SMOKE: {"training": 400, "games": 20, "markov": 100},
            Scale.QUICK: {"training": 20000, "games": 400, "markov": 2000},
            Scale.FULL: {"training": 45000, "games": 2000, "markov": 2000},
        },
    ),
    Experiment(
        "solve_late",
        "Positions reached by sensible play, solved exactly: processor seconds by the number of "
        "stones.",
        solve_late,
        {
            Scale.SMOKE: {"empty": 10, "positions": 4},
            Scale.QUICK: {"empty": 15, "positions": 20},
            Scale.FULL: {"empty": 16, "positions": 10},
        },
    ),
    Experiment(
        "keep_the_value",
        "Late positions reached by sensible play in which some move throws the value of the game "
        f"away, with {', '.join(map(str, _EMPTY))} empty cells: the share of moves that do not.",
        keep_the_value,
        {
            Scale.SMOKE: {"empty": 8, "positions": 5, "markov": 100},
            Scale.QUICK: {"empty": 12, "positions": 50, "markov": 2000},
            Scale.FULL: {"empty": 12, "positions": 50, "markov": 2000},
        },
        needs=["learn_lines"],
    ),
]

CLAIMS = [
    Claim(
        "n-tuple player against the greedy feature player: wins",
        "goal",
        "at least 90%",
        "learn_lines.features",
        0.9,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "n-tuple player against the hashed Markov model: wins",
        "goal",
        "at least 95%",
        "learn_lines.markov",
        0.95,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "seconds to solve a position (median), in full from 20 stones on",
        "goal",
        "about a second, so at most 2",
        "solve_late.earliest_median",
        2.0,
        sense=Sense.AT_MOST,
    ),
    Claim(
        "late moves that keep the value: n-tuple player less the feature player",
        "goal",
        "more",
        "keep_the_value.gain",
        0.0,
        sense=Sense.AT_LEAST,
    ),
]

PLOTS = [
    Plot(
        "Late moves that keep the value of the game",
        "Only positions in which some move does not. The lines without a slope are players that "
        "do not learn here.",
        "games of self-play",
        "share of moves",
        [
            Curve("keep_the_value.ntuple_curve", "n-tuple"),
            Curve("keep_the_value.features_curve", "features, greedy"),
            Curve("keep_the_value.greedy_curve", "takes wins, blocks losses"),
            Curve("keep_the_value.markov_curve", "hashed Markov model"),
            Curve("keep_the_value.random_curve", "random"),
        ],
        x="keep_the_value.games",
    ),
    Plot(
        "Time to solve a late position",
        "One core. The time depends on the empty cells alone.",
        "stones on the board",
        "seconds",
        [Curve("solve_late.median", "median"), Curve("solve_late.slowest", "slowest")],
        x="solve_late.stones",
    ),
]
