"""Our games registered with OpenSpiel, so that its algorithms run on them.

::

    import quintet.bridges.openspiel_game      # registers quintet_pente and the others
    game = pyspiel.load_game("quintet_pente(size=7,players=3)")

Each has our parameters, and ``rewards`` ("wins" or "points").  Their actions are the
numbers of our moves, their returns our rewards (bridges/observing.py): a zero-sum
game for any number of players.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from quintet import games, rules
from quintet.bridges.observing import check_rewards, planes_shape, rewards
from quintet.errors import UserError
from quintet.notation import move_name, picture
from quintet.parameters import Parameter, build, parameters_of, value_text
from quintet.registry import Entry

_PLAIN = (int, float, bool)


class _Rules:
    """A game that all states share, also those that are copied deeply."""

    def __init__(self, game: Any, kind: Any) -> None:
        check_rewards(kind)
        self.game, self.kind = game, kind

    def __deepcopy__(self, memo: Any) -> _Rules:
        return self


class QuintetGame(pyspiel.Game):
    """A game of ours as OpenSpiel's; a class of its own for each name."""

    entry: Entry
    game_type: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """What `pyspiel.load_game` calls."""
        given = dict(params or {})
        kind = given.get("rewards", "wins")
        settings = [(n, _text(value)) for n, value in given.items() if n != "rewards"]
        made = build(self.entry.load(), [s for s in settings if s[1]], **self.entry.presets)
        game = made.specialised() if hasattr(made, "specialised") else made
        self.rules = _Rules(game, kind)
        limits = game.limits()
        info = pyspiel.GameInfo(
            num_distinct_actions=limits.moves,
            max_chance_outcomes=0,
            num_players=limits.seats,
            min_utility=-1.0 if kind == "points" or limits.seats == 2 else -1 / (limits.seats - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=limits.plies,
        )
        super().__init__(self.game_type, info, given)

    def new_initial_state(self, state: Any = None) -> QuintetState:
        """The start position."""
        if state is not None:
            raise UserError("a state of a Quintet game cannot be set up; play its moves")
        return QuintetState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What sees a state: planes and picture, or the moves so far."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return BoardObserver(self.rules.game, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class QuintetState(pyspiel.State):
    """A position of ours as OpenSpiel's."""

    def __init__(self, game: QuintetGame) -> None:
        """The start position."""
        super().__init__(game)
        self.rules = game.rules
        self.position = rules.new_position(self.rules.game)

    def current_player(self) -> int:
        """The seat to move."""
        if rules.is_over(self.rules.game, self.position):
            return int(pyspiel.PlayerId.TERMINAL)
        return int(rules.turn(self.rules.game, self.position))

    def _legal_actions(self, player: int) -> list[int]:
        return rules.list_legal_moves(self.rules.game, self.position)

    def _apply_action(self, action: int) -> None:
        rules.checked_play(self.rules.game, self.position, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return move_name(self.rules.game, action)

    def is_terminal(self) -> bool:
        """Has the game ended?"""
        return bool(rules.is_over(self.rules.game, self.position))

    def returns(self) -> list[float]:
        """Our rewards; 0 before the end."""
        game = self.rules.game
        limits = game.limits()
        if not self.is_terminal():
            return [0.0] * limits.seats
        return rewards(rules.list_scores(game, self.position), limits, self.rules.kind)

    def __str__(self) -> str:
        return picture(self.rules.game, self.position)


class BoardObserver:
    """The planes of a position, as OpenSpiel's observers give them."""

    def __init__(self, game: Any, params: Any) -> None:
        """It takes no parameters."""
        if params:
            raise UserError(f"observation parameters {params}; expected none")
        shape = planes_shape(game)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: QuintetState, player: int) -> None:
        """Write what a player sees."""
        rules.observe(state.rules.game, state.position, player, self.dict["observation"])

    def string_from(self, state: QuintetState, player: int) -> str:
        """The picture."""
        return str(state)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else value_text(value)


def _as_theirs(parameter: Parameter, value: Any) -> Any:
    """A value that OpenSpiel can hold: numbers, yes or no; texts for the rest."""
    return value if type(value) in _PLAIN else value_text(value)


def short_name(name: str) -> str:
    """What OpenSpiel calls a game of ours."""
    return "quintet_" + name.replace("-", "_")


def register(name: str, entry: Entry) -> None:
    """Register a game, under `short_name`."""
    cls = entry.load()
    parameters = parameters_of(cls)
    defaults = {p.name: _as_theirs(p, entry.presets.get(p.name, p.default)) for p in parameters}
    seats = [p.limits for p in parameters if p.name == "players" and p.limits]
    own = entry.preset().limits().seats
    game_type = pyspiel.GameType(
        short_name=short_name(name),
        long_name=f"Quintet: {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=int(seats[0].high) if seats else own,
        min_num_players=int(seats[0].low) if seats else own,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={**defaults, "rewards": "wins"},
    )
    # a class, because OpenSpiel lets go of it after the interpreter has ended
    own_class = type(QuintetGame.__name__, (QuintetGame,), {"entry": entry, "game_type": game_type})
    pyspiel.register_game(game_type, own_class)


def register_all() -> None:
    """Register every game that has a name and is not registered."""
    known = set(pyspiel.registered_names())
    for name, entry in games.names().items():
        if short_name(name) not in known:
            register(name, entry)


register_all()
