"""Games from which a network learns: who plays them, and how many of them it wins.

The learner's own player is entrant 0; it has each seat equally often.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.arena.games import MOST_SEATS, Outcome, Plan, Worker
from quintet.errors import UserError
from quintet.nets.product_units import Network
from quintet.parameters import ByText, split_outside
from quintet.players import PLAYER, make_player
from quintet.players.points import ProductUnits, player_of

COPY = "copy"
NOTHING = "none"


def _checked_teacher(text: str, game: Any) -> str:
    for word in split_outside(text, "+"):
        if word != COPY:
            PLAYER.make(word, game)
    return text


def _checked_start(text: str, game: Any) -> str:
    if text != NOTHING and game is not None:
        trained_network(text, game)
    return text


TEACHER = ByText(_checked_teacher, str, lambda: "players joined by +, or copy for itself")
START = ByText(_checked_start, str, lambda: "run:NAME@STEP, model:FILE, or none")


def trained_network(text: str, game: Any) -> Network:
    """The network of a trained player, to begin with."""
    player = make_player(text, game)
    if not isinstance(player, ProductUnits):
        raise UserError(f"{text!r} is no network of product units")
    return player.network


def state_of(network: Network) -> dict[str, NDArray[Any]]:
    """A network as arrays."""
    return {
        "weights": network.weights.copy(),
        "output": network.output.copy(),
        "empty": np.array([network.empty]),
    }


def network_of(state: dict[str, NDArray[Any]]) -> Network:
    """A network of its own, from arrays."""
    weights = np.array(state["weights"], np.float64)
    return Network(weights, np.array(state["output"], np.float64), float(state["empty"][0]))


def company(text: str, game: Any, own: ProductUnits) -> list[Any]:
    """The learner's player and those it meets: enough of them for all seats."""
    words = split_outside(text, "+")
    others = [own if word == COPY else make_player(word, game) for word in words]
    entrants = [
        own,
        *(others[i % len(others)] for i in range(max(len(others), seats_of(game) - 1))),
    ]
    if len(entrants) > MOST_SEATS:
        raise UserError(f"{len(others)} players are too many; expected {MOST_SEATS - 1} at most")
    return entrants


def seats_of(game: Any) -> int:
    """How many play."""
    return int(game.limits().seats)


def turns(games: int, seats: int, entrants: int, seed: int) -> Plan:
    """The learner's player moves around the table; who else plays changes after each round."""
    orders = np.zeros((games, seats), np.int64)
    for number in range(games):
        others = [1 + (number // seats + i) % (entrants - 1) for i in range(seats - 1)]
        own = number % seats
        orders[number] = [*others[:own], 0, *others[own:]]
    return Plan(np.arange(games), np.arange(games), orders, seed, 0)


class Tally(NamedTuple):
    """What became of some games of the learner's player."""

    won: int
    lost: int
    drawn: int
    won_first: int  # of those in which it moved first
    lost_first: int


def tally(plan: Plan, outcome: Outcome) -> Tally:
    """Count wins and losses."""
    rows = np.arange(len(plan.orders))
    own = np.argmax(plan.orders == 0, axis=1)
    best, score = outcome.scores.max(axis=1), outcome.scores[rows, own]
    drawn = best < 1.0
    won = (score == 1.0) & ~drawn
    lost = ~won & ~drawn
    first = own == 0
    counts = (won, lost, drawn, won & first, lost & first)
    return Tally(*(int(which.sum()) for which in counts))


def examine(
    network: Network, game: Any, tester: str, games: int, seed: int, *, careful: bool = False
) -> Tally:
    """Games of a network against others, without noise and without learning."""
    entrants = company(tester, game, player_of(network, careful=careful))
    plan = turns(games, seats_of(game), len(entrants), seed)
    outcome = Worker(game, entrants).play(plan, np.zeros(1, np.int64))
    return tally(plan, outcome)
