"""The tree keeps its promises: imports go down, names speak, compiled code is where it may be."""

from __future__ import annotations

import ast
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "quintet"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Lower layers first.  A module may import its own layer and those before it.
LAYERS = [
    {"errors", "sources", "compiled"},
    {"bits", "lanes", "layout", "parameters", "registry"},
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


# Each of these is one test of all modules: one a module would be hundreds.


def test_folders_have_a_layer() -> None:
    known = set().union(*LAYERS)
    assert {_part(path) for path in MODULES if path.parent != PACKAGE} <= known


def test_imports_go_down() -> None:
    for path in MODULES:
        if _part(path) != "__init__":
            own = _layer(_part(path))
            higher = {part for part in _imports(path) if _layer(part) > own}
            assert not higher, f"{_label(path)} imports {higher}, which are above it"


def test_search_nets_and_learners_name_no_game() -> None:
    for path in MODULES:
        if _part(path) in {"search", "nets", "learn"}:
            assert "games" not in _imports(path), _label(path)
        if _part(path) == "games":
            assert not _imports(path) & {"search", "nets", "learn", "players"}, _label(path)


def test_names_say_something() -> None:
    for path in MODULES:
        assert not set(path.stem.split("_")) & FORBIDDEN_WORDS, _label(path)
        assert "_v2" not in path.stem, _label(path)


def test_only_two_modules_know_numba() -> None:
    knowing = {_label(path) for path in MODULES if {"numba", "llvmlite"} & _all_imports(path)}
    assert knowing == {"compiled.py", "lanes.py"}


def _all_imports(path: pathlib.Path) -> set[str]:
    """The packages that a module imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found


def test_help_imports_nothing_heavy() -> None:
    heavy = {"numba", "numpy", "rich", "torch", "fastapi", "pydantic", "uvicorn"}
    code = (
        "import sys, quintet, quintet.cli\n"
        "try: quintet.cli.main(['--help'], standalone_mode=False)\n"
        f"finally: print(*sorted({heavy} & set(sys.modules)), sep=',')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
