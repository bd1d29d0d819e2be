"""What may be asked by lines of JSON: strict, so that a misspelt field is told.

jsonl.schema.json says the same to other programs; a test compares the two.
"""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from quintet.bridges.coordinates import shortened

SCHEMA = pathlib.Path(__file__).with_name("jsonl.schema.json")
LONGEST_LINE = 1 << 20
_TEXT, _PICTURE, _MOVES, _PLIES, _ID = 500, 4000, 10_000, 1000, 100
_WHOLE = 2**53


class Problem(Exception):
    """A request that is refused."""

    def __init__(self, code: str, message: str) -> None:
        """The code is one of those that the schema lists."""
        super().__init__(message)
        self.code = code


class Request(NamedTuple):
    """One line, read and checked."""

    id: str | int
    do: str
    given: dict[str, Any]


class Field(NamedTuple):
    """What a field may hold."""

    fits: Callable[[Any], bool]
    expected: str


def _is_text(most: int, least: int = 1) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def _is_whole(low: int, high: int) -> Callable[[Any], bool]:
    """1.0 is a whole number in JSON."""
    return lambda value: _is_number(value) and value == int(value) and low <= value <= high


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 1e300


def _is_between(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: _is_number(value) and low <= value <= high


def _are(fits: Callable[[Any], bool], most: int, least: int = 0) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list) and least <= len(value) <= most and all(map(fits, value))
    )


def _is_id(value: Any) -> bool:
    return _is_text(_ID)(value) or _is_whole(-_WHOLE, _WHOLE)(value)


def _is_move(value: Any) -> bool:
    return _is_text(40)(value) or _is_whole(0, 2**31 - 1)(value)


FIELDS = {
    "game": Field(_is_text(_TEXT), "a game, such as 'pente:size=7,players=3'"),
    "player": Field(_is_text(_TEXT), "a player, such as 'uct:sims=1000'"),
    "moves": Field(_are(_is_move, _MOVES), f"up to {_MOVES} names or numbers of moves"),
    "picture": Field(_is_text(_PICTURE), "a picture of a position, as `quintet show` prints it"),
    "seed": Field(_is_whole(0, _WHOLE), f"a whole number from 0 to {_WHOLE}"),
    "seconds": Field(_is_between(0.001, 1e6), "a number from 0.001 to 1000000"),
    "every": Field(_is_between(0.01, 3600), "a number from 0.01 to 3600"),
    "most": Field(_is_whole(1, 1000), "a whole number from 1 to 1000"),
    "plies": Field(_are(_is_whole(0, _MOVES), _PLIES, 1), f"1 to {_PLIES} numbers of plies"),
    "stop": Field(_is_id, "the id of another request"),
}
_POSITION = ("moves", "picture")
_THINKING = (*_POSITION, "seed", "seconds", "most")
REQUESTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # required and other fields
    "about": ((), ()),
    "games": ((), ()),
    "players": (("game",), ()),
    "position": (("game",), _POSITION),
    "choose": (("game", "player"), _THINKING),
    "analyse": (("game", "player"), (*_THINKING, "every", "plies")),
    "stop": (("stop",), ()),
}


def read_request(line: str) -> Request:
    """The request of a line; what is wrong with it is told with its id, if it has one."""
    if len(line) >= LONGEST_LINE - 1:
        raise Problem("invalid", f"a line of more than {LONGEST_LINE} bytes")
    try:
        found = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Problem("invalid", f"no JSON: {error}") from None
    if not isinstance(found, dict) or not _is_id(found.get("id")):
        raise Problem("invalid", "expected an object with an id: a text or a whole number")
    return Request(found.pop("id"), *_checked(found))


def id_of(line: str) -> str | int | None:
    """The id of a line that is no good request, if it can be seen."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    given = found.get("id") if isinstance(found, dict) else None
    return given if _is_id(given) else None


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


def _checked(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    do = found.pop("do", None)
    if not isinstance(do, str) or do not in REQUESTS:
        raise Problem("invalid", f"do {_shown(do)}; expected one of {', '.join(REQUESTS)}")
    required, others = REQUESTS[do]
    for name, value in found.items():
        if name not in (*required, *others):
            known = ", ".join((*required, *others)) or "nothing else"
            raise Problem("invalid", f"{do}: no field {_shown(name)}; expected {known}")
        if not FIELDS[name].fits(value):
            raise Problem("invalid", f"{name} {_shown(value)}; expected {FIELDS[name].expected}")
    missing = [name for name in required if name not in found]
    if missing:
        raise Problem("invalid", f"{do}: no {missing[0]}; expected {FIELDS[missing[0]].expected}")
    return do, {name: _plain(value) for name, value in found.items()}


def _plain(value: Any) -> Any:
    """Whole numbers as such, also where JSON writes 1.0."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return shortened(re.sub(r"[\x00-\x1f\x7f]", " ", text))
