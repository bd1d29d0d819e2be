"""The judge takes what looks best; the finisher takes wins, and nothing else."""

from __future__ import annotations

import pytest

from quintet import rules
from quintet.errors import UserError
from quintet.games import make
from quintet.notation import parse_move
from quintet.players import make_player, text_of
from quintet.players.player import Seat
from tests.unit.test_simple_players import choices


@pytest.mark.parametrize(
    "text", ["judge", "judge:eval=features,half_moves=3,opening=3", "judge:eval=level", "finisher"]
)
def test_texts_are_read_and_written(text: str) -> None:
    assert text_of(make_player(text, make("pentago"))) == text


def test_the_judge_says_what_it_needs() -> None:
    with pytest.raises(UserError, match="half_moves=2 needs two players; expected 1"):
        make_player("judge:half_moves=2", make("tic-tac-mo"))
    with pytest.raises(UserError, match="there are"):
        make_player("judge:eval=features", make("othello"))
    make_player("judge", make("tic-tac-mo"))


@pytest.mark.parametrize("half_moves", [1, 2, 3])
def test_the_judge_takes_a_win(half_moves: int) -> None:
    text = f"judge:eval=level,half_moves={half_moves}"
    assert choices(text, "tic-tac-toe", "a1 a3 b1 b3") == {"c1"}


def test_the_judge_tells_what_each_move_is_worth() -> None:
    game = make("tic-tac-toe")
    seat, position = Seat(make_player("judge:eval=level", game), game), rules.new_position(game)
    for name in ["a1", "a3", "b1", "b3"]:
        rules.checked_play(game, position, parse_move(game, name))
    chosen, told = seat.choose(position), seat.thoughts(position)
    assert told is not None
    assert (told.moves[0], told.values) == (chosen, [[1.0, 0.0]] + [[0.5, 0.5]] * 4)


def test_a_reply_is_seen_with_two_half_moves() -> None:
    assert choices("judge:eval=level,half_moves=2", "tic-tac-toe", "a1 b2 b1") == {"c1"}
    assert len(choices("judge:eval=level", "tic-tac-toe", "a1 b2 b1")) > 1


def test_the_finisher_takes_a_win_and_does_not_block() -> None:
    assert choices("finisher", "tic-tac-toe", "a1 a3 b1 b3") == {"c1"}
    assert len(choices("finisher", "tic-tac-toe", "a1 b2 b1")) > 1
