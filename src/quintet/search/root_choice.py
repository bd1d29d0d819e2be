"""What is tried at the root, where a network gave priors: by sequential halving, or with noise.

Danihelka, Guez, Schrittwieser and Silver 2022 ("Gumbel"): the moves with the highest
``luck + ln P`` are candidates, where luck is drawn from Gumbel's distribution, which is to
draw moves by their priors without putting them back.  They are tried equally often, and
the worse half is left out again and again.  The better policy that is learnt from it::

    softmax(ln P + sigma(q))    sigma(q) = (50 + max N) * scale * q

where a move that was not tried takes the mean of the network's value and those found, by
their priors.  Without luck the same is a search for play.

AlphaZero's way is to mix noise from Dirichlet's distribution into the priors.
"""

from __future__ import annotations

import math
from typing import Any

from quintet.compiled import borrowing, jit
from quintet.randomness import Random, uniform
from quintet.search.tree import ROOT, Tree, bring_likeliest, exchange, wanted

_VISITS = 50.0
_UNLIKELY = 1e-30
_LEAST = 1e-300  # in place of a 0 that has no logarithm
UNREADY, READY, QUICK = (
    0,
    1,
    -1,
)  # the root: to be prepared, prepared, to be prepared without chance


@borrowing
def prepare_root(search: Any, tree: Tree, seat: int, random: Random) -> None:
    """Draw what chance has to say, once the root has its priors: nothing in a quick search."""
    luck = search.luck if tree.walks[0].ready != QUICK else 0.0
    noise = search.noise if tree.walks[0].ready != QUICK else 0.0
    tree.walks[0].ready = READY
    tree.walks[0].hoped = wanted(
        tree.walks[0], seat, tree.nodes[ROOT].totals, float(tree.nodes[ROOT].visits)
    )
    if search.candidates > 0:
        for place in range(tree.nodes[ROOT].first, tree.nodes[ROOT].first + tree.nodes[ROOT].count):
            drawn = -math.log(-math.log(max(uniform(random), _LEAST)))
            tree.walks[0].luck[tree.moves[place]] = luck * drawn
        bring_candidates(search, tree)
    elif noise > 0.0:
        mix_noise(search, tree, random)


@borrowing
def bring_candidates(search: Any, tree: Tree) -> None:
    """Put the candidates first, the best before all others."""
    first, count = int(tree.nodes[ROOT].first), int(tree.nodes[ROOT].count)
    for place in range(first, first + min(search.candidates, count)):
        best = place
        for other in range(place + 1, first + count):
            if promise(tree, other) > promise(tree, best):
                best = other
        exchange(tree, place, best)
        prior = tree.edges[place].prior
        tree.edges[place].prior = tree.edges[best].prior
        tree.edges[best].prior = prior


@borrowing
def promise(tree: Tree, place: int) -> float:
    """How a child of the root looks before it is tried."""
    return tree.walks[0].luck[tree.moves[place]] + math.log(max(tree.edges[place].prior, _UNLIKELY))


@borrowing
def sigma(search: Any, tree: Tree, value: float) -> float:
    """How much a value counts beside a prior."""
    first, most = int(tree.nodes[ROOT].first), 0
    for place in range(first, first + tree.nodes[ROOT].tried):
        most = max(most, int(tree.nodes[place].visits))
    return (_VISITS + most) * search.scale * value


