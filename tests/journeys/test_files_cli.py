"""Files of other programs, converted and analysed from the command line."""

from __future__ import annotations

import itertools
import json
import pathlib

import pytest

from quintet import games
from quintet.bridges import sgf
from quintet.bridges.files import FORMATS
from quintet.cli import convert
from tests.journeys.test_cli import output, run, terminal

THINK = ["--player", "uct:sims=50", "--seed", "1"]


def test_the_help_lists_the_formats_there_are() -> None:
    assert list(convert._FORMATS.choices) == list(FORMATS)
    shown = output("convert", "--help")
    assert all(kind.suffix in shown for kind in FORMATS.values())


def test_a_pasted_game_goes_round(tmp_path: pathlib.Path) -> None:
    names = [str(tmp_path / f"game.{end}") for end in ("txt", "sgf", "ggf", "json", "wtb")]
    pathlib.Path(names[0]).write_text("f5d6c3d3c4\n")
    assert output("convert", *names[:2], "--game", "othello").startswith("1 game written to")
    for source, target in itertools.pairwise(names[1:]):
        output("convert", source, target)
    assert output("convert", names[-1], "-", "--to", "compact") == "f5d6c3d3c4\n"


def test_records_become_sgf(tmp_path: pathlib.Path) -> None:
    record, file = str(tmp_path / "games.jsonl"), str(tmp_path / "games.sgf")
    words = ["--players", "greedy", "random", "random", "--games", "6", "--seed", "3"]
    output("match", "tic-tac-mo", *words, "--record", record)
    assert output("convert", record, file) == f"6 games written to {file}\n"
    trees = sgf.read(pathlib.Path(file).read_bytes())
    assert sorted(trees[0].players) == ["greedy", "random", "random"]
    again = str(tmp_path / "again.jsonl")
    output("convert", file, again)
    assert "6 games, all by the rules" in output("replay", again)


def test_what_is_lost_is_told(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[2];B[d3]C[hm](;W[c3])(;W[c5]))")
    done = run("convert", str(file), "-", "--to", "compact")
    assert done.returncode == 0
    assert done.stdout == "d3c3\n"
    assert "no place for variations and comments" in done.stderr


@pytest.mark.parametrize(
    ("content", "words", "told"),
    [
        ("(;SZ[5]\n;B[aa];B[bb])", [], "line 2, column 7: a move of B; expected one of W"),
        ("(;SZ[5];B[aa]", [], "line 1, column 14: the file ends"),
        ("f5", ["--from", "compact"], "expected --game"),
        ("(;SZ[5];B[aa])", ["--to", "ggf"], "GGF is for Othello; not for go:size=5"),
    ],
)
def test_broken_files_change_nothing(
    tmp_path: pathlib.Path, content: str, words: list[str], told: str
) -> None:
    file, out = tmp_path / "in.sgf", tmp_path / "out.sgf"
    file.write_text(content)
    out.write_text("as it was")
    done = run("convert", str(file), str(out), *words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert out.read_text() == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.sgf", "out.sgf"]


def test_every_position_of_a_file_is_analysed(tmp_path: pathlib.Path) -> None:
    file, out, data = (tmp_path / name for name in ("in.sgf", "out.sgf", "out.json"))
    file.write_text("(;GM[Tic Tac Toe];B[bb]C[mine](;W[aa];B[ac])(;W[ba]))")
    shown = output("analyse", str(file), *THINK, "--out", str(out))
    assert shown.splitlines() == [f"5 positions analysed, written to {out}", "seed: 1"]
    (tree,) = sgf.read(out.read_bytes())
    assert all("uct:sims=50: best" in node.comment for node in tree.nodes)
    assert tree.nodes[1].comment.startswith("mine\n\nuct:sims=50: best")
    assert all(0 <= float(node.other["SBKV"][0]) <= 100 for node in tree.nodes)
    output("analyse", str(file), *THINK, "--out", str(data))
    nodes = json.loads(data.read_text())["games"][0]["nodes"]
    assert [round(100 * node["analysis"]["values"][0], 2) for node in nodes] == [
        float(node.other["SBKV"][0]) for node in tree.nodes
    ]
    game = games.make("tic-tac-toe")
    assert nodes[2]["analysis"]["best"] in range(game.limits().moves)


def test_analysis_is_printed_where_no_file_is_named(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("4453\n")
    words = ["analyse", str(file), *THINK, "--game", "connect-four"]
    lines = output(*words).splitlines()
    assert lines[0] == "game 1: connect-four"
    assert lines[1].split() == ["ply", "played", "best", "X", "O", "line"]
    assert [line.split()[1] for line in lines[2:6]] == ["d", "d", "e", "c"]
    assert output(*words).splitlines() == lines
    assert "0:00:0" in terminal("", *words)  # the time left


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["no.sgf"], "'no.sgf' cannot be read"),
        (["no.sgf", "--moves", "d3"], "go with a GAME"),
        (["othello", "--out", "x.sgf"], "is no file of games"),
    ],
)
def test_analyse_tells_mistakes(words: list[str], told: str) -> None:
    done = run("analyse", *words, *THINK)
    assert done.returncode == 2
    assert told in done.stderr
