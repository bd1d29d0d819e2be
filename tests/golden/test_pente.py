"""Counts of Pente that are known or follow on paper."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from quintet import games, rules

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def segments(size: int, length: int) -> list[list[int]]:
    """Every straight segment of a board, as cells."""
    found = []
    for row, column, (down, right) in product(range(size), range(size), DIRECTIONS):
        points = [(row + i * down, column + i * right) for i in range(length)]
        if all(0 <= r < size and 0 <= c < size for r, c in points):
            found.append([r * size + c for r, c in points])
    return found


@pytest.mark.parametrize(
    ("depth", "sequences"), [(1, 1), (2, 48), (3, 2256), (4, 103776), (5, 4669952)]
)
def test_sequences_on_7_by_7(depth: int, sequences: int) -> None:
    game = games.make("pente:size=7")
    assert rules.perft(game, rules.new_position(game), depth) == sequences


@pytest.mark.parametrize(("centre", "capturing"), [("yes", 16), ("no", 352)])
def test_capturing_sequences_of_four(centre: str, capturing: int) -> None:
    """Only O X X O on a segment can capture so early; X plays first and third."""
    game = games.make(f"pente:size=7,centre={centre}")
    found = 0
    for a, b, c, d in segments(7, 4):
        for (first, third), (second, fourth) in product([(b, c), (c, b)], [(a, d), (d, a)]):
            position = rules.new_position(game)
            if first not in rules.list_legal_moves(game, position):
                continue
            for move in (first, second, third, fourth):
                rules.play(game, position, move)
            found += position.captured.tolist() == [0, 2]
    assert found == capturing


def test_no_other_sequence_of_four_captures() -> None:
    """All 103776 sequences, grouped by the position before the last move."""
    game = games.make("pente:size=7")
    found = 0
    first = rules.new_position(game)
    rules.play(game, first, 24)
    for second in rules.list_legal_moves(game, first):
        after_two = rules.copied(first)
        rules.play(game, after_two, second)
        for third in rules.list_legal_moves(game, after_two):
            after_three = rules.copied(after_two)
            rules.play(game, after_three, third)
            found += _captures_of(game, after_three)
    assert found == 16


def _captures_of(game: object, position: np.record) -> int:
    """How many legal moves capture; after four plies a sum over moves is exact."""
    found = 0
    for move in rules.list_legal_moves(game, position):
        after = rules.copied(position)
        rules.play(game, after, move)
        found += int(after.captured[1] > 0)
    return found


def test_five_lines_and_four_segments_of_7_by_7() -> None:
    assert len(segments(7, 5)) == 60
    assert len(segments(7, 4)) == 88


@pytest.mark.parametrize("size", [5, 7, 9, 13])
def test_exactly_the_five_lines_win(size: int) -> None:
    """Each line wins by its last stone; one stone less does not."""
    game = games.make(f"pente:size={size}")
    content = np.zeros(size * size, np.int8)
    for line in segments(size, 5):
        content[:] = 0
        content[line[1:]] = 1
        position = np.zeros(1, game.position_type())[0]
        rules.set_up(game, position, content)
        assert not rules.is_over(game, position)
        rules.play(game, position, line[0])
        assert rules.list_scores(game, position) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("text", "plies"),
    [
        ("pente:size=7", 65),
        ("pente:size=7,players=3", 73),
        ("pente", 361 + 2 * 8),
        ("pente:size=7,captures=9", 65),
        ("pente:size=7,captures=2,keryo=yes", 49),
        ("keryo-pente:size=7", 49 + 2 * 14),
    ],
)
def test_no_game_is_longer(text: str, plies: int) -> None:
    assert games.make(text).limits().plies == plies
