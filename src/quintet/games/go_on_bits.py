"""Go on small boards: the stones of each seat are the bits of one word.

A row takes one bit more than it has points: this guard bit is never set, so
groups do not grow round the edge.  Row 0 is the top row as shown; the low bits.

Every stone knows its chain and what lies around it, so that what a move does needs
no search: to write that to all stones of a chain costs less, in vectors, than to
follow stones one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import (
    NONE,
    ONE,
    Word,
    added,
    bit,
    count,
    filled,
    lowest,
    mixed,
    multiplied,
    nth,
    without_lowest,
)
from quintet.compiled import borrowing, jit
from quintet.games.go import (
    NOWHERE,
    Eye,
    Go,
    Ko,
    Passing,
    breathes,
    has_ended,
    keeps_ko_point,
    key_with_facts,
    seat_after,
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
            # of each point, the stones connected with its own, and all points beside those;
            # a row more above and below
            chain=(np.uint64, (word_for(self.size) + 2 * (self.size + 1),)),
            around=(np.uint64, (word_for(self.size) + 2 * (self.size + 1),)),
            lost=(np.uint64, (self.players,)),  # where stones of a seat were taken
            **self.shared_fields(),
        )


@jit
def word_for(size: int) -> int:
    """How many bits the words of a board need."""
    return 32 if size * (size + 1) <= 32 else 64


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
def eyes(game: Go, position: Position, own: Word, empty: Word) -> Word:
    """The eyes of who has these stones."""
    width = Word(position.grid.shape[0] + 1)
    found = empty & ~beside(position, all_points(position) & ~own)
    if game.eye == Eye.SIMPLE or found == NONE:
        return found
    enemies = all_points(position) & ~own & ~empty
    upper_left, upper_right = enemies << (width + ONE), enemies << (width - ONE)
    lower_left, lower_right = enemies >> (width - ONE), enemies >> (width + ONE)
    upper, lower = upper_left | upper_right, lower_left | lower_right
    two = (upper_left & upper_right) | (lower_left & lower_right) | (upper & lower)
    return found & ~two & ~((upper | lower) & ~inner_points(position))


# --- what every move changes ------------------------------------------------------


class Now(NamedTuple):
    """What every move changes besides the stones; a playout keeps it out of memory."""

    turn: int
    passes: int
    ply: int
    kept: int
    ko: Word  # the point that simple ko forbids, or nothing
    empty: Word
    board: Word


@borrowing
def read_now(position: Position) -> Now:
    """As it stands."""
    return Now(
        wide(position.turn),
        wide(position.passes),
        wide(position.ply),
        wide(position.kept),
        NONE if position.ko < 0 else bit(index_of(position, position.ko)),
        all_points(position) & ~occupied(position),
        position.board,
    )


@borrowing
def wide(field: Any) -> int:
    """The number in a field, of the type that it has in a playout."""
    return np.int64(field)  # type: ignore[return-value]  # int() keeps the type of the field


@borrowing
def write_now(position: Position, now: Now) -> None:
    """Let it stand so."""
    position.turn, position.passes = now.turn, now.passes
    position.ply, position.kept = now.ply, now.kept
    position.ko = NOWHERE if now.ko == NONE else cell_of(position, lowest(now.ko))
    position.board = now.board


# --- what a stone does ----------------------------------------------------------


class Effect(NamedTuple):
    """What a stone does where it is placed."""

    chain: Word  # that it becomes a part of
    around: Word  # all points beside that
    taken: Word  # stones of the others
    killed: Word  # own ones: the chain, or nothing


PASSED = Effect(NONE, NONE, NONE, NONE)


@borrowing
def effect_of(position: Position, now: Now, index: int) -> Effect:
    """What the mover's stone does on an empty point."""
    point, own = bit(index), position.stones[Word(now.turn)]
    empty = now.empty & ~point
    width = position.grid.shape[0] + 1
    chain, taken = point, NONE
    for place in (index, index + width - 1, index + width + 1, index + 2 * width):
        stones = position.chain[place]
        chain |= stones & own  # all of it or nothing
        taken |= stones & ~own if position.around[place] & empty == NONE else NONE
    around = beside(position, chain)
    breathes_on = taken | (around & empty) != NONE
    return Effect(chain, around, taken, NONE if breathes_on else chain)


