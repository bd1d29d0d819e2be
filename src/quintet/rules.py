"""The contract: what a game must answer.

A **game** is a NamedTuple of parameters.  In plain Python its class tells

- ``position_type()``: the record of a position, a NumPy dtype made by `record`;
- ``limits()``: how many seats, moves, plies and planes there are, and the range of scores;
- ``layout()``: the board as people see it, and the facts that do not show on it.

In compiled code it implements the `generic` functions below: those without a
default are required.  A **position** is a record, changed in place; copying is
assigning a row of an array; a batch is an array; saving is ``tobytes``.

The generic functions trust their caller.  Moves of users, files, protocols and
the web go through `checked_play`.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from quintet.bits import Word, added, mixed
from quintet.compiled import borrowing, generic, jit
from quintet.errors import IllegalMove
from quintet.layout import Layout
from quintet.randomness import Random, below

Position: TypeAlias = Any  # a record: its fields depend on the game
Positions: TypeAlias = Any  # an array of them
Moves: TypeAlias = NDArray[np.int32]
Cells: TypeAlias = NDArray[np.int8]  # per cell: 0 for empty, or the owner's seat + 1
Scores: TypeAlias = NDArray[np.float64]


class Limits(NamedTuple):
    """The sizes that buffers, networks and tables need to know."""

    seats: int
    moves: int  # moves are numbered 0 .. moves - 1
    plies: int  # no game is longer
    planes: int  # of an observation
    highest: float = 1.0  # no score is higher
    lowest: float = 0.0  # or lower
    total: float | None = 1.0  # what the scores of a finished game sum to, if that is fixed
    remembers: bool = False  # legal moves depend on earlier boards, which no picture shows
    version: int = 1  # raised whenever the rules, the moves' numbers or the planes change
    hints: int = 0  # planes of what a player of the game would look at besides


class Game(Protocol):
    """What the class of a game tells in plain Python."""

    def position_type(self) -> np.dtype[Any]:
        """The record of a position."""

    def limits(self) -> Limits:
        """Sizes and ranges."""

    def layout(self) -> Layout:
        """The board as people see it."""


def record(**fields: Any) -> np.dtype[Any]:
    """A position type: each field a NumPy type, or a pair of type and shape."""
    described = [
        (name, *kind) if isinstance(kind, tuple) else (name, kind) for name, kind in fields.items()
    ]
    return np.dtype((np.record, np.dtype(described, align=True)))


# --- what a game implements, compiled -----------------------------------------


@generic
def start(game: Any, position: Position) -> None:
    """Write the start position; every field of the record is zero before."""


@generic
def turn(game: Any, position: Position) -> int:
    """The seat to move."""
    raise NotImplementedError


@generic
def legal_moves(game: Any, position: Position, moves: Moves) -> int:
    """Write the legal moves, in ascending order, and return how many there are.

    There is none exactly when the game is over.
    """
    raise NotImplementedError


@generic
def play(game: Any, position: Position, move: int) -> None:
    """Make a legal move."""


@generic
def is_over(game: Any, position: Position) -> bool:
    """Has the game ended?"""
    raise NotImplementedError


@generic
def scores(game: Any, position: Position, out: Scores) -> None:
    """Write each seat's score of a finished game.

    Points where the game has points; otherwise 1 for the winner and 0 for the
    others, or the same share of 1 for all where nobody won.
    """


@generic
def cells(game: Any, position: Position, out: Cells) -> None:
    """Write who owns each cell: 0 for nobody, or the seat + 1."""


@generic
def set_up(game: Any, position: Position, content: Cells) -> None:
    """Fill in a position whose facts are set, from the owners of its cells."""


@generic
def distinct_moves(game: Any, position: Position, moves: Moves) -> int:
    """Write legal moves that lead to each following position once; returns how many.

    Where different moves lead to the same position, searches need only one of them.
    """
    raise NotImplementedError


@distinct_moves.default
def _all_legal_moves(game: Any, position: Position, moves: Moves) -> int:
    return legal_moves(game, position, moves)


@generic
def random_move(game: Any, position: Position, moves: Moves, random: Random) -> int:
    """A uniformly random legal move; `moves` may be used as scratch."""
    raise NotImplementedError


@random_move.default
def _random_listed_move(game: Any, position: Position, moves: Moves, random: Random) -> int:
    return moves[below(random, legal_moves(game, position, moves))]


@generic
def play_out(game: Any, position: Position, moves: Moves, random: Random) -> int:
    """Play random moves to the end of the game; returns how many."""
    raise NotImplementedError


@play_out.default
@borrowing
def _play_on(game: Any, position: Position, moves: Moves, random: Random) -> int:
    return play_on(game, position, moves, random)


@generic
def points(game: Any, position: Position, out: Scores) -> None:
    """Write what each seat has so far, for people to see: discs, captures, area."""


@points.default
def _stones_as_points(game: Any, position: Position, out: Scores) -> None:
    content = np.empty(position.grid.shape[0] * position.grid.shape[1], np.int8)
    cells(game, position, content)
    out[:] = 0.0
    for owner in content:
        if owner > 0:
            out[owner - 1] += 1.0


@generic
def key(game: Any, position: Position) -> Word:
    """A 64-bit hash of everything that decides how the game can go on."""
    raise NotImplementedError


@key.default
def _key_of_cells(game: Any, position: Position) -> Word:
    content = np.empty(position.grid.shape[0] * position.grid.shape[1], np.int8)
    cells(game, position, content)
    word = mixed(Word(turn(game, position) + 1))
    for owner in content:
        word = mixed(added(word, Word(owner + 1)))
    return word


@generic
def observe(game: Any, position: Position, seat: int, planes: NDArray[np.float32]) -> None:
    """Write the position as `seat` sees it: planes of the board's shape.

    By default, with n seats: n planes of stones (own first, then the next
    seat's, and so on), then n planes that tell who is to move (in the same
    order).  Seen by seat 0, these are the absolute colours.
    """


@observe.default
def _observe_stones(game: Any, position: Position, seat: int, planes: NDArray[np.float32]) -> None:
    rows, columns = planes.shape[1], planes.shape[2]
    seats = planes.shape[0] // 2
    content = np.empty(rows * columns, np.int8)
    cells(game, position, content)
    planes[:] = 0.0
    for row in range(rows):
        for column in range(columns):
            owner = content[row * columns + column]
            if owner > 0:
                planes[(owner - 1 - seat) % seats, row, column] = 1.0
    planes[seats + (turn(game, position) - seat) % seats, :, :] = 1.0


@generic
def hint(game: Any, position: Position, seat: int, planes: NDArray[np.float32]) -> None:
    """Write what a player of the game would look at, which follows from the rules.

    As many planes of the board's shape as ``limits().hints``, as `seat` sees them; apart
    from `observe`, so that it can be told what such knowledge is worth.
    """


@hint.default
def _no_hint(game: Any, position: Position, seat: int, planes: NDArray[np.float32]) -> None:
    planes[:] = 0.0


@generic
def areas(game: Any, position: Position, out: Cells) -> None:
    """Write whose each cell is when points are counted: 0 for nobody's, or the seat + 1."""


