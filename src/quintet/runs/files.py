"""The files of a run: arrays with a description, and lines of JSON.

A file is either there, whole, or not: it is written beside its place, brought to
the disk, and then renamed.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from quintet.errors import UserError
from quintet.learn.learner import State

_DESCRIPTION = "quintet"
UNFINISHED = ".unfinished"  # the end of the name of a file that is being written


def write_whole(path: pathlib.Path, content: bytes) -> None:
    """Write a file; after a crash the old one, or none, is still there."""
    beside = path.with_name(path.name + UNFINISHED)
    try:
        with open(beside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def write_arrays(path: pathlib.Path, arrays: State, description: Mapping[str, str]) -> None:
    """Write named arrays: the same bytes for the same content.

    The description is one text, as the format keeps several in no order.
    """
    from safetensors.numpy import save

    # the library writes memory as it lies: a transposed array would come back scrambled
    plain = {name: np.require(array, requirements="C") for name, array in arrays.items()}
    write_whole(path, save(plain, {_DESCRIPTION: json.dumps(description, sort_keys=True)}))


def read_arrays(path: pathlib.Path) -> tuple[State, dict[str, str]]:
    """Named arrays and their description; nothing in the file is run."""
    with _opened(path) as file:
        arrays = {name: file.get_tensor(name).copy() for name in file.keys()}  # noqa: SIM118
        return arrays, _described(file)


def read_description(path: pathlib.Path) -> dict[str, str]:
    """The description alone, which is quick."""
    with _opened(path) as file:
        return _described(file)


def _described(file: Any) -> dict[str, str]:
    described = json.loads((file.metadata() or {}).get(_DESCRIPTION, "{}"))
    return {str(name): str(text) for name, text in described.items()}


@contextlib.contextmanager
def _opened(path: pathlib.Path) -> Iterator[Any]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            yield file
    except FileNotFoundError:
        raise UserError(f"there is no file {str(path)!r}") from None
    except OSError as error:
        raise UserError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
    except (SafetensorError, ValueError, AttributeError) as error:
        raise UserError(f"{str(path)!r} is no safetensors file, or is damaged: {error}") from error


class Lines:
    """A file of JSON lines that grows, and can go back to an earlier length."""

    def __init__(self, path: pathlib.Path, length: int) -> None:
        """Go on at a length, at which the file was known to be good."""
        self._file = open(path, "ab")  # noqa: SIM115 - closed by `close`
        self._file.truncate(length)
        self._file.seek(length)

    def add(self, line: Mapping[str, Any]) -> None:
        """One more line."""
        self._file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    def settle(self) -> int:
        """Bring all to the disk; the length that it has then."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def show(self) -> None:
        """Let those who read along see what there is."""
        self._file.flush()

    def close(self) -> None:
        """No more lines; what a full disk does not take is in no checkpoint either."""
        with contextlib.suppress(OSError):
            self._file.close()


def read_lines(path: pathlib.Path) -> Iterator[dict[str, Any]]:
    """The lines that are whole."""
    if not path.exists():
        return
    with open(path, "rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield json.loads(line)
