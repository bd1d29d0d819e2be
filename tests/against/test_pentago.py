"""The compiled Pentago against the obvious one and against OpenSpiel's."""

from __future__ import annotations

import random

import pytest

from tests.against.compare import compare_random_games
from tests.against.reference.pentago import PentagoReference


def test_random_games_agree() -> None:
    """With the obvious judge, move by move."""
    compare_random_games("pentago", PentagoReference, 300)


def test_random_games_agree_with_open_spiel() -> None:
    """With OpenSpiel and the one rule it lacks."""
    pytest.importorskip("pyspiel")
    from tests.against.openspiel_pentago import OpenSpielPentago

    compare_random_games("pentago", OpenSpielPentago, 300)


class AlwaysTurns(PentagoReference):
    """The obvious judge without a win before the turn."""

    def play(self, move: int) -> None:
        """Place a stone and turn a quadrant, whatever the stone made."""
        cell, turning = divmod(move, 8)
        self.board[cell // 6][cell % 6] = self.turn() + 1
        self.turn_quadrant(turning // 2, clockwise=turning % 2 == 1)
        self.plies += 1


def test_the_win_before_the_turn_is_all_that_open_spiel_lacks() -> None:
    """Without that rule the obvious judge and OpenSpiel agree everywhere."""
    pytest.importorskip("pyspiel")
    from tests.against.openspiel_pentago import OpenSpielPentagoUnchanged

    chance = random.Random(1)
    for _ in range(300):
        ours, theirs = AlwaysTurns(None), OpenSpielPentagoUnchanged(None)
        while not ours.is_over():
            assert not theirs.is_over()
            assert (ours.turn(), ours.cells()) == (theirs.turn(), theirs.cells())
            legal = ours.legal_moves()
            assert legal == theirs.legal_moves()
            move = chance.choice(legal)
            ours.play(move)
            theirs.play(move)
        assert theirs.is_over()
        assert (ours.scores(), ours.cells()) == (theirs.scores(), theirs.cells())
