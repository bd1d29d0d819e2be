"""What `lz-analyze` and `kata-analyze` say of a search, as Leela Zero and KataGo say it.

Values are those of who is to move.  Where a search looks for points instead of wins,
its winrate is its share of all points: name a player with ``goal=win`` for chances.
An untried move is as good as another for our searches, so their priors are all equal.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from quintet import rules
from quintet.arena.intervals import wilson
from quintet.errors import UserError
from quintet.notation import move_name
from quintet.players.player import Thoughts
from quintet.players.thinking import Answer, Line
from quintet.randomness import seeded
from quintet.rules import Position
from quintet.search.playouts import survey

_CENTISECONDS = 100.0
_USUAL = 50  # centiseconds between reports
_PLAYOUTS, _PLAYOUTS_A_MOVE = 200, 40  # that ownership and leads are counted from
_QUANTILE = 1.96  # of lower bounds: right 39 times in 40
_SUPPORTED = {"interval", "minmoves", "maxmoves", "rootInfo", "ownership"}


class Wanted(NamedTuple):
    """What a command asks for."""

    seconds: float  # between reports
    most: int  # moves
    kata: bool
    root: bool = False
    ownership: bool = False


def read_wanted(words: list[str], kata: bool, has_area: bool) -> Wanted:
    """The options after the color: an interval in centiseconds, then names and values."""
    words = words if not words or not words[0].isdecimal() else ["interval", *words]
    if len(words) % 2:
        raise UserError(f"{words[-1]!r} has no value; expected names and values")
    given = dict(zip(words[::2], words[1::2], strict=True))
    unknown = [name for name in given if name not in _SUPPORTED]
    if unknown:
        known = ", ".join(sorted(_SUPPORTED))
        raise UserError(f"{unknown[0]!r} is not supported; there are {known}")
    every = _whole(given.get("interval", str(_USUAL)), "interval")
    _whole(given.get("minmoves", "0"), "minmoves")
    root, ownership = (_yes(given.get(name, "false"), name) for name in ("rootInfo", "ownership"))
    if ownership and not has_area:
        raise UserError("ownership is told for Go alone")
    most = _whole(given.get("maxmoves", "999999"), "maxmoves")
    return Wanted(max(every, 1) / _CENTISECONDS, max(most, 1), kata, root, ownership)


def _whole(text: str, name: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise UserError(f"{name} {text[:20]!r}; expected a whole number")
    return int(text)


def _yes(text: str, name: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise UserError(f"{name} {text[:20]!r}; expected true or false")
    return text.lower() == "true"


class Report:
    """What was found in a position, in one line."""

    def __init__(self, game: Any, line: Line, player: Any, wanted: Wanted) -> None:
        """The player tells what its values mean."""
        self._game, self._wanted, self._position = game, wanted, line.positions[-1]
        self._seat = int(rules.turn(game, self._position))
        self._prior = 1.0 / len(rules.list_legal_moves(game, self._position))
        limits = game.limits()
        goal = getattr(getattr(player, "goal", None), "name", "")
        self._values_are_points = limits.highest <= 1 or goal == "SCORE"
        self._leads: dict[int, float] = {}

    def line(self, answer: Answer) -> str:
        """All moves, the best first."""
        even, best = [0.5] * self._game.limits().seats, answer.move
        found = answer.thoughts or Thoughts([best], [1], [even], [best], 1, 0, False)
        count = min(self._wanted.most, len(found.moves))
        parts = [self._move(order, found) for order in range(count)]
        if self._wanted.root:
            parts.append(self._root(found))
        if self._wanted.ownership:
            parts.append(self._ownership())
        return " ".join(parts)

    def _move(self, order: int, found: Thoughts) -> str:
        move, visits = found.moves[order], max(1, found.visits[order])
        value = self._value(found.values[order])
        low = wilson(value, visits, _QUANTILE)[0]
        known = found.lines[order] if found.lines else []
        line = known or (found.line if found.line[:1] == [move] else [move])
        names = " ".join(move_name(self._game, one) for one in line)
        head = f"info move {move_name(self._game, move)} visits {visits}"
        if not self._wanted.kata:
            rates = [round(10_000 * rate) for rate in (value, self._prior, low)]
            told = "winrate {} prior {} lcb {}".format(*rates)
        else:
            lead = self._lead(move, found.values[order])
            told = (
                f"{_rates(value, lead)} scoreMean {lead:.4f} prior {self._prior:.6f} lcb {low:.6f}"
            )
        return f"{head} {told} order {order} pv {names}"

    def _value(self, values: list[float]) -> float:
        value = values[self._seat]
        return min(max(value, 0.0), 1.0) if math.isfinite(value) else 0.5

    def _lead(self, move: int, values: list[float]) -> float:
        """By how many points the mover is ahead of the best of the others."""
        limits = self._game.limits()
        if self._values_are_points:
            spread = limits.highest - limits.lowest
            known = [value if math.isfinite(value) else 0.5 for value in values]
            return self._ahead([limits.lowest + value * spread for value in known])
        if move not in self._leads:
            after = rules.copied(self._position)
            rules.play(self._game, after, move)
            self._leads[move] = self._lead_by_playouts(after, _PLAYOUTS_A_MOVE)
        return self._leads[move]

    def _lead_by_playouts(self, position: Position, count: int) -> float:
        return self._ahead(survey(self._game, position, seeded(0), count).scores)

    def _ahead(self, scores: list[float]) -> float:
        others = scores[: self._seat] + scores[self._seat + 1 :]
        return scores[self._seat] - max(others, default=0.0)

    def _root(self, found: Thoughts) -> str:
        """The whole position: moves weigh as they were visited."""
        visits = [max(1, count) for count in found.visits]
        pairs = list(zip(visits, found.values, strict=True))
        value = sum(count * self._value(values) for count, values in pairs) / sum(visits)
        leads = [self._lead(move, values) for move, values in zip(found.moves, found.values, strict=True)]  # fmt: skip # noqa: E501
        lead = sum(count * one for count, one in zip(visits, leads, strict=True)) / sum(visits)
        return f"rootInfo visits {sum(visits)} {_rates(value, lead)}"

    def _ownership(self) -> str:
        """From -1 to 1, where 1 is the mover's: of random games, from the top left."""
        owned = survey(self._game, self._position, seeded(1), _PLAYOUTS).owned
        mine = owned[self._seat]
        others = owned.sum(axis=0) - mine
        return "ownership " + " ".join(f"{value:.3f}" for value in mine - others)


def _rates(value: float, lead: float) -> str:
    return f"utility {2 * value - 1:.6f} winrate {value:.6f} scoreLead {lead:.4f}"
