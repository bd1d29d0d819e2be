"""Tournaments are fair, steps follow their rule, and a toy with a known value is learnt."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet.compiled import COMPILED
from quintet.errors import UserError
from quintet.games import make
from quintet.learn import learner_from, make_learner, text_of
from quintet.learn.evolutionary_programming import ladder, offspring, rungs
from quintet.learn.learner import State, Step
from quintet.learn.tournament import (
    Fairness,
    draw_seatings,
    play_opponent,
    play_seatings,
    points_of,
)
from quintet.players import make_player
from quintet.players.networks import evolved_player, make_network

needs_speed = pytest.mark.skipif(not COMPILED, reason="thousands of games")
TOY = make("tic-tac-toe:columns=4")  # a win for the first player
# all opponents are of one kind, which need be compiled once
ANYHOW, PERFECT = "alphabeta(depth=0,eval=level)", "alphabeta(depth=12,eval=level)"
NET = "spatial(windows=lines(3)+board,hidden=10,second=5,gain=1,view=own)"
EP = f"evolutionary-programming:net={NET}"


def chance(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


# --- who meets whom -----------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_fair_tournaments_give_everybody_every_seat_as_often(seats: int) -> None:
    seatings = draw_seatings(12, seats, 10, Fairness.FAIR, chance())
    assert seatings.shape == (120, seats)
    for seat in range(seats):
        assert (np.bincount(seatings[:, seat], minlength=12) == 10).all()
    assert all(len(set(row)) == seats for row in seatings.tolist())
    pairs = {tuple(row) for row in seatings.tolist()}
    assert len(pairs) > 60  # others each round


def test_paired_tournaments_repeat_each_meeting_in_every_order() -> None:
    seatings = draw_seatings(12, 2, 5, Fairness.PAIRED, chance())
    assert len(seatings) == 2 * 5 * 12
    met = sorted(map(tuple, seatings.tolist()))
    assert met == sorted((b, a) for a, b in met)
    assert (np.bincount(seatings[:, 0]) == 10).all()


def test_unfair_tournaments_leave_the_second_seat_to_chance() -> None:
    seatings = draw_seatings(12, 2, 10, Fairness.UNFAIR, chance())
    assert (np.bincount(seatings[:, 0]) == 10).all()
    assert len(set(np.bincount(seatings[:, 1], minlength=12))) > 1
    assert (seatings[:, 0] != seatings[:, 1]).all()


def test_points() -> None:
    """1 for a win, 0 for a draw, -2 for a loss; both sides get theirs."""
    seatings = np.array([[0, 1], [1, 2], [0, 2]])
    scores = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    assert points_of(seatings, scores, 3, 2.0).tolist() == [1 - 2, -2 + 0, 0 + 1]
    three = points_of(np.array([[0, 1, 2]]), np.array([[0.5, 0.5, 0.0]]), 3, 2.0)
    assert three.tolist() == [0, 0, -2]


# --- steps --------------------------------------------------------------------


def test_steps_have_sizes_that_are_inherited_and_change() -> None:
    """sigma' = sigma exp(tau N), w' = w + sigma' N, tau = 1 / sqrt(2 sqrt(weights))."""
    count = 4710
    weights = np.zeros((40, count), np.float32)
    sizes = np.full((40, count), 0.05, np.float32)
    sizes[20:] = 0.5
    children, grown = offspring(weights, sizes, 1e-5, chance())
    tau = 1 / np.sqrt(2 * np.sqrt(count))
    assert round(tau, 4) == 0.0854
    first, second = np.log(grown / sizes) / tau, children / grown
    for normal in (first, second):
        assert abs(normal.mean()) < 0.01
        assert abs(normal.std() - 1) < 0.01
    assert abs(np.corrcoef(first.ravel(), second.ravel())[0, 1]) < 0.01
    assert children.dtype == grown.dtype == np.float32


def test_steps_have_a_least_size() -> None:
    sizes = np.full((5, 100), 2e-5, np.float32)
    _, grown = offspring(np.zeros_like(sizes), sizes, 2e-5, chance())
    assert grown.min() == np.float32(2e-5)
    assert (grown > 2e-5).mean() > 0.3


# --- playing ------------------------------------------------------------------


def test_games_do_not_depend_on_the_number_of_workers() -> None:
    net = make_network(NET, TOY)
    genomes = chance().normal(size=(8, net.gene(TOY))).astype(np.float32)
    seatings = draw_seatings(8, 2, 4, Fairness.FAIR, chance())
    one, three = (
        play_seatings(TOY, lambda: evolved_player(net, TOY), genomes, seatings, 5, workers)
        for workers in (1, 3)
    )
    assert (one == three).all()
    assert len(np.unique(one)) > 1


@pytest.mark.slow
def test_games_with_an_opponent_do_not_depend_on_the_number_of_workers() -> None:
    net = make_network(NET, TOY)
    genomes = chance().normal(size=(8, net.gene(TOY))).astype(np.float32)
    opponent, seats = make_player(ANYHOW, TOY), np.arange(8) % 2
    one, three = (
        play_opponent(
            TOY, lambda: evolved_player(net, TOY), genomes, opponent, seats, 5, 2, workers
        )
        for workers in (1, 3)
    )
    assert (one == three).all()


