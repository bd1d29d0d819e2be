"""Pentago's 35 features and their weighted sum, after Heon and Oetting (papers 003.2).

The paper names two of its features; the list here is ours.  All are seen by **me**,
who has just moved; **op** moves next.

Most come from how many stones each of the 32 lines of five holds.  These counts are
kept four bits each, in two words, and are the sum of what the four quadrants give:
tables know that for each of a quadrant's 512 patterns.  So what a turn would make of
the lines takes one subtraction and one addition.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from quintet.bits import NONE, Word, count, lowest, without_lowest
from quintet.compiled import jit
from quintet.games.pentago import SIDE, WIDTH, Pentago, pattern_of
from quintet.randomness import Random
from quintet.rules import Position, Positions
from quintet.search.evaluation import Desk, Values, evaluate

Weights: TypeAlias = NDArray[np.float64]
Patterns: TypeAlias = tuple[Word, Word, Word, Word]  # of the quadrants
Lines: TypeAlias = tuple[Word, Word]  # how many stones each of the 32 lines holds

# what is counted for me and for op: name, and the starting weights (papers 003.2)
OF_A_SIDE = [
    ("lines with 1 stone and none of the other's", 0.1, -0.1),
    ("lines with 2", 0.5, -0.6),
    ("lines with 3", 2.0, -2.5),
    ("lines with 4", 8.0, -20.0),
    ("lines with 5", 1000.0, -1000.0),
    ("runs of 2", 0.2, -0.2),
    ("runs of 3", 1.0, -1.2),
    ("runs of 4", 4.0, -8.0),
    ("stones on centres of quadrants", 1.5, -1.5),
    ("stones on corners", 0.2, -0.2),
    ("stones on other border cells", 0.1, -0.1),
    ("stones on the four central cells", 0.4, -0.4),
    ("stones on the main diagonals", 0.3, -0.3),
    ("turns that would give a five", 5.0, -50.0),
    ("cells where a stone would make five", 5.0, -100.0),
    ("most stones in a quadrant", 0.1, -0.1),
]
_OF_BOTH = [("quadrants with more of my stones, less the reverse", 0.3), ("fullness", 0.0)]
_SIDES = len(OF_A_SIDE)
# the places of a side's features in the paper's order: 5 of me, 5 of op, 3 of me, 3 of op,
# then one of each
MINE = np.array([*range(5), *range(10, 13), *range(16, 32, 2)])
THEIRS = np.array([*range(5, 10), *range(13, 16), *range(17, 32, 2)])
QUADRANTS_AHEAD, FULLNESS, CONSTANT = 32, 33, 34
FEATURES = 35


def feature_names() -> list[str]:
    """What each of the 35 is, in order."""
    names = [""] * FEATURES
    for place, (name, _, _) in enumerate(OF_A_SIDE):
        names[MINE[place]], names[THEIRS[place]] = f"me: {name}", f"op: {name}"
    names[QUADRANTS_AHEAD:] = [*(name for name, _ in _OF_BOTH), "1"]
    return names


def _start_weights() -> Weights:
    weights = np.zeros(FEATURES)
    weights[MINE] = [mine for _, mine, _ in OF_A_SIDE]
    weights[THEIRS] = [theirs for _, _, theirs in OF_A_SIDE]
    weights[QUADRANTS_AHEAD] = _OF_BOTH[0][1]
    return weights


START_WEIGHTS = _start_weights()


# --- tables ---------------------------------------------------------------------


def _all_lines() -> list[list[int]]:
    """The 32 lines of five, as cells."""
    lines = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(SIDE):
            for column in range(SIDE):
                last = row + 4 * down, column + 4 * right
                if all(0 <= place < SIDE for place in last):
                    lines.append([(row + i * down) * SIDE + column + i * right for i in range(5)])
    return lines


def _set_of(cells: list[int]) -> int:
    return sum(1 << cell // SIDE * WIDTH + cell % SIDE for cell in cells)


def _place(line: int) -> int:
    """Where a line's bit is once the two words are packed into one."""
    return 4 * (line % 16) + line // 16


