"""Learning by hill climbing: an evaluation plays against itself with slightly other weights.

After Heon and Oetting (papers 003.2).  A **challenge** is a game, or some pairs of
games with exchanged seats, between the current weights and a random deviation of
them.  If the challenger wins, its weights become the current ones.

What can be tuned is an evaluation with two methods: ``start_weights(game)`` gives an
array, and ``weighted(weights)`` the evaluation that looks at this array, not at a copy.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.errors import UserError
from quintet.learn.learner import State, Step
from quintet.parameters import Between, ByText
from quintet.players.evaluations import EVALUATIONS, make_evaluation
from quintet.players.judge import Judge, Room, best_looking, new_room
from quintet.randomness import Random, seed_stream, seeded
from quintet.registry import fit_for
from quintet.rules import Positions, Scores

Weights = NDArray[np.float64]

AUTO = "auto"
_SEATS = 2


def tunable(text: str, game: Any) -> Any:
    """The evaluation that a text names, or the first one with weights that suits a game."""
    if text != AUTO:
        evaluation = make_evaluation(text, game)
        if not hasattr(evaluation, "weighted"):
            raise UserError(f"evaluation {text!r} has no weights; expected {_offered(game)}")
        return evaluation
    names = _tunable_names(game)
    if not names:
        raise UserError("no evaluation of this game has weights; expected another game")
    return make_evaluation(names[0], game)


def _tunable_names(game: Any) -> list[str]:
    return [name for name, entry in fit_for(EVALUATIONS, game) if hasattr(entry.load(), "weighted")]


def _offered(game: Any) -> str:
    return " or ".join([AUTO, *_tunable_names(game)])


def _checked(text: str, game: Any) -> str:
    if game is not None:
        tunable(text, game)
    return text


TUNABLE = ByText(_checked, str, lambda: _offered(None))


class HillClimbing(NamedTuple):
    """Weights that win against a random deviation of themselves stay."""

    eval: Annotated[str, TUNABLE, "evaluation to tune; auto: the first that has weights"] = AUTO
    games: Annotated[int, Between(1, 10**9), "of training (choice: 003.2)"] = 2000
    pairs: Annotated[
        int, Between(0, 10**4), "of games with exchanged seats in a challenge; 0: one game (003.2)"
    ] = 0
    opening: Annotated[int, Between(0, 100), "random plies that begin a game"] = 0
    deviation: Annotated[float, Between(0, 10), "of a weight, as a part of it (choice: 003.2)"] = (
        0.1
    )
    least: Annotated[float, Between(0, 10**6), "weight below which the part is of this one"] = 0.1
    batch: Annotated[int, Between(1, 10**6), "games in a step, about"] = 200

    @staticmethod
    def presets() -> dict[str, str]:
        """The paper's rule, and one that chance deceives less."""
        return {"paper": "", "matches": "pairs=10,opening=4,games=20000"}

    @property
    def headline(self) -> tuple[str, ...]:
        """How many challengers win, and how far the weights have come."""
        return ("accepted", "moved")

    @property
    def challenges(self) -> int:
        """How many there are in all."""
        return max(1, self.games // self.games_each)

    @property
    def games_each(self) -> int:
        """Games of a challenge."""
        return max(1, 2 * self.pairs)

    @property
    def challenges_at_once(self) -> int:
        """Challenges of a step."""
        return max(1, self.batch // self.games_each)

    @property
    def steps(self) -> int:
        """How many steps a run has."""
        return -(-self.challenges // self.challenges_at_once)

    def unfit(self, game: Any) -> str | None:
        """It needs two seats and an evaluation with weights."""
        if game.limits().seats != _SEATS:
            return "hill climbing is for two players"
        try:
            tunable(self.eval, game)
        except UserError as error:
            return str(error)
        return None

    def start(self, game: Any, step: Step) -> State:
        """The weights that the evaluation begins with."""
        return {"weights": tunable(self.eval, game).start_weights(game)}

    def step(self, game: Any, state: State, step: Step) -> None:
        """Some challenges, one after the other."""
        first = (step.number - 1) * self.challenges_at_once
        count = min(self.challenges_at_once, self.challenges - first)
        weights = state["weights"].copy()
        challenger = weights.copy()
        evaluation = tunable(self.eval, game)
        accepted = climb(
            game,
            (evaluation.weighted(weights), evaluation.weighted(challenger)),
            (weights, challenger),
            step.chance.normal(0.0, self.deviation, (count, len(weights))),
            self.least,
            first,
            self.pairs,
            self.opening,
            (rules.new_positions(game, 2), new_room(game), np.zeros(_SEATS), seeded(0)),
            step.seed(),
        )
        state["weights"] = weights
        begun = evaluation.start_weights(game)
        moved = np.abs(weights - begun) / np.maximum(np.abs(begun), self.least or 1.0)
        step.tell(accepted=accepted / count, moved=float(moved.mean()))

    def player(self, game: Any, state: State) -> Judge:
        """Takes what looks best by the weights."""
        return Judge(tunable(self.eval, game).weighted(state["weights"]))


Hall = tuple[Positions, Room, Scores, Random]  # start and game, room to look, scores, chance


@jit
def climb(
    game: Any,
    evaluations: Any,
    weights: tuple[Weights, Weights],
    noise: NDArray[np.float64],
    least: float,
    first: int,
    pairs: int,
    opening: int,
    hall: Hall,
    seed: int,
) -> int:
    """Challenge the current weights, the first of two; returns how often they lose."""
    current, challenger = weights
    accepted = 0
    for row in range(noise.shape[0]):
        for i in range(current.shape[0]):
            challenger[i] = current[i] + noise[row, i] * max(abs(current[i]), least)
        lead = 0.0
        for number in range(max(1, 2 * pairs)):
            # pairs have the same opening; of single games every other begins with the challenger
            seat = (number if pairs > 0 else first + row) % 2
            seed_stream(hall[3], seed, row * max(1, pairs) + number // 2)
            lead += lead_of_first(game, evaluations, seat, opening, hall) * (-1.0 if seat else 1.0)
        if lead < 0:
            current[:] = challenger
            accepted += 1
    return accepted


@jit
def lead_of_first(game: Any, evaluations: Any, swapped: int, opening: int, hall: Hall) -> float:
    """Play a game; the score of the first seat, less the second's.

    The first seat has the first of the evaluations, unless they are swapped.
    """
    positions, room, scores, random = hall
    current, challenger = evaluations
    positions[1] = positions[0]
    position = positions[1]
    ply = 0
    while not rules.is_over(game, position):
        if ply < opening:
            move = rules.random_move(game, position, room.moves, random)
        elif (rules.turn(game, position) == 0) == (swapped == 0):
            move = best_looking(current, game, position, room, random)
        else:
            move = best_looking(challenger, game, position, room, random)
        rules.play(game, position, move)
        ply += 1
    rules.scores(game, position, scores)
    return scores[0] - scores[1]
