"""The protocols as processes: a script through a pipe, mistakes, and programs that end."""

from __future__ import annotations

import json
import subprocess
import time

import pytest

from tests.journeys.test_cli import QUINTET, output, run

SCRIPTS = {
    "gtp tic-tac-toe random": ("1 play b b2\ngenmove w\nquit\n", "=1\n\n= "),
    "gomocup greedy": ("START 5\r\nBOARD\r\n2,2,2\r\nDONE\r\nEND\r\n", "OK\r\n"),
    "nboard greedy": ("nboard 2\nping 3\n", "set myname Quintet greedy\npong 3\n"),
    "jsonl --at-once 1": ('{"id": 1, "do": "about"}\n', '{"id":1,"type":"about"'),
}


@pytest.mark.parametrize("words", SCRIPTS)
def test_a_script_gets_all_its_answers(words: str) -> None:
    script, begin = SCRIPTS[words]
    assert output(*words.split(), stdin=script).startswith(begin)


def test_an_engine_ends_when_nobody_listens() -> None:
    words = [*QUINTET, "gtp", "tic-tac-mo", "uct:sims=0,seconds=1000"]
    engine = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdin.write(b"lz-analyze 10\n")
    engine.stdin.flush()
    assert engine.stdout.readline() == b"=\n"  # it is compiled, and at work
    engine.stdin.write(b"genmove 1\n")
    engine.stdin.close()
    engine.stdout.close()
    begun = time.monotonic()
    engine.wait(100)
    assert time.monotonic() - begun < 60


def test_the_schema_is_printed() -> None:
    shown = json.loads(run("jsonl", "--schema").stdout)
    assert {"request", "answer"} <= set(shown["$defs"])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["gtp", "chess", "random"], "no game 'chess'"),
        (["gtp", "tic-tac-mo", "alphabeta"], "two players"),
        (["gomocup", "nobody"], "no player 'nobody'"),
        (["nboard", "blocker"], "blocker"),
        (["jsonl", "--at-once", "0"], "0 is not in the range"),
    ],
)
def test_mistakes_are_told(words: list[str], told: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
