"""The networks, by text: ``perceptron(hidden=20,kind=attentive)``, ``line-eye``, ``spatial``."""

from __future__ import annotations

import re
from typing import Any

from quintet.errors import UserError
from quintet.nets.genomes import Genome
from quintet.nets.spatial import Spatial
from quintet.parameters import ByText, build, read_settings, settings_text
from quintet.players.finishing import Finish
from quintet.players.point_network import network_player, unfit_for_points
from quintet.players.spatial import spatial_player, spatial_value, unfit_for_windows
from quintet.registry import Entry, find, name_of

NETWORKS = {
    "perceptron": Entry(
        "quintet.nets.perceptron:Perceptron", {}, "one hidden layer over all points (000)"
    ),
    "line-eye": Entry(
        "quintet.nets.line_eye:LineEye", {}, "every point looks along its lines, on any board"
    ),
    "spatial": Entry(
        "quintet.nets.spatial:Spatial", {}, "windows on the board: values positions (001)"
    ),
}


def make_network(text: str, game: Any = None) -> Any:
    """The blueprint of a network from its text, for a game if it is known."""
    match = re.fullmatch(r"([\w-]+)(?:\((.*)\))?", text)
    if match is None:
        raise UserError(f"{text!r} is no network; expected name or name(setting=value,...)")
    blueprint = build(find(NETWORKS, match[1], "network").load(), read_settings(match[2] or ""))
    problem = None if game is None else unfit_network(blueprint, game)
    if problem:
        raise UserError(f"network {text!r}: {problem}")
    return blueprint


def unfit_network(net: Any, game: Any) -> str | None:
    """Why a network cannot play a game, or None."""
    if isinstance(net, Spatial):
        return unfit_for_windows(net, game)
    return unfit_for_points(net, game)


def evolved_player(net: Any, game: Any, depth: int = 0, genome: Genome | None = None) -> Any:
    """The player of a network; one that values positions can look ahead."""
    if isinstance(net, Spatial):
        return spatial_player(net, game, depth, genome)
    return network_player(net, game, Finish.NONE, genome)


def evolved_evaluation(net: Any, game: Any, genome: Genome) -> Any:
    """The evaluation by a network, if it values positions."""
    if isinstance(net, Spatial):
        return spatial_value(net, game, genome)
    raise UserError(f"{text_of_network(net)} chooses moves; it does not value positions")


def text_of_network(blueprint: Any) -> str:
    """The text from which `make_network` gives this blueprint again."""
    settings = settings_text(blueprint)
    name = name_of(NETWORKS, type(blueprint))
    return f"{name}({settings})" if settings else name


NETWORK = ByText(make_network, text_of_network, lambda: " or ".join(NETWORKS))
