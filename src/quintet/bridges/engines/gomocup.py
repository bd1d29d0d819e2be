"""Engines of the Piskvork protocol, as at Gomocup; there they are called brains.

We are the manager.  A brain is told the last move by TURN as long as it knows the
others, else all stones by BOARD: so it can be set into any position.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quintet import rules
from quintet.bridges.coordinates import PISKVORK
from quintet.bridges.engines.conversation import Conversation
from quintet.bridges.engines.line import Line
from quintet.bridges.engines.program import EngineError, Program
from quintet.errors import UserError

_THINKS = 1  # second a move, unless the engine has a setting `seconds`
_TALK = ("MESSAGE", "DEBUG", "SUGGEST", "UNKNOWN", "OK")
_EXACT = 1  # a bit of the rule
_AGAINST_A_PROGRAM = 1


class Gomocup(Conversation):
    """One brain."""

    def choose(self, line: Line) -> int:
        """Tell what is new, and wait for a move."""
        untold = self.untold(line) if self.knows(line) else []
        program = self.program
        if program is not None and len(untold) == 1 and self._told:
            program.send(f"TURN {self._point(untold[0][1])}\r\n")
        else:
            program = self._new_board(line)
            program.send(self._board(line))
        move = self._move(program)
        self.forget(line)
        self.note(*line.moves, move)
        return move

    def _new_board(self, line: Line) -> Program:
        program = self.start()
        layout = self.game.layout()
        if layout.rows == layout.columns:
            program.send(f"START {layout.rows}\r\n")
        else:
            program.send(f"RECTSTART {layout.columns},{layout.rows}\r\n")
        self._wait_for_ok(program)
        program.send("".join(f"INFO {name} {value}\r\n" for name, value in self._facts().items()))
        return program

    def _facts(self) -> dict[str, int]:
        seconds = self.engine.values.get("seconds", _THINKS)
        return {
            "timeout_turn": 1000 * seconds,
            "timeout_match": 0,
            "time_left": 2**31 - 1,
            "max_memory": 0,
            "game_type": _AGAINST_A_PROGRAM,
            "rule": _EXACT if self.game.exact else 0,
        }

    def _wait_for_ok(self, program: Program) -> None:
        while (answer := program.line().strip()) != "OK":
            if answer.startswith("ERROR"):
                raise EngineError(f"{self.engine.name} refuses the board: {answer[:200]}")
            if answer and not answer.startswith(_TALK):
                raise program.wrong(answer, "OK")

    def _board(self, line: Line) -> str:
        """All stones, in the order of the moves where that is known."""
        stones = _stones(line)
        if not stones:
            return "BEGIN\r\n"
        own = line.turn
        rows = [f"{self._point(cell)},{1 if seat == own else 2}" for cell, seat in stones]
        return "\r\n".join(["BOARD", *rows, "DONE", ""])

    def _move(self, program: Program) -> int:
        while True:
            answer = program.line().strip()
            if answer.startswith("ERROR"):
                raise EngineError(f"{self.engine.name} reports {answer[:200]!r}")
            if not answer or answer.startswith(_TALK):
                continue
            try:
                return PISKVORK.read(self.game.layout(), answer)
            except UserError:
                raise program.wrong(answer, "a move such as 7,7") from None

    def _point(self, cell: int) -> str:
        return PISKVORK.write(self.game.layout(), cell)


def _stones(line: Line) -> list[tuple[int, int]]:
    stones = [] if line.start is None else _stones_of(line.game, line.start)
    return stones + list(zip(line.moves, line.seats, strict=True))


def _stones_of(game: Any, position: Any) -> list[tuple[int, int]]:
    content = np.zeros(game.layout().cells, np.int8)
    rules.cells(game, position, content)
    return [(int(cell), int(content[cell]) - 1) for cell in np.flatnonzero(content)]
