"""How people see a board: its shape, its coordinates, its kind.

Nothing here is compiled; terminal pictures, the web page and file formats read it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Touch(NamedTuple):
    """How a move is made on a board that is drawn."""

    cells: tuple[int, ...]  # any of these stands for it; none: it has no place, as a pass
    block: tuple[int, ...] = ()  # cells that turn by a quarter after the stone is placed
    clockwise: bool | None = None


class Layout(NamedTuple):
    """A rectangular board.  Cell 0 is in the first row shown, at its left end.

    kind: how it is drawn: stones in "squares", on the "points" of a grid,
        dropped into "columns", or in four turning "quadrants".
    skip_i: column letters leave out I, as in Go.
    upward: row numbers grow upward, as in Go, rather than downward, as in Othello.
    capital: column letters are capitals.
    symmetric: which of the board's symmetries the rules respect.
    facts: the fields of a position that do not show on the board.
    located: those of the facts that hold a cell, or -1 for none.
    line: so many stones in a row win, and are marked; 0 where rows do not matter.
    """

    rows: int
    columns: int
    kind: Literal["squares", "points", "columns", "quadrants"] = "squares"
    skip_i: bool = False
    upward: bool = False
    capital: bool = False
    symmetric: Literal["all", "mirror", "none"] = "all"
    facts: tuple[str, ...] = ("turn",)
    located: tuple[str, ...] = ()
    line: int = 0

    @property
    def cells(self) -> int:
        """How many there are."""
        return self.rows * self.columns

    @property
    def stars(self) -> list[int]:
        """The cells with a star point: centre, corners and, on 19 lines, the sides."""
        if self.kind != "points":
            return []
        rows, columns = _star_lines(self.rows), _star_lines(self.columns)
        crossings = [(row, column) for row in rows for column in columns]
        if max(self.rows, self.columns) < 19:  # only the corners and the centre
            middle = (self.rows // 2, self.columns // 2)
            crossings = [
                (row, column)
                for row, column in crossings
                if (row, column) == middle or (row != middle[0] and column != middle[1])
            ]
        return [row * self.columns + column for row, column in crossings]

    def column_name(self, column: int) -> str:
        """The letter of a column."""
        letters = "abcdefghjklmnopqrstuvwxyz" if self.skip_i else "abcdefghijklmnopqrstuvwxyz"
        return letters[column].upper() if self.capital else letters[column]

    def row_name(self, row: int) -> str:
        """The number of a row."""
        return str(self.rows - row if self.upward else row + 1)

    def cell_name(self, cell: int) -> str:
        """The name of a cell, such as d3 or K10."""
        row, column = divmod(cell, self.columns)
        return self.column_name(column) + self.row_name(row)

    def touch(self, move: int) -> Touch:
        """How a move is made whose number is a cell's, or with columns a column's."""
        if self.kind == "columns" and move < self.columns:
            return Touch(tuple(range(move, self.cells, self.columns)))
        return Touch((move,) if move < self.cells else ())


def _star_lines(lines: int) -> list[int]:
    """The lines, counted from 0, on which star points are."""
    if lines < 5:
        return []
    middle = [lines // 2] if lines % 2 else []
    edge = 3 if lines > 12 else 2
    return sorted({edge, *middle, lines - 1 - edge}) if lines > 6 else middle
