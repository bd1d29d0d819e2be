"""Our players as engines of GTP: the replies, n players, and lines that nobody should send."""

from __future__ import annotations

import io
import pathlib
import random
import re
import time

import pytest

from quintet import games, rules
from quintet.bridges import sgf
from quintet.bridges.channel import Channel
from quintet.bridges.clock import Clock
from quintet.bridges.game_tree import tree_of
from quintet.bridges.gtp_server import Engine, serve
from quintet.notation import move_name
from tests.unit.engine_talk import Talk, silent


def engine(game: str = "go:size=5", player: str = "uct:sims=40") -> Engine:
    return Engine(games.make(game), player, 1, silent())


def talk(game: str = "go:size=5", player: str = "uct:sims=40") -> Talk:
    return Talk(lambda channel: serve(Engine(games.make(game), player, 1, channel), channel))


def test_framing_ids_and_comments() -> None:
    target = io.BytesIO()
    lines = b"# hello\n\n7 protocol_version\r\n  name # me\nnonsense\n12 nonsense\nquit\nname\n"
    channel = Channel(io.BytesIO(lines), target)
    serve(Engine(games.make("go:size=5"), "random", 1, channel), channel)
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
    assert str(it.answer("list_games")).startswith("= go:size=5\nk-in-a-row\n")


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


NAME = "([A-E][1-5]|pass)"
LZ = r"visits \d+ winrate \d{1,5} prior \d{1,5} lcb \d{1,5}"
KATA = r"visits \d+ utility [-.\d]+ winrate [01]\.\d{6} scoreLead [-.\d]+ scoreMean [-.\d]+ prior 0\.038462 lcb 0\.\d{6}"  # fmt: skip # noqa: E501


def _check_report(line: str, pattern: str) -> int:
    """Is this a line as front ends expect it?  How many visits its moves have together."""
    moves = line.split("info ")[1:]
    assert moves
    for order, move in enumerate(moves):
        assert re.fullmatch(
            rf"move {NAME} {pattern} order {order} pv {NAME}( {NAME})*", move.strip()
        )
    return sum(int(word) for word in re.findall(r"visits (\d+)", line))


@pytest.mark.parametrize(("command", "pattern"), [("lz-analyze", LZ), ("kata-analyze", KATA)])
def test_analysis_goes_on_until_the_next_line(command: str, pattern: str) -> None:
    it = talk()
    it.say("showboard")
    before = it.until("\n\n")
    it.say(f"7 {command} b 5")
    assert it.until("\n") == "=7\n"
    visits = [_check_report(it.until("\n"), pattern) for _ in range(2)]
    while visits[-1] < 2 * visits[0]:  # it deepens
        visits.append(_check_report(it.until("\n"), pattern))
    assert visits == sorted(visits)
    begun = time.monotonic()
    it.say("8 name")
    rest = it.until("=8 Quintet\n\n")
    assert time.monotonic() - begun < 5
    assert rest.count("\n\n") == 2  # the analysis ends with an empty line of its own
    it.say("showboard")
    assert it.until("\n\n") == before
    it.end()


def test_analysis_tells_more_if_asked() -> None:
    it = engine(player="uct:sims=40,goal=win")
    reply = str(it.answer("kata-analyze w interval 5 maxmoves 2 rootInfo true ownership true"))
    moves, _, rest = reply.partition(" rootInfo ")
    assert moves.count("info move") == 2
    root, _, owned = rest.partition(" ownership ")
    assert re.fullmatch(r"visits \d+ utility \S+ winrate \S+ scoreLead \S+", root)
    assert len(owned.split()) == 25
    assert all(-1 <= float(value) <= 1 for value in owned.split())
    for wrong in ("maxmoves x", "ownership perhaps", "avoid", "avoid b A1", "b b 5"):
        assert str(it.answer(f"lz-analyze {wrong}")).startswith("?")
    assert engine("othello").answer("kata-analyze ownership true") == "? ownership is told for Go alone"  # fmt: skip # noqa: E501
    assert "play" not in str(engine("go:size=5,players=3").answer("lz-analyze 2 5"))


def test_who_owns_what_is_seen_by_who_is_to_move() -> None:
    it = engine()
    for column in "ABCDE":
        it.answer(f"play b {column}2")
        it.answer(f"play b {column}4")
    seen = {}
    for color in "bw":
        owned = str(it.answer(f"kata-analyze {color} ownership true")).split("ownership ")[1]
        seen[color] = [float(word) for word in owned.split()]
    assert sum(seen["b"]) > 5
    assert sum(seen["w"]) < -5
    lead = re.search(r"scoreLead (\S+)", str(it.answer("kata-analyze b")))
    assert lead is not None
    assert float(lead[1]) > 3


@pytest.mark.parametrize("player", ["uct:sims=3000", "greedy", "alphabeta:depth=1"])
def test_a_move_in_sight(player: str) -> None:
    it = talk(player=player)
    it.say("3 kata-genmove_analyze b interval 1")
    reply = it.until("\n\n")
    first, *reports, play, empty = reply.split("\n")[:-1]
    assert (first, empty) == ("=3", "")
    assert reports
    assert all(line.startswith("info move") for line in reports)
    assert re.fullmatch(rf"play {NAME}", play)
    if player.startswith("uct"):
        assert _check_report(reports[-1], KATA) == 3000  # no more than it has without
    it.say("showboard")
    assert "turn: 1" in it.until("\n\n")
    it.end()


