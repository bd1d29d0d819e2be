"""The contract: what a player must answer.

A **player** is a NamedTuple of parameters that implements `choose`; whole games
among such players run compiled.  What it remembers or works with it keeps in its
**memory**, a NamedTuple of arrays from its Python method ``memory(game)``: one
for each seat and thread.  Its Python method ``unfit(game)``, if it has one, says
why it cannot play a game, or None.

Players that need the interpreter (people, engines, networks of other libraries,
clocks) also have a Python method ``think(game, position, memory, random)``, which
is called instead of `choose`; they may have ``begin(game, memory)`` and ``watch(game,
position, move, memory)`` in place of the functions of these names.  A search or network
tells what it found by ``thoughts(game, position, memory)``; one that another thread may
end early has ``stop(memory)``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from quintet.compiled import generic
from quintet.randomness import Random, seeded
from quintet.rules import Position


@generic
def choose(player: Any, game: Any, position: Position, memory: Any, random: Random) -> int:
    """A legal move in a position that is not over; the position is left as it was."""
    raise NotImplementedError


@generic
def begin(player: Any, game: Any, memory: Any) -> None:
    """A new game begins: forget the last one."""


@begin.default
def _forget_nothing(player: Any, game: Any, memory: Any) -> None:
    pass


@generic
def watch(player: Any, game: Any, position: Position, move: int, memory: Any) -> None:
    """Some seat, perhaps the player's own, is about to make this move."""


@watch.default
def _look_away(player: Any, game: Any, position: Position, move: int, memory: Any) -> None:
    pass


class Thoughts(NamedTuple):
    """What a search or network found: for people to look at, and for analysis."""

    moves: list[int]  # the best first
    visits: list[int]  # how often each was tried; 1 where a search does not count
    values: list[list[float]]  # for each move, what each seat may expect, from 0 to 1
    line: list[int]  # the expected continuation
    nodes: int
    depth: int
    solved: bool  # the value is certain
    utilities: list[float] | None = None  # of each move, where a network tells more than values
    lines: Sequence[list[int]] = ()  # the expected continuation of each move, where it is known


def by_utility(game: Any, utilities: Mapping[int, float]) -> Thoughts:
    """What a network found that gives a number to each move, and no values."""
    moves = sorted(utilities, key=lambda move: -utilities[move])
    unknown = [math.nan] * game.limits().seats
    numbers = [utilities[move] for move in moves]
    count = len(moves)
    return Thoughts(moves, [1] * count, [unknown] * count, moves[:1], count, 0, False, numbers)


def by_value(values: Mapping[int, list[float]], seat: int) -> Thoughts:
    """What a player found that values the position after each move."""
    moves = sorted(values, key=lambda move: -values[move][seat])
    found = [values[move] for move in moves]
    return Thoughts(moves, [1] * len(moves), found, moves[:1], len(moves), 0, False)


class Seat:
    """A player at the board, with what it remembers."""

    def __init__(self, player: Any, game: Any, random: Random | None = None) -> None:
        """Sit down; `random` is the player's own source of chance."""
        self.player = player
        self.game = game
        self.memory = player.memory(game) if hasattr(player, "memory") else ()
        self.random = seeded(0) if random is None else random

    def begin(self) -> None:
        """A new game begins."""
        if hasattr(self.player, "begin"):
            self.player.begin(self.game, self.memory)
        # what a player keeps in Python cannot go through the compiled default
        elif begin.implementation_for(type(self.player)) is not _forget_nothing:
            begin(self.player, self.game, self.memory)

    def choose(self, position: Position) -> int:
        """A legal move."""
        if is_compiled(self.player):
            return int(choose(self.player, self.game, position, self.memory, self.random))
        return int(self.player.think(self.game, position, self.memory, self.random))

    def watch(self, position: Position, move: int) -> None:
        """Some seat is about to make this move."""
        if hasattr(self.player, "watch"):
            self.player.watch(self.game, position, move, self.memory)
        elif watch.implementation_for(type(self.player)) is not _look_away:
            watch(self.player, self.game, position, move, self.memory)

    def stop(self) -> None:
        """End a `choose` that another thread is in, if the player can."""
        if hasattr(self.player, "stop"):
            self.player.stop(self.memory)

    def thoughts(self, position: Position) -> Thoughts | None:
        """What the last `choose`, in this position, found; None if there is nothing to tell."""
        if not hasattr(self.player, "thoughts"):
            return None
        found: Thoughts = self.player.thoughts(self.game, position, self.memory)
        return found


def is_compiled(player: Any) -> bool:
    """Can whole games with this player run without the interpreter?

    A player that thinks in Python only sometimes, such as one with a clock, tells
    by a method ``needs_python``.
    """
    if not hasattr(player, "think"):
        return True
    return hasattr(player, "needs_python") and not player.needs_python()
