"""The page in a real browser: whole games by clicks, several people, thinking, lost servers."""

from __future__ import annotations

import pathlib
import random
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.journeys.people import (
    CHROMIUM,
    FLAGS,
    PATIENCE,
    PHONE,
    Person,
    Server,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

COLOURS = ["empty", "black", "white", "orange", "blue", "green", "yellow"]
Arrival = Callable[..., Person]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("server"))
    yield started
    started.kill()


@pytest.fixture
def arrives(browser: Browser, server: Server) -> Iterator[Arrival]:
    """Makes people; none of their pages may have complained in the end."""
    people: list[Person] = []

    def one(at: Server = server, **options: Any) -> Person:
        people.append(Person(browser, at, **options))
        return people[-1]

    yield one
    complaints = [complaint for person in people for complaint in person.complaints]
    for person in people:
        person.leave()
    assert complaints == []


def play_to_the_end(person: Person, table: str, seed: int) -> int:
    """Click at random what may be played; how many moves that took."""
    chance, plies = random.Random(seed), 0
    while not person.server.position(table)["over"]:
        cells = person.page.locator(".hit.playable")
        passing = person.page.locator(".own-moves button:enabled")
        expect(cells.or_(passing).first).to_be_visible()
        if cells.count():
            cells.nth(chance.randrange(cells.count())).click()
            turns = person.page.get_by_role("button", name=re.compile("^turn the"))
            if turns.count():
                turns.nth(chance.randrange(turns.count())).click()
        else:
            passing.click()
        plies += 1
        moves = person.page.locator(".moves .move")
        expect(moves).to_have_count(plies)
    return plies


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("tic-tac-toe", 2),
        ("tic-tac-mo", 3),
        ("k-in-a-row:rows=4,columns=4,k=3,gravity=yes", 2),
        ("go-moku:rows=6,columns=6", 2),
        ("othello:size=4", 2),
        ("pente:size=5,captures=2", 2),
        ("go:size=2", 2),
        ("pentago", 2),
    ],
)
def test_a_whole_game_by_clicks(arrives: Arrival, server: Server, game: str, seats: int) -> None:
    made = server.table(game, *["here"] * seats)
    person = arrives()
    person.sit(made)
    assert play_to_the_end(person, made["table"], seed=5) > 2
    position = server.position(made["table"])
    expect(person.page.get_by_role("status")).to_contain_text(position["result"])
    assert person.cells() == [COLOURS[owner] for owner in position["cells"]]
    assert person.page.locator(".winning.line").count() == len(position["winning"])


def test_an_illegal_click_is_refused(arrives: Arrival, server: Server) -> None:
    made = server.table("othello", "here", "here")
    person = arrives()
    person.sit(made)
    person.cell("a1").click()
    person.sees("a1 may not be played now.")
    person.cell("d4").click()
    person.sees("d4 may not be played: it is taken.")
    assert server.position(made["table"])["last"] is None
    person.cell("d3").click()
    person.sees_stone("d3", "black")


def test_three_seats_two_browsers_and_a_player(arrives: Arrival, server: Server) -> None:
    host, guest = arrives(), arrives()
    host.sit(server.table("tic-tac-mo", "here", "elsewhere", "random"))
    host.cell("a3").click()
    host.sees("Seat 2 waits for its person: share the link.")
    link = host.page.get_by_role("button", name="Copy link", exact=True).get_attribute("data-link")
    assert link is not None
    assert link.split("?")[0].endswith(host.page.url.split("#")[1])
    guest.visit(link.removeprefix(f"{server.address}/"))
    guest.page.get_by_role("textbox", name="Your name").fill("<b>Ada</b>")
    guest.press("Sit down")
    host.sees("<b>Ada</b>'s turn (white).")  # as text, not as markup
    host.cell("b3").click()
    host.sees("It is <b>Ada</b>'s turn, who sits elsewhere.")
    guest.cell("b3").click()
    for person in (host, guest):
        person.sees_stone("b3", "white")
        expect(person.page.get_by_role("gridcell", name="orange")).to_have_count(1)
    assert "invitation" not in guest.page.url


