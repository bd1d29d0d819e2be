"""Our games as PettingZoo environments, for any number of seats.

::

    from quintet.bridges.pettingzoo_env import env
    pente = env("pente:size=7,players=3")      # its name is quintet_pente_v1

or, as PettingZoo's own are used, ``from quintet.bridges.pettingzoo_env import pente_v1``
and ``pente_v1.env(size=7, players=3)``.

Agents are ``player_0``, ``player_1``, ...: the seats.  An observation is a dict of
``observation``, the planes as this agent sees them, and ``action_mask``, which is all 0
while another agent is to move.  Actions are the numbers of moves.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from quintet import games, rules
from quintet.bridges.observing import (
    Rewards,
    check_rewards,
    legal_mask,
    planes_for,
    planes_shape,
    rewards,
)
from quintet.bridges.rendering import RENDER_MODES, check_mode, rendered
from quintet.errors import UserError
from quintet.parameters import value_text


def env(game: str, **options: Any) -> Any:
    """An environment in PettingZoo's usual wrappers: an illegal move ends the game, at -1."""
    made = wrappers.TerminateIllegalWrapper(raw_env(game, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


def raw_env(
    game: str,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    rewards: Rewards = "wins",
) -> BoardEnv:
    """An environment without wrappers: an illegal move raises IllegalMove.

    After `max_cycles` moves of each agent it is truncated.
    """
    made = games.make(game)
    most = None if max_cycles is None else max_cycles * made.limits().seats
    return BoardEnv(made, render_mode, most, rewards)


def parallel_env(game: str, max_cycles: int | None = None, **options: Any) -> Any:
    """All agents act in each step, but only the move of whose turn it is counts.

    So here a cycle is one move.
    """
    made = raw_env(game, **options)
    made.most_plies = max_cycles
    return turn_based_aec_to_parallel(wrappers.OrderEnforcingWrapper(made))


def __getattr__(name: str) -> Any:
    """``pente_v1``: a namespace like PettingZoo's modules, made for a name and version."""
    text, _, version = name.rpartition("_v")
    text = text.replace("_", "-")
    if text not in games.names() or not version.isdigit():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    latest = games.make(text).limits().version
    if int(version) != latest:
        raise AttributeError(f"{text} is at version {latest}; expected {_identity(text, latest)}")

    def bound(make: Any) -> Any:
        def made(render_mode: str | None = None, **settings: Any) -> Any:
            known = {"max_cycles", "rewards"} & set(settings)
            options = {key: settings.pop(key) for key in known}
            given = ",".join(f"{key}={value_text(value)}" for key, value in settings.items())
            return make(f"{text}:{given}" if given else text, render_mode=render_mode, **options)

        return made

    return SimpleNamespace(env=bound(env), raw_env=bound(raw_env), parallel_env=bound(parallel_env))


def _identity(text: str, version: int) -> str:
    return f"{text.replace('-', '_')}_v{version}"


class BoardEnv(AECEnv):
    """One game among agents, which are its seats."""

    def __init__(
        self, game: Any, render_mode: str | None, most_plies: int | None, kind: Rewards
    ) -> None:
        """A game as `games.make` gives it."""
        super().__init__()
        check_mode(render_mode)
        check_rewards(kind)
        self.game, self.render_mode, self.most_plies, self.kind = (
            game,
            render_mode,
            most_plies,
            kind,
        )
        limits = game.limits()
        name = games.text_of(game).split(":")[0]
        self.metadata = {
            "name": f"quintet_{_identity(name, limits.version)}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(limits.seats)]
        box = spaces.Box(0.0, 1.0, planes_shape(game), np.float32)
        mask = spaces.Box(0, 1, (limits.moves,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": box, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(limits.moves) for agent in self.possible_agents
        }
        self.state_space = box

    def observation_space(self, agent: str) -> Any:
        """The same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of the moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the rules have no chance, so the seed changes nothing."""
        self.position = rules.new_position(self.game)
        self.plies = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def _to_move(self) -> str:
        return self.possible_agents[int(rules.turn(self.game, self.position))]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees and may do."""
        limits = self.game.limits()
        seat = self.possible_agents.index(agent)
        mask = np.zeros(limits.moves, np.int8)
        if agent == self.agent_selection:
            mask = legal_mask(self.game, self.position)
        return {"observation": planes_for(self.game, self.position, seat), "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """The position as the first seat sees it: the colours are absolute."""
        return planes_for(self.game, self.position, 0)

    def step(self, action: int | None) -> None:
        """Make the move of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise UserError(f"no action for {agent}; expected the number of a move")
        rules.checked_play(self.game, self.position, int(action))
        self.plies += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._end_if_over()
        following = (self.possible_agents.index(agent) + 1) % len(self.possible_agents)
        over = any(self.terminations.values()) or any(self.truncations.values())
        self.agent_selection = self.possible_agents[following] if over else self._to_move()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end_if_over(self) -> None:
        if rules.is_over(self.game, self.position):
            scores = rules.list_scores(self.game, self.position)
            got = rewards(scores, self.game.limits(), self.kind)
            self.rewards = dict(zip(self.agents, got, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            for agent, score in zip(self.agents, scores, strict=True):
                self.infos[agent] = {"score": score}
        elif self.most_plies is not None and self.plies >= self.most_plies:
            self.truncations = dict.fromkeys(self.agents, True)

    def render(self) -> Any:
        """The board: text (printed for "human"), pixels, or SVG."""
        return rendered(self.game, self.position, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""
