"""The networks of points, by text: ``perceptron(hidden=20,kind=attentive)``, ``line-eye``."""

from __future__ import annotations

import re
from typing import Any

from quintet.errors import UserError
from quintet.parameters import ByText, build, read_settings, settings_text
from quintet.players.point_network import unfit_for_points
from quintet.registry import Entry, find, name_of

NETWORKS = {
    "perceptron": Entry(
        "quintet.nets.perceptron:Perceptron", {}, "one hidden layer over all points (000)"
    ),
    "line-eye": Entry(
        "quintet.nets.line_eye:LineEye", {}, "every point looks along its lines, on any board"
    ),
}


def make_network(text: str, game: Any = None) -> Any:
    """The blueprint of a network from its text, for a game if it is known."""
    match = re.fullmatch(r"([\w-]+)(?:\((.*)\))?", text)
    if match is None:
        raise UserError(f"{text!r} is no network; expected name or name(setting=value,...)")
    blueprint = build(find(NETWORKS, match[1], "network").load(), read_settings(match[2] or ""))
    problem = None if game is None else unfit_for_points(blueprint, game)
    if problem:
        raise UserError(f"network {text!r}: {problem}")
    return blueprint


def text_of_network(blueprint: Any) -> str:
    """The text from which `make_network` gives this blueprint again."""
    settings = settings_text(blueprint)
    name = name_of(NETWORKS, type(blueprint))
    return f"{name}({settings})" if settings else name


NETWORK = ByText(make_network, text_of_network, lambda: " or ".join(NETWORKS))