def test_spectators_see_and_change_nothing(arrives: Arrival, server: Server) -> None:
    made = server.table("tic-tac-toe", "here", "here")
    host, spectator = arrives(), arrives()
    host.sit(made)
    spectator.watch(made["table"])
    host.cell("b2").click()
    spectator.sees_stone("b2", "black")
    spectator.cell("a1").click()
    spectator.sees("It is Player 2's turn")
    expect(spectator.page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()


def test_undo_redo_and_branch(arrives: Arrival, server: Server) -> None:
    person = arrives()
    person.sit(server.table("tic-tac-toe", "here", "here"))
    for name in ("a3", "b2", "c1"):
        person.cell(name).click()
        person.sees_stone(name, "(black|white)")
    person.press("Undo")
    person.sees_stone("c1", "empty")
    person.press("Redo")
    person.sees_stone("c1", "black")
    person.page.locator("body").press("Home")
    person.sees_stone("a3", "empty")
    person.page.locator("body").press("ArrowRight")
    person.sees_stone("a3", "black")
    person.sees("Looking at move 1 of 3.")
    person.cell("c3").click()  # another second move: a branch
    person.sees_stone("c3", "white")
    person.sees_stone("b2", "empty")
    moves = person.page.locator(".moves")
    expect(moves.locator(".variation .move")).to_have_text(["b2"])
    moves.get_by_role("button", name="b2").click()
    person.sees_stone("b2", "white")
    person.press("Go on from here")
    person.sees_stone("c3", "empty")
    person.page.locator("body").press("End")
    person.sees_stone("c1", "black")


def test_played_by_keyboard(arrives: Arrival, server: Server) -> None:
    person = arrives()
    person.sit(server.table("tic-tac-toe", "here", "here"))
    person.cell("b2").focus()
    keyboard = person.page.keyboard
    for key in ("ArrowLeft", "ArrowUp", "Enter"):
        keyboard.press(key)
    person.sees_stone("a3", "black")
    for key in ("ArrowLeft", "ArrowRight", " "):
        keyboard.press(key)
    person.sees_stone("b3", "white")


def test_analysis_shows_heat_values_and_a_graph(arrives: Arrival, server: Server) -> None:
    person = arrives()
    person.sit(server.table("connect-four", "here", "here"))
    person.press("Analysis")
    spots = person.page.locator(".spot .value")
    expect(spots).to_have_count(7, timeout=PATIENCE)
    assert all(0 <= int(text) <= 100 for text in spots.all_text_contents())
    meters = person.page.get_by_role("meter")
    expect(meters).to_have_count(2)
    values = [int(meters.nth(seat).get_attribute("aria-valuenow") or -1) for seat in (0, 1)]
    assert 99 <= sum(values) <= 101
    person.sees("Expected: ")
    person.cell("d1").click()
    person.sees_stone("d1", "black")
    # it follows to the new position: the graph has two points a seat now
    line = person.page.locator(".thoughts .chart polyline.line.seat-0")
    expect(line).to_have_count(1, timeout=PATIENCE)
    assert len((line.get_attribute("points") or "").split()) == 2
    person.press("Analysis")
    expect(spots).to_have_count(0)


def test_a_hint_is_shown(arrives: Arrival, server: Server) -> None:
    person = arrives()
    person.sit(server.table("tic-tac-toe", "here", "here"))
    for name in ("a3", "a1", "b3", "b1"):
        person.cell(name).click()
        person.sees_stone(name, "(black|white)")
    person.press("Hint")
    first = person.page.locator(".best tbody tr").first
    expect(first).to_contain_text("c3", timeout=PATIENCE)  # the win


def test_a_network_shows_what_it_gives_each_move(arrives: Arrival, server: Server) -> None:
    person = arrives()
    person.sit(server.table("tic-tac-toe", "here", "here", moves=[0, 4, 1]))
    person.page.get_by_text("Thinking", exact=True).click()
    person.page.get_by_label("thinks:").select_option("hardnet")
    person.press("Analysis")
    spots = person.page.locator(".spot .value")
    expect(spots).to_have_count(6, timeout=PATIENCE)
    rows = person.page.locator(".best tbody tr")
    expect(rows.first).to_contain_text("c3")  # or else the other wins
    utilities = [
        float(text) for text in person.page.locator(".best td:last-child").all_inner_texts()
    ]
    assert utilities == sorted(utilities, reverse=True)
    assert utilities[0] > utilities[-1]
    expect(person.page.get_by_role("columnheader", name="utility")).to_be_visible()


def test_the_start_leads_back_to_a_table(arrives: Arrival, server: Server) -> None:
    person = arrives()
    person.sit(server.table("tic-tac-toe", "here", "here"))
    person.cell("b2").click()
    person.sees_stone("b2", "black")
    person.visit()
    person.page.get_by_role("link", name="tic-tac-toe 1 move, your turn").click()
    person.sees_stone("b2", "black")
    person.visit()
    person.press("Forget tic-tac-toe")
    expect(person.page.get_by_role("button", name="Forget")).to_have_count(0)


def test_pentago_is_turned_by_touch(arrives: Arrival, server: Server) -> None:
    person = arrives(**PHONE)
    made = server.table("pentago", "here", "here")
    person.sit(made)
    person.cell("a1").tap()
    arrows = person.page.get_by_role("button", name=re.compile("^turn the"))
    expect(arrows).to_have_count(8)
    for arrow in arrows.all():
        box = arrow.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) > 36
    clockwise = person.page.get_by_role("button", name="turn the top left block clockwise")
    above, cell = clockwise.bounding_box(), person.cell("a1").bounding_box()
    assert above is not None
    assert cell is not None
    assert above["y"] + above["height"] <= cell["y"]  # there it points as the block will turn
    clockwise.tap()
    person.sees_stone("c1", "black, last move")  # the stone went with its block
    assert server.position(made["table"])["last"]["name"] == "a1:1R"


