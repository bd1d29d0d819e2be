"""Games put on tables from texts, and written as texts again."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from quintet import games
from quintet.errors import UserError
from quintet.runs.trained import FOLDER
from quintet.web import recorded
from quintet.web.allowed import Allowed
from quintet.web.answers import FromText
from quintet.web.configuration import Configuration
from quintet.web.kept import game_in_text, text_of_table
from quintet.web.seats import Occupant
from quintet.web.tables import Table

MANY = 1_000
ALLOWED = Allowed(Configuration())
ELBOW_ROOM = pathlib.Path(__file__).parents[2] / "examples" / "elbow_room.py"


def opened(content: str, allowed: Allowed = ALLOWED, **fields: Any) -> Table:
    """The table on which a text is laid out."""
    wanted = FromText(content=content, **fields)
    kept = game_in_text(wanted, allowed.game, allowed.trusts)
    game = allowed.game(kept.game)
    names = [seat.name or "" for seat in kept.seats] or [""] * game.limits().seats
    table = Table("table-1", game, "owner", [Occupant("here", name) for name in names])
    table.lay_out(kept, MANY)
    return table


def new_table(text: str, *moves: int) -> Table:
    game = games.make(text)
    names = ["Ann", "Bob", "Cid"][: game.limits().seats]
    table = Table("table-1", game, "owner", [Occupant("here", name) for name in names])
    for move in moves:
        table.move(table.node, move, MANY)
    return table


def lines(table: Table) -> set[tuple[int, ...]]:
    return {tuple(table.tree.moves(node)) for node in range(len(table.tree.nodes))}


@pytest.mark.parametrize("text", ["tic-tac-toe", "tic-tac-mo"])
def test_sgf_keeps_names_variations_and_where_the_line_ends(text: str) -> None:
    table = new_table(text, 4, 0, 8)
    table.move(1, 2, MANY)  # other second moves: the second of them is on the table
    table.move(1, 3, MANY)
    again = opened(text_of_table(table, "sgf"))
    assert again.game == table.game
    assert again.names() == table.names()
    assert lines(again) == lines(table)
    assert again.tree.moves(again.node) == [4, 3]
    again.go_to(0)
    assert [again.tree.nodes[node].move for node in again.tree.ahead(0)] == [4, 3]


def test_sgf_keeps_a_resignation_and_a_position_that_was_set_up() -> None:
    table = new_table("tic-tac-toe")
    table.begin("  a b c\n3 X X .\n2 O . .\n1 . . .\nturn: 1")
    table.move(0, 4, MANY)
    table.resign(0, MANY)
    again = opened(text_of_table(table, "sgf"))
    assert again.shown(0).picture == table.shown(0).picture
    assert again.shown(again.node) == table.shown(table.node)
    assert again.shown(again.node).result == "Ann resigns; Bob wins."


def test_what_a_format_cannot_hold_is_said() -> None:
    table = new_table("pente:size=5")
    picture = table.shown(0).picture
    assert "captured: 0 0" in picture
    table.begin(picture.replace("captured: 0 0", "captured: 2 0"))
    with pytest.raises(UserError, match="captures, which SGF cannot hold"):
        text_of_table(table, "sgf")
    with pytest.raises(UserError, match="a record cannot hold; SGF can"):
        text_of_table(table, "record")


@pytest.mark.parametrize(
    ("content", "fields", "moves"),
    [
        ("(;FF[4]GM[4]SZ[15];B[hh](;W[hg])(;W[ii]))", {}, ["H8", "H9"]),
        ("f5d6c3", {"format": "compact", "game": "othello"}, ["f5", "d6", "c3"]),
        ("d3 c3", {"name": "mine.moves", "game": "othello"}, ["d3", "c3"]),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\nA\nB\n-1\n", {}, ["H8", "J9"]),
    ],
)
def test_other_programs_files(content: str, fields: dict[str, Any], moves: list[str]) -> None:
    table = opened(content, **fields)
    path = table.tree.path(table.node)
    assert [table.nodes_from(node)[0].name for node in path[1:]] == moves


@pytest.mark.parametrize(
    ("content", "fields", "told"),
    [
        ("(;QUINTET[tic-tac-toe];B[aa];AB[bb];W[cc])", {}, "set up in mid-game"),
        ("(;QUINTET[tic-tac-toe];B[aa];W[aa])", {}, "line 1"),
        ("(;QUINTET[./evil.py:Game];B[aa])", {}, "unless you trust it"),
        ("(;QUINTET[openspiel:tic_tac_toe];B[aa])", {}, "unless you trust it"),
        ('{"quintet":1,"game":"./evil.py:Game","version":1,"players":["a"],"seed":0}', {},
         "unless you trust it"),
        ("f5d6c3", {"format": "compact"}, "does not tell its game"),
        ("f5d6c3", {"format": "compact", "game": "./evil.py:Game"}, "Python file"),
        ("hello", {}, "no known format"),
        ("(;QUINTET[tic-tac-toe];B[aa])", {"number": 1}, "has no game 1"),
        ("", {}, "no known format"),
    ],
)  # fmt: skip
def test_texts_that_are_refused(content: str, fields: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=told):
        opened(content, **fields)


def test_a_game_of_ones_own_comes_back(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(ELBOW_ROOM.read_text())
    monkeypatch.chdir(tmp_path)
    table = new_table("mine.py:ElbowRoom:size=4", 0)
    written = text_of_table(table, "sgf")
    again = opened(written, Allowed(Configuration(), ("mine.py:ElbowRoom",)))
    assert again.tree.moves(again.node) == [0]
    with pytest.raises(UserError, match="unless you trust it"):
        opened(written)


def test_recorded_games_of_ones_own_are_listed_only_if_the_game_was_given(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    file = tmp_path / "own.py"
    file.write_text(ELBOW_ROOM.read_text())
    header = {"quintet": 1, "game": f"{file}:ElbowRoom", "version": 1, "players": ["a"], "seed": 0}
    (tmp_path / "own.jsonl").write_text(json.dumps(header) + "\n")
    allowed = Allowed(Configuration(), (f"{file}:ElbowRoom",))
    assert recorded.games_of("own.jsonl", 0, 9, allowed.trusts).games == []
    with pytest.raises(UserError, match="unless you trust it"):
        recorded.games_of("own.jsonl", 0, 9, ALLOWED.trusts)
