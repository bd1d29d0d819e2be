"""People at browsers, and the server they play on, for tests of the page."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

ROOT = pathlib.Path(__file__).parents[2]
CHROMIUM = shutil.which(os.environ.get("QUINTET_CHROMIUM", "chromium"))
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PATIENCE = 60_000.0  # milliseconds: the first use of a game or player compiles it


class Server:
    """`quintet serve` in a process of its own, with the toy learner of the tests."""

    def __init__(self, folder: pathlib.Path, port: int = 0) -> None:
        self.folder, self.port = folder, port
        self.start()

    def start(self) -> None:
        """Begin, or begin again at the same port with the same data."""
        self._process = self._command(
            "serve", "--port", str(self.port), "--data", str(self.folder / "data")
        )
        assert self._process.stdout is not None
        found = re.search(r":(\d+)/", self._process.stdout.readline())
        assert found, self._process.communicate()[1]
        self.port = int(found[1])

    def kill(self) -> None:
        """End it without a chance to tidy up."""
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()

    def train(self, *words: str) -> None:
        """A run in its folder."""
        out, err = self._command("train", "toy", *words).communicate(timeout=120)
        assert "is the player" in out, err

    def _command(self, *words: str) -> subprocess.Popen[str]:
        paths = [*os.environ.get("PYTHONPATH", "").split(os.pathsep), str(ROOT)]
        environment = {
            **os.environ,
            "QUINTET_RUNS": str(self.folder / "runs"),
            "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        }
        return subprocess.Popen(
            [sys.executable, "-m", "tests.unit.toy_learner", *words],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.address + path) as answer:
            return json.load(answer)

    def table(self, game: str, *seats: str, **fields: Any) -> dict[str, Any]:
        """A new table; a seat is here, elsewhere, or a player's text."""
        wanted = [
            {"kind": seat} if seat in ("here", "elsewhere") else {"kind": "player", "player": seat}
            for seat in seats
        ]
        body = json.dumps({"game": game, "seats": wanted, **fields}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}/api/tables", body, headers)
        with urllib.request.urlopen(request) as answer:
            made: dict[str, Any] = json.load(answer)
        return made

    def position(self, table: str) -> dict[str, Any]:
        """What the server holds for true."""
        shown: dict[str, Any] = self.get(f"/api/tables/{table}")["state"]["position"]
        return shown


class Person:
    """Somebody with a browser, whose page must not complain or ask others."""

    def __init__(self, browser: Browser, server: Server, **options: Any) -> None:
        self.server = server
        self.context: BrowserContext = browser.new_context(reduced_motion="reduce", **options)
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda said: self._heard(said.type, said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.on("websocket", lambda socket: self._asked(socket.url))

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def _asked(self, url: str) -> None:
        if not re.match(rf"(http|ws)://127\.0\.0\.1:{self.server.port}/|blob:", url):
            self.complaints.append(f"asked {url}")

    def visit(self, path: str = "#/") -> None:
        self.page.goto(f"{self.server.address}/{path}")

    def sit(self, made: dict[str, Any]) -> None:
        """Open a table with the secrets that its maker was given."""
        keys: dict[str, Any] = {"owner": made["owner"], "tokens": {}, "invitations": {}}
        for key in made["keys"]:
            for kind in ("token", "invitation"):
                if key.get(kind):
                    keys[f"{kind}s"][str(key["seat"])] = key[kind]
        self.visit()
        self.page.evaluate(
            "([table, keys]) => localStorage.setItem('quintet.table.' + table, keys)",
            [made["table"], json.dumps(keys)],
        )
        self.watch(made["table"])

    def watch(self, table: str) -> None:
        self.visit(f"#/table/{table}")
        self.page.get_by_role("grid").wait_for()
        # the board is drawn a moment before the server has let this browser in
        self.page.locator('.table[data-status="open"]').wait_for()

    def cell(self, name: str) -> Locator:
        """A cell by its coordinates."""
        return self.page.get_by_role("gridcell", name=re.compile(rf"^{name},"))

    def press(self, name: str) -> None:
        """Click a button."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def sees(self, text: str) -> None:
        """Wait for a text somewhere on the page."""
        expect(self.page.get_by_text(text).first).to_be_visible(timeout=PATIENCE)

    def sees_stone(self, name: str, colour: str) -> None:
        """Wait for a stone, or `empty`."""
        label = re.compile(rf"^{name}, {colour}")
        expect(self.cell(name)).to_have_attribute("aria-label", label, timeout=PATIENCE)

    def cells(self) -> list[str]:
        """What the page says of each cell."""
        grid = self.page.get_by_role("gridcell")
        labels: list[str] = grid.evaluate_all("all => all.map(x => x.getAttribute('aria-label'))")
        return [label.split(", ")[1] for label in labels]

    def leave(self) -> None:
        self.context.close()
