"""From which sources compiled code may have come, so that it can be told by their content.

A compiled function is made of its own module, of the modules of its arguments' classes, and
of all that these import, directly or not.  A module outside this package may take more from
its neighbours, so they count too.

What a process has imported is what the files said then.  All of the package is read when
it starts, and other files when they first declare something compiled; what an edit did
since is told by `changed`.
"""

from __future__ import annotations

import functools
import hashlib
import pathlib
import re
import sys
from collections.abc import Iterable

PACKAGE = pathlib.Path(__file__).resolve().parent

# Imports anywhere in a file: a table may come from a function that imports later.
_IMPORTS = re.compile(
    rb"^[ \t]*(?:from quintet((?:\.\w+)*) import (\([^)]*\)|[^\n]*)|import quintet((?:\.\w+)*))",
    re.MULTILINE,
)

_STANDARD = sys.stdlib_module_names  # no rules in these
_found: dict[pathlib.Path, bytes] = {}  # files as this process found them


def digests(modules: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The sources of some modules and of what they import, each with a digest."""
    return tuple((_label(file), _digest(file)) for file in _sources(modules))


def changed(modules: Iterable[str]) -> bool:
    """Has anybody edited a source of these modules since this process read it?"""
    return any(_read(file) != _found[file] for file in _sources(modules))


def are_files(modules: Iterable[str]) -> bool:
    """Can all that counts be read?  Not what somebody types into a notebook."""
    return all(is_ours(name) or name in _STANDARD or _file_name(name) for name in modules)


def is_ours(module: str) -> bool:
    """Does a module belong to this package?"""
    return module.partition(".")[0] == PACKAGE.name


def note(module: str) -> None:
    """Read the source of a module while it is as it was imported."""
    for file in _outside([module]):
        _content(file)


def _sources(modules: Iterable[str]) -> list[pathlib.Path]:
    """All files that count for some modules, in a fixed order."""
    named = set(modules)
    first = _outside(sorted(named))
    first |= {file for name in named if is_ours(name) for file in _files_of(name.split(".")[1:])}
    return sorted(first.union(*(_reached(file) for file in first)))


@functools.cache
def _reached(start: pathlib.Path) -> frozenset[pathlib.Path]:
    """Our files that one file imports, directly or not."""
    reached: set[pathlib.Path] = set()
    waiting = [start]
    while waiting:
        new = _imported(waiting.pop()) - reached
        reached |= new
        waiting += new
    return frozenset(reached)


@functools.cache
def _imported(file: pathlib.Path) -> frozenset[pathlib.Path]:
    """Our files that a file imports itself."""
    found: set[pathlib.Path] = set()
    for package, names, whole in _IMPORTS.findall(_content(file)):
        parts = (package or whole).decode().split(".")[1:]
        found |= _files_of(parts)
        for name in re.findall(r"\w+", names.decode()):
            found |= _files_of([*parts, name])
    return frozenset(found)


def _files_of(parts: list[str]) -> set[pathlib.Path]:
    """The file of a module of ours, if there is one by this name."""
    path = PACKAGE.joinpath(*parts)
    return {path.with_name(f"{path.name}.py"), path / "__init__.py"} & _found.keys()


# --- files of others ----------------------------------------------------------


def _outside(modules: Iterable[str]) -> set[pathlib.Path]:
    """The sources of those modules that are not ours, and their neighbours.

    A neighbour is a loaded module in the same folder or below it: a user's game
    may take its tables from a second file beside it.
    """
    files = [_file_name(name) for name in modules if name not in _STANDARD]
    folders = {_resolved(file).parent for file in files if file and _is_outside(file)}
    if not folders:
        return set()
    loaded = [_file_name(name) for name in list(sys.modules)]
    sources = {_resolved(file) for file in loaded if file and file.endswith(".py")}
    return {
        file
        for file in sources
        if any(file.is_relative_to(folder) for folder in folders)
        and _is_outside(str(file), *folders)
    }


def _file_name(module: str) -> str | None:
    return getattr(sys.modules.get(module), "__file__", None)


@functools.cache
def _is_outside(file: str, *folders: pathlib.Path) -> bool:
    """Is this a source that may hold rules, but none of ours?

    Below the folder of a game there may be a whole environment (.venv), or this
    package: which of that is loaded differs from run to run.
    """
    path = _resolved(file)
    below = any("site-packages" in path.relative_to(f).parts for f in folders if f in path.parents)
    return not below and not path.is_relative_to(PACKAGE)


@functools.cache
def _resolved(file: str) -> pathlib.Path:
    return pathlib.Path(file).resolve()


# --- their content ------------------------------------------------------------


def _content(file: pathlib.Path) -> bytes:
    """What a file said when this process first read it."""
    if file not in _found:
        _found[file] = _read(file)
    return _found[file]


def _read(file: pathlib.Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # in an archive, or removed since
        return b""


@functools.cache
def _digest(file: pathlib.Path) -> str:
    return hashlib.sha256(_content(file)).hexdigest()


def _label(file: pathlib.Path) -> str:
    """The same wherever the package is installed."""
    return str(file.relative_to(PACKAGE) if file.is_relative_to(PACKAGE) else file)


_found.update((file, _read(file)) for file in PACKAGE.rglob("*.py"))
