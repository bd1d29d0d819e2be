"""Our players as brains of Piskvork: the protocol's own examples, and lines that nobody sends."""

from __future__ import annotations

import random
import re
import time
from collections import Counter

import pytest

from quintet.bridges.gomocup_server import Brain, serve
from tests.unit.engine_talk import Talk, silent

MOVE = re.compile(r"\d{1,2},\d{1,2}")


def brain(player: str = "greedy") -> Brain:
    return Brain(player, 1, silent())


def test_the_transcript_of_the_specification() -> None:
    """A game, a board at once and a take-back, as protocl2en.htm shows them."""
    it = Talk(lambda channel: serve(Brain("greedy", 1, channel), channel))
    it.say("START 20\r")
    assert it.until("\r\n") == "OK\r\n"
    it.say("INFO timeout_turn 5000", "INFO max_memory 83886080", "INFO folder /tmp", "BEGIN")
    assert MOVE.fullmatch(it.until("\r\n").strip())
    it.say("RESTART")
    assert it.until("\r\n") == "OK\r\n"
    it.say("TURN 10,10")
    mine = it.until("\r\n").strip()
    assert MOVE.fullmatch(mine)
    it.say(f"TAKEBACK {mine}")
    assert it.until("\r\n") == "OK\r\n"
    it.say("BOARD", "10,10,1", "10,11,2", "11,11,1", "9,10,2", "DONE")
    assert MOVE.fullmatch(it.until("\r\n").strip())
    it.say("ABOUT")
    assert re.fullmatch(r'name="[^"]+", version="[^"]+", author="[^"]+", country="[^"]+"\r\n', it.until("\r\n"))  # fmt: skip # noqa: E501
    it.say("START 3", "HELLO world", "END")
    assert it.until("\r\n").startswith("ERROR size '3'; expected 5 to 20")
    assert it.until("\r\n") == "UNKNOWN 'HELLO'\r\n"
    it.thread.join(30)
    assert not it.thread.is_alive()


def test_cells_are_columns_and_rows_from_the_top_left() -> None:
    it = brain()
    assert it.answer("RECTSTART 9,7") == "OK"
    it.answer("BOARD")
    for x in (5, 6, 7, 8):  # four in the lowest row, open at one end
        it.answer(f"{x},6,1")
        it.answer(f"{x},{0 if x % 2 else 3},2")
    assert it.answer("DONE") == "4,6"
    assert it.answer("TURN 0,0") == "ERROR move a7: the game is over"
    assert it.answer("TURN 7,9") == "ERROR '7,9' is no cell; expected one from 0,0 to 8,6"


def test_a_board_in_no_order_of_play_and_ones_that_are_wrong() -> None:
    it = brain()
    it.answer("RECTSTART 9,7")
    for line in ("BOARD", "0,0,2", "1,0,2", "2,0,2", "3,0,2", "8,6,1"):
        assert it.answer(line) is None
    assert it.answer("DONE") == "4,0"  # it blocks, though not even two stones are its own
    for line, told in (("1,1,3", "expected x,y,1"), ("8,7,1", "no cell"), ("x", "expected x,y,1")):
        for part in ("BOARD", "0,0,1", line):
            assert it.answer(part) is None
        assert told in str(it.answer("DONE"))
    for part in ("BOARD", "0,0,1", "0,0,2"):
        it.answer(part)
    assert "a stone is there already" in str(it.answer("DONE"))
    it.answer("BOARD")
    for x in range(5):
        it.answer(f"{x},0,2")
    assert it.answer("DONE") == "ERROR the game is over"


def test_exactly_five_and_rules_that_are_refused() -> None:
    it = brain()
    assert it.answer("TURN 1,1") == "ERROR no board; expected START first"
    it.answer("RECTSTART 9,7")
    assert it.answer("INFO rule 1") is None
    four = [(0, 1), (1, 1), (2, 1), (4, 1), (5, 1)]  # filling the gap makes six
    for line in ("BOARD", *(f"{x},{y},1" for x, y in four), *(f"{x},6,2" for x in (0, 2, 4, 6, 8))):
        it.answer(line)
    assert it.answer("DONE") != "3,1"
    for rule, name in ((2, "goes on after"), (4, "Renju"), (8, "Caro"), (5, "Renju")):
        assert it.answer(f"INFO rule {rule}") is None
        assert name in str(it.answer("RECTSTART 9,7"))
        assert name in str(it.answer("BEGIN"))
    assert it.answer("INFO rule 0") is None
    assert MOVE.fullmatch(str(it.answer("BEGIN")))