@borrowing
def write_chain(position: Position, points: Word, chain: Word, around: Word) -> None:
    """Let all these points have this chain, and this around it."""
    size = position.grid.shape[0]
    for index in range(word_for(size)):
        place, chosen = index + size + 1, filled(points, index)
        position.chain[place] = (position.chain[place] & ~chosen) | (chain & chosen)
        position.around[place] = (position.around[place] & ~chosen) | (around & chosen)


# --- boards as one word ---------------------------------------------------------

# where the two bits of a point go that holds a seat's stone
COLOURS = np.array([ONE, bit(30), bit(30) | ONE], np.uint64)


@borrowing
def key_of_stones(position: Position, seat: int, points: Word) -> Word:
    """The part of a seat's stones in the word for the board.

    Up to 5 x 5 and three colours that is exact: two bits a point.  Otherwise it is
    a hash (Zobrist).  The top two bits are left to `situation`.
    """
    size, seats = position.grid.shape[0], position.seats.shape[0]
    if 2 * size * (size + 1) <= 60 and seats <= 3:
        return multiplied(points, COLOURS[seat])
    word = NONE
    while points != NONE:
        word ^= mixed(Word(lowest(points) * 4 + seat + 1))
        points = without_lowest(points)
    return word


@borrowing
def board_after(position: Position, now: Now, point: Word, effect: Effect) -> Word:
    """The word for the board after a stone with this effect; its stones are still as before."""
    word = now.board ^ key_of_stones(position, now.turn, point)
    gone = effect.taken | effect.killed
    if gone != NONE:
        for seat in range(position.seats.shape[0]):
            stones = position.stones[seat] | (point if seat == now.turn else NONE)
            word ^= key_of_stones(position, seat, stones & gone)
    return word


# --- the rules ------------------------------------------------------------------


@rules.start.implement(GoOnBits)
def _start(game: GoOnBits, position: Position) -> None:
    position.ko = NOWHERE
    start_history(game, position)


@rules.set_up.implement(GoOnBits)
def _set_up(game: GoOnBits, position: Position, content: Cells) -> None:
    position.stones[:] = NONE
    position.lost[:] = NONE
    position.chain[:] = NONE
    position.board = NONE
    for cell in range(content.shape[0]):
        if content[cell] > 0:
            position.stones[content[cell] - 1] |= bit(index_of(position, cell))
    for seat in range(position.seats.shape[0]):
        rest = position.stones[seat]
        position.board ^= key_of_stones(position, seat, rest)
        while rest != NONE:
            chain = grown(position, bit(lowest(rest)), rest)
            write_chain(position, chain, chain, beside(position, chain))
            rest &= ~chain
    start_history(game, position)


@rules.cells.implement(GoOnBits)
def _cells(game: GoOnBits, position: Position, out: Cells) -> None:
    out[:] = 0
    for seat in range(position.seats.shape[0]):
        word = position.stones[seat]
        while word != NONE:
            out[cell_of(position, lowest(word))] = seat + 1
            word = without_lowest(word)


@borrowing
def candidates(game: GoOnBits, position: Position, now: Now) -> Word:
    """The empty points without those that ko or an own eye forbids."""
    points = now.empty & ~now.ko
    if game.passing == Passing.FORCED:
        points &= ~eyes(game, position, position.stones[now.turn], now.empty)
    return points


@borrowing
def is_legal(game: GoOnBits, position: Position, now: Now, point: Word, effect: Effect) -> bool:
    """May the mover place a stone on this candidate?"""
    killed = effect.killed
    if killed != NONE and (killed == point or not game.suicide):
        return False
    if killed == NONE and not may_repeat(game, position, now, point):
        return True
    if game.ko == Ko.SIMPLE:
        return True
    board = board_after(position, now, point, effect)
    following = situation(game, board, seat_after(position, now.turn))
    return not was_seen(position, now.kept, following)


@borrowing
def may_repeat(game: GoOnBits, position: Position, now: Now, points: Word) -> bool:
    """May a stone on one of these, if it stays, bring back an earlier board?

    That had the stone, so it must have been taken since.
    """
    return game.ko != Ko.SIMPLE and position.lost[Word(now.turn)] & points != NONE


@rules.legal_moves.implement(GoOnBits)
@borrowing
def _legal_moves(game: GoOnBits, position: Position, moves: Moves) -> int:
    if rules.is_over(game, position):
        return 0
    size = position.grid.shape[0]
    now = read_now(position)
    points = candidates(game, position, now)
    sure = beside(position, now.empty)  # a stone there has a liberty
    if game.ko != Ko.SIMPLE:
        sure &= ~position.lost[now.turn]
    found = 0
    while points != NONE:
        index = lowest(points)
        point = bit(index)
        points ^= point
        if sure & point != NONE or is_legal(
            game, position, now, point, effect_of(position, now, index)
        ):
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
    index, _ = drawn(game, position, read_now(position), random)
    return size * size if index == NOWHERE else cell_of(position, index)


