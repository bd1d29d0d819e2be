"""The symmetries of boards: they form a group and take moves along with cells."""

from __future__ import annotations

import numpy as np
import pytest

from quintet import games, rules
from quintet.layout import Layout
from quintet.notation import parse_picture
from quintet.symmetry import cell_symmetries, symmetries, transformed

COUNTS = [
    (Layout(3, 3), 8),
    (Layout(3, 5), 4),
    (Layout(5, 5, symmetric="mirror"), 2),
    (Layout(5, 5, symmetric="none"), 1),
]


@pytest.mark.parametrize(("layout", "number"), COUNTS)
def test_they_are_a_group(layout: Layout, number: int) -> None:
    rows = {tuple(row) for row in cell_symmetries(layout).tolist()}
    assert len(rows) == number
    for one in rows:
        assert sorted(one) == list(range(layout.cells))
        assert {tuple(one[cell] for cell in other) for other in rows} == rows


@pytest.mark.parametrize(("layout", "number"), COUNTS)
def test_the_first_moves_nothing(layout: Layout, number: int) -> None:
    assert cell_symmetries(layout)[0].tolist() == list(range(layout.cells))


@pytest.mark.parametrize(("layout", "number"), COUNTS)
def test_neighbours_stay_neighbours(layout: Layout, number: int) -> None:
    for taken in cell_symmetries(layout):
        below = taken[layout.columns :]
        steps = np.abs(below - taken[: -layout.columns])
        assert steps.tolist() in ([step] * len(below) for step in (1, layout.columns))


def test_the_corners_of_a_rectangle() -> None:
    assert cell_symmetries(Layout(2, 3))[:, 0].tolist() == [0, 2, 3, 5]


def test_a_pass_stays_and_columns_are_mirrored() -> None:
    assert symmetries(games.make("othello")).moves[:, 64].tolist() == [64] * 8
    assert symmetries(games.make("othello")).moves[:, 0].tolist() == [0, 7, 56, 63, 0, 56, 7, 63]
    assert symmetries(games.make("connect-four")).moves[1].tolist() == [6, 5, 4, 3, 2, 1, 0]


def test_where_a_symmetry_takes_stones_it_takes_moves() -> None:
    game = games.make("tic-tac-mo")
    for s, taken in enumerate(symmetries(game).moves):
        for move in range(15):
            position = rules.new_position(game)
            rules.play(game, position, move)
            content = np.zeros(15, np.int8)
            rules.cells(game, transformed(game, position, s), content)
            assert np.flatnonzero(content).tolist() == [taken[move]]


def test_facts_come_along() -> None:
    game = games.make("pente:size=5")
    rows = "\n".join(f"{row} . . . . ." for row in range(5, 1, -1))
    position = parse_picture(game, f"columns\n{rows}\n1 . X . . O\nturn: 1\ncaptured: 4 2")
    for s in range(8):
        turned = transformed(game, position, s)
        assert (int(turned.turn), turned.captured.tolist()) == (1, [4, 2])


def test_a_fact_that_holds_a_cell_is_taken_where_the_cell_is() -> None:
    game = games.make("go:size=5")
    position = rules.new_position(game)
    assert transformed(game, position, 1).ko == -1
    position.ko = 0
    assert [int(transformed(game, position, s).ko) for s in range(4)] == [0, 4, 20, 24]
