"""Evaluations: what a position is worth to each seat, without looking at all that follows.

Searches compare **values**: scores moved to the range from 0 to 1, so that a win
is 1 in tic-tac-toe and the whole board is 1 in Go.  An **evaluation** is a
NamedTuple of parameters that implements `evaluate`.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import borrowing, generic, jit
from quintet.parameters import Between
from quintet.randomness import Random
from quintet.rules import Moves, Position, Scores

Values = NDArray[np.float64]  # one for each seat, from 0 to 1

_UNSURE = 1e-6  # an estimate stays this far from what only the end of a game can give


class Desk(NamedTuple):
    """Room to work in, for the evaluations of one thread."""

    moves: Moves  # the legal moves of one position
    trace: NDArray[np.int32]  # the moves that an evaluation plays; no room if nobody asks
    range: NDArray[np.float64]  # the lowest score, and what a point is worth


def new_desk(game: Any) -> Desk:
    """A desk for this game."""
    limits = game.limits()
    trace = np.zeros(limits.plies + 1, np.int32)
    worth = 1.0 / (limits.highest - limits.lowest)
    return Desk(rules.move_buffer(game), trace, np.array([limits.lowest, worth]))


@generic
def evaluate(
    evaluation: Any, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    """Write what each seat may expect from a position that is not over.

    May change the position.  Returns how many moves it wrote into
    ``desk.trace``: a playout does where there is room, most evaluations do not.
    """
    raise NotImplementedError


@generic
def foresee(
    evaluation: Any,
    game: Any,
    position: Position,
    desk: Desk,
    random: Random,
    priors: NDArray[np.float32],
    out: Values,
) -> None:
    """Write how likely each move of the game is, and what each seat may expect.

    May change the position.  By default all moves are as likely.
    """


@foresee.default
def _expect_any_move(
    evaluation: Any,
    game: Any,
    position: Position,
    desk: Desk,
    random: Random,
    priors: NDArray[np.float32],
    out: Values,
) -> None:
    priors[:] = 1.0
    evaluate(evaluation, game, position, desk, random, out)


@borrowing
def final_values(game: Any, position: Position, desk: Desk, out: Values) -> None:
    """Write the values of a position that is over."""
    rules.scores(game, position, out)
    for seat in range(out.shape[0]):
        out[seat] = (out[seat] - desk.range[0]) * desk.range[1]


@jit
def spread(amounts: Scores, worth: float) -> None:
    """Turn amounts of any kind into values.

    A lead of 1 over the average of the other seats moves a seat's value by `worth`
    away from an equal share; no value reaches 0 or 1.
    """
    seats = amounts.shape[0]
    mean = amounts.mean()
    for seat in range(seats):
        lead = (amounts[seat] - mean) * seats / max(seats - 1, 1)
        amounts[seat] = min(max(1.0 / seats + worth * lead, _UNSURE), 1.0 - _UNSURE)


class Playout(NamedTuple):
    """The result of one random game from here on."""


@evaluate.implement(Playout)
@borrowing
def _play_out(
    evaluation: Playout, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    played = 0
    if desk.trace.shape[0] == 0:
        rules.play_out(game, position, desk.moves, random)
    while not rules.is_over(game, position):
        move = rules.random_move(game, position, desk.moves, random)
        rules.play(game, position, move)
        desk.trace[played] = move
        played += 1
    final_values(game, position, desk, out)
    return played


class Level(NamedTuple):
    """All seats stand alike: a search then sees only the ends of games."""


@evaluate.implement(Level)
def _level(
    evaluation: Level, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    out[:] = 1.0 / out.shape[0]
    return 0


class Lead(NamedTuple):
    """Points ahead of the others: discs, captured stones, area."""

    worth: Annotated[float, Between(1e-6, 0.5), "of a point, as a part of a win"] = 0.005


@evaluate.implement(Lead)
def _lead(
    evaluation: Lead, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    rules.points(game, position, out)
    spread(out, evaluation.worth)
    return 0
