"""Players that need neither search nor learning: company, and a first measure."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.players.player import choose
from quintet.randomness import Random, below
from quintet.rules import Moves, Position, Positions, Scores

_REPLIES = 3  # how many moves of a seat in between stand for all of them


class RandomMemory(NamedTuple):
    """Room for the legal moves."""

    moves: Moves


class RandomPlayer(NamedTuple):
    """Any legal move, all equally likely."""

    def memory(self, game: Any) -> RandomMemory:
        """Room for the legal moves."""
        return RandomMemory(rules.move_buffer(game))


@choose.implement(RandomPlayer)
def _choose_any(
    player: RandomPlayer, game: Any, position: Position, memory: RandomMemory, random: Random
) -> int:
    return rules.random_move(game, position, memory.moves, random)


class GreedyMemory(NamedTuple):
    """Room to look a move of each seat ahead."""

    positions: Positions
    moves: NDArray[np.int32]  # of each ply
    candidates: Moves
    dangers: NDArray[np.int64]
    scores: Scores


class Greedy(NamedTuple):
    """Takes an immediate win, else blocks an immediate loss, else plays at random."""

    def memory(self, game: Any) -> GreedyMemory:
        """Room to look a move of each seat ahead."""
        limits = game.limits()
        return GreedyMemory(
            np.zeros(limits.seats + 1, game.position_type()),
            np.zeros((limits.seats, limits.moves), np.int32),
            np.zeros(limits.moves, np.int32),
            np.zeros(limits.moves, np.int64),
            np.zeros(limits.seats),
        )


@choose.implement(Greedy)
def _choose_greedily(
    player: Greedy, game: Any, position: Position, memory: GreedyMemory, random: Random
) -> int:
    left = rules.legal_moves(game, position, memory.candidates)
    wins = keep_wins(game, position, memory, left)
    if wins > 0:
        left = wins
    else:
        seats = memory.scores.shape[0]
        # the nearest seat matters most: later ones only choose among what it leaves;
        # distance 0 is this move itself, which may end the game as a loss
        for distance in range(seats):
            if left > 1:
                left = keep_safest(game, position, memory, left, distance)
    return memory.candidates[below(random, left)]


class Finisher(NamedTuple):
    """Takes an immediate win, else plays at random: what a player must beat to have learnt."""

    def memory(self, game: Any) -> GreedyMemory:
        """Room to look a move ahead."""
        return Greedy().memory(game)


@choose.implement(Finisher)
def _choose_a_win(
    player: Finisher, game: Any, position: Position, memory: GreedyMemory, random: Random
) -> int:
    count = rules.legal_moves(game, position, memory.candidates)
    wins = keep_wins(game, position, memory, count)
    return memory.candidates[below(random, wins if wins > 0 else count)]


@jit
def keep_wins(game: Any, position: Position, memory: GreedyMemory, count: int) -> int:
    """Bring the candidates that win at once to the front; returns how many."""
    seat = rules.turn(game, position)
    kept = 0
    for i in range(count):
        move = memory.candidates[i]
        memory.positions[0] = position
        rules.play(game, memory.positions[0], move)
        if rules.is_over(game, memory.positions[0]) and has_won(
            game, memory.positions[0], memory.scores, seat
        ):
            memory.candidates[i] = memory.candidates[kept]
            memory.candidates[kept] = move
            kept += 1
    return kept


@jit
def keep_safest(
    game: Any, position: Position, memory: GreedyMemory, count: int, distance: int
) -> int:
    """Keep the candidates after which move number `distance` can beat the mover least often."""
    seat = rules.turn(game, position)
    for i in range(count):
        memory.positions[0] = position
        rules.play(game, memory.positions[0], memory.candidates[i])
        if distance == 0:
            memory.dangers[i] = has_lost(game, memory.positions[0], memory.scores, seat)
        else:
            memory.dangers[i] = danger(game, memory, distance, distance, seat)
    least = memory.dangers[:count].min()
    kept = 0
    for i in range(count):
        if memory.dangers[i] == least:
            memory.candidates[kept] = memory.candidates[i]
            kept += 1
    return kept


@jit
def has_won(game: Any, position: Position, scores: Scores, seat: int) -> bool:
    """Has this seat alone the highest score of a finished game?"""
    rules.scores(game, position, scores)
    for other in range(scores.shape[0]):
        if other != seat and scores[other] >= scores[seat]:
            return False
    return True


@jit
def has_lost(game: Any, position: Position, scores: Scores, seat: int) -> bool:
    """Is the game over, and has another seat a higher score?"""
    if not rules.is_over(game, position):
        return False
    rules.scores(game, position, scores)
    return scores[seat] < scores.max()


@jit
def danger(game: Any, memory: GreedyMemory, depth: int, left: int, seat: int) -> int:
    """In how many ways move number `left` from here, of another seat, beats `seat`.

    Only the last move is tried in full.  Those before it are tried a few times,
    which tells a threat from one that the seats in between happen to block.
    """
    positions = memory.positions
    ply = depth - left
    count = rules.legal_moves(game, positions[ply], memory.moves[ply])
    is_last = left == 1
    if is_last and rules.turn(game, positions[ply]) == seat:
        return 0
    tries = count if is_last else min(count, _REPLIES)
    total = 0
    for i in range(tries):
        chosen = i if is_last else i * (count - 1) // max(tries - 1, 1)
        positions[ply + 1] = positions[ply]
        rules.play(game, positions[ply + 1], memory.moves[ply, chosen])
        if not is_last:
            total += danger(game, memory, depth, left - 1, seat)
        elif has_lost(game, positions[ply + 1], memory.scores, seat):
            total += 1
    return total
