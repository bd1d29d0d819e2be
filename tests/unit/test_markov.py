"""The Markov model: values as dense algebra gives them, hashes as defined, and strength."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import learn, rules
from quintet.arena.match import Entrant, Terms, entrants, play_match
from quintet.errors import UserError
from quintet.games import make
from quintet.learn.learner import State, Step
from quintet.learn.markov import (
    EDGES,
    Models,
    Rates,
    add_transition,
    iterate_values,
    new_models,
    value_of,
)
from quintet.players import make_player
from quintet.players.hashes import make_hash, number_of
from tests.against.reference import pentago_features as reference
from tests.against.test_pentago_features import board_of, crowded

PENTAGO = make("pentago")


def dense_values(counts: Any, gamma: float, prior: float, reward: float, seat: int) -> Any:
    """V = R + gamma P V with the whole matrix, solved at once; won games stay what they are."""
    size = len(counts)
    chances = (counts + prior / size) / (counts.sum(axis=1, keepdims=True) + prior)
    chances[:2] = 0.0
    rewards = np.zeros(size)
    rewards[:2] = -reward
    rewards[seat] = reward
    return np.linalg.solve(np.eye(size) - gamma * chances, rewards)


@pytest.mark.parametrize(("gamma", "prior"), [(0.9, 1.0), (0.5, 0.1), (0.99, 5.0), (0.0, 1.0)])
def test_values_are_those_of_the_whole_matrix(gamma: float, prior: float) -> None:
    chance = np.random.default_rng(1)
    size = 40
    models = new_models(2, size, 10.0).with_room(1000)
    counts = np.zeros((2, size, size))
    for _ in range(400):
        seat, bucket = int(chance.integers(2)), int(chance.integers(2, 30))
        target = int(chance.integers(0, size)) if chance.random() < 0.7 else bucket % 2
        counts[seat, bucket, target] += 1
        add_transition(models, seat, bucket, target)
    assert models.sizes[0, EDGES] == np.count_nonzero(counts[0])
    for seat in range(2):
        iterate_values(models, Rates(gamma, 1e-12, 0.0, prior, 10.0), seat)
        found = [value_of(models, seat, bucket) for bucket in range(size)]
        assert found == pytest.approx(dense_values(counts[seat], gamma, prior, 10.0, seat))


def test_a_chain_with_a_known_value() -> None:
    """Of three steps to a win, seen so often that the prior is nothing."""
    models = new_models(2, 10, 10.0).with_room(10)
    for _ in range(100_000):
        add_transition(models, 0, 5, 6)
        add_transition(models, 0, 6, 7)
        add_transition(models, 0, 7, 0)
    iterate_values(models, Rates(0.9, 1e-9, 0.0, 1.0, 10.0), 0)
    assert [value_of(models, 0, b) for b in (7, 6, 5)] == pytest.approx([9, 8.1, 7.29], abs=1e-3)


def trained(text: str, game: Any, seed: int) -> tuple[Any, State]:
    learner = learn.learner_from(text, game)
    state = learner.start(game, Step(0, seed))
    for number in range(1, learner.steps + 1):
        learner.step(game, state, Step(number, seed))
    return learner.player(game, state), state


def test_tic_tac_toe_is_nearly_mastered() -> None:
    """With a bucket for each board it loses almost no game against chance, from either seat."""
    game = make("tic-tac-toe")
    player, _ = trained("markov:buckets=100000,games=6000,prior=0.1,batch=1000", game, 1)
    mine = _score(game, [Entrant("it", player), *entrants(["random"], game)])
    untrained = _score(
        game, [Entrant("it", make_player("finisher", game)), *entrants(["random"], game)]
    )
    assert mine > 0.93
    assert mine > untrained + 0.1


def _score(game: Any, players: list[Entrant]) -> float:
    match = play_match(game, players, Terms(2000, 1), 1)
    return next(s.score.low for s in match.standings() if s.player == "it" and s.seat is None)


def test_steps_follow_from_their_seed() -> None:
    game = make("tic-tac-toe")
    text = "markov:buckets=300,games=60,batch=20"
    first, again, other = (trained(text, game, seed)[1] for seed in (1, 1, 2))
    assert all((first[name] == again[name]).all() for name in first)
    assert (first["values"] != other["values"]).any()


@pytest.mark.slow
def test_three_seats_have_a_model_each() -> None:
    game = make("tic-tac-mo")
    _, state = trained("markov:buckets=2000,games=200", game, 1)
    models = Models(**state)
    assert models.values.shape == (3, 2000)
    assert (models.values[:, :3] == np.where(np.eye(3) > 0, 10, -10)).all()
    assert (models.sizes > 0).all()


def test_hashes_are_as_the_paper_says() -> None:
    primes, streaks = make_hash("primes", PENTAGO), make_hash("streaks", PENTAGO)
    for position in crowded(60, seed=11):
        board = board_of(position)
        total = 0
        for (top, left), prime in zip(reference.QUADRANTS, (2, 3, 5, 7), strict=True):
            cells = [(top + i // 3, left + i % 3) for i in range(9)]
            total += sum(board.owner(*cell) * prime**i for i, cell in enumerate(cells))
        assert number_of(primes, PENTAGO, position) == total
        cubes = [sum(n**3 for n in reference.runs(board, owner) if n > 1) for owner in (1, 2)]
        assert number_of(streaks, PENTAGO, position) == cubes[0] + 5 * cubes[1]


def test_hashes_have_names_and_games() -> None:
    learner = learn.learner_from("markov:hash=streaks,buckets=100", PENTAGO)
    assert learn.text_of(learner) == "markov:hash=streaks,buckets=100"
    with pytest.raises(UserError, match="hash 'primes' is for another game; there are key"):
        learn.learner_from("markov:hash=primes", make("othello"))
    with pytest.raises(UserError, match="did you mean 'primes'"):
        make_hash("prime", PENTAGO)
    assert number_of(make_hash("key"), PENTAGO, rules.new_position(PENTAGO)) >= 0
