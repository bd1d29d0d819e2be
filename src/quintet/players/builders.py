"""Simple and Better: two of the hand-coded players of the Pente study, which build rows.

See docs/players/lines.md, and lines.py for what all players of lines share.
"""

from __future__ import annotations

import enum
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.bits import NONE, Word, bit, count, has, without_lowest
from quintet.compiled import borrowing
from quintet.players.lines import (
    NO_ANCHOR,
    LineMemory,
    granted,
    is_forced,
    line_length,
    line_memory,
    unfit_for_lines,
    wish_by_walking,
    wish_in_word,
)
from quintet.players.player import begin, choose
from quintet.players.points_of_interest import add, empty_points, is_empty
from quintet.randomness import Random
from quintet.rules import Position
from quintet.stones import holds, is_occupied, run

Plan = NDArray[np.int64]  # the bit of the anchor, and the number of the direction


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
@borrowing
def _begin_simple(player: Simple, game: Any, memory: LineMemory) -> None:
    memory.plan[0] = NO_ANCHOR


@begin.implement(Better)
@borrowing
def _begin_better(player: Better, game: Any, memory: LineMemory) -> None:
    memory.plan[0] = NO_ANCHOR


@wish_in_word.implement(Simple)
@borrowing
def _simple_ends(player: Simple, game: Any, position: Position, memory: LineMemory) -> Word:
    return extension_in_word(player, position, memory.plan, 2, 0)


@wish_in_word.implement(Better)
@borrowing
def _better_ends(player: Better, game: Any, position: Position, memory: LineMemory) -> Word:
    return extension_in_word(player, position, memory.plan, 4, line_length(game))


@wish_by_walking.implement(Simple)
@borrowing
def _walk_simply(player: Simple, game: Any, position: Position, memory: LineMemory) -> None:
    add_extension(player, position, memory, 2, 0)


@wish_by_walking.implement(Better)
@borrowing
def _walk_better(player: Better, game: Any, position: Position, memory: LineMemory) -> None:
    add_extension(player, position, memory, 4, line_length(game))


@choose.implement(Simple)
@borrowing
def _choose_simple(
    player: Simple, game: Any, position: Position, memory: LineMemory, random: Random
) -> int:
    move = granted(player, game, position, memory, random)
    return anchored(player, game, position, memory.plan, move)


@choose.implement(Better)
@borrowing
def _choose_better(
    player: Better, game: Any, position: Position, memory: LineMemory, random: Random
) -> int:
    move = granted(player, game, position, memory, random)
    return anchored(player, game, position, memory.plan, move)


@borrowing
def anchored(player: Any, game: Any, position: Position, plan: Plan, move: int) -> int:
    """The same move, which becomes the anchor if there is none."""
    if plan[0] == NO_ANCHOR and (player.from_centre or not is_forced(game, position)):
        plan[0] = move + move // position.grid.shape[1]
        plan[1] = 0
    return move


@borrowing
def step_of(position: Position, direction: int) -> int:
    """Along the row, the column, the diagonal (to the lower right), the antidiagonal."""
    columns = position.grid.shape[1]
    return (1, columns + 1, columns + 2, columns)[direction]


# --- on a board in one word ---------------------------------------------------


@borrowing
def extension_in_word(
    player: Any, position: Position, plan: Plan, directions: int, room: int
) -> Word:
    """The ends of the row through the anchor, in the first direction that is open."""
    anchor = plan[0]
    if anchor == NO_ANCHOR:
        return NONE
    if not has(position.stones[position.turn, 0], anchor):
        if player.captured == Loss.REPLACE and not has(position.occupied[0], anchor):
            return bit(anchor)
        plan[0] = NO_ANCHOR
        return NONE
    while plan[1] < directions:
        ends = open_ends_in_word(position, anchor, step_of(position, plan[1]), room)
        if ends != NONE:
            return ends & ~without_lowest(ends) if player.end == End.FIRST else ends
        plan[1] += 1
    plan[0] = NO_ANCHOR
    return NONE


@borrowing
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


# --- on a larger board --------------------------------------------------------


@borrowing
def add_extension(
    player: Any, position: Position, memory: LineMemory, directions: int, room: int
) -> None:
    """Wish for the ends of the row through the anchor, in the first direction that is open."""
    anchor = memory.plan[0]
    if anchor == NO_ANCHOR:
        return
    if not holds(position.stones[position.turn], anchor):
        if player.captured == Loss.REPLACE and not is_occupied(position, anchor):
            add(memory.wish, anchor)
        else:
            memory.plan[0] = NO_ANCHOR
        return
    while memory.plan[1] < directions:
        if add_ends(player, position, memory, anchor, step_of(position, memory.plan[1]), room):
            return
        memory.plan[1] += 1
    memory.plan[0] = NO_ANCHOR


@borrowing
def add_ends(
    player: Any, position: Position, memory: LineMemory, anchor: int, step: int, room: int
) -> bool:
    """Wish for the open ends of a row; False if there are none, or less than `room`."""
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


@borrowing
def ends_of_row(position: Position, anchor: int, step: int) -> tuple[int, int]:
    """The first and the last stone of the row through the anchor."""
    own = position.stones[position.turn]
    return anchor - run(own, anchor, -step) * step, anchor + run(own, anchor, step) * step


@borrowing
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


@borrowing
def is_free(position: Position, index: int) -> bool:
    """Is this a point of the board without an enemy?"""
    return is_empty(position, index) or holds(position.stones[position.turn], index)
