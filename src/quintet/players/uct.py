"""UCT: tries moves by many simulated games, the promising ones more often.

The defaults are those of paper 002: c = 0.8, 180 simulations, untried moves first
and in random order, the most visited move played, values scaled to 0 .. 1.

What the others are taken to want (Sturtevant 2008; Cazenave 2008):

- *maxn*: each its own value;
- *paranoid*: all others that the searching seat gets little;
- *coalition*: all others the sum of their values;
- *confident*: one tree for *maxn* and one for each other seat as an ally, with whom
  the searching seat shares the sum of both values; the tree whose best move gives
  the searching seat most decides.  The simulations are dealt out among the trees.
"""

from __future__ import annotations

import enum
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.parameters import Between
from quintet.players.evaluations import EVALUATION
from quintet.players.player import Thoughts, begin, choose, watch
from quintet.randomness import Random, next_word, seeded
from quintet.rules import Position, Positions
from quintet.search.evaluation import Playout
from quintet.search.root import (
    best_move,
    count_root,
    likely_line,
    new_tally,
    ranked_moves,
)
from quintet.search.tree import (
    ROOT,
    Trees,
    against,
    allied,
    child_by_move,
    for_themselves,
    keep_below,
    new_trees,
    tree_of,
    uproot,
)
from quintet.search.uct import Search, plant, simulate

_ENDLESS = 1 << 60  # simulations
_TURNS = 64
_FIRST: Any = np.int64(0)  # thread; not a literal, see ROOT


class Mode(enum.IntEnum):
    """What the other seats are taken to want."""

    MAXN = 0
    PARANOID = 1
    COALITION = 2
    CONFIDENT = 3


class Rave(enum.IntEnum):
    """Where the values of all moves as first come from."""

    NONE = 0
    RAVE = 1  # the node itself
    GRAVE = 2  # the closest ancestor with more than ref visits


class Goal(enum.IntEnum):
    """What a finished game is worth."""

    SCORE = 0
    WIN = 1


class Final(enum.IntEnum):
    """Which move is played."""

    VISITS = 0  # the most visited
    VALUE = 1  # the one with the best mean


class UctMemory(NamedTuple):
    """Trees, and what they are trees of."""

    trees: Trees
    tally: Any  # what the roots say of each move
    roots: Positions  # [1] where the trees begin
    state: Any  # [1] see `_state_type`
    places: NDArray[np.int32]  # room to move nodes


def _state_type() -> np.dtype[Any]:
    return rules.record(
        total=np.float64,  # what all values of a finished game sum to, at most
        stop=(np.int64, (1,)),  # set to end a search
        known=np.int64,  # do the trees begin at `roots`?
        seat=np.int64,  # whose search it is
        move=np.int64,  # the last choice,
        decided=np.int64,  # and the view that decided it
    )


