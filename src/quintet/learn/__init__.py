"""The learners, by text: ``comparison:trainer=hardnet,alpha=0.1``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from quintet.errors import UserError
from quintet.parameters import build, read_settings, settings_text
from quintet.registry import Entry, find, fit_for, joined, name_of, unfit

LEARNERS: dict[str, Entry] = {
    "comparison": Entry(
        "quintet.learn.comparison:Comparison", {}, "reward and penalty for product units (004)"
    ),
    "product-td": Entry(
        "quintet.learn.product_td:ProductTd", {}, "TD(lambda) in self-play for product units (004)"
    ),
    "ranking": Entry(
        "quintet.learn.ranking:Ranking", {}, "a teacher's move before all others, for product units"
    ),
    "product-cma": Entry(
        "quintet.learn.product_cma:ProductCma", {}, "product units, evolved by the games they win"
    ),
    "ntuple": Entry(
        "quintet.learn.ntuple:NTuple", {}, "TD(lambda) with tables over tuples of cells"
    ),
    "esp": Entry("quintet.learn.esp:Esp", {}, "networks from sub-populations of neurons (000)"),
    "cosyne": Entry("quintet.learn.cosyne:Cosyne", {}, "networks from populations of weights"),
    "evolutionary-programming": Entry(
        "quintet.learn.evolutionary_programming:EvolutionaryProgramming",
        {},
        "networks that compete, and change by mutation (001)",
    ),
    "cma-es": Entry("quintet.learn.cma_es:CmaEs", {}, "a normal distribution of networks"),
    "hill-climbing": Entry(
        "quintet.learn.hill_climbing:HillClimbing", {}, "random changes of weights that win"
    ),
    "alphazero": Entry(
        "quintet.learn.alphazero:AlphaZero", {}, "networks and tree search in self-play (002)"
    ),
    "descent": Entry(
        "quintet.learn.descent:Descent", {}, "networks from best-first search in self-play (002)"
    ),
    "markov": Entry("quintet.learn.markov:Markov", {}, "values of buckets, from what followed"),
}


def make_learner(
    name: str, game: Any, settings: Iterable[tuple[str, str]] = (), preset: str | None = None
) -> Any:
    """A learner for a game, from its name, perhaps a preset, and ``name=value`` settings.

    Presets are what a class tells by ``presets()``: for each name, the settings it stands for.
    """
    entry = find(LEARNERS, name, "learner", [name for name, _ in learners_for(game)])
    given = [*_preset(entry, name, preset), *settings]
    learner = build(entry.load(), given, for_game=game, **entry.presets)
    problem = unfit(learner, game)
    if problem:
        raise UserError(f"learner {name!r}: {problem}")
    return learner


def learner_from(text: str, game: Any) -> Any:
    """A learner from ``name:setting=value,...``."""
    name, _, settings = text.partition(":")
    return make_learner(name, game, read_settings(settings))


def text_of(learner: Any) -> str:
    """The text from which `learner_from` gives this learner again."""
    return joined(name_of(LEARNERS, type(learner)), settings_text(learner))


def learners_for(game: Any) -> list[tuple[str, Entry]]:
    """The names of the learners that can learn a game, with their entries."""
    return fit_for(LEARNERS, game)


def presets_of(cls: Any) -> Mapping[str, str]:
    """The presets of a learner's class: name and settings."""
    return cls.presets() if hasattr(cls, "presets") else {}


def _preset(entry: Entry, name: str, preset: str | None) -> list[tuple[str, str]]:
    if preset is None:
        return []
    known = presets_of(entry.load())
    if preset not in known:
        offered = ", ".join(known) or "none"
        raise UserError(f"learner {name!r} has no preset {preset!r}; there are {offered}")
    return read_settings(known[preset])
