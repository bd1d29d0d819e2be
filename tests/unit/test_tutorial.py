"""The tutorial shows the example as it is: all of it, in its order."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs" / "guide" / "add-a-game.md").read_text()
EXAMPLE = (ROOT / "examples" / "elbow_room.py").read_text()


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TUTORIAL, re.DOTALL)


def test_each_code_block_is_in_the_example() -> None:
    assert len(_blocks("python")) > 5
    for block in _blocks("python"):
        assert block in EXAMPLE


def test_the_blocks_together_are_the_example() -> None:
    code = EXAMPLE[EXAMPLE.index("from __future__") :]
    assert "".join(_blocks("python")).split() == code.split()


def test_the_steps_are_numbered() -> None:
    steps = [int(number) for number in re.findall(r"^## (\d+)\.", TUTORIAL, re.MULTILINE)]
    assert steps == list(range(1, len(steps) + 1))


def test_the_check_runs_as_shown(tmp_path: pathlib.Path) -> None:
    (tmp_path / "mygame.py").write_text(EXAMPLE)
    (command,) = (block for block in _blocks("sh") if "check_game" in block)
    script = command.split('"')[1]
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "no problems\n", done.stderr
