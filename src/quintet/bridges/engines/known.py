"""The engines that Debian has, as found by trying them; see docs/decisions/009-engines.md."""

from __future__ import annotations

from typing import Any

from quintet.bridges.engines.engine import Engine, Setting
from quintet.games.go import Ko, Passing

_KO = {
    Ko.SIMPLE: "--simple-ko",
    Ko.POSITIONAL: "--positional-superko",
    Ko.SITUATIONAL: "--situational-superko",
}


def _rules_of_go(game: Any) -> tuple[str, ...]:
    return _KO[game.ko], "--allow-suicide" if game.suicide else "--forbid-suicide"


def _go_problem(game: Any) -> str | None:
    if game.players != 2:
        return f"it is for two players, not {game.players}"
    if game.passing != Passing.FREE:
        return "it may pass at any time; expected passing=free"
    return None


def _othello_problem(game: Any) -> str | None:
    return None if game.size == 8 else f"it plays on 8 x 8; not size={game.size}"


def _pente_problem(game: Any) -> str | None:
    wanted = {
        "size": 19,
        "players": 2,
        "captures": 10,
        "keryo": False,
        "centre": True,
        "tournament": True,
    }
    for name, value in wanted.items():
        if getattr(game, name) != value:
            return "its rules are those of pente:tournament=yes, on 19 x 19 for two"
    return None


def _gomoku_problem(game: Any) -> str | None:
    if (game.rows, game.columns, game.players, game.exact) != (19, 19, 2, False):
        return "it plays go-moku:rows=19,columns=19, for two, where five or more win"
    return None


KNOWN = (
    Engine(
        "gnugo",
        # it must take dead stones off: our rules count what is there when both pass
        (
            *("gnugo", "--mode", "gtp", "--quiet", "--level", "{level}"),
            *("--never-resign", "--chinese-rules", "--capture-all-dead"),
        ),
        "gtp",
        ("go",),
        (Setting("level", 1, 10, 10),),
        package="gnugo",
        version=("--version",),
        more=_rules_of_go,
        problem=_go_problem,
    ),
    Engine(
        "grhino",
        ("gtp-rhino", "--level", "{level}"),
        "gtp",
        ("othello",),
        (Setting("level", 1, 5, 3),),
        passes=False,
        package="grhino",
        version=("--version",),
        problem=_othello_problem,
    ),
    Engine(
        "pente",
        # without stdbuf it would keep its questions to itself
        ("stdbuf", "-o0", "pente", "-noX11", "-nocurses", "-text"),
        "pente",
        ("pente",),
        (Setting("level", 1, 9, 3),),
        timeout=300.0,
        package="pente",
        version=("-version",),
        problem=_pente_problem,
    ),
    Engine(
        "gomoku",
        ("gomoku",),
        "bsd-gomoku",
        ("go-moku",),
        timeout=300.0,  # it thinks long where there are many threats
        package="bsdgames",
        problem=_gomoku_problem,
    ),
)
