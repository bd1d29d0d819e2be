"""Hand-coded players for games of lines: those of the Pente study, paper 000, section 4.2.

Blocker, Capturer, Simple and Better (the fifth, Random, plays every game).  None
looks ahead.  All treat the other seats alike, and each chooses evenly among the
points it *wishes* for, or among all empty points where it wishes for none.
docs/players/lines.md tells what each does, and what was chosen where the paper
is silent.

Simple and Better remember an **anchor** and a direction from move to move.
"""

from __future__ import annotations

import enum
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import NONE, Word, bit, count, nth, without_lowest
from quintet.compiled import generic, jit
from quintet.games.k_in_a_row import KInARow
from quintet.games.pente import FIVE, Pente, is_blank
from quintet.players.player import begin, choose
from quintet.players.points_of_interest import add, add_blocks, add_captures, empty_points, is_empty
from quintet.randomness import Random, below
from quintet.rules import Moves, Position
from quintet.stones import holds, is_occupied, run

NO_ANCHOR = -1
SHORTEST = 3  # in a row; two in a row leave nothing to plan


class LineMemory(NamedTuple):
    """The wish of this move, and the plan of this game."""

    moves: Moves
    wish: NDArray[np.uint64]  # a set of points, in words as in stones.py
    plan: NDArray[np.int64]  # the bit of the anchor, and the number of the direction


def line_memory(game: Any) -> LineMemory:
    """Memory without wish and plan."""
    words = game.position_type()["occupied"].shape[0]
    return LineMemory(rules.move_buffer(game), np.zeros(words, np.uint64), np.array([NO_ANCHOR, 0]))


def unfit_for_lines(game: Any) -> str | None:
    """Why players of this kind cannot play a game, or None."""
    if not isinstance(game, KInARow | Pente):
        return "it needs a game in which a row of stones wins: k in a row, or Pente"
    if isinstance(game, KInARow) and game.gravity:
        return "it chooses points, but with gravity stones fall"
    if isinstance(game, KInARow) and game.k < SHORTEST:
        return f"it needs k of at least {SHORTEST}, not {game.k}"
    return None


@generic
def line_length(game: Any) -> int:
    """How many stones in a row win."""
    raise NotImplementedError


@line_length.implement(KInARow)
def _k(game: KInARow) -> int:
    return game.k


@line_length.implement(Pente)
def _five(game: Pente) -> int:
    return FIVE


@generic
def is_forced(game: Any, position: Position) -> bool:
    """Do the rules leave only one point, though others are empty?"""
    raise NotImplementedError


@is_forced.implement(KInARow)
def _never(game: KInARow, position: Position) -> bool:
    return False


@is_forced.implement(Pente)
def _first_in_centre(game: Pente, position: Position) -> bool:
    return game.centre and is_blank(position)


@generic
def make_wish(player: Any, game: Any, position: Position, memory: LineMemory) -> None:
    """Write the points that a player chooses from; none means any."""


@jit
def granted(game: Any, position: Position, memory: LineMemory, random: Random) -> int:
    """A random one of the points wished for; of all that are legal where there are none."""
    total = 0
    for w in range(position.occupied.shape[0]):
        total += count(memory.wish[w])
    if total == 0 or is_forced(game, position):
        return rules.random_move(game, position, memory.moves, random)
    left = below(random, total)
    w = 0
    while left >= count(memory.wish[w]):
        left -= count(memory.wish[w])
        w += 1
    index = 64 * w + nth(memory.wish[w], left)
    return index - index // (position.grid.shape[1] + 1)


# --- Blocker and Capturer -----------------------------------------------------


class Blocker(NamedTuple):
    """Blocks an end of four in a row, else of three, else plays at random."""

    def memory(self, game: Any) -> LineMemory:
        """Room for a wish."""
        return line_memory(game)

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return unfit_for_lines(game)


@make_wish.implement(Blocker)
def _wish_to_block(player: Blocker, game: Any, position: Position, memory: LineMemory) -> None:
    k = line_length(game)
    memory.wish[:] = NONE
    if not add_blocks(position, k - 1, memory.wish) and k - 2 > 1:  # one stone is no row
        add_blocks(position, k - 2, memory.wish)


@choose.implement(Blocker)
def _choose_block(
    player: Blocker, game: Any, position: Position, memory: LineMemory, random: Random
) -> int:
    make_wish(player, game, position, memory)
    return granted(game, position, memory, random)


class Capturer(NamedTuple):
    """Captures, else prepares to capture, else plays at random."""

    def memory(self, game: Any) -> LineMemory:
        """Room for a wish."""
        return line_memory(game)

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return None if isinstance(game, Pente) else "it needs a game with captures: Pente"


@make_wish.implement(Capturer)
def _wish_to_capture(player: Capturer, game: Any, position: Position, memory: LineMemory) -> None:
    memory.wish[:] = NONE
    add_captures(game, position, memory.wish)


@choose.implement(Capturer)
def _choose_capture(
    player: Capturer, game: Any, position: Position, memory: LineMemory, random: Random
) -> int:
    make_wish(player, game, position, memory)
    return granted(game, position, memory, random)


# --- Simple and Better --------------------------------------------------------


class End(enum.IntEnum):
    """Where a row grows if it can at both ends."""

    RANDOM = 0
    FIRST = 1  # to the left, or upward


class Loss(enum.IntEnum):
    """What to do when the anchor was captured."""

    RESTART = 0  # from a new random stone
    REPLACE = 1  # put it there again, if nobody else did


