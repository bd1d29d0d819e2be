"""UCT as a player: what it finds, how strong it is, and that its settings do what they say."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.errors import UserError
from quintet.games import make
from quintet.notation import move_name, parse_move
from quintet.players import make_player, text_of
from quintet.players.player import Seat, is_compiled
from quintet.players.uct import Uct
from quintet.randomness import seeded
from quintet.search.evaluation import Playout
from quintet.search.tree import ROOT, child_by_move, new_trees, tree_of
from quintet.search.uct import Search, plant, simulate


def after(game: Any, moves: str) -> Any:
    position = rules.new_position(game)
    for name in moves.split():
        rules.checked_play(game, position, parse_move(game, name))
    return position


def seated(text: str, game: Any, seed: int = 1) -> Seat:
    seat = Seat(make_player(text, game), game, seeded(seed))
    seat.begin()
    return seat


def scores_of(game: Any, seats: list[Seat]) -> list[float]:
    """A whole game."""
    position = rules.new_position(game)
    for seat in seats:
        seat.begin()
    while not rules.is_over(game, position):
        move = seats[rules.turn(game, position)].choose(position)
        for seat in seats:
            seat.watch(position, move)
        rules.checked_play(game, position, move)
    return rules.list_scores(game, position)


# --- text ---------------------------------------------------------------------


def test_text() -> None:
    game = make("tic-tac-toe")
    text = "uct:sims=50,mode=paranoid,rave=grave,solve=yes,goal=win,eval=lead(worth=0.01)"
    assert text_of(make_player(text, game)) == text
    assert text_of(make_player("uct", game)) == "uct"
    assert make_player("uct:fpu=inf", game) == Uct()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uct:sims=0", "sims=0,seconds=0 never ends"),
        ("uct:mode=brave", "mode=brave is not possible; expected maxn or paranoid"),
        ("uct:threads=0", "threads=0 is not possible; expected 1 to 256"),
        ("uct:eval=nothing", "no evaluation 'nothing'"),
    ],
)
def test_bad_settings_are_refused(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        make_player(text, make("tic-tac-toe"))


def test_only_clocks_and_threads_need_python() -> None:
    assert is_compiled(Uct())
    assert not is_compiled(Uct(seconds=0.1))
    assert not is_compiled(Uct(threads=2))


# --- what it finds ------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "moves", "expected"),
    [
        ("tic-tac-toe", "a1 b1 a2 b2", "a3"),  # wins
        ("tic-tac-toe", "a1 b2 b1", "c1"),  # the only defence
        ("connect-four", "d a e a", "c"),  # an open three: wins by force
        ("tic-tac-mo", "a1 e2 e3 b1 d2 d3", "c1"),  # all three could win
    ],
)
def test_finds_the_move(game: str, moves: str, expected: str) -> None:
    rules_of = make(game)
    position = after(rules_of, moves)
    allowed = {expected, "f"} if game == "connect-four" else {expected}
    for seed in range(5):
        for extra in ("", ",solve=yes", ",rave=grave,c=0.2", ",fpu=2", ",final=value"):
            chosen = seated(f"uct:sims=2000{extra}", rules_of, seed).choose(position)
            assert move_name(rules_of, chosen) in allowed, (seed, extra)


def test_tic_tac_toe_is_proven_a_draw() -> None:
    game = make("tic-tac-toe")
    position = rules.new_position(game)
    seat = seated("uct:sims=100000,solve=yes", game)
    seat.choose(position)
    found = seat.thoughts(position)
    assert found is not None
    assert found.solved
    assert found.values[0] == [0.5, 0.5]
    assert sum(found.visits) < 100_000  # it stopped when all was known
    assert len(found.line) == 9


def solved_value(text: str, sims: int) -> list[float]:
    game = make(text)
    position = rules.new_position(game)
    seat = seated(f"uct:sims={sims},solve=yes", game)
    seat.choose(position)
    found = seat.thoughts(position)
    assert found is not None
    assert found.solved
    return found.values[0]


def brute_force(game: Any, position: Any) -> float:
    """What the first seat gets in a game of two with shares."""
    if rules.is_over(game, position):
        return rules.list_scores(game, position)[0]
    values = []
    for move in rules.list_legal_moves(game, position):
        following = rules.copied(position)
        rules.play(game, following, move)
        values.append(brute_force(game, following))
    return max(values) if rules.turn(game, position) == 0 else min(values)


@pytest.mark.slow
@pytest.mark.parametrize("size", ["rows=3,columns=4,k=3", "rows=2,columns=4,k=2"])
def test_small_connect_boards_are_solved(size: str) -> None:
    text = f"connect-four:{size}"
    game = make(text)
    expected = brute_force(game, rules.new_position(game))
    assert solved_value(text, 300_000) == [expected, 1 - expected]


def test_who_decides_between_others_is_not_certain() -> None:
    """X cannot win, but decides whether O does (at c3) or # (at a1 or d1)."""
    game = make("tic-tac-mo")
    position = after(game, "e2 a3 b1 d3 b3 c1")
    seat = seated("uct:sims=5000,solve=yes", game)
    seat.choose(position)
    found = seat.thoughts(position)
    assert found is not None
    assert not found.solved
    assert {tuple(values) for values in found.values} == {(0, 1, 0), (0, 0, 1)}
    # a paranoid seat does not care who of the others wins
    seat = seated("uct:sims=5000,solve=yes,mode=paranoid", game)
    seat.choose(position)
    found = seat.thoughts(position)
    assert found is not None
    assert found.solved


