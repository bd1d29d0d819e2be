"""How well players play late positions of Pentago, where the solver knows the truth.

A move **keeps the value** if the best play after it ends as the best play before it
would.  Only positions count in which some move does not, and no move wins at once:
elsewhere all players are alike, and so are nearly all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from quintet import rules
from quintet.players import make_player
from quintet.players.pentago_solver import Room, move_worths, new_room
from quintet.players.player import Seat
from quintet.randomness import below, seeded, uniform
from quintet.rules import Position

# who plays until the position is late: sensible, but not always the same
_SENSIBLE = "judge:eval=features"
_AT_RANDOM = 0.2  # the share of random moves before
_CELLS = 36


class LatePosition(NamedTuple):
    """A position that is not over, and what its moves are worth to the mover: -1, 0 or 1."""

    position: Position
    worths: dict[int, int]

    def is_a_choice(self) -> bool:
        """Are some moves better than others?"""
        return len(set(self.worths.values())) > 1

    def is_kept_by(self, move: int) -> bool:
        """Is a move as good as any?"""
        return self.worths[move] == max(self.worths.values())


def reached(game: Any, stones: int, count: int, seed: int) -> list[Position]:
    """Positions with so many stones, of games that go on, after sensible play."""
    found: list[Position] = []
    player = Seat(make_player(_SENSIBLE, game), game, seeded(seed, 1))
    random = seeded(seed, 2)
    while len(found) < count:
        position = rules.new_position(game)
        for _ in range(stones):
            if rules.is_over(game, position):
                break
            rules.play(game, position, _some_move(game, position, player, random))
        else:
            if not rules.is_over(game, position):
                found.append(position)
    return found


def _some_move(game: Any, position: Position, player: Seat, random: Any) -> int:
    """The sensible player's, unless that ends the game, or chance wants another."""
    if uniform(random) >= _AT_RANDOM:
        move = player.choose(position)
        after = rules.copied(position)
        rules.play(game, after, move)
        if not rules.is_over(game, after):
            return move
    moves = rules.list_legal_moves(game, position)
    return moves[below(random, len(moves))]


def choices(game: Any, empty: Sequence[int], each: int, seed: int) -> list[LatePosition]:
    """For each number of empty cells, so many positions in which moves differ in worth."""
    room = new_room(max(empty))
    found: list[LatePosition] = []
    for number in empty:
        wanted, batch = each, 0
        while wanted > 0:
            for position in reached(game, _CELLS - number, each, seed + 1000 * batch):
                if wanted == 0 or wins_at_once(game, position):
                    continue
                late = solved(position, room)
                if late.is_a_choice():
                    found.append(late)
                    wanted -= 1
            batch += 1
    return found


def wins_at_once(game: Any, position: Position) -> bool:
    """Can the mover end the game by a win?"""
    seat = int(rules.turn(game, position))
    scores = np.zeros(game.limits().seats)
    for move in rules.list_legal_moves(game, position):
        after = rules.copied(position)
        rules.play(game, after, move)
        if rules.is_over(game, after):
            rules.scores(game, after, scores)
            if scores[seat] == 1.0:
                return True
    return False


def solved(position: Position, room: Room) -> LatePosition:
    """A position with the worth of its moves."""
    return LatePosition(position, move_worths(position, room))


def value_kept(player: Any, game: Any, positions: Sequence[LatePosition], seed: int = 0) -> float:
    """The share of positions in which a player's move keeps the value of the game."""
    seat = Seat(player, game, seeded(seed))
    kept = 0
    for late in positions:
        seat.begin()
        kept += late.is_kept_by(seat.choose(late.position))
    return kept / len(positions)
