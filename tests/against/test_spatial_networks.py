"""Networks of windows against a forward pass in NumPy, and the paper's counts (001.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import COMPILED
from quintet.games import make
from quintet.nets.spatial import Spatial, View, nodes
from quintet.nets.tuples import named_tuples
from quintet.players.player import choose
from quintet.players.spatial import spatial_player, spatial_value
from quintet.randomness import seeded
from quintet.search.evaluation import evaluate, new_desk
from quintet.symmetry import cell_symmetries, transformed
from tests.against.reference import spatial_network

OTHELLO = make("othello")
QUEENS, SQUARES = Spatial(), Spatial("squares(3)", lead=True)
POSITIONS = 200 if COMPILED else 3


def genome_of(net: Spatial, game: Any, seed: int, spread: float = 0.2) -> NDArray[np.float32]:
    chance = np.random.default_rng(seed)
    return chance.uniform(-spread, spread, net.gene(game)).astype(np.float32)


def random_positions(game: Any, count: int) -> list[Any]:
    """Positions of random games that are not over."""
    found: list[Any] = []
    position, moves, random = rules.new_position(game), rules.move_buffer(game), seeded(3)
    while len(found) < count:
        found.append(rules.copied(position))
        rules.play(game, position, rules.random_move(game, position, moves, random))
        if rules.is_over(game, position):
            position = rules.new_position(game)
    return found


def board_of(game: Any, position: Any) -> NDArray[np.float64]:
    content = np.zeros(game.layout().cells, np.int8)
    rules.cells(game, position, content)
    return np.array([0.0, -1.0, 1.0])[content]


def value_of(evaluation: Any, game: Any, position: Any) -> NDArray[np.float64]:
    out = np.zeros(2)
    evaluate(evaluation, game, rules.copied(position), new_desk(game), seeded(1), out)
    return out


def test_the_paper_s_counts() -> None:
    """1584 inputs, windows of 22 to 28 cells, 4710 weights; 91 squares, 5900 weights."""
    windows = named_tuples(OTHELLO.layout(), QUEENS.windows)
    sizes = [len(cells) for cells in windows]
    assert len(windows) == 65
    assert sum(sizes) == 1584
    assert (min(sizes[:64]), max(sizes[:64]), sizes[64]) == (22, 28, 64)
    assert QUEENS.gene(OTHELLO) == 4710
    assert len(named_tuples(OTHELLO.layout(), SQUARES.windows)) == 91
    assert SQUARES.gene(OTHELLO) == 5900


@pytest.mark.parametrize("size", [4, 6, 8])
def test_windows_are_those_of_the_definition(size: int) -> None:
    layout = make(f"othello:size={size}").layout()
    found = [set(cells) for cells in named_tuples(layout, "queens+board")]
    assert found == [set(cells) for cells in spatial_network.queens(size)]
    found = [set(cells) for cells in named_tuples(layout, "squares(3)")]
    assert found == [set(cells) for cells in spatial_network.subsquares(size)]


@pytest.mark.parametrize(
    ("net", "windows", "spread"),
    [(QUEENS, spatial_network.queens(8), 0.2), (QUEENS, spatial_network.queens(8), 20.0)],
)
def test_values_are_those_of_numpy(net: Spatial, windows: list[list[int]], spread: float) -> None:
    compare_values(net, windows, spread)


@pytest.mark.slow
@pytest.mark.parametrize("gain", [0.01, 1.0])
def test_values_of_squares_are_those_of_numpy(gain: float) -> None:
    compare_values(SQUARES._replace(gain=gain), spatial_network.subsquares(8), 0.2)


def compare_values(net: Spatial, windows: list[list[int]], spread: float) -> None:
    """As far as differences between positions matter: to a ten thousandth of these."""
    genome = genome_of(net, OTHELLO, 2, spread)
    evaluation = spatial_value(net, OTHELLO, genome)
    positions = random_positions(OTHELLO, POSITIONS)
    ours = np.array([value_of(evaluation, OTHELLO, position) for position in positions])
    theirs = np.array(
        [
            spatial_network.output(
                genome, windows, board_of(OTHELLO, position), net.gain, lead=net.lead
            )
            for position in positions
        ]
    )
    assert np.ptp(theirs) > 0
    white = ours[:, 1] * 2.0 - 1.0
    assert np.abs(white - theirs).max() < 1e-4 * np.std(theirs)
    np.testing.assert_allclose(ours.sum(axis=1), 1.0, atol=1e-15)


def test_the_player_takes_the_best_move() -> None:
    """What it finds by changing sums is what it would by looking at each position anew."""
    genome = genome_of(QUEENS, OTHELLO, 5)
    player = spatial_player(QUEENS, OTHELLO, genome=genome)
    memory, random = player.memory(OTHELLO), seeded(1)
    windows = spatial_network.queens(8)
    for position in random_positions(OTHELLO, POSITIONS // 4 + 1):
        if len(rules.list_legal_moves(OTHELLO, position)) < 2:
            continue
        worth = {}
        for move in rules.list_legal_moves(OTHELLO, position):
            after = rules.copied(position)
            rules.play(OTHELLO, after, move)
            if not rules.is_over(OTHELLO, after):
                value = spatial_network.output(genome, windows, board_of(OTHELLO, after), 0.01)
                worth[move] = value if position["turn"] == 1 else -value
        chosen = int(choose(player, OTHELLO, position, memory, random))
        if chosen in worth:
            assert worth[chosen] >= max(worth.values()) - 1e-4 * np.ptp(list(worth.values()))


def test_exchanged_colours_are_worth_the_same_to_their_owners() -> None:
    """With ``view=own``: Black in a position is White in the one with the colours exchanged."""
    net = QUEENS._replace(view=View.OWN)
    evaluation = spatial_value(net, OTHELLO, genome_of(net, OTHELLO, 7))
    for position in random_positions(OTHELLO, 5):
        exchanged = rules.copied(position)
        exchanged["turn"] = 1 - position["turn"]
        ours = value_of(evaluation, OTHELLO, position)
        assert (ours[::-1] == value_of(evaluation, OTHELLO, exchanged)).all()
        assert ours[0] != 0.5


@pytest.mark.slow
def test_shared_windows_see_images_alike() -> None:
    net = QUEENS._replace(shared=True)
    # ten kinds of cells on 8 x 8, of which a symmetry exchanges others; and the board
    assert len({node.kind for node in nodes(net, OTHELLO.layout())}) == 11
    genome = genome_of(net, OTHELLO, 8)
    evaluation = spatial_value(net, OTHELLO, genome)
    for position in random_positions(OTHELLO, 10):
        values = [
            value_of(evaluation, OTHELLO, transformed(OTHELLO, position, symmetry))[0]
            for symmetry in range(len(cell_symmetries(OTHELLO.layout())))
        ]
        assert np.ptp(values) < 1e-12
    plain = spatial_value(QUEENS, OTHELLO, genome_of(QUEENS, OTHELLO, 8))
    position = random_positions(OTHELLO, 8)[-1]
    mirrored = transformed(OTHELLO, position, 1)
    assert value_of(plain, OTHELLO, position)[0] != value_of(plain, OTHELLO, mirrored)[0]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["othello:size=6", "go-moku:rows=7,columns=7", "go:size=5"])
def test_any_board_of_two_players(text: str) -> None:
    """The sums changed by a move are those of the position after it, whatever the game."""
    game = make(text)
    genome = genome_of(QUEENS, game, 9)
    player = spatial_player(QUEENS, game, genome=genome)
    memory, random = player.memory(game), seeded(1)
    windows = spatial_network.queens(game.layout().rows)
    for position in random_positions(game, 30):
        move = int(choose(player, game, position, memory, random))
        worth = {}
        for other in rules.list_legal_moves(game, position):
            after = rules.copied(position)
            rules.play(game, after, other)
            if not rules.is_over(game, after):
                value = spatial_network.output(genome, windows, board_of(game, after), 0.01)
                worth[other] = value if rules.turn(game, position) == 1 else -value
        if move in worth:
            assert worth[move] >= max(worth.values()) - 1e-4 * np.ptp(list(worth.values()))
