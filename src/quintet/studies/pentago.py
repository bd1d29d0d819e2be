"""Heon and Oetting's Pentago, repeated: features, hill climbing, a hashed Markov model."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from quintet import games, learn, rules
from quintet.arena.match import Entrant, Terms, play_match
from quintet.learn.learner import State
from quintet.players import make_player
from quintet.players.player import Seat
from quintet.randomness import seeded
from quintet.runs.run import Run
from quintet.runs.settings import Settings
from quintet.studies import pentago_beyond
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

RANDOM, FINISHER = "random", "finisher"
FEATURES = "judge:eval=features"
GREEDY = f"{FEATURES},opening=3"  # the paper's opponent: its first three moves are random
HALF_MOVES = {1: FEATURES, 2: f"{FEATURES},half_moves=2", 3: f"{FEATURES},half_moves=3"}
HASHES = ("primes", "streaks")
OPENING = 4  # random plies where both players would else always play alike

# what the paper searched; it does not tell which values it tried
SEARCHED: dict[str, Sequence[float]] = {
    "buckets": (50, 150, 500, 1000, 1500, 5000, 20_000, 100_000),
    "games": (50, 200, 500, 1000, 2000, 5000),
    "gamma": (0.3, 0.6, 0.8, 0.9, 0.95, 0.99),
    "tau": (1.0, 0.1, 0.01, 0.001, 0.0001),
    "epsilon": (0.0, 0.1, 0.2, 0.4, 0.7, 1.0),
}
BEST = {"buckets": 1500, "games": 2000, "gamma": 0.9, "tau": 0.001, "epsilon": 0.2}


# --- how it is done -----------------------------------------------------------------


def the_game() -> Any:
    """Pentago has no options."""
    return games.make("pentago")


def trained(task: Task, name: str, learner: str) -> Run:
    """A run in the task's folder, begun or gone on with, and finished."""
    game = the_game()
    folder = task.folder / name
    settings = Settings(learn.learner_from(learner, game), game, task.seed, checkpoints=10)
    run = Run(folder) if (folder / "run.toml").is_file() else Run.create(folder, settings)
    if not run.is_finished() and not run.train(task.stop):
        raise Interrupted
    return run


def player_of(run: Run, state: State) -> Any:
    """What a run had learnt when it was in this state."""
    return run.settings.learner.player(run.settings.game, state)


def share(
    task: Task, player: Any, opponent: Any, count: int, opening: int = 0, drawn: float = 0.0
) -> float:
    """The part of the games that a player wins, and so much of those nobody wins."""
    if task.stop():
        raise Interrupted
    game = the_game()
    pair = [
        make_player(text, game) if isinstance(text, str) else text for text in (player, opponent)
    ]
    entrants = [Entrant(name, it) for name, it in zip(("it", "other"), pair, strict=True)]
    match = play_match(game, entrants, Terms(count, task.seed, opening=opening), workers=1)
    mine = next(s for s in match.standings() if s.player == "it" and s.seat is None)
    return mine.wins.mean + drawn * 2 * (mine.score.mean - mine.wins.mean)


def seconds_of(run: Run) -> float:
    """How long a run was at work."""
    return sum(float(session["seconds"]) for session in run.sessions())


def megabytes(arrays: Any) -> float:
    """What all arrays take, in a state or in the memory of a player."""
    if isinstance(arrays, np.ndarray):
        return arrays.nbytes / 1e6
    inner = arrays.values() if isinstance(arrays, dict) else arrays
    return sum(megabytes(part) for part in inner) if isinstance(arrays, (dict, tuple)) else 0.0


# --- the experiments ----------------------------------------------------------------


def some_positions(count: int, seed: int) -> Any:
    """Positions of random games that are not over."""
    game, random = the_game(), seeded(seed)
    moves, found = rules.move_buffer(game), rules.new_positions(game, count)
    position = rules.new_position(game)
    for i in range(count):
        found[i] = position
        rules.play(game, position, rules.random_move(game, position, moves, random))
        if rules.is_over(game, position):
            position = rules.new_position(game)
    return found


def speed(task: Task) -> Figures:
    """How quick the features and the players are that the authors could not afford."""
    from quintet.players.pentago_features import START_WEIGHTS, sum_of_values

    positions = some_positions(task.sizes["positions"], task.seed)
    repeats = task.sizes["repeats"]
    sum_of_values(START_WEIGHTS, positions)
    begun = time.process_time()
    for _ in range(repeats):
        sum_of_values(START_WEIGHTS, positions)
    took = (time.process_time() - begun) / (repeats * len(positions))
    figures: Figures = {"positions_per_second": 1.0 / took}
    game = the_game()
    for half_moves, text in HALF_MOVES.items():
        seat = Seat(make_player(text, game), game, seeded(task.seed))
        seat.choose(positions[0])
        begun = time.process_time()
        for position in positions[: task.sizes["moves"]]:
            if task.stop():
                raise Interrupted
            seat.choose(position)
        took = (time.process_time() - begun) / task.sizes["moves"]
        figures[f"milliseconds_{half_moves}"] = 1000 * took
        figures[f"megabytes_{half_moves}"] = megabytes(seat.memory)
    return figures


