"""Late positions of Pentago, solved: all moves at once, in a time that the empty cells decide.

Boards that differ only by how their quadrants are turned are worked out together: one
bit for each of their 4 x 4 x 4 x 4 ways to be turned (G. Irving, "Pentago is a first
player win", arXiv 1404.0743).  As a move makes one quarter turn, only half of these
ways can occur after so many moves, and two words hold them.  In word h, bit
``r0 + 4 r1 + 16 r2`` is the board whose quadrant q has made ``r_q`` quarter turns to the right;
``r3`` is ``2 h`` or ``2 h + 1``, whichever makes the sum of all turns even, or odd.

A **board** here is the set of cells that the seats took, of those that were empty
at first, each cell named as it lay then.  Starting from full boards, each level
follows from the next: what a player can reach by a stone is the union over its cells,
and what by a turn, the union over eight neighbouring bits.
"""

from __future__ import annotations

from math import comb
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import ALL, NONE, ONE, Word, bit, count, has, lowest, without_lowest
from quintet.compiled import jit
from quintet.errors import UserError
from quintet.games.pentago import (
    CELLS,
    SIDE,
    TURNS,
    Pentago,
    cell_of,
    empty_cells,
    index_of,
)
from quintet.parameters import Between
from quintet.players.player import Thoughts, choose
from quintet.players.simple import Greedy, GreedyMemory
from quintet.randomness import Random, below
from quintet.rules import Position

Words = NDArray[np.uint64]
Worths = NDArray[np.int8]  # of each move to the mover: -1 lost, 0 tied, 1 won

ILLEGAL = -2
MOST_EMPTY = 18
_QUADRANT = SIDE // 2


class Room(NamedTuple):
    """What solving works with, for at most so many empty cells."""

    levels: Words  # [2, board, 4]: who moved last wins (two words), does not lose (two words)
    fives: Words  # [side, cells taken, 4]: has a five; two words if turns are even, two if odd
    patterns: Words  # [cells taken]: nine bits for each quadrant
    ranks: NDArray[np.int32]  # [cells]: how many sets of as many cells come before
    choices: NDArray[np.int64]  # [n, m]: n over m
    worths: Worths  # of the moves of the position solved last
    candidates: NDArray[np.int32]


def new_room(empty: int) -> Room:
    """Room for positions of at most so many empty cells."""
    sets = np.arange(1 << empty)
    sizes = np.array([int(word).bit_count() for word in sets])
    ranks = np.zeros(len(sets), np.int32)
    for size in range(empty + 1):
        ranks[sizes == size] = np.arange(comb(empty, size))
    choices = [[comb(n, m) for m in range(CELLS + 1)] for n in range(empty + 1)]
    return Room(
        np.zeros((2, most_boards(empty), 4), np.uint64),
        np.zeros((2, len(sets), 4), np.uint64),
        np.zeros(len(sets), np.uint64),
        ranks,
        np.array(choices, np.int64),
        np.zeros(CELLS * TURNS, np.int8),
        np.zeros(CELLS * TURNS, np.int32),
    )


