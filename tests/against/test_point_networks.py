"""Networks of points against plain NumPy, over whole games with captures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.games import make
from quintet.nets.line_eye import LineEye, Sight
from quintet.nets.perceptron import Kind, Perceptron
from quintet.notation import parse_move
from quintet.players.finishing import Finish, guarding_move, winning_move
from quintet.players.player import Seat
from quintet.players.point_network import network_player
from tests.against.reference.point_networks import Hidden, line_eye

GAMES = [
    "pente:size=7",
    "pente:size=7,players=3",
    "k-in-a-row:rows=4,columns=5,k=4,players=4",
    "othello:size=6",
]


def owners_in(game: Any, position: Any) -> Any:
    owners = np.zeros(game.layout().cells, np.int8)
    rules.cells(game, position, owners)
    return owners.astype(int)


def shares_in(game: Any, position: Any) -> Any:
    return position["captured"] / game.captures


def whole_game(game: Any, seed: int) -> Any:
    """The positions and moves of a random game."""
    chance, position = np.random.default_rng(seed), rules.new_position(game)
    while not rules.is_over(game, position):
        move = int(chance.choice(rules.list_legal_moves(game, position)))
        yield position, move
        rules.play(game, position, move)


def expected_move(game: Any, position: Any, outputs: Any) -> int:
    legal = rules.list_legal_moves(game, position)
    return max(legal, key=lambda move: outputs[move] if move < len(outputs) else -np.inf)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("text", GAMES)
def test_hidden_layers(text: str, kind: Kind) -> None:
    game, seats = make(text), make(text).limits().seats
    counters = text.startswith("pente")
    net = Perceptron(hidden=5, kind=kind, counters=counters)
    chance = np.random.default_rng(int(kind))
    for seed in range(6):
        own = seed % seats
        genome = chance.uniform(-2, 2, 5 * net.gene(game)).astype(np.float32)
        seat = Seat(network_player(net, game, Finish.NONE, genome), game)
        twin = Hidden(genome, 5, kind != Kind.FORWARD)
        seat.begin()
        for position, move in whole_game(game, seed):
            mine = int(rules.turn(game, position)) == own
            if mine or kind == Kind.ATTENTIVE:
                shares = shares_in(game, position) if counters else None
                outputs = twin.look(owners_in(game, position), own, seats, shares)
            if mine:
                found = seat.choose(position)
                best = expected_move(game, position, outputs)
                cells = game.layout().cells
                if best < cells:
                    assert outputs[found] == pytest.approx(outputs[best], abs=1e-5)
                    given = 1 / (1 + np.exp(-seat.memory.trace.outputs[:cells].astype(float)))
                    assert np.allclose(given, outputs, atol=1e-4)
            seat.watch(position, move)


@pytest.mark.parametrize("sight", list(Sight))
@pytest.mark.parametrize("text", GAMES[:2])
def test_line_eyes(text: str, sight: Sight) -> None:
    game, seats, layout = make(text), make(text).limits().seats, make(text).layout()
    counters = text.startswith("pente")
    net = LineEye(3, sight, counters)
    genome = np.random.default_rng(1).uniform(-2, 2, 3 * net.gene(game)).astype(np.float32)
    seat = Seat(network_player(net, game, Finish.NONE, genome), game)
    seat.begin()
    for ply, (position, _) in enumerate(whole_game(game, 1)):
        if ply % (2 * seats) == 0:
            found = seat.choose(position)
            shares = shares_in(game, position) if counters else None
            outputs = line_eye(
                genome, 3, int(sight), owners_in(game, position),
                (layout.rows, layout.columns), 0, seats, shares,
            )  # fmt: skip
            empty = np.array(owners_in(game, position)) == 0  # the others are not looked at
            ours = seat.memory.trace.outputs[: layout.cells]
            assert np.allclose(ours[empty], np.array(outputs)[empty], atol=1e-3)
            best = expected_move(game, position, outputs)
            assert outputs[found] == pytest.approx(outputs[best], abs=1e-3)
            told = seat.thoughts(position)
            assert told is not None
            assert told.utilities == pytest.approx([outputs[move] for move in told.moves], abs=1e-3)
            assert told.utilities == sorted(told.utilities, reverse=True)
            assert sorted(told.moves) == rules.list_legal_moves(game, position)


def test_a_win_that_a_network_is_not_asked_for_is_told_as_one() -> None:
    game, net = make(GAMES[0]), LineEye(3, next(iter(Sight)), True)
    player = network_player(net, game, Finish.LINE, np.ones(3 * net.gene(game), np.float32))
    seat, position = Seat(player, game), rules.new_position(game)
    for name in ["D4", "A1", "C4", "A2", "B4", "A7", "A4", "B7"]:
        rules.checked_play(game, position, parse_move(game, name))
    chosen, told = seat.choose(position), seat.thoughts(position)
    assert told is not None
    assert (told.moves, told.values) == ([chosen], [[1.0, 0.0]])
    assert chosen == parse_move(game, "E4")


@pytest.mark.parametrize(
    "text",
    ["pente:size=7,captures=4", "pente:size=9,captures=4,centre=no", "tic-tac-toe",
     "k-in-a-row:rows=5,columns=6,k=4,players=3", "k-in-a-row:rows=5,columns=5,k=3,exact=yes"],
)  # fmt: skip
def test_moves_that_win_at_once(text: str) -> None:
    game, found = make(text), 0
    for seed in range(40):
        for position, _ in whole_game(game, seed):
            by_line, by_any = set(), set()
            for move in rules.list_legal_moves(game, position):
                after = rules.copied(position)
                rules.play(game, after, move)
                seat = int(position["turn"])
                if after["winner"] == seat:
                    by_any.add(move)
                    captured = "captured" in after.dtype.names
                    if not captured or after["captured"][seat] < game.captures:
                        by_line.add(move)
            line, either = winning_move(game, position, False), winning_move(game, position, True)
            assert either in by_any if by_any else either == -1
            if by_line:
                assert line in by_any
            found += len(by_any)
            if seed % 5 == 0:
                assert guarding_move(game, position) == expected_guard(game, position)
    assert found > 10


def expected_guard(game: Any, position: Any) -> int:
    """Let each of the others move instead: the first who makes a line, at the first place."""
    seats = game.limits().seats
    endless = game._replace(captures=99) if hasattr(game, "captures") else game  # lines alone win
    for distance in range(1, seats):
        seat = (int(position["turn"]) + distance) % seats
        for move in rules.list_legal_moves(game, position):
            after = rules.copied(position)
            after["turn"] = seat
            rules.play(endless, after, move)
            if after["winner"] == seat:
                return move
    return -1
