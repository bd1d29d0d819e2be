"""Our players as engines of GTP: the replies, n players, and lines that nobody should send."""

from __future__ import annotations

import io
import random
import re

import pytest

from quintet import games, rules
from quintet.bridges.gtp_server import Engine, serve
from quintet.notation import move_name


def engine(game: str = "go:size=5", player: str = "uct:sims=40") -> Engine:
    return Engine(games.make(game), player, 1)


def test_framing_ids_and_comments() -> None:
    target = io.BytesIO()
    lines = b"# hello\n\n7 protocol_version\r\n  name # me\nnonsense\n12 nonsense\nquit\nname\n"
    serve(engine(player="random"), io.BytesIO(lines), target)
    unknown = b"? unknown command\n\n?12 unknown command\n\n"
    assert target.getvalue() == b"=7 2\n\n= Quintet\n\n" + unknown + b"=\n\n"


def test_a_game_of_go() -> None:
    it = engine(player="random")
    for line in ("boardsize 7", "komi 6.5", "clear_board", "play b D4", "play w PASS"):
        assert it.answer(line) == "="
    assert it.answer("final_score") == "= B+42.5"
    assert it.answer("play b D4") == "? illegal move"
    assert "not an integer" in str(it.answer("boardsize x"))
    assert str(it.answer("boardsize 99")).startswith("? size=99 is not possible")
    assert re.fullmatch(r"= ([A-G][1-7]|pass)", str(it.answer("genmove b")))
    assert it.answer("undo") == "="
    assert it.answer("undo") == "="
    assert it.answer("undo") == "="
    assert it.answer("undo") == "? cannot undo"
    assert it.answer("list_games") == "= go:size=7,komi=0/6.5"


def test_one_color_may_move_twice_in_go_and_undo_takes_it_back() -> None:
    it = engine(player="random")
    assert it.answer("play b C3") == "="
    before = it.answer("showboard")
    assert it.answer("play b D3") == "="
    assert "turn: 1" in str(it.answer("showboard"))
    assert it.answer("undo") == "="
    assert it.answer("showboard") == before


def test_othello_names_cells_from_the_top() -> None:
    it = engine("othello", "random")
    assert it.answer("all_legal b") == "= d3 c4 f5 e6"
    assert it.answer("play b d3") == "="
    assert it.answer("play b c5") == "? not the turn of this color; expected W"
    assert it.answer("all_legal w") == "= c3 e3 c5"


def test_three_players_are_numbered_and_scored_in_a_list() -> None:
    it = engine("go:size=5,players=3", "random")
    assert it.answer("play 1 A1") == "="
    assert str(it.answer("play b A2")).startswith("? invalid color; expected one of 1, 2, 3")
    for seat in (2, 3, 1):
        assert it.answer(f"play {seat} pass") == "="
    assert it.answer("final_score") == "= 25 0 0"
    assert it.answer("genmove 2") == "? the game is over"


@pytest.mark.parametrize(("command", "pattern"), [("lz-analyze", r"\d{1,5}"), ("kata-analyze", r"[01]\.\d{4}")])  # fmt: skip # noqa: E501
def test_analysis(command: str, pattern: str) -> None:
    it = engine()
    before = it.answer("showboard")
    first, line = str(it.answer(f"{command} b 50")).split("\n")
    assert first == "="
    moves = line.split("info ")[1:]
    assert len(moves) > 5
    for order, move in enumerate(moves):
        name = "([A-E][1-5]|pass)"
        words = rf"move {name} visits \d+ winrate {pattern} order {order} pv {name}( {name})*"
        assert re.fullmatch(words, move.strip())
    assert it.answer("showboard") == before


@pytest.mark.parametrize("text", ["go:size=5", "othello", "pente:size=7,players=3", "pentago"])
def test_two_engines_play_a_whole_game(text: str) -> None:
    game = games.make(text)
    seats, position = game.limits().seats, rules.new_position(game)
    engines = [engine(text, "random") for _ in range(seats)]
    for _ in range(40):
        if rules.is_over(game, position):
            break
        seat = int(rules.turn(game, position))
        name = str(engines[seat].answer(f"genmove {seat + 1}")).removeprefix("= ")
        legal = {move_name(game, move): move for move in rules.list_legal_moves(game, position)}
        rules.checked_play(game, position, legal[name])
        for other in engines[:seat] + engines[seat + 1 :]:
            assert other.answer(f"play {seat + 1} {name}") == "="


WORDS = ["play", "genmove", "undo", "komi", "boardsize", "clear_board", "b", "w", "1", "2", "3", "pass", "A1", "C3", "5", "7", "6.5", "1e999", "nan", "-1", "list_commands", "known_command", "lz-analyze", "kata-analyze", "100", "final_score", "showboard", "all_legal", "reg_genmove", "time_left", "#", "\x00", "é", "99999999999999999999"]  # fmt: skip # noqa: E501


def _fuzz(count: int, seed: int) -> None:
    chance = random.Random(seed)
    engines = [engine("go:size=5", "random"), engine("go:size=5,players=3", "random")]
    for _ in range(count):
        words = chance.choices(WORDS, k=chance.randrange(5))
        line = " ".join(words)
        if "boardsize" in line:
            line = line.replace("7", "5")  # compiling other sizes is not what is tried
        if chance.random() < 0.3 and line:
            at = chance.randrange(len(line))
            line = line[:at] + chr(chance.randrange(300)) + line[at + 1 :]
            if "boardsize" in line or "oardsiz" in line:
                continue
        reply = chance.choice(engines).answer(line)
        assert reply is None or re.match(r"[=?]\d*", reply)
        assert reply is None or "\n\n" not in reply


def test_mutated_lines() -> None:
    _fuzz(500, 1)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_many_mutated_lines() -> None:
    _fuzz(100_000, 2)