def test_time_and_memory_are_kept() -> None:
    it = brain("uct:sims=0,seconds=1000")
    for line in ("INFO max_memory 1000000", "INFO timeout_turn 100", "INFO time_left 100000"):
        it.answer(line)
    it.answer("RECTSTART 9,7")
    begun = time.monotonic()
    assert MOVE.fullmatch(str(it.answer("BEGIN")))
    it.answer("INFO timeout_turn 0")  # as fast as it can
    assert re.match(r"\d|ERROR", str(it.answer("TURN 0,0")))  # it may be there already
    assert time.monotonic() - begun < 20
    assert it._thinker is not None
    assert it._thinker._seat is not None
    assert it._thinker._seat.player.nodes == 10_000


def test_a_thought_is_ended_by_stop_and_end() -> None:
    it = Talk(lambda channel: serve(Brain("uct:sims=0,seconds=1000", 1, channel), channel))
    it.say("RECTSTART 9,7")
    it.until("OK\r\n")
    it.say("BEGIN")
    time.sleep(0.2)
    it.say("YXSTOP")
    assert it.until("\r\n").startswith("MESSAGE value 0.")
    assert MOVE.fullmatch(it.until("\r\n").strip())
    it.say("PLAY 0,0")
    assert it.until("\r\n") == "0,0\r\n"
    it.say("BEGIN")
    time.sleep(0.2)
    it.say("END")
    it.thread.join(30)
    assert not it.thread.is_alive()


def test_two_brains_play_a_whole_game_on_the_board_of_gomocup() -> None:
    brains = [brain("greedy"), brain("random")]
    for it in brains:
        assert it.answer("START 20") == "OK"
    reply, turn = str(brains[0].answer("BEGIN")), 1
    for _ in range(400):
        assert MOVE.fullmatch(reply)
        reply = str(brains[turn].answer(f"TURN {reply}"))
        turn = 1 - turn
        if reply.startswith("ERROR"):
            break
    assert reply == "ERROR the game is over"


WORDS = ["START", "RECTSTART", "RESTART", "BEGIN", "TURN", "BOARD", "DONE", "TAKEBACK", "PLAY", "INFO", "rule", "max_memory", "timeout_turn", "timeout_match", "time_left", "game_type", "ABOUT", "STOP", "SWAP2BOARD", "5", "5,5", "0,0", "4,4", "2,3", "1,1,1", "2,2,2", "3,3,3", "-1", "0", "1", "4", "99999999999999999999", "x,y", "é", "\x00", ","]  # fmt: skip # noqa: E501
ANSWER = re.compile(r"OK|\d,\d|(ERROR|UNKNOWN) .+|name=.*")


GOOD = ["START 5", "RECTSTART 5,5", "RESTART", "BEGIN", "TURN {},{}", "PLAY {},{}", "TAKEBACK {},{}", "BOARD", "{},{},1", "{},{},2", "DONE", "DONE", "DONE", "DONE", "INFO rule {}", "INFO time_left {}{}"]  # fmt: skip # noqa: E501


def _line(chance: random.Random) -> str:
    """A good line, or one of words in any order, perhaps with a letter changed."""
    line = " ".join(chance.choices(WORDS, k=chance.randrange(4)))
    if chance.random() < 0.7:
        line = chance.choice(GOOD).format(chance.randrange(5), chance.randrange(5))
    if chance.random() < 0.3 and line:
        at = chance.randrange(len(line))
        line = line[:at] + chr(chance.randrange(300)) + line[at + 1 :]
    is_other_size = "START" in line.upper() and set(re.findall(r"\d+", line)) - {"5"}
    return "" if is_other_size else line  # compiling other sizes is not what is tried


def _fuzz(count: int, seed: int) -> None:
    chance = random.Random(seed)
    it = brain("random")
    it.answer("START 5")
    told: Counter[str] = Counter()
    for _ in range(count):
        line = _line(chance)
        reply = it.answer(line)
        assert reply is None or ANSWER.fullmatch(reply), (line, reply)
        assert it._so_far is None or it._so_far.game.rows == 5
        told[(reply or "").split(" ")[0]] += 1
    moves = sum(told[word] for word in told if MOVE.fullmatch(word))
    assert min(moves, told["OK"], told["ERROR"], told["UNKNOWN"]) > 0, told


def test_mutated_lines() -> None:
    _fuzz(500, 1)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_many_mutated_lines() -> None:
    _fuzz(100_000, 2)
