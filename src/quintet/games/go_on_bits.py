"""Go on small boards: the stones of each seat are the bits of one word.

A row takes one bit more than it has points: this guard bit is never set, so
groups do not grow round the edge.  Row 0 is the top row as shown; the low bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quintet import rules
from quintet.bits import NONE, ONE, Word, added, bit, count, lowest, mixed, nth, without_lowest
from quintet.compiled import borrowing
from quintet.games.go import (
    NOWHERE,
    Eye,
    Go,
    Ko,
    Passing,
    breathes,
    keeps_ko_point,
    key_with_facts,
    next_seat,
    pass_on,
    situation,
    start_history,
    was_seen,
)
from quintet.randomness import Random, below
from quintet.rules import Cells, Moves, Position, Scores, record


class GoOnBits(Go):
    """Go on up to 7 x 7 points."""

    __slots__ = ()
    family = Go

    def position_type(self) -> np.dtype[Any]:
        """Stones of each seat, and what was before."""
        return record(
            stones=(np.uint64, (self.players,)),
            lost=(np.uint64, (self.players,)),  # where stones of a seat were taken
            **self.shared_fields(),
        )


# --- sets of points -------------------------------------------------------------


@borrowing
def all_points(position: Position) -> Word:
    """The whole board."""
    size = position.grid.shape[0]
    word = NONE
    for row in range(size):
        word |= (bit(size) - ONE) << Word(row * (size + 1))
    return word


@borrowing
def inner_points(position: Position) -> Word:
    """The points that are not at the edge."""
    size = position.grid.shape[0]
    word = NONE
    for row in range(1, size - 1):
        word |= (bit(size - 2) - ONE) << Word(row * (size + 1) + 1)
    return word


@borrowing
def beside(position: Position, points: Word) -> Word:
    """Every point next to one of these; and guard bits, so meet it with a set of points."""
    width = Word(position.grid.shape[0] + 1)
    return (points << ONE) | (points >> ONE) | (points << width) | (points >> width)


@borrowing
def occupied(position: Position) -> Word:
    """All stones."""
    word = NONE
    for seat in range(position.seats.shape[0]):
        word |= position.stones[seat]
    return word


@borrowing
def cell_of(position: Position, index: int) -> int:
    """The cell of a bit."""
    return index - index // (position.grid.shape[0] + 1)


@borrowing
def index_of(position: Position, cell: int) -> int:
    """The bit of a cell."""
    return cell + cell // position.grid.shape[0]


@borrowing
def chain(position: Position, stone: Word, stones: Word) -> Word:
    """All stones connected with this one."""
    found = stone
    while True:
        grown = found | (beside(position, found) & stones)
        if grown == found:
            return found
        found = grown


@borrowing
def breathless(position: Position, stone: Word, stones: Word, empty: Word) -> Word:
    """The chain of a stone if it has no liberty, else nothing."""
    found = stone
    while True:
        ring = beside(position, found)
        if ring & empty != NONE:
            return NONE
        grown = found | (ring & stones)
        if grown == found:
            return found
        found = grown


@borrowing
def taken_by(position: Position, point: Word, empty: Word) -> Word:
    """The others' stones that the mover's stone takes; `empty` no longer has its point."""
    taken = NONE
    # a stone with a liberty of its own needs no search
    ring = beside(position, point) & ~beside(position, empty)
    for seat in range(position.seats.shape[0]):
        if seat != position.turn:
            stones = position.stones[seat]
            seeds = ring & stones
            while seeds != NONE:
                rest = without_lowest(seeds)
                dead = breathless(position, seeds ^ rest, stones, empty)
                taken |= dead
                seeds = rest & ~dead
    return taken


@borrowing
def killed_by_own(position: Position, point: Word, empty: Word, taken: Word) -> Word:
    """The mover's own stones, with the one placed, that have no liberty after it."""
    if taken != NONE or beside(position, point) & empty != NONE:
        return NONE
    return breathless(position, point, position.stones[position.turn] | point, empty)


