"""Descent learns what is worth playing, and goes on as if it had not stopped."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet.arena.match import Entrant, Terms, play_match
from quintet.compiled import COMPILED
from quintet.errors import UserError
from quintet.games import make
from quintet.learn import learner_from
from quintet.learn.learner import State, Step
from quintet.players import make_player

pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(not COMPILED, reason="thousands of positions")
TINY = (
    "descent:net=residual(blocks=1,filters=8,hidden=16,head=linear),games=4,share=0.5,"
    "batch=64,rate=0.01,average=0.9,play_sims=10"
)


def trained(learner: Any, game: Any, state: State | None, first: int, last: int) -> State:
    state = learner.start(game, Step(0, 1)) if state is None else state
    for number in range(first, last + 1):
        learner.step(game, state, Step(number, 1))
    return state


@pytest.mark.slow  # all of the learner is compiled for it
def test_a_run_goes_on_as_if_it_had_not_stopped() -> None:
    game = make("tic-tac-mo")
    learner = learner_from(f"{TINY},steps=4", game)
    whole = trained(learner, game, None, 1, 4)
    copied = {name: a.copy() for name, a in trained(learner, game, None, 1, 2).items()}
    again = trained(learner, game, copied, 3, 4)
    assert whole["changes"][0] > 0
    for name, array in whole.items():
        assert np.array_equal(array, again[name]), name
    values = whole["samples.values"]
    assert ((values >= 0.0) & (values <= 1.0)).all()
    assert 0.0 < (values.sum(1) == 1.0).mean() <= 1.0  # some were solved


def test_other_heads_are_refused() -> None:
    with pytest.raises(UserError, match="linear"):
        learner_from("descent:net=residual(head=share)", make("tic-tac-mo"))


@pytest.mark.slow
@pytest.mark.parametrize("text", ["tic-tac-toe", "tic-tac-mo"])
def test_small_games_are_learnt(text: str) -> None:
    """With ten iterations a move it beats UCT with thirty simulations."""
    game = make(text)
    learner = learner_from(f"{TINY},steps=150", game)
    state = trained(learner, game, None, 1, 150)
    seats = game.limits().seats
    entrants = [Entrant("trained", learner.player(game, state))]
    entrants += [Entrant("uct", make_player("uct:sims=30", game)) for _ in range(seats - 1)]
    found = play_match(game, entrants, Terms(300, 5, 0)).standings()
    score = next(s for s in found if s.player == "trained" and s.seat is None).score
    assert score[1] > 1.0 / seats