def half_moves(task: Task) -> Figures:
    """Who looks further against who looks less far; draws count half."""
    count, deep = task.sizes["games"], task.sizes["deep_games"]
    figures: Figures = {}
    for number, text in HALF_MOVES.items():
        figures[f"random_{number}"] = share(task, text, RANDOM, deep if number > 1 else count)
    for more, less in ((2, 1), (3, 1), (3, 2)):
        pair = HALF_MOVES[more], HALF_MOVES[less]
        figures[f"score_{more}_{less}"] = share(task, *pair, deep, OPENING, drawn=0.5)
    return figures


def baseline(task: Task) -> Figures:
    """Chance that takes immediate wins, and nothing else."""
    return {
        "random": share(task, FINISHER, RANDOM, task.sizes["games"]),
        "greedy": share(task, FINISHER, GREEDY, task.sizes["games"]),
    }


def markov(task: Task) -> Figures:
    """The paper's model with its best parameters, and how it grows."""
    count = task.sizes["games"]
    figures: Figures = {}
    for hash in HASHES:
        run = trained(task, hash, f"markov:hash={hash},games={task.sizes['training']},batch=50")
        steps = [step for step, _ in run.checkpoints()]
        players = [player_of(run, run.state(step)) for step in steps]
        curves = {
            name: [share(task, player, opponent, count) for player in players]
            for name, opponent in (("random", RANDOM), ("greedy", GREEDY))
        }
        figures["played"] = [50.0 * step for step in steps]
        for name, curve in curves.items():
            figures[f"{hash}_{name}_curve"] = list(curve)
            figures[f"{hash}_{name}"] = curve[-1]
        base = task.found["baseline"]["random"]
        assert isinstance(base, float)
        figures[f"{hash}_gain"] = curves["random"][-1] - base
        figures[f"{hash}_seconds"] = seconds_of(run)
        figures[f"{hash}_megabytes"] = megabytes(run.state())
    return figures


def search(name: str) -> Callable[[Task], Figures]:
    """An experiment: one parameter takes several values, the others stay the paper's best."""

    def run_search(task: Task) -> Figures:
        values = [v for v in SEARCHED[name] if name != "games" or v <= task.sizes["most_training"]]
        figures: Figures = {"values": list(values)}
        for hash in HASHES:
            rows = [_tried(task, name, value, hash) for value in values]
            for key in rows[0]:
                figures[f"{hash}_{key}"] = [row[key] for row in rows]
            at_best = rows[values.index(BEST[name])] if BEST[name] in values else rows[-1]
            best = max(row["random"] for row in rows)
            figures[f"{hash}_gain"] = best - at_best["random"]
            for unit in ("seconds", "megabytes"):
                figures[f"{hash}_most_{unit}"] = max(row[unit] for row in rows)
        return figures

    return run_search


def _tried(task: Task, name: str, value: float, hash: str) -> dict[str, float]:
    given = {"games": task.sizes["training"], name: f"{value:g}"}
    settings = ",".join(f"{key}={text}" for key, text in given.items())
    run = trained(task, f"{hash}-{value:g}", f"markov:hash={hash},{settings}")
    player = player_of(run, run.state())
    return {
        "random": share(task, player, RANDOM, task.sizes["games"]),
        "greedy": share(task, player, GREEDY, task.sizes["games"]),
        "seconds": seconds_of(run),
        "megabytes": megabytes(run.state()),
    }


def hill_climbing(task: Task) -> Figures:
    """Weights that beat a deviation of themselves, by the paper's rule and by matches."""
    count, training = task.sizes["games"], task.sizes["training"]
    ways = {
        "paper": f"games={training},batch=100",
        "matches": f"games={training},batch=100,pairs=10,opening={OPENING}",
        "longer": f"games={task.sizes['longer']},batch=500,pairs=25,opening={OPENING}",
    }
    figures: Figures = {}
    for name, settings in ways.items():
        run = trained(task, name, f"hill-climbing:{settings}")
        steps = [step for step, _ in run.checkpoints()]
        players = [player_of(run, run.state(step)) for step in steps]
        curve = [share(task, it, FEATURES, count, OPENING, drawn=0.5) for it in players]
        games_a_step = run.settings.learner.games / run.steps
        figures[f"{name}_played"] = [games_a_step * step for step in steps]
        figures[f"{name}_curve"] = list(curve)
        figures[f"{name}_score"] = curve[-1]
        figures[f"{name}_random"] = share(task, players[-1], RANDOM, count)
        figures[f"{name}_seconds"] = seconds_of(run)
    return figures


