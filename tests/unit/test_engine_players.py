"""Engines as players: with a scripted engine for each protocol, which may misbehave."""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

import pytest
from click.testing import CliRunner

from quintet import games, rules
from quintet.arena.match import Terms, entrants, play_match
from quintet.bridges.engines.configuration import FILE, all_engines
from quintet.bridges.engines.program import EngineError, running
from quintet.cli import main
from quintet.errors import UserError
from quintet.notation import move_name, parse_move, parse_picture, picture
from quintet.players import make_player
from quintet.players.player import Seat
from quintet.players.thinking import Line, Thinker
from quintet.randomness import seeded
from quintet.web.allowed import Allowed
from quintet.web.configuration import Configuration
from quintet.web.library import players_shown
from quintet.web.problems import Refused

FAKE = str(pathlib.Path(__file__).with_name("fake_engine.py"))
GAMES = {
    "gtp": "tic-tac-toe",
    "gomocup": "k-in-a-row:rows=6,columns=7,k=4",
    "nboard": "othello",
    "pente": "pente:tournament=yes",
    "bsd-gomoku": "go-moku:rows=19,columns=19",
}
MISDEEDS = {
    "die": r"was killed \(SIGKILL\).*it said: .*out of cheese",
    "leave": "ended with exit code 3",
    "silence": "did not answer",
    "garbage": r"expected|saved a game|did not answer",
    "flood": "said more than 1048576 bytes",
    "lines": r"said more than 1048576 bytes|expected",
    "illegal": "which is not legal",
}


