"""Pentago: five in a row on a board whose quadrants turn, for two players.

A move places a stone on an empty cell of the 6 x 6 board and then turns one of
the four 3 x 3 quadrants by a quarter.  Five or six in a row win.  A five made
by the stone alone wins before the turn, and the quadrant stays.  After the
turn, fives of both are a tie, and a five of one seat wins, whoever turned.

Each seat's stones are one word, row by row from the top left.  A row takes
seven bits: the seventh is never set, so lines do not run round the edge.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import NONE, Word, added, bit, count, lowest, mixed, nth, nth_bit, without_lowest
from quintet.compiled import borrowing, jit
from quintet.layout import Layout, Touch
from quintet.randomness import Random, below
from quintet.rules import Cells, Limits, Moves, Position, Scores, record

NOBODY = -1
PLAYING, WON, DRAWN = 0, 1, 2

SIDE = 6  # cells on a side of the board
CELLS = SIDE * SIDE
WIDTH = SIDE + 1  # bits of a row: one more than it has cells
TURNS = 8  # turns to choose from: four quadrants, two directions
_ROOM = 1024  # for the boards that can follow, at most 288: a power of two


class Pentago(NamedTuple):
    """Place a stone, turn a quadrant; the first with five in a row wins."""

    def position_type(self) -> np.dtype[Any]:
        """Stones of each seat, whose turn it is, how it stands."""
        return record(
            stones=(np.uint64, (2,)),
            turn=np.int8,
            outcome=np.int8,
            winner=np.int8,
            # takes no room: its shape tells the compiler the size of the board
            grid=(np.int8, (SIDE, SIDE, 0)),
        )

    def limits(self) -> Limits:
        """One move for each cell, quadrant and direction."""
        return Limits(2, CELLS * TURNS, CELLS, 4)

    def layout(self) -> Layout:
        """Four quadrants; a1 is the top left cell."""
        return Layout(SIDE, SIDE, "quadrants", line=5)

    def move_name(self, move: int) -> str:
        """The cell, the quadrant's number and where its top goes: b2:1L."""
        cell, turning = divmod(move, TURNS)
        return f"{self.layout().cell_name(cell)}:{turning // 2 + 1}{'LR'[turning % 2]}"

    def touch(self, move: int) -> Touch:
        """The cell, and the quadrant that turns after it."""
        cell, turning = divmod(move, TURNS)
        corner = turning // 4 * 3 * SIDE + turning // 2 % 2 * 3
        block = tuple(corner + row * SIDE + column for row in range(3) for column in range(3))
        return Touch((cell,), block, turning % 2 == 1)

    def moved(self, taken: NDArray[np.int32]) -> NDArray[np.int32]:
        """Where a symmetry of the board, given by where each cell goes, takes each move."""
        centres = np.array([7, 10, 25, 28])  # of the quadrants: they show where these go
        rows, columns = np.divmod(taken[centres], SIDE)
        quadrants = rows // 3 * 2 + columns // 3
        cells, quadrant, direction = np.unravel_index(np.arange(CELLS * TURNS), (CELLS, 4, 2))
        if is_reflection(taken):
            direction = 1 - direction
        result = taken[cells] * TURNS + quadrants[quadrant] * 2 + direction
        return np.asarray(result, np.int32)


def is_reflection(taken: NDArray[np.int32]) -> bool:
    """Does a symmetry, given by where each cell goes, swap left and right turns?"""
    row, column = np.divmod(taken[[0, 1, SIDE]].astype(np.int64), SIDE)
    right = row[1] - row[0], column[1] - column[0]
    down = row[2] - row[0], column[2] - column[0]
    return bool(right[0] * down[1] > right[1] * down[0])


def _turned_quadrants() -> NDArray[np.uint64]:
    """For each direction and pattern of a quadrant, its stones after the turn.

    Patterns have nine bits, row by row; the stones are as in the top left quadrant.
    """
    table = np.zeros((2, 512), np.uint64)
    for pattern in range(512):
        rows = np.array([pattern >> i & 1 for i in range(9)]).reshape(3, 3)
        for direction in range(2):
            turned = np.argwhere(np.rot90(rows, 1 - 2 * direction))
            table[direction, pattern] = sum(1 << int(r * WIDTH + c) for r, c in turned)
    return table


