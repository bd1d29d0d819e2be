"""n-tuple networks agree with their slow twin, at once and move by move."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.compiled import COMPILED
from quintet.games import make
from quintet.nets.ntuple import Network, NTupleValue, new_network
from quintet.nets.tuples import orbits
from quintet.players.ntuple import NTuplePlayer
from quintet.players.player import Seat
from quintet.randomness import seeded
from quintet.rules import Position
from quintet.search.evaluation import evaluate, new_desk
from quintet.symmetry import symmetries, transformed
from tests.against.reference import ntuple as reference

NETWORKS = [
    ("tic-tac-toe", "lines(3)+rectangles(2x2)", 1, False),
    ("tic-tac-mo", "windows(3)+walks(3x4)", 3, True),
    ("pentago", "lines(5)+turned(5)", 2, True),
    ("othello:size=6", "lines(4)+rectangles(2x3)", 4, False),
    ("go:size=3,players=3", "lines(2)+quadrants", 1, True),
]
GAMES = 6 if COMPILED else 1


def random_network(game: Any, tuples: str, stages: int, own_seats: bool) -> tuple[Network, Any]:
    network = new_network(game, tuples, stages, own_seats)
    chance = np.random.default_rng(3)
    return network, chance.normal(0.0, 0.2, tuple(network.shape)).astype(np.float32)


def positions(game: Any, count: int) -> Iterator[Position]:
    """Every position of some random games, but those that are over."""
    random, moves = seeded(11), rules.move_buffer(game)
    for _ in range(count):
        position = rules.new_position(game)
        while not rules.is_over(game, position):
            yield position
            rules.play(game, position, rules.random_move(game, position, moves, random))


def expected(game: Any, tuples: str, network: Network, weights: Any, position: Position) -> Any:
    seats = game.limits().seats
    owners = np.zeros(game.layout().cells, np.int8)
    rules.cells(game, position, owners)
    viewer = int(rules.turn(game, position))
    stones = int((owners > 0).sum())
    part = min(stones * network.stages // len(owners), network.stages - 1)
    part += viewer * network.stages if network.own_seats else 0
    tables = tables_of(game, tuples, weights.tobytes(), tuple(network.shape))[part]
    sums = reference.sums(owners.tolist(), viewer, seats, tables)
    return reference.values(sums, viewer, seats)


@functools.cache
def tables_of(game: Any, tuples: str, weights: bytes, shape: tuple[int, ...]) -> list[list[Any]]:
    """For each part, the tables as lists, with the tuples that read them."""
    entries = np.frombuffer(weights, np.float32).reshape(shape)
    found: list[list[Any]] = [[] for _ in entries]
    first = 0
    for orbit in orbits(game.layout(), tuples):
        last = first + (game.limits().seats + 1) ** orbit.length
        for part, tables in enumerate(found):
            tables.append((orbit.tuples, entries[part, first:last].tolist()))
        first = last
    assert first == shape[1]
    return found


def found(game: Any, network: Network, weights: Any, position: Position) -> list[float]:
    out = np.zeros(game.limits().seats)
    evaluation = NTupleValue(network, weights)
    evaluate(evaluation, game, rules.copied(position), new_desk(game), seeded(0), out)
    return out.tolist()


@pytest.mark.parametrize(("text", "tuples", "stages", "own_seats"), NETWORKS)
def test_values_are_those_of_the_twin(text: str, tuples: str, stages: int, own_seats: bool) -> None:
    game = make(text)
    network, weights = random_network(game, tuples, stages, own_seats)
    for position in positions(game, GAMES):
        value = expected(game, tuples, network, weights, position)
        assert found(game, network, weights, position) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(("text", "tuples", "stages", "own_seats"), NETWORKS)
def test_the_player_takes_the_best_of_all_afterstates(
    text: str, tuples: str, stages: int, own_seats: bool
) -> None:
    game = make(text)
    network, weights = random_network(game, tuples, stages, own_seats)
    seat = Seat(NTuplePlayer(network, weights), game, seeded(1))
    limits = game.limits()
    for position in itertools.islice(positions(game, GAMES), 0, 40, 8):
        mover = int(rules.turn(game, position))
        worth = {}
        for move in rules.list_legal_moves(game, position):
            after = rules.copied(position)
            rules.play(game, after, move)
            if rules.is_over(game, after):
                score = rules.list_scores(game, after)[mover]
                worth[move] = (score - limits.lowest) / (limits.highest - limits.lowest)
            else:
                worth[move] = expected(game, tuples, network, weights, after)[mover]
        before = position.tobytes()
        assert worth[seat.choose(position)] == pytest.approx(max(worth.values()), abs=1e-5)
        assert position.tobytes() == before


@pytest.mark.parametrize(("text", "tuples", "stages", "own_seats"), NETWORKS)
def test_symmetric_positions_are_worth_the_same(
    text: str, tuples: str, stages: int, own_seats: bool
) -> None:
    game = make(text)
    network, weights = random_network(game, tuples, stages, own_seats)
    different = 0
    for position in positions(game, 1):
        values = found(game, network, weights, position)
        for symmetry in range(len(symmetries(game).cells)):
            image = transformed(game, position, symmetry)
            different += image.tobytes() != position.tobytes()
            assert found(game, network, weights, image) == pytest.approx(values, abs=1e-6)
    assert different > 5


def test_a_player_chooses_among_equals() -> None:
    game = make("tic-tac-toe")
    network = new_network(game, "lines(3)")
    player = NTuplePlayer(network, np.zeros(tuple(network.shape), np.float32))
    seat = Seat(player, game, seeded(4))
    chosen = [seat.choose(rules.new_position(game)) for _ in range(200)]
    assert set(chosen) == set(range(9))
