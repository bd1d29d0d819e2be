"""The compiled tree search against an obvious one: the same tree, node by node."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.games import make
from quintet.players.uct import Mode, set_aims
from quintet.randomness import seeded
from quintet.search.batch import deliver, gather, new_batch
from quintet.search.evaluation import Lead, Playout
from quintet.search.tree import ROOT, Tree, new_trees, tree_of, uproot
from quintet.search.uct import Search, plant, simulate
from tests.against.reference.uct import (
    Aims,
    Node,
    ReferenceUct,
    alliance,
    coalition,
    maxn,
    paranoid,
)

SMALL = ["tic-tac-toe", "tic-tac-mo", "go:size=3,players=3"]
GO_ON = np.zeros(1, np.int64)  # nobody says stop


def compare(game: Any, tree: Tree, place: int, node: Node, line: tuple[int, ...] = ()) -> int:
    """Fail at the first difference; returns how many nodes are the same."""
    there = tree.nodes[place]
    assert there["visits"] == node.visits, line
    assert bool(there["solved"]) == (node.exact is not None), line
    expected = node.totals if node.exact is None else node.exact
    assert there["totals"].tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12), line
    if not node.children:
        return 1
    first, tried = int(there["first"]), int(there["tried"])
    moves = tree.moves[first : first + tried].tolist()
    assert moves == list(node.children), f"{line}: other children, or in another order"
    assert there["count"] == len(node.children) + len(node.untried or [])
    return 1 + sum(
        compare(game, tree, first + i, child, (*line, move))
        for i, (move, child) in enumerate(node.children.items())
    )


def position_after(game: Any, plies: int, seed: int) -> Any:
    """Some position; the one before, if that is the end."""
    position, chance = rules.new_position(game), seeded(seed)
    moves = rules.move_buffer(game)
    for _ in range(plies):
        following = rules.copied(position)
        rules.play(game, following, rules.random_move(game, following, moves, chance))
        if rules.is_over(game, following):
            break
        position = following
    return position


def assumption(mode: Mode, seat: int, view: int, seats: int) -> Aims:
    if mode == Mode.PARANOID:
        return paranoid(seat)
    if mode == Mode.COALITION:
        return coalition(seat)
    return alliance(seat, (seat + view) % seats) if view else maxn


def grow_both(
    text: str,
    search: Search,
    sims: int,
    *,
    plies: int = 0,
    seed: int = 1,
    evaluation: Any = None,
    mode: Mode = Mode.MAXN,
    view: int = 0,
    total: float = 1.0,
) -> tuple[Any, Tree, ReferenceUct]:
    """The same search, compiled and obvious, compared."""
    game = make(text)
    evaluation = evaluation or Playout()
    position = position_after(game, plies, seed)
    seat, seats = int(rules.turn(game, position)), game.limits().seats
    tree = tree_of(new_trees(game, 1, 100_000, amaf=search.amaf), ROOT)
    set_aims(mode, tree.walks[0], seat, view, total)
    plant(game, tree, position)
    simulate(evaluation, game, search, position, tree, seeded(seed), sims, GO_ON)
    aims = assumption(mode, seat, view, seats)
    reference = ReferenceUct(game, position, evaluation, search, seeded(seed), aims)
    reference.run(sims)
    nodes = compare(game, tree, 0, reference.root)
    assert nodes == tree.walks["visited"][0]
    return game, tree, reference


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("seed", [1, 2])
def test_plain_search_grows_the_same_tree(text: str, seed: int) -> None:
    _, tree, _ = grow_both(text, Search(), 400, plies=2 * seed, seed=seed)
    assert tree.walks["deepest"][0] >= 3


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("mode", [Mode.PARANOID, Mode.COALITION])
def test_what_the_others_want(text: str, mode: Mode) -> None:
    for seed in (1, 2, 3):  # each seat is the searching one
        grow_both(text, Search(c=0.5), 150, plies=seed, seed=seed, mode=mode)


@pytest.mark.parametrize("view", [1, 2])
def test_alliances(view: int) -> None:
    for seed in (1, 2):
        search = Search(c=0.5, solve=True)
        grow_both("tic-tac-mo", search, 200, plies=seed, seed=seed, mode=Mode.CONFIDENT, view=view)


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("mode", [Mode.MAXN, Mode.PARANOID, Mode.COALITION])
def test_solving(text: str, mode: Mode) -> None:
    solved = 0
    for seed in range(4):
        plies = 3 + seed if text != "tic-tac-mo" else 8 + seed
        search = Search(solve=True)
        _, tree, _ = grow_both(text, search, 300, plies=plies, seed=seed, mode=mode)
        solved += int(tree.nodes["solved"][0])
    assert solved > 0 or text.startswith("go")


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize(("c", "ref", "bias"), [(0.0, 0, 1e-10), (0.3, 20, 0.01)])
def test_all_moves_as_first(text: str, c: float, ref: int, bias: float) -> None:
    for seed in (1, 2):
        search = Search(c=c, amaf=True, ref=ref, bias=bias, solve=seed == 2)
        grow_both(text, search, 300, plies=seed, seed=seed)


def test_all_moves_as_first_for_a_paranoid_seat() -> None:
    grow_both("tic-tac-mo", Search(amaf=True, ref=5), 300, plies=1, mode=Mode.PARANOID)


@pytest.mark.parametrize("fpu", [0.0, 0.4, 1.1])
def test_first_play_urgency(fpu: float) -> None:
    _, tree, _ = grow_both("tic-tac-mo", Search(c=0.2, fpu=fpu), 300)
    if fpu == 0.0:  # an early win is followed at once
        assert tree.nodes["tried"][0] < tree.nodes["count"][0]
    grow_both("tic-tac-mo", Search(c=0.2, fpu=fpu, amaf=True), 300)


def test_other_evaluations() -> None:
    grow_both("othello:size=6", Search(), 300, evaluation=Lead(worth=0.05))


def test_win_as_reward() -> None:
    _, tree, _ = grow_both("go:size=3,players=3", Search(wins=True), 300)
    totals = tree.nodes["totals"][0]
    assert totals.sum() == pytest.approx(300)  # shares, where scores often sum to less


# --- leaves in batches --------------------------------------------------------


def network(game: Any) -> Any:
    """It stands for a network: any priors and values that depend on the position."""

    def judge(position: Any) -> tuple[list[float], list[float]]:
        mixed = np.random.default_rng(int(rules.key(game, position)))
        values = mixed.dirichlet(np.ones(game.limits().seats))
        return mixed.uniform(size=game.limits().moves).tolist(), values.tolist()

    return judge


def search_in_batches(
    game: Any, search: Search, positions: Any, visits: int, judge: Any, seed: int, *, planted: bool
) -> tuple[Any, list[int]]:
    """Grow a tree from each position; returns them and how many leaves each batch had."""
    count = len(positions)
    trees, batch = new_trees(game, count, 100_000), new_batch(game, count)
    randoms = np.concatenate([seeded(seed, number) for number in range(count)])
    for number in range(count):
        tree = tree_of(trees, np.int64(number))
        plant(game, tree, positions[number]) if planted else uproot(tree)
    sizes = []
    while waiting := gather(game, search, positions, trees, randoms, visits, batch):
        judged = [judge(batch.leaves[i]) for i in range(waiting)]
        priors = np.array([likely for likely, _ in judged], np.float32)
        values = np.array([value for _, value in judged], np.float32).astype(np.float64)
        deliver(game, search, trees, batch, waiting, priors, values)
        sizes.append(waiting)
    return trees, sizes


def rounded(judge: Any) -> Any:
    """The same numbers as they come from a network: of single precision."""

    def single(position: Any) -> tuple[list[float], list[float]]:
        likely, values = judge(position)
        return np.array(likely, np.float32).tolist(), np.array(values, np.float32).tolist()

    return single


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("solve", [False, True])
def test_puct_grows_the_same_trees(text: str, solve: bool) -> None:
    game, search = make(text), Search(c=1.5, fpu=0.2, puct=True, solve=solve)
    positions = rules.new_positions(game, 4)
    for plies in range(4):
        positions[plies] = position_after(game, plies, plies)
    judge = network(game)
    trees, sizes = search_in_batches(game, search, positions, 120, judge, 5, planted=False)
    assert max(sizes) == 4
    for number, position in enumerate(positions):
        reference = ReferenceUct(
            game, position, None, search, seeded(5, number), network=rounded(judge)
        )
        reference.run(120)
        compare(game, tree_of(trees, np.int64(number)), 0, reference.root)


@pytest.mark.parametrize(("candidates", "scale"), [(0, 1.0), (1, 1.0), (4, 0.02), (16, 1.0)])
def test_halving_and_inherited_hopes_grow_the_same_trees(candidates: int, scale: float) -> None:
    game = make("tic-tac-mo")
    search = Search(c=1.5, fpu=0.1, puct=True, inherits=True, candidates=candidates, scale=scale)
    positions = rules.new_positions(game, 4)
    for plies in range(4):  # the last one has fewer moves than candidates
        positions[plies] = position_after(game, 3 * plies, plies)
    judge = network(game)
    trees, _ = search_in_batches(game, search, positions, 60, judge, 5, planted=False)
    for number, position in enumerate(positions):
        reference = ReferenceUct(
            game, position, None, search, seeded(5, number), network=rounded(judge)
        )
        reference.run(60)
        compare(game, tree_of(trees, np.int64(number)), 0, reference.root)


def test_batches_grow_the_same_trees_as_a_compiled_evaluation() -> None:
    """Hundreds at once, with an evaluation that a Python function repeats."""
    game, search, sims = make("othello:size=6"), Search(solve=True), 60
    positions = rules.new_positions(game, 300)
    for seed in range(300):
        positions[seed] = position_after(game, seed % 30, seed)

    def lead(position: Any) -> tuple[list[float], list[float]]:
        points = np.zeros(2)
        rules.points(game, position, points)
        value = min(max(0.5 + (points[0] - points[1]) * 0.015625, 1e-6), 1 - 1e-6)
        return [1.0] * game.limits().moves, [value, 1.0 - value]

    trees, sizes = search_in_batches(game, search, positions, sims, lead, 7, planted=True)
    assert max(sizes) > 250
    for number, position in enumerate(positions):
        tree = tree_of(new_trees(game, 1, 100_000), ROOT)
        plant(game, tree, position)
        chance = seeded(7, number)
        simulate(Lead(worth=0.015625), game, search, position, tree, chance, sims, GO_ON)
        same_tree(tree, tree_of(trees, np.int64(number)), 0, 0)


def same_tree(one: Tree, other: Tree, place: int, place_there: int) -> None:
    here, there = one.nodes[place], other.nodes[place_there]
    assert here["visits"] == there["visits"]
    assert here["totals"] == pytest.approx(there["totals"], abs=1e-5)
    assert here["tried"] == there["tried"]
    for i in range(here["tried"]):
        child, child_there = here["first"] + i, there["first"] + i
        assert one.moves[child] == other.moves[child_there]
        same_tree(one, other, child, child_there)