# --- seats, modes, goals ------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "tic-tac-mo",
        pytest.param("go-moku:rows=2,columns=5,k=3", marks=pytest.mark.slow),
        pytest.param("tic-tac-mo:rows=4,players=4", marks=pytest.mark.slow),
    ],
)
def test_values_land_in_the_right_seats(text: str) -> None:
    """Each has two in a row, a row for each; who is to move wins."""
    game = make(text)
    players = game.limits().seats
    for winner in range(players):
        position = rules.new_position(game)
        for ply in range(2 * players + winner):
            turn, number = ply % players, ply // players
            column = number if number < 2 else 4
            rules.checked_play(game, position, 5 * turn + column)
        seat = seated("uct:sims=3000", game)
        assert seat.choose(position) == 5 * winner + 2
        found = seat.thoughts(position)
        assert found is not None
        assert found.values[0] == [float(seat == winner) for seat in range(players)]


@pytest.mark.parametrize("mode", ["maxn", "paranoid", "coalition", "confident"])
def test_every_mode_beats_random_players(mode: str) -> None:
    game = make("tic-tac-mo")
    total = 0.0
    for number in range(30):
        place = number % 3
        seats = [seated("random", game, 100 * number + i) for i in range(3)]
        seats[place] = seated(f"uct:sims=200,mode={mode}", game, number)
        total += scores_of(game, seats)[place]
    assert total >= 21  # a random player would have 10


def test_the_confident_keep_the_view_that_is_best_for_them() -> None:
    game = make("tic-tac-mo")
    position = after(game, "c2")
    kept = set()
    for seed in range(20):
        seat = seated("uct:sims=600,mode=confident", game, seed)
        move = seat.choose(position)
        views = [tree_of(seat.memory.trees, np.int64(view)) for view in range(3)]
        assert [view.nodes["visits"][0] for view in views] == [200, 200, 200]
        values = []
        for view in views:
            first, tried = view.nodes["first"][0], view.nodes["tried"][0]
            best = max(range(first, first + tried), key=lambda place: view.nodes["visits"][place])
            values.append(view.nodes["totals"][best][1] / view.nodes["visits"][best])
        chosen = int(seat.memory.state["decided"][0])
        found = seat.thoughts(position)
        assert found is not None
        assert found.moves[0] == move
        assert found.values[0][1] >= max(values) - 1e-12 or chosen == np.argmax(values)
        kept.add(chosen)
    assert len(kept) > 1


