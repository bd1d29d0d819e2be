"""A scripted engine: ``fake_engine.py PROTOCOL MISDEED AT``.

It plays the first free point (in NBoard, the first legal one), and does what it should not when
it is asked for a move for the AT-th time.  It imports nothing of Quintet.
"""

from __future__ import annotations

import io
import os
import pathlib
import re
import signal
import sys
import time
from collections.abc import Iterator
from typing import TextIO

PROTOCOL, MISDEED, AT = sys.argv[1:4]
asked = 0
out: TextIO = sys.stdout


def say(text: str, end: str = "\n") -> None:
    """Answer, at once."""
    out.write(text + end)
    out.flush()


def lines() -> Iterator[str]:
    """What we are told."""
    while line := sys.stdin.readline():
        yield line.strip()


def answer(move: str, illegal: str, wrap: str) -> None:
    """Tell a move, or misbehave."""
    global asked  # noqa: PLW0603
    asked += 1
    if asked != int(AT) or MISDEED == "none":
        say(wrap.format(move))
        return
    if MISDEED == "die":
        sys.stderr.write("out of cheese\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    if MISDEED == "leave":
        sys.exit(3)
    if MISDEED == "silence":
        time.sleep(1000)
    if MISDEED == "garbage":
        say(wrap.format("\x00\x1b[31m\\xff?? hello"))
    if MISDEED == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    if MISDEED == "lines":
        while True:
            sys.stdout.write("MESSAGE I think\n" * 1000)
    if MISDEED == "illegal":
        say(wrap.format(illegal))


def gtp(rows: int = 3, columns: int = 3) -> None:
    """Tic-tac-toe."""
    free: list[str] = []
    for line in lines():
        words = line.split()
        if words[0] == "list_commands":
            say("= clear_board\nplay\ngenmove\n")
        elif words[0] == "clear_board":
            free = [f"{'abc'[c]}{r + 1}" for r in range(rows) for c in range(columns)]
            say("=\n")
        elif words[0] == "play":
            if words[2] not in free:
                say("? taken\n")
            else:
                free.remove(words[2])
                say("=\n")
        elif words[0] == "genmove":
            answer(free.pop(0), "a1", "= {}\n")
        else:
            say("? unknown command\n")


def gomocup() -> None:
    """Five in a row on any board."""
    width = height = 0
    taken: set[str] = set()

    def move() -> str:
        points = (f"{x},{y}" for y in range(height) for x in range(width))
        return next(point for point in points if point not in taken)

    def reply() -> None:
        chosen = move()
        answer(chosen, next(iter(taken), "0,0"), "{}")
        taken.add(chosen)

    source = lines()
    for line in source:
        if line.startswith(("START", "RECTSTART")):
            sizes = [int(number) for number in re.findall(r"\d+", line)]
            width, height = sizes[0], sizes[-1]
            say("OK")
        elif line.startswith("TURN"):
            taken.add(line.split()[1])
            say("MESSAGE thinking")
            reply()
        elif line == "BEGIN":
            reply()
        elif line == "BOARD":
            while (line := next(source)) != "DONE":
                taken.add(line.rpartition(",")[0])
            reply()


def nboard() -> None:
    """Othello, by the slow twin of our rules."""
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
    from tests.against.reference.othello import OthelloReference

    class Size:
        size = 8

    game = OthelloReference(Size())

    def number(name: str) -> int:
        if name.upper().startswith("PA"):
            return 64
        return "ABCDEFGH".index(name[0].upper()) + 8 * (int(name[1]) - 1)

    def name(move: int) -> str:
        return "PA" if move == 64 else f"{'ABCDEFGH'[move % 8]}{move // 8 + 1}"

    for line in lines():
        if line.startswith("set game"):
            game = OthelloReference(Size())
            for move in re.findall(r"[BW]\[(\w+)\]", line.partition("BO[")[2]):
                game.play(number(move))
        elif line.startswith("move"):
            game.play(number(line.split()[1].split("/")[0]))
        elif line.startswith("ping"):
            say("set myname fake\npong " + line.split()[1])
        elif line == "go":
            say("status thinking")
            answer(name(game.legal_moves()[0]), "A1", "=== {}/1.5/0.2")


def pente() -> None:
    """The dialogue of Debian's pente; it plays along a row far from where others do."""
    from itertools import product

    points = [f"{c}{r}" for r, c in product((1, 3, 5, 7), "abcdefghjklmnopqrst")]
    seats = []
    for number in (1, 2):
        say(f"Level of player {number} [0=Player, 1..9=Computer]: ", "")
        seats.append(int(sys.stdin.readline()))
    own = 0 if seats[0] else 1
    names = ["Comp Lv1 [#]" if own == 0 else "Player 1 [#]", "Comp Lv1 [O]" if own else "Player 2"]
    taken: set[str] = set()
    ply = 0
    while True:
        seat = ply % 2
        who = names[seat] if "[" in names[seat] else f"{names[seat]} [O]"
        if ply == 0:
            move = "k10"
            say(f"{who} moved at k10.") if own else answer(move, "k10", who + " moved at {}.")
        elif seat == own:
            move = next(point for point in points if point not in taken)
            answer(move, "k10", who + " moved at {}.")
        else:
            move = sys.stdin.readline().strip()
            if not move:
                return
            if move in taken:
                say("\a", "")
                continue
            say(f"{who} moved at {move}.")
        taken.add(move)
        ply += 1


def bsd() -> None:
    """BSD gomoku: saves the game with its answer, all at once."""
    global out  # noqa: PLW0603
    moves = pathlib.Path(sys.argv[-1]).read_text().split() if sys.argv[-1] == "before" else []
    for word in lines():
        if word == "save":
            file = sys.stdin.readline().strip()
            free = (f"{c}{r}" for r in (1, 3, 5, 7) for c in "ABCDEFGHJKLMNOPQRST")
            out = io.StringIO()
            say("\n".join(moves))
            answer(next(point for point in free if point not in moves), [*moves, "K10"][0], "{}")
            pathlib.Path(file).write_text(out.getvalue())
        elif word not in ("black", "white"):
            moves.append(word)


if __name__ == "__main__":
    {"gtp": gtp, "gomocup": gomocup, "nboard": nboard, "pente": pente, "bsd-gomoku": bsd}[
        PROTOCOL
    ]()