def most_boards(empty: int) -> int:
    """The size of the largest level."""
    return max(comb(empty, n) * comb(n, n // 2) for n in range(empty + 1))


# --- fives, however the quadrants are turned ------------------------------------


def _lines() -> list[list[int]]:
    """The cells of the 32 fives."""
    found = []
    for row in range(SIDE):
        for column in range(SIDE):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                ends = row + 4 * down, column + 4 * right
                if all(0 <= end < SIDE for end in ends):
                    found.append([(row + i * down) * SIDE + column + i * right for i in range(5)])
    return found


def _place(cell: int) -> tuple[int, int]:
    """The quadrant of a cell, and its bit in the quadrant's pattern."""
    row, column = divmod(cell, SIDE)
    quadrant = row // _QUADRANT * 2 + column // _QUADRANT
    return quadrant, row % _QUADRANT * _QUADRANT + column % _QUADRANT


def _turns_for_lines() -> NDArray[np.uint8]:
    """For each quadrant, pattern and line, after which turns it holds its part of the line."""
    patterns = np.arange(512)
    cells = patterns[:, None] >> np.arange(9) & 1
    table = np.zeros((4, 512, 32), np.uint8)
    for line, places in enumerate(_lines()):
        for quadrant in range(4):
            needed = [place for q, place in map(_place, places) if q == quadrant]
            for turns in range(4):
                came_from = np.rot90(np.arange(9).reshape(3, 3), -turns).ravel()[needed]
                holds = cells[:, came_from].all(axis=1)
                table[quadrant, :, line] |= (holds << turns).astype(np.uint8)
    return table


def _spread_turns() -> Words:
    """For each quadrant and set of its turns, the words of all boards that are turned so."""
    table = np.zeros((4, 16, 4), np.uint64)
    first, second, third = (np.arange(64) >> 2 * q & 3 for q in range(3))
    for odd in range(2):
        for half in range(2):
            last = 2 * half + (odd + first + second + third) % 2
            for quadrant, turns in enumerate((first, second, third, last)):
                for chosen in range(16):
                    bits = np.flatnonzero(chosen >> turns & 1)
                    table[quadrant, chosen, 2 * odd + half] = sum(1 << int(b) for b in bits)
    return table


TURNS_FOR_LINES = _turns_for_lines()
SPREAD_TURNS = _spread_turns()
PLACES = np.array([9 * _place(cell)[0] + _place(cell)[1] for cell in range(CELLS)])
_PATTERN = Word(511)
_NIBBLES_LOW = Word(0x1111_1111_1111_1111)
_NIBBLES_HIGH = Word(0x8888_8888_8888_8888)
_QUARTERS_LOW = Word(0x000F_000F_000F_000F)
_QUARTERS_HIGH = Word(0xF000_F000_F000_F000)


@jit
def write_fives(patterns: Word, out: Words) -> None:
    """Write how quadrants with these patterns must be turned to show a five."""
    out[:] = NONE
    for line in range(32):
        first = SPREAD_TURNS[0, TURNS_FOR_LINES[0, patterns & _PATTERN, line]]
        second = SPREAD_TURNS[1, TURNS_FOR_LINES[1, patterns >> Word(9) & _PATTERN, line]]
        third = SPREAD_TURNS[2, TURNS_FOR_LINES[2, patterns >> Word(18) & _PATTERN, line]]
        fourth = SPREAD_TURNS[3, TURNS_FOR_LINES[3, patterns >> Word(27), line]]
        for i in range(4):
            out[i] |= first[i] & second[i] & third[i] & fourth[i]


@jit
def turned_once(word: Word) -> Word:
    """The boards that one quarter turn of one of the first three quadrants leads into a set."""
    return (
        (word << ONE & ~_NIBBLES_LOW)
        | (word >> Word(3) & _NIBBLES_LOW)
        | (word >> ONE & ~_NIBBLES_HIGH)
        | (word << Word(3) & _NIBBLES_HIGH)
        | (word << Word(4) & ~_QUARTERS_LOW)
        | (word >> Word(12) & _QUARTERS_LOW)
        | (word >> Word(4) & ~_QUARTERS_HIGH)
        | (word << Word(12) & _QUARTERS_HIGH)
        | (word << Word(16))
        | (word >> Word(48))
        | (word >> Word(16))
        | (word << Word(48))
    )


# --- the levels, from full boards back ------------------------------------------


@jit
def solve(position: Position, room: Room) -> None:
    """Write the worth of every move; the position is not over, and its empty cells fit."""
    mover = int(position.turn)
    empty = empty_cells(position)
    size = count(empty)
    fill_fives(position.stones[mover], empty, room, 0)
    fill_fives(position.stones[1 - mover], empty, room, 1)
    for taken in range(size, 0, -1):
        solve_level(room, size, taken)
    room.worths[:] = ILLEGAL
    levels = room.levels[1]
    i = 0
    while empty != NONE:
        first = cell_of(lowest(empty)) * TURNS
        wins_at_once = has(room.fives[0, 1 << i, 0], 0)
        for turn in range(TURNS):
            quadrant, turns = turn >> 1, 1 if turn & 1 else 3
            # the last quadrant's turns choose the word
            half = turns >> 1 if quadrant == 3 else 0
            place = turns << 2 * quadrant if quadrant < 3 else 0
            if wins_at_once or has(levels[i, half], place):
                room.worths[first + turn] = 1
            else:
                room.worths[first + turn] = 0 if has(levels[i, 2 + half], place) else -1
        empty = without_lowest(empty)
        i += 1


@jit
def fill_fives(stones: Word, empty: Word, room: Room, side: int) -> None:
    """For every set of the empty cells: has a side that took them a five?"""
    room.patterns[0] = patterns_of(stones)
    taken = 1
    while empty != NONE:
        pattern = bit(PLACES[cell_of(lowest(empty))])
        for rest in range(taken):
            room.patterns[taken + rest] = room.patterns[rest] | pattern
        taken *= 2
        empty = without_lowest(empty)
    for cells in range(taken):
        write_fives(room.patterns[cells], room.fives[side, cells])


@jit
def patterns_of(stones: Word) -> Word:
    """Nine bits for each quadrant."""
    patterns = NONE
    for cell in range(CELLS):
        if has(stones, index_of(cell)):
            patterns |= bit(PLACES[cell])
    return patterns


@jit
def solve_level(room: Room, size: int, taken: int) -> None:
    """Work out the boards with so many cells taken, from those with one more.

    The mover has taken `first` of them, the other `second`; a board's number is the rank
    of the mover's set, then that of the other's among the cells left by it.
    """
    first, second = (taken + 1) // 2, taken // 2
    here = room.levels[taken & 1]
    free = np.empty(size, np.int64)
    board = 0
    mine = (1 << first) - 1
    for _ in range(room.choices[size, first]):
        left = 0
        for cell in range(size):
            if mine >> cell & 1 == 0:
                free[left] = cell
                left += 1
        others = (1 << second) - 1
        for _ in range(room.choices[left, second]):
            solve_board(room, size, taken, mine, others, free, left, here[board])
            others = next_set(others)
            board += 1
        mine = next_set(mine)


@jit
def next_set(cells: int) -> int:
    """The next set of as many cells, by number (Gosper's)."""
    if cells == 0:
        return 0
    low = cells & -cells
    ripple = cells + low
    return ripple | ((cells ^ ripple) // low >> 2)


@jit
def solve_board(
    room: Room,
    size: int,
    taken: int,
    mine: int,
    others: int,
    free: NDArray[np.int64],
    left: int,
    out: Words,
) -> None:
    """Write for which turns who moved last wins, and does not lose, with this move.

    The position after the first move is left as it is after the turn, for the answer.
    """
    win0, win1, hold0, hold1 = NONE, NONE, NONE, NONE  # of who moves next
    theirs = 0  # `others` as cells
    after = room.levels[1 - (taken & 1)]
    second = taken // 2
    to_move_first = taken & 1 == 0
    step = room.choices[left - 1, second] if left > 0 and to_move_first else 0
    base = 0 if to_move_first else room.ranks[mine] * room.choices[left, min(second + 1, left)]
    for j in range(left):
        if others >> j & 1:
            theirs |= 1 << free[j]
        else:
            if to_move_first:
                without = (others & (1 << j) - 1) | (others >> j + 1 << j)
                child = room.ranks[mine | 1 << free[j]] * step + room.ranks[without]
            else:
                child = base + room.ranks[others | 1 << j]
            found = after[child]
            win0 |= found[0]
            win1 |= found[1]
            hold0 |= found[2]
            hold1 |= found[3]
    if taken == size:
        hold0 = hold1 = ALL  # a full board is a tie
    last_first = taken & 1 == 1
    mine5 = room.fives[0, mine] if last_first else room.fives[1, theirs]
    their5 = room.fives[1, theirs] if last_first else room.fives[0, mine]
    now, before = 2 * (taken & 1), 2 * (1 - (taken & 1))
    own0, own1 = mine5[now], mine5[now + 1]
    foe0, foe1 = their5[now], their5[now + 1]
    wins0 = (own0 & ~foe0) | ~(own0 | foe0 | hold0)
    wins1 = (own1 & ~foe1) | ~(own1 | foe1 | hold1)
    holds0 = own0 | ~(foe0 | win0)
    holds1 = own1 | ~(foe1 | win1)
    if taken > 1:
        # a turn of the last quadrant leads from each word to both
        wins, holds = wins0 | wins1, holds0 | holds1
        wins0, wins1 = wins | turned_once(wins0), wins | turned_once(wins1)
        holds0, holds1 = holds | turned_once(holds0), holds | turned_once(holds1)
        # a five by the stone alone wins before the turn
        wins0, wins1 = wins0 | mine5[before], wins1 | mine5[before + 1]
        holds0, holds1 = holds0 | mine5[before], holds1 | mine5[before + 1]
    out[0], out[1], out[2], out[3] = wins0, wins1, holds0, holds1


# --- for people and players -----------------------------------------------------


class PentagoSolver(NamedTuple):
    """Plays perfectly as soon as few cells are empty; before, takes wins and blocks losses."""

    empty: Annotated[int, Between(1, MOST_EMPTY), "solve from this many empty cells on"] = 14

    def unfit(self, game: Any) -> str | None:
        """It knows one game."""
        return None if isinstance(game, Pentago) else "it solves Pentago only"

    def memory(self, game: Any) -> SolverMemory:
        """Room for what it solves, and for what it does before."""
        return SolverMemory(new_room(self.empty), Greedy().memory(game))

    def thoughts(self, game: Any, position: Position, memory: SolverMemory) -> Thoughts:
        """The worth of every move, if the position could be solved."""
        solved = count(empty_cells(position)) <= self.empty
        moves = rules.list_legal_moves(game, position)
        worths = {move: int(memory.room.worths[move]) if solved else 0 for move in moves}
        moves.sort(key=lambda move: -worths[move])
        seat = int(position.turn)
        values = [[0.5 + (0.5 - abs(seat - one)) * worths[m] for one in range(2)] for m in moves]
        visits = [1 if solved else 0] * len(moves)
        return Thoughts(moves, visits, values, moves[:1], 0, 0, solved)


class SolverMemory(NamedTuple):
    """What the solver and its substitute work with."""

    room: Room
    greedy: GreedyMemory


@choose.implement(PentagoSolver)
def _choose_solved(
    player: PentagoSolver, game: Any, position: Position, memory: SolverMemory, random: Random
) -> int:
    if count(empty_cells(position)) > player.empty:
        return choose(Greedy(), game, position, memory.greedy, random)
    room = memory.room
    solve(position, room)
    best = room.worths.max()
    found = 0
    for move in range(room.worths.shape[0]):
        if room.worths[move] == best:
            room.candidates[found] = move
            found += 1
    return room.candidates[below(random, found)]


def move_worths(position: Position, room: Room) -> dict[int, int]:
    """What each legal move is worth to the mover: 1 for a win, 0 for a tie, -1 for a loss."""
    most = len(room.choices) - 1
    empty = int(count(empty_cells(position)))
    if empty > most:
        raise UserError(f"{empty} cells are empty; there is room for at most {most}")
    solve(position, room)
    return {move: int(room.worths[move]) for move in rules.list_legal_moves(Pentago(), position)}