def trained(text: str, game: Any, seed: int, steps: int) -> tuple[Any, State]:
    learner = learner_from(text, game)
    state = learner.start(game, Step(0, seed))
    for number in range(1, steps + 1):
        learner.step(game, state, Step(number, seed))
    return learner, state


def test_steps_depend_on_the_state_and_the_seed_alone() -> None:
    text = f"{EP},parents=4,opponents=2,fame=2"
    _, once = trained(text, TOY, 7, 5)
    learner, again = trained(text, TOY, 7, 3)
    for number in (4, 5):
        copied = {name: array.copy() for name, array in again.items()}
        learner.step(TOY, copied, Step(number, 7))
        again = copied
    assert set(once) == {"weights", "sizes", "ages", "points", "famous"}
    for name, array in once.items():
        assert array.tobytes() == again[name].tobytes()
    assert len(once["famous"]) == 2
    _, other = trained(text, TOY, 8, 5)
    assert once["weights"].tobytes() != other["weights"].tobytes()


def test_the_best_network_is_all_that_its_player_needs() -> None:
    learner, state = trained(f"{EP},parents=4,opponents=2", TOY, 7, 3)
    essence = learner.essence(state)
    assert [array.shape for array in essence.values()] == [(1, state["weights"].shape[1])]
    own, other = (learner.player(TOY, kept).network.weights for kept in (state, essence))
    assert own.tobytes() == other.tobytes()


def test_survivors_age() -> None:
    _, state = trained(f"{EP},parents=4,opponents=2", TOY, 7, 6)
    assert state["ages"].min() >= 0
    assert 0 < state["ages"].max() <= 6
    assert (np.diff(state["points"]) <= 0).all()  # the best first


@needs_speed
@pytest.mark.slow
def test_a_game_that_the_first_player_wins_is_learnt() -> None:
    """Three in a row on 3 x 4, against a perfect player."""
    assert scores_as_first(parents_after(0), PERFECT) < 0.2
    assert scores_as_first(parents_after(20), PERFECT) > 0.4


def parents_after(generations: int) -> Any:
    text = f"{EP},parents=10,opponents=10,sigma=0.2,spread=0.5"
    return trained(text, TOY, 2, generations)[1]["weights"]


def scores_as_first(genomes: Any, opponent: str) -> float:
    """The mean score of networks in the first seat."""
    rows, net = np.repeat(genomes, 20, axis=0), make_network(NET, TOY)
    seats = np.zeros(len(rows), np.int64)
    other = make_player(opponent, TOY)
    return float(play_opponent(TOY, lambda: evolved_player(net, TOY), rows, other, seats, 5).mean())


# --- measuring ----------------------------------------------------------------


def test_ladders() -> None:
    greedy, deeper = rungs(ladder("positional", "table=b,"))
    assert greedy == ["positional(table=b,depth=0)"]
    assert deeper == [f"positional(table=b,depth={depth})" for depth in (2, 4, 6)]
    for preset in ("queens", "squares", "iagno"):
        learner = make_learner("evolutionary-programming", make("othello"), preset=preset)
        assert len(rungs(learner.judges)) == 2 * 6  # four tables, discs, mobility
    assert learner.depth == 2
    assert rungs("random<greedy/random") == [["random", "greedy"], ["random"]]
    assert rungs("") == []
    learner = learner_from("evolutionary-programming:judges=random<greedy", TOY)
    assert learner_from(text_of(learner), TOY) == learner


@pytest.mark.slow
def test_networks_climb_as_long_as_they_win() -> None:
    judges = f"judges={ANYHOW}<{PERFECT},every=2,rival={ANYHOW},rival_games=10"
    text = f"{EP},parents=6,opponents=1,{judges}"
    learner = learner_from(text, TOY)
    state = learner.start(TOY, Step(0, 1))
    figures = []
    for number in (1, 2, 3):
        step = Step(number, 1)
        learner.step(TOY, state, step)
        figures.append(step.figures)
    for found in figures[:2]:
        assert 6 >= found[ANYHOW] >= found[PERFECT] >= 0
    assert figures[0][ANYHOW] > 0
    assert ANYHOW not in figures[2]
    assert 0 <= figures[2]["rival"] <= 1


@pytest.mark.parametrize(
    ("game", "settings", "told"),
    [
        ("tic-tac-mo", "", "tells two players apart"),
        ("tic-tac-toe", "judges=nobody", "nobody"),
        ("tic-tac-toe", "net=spatial(windows=queens(3))", "expected queens"),
        ("tic-tac-toe", "net=spatial(gain=0)", "gain"),
        ("tic-tac-toe", "net=perceptron,depth=2", "does not look ahead"),
    ],
)
def test_what_cannot_evolve_is_refused(game: str, settings: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        learner_from(f"evolutionary-programming:{settings}", make(game))


def test_learners_of_points_refuse_windows() -> None:
    with pytest.raises(UserError, match="values positions"):
        learner_from("cosyne:net=spatial", make("go-moku"))
