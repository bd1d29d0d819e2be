"""Records are read back bit by bit, and no file can do harm."""

from __future__ import annotations

import io
import json
import pathlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quintet.arena.match import Entrant, Terms, play_match
from quintet.arena.records import Reader, Record, Recorder
from quintet.errors import UserError
from quintet.games import make
from tests.unit.arena_players import GREEDY, RANDOM

MO = make("tic-tac-mo")
NAMES = ["greedy", "random", "random"]
THREE = [Entrant("greedy", GREEDY), Entrant("random", RANDOM), Entrant("random", RANDOM)]


def recorded(file: pathlib.Path, games: int = 12, seed: int = 3) -> list[Any]:
    """Play and record some games; what was played."""
    recorder = Recorder(str(file), MO, NAMES, seed)
    found: list[Any] = []

    def on_games(plan: Any, outcome: Any) -> None:
        recorder.write(range(3), plan, outcome)
        for row, number in enumerate(plan.numbers.tolist()):
            moves = outcome.moves[row, : outcome.lengths[row]].tolist()
            found.append((number, plan.orders[row].tolist(), moves, outcome.scores[row].tolist()))

    play_match(MO, THREE, Terms(games, seed), None, None, None, on_games)
    recorder.close()
    return found


def contents(records: list[Record]) -> list[Any]:
    return [(r.number, r.seats, r.moves, r.scores) for r in records]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    file = tmp_path_factory.mktemp("records") / "games.jsonl"
    recorded(file)
    return file.read_bytes().splitlines(keepends=True)