TURNED = _turned_quadrants()
QUADRANT = Word(sum(0b111 << row * WIDTH for row in range(3)))  # the top left one
TOP, MIDDLE, BOTTOM = Word(0b111), Word(0b111_000), Word(0b111_000_000)  # rows of a pattern
BOARD = Word(sum(0b111111 << row * WIDTH for row in range(SIDE)))


@borrowing
def index_of(cell: int) -> int:
    """The bit of a cell."""
    return cell + cell // SIDE


@borrowing
def cell_of(index: int) -> int:
    """The cell of a bit."""
    return index - index // WIDTH


@borrowing
def empty_cells(position: Position) -> Word:
    """The set of cells without a stone."""
    return BOARD & ~(position.stones[0] | position.stones[1])


@rules.start.implement(Pentago)
def _start(game: Pentago, position: Position) -> None:
    position.winner = NOBODY


@rules.turn.implement(Pentago)
def _turn(game: Pentago, position: Position) -> int:
    return position.turn


@rules.is_over.implement(Pentago)
def _is_over(game: Pentago, position: Position) -> bool:
    return position.outcome != PLAYING


@rules.legal_moves.implement(Pentago)
@borrowing
def _legal_moves(game: Pentago, position: Position, moves: Moves) -> int:
    if position.outcome != PLAYING:
        return 0
    empty = empty_cells(position)
    found = 0
    while empty != NONE:
        first = cell_of(lowest(empty)) * TURNS
        for turning in range(TURNS):
            moves[found + turning] = first + turning
        found += TURNS
        empty = without_lowest(empty)
    return found


@rules.distinct_moves.implement(Pentago)
def _distinct_moves(game: Pentago, position: Position, moves: Moves) -> int:
    if position.outcome != PLAYING:
        return 0
    mover = position.turn
    own, other = position.stones[mover], position.stones[1 - mover]
    boards = np.zeros((_ROOM, 2), np.uint64)
    others = np.zeros(TURNS, np.uint64)
    for turning in range(TURNS):
        others[turning] = turned(other, turning >> 1, turning & 1)
    empty = empty_cells(position)
    found = 0
    while empty != NONE:
        index = lowest(empty)
        placed = own | bit(index)
        turnings = 1 if fives(placed) != NONE else TURNS  # a five leaves the quadrants as they are
        for turning in range(turnings):
            board = placed if turnings == 1 else turned(placed, turning >> 1, turning & 1)
            if is_new(boards, board, others[turning]):
                moves[found] = cell_of(index) * TURNS + turning
                found += 1
        empty = without_lowest(empty)
    return found


@jit
def is_new(boards: NDArray[np.uint64], own: Word, other: Word) -> bool:
    """Note a board, with a stone at least, in a hash set; was it not there yet?"""
    mask = Word(boards.shape[0] - 1)
    place = mixed(added(own, mixed(other))) & mask
    while boards[place, 0] != NONE:
        if boards[place, 0] == own and boards[place, 1] == other:
            return False
        place = place + Word(1) & mask
    boards[place, 0] = own
    boards[place, 1] = other
    return True


