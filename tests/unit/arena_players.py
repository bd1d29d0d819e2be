"""Players for the tests of the arena."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import count as bits_in
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


class Desk(NamedTuple):
    """Room to try a move."""

    positions: Any
    scores: NDArray[np.float64]


class Sneak(NamedTuple):
    """Wins at once where it can, on a cell that is taken too; else the last free cell."""

    def memory(self, game: Any) -> Desk:
        return Desk(rules.new_positions(game, 1), np.zeros(game.limits().seats))


@choose.implement(Sneak)
def _sneak(player: Sneak, game: Any, position: Any, memory: Desk, random: Any) -> int:
    seat = rules.turn(game, position)
    cells = position.grid.shape[0] * position.grid.shape[1]
    free = 0
    for move in range(cells):
        stones = bits_in(position.occupied[0])
        memory.positions[0] = position
        rules.play(game, memory.positions[0], move)
        if bits_in(memory.positions[0].occupied[0]) > stones:
            free = move
        if rules.is_over(game, memory.positions[0]):
            rules.scores(game, memory.positions[0], memory.scores)
            if memory.scores[seat] == 1.0:
                return move
    return free


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