class Simple(NamedTuple):
    """Builds a row of five from an anchor, then a column, then starts over."""

    end: Annotated[End, "where the row grows if both ends are open"] = End.RANDOM
    captured: Annotated[Loss, "what to do when the anchor was captured"] = Loss.RESTART
    from_centre: Annotated[bool, "a forced first stone is the anchor"] = True

    def memory(self, game: Any) -> LineMemory:
        """Room for a wish and a plan."""
        return line_memory(game)

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return unfit_for_lines(game)


class Better(NamedTuple):
    """Like Simple, on diagonals too, and leaves a line as soon as it has no room for five."""

    end: Annotated[End, "where the row grows if both ends are open"] = End.RANDOM
    captured: Annotated[Loss, "what to do when the anchor was captured"] = Loss.RESTART
    from_centre: Annotated[bool, "a forced first stone is the anchor"] = True

    def memory(self, game: Any) -> LineMemory:
        """Room for a wish and a plan."""
        return line_memory(game)

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return unfit_for_lines(game)


@begin.implement(Simple)
def _begin_simple(player: Simple, game: Any, memory: LineMemory) -> None:
    memory.plan[0] = NO_ANCHOR


@begin.implement(Better)
def _begin_better(player: Better, game: Any, memory: LineMemory) -> None:
    memory.plan[0] = NO_ANCHOR


@make_wish.implement(Simple)
def _wish_simply(player: Simple, game: Any, position: Position, memory: LineMemory) -> None:
    wish_to_extend(player, position, memory, 2, 0)


@make_wish.implement(Better)
def _wish_better(player: Better, game: Any, position: Position, memory: LineMemory) -> None:
    wish_to_extend(player, position, memory, 4, line_length(game))


@choose.implement(Simple)
def _choose_simple(
    player: Simple, game: Any, position: Position, memory: LineMemory, random: Random
) -> int:
    make_wish(player, game, position, memory)
    return anchored(player, game, position, memory, granted(game, position, memory, random))


@choose.implement(Better)
def _choose_better(
    player: Better, game: Any, position: Position, memory: LineMemory, random: Random
) -> int:
    make_wish(player, game, position, memory)
    return anchored(player, game, position, memory, granted(game, position, memory, random))


@jit
def anchored(player: Any, game: Any, position: Position, memory: LineMemory, move: int) -> int:
    """The same move, which becomes the anchor if there is none."""
    if memory.plan[0] == NO_ANCHOR and (player.from_centre or not is_forced(game, position)):
        memory.plan[0] = move + move // position.grid.shape[1]
        memory.plan[1] = 0
    return move


@jit
def wish_to_extend(
    player: Any, position: Position, memory: LineMemory, directions: int, room: int
) -> None:
    """Wish for the ends of the row through the anchor, in the first direction that is open."""
    memory.wish[:] = NONE
    anchor = memory.plan[0]
    if anchor == NO_ANCHOR:
        return
    if not holds(position.stones[position.turn], anchor):
        if player.captured == Loss.REPLACE and not is_occupied(position, anchor):
            memory.wish[anchor >> 6] = bit(anchor & 63)
        else:
            memory.plan[0] = NO_ANCHOR
        return
    while memory.plan[1] < directions:
        if add_ends(player, position, memory, anchor, step_of(position, memory.plan[1]), room):
            return
        memory.plan[1] += 1
    memory.plan[0] = NO_ANCHOR


@jit
def step_of(position: Position, direction: int) -> int:
    """Along the row, the column, the diagonal (to the lower right), the antidiagonal."""
    columns = position.grid.shape[1]
    return (1, columns + 1, columns + 2, columns)[direction]


@jit
def add_ends(
    player: Any, position: Position, memory: LineMemory, anchor: int, step: int, room: int
) -> bool:
    """Wish for the open ends of a row; False if there are none, or less than `room`."""
    if position.occupied.shape[0] == 1:
        ends = open_ends_in_word(position, anchor, step, room)
        memory.wish[0] = ends & ~without_lowest(ends) if player.end == End.FIRST else ends
        return ends != NONE
    first, last = ends_of_row(position, anchor, step)
    if room > 0 and not has_room(position, first, last, step, room):
        return False
    opens = False
    for end in (first - step, last + step):
        if is_empty(position, end):
            if not (opens and player.end == End.FIRST):
                add(memory.wish, end)
            opens = True
    return opens


@jit
def ends_of_row(position: Position, anchor: int, step: int) -> tuple[int, int]:
    """The first and the last stone of the row through the anchor."""
    own = position.stones[position.turn]
    return anchor - run(own, anchor, -step) * step, anchor + run(own, anchor, step) * step


@jit
def has_room(position: Position, first: int, last: int, step: int, room: int) -> bool:
    """Do `room` points without enemies, in line, include this row and more?

    Then each open end of the row is in such a window too.
    """
    length = (last - first) // step + 1
    if length >= room:  # where only exactly so many win
        return False
    while length < room and is_free(position, first - step):
        first -= step
        length += 1
    while length < room and is_free(position, last + step):
        last += step
        length += 1
    return length >= room


@jit
def is_free(position: Position, index: int) -> bool:
    """Is this a point of the board without an enemy?"""
    return is_empty(position, index) or holds(position.stones[position.turn], index)


@jit
def open_ends_in_word(position: Position, anchor: int, step: int, room: int) -> Word:
    """The open ends of a row, if it has room, on a board in one word."""
    rows, columns, _ = position.grid.shape
    own, empty = position.stones[position.turn, 0], empty_points(position)
    row = bit(anchor)
    for _ in range(max(rows, columns) - 1):
        row |= own & (row << Word(step) | row >> Word(step))
    if room > 0:
        space = row
        for _ in range(max(rows, columns) - 1):
            space |= (own | empty) & (space << Word(step) | space >> Word(step))
        if count(space) < room or count(row) >= room:
            return NONE
    return empty & (row << Word(step) | row >> Word(step))
