"""All tables: those in memory, those on disk, and the threads they share."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import pathlib
import random
import re
import secrets
import sqlite3
import time
from typing import Any

from quintet import games, rules
from quintet.errors import UserError
from quintet.web import boards
from quintet.web.allowed import Allowed
from quintet.web.answers import TableMade, TableWanted
from quintet.web.configuration import Configuration
from quintet.web.kept import Kept, game_in_text, line_of
from quintet.web.live import LiveTable
from quintet.web.messages import SeatKey, SeatWanted
from quintet.web.problems import Refused
from quintet.web.recorded import game_in_file
from quintet.web.seats import hashed, new_secret
from quintet.web.storage import Statement, Storage, Stored
from quintet.web.tables import Table, seated
from quintet.web.thinking import Pool

_ID = re.compile(r"[\w-]{6,40}", re.ASCII)
_HOUSEKEEPING = 20.0  # seconds


class Host:
    """Who owns the tables."""

    def __init__(
        self, data: pathlib.Path, configuration: Configuration, own_games: tuple[str, ...] = ()
    ) -> None:
        """Tables are kept in a database in the folder `data`."""
        self.configuration = configuration
        self.allowed = Allowed(configuration, own_games)
        self.storage = Storage(data / "tables.sqlite")
        self.live: dict[str, LiveTable] = {}
        self.connections = 0
        self.analyses = 0
        self.moves = 0
        many = 100_000
        self.desk = Pool("desk", 4, many)  # moves of people: short
        self.makers = Pool("making", 2, 64, modest=True)  # compiles games, reads files
        waiting = configuration.waiting_players
        self.readers = Pool("reading", 2, 64)  # lists what there is
        self.thinkers = Pool("thinking", configuration.thinkers, waiting, modest=True)
        self.analysts = Pool("analysis", configuration.analysts, waiting, modest=True)
        self._loading: dict[str, asyncio.Lock] = {}
        self._count = self.storage.count()

    # --- making ---------------------------------------------------------------

    async def make(self, wanted: TableWanted) -> TableMade:
        """A new table, on disk before it is told."""
        if self._count >= self.configuration.most_tables:
            raise Refused("busy", f"there are {self._count} tables; expected fewer than that")
        made, live = await self.makers.run(self._made, wanted)
        await self.store(live.unstored(), "the table")
        self._count += 1
        self.live[live.table.id] = live
        return made

    def _made(self, wanted: TableWanted) -> tuple[TableMade, LiveTable]:
        kept = self._kept(wanted)
        game = self.allowed.game(kept.game)
        occupants, keys = self._seated(game, wanted.seats or kept.seats)
        owner = new_secret()
        warm(game)
        table = Table(secrets.token_urlsafe(9), game, hashed(owner), occupants)
        table.lay_out(kept, self.configuration.nodes_a_table)
        table.paused = wanted.paused or (bool(kept.moves) and wanted.seats is None)
        made = TableMade(table=table.id, owner=owner, keys=keys)
        return made, LiveTable(table, games.text_of(game), self)

    def _kept(self, wanted: TableWanted) -> Kept:
        given = [it for it in (wanted.game, wanted.file, wanted.record) if it is not None]
        if len(given) != 1:
            raise Refused("invalid", f"{len(given)} of game, file and record; expected one")
        if wanted.file is not None:
            return game_in_file(wanted.file, self.allowed.trusts)
        if wanted.record is not None:
            return game_in_text(wanted.record, self.allowed.game, self.allowed.trusts)
        return line_of(wanted.game or "", list(wanted.moves), [])._replace(picture=wanted.picture)

    def _seated(self, game: Any, wanted: list[SeatWanted]) -> tuple[list[Any], list[SeatKey]]:
        seats = game.limits().seats
        if not wanted:
            wanted = [SeatWanted(kind="here") for _ in range(seats)]
        if len(wanted) != seats:
            raise Refused("invalid", f"{len(wanted)} seats; expected {seats} for this game")
        pairs = [seated(seat, it) for seat, it in enumerate(wanted)]
        for it in wanted:
            if it.player is not None:
                self.allowed.player(it.player, game)
        return [occupant for occupant, _ in pairs], [key for _, key in pairs]

    async def store(self, statements: list[Statement], what: str) -> None:
        """Bring something to the disk, or say why it cannot be: the disk may be full."""
        try:
            await asyncio.wrap_future(self.storage.write(statements))
        except sqlite3.Error as error:
            raise Refused("busy", f"{what} could not be stored: {error}") from error

    # --- finding --------------------------------------------------------------

    async def find(self, id: str) -> LiveTable:
        """A table, from memory or from the disk."""
        if not _ID.fullmatch(id):
            raise _no_table(id)
        try:
            async with self._loading.setdefault(id, asyncio.Lock()):
                if id not in self.live:
                    self.live[id] = await self.makers.run(self._loaded, id)
        finally:
            self._loading.pop(id, None)
        self.live[id].table.used = time.time()
        return self.live[id]

    def _loaded(self, id: str) -> LiveTable:
        stored = self.storage.read(id)
        if stored is None:
            raise _no_table(id)
        try:
            game = self.allowed.game(stored.game)
        except UserError as error:
            raise Refused("unknown", f"table {id!r}: {error}") from error
        warm(game)
        return LiveTable(restored(stored, game), stored.game, self, len(stored.nodes))

    # --- living ---------------------------------------------------------------

    async def keep_house(self) -> None:
        """Forget tables that nobody looks at, from time to time."""
        while True:
            with contextlib.suppress(sqlite3.Error):  # a full disk may have room again later
                await self._expire()
            await asyncio.sleep(_HOUSEKEEPING)
            oldest = time.time() - self.configuration.forget_seconds
            for id, live in list(self.live.items()):
                if not live.connections and live.table.used < oldest and not live.lock.locked():
                    live.stop_playing()
                    del self.live[id]

    async def _expire(self) -> None:
        watched = [id for id, live in self.live.items() if live.connections]
        await asyncio.wrap_future(self.storage.touch(watched))
        await asyncio.wrap_future(self.storage.expire(self.configuration.expire_hours * 3600.0))
        self._count = await self.desk.run(self.storage.count)

    @contextlib.asynccontextmanager
    async def running(self) -> Any:
        """While the server runs."""
        house = asyncio.create_task(self.keep_house())
        try:
            yield
        finally:
            house.cancel()
            for live in self.live.values():
                live.stop_playing()
            for pool in (self.makers, self.readers, self.thinkers, self.analysts, self.desk):
                pool.close()
            self.storage.close()


def _no_table(id: str) -> Refused:
    return Refused("unknown", f"no table {id[:40]!r}; it may have expired")


def restored(stored: Stored, game: Any) -> Table:
    """A table as it was."""
    table = Table(stored.id, game, stored.owner, stored.seats)
    table.round, table.paused = stored.round, stored.paused
    table.seconds, table.used = stored.seconds, stored.used
    table.tree.picture = stored.picture
    for node in stored.nodes[1:]:
        assert node.parent is not None
        assert node.seat is not None
        table.tree.add(node.parent, node.move, node.seat)
    table.node = stored.node
    table.tree.visit(table.node)
    return table


@functools.lru_cache(maxsize=256, typed=True)
def warm(game: Any) -> None:
    """Compile what a table needs, by a game of random moves, so that no person waits later."""
    position, chance = rules.new_position(game), random.Random(1)
    names = [""] * game.limits().seats
    boards.shown(game, position, None, names)
    while not rules.is_over(game, position):
        before = rules.copied(position)
        move = chance.choice(rules.list_legal_moves(game, position))
        rules.play(game, position, move)
    boards.shown(game, position, boards.Reached(game, before, move, 0), names)