@pytest.fixture
def configured(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lets a scripted engine of a protocol be called fake."""

    def configure(protocol: str, misdeed: str = "none", at: int = 1, timeout: float = 20.0) -> str:
        command = [sys.executable, "-S", FAKE, protocol, misdeed, str(at)]
        write(
            f"[fake]\ncommand = {json.dumps(command)}\nprotocol = '{protocol}'\n"
            f"games = ['{GAMES[protocol]}']\ntimeout = {timeout}\n"
        )
        return GAMES[protocol]

    def write(text: str) -> None:
        (tmp_path / "engines.toml").write_text(text)

    monkeypatch.setenv(FILE, str(tmp_path / "engines.toml"))
    configure.write = write  # type: ignore[attr-defined]
    return configure


def seat_of(text: str, game: Any) -> Seat:
    seat = Seat(make_player(text, game), game, seeded(1))
    seat.begin()
    return seat


def play(game: Any, seats: list[Seat], position: Any, names: str) -> None:
    """Make some moves, which all see."""
    for name in names.split():
        move = parse_move(game, name)
        for seat in seats:
            seat.watch(position, move)
        rules.checked_play(game, position, move)


@pytest.mark.parametrize("protocol", GAMES)
def test_whole_games_in_both_seats(protocol: str, configured: Any) -> None:
    game = games.make(configured(protocol))
    before = running()
    other = "random" if protocol in ("pente", "bsd-gomoku") else "greedy"
    result = play_match(game, entrants(["engine:fake", other], game), Terms(2, 3, 0), workers=1)
    assert len(result.games.numbers) == 2
    assert running() == before


@pytest.mark.parametrize("misdeed", MISDEEDS)
@pytest.mark.parametrize("protocol", GAMES)
def test_misdeeds_are_named(protocol: str, misdeed: str, configured: Any) -> None:
    game = games.make(configured(protocol, misdeed, timeout=0.7 if misdeed == "silence" else 20.0))
    engine, position = seat_of("engine:fake", game), rules.new_position(game)
    if protocol != "nboard":  # there is a stone on which it can play
        play(game, [engine], position, {"gtp": "a1", "gomocup": "a1"}.get(protocol, "K10"))
    if protocol == "pente" and misdeed == "garbage":  # which it takes for talk
        engine.player = engine.player._replace(timeout=0.7)
        engine.memory = engine.player.memory(game)
        engine.watch(rules.new_position(game), parse_move(game, "K10"))
    with pytest.raises(EngineError, match=MISDEEDS[misdeed]) as caught:
        engine.choose(position)
    assert "engine:fake" in str(caught.value)
    if misdeed == "illegal":
        assert picture(game, position) in str(caught.value)


def test_a_match_ends_with_the_engines_error(configured: Any) -> None:
    game = configured("gomocup", "die", 2)
    done = CliRunner().invoke(main, ["match", game, "--players", "engine:fake", "random"])
    assert done.exit_code == 2
    assert "quintet: engine:fake was killed (SIGKILL)" in done.output
    assert "out of cheese" in done.output


def test_after_an_error_it_is_started_again(configured: Any) -> None:
    game = games.make(configured("gomocup", "leave", 2))
    engine, position = seat_of("engine:fake", game), rules.new_position(game)
    assert engine.choose(position) == parse_move(game, "a6")
    play(game, [engine], position, "a6 b6")
    with pytest.raises(EngineError, match="exit code 3"):
        engine.choose(position)
    assert engine.choose(position) == parse_move(game, "c6")


@pytest.mark.parametrize("protocol", ["gtp", "gomocup", "nboard", "bsd-gomoku"])
def test_it_is_kept_in_step(protocol: str, configured: Any) -> None:
    """After moves taken back, and others in their place, it knows the board."""
    game = games.make(configured(protocol))
    engine, position = seat_of("engine:fake", game), rules.new_position(game)
    lines = {
        "gtp": ("c3 b2", "a1 c3 b1"),
        "gomocup": ("a6 b6", "c6 a6 b6"),
        "nboard": ("d3 c3", "c4 c3 d3"),
        "bsd-gomoku": ("A1 K10", "K10 A1 B1"),
    }
    expected = {"gtp": "c1", "gomocup": "d6", "nboard": "c2", "bsd-gomoku": "C1"}
    first, second = lines[protocol]
    play(game, [engine], position, first)
    engine.choose(position)
    engine.begin()
    position = rules.new_position(game)
    play(game, [engine], position, second)
    legal = [parse_move(game, expected[protocol])]
    if protocol == "nboard":
        legal = rules.list_legal_moves(game, position)[:1]
    assert [engine.choose(position)] == legal


@pytest.mark.parametrize(
    ("protocol", "answer"), [("gtp", None), ("gomocup", "c1"), ("bsd-gomoku", None)]
)
def test_a_position_that_was_set_up(protocol: str, answer: str | None, configured: Any) -> None:
    game = games.make(configured(protocol))
    position = rules.new_position(game)
    lowest = {"gtp": "a1 b2 b1", "gomocup": "a6 b2 b6"}.get(protocol, "A1 B2 B1")
    play(game, [], position, lowest)
    position = parse_picture(game, picture(game, position))
    engine = seat_of("engine:fake", game)
    if answer is None:
        with pytest.raises(EngineError, match="knows only moves from the start"):
            engine.choose(position)
    else:
        assert engine.choose(position) == parse_move(game, "c6")
        play(game, [engine], position, "c6 d6")
        assert engine.choose(position) == parse_move(game, "e6")


def test_pente_cannot_be_given_its_own_moves(configured: Any) -> None:
    game = games.make(configured("pente"))
    engine, position = seat_of("engine:fake", game), rules.new_position(game)
    play(game, [engine], position, "K10 K11 K13 L11 A1")
    with pytest.raises(EngineError, match=r"cannot be given its own moves.*no random opening"):
        engine.choose(position)


def test_another_can_stop_it(configured: Any) -> None:
    import threading

    game = games.make(configured("gomocup", "silence", 1))
    engine = seat_of("engine:fake", game)
    timer = threading.Timer(0.5, engine.stop)
    timer.start()
    with pytest.raises(EngineError, match="was stopped"):
        engine.choose(rules.new_position(game))


def test_a_table_of_the_page_may_go_back_and_branch(configured: Any) -> None:
    game = games.make(configured("gomocup"))
    thinker = Thinker(lambda: make_player("engine:fake", game), game, 1)

    def answer(nodes: tuple[int, ...], names: str) -> str:
        moves = tuple(parse_move(game, name) for name in names.split())
        positions = [rules.new_position(game)]
        for move in moves:
            positions.append(rules.copied(positions[-1]))
            rules.checked_play(game, positions[-1], move)
        line = Line(1, nodes, moves, tuple(positions))
        return move_name(game, thinker.choose(line, lambda: True).move)

    assert answer((0, 1), "b6") == "a6"
    assert answer((0, 1, 2, 3), "b6 a6 c6") == "d6"
    assert answer((0, 4), "a6") == "b6"  # taken back, and another move
    assert answer((0, 1), "b6") == "a6"


# --- texts and the file ---------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["engine:gnugo:level=5", "engine:gnugo,level=5", "engine:gnugo(level=5)"]
)
def test_settings_in_its_text(text: str, configured: Any) -> None:
    player = make_player(text, games.make("go:size=5"))
    assert str(player) == "engine:gnugo:level=5"
    slower = text.replace("level=5", "level=5,timeout=300")
    assert make_player(slower, games.make("go:size=5")).timeout == 300.0


@pytest.mark.parametrize(
    ("text", "game", "problem"),
    [
        ("engine:gnu", "go", "no engine 'gnu'; there are"),
        ("engine:gnugo:level=11", "go", "level=11 is not possible; expected 1 to 10"),
        ("engine:gnugo:level=-1", "go", "expected 1 to 10"),
        ("engine:gnugo:levl=3", "go", "did you mean 'level'"),
        ("engine:gnugo:timeout=0", "go", "timeout=0 is not possible"),
        ("engine:gnugo", "othello", "it plays go; not othello"),
        ("engine:gnugo", "go:players=3,size=5", "it is for two players"),
        ("engine:gnugo", "go:size=5,passing=forced", "expected passing=free"),
        ("engine:grhino", "othello:size=6", "8 x 8"),
        ("engine:pente", "pente", "pente:tournament=yes"),
        ("engine:gomoku", "go-moku", "rows=19,columns=19"),
        ("engine:gomoku", "connect-four", "it plays go-moku"),
        ("engine:", "go", "names no engine"),
        ("engine:/bin/sh", "go", "names no engine"),
    ],
)
def test_wrong_texts(text: str, game: str, problem: str, configured: Any) -> None:
    with pytest.raises(UserError, match=problem):
        make_player(text, games.make(game))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[x", "no TOML"),
        ("x = 1", "expected a table"),
        ("['a b']", "expected a table"),
        ("[x]", "'command' is missing"),
        ("[x]\ncommand = 'a'\nprotocol = 'gtp'", "'games' is missing"),
        ("[x]\ncommand = 'a'\nprotocol = 'uci'\ngames = ['go']", "expected gtp, gomocup"),
        ("[x]\ncommand = []\nprotocol = 'gtp'\ngames = ['go']", "expected a program"),
        ("[x]\ncommand = 'a \"'\nprotocol = 'gtp'\ngames = ['go']", "cannot be read"),
        ("[x]\ncommand = 'a'\nprotocol = 'gtp'\ngames = ['chess']", "no game 'chess'"),
        ("[gnugo]\nlevel = 3", "no key 'level'"),
        ("[gnugo]\ntimeout = true", "expected a int or float"),
        ("[gnugo]\ntimeout = 0", "more than 0"),
        ("[gnugo]\nsettings = {level = [3, 2, 1]}", "low <= default <= high"),
        ("[gnugo]\nsettings = {level = 3}", "lowest, highest, default"),
    ],
)
def test_mistakes_in_the_file(content: str, problem: str, configured: Any) -> None:
    configured.write(content)
    with pytest.raises(UserError, match=problem):
        all_engines()


def test_the_file_describes_engines(configured: Any) -> None:
    configured.write(
        "[mine]\ncommand = '/opt/my engine --depth {depth}'\nprotocol = 'nboard'\n"
        "games = ['othello']\nsettings = { depth = [1, 20, 6] }\n[gnugo]\ntimeout = 5\n"
    )
    engines = all_engines()
    assert engines["gnugo"].timeout == 5.0
    assert engines["gnugo"].configured
    assert not engines["grhino"].configured
    player = make_player("engine:mine:depth=9", games.make("othello"))
    command = player.engine.command_for(games.make("othello"), dict(player.values))
    assert command == ["/opt/my", "engine", "--depth", "9"]


def test_engines_are_listed(configured: Any) -> None:
    configured.write("[mine]\ncommand = 'no-such'\nprotocol = 'gtp'\ngames = ['go']\n")
    done = CliRunner().invoke(main, ["engines", "--json"])
    assert done.exit_code == 0
    known = {one["name"]: one for one in json.loads(done.output)}
    assert set(known) == {"gnugo", "grhino", "pente", "gomoku", "mine"}
    assert not known["mine"]["found"]
    assert known["gomoku"]["install"] == "on Debian: apt-get install bsdgames"
    assert CliRunner().invoke(main, ["engines", "mine"]).exit_code == 1
    wrong = CliRunner().invoke(main, ["engines", "nobody"])
    assert wrong.exit_code == 2
    assert "no engine 'nobody'" in wrong.output


# --- the page -------------------------------------------------------------------


def test_a_page_names_only_engines_of_the_file(configured: Any) -> None:
    game = games.make("tic-tac-toe")
    allowed = Allowed(Configuration(engine_seconds=7.0))
    configured("gtp")
    assert allowed.player("engine:fake", game).timeout == 7.0
    for text in ("engine:gnugo", "engine:/bin/sh", "engine:sh -c true", "engine:", "engine:fake("):
        with pytest.raises(UserError) as caught:
            allowed.player(text, game)
        assert str(pathlib.Path.home()) not in str(caught.value)
    with pytest.raises(Refused, match="this server lets a page use; there are fake"):
        allowed.player("engine:grhino:level=1", games.make("othello"))
    for text in ("uct:eval=engine(fake)", "engine(fake)", " engine:fake"):
        with pytest.raises(UserError):
            allowed.player(text, game)


def test_a_page_starts_only_so_many(configured: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    configured("gtp")
    monkeypatch.setattr("quintet.web.allowed.running", lambda: 8)
    with pytest.raises(Refused, match="too many engines"):
        Allowed(Configuration()).player("engine:fake", games.make("tic-tac-toe"))


def test_a_page_offers_them(configured: Any) -> None:
    game = games.make(configured("gtp"))
    assert "engine:fake" in [one.name for one in players_shown(game).players]
    assert "engine:fake" in [one.name for one in players_shown(games.make("connect-four")).unfit]
