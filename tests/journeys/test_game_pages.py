"""The commands on the pages of the games print what the pages say."""

from __future__ import annotations

import pathlib
import re
import shlex

import pytest
from click.testing import CliRunner

from quintet.cli import main

PAGES = pathlib.Path(__file__).parents[2] / "docs" / "games"
EXAMPLES = [
    (page.name, command, shown)
    for page in sorted(PAGES.glob("*.md"))
    for command, shown in re.findall(
        r"^```console\n\$ quintet ([^\n]*)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL
    )
]


@pytest.mark.parametrize(("page", "command", "shown"), EXAMPLES, ids=lambda part: part[:60])
def test_a_command_prints_what_its_page_shows(page: str, command: str, shown: str) -> None:
    done = CliRunner().invoke(main, shlex.split(command), env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    assert done.output == shown


def test_every_example_was_found() -> None:
    written = sum(page.read_text().count("```console") for page in PAGES.glob("*.md"))
    assert len(EXAMPLES) == written > 0
