"""The evaluations, by text: ``lead``, ``positional(table=c)``."""

from __future__ import annotations

import re
from typing import Any

from quintet.errors import UserError
from quintet.parameters import ByText, build, read_settings, settings_text
from quintet.registry import Entry, find, name_of

_SEARCH = "quintet.search.evaluation"
EVALUATIONS = {
    "level": Entry(f"{_SEARCH}:Level", {}, "all seats alike until the game is over"),
    "lead": Entry(f"{_SEARCH}:Lead", {}, "points ahead of the others"),
    "playout": Entry(f"{_SEARCH}:Playout", {}, "the result of one random game"),
}


def make_evaluation(text: str) -> Any:
    """An evaluation from its text."""
    match = re.fullmatch(r"([\w-]+)(?:\((.*)\))?", text)
    if match is None:
        raise UserError(f"{text!r} is no evaluation; expected name or name(setting=value,...)")
    entry = find(EVALUATIONS, match[1], "evaluation")
    return build(entry.load(), read_settings(match[2] or ""), **entry.presets)


def text_of_evaluation(evaluation: Any) -> str:
    """The text from which `make_evaluation` gives this evaluation again."""
    settings = settings_text(evaluation)
    name = name_of(EVALUATIONS, type(evaluation))
    return f"{name}({settings})" if settings else name


EVALUATION = ByText(make_evaluation, text_of_evaluation, lambda: " or ".join(EVALUATIONS))
