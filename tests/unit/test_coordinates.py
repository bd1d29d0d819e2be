"""Each convention names cells as its users do, and reads back what it wrote."""

from __future__ import annotations

import pytest

from quintet.bridges import coordinates
from quintet.bridges.coordinates import Convention
from quintet.errors import UserError
from quintet.layout import Layout

BOARDS = [Layout(8, 8), Layout(15, 15), Layout(19, 19), Layout(3, 5), Layout(6, 7)]
CONVENTIONS = {
    "othello": coordinates.OTHELLO,
    "go": coordinates.GO,
    "renju": coordinates.RENJU,
    "sgf": coordinates.SGF,
    "piskvork": coordinates.PISKVORK,
    "psq": coordinates.PSQ,
}


@pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=CONVENTIONS)
@pytest.mark.parametrize("layout", BOARDS, ids=lambda board: f"{board.rows}x{board.columns}")
def test_every_cell_is_read_back(convention: Convention, layout: Layout) -> None:
    names = [convention.write(layout, cell) for cell in range(layout.cells)]
    assert len(set(names)) == layout.cells
    assert [convention.read(layout, name) for name in names] == list(range(layout.cells))


def test_wthor_on_its_board() -> None:
    names = [coordinates.WTHOR.write(BOARDS[0], cell) for cell in range(64)]
    assert [coordinates.WTHOR.read(BOARDS[0], name) for name in names] == list(range(64))


@pytest.mark.parametrize(
    ("name", "text", "row", "column"),  # rows and columns from the top left, from 0
    [
        ("othello", "a1", 0, 0),
        ("othello", "f5", 4, 5),
        ("othello", "I15", 14, 8),
        ("go", "A1", 14, 0),
        ("go", "H8", 7, 7),
        ("go", "j9", 6, 8),
        ("renju", "a1", 14, 0),
        ("renju", "i9", 6, 8),
        ("renju", "j9", 6, 9),
        ("sgf", "aa", 0, 0),
        ("sgf", "hc", 2, 7),
        ("piskvork", "0,0", 0, 0),
        ("piskvork", "7,2", 2, 7),
        ("psq", "1,1", 0, 0),
        ("psq", "8, 3".replace(" ", ""), 2, 7),
    ],
)
def test_known_names(name: str, text: str, row: int, column: int) -> None:
    assert CONVENTIONS[name].read(Layout(15, 15), text) == row * 15 + column


def test_wthor_counts_rows_in_tens() -> None:
    assert coordinates.WTHOR.read(Layout(8, 8), "56") == coordinates.OTHELLO.read(
        Layout(8, 8), "f5"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("othello", "p1"),
        ("othello", "a0"),
        ("othello", "a16"),
        ("othello", "٣1"),
        ("go", "I5"),
        ("go", "Q1"),
        ("sgf", "pa"),
        ("sgf", "ap"),
        ("sgf", "a"),
        ("sgf", ""),
        ("sgf", "AA"),
        ("piskvork", "15,0"),
        ("piskvork", "-1,0"),
        ("psq", "0,1"),
        ("psq", "1;1"),
    ],
)
def test_what_is_no_cell_is_refused(name: str, text: str) -> None:
    with pytest.raises(UserError, match="expected one from"):
        CONVENTIONS[name].read(Layout(15, 15), text)


@pytest.mark.parametrize("text", ["0", "8", "x", "", "٣"])
def test_what_is_no_column_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="from 1 to 7"):
        coordinates.CONNECT_FOUR.read(Layout(6, 7), text)
    assert coordinates.CONNECT_FOUR.read(Layout(6, 7), "7") == 6
