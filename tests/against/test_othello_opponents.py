"""The fixed opponents choose as plain minimax with lists and loops does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from quintet import rules
from quintet.games import make
from quintet.players import make_player, text_of
from quintet.players.player import Seat
from quintet.randomness import seeded
from tests.against.othello_positions import positions, reference_of
from tests.against.reference import othello_players as reference
from tests.against.reference.othello import OthelloReference

OPPONENTS: dict[str, Callable[[OthelloReference], int]] = {
    "positional": lambda board: reference.positional(board, "a"),
    "positional:table=c": lambda board: reference.positional(board, "c"),
    "discs": reference.discs,
    "mobility": reference.mobility,
}


# Each kind of evaluation and each size is compiled anew, which takes its time.
EVERY_DAY = {"positional:table=c": 8, "mobility": 6}


@pytest.mark.parametrize(
    ("text", "size"),
    [
        pytest.param(text, size, marks=() if EVERY_DAY.get(text) == size else pytest.mark.slow)
        for text in (*OPPONENTS, "mobility:plain=yes")
        for size in (4, 6, 8)
    ],
)
def test_opponents_are_minimax(text: str, size: int) -> None:
    number = 30
    game = make(f"othello:size={size}")
    seats = {
        depth: Seat(make_player(_with_depth(text, depth), game), game, seeded(1))
        for depth in range(3)
    }
    compared = 0
    for position in positions(game, 100, seed=40 + size):
        depth = compared % 3
        moves = len(rules.list_legal_moves(game, position))
        if moves < 2 or rules.perft(game, position, depth + 1) > 100:
            continue
        board = reference_of(game, position)
        count = OPPONENTS.get(text) or _own_moves(board.turn())
        values = reference.plain_root_values(board, depth, count)
        chosen = seats[depth].choose(position)
        best = max(values.values())
        assert values[chosen] == best
        if abs(best) < reference.WON:  # else the quickest win, or the slowest loss
            assert chosen == next(move for move in values if values[move] == best)
        compared += 1
        if compared == number:
            break
    assert compared == number


def _with_depth(text: str, depth: int) -> str:
    return f"{text}{',' if ':' in text else ':'}depth={depth}"


def _own_moves(seat: int) -> Callable[[OthelloReference], int]:
    """The moves of one seat, as Black sees them."""
    return lambda board: len(board.places(seat)) * (1 if seat == 0 else -1)


def test_opponents_are_named_and_tell_what_they_found() -> None:
    game = make("othello:size=6")
    for text in ("positional:depth=4,table=b", "discs:depth=6", "mobility:depth=1,plain=yes"):
        assert text_of(make_player(text, game)) == text
    seat = Seat(make_player(text, game), game, seeded(0))
    position = rules.new_position(game)
    for _ in range(2):  # both seats
        chosen = seat.choose(position)
        found = seat.thoughts(position)
        assert found is not None
        assert found.moves[0] == found.line[0] == chosen
        assert found.depth == 1
        rules.play(game, position, chosen)
