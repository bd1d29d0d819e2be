"""Makes the pictures of docs/images again: ``python -m tests.journeys.screenshots``."""

from __future__ import annotations

import pathlib
import random
import tempfile
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.journeys.people import CHROMIUM, FLAGS, PATIENCE, PHONE, ROOT, Person, Server

IMAGES = ROOT / "docs" / "images"
SEED = 3
BOARDS = {
    "othello": ("othello", 2, 14),
    "connect-four": ("connect-four", 2, 13),
    "go": ("go:size=9", 2, 24),
    "go-moku": ("go-moku", 2, 16),
    "pentago": ("pentago", 2, 9),
    "tic-tac-mo": ("tic-tac-mo", 3, 6),
}
DESK: dict[str, Any] = {"viewport": {"width": 1040, "height": 720}}
COLOURS = 128  # as many as a picture needs to look the same and be small


def played(server: Server, game: str, seats: int, plies: int) -> dict[str, Any]:
    """A table where people of little skill have made some moves."""
    chance, moves = random.Random(SEED), []
    for _ in range(plies):
        made = server.table(game, *["here"] * seats, moves=moves)
        legal = server.position(made["table"])["legal"]
        if not legal:
            break
        moves.append(chance.choice(legal))
    return server.table(game, *["here"] * seats, moves=moves)


def boards(browser: Browser, server: Server) -> None:
    """Each board alone: the first half in light, the others in dark."""
    for number, (name, (game, seats, plies)) in enumerate(BOARDS.items()):
        scheme = "light" if number % 2 == 0 else "dark"
        person = Person(
            browser, server, color_scheme=scheme, viewport={"width": 760, "height": 700}
        )
        person.sit(played(server, game, seats, plies))
        person.page.locator(".board").screenshot(path=IMAGES / f"{name}.png")
        person.leave()


def analysed(browser: Browser, server: Server) -> None:
    """Pente for three with what a search thinks, as on a desk."""
    person = Person(browser, server, color_scheme="light", **DESK)
    person.sit(played(server, "pente:size=9,players=3", 3, 12))
    person.press("Analysis")
    person.page.locator(".spot").first.wait_for(timeout=PATIENCE)
    person.press("Look through the whole game")
    person.page.get_by_role("button", name="Look through", disabled=False).wait_for()
    person.page.wait_for_timeout(3000)
    person.page.evaluate("scrollTo(0, 0)")
    person.page.screenshot(path=IMAGES / "analysis.png")
    person.leave()


def turning(browser: Browser, server: Server) -> None:
    """Pentago on a phone, before the turn is chosen."""
    person = Person(browser, server, color_scheme="dark", **PHONE)
    person.sit(played(server, "pentago", 2, 9))
    person.page.locator(".hit.playable").nth(8).tap()
    person.page.screenshot(path=IMAGES / "phone.png")
    person.leave()


def make_small(file: pathlib.Path) -> None:
    """Fewer colours."""
    with Image.open(file) as image:
        small = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(file, optimize=True)


def main() -> None:
    """All of them."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        server = Server(pathlib.Path(folder))
        try:
            for make in (boards, analysed, turning):
                make(browser, server)
        finally:
            server.kill()
            browser.close()
    for file in IMAGES.glob("*.png"):
        make_small(file)


if __name__ == "__main__":
    main()
