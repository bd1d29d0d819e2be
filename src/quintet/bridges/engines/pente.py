"""The text dialogue of W. Shubert's pente, as Debian has it.

It asks who plays (0 is a person, 1 to 9 are its levels), plays the first stone on
K10 by itself, tells every move made, and rings the bell for one that it does not
allow.  Its own moves cannot be given to it: it plays a game from the start or not.
"""

from __future__ import annotations

import re

from quintet.bridges.coordinates import GO
from quintet.bridges.engines.conversation import Conversation
from quintet.bridges.engines.line import Line
from quintet.bridges.engines.program import Program
from quintet.errors import UserError

_QUESTION = re.compile(rb"Level of player \d \[[^\]]{0,80}\]: ")
_EVENT = re.compile(rb"(\a)|(Player \d|Comp Lv\d) \[.\] moved at (\w{1,20})\.")


class Pente(Conversation):
    """One game at a time, each with a program of its own."""

    def choose(self, line: Line) -> int:
        """Make the moves of the other, and wait for the program's own."""
        own = line.turn
        if not self.knows(line) or own != self._seat:
            self._begin(line, own)
        program = self.program
        assert program is not None
        for seat, move in self.untold(line):
            if seat == own:
                told = "cannot be given its own moves; it must play a game from the start"
                raise self.cannot(f"{told} (expected no random opening)", line)
            self._make(program, move, line)
        move = self._next(program, "Comp", line)
        self.note(move)
        return move

    def _begin(self, line: Line, own: int) -> None:
        if line.start is not None:
            told = "knows only moves from the start, and this position was set up"
            raise self.cannot(told, line)
        program = self.start()
        level = self.engine.values.get("level", 1)
        for seat in range(2):
            program.until(_QUESTION)
            program.send(f"{level if seat == own else 0}\n")
        self._seat = own
        self.forget(line)

    def _make(self, program: Program, move: int, line: Line) -> None:
        name = GO.write(self.game.layout(), move)
        if self._told:  # the first stone it places itself
            program.send(name.lower() + "\n")
        if self._next(program, "Player", line, name) != move:
            raise self.cannot(f"made another move than {name}", line)
        self.note(move)

    def _next(self, program: Program, who: str, line: Line, name: str = "") -> int:
        text, bell, mover, point = program.until(_EVENT)
        if bell:
            raise self.cannot(f"refuses the move {name}" if name else "rang its bell", line)
        if not mover.startswith(who):
            raise program.wrong(text, f"a move of {who}")
        try:
            return GO.read(self.game.layout(), point)
        except UserError:
            raise program.wrong(text, "a point such as k10") from None
