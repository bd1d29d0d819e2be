"""The referee: the same games for any number of workers, seats that change, repeats told."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.arena.games import CHECKED_GAMES, Worker, WrongMove
from quintet.arena.match import Entrant, MatchResult, Terms, play_match
from quintet.arena.results import ranks, wins
from quintet.arena.running import Stop, played
from quintet.arena.schedule import orders, plan_rounds
from quintet.arena.tournament import play_tournament
from quintet.errors import UserError
from quintet.games import make
from quintet.randomness import below, next_word, seeded
from tests.unit.arena_players import GREEDY, RANDOM, Cheat, First, Sneak, Thinking, Wasteful

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


@pytest.mark.parametrize("waste", [0, 3])
def test_each_seat_of_each_game_has_random_numbers_of_its_own(waste: int) -> None:
    """Played again from the streams alone; what one player wastes, no other misses."""
    games, _ = all_games([Wasteful(waste), Wasteful(), Wasteful()], 10)
    seating = orders(["0", "1", "2"])
    for number, moves in enumerate(games):
        streams = [seeded(4, 8 * number + seat) for seat in range(3)]
        position = rules.new_position(MO)
        for move in moves:
            seat = int(rules.turn(MO, position))
            legal = rules.list_legal_moves(MO, position)
            assert move == legal[below(streams[seat], len(legal))]
            for _ in range(waste if seating[number % 6][seat] == 0 else 0):
                next_word(streams[seat])
            rules.play(MO, position, move)


def test_all_orders_of_a_round_begin_with_the_same_opening() -> None:
    games, _ = all_games([RANDOM, RANDOM, RANDOM], 10, opening=4)
    openings = [tuple(moves[:4]) for moves in games]
    assert all(len(set(openings[first : first + 6])) == 1 for first in range(0, 60, 6))
    assert len(set(openings)) >= 9
    assert len({tuple(moves) for moves in games}) == 60


@pytest.mark.parametrize("wrap", [lambda player: player, Thinking])
def test_an_illegal_move_is_told_with_its_player(wrap: Any) -> None:
    players = [Entrant("random", RANDOM), Entrant("sneak", wrap(Sneak()))]
    with pytest.raises(UserError, match=r"player 2 .* chose move .. in game \d+, which is not"):
        play_match(TOE, players, Terms(60, 1))


def test_every_sixteenth_game_is_checked_later() -> None:
    worker = Worker(TOE, [RANDOM, Sneak()])
    plan = plan_rounds([(0, 1)], 640, 1, 0, first_round=CHECKED_GAMES).part(0, 640)
    with pytest.raises(WrongMove) as error:
        worker.play(plan, np.zeros(1, np.int64))
    assert error.value.entrant == 1
    assert error.value.number > CHECKED_GAMES
    assert error.value.number % 16 == 0


def test_who_never_ends_a_game_does_no_harm() -> None:
    worker = Worker(TOE, [RANDOM, Cheat()])
    plan = plan_rounds([(0, 1)], 64, 1, 0, first_round=CHECKED_GAMES + 1).part(0, 7)
    assert not any(number % 16 == 0 for number in plan.numbers)
    with pytest.raises(WrongMove):
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
