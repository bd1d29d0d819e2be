"""What a run is: a learner, a game and a seed, as a TOML file that people can read and write."""

from __future__ import annotations

import difflib
import json
import pathlib
import tomllib
from typing import Any, NamedTuple

from quintet import games, learn
from quintet.errors import UserError
from quintet.parameters import parameters_of
from quintet.registry import name_of

_KEYS = {"learner", "game", "seed", "preset", "checkpoints", "settings", "versions"}
CHECKPOINTS = 20  # that are kept, evenly over a run
_LARGEST = 1 << 20  # bytes: a wrong file should not fill the memory


class Settings(NamedTuple):
    """What decides how a run goes."""

    learner: Any
    game: Any
    seed: int
    checkpoints: int = CHECKPOINTS

    @property
    def steps_between(self) -> int:
        """Steps from one checkpoint that is kept to the next."""
        return max(1, -(-self.learner.steps // self.checkpoints))

    def description(self) -> dict[str, str]:
        """What a checkpoint tells about where it comes from."""
        return {
            "quintet": version_of("quintet"),
            "learner": learn.text_of(self.learner),
            "game": games.text_of(self.game),
            "seed": str(self.seed),
        }

    def written(self) -> str:
        """As a TOML file, with every parameter and what it means."""
        learner = self.learner
        lines = [
            _line("learner", learn_name(learner)),
            _line("game", games.text_of(self.game)),
            f"seed = {self.seed}",
            f"checkpoints = {self.checkpoints}",
            "",
            "[settings]",
        ]
        for parameter in parameters_of(type(learner)):
            text = parameter.written(getattr(learner, parameter.name))
            meaning = f"  # {parameter.meaning}" if parameter.meaning else ""
            lines.append(_line(parameter.name, text) + meaning)
        lines += ["", "[versions]", *(_line(*pair) for pair in versions(learner).items()), ""]
        return "\n".join(lines)


def learn_name(learner: Any) -> str:
    """The name of a learner's kind."""
    return name_of(learn.LEARNERS, type(learner))


def versions(learner: Any = None) -> dict[str, str]:
    """Of everything on which the exact bits of a result may depend.

    A learner may name more in ``packages``.
    """
    import platform
    import sysconfig

    names = ("quintet", "numpy", "numba", *getattr(learner, "packages", ()))
    found = {name: version_of(name) for name in names}
    return {**found, "python": platform.python_version(), "platform": sysconfig.get_platform()}


def version_of(package: str) -> str:
    """As it was installed."""
    import importlib.metadata

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def read_settings_file(path: pathlib.Path) -> tuple[Settings, dict[str, str]]:
    """The settings in a TOML file, checked, and the versions it names."""
    content = _content(path)
    unknown = sorted(set(content) - _KEYS)
    if unknown:
        close = difflib.get_close_matches(unknown[0], sorted(_KEYS), 1)
        hint = f"did you mean {close[0]!r}?" if close else f"expected {', '.join(sorted(_KEYS))}"
        raise UserError(f"{str(path)!r}: no setting {unknown[0]!r}; {hint}")
    for key in ("learner", "game"):
        if not isinstance(content.get(key), str):
            raise UserError(f"{str(path)!r}: expected {key} = a text")
    pairs = [(name, _as_text(value)) for name, value in content.get("settings", {}).items()]
    game = games.make(content["game"])
    learner = learn.make_learner(content["learner"], game, pairs, content.get("preset"))
    numbers = [_whole_number(path, content, "seed", 0), _whole_number(path, content, "checkpoints")]
    return Settings(learner, game, *numbers), content.get("versions", {})


def _content(path: pathlib.Path) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            return tomllib.loads(file.read(_LARGEST).decode())
    except OSError as error:
        raise UserError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{str(path)!r} is no TOML file: {error}") from error


def _whole_number(path: pathlib.Path, content: dict[str, Any], key: str, least: int = 1) -> int:
    value = content.get(key, CHECKPOINTS if key == "checkpoints" else 0)
    if type(value) is not int or not least <= value < 2**63:
        raise UserError(f"{str(path)!r}: {key} = {value!r}; expected a whole number from {least}")
    return value


def _line(name: str, text: str) -> str:
    return f"{name} = {json.dumps(text)}"


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "/".join(_as_text(part) for part in value)
    return str(value)
