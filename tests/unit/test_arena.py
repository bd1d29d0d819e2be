"""The referee: the same games for any number of workers, seats that change, repeats told."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.arena.games import CHECKED_GAMES, Worker
from quintet.arena.match import Entrant, MatchResult, Terms, play_match
from quintet.arena.results import ranks, wins
from quintet.arena.running import Stop, played
from quintet.arena.schedule import orders, plan_rounds
from quintet.arena.tournament import play_tournament
from quintet.errors import UserError
from quintet.games import make
from tests.unit.arena_players import GREEDY, RANDOM, Cheat, First, Thinking, Wasteful

MO = make("tic-tac-mo")
TOE = make("tic-tac-toe")
THREE = [Entrant("greedy", GREEDY), Entrant("random", RANDOM), Entrant("random", RANDOM)]
STUBBORN = [Entrant("first", First()), Entrant("last", First(last=True))]


def all_games(players: list[Any], count: int, opening: int = 0, workers: int = 1) -> Any:
    plan = plan_rounds(orders([str(n) for n in range(3)]), count, 4, opening)
    batches = list(played(MO, players, plan, workers))
    games = [
        moves[:length].tolist()
        for _, outcome in batches
        for moves, length in zip(outcome.moves, outcome.lengths, strict=True)
    ]
    return games, np.concatenate([outcome.scores for _, outcome in batches])


def same(one: MatchResult, other: MatchResult) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one.games, other.games, strict=True))


# --- games --------------------------------------------------------------------


@pytest.mark.parametrize("opening", [0, 3])
def test_python_plays_the_same_games(opening: int) -> None:
    compiled, scores = all_games([GREEDY, RANDOM, RANDOM], 20, opening)
    slow, slow_scores = all_games([Thinking(GREEDY), RANDOM, RANDOM], 20, opening)
    assert slow == compiled
    assert np.array_equal(scores, slow_scores)


def test_games_are_legal_and_their_scores_right() -> None:
    games, scores = all_games([GREEDY, RANDOM, RANDOM], 20)
    for moves, expected in zip(games, scores, strict=True):
        position = rules.new_position(MO)
        for move in moves:
            rules.checked_play(MO, position, move)
        assert rules.is_over(MO, position)
        assert rules.list_scores(MO, position) == expected.tolist()


def test_one_players_use_of_chance_does_not_change_anothers() -> None:
    plain, _ = all_games([Wasteful(), Wasteful(), Wasteful()], 30)
    other, _ = all_games([Wasteful(3), Wasteful(), Wasteful()], 30)
    seating = orders(["0", "1", "2"])
    same_first_moves = [
        a[0] == b[0] and (a[1] == b[1] or a[0] != b[0]) for a, b in zip(plain, other, strict=True)
    ]
    assert all(same_first_moves)  # the second seat's stream is its own
    wasteful_first = [g for g in range(len(plain)) if seating[g % 6][0] == 0]
    assert any(plain[g] != other[g] for g in wasteful_first)


def test_all_orders_of_a_round_begin_with_the_same_opening() -> None:
    games, _ = all_games([RANDOM, RANDOM, RANDOM], 10, opening=4)
    openings = [tuple(moves[:4]) for moves in games]
    assert all(len(set(openings[first : first + 6])) == 1 for first in range(0, 60, 6))
    assert len(set(openings)) >= 9
    assert len({tuple(moves) for moves in games}) == 60


@pytest.mark.parametrize("wrap", [lambda player: player, Thinking])
def test_an_illegal_move_is_told_with_its_player(wrap: Any) -> None:
    players = [Entrant("random", RANDOM), Entrant("cheat", wrap(Cheat()))]
    with pytest.raises(UserError, match=r"player 2 .* chose move a3 in game \d+, which is not"):
        play_match(TOE, players, Terms(20, 1))


def test_a_cheat_is_found_later_too_and_does_no_harm() -> None:
    worker = Worker(TOE, [RANDOM, Cheat()])
    plan = plan_rounds([(0, 1)], 64, 1, 0, first_round=CHECKED_GAMES).part(0, 64)
    with pytest.raises(Exception, match=r"\(1, 0, \d+\)"):
        worker.play(plan, np.zeros(1, np.int64))


def test_players_are_told_of_every_game_and_move() -> None:
    result = play_match(TOE, STUBBORN, Terms(40, 1, opening=2))  # else First returns -5
    assert len(result.games.numbers) == 40


# --- matches ------------------------------------------------------------------


@pytest.mark.parametrize("terms", [Terms(150, 5), Terms(900, 5, until_sure=True), Terms(90, 5, 4)])
def test_results_are_the_same_for_any_number_of_workers(terms: Terms) -> None:
    results = [play_match(MO, THREE, terms, workers) for workers in (1, 2, 5)]
    assert same(results[0], results[1])
    assert same(results[0], results[2])
    assert results[0].standings() == results[1].standings() == results[2].standings()
    assert results[0].winner == results[1].winner == results[2].winner


def test_another_seed_gives_other_games() -> None:
    assert not same(play_match(MO, THREE, Terms(30, 1)), play_match(MO, THREE, Terms(30, 2)))


def test_seats_are_had_equally_often() -> None:
    result = play_match(MO, THREE, Terms(100, 1))
    assert len(result.games.numbers) == 102
    had = Counter(zip(result.games.seatings.ravel(), itertools.cycle(range(3)), strict=False))
    assert {had[0, seat] for seat in range(3)} == {34}
    assert {had[1, seat] for seat in range(3)} == {68}


def test_standings_by_hand() -> None:
    result = play_match(MO, THREE, Terms(60, 3))
    games = result.games
    overall = next(s for s in result.standings() if s.player == "greedy" and s.seat is None)
    own = [
        scores[list(seating).index(0)]
        for seating, scores in zip(games.seatings, games.scores, strict=True)
    ]
    assert overall.score.mean == pytest.approx(np.mean(own))
    assert overall.wins.mean == pytest.approx(np.mean([score == 1.0 for score in own]))
    assert overall.games == 60
    second = next(s for s in result.standings() if s.player == "greedy" and s.seat == 1)
    assert second.score.mean == pytest.approx(np.mean(games.scores[games.seatings[:, 1] == 0, 1]))
    assert second.games == 20
    assert overall.score.low < overall.score.mean < overall.score.high
    assert result.standings()[0].player == "greedy"


def test_wins_and_ranks() -> None:
    scores = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [3.0, 1.0, 2.0]])
    assert wins(scores).tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert ranks(scores).tolist() == [[1, 2.5, 2.5], [1.5, 1.5, 3], [1, 3, 2]]


def test_a_rigged_match_is_flagged() -> None:
    """Forty games that are two (alpha-zero-general#337)."""
    result = play_match(TOE, STUBBORN, Terms(40, 1, opening=0))
    assert len(result.games.numbers) == 40
    assert result.games.distinct == 2


def test_players_without_chance_get_openings() -> None:
    result = play_match(TOE, STUBBORN, Terms(40, 1))
    assert result.deterministic
    assert result.opening == 4
    assert result.games.distinct > 30


def test_players_with_chance_get_none() -> None:
    result = play_match(MO, THREE, Terms(60, 1))
    assert not result.deterministic
    assert result.opening == 0
    assert result.games.distinct >= 58


def test_a_sure_winner_ends_the_match() -> None:
    result = play_match(MO, THREE, Terms(3000, 1, until_sure=True))
    assert result.winner == "greedy"
    assert len(result.games.numbers) < 600
    assert len(result.games.numbers) % 3 == 0
    assert not result.stopped


def test_equal_players_are_not_told_apart() -> None:
    players = [Entrant(name, RANDOM) for name in "abc"]
    result = play_match(MO, players, Terms(600, 1, until_sure=True))
    assert result.winner is None
    assert len(result.games.numbers) == 600


def test_a_stop_keeps_what_is_finished() -> None:
    stop = Stop()
    seen: list[int] = []

    def on_games(plan: Any, outcome: Any) -> None:
        seen.extend(plan.numbers.tolist())
        if len(seen) >= 20:
            stop.set()

    result = play_match(MO, THREE, Terms(10**6, 1), 2, stop, None, on_games)
    assert result.stopped
    assert 20 <= len(seen) == result.finished < 10**6
    assert len(result.games.numbers) % 3 == 0
    whole = play_match(MO, THREE, Terms(len(result.games.numbers), 1))
    assert same(whole, result)


@pytest.mark.parametrize(
    ("players", "terms", "told"),
    [
        (THREE[:2], Terms(10), r"2 player\(s\) for 3 seats"),
        (THREE, Terms(0), "0 games; expected at least 1"),
        (THREE, Terms(10, opening=500), "no opening of 500 plies"),
    ],
)
def test_what_cannot_be_played_is_refused(players: Any, terms: Terms, told: str) -> None:
    with pytest.raises(UserError, match=told):
        play_match(MO, players, terms)


# --- tournaments --------------------------------------------------------------


def test_a_tournament_finds_the_order() -> None:
    players = [Entrant(name, player) for name, player in
               [("a", RANDOM), ("b", GREEDY), ("c", RANDOM), ("d", GREEDY)]]  # fmt: skip
    results = [play_tournament(MO, players, Terms(60, 2), workers) for workers in (1, 2)]
    for one, other in zip(results[0].games, results[1].games, strict=True):
        assert np.array_equal(one, other)
    result = results[0]
    assert len(result.games.numbers) == result.planned == 4 * 60
    assert len(set(result.games.numbers.tolist())) == 240
    ratings = result.ratings()
    assert ratings.lead(1, 0).low > 0
    assert ratings.lead(3, 2).low > 0
    assert ratings.lead(1, 3).low < 0 < ratings.lead(1, 3).high
    ahead, behind = result.ahead(1, 0), result.ahead(0, 1)
    assert ahead is not None
    assert behind is not None
    assert ahead.low > 0.5
    assert ahead.mean + behind.mean == pytest.approx(1.0)
    had = Counter(zip(result.games.seatings.ravel(), itertools.cycle(range(3)), strict=False))
    assert set(had.values()) == {60}


def test_a_stopped_tournament_keeps_what_is_finished() -> None:
    stop = Stop()
    players = [Entrant(str(n), RANDOM) for n in range(4)]
    seen: list[int] = []

    def on_games(members: Any, plan: Any, outcome: Any) -> None:
        seen.extend(plan.numbers.tolist())
        if len(seen) > 300:
            stop.set()

    result = play_tournament(MO, players, Terms(10**5, 2), 2, stop, None, on_games)
    assert result.stopped
    assert sorted(result.games.numbers.tolist()) == sorted(seen)
    assert len(result.standings()) >= 4
    assert np.isfinite(result.ratings().values).all()


@pytest.mark.parametrize(
    ("names", "told"), [("ab", r"2 player\(s\) for 3 seats"), ("abca", "'a' is given twice")]
)
def test_wrong_fields_are_refused(names: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        play_tournament(MO, [Entrant(name, RANDOM) for name in names], Terms(6))
