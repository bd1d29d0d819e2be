"""The evaluations, by text: ``lead``, ``positional(table=c)``."""

from __future__ import annotations

import re
from typing import Any

from quintet.errors import UserError
from quintet.parameters import ByText, build, read_settings, settings_text
from quintet.registry import Entry, find, fit_for, name_of, unfit

_SEARCH = "quintet.search.evaluation"
_OTHELLO = "quintet.players.othello"
_PENTAGO = "quintet.players.pentago_features"
EVALUATIONS = {
    "level": Entry(f"{_SEARCH}:Level", {}, "all seats alike until the game is over"),
    "lead": Entry(f"{_SEARCH}:Lead", {}, "points ahead of the others"),
    "playout": Entry(f"{_SEARCH}:Playout", {}, "the result of one random game"),
    "positional": Entry(f"{_OTHELLO}:Positional", {}, "Othello: what the cells are worth"),
    "discs": Entry(f"{_OTHELLO}:Discs", {}, "Othello: discs ahead"),
    "mobility": Entry(f"{_OTHELLO}:Mobility", {}, "Othello: legal moves ahead"),
    "iagno": Entry(f"{_OTHELLO}:Iagno", {}, "Othello: moves, empty neighbours and cells"),
    "features": Entry(f"{_PENTAGO}:Features", {}, "Pentago: the weighted sum of 35 features"),
}
# those that were learnt: what is in the parentheses says which one
TRAINED = {
    "run": Entry("quintet.runs.trained:evaluation_of_run", {}, "what a run has learnt: run(NAME)"),
    "model": Entry("quintet.runs.trained:evaluation_of_file", {}, "what was learnt: model(FILE)"),
}


def make_evaluation(text: str, game: Any = None) -> Any:
    """An evaluation from its text, for a game if it is known."""
    match = re.fullmatch(r"([\w-]+)(?:\((.*)\))?", text)
    if match is None:
        raise UserError(f"{text!r} is no evaluation; expected name or name(setting=value,...)")
    if match[1] in TRAINED:
        return TRAINED[match[1]].load()(match[2] or "", game)
    offered = [name for name, _ in fit_for(EVALUATIONS, game)]
    entry = find(EVALUATIONS, match[1], "evaluation", offered)
    evaluation = build(entry.load(), read_settings(match[2] or ""), **entry.presets)
    problem = None if game is None else unfit(evaluation, game)
    if problem:
        raise UserError(f"evaluation {text!r}: {problem}; there are {', '.join(sorted(offered))}")
    return evaluation


def text_of_evaluation(evaluation: Any) -> str:
    """The text from which `make_evaluation` gives this evaluation again."""
    settings = settings_text(evaluation)
    name = name_of(EVALUATIONS, type(evaluation))
    return f"{name}({settings})" if settings else name


EVALUATION = ByText(make_evaluation, text_of_evaluation, lambda: " or ".join(EVALUATIONS))
