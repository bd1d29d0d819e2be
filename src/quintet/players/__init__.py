"""The players, by text: ``random``, ``uct:sims=180,c=0.8``, ``alphabeta:depth=4,eval=mobility``."""

from __future__ import annotations

from typing import Any

from quintet.errors import UserError
from quintet.parameters import build, read_settings, settings_text
from quintet.registry import Entry, find, fit_for, name_of, unfit

_SIMPLE = "quintet.players.simple"
_MAXN = "quintet.players.maxn"
_OTHELLO = "quintet.players.othello_opponents"
_LINES = "quintet.players.lines"
_BUILDERS = "quintet.players.builders"
_GO_MOKU = "quintet.players.go_moku"
PLAYERS = {
    "random": Entry(f"{_SIMPLE}:RandomPlayer", {}, "any legal move"),
    "greedy": Entry(f"{_SIMPLE}:Greedy", {}, "takes a win, blocks a loss, else plays at random"),
    "uct": Entry("quintet.players.uct:Uct", {}, "tree search by simulated games"),
    "alphabeta": Entry("quintet.players.alphabeta:AlphaBeta", {}, "looks ahead, for two players"),
    "maxn": Entry(f"{_MAXN}:MaxN", {}, "looks ahead: each seat takes its best"),
    "paranoid": Entry(f"{_MAXN}:Paranoid", {}, "looks ahead: all against one"),
    "best-reply": Entry(f"{_MAXN}:BestReply", {}, "looks ahead: one of the others replies"),
    "positional": Entry(f"{_OTHELLO}:PositionalPlayer", {}, "Othello: a table of the cells' worth"),
    "discs": Entry(f"{_OTHELLO}:DiscsPlayer", {}, "Othello: as many discs as can be"),
    "mobility": Entry(f"{_OTHELLO}:MobilityPlayer", {}, "Othello: as many moves as can be"),
    "iagno": Entry("quintet.players.iagno:IagnoPlayer", {}, "Othello: Iagno of GNOME Games 2.22"),
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
    player = build(entry.load(), read_settings(settings), for_game=game, **entry.presets)
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
    return fit_for(PLAYERS, game)
