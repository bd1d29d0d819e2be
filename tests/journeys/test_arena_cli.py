"""Matches, tournaments, records and analysis as people use them."""

from __future__ import annotations

import csv
import json
import pathlib
import re
import signal
import subprocess
import time

import pytest

from tests.journeys.test_cli import QUINTET, TIMEOUT, output, run, terminal

MATCH = ["match", "tic-tac-mo", "--players", "greedy", "random", "random"]


def rows(shown: str) -> list[list[str]]:
    """The rows of the table of standings: player, seat, games, then estimates."""
    lines = shown.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("player"))
    found, player = [], ""
    for line in lines[first + 1 :]:
        if not re.search(r"\(.* to .*\)", line):
            break
        player = line.split()[0] if line[0] != " " else player
        found.append([player, *re.split(r"\s{2,}", line[len(player) :].strip())])
    return found


def test_a_match_and_its_files_tell_the_same(tmp_path: pathlib.Path) -> None:
    names = {kind: str(tmp_path / f"out.{kind}") for kind in ("json", "csv", "record")}
    options = [word for kind, name in names.items() for word in (f"--{kind}", name)]
    shown = output(*MATCH, "--games", "60", "--seed", "5", *options)
    found = json.loads(pathlib.Path(names["json"]).read_text())
    table = list(csv.DictReader(pathlib.Path(names["csv"]).read_text().splitlines()))
    printed = rows(shown)
    assert len(printed) == len(found["standings"]) == len(table) == 8
    for row, line, standing in zip(printed, table, found["standings"], strict=True):
        player, seat, games, wins, score, rank = row
        assert (player, games) == (line["player"], line["games"])
        assert (standing["player"], str(standing["games"])) == (player, games)
        assert seat == line["seat"] == str(standing["seat"] or "all")
        for name, text, scale, places in [("wins", wins, 100, 1), ("score", score, 1, 3), ("rank", rank, 1, 2)]:  # fmt: skip # noqa: E501
            values = [standing[name][edge] for edge in ("mean", "low", "high")]
            assert re.findall(r"[\d.]+", text) == [f"{scale * v:.{places}f}" for v in values]
            assert [float(line[name + edge]) for edge in ("", "_low", "_high")] == values
    assert found["games"] == 60
    assert f"60 games, {found['distinct']} distinct" in shown
    assert "seed: 5" in shown
    assert "60 games, all by the rules" in output("replay", names["record"])


def test_the_seed_and_not_the_workers_decide() -> None:
    words = [*MATCH, "--games", "60", "--seed", "7", "--workers"]
    assert output(*words, "1") == output(*words, "2")
    assert output(*words, "1") != output(*MATCH, "--games", "60", "--seed", "8")


def test_a_seed_chosen_by_chance_repeats_the_match() -> None:
    shown = output(*MATCH, "--games", "30")
    assert output(*MATCH, "--games", "30", "--seed", shown.split()[-1]) == shown


def test_until_sure() -> None:
    shown = output(*MATCH, "--games", "5000", "--until-sure", "--seed", "1")
    assert "greedy is best, with an error of at most 5%" in shown
    assert int(rows(shown)[0][2]) < 1000


def test_a_tournament(tmp_path: pathlib.Path) -> None:
    name = str(tmp_path / "out.json")
    words = ["tournament", "connect-four", "--players", "random", "greedy", "--seed", "2"]
    shown = output(*words, "--games", "40", "--json", name)
    found = json.loads(pathlib.Path(name).read_text())
    rating = found["ratings"]["greedy"]
    assert rows(shown)[0][0] == "greedy"
    text = f"{rating['mean']:.0f} ({rating['low']:.0f} to {rating['high']:.0f})"
    assert rows(shown)[0][-1] == text
    assert rating["low"] > 0
    assert found["ahead"]["greedy"]["random"]["mean"] > 0.8
    assert "ahead of" in shown


