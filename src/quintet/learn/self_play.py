"""Many games at once, in which a network and tree search choose the moves.

Every game waits at a leaf of its search until the network has judged all leaves together.
When its search is done, its move is made at once and the next search begins, so that each
batch has a leaf of nearly every game.  Seats may also be played by UCT with random
playouts: as opponents, or to begin with (paper 002, 3.2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import borrowing, jit
from quintet.nets.residual import Sizes, look, scale_of, to_values
from quintet.randomness import Random, seed_stream, uniform
from quintet.rules import Positions
from quintet.search.batch import Batch, deliver, find_leaf, new_batch
from quintet.search.evaluation import Playout
from quintet.search.root_choice import QUICK, UNREADY, decided, write_better_policy, write_visits
from quintet.search.tree import ROOT, Tree, Trees, new_trees, tree_of, uproot
from quintet.search.uct import Search, plant, simulate

Judging = Callable[[NDArray[np.float32]], tuple[Any, Any]]

NETWORK, UCT = 0, 1  # who plays a seat
TO_MOVE, SEARCHING, FOR_UCT, FINISHED, IDLE = 0, 1, 2, 3, 4
_PLACES = 200_000  # in a tree, at most
_FINEST = 255  # a policy is kept in so many steps


class Habits(NamedTuple):
    """How moves are chosen in the games."""

    sims: int  # simulations of a full search
    quick: int  # and of a quick one, from which nothing is learnt
    share: float  # of the searches that are full
    warm: int  # plies at the start in which chance chooses by visits, without candidates
    uct_sims: int = 180  # 0 where UCT never plays
    uct_c: float = 0.8


class Slots(NamedTuple):
    """The games, a row each."""

    positions: Positions
    moves: NDArray[np.int32]  # [slot, ply]
    policies: NDArray[np.uint8]  # [slot, ply, move] what the search would rather have played
    marks: NDArray[np.bool_]  # [slot, ply] is there such a policy?
    counts: NDArray[np.int64]  # plies played
    roles: NDArray[np.int64]  # [slot, seat]
    stages: NDArray[np.int64]
    budgets: NDArray[np.int64]  # visits of the search
    full: NDArray[np.bool_]  # is it a full one?


class Leaves(NamedTuple):
    """What a network is asked at once."""

    batch: Batch
    planes: NDArray[np.float32]
    viewers: NDArray[np.int64]  # the seat to move
    values: NDArray[np.float64]  # the answer, seat by seat
    policy: NDArray[np.float64]  # room for one
    stop: NDArray[np.int64]  # nobody sets it
    scale: NDArray[np.float64]


class PlayedOut(NamedTuple):
    """A game that is over."""

    slot: int
    moves: NDArray[np.int32]
    policies: NDArray[np.uint8]
    marks: NDArray[np.bool_]
    scores: NDArray[np.float64]
    roles: NDArray[np.int64]


def new_slots(game: Any, count: int) -> Slots:
    """Games that have not begun."""
    limits = game.limits()
    return Slots(
        rules.new_positions(game, count),
        np.zeros((count, limits.plies), np.int32),
        np.zeros((count, limits.plies, limits.moves), np.uint8),
        np.zeros((count, limits.plies), np.bool_),
        np.zeros(count, np.int64),
        np.zeros((count, limits.seats), np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.bool_),
    )


class SelfPlay:
    """Games at once, and all that is needed to play them on."""

    def __init__(
        self, game: Any, sizes: Sizes, judge: Judging, search: Search, habits: Habits, slots: Slots
    ) -> None:
        """Go on with the games as they are; a search that was broken off begins anew."""
        count = len(slots.counts)
        most = max(habits.sims, habits.uct_sims)
        places = min((most + 2) * game.limits().moves + 1, _PLACES)
        self.game, self.sizes, self.judge = game, sizes, judge
        self.search, self.habits, self.slots = search, habits, slots
        self.trees = new_trees(game, count, places)
        self.randoms = np.zeros(count, np.uint64)
        shape = (count, sizes.planes, sizes.rows, sizes.columns)
        seats, moves = game.limits().seats, game.limits().moves
        self.leaves = Leaves(
            new_batch(game, count),
            np.zeros(shape, np.float32),
            np.zeros(count, np.int64),
            np.zeros((count, seats)),
            np.zeros(moves),
            np.zeros(1, np.int64),
            scale_of(game),
        )
        self.judged = 0
        replay(game, slots, rules.new_position(game))

    def begin(self, seed: int, first: int = 0) -> None:
        """Give every slot its own chance; `first` is the number of the first of them."""
        for slot in range(len(self.randoms)):
            seed_stream(self.randoms[slot : slot + 1], seed, first + slot)

    def go_on(self) -> list[PlayedOut]:
        """Ask the network once; returns the games that were over before."""
        game, slots, leaves = self.game, self.slots, self.leaves
        waiting = int(
            advance(
                game, self.sizes, self.search, self.habits, slots, self.trees, self.randoms, leaves
            )
        )
        if (slots.stages == FOR_UCT).any():
            uct = Search(self.habits.uct_c)
            play_by_uct(game, uct, self.habits, slots, self.trees, self.randoms, leaves)
        if waiting:
            priors, told = self.judge(leaves.planes[:waiting])
            self.judged += waiting
            hand_back(game, self.sizes, self.search, self.trees, leaves, waiting, priors, told)
        return [self._taken(int(slot)) for slot in np.flatnonzero(slots.stages == FINISHED)]

    def renew(self, slot: int, roles: NDArray[np.int64] | None) -> None:
        """Begin a new game in a slot, or none."""
        slots = self.slots
        slots.counts[slot] = 0
        slots.stages[slot] = IDLE if roles is None else TO_MOVE
        if roles is not None:
            slots.roles[slot] = roles
            slots.positions[slot] = rules.new_position(self.game)

    def _taken(self, slot: int) -> PlayedOut:
        slots, plies = self.slots, int(self.slots.counts[slot])
        scores = np.zeros(self.game.limits().seats)
        rules.scores(self.game, slots.positions[slot], scores)
        return PlayedOut(
            slot,
            slots.moves[slot, :plies].copy(),
            slots.policies[slot, :plies].copy(),
            slots.marks[slot, :plies].copy(),
            scores,
            slots.roles[slot].copy(),
        )


# --- compiled -----------------------------------------------------------------


@jit
def replay(game: Any, slots: Slots, start: Any) -> None:
    """Bring all positions to where their games are."""
    for slot in range(slots.counts.shape[0]):
        slots.positions[slot] = start
        for ply in range(slots.counts[slot]):
            rules.play(game, slots.positions[slot], slots.moves[slot, ply])


@jit
def advance(
    game: Any,
    sizes: Sizes,
    search: Search,
    habits: Habits,
    slots: Slots,
    trees: Trees,
    randoms: Random,
    leaves: Leaves,
) -> int:
    """Bring each game to a leaf that waits for the network; returns how many wait."""
    waiting = 0
    for slot in range(slots.counts.shape[0]):
        tree = tree_of(trees, slot)
        random = randoms[slot : slot + 1]
        while slots.stages[slot] <= SEARCHING:
            if slots.stages[slot] == TO_MOVE:
                turn_to(game, habits, slots, slot, tree, random)
            elif find_leaf(game, search, slots.positions[slot], tree, random, slots.budgets[slot]):
                leaves.batch.leaves[waiting] = tree.positions[0]
                leaves.batch.owners[waiting] = slot
                look(game, sizes, tree.positions[0], leaves.planes[waiting])
                leaves.viewers[waiting] = int(rules.turn(game, tree.positions[0]))
                waiting += 1
                break
            else:
                end_search(game, search, habits, slots, slot, tree, random, leaves.policy)
    return waiting


@jit
def turn_to(game: Any, habits: Habits, slots: Slots, slot: int, tree: Tree, random: Random) -> None:
    """What is to be done where a seat is to move.  A single move is made without search."""
    position = slots.positions[slot]
    if rules.is_over(game, position):
        slots.stages[slot] = FINISHED
        return
    ply = slots.counts[slot]
    if rules.legal_moves(game, position, tree.moves) == 1:
        slots.marks[slot, ply] = False
        play_move(game, slots, slot, int(tree.moves[0]))
    elif slots.roles[slot, int(rules.turn(game, position))] == UCT:
        slots.stages[slot] = FOR_UCT
    else:
        uproot(tree)
        slots.full[slot] = habits.share >= 1.0 or uniform(random) < habits.share
        slots.budgets[slot] = 1 + (habits.sims if slots.full[slot] else habits.quick)
        tree.walks[0].ready = UNREADY if slots.full[slot] else QUICK
        slots.stages[slot] = SEARCHING


@jit
def play_move(game: Any, slots: Slots, slot: int, move: int) -> None:
    """Make a move."""
    slots.moves[slot, slots.counts[slot]] = move
    rules.play(game, slots.positions[slot], move)
    slots.counts[slot] += 1
    slots.stages[slot] = TO_MOVE


@jit
def end_search(
    game: Any,
    search: Search,
    habits: Habits,
    slots: Slots,
    slot: int,
    tree: Tree,
    random: Random,
    policy: Any,
) -> None:
    """Make the move that was found, and note what is to be learnt."""
    if search.candidates > 0:
        write_better_policy(search, tree, policy)
        move = int(tree.moves[decided(search, tree)])
    else:
        write_visits(tree, policy)
        if slots.counts[slot] < habits.warm:
            move = drawn_from(policy, random)
        else:
            move = int(tree.moves[most_visited(tree)])
    note(slots, slot, policy, slots.full[slot])
    play_move(game, slots, slot, move)


@jit
def note(slots: Slots, slot: int, policy: Any, is_full: bool) -> None:
    """Keep a policy, in few bits."""
    ply = slots.counts[slot]
    slots.marks[slot, ply] = is_full
    most = policy.max()
    for move in range(policy.shape[0]):
        slots.policies[slot, ply, move] = int(policy[move] / most * _FINEST + 0.5)


@borrowing
def drawn_from(policy: Any, random: Random) -> int:
    """A move by its likelihood."""
    left, last = uniform(random), 0
    for move in range(policy.shape[0]):
        if policy[move] > 0.0:
            last = move
            left -= policy[move]
            if left < 0.0:
                break
    return last


@borrowing
def most_visited(tree: Tree) -> int:
    """The place of the root's most visited child, the better of equals."""
    first, best = int(tree.nodes[ROOT].first), int(tree.nodes[ROOT].first)
    for place in range(first, first + tree.nodes[ROOT].tried):
        more = tree.nodes[place].visits - tree.nodes[best].visits
        if more > 0 or (more == 0 and tree.edges[place].value > tree.edges[best].value):
            best = place
    return best


@jit
def play_by_uct(
    game: Any,
    search: Search,
    habits: Habits,
    slots: Slots,
    trees: Trees,
    randoms: Random,
    leaves: Leaves,
) -> None:
    """Make the moves of seats that UCT plays."""
    for slot in range(slots.counts.shape[0]):
        if slots.stages[slot] != FOR_UCT:
            continue
        tree, random = tree_of(trees, slot), randoms[slot : slot + 1]
        position = slots.positions[slot]
        plant(game, tree, position)
        simulate(Playout(), game, search, position, tree, random, habits.uct_sims, leaves.stop)
        write_visits(tree, leaves.policy)
        note(slots, slot, leaves.policy, True)
        play_move(game, slots, slot, int(tree.moves[most_visited(tree)]))


@jit
def hand_back(
    game: Any,
    sizes: Sizes,
    search: Search,
    trees: Trees,
    leaves: Leaves,
    waiting: int,
    priors: Any,
    told: Any,
) -> None:
    """Give the trees what the network said."""
    for i in range(waiting):
        to_values(sizes, leaves.scale, leaves.viewers[i], told[i], leaves.values[i])
    deliver(game, search, trees, leaves.batch, waiting, priors, leaves.values)
