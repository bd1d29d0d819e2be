"""What learners of other libraries are given: what they see, what they may do, what they get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.errors import UserError
from quintet.rules import Limits, Position

Rewards: TypeAlias = Literal["wins", "points"]


def planes_shape(game: Any) -> tuple[int, int, int]:
    """The shape of an observation: planes, rows, columns."""
    layout = game.layout()
    return game.limits().planes, layout.rows, layout.columns


def planes_for(game: Any, position: Position, seat: int) -> NDArray[np.float32]:
    """The position as a seat sees it; its own stones are always in the first plane."""
    planes = np.zeros(planes_shape(game), np.float32)
    rules.observe(game, position, seat, planes)
    return planes


def legal_mask(game: Any, position: Position) -> NDArray[np.int8]:
    """1 for each legal move, else 0."""
    mask = np.zeros(game.limits().moves, np.int8)
    mask[rules.list_legal_moves(game, position)] = 1
    return mask


def check_rewards(kind: str) -> None:
    """Refuse what is no kind of rewards."""
    if kind not in get_args(Rewards):
        raise UserError(f"rewards={kind!r}; expected {' or '.join(get_args(Rewards))}")


def rewards(scores: Sequence[float], limits: Limits, kind: Rewards = "wins") -> list[float]:
    """The rewards of a finished game: from -1 to 1, and 0 in sum.

    Each seat gets what it has, less the mean of what the others have.  What it has
    is with "wins" a share of 1 for the best, so that with n seats a win gives 1,
    a loss -1 / (n - 1) and a draw of all 0; with "points" its score, in parts of the
    range of scores.  A seat that plays alone gets its score in that range.
    """
    span = (limits.highest - limits.lowest) or 1.0
    has = np.array(scores, np.float64)
    if len(has) == 1:
        return [float((has[0] - limits.lowest) / span)]
    if kind == "wins":
        best = has == has.max()
        has = best / best.sum()
    else:
        has = has / span
    others = (has.sum() - has) / (len(has) - 1)
    return [float(reward) for reward in has - others]