@areas.default
def _areas_of_stones(game: Any, position: Position, out: Cells) -> None:
    cells(game, position, out)


# --- what follows from it -----------------------------------------------------


def new_position(game: Any) -> Position:
    """The start position of a game."""
    return new_positions(game, 1)[0]


def new_positions(game: Any, count: int) -> Positions:
    """An array of start positions."""
    positions = np.zeros(count, game.position_type())
    if count:
        start(game, positions[0])
        positions[1:] = positions[0]
    return positions


def copied(position: Position) -> Position:
    """A position of its own with the same content."""
    row = np.empty(1, position.dtype)
    row[0] = position
    return row[0]


def move_buffer(game: Any) -> Moves:
    """Room for the legal moves of any position."""
    return np.empty(game.limits().moves, np.int32)


def list_legal_moves(game: Any, position: Position) -> list[int]:
    """The legal moves, in ascending order."""
    moves = move_buffer(game)
    return [int(move) for move in moves[: legal_moves(game, position, moves)]]


def list_scores(game: Any, position: Position) -> list[float]:
    """Each seat's score of a finished game."""
    out = np.zeros(game.limits().seats)
    scores(game, position, out)
    return [float(score) for score in out]


def checked_play(game: Any, position: Position, move: int) -> None:
    """Make a move if it is legal, else raise IllegalMove with the board."""
    if move not in list_legal_moves(game, position):
        from quintet.notation import move_name, picture

        name = move_name(game, move) if 0 <= move < game.limits().moves else f"number {move}"
        why = "the game is over" if is_over(game, position) else "not legal here"
        raise IllegalMove(f"move {name}: {why}\n{picture(game, position)}")
    play(game, position, move)


@borrowing
def play_on(game: Any, position: Position, moves: Moves, random: Random) -> int:
    """Play random moves, one by one, to the end of the game; returns how many."""
    plies = 0
    while not is_over(game, position):
        play(game, position, random_move(game, position, moves, random))
        plies += 1
    return plies


@borrowing
def random_games(game: Any, positions: Positions, moves: Moves, random: Random, count: int) -> int:
    """Play `count` random games from positions[0] in positions[1]; returns all plies."""
    plies = 0
    for _ in range(count):
        positions[1] = positions[0]
        plies += play_out(game, positions[1], moves, random)
    return plies


def perft(game: Any, position: Position, depth: int) -> int:
    """How many sequences of `depth` moves there are from a position."""
    if depth == 0:
        return 1
    stack = np.empty(depth + 1, position.dtype)
    stack[0] = position
    buffers = np.empty((depth + 1, game.limits().moves), np.int32)
    return int(_perft(game, stack, buffers, 0, depth))


@jit
def _perft(game: Any, stack: Positions, buffers: NDArray[np.int32], ply: int, depth: int) -> int:
    count = legal_moves(game, stack[ply], buffers[ply])
    if ply + 1 == depth:
        return count
    total = 0
    for i in range(count):
        stack[ply + 1] = stack[ply]
        play(game, stack[ply + 1], buffers[ply, i])
        total += _perft(game, stack, buffers, ply + 1, depth)
    return total
