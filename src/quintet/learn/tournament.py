"""Networks play each other, or a fixed opponent: what evolution by competition needs (001.3).

A **seating** is a row for a game among networks of one population, with the number of the
network in each seat.  All games are played in compiled code, by as many threads as there
are cores; the chance of a game comes from the seed and the game's number, so the results
do not depend on the number of threads.
"""

from __future__ import annotations

import concurrent.futures
import enum
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.arena.running import cores
from quintet.compiled import borrowing, jit
from quintet.learn.population import Genomes, Table
from quintet.nets.genomes import express
from quintet.players.player import Seat, begin, choose, watch
from quintet.randomness import seed_stream, seeded
from quintet.rules import Moves

Seatings = NDArray[np.int64]  # for each game and seat, which network has it
_PARTS = 4  # of the games, for each thread: they may take different times


class Fairness(enum.IntEnum):
    """Who meets whom."""

    FAIR = 0  # in each round everybody has every seat once, against others by chance
    UNFAIR = 1  # everybody has the first seat; chance alone tells who has the others
    PAIRED = 2  # as fair, and the same networks meet in every order of seats


def draw_seatings(
    count: int, seats: int, rounds: int, fairness: Fairness, chance: np.random.Generator
) -> Seatings:
    """The games of a tournament, those with the same network in the first seat together."""
    games = [_round(count, seats, fairness, chance) for _ in range(rounds)]
    seatings = np.concatenate(games)
    return seatings[np.argsort(seatings[:, 0], kind="stable")]


def _round(count: int, seats: int, fairness: Fairness, chance: np.random.Generator) -> Seatings:
    if fairness == Fairness.UNFAIR:
        first = np.arange(count)
        others = [chance.permuted(np.delete(first, one))[: seats - 1] for one in first]
        return np.column_stack([first, np.array(others)])
    # a circle: everybody's neighbours have the other seats
    circle = chance.permutation(count)
    games = np.column_stack([np.roll(circle, -seat) for seat in range(seats)])
    if fairness == Fairness.FAIR:
        return games
    orders = [list(order) for order in itertools.permutations(range(seats))]
    return np.concatenate([games[:, order] for order in orders])


def points_of(
    seatings: Seatings, scores: NDArray[np.float64], count: int, lost: float
) -> NDArray[np.float64]:
    """What each network has from its games: 1 for a win, 0 for a draw, -lost for a loss."""
    best = scores.max(axis=1, keepdims=True)
    alone = (scores == best).sum(axis=1, keepdims=True) == 1
    gains = np.where(scores < best, -lost, np.where(alone, 1.0, 0.0))
    points = np.zeros(count)
    np.add.at(points, seatings, gains)
    return points


def play_seatings(
    game: Any,
    new_player: Callable[[], Any],
    genomes: Genomes,
    seatings: Seatings,
    seed: int,
    workers: int | None = None,
) -> NDArray[np.float64]:
    """The scores of all games, seat by seat; `new_player()` gives one to be expressed in."""
    seats = seatings.shape[1]

    def crew() -> tuple[Any, ...]:
        sitting = [Seat(new_player(), game) for _ in range(seats)]
        players = tuple(seat.player for seat in sitting)
        return players, tuple(seat.memory for seat in sitting), new_table(game)

    scores = np.zeros(seatings.shape)

    def play(part: tuple[int, int], players: Any, memories: Any, table: Table) -> None:
        play_part(game, players, memories, table, genomes, seatings, part, seed, scores)

    in_parts(len(seatings), crew, play, workers)
    return scores


def play_opponent(
    game: Any,
    new_player: Callable[[], Any],
    genomes: Genomes,
    opponent: Any,
    own_seats: NDArray[np.int64],
    seed: int,
    opening: int = 0,
    workers: int | None = None,
) -> NDArray[np.float64]:
    """The score of each genome's game against an opponent that has all seats but the own.

    The first plies may be random: players that always do the same else play one game.
    """
    scores = np.zeros(len(genomes))

    def crew() -> tuple[Any, ...]:
        own, other = Seat(new_player(), game), Seat(opponent, game)
        return own.player, own.memory, other.player, other.memory, new_table(game)

    def play(
        part: tuple[int, int], player: Any, memory: Any, other: Any, room: Any, table: Table
    ) -> None:
        examine_part(
            game,
            player,
            memory,
            other,
            room,
            table,
            rules.move_buffer(game),
            genomes,
            own_seats,
            part,
            seed,
            opening,
            scores,
        )

    in_parts(len(genomes), crew, play, workers)
    return scores