@borrowing
def visits_due(candidates: int, sims: int, done: int) -> int:
    """How often the candidate to be tried next has been tried, after so many simulations."""
    if candidates <= 1:
        return done
    rounds = math.ceil(math.log2(candidates))
    left, visits = candidates, 0
    while True:
        for _ in range(max(1, int(sims / (rounds * left)))):
            if done < left:
                return visits
            done -= left
            visits += 1
        left = max(2, left // 2)


@borrowing
def next_candidate(search: Any, tree: Tree, sims: int) -> int:
    """The place of the root's child to try next."""
    first, tried = int(tree.nodes[ROOT].first), int(tree.nodes[ROOT].tried)
    candidates = min(search.candidates, int(tree.nodes[ROOT].count))
    due = visits_due(candidates, sims, int(tree.nodes[ROOT].visits) - 1)
    if due == 0 and tried < candidates:
        return first + tried
    return best_visited(search, tree, due)


@borrowing
def best_visited(search: Any, tree: Tree, visits: int) -> int:
    """The best of the root's children with so many visits; of all of them if there is none."""
    first, tried = int(tree.nodes[ROOT].first), int(tree.nodes[ROOT].tried)
    best, highest, found = first, -math.inf, False
    for place in range(first, first + tried):
        is_due = tree.nodes[place].visits == visits
        if found and not is_due:
            continue
        score = promise(tree, place) + sigma(search, tree, tree.edges[place].value)
        if score > highest or (is_due and not found):
            best, highest = place, score
        found |= is_due
    return best


@borrowing
def decided(search: Any, tree: Tree) -> int:
    """The place of the move to play: the best of the most visited."""
    first, most = int(tree.nodes[ROOT].first), 0
    for place in range(first, first + tree.nodes[ROOT].tried):
        most = max(most, int(tree.nodes[place].visits))
    return best_visited(search, tree, most)


@jit
def write_better_policy(search: Any, tree: Tree, policy: Any) -> None:
    """Write for each move of the game how likely it should have been; 0 for all illegal ones."""
    policy[:] = 0.0
    first, count = int(tree.nodes[ROOT].first), int(tree.nodes[ROOT].count)
    tried = int(tree.nodes[ROOT].tried)
    unknown = value_of_untried(tree)
    highest = -math.inf
    for place in range(first, first + count):
        value = tree.edges[place].value if place < first + tried else unknown
        score = math.log(max(tree.edges[place].prior, _UNLIKELY)) + sigma(search, tree, value)
        policy[tree.moves[place]] = score
        highest = max(highest, score)
    total = 0.0
    for place in range(first, first + count):
        share = math.exp(policy[tree.moves[place]] - highest)
        policy[tree.moves[place]] = share
        total += share
    for place in range(first, first + count):
        policy[tree.moves[place]] /= total


@borrowing
def value_of_untried(tree: Tree) -> float:
    """What a move that was not tried is taken to be worth."""
    first, tried = int(tree.nodes[ROOT].first), int(tree.nodes[ROOT].tried)
    likely, found, visits = 0.0, 0.0, 0
    for place in range(first, first + tried):
        prior = max(tree.edges[place].prior, _UNLIKELY)
        likely += prior
        found += prior * tree.edges[place].value
        visits += int(tree.nodes[place].visits)
    if visits == 0:
        return tree.walks[0].hoped
    return (tree.walks[0].hoped + visits * found / likely) / (1 + visits)


@jit
def write_visits(tree: Tree, policy: Any) -> None:
    """Write for each move of the game its share of the visits at the root."""
    policy[:] = 0.0
    first, tried = int(tree.nodes[ROOT].first), int(tree.nodes[ROOT].tried)
    total = 0
    for place in range(first, first + tried):
        total += int(tree.nodes[place].visits)
    for place in range(first, first + tried):
        policy[tree.moves[place]] = tree.nodes[place].visits / max(total, 1)


# --- noise ----------------------------------------------------------------------


@borrowing
def mix_noise(search: Any, tree: Tree, random: Random) -> None:
    """Mix noise into the priors of the root's children."""
    first, count = int(tree.nodes[ROOT].first), int(tree.nodes[ROOT].count)
    total = 0.0
    for place in range(first, first + count):
        drawn = gamma(search.alpha, random)
        tree.walks[0].luck[tree.moves[place]] = drawn
        total += drawn
    if total <= 0.0:
        return
    for place in range(first, first + count):
        noise = tree.walks[0].luck[tree.moves[place]] / total
        prior = (1.0 - search.noise) * tree.edges[place].prior + search.noise * noise
        tree.edges[place].prior = prior
        if place < first + tree.nodes[ROOT].tried:
            tree.edges[place].rarity = prior / (1 + tree.nodes[place].visits)
    if tree.nodes[ROOT].tried < count:
        bring_likeliest(tree, ROOT)


@borrowing
def gamma(shape: float, random: Random) -> float:
    """A number from the gamma distribution of this shape (Marsaglia and Tsang 2000)."""
    raised = shape if shape >= 1.0 else shape + 1.0
    d = raised - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = normal(random)
        v = (1.0 + c * x) ** 3
        if v <= 0.0:
            continue
        u = max(uniform(random), _LEAST)
        if math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v):
            lower = 1.0
            if shape < 1.0:
                lower = max(uniform(random), _LEAST) ** (1.0 / shape)
            return d * v * lower


@borrowing
def normal(random: Random) -> float:
    """A number from the normal distribution (Box and Muller 1958)."""
    radius = math.sqrt(-2.0 * math.log(max(uniform(random), _LEAST)))
    return radius * math.cos(2.0 * math.pi * uniform(random))
