"""Pente: five in a row or enough captured stones win, for 2 to 4 players.

Players place stones in turn.  A stone that brackets exactly two stones of one
opponent in a straight line (own, his, his, own) captures them; several pairs at
once too.  With `keryo` exactly three are captured as well.  Captured points are
empty again, and moving between two hostile stones is safe.  After a move the
captured stones are removed first; then five or more in a row win for the mover,
or captured stones do.  A full board is a draw.

Moves are points, row by row.  Each seat's stones are a set of bits; see
stones.py.  A board of up to 7 x 7 fits in one word: there all eight directions
are looked at by shifting the whole word, without branches.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import NONE, Word, added, bit, count, mixed, shifted
from quintet.compiled import borrowing
from quintet.layout import Layout
from quintet.parameters import Between
from quintet.randomness import Random
from quintet.rules import Cells, Limits, Moves, Position, Scores, record
from quintet.stones import (
    DRAWN,
    NOBODY,
    PLAYING,
    WON,
    holds,
    is_full,
    list_empty,
    makes_line,
    place,
    place_all,
    random_empty,
    write_owners,
)

FIVE = 5


class Pente(NamedTuple):
    """Five in a row or enough captured stones win."""

    size: Annotated[int, Between(5, 19), "points on a side"] = 19
    players: Annotated[int, Between(2, 4), "how many play"] = 2
    captures: Annotated[int, Between(2, 60), "captured stones that win; 15 with keryo"] = 10
    keryo: Annotated[bool, "threes are captured as well as pairs"] = False
    centre: Annotated[bool, "the first stone must be on the centre point"] = True

    def problem(self) -> str | None:
        """Why these parameters make no game, if they do not."""
        if self.centre and self.size % 2 == 0:
            return f"size={self.size} has no centre point; take an odd size or centre=no"
        return None

    def position_type(self) -> np.dtype[Any]:
        """Stones of each seat, all stones, captured stones, whose turn, how it stands."""
        words = (self.size * (self.size + 1) + 63) // 64
        return record(
            stones=(np.uint64, (self.players, words)),
            occupied=(np.uint64, (words,)),
            captured=(np.int8, (self.players,)),
            turn=np.int8,
            outcome=np.int8,
            winner=np.int8,
            # takes no room: its shape tells the compiler the size of the board
            grid=(np.int8, (self.size, self.size, 0)),
        )

    def limits(self) -> Limits:
        """One move a point; the longest game fills the board after all harmless captures.

        Before the last move nobody has captured enough, and a point is empty.
        Every stone placed until then is on the board or was captured; so there
        are at most (points - 1) + players x (most stones that do not win) of
        them, and the last move is one more.
        """
        points = self.size * self.size
        harmless = self.captures - 1
        if not self.keryo or harmless == 1:
            harmless -= harmless % 2  # only pairs add up to it
        return Limits(self.players, points, points + self.players * harmless, 3 * self.players)

    def layout(self) -> Layout:
        """Points with the coordinates of Go."""
        return Layout(
            self.size,
            self.size,
            "points",
            skip_i=True,
            upward=True,
            capital=True,
            facts=("turn", "captured"),
            line=FIVE,
        )


@rules.start.implement(Pente)
def _start(game: Pente, position: Position) -> None:
    position.winner = NOBODY


@rules.turn.implement(Pente)
@borrowing
def _turn(game: Pente, position: Position) -> int:
    return position.turn


@rules.is_over.implement(Pente)
@borrowing
def _is_over(game: Pente, position: Position) -> bool:
    return position.outcome != PLAYING


@rules.legal_moves.implement(Pente)
def _legal_moves(game: Pente, position: Position, moves: Moves) -> int:
    if position.outcome != PLAYING:
        return 0
    if game.centre and is_blank(position):
        moves[0] = centre_of(position)
        return 1
    return list_empty(position, position.grid.shape[0], moves)


@rules.random_move.implement(Pente)
@borrowing
def _random_move(game: Pente, position: Position, moves: Moves, random: Random) -> int:
    if game.centre and is_blank(position):
        return centre_of(position)
    return random_empty(position, position.grid.shape[0], random)


@borrowing
def is_blank(position: Position) -> bool:
    """Is there no stone yet?  (Later there always is: captors stay.)"""
    blank = True
    for word in position.occupied:
        blank &= word == NONE
    return blank


@borrowing
def centre_of(position: Position) -> int:
    """The centre point of a board of odd size."""
    return position.grid.shape[0] * position.grid.shape[1] // 2


@rules.play.implement(Pente)
@borrowing
def _play(game: Pente, position: Position, move: int) -> None:
    index = move + move // position.grid.shape[1]
    seat = position.turn
    place(position, seat, index)
    if position.occupied.shape[0] == 1:
        capture_in_word(game, position, index)
    else:
        capture_nearby(game, position, index)
    if makes_line(position, seat, index, FIVE, False) or position.captured[seat] >= game.captures:
        position.outcome = WON
        position.winner = seat
    elif is_full(position):
        position.outcome = DRAWN
    position.turn = 0 if seat + 1 == position.stones.shape[0] else seat + 1


# --- captures on a board in one word ------------------------------------------


@borrowing
def capture_in_word(game: Pente, position: Position, index: int) -> None:
    """Remove what the stone just placed captures."""
    own = position.stones[position.turn, 0]
    columns = position.grid.shape[1]
    others = position.occupied[0] & ~own
    if bracketed(own, others, bit(index), columns, game.keryo) == NONE:
        return  # nothing, even if the colours of the others did not matter
    for seat in range(position.stones.shape[0]):
        if seat != position.turn:
            theirs = position.stones[seat, 0]
            taken = bracketed(own, theirs, bit(index), columns, game.keryo)
            position.stones[seat, 0] = theirs & ~taken
            position.occupied[0] &= ~taken
            position.captured[position.turn] += count(taken)


@borrowing
def bracketed(own: Word, theirs: Word, stone: Word, columns: int, keryo: bool) -> Word:
    """The stones of `theirs` between the new stone and others of its owner."""
    taken = pairs(own, theirs, stone, columns)
    if keryo:
        taken |= threes(own, theirs, stone, columns)
    return taken


@borrowing
def pairs(own: Word, theirs: Word, stone: Word, columns: int) -> Word:
    """The bracketed pairs, in all eight directions."""
    return (
        pair(own, theirs, stone, 1)
        | pair(own, theirs, stone, columns)
        | pair(own, theirs, stone, columns + 1)
        | pair(own, theirs, stone, columns + 2)
        | pair(own, theirs, stone, -1)
        | pair(own, theirs, stone, -columns)
        | pair(own, theirs, stone, -columns - 1)
        | pair(own, theirs, stone, -columns - 2)
    )


@borrowing
def pair(own: Word, theirs: Word, stone: Word, step: int) -> Word:
    """The bracketed pair in one direction, if there is one."""
    first = shifted(stone, step) & theirs
    second = shifted(first, step) & theirs
    return first | second if shifted(second, step) & own != NONE else NONE


@borrowing
def threes(own: Word, theirs: Word, stone: Word, columns: int) -> Word:
    """The bracketed threes, in all eight directions."""
    return (
        three(own, theirs, stone, 1)
        | three(own, theirs, stone, columns)
        | three(own, theirs, stone, columns + 1)
        | three(own, theirs, stone, columns + 2)
        | three(own, theirs, stone, -1)
        | three(own, theirs, stone, -columns)
        | three(own, theirs, stone, -columns - 1)
        | three(own, theirs, stone, -columns - 2)
    )


@borrowing
def three(own: Word, theirs: Word, stone: Word, step: int) -> Word:
    """The bracketed three in one direction, if there is one."""
    first = shifted(stone, step) & theirs
    second = shifted(first, step) & theirs
    third = shifted(second, step) & theirs
    return first | second | third if shifted(third, step) & own != NONE else NONE


# --- captures on a larger board -----------------------------------------------


@borrowing
def capture_nearby(game: Pente, position: Position, index: int) -> None:
    """Remove what the stone just placed captures, walking from it."""
    columns = position.grid.shape[1]
    for sign in (1, -1):
        for step in (1, columns, columns + 1, columns + 2):
            capture_along(position, index, sign * step, 2)
            if game.keryo:
                capture_along(position, index, sign * step, 3)


@borrowing
def capture_along(position: Position, index: int, step: int, length: int) -> None:
    """Remove `length` stones in one direction, if they are bracketed."""
    # the far end first: it is the least likely to fit
    if not holds(position.stones[position.turn], index + (length + 1) * step):
        return
    for seat in range(position.stones.shape[0]):
        theirs = position.stones[seat]
        if seat != position.turn and all_held(theirs, index + step, step, length):
            for i in range(length):
                at = index + (i + 1) * step
                theirs[at >> 6] &= ~bit(at & 63)
                position.occupied[at >> 6] &= ~bit(at & 63)
            position.captured[position.turn] += length


@borrowing
def all_held(theirs: Any, index: int, step: int, length: int) -> bool:
    """Are `length` bits from this one on in the set?"""
    held = True
    for i in range(length):
        held = held and holds(theirs, index + i * step)
    return held


# --- the end, and views of a position -----------------------------------------


@rules.scores.implement(Pente)
@borrowing
def _scores(game: Pente, position: Position, out: Scores) -> None:
    if position.outcome == WON:
        out[:] = 0.0
        out[position.winner] = 1.0
    else:
        out[:] = 1.0 / game.players


@rules.points.implement(Pente)
def _points(game: Pente, position: Position, out: Scores) -> None:
    for seat in range(game.players):
        out[seat] = position.captured[seat]


@rules.cells.implement(Pente)
def _cells(game: Pente, position: Position, out: Cells) -> None:
    write_owners(position, out)


@rules.set_up.implement(Pente)
def _set_up(game: Pente, position: Position, content: Cells) -> None:
    position.winner = NOBODY
    position.outcome = PLAYING
    place_all(position, content)
    if is_full(position):
        position.outcome = DRAWN
    # only the last to move can have won; a drawn-up board may show another
    for i in range(game.players):
        seat = (position.turn + i) % game.players
        if position.captured[seat] >= game.captures or has_five(position, seat, content):
            position.outcome = WON
            position.winner = seat


@borrowing
def has_five(position: Position, seat: int, content: Cells) -> bool:
    """Does a seat have five in a row anywhere?"""
    columns = position.grid.shape[1]
    found = False
    for cell in range(content.shape[0]):
        if content[cell] == seat + 1 and not found:
            found = makes_line(position, seat, cell + cell // columns, FIVE, False)
    return found


@rules.key.implement(Pente)
def _key(game: Pente, position: Position) -> Word:
    word = mixed(Word(position.turn + 1))  # unmixed, it would add to the captured
    for seat in range(game.players):
        word = mixed(added(word, Word(position.captured[seat])))
        for w in range(position.occupied.shape[0]):
            word = mixed(added(word, position.stones[seat, w]))
    return word


@rules.observe.implement(Pente)
def _observe(game: Pente, position: Position, seat: int, planes: NDArray[np.float32]) -> None:
    """Stones and turn as by default; then, seat by seat, the share of a capture win."""
    size, players = game.size, game.players
    content = np.empty(size * size, np.int8)
    write_owners(position, content)
    planes[:] = 0.0
    for cell in range(size * size):
        if content[cell] > 0:
            planes[(content[cell] - 1 - seat) % players, cell // size, cell % size] = 1.0
    planes[players + (position.turn - seat) % players, :, :] = 1.0
    for other in range(players):
        share = min(1.0, position.captured[other] / game.captures)
        planes[2 * players + (other - seat) % players, :, :] = share
