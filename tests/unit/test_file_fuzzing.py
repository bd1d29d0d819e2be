"""No file can do harm: mutated ones are read, or refused with a message, and quickly.

What is read must also be written and read again with the same moves.
"""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from quintet import games
from quintet.bridges import sgf, sgf_game
from quintet.bridges.files import FORMATS
from quintet.bridges.game_tree import GameTree
from quintet.errors import UserError
from tests.unit.test_game_files import finished, preorder, random_tree

SMALL = "go-moku:rows=6,columns=6"
EVERYDAY, MANY = 500, 100_000
LONGEST = 5.0  # seconds of the processor for one small file
PIECES = [b"(", b")", b";", b"[", b"]", b"\\", b":", b"B[aa]", b"W[]", b"1[aa]", b"AB[aa:cc]", b"PL[W]", b"SZ[5]", b"GM[4]", b"KM[1e999]", b"CA[UTF-16]", b"BO[8 ", b";)", b"-1", b"1,1,0", b"\x00", b"\xff", b"pass", b"null", b'"parent":0', b"[[", b"{}", b"99999999999999999999", b"\n", b"\r\n", b"\xe2\x80\xa8", b"AE[aa:ee]", b"A3[bb]", b"NaN", b"QUINTET[go:size=5]"]  # fmt: skip # noqa: E501


def mutated(data: bytes, chance: random.Random) -> bytes:
    """A file with a few changes: bytes flipped, pieces put in, taken out or said twice."""
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((0, 1, 1, 4, 30)))
        change = chance.randrange(5)
        if change == 0:
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        elif change == 1:
            data = data[:at] + chance.choice(PIECES) + data[end:]
        elif change == 2:
            data = data[:at] + data[end:]
        elif change == 3:
            data = data[:end] + data[at:]
        else:
            data = data[:at] if chance.random() < 0.2 else data[:at] + data[end:] + data[at:end]
    return data


def _samples(kind: str) -> list[tuple[bytes, Any]]:
    """Good files, with the game where the format does not tell it."""
    write = FORMATS[kind].write
    if kind in ("sgf", "json"):
        texts = ["go:size=5", "othello", "go:size=5,players=3", "pente:size=7,players=3", "pentago"]
        trees = [preorder(random_tree(text, 7, 25, ["a]b", "ü"])) for text in texts]
        extra = b"(;SZ[5]HA[2]AB[aa:bb]AW[ee]AE[ab]PL[W];W[cc](;B[dd]C[x\\]y])(;B[]))"
        return [(write([tree]), None) for tree in trees] + [(extra, None)] * (kind == "sgf")
    if kind in ("compact", "names"):
        texts = ["othello", "connect-four", "go:size=5", "pentago", "tic-tac-mo"]
        return [(write([finished(text, 3)]), games.make(text)) for text in texts]
    texts = {"record": ["tic-tac-mo", "go:size=5"], "psq": [SMALL]}.get(kind, ["othello"])
    return [(write([finished(text, seed)]), None) for text in texts for seed in range(2)]


def _only_compiled(make: Callable[[str], Any], known: list[Any]) -> Callable[[str], Any]:
    """Refuses boards that no sample has: reading, not compiling, is what is tried here."""

    def careful(text: str) -> Any:
        game = make(text)
        if not any(type(game) is type(one) and game == one for one in known):
            raise UserError("another game")
        return game

    return careful


def _try(kind: str, data: bytes, game: Any) -> bool:
    """Could a file be read?  If so, what was read can be written."""
    try:
        trees: list[GameTree] = FORMATS[kind].read(data, game, False)
    except UserError:
        return False
    (again,) = [sgf.read(sgf.write([tree]), tree.game)[0] for tree in trees[:1]] or [None]
    assert again is None or again.moves() == trees[0].moves()
    return True


def _fuzz(kind: str, count: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> int:
    samples = _samples(kind)
    known = {"go", "othello", "pentago", "go-moku", "tic-tac-mo", "connect-four"}
    known |= {SMALL, "go:size=5", "go:size=5,players=3", "pente:size=7,players=3"}
    monkeypatch.setattr(
        sgf_game.games, "make", _only_compiled(games.make, list(map(games.make, known)))
    )
    chance = random.Random(seed)
    read = 0
    for _ in range(count):
        data, game = chance.choice(samples)
        data = mutated(data, chance)
        begun = time.process_time()
        read += _try(kind, data, game)
        assert time.process_time() - begun < LONGEST, data
    return read


@pytest.mark.parametrize("kind", FORMATS)
def test_mutated_files(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = _fuzz(kind, EVERYDAY, 1, monkeypatch)
    assert 0 < read < EVERYDAY  # neither all nothing nor all harmless


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", FORMATS)
def test_many_mutated_files(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < _fuzz(kind, MANY, 2, monkeypatch) < MANY


@pytest.mark.parametrize("kind", FORMATS)
def test_noise(kind: str) -> None:
    chance = random.Random(3)
    for _ in range(200):
        assert not _try(kind, chance.randbytes(chance.randrange(300)), games.make("othello"))


@pytest.mark.parametrize("unit", [b"(;", b"(", b";", b"(;B[aa]", b"[", b"A[", b"\\", b"(;AB[aa]"])
def test_long_nonsense_takes_little_memory(unit: bytes) -> None:
    data = b"(;GM[1]SZ[5]" + unit * (200_000 // len(unit))
    tracemalloc.start()
    begun = time.perf_counter()
    try:
        assert not _try("sgf", data, games.make("go:size=5"))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1 << 28
    assert time.perf_counter() - begun < 30
