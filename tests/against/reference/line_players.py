"""What the hand-coded players of lines may choose, with lists and loops.

Each function is given the board as a list of rows (0 for empty, or the seat + 1),
the seat to move and k, and answers with the set of points that the player chooses
from; an empty set stands for all empty points.
"""

from __future__ import annotations

Board = list[list[int]]
Point = tuple[int, int]

AXES = [(0, 1), (1, 0), (1, 1), (1, -1)]
EIGHT = AXES + [(-down, -right) for down, right in AXES]
OUTSIDE = -1


def owner(board: Board, row: int, column: int) -> int:
    """Who owns a point; OUTSIDE off the board."""
    if 0 <= row < len(board) and 0 <= column < len(board[0]):
        return board[row][column]
    return OUTSIDE


def along(board: Board, point: Point, axis: Point, length: int) -> list[int]:
    """The owners of the next points from this one on, itself left out."""
    (row, column), (down, right) = point, axis
    return [owner(board, row + i * down, column + i * right) for i in range(1, length + 1)]


def points(board: Board) -> list[Point]:
    return [(row, column) for row in range(len(board)) for column in range(len(board[0]))]


def empty_points(board: Board) -> list[Point]:
    return [(row, column) for row, column in points(board) if board[row][column] == 0]


def rows_of_others(board: Board, seat: int) -> list[list[Point]]:
    """Every maximal row of stones of one seat, not this one; each point before and behind too."""
    found = []
    for row, column in points(board):
        mine = board[row][column]
        for down, right in AXES:
            if mine in (0, seat + 1) or owner(board, row - down, column - right) == mine:
                continue
            length = 1
            while owner(board, row + length * down, column + length * right) == mine:
                length += 1
            found.append([(row + i * down, column + i * right) for i in range(-1, length + 1)])
    return found


def blocker(board: Board, seat: int, k: int) -> set[Point]:
    for length in (k - 1, k - 2):
        ends: set[Point] = set()
        for row in rows_of_others(board, seat):
            if len(row) - 2 == length >= 2:
                ends |= {end for end in (row[0], row[-1]) if owner(board, *end) == 0}
        if ends:
            return ends
    return set()


def capturer(board: Board, seat: int, lengths: list[int]) -> set[Point]:
    others = {other for row in board for other in row} - {0, seat + 1}
    taken = {point: captured(board, point, seat, lengths, others) for point in empty_points(board)}
    most = max(taken.values(), default=0)
    if most > 0:
        return {point for point, number in taken.items() if number == most}
    threats = [[other] * length + [0] for other in others for length in lengths]
    lures = [[other, 0, 0] for other in others]
    return sees_one(board, threats) or sees_one(board, lures)


def captured(board: Board, point: Point, seat: int, lengths: list[int], others: set[int]) -> int:
    return sum(
        length
        for axis in EIGHT
        for length in lengths
        for other in others
        if along(board, point, axis, length + 1) == [other] * length + [seat + 1]
    )


def sees_one(board: Board, sights: list[list[int]]) -> set[Point]:
    """The empty points from which one of these can be seen in some direction."""
    return {
        point
        for point in empty_points(board)
        for axis in EIGHT
        for sight in sights
        if along(board, point, axis, len(sight)) == sight
    }


class Builder:
    """Simple (two directions) and Better (four, and room for k): a plan from move to move."""

    def __init__(self, better: bool, k: int) -> None:
        self.axes = AXES if better else AXES[:2]
        self.better = better
        self.k = k
        self.anchor: Point | None = None
        self.tried = 0

    def wish(self, board: Board, seat: int) -> set[Point]:
        """The points it chooses from; none if it starts over from any empty point."""
        if self.anchor is None or owner(board, *self.anchor) != seat + 1:
            self.anchor = None
            return set()
        while self.tried < len(self.axes):
            ends = self.ends(board, seat, self.axes[self.tried])
            if ends:
                return ends
            self.tried += 1
        self.anchor = None
        return set()

    def note(self, point: Point) -> None:
        """It chose this."""
        if self.anchor is None:
            self.anchor = point
            self.tried = 0

    def ends(self, board: Board, seat: int, axis: Point) -> set[Point]:
        assert self.anchor is not None
        down, right = axis
        row = [self.anchor]
        while owner(board, row[0][0] - down, row[0][1] - right) == seat + 1:
            row.insert(0, (row[0][0] - down, row[0][1] - right))
        while owner(board, row[-1][0] + down, row[-1][1] + right) == seat + 1:
            row.append((row[-1][0] + down, row[-1][1] + right))
        ends = {
            (row[0][0] - down, row[0][1] - right),
            (row[-1][0] + down, row[-1][1] + right),
        }
        ends = {end for end in ends if owner(board, *end) == 0}
        if not self.better:
            return ends
        windows = [{(r + i * down, c + i * right) for i in range(self.k)} for r, c in points(board)]
        living = [
            window
            for window in windows
            if set(row) < window and all(owner(board, *p) in (0, seat + 1) for p in window)
        ]
        return {end for end in ends if any(end in window for window in living)}
