"""The parameters of a game (or player, or learner), described by its own class.

A parameter is an annotated field of a NamedTuple::

    size: Annotated[int, Between(5, 19), "points on a side"] = 19

From that come the check, the text form ``size=7,players=3`` and the help.  A
value may be a thing with parameters of its own: ``eval=positional(table=c)``.
"""

from __future__ import annotations

import difflib
import enum
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from quintet.errors import UserError


class Between(NamedTuple):
    """Both ends are allowed."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}"


class ByText(NamedTuple):
    """A value that has its own names: how to make it, to write it, and what to expect.

    It is made for a game, which is None where the game is not known.
    """

    make: Callable[[str, Any], Any]
    write: Callable[[Any], str]
    expected: Callable[[], str]


class Parameter(NamedTuple):
    """One field of a class of parameters."""

    name: str
    kind: Any
    default: Any
    limits: Between | None
    meaning: str
    by_text: ByText | None = None

    @property
    def expected(self) -> str:
        """What a value must be, in words."""
        if self.by_text:
            return self.by_text.expected()
        if self.limits:
            return f"{self.limits}"
        if isinstance(self.kind, type) and issubclass(self.kind, enum.Enum):
            return " or ".join(member.name.lower() for member in self.kind)
        if self.kind is bool:
            return "yes or no"
        return {int: "a whole number", float: "a number"}.get(self.kind, "numbers joined by /")

    def written(self, value: Any) -> str:
        """A value as it is written on the command line."""
        return self.by_text.write(value) if self.by_text else value_text(value)


def parameters_of(cls: type) -> list[Parameter]:
    """The parameters of a NamedTuple class, in order."""
    hints = get_type_hints(cls, include_extras=True)
    defaults = getattr(cls, "_field_defaults", {})
    return [
        _parameter(name, hints[name], defaults.get(name)) for name in getattr(cls, "_fields", ())
    ]


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    if get_origin(hint) is not Annotated:
        return Parameter(name, hint, default, None, "")
    kind, *notes = get_args(hint)
    limits = next((note for note in notes if isinstance(note, Between)), None)
    meaning = next((note for note in notes if isinstance(note, str)), "")
    by_text = next((note for note in notes if isinstance(note, ByText)), None)
    return Parameter(name, kind, default, limits, meaning, by_text)


def read_settings(text: str) -> list[tuple[str, str]]:
    """The names and values in ``size=7,eval=positional(table=c,scale=2)``."""
    parts = [part for part in split_outside(text, ",") if part]
    for part in parts:
        if "=" not in part:
            raise UserError(f"{part!r} is no setting; expected name=value")
    return [(name, value) for name, _, value in (part.partition("=") for part in parts)]


def split_outside(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that are in no parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def build(
    cls: type, settings: Iterable[tuple[str, str]], for_game: Any = None, **presets: Any
) -> Any:
    """An instance of `cls` from presets and ``name=value`` settings, checked."""
    known = {parameter.name: parameter for parameter in parameters_of(cls)}
    values = dict(presets)
    for name, text in settings:
        if name not in known:
            raise UserError(
                f"{cls.__qualname__} has no parameter {name!r}; {_nearest(name, known)}"
            )
        values[name] = _read(known[name], text, for_game)
    instance = cls(**values)
    check(instance)
    return instance


def check(instance: Any) -> None:
    """Refuse parameters outside their limits, or that do not fit together."""
    for parameter in parameters_of(type(instance)):
        value = getattr(instance, parameter.name)
        if parameter.limits and not parameter.limits.low <= value <= parameter.limits.high:
            raise UserError(_expected(parameter, value))
    problem = instance.problem() if hasattr(instance, "problem") else None
    if problem:
        raise UserError(problem)


def settings_text(instance: Any, presets: Mapping[str, Any] | None = None) -> str:
    """The parameters as ``name=value,...``, those at their presets or defaults left out."""
    parts = []
    for parameter in parameters_of(type(instance)):
        value = getattr(instance, parameter.name)
        default = (presets or {}).get(parameter.name, parameter.default)
        # as tuples, things of different kinds without parameters are equal
        if value != default or (isinstance(value, tuple) and type(value) is not type(default)):
            parts.append(f"{parameter.name}={parameter.written(value)}")
    return ",".join(parts)


def value_text(value: Any) -> str:
    """A plain value as it is written on the command line."""
    if isinstance(value, enum.Enum):
        return value.name.lower()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(value_text(part) for part in value)
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _read(parameter: Parameter, text: str, for_game: Any) -> Any:
    kind = parameter.kind
    if parameter.by_text:
        return parameter.by_text.make(text, for_game)
    try:
        if kind is bool:
            return {"yes": True, "no": False, "true": True, "false": False}[text.lower()]
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return kind[text.upper()]
        if kind in (int, float):
            return kind(text)
        return tuple(float(part) for part in text.split("/"))
    except (KeyError, ValueError):
        raise UserError(_expected(parameter, text)) from None


def _expected(parameter: Parameter, value: Any) -> str:
    return f"{parameter.name}={value_text(value)} is not possible; expected {parameter.expected}"


def _nearest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"did you mean {close[0]!r}?" if close else f"it has {', '.join(known) or 'none'}"
