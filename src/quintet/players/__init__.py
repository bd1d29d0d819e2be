"""The players, by text: ``random``, ``uct:sims=180,c=0.8``, ``alphabeta:depth=4,eval=mobility``."""

from __future__ import annotations

import re
from typing import Any

from quintet.errors import UserError
from quintet.parameters import ByText, build, read_settings, settings_text, split_outside
from quintet.registry import Entry, find, fit_for, joined, name_of, unfit

_SIMPLE = "quintet.players.simple"
_MAXN = "quintet.players.maxn"
_OTHELLO = "quintet.players.othello_opponents"
_LINES = "quintet.players.lines"
_BUILDERS = "quintet.players.builders"
_GO_MOKU = "quintet.players.go_moku"
PLAYERS = {
    "random": Entry(f"{_SIMPLE}:RandomPlayer", {}, "any legal move"),
    "greedy": Entry(f"{_SIMPLE}:Greedy", {}, "takes a win, blocks a loss, else plays at random"),
    "finisher": Entry(f"{_SIMPLE}:Finisher", {}, "takes a win, else plays at random"),
    "judge": Entry("quintet.players.judge:Judge", {}, "takes what looks best by an evaluation"),
    "uct": Entry("quintet.players.uct:Uct", {}, "tree search by simulated games"),
    "puct": Entry("quintet.players.puct:Puct", {}, "tree search that a network leads"),
    "descent": Entry("quintet.players.descent:Descent", {}, "best-first search of max^n values"),
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
    "hardnet": Entry(
        "quintet.players.points:Hardnet", {}, "the point with the most promising lines"
    ),
    "xmake5": Entry(f"{_GO_MOKU}:XMake5", {}, "alpha-beta over promising points"),
    "pentago-solver": Entry(
        "quintet.players.pentago_solver:PentagoSolver", {}, "Pentago: perfect in the late game"
    ),
    "threats": Entry("quintet.players.threats:Threats", {}, "forced wins by fours and threes"),
}
# those that were made elsewhere: the word after the colon says which one
ELSEWHERE = {
    "run": Entry("quintet.runs.trained:player_of_run", {}, "what a run has learnt: run:NAME@STEP"),
    "model": Entry(
        "quintet.runs.trained:player_of_file", {}, "a trained player: model:NAME, model:FILE"
    ),
    "engine": Entry(
        "quintet.bridges.engines.player:player_of_engine", {}, "another program: engine:NAME"
    ),
}


def make_player(text: str, game: Any) -> Any:
    """A player for a game, from its text."""
    name, settings = _taken_apart(text)
    if name in ELSEWHERE:
        return ELSEWHERE[name].load()(settings, game)
    entry = find(PLAYERS, name, "player", [name for name, _ in players_for(game)])
    player = build(entry.load(), read_settings(settings), for_game=game, **entry.presets)
    problem = unfit(player, game)
    if problem:
        raise UserError(f"player {text!r}: {problem}")
    return player


def text_of(player: Any) -> str:
    """The text from which `make_player` gives this player again."""
    return joined(name_of(PLAYERS, type(player)), settings_text(player))


def players_for(game: Any) -> list[tuple[str, Entry]]:
    """The names of the players that can play a game, with their entries."""
    return fit_for(PLAYERS, game)


def _taken_apart(text: str) -> tuple[str, str]:
    """Name and settings of ``name:settings``, or of ``name(settings)`` inside other settings."""
    match = re.fullmatch(r"([\w-]+)\((.*)\)", text)
    if match:
        return match[1], match[2]
    name, _, settings = text.partition(":")
    return name, settings


def _checked(text: str, game: Any) -> str:
    """A text that stands for players of the game, joined by +."""
    for word in split_outside(text, "+"):
        if game is not None:
            make_player(word, game)
    return text


# parameters of learners that name an opponent, or several: they keep the text
PLAYER = ByText(_checked, str, lambda: "a player, such as hardnet or uct(sims=100)")