def test_round_trip(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "games.jsonl"
    played = recorded(file)
    records = list(Reader(str(file)))
    assert contents(records) == played
    assert records[0].header.players == NAMES
    assert records[0].header.seed == 3
    assert make(records[0].header.game) == MO


def test_what_a_record_tells_repeats_the_game(tmp_path: pathlib.Path) -> None:
    recorded(tmp_path / "one")
    recorded(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_matches_are_added(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "games.jsonl"
    played = recorded(file, seed=1) + recorded(file, seed=2)
    records = list(Reader(str(file)))
    assert contents(records) == played
    assert [r.header.seed for r in records] == [1] * 12 + [2] * 12


@pytest.mark.parametrize("lost", [1, 5, 60])
def test_a_cut_off_file_is_read_and_continued(tmp_path: pathlib.Path, lost: int) -> None:
    file = tmp_path / "games.jsonl"
    played = recorded(file)
    content = file.read_bytes()
    file.write_bytes(content[:-lost])
    reader = Reader(str(file))
    whole = content[:-lost].count(b"\n") - 1
    assert contents(list(reader)) == played[:whole]
    assert reader.note == f"line {whole + 2} was cut off, and is left out"
    more = recorded(file, seed=9)
    reader = Reader(str(file))
    assert contents(list(reader)) == played[:whole] + more
    assert reader.note is None


def test_other_files_are_left_alone(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader\n")
    with pytest.raises(UserError, match="is no record of games"):
        Recorder(str(file), MO, NAMES, 1)
    assert file.read_text() == "Dear reader\n"
    with pytest.raises(UserError, match="cannot be written"):
        Recorder(str(tmp_path / "no" / "folder"), MO, NAMES, 1)


def changed(lines: list[bytes], line: int, **values: Any) -> bytes:
    """A file in which one line says something else."""
    found = {**json.loads(lines[line]), **values}
    found = {name: value for name, value in found.items() if value != "missing"}
    return b"".join([*lines[:line], json.dumps(found).encode() + b"\n", *lines[line + 1 :]])


WRONG = [
    (0, {"quintet": 2}, "line 1: format 2; expected 1"),
    (0, {"game": "chess"}, "line 1: no game 'chess'"),
    (0, {"game": 7}, "line 1: game 7; expected a text"),
    (0, {"game": "go:size=999"}, "line 1: size=999 is not possible"),
    (0, {"game": "./evil.py:Game"}, "which is not run unless you trust it"),
    (0, {"game": "openspiel:hex(board_size=99)"}, "is OpenSpiel's, which is not run unless"),
    (0, {"version": 99}, "by version 99 of its rules; expected 1"),
    (0, {"players": []}, "players []; expected a list of texts"),
    (0, {"seed": "missing"}, "no 'seed'; expected game, players"),
    (2, {"moves": [0, 0]}, "game 1: ply 2, move a3, is not legal"),
    (2, {"moves": [-1]}, "moves [-1]; expected a list of whole numbers"),
    (2, {"moves": [15]}, "game 1: ply 1, move number 15, is not legal"),
    (2, {"moves": [2**40]}, "move number 1099511627776, is not legal"),
    (2, {"moves": [True]}, "moves [True]; expected"),
    (2, {"moves": [0, 1]}, "the game is not over after its 2 moves"),
    (2, {"moves": []}, "the game is not over after its 0 moves"),
    (2, {"moves": list(range(16))}, "moves 16; expected at most 15"),
    (2, {"scores": [0.0, 0.5, 0.5]}, "scores [0.0, 0.5, 0.5]; expected [0.0, 1.0, 0.0]"),
    (2, {"scores": [float("nan")] * 3}, "scores [nan, nan, nan]; expected ["),
    (2, {"scores": "won"}, "scores 'won'; expected 3 numbers"),
    (2, {"seats": [0, 1, 3]}, "seats [0, 1, 3]; expected 3 numbers from 0 to 2"),
    (2, {"seats": [0, 1]}, "seats [0, 1]; expected 3 numbers"),
    (2, {"opening": 40}, "opening 40; expected 0 to"),
    (2, {"number": None}, "number None; expected a whole number"),
    (2, {"colour": 1}, "unknown 'colour'; expected moves"),
]


@pytest.mark.parametrize(("line", "values", "told"), WRONG)
def test_what_is_wrong_is_told_with_its_line(
    lines: list[bytes], tmp_path: pathlib.Path, line: int, values: dict[str, Any], told: str
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(changed(lines, line, **values))
    with pytest.raises(UserError) as error:
        list(Reader(str(file)))
    assert told in str(error.value)
    assert f"line {line + 1}: " in str(error.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty; expected a record"),
        (b"\x00\xff\xfe\n", "line 1: no JSON"),
        (b"[1, 2]\n", "line 1: [1, 2]; expected an object"),
        (b'{"number": 1}\n', "line 1: a game before the line that begins a match"),
        (b"[" * 100_000 + b"\n", "line 1: no JSON"),
        (b'{"quintet":' + b"[" * 800 + b"]" * 800 + b"}\n", "line 1: format"),
        (b"9" * 5000 + b"\n", "line 1: no JSON"),
        (b"x" * (1 << 21), "line 1: longer than 1048576 bytes"),
    ],
)
def test_no_record_at_all(tmp_path: pathlib.Path, content: bytes, told: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(content)
    with pytest.raises(UserError) as error:
        list(Reader(str(file)))
    assert told in str(error.value)


def test_games_that_were_not_finished_are_read_only_if_wanted(lines: list[bytes]) -> None:
    game = json.loads(lines[1])
    game.update(moves=game["moves"][:2], scores=[])
    content = lines[0] + json.dumps(game).encode() + b"\n"
    (record,) = Reader("name", unfinished=True, content=io.BytesIO(content))
    assert (record.moves, record.scores) == (game["moves"], [])
    with pytest.raises(UserError, match="'name', line 2: scores"):
        list(Reader("name", content=io.BytesIO(content)))
    game["moves"][1] = game["moves"][0]
    content = lines[0] + json.dumps(game).encode() + b"\n"
    with pytest.raises(UserError, match="is not legal"):
        list(Reader("name", unfinished=True, content=io.BytesIO(content)))


def test_a_python_file_is_run_only_if_trusted(lines: list[bytes], tmp_path: pathlib.Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"import pathlib; pathlib.Path({str(tmp_path / 'sprung')!r}).touch()\n")
    file = tmp_path / "games.jsonl"
    file.write_bytes(changed(lines, 0, game=f"{trap}:Game"))
    with pytest.raises(UserError, match="unless you trust it"):
        list(Reader(str(file)))
    assert not (tmp_path / "sprung").exists()
    with pytest.raises(UserError, match="has no game 'Game'"):
        list(Reader(str(file), trust=True))
    assert (tmp_path / "sprung").exists()


@settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_damaged_files_are_refused_or_say_the_truth(
    lines: list[bytes], tmp_path: pathlib.Path, data: st.DataObject
) -> None:
    """Whatever bytes change, what is read is by the rules, or told to be wrong."""
    content = bytearray(b"".join(lines))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.integers(0, 8))
        content[place : place + length] = data.draw(st.binary(max_size=8))
    file = tmp_path / "games.jsonl"
    file.write_bytes(bytes(content))
    try:
        records = list(Reader(str(file)))
    except UserError as error:
        told = str(error)
    else:
        told = ""
        for record in records:
            seats = make(record.header.game).limits().seats
            assert len(record.seats) == len(record.scores) == seats
    assert not told or "line " in told or "is empty" in told
