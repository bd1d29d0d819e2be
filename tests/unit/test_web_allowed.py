"""What a page may name, and how much a player may use; the configuration; who may ask."""

from __future__ import annotations

import asyncio
import pathlib
import re
from typing import Any

import pytest

from quintet import games
from quintet.errors import UserError
from quintet.learn import LEARNERS
from quintet.players import make_player
from quintet.runs.run import Run
from quintet.runs.settings import Settings
from quintet.runs.trained import FOLDER, shipped_for
from quintet.web.allowed import Allowed, find_run, inside
from quintet.web.configuration import Configuration, read_configuration
from quintet.web.guarding import Guard
from quintet.web.library import games_shown, players_shown
from quintet.web.problems import Refused
from quintet.web.sockets import Allowance
from tests.unit.toy_learner import TOY, Toy

GAME = games.make("tic-tac-toe")
ALLOWED = Allowed(Configuration())
ELBOW_ROOM = pathlib.Path(__file__).parents[2] / "examples" / "elbow_room.py"


@pytest.fixture
def runs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    folder = tmp_path / "runs"
    folder.mkdir()
    monkeypatch.setenv(FOLDER, str(folder))
    return folder


@pytest.mark.parametrize(
    "text",
    [
        "run:../secret",
        "run:/etc",
        "run:.",
        "run:",
        "run:a/b",
        "run:x@-1",
        "run:x@1e3",
        "model:/etc/passwd",
        "model:../x.safetensors",
        "model:x.txt",
        "model:x\0.safetensors",
        "model(/etc/passwd)",
        "uct:eval=model(/etc/passwd)",
        "engine:gnugo",
        "uct:eval=engine(gnugo)",
        "uct:sims=1000000000",
        "uct:seconds=3600",
        "uct:threads=64",
        "no-such-player",
        "uct:" + "eval=playout(" * 40,
        "",
    ],
)
def test_refused_players(text: str, runs: pathlib.Path) -> None:
    with pytest.raises(UserError):
        ALLOWED.player(text, GAME)


def test_depth_without_a_clock_is_limited() -> None:
    othello = games.make("othello")
    with pytest.raises(Refused, match="depth=50; this server allows 6"):
        ALLOWED.player("positional:depth=50", othello)
    assert ALLOWED.player("positional:depth=3", othello).depth == 3


def test_a_search_gets_a_clock_and_small_trees() -> None:
    player = ALLOWED.player("uct:sims=500", GAME)
    assert (player.sims, player.seconds, player.nodes) == (500, 10.0, 200_000)
    assert ALLOWED.player("alphabeta:table=5000", GAME).table == 16
    assert ALLOWED.player("greedy", GAME) == make_player("greedy", GAME)


def test_games_of_openspiel_are_not_for_strangers() -> None:
    allowed = Allowed(Configuration(), ("openspiel:tic_tac_toe",))
    assert allowed.game("openspiel:tic_tac_toe").limits().moves == 9
    assert allowed.own_games[0] in [one.name for one in games_shown(allowed)]
    for text in ("openspiel:tic_tac_toe(x=1)", "openspiel:efg_game(filename=secret)"):
        for one in (ALLOWED, allowed):
            with pytest.raises(Refused, match="OpenSpiel"):
                one.game(text)


def test_games_in_python_files_only_from_the_command_line(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Refused, match="Python file"):
        ALLOWED.game(f"{tmp_path}/game.py:Game")
    file = tmp_path / "elbow.py"
    file.write_text(ELBOW_ROOM.read_text())
    monkeypatch.chdir(tmp_path)
    allowed = Allowed(Configuration(), ("elbow.py:ElbowRoom:size=6",))
    for text in ("elbow.py:Elbow", "other.py:ElbowRoom", "x/elbow.py:ElbowRoom"):
        with pytest.raises(Refused, match="Python file"):
            allowed.game(text)
    for text in ("elbow.py:ElbowRoom", "elbow.py:ElbowRoom:size=7", f"{file}:ElbowRoom:size=4"):
        game = allowed.game(text)
        assert allowed.game(games.text_of(game)) == game  # as tables are kept and shown
    (shown,) = [one for one in games_shown(allowed) if ".py:" in one.name]
    assert (shown.name, shown.seats) == (f"{file}:ElbowRoom", 3)


def test_links_do_not_lead_out_of_the_runs(runs: pathlib.Path) -> None:
    outside = runs.parent / "outside"
    outside.mkdir()
    (outside / "run.toml").write_text("")
    (runs / "link").symlink_to(outside)
    with pytest.raises(Refused, match="outside"):
        inside(runs, "link/run.toml")
    with pytest.raises(Refused, match="outside"):
        find_run("link")
    (runs / "half").mkdir()
    (runs / "half" / "run.toml").symlink_to(outside / "run.toml")
    with pytest.raises(Refused, match="outside"):
        find_run("half")


