"""Real engines: whole games in both seats, refereed by our rules."""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

import pytest

from quintet import games, rules
from quintet.arena.match import Terms, entrants, play_match
from quintet.bridges.engines.configuration import FILE, find_engine
from quintet.bridges.engines.finding import facts
from quintet.notation import parse_move, parse_picture, picture
from quintet.players import make_player
from quintet.players.player import Seat
from quintet.randomness import seeded

PROGRAMS = {"gnugo": "gnugo", "grhino": "gtp-rhino", "pente": "pente", "gomoku": "gomoku"}


def against(engine: str, game: str, *others: str, marks: Any = ()) -> Any:
    """An engine with its opponents, and the program that it needs."""
    needs = pytest.mark.program(PROGRAMS[engine.split(":", maxsplit=1)[0]])
    return pytest.param(f"engine:{engine}", game, others, marks=[needs, *marks])


EVERYDAY = [
    against("gnugo:level=1", "go:size=5,komi=0/6.5", "random"),
    against("gnugo:level=1", "go:size=5,ko=situational,suicide=yes", "random"),
    against("grhino:level=1", "othello", "random"),
    against("pente:level=1", "pente:tournament=yes", "random"),
    against("gomoku", "go-moku:rows=19,columns=19", "random"),
]
HUNDREDS = [
    (against("gnugo:level=1", "go:size=5,komi=0/6.5", "uct:sims=50"), 100),
    (against("gnugo:level=1", "go:size=4,ko=situational", "random"), 100),
    (against("gnugo:level=1", "go:size=5,ko=simple,suicide=yes", "random"), 100),
    (against("gnugo:level=10", "go:size=7,ko=positional", "uct:sims=50"), 20),
    (against("grhino:level=1", "othello", "random"), 200),
    (against("grhino:level=2", "othello", "uct:sims=50"), 100),
    (against("pente:level=1", "pente:tournament=yes", "blocker"), 100),
    (against("pente:level=2", "pente:tournament=yes", "better"), 100),
    (against("gomoku", "go-moku:rows=19,columns=19", "blocker"), 100),
]


def play(engine: str, game: str, others: tuple[str, ...], count: int) -> None:
    """An illegal move of either side would end the match with an error."""
    made = games.make(game)
    result = play_match(made, entrants([engine, *others], made), Terms(count, 1, 0), workers=1)
    assert result.finished >= count
    assert result.games.distinct > 1
    standing = next(it for it in result.standings() if it.player == engine and it.seat is None)
    assert standing.wins.mean > 0.5  # of random and weak ones


@pytest.mark.parametrize(("engine", "game", "others"), EVERYDAY)
def test_whole_games(engine: str, game: str, others: tuple[str, ...]) -> None:
    play(engine, game, others, 2)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize(
    ("engine", "game", "others", "count"),
    [pytest.param(*row.values, count, marks=row.marks) for row, count in HUNDREDS],
)
def test_hundreds_of_games(engine: str, game: str, others: tuple[str, ...], count: int) -> None:
    play(engine, game, others, count)


@pytest.mark.program("gnugo")
def test_the_same_seed_gives_the_same_games_of_gnu_go() -> None:
    game = games.make("go:size=5,komi=0/6.5")
    table = entrants(["engine:gnugo:level=1", "random"], game)
    digests = [play_match(game, table, Terms(4, 5, 0), workers=w).games for w in (1, 2)]
    assert digests[0].digests.tolist() == digests[1].digests.tolist()


@pytest.mark.program("gnugo")
def test_gnu_go_takes_a_position_that_was_set_up() -> None:
    game = games.make("go:size=5,komi=0/6.5")
    rows = [". . . . .", ". X O X .", ". X O X .", ". . X . .", "O O O O ."]
    lines = ["  A B C D E", *(f"{5 - i} {row}" for i, row in enumerate(rows))]
    start = picture(game, rules.new_position(game)).splitlines()
    position = parse_picture(game, "\n".join([*lines, *start[6:]]))
    engine = Seat(make_player("engine:gnugo", game), game, seeded(1))
    engine.begin()
    # on the empty board it would take the centre, which is not free here
    assert engine.choose(rules.new_position(game)) == parse_move(game, "C3")
    assert engine.choose(position) in rules.list_legal_moves(game, position)


@pytest.mark.program("gtp-rhino")
def test_grhino_is_not_told_of_passes() -> None:
    """In this line White must pass; GRhino plays on as Black and as White."""
    game = games.make("othello")
    for last in (True, False):
        position = rules.new_position(game)
        engine = Seat(make_player("engine:grhino:level=1", game), game, seeded(1))
        engine.begin()
        while rules.list_legal_moves(game, position) != [64]:
            if rules.is_over(game, position):
                return
            legal = rules.list_legal_moves(game, position)
            move = legal[-1] if last else legal[0]
            engine.watch(position, move)
            rules.play(game, position, move)
        assert engine.choose(position) == 64
        engine.watch(position, 64)
        rules.play(game, position, 64)
        assert engine.choose(position) in rules.list_legal_moves(game, position)


@pytest.mark.program("gnugo")
@pytest.mark.program("gtp-rhino")
@pytest.mark.program("pente")
def test_they_tell_their_versions() -> None:
    assert facts(find_engine("gnugo"))["version"] == "3.8"
    assert facts(find_engine("grhino"))["version"].startswith("0.16")
    assert facts(find_engine("pente"))["version"].startswith("2.2")


@pytest.mark.slow  # two processes compile the same games
def test_our_own_player_as_an_engine_for_three(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "go:size=3,players=3"
    command = [sys.executable, "-m", "quintet", "gtp", text, "random", "--seed", "1"]
    (tmp_path / "engines.toml").write_text(
        f"[own]\ncommand = {json.dumps(command)}\nprotocol = 'gtp'\ngames = ['{text}']\n"
        "timeout = 200\n"
    )
    monkeypatch.setenv(FILE, str(tmp_path / "engines.toml"))
    game = games.make(text)
    table = entrants(["engine:own", "random", "random"], game)
    result = play_match(game, table, Terms(3, 1, 0), workers=1)
    assert result.finished == 3
