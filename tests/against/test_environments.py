"""Our games pass the tests that PettingZoo, Gymnasium and OpenSpiel have for theirs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms import get_all_states, mcts, minimax
from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test

from quintet import games, rules
from quintet.bridges import pettingzoo_env
from quintet.bridges.gymnasium_env import LearnerEnv, register
from quintet.bridges.observing import rewards
from quintet.bridges.openspiel_game import short_name
from quintet.errors import IllegalMove, UserError
from quintet.parameters import parameters_of

FEW = ["tic-tac-toe", "tic-tac-mo", "connect-four", "pente:size=5,players=4", "go:size=3,players=3"]


def every_game() -> Iterator[str]:
    """Every game by name, for every number of players."""
    for name, entry in games.BUILT_IN.items():
        given = {parameter.name: parameter for parameter in parameters_of(entry.load())}
        if "players" not in given:
            yield name
            continue
        limits = given["players"].limits
        assert limits is not None
        for players in range(int(limits.low), int(limits.high) + 1):
            yield f"{name}:players={players}"


ALL = [
    *FEW,
    *(pytest.param(text, marks=pytest.mark.slow) for text in every_game()),
]
# those that are longer than the four rounds of PettingZoo's test of cycles
LONG = [
    pytest.param(text, marks=pytest.mark.slow)
    for text in every_game()
    if games.make(text).limits().plies > 4 * games.make(text).limits().seats
]
quietly = pytest.mark.filterwarnings("ignore::UserWarning")  # dicts, and masks off turn


# --- PettingZoo -----------------------------------------------------------------


@quietly
@pytest.mark.parametrize("text", ALL)
def test_pettingzoo_api(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(pettingzoo_env.env(text), num_cycles=30)
    seed_test(lambda: pettingzoo_env.env(text), num_cycles=10)


class _LegalMoves(gymnasium.spaces.Discrete):
    """Samples what may be played: PettingZoo's test of cycles knows no masks."""

    def __init__(self, env: Any, moves: int) -> None:
        super().__init__(moves)
        self._env = env

    def sample(self, *_: Any, **__: Any) -> np.int64:
        game, position = self._env.game, self._env.position
        legal = rules.list_legal_moves(game, position)
        random.Random(self._env.plies).shuffle(legal)
        for move in legal:  # one that does not end the game
            after = rules.copied(position)
            rules.play(game, after, move)
            if not rules.is_over(game, after):
                return np.int64(move)
        return np.int64(legal[0])


def _sampling_legally(env: Any) -> Any:
    board = env.unwrapped
    for agent in board.possible_agents:
        board.action_spaces[agent] = _LegalMoves(board, board.game.limits().moves)
    return env


@quietly
@pytest.mark.parametrize("text", ["tic-tac-toe", "pente:size=5,players=3", *LONG])
def test_pettingzoo_cycles(text: str) -> None:
    name = text.split(":", maxsplit=1)[0].replace("-", "_")
    settings = dict(part.split("=") for part in text.partition(":")[2].split(",") if part)
    module = getattr(pettingzoo_env, f"{name}_v1")
    max_cycles_test(
        SimpleNamespace(
            env=lambda max_cycles: _sampling_legally(module.env(max_cycles=max_cycles, **settings)),
            parallel_env=lambda max_cycles: _sampling_legally(
                module.parallel_env(max_cycles=max_cycles, **settings)
            ),
        )
    )


def test_pettingzoo_renders(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: pettingzoo_env.env("tic-tac-mo", render_mode=render_mode))
    svg = pettingzoo_env.env("tic-tac-mo", render_mode="svg")
    svg.reset()
    svg.step(0)
    assert svg.render().startswith("<svg")
    rgb = pettingzoo_env.raw_env("othello:size=4", render_mode="rgb_array")
    rgb.reset()
    frame = rgb.render()
    assert frame.shape == (96, 96, 3)
    # the four discs of the start: white, black / black, white
    centres = [frame[36, 36], frame[36, 60], frame[60, 36], frame[60, 60]]
    assert [int(centre.mean()) > 128 for centre in centres] == [True, False, False, True]


def test_pettingzoo_plays_by_our_rules() -> None:
    made = pettingzoo_env.raw_env("tic-tac-toe")
    made.reset()
    assert str(made) == "quintet_tic_tac_toe_v1"
    for move in (0, 3, 1, 4):
        assert made.observe(made.agent_selection)["action_mask"][move] == 1
        made.step(move)
    assert made.observe("player_1")["action_mask"].sum() == 0  # not its turn
    with pytest.raises(IllegalMove):
        made.step(0)
    made.step(2)
    assert made.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert made.terminations == {"player_0": True, "player_1": True}


