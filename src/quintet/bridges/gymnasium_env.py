"""A learner against a pool of players, as a Gymnasium environment.

::

    import gymnasium
    import quintet.bridges.gymnasium_env     # registers quintet/pente-v1 and the others
    env = gymnasium.make("quintet/pente-v1", game="pente:size=7", pool=["greedy", "random"])

Each episode is one game.  The learner has the next seat each time, unless one is
given; each other seat draws a player from the pool.  The mask of the legal moves is in
``info["action_mask"]``, and comes from ``action_masks()``, as sb3-contrib asks for
it.  An illegal move ends the episode with reward -1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

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
from quintet.players import make_player
from quintet.players.player import Seat
from quintet.randomness import seeded

_ILLEGAL = -1.0


class LearnerEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One seat is the learner's; the others are played by a pool."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - as its base

    def __init__(
        self,
        game: str = "tic-tac-toe",
        pool: Sequence[str] = ("random",),
        seat: int | None = None,
        rewards: Rewards = "wins",
        render_mode: str | None = None,
    ) -> None:
        """A game and players by their texts; a fixed seat, or all in turn."""
        self.game = games.make(game)
        limits = self.game.limits()
        if not pool or isinstance(pool, str):
            raise UserError(f"pool={pool!r}; expected a list of players, such as ['random']")
        _check_seat(seat, limits.seats)
        check_rewards(rewards)
        check_mode(render_mode)
        self.pool, self.fixed_seat, self.kind = list(pool), seat, rewards
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0.0, 1.0, planes_shape(self.game), np.float32)
        self.action_space = spaces.Discrete(limits.moves)
        self._players = [make_player(text, self.game) for text in pool]
        self._sitting: dict[tuple[int, int], Seat] = {}  # by seat and place in the pool
        self._first, self._episodes = 0, 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game; `options` may give the learner's ``seat`` for this one.

        After a seed, seats and opponents are drawn the same again.
        """
        super().reset(seed=seed)
        seats = self.game.limits().seats
        if seed is not None:
            self._first, self._episodes = int(self.np_random.integers(seats)), 0
        given = (options or {}).get("seat", self.fixed_seat)
        _check_seat(given, seats)
        self.seat = (self._first + self._episodes) % seats if given is None else int(given)
        self._episodes += 1
        self._seat_opponents(seats)
        self.position = rules.new_position(self.game)
        self._play_others()
        return self._seen(), self._info()

    def _seat_opponents(self, seats: int) -> None:
        self.opponents: dict[int, str] = {}
        self._others: dict[int, Seat] = {}
        for seat in range(seats):
            if seat == self.seat:
                continue
            place = int(self.np_random.integers(len(self.pool)))
            if (seat, place) not in self._sitting:
                self._sitting[seat, place] = Seat(self._players[place], self.game)
            sitting = self._sitting[seat, place]
            sitting.random[:] = seeded(int(self.np_random.integers(2**62)), seat)
            sitting.begin()
            self.opponents[seat], self._others[seat] = self.pool[place], sitting

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.float32], SupportsFloat, bool, bool, dict[str, Any]]:
        """The learner's move, and then those of the others until it is its turn again."""
        move = int(action)
        if rules.is_over(self.game, self.position):
            raise UserError("the game is over; expected reset()")
        if move not in rules.list_legal_moves(self.game, self.position):
            return self._seen(), _ILLEGAL, True, False, {**self._info(), "illegal": move}
        self._make(move)
        self._play_others()
        if not rules.is_over(self.game, self.position):
            return self._seen(), 0.0, False, False, self._info()
        scores = rules.list_scores(self.game, self.position)
        reward = rewards(scores, self.game.limits(), self.kind)[self.seat]
        return self._seen(), reward, True, False, {**self._info(), "scores": scores}

    def _play_others(self) -> None:
        while not rules.is_over(self.game, self.position):
            seat = int(rules.turn(self.game, self.position))
            if seat == self.seat:
                return
            self._make(self._others[seat].choose(self.position))

    def _make(self, move: int) -> None:
        for other in self._others.values():
            other.watch(self.position, move)
        rules.checked_play(self.game, self.position, move)

    def _seen(self) -> NDArray[np.float32]:
        return planes_for(self.game, self.position, self.seat)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which moves are legal."""
        return legal_mask(self.game, self.position).astype(np.bool_)

    def _info(self) -> dict[str, Any]:
        mask = legal_mask(self.game, self.position)
        return {"action_mask": mask, "seat": self.seat, "opponents": dict(self.opponents)}

    def render(self) -> Any:
        """The board: text (printed for "human"), pixels, or SVG."""
        return rendered(self.game, self.position, self.render_mode)


def _check_seat(seat: int | None, seats: int) -> None:
    if seat is not None and not 0 <= seat < seats:
        raise UserError(f"seat {seat}; expected 0 to {seats - 1}, or None for each in turn")


def register() -> list[str]:
    """Register an id for each game that has a name, with its version; returns the ids."""
    ids = []
    for name in games.names():
        ids.append(f"quintet/{name}-v{games.make(name).limits().version}")
        if ids[-1] not in gymnasium.registry:
            place = f"{LearnerEnv.__module__}:{LearnerEnv.__qualname__}"
            gymnasium.register(ids[-1], place, kwargs={"game": name})
    return ids


register()
