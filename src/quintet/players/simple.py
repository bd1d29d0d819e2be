"""Players that need neither search nor learning: company, and a first measure."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.randomness import Random, below
from quintet.rules import Position, Positions, Scores

_REPLIES = 3  # how many moves of a seat in between stand for all of them


class RandomPlayer:
    """Any legal move, all equally likely."""

    def choose(self, game: Any, position: Position, random: Random) -> int:
        """A random legal move."""
        return int(rules.random_move(game, position, rules.move_buffer(game), random))


class Greedy:
    """Takes an immediate win, else blocks an immediate loss, else plays at random."""

    def choose(self, game: Any, position: Position, random: Random) -> int:
        """A winning move, or one that leaves the next seats the fewest wins."""
        moves = rules.list_legal_moves(game, position)
        wins = [move for move in moves if _wins(game, position, move)]
        best = wins or _safest(game, position, moves)
        return best[int(below(random, len(best)))]


def _wins(game: Any, position: Position, move: int) -> bool:
    seat = rules.turn(game, position)
    after = rules.copied(position)
    rules.play(game, after, move)
    if not rules.is_over(game, after):
        return False
    scores = rules.list_scores(game, after)
    own = scores.pop(seat)
    return own > max(scores)


def _safest(game: Any, position: Position, moves: list[int]) -> list[int]:
    """The moves after which the nearest seats have the fewest ways to beat this one."""
    limits = game.limits()
    stack = np.empty(limits.seats + 1, position.dtype)
    buffers = np.empty((limits.seats, limits.moves), np.int32)
    scores = np.zeros(limits.seats)
    seat = int(rules.turn(game, position))
    left = moves
    # the nearest seat matters most: later ones only choose among what it leaves;
    # distance 0 is this move itself, which may end the game as a loss
    for distance in range(limits.seats):
        dangers = []
        for move in left:
            stack[0] = position
            rules.play(game, stack[0], move)
            if distance == 0:
                dangers.append(int(_has_lost(game, stack[0], scores, seat)))
            else:
                dangers.append(int(_danger(game, stack, buffers, scores, 0, distance, seat)))
        left = [move for move, danger in zip(left, dangers, strict=True) if danger == min(dangers)]
        if len(left) == 1:
            break
    return left


@jit
def _has_lost(game: Any, position: Position, scores: Scores, seat: int) -> bool:
    if not rules.is_over(game, position):
        return False
    rules.scores(game, position, scores)
    return bool(scores[seat] < scores.max())


@jit
def _danger(
    game: Any,
    stack: Positions,
    buffers: NDArray[np.int32],
    scores: Scores,
    ply: int,
    depth: int,
    seat: int,
) -> int:
    """In how many ways move number `depth` from here, of another seat, beats `seat`.

    Only the last move is tried in full.  Those before it are tried a few times,
    which tells a threat from one that the seats in between happen to block.
    """
    count = rules.legal_moves(game, stack[ply], buffers[ply])
    is_last = ply + 1 == depth
    if is_last and rules.turn(game, stack[ply]) == seat:
        return 0
    tries = count if is_last else min(count, _REPLIES)
    total = 0
    for i in range(tries):
        chosen = i if is_last else i * (count - 1) // max(tries - 1, 1)
        stack[ply + 1] = stack[ply]
        rules.play(game, stack[ply + 1], buffers[ply, chosen])
        if not is_last:
            total += _danger(game, stack, buffers, scores, ply + 1, depth, seat)
        elif _has_lost(game, stack[ply + 1], scores, seat):
            total += 1
    return total