def test_an_illegal_move_ends_the_game_of_a_wrapped_environment() -> None:
    made = pettingzoo_env.env("tic-tac-toe")
    made.reset()
    made.step(4)
    made.step(4)
    assert made.rewards["player_1"] == -1
    assert all(made.terminations.values())


def test_pettingzoo_ids_have_the_version() -> None:
    assert pettingzoo_env.pente_v1.raw_env(size=7, players=3).game == games.make(
        "pente:size=7,players=3"
    )
    for wrong in ("pente_v2", "chess_v1", "nothing"):
        with pytest.raises(AttributeError, match=r"version 1|no attribute"):
            getattr(pettingzoo_env, wrong)


@pytest.mark.parametrize(
    ("options", "told"),
    [({"render_mode": "film"}, "film"), ({"rewards": "gold"}, "wins or points")],
)
def test_wrong_options_are_named(options: dict[str, str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        pettingzoo_env.raw_env("tic-tac-toe", **options)  # type: ignore[arg-type]
    with pytest.raises(UserError, match=told):
        LearnerEnv("tic-tac-toe", **options)  # type: ignore[arg-type]


# --- rewards ----------------------------------------------------------------------


def test_rewards() -> None:
    two, three = games.make("tic-tac-toe").limits(), games.make("tic-tac-mo").limits()
    assert rewards([1, 0], two) == [1, -1]
    assert rewards([0.5, 0.5], two) == [0, 0]
    assert rewards([0, 1, 0], three) == [-0.5, 1, -0.5]
    assert rewards([0.5, 0.5, 0], three) == [0.25, 0.25, -0.5]
    go = games.make("go:size=5,players=3").limits()
    assert rewards([10, 15, 0], go) == [-0.5, 1, -0.5]
    assert np.allclose(rewards([10, 15, 0], go, "points"), [0.1, 0.4, -0.5])
    assert rewards([5.0], go._replace(seats=1)) == [0.2]


# --- Gymnasium --------------------------------------------------------------------


@pytest.mark.parametrize("text", ALL)
def test_gymnasium_check_env(text: str) -> None:
    check_env(LearnerEnv(text, ["random", "greedy"]), skip_render_check=True)


def test_gymnasium_ids_and_rendering() -> None:
    ids = register()
    assert "quintet/pente-v1" in ids
    made = gymnasium.make("quintet/tic-tac-mo-v1", render_mode="rgb_array")
    check_env(made.unwrapped)
    assert made.unwrapped.game == games.make("tic-tac-mo")


def _episode(env: LearnerEnv, chance: random.Random, **how: Any) -> tuple[Any, ...]:
    _, info = env.reset(**how)
    moves, over, reward = [], False, 0.0
    while not over:
        assert (info["action_mask"] == env.action_masks()).all()
        moves.append(chance.choice(np.flatnonzero(info["action_mask"]).tolist()))
        _, reward, over, _, info = env.step(moves[-1])  # type: ignore[assignment]
    return info["seat"], info["opponents"], tuple(moves), tuple(info["scores"]), reward


def test_the_learner_has_each_seat_in_turn_and_the_pool_plays_the_others() -> None:
    env = LearnerEnv("tic-tac-mo", ["random", "greedy"])
    played = [_episode(env, random.Random(n), seed=5 if n == 0 else None) for n in range(30)]
    seats = [seat for seat, *_ in played]
    assert seats == [(seats[0] + n) % 3 for n in range(30)]
    assert {player for _, others, *_ in played for player in others.values()} == set(env.pool)
    for seat, others, _, scores, reward in played:
        assert sorted([seat, *others]) == [0, 1, 2]
        assert reward == rewards(scores, env.game.limits())[seat]
    again = [_episode(env, random.Random(n), seed=5 if n == 0 else None) for n in range(30)]
    assert again == played  # a seed brings all of it back
    other = [_episode(env, random.Random(n), seed=6 if n == 0 else None) for n in range(30)]
    assert other != played


def test_a_seat_can_be_given() -> None:
    env = LearnerEnv("tic-tac-mo", seat=2)
    assert env.reset()[1]["seat"] == env.reset()[1]["seat"] == 2
    assert env.reset(options={"seat": 0})[1]["seat"] == 0
    with pytest.raises(UserError, match="0 to 2"):
        LearnerEnv("tic-tac-mo", seat=3)
    with pytest.raises(UserError, match="a list of players"):
        LearnerEnv("tic-tac-mo", "random")


def test_an_illegal_move_ends_the_episode() -> None:
    env = LearnerEnv("tic-tac-toe", seat=0)
    env.reset(seed=1)
    env.step(4)
    _, reward, over, _, info = env.step(4)
    assert (reward, over, info["illegal"]) == (-1.0, True, 4)


# --- OpenSpiel --------------------------------------------------------------------


def _theirs(text: str) -> Any:
    name, _, settings = text.partition(":")
    return pyspiel.load_game(f"{short_name(name)}({settings})")


@pytest.mark.parametrize("text", ALL)
def test_openspiel_random_sim(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    long = games.make(text).limits().plies > 100
    pyspiel.random_sim_test(
        _theirs(text), num_sims=1 if long else 3, serialize=not long, verbose=False
    )


@pytest.mark.parametrize("text", FEW)
def test_openspiel_states_are_copied_written_and_read(text: str) -> None:
    game, chance = _theirs(text), random.Random(2)
    state = game.new_initial_state()
    while not state.is_terminal():
        before, copy = str(state), state.clone()
        move = chance.choice(state.legal_actions())
        assert state.string_to_action(state.action_to_string(move)) == move
        state.apply_action(move)
        assert str(copy) == before != str(state)
        data = pyspiel.serialize_game_and_state(game, state)
        _, back = pyspiel.deserialize_game_and_state(data)
        assert (str(back), back.history()) == (str(state), state.history())
    assert sum(state.returns()) == pytest.approx(0)
    assert state.clone().returns() == state.returns()
    seen = np.array(state.observation_tensor(1)).reshape(game.observation_tensor_shape())
    ours = games.make(text)
    planes = np.zeros((ours.limits().planes, *ours.layout()[:2]), np.float32)
    rules.observe(ours, state.position, 1, planes)
    assert (seen == planes).all()


def test_openspiel_walks_and_solves_our_tic_tac_toe() -> None:
    game = _theirs("tic-tac-toe")
    found = get_all_states.get_all_states(game, include_terminals=True, to_string=str)
    assert len(found) == 5478  # as is well known
    state = game.new_initial_state()
    for move in (4, 0, 8, 2):  # X must block at 1, and draws
        state.apply_action(move)
    value, best = minimax.alpha_beta_search(game, state=state)
    assert (value, best) == (0.0, 1)


def test_openspiel_mcts_beats_random_on_our_games() -> None:
    game = _theirs("connect-3x3:rows=4,columns=4")
    bot = mcts.MCTSBot(
        game,
        uct_c=2,
        max_simulations=30,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(0)),
        random_state=np.random.RandomState(0),
    )
    chance, total = random.Random(0), 0.0
    for n in range(9):
        state = game.new_initial_state()
        while not state.is_terminal():
            ours = state.current_player() == n % 3
            state.apply_action(bot.step(state) if ours else chance.choice(state.legal_actions()))
        total += state.returns()[n % 3]
    assert total / 9 > 0.4


# --- OpenSpiel's games as ours ------------------------------------------------------

BORROWED = [
    "tic_tac_toe",
    "connect_four",
    "breakthrough(rows=5,columns=5)",
    "nim",
    "hex(board_size=4)",
]


@pytest.mark.parametrize("name", BORROWED)
def test_a_game_of_openspiel_is_played_as_they_play_it(name: str) -> None:
    game, chance = games.make(f"openspiel:{name}"), random.Random(3)
    assert games.make(games.text_of(game)) == game
    for _ in range(3):
        position = rules.new_position(game)
        state = pyspiel.load_game(name).new_initial_state()
        while not state.is_terminal():
            assert rules.list_legal_moves(game, position) == state.legal_actions()
            assert rules.turn(game, position) == state.current_player()
            planes = np.zeros((game.limits().planes, *game.layout()[:2]), np.float32)
            rules.observe(game, position, 1, planes)
            assert (planes.ravel() == np.array(state.observation_tensor(1), np.float32)).all()
            move = chance.choice(state.legal_actions())
            state.apply_action(move)
            rules.checked_play(game, position, move)
        assert rules.is_over(game, position)
        assert rules.list_scores(game, position) == [(r + 1) / 2 for r in state.returns()]
        with pytest.raises(IllegalMove):
            rules.checked_play(game, position, 0)


def test_our_search_and_arena_play_a_game_of_openspiel() -> None:
    import quintet

    game = quintet.make("openspiel:tic_tac_toe")
    result = game.match("uct:sims=100", "random", games=20, seed=1)
    assert result.standings[0].player == "uct:sims=100"
    assert result.standings[0].score.mean > 0.8
    # positions are found again by their moves alone, also when the store has forgotten them
    from quintet.games import open_spiel

    position = game.start().play(4, 0)
    open_spiel._LOADED[game.parameters.number]._states.clear()
    assert position.play(8).legal == ["1", "2", "3", "5", "6", "7"]
    assert position._repr_svg_().startswith("<svg")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("kuhn_poker", "chance"),
        ("matrix_rps", "at the same time"),
        ("no_such_game", "no game"),
        ("dark_hex", "hidden"),
        ("hexx", "did you mean 'hex'"),
        ("hex(board_size=x)", "board_size"),
    ],
)
def test_games_that_do_not_fit_are_refused(name: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        games.make(f"openspiel:{name}")
