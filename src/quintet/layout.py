"""How people see a board: its shape, its coordinates, its kind.

Nothing here is compiled; terminal pictures, the web page and file formats read it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


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

    @property
    def cells(self) -> int:
        """How many there are."""
        return self.rows * self.columns

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
