"""The players, by text: ``random``, ``uct:sims=180,c=0.8``, ``alphabeta:depth=4,eval=mobility``."""

from __future__ import annotations

from typing import Any

from quintet.errors import UserError
from quintet.parameters import build, read_settings, settings_text
from quintet.registry import Entry, find, name_of

_SIMPLE = "quintet.players.simple"
_LINES = "quintet.players.lines"
_BUILDERS = "quintet.players.builders"
_GO_MOKU = "quintet.players.go_moku"
PLAYERS = {
    "random": Entry(f"{_SIMPLE}:RandomPlayer", {}, "any legal move"),
    "greedy": Entry(f"{_SIMPLE}:Greedy", {}, "takes a win, blocks a loss, else plays at random"),
    "blocker": Entry(f"{_LINES}:Blocker", {}, "blocks fours and threes in a row"),
    "capturer": Entry(f"{_LINES}:Capturer", {}, "captures, or prepares to"),
    "simple": Entry(f"{_BUILDERS}:Simple", {}, "builds a row, or a column"),
    "better": Entry(f"{_BUILDERS}:Better", {}, "builds a row where there is room for it"),
    "hardnet": Entry(f"{_GO_MOKU}:Hardnet", {}, "the point with the most promising lines"),
    "xmake5": Entry(f"{_GO_MOKU}:XMake5", {}, "alpha-beta over promising points"),
    "threats": Entry("quintet.players.threats:Threats", {}, "forced wins by fours and threes"),
}


def make_player(text: str, game: Any) -> Any:
    """A player for a game, from its text."""
    name, _, settings = text.partition(":")
    entry = find(PLAYERS, name, "player", [name for name, _ in players_for(game)])
    player = build(entry.load(), read_settings(settings), **entry.presets)
    problem = unfit(player, game)
    if problem:
        raise UserError(f"player {text!r}: {problem}")
    return player


def text_of(player: Any) -> str:
    """The text from which `make_player` gives this player again."""
    settings = settings_text(player)
    name = name_of(PLAYERS, type(player))
    return f"{name}:{settings}" if settings else name


def players_for(game: Any) -> list[tuple[str, Entry]]:
    """The names of the players that can play a game, with their entries."""
    return [
        (name, entry)
        for name, entry in PLAYERS.items()
        if not unfit(entry.load()(**entry.presets), game)
    ]


def unfit(player: Any, game: Any) -> str | None:
    """Why a player cannot play a game, or None."""
    return player.unfit(game) if hasattr(player, "unfit") else None
