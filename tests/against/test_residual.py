"""What a residual network computes: compiled, in PyTorch, and by the obvious loops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.games import make
from quintet.nets.residual import (
    Arrays,
    Head,
    Residual,
    Sizes,
    look,
    offsets,
    shapes,
    sizes_for,
    to_values,
    tower,
)
from quintet.randomness import seeded
from quintet.search.evaluation import foresee, new_desk

torch_residual = pytest.importorskip("quintet.nets.torch_residual")

THREE = "go:size=3,players=3,komi=0/1/2.5"
MANY = [
    ("tic-tac-toe", Head.SHARE),
    ("connect-four", Head.LINEAR),
    ("pentago", Head.FITTING),
    ("pente:size=5,players=4", Head.SHARE),
    ("othello:size=4", Head.SHARE),
    ("go:size=9", Head.AREAS),
]


def random_arrays(sizes: Sizes, seed: int) -> Arrays:
    chance = np.random.default_rng(seed)
    found = {n: chance.normal(0.0, 0.2, s).astype(np.float32) for n, s in shapes(sizes).items()}
    for name in found:
        if not name.startswith(("stem", "body")):
            found[name] *= 3.0  # so that what is likely and what is not are far apart
    return found


def some_position(game: Any, plies: int) -> Any:
    position, chance = rules.new_position(game), seeded(3)
    moves = rules.move_buffer(game)
    for _ in range(plies):
        rules.play(game, position, rules.random_move(game, position, moves, chance))
    return position


def convolved(board: Any, weights: Any, bias: Any) -> Any:
    """Each cell from its neighbours; nothing beyond the edge."""
    _, rows, columns = board.shape
    out = np.zeros((len(weights), rows, columns))
    for channel in range(len(weights)):
        for row in range(rows):
            for column in range(columns):
                out[channel, row, column] = bias[channel]
                for i in range(3):
                    for j in range(3):
                        r, c = row + i - 1, column + j - 1
                        if 0 <= r < rows and 0 <= c < columns:
                            out[channel, row, column] += weights[channel, :, i, j] @ board[:, r, c]
    return out


def softmax(amounts: Any) -> Any:
    raised = [math.exp(amount) for amount in amounts]
    return np.array(raised) / sum(raised)


def obvious(game: Any, sizes: Sizes, arrays: Arrays, position: Any) -> tuple[Any, Any]:
    """Likelihoods of the moves, and values."""
    planes = np.zeros((sizes.planes, sizes.rows, sizes.columns), np.float32)
    look(game, sizes, position, planes)
    board = np.maximum(convolved(planes, arrays["stem"], arrays["stem_bias"]), 0)
    for i in range(sizes.blocks):
        one, two = 2 * i, 2 * i + 1
        inner = np.maximum(convolved(board, arrays["body"][one], arrays["body_bias"][one]), 0)
        more = convolved(inner, arrays["body"][two], arrays["body_bias"][two])
        board = np.maximum(board + more, 0)
    flat = board.reshape(len(board), -1)
    pooled = np.concatenate((flat.mean(1), flat.max(1)))
    moves = []
    for cell in range(flat.shape[1]):
        moves += (arrays["policy"] @ flat[:, cell] + arrays["policy_bias"]).tolist()
    if sizes.per_cell == 0:
        moves = np.array(moves).reshape(sizes.rows, sizes.columns).sum(0).tolist()
    moves += (arrays["extra"] @ pooled + arrays["extra_bias"]).tolist()
    return softmax(moves), obvious_values(game, sizes, arrays, position, flat, pooled)


def obvious_values(
    game: Any, sizes: Sizes, arrays: Arrays, position: Any, flat: Any, pooled: Any
) -> list[float]:
    limits, seats = game.limits(), sizes.seats
    told = np.zeros(seats)
    if sizes.head == Head.AREAS:
        for cell in range(flat.shape[1]):
            told += softmax(arrays["areas"] @ flat[:, cell] + arrays["areas_bias"])[:seats]
    else:
        hidden = np.maximum(arrays["hidden"] @ pooled + arrays["hidden_bias"], 0)
        outputs = arrays["value"] @ hidden + arrays["value_bias"]
        if sizes.head == Head.SHARE:
            told = softmax(outputs)[:seats] + softmax(outputs)[seats] / seats
        elif sizes.head == Head.LINEAR:
            told = outputs
        else:
            rows = outputs.reshape(seats, -1)
            told = np.array([softmax(row) @ np.arange(len(row)) for row in rows])
    values = [0.0] * seats
    for other in range(seats):
        seat = (rules.turn(game, position) + other) % seats if sizes.relative else other
        value = told[other]
        if sizes.head in (Head.AREAS, Head.POINTS):
            value = (value + offsets(game)[seat] - limits.lowest) / (limits.highest - limits.lowest)
        values[seat] = min(max(float(value), 0.0), 1.0)
    return values


def compare(text: str, blueprint: Residual, plies: int) -> None:
    game = make(text)
    sizes = sizes_for(blueprint, game)
    arrays, position = random_arrays(sizes, plies), some_position(game, plies)
    network, viewer = tower(sizes, arrays, game), int(rules.turn(game, position))
    planes = np.zeros((1, sizes.planes, sizes.rows, sizes.columns), np.float32)
    look(game, sizes, position, planes[0])
    priors, values = np.zeros(sizes.moves, np.float32), np.zeros(sizes.seats)
    foresee(network, game, position, new_desk(game), seeded(1), priors, values)
    likely, told = torch_residual.Judge(sizes, arrays)(planes)
    of_torch = np.zeros(sizes.seats)
    to_values(sizes, network.scale, viewer, told[0], of_torch)
    expected_priors, expected = obvious(game, sizes, arrays, position)
    assert priors == pytest.approx(expected_priors, abs=2e-5)
    assert likely[0] == pytest.approx(expected_priors, abs=2e-5)
    assert values == pytest.approx(expected, abs=2e-5)
    assert of_torch == pytest.approx(expected, abs=2e-5)
    assert np.ptp(expected_priors) > 0.01


@pytest.mark.slow  # all of the network is compiled for it
@pytest.mark.parametrize("head", [Head.POINTS, Head.AREAS, Head.LINEAR])
@pytest.mark.parametrize(("relative", "hints"), [(True, True), (False, False)])
def test_three_players(head: Head, relative: bool, hints: bool) -> None:
    blueprint = Residual(1, 16, 8, head, relative, hints)
    for plies in (3, 7, 8):  # each seat is to move
        compare(THREE, blueprint, plies)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "head"), MANY)
def test_every_kind_of_move_and_number_of_players(text: str, head: Head) -> None:
    for plies in (0, 1, 2, 3, 5):
        compare(text, Residual(2, 8, 8, head), plies)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_values_land_in_their_seats(seats: int) -> None:
    """The network tells of the seat to move first, or of the first seat."""
    told, scale = np.arange(1.0, seats + 1.0) / 10, np.zeros(seats + 2)
    for viewer in range(seats):
        out = np.zeros(seats)
        to_values(some_sizes(seats, relative=True), scale, viewer, told, out)
        assert out[viewer] == 0.1
        assert out[(viewer + 1) % seats] == 0.2
        assert sorted(out.tolist()) == told.tolist()
        to_values(some_sizes(seats, relative=False), scale, viewer, told, out)
        assert out.tolist() == told.tolist()


def some_sizes(seats: int, *, relative: bool) -> Sizes:
    numbers = {name: 1 for name in Sizes._fields}
    return Sizes(**{**numbers, "seats": seats, "head": int(Head.LINEAR), "relative": relative})


def test_normalisation_is_folded_into_the_weights() -> None:
    """In use a network says what it said in training, for the batch that it normalised by."""
    import torch

    game, chance = make(THREE), np.random.default_rng(5)
    sizes = sizes_for(Residual(2, 8, 8, Head.POINTS), game)
    arrays = torch_residual.begun(sizes, chance)
    arrays = {
        n: a + chance.uniform(0.1, 0.5, a.shape).astype(np.float32) for n, a in arrays.items()
    }
    planes = chance.normal(size=(64, sizes.planes, 3, 3)).astype(np.float32)
    weights = torch_residual.as_tensors(arrays)
    for _ in range(200):  # until mean and variance are those of the batch
        in_training = torch_residual.in_training(sizes, weights, torch.from_numpy(planes))
    folded = torch_residual.folded(torch_residual.as_arrays(weights))
    moves, told = torch_residual.Judge(sizes, folded)(planes)
    assert moves == pytest.approx(in_training[0].softmax(1).numpy(), abs=2e-2)
    expected = torch_residual.told_of_seats(sizes, in_training[1]).numpy()
    assert told == pytest.approx(expected, rel=2e-2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_onnx_says_the_same(tmp_path: Any) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    game = make(THREE)
    sizes = sizes_for(Residual(2, 8, 8, Head.POINTS), game)
    arrays = random_arrays(sizes, 1)
    torch_residual.export_onnx(sizes, arrays, tmp_path / "net.onnx")
    planes = np.random.default_rng(1).normal(size=(5, sizes.planes, 3, 3)).astype(np.float32)
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"))
    moves, told = session.run(None, {"planes": planes})
    expected = torch_residual.Judge(sizes, arrays)(planes)
    assert moves == pytest.approx(expected[0], abs=1e-5)
    assert told == pytest.approx(expected[1], rel=1e-5, abs=1e-5)