def test_pentago_is_turned_by_keyboard(arrives: Arrival, server: Server) -> None:
    person = arrives()
    made = server.table("pentago", "here", "here")
    person.sit(made)
    person.cell("a1").focus()
    for key in ("ArrowRight", "Enter", "Escape", "ArrowRight", "Enter", "ArrowRight", "Enter"):
        person.page.keyboard.press(key)
    person.sees_stone("c3", "black, last move")
    assert server.position(made["table"])["last"]["name"] == "c1:1R"


def test_small_cells_ask_before_a_touch_plays(arrives: Arrival, server: Server) -> None:
    person = arrives(**PHONE)
    made = server.table("go-moku", "here", "here")
    person.sit(made)
    person.cell("H8").tap()
    person.sees("Play H8")
    assert server.position(made["table"])["last"] is None
    person.press("Play H8")
    person.sees_stone("H8", "black")


def test_nothing_is_lost_when_the_server_is_killed(
    browser: Browser, tmp_path: pathlib.Path
) -> None:
    server = Server(tmp_path)
    person = Person(browser, server)
    try:
        person.sit(server.table("tic-tac-toe", "here", "here"))
        person.cell("b2").click()
        person.sees_stone("b2", "black")
        server.kill()
        person.sees("The connection was lost; trying again")
        person.cell("a1").click()
        person.sees("The server is not there just now.")
        server.start()
        expect(person.page.locator(".banner")).to_be_empty(timeout=PATIENCE)
        person.cell("a1").click()
        person.sees_stone("a1", "white")
        person.sees_stone("b2", "black")
    finally:
        person.leave()
        server.kill()


def test_a_strangers_token_is_refused(arrives: Arrival, server: Server) -> None:
    made = server.table("tic-tac-toe", "here", "here")
    stranger = arrives()
    forged = {**made, "owner": "x" * 43}
    stranger.visit()
    stranger.page.evaluate(
        "([table, keys]) => localStorage.setItem('quintet.table.' + table, JSON.stringify(keys))",
        [made["table"], {"owner": forged["owner"], "tokens": {"0": "y" * 43}, "invitations": {}}],
    )
    stranger.visit(f"#/table/{made['table']}")
    stranger.sees("The keys of this browser are not good for this table")
    assert stranger.page.get_by_role("grid").count() == 0
    stranger.press("Watch without them")
    stranger.page.get_by_role("grid").wait_for()
    stranger.cell("b2").click()
    stranger.sees("It is Player 1's turn")
    assert server.position(made["table"])["last"] is None


