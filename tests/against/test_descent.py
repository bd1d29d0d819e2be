"""Descent and unbounded best-first search against plain max^n: what is solved is exact."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.games import make
from quintet.players.descent import Descent, search, solved_values
from quintet.randomness import seeded
from quintet.search.descent import iterate, ordinal_edge
from quintet.search.evaluation import Level
from tests.against.test_uct import position_after

EVERYDAY = [("tic-tac-mo", 8, False), ("tic-tac-mo", 7, True)]
LATER = [
    ("tic-tac-toe", 0, False),
    ("tic-tac-toe", 2, True),
    ("othello:size=4", 0, False),
    ("go:size=2,players=3", 0, True),
    ("pente:size=5,players=4", 21, True),
]


def obvious(game: Any, position: Any) -> tuple[float, ...]:
    """Each mover takes the highest own score, then the widest lead, then the first of these."""
    limits, known = game.limits(), {}

    def value(scores: list[float]) -> tuple[float, ...]:
        return tuple((s - limits.lowest) / (limits.highest - limits.lowest) for s in scores)

    def best(here: Any) -> tuple[float, ...]:
        if rules.is_over(game, here):
            return value(rules.list_scores(game, here))
        key = here.tobytes()
        if key not in known:
            mover = rules.turn(game, here)
            found = []
            for move in rules.list_legal_moves(game, here):
                after = rules.copied(here)
                rules.play(game, after, move)
                found.append(best(after))
            known[key] = max(found, key=functools.partial(liking, mover))
        return known[key]

    def liking(mover: int, values: tuple[float, ...]) -> tuple[float, float]:
        return values[mover], values[mover] - max(v for s, v in enumerate(values) if s != mover)

    return best(position)


def compare(text: str, plies: int, deep: bool) -> None:
    game = make(text)
    for seed in range(6 if plies else 1):
        position = position_after(game, plies, seed)
        player = Descent(sims=10**6, deep=deep, nodes=10**6)
        graph = player.memory(game)
        search(Level(), game, position, graph, seeded(seed), player.sims, deep)
        expected = obvious(game, position)
        values = solved_values(game, graph)
        assert values is not None
        assert values == pytest.approx(expected)
        thoughts = player.thoughts(game, position, graph)
        assert thoughts.solved
        assert thoughts.values[0] == pytest.approx(values)


@pytest.mark.parametrize(("text", "plies", "deep"), EVERYDAY)
def test_what_is_solved_is_exact(text: str, plies: int, deep: bool) -> None:
    compare(text, plies, deep)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "plies", "deep"), LATER)
def test_what_is_solved_is_exact_in_other_games(text: str, plies: int, deep: bool) -> None:
    compare(text, plies, deep)


def test_moves_for_learning_are_drawn_by_rank() -> None:
    """P(i) = (e + (1 - e) / (n - i)) (1 - sum of P before i)."""
    game = make("tic-tac-mo")
    position = position_after(game, 8, 3)
    graph = Descent(sims=50).memory(game)
    search(Level(), game, position, graph, seeded(1), 1, False)
    assert graph.work["root"][0] == 0
    first, count = int(graph.nodes["first"][0]), int(graph.nodes["count"][0])
    mover = int(graph.nodes["mover"][0])
    graph.edges["values"][first : first + count, mover] = np.linspace(0.1, 0.9, count)
    expected, left = [], 1.0
    for i in range(count):
        likely = 0.4 + 0.6 / (count - i)
        expected.append(likely * left)
        left *= 1.0 - likely
    chance = seeded(5)
    drawn = [int(ordinal_edge(graph, 0.4, chance)) - first for _ in range(4000)]
    shares = [drawn.count(count - 1 - i) / 4000 for i in range(count)]
    assert shares == pytest.approx(expected, abs=0.03)


def test_a_full_graph_stops_the_search() -> None:
    game = make("tic-tac-mo")
    player = Descent(sims=10**6, nodes=100)
    graph = player.memory(game)
    search(Level(), game, rules.new_position(game), graph, seeded(1), player.sims, False)
    assert graph.work["edges"][0] <= 100
    assert not iterate(Level(), game, graph, seeded(1), False)
