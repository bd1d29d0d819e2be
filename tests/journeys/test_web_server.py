"""The server as browsers meet it: whole games, strangers, restarts, slow players, files."""

from __future__ import annotations

import contextlib
import itertools
import json
import pathlib
import signal
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from quintet import games
from quintet.learn import LEARNERS
from quintet.players import PLAYERS
from quintet.registry import Entry
from quintet.runs.run import Run
from quintet.runs.settings import Settings
from quintet.runs.trained import FOLDER
from quintet.web.configuration import Configuration
from tests.unit.toy_learner import TOY, Toy
from tests.unit.web_server import Browser, Process, Server, in_thread

ROOT = pathlib.Path(__file__).parents[2]
LIMITS = Configuration(analysis_seconds=30.0, slice_seconds=0.05, thinkers=1, most_seconds=5.0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pathlib.Path]:
    """A folder of runs, with one that was trained, and a link that leads out."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(folder))
        patch.setitem(LEARNERS, "toy", TOY)
        patch.setitem(PLAYERS, "sleepy", Entry("tests.unit.web_players:Sleepy", {}, "slow"))
        Run.create(folder / "first", Settings(Toy(), games.make("tic-tac-toe"), 1)).train()
        secret = folder.parent / "secret.jsonl"
        secret.write_text('{"quintet":1}\n')
        (folder / "link.jsonl").symlink_to(secret)
        yield folder


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, runs: pathlib.Path) -> Iterator[Server]:
    with in_thread(tmp_path_factory.mktemp("data"), LIMITS) as server:
        yield server


@pytest.fixture
def server(shared: Server) -> Iterator[Server]:
    yield shared
    shared.close()


def problem(answer: dict[str, Any]) -> str:
    assert answer["type"] == "error", answer
    return str(answer["problem"]["code"])


# --- playing ------------------------------------------------------------------


def test_three_seats_two_browsers_and_a_player_play_a_whole_game(server: Server) -> None:
    made = server.table("tic-tac-mo", "here", "elsewhere", "random")
    ann = server.browse(made["table"], made["owner"], made["keys"][0]["token"])
    bob = server.browse(made["table"])
    assert bob.ask("claim", invitation=made["keys"][1]["invitation"])["type"] == "done"
    assert ann.ask("pace", seconds=0.0)["type"] == "done"
    people = {0: ann, 1: bob}
    while not ann.state["position"]["over"]:
        turn = ann.state["position"]["turn"]
        if turn in people:
            mover = people[turn]
            node = ann.state["node"]
            mover.until_state(lambda state, node=node: state["node"] == node)
            assert mover.move(mover.state["position"]["legal"][0])["type"] == "done"
        plies = len(ann.state["path"])
        if ann.state["position"]["turn"] == turn:
            ann.until_state(lambda state, plies=plies: len(state["path"]) > plies)
    bob.until_state(lambda state: state["position"]["over"])
    assert bob.state["position"] == ann.state["position"]
    assert bob.nodes == ann.nodes
    assert ann.state["position"]["result"].endswith(".")
    assert sum(ann.state["position"]["scores"]) == pytest.approx(1.0)


def test_what_is_not_allowed_is_refused_and_changes_nothing(server: Server) -> None:
    made = server.table("tic-tac-toe", "here", "elsewhere")
    ann = server.browse(made["table"], made["keys"][0]["token"])
    bob = server.browse(made["table"])
    assert problem(bob.move(4)) == "forbidden"  # a spectator
    assert problem(bob.ask("undo")) == "forbidden"
    assert bob.ask("claim", invitation=made["keys"][1]["invitation"])["type"] == "done"
    assert problem(bob.move(4)) == "forbidden"  # not his turn
    assert ann.move(4)["type"] == "done"
    bob.until_state(lambda state: state["node"] == 1)
    assert problem(bob.move(4)) == "illegal"
    assert problem(ann.move(0)) == "forbidden"
    assert problem(bob.ask("move", node=0, move=0)) == "stale"
    assert problem(bob.ask("resign", seat=0)) == "forbidden"
    assert problem(ann.ask("seat", seat=1, wanted={"kind": "here"})) == "forbidden"  # no owner
    assert problem(bob.ask("go_to", node=99)) == "unknown"
    assert problem(bob.ask("claim", invitation="x" * 20)) == "stranger"
    shown = server.http.get(f"/api/tables/{made['table']}").json()["state"]
    assert (shown["node"], len(shown["nodes"])) == (1, 2)


def test_a_strangers_token_closes_the_door(server: Server) -> None:
    made, other = server.table("tic-tac-toe"), server.table("tic-tac-toe")
    for token in ("guessed-token-123", other["owner"], other["keys"][0]["token"]):
        browser = server.connect(made["table"])
        answer = browser.join(made["owner"], token)
        assert (problem(answer), answer["bad_tokens"]) == ("stranger", [1])
        with pytest.raises(ConnectionClosed) as closed:
            browser.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403


def test_undo_branch_look_and_a_new_game(server: Server) -> None:
    browser = server.sit(server.table("tic-tac-toe"))
    for move in (4, 0, 8):
        browser.move(move)
    browser.ask("undo")
    assert browser.state["node"] == 2
    assert browser.state["ahead"] == [3]
    browser.ask("branch", node=1, move=2)
    assert browser.state["path"] == [0, 1, 4]
    assert {node: it["parent"] for node, it in browser.nodes.items()} == {
        0: None, 1: 0, 2: 1, 3: 2, 4: 1,
    }  # fmt: skip
    browser.ask("look", node=3)
    view = next(m for m in browser.others if m["type"] == "view")
    assert (view["path"], browser.state["node"]) == ([0, 1, 2, 3], 4)
    browser.ask("resign", seat=0)
    assert browser.state["position"]["result"] == "Player 1 resigns; Player 2 wins."
    browser.ask("set_up", picture="  a b c\n3 X X .\n2 O O .\n1 . . .\nturn: 0")
    browser.move(2)
    assert browser.state["position"]["winning"] == [[0, 1, 2]]
    browser.ask("new_game")
    assert (browser.state["round"], list(browser.nodes)) == (3, [0])
    assert problem(browser.ask("set_up", picture="nothing")) == "invalid"


def test_seats_change_in_mid_game_and_old_secrets_are_void(server: Server) -> None:
    made = server.table("tic-tac-toe", "here", "random")
    owner = server.sit(made)
    guest = server.browse(made["table"], made["keys"][0]["token"])
    owner.ask("pace", seconds=0.0)
    owner.move(4)
    owner.until_state(lambda state: state["node"] == 2)
    owner.ask("seat", seat=0, wanted={"kind": "player", "player": "greedy"})
    owner.until_state(lambda state: state["position"]["over"])
    assert owner.welcome["seats"] == []
    guest.until(lambda message: message["type"] == "welcome")
    assert guest.welcome["seats"] == []
    assert problem(guest.ask("resign", seat=0)) == "forbidden"
    with pytest.raises(AssertionError, match="stranger"):
        server.browse(made["table"], made["keys"][0]["token"])
    owner.ask("new_game")
    owner.ask("seat", seat=0, wanted={"kind": "here", "name": "<b>Ann</b>"})
    owner.until_state(lambda state: state["seats"][0]["name"] == "<b>Ann</b>")
    assert server.browse(made["table"], owner.given()["token"]).welcome["seats"] == [0]
    bad = owner.ask("seat", seat=0, wanted={"kind": "player", "player": "model:/etc/passwd"})
    assert problem(bad) == "refused"


# --- thinking -----------------------------------------------------------------


def thoughts(browser: Browser, why: str, node: int) -> dict[str, Any]:
    return browser.until(
        lambda m: m["type"] == "thoughts" and m["why"] == why and m["node"] == node
    )


def test_analysis_deepens_follows_the_game_and_ends(server: Server) -> None:
    browser = server.sit(server.table("tic-tac-toe"))
    assert browser.ask("analysis", on=True, player="uct")["type"] == "done"
    first, second = (thoughts(browser, "analysis", 0) for _ in range(2))
    assert second["visits"] > first["visits"]
    assert sum(move["share"] for move in second["moves"]) == pytest.approx(1.0)
    assert len(second["values"]) == 2
    browser.move(4)
    seen = thoughts(browser, "analysis", 1)
    assert 4 not in [move["move"] for move in seen["moves"]]
    browser.others.clear()
    assert browser.ask("analysis", on=False)["type"] == "done"
    browser.ask("ping")
    browser.others.clear()
    time.sleep(0.3)  # several slices
    browser.ask("ping")
    assert [m["type"] for m in browser.others] == ["done"]
    assert problem(browser.ask("analysis", on=True, node=50)) == "unknown"


def test_a_hint_and_what_a_player_thought(server: Server) -> None:
    browser = server.sit(server.table("tic-tac-toe", "here", "uct:sims=50"))
    assert browser.ask("hint", player="uct:sims=50")["type"] == "done"
    hint = next(m for m in browser.others if m["type"] == "thoughts")
    assert (hint["why"], hint["visits"]) == ("hint", 50)
    browser.ask("pace", seconds=0.0)
    browser.move(hint["moves"][0]["move"])
    assert thoughts(browser, "seat", 1)["visits"] == 50


def test_a_slow_player_blocks_nobody_and_is_dropped_by_undo(server: Server) -> None:
    slow = server.sit(server.table("tic-tac-toe", "here", "sleepy"))
    other = server.sit(server.table("tic-tac-toe"))
    slow.move(4)
    assert slow.state["thinking"] == 1
    begun = time.perf_counter()
    for move in (0, 1, 2):
        assert other.move(move)["type"] == "done"
    assert slow.ask("undo")["type"] == "done"
    assert slow.state["node"] == 0
    assert time.perf_counter() - begun < 1.0
    time.sleep(1.2)  # until it would have moved
    slow.ask("ping")
    assert (slow.state["node"], list(slow.nodes)) == (0, [0, 1])


def test_players_wait_when_the_table_goes_back_to_their_turn(server: Server) -> None:
    browser = server.sit(server.table("tic-tac-toe", "random", "random"))
    browser.ask("pace", seconds=0.0)
    browser.until_state(lambda state: state["position"]["over"])
    browser.ask("go_to", node=2)
    assert (browser.state["paused"], browser.state["thinking"]) == (True, None)
    browser.ask("pace", paused=False)
    browser.until_state(lambda state: len(state["path"]) > 3)


@pytest.mark.parametrize(
    ("player", "word"), [("sleepy:broken=yes", "broken"), ("sleepy:buggy=yes", "ZeroDivisionError")]
)
def test_a_player_that_fails_stops_the_table_with_a_word(
    server: Server, player: str, word: str
) -> None:
    browser = server.sit(server.table("tic-tac-toe", "here", player))
    assert word in browser.ask("hint", player=player)["problem"]["message"]
    browser.ask("analysis", on=True, player=player)
    assert word in browser.until(lambda m: m["type"] == "error")["problem"]["message"]
    browser.ask("analysis", on=False)
    browser.move(4)
    assert word in browser.until(lambda m: m["type"] == "error")["problem"]["message"]
    browser.ask("ping")
    assert browser.state["paused"]
    assert browser.ask("undo")["type"] == "done"


# --- what is on disk ----------------------------------------------------------


def test_runs_their_curves_and_their_players(server: Server) -> None:
    (run,) = server.http.get("/api/runs").json()["runs"]
    assert (run["name"], run["step"], run["training"]) == ("first", 40, False)
    assert run["headline"] == ["level"]
    later = server.http.get("/api/runs/first/metrics", params={"since": 35}).json()
    assert [line["step"] for line in later["lines"]] == [36, 37, 38, 39, 40]
    assert later["last"] == 40
    offered = server.http.get("/api/players", params={"game": "tic-tac-toe"}).json()
    assert offered["trained"][0] == {
        "player": "run:first@40", "run": "first", "step": 40, "last": True,
    }  # fmt: skip
    browser = server.sit(server.table("tic-tac-toe", "here", "run:first@40"))
    browser.ask("pace", seconds=0.0)
    browser.move(4)
    browser.until_state(lambda state: state["node"] == 2)


def test_recorded_games_can_be_listed_watched_and_saved(server: Server) -> None:
    (file,) = server.http.get("/api/records").json()  # the link that leads out is not there
    assert file["file"] == "first/games.jsonl"
    listed = server.http.get("/api/records/games", params={"file": file["file"], "count": 2})
    found = listed.json()
    assert (len(found["games"]), found["more"]) == (2, True)
    made = server.http.post("/api/tables", json={"file": {"file": file["file"], "number": 1}})
    id = made.json()["table"]
    state = server.http.get(f"/api/tables/{id}").json()["state"]
    assert len(state["path"]) == found["games"][1]["plies"] + 1
    saved = server.http.get(f"/api/tables/{id}/record").text
    again = server.http.post("/api/tables", json={"record": {"content": saved}})
    assert again.status_code == 201
    # a game that is not finished comes back too
    browser = server.sit(server.table("tic-tac-toe", moves=[4, 0]))
    saved = server.http.get(f"/api/tables/{browser.welcome['table']}/record").text
    again = server.http.post("/api/tables", json={"record": {"content": saved}})
    state = server.http.get(f"/api/tables/{again.json()['table']}").json()["state"]
    assert [node["move"] for node in state["nodes"]] == [None, 4, 0]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/runs/..%2f..%2fetc", 404),
        ("/api/runs/no-such-run", 404),
        ("/api/records/games?file=../secret.jsonl", 403),
        ("/api/records/games?file=link.jsonl", 403),
        ("/api/records/games?file=/etc/passwd", 403),
        ("/api/records/games?file=first/run.toml", 404),
        ("/api/records/games?file=%00", 422),
        ("/api/board?game=./x.py:Game", 403),
        ("/api/board?game=chess", 422),
        ("/api/board?game=go:size=99", 422),
        ("/api/board", 422),
        ("/api/tables/no-such-table", 404),
        ("/../../pyproject.toml", 404),
        ("/%2e%2e/app.py", 404),
        ("/docs", 404),
    ],
)
def test_what_is_wrong_is_told_by_a_typed_problem(server: Server, path: str, status: int) -> None:
    answer = server.http.get(path)
    assert answer.status_code == status, answer.text
    assert set(answer.json()["problem"]) == {"code", "message"}


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({"game": "tic-tac-toe", "seats": [{"kind": "here"}]}, 422),
        ({"game": "tic-tac-toe", "moves": [4, 4]}, 409),
        ({"game": "tic-tac-toe", "picture": "x"}, 422),
        ({"game": "tic-tac-toe", "more": 1}, 422),
        ({}, 422),
        ({"record": {"content": "{}"}}, 422),
        ({"record": {"content": "", "format": "sgf"}}, 422),
        ({"game": "tic-tac-toe", "seats": [{"kind": "player", "player": "uct:sims=999999999"}] * 2},
         403),
    ],
)  # fmt: skip
def test_tables_that_cannot_be(server: Server, wanted: dict[str, Any], status: int) -> None:
    assert server.http.post("/api/tables", json=wanted).status_code == status


# --- strangers ----------------------------------------------------------------


def test_foreign_pages_and_made_up_names_are_refused(server: Server) -> None:
    made = server.table("tic-tac-toe")
    with pytest.raises(InvalidStatus):
        server.connect(made["table"], origin="http://evil.example")
    own = server.connect(made["table"], origin=f"http://127.0.0.1:{server.port}")
    assert own.join()["type"] == "done"
    foreign = {"origin": "http://evil.example"}
    answer = server.http.post("/api/tables", json={"game": "tic-tac-toe"}, headers=foreign)
    assert answer.status_code == 403
    assert server.http.get("/api/health", headers={"host": "evil.example"}).status_code == 403
    policy = server.http.get("/api/health").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (["no json"], 4400),
        ([b"bytes"], 4400),
        (['{"type":"ping"}'], 4400),
        (['{"type":"join","tokens":["' + "x" * 20_000 + '"]}'], 4413),
        (['{"type":"join"}', *['{"type":"ping"}'] * 80], 4429),
    ],
)
def test_bad_manners_end_a_connection(server: Server, sent: list[Any], code: int) -> None:
    browser = server.connect(server.table("tic-tac-toe")["table"])
    with pytest.raises(ConnectionClosed) as closed:
        say_and_listen(browser, sent)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


def test_a_body_without_an_announced_length_is_cut_off(server: Server) -> None:
    body = (b" " * 10_000 for _ in range(100))
    answer = server.http.post("/api/tables", content=body)
    assert answer.status_code == 400
    assert answer.json()["problem"]["code"] == "invalid"


def say_and_listen(browser: Browser, sent: list[Any]) -> None:
    for text in sent:
        browser.socket.send(text)
    while True:
        browser.receive()


def test_tables_and_connections_are_limited(tmp_path: pathlib.Path) -> None:
    limits = Configuration(most_tables=1, connections_a_table=1, join_seconds=0.2)
    with in_thread(tmp_path, limits) as server:
        made = server.table("tic-tac-toe")
        answer = server.http.post("/api/tables", json={"game": "tic-tac-toe"})
        assert answer.status_code == 503
        server.sit(made)
        assert problem(server.connect(made["table"]).join()) == "busy"
        late = server.connect(made["table"])
        with pytest.raises(ConnectionClosed) as closed:
            late.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4408


# --- restarts -----------------------------------------------------------------


def test_nothing_acknowledged_is_lost_by_a_kill(tmp_path: pathlib.Path) -> None:
    with Process(tmp_path) as server:
        made = server.table("tic-tac-toe", "here", "elsewhere")
        ann = server.sit(made)
        bob = server.browse(made["table"])
        bob.ask("claim", invitation=made["keys"][1]["invitation"], name="Bob")
        assert ann.move(4)["type"] == "done"
        bob.until_state(lambda state: state["node"] == 1)
        assert bob.move(0)["type"] == "done"
        assert ann.ask("branch", node=0, move=8)["type"] == "done"
        before = server.http.get(f"/api/tables/{made['table']}").json()
        server.end(signal.SIGKILL)
    with Process(tmp_path) as server:
        again = server.browse(made["table"], bob.given()["token"])
        assert again.welcome["seats"] == [1]
        after = server.http.get(f"/api/tables/{made['table']}").json()
        for part in ("nodes", "node", "path", "position", "round"):
            assert after["state"][part] == before["state"][part]
        assert again.move(4)["type"] == "done"
        assert again.state["seats"][1]["name"] == "Bob"
        assert server.end(signal.SIGTERM) == ""


def test_a_move_is_acknowledged_only_when_it_is_on_disk(tmp_path: pathlib.Path) -> None:
    with in_thread(tmp_path) as server:
        browser = server.sit(server.table("tic-tac-toe"))
        other = sqlite3.connect(tmp_path / "tables.sqlite", isolation_level=None)
        with contextlib.closing(other):
            other.execute("begin immediate")  # nobody else can write now
            browser.socket.send(json.dumps({"type": "move", "node": 0, "move": 4, "request": 9}))
            with pytest.raises(TimeoutError):
                browser.socket.recv(timeout=0.3)
            other.execute("rollback")
        assert browser.until(lambda m: m.get("request") == 9)["type"] == "done"


def line_to(browser: Browser, node: int) -> list[int]:
    """The moves that lead to a node."""
    found = []
    while node:
        found.append(browser.nodes[node]["move"])
        node = browser.nodes[node]["parent"]
    return found


def test_a_full_disk_is_told_and_loses_nothing(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def remembering(*given: Any, **named: Any) -> sqlite3.Connection:
        opened.append(connect(*given, **named))
        return opened[-1]

    monkeypatch.setattr("quintet.web.storage.sqlite3.connect", remembering)
    with in_thread(tmp_path, Configuration(messages_at_once=1_000)) as server:
        made = server.table("tic-tac-toe")
        browser = server.sit(made)
        assert browser.move(4)["type"] == "done"
        opened[0].execute("pragma max_page_count = 1")  # no page more than there are
        answers = (
            browser.ask("branch", node=node, move=move)
            for node in itertools.count(1)
            for move in range(9)
            if move not in line_to(browser, node)
        )
        with contextlib.suppress(ConnectionClosed):  # all are to see again what is stored
            all(answer["type"] == "done" for answer in answers)
        assert problem(browser.others[-1]) == "busy"
        assert browser.others[-1]["problem"]["message"].endswith("database or disk is full")
        known = dict(browser.nodes)
        moves = list(range(6))
        refused = [
            server.http.post("/api/tables", json={"game": "tic-tac-toe", "moves": moves})
            for _ in range(20)
        ][-1]
        assert (refused.status_code, refused.json()["problem"]["code"]) == (503, "busy")
        opened[0].execute("pragma max_page_count = 100000")
        again = server.sit(made)  # as the page does when it was cut off
        assert again.nodes == known
        assert again.ask("resign", seat=0)["type"] == "done"
    with in_thread(tmp_path) as server:
        state = server.http.get(f"/api/tables/{made['table']}").json()["state"]
        assert len(state["nodes"]) == len(known) + 1


def test_who_moves_and_goes_has_moved(server: Server) -> None:
    made = server.table("tic-tac-toe")
    for ply in range(5):
        browser = server.sit(made)
        request = {"type": "move", "node": ply, "move": ply}
        browser.socket.send(json.dumps(request))
        browser.close()
        again = server.browse(made["table"])
        again.until_state(lambda state, ply=ply: state["node"] == ply + 1)
        again.close()


def test_a_kill_in_the_midst_of_moves_loses_none_that_was_acknowledged(
    tmp_path: pathlib.Path,
) -> None:
    with Process(tmp_path) as server:
        made = server.table("tic-tac-toe")
        browser = server.sit(made)
        for move in range(9):
            browser.ask("branch", node=0, move=move)
        for number in range(40):  # replies to each of them, without waiting
            node, move = number % 8 + 1, (number // 8 + number % 8 + 1) % 9
            request = {"type": "branch", "node": node, "move": move, "request": 1_000 + number}
            browser.socket.send(json.dumps(request))
        done = 0
        while done < 15:
            done += browser.receive().get("request", 0) >= 1_000
        server.end(signal.SIGKILL)
    with Process(tmp_path) as server:
        nodes = server.http.get(f"/api/tables/{made['table']}").json()["state"]["nodes"]
        assert len(nodes) >= 1 + 9 + done
        acknowledged = {node: it["move"] for node, it in browser.nodes.items()}
        assert acknowledged.items() <= {node["id"]: node["move"] for node in nodes}.items()


def test_an_open_address_is_told_with_its_risks(tmp_path: pathlib.Path) -> None:
    with Process(tmp_path, "--host", "0.0.0.0") as server:
        assert server.http.get("/api/health").status_code == 200
        assert "Nothing is encrypted" in server.end(signal.SIGTERM)
    with Process(tmp_path) as server:
        assert server.said.startswith("Quintet is at http://127.0.0.1:")
        assert server.end(signal.SIGINT) == ""


def test_a_game_of_ones_own_is_played_by_its_text(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text((ROOT / "examples" / "elbow_room.py").read_text())
    text = f"{file}:ElbowRoom"
    with Process(tmp_path, "--game", text) as server:
        assert text in [game["name"] for game in server.http.get("/api/games").json()]
        browser = server.sit(server.table(text))
        assert browser.move(browser.state["position"]["legal"][0])["type"] == "done"
        assert server.http.get("/api/board", params={"game": f"{file}:Other"}).status_code == 403
        assert server.end(signal.SIGTERM) == ""
