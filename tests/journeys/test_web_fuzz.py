"""Nonsense over HTTP and the websocket: no crash, no hang, an answer as described."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any

import httpx
import hypothesis
import pytest
import schemathesis
from hypothesis import strategies
from websockets.exceptions import ConnectionClosed

from quintet.runs.trained import FOLDER
from quintet.web.configuration import Configuration
from tests.unit.web_server import Browser, Server, in_thread

EXAMPLES = 40
LIMITS = Configuration(
    messages_a_second=10**6, messages_at_once=10**6, most_seconds=0.2, most_tables=10**6
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(tmp_path_factory.mktemp("runs")))
        with in_thread(tmp_path_factory.mktemp("data"), LIMITS) as server:
            yield server


# --- HTTP ---------------------------------------------------------------------


def conversation(port: int, examples: int) -> int:
    """Try everything in the description of a server; how many requests were made."""
    address = f"http://127.0.0.1:{port}"
    schema = schemathesis.openapi.from_dict(httpx.get(f"{address}/openapi.json").json())
    made = 0
    for found in schema.get_all_operations():
        operation = found.ok()

        @hypothesis.settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            nonlocal made
            made += 1
            answer = case.call(base_url=address)
            assert answer.status_code < 500 or answer.status_code == 503
            case.validate_response(
                answer,
                checks=[
                    schemathesis.checks.not_a_server_error,
                    schemathesis.specs.openapi.checks.response_schema_conformance,
                    schemathesis.specs.openapi.checks.status_code_conformance,
                    schemathesis.specs.openapi.checks.content_type_conformance,
                ],
            )

        ask()
    return made


def test_http_answers_as_it_says(server: Server) -> None:
    assert conversation(server.port, EXAMPLES) > 10 * EXAMPLES / 2


@pytest.mark.slow
def test_http_answers_as_it_says_for_long(server: Server) -> None:
    conversation(server.port, 1_000)


SEATS = strategies.fixed_dictionaries(
    {"kind": strategies.sampled_from(["here", "elsewhere", "player"])},
    optional={
        "player": strategies.sampled_from(["random", "uct:sims=10", "uct:sims=-1", "run:x", "é"]),
        "name": strategies.text(max_size=10),
    },
)
RECORD = """{"quintet":1,"game":"tic-tac-toe","version":1,"players":["a","b"],"seed":0}
{"number":0,"seats":[0,1],"opening":0,"moves":[4,0,8],"scores":[]}
"""
SGF = "(;FF[4]GM[Tic-tac-toe]QUINTET[tic-tac-toe]PB[Ann]RE[W+R];B[aa](;W[bb];B[cc])(;W[ca]))"
WANTED = strategies.fixed_dictionaries(
    {},
    optional={
        "game": strategies.sampled_from(
            ["tic-tac-toe", "tic-tac-toe:k=2", "go:size=0", ":", "a.py:"]
        ),
        "seats": strategies.lists(SEATS, max_size=3),
        "moves": strategies.lists(strategies.integers(0, 10), max_size=4),
        "picture": strategies.sampled_from(
            ["", "  a b c\n3 X X .\n2 O O .\n1 . . .\nturn: 0", "\n" * 9 + "turn: 99999999999"]
        ),
        "file": strategies.fixed_dictionaries({"file": strategies.text(min_size=1, max_size=9)}),
        "record": strategies.builds(
            lambda text, place, letter: {"content": spoilt(text, place % len(text), letter)},
            strategies.sampled_from([RECORD, SGF]),
            strategies.integers(0, 500),
            strategies.characters(codec="utf-8"),
        ),
        "paused": strategies.booleans(),
    },
)


def test_tables_of_all_kinds(server: Server) -> None:
    seen = set()

    @hypothesis.settings(max_examples=200, deadline=None, derandomize=True, database=None)
    @hypothesis.given(WANTED)
    def check(wanted: dict[str, Any]) -> None:
        answer = server.http.post("/api/tables", json=wanted)
        seen.add(answer.status_code)
        assert answer.status_code < 500, answer.text
        if answer.status_code == 201:
            assert server.http.get(f"/api/tables/{answer.json()['table']}").status_code == 200
        else:
            assert answer.json()["problem"]["message"]

    check()
    assert seen >= {201, 422}


# --- the websocket ------------------------------------------------------------

LEAVES = strategies.none() | strategies.booleans() | strategies.integers() | strategies.text()
JSON = strategies.recursive(
    LEAVES | strategies.floats(),
    lambda inner: strategies.lists(inner) | strategies.dictionaries(strategies.text(), inner),
    max_leaves=10,
)
SMALL = strategies.integers(-1, 12)
VALID = strategies.one_of(
    strategies.fixed_dictionaries({"type": strategies.just(type_), **fields})
    for type_, fields in {
        "join": {"tokens": strategies.lists(strategies.text(max_size=20), max_size=2)},
        "claim": {"invitation": strategies.text(max_size=30)},
        "move": {"node": SMALL, "move": SMALL},
        "branch": {"node": SMALL, "move": SMALL},
        "undo": {"plies": SMALL | strategies.none()},
        "redo": {"plies": SMALL | strategies.none()},
        "go_to": {"node": SMALL},
        "look": {"node": SMALL},
        "set_up": {"picture": strategies.text("XO. \n123abc:turn", max_size=80)},
        "resign": {"seat": SMALL},
        "new_game": {},
        "seat": {
            "seat": SMALL,
            "wanted": strategies.fixed_dictionaries(
                {"kind": strategies.sampled_from(["here", "elsewhere", "player", "x"])},
                optional={"player": strategies.sampled_from(["random", "model:/x", ""])},
            ),
        },
        "analysis": {"on": strategies.booleans(), "player": strategies.just("random")},
        "hint": {"player": strategies.sampled_from(["random", "engine:x", "run:.."])},
        "pace": {"seconds": strategies.just(0) | SMALL, "paused": strategies.booleans()},
        "ping": {},
    }.items()
)


@strategies.composite
def mutated(draw: Any) -> Any:
    """A request with a field lost, added or of another kind."""
    request = dict(draw(VALID))
    name = draw(strategies.sampled_from([*request, "other"]))
    if draw(strategies.booleans()):
        request.pop(name, None)
    else:
        request[name] = draw(JSON)
    return request


def spoilt(text: str, place: int, letter: str) -> str:
    place %= max(1, len(text))
    return text[:place] + letter + text[place + 1 :]


FRAMES = strategies.one_of(
    VALID.map(json.dumps),
    mutated().map(json.dumps),
    JSON.map(json.dumps),
    strategies.text(strategies.characters(codec="utf-8"), max_size=200),
    strategies.builds(
        spoilt,
        VALID.map(json.dumps),
        strategies.integers(0, 500),
        strategies.characters(codec="utf-8"),
    ),
)


def survive(server: Server, frames: list[str]) -> None:
    """Say nonsense at a table; it must go on, or the connection be closed with a word."""
    made = server.table("tic-tac-toe", "here", "random")
    browser = server.sit(made)
    browser.ask("pace", seconds=0.0)
    for frame in frames:
        browser.socket.send(frame)
    browser.ask("ping")
    assert not [m for m in browser.others if m["type"] == "error" and not m["problem"]["message"]]
    browser.close()
    again = server.browse(made["table"], made["owner"])
    assert again.ask("new_game")["type"] == "done"
    again.close()


def test_nonsense_at_a_table(server: Server) -> None:
    @hypothesis.settings(max_examples=40, deadline=None, derandomize=True, database=None)
    @hypothesis.given(strategies.lists(FRAMES, min_size=5, max_size=40))
    def check(frames: list[str]) -> None:
        survive(server, frames)

    check()


@pytest.mark.slow
def test_nonsense_at_a_table_for_long(server: Server) -> None:
    @hypothesis.settings(max_examples=1_500, deadline=None, database=None)
    @hypothesis.given(strategies.lists(FRAMES, min_size=5, max_size=80))
    def check(frames: list[str]) -> None:
        survive(server, frames)

    check()


def test_nonsense_before_joining(server: Server) -> None:
    made = server.table("tic-tac-toe")

    @hypothesis.settings(max_examples=30, deadline=None, derandomize=True, database=None)
    @hypothesis.given(FRAMES.filter(lambda frame: '"join"' not in frame))
    def check(frame: str) -> None:
        browser: Browser = server.connect(made["table"])
        browser.socket.send(frame)
        with pytest.raises(ConnectionClosed) as closed:
            listen(browser)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4400
        browser.close()

    check()


def listen(browser: Browser) -> None:
    while True:
        browser.receive()


def test_a_data_folder_that_is_a_file(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(ValueError, match="cannot be used for tables"), in_thread(file):
        pass