def test_time_shortens_thoughts() -> None:
    it = engine(player="uct:sims=0,seconds=100")
    assert it.answer("time_settings 5 0 0") == "="
    begun = time.monotonic()
    it.answer("genmove b")
    it.answer("time_left w 1 1")
    it.answer("genmove w")
    assert time.monotonic() - begun < 20
    assert re.fullmatch(r"= [01]\.\d{6}", str(it.answer("get_value")))
    assert it.answer("time_settings 5") == "? expected main time, byo-yomi time and byo-yomi stones"
    assert str(it.answer("time_left b -1 0")).startswith("? expected a color")


def test_clocks() -> None:
    clock = Clock()
    assert clock.seconds(0, 9.0) == 9.0  # no limit but its own
    clock.settle(100, 10, 5)
    assert clock.seconds(0, 9.0) == pytest.approx(0.9 * 100 / 25)
    clock.spend(0, 50)
    assert clock.seconds(0, 9.0) == pytest.approx(0.9 * 50 / 25)
    assert clock.seconds(1, 9.0) == pytest.approx(0.9 * 100 / 25)
    clock.spend(0, 60)  # into the first period
    assert clock.seconds(0, 9.0) == pytest.approx(0.9 * 10 / 5)
    clock.tell(0, 1, 1)
    assert clock.seconds(0, 9.0) == pytest.approx(0.9)
    clock.spend(0, 0.5)  # that was its last move: the next period
    assert clock.seconds(0, 9.0) == pytest.approx(0.9 * 10 / 5)
    for endless in ((0, 0, 0), (10, 5, 0)):
        clock.settle(*endless)
        assert clock.seconds(0, 9.0) == 9.0


def test_other_games_places_and_files(tmp_path: pathlib.Path) -> None:
    it = engine(player="random")
    assert it.answer("set_game Tic Tac Toe") == "="
    file = tmp_path / "game.sgf"
    game = games.make("tic-tac-toe")
    file.write_bytes(sgf.write([tree_of(game, [4, 0, 3, 1, 5])]))
    assert it.answer(f"loadsgf {file} 3") == "="
    assert it.answer("all_legal w") == "="
    assert len(str(it.answer("all_legal b")).split()) == 8
    assert it.answer("get_place b") == "? the game is not over"
    assert it.answer(f"loadsgf {file}") == "="
    assert [it.answer(f"get_place {color}") for color in "bw"] == ["= 1", "= 2"]
    assert it.answer("undo") == "="
    assert it.answer("get_value") == "? no search has told a value yet"
    board = it.answer("showboard")
    file.write_text("(;GM[2];B[a1])")
    for wrong in (f"loadsgf {file}", "loadsgf none.sgf", "loadsgf", f"loadsgf {file} x"):
        assert str(it.answer(wrong)).startswith("?")
    for wrong in ("set_game chess", "set_game ./x.py:Game", "set_game openspiel:hex", "set_game"):
        assert str(it.answer(wrong)).startswith("?")
    assert it.answer("showboard") == board
    three = engine("go:size=5,players=3", "random")
    for seat in (1, 2, 3):
        three.answer(f"play {seat} pass")
    assert [three.answer(f"get_place {seat}") for seat in (1, 2, 3)] == ["= 1 shared"] * 3


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


WORDS = ["play", "genmove", "undo", "komi", "boardsize", "clear_board", "b", "w", "1", "2", "3", "pass", "A1", "C3", "5", "7", "6.5", "1e999", "nan", "-1", "list_commands", "known_command", "lz-analyze", "kata-analyze", "100", "final_score", "showboard", "all_legal", "reg_genmove", "time_left", "time_settings", "lz-genmove_analyze", "interval", "ownership", "true", "loadsgf", "set_game", "go", "get_place", "get_value", "#", "\x00", "é", "99999999999999999999"]  # fmt: skip # noqa: E501


def _fuzz(count: int, seed: int) -> None:
    chance = random.Random(seed)
    engines = [engine("go:size=5", "random"), engine("go:size=5,players=3", "random")]
    for _ in range(count):
        words = chance.choices(WORDS, k=chance.randrange(5))
        line = " ".join(words)
        if "boardsize" in line:
            line = line.replace("7", "5")  # compiling other sizes is not what is tried
        line = line.replace("set_game go", "set_game go:size=5")
        if chance.random() < 0.3 and line:
            at = chance.randrange(len(line))
            line = line[:at] + chr(chance.randrange(300)) + line[at + 1 :]
            if "boardsize" in line or "oardsiz" in line:
                continue
        reply = chance.choice(engines).answer(line)
        assert reply is None or re.match(r"[=?]\d*|info move|play ", reply)
        assert reply is None or "\n\n" not in reply


def test_mutated_lines() -> None:
    _fuzz(500, 1)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_many_mutated_lines() -> None:
    _fuzz(100_000, 2)
