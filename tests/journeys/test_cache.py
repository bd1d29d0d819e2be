"""Compiled code on disk is used when it fits, and only then."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "elbow_room.py"

COUNT_MOVES = """
import sys
from quintet import games, rules
game = games.make(sys.argv[1])
position = rules.new_position(game)
rules.play(game, position, 0)
print(len(rules.list_legal_moves(game, position)))
"""
# as above, but the game is imported, then its file edited, then it is played
COUNT_MOVES_AFTER_EDIT = """
import pathlib, sys
from quintet import games, rules
game = games.make(sys.argv[1])
file = pathlib.Path(sys.argv[1].partition(".py:")[0] + ".py")
file.write_text(file.read_text().replace(sys.argv[2], sys.argv[3]))
print(len(rules.list_legal_moves(game, rules.new_position(game))))
"""
COUNT_SEQUENCES = """
import sys
from quintet import games, rules
for text in sys.argv[1:]:
    game = games.make(text)
    print(rules.perft(game, rules.new_position(game), 3))
"""
EMPTY = "if position.board[row, column] != 0:"
EMPTY_OR_LAST = "if position.board[row, column] != 0 or row + column == 8:"
DAMAGES = {
    "cut short": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "altered": lambda data: data[:-100] + bytes(100),
}


def _start(
    text: str, cache: pathlib.Path, source: pathlib.Path, script: str, *args: str
) -> subprocess.Popen[str]:
    folder = text.partition(".py:")[0].rpartition("/")[0]
    environment = {
        **os.environ,
        "QUINTET_CACHE": str(cache),
        "PYTHONPATH": f"{source}:{folder}",
        # Python takes a .pyc for current if the edit is of the same second and size
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.Popen(
        [sys.executable, "-c", script, text, *args],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _finished(process: subprocess.Popen[str]) -> int:
    return int(_output(process))


def _output(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


def _moves_after_one(text: str, cache: pathlib.Path, source: pathlib.Path = ROOT / "src") -> int:
    """How many moves there are after move 0, in a process of its own."""
    return _finished(_start(text, cache, source, COUNT_MOVES))


def _files(cache: pathlib.Path) -> dict[pathlib.Path, int]:
    return {file: file.stat().st_mtime_ns for file in cache.rglob("*") if file.is_file()}


def _edit(file: pathlib.Path, old: str, new: str) -> None:
    source = file.read_text()
    assert source.count(old) == 1
    file.write_text(source.replace(old, new))


def _own_game(folder: pathlib.Path) -> tuple[pathlib.Path, str]:
    file = folder / "own" / "mygame.py"
    file.parent.mkdir()
    shutil.copy(EXAMPLE, file)
    return file, f"{file}:ElbowRoom"


def test_an_edited_game_file_is_compiled_anew(tmp_path: pathlib.Path) -> None:
    file, text = _own_game(tmp_path)
    cache = tmp_path / "cache"
    assert _moves_after_one(text, cache) == 22
    _edit(file, EMPTY, EMPTY_OR_LAST)
    assert _moves_after_one(text, cache) == 21
    _edit(file, EMPTY_OR_LAST, EMPTY)
    before = _files(cache)
    assert _moves_after_one(text, cache) == 22
    assert _files(cache) == before  # the first compilation is still there


def test_an_edited_neighbour_of_a_game_file_is_noticed(tmp_path: pathlib.Path) -> None:
    file, text = _own_game(tmp_path)
    cache = tmp_path / "cache"
    neighbour = file.with_name("my_tables.py")
    neighbour.write_text("CLOSED = 99\n")
    _edit(file, "import numpy as np\n", "import numpy as np\nfrom my_tables import CLOSED\n")
    _edit(file, EMPTY, EMPTY_OR_LAST.replace("8", "CLOSED"))
    assert _moves_after_one(text, cache) == 22
    neighbour.write_text("CLOSED = 8\n")
    assert _moves_after_one(text, cache) == 21


def test_an_environment_beside_a_game_file_does_not_count(tmp_path: pathlib.Path) -> None:
    file, text = _own_game(tmp_path)
    cache = tmp_path / "cache"
    library = file.parent / ".venv" / "lib" / "site-packages"
    library.mkdir(parents=True)
    (library / "unrelated.py").write_text("A = 1\n")
    use = f"import sys\nsys.path.insert(0, {str(library)!r})\nimport unrelated\n"
    _edit(file, "import numpy as np\n", f"import numpy as np\n{use}")
    _moves_after_one(text, cache)
    before = _files(cache)
    (library / "unrelated.py").write_text("A = 22\n")
    _moves_after_one(text, cache)
    assert _files(cache) == before


def test_a_process_that_outlives_an_edit_leaves_no_wrong_code(tmp_path: pathlib.Path) -> None:
    file, text = _own_game(tmp_path)
    cache = tmp_path / "cache"
    edit = (EMPTY, EMPTY_OR_LAST)
    old_rules = _start(text, cache, ROOT / "src", COUNT_MOVES_AFTER_EDIT, *edit)
    assert _finished(old_rules) == 25
    assert EMPTY_OR_LAST in file.read_text()
    assert _moves_after_one(text, cache) == 21


def test_an_edited_package_is_compiled_anew_and_restored(tmp_path: pathlib.Path) -> None:
    source, cache = tmp_path / "src", tmp_path / "cache"
    shutil.copytree(ROOT / "src" / "quintet", source / "quintet")
    file = source / "quintet" / "stones.py"
    old = "if not is_occupied(position, row * (columns + 1) + column):"
    new = "if column != 1 and not is_occupied(position, row * (columns + 1) + column):"
    assert _moves_after_one("tic-tac-toe", cache, source) == 8
    _edit(file, old, new)
    assert _moves_after_one("tic-tac-toe", cache, source) == 5
    _edit(file, new, old)
    before = _files(cache)
    assert _moves_after_one("tic-tac-toe", cache, source) == 8
    assert _files(cache) == before


def test_an_edit_of_what_a_game_does_not_use_compiles_nothing(tmp_path: pathlib.Path) -> None:
    source, cache = tmp_path / "src", tmp_path / "cache"
    shutil.copytree(ROOT / "src" / "quintet", source / "quintet")
    _moves_after_one("tic-tac-toe", cache, source)
    before = _files(cache)
    for name in ("games/othello.py", "learn/esp.py", "cli/games.py"):
        file = source / "quintet" / name
        file.write_text(file.read_text() + "# edited\n")
    _moves_after_one("tic-tac-toe", cache, source)
    assert _files(cache) == before


def test_two_copies_of_the_package_share_their_code(tmp_path: pathlib.Path) -> None:
    cache = tmp_path / "cache"
    _moves_after_one("tic-tac-toe", cache)
    before = _files(cache)
    shutil.copytree(ROOT / "src" / "quintet", tmp_path / "src" / "quintet")
    _moves_after_one("tic-tac-toe", cache, tmp_path / "src")
    assert _files(cache) == before


TYPED = """
import sys
from quintet.compiled import jit

