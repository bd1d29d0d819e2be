"""Players in threads: what they are told, how they are stopped, what is made of their thoughts."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import time
from typing import Any

import pytest

from quintet import games, rules
from quintet.players import make_player
from quintet.players.player import Seat, by_utility
from quintet.players.thinking import Answer, Line, Thinker, deepening
from quintet.web import thinking
from quintet.web.problems import Refused
from quintet.web.thinking import Pool, told

GAME = games.make("tic-tac-toe")


def line_of(*moves: int, round: int = 1) -> Line:
    position, positions = rules.new_position(GAME), []
    for move in moves:
        positions.append(rules.copied(position))
        rules.checked_play(GAME, position, move)
    return Line(round, tuple(range(len(moves) + 1)), moves, (*positions, position))


def always() -> bool:
    return True


def test_a_player_is_told_only_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []
    monkeypatch.setattr(Seat, "begin", lambda self: heard.append("begin"))
    monkeypatch.setattr(Seat, "watch", lambda self, position, move: heard.append(move))
    thinker = Thinker(lambda: make_player("random", GAME), GAME, 1)
    for line in (line_of(4), line_of(4, 0), line_of(4, 0, 8), line_of(4), line_of(2, round=2)):
        thinker.choose(line, always)
        heard.append("|")
    assert heard == ["begin", 4, "|", 0, "|", 8, "|", "begin", 4, "|", "begin", 2, "|"]


def test_a_search_is_compiled_before_its_clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    plain = Seat.choose

    def slow_at_first(self: Seat, position: Any) -> int:
        seen.append(self.player)
        return plain(self, position)

    monkeypatch.setattr(Seat, "choose", slow_at_first)
    player = make_player("uct:sims=30,seconds=5", GAME)
    answer = Thinker(lambda: player, GAME, 1).choose(line_of(4), always)
    assert [it.sims for it in seen] == [1, 30]
    assert answer.thoughts is not None
    assert sum(answer.thoughts.visits) == 30


def test_a_search_is_stopped_from_another_thread() -> None:
    game = games.make("tic-tac-mo")  # not solved at once
    player = make_player("uct:sims=0,seconds=30", game)
    thinker = Thinker(lambda: player, game, 1)
    position = rules.new_position(game)
    line = Line(1, (0,), (), (position,))
    thinker.choose(line, always, seconds=0.01)  # compiled
    clock = threading.Timer(0.2, thinker.stop)
    begun = time.perf_counter()
    clock.start()
    thinker.choose(line, always, seconds=30.0)
    assert time.perf_counter() - begun < 5.0
    clock.join()


def test_what_is_wanted_no_more_is_not_begun() -> None:
    thinker = Thinker(lambda: make_player("random", GAME), GAME, 1)
    with pytest.raises(concurrent.futures.CancelledError):
        thinker.choose(line_of(4), lambda: False)


def test_an_analysis_goes_on_where_it_was() -> None:
    player = deepening(make_player("uct:sims=50,seconds=1", GAME))
    assert (player.sims, player.reuse) == (0, True)
    assert deepening(make_player("greedy", GAME)) == make_player("greedy", GAME)
    thinker = Thinker(lambda: player, GAME, 1)
    visits = []
    for _ in range(3):
        answer = thinker.choose(line_of(), always, seconds=0.02)
        assert answer.thoughts is not None
        visits.append(sum(answer.thoughts.visits))
    assert visits == sorted(set(visits))
    assert thinker.deepens()
    assert thinker.resumes()


def test_a_player_without_thoughts_still_gives_a_hint() -> None:
    line = line_of(4)
    answer = Thinker(lambda: make_player("random", GAME), GAME, 1).choose(line, always)
    shown = told(answer, line, GAME, 1, "hint", "random", True)
    assert [move.move for move in shown.moves] == [answer.move]
    assert shown.values == [None, None]
    assert shown.line_names == [thinking.move_name(GAME, answer.move)]


def test_the_values_of_an_only_move_are_not_known() -> None:
    line = line_of(4, 0, 8, 2, 1, 7, 3, 5)
    thinker = Thinker(lambda: make_player("uct:sims=50,seconds=9", GAME), GAME, 1)
    answer = thinker.choose(line, always)
    assert told(answer, line, GAME, 0, "hint", "uct", True).values == [None, None]


def test_what_a_network_gives_each_move_is_told_as_it_is() -> None:
    line = line_of(4)
    thoughts = by_utility(GAME, {0: -3.5, 8: 12.0})
    shown = told(Answer(8, thoughts, 0.1), line, GAME, 1, "analysis", "net", True)
    assert [(move.move, move.utility) for move in shown.moves] == [(8, 12.0), (0, -3.5)]
    assert shown.values == [None, None]
    assert shown.line == [8]


def test_a_pool_has_an_end() -> None:
    gate = threading.Event()

    async def crowd() -> None:
        pool = Pool("test", 1, 1)
        waiting = [asyncio.create_task(pool.run(gate.wait)) for _ in range(2)]
        await asyncio.sleep(0.01)
        with pytest.raises(Refused, match="too many"):
            await pool.run(gate.wait)
        gate.set()
        await asyncio.gather(*waiting)
        await asyncio.sleep(0.01)
        assert await pool.run(lambda: 7) == 7
        pool.close()

    asyncio.run(crowd())


def test_a_search_that_is_still_being_made_is_stopped() -> None:
    game, gate = games.make("tic-tac-mo"), threading.Event()

    def slowly() -> Any:
        gate.wait(60)
        return make_player("uct:sims=0,seconds=1000", game)

    thinker = Thinker(slowly, game, 1)
    line = Line(1, (0,), (), (rules.new_position(game),))
    thread = threading.Thread(target=thinker.choose, args=[line, always], daemon=True)
    thread.start()
    time.sleep(0.05)
    thinker.stop()  # nobody is there yet who could be told
    gate.set()
    thread.join(120)
    assert not thread.is_alive()
