"""Evolutionary programming: networks that compete, and change by mutation alone (001.3).

Each parent has one child, all of whose weights are moved by normal steps; the sizes of the
steps are inherited, and change too.  Parents and children play a tournament; those with
most points are the next parents, ties by chance.  No expert and no result of another
program has a part in that: the **ladders** of fixed opponents only measure.

A network climbs a ladder as long as it beats its opponent on each rung, in one game, as the
first seat and without looking ahead (Figures 4 and 5).
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.errors import UserError
from quintet.learn.learner import State, Step
from quintet.learn.population import Genomes
from quintet.learn.tournament import (
    Fairness,
    draw_seatings,
    play_opponent,
    play_seatings,
    points_of,
)
from quintet.nets.spatial import Spatial
from quintet.parameters import Between, ByText, split_outside
from quintet.players import PLAYER, make_player
from quintet.players.networks import NETWORK, evolved_evaluation, evolved_player, unfit_network
from quintet.players.player import is_compiled


def rungs(text: str) -> list[list[str]]:
    """The opponents of each ladder, the easiest first: ``discs(depth=2)<discs(depth=4)/random``."""
    return [split_outside(ladder, "<") for ladder in split_outside(text, "/")] if text else []


def _checked(text: str, game: Any) -> str:
    for word in (word for ladder in rungs(text) for word in ladder):
        if game is not None and not is_compiled(make_player(word, game)):
            raise UserError(f"opponent {word!r} needs the interpreter; expected another")
    return text


LADDERS = ByText(_checked, str, lambda: "opponents joined by <, ladders by /, or nothing")


def ladder(name: str, settings: str = "") -> str:
    """A fixed opponent of the paper: greedy, and apart from that at growing depths (001.4)."""
    zero, two, four, six = (f"{name}({settings}depth={depth})" for depth in (0, 2, 4, 6))
    return f"{zero}/{two}<{four}<{six}"


JUDGES = "/".join([ladder("positional"), ladder("discs"), ladder("mobility")])
ALL_TABLES = "/".join([JUDGES, *(ladder("positional", f"table={t},") for t in "bcd")])


class EvolutionaryProgramming(NamedTuple):
    """Networks compete, and change by mutation."""

    net: Annotated[Any, NETWORK, "the network that evolves"] = Spatial()
    generations: Annotated[int, Between(1, 10**9), "steps"] = 10000
    parents: Annotated[int, Between(2, 10**4), "networks kept; each has one child"] = 50
    opponents: Annotated[int, Between(1, 10**4), "rounds of a tournament"] = 10
    tournament: Annotated[Fairness, "who meets whom"] = Fairness.FAIR
    depth: Annotated[int, Between(0, 20), "plies looked ahead in tournaments"] = 0
    lost: Annotated[float, Between(0.0, 100.0), "points that a loss costs"] = 2.0
    spread: Annotated[float, Between(0.0, 100.0), "first weights lie so far from 0"] = 0.2
    sigma: Annotated[float, Between(1e-9, 100.0), "first size of the steps"] = 0.05
    floor: Annotated[float, Between(0.0, 1.0), "least size of a step"] = 1e-5
    fame: Annotated[int, Between(0, 1000), "former champions that everybody meets too"] = 0
    judges: Annotated[str, LADDERS, "opponents that measure the parents"] = ""
    every: Annotated[int, Between(1, 10**9), "generations from one measurement to the next"] = 50
    rival: Annotated[str, PLAYER, "opponent of each generation's best"] = "random"
    rival_games: Annotated[int, Between(0, 10**4), "games with it"] = 0

    @staticmethod
    def presets() -> dict[str, str]:
        """The paper's runs for Othello (001.3), and Chong, Tan and White's before it."""
        chong = "net=spatial(windows=squares(3),lead=yes),tournament=unfair"
        iagno = "depth=2,rival=iagno(depth=2),rival_games=25"
        return {
            "queens": f"judges={ALL_TABLES}",
            "squares": f"{chong},judges={ALL_TABLES}",
            "iagno": f"{iagno},judges={ALL_TABLES}",
        }

    @property
    def steps(self) -> int:
        """A step is a generation."""
        return self.generations

    @property
    def headline(self) -> tuple[str, ...]:
        """How long the parents have survived."""
        return ("survival", "step_size")

    def unfit(self, game: Any) -> str | None:
        """It needs a network for the game, and enough of them for a table."""
        seats = game.limits().seats
        if seats < 2:
            return "it needs opponents"
        if 2 * self.parents <= seats:
            return f"parents={self.parents} are too few for {seats} seats"
        if self.depth and not isinstance(self.net, Spatial):
            return f"depth={self.depth}: a network of points does not look ahead; expected 0"
        return unfit_network(self.net, game)

    def start(self, game: Any, step: Step) -> State:
        """Weights by chance."""
        shape = self.parents, self.net.units * self.net.gene(game)
        weights = step.chance.uniform(-self.spread, self.spread, shape)
        return {
            "weights": weights.astype(np.float32),
            "sizes": np.full(shape, self.sigma, np.float32),
            "ages": np.zeros(self.parents, np.int64),
            "points": np.zeros(self.parents),
            "famous": np.zeros((0, shape[1]), np.float32),
        }

    def step(self, game: Any, state: State, step: Step) -> None:
        """A generation: children, a tournament, the next parents."""
        children, sizes = offspring(state["weights"], state["sizes"], self.floor, step.chance)
        weights = np.concatenate([state["weights"], children])
        points = self._compete(game, weights, state["famous"], step)
        # the best first, ties by chance
        chosen = np.lexsort([step.chance.random(len(points)), -points])[: self.parents]
        state["weights"] = weights[chosen]
        state["sizes"] = np.concatenate([state["sizes"], sizes])[chosen]
        state["ages"] = np.concatenate([state["ages"] + 1, np.zeros_like(state["ages"])])[chosen]
        state["points"] = points[chosen]
        if self.fame:
            self._remember(state, step)
        step.tell(
            survival=state["ages"].mean(),
            new=(state["ages"] == 0).mean(),
            step_size=np.median(state["sizes"]),
            weight=np.abs(state["weights"]).mean(),
        )
        self._measure(game, state, step)

    def _compete(
        self, game: Any, weights: Genomes, famous: Genomes, step: Step
    ) -> NDArray[np.float64]:
        """The points of all networks in a tournament."""
        count, seats = len(weights), game.limits().seats
        seatings = draw_seatings(count, seats, self.opponents, self.tournament, step.chance)
        if len(famous):
            seatings = np.concatenate(
                [seatings, _with_famous(count, len(famous), seats, step.chance)]
            )
        genomes = np.concatenate([weights, famous])
        scores = play_seatings(
            game, lambda: self._player(game, self.depth), genomes, seatings, step.seed()
        )
        return points_of(seatings, scores, len(genomes), self.lost)[:count]

    def _remember(self, state: State, step: Step) -> None:
        """The best becomes famous; if there is no more room, in place of one by chance."""
        famous, best = state["famous"], state["weights"][:1]
        if len(famous) == self.fame:
            famous = np.delete(famous, step.chance.integers(self.fame), axis=0)
        state["famous"] = np.concatenate([famous, best])

    def _measure(self, game: Any, state: State, step: Step) -> None:
        """How many parents beat each judge; how many games the best wins against the rival."""
        if self.judges and (step.number % self.every == 0 or step.number == 1):
            for judges in rungs(self.judges):
                self._climb(game, judges, state["weights"], step)
        if self.rival_games:
            best = np.repeat(state["weights"][:1], self.rival_games, axis=0)
            seats = np.arange(self.rival_games) % game.limits().seats
            rival = make_player(self.rival, game)
            scores = play_opponent(
                game, lambda: self._player(game, self.depth), best, rival, seats, step.seed()
            )
            step.tell(rival=scores.mean())

    def _climb(self, game: Any, judges: list[str], genomes: Genomes, step: Step) -> None:
        """How many networks beat one judge after the other."""
        left = genomes
        for judge in judges:
            seed = step.seed()
            if len(left):
                first, opponent = np.zeros(len(left), np.int64), make_player(judge, game)
                scores = play_opponent(
                    game, lambda: self._player(game, 0), left, opponent, first, seed
                )
                left = left[scores == 1.0]
            step.tell(**{judge: len(left)})

    def _player(self, game: Any, depth: int) -> Any:
        return evolved_player(self.net, game, depth)

    def essence(self, state: State) -> State:
        """What the player needs."""
        return {"weights": state["weights"][:1]}

    def player(self, game: Any, state: State) -> Any:
        """The best of the last tournament."""
        return evolved_player(self.net, game, self.depth, state["weights"][0])

    def evaluation(self, game: Any, state: State) -> Any:
        """What it makes of a position."""
        return evolved_evaluation(self.net, game, state["weights"][0])


def offspring(
    weights: Genomes, sizes: Genomes, floor: float, chance: np.random.Generator
) -> tuple[Genomes, Genomes]:
    """A child of each network: first its steps change their sizes, then they are made (001.3)."""
    tau = 1.0 / np.sqrt(2.0 * np.sqrt(weights.shape[1]))
    grown = sizes * np.exp(np.float32(tau) * chance.standard_normal(sizes.shape, np.float32))
    grown = np.maximum(grown, np.float32(floor))
    return weights + grown * chance.standard_normal(sizes.shape, np.float32), grown


def _with_famous(
    count: int, famous: int, seats: int, chance: np.random.Generator
) -> NDArray[np.int64]:
    """Seatings of one network with famous ones, each network once in each seat."""
    seatings = np.array(
        [
            np.insert(count + chance.integers(famous, size=seats - 1), seat, one)
            for one in range(count)
            for seat in range(seats)
        ]
    )
    return seatings
