"""Leaves in batches: many trees wait at a leaf each, until a network has judged them all.

`gather` walks to the leaves, anything that judges positions gives priors and values,
and `deliver` hands them back; until none waits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import borrowing, jit
from quintet.randomness import Random
from quintet.rules import Position, Positions
from quintet.search.root_choice import READY, next_candidate, prepare_root
from quintet.search.tree import ROOT, Tree, Trees, expand, set_priors, set_values, tree_of
from quintet.search.uct import Search, back_up, end, walk


class Batch(NamedTuple):
    """Leaves that wait for a network."""

    leaves: Positions  # [number] positions that are not over
    owners: NDArray[np.int64]  # [number] the tree of each


def new_batch(game: Any, count: int) -> Batch:
    """Room for a leaf of each of `count` trees."""
    return Batch(np.zeros(count, game.position_type()), np.zeros(count, np.int64))


@jit
def gather(
    game: Any,
    search: Search,
    roots: Positions,
    trees: Trees,
    randoms: Random,
    visits: int,
    batch: Batch,
) -> int:
    """Walk to a leaf in each tree whose root has fewer visits; returns how many leaves wait.

    ``randoms`` has a word for each tree.  None waits when the search is done.
    """
    waiting = 0
    for number in range(roots.shape[0]):
        tree = tree_of(trees, number)
        random = randoms[number : number + 1]
        if find_leaf(game, search, roots[number], tree, random, visits):
            batch.leaves[waiting] = tree.positions[0]
            batch.owners[waiting] = number
            waiting += 1
    return waiting


@borrowing
def find_leaf(
    game: Any, search: Search, root: Position, tree: Tree, random: Random, visits: int
) -> bool:
    """Walk until there is a leaf to evaluate; games that are over are backed up at once."""
    while tree.nodes[ROOT].visits < visits and tree.nodes[ROOT].solved == 0:
        lead_root(game, search, root, tree, random, visits)
        depth = walk(game, search, root, tree, random)
        leaf = int(tree.walks[0].path[depth])
        if tree.nodes[leaf].solved:
            set_values(tree.walks[0].values, tree.nodes[leaf].totals)
        elif rules.is_over(game, tree.positions[0]):
            end(game, search, tree, leaf)
        else:
            return True
        back_up(search, tree, depth)
    return False


@borrowing
def lead_root(
    game: Any, search: Search, root: Position, tree: Tree, random: Random, visits: int
) -> None:
    """Choose what to try at the root, where that is not left to the walk."""
    if tree.nodes[ROOT].visits == 0 or (search.candidates == 0 and search.noise == 0.0):
        return
    if tree.walks[0].ready != READY:
        prepare_root(search, tree, int(rules.turn(game, root)), random)
    if search.candidates > 0:
        tree.walks[0].chosen = next_candidate(search, tree, visits - 1)


@jit
def deliver(
    game: Any, search: Search, trees: Trees, batch: Batch, waiting: int, priors: Any, values: Any
) -> None:
    """Expand the leaves that wait, and back up.

    ``priors[i]`` has a number for each move of the game, of which only those of
    legal moves count; ``values[i]`` what each seat may expect, from 0 to 1.
    """
    for i in range(waiting):
        receive(game, search, tree_of(trees, batch.owners[i]), priors[i], values[i])


@borrowing
def receive(game: Any, search: Search, tree: Tree, priors: Any, values: Any) -> None:
    """Expand the leaf that waits in a tree, and back up."""
    depth = int(tree.walks[0].depth)
    leaf = int(tree.walks[0].path[depth])
    is_new = tree.nodes[leaf].count == 0
    if is_new and expand(game, tree, tree.positions[0], leaf) and search.puct:
        set_priors(tree, leaf, priors)
    for seat in range(tree.walks[0].values.shape[0]):
        tree.walks[0].values[seat] = values[seat]
    back_up(search, tree, depth)
