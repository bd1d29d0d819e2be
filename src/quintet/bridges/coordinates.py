"""How the field names the cells of a board: a codec for each convention.

Cells are numbered row by row from the top left, as everywhere in Quintet.  A
convention writes a cell of a board as its users do and reads it back; whatever
names no cell of this board is refused.  These are where bridges go wrong in
silence, so no other module turns letters into numbers.
"""

from __future__ import annotations

import re
import string
from typing import NamedTuple, Protocol

from quintet.errors import UserError
from quintet.layout import Layout


class Convention(Protocol):
    """A way to name cells."""

    def write(self, layout: Layout, cell: int) -> str:
        """The name of a cell."""

    def read(self, layout: Layout, text: str) -> int:
        """The cell of a name."""


class LetterAndNumber(NamedTuple):
    """A column's letter and a row's number: d3, K10; capitals do not matter to a reader."""

    skip_i: bool  # no column is called I
    upward: bool  # row 1 is at the bottom
    capital: bool = False

    def write(self, layout: Layout, cell: int) -> str:
        """The name of a cell."""
        return self._seen(layout).cell_name(cell)

    def read(self, layout: Layout, text: str) -> int:
        """The cell of a name."""
        seen = self._seen(layout)
        found = re.fullmatch(r"([A-Za-z])([0-9]{1,2})", text.strip())
        if found:
            letters = [seen.column_name(column).lower() for column in range(seen.columns)]
            letter, number = found[1].lower(), int(found[2])
            if letter in letters and 1 <= number <= seen.rows:
                row = seen.rows - number if self.upward else number - 1
                return row * seen.columns + letters.index(letter)
        first, last = self._corners(seen)
        raise UserError(f"{shortened(text)} is no cell; expected one from {first} to {last}")

    def _seen(self, layout: Layout) -> Layout:
        return layout._replace(skip_i=self.skip_i, upward=self.upward, capital=self.capital)

    def _corners(self, seen: Layout) -> tuple[str, str]:
        if self.upward:
            return seen.cell_name(seen.cells - seen.columns), seen.cell_name(seen.columns - 1)
        return seen.cell_name(0), seen.cell_name(seen.cells - 1)


class Letters(NamedTuple):
    """Two letters, the column's and the row's, from the top left: a to z, then A to Z."""

    def write(self, layout: Layout, cell: int) -> str:
        """The name of a cell."""
        row, column = divmod(cell, layout.columns)
        return string.ascii_letters[column] + string.ascii_letters[row]

    def read(self, layout: Layout, text: str) -> int:
        """The cell of a name."""
        columns = string.ascii_letters[: layout.columns]
        rows = string.ascii_letters[: layout.rows]
        if len(text) == 2 and text[0] in columns and text[1] in rows:
            return rows.index(text[1]) * layout.columns + columns.index(text[0])
        last = self.write(layout, layout.cells - 1)
        raise UserError(f"{shortened(text)} is no point; expected one from aa to {last}")


class Numbers(NamedTuple):
    """Two numbers from the top left, the column's and the row's: 7,7."""

    first: int  # the number of the first column and of the first row

    def write(self, layout: Layout, cell: int) -> str:
        """The name of a cell."""
        row, column = divmod(cell, layout.columns)
        return f"{column + self.first},{row + self.first}"

    def read(self, layout: Layout, text: str) -> int:
        """The cell of a name."""
        found = re.fullmatch(r"([0-9]{1,3}),([0-9]{1,3})", text.strip())
        if found:
            column, row = int(found[1]) - self.first, int(found[2]) - self.first
            if 0 <= column < layout.columns and 0 <= row < layout.rows:
                return row * layout.columns + column
        first, last = self.write(layout, 0), self.write(layout, layout.cells - 1)
        raise UserError(f"{shortened(text)} is no cell; expected one from {first} to {last}")


class RowAndColumn(NamedTuple):
    """One number, ten times the row and the column, counted from 1 at the top left: f5 is 56."""

    def write(self, layout: Layout, cell: int) -> str:
        """The name of a cell."""
        row, column = divmod(cell, layout.columns)
        return str(10 * (row + 1) + column + 1)

    def read(self, layout: Layout, text: str) -> int:
        """The cell of a name."""
        if re.fullmatch(r"[1-9][1-9]", text):
            row, column = int(text[0]) - 1, int(text[1]) - 1
            if row < layout.rows and column < layout.columns:
                return row * layout.columns + column
        last = self.write(layout, layout.cells - 1)
        raise UserError(f"{shortened(text)} is no cell; expected one from 11 to {last}")


class Column(NamedTuple):
    """The number of a column, from 1 at the left; here a cell is a column."""

    def write(self, layout: Layout, cell: int) -> str:
        """The name of a column."""
        return str(cell + 1)

    def read(self, layout: Layout, text: str) -> int:
        """The column of a name."""
        if re.fullmatch(r"[0-9]{1,2}", text) and 1 <= int(text) <= layout.columns:
            return int(text) - 1
        raise UserError(f"{shortened(text)} is no column; expected one from 1 to {layout.columns}")


OTHELLO = LetterAndNumber(skip_i=False, upward=False)  # also GGF and SGF of Othello
GO = LetterAndNumber(skip_i=True, upward=True, capital=True)  # GTP, Pente
RENJU = LetterAndNumber(skip_i=False, upward=True)  # Go-Moku and Renju on the web
SGF = Letters()
PISKVORK = Numbers(0)  # the protocol of Gomocup
PSQ = Numbers(1)  # its files
WTHOR = RowAndColumn()
CONNECT_FOUR = Column()


def shortened(text: str) -> str:
    """A text in quotes, for a message."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
