"""Tables on disk: what was acknowledged is still there after a kill.

One thread writes.  It takes all that waits, writes it in one transaction and brings it
to the disk; only then those who wait are told.  So many tables share one wait.
"""

from __future__ import annotations

import concurrent.futures
import json
import pathlib
import queue
import sqlite3
import threading
import time
from typing import Any, NamedTuple

from quintet.errors import UserError
from quintet.web.seats import Occupant
from quintet.web.variations import Played

FORMAT = 1
_TABLES = """
create table if not exists tables (
    id text primary key, game text not null, owner text not null, seats text not null,
    round integer not null, picture text, node integer not null,
    paused integer not null, seconds real not null, used real not null
) without rowid;
create table if not exists nodes (
    id text not null, round integer not null, number integer not null,
    parent integer, move integer, seat integer,
    primary key (id, round, number)
) without rowid;
create index if not exists used on tables (used);
"""
_SAVE = """
insert or replace into tables values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_FORGET_ROUNDS = "delete from nodes where id = ? and round < ?"
_ADD = "insert or replace into nodes values (?, ?, ?, ?, ?, ?)"


class Statement(NamedTuple):
    """Something to write."""

    sql: str
    values: tuple[Any, ...]


class Stored(NamedTuple):
    """A table as it is on disk."""

    id: str
    game: str
    owner: str
    seats: list[Occupant]
    round: int
    picture: str | None
    node: int
    paused: bool
    seconds: float
    used: float
    nodes: list[Played]


class Storage:
    """A database of tables, with its own thread."""

    def __init__(self, path: pathlib.Path) -> None:
        """Open it, or make it."""
        self._path = path
        self._waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            writer = self._prepared()
        except (OSError, sqlite3.Error) as error:
            raise UserError(f"{str(path)!r} cannot be used for tables: {error}") from error
        self._thread = threading.Thread(
            target=self._write, args=(writer,), name="storage", daemon=True
        )
        self._thread.start()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, isolation_level=None, timeout=10.0, check_same_thread=False
        )
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")  # a power cut is no excuse either
        return connection

    def _prepared(self) -> sqlite3.Connection:
        """A connection to write on; opened here, so that who cannot is told at once."""
        connection = self._connect()
        (found,) = connection.execute("pragma user_version").fetchone()
        if found not in (0, FORMAT):
            connection.close()
            raise sqlite3.DatabaseError(f"format {found}; expected {FORMAT}")
        connection.executescript(_TABLES)
        connection.execute(f"pragma user_version = {FORMAT}")
        return connection

    # --- writing --------------------------------------------------------------

    def write(self, statements: list[Statement]) -> concurrent.futures.Future[None]:
        """Write all of it or nothing; done when it is on the disk."""
        done: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._waiting.put((statements, done))
        return done

    def close(self) -> None:
        """Write what waits, and end."""
        self._waiting.put(None)
        self._thread.join()

    def _write(self, connection: sqlite3.Connection) -> None:
        open_ = True
        while open_:
            batch = [self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get())
            open_ = None not in batch
            _write_all(connection, [entry for entry in batch if entry is not None])
        connection.close()

    # --- reading --------------------------------------------------------------

    def read(self, id: str) -> Stored | None:
        """A table, if there is one of this name."""
        connection = self._connect()
        try:
            row = connection.execute("select * from tables where id = ?", (id,)).fetchone()
            if row is None:
                return None
            wanted = "select parent, move, seat from nodes where id = ? and round = ?"
            rows = connection.execute(f"{wanted} order by number", (id, row[4])).fetchall()
        finally:
            connection.close()
        seats = [Occupant(**seat) for seat in json.loads(row[3])]
        nodes = [Played._make(node) for node in rows]
        values = [*row[:3], seats, *row[4:7], bool(row[7]), *row[8:], nodes]
        return Stored._make(values)

    def count(self) -> int:
        """How many tables there are."""
        connection = self._connect()
        try:
            return int(connection.execute("select count(*) from tables").fetchone()[0])
        finally:
            connection.close()

    def touch(self, ids: list[str]) -> concurrent.futures.Future[None]:
        """These tables are in use."""
        sql, now = "update tables set used = ? where id = ?", time.time()
        return self.write([Statement(sql, (now, id)) for id in ids])

    def expire(self, seconds: float) -> concurrent.futures.Future[None]:
        """Forget the tables that were not used for so long."""
        before = (time.time() - seconds,)
        old = "select id from tables where used < ?"
        return self.write(
            [
                Statement(f"delete from nodes where id in ({old})", before),
                Statement("delete from tables where used < ?", before),
            ]
        )


def _write_all(connection: sqlite3.Connection, batch: list[Any]) -> None:
    """One transaction for all; if it fails, one for each, so that one cannot spoil others."""
    try:
        _transact(connection, [line for statements, _ in batch for line in statements])
        failures: list[Exception | None] = [None] * len(batch)
    except sqlite3.Error:
        failures = [_failure(connection, statements) for statements, _ in batch]
    for (_, done), failure in zip(batch, failures, strict=True):
        if failure is None:
            done.set_result(None)
        else:
            done.set_exception(failure)


def _failure(connection: sqlite3.Connection, statements: list[Statement]) -> Exception | None:
    try:
        _transact(connection, statements)
    except sqlite3.Error as error:
        return error
    return None


def _transact(connection: sqlite3.Connection, statements: list[Statement]) -> None:
    connection.execute("begin immediate")
    try:
        for sql, values in statements:
            connection.execute(sql, values)
        connection.execute("commit")
    except sqlite3.Error:
        if connection.in_transaction:  # a full disk has ended it already
            connection.execute("rollback")
        raise


def table_statements(table: Any, game: str, first: int) -> list[Statement]:
    """What brings the disk up to a table, whose nodes below `first` are there already."""
    seats = json.dumps([vars(occupant) for occupant in table.seats])
    row = (table.id, game, table.owner, seats, table.round, table.tree.picture)
    state = (table.node, int(table.paused), table.seconds, table.used)
    found = [Statement(_SAVE, (*row, *state))]
    if first == 0:
        found.append(Statement(_FORGET_ROUNDS, (table.id, table.round)))
    for number in range(first, len(table.tree.nodes)):
        values = (table.id, table.round, number, *table.tree.nodes[number])
        found.append(Statement(_ADD, values))
    return found
