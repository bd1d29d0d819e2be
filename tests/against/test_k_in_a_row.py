"""The compiled k in a row against the obvious one, and against OpenSpiel's."""

from __future__ import annotations

import pytest

from tests.against.compare import compare_random_games
from tests.against.reference.k_in_a_row import KInARowReference


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("tic-tac-toe", 1000),
        ("tic-tac-mo", 500),
        ("connect-four", 300),
        ("connect-3x3", 300),
        ("go-moku", 10),
        ("go-moku:rows=20,columns=20", 4),
        ("go-moku:players=3,exact=yes", 10),
        ("k-in-a-row:rows=4,columns=7,k=3,players=4,exact=yes", 200),
        ("k-in-a-row:rows=8,columns=8,k=4,players=6", 50),
        ("k-in-a-row:rows=12,columns=9,k=4,players=2,gravity=yes", 30),
        ("k-in-a-row:rows=1,columns=9,k=2", 100),
        ("k-in-a-row:rows=4,columns=14,k=8", 40),
        ("k-in-a-row:rows=4,columns=15,k=8", 40),
        ("k-in-a-row:rows=7,columns=5,k=5,players=5,gravity=yes", 100),
        ("k-in-a-row:rows=8,columns=7,k=4,gravity=yes", 60),
    ],
)
def test_random_games_agree(text: str, count: int) -> None:
    compare_random_games(text, KInARowReference, count)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("tic-tac-toe", 500),
        ("connect-four", 300),
        ("connect-four:rows=5,columns=4,k=3", 300),
        ("connect-four:rows=9,columns=9,k=5", 50),
        ("go-moku", 20),
        ("go-moku:rows=19,columns=19", 5),
        ("k-in-a-row:rows=7,columns=7,k=4", 100),
    ],
)
def test_random_games_agree_with_openspiel(text: str, count: int) -> None:
    pytest.importorskip("pyspiel")
    from tests.against.openspiel_k_in_a_row import OpenSpielKInARow

    compare_random_games(text, OpenSpielKInARow, count)