def test_who_lost_a_seat_keeps_the_others(arrives: Arrival, server: Server) -> None:
    made = server.table("tic-tac-toe", "here", "here")
    made["keys"][1]["token"] = "y" * 43
    person = arrives()
    person.sit(made)
    person.cell("b2").click()
    person.sees_stone("b2", "black")
    person.cell("a1").click()
    person.sees("It is Player 2's turn")


def test_from_the_start_to_a_game_with_chosen_seats(arrives: Arrival, server: Server) -> None:
    person = arrives()
    person.visit()
    person.page.get_by_label("Game", exact=True).select_option("tic-tac-mo")
    seat = person.page.get_by_label("Who sits at seat 3")
    seat.select_option("player uct")
    person.page.get_by_label(re.compile("^Who sits at seat 2")).select_option("player random")
    person.page.locator(".seat-row").nth(2).get_by_label("sims").fill("50")
    person.press("Start the game")
    person.cell("c2").click()
    expect(person.page.locator(".moves .move")).to_have_count(3, timeout=PATIENCE)
    person.sees("uct:sims=50")


def test_seats_change_in_mid_game(arrives: Arrival, server: Server) -> None:
    person = arrives()
    person.sit(server.table("tic-tac-toe", "here", "here"))
    person.cell("b2").click()
    person.sees_stone("b2", "black")
    person.page.get_by_role("button", name="Change who sits at seat 2").click()
    person.page.get_by_label("Who sits here").select_option("player greedy")
    person.press("Sit down")
    expect(person.page.get_by_role("gridcell", name="white")).to_have_count(1, timeout=PATIENCE)


def test_a_position_is_set_up(arrives: Arrival, server: Server) -> None:
    person = arrives()
    made = server.table("tic-tac-toe", "here", "here")
    person.sit(made)
    person.page.get_by_text("Save, share, set up").click()
    person.press("Set up a position …")
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_role("gridcell", name="a1, empty").click()
    dialog.get_by_role("radio", name="white").check()
    dialog.get_by_role("gridcell", name="b2, empty").click()
    dialog.get_by_role("button", name="Begin from here").click()
    expect(dialog).to_have_count(0)
    person.sees_stone("a1", "black")
    person.sees_stone("b2", "white")
    assert server.position(made["table"])["turn"] == 0


@pytest.mark.parametrize(
    ("game", "save", "ending", "moves"),
    [
        ("tic-tac-toe", "Save the game", ".jsonl", ["b2", "a1"]),
        ("tic-tac-toe", "Save as SGF", ".sgf", ["a3", "c1"]),
    ],
)
def test_saved_and_loaded(
    arrives: Arrival,
    server: Server,
    tmp_path: pathlib.Path,
    game: str,
    save: str,
    ending: str,
    moves: list[str],
) -> None:
    person = arrives()
    person.sit(server.table(game, "here", "here"))
    for name in moves:
        person.cell(name).click()
        person.sees_stone(name, "(black|white)")
    person.page.get_by_text("Save, share, set up").click()
    with person.page.expect_download() as saving:
        person.press(save)
    file = tmp_path / saving.value.suggested_filename
    assert file.suffix == ending
    saving.value.save_as(file)
    before = person.page.url
    person.page.get_by_text("Open a game").click()
    person.page.get_by_label("Load a game").set_input_files(file)
    person.page.wait_for_url(lambda url: url != before)
    person.sees_stone(moves[0], "black")
    person.sees_stone(moves[1], "white, last move")


def test_moves_are_pasted(arrives: Arrival, server: Server) -> None:
    person = arrives()
    person.sit(server.table("othello:size=4", "here", "here"))
    person.page.get_by_text("Open a game").click()
    person.page.get_by_label("or paste it").fill("a1 a1")
    person.press("Open what is pasted")
    person.sees("line 1: ")
    assert "422" in person.complaints.pop()  # the browser tells of every refusal
    before = person.page.url
    person.page.get_by_label("or paste it").fill("b1 a1")
    person.press("Open what is pasted")
    person.page.wait_for_url(lambda url: url != before)
    person.sees_stone("a1", "white, last move")


