"""The solver of Pentago agrees with brute force, and with alpha-beta to the end of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from quintet import rules
from quintet.bits import count
from quintet.compiled import COMPILED
from quintet.errors import UserError
from quintet.games import make
from quintet.games.pentago import empty_cells
from quintet.players import make_player
from quintet.players.pentago_solver import move_worths, new_room, turned_once, write_fives
from quintet.players.player import Seat
from quintet.randomness import seeded
from quintet.rules import Position
from quintet.search.solving import solve
from tests.against.reference.pentago import PentagoReference

GAME = make("pentago")


def late(empty: int, number: int, seed: int) -> Iterator[Position]:
    """Positions of random games that go on, with so many empty cells."""
    random, moves = seeded(seed, empty), rules.move_buffer(GAME)
    while number:
        position = rules.new_position(GAME)
        while not rules.is_over(GAME, position) and count(empty_cells(position)) > empty:
            rules.play(GAME, position, rules.random_move(GAME, position, moves, random))
        if not rules.is_over(GAME, position):
            number -= 1
            yield position


def worth(position: Position, seat: int) -> int:
    """What a position is worth to a seat, by trying everything."""
    if rules.is_over(GAME, position):
        return round(2 * rules.list_scores(GAME, position)[seat] - 1)
    best = max if int(position.turn) == seat else min
    return best(
        worth(after(position, move), seat) for move in rules.list_legal_moves(GAME, position)
    )


def after(position: Position, move: int) -> Position:
    following = rules.copied(position)
    rules.play(GAME, following, move)
    return following


@pytest.mark.parametrize(("empty", "number"), [(1, 40), (2, 6 if COMPILED else 1)])
def test_all_moves_are_worth_what_brute_force_says(empty: int, number: int) -> None:
    room = new_room(empty + 1)  # room to spare changes nothing
    seen: Counter[int] = Counter()
    for position in late(empty, number, 1):
        seat = int(position.turn)
        before = position.tobytes()
        found = move_worths(position, room)
        assert position.tobytes() == before
        assert found == {move: worth(after(position, move), seat) for move in found}
        assert list(found) == rules.list_legal_moves(GAME, position)
        seen.update(found.values())
    assert len(seen) == 3 or number == 1


@pytest.mark.skipif(not COMPILED, reason="thousands of positions")
@pytest.mark.parametrize(
    ("empty", "number"), [(3, 20), (5, 20), pytest.param(7, 30, marks=pytest.mark.slow)]
)
def test_the_best_moves_are_those_of_alphabeta(empty: int, number: int) -> None:
    room = new_room(empty)
    for position in late(empty, number, 2):
        found = move_worths(position, room)
        best = max(found.values())
        expected = solve(GAME, position, all_best=best > -1)
        assert best == round(expected.value)
        if best > -1:
            assert [move for move in found if found[move] == best] == expected.moves


def test_fives_of_all_turned_boards() -> None:
    """Each bit is one way to turn the four quadrants: compared with the slow rules."""
    chance = np.random.default_rng(5)
    seen = Counter[bool]()
    for _ in range(3):
        patterns = chance.integers(512, size=4)
        words = np.zeros(4, np.uint64)
        packed = sum(int(pattern) << 9 * q for q, pattern in enumerate(patterns))
        write_fives(np.uint64(packed), words)
        for turns in np.ndindex(4, 4, 4, 4):
            slow = PentagoReference(GAME)
            for quadrant, pattern in enumerate(patterns):
                rows = np.array([int(pattern) >> i & 1 for i in range(9)]).reshape(3, 3)
                top, left = quadrant // 2 * 3, quadrant % 2 * 3
                for row, cells in enumerate(np.rot90(rows, -turns[quadrant])):
                    slow.board[top + row][left : left + 3] = cells.tolist()
            word = words[sum(turns) % 2 * 2 + turns[3] // 2]
            place = turns[0] + 4 * turns[1] + 16 * turns[2]
            shown = bool(int(word) >> place & 1)
            assert shown == slow.has_five(1)
            seen[shown] += 1
    assert min(seen[True], seen[False]) > 50


def test_neighbours_of_a_turned_board() -> None:
    for place in range(64):
        first, second, third = place & 3, place >> 2 & 3, place >> 4
        expected = {
            (first + a) % 4 + 4 * ((second + b) % 4) + 16 * ((third + c) % 4)
            for a, b, c in [(1, 0, 0), (3, 0, 0), (0, 1, 0), (0, 3, 0), (0, 0, 1), (0, 0, 3)]
        }
        word = int(turned_once(np.uint64(1 << place)))
        assert {bit for bit in range(64) if word >> bit & 1} == expected


@pytest.mark.skipif(not COMPILED, reason="solves")
def test_the_player_keeps_the_value_and_says_what_it_knows() -> None:
    seat = Seat(make_player("pentago-solver:empty=6", GAME), GAME, seeded(1))
    room = new_room(6)
    for position in late(6, 5, 3):
        found = move_worths(position, room)
        assert found[seat.choose(position)] == max(found.values())
        thoughts = seat.thoughts(position)
        assert thoughts is not None
        assert thoughts.solved
        mover = int(position.turn)
        for move, values in zip(thoughts.moves, thoughts.values, strict=True):
            assert 2 * values[mover] - 1 == found[move]
            assert sum(values) == 1
    early = rules.new_position(GAME)
    assert seat.choose(early) in rules.list_legal_moves(GAME, early)
    assert not seat.player.thoughts(GAME, early, seat.memory).solved


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(UserError, match="36 cells are empty; there is room for at most 3"):
        move_worths(rules.new_position(GAME), new_room(3))
    with pytest.raises(UserError, match="solves Pentago only"):
        make_player("pentago-solver", make("othello"))
