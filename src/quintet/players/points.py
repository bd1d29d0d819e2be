"""Players that give every empty point a value and take the best one: those of paper 004.

For k in a row without gravity, and any number of seats.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import borrowing, jit
from quintet.nets.genomes import Genome, express
from quintet.nets.product_units import (
    FIVE,
    MOST_INPUTS,
    Network,
    hardnet,
    kind_of,
    new_units,
)
from quintet.nets.sight import NOBODY, Sight, best_point, forget, new_sight, show, value_points
from quintet.parameters import Between
from quintet.players.player import Thoughts, begin, by_utility, choose
from quintet.randomness import Random
from quintet.rules import Position
from quintet.search.lines import whole

DEFENCE = 0.9  # of Hardnet, where its attack is 1 (papers: 004.2)
EMPTY = 0.25  # what an empty point is to it


def no_points_in(game: Any, k: int | None = None) -> str | None:
    """Why the points of a game cannot be valued by their lines, or None."""
    if not all(hasattr(game, name) for name in ("rows", "columns", "k")):
        return "it needs a game in which a row of stones wins: k in a row"
    if getattr(game, "gravity", False):
        return "it chooses points, but with gravity stones fall"
    if k is not None and game.k != k:
        return f"its patterns are for k={k}, not {game.k}"
    longest = MOST_INPUTS // 8 + 1
    if game.k > longest:
        return f"it sees lines of {longest} at most, not of {game.k}"
    return None


def sight_of(game: Any, network: Network) -> Sight:
    """The board of a game, as a network sees it."""
    kind = kind_of(network.weights.shape[1], game.k)
    units = new_units(game.columns, kind, game.k)
    return new_sight(units, game.rows, game.columns, game.players, network.empty)


@jit
def look(game: Any, position: Position, sight: Sight) -> int:
    """Make a sight what the position is; returns the seat to move."""
    rules.cells(game, position, sight.now)
    show(sight, sight.now)
    return whole(rules.turn(game, position))


def _of_points(game: Any, position: Position, sight: Sight) -> Thoughts:
    """The values of the points that may be played, as they were when a move was chosen."""
    legal = rules.list_legal_moves(game, position)
    return by_utility(game, {move: float(sight.values[move]) for move in legal})


# --- Hardnet ------------------------------------------------------------------


class HardnetMemory(NamedTuple):
    """The network and what it sees."""

    network: Network
    sight: Sight


class Hardnet(NamedTuple):
    """The point with the most promising lines through it, for oneself and for the others."""

    defence: Annotated[float, Between(0, 10), "weight of the others' lines"] = DEFENCE
    empty: Annotated[float, Between(0, 1), "what an empty point is worth in a product"] = EMPTY

    def memory(self, game: Any) -> HardnetMemory:
        """The network for this board."""
        network = hardnet(game.players, game.k, self.defence, self.empty)
        return HardnetMemory(network, sight_of(game, network))

    def thoughts(self, game: Any, position: Position, memory: HardnetMemory) -> Thoughts:
        """What it gives each point."""
        return _of_points(game, position, memory.sight)

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return no_points_in(game)


@choose.implement(Hardnet)
def _choose_best_point(
    player: Hardnet, game: Any, position: Position, memory: HardnetMemory, random: Random
) -> int:
    mover = look(game, position, memory.sight)
    value_points(memory.sight, memory.network, mover)
    return best_point(memory.sight, 0.0, random)


# --- a trained network --------------------------------------------------------


class ProductUnits(NamedTuple):
    """The point to which a network of product units gives the highest value."""

    network: Network
    noise: NDArray[np.float64]  # one: how much a value may be decreased by chance
    careful: bool = False  # take a win, else prevent one, before asking the network

    def memory(self, game: Any) -> Sight:
        """The board."""
        return sight_of(game, self.network)

    def thoughts(self, game: Any, position: Position, memory: Sight) -> Thoughts:
        """What the network gives each point."""
        return _of_points(game, position, memory)

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return no_points_in(game, FIVE)


def player_of(network: Network, *, careful: bool = False) -> ProductUnits:
    """A player without noise."""
    return ProductUnits(network, np.zeros(1), careful)


@express.implement(ProductUnits)
@borrowing
def _express(player: ProductUnits, genome: Genome) -> None:
    weights = player.network.weights
    units = weights.shape[1]
    for row in range(weights.shape[0]):
        for unit in range(units):
            weights[row, unit] = genome[row * units + unit]


@begin.implement(ProductUnits)
def _weights_may_have_changed(player: ProductUnits, game: Any, memory: Sight) -> None:
    forget(memory)


@choose.implement(ProductUnits)
def _choose_by_network(
    player: ProductUnits, game: Any, position: Position, memory: Sight, random: Random
) -> int:
    mover = look(game, position, memory)
    value_points(memory, player.network, mover)
    if player.careful:
        forced = forced_point(memory, mover)
        if forced != NOBODY:
            return forced
    return best_point(memory, player.noise[0], random)


@jit
def forced_point(sight: Sight, mover: int) -> int:
    """A point that wins for the mover, else the best one that another seat would win by, or -1."""
    seats = sight.seen.shape[0]
    found = whole(NOBODY)
    for row in range(seats):
        seat = (mover + row) % seats
        for point in range(sight.owners.shape[0]):
            is_better = found == NOBODY or sight.values[point] > sight.values[found]
            if is_better and sight.owners[point] == 0 and completes(sight, point, seat):
                found = point
        if found != NOBODY:
            break
    return found


@jit
def completes(sight: Sight, point: int, seat: int) -> bool:
    """Would a stone of this seat here complete a line?"""
    own = sight.seen[seat, sight.places[point]]
    for unit in range(4 * (sight.units.margin + 1)):  # the stars
        mask = sight.units.masks[unit]
        if mask & own == mask:
            return True
    return False
