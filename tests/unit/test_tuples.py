"""The tuples that texts name, and which of them share a table."""

from __future__ import annotations

import pytest

from quintet.errors import UserError
from quintet.games import make
from quintet.layout import Layout
from quintet.learn import learner_from
from quintet.nets.tuples import named_tuples, orbits

PENTAGO = make("pentago").layout()


def sets(layout: Layout, text: str) -> set[frozenset[int]]:
    return {frozenset(cells) for orbit in orbits(layout, text) for cells in orbit.tuples}


def test_lines_and_pieces_of_them() -> None:
    board = Layout(3, 4, symmetric="none")
    assert sets(board, "lines(4)") == {frozenset(range(4 * r, 4 * r + 4)) for r in range(3)}
    assert len(sets(board, "lines(3)")) == 3 + 4 + 4
    assert len(sets(board, "windows(3)")) == 6 + 4 + 4
    assert sets(board, "lines(3)+lines(4)") == sets(board, "lines(3)")


def test_pentago_has_18_lines_that_can_win_and_68_sets_that_become_one_by_a_turn() -> None:
    # 80 ways to turn a quadrant under a line; both turns of a middle row, or of a long
    # diagonal, bring the same cells: 8 + 4 pairs
    assert len(sets(PENTAGO, "lines(5)")) == 18
    assert len(named_tuples(PENTAGO, "turned(5)")) == 80
    assert len(sets(PENTAGO, "turned(5)")) == 68
    assert len(sets(PENTAGO, "quadrants")) == 4


def test_a_turned_line_is_a_line_after_the_turn() -> None:
    """The left column of the top left quadrant becomes its top row by a turn to the right."""
    row_of_six = frozenset([0, 6, 12, 3, 4, 5])
    assert row_of_six in sets(PENTAGO, "turned(5)")
    assert frozenset(range(6)) not in sets(PENTAGO, "turned(5)")


def test_corners_and_edges() -> None:
    board = make("othello").layout()
    assert sets(board, "corners(2x2)") == {
        frozenset([0, 1, 8, 9]),
        frozenset([6, 7, 14, 15]),
        frozenset([48, 49, 56, 57]),
        frozenset([54, 55, 62, 63]),
    }
    assert len(sets(board, "corners(2x5)")) == 8  # on each side of each corner
    top, left = {*range(8), 9, 14}, {*range(0, 64, 8), 9, 49}
    right, bottom = {*range(7, 64, 8), 14, 54}, {*range(56, 64), 49, 54}
    assert sets(board, "edges") == {*map(frozenset, (top, left, right, bottom))}
    assert sets(Layout(3, 5, symmetric="none"), "edges") == {
        frozenset([0, 1, 2, 3, 4, 6, 8]),
        frozenset([10, 11, 12, 13, 14, 6, 8]),
    }


def test_images_share_a_table() -> None:
    corners = orbits(Layout(4, 4), "rectangles(2x2)")
    assert sorted(len({frozenset(cells) for cells in o.tuples}) for o in corners) == [1, 4, 4]
    for orbit in corners:
        assert len(set(orbit.tuples)) == 8
    mirrored = orbits(Layout(4, 4, symmetric="mirror"), "rectangles(2x2)")
    assert len(mirrored) == 6


def test_walks_are_connected_and_always_the_same() -> None:
    walks = named_tuples(PENTAGO, "walks(5x6)")
    assert walks == named_tuples(PENTAGO, "walks(5x6)")
    assert len(set(walks)) > 1
    for cells in walks:
        assert len(set(cells)) == 6
        joined = {cells[0]}
        for _ in cells:
            joined |= {
                cell
                for cell in cells
                if any(
                    max(abs(cell // 6 - one // 6), abs(cell % 6 - one % 6)) == 1 for one in joined
                )
            }
        assert joined == set(cells)


@pytest.mark.parametrize(
    ("game", "tuples", "told"),
    [
        ("pentago", "line(5)", "'line\\(5\\)' names no tuples; expected shapes"),
        ("pentago", "lines", "expected lines\\(n\\)"),
        ("pentago", "lines(5)+rectangles(2)", "expected rectangles\\(nxn\\)"),
        ("pentago", "lines(7)", "no tuples lines\\(7\\)"),
        ("pentago", "walks(1x20)", "3486784401 entries; expected at most"),
        ("othello", "turned(5)", "for boards in quadrants"),
    ],
)
def test_what_is_no_tuple_is_refused(game: str, tuples: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        learner_from(f"ntuple:tuples={tuples}", make(game))