def new_table(game: Any) -> Table:
    """What a worker plays on."""
    return Table(rules.new_positions(game, 2), np.zeros(game.limits().seats), seeded(0))


def in_parts(
    count: int,
    crew: Callable[[], tuple[Any, ...]],
    play: Callable[..., None],
    workers: int | None = None,
) -> None:
    """Share games among threads, each with a crew of its own."""
    workers = min(workers or cores(), count)
    if workers == 1:
        play((0, count), *crew())
        return
    bounds = np.linspace(0, count, min(count, _PARTS * workers) + 1).astype(int)
    free = [crew() for _ in range(workers)]

    def work(part: tuple[int, int]) -> None:
        mine = free.pop()  # of a list: one at a time
        play(part, *mine)
        free.append(mine)

    with concurrent.futures.ThreadPoolExecutor(workers, "tournament") as pool:
        list(pool.map(work, itertools.pairwise(bounds)))


# --- compiled -------------------------------------------------------------------


@jit
def play_part(
    game: Any,
    players: Any,
    memories: Any,
    table: Table,
    genomes: Genomes,
    seatings: Seatings,
    part: tuple[int, int],
    seed: int,
    scores: NDArray[np.float64],
) -> None:
    """Play some games of a tournament."""
    for number in range(part[0], part[1]):
        for seat in range(seatings.shape[1]):
            if number == part[0] or seatings[number, seat] != seatings[number - 1, seat]:
                express(players[seat], genomes[seatings[number, seat]])
        seed_stream(table.random, seed, number)
        play_among(game, players, memories, table)
        rules.scores(game, table.positions[1], scores[number])


@borrowing
def play_among(game: Any, players: Any, memories: Any, table: Table) -> None:
    """Play one game among players of one kind."""
    positions, random = table.positions, table.random
    positions[1] = positions[0]
    position = positions[1]
    for seat in range(len(players)):
        begin(players[seat], game, memories[seat])
    while not rules.is_over(game, position):
        turn = int(rules.turn(game, position))
        move = int(choose(players[turn], game, position, memories[turn], random))
        for seat in range(len(players)):
            watch(players[seat], game, position, move, memories[seat])
        rules.play(game, position, move)


@jit
def examine_part(
    game: Any,
    player: Any,
    memory: Any,
    opponent: Any,
    opponent_memory: Any,
    table: Table,
    moves: Moves,
    genomes: Genomes,
    own_seats: NDArray[np.int64],
    part: tuple[int, int],
    seed: int,
    opening: int,
    scores: NDArray[np.float64],
) -> None:
    """Play some genomes against an opponent, a game each."""
    for number in range(part[0], part[1]):
        express(player, genomes[number])
        seed_stream(table.random, seed, number)
        own = own_seats[number]
        open_game(game, table, moves, opening)
        play_against(game, player, memory, opponent, opponent_memory, table, own)
        rules.scores(game, table.positions[1], table.scores)
        scores[number] = table.scores[own]


@borrowing
def open_game(game: Any, table: Table, moves: Moves, plies: int) -> None:
    """Set up the start, and make random moves that do not end the game."""
    positions, random = table.positions, table.random
    positions[1] = positions[0]
    for _ in range(plies):
        rules.play(game, positions[1], rules.random_move(game, positions[1], moves, random))
        if rules.is_over(game, positions[1]):
            positions[1] = positions[0]


@borrowing
def play_against(
    game: Any,
    player: Any,
    memory: Any,
    opponent: Any,
    opponent_memory: Any,
    table: Table,
    own: int,
) -> None:
    """Play on, with a player in one seat."""
    position, random = table.positions[1], table.random
    begin(player, game, memory)
    begin(opponent, game, opponent_memory)
    while not rules.is_over(game, position):
        if rules.turn(game, position) == own:
            move = int(choose(player, game, position, memory, random))
        else:
            move = int(choose(opponent, game, position, opponent_memory, random))
        watch(player, game, position, move, memory)
        watch(opponent, game, position, move, opponent_memory)
        rules.play(game, position, move)
