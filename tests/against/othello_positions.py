"""Positions of random Othello games, for tests of its players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quintet import rules
from quintet.randomness import seeded
from tests.against.reference.othello import OthelloReference
from tests.against.reference.othello_players import reference_for


def positions(game: Any, games: int, seed: int) -> Iterator[Any]:
    """Every position of some random games that is not over."""
    moves = rules.move_buffer(game)
    for number in range(games):
        random = seeded(seed, number)
        position = rules.new_position(game)
        while not rules.is_over(game, position):
            yield rules.copied(position)
            rules.play(game, position, rules.random_move(game, position, moves, random))


def empties(game: Any, position: Any) -> int:
    """How many cells are empty."""
    return list(cells(game, position)).count(0)


def cells(game: Any, position: Any) -> Any:
    """Who owns each cell."""
    content = np.zeros(game.size * game.size, np.int8)
    rules.cells(game, position, content)
    return content


def reference_of(game: Any, position: Any) -> OthelloReference:
    """The position with lists and loops."""
    return reference_for(game, cells(game, position), int(rules.turn(game, position)))