class Uct(NamedTuple):
    """Tree search by simulated games."""

    sims: Annotated[int, Between(0, 10**12), "simulations a move; 0 for no limit"] = 180
    seconds: Annotated[float, Between(0, 10**6), "a move; 0 for no limit"] = 0.0
    c: Annotated[float, Between(0, 1000), "how much exploration counts"] = 0.8
    mode: Annotated[Mode, "what the others want"] = Mode.MAXN
    rave: Annotated[Rave, "mix in the values of all moves as first"] = Rave.NONE
    ref: Annotated[int, Between(0, 10**9), "visits of a node that grave listens to"] = 50
    bias: Annotated[float, Between(0, 1000), "of rave: larger trusts the tree sooner"] = 1e-10
    solve: Annotated[bool, "note what is certain"] = False
    fpu: Annotated[float, Between(-1000, float("inf")), "worth of an untried move"] = float("inf")
    reuse: Annotated[bool, "keep what is known between moves"] = False
    goal: Annotated[Goal, "what counts at the end of a game"] = Goal.SCORE
    final: Annotated[Final, "which move is played"] = Final.VISITS
    eval: Annotated[Any, EVALUATION, "what a leaf is worth"] = Playout()
    nodes: Annotated[int, Between(1, 10**9), "at most, in a tree; then it stops growing"] = 10**6
    threads: Annotated[int, Between(1, 256), "trees grown at once and added up"] = 1

    def problem(self) -> str | None:
        """Why these parameters make no player, if they do not."""
        if self.sims == 0 and self.seconds == 0:
            return "sims=0,seconds=0 never ends; expected one of them to be positive"
        return None

    def needs_python(self) -> bool:
        """A clock and threads need the interpreter."""
        return self.seconds > 0 or self.threads > 1

    def memory(self, game: Any) -> UctMemory:
        """Trees for this game."""
        limits = game.limits()
        views = limits.seats if self.mode == Mode.CONFIDENT and limits.seats > 2 else 1
        places = self.nodes
        if self.sims and not self.reuse:  # a simulation expands at most one node
            places = min(places, (self.sims + 1) * limits.moves + 1)
        trees = new_trees(game, views * self.threads, places, amaf=self.rave != Rave.NONE)
        state = np.zeros(1, _state_type())
        state["total"] = limits.seats
        if limits.total is not None:
            spread = limits.highest - limits.lowest
            state["total"] = (limits.total - limits.seats * limits.lowest) / spread
        return UctMemory(
            trees,
            new_tally(game),
            np.zeros(1, game.position_type()),
            state,
            np.zeros(trees.edges.shape[1] if self.reuse else 0, np.int32),
        )

    def think(self, game: Any, position: Position, memory: UctMemory, random: Random) -> int:
        """A move, found by threads or until the time is over."""
        if prepare(self, game, position, memory):
            return int(memory.state["move"][0])
        memory.state["stop"] = 0
        clock = threading.Timer(self.seconds, _say_stop, [memory.state])
        clock.daemon = True
        if self.seconds > 0:
            clock.start()
        seed = int(next_word(random) >> np.uint64(1))

        def work(thread: int) -> None:
            search_as(self, game, position, memory, seeded(seed, thread), thread)

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, range(self.threads)))
        clock.cancel()
        return int(decide(self, game, position, memory, random))

    def thoughts(self, game: Any, position: Position, memory: UctMemory) -> Thoughts:
        """What the last choice found."""
        return _thoughts(self, game, position, memory)

    def stop(self, memory: UctMemory) -> None:
        """End a search that has a clock or threads."""
        _say_stop(memory.state)


def _say_stop(state: Any) -> None:
    state["stop"] = 1


@choose.implement(Uct)
def _choose(player: Uct, game: Any, position: Position, memory: UctMemory, random: Random) -> int:
    if prepare(player, game, position, memory):
        return memory.state[0].move
    search_as(player, game, position, memory, random, _FIRST)
    return decide(player, game, position, memory, random)


@begin.implement(Uct)
def _begin(player: Uct, game: Any, memory: UctMemory) -> None:
    memory.state[0].known = 0


@watch.implement(Uct)
def _watch(player: Uct, game: Any, position: Position, move: int, memory: UctMemory) -> None:
    """Keep what is known about the position after this move."""
    if not player.reuse or not is_known(game, position, memory):
        memory.state[0].known = 0
        return
    rules.play(game, memory.roots[0], move)
    for number in range(memory.trees.edges.shape[0]):
        tree = tree_of(memory.trees, number)
        child = child_by_move(tree, ROOT, move)
        if child >= 0:
            keep_below(tree, child, memory.places)
        else:
            uproot(tree)


@jit
def is_known(game: Any, position: Position, memory: UctMemory) -> bool:
    """Do the trees begin at this position?"""
    if memory.state[0].known == 0:
        return False
    return rules.key(game, memory.roots[0]) == rules.key(game, position)


