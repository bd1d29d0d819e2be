"""Every game obeys the laws, and plays the same compiled and interpreted."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quintet import games, notation, rules
from quintet.check import check_game
from quintet.randomness import seeded

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLE = f"{ROOT}/examples/elbow_room.py:ElbowRoom"
VARIANTS = (
    "go-moku:rows=19,columns=19,players=3,exact=yes",
    "k-in-a-row:rows=1,columns=7,k=2",
    "k-in-a-row:rows=4,columns=7,k=3,players=4",
    "k-in-a-row:rows=12,columns=9,k=4,gravity=yes",
    "k-in-a-row:rows=8,columns=7,k=4,gravity=yes",  # fills its word to the last bit
    "pente:size=7,players=3",
    "othello:size=6",
    "go:size=5",
    "go:size=5,players=3",
    "go:size=5,players=3,passing=forced,ko=situational",
    "go:size=4,players=4,ko=simple,suicide=yes,komi=0/1/2/3",
    "go:size=9,players=3,passing=forced,eye=simple",
    EXAMPLE,
    f"{EXAMPLE}:size=2",
    f"{EXAMPLE}:size=6,players=4,diagonals=yes",
)
SHORT = 12  # plies compared on large boards
LARGE = 64  # cells


TEXTS = [*games.BUILT_IN, *VARIANTS]


def _label(text: str) -> str:
    return text.removeprefix(f"{ROOT}/")


@pytest.mark.parametrize("text", TEXTS, ids=_label)
def test_laws_hold(text: str) -> None:
    game = games.make(text)
    assert check_game(game, games=2 if game.layout().cells > LARGE else 6) == []


@settings(max_examples=25, deadline=None)
@given(text=st.sampled_from(TEXTS), choices=st.lists(st.integers(0, 10_000), max_size=30))
def test_any_line_of_play_can_be_written_down_and_replayed(text: str, choices: list[int]) -> None:
    game = games.make(text)
    position, names = rules.new_position(game), []
    for choice in choices:
        legal = rules.list_legal_moves(game, position)
        if not legal:
            break
        names.append(notation.move_name(game, legal[choice % len(legal)]))
        rules.checked_play(game, position, legal[choice % len(legal)])
    again = rules.new_position(game)
    for name in names:
        rules.checked_play(game, again, notation.parse_move(game, name))
    assert notation.picture(game, again) == notation.picture(game, position)
    assert rules.key(game, again) == rules.key(game, position)


@pytest.mark.parametrize("text", TEXTS, ids=_label)
def test_a_playout_is_the_same_as_random_moves(text: str) -> None:
    game = games.make(text)
    moves = rules.move_buffer(game)
    for seed in range(20):
        fast, slow = rules.new_positions(game, 2)
        plies = rules.play_out(game, fast, moves, seeded(seed))
        assert plies == rules.play_on(game, slow, moves, seeded(seed))
        assert fast.tobytes() == slow.tobytes()


SEEDED_GAMES = f"""
import json, sys
from quintet import games, rules
from quintet.randomness import seeded

def record(text):
    game = games.make(text)
    large = game.layout().cells > {LARGE}
    position, random, moves = rules.new_position(game), seeded(5), rules.move_buffer(game)
    played = []
    while not rules.is_over(game, position) and not (large and len(played) == {SHORT}):
        move = int(rules.random_move(game, position, moves, random))
        rules.play(game, position, move)
        played.append(move)
    over = bool(rules.is_over(game, position))
    legal = rules.list_legal_moves(game, position)
    scores = rules.list_scores(game, position) if over else []
    return played, legal, scores, hex(rules.key(game, position))

print(json.dumps([record(text) for text in sys.argv[1:]]))
"""


def _seeded_games(*flags: str, **environment: str) -> list[object]:
    command = [sys.executable, *flags, "-c", SEEDED_GAMES, *TEXTS]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def test_compiled_and_interpreted_play_the_same() -> None:
    compiled = _seeded_games()
    interpreted = _seeded_games("-W", "error", NUMBA_DISABLE_JIT="1")
    for text, one, other in zip(TEXTS, compiled, interpreted, strict=True):
        assert one == other, text
