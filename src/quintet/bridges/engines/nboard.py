"""Engines of the NBoard protocol, version 2, for Othello.

The engine is given the whole game as GGF when it does not know it, else the moves
that are new.  `go` asks for a move, which it does not make before it is told to; it
has read all that was said before `ping 7` when it answers `pong 7`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quintet import rules
from quintet.bridges import ggf
from quintet.bridges.coordinates import OTHELLO
from quintet.bridges.engines.conversation import Conversation
from quintet.bridges.engines.line import Line
from quintet.bridges.engines.program import EngineError, Program
from quintet.bridges.game_tree import Setup, pass_of, tree_of
from quintet.errors import UserError

_DEPTH = 4  # unless the engine has a setting `depth`
_ANSWER = "==="
_PASSES = ("PA", "PASS")


class NBoard(Conversation):
    """One engine."""

    def choose(self, line: Line) -> int:
        """Tell what is new, and ask for a move."""
        program = self._told_of(line)
        self._ping(program)
        program.send("go\n")
        while not (answer := program.line()).startswith(_ANSWER):
            self._listen(answer)
        words = answer[len(_ANSWER) :].split("/")[0].split()
        if len(words) != 1:
            raise program.wrong(answer, "=== and a move")
        return self._read(words[0], program)

    def _told_of(self, line: Line) -> Program:
        """The program, which knows the line."""
        program = self.program
        if program is not None and self.knows(line):
            program.send("".join(f"move {self._name(move)}\n" for _, move in self.untold(line)))
        else:
            if program is None:
                program = self.start()
                self._pings = 0
                depth = self.engine.values.get("depth", _DEPTH)
                program.send(f"nboard 2\nset depth {depth}\n")
            program.send(f"set game {_as_ggf(line)}\n")
            self.forget(line)
        self._told = list(line.moves)
        return program

    def _ping(self, program: Program) -> None:
        self._pings += 1
        program.send(f"ping {self._pings}\n")
        while (answer := program.line().strip()) != f"pong {self._pings}":
            self._listen(answer)

    def _listen(self, answer: str) -> None:
        """What the engine says besides; only a complaint matters."""
        if answer.lower().startswith("error"):
            raise EngineError(f"{self.engine.name} reports {answer[:200]!r}")

    def _name(self, move: int) -> str:
        if move == pass_of(self.game):
            return _PASSES[0]
        return OTHELLO.write(self.game.layout(), move).upper()

    def _read(self, word: str, program: Program) -> int:
        passing = pass_of(self.game)
        if word.upper() in _PASSES and passing is not None:
            return passing
        try:
            return OTHELLO.read(self.game.layout(), word)
        except UserError:
            raise program.wrong(word, "a move such as F5, or PA") from None


def _as_ggf(line: Line) -> str:
    tree = tree_of(line.game, line.moves)
    if line.start is not None:
        tree.nodes[0].setup = _setup_of(line.game, line.start)
    return ggf.write([tree]).decode().strip()


def _setup_of(game: Any, position: Any) -> Setup:
    content = np.zeros(game.layout().cells, np.int8)
    rules.cells(game, position, content)
    return Setup(tuple(enumerate(content.tolist())), int(rules.turn(game, position)))
