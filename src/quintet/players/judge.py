"""The player that trusts an evaluation: it takes the move after which the position looks best.

A **half-move** is one move of one side.  With one half-move the judge looks at all
positions that can follow at once; with more it is alpha-beta, which counts the plies
after the own move only.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import generic, jit
from quintet.parameters import Between
from quintet.players.alphabeta import AlphaBeta
from quintet.players.looking_ahead import Eval
from quintet.players.player import Thoughts, begin, by_value, choose
from quintet.randomness import Random, below, seeded
from quintet.rules import Moves, Position, Positions
from quintet.search.evaluation import Desk, Lead, Values, evaluate, final_values, new_desk
from quintet.search.lookahead import Lookahead

_TABLE = 4  # megabytes: enough for three half-moves


class Room(NamedTuple):
    """To look at the positions that can follow."""

    following: Positions  # one
    moves: Moves
    values: Values
    desk: Desk


def new_room(game: Any) -> Room:
    """Room for this game."""
    limits = game.limits()
    return Room(
        np.zeros(1, game.position_type()),
        rules.move_buffer(game),
        np.zeros(limits.seats),
        new_desk(game),
    )


@jit
def best_looking(evaluation: Any, game: Any, position: Position, room: Room, random: Random) -> int:
    """The move after which the position looks best to the mover; of equals, any."""
    seat = rules.turn(game, position)
    best, equals, chosen = -np.inf, 0, -1
    for i in range(rules.distinct_moves(game, position, room.moves)):
        room.following[0] = position
        rules.play(game, room.following[0], room.moves[i])
        value = value_to(evaluation, game, room, seat, random)
        if value > best:
            best, equals, chosen = value, 1, room.moves[i]
        elif value == best:
            equals += 1
            if below(random, equals) == 0:
                chosen = room.moves[i]
    return chosen


@jit
def value_to(evaluation: Any, game: Any, room: Room, seat: int, random: Random) -> float:
    """What the position that follows is worth to a seat."""
    if rules.is_over(game, room.following[0]):
        final_values(game, room.following[0], room.desk, room.values)
    else:
        evaluate(evaluation, game, room.following[0], room.desk, random, room.values)
    return room.values[seat]


class Glance(NamedTuple):
    """The memory of a judge that looks at what follows at once."""

    room: Room
    made: NDArray[np.int64]  # moves so far: one number


class Study(NamedTuple):
    """The memory of a judge that looks further: a search with its plan."""

    room: Room
    made: NDArray[np.int64]
    plan: AlphaBeta
    search: Lookahead


class Judge(NamedTuple):
    """Takes the move after which the position looks best."""

    eval: Eval = Lead()
    half_moves: Annotated[int, Between(1, 20), "looked at: its own move, a reply, and so on"] = 1
    opening: Annotated[int, Between(0, 100), "of its own first moves that are random"] = 0

    def unfit(self, game: Any) -> str | None:
        """Looking ahead is for two players."""
        if self.half_moves > 1 and game.limits().seats != 2:
            return f"half_moves={self.half_moves} needs two players; expected 1"
        return None

    def memory(self, game: Any) -> Glance | Study:
        """Room to look, and for a search if there is one.

        The kinds differ so that nobody compiles a search for a glance.
        """
        room, made = new_room(game), np.zeros(1, np.int64)
        if self.half_moves == 1:
            return Glance(room, made)
        plan = AlphaBeta(self.half_moves - 1, self.eval, table=_TABLE)
        return Study(room, made, plan, plan.memory(game))

    def thoughts(self, game: Any, position: Position, memory: Any) -> Thoughts:
        """What the evaluation makes of each position that can follow."""
        if self.half_moves > 1:
            return memory.plan.thoughts(game, position, memory.search)
        room, seat, chance = memory.room, int(rules.turn(game, position)), seeded(0)
        values = {}
        for move in rules.list_legal_moves(game, position):
            room.following[0] = position
            rules.play(game, room.following[0], move)
            value_to(self.eval, game, room, seat, chance)
            values[move] = room.values.tolist()
        return by_value(values, seat)


@generic
def considered(memory: Any, player: Judge, game: Any, position: Position, random: Random) -> int:
    """The move that a judge with this memory finds best."""
    raise NotImplementedError


@considered.implement(Glance)
def _best_at_a_glance(
    memory: Glance, player: Judge, game: Any, position: Position, random: Random
) -> int:
    return best_looking(player.eval, game, position, memory.room, random)


@considered.implement(Study)
def _best_by_search(
    memory: Study, player: Judge, game: Any, position: Position, random: Random
) -> int:
    return choose(memory.plan, game, position, memory.search, random)


@generic
def forget(memory: Any, game: Any) -> None:
    """Forget the last game."""


@forget.implement(Glance)
def _forget_moves(memory: Glance, game: Any) -> None:
    memory.made[0] = 0


@forget.implement(Study)
def _forget_search(memory: Study, game: Any) -> None:
    memory.made[0] = 0
    begin(memory.plan, game, memory.search)


@begin.implement(Judge)
def _begin(player: Judge, game: Any, memory: Any) -> None:
    forget(memory, game)


@choose.implement(Judge)
def _choose_best_looking(
    player: Judge, game: Any, position: Position, memory: Any, random: Random
) -> int:
    memory.made[0] += 1
    if memory.made[0] <= player.opening:
        return rules.random_move(game, position, memory.room.moves, random)
    return considered(memory, player, game, position, random)
