"""Thinking for those who look: hints, and an analysis that deepens until something changes."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

from quintet.players.thinking import Deepening, Thinker, deepening
from quintet.web import messages
from quintet.web.messages import Error
from quintet.web.problems import Refused, failure
from quintet.web.thinking import told

if TYPE_CHECKING:
    from quintet.web.hosting import Host
    from quintet.web.sockets import Connection


class Analyst:
    """What one connection has computed for it."""

    def __init__(self, connection: Connection, host: Host) -> None:
        """Nothing is analysed yet."""
        self._connection, self._host = connection, host
        self._wanted: messages.Analysis | None = None
        self._thinker: Thinker | None = None
        self._text = ""
        self._task: asyncio.Task[None] | None = None
        self._at: tuple[int, int] | None = None

    def switch(self, request: messages.Analysis) -> None:
        """On or off, for the position on the table or another."""
        self.stop()
        if not request.on:
            self._thinker = None
            return
        if self._host.analyses >= self._host.configuration.most_analyses:
            raise Refused("busy", f"{self._host.analyses} analyses are on already; try later")
        if request.node is not None:
            self._connection.live.table.check_node(request.node)
        text = request.player or self._host.configuration.analysis_player
        if text != self._text or self._thinker is None:
            self._text, self._thinker = text, self._new_thinker(text)
        self._wanted = request
        self._host.analyses += 1
        self.follow()

    def stop(self) -> None:
        """Off."""
        self._host.analyses -= self._wanted is not None
        self._wanted, self._at = None, None
        self._drop()

    def follow(self) -> None:
        """Begin anew if the position to look at is another."""
        if self._wanted is None:
            return
        table = self._connection.live.table
        node = table.node if self._wanted.node is None else self._wanted.node
        if self._at == (table.round, node) or node >= len(table.tree.nodes):
            return
        self._at = (table.round, node)
        self._drop()
        self._task = asyncio.create_task(self._deepen(node))

    async def hint(self, request: messages.Hint) -> None:
        """What a player would do on the table."""
        live = self._connection.live
        line, seat = await live.line()
        if seat is None:
            raise Refused("illegal", "the game is over; there is nothing to hint at")
        text = request.player or self._host.configuration.hint_player
        thinker = self._new_thinker(text, deepens=False)
        try:
            answer = await self._host.analysts.run(thinker.choose, line, lambda: True)
        except Exception as error:
            problem = failure(text, error)
            raise Refused(problem.code, problem.message) from error
        game = live.table.game
        self._connection.send(told(answer, line, game, seat, "hint", text, True))

    def _new_thinker(self, text: str, deepens: bool = True) -> Thinker:
        game, allowed = self._connection.live.table.game, self._host.allowed

        def make() -> Any:
            player = allowed.player(text, game)
            return deepening(player) if deepens else player

        return Thinker(make, game, secrets.randbits(62))

    def _drop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None
            if self._thinker is not None:
                self._thinker.stop()

    async def _deepen(self, node: int) -> None:
        """Think in slices, and tell after each what was found so far."""
        try:
            await self._think(node)
        except Exception as error:
            problem = failure(self._text, error)
            self._connection.send(Error(request=None, problem=problem))

    async def _think(self, node: int) -> None:
        live, limits, task = self._connection.live, self._host.configuration, asyncio.current_task()
        thinker, text = self._thinker, self._text
        assert thinker is not None
        line, seat = await live.line(node)
        if seat is None:
            return
        going = Deepening(
            thinker, limits.slice_seconds, limits.most_seconds, limits.analysis_seconds
        )
        while not going.finished:
            answer = await self._host.analysts.run(
                thinker.choose, line, lambda: self._task is task, going.seconds
            )
            answer, game = going.note(answer), live.table.game
            self._connection.send(told(answer, line, game, seat, "analysis", text, going.finished))
