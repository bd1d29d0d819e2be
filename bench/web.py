"""How long a person waits for the answer to a move, with many tables open at once.

The people are simulated by this process, which shares the cores with the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import pathlib
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import httpx
from rich.table import Table
from websockets.asyncio.client import connect

TABLES = 200
SECONDS = 8.0  # of a round
GOAL = 0.2  # seconds, for 95 of 100 moves
SEED = 1
SCENES = {
    "people in all seats": ("othello", "go-moku", "pentago", "tic-tac-mo", "pente:players=3"),
    "a person and players": ("othello", "go-moku", "tic-tac-mo"),
}
PLAYER = "uct:sims=100"


def answers(rounds: int) -> tuple[Table, Any]:
    """Percentiles of the time from a move to its answer, which is on disk by then.

    Each is the median over some rounds: others may use the machine.  The cores that the
    server used tell how much it needs, however busy the machine is.
    """
    rows: list[dict[str, Any]] = []
    for scene, games in SCENES.items():
        with _server() as (port, pid):
            alone = scene == "people in all seats"
            found, cores = asyncio.run(_play(port, pid, games, not alone, rounds))
        cuts = [statistics.quantiles(waits, n=100) for waits in found]
        row: dict[str, Any] = {"scene": scene, "tables": TABLES, "seconds": SECONDS}
        row["moves"] = statistics.median(len(waits) for waits in found)
        row["median"] = statistics.median(cut[49] for cut in cuts)
        row["p95"] = statistics.median(cut[94] for cut in cuts)
        row["cores"] = cores
        row["p95 of rounds"] = [cut[94] for cut in cuts]
        rows.append(row | {"worst": max(max(waits) for waits in found)})
    title = f"answer to a person's move, ms (goal: 95 % within {GOAL * 1000:.0f})"
    headings = ("", "tables", "moves/s", "median", "95 %", "worst", "cores used")
    table = Table(*headings, title=title)
    for row in rows:
        times = (f"{1000 * float(row[name]):.0f}" for name in ("median", "p95", "worst"))
        speed = float(row["moves"]) / SECONDS
        needed = f"{row['cores']:.2f}"
        table.add_row(str(row["scene"]), str(row["tables"]), f"{speed:.0f}", *times, needed)
    return table, rows


@contextlib.contextmanager
def _server() -> Iterator[tuple[int, int]]:
    """The port and the process of a server."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "quintet", "serve", "--port", "0", "--data", data]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = re.search(r":(\d+)/", process.stdout.readline())
            assert found is not None
            yield int(found[1]), process.pid
        finally:
            os.kill(process.pid, signal.SIGTERM)
            process.communicate()


async def _play(
    port: int, pid: int, games: tuple[str, ...], players: bool, rounds: int
) -> tuple[list[list[float]], float]:
    waits: list[float] = []
    found = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=300.0) as http:
        made = [await _table(http, games[number % len(games)], players) for number in range(TABLES)]
        for table in made[: len(games)]:  # compile the players before the clock runs
            await asyncio.wait_for(_person(port, table, 0, [], 3, 0.0), 300.0)
    begin = asyncio.Event()
    people = [
        asyncio.create_task(_person(port, table, number, waits, None, 1.0, begin))
        for number, table in enumerate(made)
    ]
    await asyncio.sleep(3.0)  # until all have joined
    begin.set()
    used, begun = _seconds_of(pid), time.perf_counter()
    for _ in range(rounds):
        waits.clear()
        await asyncio.sleep(SECONDS)
        found.append(waits.copy())
    cores = (_seconds_of(pid) - used) / (time.perf_counter() - begun)
    for person in people:
        person.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    return found, cores


def _seconds_of(pid: int) -> float:
    """What a process has used of the cores; not known but on Linux."""
    try:
        content = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return math.nan
    used = content.rpartition(")")[2].split()[11:13]  # in user and in system mode
    return sum(int(ticks) for ticks in used) / os.sysconf("SC_CLK_TCK")


async def _table(http: httpx.AsyncClient, game: str, players: bool) -> dict[str, Any]:
    seats = len((await http.get("/api/board", params={"game": game})).json()["marks"])
    other = {"kind": "player", "player": PLAYER} if players else {"kind": "here"}
    wanted = {"game": game, "seats": [{"kind": "here"}, *[other] * (seats - 1)]}
    answer = await http.post("/api/tables", json=wanted)
    answer.raise_for_status()
    made: dict[str, Any] = answer.json()
    return made


async def _person(
    port: int,
    made: dict[str, Any],
    number: int,
    waits: list[float],
    moves: int | None,
    pause: float,
    begin: asyncio.Event | None = None,
) -> None:
    """Moves at random, a second after it could; and begins anew when a game is over."""
    chance = random.Random(SEED * 1000 + number)
    tokens = [made["owner"], *(key["token"] for key in made["keys"] if key["token"])]
    url = f"ws://127.0.0.1:{port}/api/tables/{made['table']}/play"
    async with connect(url, compression=None, max_size=None) as socket:
        mine = _Person(socket)
        await mine.ask({"type": "join", "tokens": tokens})
        await mine.ask({"type": "pace", "seconds": 0})
        if begin is not None:
            await begin.wait()
            await asyncio.sleep(chance.random() * pause)
        while moves is None or moves > 0:
            await mine.until_turn()
            position = mine.state["position"]
            if position["over"]:
                await mine.ask({"type": "new_game"})
                continue
            begun = time.perf_counter()
            move = chance.choice(position["legal"])
            await mine.ask({"type": "move", "node": mine.state["node"], "move": move})
            waits.append(time.perf_counter() - begun)
            moves = None if moves is None else moves - 1
            await asyncio.sleep(max(0.0, pause - (time.perf_counter() - begun)))


class _Person:
    """Somebody at a table."""

    def __init__(self, socket: Any) -> None:
        self.state: dict[str, Any] = {}
        self._socket, self._number = socket, 0

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self._socket.recv())
        if message["type"] == "state":
            self.state = message
        return message

    async def ask(self, request: dict[str, Any]) -> None:
        self._number += 1
        await self._socket.send(json.dumps({**request, "request": self._number}))
        while (message := await self.receive()).get("request") != self._number:
            pass
        assert message["type"] == "done", message

    async def until_turn(self) -> None:
        """Until the game is over or a person is to move."""
        while True:
            position = self.state["position"]
            turn = position["turn"]
            if position["over"] or self.state["seats"][turn]["kind"] != "player":
                return
            await self.receive()
