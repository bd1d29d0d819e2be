"""Players for the tests of the arena."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.players.player import Seat, begin, choose, watch
from quintet.players.simple import Greedy, RandomPlayer
from quintet.randomness import below, next_word


class Diary(NamedTuple):
    """What a player noticed."""

    moves: NDArray[np.int32]
    seen: NDArray[np.int64]  # games begun, moves watched in this one, a sum over them


class First(NamedTuple):
    """The first legal move, or the last: chance has no part in it.

    It keeps a diary, and plays an illegal move if it missed anything.
    """

    last: bool = False

    def memory(self, game: Any) -> Diary:
        return Diary(rules.move_buffer(game), np.zeros(3, np.int64))


@begin.implement(First)
def _begin(player: First, game: Any, memory: Diary) -> None:
    memory.seen[0] += 1
    memory.seen[1] = 0


@watch.implement(First)
def _watch(player: First, game: Any, position: Any, move: int, memory: Diary) -> None:
    memory.seen[1] += 1


@choose.implement(First)
def _choose(player: First, game: Any, position: Any, memory: Diary, random: Any) -> int:
    count = rules.legal_moves(game, position, memory.moves)
    stones = position.grid.shape[0] * position.grid.shape[1] - count
    if stones != memory.seen[1]:
        return -5
    return memory.moves[count - 1] if player.last else memory.moves[0]


class Wasteful(NamedTuple):
    """Random, after `waste` numbers that it does not use."""

    waste: int = 0

    def memory(self, game: Any) -> Diary:
        return Diary(rules.move_buffer(game), np.zeros(3, np.int64))


@choose.implement(Wasteful)
def _choose_wastefully(
    player: Wasteful, game: Any, position: Any, memory: Diary, random: Any
) -> int:
    count = rules.legal_moves(game, position, memory.moves)
    chosen = memory.moves[below(random, count)]
    for _ in range(player.waste):
        next_word(random)
    return chosen


class Cheat(NamedTuple):
    """Takes the first cell, free or not."""


@choose.implement(Cheat)
def _cheat(player: Cheat, game: Any, position: Any, memory: Any, random: Any) -> int:
    return 0


class Thinking(NamedTuple):
    """A compiled player that is made to go through the interpreter."""

    player: Any

    def memory(self, game: Any) -> Any:
        return Seat(self.player, game)

    def think(self, game: Any, position: Any, memory: Seat, random: Any) -> int:
        memory.random[0] = random[0]
        move = memory.choose(position)
        random[0] = memory.random[0]
        return move


GREEDY, RANDOM = Greedy(), RandomPlayer()
