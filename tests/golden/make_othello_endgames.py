"""Make tests/golden/othello_endgames.txt: ``python -m tests.golden.make_othello_endgames``.

Positions come from random games with a seed.  Their values, the disc difference to the
player to move if both play their best, come from a plain minimax over all games that
remain, up to 10 empty cells; beyond that from alpha-beta without table or order.
"""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import jit
from quintet.games import make
from quintet.randomness import below, seeded

FILE = pathlib.Path(__file__).with_name("othello_endgames.txt")
SEED = 3
EMPTIES = [6, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 12, 12, 12, 13, 13]
EMPTIES += [14, 14, 14, 14, 14, 16, 16, 16]
BRUTE_FORCE = 10


def random_position(empties: int, stream: int) -> Any:
    """A position with so many empty cells, from a random game, that is not over."""
    game = make("othello")
    random = seeded(SEED, stream)
    while True:
        position = rules.new_position(game)
        while not rules.is_over(game, position):
            moves = rules.list_legal_moves(game, position)
            if board(position).count("-") == empties and len(moves) > 1:
                return position
            rules.play(game, position, moves[below(random, len(moves))])


def board(position: Any) -> str:
    """The cells, X for the first seat, O for the second, and who is to move."""
    game = make("othello")
    cells = np.zeros(64, np.int8)
    rules.cells(game, position, cells)
    return "".join("-XO"[owner] for owner in cells) + " " + "XO"[int(rules.turn(game, position))]


@jit
def difference(
    game: Any, positions: Any, moves: NDArray[np.int32], out: NDArray[np.float64], ply: int
) -> float:
    """The disc difference to the player to move, by plain minimax."""
    mover = rules.turn(game, positions[ply])
    if rules.is_over(game, positions[ply]):
        rules.points(game, positions[ply], out)
        return out[mover] - out[1 - mover]
    best = -100.0
    for i in range(rules.legal_moves(game, positions[ply], moves[ply])):
        positions[ply + 1] = positions[ply]
        rules.play(game, positions[ply + 1], moves[ply, i])
        best = max(best, -difference(game, positions, moves, out, ply + 1))
    return best


@jit
def pruned_difference(
    game: Any,
    positions: Any,
    moves: NDArray[np.int32],
    out: NDArray[np.float64],
    ply: int,
    low: float,
    high: float,
) -> float:
    """The same, but for what cannot matter."""
    mover = rules.turn(game, positions[ply])
    if rules.is_over(game, positions[ply]):
        rules.points(game, positions[ply], out)
        return out[mover] - out[1 - mover]
    best = low
    for i in range(rules.legal_moves(game, positions[ply], moves[ply])):
        positions[ply + 1] = positions[ply]
        rules.play(game, positions[ply + 1], moves[ply, i])
        value = -pruned_difference(game, positions, moves, out, ply + 1, -high, -best)
        best = max(best, value)
        if best >= high:
            return best
    return best


def solved(position: Any, empties: int) -> int:
    """The disc difference by the slow functions above."""
    game = make("othello")
    positions = np.zeros(2 * empties + 3, position.dtype)
    positions[0] = position
    moves = np.zeros((len(positions), game.limits().moves), np.int32)
    args = (game, positions, moves, np.zeros(2), np.int64(0))
    if empties <= BRUTE_FORCE:
        return int(difference(*args))
    return int(pruned_difference(*args, -65.0, 65.0))


def main() -> None:
    """Write the file."""
    lines = ["# cells row by row from a1, who is to move, its discs less the other's in the end"]
    for stream, empties in enumerate(EMPTIES):
        position = random_position(empties, stream)
        lines.append(f"{board(position)} {solved(position, empties):+d}")
        print(empties, lines[-1], flush=True)
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