@borrowing
def eyes(game: Go, position: Position, empty: Word) -> Word:
    """The mover's eyes."""
    width = Word(position.grid.shape[0] + 1)
    own = position.stones[position.turn]
    found = empty & ~beside(position, all_points(position) & ~own)
    if game.eye == Eye.SIMPLE or found == NONE:
        return found
    enemies = all_points(position) & ~own & ~empty
    upper_left, upper_right = enemies << (width + ONE), enemies << (width - ONE)
    lower_left, lower_right = enemies >> (width - ONE), enemies >> (width + ONE)
    upper, lower = upper_left | upper_right, lower_left | lower_right
    two = (upper_left & upper_right) | (lower_left & lower_right) | (upper & lower)
    return found & ~two & ~((upper | lower) & ~inner_points(position))


# --- boards as one word ---------------------------------------------------------


@borrowing
def packed(position: Position, own: Word, taken: Word) -> Word:
    """A board with these stones of the mover and without those taken from the others.

    Up to 5 x 5 and three colours this is exact: two bits a point.  Otherwise it
    is a hash.  The top two bits are left to `situation`.
    """
    size, seats = position.grid.shape[0], position.seats.shape[0]
    word = NONE
    if 2 * size * (size + 1) <= 60 and seats <= 3:
        for seat in range(seats):
            stones = own if seat == position.turn else position.stones[seat] & ~taken
            if seat != 1:
                word |= stones
            if seat != 0:
                word |= stones << Word(30)
        return word
    for seat in range(seats):
        stones = own if seat == position.turn else position.stones[seat] & ~taken
        word = mixed(added(word, added(stones, ONE)))
    return word


@borrowing
def board_key(position: Position) -> Word:
    """The board as it is."""
    return packed(position, position.stones[position.turn], NONE)


# --- the rules ------------------------------------------------------------------


@rules.start.implement(GoOnBits)
def _start(game: GoOnBits, position: Position) -> None:
    position.ko = NOWHERE
    start_history(game, position, board_key(position))


@rules.set_up.implement(GoOnBits)
def _set_up(game: GoOnBits, position: Position, content: Cells) -> None:
    position.stones[:] = NONE
    position.lost[:] = NONE
    for cell in range(content.shape[0]):
        if content[cell] > 0:
            position.stones[content[cell] - 1] |= bit(index_of(position, cell))
    start_history(game, position, board_key(position))


@rules.cells.implement(GoOnBits)
def _cells(game: GoOnBits, position: Position, out: Cells) -> None:
    out[:] = 0
    for seat in range(position.seats.shape[0]):
        word = position.stones[seat]
        while word != NONE:
            out[cell_of(position, lowest(word))] = seat + 1
            word = without_lowest(word)


@borrowing
def candidates(game: GoOnBits, position: Position) -> Word:
    """The empty points without those that ko or an own eye forbids."""
    empty = all_points(position) & ~occupied(position)
    points = empty
    if game.passing == Passing.FORCED:
        points &= ~eyes(game, position, empty)
    if position.ko >= 0:
        points &= ~bit(index_of(position, position.ko))
    return points


@borrowing
def is_legal(game: GoOnBits, position: Position, point: Word) -> bool:
    """May the mover place a stone on this candidate?"""
    empty = all_points(position) & ~(occupied(position) | point)
    # an earlier board that comes back had this stone, so it was taken since
    may_repeat = game.ko != Ko.SIMPLE and position.lost[position.turn] & point != NONE
    if beside(position, point) & empty != NONE and not may_repeat:
        return True
    taken = taken_by(position, point, empty)
    killed = killed_by_own(position, point, empty, taken)
    if killed != NONE and (killed == point or not game.suicide):
        return False
    if not (may_repeat if killed == NONE else game.ko != Ko.SIMPLE):
        return True
    own = (position.stones[position.turn] | point) & ~killed
    board = packed(position, own, taken)
    return not was_seen(position, situation(game, position, board))


