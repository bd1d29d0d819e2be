"""What all learners that evolve networks of points share: the games, and the champion.

Their common parameters are `net`, `tests`, `matches`, `moves_max`, `consolation`, `finish`,
`retests`, `seat`, and, for tests with rivals, `archive`, `room` and `rivals`.  The champion
of a generation is the best of many noisy trials, which flatters it; with `retests` the best
few are tried again, and the best of all generations is kept by what these further trials say.
"""

from __future__ import annotations

import itertools
from typing import Annotated, Any

import numpy as np

from quintet.learn.archive import Archive, best_layers, forgetting_one
from quintet.learn.learner import State, Step
from quintet.learn.population import RIVAL, TESTS, Genomes, Haste, Tally, Trials, groups, win_at
from quintet.parameters import Between
from quintet.players.finishing import Finish
from quintet.players.networks import NETWORK
from quintet.players.point_network import network_player, unfit_for_points

Net = Annotated[Any, NETWORK, "the network that evolves"]
Tests = Annotated[str, TESTS, "groups of opponents, joined by / (000.4)"]
Matches = Annotated[int, Between(1, 10**6), "of each test: a game from every seat (000.4)"]
MovesMax = Annotated[int, Between(0, 10**6), "of a gain; 0: the cells of the board (000.4)"]
Consolation = Annotated[float, Between(0.0, 10.0), "gain for each ply of a game not won (000.4)"]
Finishing = Annotated[Finish, "wins always taken, and rows always stopped (000.2)"]
Retests = Annotated[int, Between(0, 1000), "best networks of a generation that are tried again"]
OwnSeat = Annotated[int, Between(0, 6), "for which it evolves; 0: for all (section 7)"]
Remembered = Annotated[Archive, "which champions become rivals (7.1)"]
Room = Annotated[int, Between(1, 1000), "champions that are remembered"]
Rivals = Annotated[int, Between(1, 100), "of them that a generation meets"]

FIVE = ("random", "blocker", "capturer", "simple", "better")
TWO_PLAYERS = "/".join(FIVE)  # experiment 1 of 000.6, 2 and 3
THREE_PLAYERS = "/".join("+".join(pair) for pair in itertools.combinations(FIVE, 2))
ATTENTION = "better+better"
_MORE_MATCHES = 5  # times as many, when tried again


def unfit(learner: Any, game: Any) -> str | None:
    """Why a learner cannot learn a game, or None."""
    seats = game.limits().seats
    if seats < 2:
        return "it needs opponents"
    if learner.seat > seats:
        return f"seat={learner.seat}, but there are {seats} seats"
    return unfit_for_points(learner.net, game)


def tried(
    learner: Any,
    game: Any,
    net: Any,
    genomes: Genomes,
    seed: int,
    rivals: Genomes | None = None,
    more: int = 1,
) -> Tally:
    """What becomes of genomes in the learner's tests."""
    longest = learner.moves_max or game.layout().cells
    measure = Haste(float(longest), learner.consolation)
    trials = Trials(game, learner.tests, learner.matches * more, measure, learner.seat, rivals)
    return trials.of(lambda: network_player(net, game, learner.finish), genomes, seed)


def has_rivals(learner: Any) -> bool:
    """Do its tests ask for networks of its own past?"""
    return any(RIVAL in group for group in groups(learner.tests))


def drawn_rivals(learner: Any, state: State, genomes: Genomes, step: Step) -> Genomes | None:
    """Those that this generation meets; at first one of its own."""
    if not has_rivals(learner):
        return None
    archive: Genomes = state.get("archive", genomes[:1])
    return archive[step.chance.integers(len(archive), size=learner.rivals)]


def remember(
    learner: Any, game: Any, net: Any, state: State, champion: Genomes, step: Step
) -> None:
    """Let a champion join the archive, and another leave it if there is no room."""
    before = state.get("archive", champion[:0])
    archive = np.concatenate([before, champion])
    if len(archive) > learner.room:
        if learner.archive is Archive.PARETO:
            wins = met_each_other(learner, game, net, archive, step.seed())
            kept = best_layers(wins, learner.room)
        else:
            kept = forgetting_one(step.chance, len(archive), learner.room)
        archive = archive[kept]
    state["archive"] = archive


def met_each_other(learner: Any, game: Any, net: Any, genomes: Genomes, seed: int) -> Any:
    """How many games each of some networks wins, from all seats, against each of them."""
    table = "+".join([RIVAL] * (game.limits().seats - 1))
    trials = Trials(game, table, 1, Haste(1.0, 0.0), rivals=genomes)
    tally = trials.of(lambda: network_player(net, game, learner.finish), genomes, seed)
    return tally.wins.sum(axis=2)


def no_champion() -> State:
    """Nothing was tried yet."""
    return {"best_fitness": np.array([-np.inf])}


def crown(
    learner: Any,
    game: Any,
    net: Any,
    state: State,
    genomes: Genomes,
    tally: Tally,
    step: Step,
    rivals: Genomes | None,
) -> None:
    """Keep the best network of this generation and of all; tell about them."""
    fitness = tally.fitness()
    order = np.argsort(-fitness, kind="stable")
    leader = int(order[0])
    state["champion"] = genomes[leader].copy()
    shares = {f"won_{i + 1}": share for i, share in enumerate(win_at(tally, leader))}
    step.tell(fitness=fitness[leader], mean=fitness.mean(), won=tally.won()[leader], **shares)
    best, value = leader, float(fitness[leader])
    if learner.retests:
        few = order[: learner.retests]
        again = tried(learner, game, net, genomes[few], step.seed(), rivals, _MORE_MATCHES)
        found = again.fitness() / _MORE_MATCHES
        place = int(np.argmax(found))
        best, value = int(few[place]), float(found[place])
        step.tell(retested=again.won()[place])
    if rivals is not None:
        remember(learner, game, net, state, genomes[best : best + 1], step)
    if value > state["best_fitness"][0]:
        state["best"] = genomes[best].copy()
        state["best_fitness"] = np.array([value])


def essence(learner: Any, state: State) -> State:
    """The one network that plays."""
    name = "best" if learner.retests else "champion"
    return {name: state[name]}


def player_of(learner: Any, game: Any, net: Any, state: State) -> Any:
    """The best network; without retests, the last generation's champion, as the paper has it."""
    (genome,) = essence(learner, state).values()
    return network_player(net, game, learner.finish, genome)