def test_a_recorded_game_is_shown(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "games.jsonl"
    output(*MATCH, "--games", "6", "--seed", "5", "--openings", "2", "--record", str(file))
    record = json.loads(file.read_text().splitlines()[3])
    shown = output("replay", str(file), "--game", "3")
    players = [["greedy", "random", "random"][player] for player in record["seats"]]
    assert f"X: {players[0]}\nO: {players[1]}\n#: {players[2]}\n" in shown
    assert "The first 2 were drawn at random." in shown
    moves = next(line for line in shown.splitlines() if line.startswith("moves: "))[7:]
    assert len(moves.split()) == len(record["moves"])
    assert "The game is over." in output("show", "tic-tac-mo", "--moves", moves)
    start = output("replay", str(file), "--game", "3", "--ply", "0")
    assert "3 . . . . .\n2 . . . . .\n1 . . . . .\n" in start


def test_players_are_listed() -> None:
    shown = output("players")
    assert "greedy: takes a win" in shown
    assert "worth=0.005 (1e-06 to 0.5)" in shown
    assert "random: any legal move" in output("players", "tic-tac-mo")


def test_analysis_of_a_player_without_thoughts() -> None:
    words = ["analyse", "tic-tac-toe", "--player", "greedy", "--moves", "a1 a3 b1", "--seed", "1"]
    shown = output(*words)
    assert "O (greedy) plays c1" in shown
    assert "does not tell what it thinks" in shown


def test_ctrl_c_tells_what_is_known_and_loses_nothing(tmp_path: pathlib.Path) -> None:
    record, results = tmp_path / "games.jsonl", tmp_path / "out.json"
    options = ["--games", "100000000", "--record", str(record), "--json", str(results)]
    with subprocess.Popen(
        [*QUINTET, *MATCH, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        begun = time.monotonic()
        while not record.exists() or record.stat().st_size < 20_000:
            assert time.monotonic() - begun < TIMEOUT
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130
    assert err == ""
    told = re.match(r"Stopped after (\d+) of \d+ games\.\nplayer ", out)
    assert told
    assert record.read_bytes().endswith(b"}\n")
    assert len(record.read_text().splitlines()) - 1 == int(told[1])
    found = json.loads(results.read_text())
    assert found["stopped"]
    assert 0 < found["games"] <= int(told[1])
    assert f"{told[1]} games, all by the rules" in output("replay", str(record))


def test_a_bar_is_shown_on_a_terminal_only() -> None:
    shown = terminal("", *MATCH, "--games", "60", "--seed", "5")
    assert "/60" in shown
    assert "━" in shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("match tic-tac-mo --players greedy random", "2 player(s) for 3 seats"),
        ("match tic-tac-toe --players gredy random", "no player 'gredy'; did you mean 'greedy'"),
        ("match tic-tac-toe --players greedy:depth=3 random", "Greedy has no parameter 'depth'"),
        ("match tic-tac-toe --players human random", "no player 'human'"),
        ("match tictactoe --players random random", "no game 'tictactoe'"),
        ("match tic-tac-toe --players random random --openings 99", "no opening of 99 plies"),
        ("match tic-tac-toe --players random random --json /no/out", "'/no/out' cannot be written"),
        ("match tic-tac-toe --players random random --csv /", "'/' cannot be written"),
        ("match tic-tac-toe --players random random --record /no/out", "'/no/out' cannot be"),
        ("tournament tic-tac-toe --players random", "1 player(s) for 2 seats"),
        ("tournament tic-tac-toe --players random random", "player 'random' is given twice"),
        ("replay /no/file", "'/no/file' cannot be read: No such file"),
        ("replay /dev/zero", "'/dev/zero', line 1: longer than"),
        ("replay /", "'/' cannot be read: Is a directory"),
        ("analyse tic-tac-toe --player uct9", "no player 'uct9'"),
    ],
)
def test_a_mistake_is_told_in_one_line(words: str, told: str) -> None:
    done = run(*words.split())
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"quintet: {told}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("match tic-tac-toe", "Missing option '--players'"),
        ("match tic-tac-toe --players random random --games 0", "0 is not in the range"),
        ("match tic-tac-toe --players random random --workers 0", "0 is not in the range"),
        ("analyse tic-tac-toe", "Missing option '--player'"),
        ("replay x --game 0", "0 is not in the range"),
    ],
)
def test_wrong_use_is_told(words: str, told: str) -> None:
    done = run(*words.split())
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
