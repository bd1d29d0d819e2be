"""Write down a random game of every kind, for people to read and for tests to compare.

    python -m tests.golden.record                        all of them
    python -m tests.golden.record pente othello:size=6   only these

Each ply tells the number of legal moves and their names (a digest of them where
there are many), the key and the move.  Large boards are drawn only now and then.
"""

from __future__ import annotations

import hashlib
import pathlib
import random
import sys
from typing import Any

import numpy as np

from quintet import games, notation, rules

FOLDER = pathlib.Path(__file__).parent / "playthroughs"
VARIANTS = (
    "go:size=5,players=3",
    "k-in-a-row:rows=4,columns=5,k=3,players=4,exact=yes",
    "k-in-a-row:rows=9,columns=8,k=4,players=6,gravity=yes",
    "othello:size=6",
    "pente:size=7,players=3",
)
TEXTS = (*games.BUILT_IN, *VARIANTS)
LARGE = 64  # cells; boards with more are drawn now and then
MANY = 24  # moves; more are told by a digest
PICTURES = 12  # at most about so many of a large board


def file_of(text: str) -> pathlib.Path:
    """Where the playthrough of a game is kept."""
    return FOLDER / (text.replace(":", "_").replace(",", "_") + ".txt")


def playthrough(text: str) -> str:
    """A random game, always the same one."""
    game = games.make(text)
    moves = random_moves(game, random.Random(text))
    every = max(10, len(moves) // PICTURES) if game.layout().cells > LARGE else 1
    position = rules.new_position(game)
    lines = [f"game: {text}", f"plies: {len(moves)}"]
    for ply, move in enumerate(moves):
        if ply % every == 0:
            lines += ["", notation.picture(game, position)]
        lines.append(told(game, position, ply) + f" move {notation.move_name(game, move)}")
        rules.play(game, position, move)
    lines += ["", notation.picture(game, position), told(game, position, len(moves))]
    lines.append(f"points: {numbers(points(game, position))}")
    lines.append(f"scores: {numbers(rules.list_scores(game, position))}")
    return "\n".join(lines) + "\n"


def random_moves(game: Any, chance: random.Random) -> list[int]:
    """The moves of a whole game."""
    position, moves = rules.new_position(game), []
    while not rules.is_over(game, position):
        moves.append(chance.choice(rules.list_legal_moves(game, position)))
        rules.play(game, position, moves[-1])
    return moves


def told(game: Any, position: Any, ply: int) -> str:
    """What a ply begins with, in one line."""
    names = [notation.move_name(game, move) for move in rules.list_legal_moves(game, position)]
    listed = " ".join(names)
    if len(names) > MANY:
        listed = "digest " + hashlib.sha256(listed.encode()).hexdigest()[:8]
    return f"{ply}. key {int(rules.key(game, position)):016x} legal {len(names)}: {listed}".rstrip()


def points(game: Any, position: Any) -> list[float]:
    """What each seat has."""
    out = np.zeros(game.limits().seats)
    rules.points(game, position, out)
    return [float(value) for value in out]


def numbers(values: list[float]) -> str:
    """Numbers in short, but exact enough to see a change."""
    return " ".join(f"{value:.6g}" for value in values)


def main(texts: list[str]) -> None:
    """Write the files of these games, or of all."""
    for text in texts or TEXTS:
        file_of(text).write_text(playthrough(text))
        print(file_of(text).name)


if __name__ == "__main__":
    main(sys.argv[1:])