@pytest.mark.parametrize(
    ("game", "games", "least"),
    [("connect-four", 20, 18), pytest.param("othello", 20, 19, marks=pytest.mark.slow)],
)
def test_unbeaten_by_simple_players(game: str, games: int, least: float) -> None:
    rules_of = make(game)
    for name in ("random", "greedy"):
        total = 0.0
        for number in range(games):
            seats = [seated(name, rules_of, number), seated(name, rules_of, number)]
            seats[number % 2] = seated("uct:sims=1000", rules_of, number)
            total += scores_of(rules_of, seats)[number % 2]
        assert total >= least, name


# --- budgets, memory, threads -------------------------------------------------


def test_a_single_move_is_played_without_search() -> None:
    game = make("tic-tac-toe")
    position = after(game, "a1 a2 a3 b1 b3 b2 c1 c3")
    seat = seated("uct:sims=1000000000", game)
    assert move_name(game, seat.choose(position)) == "c2"
    found = seat.thoughts(position)
    assert found is not None
    assert found.moves == found.line == [seat.choose(position)]
    assert found.visits == [0]


def test_full_memory_stops_growth_only() -> None:
    game = make("connect-four")
    position = rules.new_position(game)
    seat = seated("uct:sims=5000,nodes=100", game)
    seat.choose(position)
    found = seat.thoughts(position)
    assert found is not None
    assert sum(found.visits) == 5000
    assert found.nodes <= 100
    assert found.moves[0] == 3  # the middle is still the best


def test_seconds_are_kept() -> None:
    game = make("connect-four")
    position = rules.new_position(game)
    seat = seated("uct:sims=0,seconds=0.3", game)
    seat.choose(position)  # compiles
    begun = time.perf_counter()
    seat.choose(position)
    assert 0.25 < time.perf_counter() - begun < 2.0
    found = seat.thoughts(position)
    assert found is not None
    assert sum(found.visits) > 5_000


def test_threads_add_up_and_give_the_same_again() -> None:
    game = make("connect-four")
    position = rules.new_position(game)
    found = []
    for _ in range(3):
        seat = seated("uct:sims=1001,threads=3", game, 5)
        seat.choose(position)
        found.append(seat.thoughts(position))
    assert found[0] == found[1] == found[2]
    assert sum(found[0].visits) == 1001
    other = seated("uct:sims=1001,threads=2", game, 5)
    other.choose(position)
    assert other.thoughts(position) != found[0]


def test_the_same_seed_gives_the_same_choice() -> None:
    game = make("connect-four")
    position = rules.new_position(game)
    chosen = [seated("uct:sims=20", game, seed).choose(position) for seed in range(20)]
    again = [seated("uct:sims=20", game, seed).choose(position) for seed in range(20)]
    assert chosen == again
    assert len(set(chosen)) > 1


def test_the_interpreter_finds_the_same() -> None:
    code = (
        "from tests.unit.test_uct import found_in_all_ways\nprint(*found_in_all_ways(), sep='\\n')"
    )
    interpreted = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=interpreted, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [str(found) for found in found_in_all_ways()]


def found_in_all_ways() -> list[Any]:
    game = make("tic-tac-mo")
    found = []
    for extra in ("solve=yes", "rave=rave", "mode=confident,fpu=1", "reuse=yes,mode=coalition"):
        position = rules.new_position(game)
        seat = seated(f"uct:sims=60,{extra}", game)
        for _ in range(3):
            move = seat.choose(position)
            found.append(seat.thoughts(position))
            seat.watch(position, move)
            rules.checked_play(game, position, move)
    return found


# --- reuse --------------------------------------------------------------------