def _sizes(smoke: dict[str, int], quick: dict[str, int], full: dict[str, int]) -> Any:
    return {Scale.SMOKE: smoke, Scale.QUICK: quick, Scale.FULL: full}


_SEARCH_SIZES = _sizes(
    {"games": 10, "training": 20, "most_training": 50},
    {"games": 500, "training": 1000, "most_training": 2000},
    {"games": 1000, "training": 2000, "most_training": 5000},
)
_SEARCHED_WHAT = {
    "buckets": "The number of buckets.",
    "games": "The number of training games.",
    "gamma": "The discount.",
    "tau": "The tolerance of value iteration.",
    "epsilon": "The part of random moves in training.",
}

EXPERIMENTS = [
    Experiment(
        "speed",
        "Boards seen by their 35 features in a second, on one core; time of a move and memory of "
        "the players that look one, two and three half-moves ahead, in positions of random games.",
        speed,
        _sizes(
            {"positions": 50, "repeats": 2, "moves": 3},
            {"positions": 2000, "repeats": 200, "moves": 200},
            {"positions": 2000, "repeats": 1000, "moves": 200},
        ),
    ),
    Experiment(
        "half_moves",
        "The feature player against random moves and against itself with fewer half-moves; there "
        f"with {OPENING} random plies first, draws counted half.",
        half_moves,
        _sizes(
            {"games": 10, "deep_games": 2},
            {"games": 1000, "deep_games": 200},
            {"games": 1000, "deep_games": 100},
        ),
    ),
    Experiment(
        "baseline",
        "Random moves, but an immediate win is taken, against the opponents of the model.",
        baseline,
        _sizes({"games": 20}, {"games": 1000}, {"games": 4000}),
    ),
    Experiment(
        "markov",
        "The Markov model with 1500 buckets, 2000 games, gamma 0.9, tau 0.001 and 20% exploration, "
        "against random moves and against the greedy feature player whose first three moves are "
        "random; with the hash by primes and the one by streaks, which the authors found too slow.",
        markov,
        _sizes(
            {"games": 10, "training": 100},
            {"games": 1000, "training": 2000},
            {"games": 1000, "training": 2000},
        ),
        needs=["baseline"],
    ),
    *(
        Experiment(f"search_{name}", what, search(name), _SEARCH_SIZES)
        for name, what in _SEARCHED_WHAT.items()
    ),
    Experiment(
        "hill_climbing",
        "Weights tuned in self-play. By the paper's rule one game decides; by ours a match of 20 "
        "games with exchanged seats; and longer, with matches of 50. The score is against the "
        f"weights at the start, after {OPENING} random plies, draws counted half.",
        hill_climbing,
        _sizes(
            {"games": 10, "training": 100, "longer": 500},
            {"games": 500, "training": 2000, "longer": 10_000},
            {"games": 1000, "training": 2000, "longer": 50_000},
        ),
    ),
]