@rules.play_out.implement(GoOnBits)
@borrowing
def _play_out(game: GoOnBits, position: Position, moves: Moves, random: Random) -> int:
    now = read_now(position)
    begun = now.ply
    while not has_ended(game, position, now.passes, now.ply):
        index, effect = drawn(game, position, now, random)
        now = after(game, position, now, index, effect)
    write_now(position, now)
    return now.ply - begun


@borrowing
def drawn(game: GoOnBits, position: Position, now: Now, random: Random) -> tuple[int, Effect]:
    """A random legal point and what a stone does there, or NOWHERE for a pass."""
    points = candidates(game, position, now)
    free = 1 if game.passing == Passing.FREE else 0
    # drawing without putting back: the first legal one is any of them alike
    while points != NONE:
        left = count(points)
        chosen = below(random, left + free)
        if chosen == left:
            break
        index = nth(points, chosen)
        effect = effect_of(position, now, index)
        if is_legal(game, position, now, bit(index), effect):
            return index, effect
        points ^= bit(index)
    return NOWHERE, PASSED


@rules.play.implement(GoOnBits)
@borrowing
def _play(game: GoOnBits, position: Position, move: int) -> None:
    size = position.grid.shape[0]
    now = read_now(position)
    if move == size * size:
        now = after(game, position, now, NOWHERE, PASSED)
    else:
        index = index_of(position, move)
        now = after(game, position, now, index, effect_of(position, now, index))
    write_now(position, now)


@borrowing
def after(game: GoOnBits, position: Position, now: Now, index: int, effect: Effect) -> Now:
    """Let the mover place a stone with this effect, or pass."""
    passes, ko, empty, board, kept = now.passes + 1, NONE, now.empty, now.board, now.kept
    following = seat_after(position, now.turn)
    if index != NOWHERE:
        point, gone = bit(index), effect.taken | effect.killed
        passes = 0
        empty = (empty & ~point) | gone
        board ^= key_of_stones(position, now.turn, point)
        position.stones[Word(now.turn)] |= point
        write_chain(position, effect.chain, effect.chain, effect.around)
        if gone != NONE:
            ko = ko_point(game, position, now, point, effect)
            board ^= take(position, gone)
    if game.ko != Ko.SIMPLE:
        position.history[Word(kept)] = situation(game, board, following)
        kept += 1
    return Now(following, passes, now.ply + 1, kept, ko, empty, board)


@borrowing
def take(position: Position, gone: Word) -> Word:
    """Remove stones; returns their part in the word for the board."""
    write_chain(position, gone, NONE, NONE)
    word = NONE
    for seat in range(position.seats.shape[0]):
        stones = position.stones[seat] & gone
        position.stones[seat] ^= stones
        position.lost[seat] |= stones
        word ^= key_of_stones(position, seat, stones)
    return word


@borrowing
def ko_point(game: GoOnBits, position: Position, now: Now, point: Word, effect: Effect) -> Word:
    """The stone just taken, if the next player could take back one stone with one stone."""
    had_liberty = beside(position, point) & now.empty != NONE
    of_next = effect.taken & position.stones[seat_after(position, now.turn)] != NONE
    is_ko = (
        effect.chain == point
        and count(effect.taken) == 1
        and of_next
        and not had_liberty
        and keeps_ko_point(game, position)
    )
    return effect.taken if is_ko else NONE


@rules.points.implement(GoOnBits)
@borrowing
def _points(game: GoOnBits, position: Position, out: Scores) -> None:
    empty = all_points(position) & ~occupied(position)
    all_reached = (
        reached(position, 0, empty),
        reached(position, 1, empty),
        reached(position, 2, empty),
        reached(position, 3, empty),
    )
    once, twice = NONE, NONE  # empty points that one colour reaches, or several
    for points in all_reached:
        twice |= once & points
        once |= points
    for seat in range(position.seats.shape[0]):
        out[seat] = count(position.stones[seat] | (all_reached[seat] & ~twice))


@borrowing
def reached(position: Position, seat: int, empty: Word) -> Word:
    """The empty points connected with a seat's stones."""
    if seat >= position.seats.shape[0]:
        return NONE
    return grown(position, position.stones[seat], empty) & empty


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
