"""What the genomes of a population are worth, in games: one frame for all who breed.

A **test** is a group of opponents.  Every genome meets every test in some matches, and in
a match it has each seat once; the opponents take the other seats in their order (000.4).
What a game gives is the **gain**; the sum of all gains is the genome's fitness.
An opponent may be a **rival**: one of the networks that an archive remembers (archive.py).

All genomes are played in compiled code, by as many threads as there are cores.  The
chance of a game comes from the seed, the genome's number and the game's, so the results
do not depend on the number of threads.
"""

from __future__ import annotations

import collections
import concurrent.futures
import itertools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.arena.running import cores
from quintet.compiled import borrowing, generic, jit
from quintet.errors import UserError
from quintet.nets.genomes import express
from quintet.parameters import ByText, split_outside
from quintet.players import make_player
from quintet.players.player import Seat, begin, choose, is_compiled, watch
from quintet.randomness import Random, seed_stream, seeded
from quintet.rules import Positions, Scores

RIVAL = "rival"  # the word of an archived network, among opponents
MOST_OPPONENTS = 5  # of different kinds, or at one table
NOBODY = -1
_PARTS = 4  # of a population for each thread: they may take different times
_MOST_GAMES = 2**31

Genomes = NDArray[np.float32]  # a row each


# --- tests, by text -----------------------------------------------------------


def groups(text: str) -> list[list[str]]:
    """The groups of opponents that a text names: ``random/blocker``, ``simple+better``."""
    return [split_outside(group, "+") for group in split_outside(text, "/")]


def _checked(text: str, game: Any) -> str:
    for group in groups(text):
        if game is not None and len(group) != game.limits().seats - 1:
            wanted = game.limits().seats - 1
            raise UserError(f"{'+'.join(group)!r} are {len(group)} opponents; expected {wanted}")
        for word in group:
            if word == RIVAL or game is None:
                continue
            if not is_compiled(make_player(word, game)):
                raise UserError(f"opponent {word!r} needs the interpreter; expected another")
    if game is not None and len(_places(groups(text))) > MOST_OPPONENTS:
        raise UserError(f"{text!r} needs too many opponents; expected {MOST_OPPONENTS} at most")
    return text


def _places(tests: list[list[str]]) -> list[str]:
    """The opponents needed: as many of each as sit at one table."""
    most: collections.Counter[str] = collections.Counter()
    for group in tests:
        most |= collections.Counter(group)
    return list(most.elements())


def _seated(group: list[str], places: list[str]) -> list[int]:
    """Which of the opponents a group stands for."""
    free = list(range(len(places)))
    found = []
    for word in group:
        place = next(i for i in free if places[i] == word)
        free.remove(place)
        found.append(place)
    return found


TESTS = ByText(
    _checked, str, lambda: "groups of players joined by +, the groups by /: simple+better/rival"
)


# --- gains --------------------------------------------------------------------


@generic
def gain(measure: Any, score: float, best: float, plies: int) -> float:
    """What a game gives for one's score, the best score at the table, and its length."""
    raise NotImplementedError


class Haste(NamedTuple):
    """Quick wins, and else long games (000.4)."""

    moves_max: float
    consolation: float


@gain.implement(Haste)
def _gain(measure: Haste, score: float, best: float, plies: int) -> float:
    if score == best and best == 1.0:
        return max(1.0, measure.moves_max - plies)  # captures make games longer than the board
    return measure.consolation * plies


# --- playing ------------------------------------------------------------------


class Tally(NamedTuple):
    """What became of each genome's games: by test, and by the seats it had."""

    gains: NDArray[np.float64]
    wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    games: int  # behind each of these numbers

    def fitness(self) -> NDArray[np.float64]:
        """The sum of a genome's gains."""
        total: NDArray[np.float64] = self.gains.sum(axis=(1, 2))
        return total

    def won(self) -> NDArray[np.float64]:
        """The share of a genome's games that were won."""
        share: NDArray[np.float64] = self.wins.mean(axis=(1, 2)) / self.games
        return share


class Table(NamedTuple):
    """What a worker plays on."""

    positions: Positions  # the start, and the game's
    scores: Scores
    random: Random


