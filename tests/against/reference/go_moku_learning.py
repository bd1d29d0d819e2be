"""The Go-Moku network and its learning, by lists and loops: nothing imported from the package.

A board is a list of rows (0 for empty, or the seat + 1).  A unit is a list of
(right, down); weights are a list for each seat from the mover on.
"""

from __future__ import annotations

Board = list[list[int]]
Point = tuple[int, int]  # row, column
Unit = list[tuple[int, int]]


def code(board: Board, row: int, column: int, seat: int, empty: float) -> float:
    """What a sub-network that looks for the stones of `seat` has as input."""
    if not (0 <= row < len(board) and 0 <= column < len(board[0])):
        return 0.0
    return {0: empty, seat + 1: 1.0}.get(board[row][column], 0.0)


def outputs(
    board: Board, point: Point, seat: int, units: list[Unit], k: int, empty: float
) -> list[float]:
    """What the units give."""
    found = []
    for unit in units:
        product = 2.0 ** (len(unit) - 4) if len(unit) > k else 1.0
        for right, down in unit:
            product *= code(board, point[0] + down, point[1] + right, seat, empty)
        found.append(product)
    return found


class Net:
    """A network, as plain as can be."""

    def __init__(
        self,
        units: list[Unit],
        weights: list[list[float]],
        output: list[float],
        empty: float,
        k: int = 5,
    ) -> None:
        self.units, self.weights, self.output = units, weights, output
        self.empty, self.k = empty, k

    def units_of(self, board: Board, point: Point, seat: int) -> list[float]:
        return outputs(board, point, seat, self.units, self.k, self.empty)

    def sums(self, board: Board, point: Point, mover: int) -> list[float]:
        """L4 of each sub-network, the mover's first."""
        seats = len(self.weights)
        found = []
        for row, weights in enumerate(self.weights):
            given = self.units_of(board, point, (mover + row) % seats)
            found.append(sum(w * y for w, y in zip(weights, given, strict=True)))
        return found

    def value(self, board: Board, point: Point, mover: int) -> float:
        """L5."""
        sums = self.sums(board, point, mover)
        return sum(o * s for o, s in zip(self.output, sums, strict=True))

    def values(self, board: Board, mover: int) -> dict[Point, float]:
        return {
            (row, column): self.value(board, (row, column), mover)
            for row in range(len(board))
            for column in range(len(board[0]))
            if board[row][column] == 0
        }


def learn_move(
    net: Net,
    board: Board,
    mover: int,
    recorded: Point,
    proposed: Point,
    *,
    alpha: float,
    delta: float,
    at_l5: bool,
    highest: float,
    first: int,
) -> None:
    """Figure 6 and equation 1 for one move; weights before `first` are fixed."""
    seats = len(net.weights)
    a, b = net.sums(board, recorded, mover), net.sums(board, proposed, mover)
    whole = abs(net.value(board, recorded, mover) - net.value(board, proposed, mover))
    for row in range(seats):
        seat = (mover + row) % seats
        reward = net.units_of(board, recorded, seat)
        penalty = net.units_of(board, proposed, seat)
        eta = whole if at_l5 else abs(a[row] - b[row])
        weights = net.weights[row]
        changes = []
        for j, w in enumerate(weights):
            if recorded == proposed:
                changes.append(alpha * delta * reward[j] * w)
            else:
                changes.append(alpha * eta * reward[j] * w + alpha * -eta * penalty[j] * w)
        for j in range(first, len(weights)):
            weights[j] = min(max(weights[j] + changes[j], 0.0), highest)
