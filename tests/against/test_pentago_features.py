"""Pentago's features count what lists and loops count; the judge by them is plain minimax."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.bits import NONE, Word
from quintet.games import make
from quintet.players import make_player
from quintet.players.evaluations import make_evaluation, text_of_evaluation
from quintet.players.pentago_features import (
    FEATURES,
    MINE,
    START_WEIGHTS,
    THEIRS,
    feature_names,
    feature_value,
    streaks,
    write_features,
)
from quintet.players.player import Seat
from quintet.randomness import seeded
from quintet.search.evaluation import evaluate, new_desk
from quintet.symmetry import symmetries, transformed
from tests.against.reference import pentago_features as reference
from tests.against.reference.pentago import PentagoReference

GAME = make("pentago")


def positions(games: int, seed: int) -> Iterator[Any]:
    """Every position of random games, those that are over too."""
    moves, random = rules.move_buffer(GAME), seeded(seed)
    for _ in range(games):
        position = rules.new_position(GAME)
        yield position
        while not rules.is_over(GAME, position):
            rules.play(GAME, position, rules.random_move(GAME, position, moves, random))
            yield position


def crowded(count: int, seed: int) -> Iterator[Any]:
    """Boards of stones at random, with fives and sixes of both, as no game has them."""
    chance = np.random.default_rng(seed)
    for _ in range(count):
        position = rules.new_position(GAME)
        share = chance.uniform(0.2, 0.9)
        content = chance.choice(3, 36, p=[1 - share, 0.7 * share, 0.3 * share])
        position.turn = chance.integers(2)
        rules.set_up(GAME, position, content.astype(np.int8))
        yield position


def board_of(position: Any) -> PentagoReference:
    """The same board as lists."""
    content = np.zeros(36, np.int8)
    rules.cells(GAME, position, content)
    board = PentagoReference(GAME)
    board.board = [[int(owner) for owner in row] for row in content.reshape(6, 6)]
    return board


def features_of(position: Any, me: int) -> list[float]:
    """The features for the seat `me`."""
    out = np.full(FEATURES, np.nan)
    write_features(position.stones[me], position.stones[1 - me], out)
    return [float(feature) for feature in out]


def test_features_count_as_lists_and_loops_do() -> None:
    seen = np.zeros(FEATURES)
    for source in (positions(4, seed=1), crowded(150, seed=2)):
        for position in source:
            me = 1 - int(position.turn)
            found = features_of(position, me)
            assert found == reference.features(board_of(position), me + 1)
            seen = np.maximum(seen, np.abs(found))
    assert (seen > 0).all()  # each of them was there at least once


def test_the_sum_is_that_of_the_features() -> None:
    weights = np.random.default_rng(3).normal(size=FEATURES)
    for position in crowded(100, seed=4):
        expected = weights @ features_of(position, 1)
        assert feature_value(weights, position.stones[1], position.stones[0]) == pytest.approx(
            expected
        )


def test_exchanged_sides_exchange_their_features() -> None:
    for position in crowded(50, seed=5):
        mine, theirs = np.array(features_of(position, 0)), np.array(features_of(position, 1))
        assert (mine[MINE] == theirs[THEIRS]).all()
        assert (mine[THEIRS] == theirs[MINE]).all()
        assert mine[32] == -theirs[32]


def test_symmetries_change_no_feature() -> None:
    for position in crowded(10, seed=6):
        for symmetry in range(len(symmetries(GAME).cells)):
            assert features_of(transformed(GAME, position, symmetry), 0) == features_of(position, 0)


def test_streaks_are_the_maximal_runs() -> None:
    longest = 0
    for position in crowded(150, seed=7):
        expected = reference.runs(board_of(position), 1)
        assert list(streaks(position.stones[0])) == [expected.count(n) for n in range(2, 7)]
        longest = max(longest, *expected, 0)
    assert longest == 6


def test_a_known_board() -> None:
    position = rules.new_position(GAME)
    content = np.zeros((6, 6), np.int8)
    content[0, :4] = 1  # four in a row; a stone on e1 makes five
    content[1, 1], content[5, 5] = 2, 2
    position.turn = 1
    rules.set_up(GAME, position, content.ravel())
    found = dict(zip(feature_names(), features_of(position, 0), strict=True))
    assert found["me: lines with 4"] == 1
    assert found["me: lines with 3"] == 1
    assert found["me: runs of 4"] == 1
    assert found["me: runs of 3"] == 0
    assert found["me: cells where a stone would make five"] == 1
    assert found["me: turns that would give a five"] == 0
    assert found["me: stones on corners"] == 1
    assert found["op: stones on corners"] == 1
    assert found["op: stones on centres of quadrants"] == 1
    assert found["me: most stones in a quadrant"] == 3
    assert found["quadrants with more of my stones, less the reverse"] == 2 - 1
    assert found["fullness"] == 6 / 36


def test_the_evaluation_has_a_name_and_is_fair() -> None:
    evaluation = make_evaluation("features", GAME)
    assert text_of_evaluation(evaluation) == "features"
    out = np.zeros(2)
    for position in positions(5, seed=8):
        if not rules.is_over(GAME, position):
            evaluate(evaluation, GAME, position, new_desk(GAME), seeded(0), out)
            me = 1 - int(position.turn)
            total = float(START_WEIGHTS @ features_of(position, me))
            assert out.sum() == 1.0
            assert out[me] == pytest.approx(0.5 + 0.5 * total / (100 + abs(total)))


def distinct_boards(position: Any, moves: list[int]) -> set[tuple[int, int, int]]:
    """The positions after some moves."""
    boards = set()
    for move in moves:
        after = rules.copied(position)
        rules.play(GAME, after, move)
        boards.add((int(after.stones[0]), int(after.stones[1]), int(after.outcome)))
    return boards


def test_distinct_moves_lead_to_each_position_once() -> None:
    moves = rules.move_buffer(GAME)
    saved = 0
    for position in positions(3, seed=9):
        chosen = [int(m) for m in moves[: rules.distinct_moves(GAME, position, moves)]]
        legal = rules.list_legal_moves(GAME, position)
        assert set(chosen) <= set(legal)
        boards = distinct_boards(position, chosen)
        assert len(boards) == len(chosen)
        assert boards == distinct_boards(position, legal)
        saved += len(legal) - len(chosen)
    assert saved > 1000
    assert rules.distinct_moves(GAME, rules.new_position(GAME), moves) == 36


def plain_minimax(position: Any, half_moves: int, seat: int) -> float:
    """What a position is worth to a seat, by looking at everything."""
    out = np.zeros(2)
    if rules.is_over(GAME, position):
        return rules.list_scores(GAME, position)[seat]
    if half_moves == 0:
        me = 1 - int(position.turn)
        total = float(feature_value(START_WEIGHTS, position.stones[me], position.stones[1 - me]))
        out[me] = 0.5 + 0.5 * total / (100 + abs(total))
        out[1 - me] = 1 - out[me]
        return float(out[seat])
    values = []
    for move in rules.list_legal_moves(GAME, position):
        after = rules.copied(position)
        rules.play(GAME, after, move)
        values.append(plain_minimax(after, half_moves - 1, seat))
    return max(values) if position.turn == seat else min(values)


@pytest.mark.parametrize(("half_moves", "empty"), [(1, 30), (1, 12), (2, 8), (3, 3)])
def test_the_judge_is_plain_minimax(half_moves: int, empty: int) -> None:
    player = make_player(f"judge:eval=features,half_moves={half_moves}", GAME)
    tried = 0
    for position in positions(60, seed=10 + empty):
        stones = int(position.stones[0]).bit_count() + int(position.stones[1]).bit_count()
        if tried == 3 or stones != 36 - empty or rules.is_over(GAME, position):
            continue
        tried += 1
        move = Seat(player, GAME, seeded(tried)).choose(position)
        seat = int(position.turn)
        after = rules.copied(position)
        rules.play(GAME, after, move)
        best = plain_minimax(position, half_moves, seat)
        if best > 0:  # where all is lost, the judge plays what lasts longest
            assert plain_minimax(after, half_moves - 1, seat) == pytest.approx(best, abs=1e-6)
    assert tried == 3


def test_the_first_moves_of_an_opening_are_random() -> None:
    """The judge by features has but a few favourites on an empty board."""
    moves = {}
    for opening in (0, 1):
        player = make_player(f"judge:eval=features,opening={opening}", GAME)
        position = rules.new_position(GAME)
        chosen = [Seat(player, GAME, seeded(seed)).choose(position) for seed in range(60)]
        moves[opening] = {move // 8 for move in chosen}
    assert len(moves[0]) <= 4
    assert len(moves[1]) > 20
    seat = Seat(make_player("judge:eval=features,opening=1", GAME), GAME, seeded(5))
    seat.choose(rules.new_position(GAME))
    assert {seat.choose(rules.new_position(GAME)) // 8 for _ in range(20)} <= moves[0]


def test_no_stones_have_no_features() -> None:
    out = np.zeros(FEATURES)
    write_features(NONE, Word(0), out)
    assert list(np.flatnonzero(out)) == [FEATURES - 1]
