"""A position as SVG, from the game's layout: for notebooks, papers and environments.

It looks as it does on the page (web/page: geometry.js, surface.js, stones.js), but
stands by itself: no styles, no scripts.  The colours of the seats are those of Okabe
and Ito, which colour-blind people can tell; with more than two seats, stones also
carry a mark.
"""

from __future__ import annotations

import html
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from quintet import notation, rules
from quintet.layout import Layout

CELL = 40
_GAP = 8  # between blocks that turn
_RIM = 8
_STONE = 0.43 * CELL

SEATS = ("#1d1d1f", "#fbfaf5", "#d55e00", "#56b4e9", "#009e73", "#f0e442")
_ON_SEATS = ("#fbfaf5", "#1d1d1f", "#ffffff", "#10222e", "#ffffff", "#1d1d1f")
_MARKS = (  # around (0, 0), for a stone of radius 1
    "M-.36 -.36 .36 .36M.36 -.36-.36 .36",
    "M0-.36A.36.36 0 1 0 .01-.36Z",
    "M0-.46 .42 .28-.42 .28Z",
    "M-.33-.33H.33V.33H-.33Z",
    "M0-.48 .4 0 0 .48-.4 0Z",
    "M-.44 0H.44M0-.44V.44",
)
_PLATES = {"squares": "#4f8a6b", "points": "#dcb878", "columns": "#2f62a3", "quadrants": "#4a3b33"}
_LINES = {"squares": "#2c5a43", "points": "#6a4e20"}
_HOLE, _TILE, _DIMPLE, _INK, _GOLD = "#a9c3e6", "#b98b5e", "#8d6540", "#5d5f66", "#ffd400"
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def svg(
    game: Any, position: Any, before: Any = None, move: int | None = None, width: int = 0
) -> str:
    """The board; `before` and `move` tell how the position came about, so that this is marked.

    `width` in pixels; 0 for one that suits the board.
    """
    if hasattr(game, "picture"):
        return _written(notation.picture(game, position))
    place = _Places(game)
    width = width or round(min(place.width, 480))
    height = round(width * place.height / place.width)
    label = html.escape(notation.picture(game, position))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {place.width:g} {place.height:g}" role="img">',
        f"<title>{label}</title>",
        *_surface(game, place),
        *_stones(game, place, position, before, move),
        *_winning(game, place, position),
        "</svg>",
    ]
    return "\n".join(parts)


