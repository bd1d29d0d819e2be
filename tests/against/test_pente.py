"""The compiled Pente against the obvious one."""

from __future__ import annotations

import pytest

from tests.against.compare import compare_random_games
from tests.against.reference.pente import PenteReference

GAMES = [
    ("pente:size=5", 300),
    ("pente:size=5,players=4,keryo=yes,captures=4", 200),
    ("pente:size=6,centre=no", 150),
    ("pente:size=7", 100),
    ("pente:size=7,players=3", 100),
    ("pente:size=7,players=4", 100),
    ("pente:size=7,captures=2", 100),
    ("pente:size=7,players=3,captures=4", 100),
    ("keryo-pente:size=7", 100),
    ("pente:size=7,keryo=yes,captures=6,players=3", 100),
    ("pente:size=8,centre=no", 40),
    ("pente:size=8,centre=no,players=4,captures=4", 40),
    ("pente:size=9,players=3", 20),
    ("keryo-pente:size=9", 20),
    ("pente:size=13", 5),
    ("keryo-pente:size=13,players=3", 5),
    ("pente", 2),
    ("keryo-pente:centre=no", 2),
]


@pytest.mark.parametrize(("text", "count"), GAMES)
def test_random_games_agree(text: str, count: int) -> None:
    compare_random_games(text, PenteReference, count)


@pytest.mark.parametrize(("text", "count"), [(text, max(2, count // 2)) for text, count in GAMES])
def test_games_full_of_captures_agree(text: str, count: int) -> None:
    compare_random_games(text, PenteReference, count, prefer=PenteReference.capturing_moves)
