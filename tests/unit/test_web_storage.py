"""Tables on disk."""

from __future__ import annotations

import pathlib
import sqlite3
import time

import pytest

from quintet import games
from quintet.errors import UserError
from quintet.web.hosting import restored
from quintet.web.seats import Occupant
from quintet.web.storage import Statement, Storage, table_statements
from quintet.web.tables import Table


def new_table(id: str = "table-1") -> Table:
    seats = [Occupant("here", "Ann", token="hash"), Occupant("player", player="random")]
    return Table(id, games.make("tic-tac-toe"), "owner", seats)


def test_a_table_comes_back_as_it_was(tmp_path: pathlib.Path) -> None:
    table = new_table()
    for node, move in [(0, 4), (1, 0), (1, 8)]:
        table.move(node, move, 100)
    table.resign(0, 100)
    table.go_to(2)
    storage = Storage(tmp_path / "deep" / "tables.sqlite")
    storage.write(table_statements(table, "tic-tac-toe", 0)).result()
    stored = storage.read("table-1")
    storage.close()
    assert stored is not None
    again = restored(stored, table.game)
    assert again.tree.nodes == table.tree.nodes
    assert (again.node, again.round, again.seats) == (2, 1, table.seats)
    assert again.shown(2) == table.shown(2)


def test_a_new_round_replaces_the_old_one(tmp_path: pathlib.Path) -> None:
    table = new_table()
    storage = Storage(tmp_path / "tables.sqlite")
    table.move(0, 4, 100)
    storage.write(table_statements(table, "tic-tac-toe", 0))
    table.begin("  a b c\n3 . . .\n2 . O .\n1 . . .\nturn: 0")
    storage.write(table_statements(table, "tic-tac-toe", 0)).result()
    stored = storage.read("table-1")
    assert stored is not None
    assert (stored.round, len(stored.nodes), stored.picture) == (2, 1, table.tree.picture)
    assert storage.read("table-2") is None
    storage.close()


def test_what_fails_does_not_take_others_with_it(tmp_path: pathlib.Path) -> None:
    storage = Storage(tmp_path / "tables.sqlite")
    done = [
        storage.write(table_statements(new_table("table-1"), "tic-tac-toe", 0)),
        storage.write([Statement("insert into nowhere values (?)", (1,))]),
        storage.write(table_statements(new_table("table-2"), "tic-tac-toe", 0)),
    ]
    done[0].result()
    done[2].result()
    with pytest.raises(sqlite3.Error):
        done[1].result()
    assert storage.count() == 2
    storage.close()


def test_tables_expire(tmp_path: pathlib.Path) -> None:
    storage = Storage(tmp_path / "tables.sqlite")
    old, new = new_table("old-one"), new_table("new-one")
    old.used = time.time() - 100
    for table in (old, new):
        storage.write(table_statements(table, "tic-tac-toe", 0))
    storage.expire(50).result()
    assert storage.read("old-one") is None
    assert storage.read("new-one") is not None
    storage.close()


def test_a_file_that_is_no_database_is_left_alone(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "tables.sqlite"
    file.write_text("not a database at all, but long enough to look at" * 10)
    with pytest.raises(UserError, match="cannot be used for tables"):
        Storage(file)
    assert file.read_text().startswith("not a database")
