"""A connection of a browser to a table."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ValidationError

from quintet.errors import UserError
from quintet.web import messages
from quintet.web.analysis import Analyst
from quintet.web.messages import (
    REQUEST,
    Done,
    Error,
    Problem,
    Welcome,
)
from quintet.web.problems import Refused, problem_of, shortened
from quintet.web.seats import matches, seats_of

if TYPE_CHECKING:
    from quintet.web.hosting import Host
    from quintet.web.live import LiveTable

NO_JOIN, STRANGER, NO_TABLE, LATE, LARGE, FAST = 4400, 4403, 4404, 4408, 4413, 4429
AGAIN = 1012  # as when the server starts anew
_CUT = ""  # among what is to be sent: the end
_UNREAD = 500  # messages: who does not read them is not waited for


class Closed(Exception):
    """The connection is to be closed."""

    def __init__(self, code: int) -> None:
        """With one of the codes above."""
        super().__init__(code)
        self.code = code


class Connection:
    """One browser at one table."""

    def __init__(self, socket: WebSocket, host: Host, live: LiveTable) -> None:
        """Not joined yet."""
        self.live = live
        self.seats: set[int] = set()
        self.owner = False
        self.told = (0, 0)  # round, and how many of its nodes
        self._socket, self._host = socket, host
        self._unsent: asyncio.Queue[str] = asyncio.Queue(_UNREAD)
        self._analyst = Analyst(self, host)
        self._hinting: asyncio.Task[None] | None = None
        self._allowance = Allowance(
            host.configuration.messages_a_second, host.configuration.messages_at_once
        )

    # --- sending --------------------------------------------------------------

    def send(self, message: BaseModel) -> None:
        """Tell the browser something."""
        self.send_text(message.model_dump_json())

    def send_text(self, text: str) -> None:
        """The same, written already; who is too slow misses it and is cut off by `_write`."""
        if not self._unsent.full():
            self._unsent.put_nowait(text)

    def cut_off(self) -> None:
        """The browser has to connect again, once it was told what was said until now."""
        self.send_text(_CUT)

    async def _write(self) -> None:
        while not self._unsent.full():
            text = await self._unsent.get()
            if text == _CUT:
                raise Closed(AGAIN)
            await self._socket.send_text(text)
        raise Closed(FAST)

    # --- what one may do ------------------------------------------------------

    def check_owner(self) -> None:
        """Refuse whoever is not the owner."""
        if not self.owner:
            raise Refused("forbidden", "only the owner of the table may change seats")

    def check_plays(self) -> None:
        """Refuse spectators."""
        if not (self.owner or self.seats):
            raise Refused("forbidden", "spectators may look, but change nothing")

    # --- the conversation -----------------------------------------------------

    async def talk(self) -> None:
        """From `join` to the end."""
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._analyst.stop()
            if self._hinting is not None:
                self._hinting.cancel()
            self.live.leave(self)
            await _ended(reader)
            await self._flush(writer)
        for task in (reader, writer):
            if not task.cancelled() and task.exception() is not None:
                raise task.exception() or Closed(NO_JOIN)

    async def _flush(self, writer: asyncio.Task[None]) -> None:
        """The last words, if the other side still listens."""
        await _ended(writer)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            while not self._unsent.empty() and (text := self._unsent.get_nowait()) != _CUT:
                await asyncio.wait_for(self._socket.send_text(text), 1.0)

    async def _read(self) -> None:
        try:
            first = await asyncio.wait_for(self._next(), self._host.configuration.join_seconds)
        except TimeoutError:
            raise Closed(LATE) from None
        if not isinstance(first, messages.Join):
            self._refuse(None, Problem(code="invalid", message="expected join first"))
            raise Closed(NO_JOIN)
        await self._join(first)
        while True:
            request = await self._next()
            if request is not None:
                await self._answer(request)

    async def _next(self) -> Any:
        """The next request; None if it was not one, which the browser was told."""
        text = await self._socket.receive_text()
        if len(text.encode("utf-8", "replace")) > self._host.configuration.message_bytes:
            raise Closed(LARGE)
        if not self._allowance.take():
            self._refuse(None, Problem(code="fast", message="too many messages a second"))
            raise Closed(FAST)
        try:
            return REQUEST.validate_json(text)
        except (ValidationError, ValueError, RecursionError) as error:
            self._refuse(_number_in(text), _invalid(error))
            return None

    async def _join(self, request: messages.Join) -> None:
        table, tokens = self.live.table, request.tokens
        self.seats = seats_of(tokens, table.seats)
        self.owner = any(matches(token, table.owner) for token in tokens)
        bad = [number for number, token in enumerate(tokens) if not self._is_good(token)]
        if bad:
            told = f"token {bad[0]} is not, or no longer, good for this table"
            problem = Problem(code="stranger", message=told)
            self.send(Error(request=request.request, problem=problem, bad_tokens=bad))
            raise Closed(STRANGER)
        self.tell_seats()
        try:
            await self.live.enter(self)
        except Refused as error:
            self._refuse(request.request, error.problem)
            raise Closed(FAST) from None
        self.send(Done(request=request.request))

    def _is_good(self, token: str) -> bool:
        table = self.live.table
        return bool(seats_of([token], table.seats)) or matches(token, table.owner)

    def tell_seats(self) -> None:
        """Say which seats one holds."""
        table, seats = self.live.table, sorted(self.seats)
        self.send(Welcome(table=table.id, board=table.board, seats=seats, owner=self.owner))

    async def _answer(self, request: Any) -> None:
        """One after another, but a hint takes its time while people move on."""
        if not isinstance(request, messages.Hint):
            await self._finish(request, self._do(request))
        elif self._hinting is None or self._hinting.done():
            self._hinting = asyncio.create_task(self._finish(request, self._analyst.hint(request)))
        else:
            problem = Problem(code="busy", message="the last hint is still thought about")
            self._refuse(request.request, problem)

    async def _do(self, request: Any) -> None:
        if isinstance(request, messages.Join):
            raise Refused("invalid", "this connection has joined already")
        if isinstance(request, messages.Analysis):
            self._analyst.switch(request)
        elif not isinstance(request, messages.Ping):
            await self.live.handle(self, request)

    async def _finish(self, request: Any, doing: Coroutine[Any, Any, None]) -> None:
        try:
            await doing
        except UserError as error:
            self._refuse(request.request, problem_of(error))
        else:
            self.send(Done(request=request.request))

    def follow(self) -> None:
        """The table has changed: so does what is analysed."""
        self._analyst.follow()

    def _refuse(self, request: int | None, problem: Problem) -> None:
        self.send(Error(request=request, problem=problem))


class Allowance:
    """So many messages a second, and some more at once."""

    def __init__(self, a_second: float, at_once: int) -> None:
        """Begin with as many as may come at once."""
        self._rate, self._most = a_second, float(at_once)
        self._left, self._when = self._most, time.monotonic()

    def take(self) -> bool:
        """Is one more allowed?"""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._when) * self._rate)
        self._when = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


async def serve(socket: WebSocket, host: Host, id: str) -> None:
    """Talk to a browser until it, or we, have enough."""
    await socket.accept()
    if host.connections >= host.configuration.most_connections:
        await socket.close(FAST)
        return
    host.connections += 1
    try:
        live = await host.find(id)
        await Connection(socket, host, live).talk()
    except Refused:
        await _close(socket, NO_TABLE)
    except Closed as end:
        await _close(socket, end.code)
    except (WebSocketDisconnect, KeyError, RuntimeError):
        await _close(socket, NO_JOIN)  # gone, or bytes instead of text
    finally:
        host.connections -= 1


async def _close(socket: WebSocket, code: int) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(code)


async def _ended(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait until it is over; what it raised can be asked later."""
    task.cancel()
    await asyncio.wait({task})


def _number_in(text: str) -> int | None:
    """The number of a request that is wrong otherwise."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    number = found.get("request") if isinstance(found, dict) else None
    return number if type(number) is int and 0 <= number <= 2**31 else None


def _invalid(error: Exception) -> Problem:
    if not isinstance(error, ValidationError):
        return Problem(code="invalid", message="no JSON; expected an object with a type")
    first = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "message"
    given = repr(first.get("input"))[:80]
    return Problem(code="invalid", message=shortened(f"{where}: {given}; {first['msg']}"))
