"""Games that were written down play as they did then."""

from __future__ import annotations

import pytest

from tests.golden.record import FOLDER, TEXTS, file_of, playthrough


@pytest.mark.parametrize("text", TEXTS)
def test_a_recorded_game_is_played_again(text: str) -> None:
    anew = f"python -m tests.golden.record {text}"
    assert file_of(text).is_file(), f"no playthrough of {text}; write one with: {anew}"
    recorded, played = file_of(text).read_text().splitlines(), playthrough(text).splitlines()
    for number, (before, now) in enumerate(zip(recorded, played, strict=False), start=1):
        assert now == before, (
            f"{file_of(text).name}, line {number}, has changed.\n"
            f"If that is intended, record it anew: {anew}\n"
            "and raise the version in the game's limits if its rules or moves have changed."
        )
    assert len(played) == len(recorded), f"one is longer; if that is intended: {anew}"


def test_there_are_no_stray_files() -> None:
    assert {file.name for file in FOLDER.iterdir()} <= {file_of(text).name for text in TEXTS}


def test_the_files_are_small() -> None:
    assert max(file.stat().st_size for file in FOLDER.iterdir()) < 30_000