@jit
def answer():
    return int({})

print(answer())
"""


def test_what_stands_in_no_file_is_not_kept(tmp_path: pathlib.Path) -> None:
    for number in (1, 2):
        script = TYPED.format(number)
        assert _finished(_start("", tmp_path, ROOT / "src", script)) == number
    assert not _files(tmp_path)


STRANGER = """
from quintet import rules
from quintet.games.pente import Pente

try:
    rules.turn.implement(Pente)(lambda game, position: 0)
except TypeError as error:
    print(int("expected that in quintet.games.pente or quintet.rules" in str(error)))
"""


def test_an_implementation_where_no_edit_is_noticed_is_refused(tmp_path: pathlib.Path) -> None:
    assert _finished(_start("", tmp_path, ROOT / "src", STRANGER)) == 1


@pytest.mark.parametrize("text", ["tic-tac-toe", f"{EXAMPLE}:ElbowRoom"], ids=["package", "file"])
def test_a_second_process_finds_the_compiled_code(text: str, tmp_path: pathlib.Path) -> None:
    found = COUNT_MOVES + (
        "implementation = rules.legal_moves.implementation_for(type(game))\n"
        "assert sum(implementation.stats.cache_hits.values()) == int(sys.argv[2])\n"
    )
    _finished(_start(text, tmp_path, ROOT / "src", found, "0"))
    before = _files(tmp_path)
    assert before
    _finished(_start(text, tmp_path, ROOT / "src", found, "1"))
    assert _files(tmp_path) == before


def test_an_unwritable_cache_and_a_read_only_package_do_no_harm(tmp_path: pathlib.Path) -> None:
    source = tmp_path / "src"
    shutil.copytree(
        ROOT / "src" / "quintet",
        source / "quintet",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    before = _files(source)
    for path in [*source.rglob("*"), source]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    # root may write anywhere but below a regular file
    blocked = tmp_path / "a_file"
    blocked.write_text("")
    assert _moves_after_one("tic-tac-toe", blocked / "cache", source) == 8
    assert _files(source) == before
    assert _moves_after_one("tic-tac-toe", tmp_path / "cache", source) == 8
    assert _files(source) == before


def test_two_processes_can_fill_one_cache_at_once(tmp_path: pathlib.Path) -> None:
    pair = [_start("tic-tac-toe", tmp_path, ROOT / "src", COUNT_MOVES) for _ in range(2)]
    assert [_finished(process) for process in pair] == [8, 8]
    before = _files(tmp_path)
    assert _moves_after_one("tic-tac-toe", tmp_path) == 8
    assert _files(tmp_path) == before


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_compiled_anew(damage: str, tmp_path: pathlib.Path) -> None:
    assert _moves_after_one("tic-tac-toe", tmp_path) == 8
    whole = {file: file.read_bytes() for file in _files(tmp_path)}
    for file, data in whole.items():
        file.write_bytes(DAMAGES[damage](data))
    damaged = _files(tmp_path)
    assert _moves_after_one("tic-tac-toe", tmp_path) == 8
    repaired = _files(tmp_path)
    assert repaired.keys() == damaged.keys()
    assert all(repaired[file] != damaged[file] for file in damaged)


CHANGING_RECURSION = """
from quintet.compiled import jit

