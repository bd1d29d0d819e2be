"""The tree keeps its promises: imports go down, names speak, compiled code is where it may be."""

from __future__ import annotations

import ast
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "quintet"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Lower layers first.  A module may import its own layer and those before it.
LAYERS = [
    {"errors", "sources", "compiled"},
    {"bits", "layout", "parameters", "registry"},
    {"randomness"},
    {"rules"},
    {"symmetry", "notation", "stones", "drawing"},
    {"games", "nets", "search", "check"},
    {"players"},
    {"arena", "learn", "runs"},
    {"studies", "bridges", "web", "cli", "notebook", "__main__"},
]
FORBIDDEN_WORDS = {"utils", "util", "helpers", "common", "manager", "base", "misc"}


def _part(path: pathlib.Path) -> str:
    """The first word below the package: a module or a folder."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _layer(part: str) -> int:
    (layer,) = (number for number, parts in enumerate(LAYERS) if part in parts)
    return layer


def _imports(path: pathlib.Path) -> set[str]:
    """The parts of Quintet that a module imports at its top level."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("quintet.")}
    return found


def _label(path: pathlib.Path) -> str:
    return str(path.relative_to(PACKAGE))


@pytest.mark.parametrize("path", [m for m in MODULES if m.parent != PACKAGE], ids=_label)
def test_folders_have_a_layer(path: pathlib.Path) -> None:
    assert _layer(_part(path)) >= 0


@pytest.mark.parametrize("path", [m for m in MODULES if _part(m) != "__init__"], ids=_label)
def test_imports_go_down(path: pathlib.Path) -> None:
    own = _layer(_part(path))
    higher = {part for part in _imports(path) if _layer(part) > own}
    assert not higher, f"{_label(path)} imports {higher}, which are above it"


@pytest.mark.parametrize("path", MODULES, ids=_label)
def test_search_nets_and_learners_name_no_game(path: pathlib.Path) -> None:
    if _part(path) in {"search", "nets", "learn"}:
        assert "games" not in _imports(path)
    if _part(path) == "games":
        assert not _imports(path) & {"search", "nets", "learn", "players"}


@pytest.mark.parametrize("path", MODULES, ids=_label)
def test_names_say_something(path: pathlib.Path) -> None:
    assert not set(path.stem.split("_")) & FORBIDDEN_WORDS
    assert "_v2" not in path.stem


@pytest.mark.parametrize("path", MODULES, ids=_label)
def test_only_compiled_knows_numba(path: pathlib.Path) -> None:
    if _label(path) == "compiled.py":
        return
    for node in ast.walk(ast.parse(path.read_text())):
        names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        assert not any(name.split(".")[0] in {"numba", "llvmlite"} for name in names)


def test_help_imports_nothing_heavy() -> None:
    heavy = {"numba", "numpy", "rich", "torch", "fastapi", "pydantic", "uvicorn"}
    code = (
        "import sys, quintet, quintet.cli\n"
        "try: quintet.cli.main(['--help'], standalone_mode=False)\n"
        f"finally: print(*sorted({heavy} & set(sys.modules)), sep=',')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
