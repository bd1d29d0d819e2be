"""Our players as engines of NBoard: its documented exchange, and lines that nobody sends."""

from __future__ import annotations

import random
import re
import time

import pytest

from quintet.bridges.nboard_server import Engine, serve
from tests.unit.engine_talk import Talk, silent

START = "(;GM[Othello]PC[NBoard]DT[2014-02-21]PB[me]PW[you]RE[?]TI[5:00]TY[8]BO[8 --------------------------- O*------*O--------------------------- *]B[F5//0.01]W[F6//0.5];)"  # fmt: skip # noqa: E501
SMALL = "(;GM[Othello]TY[4]BO[4 -----O*--*O----- *];)"


class Said:
    """An engine without a process, and what it said to the last line."""

    def __init__(self, player: str = "greedy") -> None:
        self.lines: list[str] = []
        channel = silent()
        channel.say = self.lines.append  # type: ignore[method-assign]
        self.engine = Engine(player, 1, channel)

    def __call__(self, line: str) -> list[str]:
        self.lines.clear()
        self.engine.obey(line)
        return [text.rstrip("\n") for text in self.lines]


def test_the_exchange_of_the_documentation() -> None:
    it = Talk(lambda channel: serve(Engine("uct:sims=300", 1, channel), channel))
    it.say("nboard 2")
    assert it.until("\n") == "set myname Quintet uct:sims=300\n"
    it.say("set depth 4", "set contempt 0", f"set game {START}", "ping 7")
    assert it.until("\n") == "pong 7\n"
    it.say("go")
    assert it.until("\n") == "status Thinking\n"
    found = re.fullmatch(r"=== ([A-H][1-8])/-?\d+\.\d\d/\d+\.\d\d\n", it.until("\n"))
    assert found is not None
    assert it.until("\n") == "status\n"
    it.say(f"move {found[1]}/1.5/0.2", "learn")  # the engine did not make it by itself
    assert it.until("\n") == "learned\n"
    it.say("hint 3")
    assert it.until("\n") == "status Thinking\n"
    for _ in range(3):
        assert re.fullmatch(r"search ([A-H][1-8]|PA)+ -?\d+\.\d\d 0 \d+\n", it.until("\n"))
    assert re.fullmatch(r"nodestats \d+ \d+\.\d\d\n", it.until("\n"))
    begun = time.monotonic()
    it.say("ping 8")  # which ends the hint
    assert it.until("pong 8\n").splitlines()[-2:] == ["status", "pong 8"]
    assert time.monotonic() - begun < 10
    it.say("analyze", "unknown words are ignored", "move F5", "quit")
    assert it.until("\n").startswith("status error: move f5: not legal here")
    it.thread.join(30)
    assert not it.thread.is_alive()


def test_ping_ends_a_thought() -> None:
    it = Talk(lambda channel: serve(Engine("uct:sims=0,seconds=1000", 1, channel), channel))
    it.say("go")
    it.until("status Thinking\n")
    time.sleep(0.3)
    it.say("ping 1")
    said = it.until("pong 1\n").splitlines()
    assert said[0].startswith("=== ")
    assert said[1:] == ["status", "pong 1"]
    it.end()


def test_the_board_is_told_by_ggf_of_any_size() -> None:
    it = Said()
    assert it(f"set game {SMALL}") == []
    assert it("go")[1].startswith("=== ")
    told = it("set game (;GM[Othello]BO[8 xx];)")
    assert told[0].startswith("status error: ")
    assert it("move A1") == ["status error: move a1: not legal here"]
    assert it("hint x") == ["status error: hint 'x'; expected a whole number"]
    assert it("set depth x") == ["status error: depth 'x'; expected a whole number"]
    assert it("ping") == ["status error: ping ''; expected a whole number"]


def test_a_forced_pass_and_the_end() -> None:
    it = Said("alphabeta:depth=2")
    it(f"set game {SMALL}")
    seen = set()
    for _ in range(40):
        said = it("go")
        if said == ["status error: the game is over"]:
            break
        move = said[1].split()[1].partition("/")[0]
        seen.add(move)
        assert it(f"move {move}") == []
    assert said == ["status error: the game is over"]
    assert it("hint 1") == said


def test_depth_is_of_players_that_have_one() -> None:
    it = Said("alphabeta:depth=9")
    it("set depth 1")
    assert it.engine._player.depth == 0  # ours is counted after the move
    it = Said("uct:sims=20")
    it("set depth 1")
    assert it.engine._player.sims == 20


WORDS = ["nboard", "set", "game", "depth", "contempt", "move", "hint", "go", "ping", "learn", "analyze", SMALL, START, "F5", "f5/1/2", "PA", "A1", "C3//", "1", "2", "-1", "99999999999999999999", "(;", "é", "\x00", "/"]  # fmt: skip # noqa: E501
ANSWER = re.compile(r"set myname .+|status.*|pong \d+|learned|=== .+|search .+|nodestats .+")


def _fuzz(count: int, seed: int) -> None:
    chance, it = random.Random(seed), Said("random")
    for _ in range(count):
        line = " ".join(chance.choices(WORDS, k=chance.randrange(4)))
        if chance.random() < 0.5:
            line = f"set game {chance.choice([SMALL, START])}"
        if chance.random() < 0.4 and line:
            at = chance.randrange(len(line))
            line = line[:at] + chr(chance.randrange(300)) + line[at + 1 :]
        if re.search(r"BO\[[^48]", line):
            continue  # compiling other sizes is not what is tried
        for text in it(line):
            assert ANSWER.fullmatch(text), (line, text)


def test_mutated_lines() -> None:
    _fuzz(500, 1)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_many_mutated_lines() -> None:
    _fuzz(100_000, 2)
