"""What engines answer, mutated: a legal move comes out, or an error that names the engine."""

from __future__ import annotations

import pathlib
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from quintet import games, rules
from quintet.bridges.engines.conversation import Conversation
from quintet.bridges.engines.engine import Engine
from quintet.bridges.engines.player import EnginePlayer, Sitting
from quintet.bridges.engines.program import MOST_BYTES, EngineError, Program
from quintet.notation import parse_move

# the game, moves made before, and what an engine answers then
SCRIPTS = {
    "gtp": (
        "tic-tac-toe",
        "a1 b2 c3",
        b"= clear_board\nplay\ngenmove\nclear_cache\nset_random_seed\n\n"
        b"=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n= a3\n\n",
    ),
    "gomocup": (
        "k-in-a-row:rows=6,columns=7,k=4",
        "a1 b2 c3",
        b"OK\r\nMESSAGE thinking\r\nDEBUG 3\r\n3,3\r\n",
    ),
    "nboard": (
        "othello",
        "d3 c3",
        b"set myname fake\nstatus ready\npong 1\nstatus thinking\nnodestats 7 1\n=== C4/1.5/0.2\n",
    ),
    "pente": (
        "pente:tournament=yes",
        "K10 K11 K13",
        b"Pente version 2.2.5\nLevel of player 1 [0=Player, 1..9=Computer]: "
        b"Level of player 2 [0=Player, 1..9=Computer]: \n   19 . . . . . 19\n"
        b"Player 1 [#] moved at k10.\n   Comp Lv1 [O] moved at k11.\n  Player 1 [#]: ",
    ),
    "bsd-gomoku": ("go-moku:rows=19,columns=19", "K10 J9 L10", b"K10\nJ9\nL10\nM11\n"),
}
PENTE_BEFORE = "K10"  # its own moves it makes itself
PIECES = [
    *(b"\x00", b"\xff\xfe", b"\n", b"\n\n", b"\r", b"\a", b"=", b"?", b"? \n\n", b"=== ", b"=1 "),
    *(b"pass", b"resign", b"PA", b"99,99", b"-1,0", b"3,3,3", b"A0", b"z99", b"I9", b"K10"),
    *(b"ERROR no", b"UNKNOWN", b"pong 2", b"x" * 5000, b"9" * 400, "é\u0130".encode(), b"[#]"),
]


class Canned(Program):
    """A program that has said all it will say."""

    def __init__(self, content: bytes, home: pathlib.Path) -> None:
        self.name, self._timeout, self.home = "engine:canned", 1000.0, home
        self._content, self._read, self._waiting = content, bytearray(), bytearray()
        self._said = ""
        self._begin_answer()

    def _exchange(self, deadline: float, waits: bool = True) -> None:
        self._check_room()
        if not self._content:
            raise EngineError(f"{self.name} ended")
        self._read += self._content
        self._content = b""

    def wait_for(self, condition: Callable[[], bool]) -> None:
        (self.home / "saved").write_bytes(self._content)
        if not condition():
            raise EngineError(f"{self.name} did not answer")

    def close(self) -> None:
        pass

    @property
    def is_usable(self) -> bool:
        return True


def mutated(content: bytes, chance: random.Random) -> bytes:
    """A content with a few things changed."""
    for _ in range(chance.randrange(5)):
        at, other = chance.randrange(len(content) + 1), chance.randrange(len(content) + 1)
        first, last = sorted((at, other))
        kind = chance.randrange(6)
        if kind == 0:
            content = content[:at] + chance.choice(PIECES) + content[at:]
        elif kind == 1:
            content = content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :]
        elif kind == 2:
            content = content[:first] + content[last:]
        elif kind == 3:
            content = content[:last] + content[first:]
        elif kind == 4:
            content = content[:at]
        else:
            content = content[:first] + content[first:last][::-1] + content[last:]
    return content


def fuzz(protocol: str, count: int, home: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, names, content = SCRIPTS[protocol]
    game = games.make(text)
    player = EnginePlayer(Engine("canned", ("none",), protocol, (text,)), (), 1.0)
    chance = random.Random(f"{protocol} {count}")
    answers: list[bytes] = []

    def start(conversation: Conversation, *_: Any, **__: Any) -> Program:
        conversation._program = Canned(answers.pop(), home)
        return conversation._program

    monkeypatch.setattr(Conversation, "start", start)
    sitting = Sitting(player, game)
    for name in (PENTE_BEFORE if protocol == "pente" else names).split():
        sitting.line.play(parse_move(game, name))
    position = rules.copied(sitting.line.position)
    legal = set(rules.list_legal_moves(game, position))
    moves = errors = 0
    for _ in range(count):
        fresh = Sitting(player, game)
        fresh.line = sitting.line
        answers.append(mutated(content, chance))
        told = answers[-1]
        begun = time.monotonic()
        try:
            assert fresh.choose(position, 1) in legal
            moves += 1
        except EngineError as error:
            errors += 1
            assert "canned" in str(error), told  # noqa: PT017
            assert len(str(error)) < 4000, told  # noqa: PT017
        except Exception as error:
            raise AssertionError(told) from error
        answers.clear()
        assert time.monotonic() - begun < 20, told
    assert moves > count / 20
    assert errors > count / 20


@pytest.mark.parametrize("protocol", SCRIPTS)
def test_mutated_answers(
    protocol: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fuzz(protocol, 300, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("protocol", SCRIPTS)
def test_100_000_mutated_answers(
    protocol: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fuzz(protocol, 100_000, tmp_path, monkeypatch)


def test_the_largest_answers_are_cut(tmp_path: pathlib.Path) -> None:
    for content in (b"x" * (MOST_BYTES + 1), b"\n" * (2 * MOST_BYTES), b"OK\n" * MOST_BYTES):
        program = Canned(content, tmp_path)
        with pytest.raises(EngineError, match="said more than"):
            all(program.line() is not None for _ in range(4 * MOST_BYTES))
