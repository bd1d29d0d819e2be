"""Games and positions as the page is told them."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from quintet import games, notation, rules
from quintet.drawing import cells_of, winning_lines
from quintet.web.messages import Board, LastMove, MoveShown, Position


@functools.lru_cache(maxsize=64, typed=True)  # games of two classes may be equal tuples
def board_of(game: Any) -> Board:
    """What drawing a game needs and does not change."""
    layout, limits = game.layout(), game.limits()
    return Board(
        game=games.text_of(game),
        seats=limits.seats,
        kind=layout.kind,
        rows=layout.rows,
        columns=layout.columns,
        row_names=[layout.row_name(row) for row in range(layout.rows)],
        column_names=[layout.column_name(column) for column in range(layout.columns)],
        stars=layout.stars,
        marks=notation.STONES[: limits.seats],
        moves=[_move_shown(game, move) for move in range(limits.moves)],
        most_plies=limits.plies,
        counts_points=_counts_points(game),
    )


def _move_shown(game: Any, move: int) -> MoveShown:
    touch = notation.touch(game, move)
    return MoveShown(
        name=notation.move_name(game, move),
        cells=list(touch.cells),
        block=list(touch.block),
        clockwise=touch.clockwise,
    )


def _counts_points(game: Any) -> bool:
    """Does the game count something other than its stones?"""
    return rules.points.implementation_for(type(game)) is not rules._stones_as_points


class Reached:
    """How a position came about: the move, who made it, and what was before."""

    def __init__(self, game: Any, before: Any, move: int, seat: int) -> None:
        """A move in a position."""
        self.game, self.before, self.move, self.seat = game, before, move, seat

    def shown(self, cells: list[int]) -> LastMove:
        """The move, with the cells that it changed."""
        old = cells_of(self.game, self.before)
        changed = [cell for cell, owner in enumerate(cells) if owner != old[cell]]
        touched = notation.touch(self.game, self.move).cells
        fell = [cell for cell in changed if cell in touched]
        cell = touched[0] if len(touched) == 1 else next(iter(fell), None)
        name = notation.move_name(self.game, self.move)
        return LastMove(move=self.move, name=name, seat=self.seat, cell=cell, changed=changed)


def shown(
    game: Any, position: Any, reached: Reached | None, who: list[str], resigned: int | None = None
) -> Position:
    """A position, for the page; `who` are the names of the seats."""
    cells = cells_of(game, position)
    over = resigned is not None or bool(rules.is_over(game, position))
    scores = _scores(game, position, resigned) if over else None
    return Position(
        cells=cells,
        turn=None if over else int(rules.turn(game, position)),
        legal=[] if over else rules.list_legal_moves(game, position),
        points=_points(game, position) if _counts_points(game) else None,
        facts={fact: _numbers(position[fact]) for fact in game.layout().facts},
        last=None if reached is None else reached.shown(cells),
        winning=[]
        if scores is None or resigned is not None
        else winning_lines(game, cells, scores),
        over=over,
        scores=scores,
        result="" if scores is None else result(game, scores, who, resigned),
        picture=notation.picture(game, position),
    )


def _numbers(values: Any) -> list[int]:
    return [int(value) for value in np.ravel(values)]


def _points(game: Any, position: Any) -> list[float]:
    out = np.zeros(game.limits().seats)
    rules.points(game, position, out)
    return [float(points) for points in out]


def _scores(game: Any, position: Any, resigned: int | None) -> list[float]:
    """What each seat has; who resigns has nothing, and the others share a win."""
    if resigned is None:
        return rules.list_scores(game, position)
    seats = game.limits().seats
    return [0.0 if seat == resigned else 1.0 / (seats - 1) for seat in range(seats)]


def result(game: Any, scores: list[float], who: list[str], resigned: int | None = None) -> str:
    """How a game ended, in a sentence."""
    best = max(scores)
    winners = [who[seat] for seat, score in enumerate(scores) if score == best]
    if resigned is not None:
        verb = "wins" if len(winners) == 1 else "share the win"
        return f"{who[resigned]} resigns; {_listed(winners)} {verb}."
    points = ""
    if game.limits().highest > 1:
        points = f" ({', '.join(f'{score:g}' for score in scores)})"
    if len(winners) == len(scores):
        return f"A draw{points}."
    verb = "wins" if len(winners) == 1 else "share the win"
    return f"{_listed(winners)} {verb}{points}."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
