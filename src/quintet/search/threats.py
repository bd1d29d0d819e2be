"""Forced wins in k in a row, by fours and threes; for two players.

A **four** (of k=5) is a move after which one more stone would win: the other side
must answer on that cell.  A **three** is a quiet move that would be followed by a
win of fours alone, if the other side did nothing: then every answer of the other
side is tried, on all empty cells.  A win that is found is certain.  Not finding
one says only that none by such moves was seen within the limits; for fours alone
(``threes=0``) and enough nodes it says that there is none.

The names are those of k=5; for other k read k-1 and k-2.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import Word, added, mixed
from quintet.compiled import jit
from quintet.errors import UserError
from quintet.rules import Position
from quintet.search.lines import (
    Lines,
    lines_of,
    put,
    set_stones,
    stones_if_open,
    take_back,
    whole,
    wins_anywhere,
    wins_through,
)

FREE, LOST = -1, -2  # what the attacker must do: anything, or it cannot be done
SHORTEST = 3
_TABLE = 1 << 14  # failures remembered
_LONGEST = 64  # attacker's moves of a win

Line = NDArray[np.int32]


class ThreatMemory(NamedTuple):
    """Room for one search."""

    lines: Lines
    line: Line  # the moves of the win found, from each ply on
    plans: NDArray[np.int32]  # for each depth, how the quiet move would be followed up
    planned: NDArray[np.int64]  # for each depth, the plies of the plan
    answers: NDArray[np.int32]  # for each depth, the answers to try
    best: NDArray[np.int32]  # for each depth, the longest defence so far
    moves: NDArray[np.int32]  # for each depth, the moves to try, best first
    ranks: NDArray[np.int32]  # for each cell, how good
    failures: NDArray[np.uint64]  # positions without a win; which, and how far they were searched
    left: NDArray[np.int64]  # how many nodes may still be visited


def threat_memory(game: Any) -> ThreatMemory:
    """Room for the searches of one thread."""
    problem = no_threats_in(game)
    if problem:
        raise UserError(problem)
    cells = game.rows * game.columns
    length = 2 * _LONGEST + 2
    return ThreatMemory(
        lines_of(game),
        np.zeros(2 * length, np.int32),
        np.zeros((_LONGEST, 2 * length), np.int32),
        np.zeros(_LONGEST, np.int64),
        np.zeros((_LONGEST, cells), np.int32),
        np.zeros((_LONGEST, 2 * length), np.int32),
        np.zeros((_LONGEST, cells), np.int32),
        np.zeros(cells, np.int32),
        np.zeros((_TABLE, 2), np.uint64),
        np.zeros(1, np.int64),
    )


def no_threats_in(game: Any) -> str | None:
    """Why threats cannot be searched in a game, or None."""
    if not all(hasattr(game, name) for name in ("rows", "columns", "k")):
        return "threats are searched in k in a row only: captures and turns would undo them"
    if game.players != 2:
        return f"threats are searched for two players, not {game.players}"
    if getattr(game, "gravity", False):
        return "threats are searched without gravity only"
    if game.k < SHORTEST:
        return f"threats are searched for k of at least {SHORTEST}, not {game.k}"
    return None


def forced_win(
    game: Any, position: Position, threes: int = 4, fours: int = 20, nodes: int = 200_000
) -> list[int] | None:
    """The moves of a forced win of the side to move, against the longest defence; or None.

    The win takes no more moves than this against any defence.  At most `threes`
    moves of the attacker before a win by fours alone, of at most `fours` of them.
    """
    memory = threat_memory(game)
    set_stones(memory.lines, _owners(game, position))
    if rules.is_over(game, position):
        return None
    side = int(rules.turn(game, position))
    found = find_win(memory, side, threes, fours, nodes)
    return [int(move) for move in memory.line[:found]] if found else None


def _owners(game: Any, position: Position) -> NDArray[np.int8]:
    owners = np.zeros(game.rows * game.columns, np.int8)
    rules.cells(game, position, owners)
    return owners


@jit
def find_win(memory: ThreatMemory, side: int, threes: int, fours: int, nodes: int) -> int:
    """Look for a win of `side`, to move on ``memory.lines``; returns its plies, or 0.

    The moves are then in ``memory.line``.
    """
    memory.left[0] = nodes
    count, cell = wins_anywhere(memory.lines, side)
    if count > 0:
        memory.line[0] = cell
        return 1
    count, cell = wins_anywhere(memory.lines, 1 - side)
    must = duty(count, cell)
    memory.failures[:] = Word(0)
    start = whole(0)
    for depth in range(threes + 1):
        found = win_by_threes(memory, whole(side), start, must, depth, whole(fours))
        if found > 0 or memory.left[0] <= 0:
            return found
    return 0


@jit
def duty(count: int, cell: int) -> int:
    """What the attacker must do about cells that win for the defender."""
    if count == 0:
        return whole(FREE)
    return whole(cell) if count == 1 else whole(LOST)


# --- fours --------------------------------------------------------------------


@jit
def win_by_fours(memory: ThreatMemory, side: int, ply: int, must: int, depth: int) -> int:
    """The plies of a win by at most `depth` fours and a last stone, or 0."""
    memory.left[0] -= 1
    if must == LOST or depth == 0 or memory.left[0] <= 0 or has_failed(memory, depth, 0):
        return 0
    lines = memory.lines
    for line in range(lines.cells.shape[0]):
        if stones_if_open(lines, line, side) == lines.cells.shape[1] - 2:
            for place in lines.cells[line]:
                cell = whole(place)
                if lines.owners[cell] == 0 and must in (FREE, cell):
                    put(lines, cell, side)
                    count, answer = wins_through(lines, cell, side)
                    found = write_end(memory, ply, cell, answer, side) if count == 2 else 0
                    if count == 1:
                        put(lines, answer, 1 - side)
                        next_must = duty(*wins_through(lines, answer, 1 - side))
                        rest = win_by_fours(memory, side, ply + 2, next_must, depth - 1)
                        take_back(lines, answer)
                        found = write_four(memory, ply, cell, answer, rest)
                    take_back(lines, cell)
                    if found > 0:
                        return found
    note_failure(memory, depth, 0)
    return 0


@jit
def short_win_by_fours(memory: ThreatMemory, side: int, ply: int, must: int, most: int) -> int:
    """The plies of a win by at most `most` fours, or 0; one of the shorter ones."""
    depth = whole(1)
    while depth < most:
        found = win_by_fours(memory, side, ply, must, depth)
        if found > 0:
            return found
        depth *= 2
    return win_by_fours(memory, side, ply, must, most)


@jit
def write_four(memory: ThreatMemory, ply: int, cell: int, answer: int, rest: int) -> int:
    """Note a four and its answer before the rest of a win, if that was found."""
    if rest == 0:
        return 0
    memory.line[ply] = cell
    memory.line[ply + 1] = answer
    return rest + 2


@jit
def write_end(memory: ThreatMemory, ply: int, cell: int, answer: int, side: int) -> int:
    """Note a move that wins in two ways, one answer, and the winning move."""
    lines = memory.lines
    put(lines, answer, 1 - side)
    _, last = wins_through(lines, cell, side)
    take_back(lines, answer)
    memory.line[ply] = cell
    memory.line[ply + 1] = answer
    memory.line[ply + 2] = last
    return 3


# --- threes -------------------------------------------------------------------


@jit
def win_by_threes(
    memory: ThreatMemory, side: int, ply: int, must: int, depth: int, fours: int
) -> int:
    """The plies of a win by at most `depth` moves before fours alone win, or 0."""
    found = short_win_by_fours(memory, side, ply, must, fours)
    if found > 0 or must == LOST or depth == 0 or memory.left[0] <= 0:
        return found
    if has_failed(memory, fours, depth):
        return 0
    for i in range(list_moves(memory, side, must, depth)):
        cell = whole(memory.moves[depth, i])
        put(memory.lines, cell, side)
        longest = 0
        for j in range(list_answers(memory, side, ply, cell, depth, fours)):
            answer = whole(memory.answers[depth, j])
            found = win_by_plan(memory, side, ply, answer, depth)
            if found == 0:
                put(memory.lines, answer, 1 - side)
                next_must = duty(*wins_through(memory.lines, answer, 1 - side))
                rest = win_by_threes(memory, side, ply + 2, next_must, depth - 1, fours)
                take_back(memory.lines, answer)
                found = rest + 1 if rest > 0 else 0
            longest = keep_longest(memory, ply, answer, depth, longest, found)
            if found == 0:
                break
        take_back(memory.lines, cell)
        if longest > 0:
            memory.line[ply] = cell
            memory.line[ply + 1 : ply + 1 + longest] = memory.best[depth, :longest]
            return longest + 1
    note_failure(memory, fours, depth)
    return 0


@jit
def list_moves(memory: ThreatMemory, side: int, must: int, depth: int) -> int:
    """Write the moves that make a four or may make a three; returns how many.

    Where the other side has a four, the only move is to stop it: the threat that it
    answered may still stand.
    """
    if must != FREE:
        memory.moves[depth, 0] = must
        return 1
    lines = memory.lines
    k = lines.cells.shape[1]
    memory.ranks[:] = 0
    for line in range(lines.cells.shape[0]):
        stones = stones_if_open(lines, line, side)
        if stones in (k - 3, k - 2):
            for place in lines.cells[line]:
                cell = whole(place)
                if lines.owners[cell] == 0:
                    memory.ranks[cell] += 1 + 3 * (stones - (k - 3))
    count = 0
    for cell in range(memory.ranks.shape[0]):
        if memory.ranks[cell] > 0:
            at = count
            while at > 0 and memory.ranks[memory.moves[depth, at - 1]] < memory.ranks[cell]:
                memory.moves[depth, at] = memory.moves[depth, at - 1]
                at -= 1
            memory.moves[depth, at] = cell
            count += 1
    return count


@jit
def list_answers(
    memory: ThreatMemory, side: int, ply: int, cell: int, depth: int, fours: int
) -> int:
    """Write the answers to try after a move; none if it is neither a four nor a three."""
    memory.planned[depth] = 0
    wins, answer = wins_through(memory.lines, cell, side)
    if wins == 1:
        memory.answers[depth, 0] = answer
        return 1
    start = ply + 2
    planned = short_win_by_fours(memory, side, start, whole(FREE), fours)
    memory.planned[depth] = planned
    memory.plans[depth, :planned] = memory.line[start : start + planned]
    return all_empty_cells(memory, depth) if planned > 0 else 0


@jit
def all_empty_cells(memory: ThreatMemory, depth: int) -> int:
    """Write all empty cells, those of the plan first: there an answer helps most likely."""
    memory.ranks[:] = 0
    count = 0
    for i in range(memory.planned[depth]):
        cell = memory.plans[depth, i]
        if memory.ranks[cell] == 0:
            memory.ranks[cell] = 1
            memory.answers[depth, count] = cell
            count += 1
    for cell in range(memory.ranks.shape[0]):
        if memory.lines.owners[cell] == 0 and memory.ranks[cell] == 0:
            memory.answers[depth, count] = cell
            count += 1
    return count


@jit
def keep_longest(
    memory: ThreatMemory, ply: int, answer: int, depth: int, longest: int, found: int
) -> int:
    """Keep the moves from an answer on if they are more than before; none if it refutes."""
    if found == 0:
        return 0
    if found <= longest:
        return longest
    memory.best[depth, 0] = answer
    memory.best[depth, 1:found] = memory.line[ply + 2 : ply + 1 + found]
    return found


@jit
def win_by_plan(memory: ThreatMemory, side: int, ply: int, answer: int, depth: int) -> int:
    """The plies from an answer on if the planned fours win all the same, or 0.

    Most answers are elsewhere on the board, and this spares a search.
    """
    lines = memory.lines
    put(lines, answer, 1 - side)
    must = duty(*wins_through(lines, answer, 1 - side))
    made, found = 0, 0
    while must != LOST and made + 2 < memory.planned[depth]:
        cell = whole(memory.plans[depth, made])
        if lines.owners[cell] != 0 or must not in (FREE, cell):
            break
        put(lines, cell, side)
        count, reply = wins_through(lines, cell, side)
        memory.line[ply + 2 + made] = cell
        if count == 2:
            found = made + 1 + write_end(memory, ply + 2 + made, cell, reply, side)
        made += 1
        if count != 1:
            break
        put(lines, reply, 1 - side)
        memory.line[ply + 2 + made] = reply
        made += 1
        must = duty(*wins_through(lines, reply, 1 - side))
    for i in range(made):
        take_back(lines, whole(memory.line[ply + 2 + i]))
    take_back(lines, answer)
    return found


# --- what is known to fail ----------------------------------------------------


@jit
def has_failed(memory: ThreatMemory, fours: int, threes: int) -> bool:
    """Was this position searched at least so far, in vain?"""
    key = mixed(added(memory.lines.key[0], Word(threes)))
    entry = memory.failures[key & Word(_TABLE - 1)]
    return entry[0] == key and entry[1] >= Word(fours)


@jit
def note_failure(memory: ThreatMemory, fours: int, threes: int) -> None:
    """Remember that nothing was found here, unless the search was cut short."""
    if memory.left[0] > 0:
        key = mixed(added(memory.lines.key[0], Word(threes)))
        entry = memory.failures[key & Word(_TABLE - 1)]
        entry[0] = key
        entry[1] = Word(fours)
