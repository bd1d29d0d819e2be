"""Quintet: programs learn to play board games for two, three or more players.

    >>> import quintet
    >>> game = quintet.make("tic-tac-mo")
    >>> game.match("uct:sims=100", "greedy", "random", games=60)

What is named here is loaded when it is first used, so that `import quintet` is quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quintet.errors import IllegalMove, UserError
    from quintet.notebook import Game, Match, Position, make

__all__ = ["Game", "IllegalMove", "Match", "Position", "UserError", "make"]

_HOMES = {"IllegalMove": "errors", "UserError": "errors"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'quintet' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"quintet.{_HOMES.get(name, 'notebook')}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
