"""A learner for the tests of runs: it learns a number, with chance, figures and games.

As a program it is the command `quintet` that knows this learner.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from quintet import rules
from quintet.learn import LEARNERS
from quintet.learn.learner import State, Step
from quintet.parameters import Between
from quintet.players import PLAYER
from quintet.players.simple import Greedy, RandomPlayer
from quintet.registry import Entry
from quintet.search.evaluation import Lead


class Toy(NamedTuple):
    """Moves a number towards 1 by noisy steps; from 0.9 on its player is greedy."""

    steps: Annotated[int, Between(1, 10**6), "how many"] = 40
    rate: Annotated[float, Between(0.0, 1.0), "how fast"] = 0.1
    pause: Annotated[float, Between(0.0, 10.0), "seconds a step"] = 0.0
    room: Annotated[int, Between(1, 10**8), "numbers in the state"] = 10
    foe: Annotated[str, PLAYER, "whom it names in its games"] = "random"

    headline = ("level",)

    @staticmethod
    def presets() -> Mapping[str, str]:
        return {"hasty": "rate=0.5,steps=12"}

    def unfit(self, game: Any) -> str | None:
        return None if game.limits().seats == 2 else "it needs two players"

    def start(self, game: Any, step: Step) -> State:
        return {"level": np.zeros(1), "noise": step.chance.normal(size=self.room)}

    def step(self, game: Any, state: State, step: Step) -> None:
        time.sleep(self.pause)
        state["level"] += self.rate * (1.0 - state["level"])
        state["noise"] = state["noise"] + step.chance.normal(size=self.room)
        step.tell(level=state["level"][0], noise=state["noise"][0])
        if step.number % 5 == 0:
            moves, scores = _random_game(game, step)
            step.keep(["run:toy", self.foe], moves, scores)

    def player(self, game: Any, state: State) -> Any:
        return Greedy() if state["level"][0] > 0.9 else RandomPlayer()

    def evaluation(self, game: Any, state: State) -> Lead:
        return Lead(0.01)


def _random_game(game: Any, step: Step) -> tuple[list[int], list[float]]:
    position = rules.new_position(game)
    moves = []
    while not rules.is_over(game, position):
        legal = rules.list_legal_moves(game, position)
        moves.append(int(step.chance.choice(legal)))
        rules.play(game, position, moves[-1])
    scores = np.zeros(2)
    rules.scores(game, position, scores)
    return moves, scores.tolist()


TOY = Entry("tests.unit.toy_learner:Toy", {}, "a number")

if __name__ == "__main__":
    from quintet.cli import main

    LEARNERS["toy"] = TOY
    main()