@rules.legal_moves.implement(GoOnBits)
@borrowing
def _legal_moves(game: GoOnBits, position: Position, moves: Moves) -> int:
    if rules.is_over(game, position):
        return 0
    size = position.grid.shape[0]
    points = candidates(game, position)
    found = 0
    while points != NONE:
        index = lowest(points)
        points = without_lowest(points)
        if is_legal(game, position, bit(index)):
            moves[found] = cell_of(position, index)
            found += 1
    if game.passing == Passing.FREE or found == 0:
        moves[found] = size * size
        found += 1
    return found


@rules.random_move.implement(GoOnBits)
@borrowing
def _random_move(game: GoOnBits, position: Position, moves: Moves, random: Random) -> int:
    size = position.grid.shape[0]
    points = candidates(game, position)
    free = 1 if game.passing == Passing.FREE else 0
    # drawing without putting back: the first legal one is any of them alike
    while points != NONE:
        left = count(points)
        chosen = below(random, left + free)
        if chosen == left:
            return size * size
        index = nth(points, chosen)
        if is_legal(game, position, bit(index)):
            return cell_of(position, index)
        points ^= bit(index)
    return size * size


@rules.play.implement(GoOnBits)
@borrowing
def _play(game: GoOnBits, position: Position, move: int) -> None:
    size = position.grid.shape[0]
    position.ko = NOWHERE
    if move == size * size:
        position.passes += 1
    else:
        position.passes = 0
        put(game, position, bit(index_of(position, move)))
    # a board kept for nobody costs time
    pass_on(game, position, NONE if game.ko == Ko.SIMPLE else board_key(position))


@borrowing
def put(game: GoOnBits, position: Position, point: Word) -> None:
    """Place the mover's stone and take what has no liberty left."""
    empty = all_points(position) & ~(occupied(position) | point)
    taken = taken_by(position, point, empty)
    killed = killed_by_own(position, point, empty, taken)
    mover = position.turn
    position.stones[mover] |= point
    if taken | killed != NONE:
        note_ko(game, position, point, empty, taken)
        for seat in range(position.seats.shape[0]):
            position.lost[seat] |= position.stones[seat] & (taken | killed)
            position.stones[seat] &= ~(taken | killed)


@borrowing
def note_ko(game: GoOnBits, position: Position, point: Word, empty: Word, taken: Word) -> None:
    """Forbid the next player to take back one stone with one stone."""
    ring = beside(position, point)
    if (
        count(taken) == 1
        and ring & (empty | position.stones[position.turn]) == NONE
        and taken & position.stones[next_seat(position)] != NONE
        and keeps_ko_point(game, position)
    ):
        position.ko = cell_of(position, lowest(taken))


@rules.points.implement(GoOnBits)
def _points(game: GoOnBits, position: Position, out: Scores) -> None:
    empty = all_points(position) & ~occupied(position)
    once, twice = NONE, NONE  # empty points that one colour reaches, or several
    for seat in range(position.seats.shape[0]):
        reached = chain(position, position.stones[seat], empty) & empty
        twice |= once & reached
        once |= reached
    for seat in range(position.seats.shape[0]):
        reached = chain(position, position.stones[seat], empty) & empty
        out[seat] = count(position.stones[seat] | (reached & ~twice))


@breathes.implement(GoOnBits)
def _breathes(game: GoOnBits, position: Position) -> bool:
    empty = all_points(position) & ~occupied(position)
    for seat in range(position.seats.shape[0]):
        stones = position.stones[seat]
        breathing = chain(position, beside(position, empty) & stones, stones)
        if breathing != stones:
            return False
    return True


@rules.key.implement(GoOnBits)
def _key(game: GoOnBits, position: Position) -> Word:
    word = NONE
    for seat in range(position.seats.shape[0]):
        word = mixed(added(word, added(position.stones[seat], ONE)))
    return key_with_facts(position, word)