@rules.random_move.implement(Pentago)
@borrowing
def _random_move(game: Pentago, position: Position, moves: Moves, random: Random) -> int:
    empty = empty_cells(position)
    choice = below(random, count(empty) * TURNS)
    return cell_of(nth(empty, choice // TURNS)) * TURNS + choice % TURNS


@rules.play.implement(Pentago)
@borrowing
def _play(game: Pentago, position: Position, move: int) -> None:
    put_and_turn(position, bit(index_of(move >> 3)), move & 7)


@rules.play_out.implement(Pentago)
@borrowing
def _play_out(game: Pentago, position: Position, moves: Moves, random: Random) -> int:
    if position.outcome != PLAYING:
        return 0
    mover, left = int(position.turn), count(empty_cells(position))
    own, other = position.stones[mover], position.stones[1 - mover]
    plies, over = 0, False
    while not over:  # as random moves, but nothing is written before the end
        choice = below(random, left * TURNS)
        own |= nth_bit(BOARD & ~(own | other), choice // TURNS)
        over = has_five(own)
        if not over:
            own = turned(own, choice % TURNS // 2, choice % 2)
            other = turned(other, choice % TURNS // 2, choice % 2)
            over = has_five(own) or has_five(other) or left == 1
        own, other = other, own
        mover = 1 - mover
        left -= 1
        plies += 1
    position.turn = mover
    position.stones[mover], position.stones[1 - mover] = own, other
    settle(position)
    return plies


@borrowing
def put_and_turn(position: Position, stone: Word, turning: int) -> None:
    """Place the mover's stone, and turn a quadrant unless that wins."""
    mover = position.turn
    position.turn = 1 - mover
    own = position.stones[mover] | stone
    position.stones[mover] = own
    if has_five(own):
        position.outcome = WON
        position.winner = mover
        return
    for seat in range(2):
        position.stones[seat] = turned(position.stones[seat], turning >> 1, turning & 1)
    settle(position)


@borrowing
def turned(stones: Word, quadrant: int, direction: int) -> Word:
    """The stones after a quarter turn of a quadrant, left (0) or right (1)."""
    corner = corner_of(quadrant)
    pattern = pattern_of(stones, quadrant)
    return stones & ~(QUADRANT << corner) | TURNED[direction, pattern] << corner


@borrowing
def corner_of(quadrant: int) -> Word:
    """The bit of a quadrant's top left cell."""
    return Word((quadrant >> 1) * 3 * WIDTH + (quadrant & 1) * 3)


@borrowing
def pattern_of(stones: Word, quadrant: int) -> Word:
    """The stones of a quadrant as nine bits, row by row."""
    old = stones >> corner_of(quadrant)
    # close the gaps between its rows
    return old & TOP | old >> Word(WIDTH - 3) & MIDDLE | old >> Word(2 * WIDTH - 6) & BOTTOM


@borrowing
def settle(position: Position) -> None:
    """Note fives on the board, or that it is full."""
    first, second = has_five(position.stones[0]), has_five(position.stones[1])
    if first and second:
        position.outcome = DRAWN
    elif first or second:
        position.outcome = WON
        position.winner = 0 if first else 1
    elif empty_cells(position) == NONE:
        position.outcome = DRAWN


@borrowing
def has_five(stones: Word) -> bool:
    """Are there five in a row?  A fourth of a random game passes before there can be."""
    return count(stones) >= 5 and fives(stones) != NONE


@borrowing
def fives(stones: Word) -> Word:
    """The first stones of all fives in a row, in any of the four directions."""
    return (
        fives_along(stones, 1)
        | fives_along(stones, WIDTH - 1)
        | fives_along(stones, WIDTH)
        | fives_along(stones, WIDTH + 1)
    )


@borrowing
def fives_along(stones: Word, step: int) -> Word:
    """The first stones of all fives whose stones lie `step` bits apart."""
    twos = stones & stones >> Word(step)
    fours = twos & twos >> Word(2 * step)
    return fours & stones >> Word(4 * step)


@rules.scores.implement(Pentago)
def _scores(game: Pentago, position: Position, out: Scores) -> None:
    if position.outcome == WON:
        out[:] = 0.0
        out[position.winner] = 1.0
    else:
        out[:] = 0.5


@rules.cells.implement(Pentago)
def _cells(game: Pentago, position: Position, out: Cells) -> None:
    out[:] = 0
    for seat in range(2):
        word = position.stones[seat]
        while word != NONE:
            out[cell_of(lowest(word))] = seat + 1
            word = without_lowest(word)


@rules.set_up.implement(Pentago)
def _set_up(game: Pentago, position: Position, content: Cells) -> None:
    position.stones[:] = NONE
    position.outcome = PLAYING
    position.winner = NOBODY
    for cell in range(content.shape[0]):
        if content[cell] > 0:
            position.stones[content[cell] - 1] |= bit(index_of(cell))
    settle(position)


@rules.key.implement(Pentago)
def _key(game: Pentago, position: Position) -> Word:
    word = mixed(Word(position.turn + 1))  # unmixed, it would add to the stones
    word = mixed(added(word, position.stones[0]))
    return mixed(added(word, position.stones[1]))
