"""Pentago's 35 features with lists and loops."""

from __future__ import annotations

import copy

from tests.against.reference.pentago import DIRECTIONS, SIDE, PentagoReference

Cell = tuple[int, int]
QUADRANTS = [(top, left) for top in (0, 3) for left in (0, 3)]
CELLS = [(row, column) for row in range(SIDE) for column in range(SIDE)]


def features(board: PentagoReference, me: int) -> list[float]:
    """All 35, for the owner `me` (1 or 2) who has just moved."""
    op = 3 - me
    result: list[float] = []
    for own, other in ((me, op), (op, me)):
        free = [line for line in lines(board) if other not in line]
        result += [sum(line.count(own) == n for line in free) for n in range(1, 6)]
    for own in (me, op):
        result += [runs(board, own).count(n) for n in (2, 3, 4)]
    for region in (centres, corners, border, middle, diagonals):
        result += [sum(owner_at(board, c) == own for c in region()) for own in (me, op)]
    result += [sum(turn_wins(board, own, t) for t in range(8)) for own in (me, op)]
    result += [sum(stone_wins(board, own, cell) for cell in CELLS) for own in (me, op)]
    result += [max(in_quadrants(board, own)) for own in (me, op)]
    pairs = list(zip(in_quadrants(board, me), in_quadrants(board, op), strict=True))
    result.append(sum(mine > theirs for mine, theirs in pairs) - sum(m < t for m, t in pairs))
    result.append(sum(owner > 0 for owner in board.cells()) / 36)
    result.append(1)
    return result


def owner_at(board: PentagoReference, cell: Cell) -> int:
    """Whose stone lies on a cell."""
    return board.owner(*cell)


def lines(board: PentagoReference) -> list[list[int]]:
    """The owners along each of the lines of five."""
    found = [
        [board.owner(row + i * down, column + i * right) for i in range(5)]
        for row, column in CELLS
        for down, right in DIRECTIONS
    ]
    return [line for line in found if -1 not in line]


def runs(board: PentagoReference, own: int) -> list[int]:
    """The lengths of all runs that cannot be longer."""
    lengths = []
    for row, column in CELLS:
        for down, right in DIRECTIONS:
            if board.owner(row, column) != own or board.owner(row - down, column - right) == own:
                continue
            length = 1
            while board.owner(row + length * down, column + length * right) == own:
                length += 1
            lengths.append(length)
    return lengths


def centres() -> list[Cell]:
    """Of the quadrants."""
    return [(top + 1, left + 1) for top, left in QUADRANTS]


def corners() -> list[Cell]:
    """Of the board."""
    return [(row, column) for row in (0, 5) for column in (0, 5)]


def border() -> list[Cell]:
    """Without the corners."""
    edge = [(r, c) for r, c in CELLS if r in (0, 5) or c in (0, 5)]
    return [cell for cell in edge if cell not in corners()]


def middle() -> list[Cell]:
    """The four cells around the centre."""
    return [(row, column) for row in (2, 3) for column in (2, 3)]


def diagonals() -> list[Cell]:
    """Both of them."""
    return [(row, column) for row, column in CELLS if column in (row, 5 - row)]


def turn_wins(board: PentagoReference, own: int, turning: int) -> bool:
    """Would a turn give this owner a five?"""
    after = copy.deepcopy(board)
    after.turn_quadrant(turning // 2, clockwise=turning % 2 == 1)
    return after.has_five(own)


def stone_wins(board: PentagoReference, own: int, cell: Cell) -> bool:
    """Would a stone of this owner on this cell, if it is empty, complete a line of five?"""
    if owner_at(board, cell) != 0:
        return False
    row, column = cell
    for down, right in DIRECTIONS:
        for back in range(5):
            first = row - back * down, column - back * right
            others = [(first[0] + i * down, first[1] + i * right) for i in range(5) if i != back]
            if all(owner_at(board, other) == own for other in others):
                return True
    return False


def in_quadrants(board: PentagoReference, own: int) -> list[int]:
    """How many stones this owner has in each quadrant."""
    return [
        sum(board.owner(top + row, left + column) == own for row in range(3) for column in range(3))
        for top, left in QUADRANTS
    ]