def test_a_run_plays_and_its_model_too(runs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEARNERS, "toy", TOY)
    run = Run.create(runs / "first", Settings(Toy(steps=3), GAME, 1))
    run.train()
    assert ALLOWED.player("run:first@3", GAME) == make_player("random", GAME)
    name = run.checkpoints()[-1].path.relative_to(runs)
    assert ALLOWED.player(f"model:{name}", GAME) == make_player("random", GAME)
    with pytest.raises(UserError, match="no checkpoint 77"):
        ALLOWED.player("run:first@77", GAME)


def test_models_that_come_with_quintet_are_offered_where_they_play(runs: pathlib.Path) -> None:
    game = games.make("pente:size=7")
    (model, *_) = players_shown(game).models
    assert re.fullmatch(r"model:[a-z0-9-]+", model.player)
    assert "% of" in model.strengths[0]
    assert ALLOWED.player(model.player, game) is not None
    assert players_shown(GAME).models == []


def test_configuration(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "serve.toml"
    file.write_text('most_tables = 7\nmost_seconds = 2\nhint_player = "greedy"\n')
    found = read_configuration(file)
    assert (found.most_tables, found.most_seconds, found.hint_player) == (7, 2.0, "greedy")
    for text, problem in [
        ("most_table = 7", "did you mean 'most_tables'"),
        ('most_tables = "7"', "expected a whole number"),
        ("most_tables = 0", "more than 0"),
        ("most_tables =", "no TOML"),
    ]:
        file.write_text(text)
        with pytest.raises(UserError, match=problem):
            read_configuration(file)


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8000", None, 200),
        ("localhost:8000", "http://localhost:8000", 200),
        ("[::1]:8000", "http://[::1]:8000", 200),
        ("known.example", "https://known.example", 200),
        ("evil.example", None, 403),  # a name made to point here
        ("127.0.0.1.evil.example", None, 403),
        ("", None, 403),
        ("localhost:8000", "http://evil.example", 403),
        ("localhost:8000", "http://localhost:9000", 403),
        ("localhost:8000", "null", 403),
        ("localhost:8000", "http://[", 403),
    ],
)
def test_hosts_and_origins(host: str, origin: str | None, status: int) -> None:
    headers = [(b"host", host.encode())] + ([(b"origin", origin.encode())] if origin else [])
    assert _asked(headers) == status


@pytest.mark.parametrize(
    ("path", "passes"),
    [
        ("/api/tables/abcdefgh/play", True),
        ("/api/tables//play", False),
        ("/api/tables/a/b/play", False),
        ("/", False),
    ],
)
def test_websockets_are_for_tables_alone(path: str, passes: bool) -> None:
    passed: list[str] = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        passed.append(scope["path"])

    async def ignore(*_: Any) -> None:
        pass

    scope = {"type": "websocket", "path": path, "headers": [(b"host", b"localhost")]}
    asyncio.run(Guard(inner, [], 100)(scope, ignore, ignore))
    assert passed == ([path] if passes else [])


def test_bodies_are_limited() -> None:
    host = (b"host", b"localhost")
    assert _asked([host, (b"content-length", b"101")]) == 413
    assert _asked([host, (b"content-length", b"x")]) == 413
    assert _asked([host, (b"content-length", b"100")]) == 200


def _asked(headers: list[tuple[bytes, bytes]]) -> int:
    """The status of a request that comes through the guard."""
    sent: list[Any] = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message)

    guard = Guard(inner, ["known.example"], 100)
    asyncio.run(guard({"type": "http", "headers": headers}, None, send))
    assert any(name == b"content-security-policy" for name, _ in sent[0]["headers"])
    return int(sent[0]["status"])


def test_an_allowance_is_used_up_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("quintet.web.sockets.time.monotonic", lambda: now[0])
    allowance = Allowance(2.0, 3)
    assert [allowance.take() for _ in range(4)] == [True, True, True, False]
    now[0] += 1.0
    assert [allowance.take() for _ in range(3)] == [True, True, False]


def test_a_model_that_comes_along_plays_on_the_page() -> None:
    card = shipped_for()[0]
    game = games.make(card.game)
    assert type(ALLOWED.player(card.player, game)) is type(make_player(card.player, game))
    with pytest.raises(UserError, match="no model 'nobody' comes with Quintet"):
        ALLOWED.player("model:nobody", game)
