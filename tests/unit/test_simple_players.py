"""The simple players: greedy sees one move ahead, for itself and for the others."""

from __future__ import annotations

from typing import Any

import pytest

from quintet import rules
from quintet.errors import UserError
from quintet.games import make
from quintet.notation import move_name, parse_move
from quintet.players import make_player
from quintet.players.player import Seat
from quintet.randomness import seeded


def after(game: Any, moves: str) -> Any:
    """The position after some moves."""
    position = rules.new_position(game)
    for name in moves.split():
        rules.checked_play(game, position, parse_move(game, name))
    return position


def seat(player: str, game: Any, seed: int) -> Seat:
    """A player that is ready to choose."""
    return Seat(make_player(player, game), game, seeded(seed))


def choices(player: str, game_text: str, moves: str) -> set[str]:
    """What a player chooses with a few seeds."""
    game = make(game_text)
    position = after(game, moves)
    before = position.tobytes()
    chosen = {seat(player, game, seed).choose(position) for seed in range(12)}
    assert position.tobytes() == before
    assert chosen <= set(rules.list_legal_moves(game, position))
    return {move_name(game, move) for move in chosen}


@pytest.mark.parametrize(
    ("game", "moves", "expected"),
    [
        ("tic-tac-toe", "a1 a3 b1 b3", {"c1"}),  # rather win than block c3
        ("connect-four", "a b a b a b", {"a"}),
        ("tic-tac-mo", "a1 e2 e3 b1 d2 d3", {"c1"}),  # all three could win
        ("go-moku", "A1 A3 B1 B3 C1 C3 D1 D3", {"E1"}),
    ],
)
def test_greedy_takes_a_win(game: str, moves: str, expected: set[str]) -> None:
    assert choices("greedy", game, moves) == expected


@pytest.mark.parametrize(
    ("game", "moves", "expected"),
    [
        ("tic-tac-toe", "a1 b2 b1", {"c1"}),
        ("connect-four", "a b a b a", {"a"}),
        ("go-moku", "A1 A3 B1 H8 C1 K4 D1", {"E1"}),
        # X must stop O, who is next
        ("tic-tac-mo", "a1 e1 a3 b3 d1 e3", {"c1"}),
        # X stops #, who is after next, as O threatens nothing
        ("tic-tac-mo", "a1 a3 e1 b3 e3 d1", {"c1"}),
        # the nearer threat first: O at c1, though # threatens c3
        ("tic-tac-mo", "a2 e1 e3 b3 d1 d3", {"c1"}),
    ],
)
def test_greedy_blocks_a_loss(game: str, moves: str, expected: set[str]) -> None:
    assert choices("greedy", game, moves) == expected


def test_greedy_sees_every_seat_of_a_large_board() -> None:
    moves = "A1 A15 P8 B3 C15 P9 D5 F15 P10 F7 H15 P11"
    # P7 and P12 complete five for the third seat: the first can stop only one
    assert choices("greedy", "go-moku:players=3", moves) == {"P7", "P12"}


def test_greedy_is_random_where_nothing_is_at_stake() -> None:
    assert len(choices("greedy", "connect-four", "")) > 1


def test_random_player_uses_the_seed_only() -> None:
    assert len(choices("random", "go-moku", "")) > 1
    assert choices("random", "go-moku", "") == choices("random", "go-moku", "")


def test_greedy_mostly_beats_random() -> None:
    game = make("connect-four")
    greedy, other = seat("greedy", game, 1), seat("random", game, 2)
    wins = 0
    for number in range(20):
        position = rules.new_position(game)
        while not rules.is_over(game, position):
            player = greedy if rules.turn(game, position) == number % 2 else other
            rules.checked_play(game, position, player.choose(position))
        wins += rules.list_scores(game, position)[number % 2] == 1
    assert wins >= 15


def test_unknown_player_is_refused_with_the_list() -> None:
    with pytest.raises(UserError, match=r"no player 'gredy'; did you mean 'greedy'.*random"):
        make_player("gredy", make("go-moku"))
