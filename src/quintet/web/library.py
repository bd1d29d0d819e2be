"""What can be chosen: games, players, runs, with their settings explained."""

from __future__ import annotations

import enum
import functools
import math
from typing import Any, Literal

from quintet import games, learn
from quintet.bridges.engines.configuration import page_engines
from quintet.bridges.engines.engine import Engine
from quintet.errors import UserError
from quintet.parameters import Parameter, parameters_of
from quintet.players import PLAYERS
from quintet.registry import Entry, unfit
from quintet.runs.run import Run
from quintet.runs.shipped import Card
from quintet.runs.trained import all_runs, shipped_for
from quintet.web.allowed import Allowed, find_run
from quintet.web.answers import (
    GameShown,
    Metrics,
    ModelShown,
    ParameterShown,
    PlayerShown,
    PlayersShown,
    RunShown,
    RunsShown,
    TrainedShown,
    UnfitShown,
)

_MOST_LINES = 5_000  # of metrics in one answer


def parameters_shown(entry: Entry) -> list[ParameterShown]:
    """The settings of a game or player."""
    return [_parameter_shown(it, entry) for it in parameters_of(entry.load())]


def _parameter_shown(parameter: Parameter, entry: Entry) -> ParameterShown:
    value = entry.presets.get(parameter.name, parameter.default)
    limits, kind = parameter.limits, parameter.kind
    is_choice = isinstance(kind, type) and issubclass(kind, enum.Enum)
    return ParameterShown(
        name=parameter.name,
        kind=_kind(parameter, is_choice),
        default=parameter.written(value),
        expected=parameter.expected,
        low=_finite(limits.low) if limits else None,
        high=_finite(limits.high) if limits else None,
        choices=[member.name.lower() for member in kind] if is_choice else [],
        meaning=parameter.meaning,
    )


def _kind(
    parameter: Parameter, is_choice: bool
) -> Literal["number", "whole", "yes_no", "choice", "text"]:
    if parameter.by_text:
        return "text"
    if is_choice:
        return "choice"
    if parameter.kind is bool:
        return "yes_no"
    if parameter.kind is int:
        return "whole"
    return "number" if parameter.kind is float else "text"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


# --- games --------------------------------------------------------------------


def games_shown(allowed: Allowed) -> list[GameShown]:
    """Every game a page may use."""
    found = [_game_shown(name, entry) for name, entry in games.names().items()]
    return [*found, *(_own_game(text) for text in allowed.own_games)]


@functools.lru_cache(maxsize=256)
def _described(name: str) -> tuple[int, str | None]:
    """The seats of a game, and the parameter that changes their number."""
    game = games.make(name)
    fields = getattr(game, "_fields", ())
    by = next((field for field in ("players", "seats") if field in fields), None)
    return int(game.limits().seats), by


def _game_shown(name: str, entry: Entry) -> GameShown:
    seats, by = _described(name)
    return GameShown(
        name=name,
        summary=entry.summary,
        seats=seats,
        seats_by=by,
        parameters=parameters_shown(entry),
    )


def _own_game(text: str) -> GameShown:
    """A game that the command line gave."""
    game = games.make(text)
    cls, summary = type(game), "given on the command line"
    if hasattr(game, "text"):  # it has no parameters of ours
        seats = int(game.limits().seats)
        return GameShown(name=text, summary=summary, seats=seats, seats_by=None, parameters=[])
    return _game_shown(text, Entry(f"{cls.__module__}:{cls.__qualname__}", {}, summary))


# --- players ------------------------------------------------------------------


def players_shown(game: Any) -> PlayersShown:
    """Who can play a game, and who cannot."""
    fit, not_fit = [], []
    for name, entry in PLAYERS.items():
        why = unfit(entry.preset(), game)
        if why is None:
            fit.append(_player_shown(name, entry))
        else:
            not_fit.append(UnfitShown(name=name, why=why))
    for engine in page_engines():
        why = engine.unfit(game)
        if why is None:
            fit.append(_engine_shown(engine))
        else:
            not_fit.append(UnfitShown(name=f"engine:{engine.name}", why=why))
    text = games.text_of(game)
    models = [_model_shown(card) for card in shipped_for(game)]
    return PlayersShown(
        game=text, players=fit, trained=_trained(game), models=models, unfit=not_fit
    )


def _player_shown(name: str, entry: Entry) -> PlayerShown:
    return PlayerShown(
        name=name,
        summary=entry.summary,
        thinks_aloud=hasattr(entry.load(), "thoughts"),
        parameters=parameters_shown(entry),
    )


def _engine_shown(engine: Engine) -> PlayerShown:
    return PlayerShown(
        name=f"engine:{engine.name}",
        summary="another program",
        thinks_aloud=False,
        parameters=[
            ParameterShown(
                name=setting.name,
                kind="whole",
                default=str(setting.default),
                expected=f"{setting.low} to {setting.high}",
                low=setting.low,
                high=setting.high,
                choices=[],
                meaning="",
            )
            for setting in engine.settings
        ],
    )


def _model_shown(card: Card) -> ModelShown:
    told = [
        f"won {100 * it.wins:.0f} % of {it.games} games against {it.against}"
        f" ({100 * it.low:.0f} to {100 * it.high:.0f})"
        for it in card.strengths
    ]
    return ModelShown(player=card.player, name=card.name, summary=card.summary, strengths=told)


def _trained(game: Any) -> list[TrainedShown]:
    """The checkpoints of all runs that can play a game."""
    found = []
    for run in all_runs()[0]:
        learner, learnt = run.settings.learner, run.settings.game
        plays = learner.plays(learnt, game) if hasattr(learner, "plays") else game == learnt
        if plays:
            steps = [checkpoint.step for checkpoint in run.checkpoints()]
            found += [_trained_shown(run, step, step == steps[-1]) for step in reversed(steps)]
    return found


def _trained_shown(run: Run, step: int, last: bool) -> TrainedShown:
    return TrainedShown(player=f"run:{run.name}@{step}", run=run.name, step=step, last=last)


# --- runs ---------------------------------------------------------------------


def runs_shown() -> RunsShown:
    """The runs on disk."""
    found, broken = all_runs()
    shown = []
    for run in found:
        try:
            shown.append(run_shown(run))
        except (OSError, ValueError) as error:  # deleted, or written by hand
            broken.append(f"run {run.name!r}: {error}")
    return RunsShown(runs=shown, broken=broken)


def run_shown(run: Run) -> RunShown:
    """A run."""
    settings = run.settings
    figures = {name: _figure(figure) for name, figure in run.last_figures().items()}
    return RunShown(
        name=run.name,
        game=games.text_of(settings.game),
        learner=learn.text_of(settings.learner),
        seed=settings.seed,
        step=max(run.step(), int(figures.get("step") or 0)),
        steps=run.steps,
        training=run.is_training(),
        headline=list(settings.learner.headline),
        figures=figures,
        checkpoints=[checkpoint.step for checkpoint in run.checkpoints()],
    )


def metrics_of(name: str, since: int) -> Metrics:
    """The figures of a run after a step."""
    run = find_run(name)
    training = run.is_training()  # before the lines: what it says last is not missed
    try:
        lines = [line for line in run.metrics() if line.get("step", 0) > since]
    except (ValueError, TypeError, AttributeError) as error:
        raise UserError(f"the figures of run {name!r} cannot be read: {error}") from error
    told = [{key: _figure(figure) for key, figure in line.items()} for line in lines[:_MOST_LINES]]
    last = int(told[-1]["step"] or since) if told else since
    return Metrics(run=name, last=last, training=training, lines=told)


def _figure(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None