def statistics(tree: Any, place: int) -> Any:
    """All that a tree knows below a node."""
    node = tree.nodes[place]
    children = {}
    for child in range(node["first"], node["first"] + node["tried"]):
        children[int(tree.moves[child])] = statistics(tree, child)
    return int(node["visits"]), node["totals"].tolist(), int(node["solved"]), children


@pytest.mark.parametrize("extra", ["", ",solve=yes,mode=paranoid", ",rave=rave"])
def test_what_is_kept_is_what_was_known(extra: str) -> None:
    game = make("tic-tac-mo")
    position = rules.new_position(game)
    seat = seated(f"uct:sims=4000,reuse=yes{extra}", game)
    for _ in range(3):  # each time a round of the table
        seat.choose(position)
        for _ in range(3):
            tree = tree_of(seat.memory.trees, ROOT)
            first, tried = tree.nodes["first"][0], tree.nodes["tried"][0]
            places = range(first, first + tried)
            child = max(places, key=lambda place: tree.nodes["visits"][place])
            move = int(tree.moves[child])
            known = statistics(tree, child)
            seat.watch(position, move)
            rules.checked_play(game, position, move)
            assert statistics(tree_of(seat.memory.trees, ROOT), 0) == known
        seat.choose(position)
        found = seat.thoughts(position)
        assert found is not None
        assert sum(found.visits) >= known[0] - 1


def test_tables_of_moves_stay_with_their_nodes() -> None:
    game = make("tic-tac-toe")
    position = rules.new_position(game)
    seat = seated("uct:sims=3000,reuse=yes,rave=rave", game)
    move = seat.choose(position)
    tree = tree_of(seat.memory.trees, ROOT)
    child = child_by_move(tree, ROOT, move)
    before = tree.amaf[tree.nodes["table"][child]].copy()
    seat.watch(position, move)
    tree = tree_of(seat.memory.trees, ROOT)
    assert (tree.amaf[tree.nodes["table"][0]] == before).all()
    owned = tree.nodes["table"][: tree.walks["used"][0]]
    owned = owned[owned >= 0].tolist()
    assert len(owned) == len(set(owned))
    free, chain = int(tree.walks["free"][0]), []
    while free >= 0:
        chain.append(free)
        free = int(tree.amaf["count"][free, 0])
    assert not set(chain) & set(owned)
    assert len(chain) + len(owned) == tree.walks["unused"][0]


def test_another_position_is_not_mistaken_for_the_known_one() -> None:
    game = make("connect-four")
    seat = seated("uct:sims=500,reuse=yes", game)
    fresh = seated("uct:sims=500,reuse=yes", game)
    seat.choose(rules.new_position(game))
    position = after(game, "a b c")  # nobody told it of these moves
    seat.random[:] = fresh.random
    seat.choose(position)
    fresh.choose(position)
    assert seat.thoughts(position) == fresh.thoughts(position)


def test_more_is_known_with_reuse() -> None:
    game = make("connect-four")
    counts = {}
    for reuse in ("yes", "no"):
        position = rules.new_position(game)
        seat = seated(f"uct:sims=1000,reuse={reuse}", game)
        for _ in range(2):
            move = seat.choose(position)
            seat.watch(position, move)
            rules.checked_play(game, position, move)
        seat.choose(position)
        found = seat.thoughts(position)
        assert found is not None
        counts[reuse] = sum(found.visits)
    assert counts["no"] == 1000
    # one of seven moves has at least a seventh of the visits, and then again
    assert counts["yes"] >= 1000 + (1000 // 7 + 1000) // 7


def test_stop_ends_a_search() -> None:
    game = make("tic-tac-toe")
    position = rules.new_position(game)
    tree = tree_of(new_trees(game, 1, 1000), ROOT)
    plant(game, tree, position)
    done = simulate(
        Playout(), game, Search(), position, tree, seeded(1), 1 << 40, np.ones(1, np.int64)
    )
    assert done == 1
