"""The command line: list, show and play games, let players meet, look at records.

Nothing heavy is imported before a command needs it, so that help is quick:
numba, NumPy and rich are loaded inside the functions.
"""

from __future__ import annotations

from quintet.cli import analyse, games, meet, play, replay
from quintet.cli.entry import main

__all__ = ["analyse", "games", "main", "meet", "play", "replay"]