class Trials:
    """A game, the tests in it, and what a game gives."""

    def __init__(
        self,
        game: Any,
        tests: str,
        matches: int,
        measure: Any,
        seat: int = 0,
        rivals: Genomes | None = None,
    ) -> None:
        """Matches of each test, in one seat (from 1) or in all; groups with rivals meet each."""
        self.game, self.matches, self.measure = game, matches, measure
        count = 0 if rivals is None else len(rivals)
        named = [
            (group, number)
            for group in groups(tests)
            for number in (range(count) if RIVAL in group else [NOBODY])
        ]
        self._places = _places([group for group, _ in named])
        self.seated = np.array([_seated(group, self._places) for group, _ in named], np.int64)
        self.rival = np.array([number for _, number in named], np.int64)
        self.rivals = np.zeros((1, 1), np.float32) if rivals is None else rivals
        self.seats = self.seated.shape[1] + 1
        self.had = np.arange(self.seats) if seat == 0 else np.array([seat - 1])

    def of(self, players: Any, genomes: Genomes, seed: int, workers: int | None = None) -> Tally:
        """What became of the genomes; `players()` gives a player to be expressed in."""
        count, tests, seats = len(genomes), len(self.seated), len(self.had)
        tally = Tally(
            np.zeros((count, tests, seats)),
            np.zeros((count, tests, seats), np.int64),
            np.zeros((count, tests, seats), np.int64),
            self.matches,
        )
        if count * tests * seats * self.matches > _MOST_GAMES:
            raise UserError(f"{count} genomes need too many games; expected {_MOST_GAMES} at most")
        workers = min(workers or cores(), count)
        bounds = np.linspace(0, count, min(count, _PARTS * workers) + 1).astype(int)
        genomes = np.ascontiguousarray(genomes, np.float32)
        parts = list(itertools.pairwise(bounds))
        free = [self._crew(players) for _ in range(workers)]

        def work(part: tuple[int, int]) -> None:
            crew = free.pop()  # of a list: one at a time
            player, memory, others, memories, table = crew
            try_genomes(
                self.game,
                player,
                memory,
                others,
                memories,
                table,
                genomes,
                part,
                (self.seated, self.rival, self.rivals, self.had),
                self.measure,
                seed,
                tally,
            )
            free.append(crew)

        if workers == 1:
            work((0, count))
            return tally
        with concurrent.futures.ThreadPoolExecutor(workers, "population") as pool:
            list(pool.map(work, parts))
        return tally

    def _crew(self, player: Any) -> tuple[Any, ...]:
        """A player with its memory, the opponents with theirs, and a table."""
        own = Seat(player(), self.game)
        others = [
            Seat(player() if word == RIVAL else make_player(word, self.game), self.game)
            for word in self._places
        ]
        others += [others[-1]] * (MOST_OPPONENTS - len(others))
        table = Table(rules.new_positions(self.game, 2), np.zeros(self.seats), seeded(0))
        players = tuple(seat.player for seat in others)
        return own.player, own.memory, players, tuple(seat.memory for seat in others), table


@jit
def try_genomes(
    game: Any,
    player: Any,
    memory: Any,
    others: Any,
    memories: Any,
    table: Table,
    genomes: Genomes,
    part: tuple[int, int],
    terms: Any,
    measure: Any,
    seed: int,
    tally: Tally,
) -> None:
    """Play all games of some genomes."""
    seated, rival, rivals, had = terms
    tests, seats = seated.shape[0], seated.shape[1] + 1
    scores, random = table.scores, table.random
    for number in range(part[0], part[1]):
        express(player, genomes[number])
        for test in range(tests):
            if rival[test] != NOBODY:
                express_rivals(others, rivals[rival[test]])
            for match in range(tally.games):
                for at in range(had.shape[0]):
                    seat = had[at]
                    played = ((number * tests + test) * tally.games + match) * seats + seat
                    seed_stream(random, seed, played)
                    plies = play_game(
                        game, player, memory, others, memories, table, seated[test], seat
                    )
                    rules.scores(game, table.positions[1], scores)
                    score, best = scores[seat], highest_of(scores)
                    tally.gains[number, test, at] += gain(measure, score, best, plies)
                    alone = how_many(scores, best) == 1
                    tally.wins[number, test, at] += alone and score == best
                    tally.draws[number, test, at] += not alone


@borrowing
def express_rivals(others: Any, genome: NDArray[np.float32]) -> None:
    """Give all opponents that are networks the same weights."""
    one, two, three, four, five = others
    express(one, genome)
    express(two, genome)
    express(three, genome)
    express(four, genome)
    express(five, genome)


@borrowing
def highest_of(scores: Scores) -> float:
    """Without an array in between, as below: it would take longer than a move."""
    best = scores[0]
    for score in scores:
        best = max(best, score)
    return best


@borrowing
def how_many(scores: Scores, best: float) -> int:
    """The seats that have this score."""
    found = 0
    for score in scores:
        found += score == best
    return found


@borrowing
def play_game(
    game: Any,
    player: Any,
    memory: Any,
    others: Any,
    memories: Any,
    table: Table,
    order: NDArray[np.int64],
    own: int,
) -> int:
    """Play one game of a player, in one seat, with others in the other seats; returns its plies."""
    one, two, three, four, five = others
    memory1, memory2, memory3, memory4, memory5 = memories
    positions, random = table.positions, table.random
    positions[1] = positions[0]
    position = positions[1]
    begin(player, game, memory)
    begin(one, game, memory1)
    begin(two, game, memory2)
    begin(three, game, memory3)
    begin(four, game, memory4)
    begin(five, game, memory5)
    plies = 0
    while not rules.is_over(game, position):
        seat = int(rules.turn(game, position))
        if seat == own:
            move = int(choose(player, game, position, memory, random))
        else:
            other = order[seat - 1 if seat > own else seat]
            if other == 0:
                move = int(choose(one, game, position, memory1, random))
            elif other == 1:
                move = int(choose(two, game, position, memory2, random))
            elif other == 2:
                move = int(choose(three, game, position, memory3, random))
            elif other == 3:
                move = int(choose(four, game, position, memory4, random))
            else:
                move = int(choose(five, game, position, memory5, random))
        watch(player, game, position, move, memory)
        watch(one, game, position, move, memory1)
        watch(two, game, position, move, memory2)
        watch(three, game, position, move, memory3)
        watch(four, game, position, move, memory4)
        watch(five, game, position, move, memory5)
        rules.play(game, position, move)
        plies += 1
    return plies


def win_at(tally: Tally, row: int) -> NDArray[np.float64]:
    """The share of games that a genome won, by test."""
    share: NDArray[np.float64] = tally.wins[row].mean(axis=1) / tally.games
    return share


def genome_rows(neurons: NDArray[np.float32], chosen: NDArray[np.int64]) -> Genomes:
    """Genomes made of the genes of chosen neurons: a row each, a column for each unit."""
    units = np.arange(neurons.shape[0])
    picked: Genomes = neurons[units, chosen]
    return picked.reshape(len(chosen), -1)