@jit
def countdown(left, ply):
    if left == 0:
        return ply
    return countdown(left - 1, ply + 1)

@jit
def count(left):
    return countdown(left, 0)  # a literal at first, a variable in the recursion
"""


def test_a_recursion_that_cannot_be_kept_is_refused(tmp_path: pathlib.Path) -> None:
    """Read from disk, one half of it would jump to where the other was in another process."""
    (tmp_path / "recursion.py").write_text(CHANGING_RECURSION)
    script = (
        "from recursion import count\n"
        "try:\n"
        "    print(count(7))\n"
        "except TypeError as error:\n"
        "    assert 'recursive' in str(error)\n"
        "    print(-1)\n"
    )
    text = f"{tmp_path}/recursion.py:None"
    for _ in range(2):
        assert _finished(_start(text, tmp_path / "cache", ROOT / "src", script)) == -1


def _sequences(cache: pathlib.Path, *texts: str) -> list[int]:
    """How many sequences of three moves each game has, all counted in one process."""
    first, *others = texts
    process = _start(first, cache, ROOT / "src", COUNT_SEQUENCES, *others)
    return [int(line) for line in _output(process).splitlines()]


def test_games_compiled_in_two_processes_can_be_played_in_a_third(tmp_path: pathlib.Path) -> None:
    assert _sequences(tmp_path, "connect-four") == [7**3]
    assert _sequences(tmp_path, "tic-tac-mo") == [15 * 14 * 13]
    assert _sequences(tmp_path, "connect-four", "tic-tac-mo") == [7**3, 15 * 14 * 13]


def test_games_of_the_same_name_in_two_files_are_told_apart(tmp_path: pathlib.Path) -> None:
    _, text = _own_game(tmp_path)
    other = tmp_path / "other.py"
    other.write_text(EXAMPLE.read_text().replace(EMPTY, EMPTY_OR_LAST))
    assert _sequences(tmp_path / "cache", text, f"{other}:ElbowRoom") != _sequences(
        tmp_path / "cache", text, text
    )


def test_compiling_is_told_once_and_not_when_it_is_found(tmp_path: pathlib.Path) -> None:
    script = (
        COUNT_MOVES.replace("print(", "(").replace(
            "game = ",
            "told = []\nfrom quintet.compiled import tell_when_compiling\n"
            "tell_when_compiling(lambda: told.append(1))\ngame = ",
        )
        + "print(len(told))\n"
    )
    assert _finished(_start("tic-tac-toe", tmp_path, ROOT / "src", script)) == 1
    assert _finished(_start("tic-tac-toe", tmp_path, ROOT / "src", script)) == 0