def _lines_of_patterns() -> NDArray[np.uint64]:
    """For each quadrant and pattern, how many stones it adds to each line, in two words."""
    of_cells = np.zeros((4, 9, 2), np.uint64)
    for line, cells in enumerate(_all_lines()):
        for cell in cells:
            row, column = divmod(cell, SIDE)
            quadrant = row // 3 * 2 + column // 3
            place = row % 3 * 3 + column % 3
            of_cells[quadrant, place, line // 16] += Word(1 << 4 * (line % 16))
    table = np.zeros((4, 512, 2), np.uint64)
    for pattern in range(512):
        for place in range(9):
            if pattern >> place & 1:
                table[:, pattern] += of_cells[:, place]
    return table


def _turned_patterns() -> NDArray[np.uint64]:
    """For each direction and pattern of a quadrant, the pattern after the turn."""
    table = np.zeros((2, 512), np.uint64)
    for pattern in range(512):
        rows = np.array([pattern >> i & 1 for i in range(9)]).reshape(3, 3)
        for direction in range(2):
            turned = np.rot90(rows, 1 - 2 * direction).ravel()
            table[direction, pattern] = sum(1 << i for i in range(9) if turned[i])
    return table


def _cells_of_lines() -> NDArray[np.uint64]:
    """By the place of its bit, the cells of each line."""
    table = np.zeros(64, np.uint64)
    for line, cells in enumerate(_all_lines()):
        table[_place(line)] = _set_of(cells)
    return table


LINES_OF = _lines_of_patterns()
TURNED_PATTERN = _turned_patterns()
CELLS_OF_LINE = _cells_of_lines()

_EDGE = {0, SIDE - 1}
_GRID = [divmod(cell, SIDE) for cell in range(SIDE * SIDE)]
CENTRES = Word(_set_of([7, 10, 25, 28]))
CORNERS = Word(_set_of([0, 5, 30, 35]))
BORDER = Word(_set_of([i for i, (r, c) in enumerate(_GRID) if {r, c} & _EDGE])) & ~CORNERS
MIDDLE = Word(_set_of([14, 15, 20, 21]))
DIAGONALS = Word(_set_of([i for i, (r, c) in enumerate(_GRID) if c in (r, SIDE - 1 - r)]))

_UNITS = Word(0x1111_1111_1111_1111)  # the lowest bit of each count
_1, _2 = Word(1), Word(2)


# --- the features ---------------------------------------------------------------


@jit
def patterns_of(stones: Word) -> Patterns:
    """The patterns of the four quadrants."""
    return (
        pattern_of(stones, 0),
        pattern_of(stones, 1),
        pattern_of(stones, 2),
        pattern_of(stones, 3),
    )


@jit
def lines_of(patterns: Patterns) -> Lines:
    """How many stones each line holds."""
    a, b, c, d = patterns
    table = LINES_OF
    return (
        table[0, a, 0] + table[1, b, 0] + table[2, c, 0] + table[3, d, 0],
        table[0, a, 1] + table[1, b, 1] + table[2, c, 1] + table[3, d, 1],
    )


@jit
def packed(lines: Lines, digit: Word) -> Word:
    """One binary digit of all counts, in one word."""
    low, high = lines
    return low >> digit & _UNITS | (high >> digit & _UNITS) << _1


@jit
def used_lines(lines: Lines) -> Word:
    """The lines that hold any stone."""
    return packed(lines, NONE) | packed(lines, _1) | packed(lines, _2)


@jit
def turns_to_five(patterns: Patterns, lines: Lines) -> int:
    """How many of the eight turns would give a five."""
    found = 0
    for quadrant in range(4):
        pattern = patterns[quadrant]
        low = lines[0] - LINES_OF[quadrant, pattern, 0]
        high = lines[1] - LINES_OF[quadrant, pattern, 1]
        for direction in range(2):
            turned = TURNED_PATTERN[direction, pattern]
            first = low + LINES_OF[quadrant, turned, 0]
            second = high + LINES_OF[quadrant, turned, 1]
            # a count of five is 101 in binary, and none is 111
            if ((first & first >> _2) | (second & second >> _2)) & _UNITS != NONE:
                found += 1
    return found


@jit
def cells_to_five(stones: Word, fours: Word) -> int:
    """How many cells complete one of these lines, which lack one stone each."""
    cells = NONE
    while fours != NONE:
        cells |= CELLS_OF_LINE[lowest(fours)]
        fours = without_lowest(fours)
    return count(cells & ~stones)


@jit
def windows(stones: Word, step: int) -> tuple[int, int, int, int, int]:
    """How often 2, 3, 4, 5 and 6 stones lie side by side in one direction."""
    one, two, three = Word(step), Word(2 * step), Word(3 * step)
    twos = stones & stones >> one
    threes = twos & twos >> one
    fours = twos & twos >> two
    fives = threes & twos >> three
    sixes = threes & threes >> three
    return count(twos), count(threes), count(fours), count(fives), count(sixes)


@jit
def all_windows(stones: Word) -> tuple[int, int, int, int, int]:
    """The same in all four directions."""
    a2, a3, a4, a5, a6 = windows(stones, 1)
    b2, b3, b4, b5, b6 = windows(stones, WIDTH - 1)
    c2, c3, c4, c5, c6 = windows(stones, WIDTH)
    d2, d3, d4, d5, d6 = windows(stones, WIDTH + 1)
    return (
        a2 + b2 + c2 + d2,
        a3 + b3 + c3 + d3,
        a4 + b4 + c4 + d4,
        a5 + b5 + c5 + d5,
        a6 + b6 + c6 + d6,
    )


@jit
def streaks(stones: Word) -> tuple[int, int, int, int, int]:
    """The maximal runs of exactly 2, 3, 4, 5 and 6 stones.

    A run of n has one window of n, two of n - 1, three of n - 2 and so on.
    """
    w2, w3, w4, w5, w6 = all_windows(stones)
    return w2 - 2 * w3 + w4, w3 - 2 * w4 + w5, w4 - 2 * w5 + w6, w5 - 2 * w6, w6


@jit
def side_features(
    stones: Word, patterns: Patterns, lines: Lines, other_lines: Lines
) -> tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int]:
    """What is counted of one side, in the order of `OF_A_SIDE`."""
    ones, twos, fours = packed(lines, NONE), packed(lines, _1), packed(lines, _2)
    free = ~used_lines(other_lines)
    with_four = fours & ~ones & free
    run2, run3, run4, _, _ = streaks(stones)
    a, b, c, d = patterns
    return (
        count(ones & ~twos & ~fours & free),
        count(twos & ~ones & free),
        count(twos & ones & free),
        count(with_four),
        count(fours & ones & free),
        run2,
        run3,
        run4,
        count(stones & CENTRES),
        count(stones & CORNERS),
        count(stones & BORDER),
        count(stones & MIDDLE),
        count(stones & DIAGONALS),
        turns_to_five(patterns, lines) if count(stones) >= 5 else 0,
        cells_to_five(stones, with_four),
        max(count(a), count(b), count(c), count(d)),
    )


