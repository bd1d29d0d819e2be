"""Who may ask at all: no foreign pages, no names that were made to point here, nothing huge.

A page elsewhere can make a browser send requests to this server, or give its own name
the address 127.0.0.1 and then read the answers (DNS rebinding).  The first shows in
Origin, the second in Host: an address cannot be rebound, a name can.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        b"connect-src 'self'; font-src 'self'; manifest-src 'self'; media-src 'self'; "
        b"form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"cache-control", b"no-cache"),  # ask whether a file is still the same: pages change together
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]

_TABLE = re.compile(r"/api/tables/[^/]+/play")  # the files of the page know no websockets


class Guard:
    """Stands before the application (ASGI)."""

    def __init__(self, app: Any, names: Iterable[str], body_bytes: int) -> None:
        """`names` are hosts that are known to be this one, besides localhost and addresses."""
        self._app, self._body_bytes = app, body_bytes
        self._names = {"localhost", *(name.lower() for name in names)}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let pass, or refuse."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        problem = self._problem(dict(scope["headers"]))
        if scope["type"] == "websocket":
            if problem or not _TABLE.fullmatch(scope["path"]):
                await receive()
                await send({"type": "websocket.close", "code": 4403})
                return
            await self._app(scope, receive, send)
            return
        if problem:
            await _refuse(send, *problem)
            return
        body = _Body(receive, self._body_bytes)
        await self._app(scope, body.receive, _with_headers(send))

    def _problem(self, headers: dict[bytes, bytes]) -> tuple[int, str, str] | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._is_known(_name_in(f"//{host}")):
            return 403, "forbidden", f"host {host[:80]!r}; expected an address, or --name"
        origin = headers.get(b"origin", b"").decode("latin-1")
        if origin and place_of(origin) != host.lower():
            return 403, "forbidden", f"origin {origin[:80]!r}; expected the page of {host[:80]!r}"
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:20]) > self._body_bytes:
            return 413, "large", f"the body is too long; expected {self._body_bytes} bytes at most"
        return None

    def _is_known(self, name: str) -> bool:
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self._names
        return True


class _Body:
    """Cuts off a body that is longer than it may be, whatever its header said."""

    def __init__(self, receive: Any, most: int) -> None:
        self._receive, self._left = receive, most

    async def receive(self) -> Any:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                return {"type": "http.disconnect"}
        return message


def _with_headers(send: Any) -> Any:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *HEADERS]}
        await send(message)

    return sending


async def _refuse(send: Any, status: int, code: str, message: str) -> None:
    body = json.dumps({"problem": {"code": code, "message": message}}).encode()
    headers = [(b"content-type", b"application/json"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def place_of(origin: str) -> str:
    """Host and port of an origin; empty for what is none, such as null."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    return parts.netloc.lower() if parts.scheme in ("http", "https") else ""


def _name_in(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""
