"""Play random games with the compiled rules and with another judge, move by move."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from quintet import games, notation, rules


class Judge(Protocol):
    """A second opinion on a game: slow and obvious, or somebody else's."""

    def turn(self) -> int: ...
    def legal_moves(self) -> list[int]: ...
    def play(self, move: int) -> None: ...
    def is_over(self) -> bool: ...
    def scores(self) -> list[float]: ...
    def cells(self) -> list[int]: ...


Prefer = Callable[[Any], list[int]]


def compare_random_games(
    text: str, judge: Any, count: int, seed: int = 0, prefer: Prefer | None = None
) -> None:
    """Fail, with the board and the moves, at the first difference.

    `judge` is called with the game and gives a new Judge at its start; if it has
    `points`, they are compared too.  `prefer` tells from a Judge which legal
    moves to choose from, where random moves would rarely meet the rare rules;
    none means any.
    """
    game = games.make(text)
    chance = random.Random(f"{text} {seed}")
    for _ in range(count):
        _compare_one_game(game, judge(game), chance, prefer)


def _compare_one_game(
    game: Any, judge: Judge, chance: random.Random, prefer: Prefer | None
) -> None:
    position = rules.new_position(game)
    content = np.zeros(game.layout().cells, np.int8)
    moves: list[int] = []
    for _ in range(game.limits().plies + 1):
        story = f"{game}\n{notation.picture(game, position)}\nmoves {moves}"
        rules.cells(game, position, content)
        legal = rules.list_legal_moves(game, position)
        assert content.tolist() == judge.cells(), f"cells differ: {judge.cells()}\n{story}"
        assert rules.is_over(game, position) == judge.is_over(), f"the end differs\n{story}"
        if hasattr(judge, "points"):
            points = np.zeros(game.limits().seats)
            rules.points(game, position, points)
            assert points.tolist() == judge.points(), f"points differ: {judge.points()}\n{story}"
        if judge.is_over():
            assert legal == [], f"moves after the end\n{story}"
            assert rules.list_scores(game, position) == judge.scores(), f"scores differ\n{story}"
            return
        assert rules.turn(game, position) == judge.turn(), f"the turn differs\n{story}"
        assert legal == judge.legal_moves(), f"legal moves differ: {judge.legal_moves()}\n{story}"
        move = chance.choice((prefer(judge) if prefer else []) or legal)
        rules.play(game, position, move)
        judge.play(move)
        moves.append(move)
    raise AssertionError(f"longer than {game.limits().plies} plies\n{story}")
