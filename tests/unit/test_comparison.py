"""Learning of the product units: each rule against plain loops, and toys with a known answer."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

from quintet.arena.games import new_outcome, new_table
from quintet.errors import UserError
from quintet.games import make
from quintet.learn import learner_from
from quintet.learn.comparison import Rule, learn_move
from quintet.learn.learner import Step
from quintet.learn.lessons import network_of, turns
from quintet.learn.product_td import Course, Traces, correct, predict
from quintet.learn.ranking import Pupil, learn_advice
from quintet.nets import product_units as net
from quintet.nets.product_units import Kind
from quintet.nets.sight import forget, show, value_points
from quintet.players.points import sight_of
from quintet.runs.run import Run
from quintet.runs.settings import Settings
from tests.against.reference.go_moku_learning import Net
from tests.against.reference.go_moku_learning import learn_move as learn_plainly

SMALL = "go-moku:rows=9,columns=9"


def a_board(chance: np.random.Generator, seats: int = 2) -> np.ndarray:
    return chance.choice(seats + 1, (9, 9), p=[0.6, *[0.4 / seats] * seats]).astype(np.int8)


@pytest.mark.parametrize("at_l5", [False, True])
@pytest.mark.parametrize("simplified", [False, True])
def test_one_move_is_learnt_as_figure_6_says(at_l5: bool, simplified: bool) -> None:
    chance = np.random.default_rng(4)
    game = make(SMALL)
    network = net.untrained(chance, simplified=simplified, highest=1.0)
    kind = Kind.STAR if simplified else Kind.PAPER
    first = 0 if simplified else 20
    shapes = [sorted(shape) for shape in net.shapes_of(kind)]
    plain = Net(shapes, network.weights.tolist(), network.output.tolist(), network.empty)
    sight = sight_of(game, network)
    before = network.weights.copy()
    for number in range(12):
        board = a_board(chance)
        show(sight, board.ravel())
        forget(sight)
        mover = number % 2
        value_points(sight, network, mover)
        free = np.flatnonzero(board == 0)
        recorded = int(chance.choice(free))
        proposed = recorded if number % 3 == 0 else int(chance.choice(free))
        learn_move(Rule(50.0, 0.01, 1.2, at_l5, first), network, sight, mover, recorded, proposed)
        learn_plainly(
            plain,
            board.tolist(),
            mover,
            divmod(recorded, 9),
            divmod(proposed, 9),
            alpha=50.0,
            delta=0.01,
            at_l5=at_l5,
            highest=1.2,
            first=first,
        )
        assert network.weights == pytest.approx(np.array(plain.weights), rel=1e-9, abs=1e-12)
    assert (network.weights[:, :first] == before[:, :first]).all()
    assert not np.allclose(network.weights, before)


def test_a_step_gives_the_same_bits_again() -> None:
    game = make(SMALL)
    learner = learner_from("comparison:series=1,games=4,batch=2,tests=2,alpha=1", game)
    states = []
    for _ in range(2):
        state = learner.start(game, Step(0, 7))
        steps = [Step(number, 7) for number in (1, 2, 3)]
        for step in steps:
            learner.step(game, state, step)
        states.append((state["weights"].tobytes(), [step.figures for step in steps]))
    assert states[0] == states[1]
    figures = states[0][1]
    assert figures[0]["won"] + figures[0]["lost"] + figures[0]["drawn"] == 2
    assert "won" not in figures[1]
    assert "training_won" not in figures[2]
    assert figures[2]["learned"] == 4


def test_a_run_begins_where_another_ended(tmp_path: pathlib.Path) -> None:
    game = make(SMALL)
    text = "comparison:series=1,games=2,batch=2,tests=0"
    run = Run.create(tmp_path / "first", Settings(learner_from(text, game), game, 1))
    assert run.train()
    origin = f"origin=run:{tmp_path / 'first'}"
    again = learner_from(f"{text},{origin}", game)
    assert (again.start(game, Step(0, 5))["weights"] == run.state()["weights"]).all()
    with pytest.raises(UserError, match="44 units"):
        learner_from(f"{text},simplified=yes,{origin}", game).start(game, Step(0, 5))


@pytest.mark.parametrize("seats", [2, 3])
def test_the_learner_has_every_seat_equally_often(seats: int) -> None:
    plan = turns(6 * seats, seats, 4, 1)
    assert [int((plan.orders[:, seat] == 0).sum()) for seat in range(seats)] == [6] * seats
    for order in plan.orders:
        assert len(set(order)) == seats


def puzzles(game: Any, count: int) -> tuple[Any, np.ndarray]:
    """Games whose last move completes five, with that move as advice and no other."""
    outcome = new_outcome(game, count)
    advice = np.full(outcome.moves.shape, -1, np.int32)
    chance = np.random.default_rng(9)
    for row in range(count):
        line, top = int(chance.integers(2, 9)), int(chance.integers(0, 5))
        own = [line * 9 + top + i for i in range(5)]
        last = own.pop(int(chance.integers(1, 4)))  # a gap inside: the only winning point
        chance.shuffle(own)
        own.append(last)
        others = [0, 2, 4, 6, 8, 10, 12, 14, 16]
        chance.shuffle(others)
        moves = [m for pair in zip(own, others, strict=False) for m in pair][:9]
        outcome.moves[row, :9] = moves
        outcome.lengths[row] = 9
        advice[row, 8] = moves[8]
    return outcome, advice


def test_ranking_learns_to_win_at_once() -> None:
    """From weights that prefer anything else: every puzzle has one answer, and all are found."""
    game = make(SMALL)
    weights = np.full((2, 64), -1.0)
    network = net.Network(weights, np.ones(2), 0.25)
    pupil = Pupil(network, sight_of(game, network), np.zeros_like(weights))
    outcome, advice = puzzles(game, 40)
    table = new_table(game)
    first = learn_advice(game, table, outcome, advice, pupil, 0.5)
    for _ in range(15):
        last = learn_advice(game, table, outcome, advice, pupil, 0.5)
    assert first < 0.9
    assert last == 1.0


def test_ranking_follows_the_slope_of_the_logarithm() -> None:
    """Without AdaGrad's history a change is the rate, in the direction of the slope."""
    game = make(SMALL)
    chance = np.random.default_rng(3)
    network = net.Network(chance.normal(size=(2, 64)), np.ones(2), 0.25)
    pupil = Pupil(network, sight_of(game, network), np.zeros((2, 64)))
    shapes = [sorted(shape) for shape in net.shapes_of(Kind.ALL)]
    before = network.weights.copy()
    outcome = new_outcome(game, 1)
    outcome.moves[0, :3] = [40, 41, 31]
    outcome.lengths[0] = 3
    advice = np.full(outcome.moves.shape, -1, np.int32)
    advice[0, 2] = 49
    learn_advice(game, new_table(game), outcome, advice, pupil, 0.01)
    board = [[0] * 9 for _ in range(9)]
    board[4][4], board[4][5] = 1, 2

    def chance_of_wish(weights: np.ndarray) -> float:
        plain = Net(shapes, weights.tolist(), [1.0, 1.0], 0.25)
        values = np.array(list(plain.values(board, 0).values()))
        wished = plain.value(board, divmod(49, 9), 0)
        return float(wished - np.log(np.exp(values).sum()))

    for row, unit in ((0, 0), (0, 7), (1, 13), (0, 30), (1, 50)):
        nudged = before.copy()
        nudged[row, unit] += 1e-6
        slope = (chance_of_wish(nudged) - chance_of_wish(before)) / 1e-6
        assert np.sqrt(pupil.squares[row, unit]) == pytest.approx(abs(slope), rel=1e-3, abs=1e-8)
        if abs(slope) > 1e-8:
            assert np.sign(network.weights[row, unit] - before[row, unit]) == np.sign(slope)


