"""Whole games among players, without the interpreter where none of them needs it.

The players of a match are a tuple padded to six, so that one compiled function
serves any number of seats, and who is to move is found by a chain of constant
indices.  Each seat of each game has a stream of random numbers of its own, and so
has each opening: a game is the same whoever plays it beside which others, on any
number of threads, compiled or not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import Word, added, mixed
from quintet.compiled import jit
from quintet.players.player import Seat, begin, choose, is_compiled, watch
from quintet.randomness import Random, seed_stream, seeded
from quintet.rules import Moves, Position, Positions

MOST_SEATS = 6
CHECKED_GAMES = 1000
_STREAMS = 8  # of one game: the seats' and, last, that of its opening
_OPENING = 7
_CHECKED_LATER = 16
_TRIES = 100  # to find an opening that does not end the game
_STOPPED, _ILLEGAL, _NO_OPENING = 0, -1, -2


class Plan(NamedTuple):
    """The games to play, a row for each."""

    numbers: NDArray[np.int64]  # each game's own, from which its random numbers come
    rounds: NDArray[np.int64]  # games of one round have the same opening
    orders: NDArray[np.int64]  # for each seat, which of the players has it
    seed: int
    opening: int  # plies that are random

    def part(self, first: int, last: int) -> Plan:
        """Some of the games."""
        rows = slice(first, last)
        return self._replace(
            numbers=self.numbers[rows], rounds=self.rounds[rows], orders=self.orders[rows]
        )


class Outcome(NamedTuple):
    """What became of each game; rows beyond the last one finished mean nothing."""

    moves: NDArray[np.int32]
    lengths: NDArray[np.int64]  # in plies; what is not above 0 tells why the game broke off
    scores: NDArray[np.float64]  # of each seat
    digests: NDArray[np.uint64]  # of the moves: the same for the same game

    def first(self, count: int) -> Outcome:
        """Of the first games."""
        return Outcome._make(field[:count] for field in self)

    def without_moves(self) -> Outcome:
        """What takes little room."""
        return self._replace(moves=self.moves[:0])


class Table(NamedTuple):
    """What one worker plays on."""

    positions: Positions  # the start, and the game's
    legal: Moves
    random: Random  # of whoever chooses
    states: NDArray[np.uint64]  # the random numbers of each seat, while others choose


def new_table(game: Any) -> Table:
    """A table for this game."""
    states = np.zeros(MOST_SEATS, np.uint64)
    return Table(rules.new_positions(game, 2), rules.move_buffer(game), seeded(0), states)


def new_outcome(game: Any, games: int) -> Outcome:
    """Room for what becomes of some games."""
    limits = game.limits()
    return Outcome(
        np.zeros((games, limits.plies), np.int32),
        np.zeros(games, np.int64),
        np.zeros((games, limits.seats)),
        np.zeros(games, np.uint64),
    )


class Worker:
    """Plays games of one match: players with their memories, at a table of their own."""

    def __init__(self, game: Any, players: list[Any]) -> None:
        """Seat the players; each may be there more than once."""
        self.game = game
        # by their kind, so that the same kinds in another order need not be compiled again
        kinds = sorted(range(len(players)), key=lambda p: type(players[p]).__qualname__)
        self.seats = [Seat(players[p], game) for p in kinds]
        self._places = np.argsort(kinds)  # where each player is among them
        self.table = new_table(game)
        self.compiled = all(is_compiled(player) for player in players)

    def play(self, plan: Plan, stop: NDArray[np.int64]) -> Outcome:
        """Play the games of a plan, as long as nobody sets `stop`; the finished ones."""
        outcome = new_outcome(self.game, len(plan.numbers))
        given, plan = plan, self.placed(plan)
        if self.compiled:
            players, memories = self.compiled_players()
            done = int(play_games(self.game, players, memories, self.table, plan, outcome, stop))
        else:
            done = self._play_with_python(plan, outcome, stop)
        if done < len(plan.numbers) and outcome.lengths[done] < 0:
            self._complain(given.part(done, done + 1), outcome, done)
        return outcome.first(done)

    def placed(self, plan: Plan) -> Plan:
        """The same plan for the players as they are seated here."""
        return plan._replace(orders=self._places[plan.orders])

    def compiled_players(self) -> tuple[Any, Any]:
        """Players and memories, as many as compiled code expects."""
        seats = self.seats + [self.seats[-1]] * (MOST_SEATS - len(self.seats))
        return tuple(seat.player for seat in seats), tuple(seat.memory for seat in seats)

    def _play_with_python(self, plan: Plan, outcome: Outcome, stop: NDArray[np.int64]) -> int:
        for row in range(len(plan.numbers)):
            length = self._play_one(plan, row, outcome.moves[row], stop)
            outcome.lengths[row] = length
            if length <= 0:
                return row
            finish(self.game, self.table, row, outcome)
        return len(plan.numbers)

    def _play_one(self, plan: Plan, row: int, moves: Moves, stop: NDArray[np.int64]) -> int:
        """As `play_game` does, but by calls of Python."""
        game, number = self.game, int(plan.numbers[row])
        positions, legal, random, states = self.table
        position = positions[1]
        seed_seats(random, states, plan.seed, number)
        opening = int(set_up(game, positions, legal, random, plan, row, moves))
        if opening < 0:
            return _NO_OPENING
        for player in self.seats:
            player.begin()
        ply = 0
        while not rules.is_over(game, position):
            if stop[0]:
                return _STOPPED
            move = int(moves[ply]) if ply < opening else self._chosen(plan.orders[row])
            if not is_legal(game, position, legal, move):
                moves[0] = move
                return _ILLEGAL
            for player in self.seats:
                player.watch(position, move)
            rules.play(game, position, move)
            moves[ply] = move
            ply += 1
        return ply

    def _chosen(self, order: NDArray[np.int64]) -> int:
        """The move of whoever is to move."""
        position, states = self.table.positions[1], self.table.states
        seat = int(rules.turn(self.game, position))
        player = self.seats[order[seat]]
        player.random[0] = states[seat]
        move = player.choose(position)
        states[seat] = player.random[0]
        return move

    def _complain(self, plan: Plan, outcome: Outcome, row: int) -> None:
        if outcome.lengths[row] == _NO_OPENING:
            raise NoOpening(plan.opening)
        position = rules.copied(self.table.positions[1])
        seat = int(rules.turn(self.game, position))
        entrant = int(plan.orders[0, seat])
        raise WrongMove(entrant, position, int(outcome.moves[row, 0]), int(plan.numbers[0]))


class NoOpening(Exception):
    """There is no opening of so many plies."""

    def __init__(self, plies: int) -> None:
        """The plies that were asked for."""
        super().__init__(plies)
        self.plies = plies


class WrongMove(Exception):
    """A player chose what the rules do not allow."""

    def __init__(self, entrant: int, position: Position, move: int, number: int) -> None:
        """Who, where, what, and in which game."""
        super().__init__(entrant, move, number)
        self.entrant, self.position, self.move, self.number = entrant, position, move, number


# --- compiled -----------------------------------------------------------------


@jit
def play_games(
    game: Any,
    players: Any,
    memories: Any,
    table: Table,
    plan: Plan,
    outcome: Outcome,
    stop: NDArray[np.int64],
) -> int:
    """Play the games of a plan; returns how many were finished."""
    for row in range(plan.numbers.shape[0]):
        length = play_game(game, players, memories, table, plan, row, outcome.moves[row], stop)
        outcome.lengths[row] = length
        if length <= 0:
            return row
        finish(game, table, row, outcome)
    return plan.numbers.shape[0]


@jit
def play_game(  # noqa: PLR0912, PLR0915 - calls in place of the chains would copy all memories
    game: Any,
    players: Any,
    memories: Any,
    table: Table,
    plan: Plan,
    row: int,
    moves: Moves,
    stop: NDArray[np.int64],
) -> int:
    """Play one game and write its moves; returns how many, or why there is no end."""
    one, two, three, four, five, six = players  # one after the other: their types differ
    memory1, memory2, memory3, memory4, memory5, memory6 = memories
    positions, legal, random, states = table.positions, table.legal, table.random, table.states
    position = positions[1]
    number, order = plan.numbers[row], plan.orders[row]
    seats = order.shape[0]
    seed_seats(random, states, plan.seed, number)
    opening = set_up(game, positions, legal, random, plan, row, moves)
    if opening < 0:
        return _NO_OPENING
    begin(one, game, memory1)
    if seats > 1:
        begin(two, game, memory2)
    if seats > 2:
        begin(three, game, memory3)
    if seats > 3:
        begin(four, game, memory4)
    if seats > 4:
        begin(five, game, memory5)
    if seats > 5:
        begin(six, game, memory6)
    ply = 0
    while not rules.is_over(game, position):
        if stop[0] != 0:
            return _STOPPED
        move = int(moves[ply]) if ply < opening else -1
        if move < 0:
            seat = int(rules.turn(game, position))
            random[0] = states[seat]
            entrant = order[seat]
            if entrant == 0:
                move = int(choose(one, game, position, memory1, random))
            elif entrant == 1:
                move = int(choose(two, game, position, memory2, random))
            elif entrant == 2:
                move = int(choose(three, game, position, memory3, random))
            elif entrant == 3:
                move = int(choose(four, game, position, memory4, random))
            elif entrant == 4:
                move = int(choose(five, game, position, memory5, random))
            else:
                move = int(choose(six, game, position, memory6, random))
            states[seat] = random[0]
        if move < 0 or move >= legal.shape[0] or ply == moves.shape[0]:
            moves[0] = move
            return _ILLEGAL
        if is_checked(number) and not is_legal(game, position, legal, move):
            moves[0] = move
            return _ILLEGAL
        watch(one, game, position, move, memory1)
        if seats > 1:
            watch(two, game, position, move, memory2)
        if seats > 2:
            watch(three, game, position, move, memory3)
        if seats > 3:
            watch(four, game, position, move, memory4)
        if seats > 4:
            watch(five, game, position, move, memory5)
        if seats > 5:
            watch(six, game, position, move, memory6)
        rules.play(game, position, move)
        moves[ply] = move
        ply += 1
    return ply


@jit
def finish(game: Any, table: Table, row: int, outcome: Outcome) -> None:
    """Write the scores of a game that is over, and the digest of its moves."""
    rules.scores(game, table.positions[1], outcome.scores[row])
    length = outcome.lengths[row]
    digest = Word(length)
    for move in outcome.moves[row, :length]:
        digest = mixed(added(digest, Word(move)))
    outcome.digests[row] = digest


@jit
def seed_seats(random: Random, states: NDArray[np.uint64], seed: int, number: int) -> None:
    """Begin the random numbers of each seat of a game."""
    for seat in range(MOST_SEATS):
        seed_stream(random, seed, _STREAMS * number + seat)
        states[seat] = random[0]


@jit
def set_up(
    game: Any,
    positions: Positions,
    legal: Moves,
    random: Random,
    plan: Plan,
    row: int,
    moves: Moves,
) -> int:
    """Write the start position and the moves of the opening: as many as there must be, or -1.

    An opening does not end the game.
    """
    seed_stream(random, plan.seed, _STREAMS * plan.rounds[row] + _OPENING)
    for _ in range(_TRIES):
        positions[1] = positions[0]
        ply = 0
        while ply < plan.opening and not rules.is_over(game, positions[1]):
            moves[ply] = rules.random_move(game, positions[1], legal, random)
            rules.play(game, positions[1], moves[ply])
            ply += 1
        if not rules.is_over(game, positions[1]):
            positions[1] = positions[0]
            return ply
    return -1


@jit
def is_checked(number: int) -> bool:
    """Are the moves of this game compared with the legal ones?

    Those of the first games are, and then of every 16th: to list the legal moves
    takes longer than some players need to choose one.
    """
    return number < CHECKED_GAMES or number % _CHECKED_LATER == 0


@jit
def is_legal(game: Any, position: Position, legal: Moves, move: int) -> bool:
    """Do the rules allow this move now?"""
    count = rules.legal_moves(game, position, legal)
    for i in range(count):  # noqa: SIM110 - compiled code has no generators
        if legal[i] == move:
            return True
    return False
