"""A table with people at it: one request after another, each stored before it is told."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from typing import TYPE_CHECKING, Any

from quintet.players.thinking import Answer, Line, Thinker
from quintet.web import messages
from quintet.web.messages import (
    Error,
    Given,
    Position,
    Problem,
    SeatKey,
    State,
    View,
)
from quintet.web.problems import Refused, failure
from quintet.web.storage import Statement, table_statements
from quintet.web.tables import Table
from quintet.web.thinking import told

if TYPE_CHECKING:
    from quintet.web.hosting import Host
    from quintet.web.sockets import Connection


class LiveTable:
    """A table in memory, with its connections and the players that think for it."""

    def __init__(self, table: Table, game_text: str, host: Host, stored: int = 0) -> None:
        """`stored` nodes of its round are on disk."""
        self.table, self.host = table, host
        self.connections: list[Connection] = []
        self.lock = asyncio.Lock()
        self._game_text = game_text
        self._stored = (table.round, stored)
        self._thinkers: dict[int, Thinker] = {}
        self._playing: asyncio.Task[None] | None = None
        self._plays_at: tuple[int, int] | None = None  # round and node
        self._telling: asyncio.Task[None] | None = None
        self._doing: set[asyncio.Task[None]] = set()
        self._moved = 0.0  # when a move was made last
        self._shown: tuple[tuple[int, int], Position] | None = None

    # --- requests -------------------------------------------------------------

    async def handle(self, connection: Connection, request: Any) -> None:
        """Do what was asked; what follows is stored and told when this returns.

        Who goes away in the meantime does not leave it half done.
        """
        doing = asyncio.create_task(self._handle(connection, request))
        self._doing.add(doing)
        doing.add_done_callback(self._ended)
        await asyncio.shield(doing)

    async def _handle(self, connection: Connection, request: Any) -> None:
        async with self.lock:
            await _DOING[type(request)](self, connection, request)

    def _ended(self, doing: asyncio.Task[None]) -> None:
        self._doing.discard(doing)
        if not doing.cancelled():
            doing.exception()  # looked at, though nobody may be left to be told

    async def _claim(self, connection: Connection, request: messages.Claim) -> None:
        key = self.table.claim(request.invitation, request.name)
        await self._give(connection, key)

    async def _seat(self, connection: Connection, request: messages.ChangeSeat) -> None:
        connection.check_owner()
        self.table.check_seat(request.seat)
        wanted = request.wanted
        if wanted.player is not None:
            await self.host.makers.run(self.host.allowed.player, wanted.player, self.table.game)
        key = self.table.sit(request.seat, wanted)
        self._thinkers.pop(request.seat, None)
        self.stop_playing()
        await self._give(connection, key)

    async def _give(self, connection: Connection, key: SeatKey) -> None:
        """Tell a secret only once it is on disk, and so will be good tomorrow."""
        before = {other: set(other.seats) for other in self.connections}
        for other in self.connections:
            other.seats.discard(key.seat)
        if key.token:
            connection.seats.add(key.seat)
        await self._changed(lambda: None)
        if key.token or key.invitation:
            connection.send(Given(key=key))
        for other, seats in before.items():
            if other.seats != seats:
                other.tell_seats()

    async def _move(self, connection: Connection, request: messages.Move) -> None:
        if request.node != self.table.node:
            told_ = f"node {request.node} is not on the table any more; it is at {self.table.node}"
            raise Refused("stale", told_)
        await self._branch(connection, request)

    async def _branch(self, connection: Connection, request: Any) -> None:
        await self._changed(self._made_by, connection, request.node, request.move)
        self._moved = time.monotonic()

    def _made_by(self, connection: Connection, node: int, move: int) -> None:
        self.table.check_node(node)
        seat = self.table.mover(node)
        if seat is not None and seat not in connection.seats:
            who = self.table.names()[seat]
            raise Refused("forbidden", f"it is the turn of {who}, whose seat you do not hold")
        self.table.move(node, move, self.host.configuration.nodes_a_table)
        self.table.paused = False

    async def _undo(self, connection: Connection, request: messages.Undo) -> None:
        connection.check_plays()
        await self._changed(self.table.undo, request.plies)

    async def _redo(self, connection: Connection, request: messages.Redo) -> None:
        connection.check_plays()
        await self._changed(self.table.redo, request.plies)

    async def _go_to(self, connection: Connection, request: messages.GoTo) -> None:
        connection.check_plays()
        await self._changed(self.table.go_to, request.node)

    async def _look(self, connection: Connection, request: messages.Look) -> None:
        self.table.check_node(request.node)
        position = await self.host.desk.run(self.table.shown, request.node)
        path = self.table.tree.path(request.node)
        view = View(round=self.table.round, node=request.node, path=path, position=position)
        connection.send(view)

    async def _set_up(self, connection: Connection, request: messages.SetUp) -> None:
        connection.check_plays()
        # compiled at its first use, which may take seconds: not at the desk of all
        await self._changed(self.table.begin, request.picture, pool=self.host.makers)

    async def _new_game(self, connection: Connection, request: messages.NewGame) -> None:
        connection.check_plays()
        await self._changed(self.table.begin)

    async def _resign(self, connection: Connection, request: messages.Resign) -> None:
        self.table.check_seat(request.seat)
        if request.seat not in connection.seats:
            raise Refused("forbidden", f"seat {request.seat} is not yours to resign for")
        most = self.host.configuration.nodes_a_table
        await self._changed(self.table.resign, request.seat, most)

    async def _pace(self, connection: Connection, request: messages.Pace) -> None:
        connection.check_plays()
        if request.seconds is not None:
            self.table.seconds = request.seconds
        if request.paused is not None:
            self.table.paused = request.paused
        await self._changed(lambda: None)

    # --- storing and telling --------------------------------------------------

    async def _changed(self, change: Any, *given: Any, pool: Any = None) -> None:
        """Change the table in a thread, store it, tell it to all."""
        await (pool or self.host.desk).run(self._change, change, *given)
        try:
            await self.host.store(self.unstored(), "the table")
        except Refused as error:
            # what is in memory must not be ahead of the disk: all come again, and it is loaded
            self.host.live.pop(self.table.id, None)
            self.stop_playing()
            for connection in self.connections:
                connection.send(Error(request=None, problem=error.problem))
                connection.cut_off()
            raise
        self.host.moves += 1
        self._stored = (self.table.round, len(self.table.tree.nodes))
        self.play_on()
        self.tell_all()

    def _change(self, change: Any, *given: Any) -> None:
        change(*given)
        self.table.used = time.time()
        self.show()

    def unstored(self) -> list[Statement]:
        """What brings the disk up to date."""
        round_, count = self._stored
        first = count if round_ == self.table.round else 0
        return table_statements(self.table, self._game_text, first)

    def show(self) -> Position:
        """The position on the table; not computed again while it stays the same."""
        at = (self.table.round, self.table.node)
        if self._shown is None or self._shown[0] != at or self.table.is_over(self.table.node):
            self._shown = (at, self.table.shown(self.table.node))
        return self._shown[1]

    def state(self, first: int) -> State:
        """The table, for somebody who knows the nodes below `first`."""
        table = self.table
        present = {seat for connection in self.connections for seat in connection.seats}
        return State(
            round=table.round,
            node=table.node,
            nodes=table.nodes_from(first),
            path=table.tree.path(table.node),
            ahead=table.tree.ahead(table.node),
            position=self.show(),
            seats=table.seats_shown(present),
            thinking=table.player_to_move() if self._playing else None,
            paused=table.paused,
            seconds=table.seconds,
            watchers=len(self.connections),
        )

    def tell_all(self) -> None:
        """The state to everybody, and to each only the nodes that are new to it."""
        written: dict[int, str] = {}
        count = len(self.table.tree.nodes)
        for connection in list(self.connections):
            round_, known = connection.told
            first = known if round_ == self.table.round else 0
            if first not in written:
                written[first] = self.state(first).model_dump_json()
            connection.send_text(written[first])
            connection.told = (self.table.round, count)
            connection.follow()

    # --- connections ----------------------------------------------------------

    async def enter(self, connection: Connection) -> None:
        """Somebody looks at the table."""
        async with self.lock:
            if self.host.live.get(self.table.id) is not self:
                raise Refused("busy", "the table was put away just now; come again")
            if len(self.connections) >= self.host.configuration.connections_a_table:
                raise Refused("busy", f"{len(self.connections)} look at this table already")
            await self.host.desk.run(self.show)
            self.connections.append(connection)
            self.play_on()
            self.tell_all()

    def leave(self, connection: Connection) -> None:
        """Somebody does not look any more; without anybody, players do not play."""
        if connection in self.connections:
            self.connections.remove(connection)
            self.table.used = time.time()
            if not self.connections:
                self.stop_playing()
                self._thinkers.clear()  # their memory is needed elsewhere
            self._telling = asyncio.create_task(self._tell_later())

    async def _tell_later(self) -> None:
        async with self.lock:
            self.tell_all()

    # --- players --------------------------------------------------------------

    async def line(self, node: int | None = None) -> tuple[Line, int | None]:
        """How a node, or that on the table, was reached, and which seat is to move there."""
        async with self.lock:
            return await self.host.desk.run(self._line, node)

    def _line(self, node: int | None) -> tuple[Line, int | None]:
        node = self.table.node if node is None else node
        self.table.check_node(node)
        path = self.table.tree.path(node)
        positions = tuple(self.table.position(at) for at in path)
        moves = tuple(self.table.tree.moves(node))
        return Line(self.table.round, tuple(path), moves, positions), self.table.mover(node)

    def play_on(self) -> None:
        """Let the player that is to move think, if there is one; drop what is out of date."""
        here = (self.table.round, self.table.node)
        seat = self.table.player_to_move()
        wanted = seat is not None and not self.table.paused and bool(self.connections)
        if self._playing is not None and wanted and self._plays_at == here:
            return
        self.stop_playing()
        if wanted and seat is not None:
            self._plays_at = here
            self._playing = asyncio.create_task(self._play(seat, here))

    def stop_playing(self) -> None:
        """Drop the thought of a player."""
        if self._playing is not None:
            self._playing.cancel()
            self._playing, self._plays_at = None, None
            for thinker in self._thinkers.values():
                thinker.stop()

    async def _play(self, seat: int, here: tuple[int, int]) -> None:
        """One move of a player, unless the table moves on."""
        task = asyncio.current_task()
        text = self.table.seats[seat].player or ""
        try:
            answer = await self._answer(seat, text, here, task)
            pause = self._moved + self.table.seconds - time.monotonic()
            await asyncio.sleep(max(0.0, pause))
            async with self.lock:
                if self._playing is task:
                    await self._play_answer(seat, text, answer)
        except Exception as error:  # the table must not hang
            await self._give_up(task, failure(text, error))

    async def _answer(self, seat: int, text: str, here: tuple[int, int], task: Any) -> Answer:
        if seat not in self._thinkers:
            game, allowed = self.table.game, self.host.allowed
            self._thinkers[seat] = Thinker(
                lambda: allowed.player(text, game), game, secrets.randbits(62)
            )
        line, _ = await self.line(here[1])
        return await self.host.thinkers.run(
            self._thinkers[seat].choose, line, lambda: self._playing is task
        )

    async def _play_answer(self, seat: int, text: str, answer: Answer) -> None:
        line, _ = await self.host.desk.run(self._line, None)
        self._playing = None  # this task: it must not cancel itself
        most = self.host.configuration.nodes_a_table
        self._moved = time.monotonic()
        await self._changed(self.table.move, self.table.node, answer.move, most)
        if answer.thoughts is not None:
            found = told(answer, line, self.table.game, seat, "seat", text, True)
            for connection in list(self.connections):
                connection.send(found)

    async def _give_up(self, task: Any, problem: Problem) -> None:
        """A player that cannot play: say why, and wait for people."""
        async with self.lock:
            if self._playing not in (task, None):
                return
            self._playing = None
            self.table.paused = True
            with contextlib.suppress(Refused):
                await self._changed(lambda: None)
            for connection in list(self.connections):
                connection.send(Error(request=None, problem=problem))


_DOING: dict[type, Any] = {
    messages.Claim: LiveTable._claim,
    messages.ChangeSeat: LiveTable._seat,
    messages.Move: LiveTable._move,
    messages.Branch: LiveTable._branch,
    messages.Undo: LiveTable._undo,
    messages.Redo: LiveTable._redo,
    messages.GoTo: LiveTable._go_to,
    messages.Look: LiveTable._look,
    messages.SetUp: LiveTable._set_up,
    messages.NewGame: LiveTable._new_game,
    messages.Resign: LiveTable._resign,
    messages.Pace: LiveTable._pace,
}
