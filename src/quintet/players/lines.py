"""Hand-coded players for games of lines: those of the Pente study, paper 000, section 4.2.

Blocker, Capturer, Simple and Better (the fifth, Random, plays every game).  None
looks ahead.  All treat the other seats alike, and each chooses evenly among the
points it *wishes* for, or among all empty points where it wishes for none.
docs/players/lines.md tells what each does, and what was chosen where the paper
is silent.

Simple and Better, which remember an **anchor** and a direction from move to
move, are in builders.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import NONE, Word, count, nth
from quintet.compiled import borrowing, generic
from quintet.games.k_in_a_row import KInARow
from quintet.games.pente import FIVE, Pente, is_blank
from quintet.players.player import choose
from quintet.players.points_of_interest import (
    add_blocks,
    add_prey,
    blocks_in_word,
    prey_in_word,
)
from quintet.randomness import Random, below
from quintet.rules import Moves, Position

NO_ANCHOR = NO_POINT = -1
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
@borrowing
def _k(game: KInARow) -> int:
    return game.k


@line_length.implement(Pente)
@borrowing
def _five(game: Pente) -> int:
    return FIVE


@generic
def is_forced(game: Any, position: Position) -> bool:
    """Do the rules leave only one point, though others are empty?"""
    raise NotImplementedError


@is_forced.implement(KInARow)
@borrowing
def _never(game: KInARow, position: Position) -> bool:
    return False


@is_forced.implement(Pente)
@borrowing
def _first_in_centre(game: Pente, position: Position) -> bool:
    return game.centre and is_blank(position)


@generic
def wish_in_word(player: Any, game: Any, position: Position, memory: LineMemory) -> Word:
    """The points that a player chooses from, on a board in one word; none means any."""
    raise NotImplementedError


@generic
def wish_by_walking(player: Any, game: Any, position: Position, memory: LineMemory) -> None:
    """Add to ``memory.wish`` the points that a player chooses from; none means any."""


@borrowing
def make_wish(player: Any, game: Any, position: Position, memory: LineMemory) -> None:
    """Write the points that a player chooses from; none means any."""
    memory.wish[:] = NONE
    if position.occupied.shape[0] == 1:
        memory.wish[0] = wish_in_word(player, game, position, memory)
    else:
        wish_by_walking(player, game, position, memory)


@borrowing
def granted(player: Any, game: Any, position: Position, memory: LineMemory, random: Random) -> int:
    """A random one of the points wished for; of all that are legal where there are none."""
    columns = position.grid.shape[1]
    if position.occupied.shape[0] == 1:  # without the array, which would double the time
        wish = wish_in_word(player, game, position, memory)
        if wish == NONE or is_forced(game, position):
            return rules.random_move(game, position, memory.moves, random)
        index = nth(wish, below(random, count(wish)))
        return index - index // (columns + 1)
    make_wish(player, game, position, memory)
    index = any_of(memory.wish, random)
    if index == NO_POINT or is_forced(game, position):
        return rules.random_move(game, position, memory.moves, random)
    return index - index // (columns + 1)


@borrowing
def any_of(points: NDArray[np.uint64], random: Random) -> int:
    """The bit of a random point of a set of words, or NO_POINT."""
    total = 0
    for word in points:
        total += count(word)
    if total == 0:
        return NO_POINT
    left = below(random, total)
    w = 0
    while left >= count(points[w]):
        left -= count(points[w])
        w += 1
    return 64 * w + nth(points[w], left)


# --- Blocker and Capturer -----------------------------------------------------


class Blocker(NamedTuple):
    """Blocks an end of four in a row, else of three, else plays at random."""

    def memory(self, game: Any) -> LineMemory:
        """Room for a wish."""
        return line_memory(game)

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return unfit_for_lines(game)


@wish_in_word.implement(Blocker)
@borrowing
def _blocks(player: Blocker, game: Any, position: Position, memory: LineMemory) -> Word:
    k = line_length(game)
    ends = blocks_in_word(position, k - 1)
    return blocks_in_word(position, k - 2) if ends == NONE and k - 2 > 1 else ends


@wish_by_walking.implement(Blocker)
@borrowing
def _walk_to_block(player: Blocker, game: Any, position: Position, memory: LineMemory) -> None:
    k = line_length(game)
    if not add_blocks(position, k - 1, memory.wish) and k - 2 > 1:  # one stone is no row
        add_blocks(position, k - 2, memory.wish)


@choose.implement(Blocker)
@borrowing
def _choose_block(
    player: Blocker, game: Any, position: Position, memory: LineMemory, random: Random
) -> int:
    return granted(player, game, position, memory, random)


class Capturer(NamedTuple):
    """Captures, else prepares to capture, else plays at random."""

    def memory(self, game: Any) -> LineMemory:
        """Room for a wish."""
        return line_memory(game)

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return None if isinstance(game, Pente) else "it needs a game with captures: Pente"


@wish_in_word.implement(Capturer)
@borrowing
def _captures(player: Capturer, game: Any, position: Position, memory: LineMemory) -> Word:
    return prey_in_word(game, position)


@wish_by_walking.implement(Capturer)
@borrowing
def _walk_to_capture(player: Capturer, game: Any, position: Position, memory: LineMemory) -> None:
    add_prey(game, position, memory.wish)


@choose.implement(Capturer)
@borrowing
def _choose_capture(
    player: Capturer, game: Any, position: Position, memory: LineMemory, random: Random
) -> int:
    return granted(player, game, position, memory, random)
