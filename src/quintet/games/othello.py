"""Othello: enclose the other's discs to turn them; most discs at the end win.

A disc is placed where it encloses, in at least one of the eight directions, an
unbroken line of the other's discs between itself and one of the mover's; all
lines so enclosed are turned.  Who can place none passes, and passing is a move
of its own: legal exactly when the mover can place nothing and the other can.
The game ends when neither can.

Discs are sets of bits in one word.  A row takes eight bits on every board; on a
smaller one, the cells beyond its edge stay empty and are never moves.  Row 0 is
the top row as shown; the set's low bits.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from quintet import rules
from quintet.bits import (
    ALL,
    NONE,
    Word,
    added,
    bit,
    count,
    lowest,
    mixed,
    multiplied,
    nth,
    shifted,
    without_lowest,
)
from quintet.compiled import jit
from quintet.layout import Layout
from quintet.parameters import Between
from quintet.randomness import Random, below
from quintet.rules import Cells, Limits, Moves, Position, Scores, record

PLACING, PASSING, OVER = 0, 1, 2

# A line across the edge columns would run on in the next row: discs there can
# be turned along their column only.
_INNER_COLUMNS = Word(0x7E7E_7E7E_7E7E_7E7E)
_FIRST_COLUMN = Word(0x0101_0101_0101_0101)


class Othello(NamedTuple):
    """The most discs when nobody can move win."""

    size: Annotated[int, Between(4, 8), "cells on a side, an even number"] = 8

    def problem(self) -> str | None:
        """Why these parameters make no game, if they do not."""
        if self.size % 2:
            return f"size={self.size} is odd; the four discs of the start need an even size"
        return None

    def position_type(self) -> np.dtype[Any]:
        """Discs of the mover and of the other, where to place, whose turn, how it stands."""
        return record(
            own=np.uint64,
            other=np.uint64,
            places=np.uint64,  # follows from the discs; kept because all questions need it
            turn=np.int8,
            state=np.int8,
            # takes no room: its shape tells the compiler the size of the board
            grid=(np.int8, (self.size, self.size, 0)),
        )

    def limits(self) -> Limits:
        """One move a cell, and the pass; no two passes follow one another."""
        board = self.size * self.size
        return Limits(seats=2, moves=board + 1, plies=2 * (board - 4), planes=4)

    def layout(self) -> Layout:
        """Squares, a1 at the top left."""
        return Layout(self.size, self.size)


@rules.start.implement(Othello)
def _start(game: Othello, position: Position) -> None:
    middle = position.grid.shape[0] // 2
    corner = 9 * (middle - 1)  # the upper left one of the four cells in the middle
    position.own = bit(corner + 1) | bit(corner + 8)
    position.other = bit(corner) | bit(corner + 9)
    settle(position)


@rules.turn.implement(Othello)
def _turn(game: Othello, position: Position) -> int:
    return position.turn


@rules.is_over.implement(Othello)
def _is_over(game: Othello, position: Position) -> bool:
    return position.state == OVER


@rules.legal_moves.implement(Othello)
def _legal_moves(game: Othello, position: Position, moves: Moves) -> int:
    size = position.grid.shape[0]
    if position.state == PASSING:
        moves[0] = size * size
        return 1
    found = 0
    places = position.places
    while places != NONE:
        moves[found] = cell_of(lowest(places), size)
        places = without_lowest(places)
        found += 1
    return found


@rules.random_move.implement(Othello)
def _random_move(game: Othello, position: Position, moves: Moves, random: Random) -> int:
    size = position.grid.shape[0]
    if position.state == PASSING:
        return size * size
    places = position.places
    return cell_of(nth(places, below(random, count(places))), size)


@rules.play.implement(Othello)
def _play(game: Othello, position: Position, move: int) -> None:
    size = position.grid.shape[0]
    own, other = position.own, position.other
    if move < size * size:
        index = index_of(move, size)
        turned = enclosed(own, other, bit(index))
        own |= turned | bit(index)
        other &= ~turned
    position.own, position.other = other, own
    position.turn = 1 - position.turn
    settle(position)


@jit
def settle(position: Position) -> None:
    """Note where the mover can place, or that it must pass, or that all is over."""
    region = board(position.grid.shape[0])
    position.places = places_for(position.own, position.other) & region
    position.state = PLACING
    if position.places == NONE:
        other_places = places_for(position.other, position.own) & region
        position.state = OVER if other_places == NONE else PASSING


@jit
def board(size: int) -> Word:
    """All cells of the board."""
    first_row = bit(size) - Word(1)
    return multiplied(first_row, _FIRST_COLUMN) & (ALL >> Word(64 - 8 * size))


@jit
def index_of(cell: int, size: int) -> int:
    """The bit of a cell."""
    return cell + cell // size * (8 - size)


@jit
def cell_of(index: int, size: int) -> int:
    """The cell of a bit."""
    return index - (index >> 3) * (8 - size)


@jit
def places_for(own: Word, other: Word) -> Word:
    """The empty bits, on the board or next to it, where `own` would turn a disc."""
    inner = other & _INNER_COLUMNS
    beyond = (
        shifted(line(own, inner, 1), 1)
        | shifted(line(own, inner, -1), -1)
        | shifted(line(own, other, 8), 8)
        | shifted(line(own, other, -8), -8)
        | shifted(line(own, inner, 7), 7)
        | shifted(line(own, inner, -7), -7)
        | shifted(line(own, inner, 9), 9)
        | shifted(line(own, inner, -9), -9)
    )
    return beyond & ~(own | other)


@jit
def enclosed(own: Word, other: Word, placed: Word) -> Word:
    """The discs of `other` that a disc of `own`, placed here, turns."""
    inner = other & _INNER_COLUMNS
    return (
        enclosed_line(own, inner, placed, 1)
        | enclosed_line(own, inner, placed, -1)
        | enclosed_line(own, other, placed, 8)
        | enclosed_line(own, other, placed, -8)
        | enclosed_line(own, inner, placed, 7)
        | enclosed_line(own, inner, placed, -7)
        | enclosed_line(own, inner, placed, 9)
        | enclosed_line(own, inner, placed, -9)
    )


@jit
def enclosed_line(own: Word, other: Word, placed: Word, step: int) -> Word:
    """The line of `other` from `placed` on, if a disc of `own` ends it."""
    discs = line(placed, other, step)
    return discs if shifted(discs, step) & own != NONE else NONE


@jit
def line(origin: Word, discs: Word, step: int) -> Word:
    """The up to six discs that follow the origin, or each of them, without a gap."""
    reached = discs & shifted(origin, step)
    reached |= discs & shifted(reached, step)
    pairs = discs & shifted(discs, step)  # from here on two at a time
    reached |= pairs & shifted(reached, 2 * step)
    return reached | pairs & shifted(reached, 2 * step)


@rules.scores.implement(Othello)
def _scores(game: Othello, position: Position, out: Scores) -> None:
    lead = count(position.own) - count(position.other)
    share = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
    out[position.turn] = share
    out[1 - position.turn] = 1.0 - share


@rules.points.implement(Othello)
def _points(game: Othello, position: Position, out: Scores) -> None:
    out[position.turn] = count(position.own)
    out[1 - position.turn] = count(position.other)


@rules.cells.implement(Othello)
def _cells(game: Othello, position: Position, out: Cells) -> None:
    out[:] = 0
    mark(position, position.own, position.turn + 1, out)
    mark(position, position.other, 2 - position.turn, out)


@jit
def mark(position: Position, discs: Word, owner: int, out: Cells) -> None:
    """Write the owner into the cells of a set."""
    while discs != NONE:
        out[cell_of(lowest(discs), position.grid.shape[0])] = owner
        discs = without_lowest(discs)


@rules.set_up.implement(Othello)
def _set_up(game: Othello, position: Position, content: Cells) -> None:
    size = position.grid.shape[0]
    own, other = NONE, NONE
    for cell in range(content.shape[0]):
        if content[cell] == position.turn + 1:
            own |= bit(index_of(cell, size))
        elif content[cell] > 0:
            other |= bit(index_of(cell, size))
    position.own, position.other = own, other
    settle(position)


@rules.key.implement(Othello)
def _key(game: Othello, position: Position) -> Word:
    word = mixed(Word(position.turn + 1))  # unmixed, it would add to the discs
    word = mixed(added(word, position.own))
    return mixed(added(word, position.other))