_NEARLY_RANDOM = (
    "The hash by primes puts unlike boards together. What is left is to take immediate wins: "
    "the baseline, which does only that, is as good."
)
CLAIMS = [
    Claim(
        "model against random moves: wins",
        "Performance against a baseline",
        "about 96%",
        "markov.primes_random",
        0.96,
        0.02,
    ),
    Claim(
        "model against the greedy player: wins, hash by primes",
        "Performance against a baseline",
        "30%",
        "markov.primes_greedy",
        0.30,
        0.10,
        why=_NEARLY_RANDOM + " Their feature player may have been weaker than ours, and they "
        "played few games against it.",
    ),
    Claim(
        "model against the greedy player: wins, hash by streaks",
        "Performance against a baseline",
        "30%",
        "markov.streaks_greedy",
        0.30,
        0.10,
    ),
    Claim(
        "feature player against random moves: wins",
        "Results and Setbacks",
        "intelligent enough to beat a random move generator",
        "half_moves.random_1",
        0.5,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "tuned weights against those at the start, by the paper's rule: score",
        "Weight Determination",
        "hoped to converge on an optimal set of weights",
        "hill_climbing.paper_score",
        0.5,
        sense=Sense.AT_LEAST,
        why="One game says little about two sets of weights that are almost the same; so half of "
        "all challengers win, good or bad, and the weights drift.",
    ),
    *(
        Claim(
            f"{name}: no other value is better than {best:g} by more than chance (gain)",
            "Finding the best parameters",
            f"{best:g}",
            f"search_{name}.primes_gain",
            0.02,
            sense=Sense.AT_MOST,
        )
        for name, best in BEST.items()
    ),
    Claim(
        "model against random moves: gain over the baseline, hash by primes",
        "goal",
        "a clear indicator of intelligent play",
        "markov.primes_gain",
        0.01,
        sense=Sense.AT_LEAST,
        why=_NEARLY_RANDOM,
    ),
    Claim(
        "model against random moves: gain over the baseline, hash by streaks",
        "goal",
        "a clear indicator of intelligent play",
        "markov.streaks_gain",
        0.01,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "tuned weights against those at the start, by matches: score",
        "goal",
        "more than half",
        "hill_climbing.longer_score",
        0.5,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "boards seen by their 35 features in a second, on one core",
        "goal",
        "",
        "speed.positions_per_second",
        1e6,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "three half-moves: megabytes of the player",
        "goal",
        "",
        "speed.megabytes_3",
        100.0,
        sense=Sense.AT_MOST,
    ),
    Claim(
        "three half-moves: milliseconds a move",
        "goal",
        "too computationally intensive",
        "speed.milliseconds_3",
        1000.0,
        sense=Sense.AT_MOST,
    ),
    Claim(
        "three half-moves against one: score",
        "goal",
        "much less intelligent than a model which can examine future moves",
        "half_moves.score_3_1",
        0.5,
        sense=Sense.AT_LEAST,
    ),
    Claim(
        "two half-moves against one: score",
        "goal",
        "much less intelligent than a model which can examine future moves",
        "half_moves.score_2_1",
        0.5,
        sense=Sense.AT_LEAST,
    ),
    *(
        Claim(
            f"100,000 buckets: seconds of training with 2000 games, hash by {hash}",
            "goal",
            "all the application memory with 1000 buckets",
            f"search_buckets.{hash}_most_seconds",
            60.0,
            sense=Sense.AT_MOST,
        )
        for hash in HASHES
    ),
    Claim(
        "100,000 buckets: megabytes of the model",
        "goal",
        "all the application memory with 1000 buckets",
        "search_buckets.primes_most_megabytes",
        100.0,
        sense=Sense.AT_MOST,
    ),
]


def _search_plot(name: str, what: str) -> Plot:
    curves = [
        Curve(f"search_{name}.{hash}_{opponent}", f"{hash}, against {opponent}")
        for hash in HASHES
        for opponent in ("random", "greedy")
    ]
    caption = f"{what} The paper's best: {BEST[name]:g}; all else is as there."
    return Plot(f"Parameter: {name}", caption, name, "wins", curves, f"search_{name}.values")


PLOTS = [
    Plot(
        "The Markov model while it learns",
        "Wins against random moves and against the greedy player.",
        "training games",
        "wins",
        [
            Curve(f"markov.{hash}_{opponent}_curve", f"{hash}, against {opponent}")
            for hash in HASHES
            for opponent in ("random", "greedy")
        ],
        "markov.played",
    ),
    *(_search_plot(name, what) for name, what in _SEARCHED_WHAT.items()),
    Plot(
        "What buckets cost",
        "Training with each number of buckets, on one core.",
        "buckets",
        "seconds, or megabytes",
        [
            Curve(f"search_buckets.{hash}_{unit}", f"{hash}: {unit}")
            for hash in HASHES
            for unit in ("seconds", "megabytes")
        ],
        "search_buckets.values",
    ),
    Plot(
        "Hill climbing with the paper's number of games",
        "Score of the current weights against those at the start.",
        "training games",
        "score",
        [
            Curve("hill_climbing.paper_curve", "one game decides (paper)"),
            Curve("hill_climbing.matches_curve", "matches of 20 games"),
        ],
        "hill_climbing.paper_played",
    ),
    Plot(
        "Hill climbing for longer",
        "Score of the current weights against those at the start; matches of 50 games.",
        "training games",
        "score",
        [Curve("hill_climbing.longer_curve", "matches of 50 games")],
        "hill_climbing.longer_played",
    ),
]

STUDY = Study(
    "pentago",
    "Pentago by features and by a Markov model",
    "G. Heon and L. Oetting: An Application of Machine Learning to the Board Game Pentago (2012)",
    "The paper plays Pentago in two ways. A greedy player sees boards by 35 features, whose "
    "weights are tuned in self-play; looking three half-moves ahead was too slow. A Markov model "
    "learns a value for each of 1500 buckets of hashed boards. The list of features is ours, as "
    "the paper names only two, and so are the starting weights. That the model never won against "
    "the authors cannot be repeated. Beside its wins stands what the paper lacks: a player that "
    "moves at random but takes immediate wins. Beyond the paper: temporal differences over tuples "
    "of cells, and an exact solver that tells how many late moves keep the value of the game.",
    [*EXPERIMENTS, *pentago_beyond.EXPERIMENTS],
    [*CLAIMS, *pentago_beyond.CLAIMS],
    [*PLOTS, *pentago_beyond.PLOTS],
)