def test_td_learns_the_value_of_a_move_that_always_wins() -> None:
    """One point, always taken, then always won with chance 0.8: the prediction comes to that."""
    game = make(SMALL)
    network = net.Network(np.zeros((2, 20)), np.array([1.0, 0.6]), 1.0)
    sight = sight_of(game, network)
    course = Course(1, 0.02, 0.7, 0.0)
    traces = Traces(np.zeros((2, 2, 20)), np.full(2, -1.0))
    chance = np.random.default_rng(5)
    predicted = []
    for _ in range(4000):
        traces.slopes[:] = 0.0
        traces.predicted[:] = -1.0
        forget(sight)
        value_points(sight, network, 0)
        predict(course, network, sight, traces, 0, 40)
        correct(course, network, traces, 0, float(chance.random() < 0.8))
        predicted.append(float(traces.predicted[0]))
    assert predicted[0] == 0.5
    assert np.mean(predicted[2000:]) == pytest.approx(0.8, abs=0.03)


def test_td_hands_the_result_back_along_the_trace() -> None:
    """Two predictions of a seat: the second correction moves the first's weights by lambda."""
    network = net.Network(np.zeros((2, 20)), np.array([1.0, 0.6]), 0.25)
    traces = Traces(np.zeros((2, 2, 20)), np.array([0.5, -1.0]))
    traces.slopes[0, 0, 3] = 0.7 * 0.25
    traces.slopes[0, 1, 4] = 0.25
    correct(Course(1, 0.1, 0.7, 0.0), network, traces, 0, 1.0)
    assert network.weights[0, 3] == pytest.approx(0.1 * 0.5 * 0.7 * 0.25)
    assert network.weights[1, 4] == pytest.approx(0.1 * 0.5 * 0.25)


@pytest.mark.slow
def test_three_can_play() -> None:
    game = make("go-moku:rows=7,columns=7,players=3")
    learner = learner_from("comparison:series=1,games=3,batch=3,tests=3,alpha=1", game)
    state = learner.start(game, Step(0, 1))
    before = state["weights"].copy()
    step = Step(1, 1)
    learner.step(game, state, step)
    assert network_of(state).weights.shape == (3, 44)
    assert step.figures["won"] + step.figures["lost"] + step.figures["drawn"] == 3
    if step.figures["training_drawn"] < 3:
        assert not np.array_equal(before, state["weights"])
