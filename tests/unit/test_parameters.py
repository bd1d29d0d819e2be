"""Parameters: read from text, checked, written again; every mistake told in a line."""

from __future__ import annotations

import enum
import re
from typing import Annotated, Any, NamedTuple

import pytest

from quintet.errors import UserError
from quintet.parameters import Between, build, parameters_of, settings_text


class Colour(enum.Enum):
    """For a parameter of a few words."""

    RED = 1
    BLUE = 2


class Toy(NamedTuple):
    """One parameter of each kind."""

    size: Annotated[int, Between(2, 9), "cells on a side"] = 5
    share: Annotated[float, Between(0, 0.5), "of the whole"] = 0.25
    wide: Annotated[bool, "in both directions"] = False
    colour: Annotated[Colour, "of the board"] = Colour.RED
    weights: Annotated[tuple[float, ...], "of each part"] = (1.0, 2.0)
    free: int = 0
    loose: float = 0.0

    def problem(self) -> str | None:
        """Two that do not fit together."""
        return "size=2 is too small to be wide" if self.wide and self.size == 2 else None


class Bare(NamedTuple):
    """No parameters at all."""


def toy(text: str = "", **presets: Any) -> Any:
    """A Toy from its settings."""
    pairs = [part.split("=") for part in text.split(",") if part]
    return build(Toy, [(name, value) for name, value in pairs], **presets)


def test_defaults_presets_and_settings() -> None:
    assert toy() == Toy()
    assert toy(size=7).size == 7
    assert toy("size=8", size=7).size == 8


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("size=2", "size", 2),
        ("size=9", "size", 9),
        ("share=0.5", "share", 0.5),
        ("share=1e-3", "share", 0.001),
        ("wide=yes", "wide", True),
        ("wide=True", "wide", True),
        ("wide=no", "wide", False),
        ("wide=false", "wide", False),
        ("colour=blue", "colour", Colour.BLUE),
        ("weights=3/0.5/1", "weights", (3.0, 0.5, 1.0)),
        ("free=-12", "free", -12),
        ("loose=2.5", "loose", 2.5),
    ],
)
def test_values_are_read(text: str, name: str, value: object) -> None:
    assert getattr(toy(text), name) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("size=1", "size=1 is not possible; expected 2 to 9"),
        ("size=10", "size=10 is not possible; expected 2 to 9"),
        ("size=big", "size=big is not possible; expected 2 to 9"),
        ("size=5.5", "size=5.5 is not possible; expected 2 to 9"),
        ("size=", "size= is not possible; expected 2 to 9"),
        ("share=0.6", "share=0.6 is not possible; expected 0 to 0.5"),
        ("share=nan", "share=nan is not possible; expected 0 to 0.5"),
        ("wide=maybe", "wide=maybe is not possible; expected yes or no"),
        ("colour=green", "colour=green is not possible; expected red or blue"),
        ("weights=1/x", "weights=1/x is not possible; expected numbers joined by /"),
        ("free=x", "free=x is not possible; expected a whole number"),
        ("loose=x", "loose=x is not possible; expected a number"),
        ("siz=5", "Toy has no parameter 'siz'; did you mean 'size'?"),
        (
            "xyzzy=5",
            "Toy has no parameter 'xyzzy'; it has size, share, wide, colour, weights, free, loose",
        ),
        ("size=2,wide=yes", "size=2 is too small to be wide"),
    ],
)
def test_mistakes_are_told(text: str, message: str) -> None:
    with pytest.raises(UserError, match=f"^{re.escape(message)}$"):
        toy(text)


def test_presets_are_checked_too() -> None:
    with pytest.raises(UserError, match="size=1 is not possible"):
        toy(size=1)


def test_a_class_without_parameters() -> None:
    assert build(Bare, []) == Bare()
    with pytest.raises(UserError, match="Bare has no parameter 'size'; it has none"):
        build(Bare, [("size", "5")])


@pytest.mark.parametrize(
    "text",
    ["", "size=7", "share=0.125,wide=yes", "colour=blue,weights=0.5/3", "free=-3,loose=1e-05"],
)
def test_settings_are_written_as_they_are_read(text: str) -> None:
    assert settings_text(toy(text)) == text


def test_descriptions() -> None:
    described = {parameter.name: parameter for parameter in parameters_of(Toy)}
    assert list(described) == list(Toy._fields)
    assert described["size"].meaning == "cells on a side"
    assert described["size"].default == 5
    assert described["free"].meaning == ""
    assert described["free"].limits is None
