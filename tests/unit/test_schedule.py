"""Seats and meetings are balanced exactly."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest

from quintet.arena.schedule import meetings, orders, plan_rounds, rounds_for


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6])
def test_every_player_has_every_seat_equally_often(seats: int) -> None:
    seating = orders([f"p{n}" for n in range(seats)])
    assert all(sorted(order) == list(range(seats)) for order in seating)
    had = Counter((player, seat) for order in seating for seat, player in enumerate(order))
    assert set(had.values()) == {len(seating) // seats}
    assert len(had) == seats * seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_few_players_sit_in_all_orders(seats: int) -> None:
    seating = orders([f"p{n}" for n in range(seats)])
    assert sorted(seating) == sorted(itertools.permutations(range(seats)))


def test_of_five_each_two_have_each_two_seats_once() -> None:
    seating = orders(list("abcde"))
    pairs = Counter(
        (order[i], order[j], i, j)
        for order in seating
        for i, j in itertools.permutations(range(5), 2)
    )
    assert len(seating) == 20
    assert len(pairs) == 20 * 20
    assert set(pairs.values()) == {1}


def test_of_six_each_follows_each_other_once() -> None:
    seating = orders(list("abcdef"))
    follows = Counter(pair for order in seating for pair in itertools.pairwise(order))
    assert len(seating) == 6
    assert len(follows) == 30
    assert set(follows.values()) == {1}


@pytest.mark.parametrize(
    ("names", "count"),
    [("aab", 3), ("aaa", 1), ("aabb", 6), ("abab", 6), ("aaaaa", 1), ("aaaaab", 6)],
)
def test_the_same_player_twice_gives_fewer_orders(names: str, count: int) -> None:
    seating = orders(list(names))
    assert len(seating) == count
    assert len({tuple(names[p] for p in order) for order in seating}) == count
    for order in seating:
        assert sorted(order) == list(range(len(names)))
    had = Counter((names[p], seat) for order in seating for seat, p in enumerate(order))
    for name in set(names):
        counts = {had[name, seat] for seat in range(len(names))}
        assert counts == {count * names.count(name) // len(names)}


def test_rounds_are_whole_and_games_numbered() -> None:
    seating = orders(list("abc"))
    assert rounds_for(500, seating) == 84
    plan = plan_rounds(seating, 3, 7, 0, first_round=10).part(0, 99)
    assert plan.numbers.tolist() == list(range(60, 78))
    assert plan.rounds.tolist() == [10] * 6 + [11] * 6 + [12] * 6
    assert [tuple(row) for row in plan.orders[6:12].tolist()] == seating


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (5, 2), (4, 3), (6, 4)])
def test_all_sets_meet(players: int, seats: int) -> None:
    assert sorted(meetings(players, seats)) == sorted(itertools.combinations(range(players), seats))


@pytest.mark.parametrize(("players", "seats"), [(20, 2), (13, 3), (12, 4), (30, 3)])
def test_too_many_sets_are_chosen_in_balance(players: int, seats: int) -> None:
    sets = meetings(players, seats)
    assert len(sets) < math.comb(players, seats)
    assert all(len(set(members)) == seats for members in sets)
    assert len(set(Counter(player for members in sets for player in members).values())) == 1
    pairs = Counter(
        frozenset(pair) for members in sets for pair in itertools.combinations(members, 2)
    )
    counts = [pairs[frozenset(pair)] for pair in itertools.combinations(range(players), 2)]
    assert max(counts) - min(counts) <= 1 + (seats > 2)
    # everybody can be compared with everybody, if only through others
    reached = {0}
    for _ in range(players):
        reached |= {p for members in sets if reached & set(members) for p in members}
    assert reached == set(range(players))


def test_a_perfect_design_is_found() -> None:
    # 13 players in fours: the projective plane of order 3 lets each two meet once a turn
    pairs = Counter(
        frozenset(pair)
        for members in meetings(13, 4)
        for pair in itertools.combinations(members, 2)
    )
    assert len(pairs) == 13 * 12 // 2
    assert len(set(pairs.values())) == 1