def test_a_link_to_a_position_begins_a_game_there(arrives: Arrival, server: Server) -> None:
    person, friend = arrives(permissions=["clipboard-read", "clipboard-write"]), arrives()
    person.sit(server.table("othello:size=6", "here", "here"))
    person.page.locator(".hit.playable").first.click()
    expect(person.page.locator(".moves .move")).to_have_count(1)
    cells = person.cells()
    person.page.get_by_text("Save, share, set up").click()
    person.press("Copy link to this position")
    person.sees("The link is copied: it begins a game from this position.")
    link = person.page.evaluate("navigator.clipboard.readText()")
    friend.visit(link.removeprefix(f"{server.address}/"))
    friend.page.get_by_label("Who sits at seat 2").select_option("here")
    friend.press("Start the game")
    friend.sees("Player 2's turn (white).")
    assert friend.cells() == cells


def test_resigned_and_played_again(arrives: Arrival, server: Server) -> None:
    person = arrives()
    person.sit(server.table("tic-tac-toe", "here", "here"))
    person.cell("b2").click()
    person.sees_stone("b2", "black")
    person.press("Resign")
    person.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    person.sees("Player 2 resigns; Player 1 wins.")
    person.press("New game")
    person.sees_stone("b2", "empty")


def test_players_play_each_other_at_a_pace(arrives: Arrival, server: Server) -> None:
    person = arrives()
    made = server.table("tic-tac-toe", "random", "random", paused=True)
    person.sit(made)
    person.sees("waits: the game is paused.")
    assert server.position(made["table"])["last"] is None
    person.page.get_by_label("seconds a move").fill("0")
    person.press("Let players move")
    expect(person.page.get_by_role("status")).to_contain_text(
        re.compile("wins|draw"), timeout=PATIENCE
    )


@pytest.mark.parametrize("path", ["#/", "#/runs", "#/records", "table"])
def test_nothing_is_wider_than_a_phone(arrives: Arrival, server: Server, path: str) -> None:
    person = arrives(**PHONE)
    if path == "table":
        person.sit(server.table("go:size=19", "here", "uct:sims=10,seconds=1,c=0.7,mode=paranoid"))
        person.press("Analysis")
        person.page.get_by_text("Save, share, set up").click()
    else:
        person.visit(path)
        person.page.get_by_role("heading").first.wait_for()
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_runs_their_curves_and_play_against_a_checkpoint(arrives: Arrival, server: Server) -> None:
    server.train("--game", "tic-tac-toe", "--seed", "3", "--name", "small", "--checkpoints", "2")
    person = arrives()
    person.visit("#/runs")
    person.sees("toy learns tic-tac-toe")
    person.page.get_by_role("link", name="small").click()
    curve = person.page.get_by_role("img", name="level over the steps of the run")
    expect(curve.locator("polyline.line")).to_have_count(1)
    person.page.get_by_role("link", name="step 40").click()
    person.press("Start the game")
    person.cell("b2").click()
    expect(person.page.get_by_role("gridcell", name="white")).to_have_count(1, timeout=PATIENCE)
    person.sees("run:small@40")


def test_a_recorded_game_is_replayed(arrives: Arrival, server: Server) -> None:
    server.train("--game", "tic-tac-toe", "--seed", "4", "--name", "kept")
    person = arrives()
    person.visit("#/records")
    person.page.get_by_role("link", name=re.compile("kept")).first.click()
    person.page.get_by_role("button", name="Replay").first.click()
    moves = person.page.locator(".moves .move")
    expect(moves.nth(4)).to_be_visible()
    person.page.locator("body").press("Home")
    expect(person.page.get_by_role("gridcell", name="empty")).to_have_count(9)
    person.page.get_by_role("button", name="Replay", exact=True).click()
    expect(moves.last).to_have_attribute("aria-current", "true", timeout=PATIENCE)
