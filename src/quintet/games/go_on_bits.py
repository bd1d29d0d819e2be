"""Go on small boards: the stones of each seat are the bits of one word.

A row takes one bit more than it has points: this guard bit is never set, so
groups do not grow round the edge.  Row 0 is the top row as shown; the low bits.

Every stone knows its chain, so that what a move does needs no search: to write a
chain to all its stones costs less, in vectors, than to follow stones one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import NONE, ONE, Word, added, bit, count, has, lowest, mixed, nth, without_lowest
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

WORD = 64  # bits


class GoOnBits(Go):
    """Go on up to 7 x 7 points."""

    __slots__ = ()
    family = Go

    def position_type(self) -> np.dtype[Any]:
        """Stones of each seat, and what was before."""
        return record(
            stones=(np.uint64, (self.players,)),
            # of each point, the stones connected with its own; a row more above and below
            chain=(np.uint64, (WORD + 2 * (self.size + 1),)),
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
def grown(position: Position, start: Word, within: Word) -> Word:
    """These points, and all of `within` that are connected with them."""
    found = start
    while True:
        more = found | (beside(position, found) & within)
        if more == found:
            return found
        found = more


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


# --- what a stone does ----------------------------------------------------------


class Effect(NamedTuple):
    """What a stone does where it is placed."""

    chain: Word  # that it becomes a part of
    taken: Word  # stones of the others
    killed: Word  # own ones: the chain, or nothing


@borrowing
def effect_of(position: Position, index: int) -> Effect:
    """What the mover's stone does on an empty point."""
    point, own = bit(index), position.stones[position.turn]
    empty = all_points(position) & ~(occupied(position) | point)
    width = position.grid.shape[0] + 1
    chain, taken = point, NONE
    for place in (index, index + width - 1, index + width + 1, index + 2 * width):
        other = position.chain[place]
        is_own = other & own != NONE
        is_dead = beside(position, other) & empty == NONE
        chain |= other if is_own else NONE
        taken |= other if is_dead and not is_own else NONE
    breathes_on = taken | (beside(position, chain) & empty) != NONE
    return Effect(chain, taken, NONE if breathes_on else chain)


@borrowing
def write_chain(position: Position, points: Word, chain: Word) -> None:
    """Let all these points have this chain."""
    width = position.grid.shape[0] + 1
    part = WORD // 2 if points < bit(WORD // 2) else WORD
    for index in range(part):  # of unknown length, so that it compiles to vectors, not to branches
        old = position.chain[index + width]
        position.chain[index + width] = chain if has(points, index) else old


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
    position.chain[:] = NONE
    for cell in range(content.shape[0]):
        if content[cell] > 0:
            position.stones[content[cell] - 1] |= bit(index_of(position, cell))
    for seat in range(position.seats.shape[0]):
        rest = position.stones[seat]
        while rest != NONE:
            chain = grown(position, bit(lowest(rest)), rest)
            write_chain(position, chain, chain)
            rest &= ~chain
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
def is_legal(game: GoOnBits, position: Position, point: Word, effect: Effect) -> bool:
    """May the mover place a stone on this candidate?"""
    killed = effect.killed
    if killed != NONE and (killed == point or not game.suicide):
        return False
    # an earlier board that comes back had this stone, so it was taken since
    was_there = position.lost[position.turn] & point != NONE
    if game.ko == Ko.SIMPLE or not (was_there or killed != NONE):
        return True
    own = (position.stones[position.turn] | point) & ~killed
    board = packed(position, own, effect.taken)
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
        if is_legal(game, position, bit(index), effect_of(position, index)):
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
    index, _ = drawn(game, position, random)
    return size * size if index == NOWHERE else cell_of(position, index)


@rules.play_out.implement(GoOnBits)
@borrowing
def _play_out(game: GoOnBits, position: Position, moves: Moves, random: Random) -> int:
    plies = 0
    while not rules.is_over(game, position):  # as random moves, but each effect is found once
        index, effect = drawn(game, position, random)
        put_or_pass(game, position, index, effect)
        plies += 1
    return plies


@borrowing
def drawn(game: GoOnBits, position: Position, random: Random) -> tuple[int, Effect]:
    """A random legal point and what a stone does there, or NOWHERE for a pass."""
    points = candidates(game, position)
    free = 1 if game.passing == Passing.FREE else 0
    # drawing without putting back: the first legal one is any of them alike
    while points != NONE:
        left = count(points)
        chosen = below(random, left + free)
        if chosen == left:
            break
        index = nth(points, chosen)
        effect = effect_of(position, index)
        if is_legal(game, position, bit(index), effect):
            return index, effect
        points ^= bit(index)
    return NOWHERE, Effect(NONE, NONE, NONE)


