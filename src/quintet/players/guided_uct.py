"""UCT that looks first where a network of product units would play: paper 004's, as a prior.

The values of the empty points become chances by a softmax, and these the priors of PUCT
(search/uct.py); a leaf is judged by a random game, as in plain UCT.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.nets.product_units import FIVE, Network
from quintet.nets.sight import Sight, value_points
from quintet.players.player import choose
from quintet.players.points import look, no_points_in, sight_of
from quintet.randomness import Random
from quintet.rules import Position, Positions
from quintet.search.batch import Batch, deliver, gather, new_batch
from quintet.search.evaluation import Desk, Playout, evaluate, new_desk
from quintet.search.root import best_move, count_root, new_tally
from quintet.search.tree import ROOT, Trees, new_trees, tree_of, uproot
from quintet.search.uct import Search


class GuidedMemory(NamedTuple):
    """One tree, and what the network sees of its leaves."""

    trees: Trees
    roots: Positions
    batch: Batch
    tally: Any
    sight: Sight
    desk: Desk
    priors: NDArray[np.float64]  # [1, move]
    values: NDArray[np.float64]  # [1, seat]


class GuidedUct(NamedTuple):
    """Tree search by simulated games, with the network's choice as prior."""

    network: Network
    sims: int = 180  # as `uct` has by default
    c: float = 1.0
    sharpness: float = 8.0  # of the softmax: a win is worth 1 to the network, or so
    fpu: float = 0.5  # what an untried move is taken to be worth: an even game

    def memory(self, game: Any) -> GuidedMemory:
        """A tree for this game."""
        limits = game.limits()
        desk = new_desk(game)
        return GuidedMemory(
            new_trees(game, 1, (self.sims + 1) * limits.moves + 1),
            np.zeros(1, game.position_type()),
            new_batch(game, 1),
            new_tally(game),
            sight_of(game, self.network),
            Desk(desk.moves, np.zeros(0, np.int32), desk.range),  # nobody asks for the moves
            np.zeros((1, limits.moves)),
            np.zeros((1, limits.seats)),
        )

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return no_points_in(game, FIVE)


@choose.implement(GuidedUct)
def _choose(
    player: GuidedUct, game: Any, position: Position, memory: GuidedMemory, random: Random
) -> int:
    search = Search(player.c, player.fpu, True, False, 0, 0.0, True, False)
    tree = tree_of(memory.trees, ROOT)
    uproot(tree)
    memory.roots[0] = position
    leaf = memory.batch.leaves[0]
    while gather(game, search, memory.roots, memory.trees, random, player.sims, memory.batch):
        write_priors(player, game, leaf, memory)
        evaluate(Playout(), game, leaf, memory.desk, random, memory.values[0])
        deliver(game, search, memory.trees, memory.batch, 1, memory.priors, memory.values)
    count_root(memory.trees, 0, 1, memory.tally)
    seat = int(rules.turn(game, position))
    return best_move(memory.tally, tree.walks[0], seat, False, random)


@jit
def write_priors(player: GuidedUct, game: Any, leaf: Position, memory: GuidedMemory) -> None:
    """How likely the network is to choose each point, were it to choose by a softmax."""
    sight = memory.sight
    mover = look(game, leaf, sight)
    value_points(sight, player.network, mover)
    highest = -np.inf
    for point in range(sight.owners.shape[0]):
        if sight.owners[point] == 0:
            highest = max(highest, sight.values[point])
    for point in range(sight.owners.shape[0]):
        if sight.owners[point] == 0:
            distance = highest - sight.values[point]
            memory.priors[0, point] = math.exp(-player.sharpness * distance)