@jit
def quadrants_ahead(mine: Patterns, theirs: Patterns) -> int:
    """Quadrants with more of my stones than of theirs, less the reverse."""
    ahead = 0
    for quadrant in range(4):
        difference = count(mine[quadrant]) - count(theirs[quadrant])
        ahead += int(difference > 0) - int(difference < 0)
    return ahead


@jit
def write_features(me: Word, op: Word, out: NDArray[np.float64]) -> None:
    """Write the 35 features of a board: my stones, who have just moved, and the other's."""
    mine, theirs = patterns_of(me), patterns_of(op)
    my_lines, their_lines = lines_of(mine), lines_of(theirs)
    of_me = side_features(me, mine, my_lines, their_lines)
    of_op = side_features(op, theirs, their_lines, my_lines)
    for i in range(_SIDES):
        out[MINE[i]] = of_me[i]
        out[THEIRS[i]] = of_op[i]
    out[QUADRANTS_AHEAD] = quadrants_ahead(mine, theirs)
    out[FULLNESS] = count(me | op) / 36.0
    out[CONSTANT] = 1.0


@jit
def feature_value(weights: Weights, me: Word, op: Word) -> float:
    """The weighted sum of the features of a board, without writing them down."""
    mine, theirs = patterns_of(me), patterns_of(op)
    my_lines, their_lines = lines_of(mine), lines_of(theirs)
    of_me = side_features(me, mine, my_lines, their_lines)
    of_op = side_features(op, theirs, their_lines, my_lines)
    total = weights[QUADRANTS_AHEAD] * quadrants_ahead(mine, theirs) + weights[CONSTANT]
    total += weights[FULLNESS] * (count(me | op) / 36.0)
    for i in range(_SIDES):
        total += weights[MINE[i]] * of_me[i] + weights[THEIRS[i]] * of_op[i]
    return total


@jit
def sum_of_values(weights: Weights, positions: Positions) -> float:
    """The values of many boards added up, each for the one who has just moved."""
    total = 0.0
    for i in range(positions.shape[0]):
        turn, stones = positions[i].turn, positions[i].stones
        total += feature_value(weights, stones[1 - turn], stones[turn])
    return total


# --- the evaluation -------------------------------------------------------------

_HALF_SURE = 100.0  # the sum at which a side has half of what a sure win is above a level game


class Features(NamedTuple):
    """The weighted sum of 35 features, with weights that are sensible guesses."""

    def unfit(self, game: Any) -> str | None:
        """Why this does not suit a game, or None."""
        return unless_pentago(game)

    def start_weights(self, game: Any) -> Weights:
        """The weights from which a learner begins."""
        return START_WEIGHTS.copy()

    def weighted(self, weights: Weights) -> WeightedFeatures:
        """The same evaluation with other weights."""
        return WeightedFeatures(weights)


class WeightedFeatures(NamedTuple):
    """The weighted sum of 35 features, with weights of its own."""

    weights: Weights

    def unfit(self, game: Any) -> str | None:
        """Why this does not suit a game, or None."""
        return unless_pentago(game)


@evaluate.implement(Features)
def _features(
    evaluation: Features, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    write_values(START_WEIGHTS, position, out)
    return 0


@evaluate.implement(WeightedFeatures)
def _weighted_features(
    evaluation: WeightedFeatures,
    game: Any,
    position: Position,
    desk: Desk,
    random: Random,
    out: Values,
) -> int:
    write_values(evaluation.weights, position, out)
    return 0


@jit
def write_values(weights: Weights, position: Position, out: Values) -> None:
    """Write the values of both seats: the sum, bent so that it stays between 0 and 1."""
    turn = position.turn
    total = feature_value(weights, position.stones[1 - turn], position.stones[turn])
    lead = 0.5 * total / (_HALF_SURE + abs(total))
    out[1 - turn] = 0.5 + lead
    out[turn] = 0.5 - lead


def unless_pentago(game: Any) -> str | None:
    """Why what is made for Pentago does not suit a game, or None."""
    return None if isinstance(game, Pentago) else "made for Pentago only"
