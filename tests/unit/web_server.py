"""A server for tests, in a thread or as a process, and a client that talks as a browser does."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from quintet.cli.serve import uvicorn_settings
from quintet.web.app import make_app
from quintet.web.configuration import Configuration

PATIENCE = 60.0  # seconds: the first use of a game compiles it


class Browser:
    """One websocket to a table."""

    def __init__(self, port: int, table: str, origin: str | None = None) -> None:
        url = f"ws://127.0.0.1:{port}/api/tables/{table}/play"
        self._open = contextlib.ExitStack()
        connecting = connect(url, origin=origin, max_size=None, max_queue=None)
        self.socket: ClientConnection = self._open.enter_context(connecting)
        self.state: dict[str, Any] = {}
        self.welcome: dict[str, Any] = {}
        self.nodes: dict[int, dict[str, Any]] = {}
        self.others: list[dict[str, Any]] = []  # everything but states, in order
        self._number = 0

    def receive(self) -> dict[str, Any]:
        """The next message, which is also remembered."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        if message["type"] == "state":
            if message["round"] != self.state.get("round"):
                self.nodes = {}
            self.nodes.update({node["id"]: node for node in message["nodes"]})
            self.state = message
        else:
            self.others.append(message)
        if message["type"] == "welcome":
            self.welcome = message
        return message

    def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """Send a request; the `done` or `error` that answers it."""
        self._number += 1
        self.socket.send(json.dumps({"type": type, "request": self._number, **fields}))
        return self.until(lambda m: m.get("request") == self._number)

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Receive up to a message."""
        while True:
            message = self.receive()
            if wanted(message):
                return message

    def until_state(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first state for which something holds, perhaps the last one received."""
        while not wanted(self.state):
            self.receive()
        return self.state

    def join(self, *tokens: str) -> dict[str, Any]:
        """Say who one is."""
        return self.ask("join", tokens=list(tokens))

    def move(self, move: int) -> dict[str, Any]:
        """Move in the position last seen."""
        return self.ask("move", node=self.state["node"], move=move)

    def given(self) -> dict[str, Any]:
        """The secret told last."""
        found: dict[str, Any] = [m for m in self.others if m["type"] == "given"][-1]["key"]
        return found

    def close(self) -> None:
        self._open.close()


class Server:
    """A server somewhere."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE)
        self._browsers: list[Browser] = []

    def table(self, game: str, *seats: str, **fields: Any) -> dict[str, Any]:
        """A new table; a seat is here, elsewhere, or a player's text."""
        answer = self.http.post(
            "/api/tables",
            json={"game": game, "seats": [seat_wanted(seat) for seat in seats] or None, **fields},
        )
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def connect(self, table: str, origin: str | None = None) -> Browser:
        """A browser that has not said anything yet."""
        browser = Browser(self.port, table, origin)
        self._browsers.append(browser)
        return browser

    def browse(self, table: str, *tokens: str | None) -> Browser:
        """A browser that has joined."""
        browser = self.connect(table)
        answer = browser.join(*(token for token in tokens if token))
        assert answer["type"] == "done", answer
        return browser

    def sit(self, made: dict[str, Any]) -> Browser:
        """A browser with all the secrets of a new table."""
        return self.browse(made["table"], made["owner"], *(key["token"] for key in made["keys"]))

    def close(self) -> None:
        for browser in self._browsers:
            with contextlib.suppress(Exception):
                browser.close()
        self._browsers.clear()

    def close_all(self) -> None:
        self.close()
        self.http.close()


def seat_wanted(seat: str) -> dict[str, Any]:
    return {"kind": seat} if seat in ("here", "elsewhere") else {"kind": "player", "player": seat}


@contextlib.contextmanager
def in_thread(data: pathlib.Path, configuration: Configuration | None = None) -> Iterator[Server]:
    """A server in this process."""
    configuration = configuration or Configuration()
    app = make_app(data, configuration)
    server = uvicorn.Server(uvicorn.Config(app, port=0, **uvicorn_settings(configuration)))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        thread.join(0.01)
    found = Server(server.servers[0].sockets[0].getsockname()[1])
    try:
        yield found
    finally:
        found.close_all()
        server.should_exit = True
        thread.join()


class Process(Server):
    """A server of its own process, as users start it."""

    def __init__(self, data: pathlib.Path, *options: str) -> None:
        command = [sys.executable, "-m", "quintet", "serve", "--port", "0", "--data", str(data)]
        self._process = subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.said = self._process.stdout.readline()
        port = re.search(r":(\d+)/", self.said)
        if port is None:
            raise AssertionError(self.end(signal.SIGKILL))
        super().__init__(int(port[1]))

    def end(self, how: int) -> str:
        """Send a signal and wait; what it said of errors."""
        if hasattr(self, "http"):
            self.close_all()
        if self._process.returncode is None:
            os.kill(self._process.pid, how)
            self._errors = self._process.communicate(timeout=30)[1]
        return self._errors

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.end(signal.SIGKILL)
