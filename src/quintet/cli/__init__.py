"""The command line: list, show and play games, let players meet and learn, look at records.

Nothing heavy is imported before a command needs it, so that help is quick:
numba, NumPy and rich are loaded inside the functions.
"""

from __future__ import annotations

from quintet.cli import (
    analyse,
    convert,
    demo,
    engines,
    games,
    meet,
    models,
    play,
    replay,
    serve,
    study,
    train,
)
from quintet.cli.entry import main

__all__ = [
    "analyse",
    "convert",
    "demo",
    "engines",
    "games",
    "main",
    "meet",
    "models",
    "play",
    "replay",
    "serve",
    "study",
    "train",
]
