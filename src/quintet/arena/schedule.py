"""Who sits where, and who meets whom: every player in every seat equally often."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.arena.games import Plan

_MOST_ORDERS = 24  # beyond, a balanced choice of the orders is played
_MOST_SETS = 120  # beyond, a balanced choice of the sets of players meets

Order = tuple[int, ...]  # for each seat, which player has it


def orders(players: Sequence[str]) -> list[Order]:
    """The orders in which players sit down in one round.

    All of them up to four seats.  For five, 20 in which each two players have each
    two seats equally often; for six, 6 in which each player has each seat once, and
    follows each other player once.  Orders that differ only by players of the same
    name are the same.
    """
    seats = len(players)
    chosen = _balanced(seats)
    # name the first player of each name, and forget what all orders repeat
    counts = Counter(tuple(players.index(players[p]) for p in order) for order in chosen)
    repeats = math.gcd(*counts.values())
    used: list[Order] = []
    for named, count in counts.items():
        used += [_distinct(named, players)] * (count // repeats)
    return used


def _balanced(seats: int) -> list[Order]:
    if math.factorial(seats) <= _MOST_ORDERS:
        return list(itertools.permutations(range(seats)))
    if _is_prime(seats):  # the maps x -> a + b x
        return [
            tuple((a + b * seat) % seats for seat in range(seats))
            for b in range(1, seats)
            for a in range(seats)
        ]
    if _is_prime(seats + 1):  # the maps x -> b x, on the numbers from 1
        return [
            tuple(b * (seat + 1) % (seats + 1) - 1 for seat in range(seats))
            for b in range(1, seats + 1)
        ]
    return [tuple((a + seat) % seats for seat in range(seats)) for a in range(seats)]


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, number))


def _distinct(named: Order, players: Sequence[str]) -> Order:
    """Give players of the same name their own numbers again, from the first seat on."""
    free = {first: [p for p, n in enumerate(players) if n == players[first]] for first in named}
    return tuple(free[first].pop(0) for first in named)


class Program(NamedTuple):
    """Whole rounds to play; its games are written out only when their time comes."""

    seating: NDArray[np.int64]  # the orders of a round
    first: int  # the number of its first game
    games: int
    seed: int
    opening: int

    def part(self, first: int, last: int) -> Plan:
        """Some of the games, counted from its own first."""
        numbers = np.arange(self.first + first, self.first + min(last, self.games), dtype=np.int64)
        size = len(self.seating)
        return Plan(numbers, numbers // size, self.seating[numbers % size], self.seed, self.opening)

    def after(self, games: int) -> Program:
        """What is left after its first games."""
        return self._replace(first=self.first + games, games=self.games - games)


def plan_rounds(
    seating: Sequence[Order], rounds: int, seed: int, opening: int, first_round: int = 0
) -> Program:
    """A program in which every round has every order once; its games are numbered on."""
    size = len(seating)
    return Program(np.array(seating, np.int64), first_round * size, rounds * size, seed, opening)


def rounds_for(games: int, seating: Sequence[Order]) -> int:
    """How many whole rounds have at least so many games."""
    return -(-games // len(seating))


def meetings(players: int, seats: int) -> list[tuple[int, ...]]:
    """The sets of players that meet: all, or so that all meet about equally often.

    Where there are too many, sets are shifted round the list of players, so that
    each player is in as many sets as any other; which sets, is chosen so that each
    two players meet as equally often as possible.
    """
    if math.comb(players, seats) <= _MOST_SETS:
        return list(itertools.combinations(range(players), seats))
    distances = np.zeros(players, np.int64)  # how often two players so far apart meet
    chosen: list[tuple[int, ...]] = []
    while len(chosen) + players <= max(_MOST_SETS, players):
        first = min(_first_sets(players, seats), key=lambda s: _unevenness(distances, s, players))
        distances += _distances(first, players)
        chosen += [tuple((p + shift) % players for p in first) for shift in range(players)]
    return chosen


def _first_sets(players: int, seats: int) -> list[tuple[int, ...]]:
    """Sets to shift: all with player 0, or some of them."""
    most = 20_000
    every = math.comb(players - 1, seats - 1)
    step = max(1, every // most)
    rest = itertools.combinations(range(1, players), seats - 1)
    return [(0, *others) for others in itertools.islice(rest, 0, step * most, step)]


def _distances(members: Sequence[int], players: int) -> NDArray[np.int64]:
    steps = [(b - a) % players for a in members for b in members if a != b]
    return np.bincount(steps, minlength=players)


def _unevenness(sofar: NDArray[np.int64], members: Sequence[int], players: int) -> int:
    counts = (sofar + _distances(members, players))[1:]
    return int(np.sum((counts - counts.min()) ** 2))
