"""PUCT: tree search that a trained network leads (Silver et al. 2017), for any number of seats.

Each seat wants its own value, or the others are taken to be against the searching seat, as
in players/uct.py.  With ``candidates`` the moves at the root are halved step by step
(search/root_choice.py), which needs fewer simulations.

``run:NAME`` and ``model:FILE`` of a learner with such a network play this with the
learner's own settings; ``puct:eval=run(NAME),sims=800,mode=paranoid`` with others.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.parameters import Between
from quintet.players.evaluations import EVALUATION
from quintet.players.player import Thoughts, begin, choose, watch
from quintet.players.uct import Mode, set_aims
from quintet.randomness import Random
from quintet.rules import Moves, Position, Positions
from quintet.search.batch import find_leaf, receive
from quintet.search.evaluation import Level, foresee
from quintet.search.root import best_move, count_root, likely_line, new_tally, ranked_moves
from quintet.search.root_choice import decided
from quintet.search.tree import (
    ROOT,
    Trees,
    child_by_move,
    keep_below,
    new_trees,
    tree_of,
    uproot,
)
from quintet.search.uct import Search, desk_of


class PuctMemory(NamedTuple):
    """A tree, and what it is a tree of."""

    search: Search
    trees: Trees  # one
    tally: Any
    moves: Moves
    roots: Positions  # [1] where the tree begins
    state: Any  # [1] is that known, whose search it was, its move, and a wish to stop
    places: NDArray[np.int32]  # room to move nodes
    priors: NDArray[np.float32]
    values: NDArray[np.float64]


def _state_type() -> np.dtype[Any]:
    return rules.record(
        total=np.float64, stop=np.int64, known=np.int64, seat=np.int64, move=np.int64
    )


class Puct(NamedTuple):
    """Tree search led by a network."""

    eval: Annotated[Any, EVALUATION, "what a leaf is worth, and its moves"] = Level()
    sims: Annotated[int, Between(1, 10**9), "simulations a move"] = 180
    c: Annotated[float, Between(0, 1000), "how much exploration counts"] = 1.25
    fpu: Annotated[float, Between(-10, 10), "what an untried move is worth less"] = 0.1
    mode: Annotated[Mode, "what the others want"] = Mode.MAXN
    candidates: Annotated[int, Between(0, 10**6), "moves to be halved; 0: no halving"] = 0
    scale: Annotated[float, Between(0, 1000), "how much values count in halving"] = 1.0
    luck: Annotated[float, Between(0, 1000), "how much chance counts in halving"] = 0.0
    solve: Annotated[bool, "note what is certain"] = True
    reuse: Annotated[bool, "keep what is known between moves"] = False
    nodes: Annotated[int, Between(1, 10**9), "at most; then the tree stops growing"] = 10**6

    def problem(self) -> str | None:
        """Why these parameters make no player, if they do not."""
        if self.mode == Mode.CONFIDENT:
            return "mode=confident is not possible; expected maxn, paranoid or coalition"
        if self.reuse and self.candidates:
            return "reuse=yes,candidates>0: halving begins with a new tree; expected one of them"
        return None

    def memory(self, game: Any) -> PuctMemory:
        """A tree for this game."""
        limits = game.limits()
        places = min(self.nodes, (self.sims + 2) * limits.moves * (4 if self.reuse else 1) + 1)
        trees = new_trees(game, 1, places)
        state = np.zeros(1, _state_type())
        state["total"] = limits.seats
        if limits.total is not None:
            spread = limits.highest - limits.lowest
            state["total"] = (limits.total - limits.seats * limits.lowest) / spread
        return PuctMemory(
            self.search(),
            trees,
            new_tally(game),
            rules.move_buffer(game),
            np.zeros(1, game.position_type()),
            state,
            np.zeros(trees.edges.shape[1], np.int32),
            np.zeros(limits.moves, np.float32),
            np.zeros(limits.seats),
        )

    def search(self) -> Search:
        """How the tree is searched."""
        return Search(
            float(self.c),
            float(self.fpu),
            puct=True,
            solve=self.solve,
            inherits=True,
            candidates=self.candidates,
            scale=float(self.scale),
            luck=float(self.luck),
        )

    def stop(self, memory: PuctMemory) -> None:
        """End a search."""
        memory.state["stop"] = 1

    def thoughts(self, game: Any, position: Position, memory: PuctMemory) -> Thoughts:
        """What the last choice found."""
        tally, tree = memory.tally, tree_of(memory.trees, ROOT)
        count_root(memory.trees, 0, 1, tally)
        chosen = int(memory.state["move"][0])
        seat = rules.turn(game, position)
        moves = ranked_moves(tally, memory.trees.walks[0], seat, chosen) or [chosen]
        return Thoughts(
            moves,
            [int(tally["visits"][move]) for move in moves],
            [[float(value) for value in tally["values"][move]] for move in moves],
            likely_line(tree, chosen),
            int(tree.walks["visited"][0]),
            int(tree.walks["deepest"][0]),
            bool(tree.nodes["solved"][ROOT]),
        )


@choose.implement(Puct)
def _choose(player: Puct, game: Any, position: Position, memory: PuctMemory, random: Random) -> int:
    tree = tree_of(memory.trees, ROOT)
    seat = int(rules.turn(game, position))
    if rules.legal_moves(game, position, memory.moves) == 1:
        uproot(tree)
        memory.state[0].known, memory.state[0].move = 0, memory.moves[0]
        return int(memory.moves[0])
    keeps = player.reuse and is_known(game, position, memory)
    keeps = keeps and (player.mode == Mode.MAXN or memory.state[0].seat == seat)
    memory.roots[0] = position
    memory.state[0].known, memory.state[0].seat, memory.state[0].stop = 1, seat, 0
    set_aims(player.mode, tree.walks[0], seat, 0, memory.state[0].total)
    if not keeps:
        uproot(tree)
    grow(player.eval, game, position, memory, random, player.sims)
    memory.state[0].move = move_found(game, position, memory, random)
    return int(memory.state[0].move)


@begin.implement(Puct)
def _begin(player: Puct, game: Any, memory: PuctMemory) -> None:
    memory.state[0].known = 0


@watch.implement(Puct)
def _watch(player: Puct, game: Any, position: Position, move: int, memory: PuctMemory) -> None:
    """Keep what is known about the position after this move."""
    if not player.reuse or not is_known(game, position, memory):
        memory.state[0].known = 0
        return
    rules.play(game, memory.roots[0], move)
    tree = tree_of(memory.trees, ROOT)
    child = child_by_move(tree, ROOT, move)
    if child >= 0:
        keep_below(tree, child, memory.places)
    else:
        uproot(tree)


@jit
def is_known(game: Any, position: Position, memory: PuctMemory) -> bool:
    """Does the tree begin at this position?"""
    if memory.state[0].known == 0:
        return False
    return rules.key(game, memory.roots[0]) == rules.key(game, position)


@jit
def grow(
    evaluation: Any, game: Any, root: Position, memory: PuctMemory, random: Random, sims: int
) -> None:
    """Search until so many simulations are done, the root is solved or somebody says stop."""
    tree, search = tree_of(memory.trees, ROOT), memory.search
    while find_leaf(game, search, root, tree, random, sims + 1):
        tree.positions[1] = tree.positions[0]
        foresee(
            evaluation,
            game,
            tree.positions[1],
            desk_of(tree.walks[0]),
            random,
            memory.priors,
            memory.values,
        )
        receive(game, search, tree, memory.priors, memory.values)
        if memory.state[0].stop != 0 and tree.nodes[ROOT].tried > 0:
            break


@jit
def move_found(game: Any, position: Position, memory: PuctMemory, random: Random) -> int:
    """The move to play."""
    tree = tree_of(memory.trees, ROOT)
    if memory.search.candidates > 0 and tree.nodes[ROOT].solved == 0:
        return int(tree.moves[decided(memory.search, tree)])
    count_root(memory.trees, 0, 1, memory.tally)
    seat = int(rules.turn(game, position))
    return best_move(memory.tally, memory.trees.walks[0], seat, False, random)
