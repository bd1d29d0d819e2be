"""The compiled Pente against the obvious one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.against.compare import compare_random_games
from tests.against.reference.pente import PenteReference

EVERYDAY = [
    ("pente:size=5,players=4,keryo=yes,captures=4", 200),
    ("pente:size=7,players=3", 100),
    ("keryo-pente:size=7", 100),
    ("pente:size=8,centre=no,players=4,captures=4", 40),
    ("keryo-pente:size=9", 20),
    ("keryo-pente:size=13,players=3", 5),
    ("pente", 2),
]
OTHERS = [
    ("pente:size=5", 300),
    ("pente:size=6,centre=no", 150),
    ("pente:size=7", 100),
    ("pente:size=7,players=4", 100),
    ("pente:size=7,captures=2", 100),
    ("pente:size=7,players=3,captures=4", 100),
    ("pente:size=7,keryo=yes,captures=6,players=3", 100),
    ("pente:size=8,centre=no", 40),
    ("pente:size=9,players=3", 20),
    ("pente:size=7,tournament=yes,players=3,centre=no", 100),
    ("pente:size=13,tournament=yes", 5),
    ("pente:size=13", 5),
    ("keryo-pente:centre=no", 2),
]


def games(share: int) -> list[Any]:
    """Texts and how many games of each, divided by `share`; some only among the slow tests."""
    rows = [(row, ()) for row in EVERYDAY] + [(row, pytest.mark.slow) for row in OTHERS]
    return [pytest.param(text, max(2, count // share), marks=mark) for (text, count), mark in rows]


@pytest.mark.parametrize(("text", "count"), games(1))
def test_random_games_agree(text: str, count: int) -> None:
    compare_random_games(text, PenteReference, count)


@pytest.mark.parametrize(("text", "count"), games(2))
def test_games_full_of_captures_agree(text: str, count: int) -> None:
    compare_random_games(text, PenteReference, count, prefer=PenteReference.capturing_moves)
