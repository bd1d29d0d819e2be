"""Go's known numbers.

Boards on which every group has a liberty: two colours, OEIS A094777 (J. Tromp
and G. Farnebäck, Combinatorics of Go); three colours, counted for this project
with another program.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import games, rules
from quintet.compiled import COMPILED, jit
from quintet.games.go import Go, breathes
from quintet.games.go_on_bits import GoOnBits
from quintet.notation import parse_picture
from quintet.randomness import seeded


@jit
def count_breathing(game: Any, position: Any, content: Any, colours: int) -> int:
    """How many of all boards are legal; `content` starts empty and counts them up."""
    found = 0
    while True:
        rules.set_up(game, position, content)
        found += breathes(game, position)
        cell = 0
        while cell < content.shape[0] and content[cell] == colours:
            content[cell] = 0
            cell += 1
        if cell == content.shape[0]:
            return found
        content[cell] += 1


@pytest.mark.parametrize(
    ("cls", "size", "colours", "boards"),
    [
        (GoOnBits, 2, 2, 57),
        (GoOnBits, 3, 2, 12675),
        (GoOnBits, 2, 3, 127),
        (GoOnBits, 3, 3, 86095),
        (Go, 3, 2, 12675),
        (Go, 3, 3, 86095),
        pytest.param(GoOnBits, 4, 2, 24318165, marks=pytest.mark.slow),
    ],
)
def test_legal_boards(cls: type, size: int, colours: int, boards: int) -> None:
    if boards > 1000 and not COMPILED:
        pytest.skip("thousands of boards")
    game = cls(*games.make(f"go:size={size},players={colours}"))
    position = rules.new_position(game)
    content = np.zeros(size * size, np.int8)
    assert count_breathing(game, position, content, colours) == boards


FINISHED = """
  A B C D E
5 . X O . O
4 X X O O .
3 . X . O O
2 X X # # #
1 . X # . #
turn: 0
passes: 3
ply: 60
ko: -1
"""


def test_the_area_of_a_finished_board() -> None:
    """Two eyes each, and a point between two colours that is of nobody."""
    for cls in (GoOnBits, Go):
        game = cls(*games.make("go:size=5,players=3,komi=0/0.5/1"))
        assert rules.list_scores(game, parse_picture(game, FINISHED)) == [10, 8.5, 7]


@pytest.mark.skipif(not COMPILED, reason="many games")
def test_hardly_a_point_is_of_nobody_when_passing_is_forced() -> None:
    """The paper's three colours on 5 x 5: scores sum to at most 25, in its games to 24.9."""
    game = games.make("go:size=5,players=3,passing=forced,ko=situational")
    random, moves, totals = seeded(3), rules.move_buffer(game), []
    for _ in range(400):
        position = rules.new_position(game)
        rules.play_out(game, position, moves, random)
        totals.append(sum(rules.list_scores(game, position)))
    assert max(totals) == 25
    assert np.mean(totals) > 24.8
