"""The command line as people use it: in a process of its own."""

from __future__ import annotations

import os
import pathlib
import pty
import signal
import subprocess
import sys

import pytest

QUINTET = [sys.executable, "-m", "quintet"]
TIMEOUT = 120  # seconds; the first run compiles


def run(*words: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """Run the command line with this input."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [*QUINTET, *words], input=given, capture_output=True, timeout=TIMEOUT, check=False
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def output(*words: str, stdin: str | bytes = "") -> str:
    """What a run that must succeed prints."""
    done = run(*words, stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def terminal(typed: str, *words: str) -> str:
    """What a run shows on a terminal where somebody types."""
    own, its = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    os.write(own, typed.encode())
    with subprocess.Popen(
        [*QUINTET, *words], stdin=its, stdout=its, stderr=its, env=environment
    ) as process:
        os.close(its)
        shown = b""
        try:
            while part := os.read(own, 4096):
                shown += part
        except OSError:  # Linux tells the other end's closing as an error
            pass
    os.close(own)
    assert process.returncode == 0, shown
    return shown.decode()


# --- help ---------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--help"], ["play", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "quintet", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "quintet.cli" in loaded
    assert not {"numba", "numpy", "rich", "quintet.rules"} & loaded
    assert "quintet" in done.stdout


# --- games --------------------------------------------------------------------


def test_games_are_listed() -> None:
    lines = output("games").splitlines()
    mo = next(line for line in lines if line.startswith("tic-tac-mo"))
    assert mo.split()[1] == "3"
    assert "tic-tac-toe for three" in mo


def test_parameters_of_a_game() -> None:
    rows = [line.split() for line in output("games", "connect-four").splitlines()]
    assert ["columns", "7", "1", "to", "20", "cells", "from", "left", "to", "right"] in rows
    assert next(row for row in rows if row[0] == "gravity")[1:5] == ["yes", "yes", "or", "no"]


def test_values_of_a_game_with_settings() -> None:
    rows = [line.split() for line in output("games", "tic-tac-toe:rows=5").splitlines()]
    assert next(row for row in rows if row[0] == "rows")[1] == "5"


# --- show ---------------------------------------------------------------------


@pytest.mark.parametrize("moves", ["a1 b2 C3", "a1,b2,c3", " a1, b2\tc3 "])
def test_show_after_moves(moves: str) -> None:
    assert output("show", "tic-tac-mo", "--moves", moves).splitlines() == [
        "  a b c d e",
        "3 . . # . .",
        "2 . O . . .",
        "1 X . . . .",
        "turn: 0",
        "X to move (seat 1 of 3)",
        "legal moves (12): a3 b3 d3 e3 a2 c2 d2 e2 b1 c1 d1 e1",
        "points: X 1, O 1, # 1",
    ]


def test_show_a_finished_game() -> None:
    shown = output("show", "tic-tac-toe", "--moves", "a1 b1 a2 b2 a3")
    assert "The game is over.\nX wins\nO loses\n" in shown
    assert "legal moves" not in shown


def test_what_show_prints_is_a_picture(tmp_path: pathlib.Path) -> None:
    shown = output("show", "go-moku", "--moves", "H8 J9 K10")
    file = tmp_path / "board.txt"
    file.write_text(shown)
    assert output("show", "go-moku", "--picture", str(file)) == shown
    more = output("show", "go-moku", "--picture", str(file), "--moves", "A1")
    assert more == output("show", "go-moku", "--moves", "H8 J9 K10 A1")


def test_stones_are_coloured_in_a_terminal() -> None:
    assert "\x1b[1;31mX" in terminal("", "show", "tic-tac-toe", "--moves", "a1")


# --- perft --------------------------------------------------------------------


def test_perft_counts_to_the_end_of_the_game() -> None:
    lines = output("perft", "tic-tac-toe", "--depth", "99").splitlines()
    counts = [int(line.split()[1]) for line in lines[:-1]]
    assert counts == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]
    assert lines[-1] == "Every game ends before."


def test_perft_after_moves() -> None:
    line = output("perft", "connect-four", "--depth", "1", "--moves", "a a a a a a")
    assert line.split()[:2] == ["1", "6"]


# --- play ---------------------------------------------------------------------


def test_without_a_terminal_greedy_players_demonstrate() -> None:
    shown = output("play", "tic-tac-mo", "--seed", "5")
    assert shown.count("(greedy)") == 3
    assert shown == output("play", "tic-tac-mo", "--seed", "5")
    moves = next(line for line in shown.splitlines() if line.startswith("moves: "))
    assert "The game is over." in output("show", "tic-tac-mo", "--moves", moves[7:])


def test_another_seed_gives_another_game() -> None:
    words = ["play", "go-moku", "--players", "random", "random", "--seed"]
    assert output(*words, "1") != output(*words, "2")


def test_a_seed_chosen_by_chance_repeats_its_game() -> None:
    shown = output("play", "connect-four", "--players", "greedy random")
    seed = shown.split()[-1]
    assert output("play", "connect-four", "--seed", seed, "--players", "greedy", "random") == shown


def test_two_people_by_pipe() -> None:
    typed = "a1\nb1\nA2\n\nb2\na3\n"
    shown = output("play", "tic-tac-toe", "--players", "human", "human", stdin=typed)
    assert "X (human) wins\nO (human) loses\nmoves: a1 b1 a2 b2 a3\n" in shown


def test_people_are_helped_and_corrected() -> None:
    typed = b"help\nmoves\nundo\nz9\n\xff\xfe\na1\na1\nb2\nundo\nc3\nquit\n"
    shown = output("play", "tic-tac-toe", "--players", "human", "human", stdin=typed)
    assert "go back to your last turn" in shown
    assert "legal moves (9): a3 b3" in shown
    assert "There is nothing to undo." in shown
    assert "'z9' is no move" in shown
    assert "move a1: not legal here (try: moves, help)\nO to move:" in shown
    # X took back a1, and with it O's b2
    assert "Stopped.\nmoves: c3\n" in shown


def test_end_of_input_ends_the_game() -> None:
    shown = output("play", "tic-tac-toe", "--players", "human", "human", stdin="a1\n")
    assert "Stopped.\nmoves: a1\n" in shown


def test_interrupt_ends_the_game() -> None:
    command = [*QUINTET, "play", "tic-tac-toe", "--players", "human", "human"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"a1\n")
        process.stdin.flush()
        while b"turn: 1" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0
    assert b"moves: a1\n" in out
    assert err == b""


def test_in_a_terminal_one_person_plays_greedy() -> None:
    shown = terminal("b2\nundo\na1\nquit\n", "play", "tic-tac-mo", "--seed", "1")
    assert "X to move: " in shown
    assert "O plays " in shown
    assert "# plays " in shown
    moves = next(line for line in shown.splitlines() if line.startswith("moves: ")).split()[1:]
    assert moves[0] == "a1"
    assert len(moves) == 3


# --- mistakes -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("show tictactoe", "no game 'tictactoe'; did you mean 'tic-tac-toe'?"),
        ("games chess", "no game 'chess'; there are "),
        ("show tic-tac-toe:k=99", "k=99 is not possible; expected 2 to 19"),
        ("show tic-tac-toe:k=5", "k=5 does not fit on a board of 3 x 3"),
        ("show tic-tac-toe:size=5", "KInARow has no parameter 'size'"),
        ("show ./nothing.py:Game", "no file './nothing.py'"),
        ("show tic-tac-toe --moves zz", "'zz' is no move"),
        ("perft tic-tac-toe --depth 2 --moves zz", "'zz' is no move"),
        ("show tic-tac-toe --picture /no/file", "'/no/file' cannot be read: No such file"),
        ("show tic-tac-toe --picture /", "'/' cannot be read: Is a directory"),
        ("show tic-tac-toe --picture /dev/null", "the picture has 0 rows; expected 3"),
        ("show tic-tac-toe --picture /dev/zero", "'/dev/zero' is too large"),
        ("play tic-tac-toe --players human", "1 player(s) for 2 seats"),
        ("play tic-tac-toe --players greedy gredy", "no player 'gredy'; did you mean"),
    ],
)
def test_a_mistake_is_told_in_one_line(words: str, told: str) -> None:
    done = run(*words.split())
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"quintet: {told}")
    assert done.stderr.count("\n") == 1


def test_an_illegal_move_is_told_with_the_board() -> None:
    done = run("show", "tic-tac-toe", "--moves", "a1 a1")
    assert done.returncode == 2
    assert done.stderr.startswith("quintet: move a1: not legal here\n  a b c\n")
    assert done.stdout == ""


def test_a_move_after_the_end_is_illegal() -> None:
    done = run("show", "tic-tac-toe", "--moves", "a1 b1 a2 b2 a3 b3")
    assert done.returncode == 2
    assert done.stderr.startswith("quintet: move b3: the game is over\n")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"  a b c\n3 . . .\n2 . Z .\n1 . . .\nturn: 0\n", "'Z' in row 2; expected one of .XO"),
        (b"  a b c\n3 . .\n2 . . .\n1 . . .\nturn: 0\n", "row 3 has 2 cells; expected 3"),
        (b"  a b c\n3 . . .\n2 . . .\n1 . . .\n", "the picture does not tell 'turn'"),
        (b"  a b c\n3 . . .\n2 . . .\n1 . . .\nturn: 2\n", "turn: 2; expected 0 to 1"),
        (b"  a b c\n3 . . .\n2 . . .\n1 . . .\nturn: -1\n", "turn: -1; expected 0 to 1"),
        (b"\x7fELF\x80\xff\x00\n", "is no text"),
        (b"\x00\x01\x02\n" * 8, "'\\x00\\x01\\x02' in row 3"),
    ],
)
def test_a_broken_picture_is_told(tmp_path: pathlib.Path, content: bytes, told: str) -> None:
    file = tmp_path / "board.txt"
    file.write_bytes(content)
    done = run("show", "tic-tac-toe", "--picture", str(file))
    assert done.returncode == 2
    assert done.stderr.startswith("quintet: ")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("nothing", "No such command"),
        ("show", "Missing argument 'GAME'"),
        ("perft tic-tac-toe", "Missing option '--depth'"),
        ("perft tic-tac-toe --depth 0", "0 is not in the range"),
        ("perft tic-tac-toe --depth -3", "-3 is not in the range"),
        ("perft tic-tac-toe --depth two", "'two' is not a whole number"),
        ("play tic-tac-toe --players", "requires an argument"),
        ("play tic-tac-toe --seed -1", "-1 is not in the range"),
        ("--nothing", "No such option '--nothing'"),
    ],
)
def test_wrong_use_is_told_in_one_line(words: str, told: str) -> None:
    done = run(*words.split())
    assert done.returncode == 2
    assert done.stderr.startswith("quintet: ")
    assert told in done.stderr
    assert done.stderr.endswith("--help\n")
    assert done.stderr.count("\n") == 1


def test_no_words_at_all_are_helped() -> None:
    done = run()
    assert "Usage: quintet" in done.stdout + done.stderr
    assert "tournament" in done.stdout + done.stderr
