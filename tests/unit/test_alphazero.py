"""AlphaZero: what is learnt from, that something is learnt, and that a run can be broken off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quintet import rules
from quintet.arena.match import Entrant, Terms, play_match
from quintet.compiled import COMPILED
from quintet.errors import UserError
from quintet.games import make
from quintet.learn import learner_from, make_learner
from quintet.learn.learner import State, Step
from quintet.nets.residual import look, sizes_for
from quintet.players import make_player
from quintet.randomness import seeded

torch_residual = pytest.importorskip("quintet.nets.torch_residual")
from quintet.learn import replay  # noqa: E402
from quintet.learn.self_play import PlayedOut  # noqa: E402

pytestmark = pytest.mark.skipif(not COMPILED, reason="thousands of games")
TINY = (
    "alphazero:net=residual(blocks=1,filters=16,hidden=16),games=32,asks=40,sims=8,candidates=4,"
    "batch=128,rate=0.01,average=0.9"
)


def trained(
    learner: Any, game: Any, seed: int, state: State | None, first: int, last: int
) -> State:
    state = learner.start(game, Step(0, seed)) if state is None else state
    for number in range(first, last + 1):
        learner.step(game, state, Step(number, seed))
    return state


def wins_at_once(game: Any, count: int) -> list[tuple[Any, list[int]]]:
    """Positions in which the seat to move can win, and the moves that do."""
    found: list[tuple[Any, list[int]]] = []
    chance, moves = seeded(9), rules.move_buffer(game)
    while len(found) < count:
        position = rules.new_position(game)
        while not rules.is_over(game, position):
            winning = [m for m in rules.list_legal_moves(game, position) if wins(game, position, m)]
            if winning:
                found.append((rules.copied(position), winning))
                break
            rules.play(game, position, rules.random_move(game, position, moves, chance))
    return found


def wins(game: Any, position: Any, move: int) -> bool:
    after = rules.copied(position)
    rules.play(game, after, move)
    seat = int(rules.turn(game, position))
    return bool(rules.is_over(game, after)) and rules.list_scores(game, after)[seat] == 1.0


def share_seen(learner: Any, game: Any, state: State) -> float:
    """How many of these wins the network itself would take, without search."""
    sizes = sizes_for(learner.net, game)
    asked = wins_at_once(game, 200)
    planes = np.zeros((len(asked), sizes.planes, sizes.rows, sizes.columns), np.float32)
    for row, (position, _) in enumerate(asked):
        look(game, sizes, position, planes[row])
    weights = {n.removeprefix("play."): a for n, a in state.items() if n.startswith("play.")}
    likely, _ = torch_residual.Judge(sizes, weights)(planes)
    taken = 0
    for row, (position, winning) in enumerate(asked):
        legal = rules.list_legal_moves(game, position)
        taken += max(legal, key=lambda move: likely[row, move]) in winning
    return taken / len(asked)


def test_a_network_learns_to_win() -> None:
    game = make("tic-tac-mo")
    learner = learner_from(f"{TINY},steps=40", game)
    state = learner.start(game, Step(0, 1))
    assert share_seen(learner, game, state) < 0.5
    trained(learner, game, 1, state, 1, 40)
    assert share_seen(learner, game, state) > 0.75


def test_a_run_goes_on_as_if_it_had_not_stopped() -> None:
    game = make("tic-tac-mo")
    learner = learner_from(f"{TINY},steps=4,workers=3,share=0.5,quick=2", game)
    whole = trained(learner, game, 2, None, 1, 4)
    broken = trained(learner, game, 2, None, 1, 2)
    copied = {name: array.copy() for name, array in broken.items()}
    again = trained(learner, game, 2, copied, 3, 4)
    assert whole["changes"][0] > 0
    for name, array in whole.items():
        assert np.array_equal(array, again[name]), name
    marks = whole["games.marks"]
    assert 0.2 < marks.mean() < 0.7  # only full searches are learnt from
    assert whole["games.policies"][marks].sum(1).min() > 0


@pytest.mark.parametrize("text", ["tic-tac-mo"])
def test_targets_are_those_of_the_seat_to_move(text: str) -> None:
    """Black, the first of three, wins; everybody sees that from their own place."""
    game = make(text)
    learner = learner_from(TINY, game)
    moves = [parsed(game, name) for name in ("a1", "a2", "a3", "b1", "b2", "b3", "c1")]
    policies = np.zeros((7, game.limits().moves), np.uint8)
    policies[np.arange(7), moves] = 255
    marks = np.ones(7, np.bool_)
    one = PlayedOut(0, np.array(moves, np.int32), policies, marks, np.zeros(3), np.zeros(3))
    state = replay.empty(game)
    assert replay.add(state, [one], 100) == 7
    shelf = replay.Shelf(game, sizes_for(learner.net, game), state, turned=True)
    batch = shelf.batch(200, np.random.default_rng(1))
    for row in range(200):
        ply = int(batch.planes[row, :3].sum())  # the stones on the board
        wanted = np.zeros(3)
        wanted[-ply % 3] = 1.0  # the first seat, counted from the one to move
        assert batch.scores[row].tolist() == wanted.tolist()
        cell = int(batch.policies[row].argmax())
        assert batch.policies[row].sum() == 1.0
        assert batch.planes[row, :3].reshape(3, -1)[:, cell].sum() == 0.0  # it was empty then
        assert batch.areas[row, cell] == 1  # and taken in the end by who was to move


def parsed(game: Any, name: str) -> int:
    from quintet.notation import parse_move

    return parse_move(game, name)


def test_the_oldest_games_are_forgotten() -> None:
    game = make("tic-tac-mo")
    state = replay.empty(game)
    marks, policies = np.ones(7, np.bool_), np.zeros((7, game.limits().moves), np.uint8)
    for number in range(5):
        moves = np.full(7, number, np.int32)
        replay.add(state, [PlayedOut(0, moves, policies, marks, marks, marks)], 20)
    assert state["games.lengths"].tolist() == [7, 7]
    assert state["games.moves"].tolist() == [3] * 7 + [4] * 7


def test_what_does_not_fit_is_told() -> None:
    game = make("tic-tac-toe")
    with pytest.raises(UserError, match="points"):
        learner_from("alphazero:net=residual(head=areas)", game)
    with pytest.raises(UserError, match="multiple of 8"):
        learner_from("alphazero:net=residual(filters=12)", game)
    with pytest.raises(UserError, match="cpu, cuda"):
        learner_from("alphazero:device=tpu", game)
    with pytest.raises(UserError, match="worker"):
        learner_from("alphazero:games=1,workers=2", game)


def test_the_paper_is_a_preset() -> None:
    """Tables 1 and 2 of paper 002."""
    learner = make_learner("alphazero", make("go:size=5,players=3"), preset="paper")
    sizes = sizes_for(learner.net, make("go:size=5,players=3"))
    assert (sizes.blocks, sizes.filters, sizes.planes) == (8, 128, 6)
    assert sizes.outputs == 3 * 26
    assert (learner.sims, learner.c, learner.candidates, learner.adam) == (180, 0.8, 0, False)
    chance = np.random.default_rng(1)
    first = learner._roles((10_000, 3), chance, 1).mean()
    last = learner._roles((10_000, 3), chance, learner.steps).mean()
    assert first == pytest.approx(0.5, abs=0.02)
    assert last == pytest.approx(0.05, abs=0.01)


@pytest.mark.slow
def test_tic_tac_toe_is_learnt_to_the_end() -> None:
    """Against a perfect player who chooses at random among the best, nothing is lost."""
    game = make("tic-tac-toe")
    learner = make_learner("alphazero", game, [("steps", "150"), ("rate", "0.01")], "small")
    player = learner.player(game, trained(learner, game, 1, None, 1, 150))
    perfect = Entrant("perfect", make_player("alphabeta:depth=9,eval=level", game))
    found = play_match(game, [Entrant("trained", player), perfect], Terms(200, 5, 0)).standings()
    score = next(s for s in found if s.player == "trained" and s.seat is None).score
    assert score[0] >= 0.495


@pytest.mark.slow
@pytest.mark.parametrize("settings", ["candidates=0,noise=0.25", "uct=1,uct_end=0.3"])
def test_other_ways_to_play(settings: str) -> None:
    """AlphaZero's own root, and seats that UCT plays at first."""
    game = make("tic-tac-mo")
    learner = learner_from(f"{TINY},steps=40,{settings}", game)
    state = trained(learner, game, 1, None, 1, 40)
    assert share_seen(learner, game, state) > 0.7