def _written(picture: str) -> str:
    """A board that can be shown only as text."""
    lines = picture.splitlines()
    width, height = 8 * max(map(len, lines)) + 16, 16 * len(lines) + 16
    rows = [
        f'<text x="8" y="{16 * row + 20}" xml:space="preserve">{html.escape(line)}</text>'
        for row, line in enumerate(lines)
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
    text = '<g font-family="monospace" font-size="13">'
    plate = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return "\n".join([head, plate, text, *rows, "</g>", "</svg>"])


def cells_of(game: Any, position: Any) -> list[int]:
    """Who owns each cell: 0 for nobody, or the seat + 1."""
    content = np.zeros(game.layout().cells, np.int8)
    rules.cells(game, position, content)
    return [int(owner) for owner in content]


class _Places:
    """Where things are, in units of the drawing."""

    def __init__(self, game: Any) -> None:
        self.layout: Layout = game.layout()
        self.blocks = _blocks(game)
        self.letters = 5.5 + 0.75 * max(self.layout.rows, self.layout.columns)
        self.margin = self.letters * 1.3 + 8
        columns, rows = self.layout.columns, self.layout.rows
        self._column_gaps = self._gaps(range(columns))
        self._row_gaps = self._gaps(range(0, rows * columns, columns))
        self.right = self.left(columns - 1) + CELL
        self.bottom = self.top(rows - 1) + CELL
        self.width, self.height = self.right + _RIM, self.bottom + _RIM

    def _gaps(self, cells: Sequence[int]) -> list[int]:
        """How many borders of blocks are before each of some cells."""
        owners = [next((b for b, block in enumerate(self.blocks) if c in block), -1) for c in cells]
        steps = [int(a != b) for a, b in itertools.pairwise(owners)]
        return [sum(steps[:i]) for i in range(len(cells))]

    def left(self, column: int) -> float:
        return self.margin + column * CELL + self._column_gaps[column] * _GAP

    def top(self, row: int) -> float:
        return self.margin + row * CELL + self._row_gaps[row] * _GAP

    def middle(self, cell: int) -> tuple[float, float]:
        row, column = divmod(cell, self.layout.columns)
        return self.left(column) + CELL / 2, self.top(row) + CELL / 2


def _blocks(game: Any) -> list[tuple[int, ...]]:
    """The parts of the board that turn."""
    if game.layout().kind != "quadrants":
        return []
    touches = (notation.touch(game, move) for move in range(game.limits().moves))
    return list(dict.fromkeys(touch.block for touch in touches if touch.block))


# --- the board ------------------------------------------------------------------


def _surface(game: Any, place: _Places) -> Iterator[str]:
    layout = place.layout
    rim = 6 if layout.kind in _LINES else 14
    size = (
        f'width="{place.right - place.margin + 8:g}" height="{place.bottom - place.margin + 8:g}"'
    )
    corner = f'x="{place.margin - 4:g}" y="{place.margin - 4:g}"'
    yield f'<rect {corner} {size} rx="{rim}" fill="{_PLATES[layout.kind]}"/>'
    if layout.kind in _LINES:
        yield from _grid(place)
    if layout.kind == "columns":
        yield from (_circle(place.middle(c), 0.42 * CELL, _HOLE) for c in range(layout.cells))
    for block in place.blocks:
        yield from _tile(place, block)
    yield from _coordinates(place)


def _grid(place: _Places) -> Iterator[str]:
    """Lines round the squares, or through the points."""
    layout = place.layout
    on_points = layout.kind == "points"
    inset = CELL / 2 if on_points else 0
    low, right, bottom = place.margin + inset, place.right - inset, place.bottom - inset
    path = [
        f"M{low + i * CELL:g} {low:g}V{bottom:g}" for i in range(layout.columns + 1 - on_points)
    ] + [f"M{low:g} {low + i * CELL:g}H{right:g}" for i in range(layout.rows + 1 - on_points)]
    colour = _LINES[layout.kind]
    yield f'<path d="{"".join(path)}" stroke="{colour}" stroke-width="1.2" fill="none"/>'
    yield from (_circle(place.middle(cell), 3.2, colour) for cell in layout.stars)


def _tile(place: _Places, block: tuple[int, ...]) -> Iterator[str]:
    """A block that turns, with a dimple for each of its cells."""
    centres = [place.middle(cell) for cell in block]
    x, y = min(x for x, _ in centres) - CELL / 2, min(y for _, y in centres) - CELL / 2
    right, bottom = max(x for x, _ in centres) + CELL / 2, max(y for _, y in centres) + CELL / 2
    size = f'width="{right - x - 2:g}" height="{bottom - y - 2:g}"'
    yield f'<rect x="{x + 1:g}" y="{y + 1:g}" {size} rx="10" fill="{_TILE}"/>'
    yield from (_circle(centre, 0.4 * CELL, _DIMPLE) for centre in centres)


def _coordinates(place: _Places) -> Iterator[str]:
    layout = place.layout
    away = place.margin - 4 - 0.75 * place.letters
    yield (
        f'<g font-size="{place.letters:g}" font-family="system-ui,sans-serif" fill="{_INK}" '
        f'text-anchor="middle" dominant-baseline="central">'
    )
    for column in range(layout.columns):
        x = place.left(column) + CELL / 2
        yield f'<text x="{x:g}" y="{away:g}">{layout.column_name(column)}</text>'
    for row in range(layout.rows):
        y = place.top(row) + CELL / 2
        yield f'<text x="{away:g}" y="{y:g}">{layout.row_name(row)}</text>'
    yield "</g>"


def _circle(centre: tuple[float, float], radius: float, fill: str, more: str = "") -> str:
    x, y = centre
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"{more}/>'


# --- what is on it ----------------------------------------------------------------


def _stones(
    game: Any, place: _Places, position: Any, before: Any, move: int | None
) -> Iterator[str]:
    cells = cells_of(game, position)
    old = cells if before is None else cells_of(game, before)
    last = None if move is None else last_cell(game, old, cells, move)
    for cell, owner in enumerate(cells):
        if owner:
            yield _stone(place, cell, owner - 1, game.limits().seats > 2, cell == last)
        elif old[cell] and not place.blocks:  # it was taken
            more = ' stroke="#000a" stroke-width="1.5" stroke-dasharray="4 3"'
            yield _circle(place.middle(cell), 0.8 * _STONE, "none", more)


def _stone(place: _Places, cell: int, seat: int, marked: bool, last: bool) -> str:
    x, y = place.middle(cell)
    edge = "#999a" if seat == 0 else "#0009"
    on = _ON_SEATS[seat]
    parts = [f'<circle r="1" fill="{SEATS[seat]}" stroke="{edge}" stroke-width=".06"/>']
    if marked:
        line = 'stroke-width=".17" stroke-linejoin="round" stroke-linecap="round"'
        parts.append(f'<path d="{_MARKS[seat]}" fill="none" stroke="{on}" {line}/>')
    if last:
        parts.append(f'<circle r=".74" fill="none" stroke="{on}" stroke-width=".1"/>')
    at = f"translate({x:g} {y:g}) scale({_STONE:g})"
    return f'<g transform="{at}">{"".join(parts)}</g>'


def last_cell(game: Any, old: list[int], cells: list[int], move: int) -> int | None:
    """Where the stone of a move is now: it may have fallen, or a turn carried it on."""
    touch = notation.touch(game, move)
    placed = [cell for cell in touch.cells if cells[cell] != old[cell]]
    if len(touch.cells) > 1:
        return placed[0] if placed else None
    if not touch.cells or not _turned(game.layout(), old, cells, touch.cells[0], touch.block):
        return touch.cells[0] if touch.cells else None
    rows = np.array(sorted(touch.block)).reshape(-1, round(len(touch.block) ** 0.5))
    came_from = np.rot90(rows, -1 if touch.clockwise else 1)
    return int(rows[came_from == touch.cells[0]][0])


def _turned(
    layout: Layout, old: list[int], cells: list[int], cell: int, block: tuple[int, ...]
) -> bool:
    """Did a block with the stone in it turn?  It does not where the stone has won before."""
    return cell in block and any(old[c] != cells[c] for c in block if c != cell)


def _winning(game: Any, place: _Places, position: Any) -> Iterator[str]:
    if not rules.is_over(game, position):
        return
    scores = rules.list_scores(game, position)
    for line in winning_lines(game, cells_of(game, position), scores):
        points = " ".join("{:g},{:g}".format(*place.middle(cell)) for cell in line)
        for colour, width in (("#000c", 9), (_GOLD, 5)):
            yield (
                f'<polyline points="{points}" fill="none" stroke="{colour}" '
                f'stroke-width="{width}" stroke-linecap="round"/>'
            )


def winning_lines(game: Any, cells: list[int], scores: list[float]) -> list[list[int]]:
    """The lines of those with the best score, where lines win."""
    layout: Layout = game.layout()
    if layout.line == 0:
        return []
    winners = {seat + 1 for seat, score in enumerate(scores) if score == max(scores)}
    exact = bool(getattr(game, "exact", False))
    lines = [run for run in _runs(layout, cells) if cells[run[0]] in winners]
    return [
        run for run in lines if len(run) == layout.line or (len(run) > layout.line and not exact)
    ]


def _runs(layout: Layout, cells: list[int]) -> list[list[int]]:
    """The longest lines of cells with the same owner, in each direction."""
    found = []
    for cell, owner in enumerate(cells):
        row, column = divmod(cell, layout.columns)
        for down, right in _DIRECTIONS:
            if owner == 0 or _owner(layout, cells, row - down, column - right) == owner:
                continue  # not where a line begins
            run, at = [], (row, column)
            while _owner(layout, cells, *at) == owner:
                run.append(at[0] * layout.columns + at[1])
                at = (at[0] + down, at[1] + right)
            found.append(run)
    return found


def _owner(layout: Layout, cells: list[int], row: int, column: int) -> int:
    inside = 0 <= row < layout.rows and 0 <= column < layout.columns
    return cells[row * layout.columns + column] if inside else -1