@rules.play.implement(GoOnBits)
@borrowing
def _play(game: GoOnBits, position: Position, move: int) -> None:
    size = position.grid.shape[0]
    if move == size * size:
        put_or_pass(game, position, NOWHERE, Effect(NONE, NONE, NONE))
    else:
        index = index_of(position, move)
        put_or_pass(game, position, index, effect_of(position, index))


@borrowing
def put_or_pass(game: GoOnBits, position: Position, index: int, effect: Effect) -> None:
    """Let the mover place a stone with this effect, or pass."""
    position.ko = NOWHERE
    if index == NOWHERE:
        position.passes += 1
    else:
        position.passes = 0
        put(game, position, bit(index), effect)
    # a board kept for nobody costs time
    pass_on(game, position, NONE if game.ko == Ko.SIMPLE else board_key(position))


@borrowing
def put(game: GoOnBits, position: Position, point: Word, effect: Effect) -> None:
    """Place the mover's stone and take what has no liberty left."""
    position.stones[position.turn] |= point
    write_chain(position, effect.chain, effect.chain)
    gone = effect.taken | effect.killed
    if gone != NONE:
        note_ko(game, position, effect)
        write_chain(position, gone, NONE)
        for seat in range(position.seats.shape[0]):
            position.lost[seat] |= position.stones[seat] & gone
            position.stones[seat] &= ~gone


@borrowing
def note_ko(game: GoOnBits, position: Position, effect: Effect) -> None:
    """Forbid the next player to take back one stone with one stone."""
    empty = all_points(position) & ~occupied(position)
    if (
        count(effect.taken) == 1
        and count(effect.chain) == 1
        and beside(position, effect.chain) & empty == NONE
        and effect.taken & position.stones[next_seat(position)] != NONE
        and keeps_ko_point(game, position)
    ):
        position.ko = cell_of(position, lowest(effect.taken))


@rules.points.implement(GoOnBits)
def _points(game: GoOnBits, position: Position, out: Scores) -> None:
    empty = all_points(position) & ~occupied(position)
    once, twice = NONE, NONE  # empty points that one colour reaches, or several
    for seat in range(position.seats.shape[0]):
        reached = grown(position, position.stones[seat], empty) & empty
        twice |= once & reached
        once |= reached
    for seat in range(position.seats.shape[0]):
        reached = grown(position, position.stones[seat], empty) & empty
        out[seat] = count(position.stones[seat] | (reached & ~twice))


@rules.areas.implement(GoOnBits)
def _areas(game: GoOnBits, position: Position, out: Cells) -> None:
    rules.cells(game, position, out)
    empty = all_points(position) & ~occupied(position)
    rest = empty
    while rest != NONE:
        region = grown(position, bit(lowest(rest)), empty)
        rest &= ~region
        owner = owner_of(position, region)
        while region != NONE:
            out[cell_of(position, lowest(region))] = owner
            region = without_lowest(region)


@borrowing
def owner_of(position: Position, region: Word) -> int:
    """The one colour beside an empty region, or 0."""
    owner = 0
    for seat in range(position.seats.shape[0]):
        if beside(position, region) & position.stones[seat] != NONE:
            if owner > 0:
                return 0
            owner = seat + 1
    return owner


@rules.hint.implement(GoOnBits)
def _hint(game: GoOnBits, position: Position, seat: int, planes: NDArray[np.float32]) -> None:
    planes[:] = 0.0
    size = position.grid.shape[0]
    empty = all_points(position) & ~occupied(position)
    rest = occupied(position)
    while rest != NONE:
        index = lowest(rest)
        rest = without_lowest(rest)
        liberties = count(beside(position, position.chain[index + size + 1]) & empty)
        if 1 <= liberties <= 2:
            cell = cell_of(position, index)
            planes[liberties - 1, cell // size, cell % size] = 1.0


@breathes.implement(GoOnBits)
def _breathes(game: GoOnBits, position: Position) -> bool:
    empty = all_points(position) & ~occupied(position)
    for seat in range(position.seats.shape[0]):
        stones = position.stones[seat]
        breathing = grown(position, beside(position, empty) & stones, stones)
        if breathing != stones:
            return False
    return True


@rules.key.implement(GoOnBits)
def _key(game: GoOnBits, position: Position) -> Word:
    word = NONE
    for seat in range(position.seats.shape[0]):
        word = mixed(added(word, added(position.stones[seat], ONE)))
    return key_with_facts(position, word)
