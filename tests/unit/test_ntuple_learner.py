"""Temporal differences: what they do to a value, and that games with known values are learnt."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.arena.match import Entrant, Terms, play_match
from quintet.compiled import COMPILED
from quintet.games import make
from quintet.learn import learner_from
from quintet.learn.learner import State, Step
from quintet.learn.ntuple import Coherence, Habits, learn_from, new_diary
from quintet.nets.ntuple import new_network
from quintet.notation import parse_move
from quintet.players import make_player
from quintet.players.player import Seat

needs_speed = pytest.mark.skipif(not COMPILED, reason="thousands of games")


def trained(text: str, game: Any, seed: int, steps: int | None = None) -> tuple[Any, State]:
    learner = learner_from(text, game)
    state = learner.start(game, Step(0, seed))
    for number in range(1, (learner.steps if steps is None else steps) + 1):
        learner.step(game, state, Step(number, seed))
    return learner, state


def scores(game: Any, player: Any, others: list[str], games: int) -> Any:
    """The player's standing."""
    entrants = [Entrant("trained", player), *(Entrant(o, make_player(o, game)) for o in others)]
    found = play_match(game, entrants, Terms(games, 5, 0), workers=1).standings()
    return next(s for s in found if s.player == "trained" and s.seat is None)


@needs_speed
def test_tic_tac_toe_is_learnt_to_the_end() -> None:
    """Against a perfect player who chooses at random among the best, nothing is lost."""
    game = make("tic-tac-toe")
    learner, state = trained("ntuple:tuples=lines(3)+rectangles(2x3),games=8000", game, 1)
    perfect = scores(game, learner.player(game, state), ["alphabeta:depth=9,eval=level"], 100)
    assert perfect.score[0] >= 0.49
    seat, position = Seat(learner.player(game, state), game), rules.new_position(game)
    for name in ["a1", "a3", "b1", "b3"]:
        rules.checked_play(game, position, parse_move(game, name))
    chosen, told = seat.choose(position), seat.thoughts(position)
    assert told is not None
    assert (told.moves[0], told.values[0]) == (chosen, [1.0, 0.0])  # c1 wins
    assert [sum(values) for values in told.values] == pytest.approx([1.0] * 5)


@needs_speed
def test_three_players_are_learnt() -> None:
    game = make("tic-tac-mo")
    learner, state = trained("ntuple:tuples=windows(3)+rectangles(2x3),games=8000", game, 1)
    before = learner.player(game, learner.start(game, Step(0, 1)))
    assert scores(game, before, ["random", "random"], 300).wins[0] < 0.6
    assert scores(game, learner.player(game, state), ["random", "random"], 300).wins[0] > 0.8


def test_steps_depend_on_the_state_and_the_seed_alone() -> None:
    game = make("tic-tac-toe")
    text = "ntuple:tuples=lines(3),games=12,batch=3"
    _, once = trained(text, game, 7)
    learner, again = trained(text, game, 7, steps=2)
    for number in (3, 4):
        copied = {name: array.copy() for name, array in again.items()}
        learner.step(game, copied, Step(number, 7))
        again = copied
    _, other = trained(text, game, 8)
    assert set(once) == {"weights", "sums", "sizes"}
    for name, array in once.items():
        assert array.tobytes() == again[name].tobytes()
    assert once["weights"].tobytes() != other["weights"].tobytes()


def one_game(decay: float, coherent: bool) -> tuple[Any, Any]:
    """Three plies whose afterstates read entries of their own; the second seat wins."""
    game = make("tic-tac-toe")
    network = new_network(game, "lines(3)")
    lookups = len(network.starts)
    diary = new_diary(game, network)
    for ply in range(3):
        diary.indices[ply] = ply
        diary.viewers[ply] = (ply + 1) % 2
        diary.values[ply] = 0.5
    diary.values[2] = [0.0, 1.0]
    weights = np.zeros(tuple(network.shape), np.float32)
    room = np.zeros_like(weights) if coherent else np.zeros((0, 0, 0), np.float32)
    coherence = Coherence(room, room.copy())
    surprise = learn_from(network, weights, coherence, Habits(1, 0.8, decay, 0.0, 0), diary, 3)
    return weights[0, :3, 0], (surprise, coherence, lookups)


def test_targets_look_as_far_as_lambda() -> None:
    weights, (surprise, _, _) = one_game(0.25, coherent=False)
    # after ply 1 seat 0 is to move and loses for sure; after ply 0 seat 1 gains a quarter of it
    assert weights == pytest.approx([0.8 * 0.125, -0.8 * 0.5, 0.0])
    assert surprise == pytest.approx(0.5**2 + 0.125**2)


def test_first_changes_are_whole_and_remembered() -> None:
    weights, (_, coherence, lookups) = one_game(1.0, coherent=True)
    # every look-up reads the same entry here; all changes agree, so none is held back
    assert weights == pytest.approx([0.8 * 0.5, -0.8 * 0.5, 0.0])
    assert coherence.sizes[0, :3, 0] == pytest.approx([0.4, 0.4, 0.0])
    assert coherence.sums[0, :3, 0] == pytest.approx([0.4, -0.4, 0.0])
    assert lookups > 1


def test_a_random_move_teaches_nothing_about_the_one_before() -> None:
    game = make("tic-tac-toe")
    network = new_network(game, "lines(3)")
    diary = new_diary(game, network)
    diary.viewers[:2] = [1, 0]
    diary.values[:2] = [[0.5, 0.5], [1.0, 0.0]]
    diary.promised[1] = [0.25, 0.75]
    diary.strayed[1] = True
    weights = np.zeros(tuple(network.shape), np.float32)
    nothing = Coherence(np.zeros((0, 0, 0), np.float32), np.zeros((0, 0, 0), np.float32))
    learn_from(network, weights, nothing, Habits(1, 1.0, 1.0, 0.0, 0), diary, 2)
    assert weights[0, 0, 0] == pytest.approx(0.25)  # up, towards 0.75 for seat 1


def test_half_the_digits_are_all_that_a_player_needs() -> None:
    game = make("tic-tac-toe")
    learner, state = trained("ntuple:tuples=lines(3),games=12,batch=3", game, 7)
    essence = learner.essence(state)
    assert set(essence) == {"weights"}
    own, other = (learner.player(game, kept).weights for kept in (state, essence))
    assert own.dtype == other.dtype == np.float32
    np.testing.assert_allclose(own, other, rtol=1e-3, atol=1e-6)
    assert np.abs(own).max() > 0
    assert essence["weights"].nbytes == own.nbytes // 2