@jit
def prepare(player: Uct, game: Any, position: Position, memory: UctMemory) -> bool:
    """Make the trees ready, unless there is only one move: is there nothing to search?"""
    seat = int(rules.turn(game, position))
    views = views_of(player, memory)
    keeps = player.reuse and is_known(game, position, memory)
    keeps = keeps and (player.mode == Mode.MAXN or memory.state[0].seat == seat)
    memory.roots[0] = position
    memory.state[0].known, memory.state[0].seat = 1, seat
    for number in range(memory.trees.edges.shape[0]):
        tree = tree_of(memory.trees, number)
        set_aims(player.mode, tree.walks[0], seat, number % views, memory.state[0].total)
        if not keeps or tree.nodes[ROOT].count == 0:
            plant(game, tree, position)
    tree = tree_of(memory.trees, ROOT)
    memory.state[0].move = tree.moves[tree.nodes[ROOT].first]
    memory.state[0].decided = 0
    return tree.nodes[ROOT].count == 1


@jit
def views_of(player: Uct, memory: UctMemory) -> int:
    """How many ways to see what the others want, each in its own tree."""
    return memory.trees.edges.shape[0] // player.threads


@jit
def set_aims(mode: Mode, walk: Any, seat: int, view: int, total: float) -> None:
    """Write what all seats want, as a seat sees it."""
    seats = walk.values.shape[0]
    for_themselves(walk)
    if mode == Mode.PARANOID:
        against(walk, seat)
    elif mode == Mode.COALITION:
        for one in range(1, seats):
            for two in range(one + 1, seats):
                allied(walk, (seat + one) % seats, (seat + two) % seats, min(seats - 1.0, total))
    elif view > 0:
        allied(walk, seat, (seat + view) % seats, min(2.0, total))


@jit
def search_as(
    player: Uct, game: Any, position: Position, memory: UctMemory, random: Random, thread: int
) -> None:
    """Grow the trees of one thread."""
    search = Search(
        player.c,
        player.fpu,
        False,
        player.rave != Rave.NONE,
        player.ref if player.rave == Rave.GRAVE else 0,
        player.bias,
        player.solve,
        player.goal == Goal.WIN,
        *(False, 0, 1.0, 0.0, 0.0, 0.3),  # what matters only where there are priors
    )
    views, trees = views_of(player, memory), memory.trees.edges.shape[0]
    sims = player.sims if player.sims > 0 else _ENDLESS
    turns = sims if views == 1 else _TURNS  # trees of one thread take turns: the clock may stop
    stop = memory.state[0].stop
    begun, done = 0, 1
    while begun < sims and done > 0:
        done = 0
        for view in range(views):
            number = thread * views + view
            share = sims // trees + (number < sims % trees)
            tree = tree_of(memory.trees, number)
            count = min(turns, share - begun)
            done += simulate(player.eval, game, search, position, tree, random, count, stop)
        begun += turns


@jit
def decide(player: Uct, game: Any, position: Position, memory: UctMemory, random: Random) -> int:
    """The move that the view most favourable to the mover plays."""
    seat = int(rules.turn(game, position))
    views = views_of(player, memory)
    highest = -1.0
    for view in range(views):
        count_root(memory.trees, view, views, memory.tally)
        walk = memory.trees.walks[view]
        move = best_move(memory.tally, walk, seat, player.final == Final.VALUE, random)
        if move >= 0 and memory.tally[move].values[seat] > highest:
            highest = memory.tally[move].values[seat]
            memory.state[0].move, memory.state[0].decided = move, view
    return int(memory.state[0].move)


def _thoughts(player: Uct, game: Any, position: Position, memory: UctMemory) -> Thoughts:
    views, view, tally = views_of(player, memory), memory.state["decided"][0], memory.tally
    count_root(memory.trees, view, views, tally)
    trees = [tree_of(memory.trees, n) for n in range(view, len(memory.trees.edges), views)]
    chosen = int(memory.state["move"][0])
    moves = ranked_moves(tally, memory.trees.walks[view], rules.turn(game, position), chosen)
    moves = moves or [chosen]
    return Thoughts(
        moves,
        [int(tally["visits"][move]) for move in moves],
        [[float(value) for value in tally["values"][move]] for move in moves],
        likely_line(trees[0], chosen),
        sum(int(tree.walks["visited"][0]) for tree in trees),
        max(int(tree.walks["deepest"][0]) for tree in trees),
        any(bool(tree.nodes["solved"][ROOT]) for tree in trees),
        lines=[likely_line(trees[0], move) for move in moves],
    )
