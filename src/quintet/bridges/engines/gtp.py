"""Engines of the Go Text Protocol, version 2: Go, Othello, and any game of our own `gtp`.

Moves have the names that Quintet prints, which are GTP's own for Go, and for Othello
those of GRhino, with row 1 at the top.  Seats are b and w; of three and more, 1, 2, 3.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from quintet import rules
from quintet.bridges.engines.conversation import Conversation
from quintet.bridges.engines.line import Line
from quintet.bridges.engines.program import EngineError
from quintet.bridges.game_tree import forced_pass
from quintet.errors import UserError
from quintet.notation import move_name, parse_move
from quintet.parameters import value_text

_MOST_SEEDS = 1 << 30
_BANNERS = 50  # lines that may come before the first answer


class Refused(Exception):
    """The engine answered with an error."""


class Gtp(Conversation):
    """One engine, asked command by command."""

    def choose(self, line: Line) -> int:
        """Tell what is new, then ask for a move, which the engine makes at once."""
        if not self.knows(line):
            self._begin(line)
        for seat, move in self.untold(line):
            self._play(seat, move, line)
        passing = forced_pass(self.game, line.position)
        if passing is not None and not self.engine.passes:
            return passing  # it passes without being asked, and is not told, see `_play`
        answer = self._asked(f"genmove {self._colour(line.turn)}")
        move = self._read(answer)
        self.note(move)
        return move

    def _begin(self, line: Line) -> None:
        """Give the engine an empty board, or the one that was set up."""
        if self.program is None:
            self.start()
            self._commands = set(self._asked("list_commands").split())
        layout = self.game.layout()
        if "boardsize" in self._commands and layout.rows == layout.columns:
            self._asked(f"boardsize {layout.rows}")
        self._asked("clear_board")
        if "set_random_seed" in self._commands:
            self._asked(f"set_random_seed {line.seed % _MOST_SEEDS}")
        if "clear_cache" in self._commands:  # or what it met in other games would count
            self._asked("clear_cache")
        komi = getattr(self.game, "komi", ())
        if "komi" in self._commands and hasattr(self.game, "komi") and self._seats() == 2:
            points = komi[1] - komi[0] if komi else 0.0
            self._asked(f"komi {value_text(points)}")
        self.forget(line)
        if line.start is not None:
            self._set_up(line.start, line)

    def _set_up(self, position: Any, line: Line) -> None:
        """Place the stones one by one, which takes none where each has a liberty in the end."""
        if not hasattr(self.game, "komi"):
            told = "knows only moves from the start, and this position was set up"
            raise self.cannot(told, line)
        content = np.zeros(self.game.layout().cells, np.int8)
        rules.cells(self.game, position, content)
        for cell in np.flatnonzero(content):
            self._play(int(content[cell]) - 1, int(cell), line)
        self.forget(line)

    def _play(self, seat: int, move: int, line: Line) -> None:
        name = move_name(self.game, move)
        self.note(move)
        if name == "pass" and not self.engine.passes:
            return
        try:
            self._ask(f"play {self._colour(seat)} {name}")
        except Refused as error:
            raise self.cannot(f"refuses the move {name}: {error}", line) from None

    def _asked(self, command: str) -> str:
        try:
            return self._ask(command)
        except Refused as error:
            raise EngineError(f"{self.engine.name} refuses {command!r}: {error}") from None

    def _ask(self, command: str) -> str:
        """What an engine answers to a command."""
        program = self.program
        if program is None:
            raise EngineError(f"{self.engine.name} was stopped")
        program.send(command + "\n")
        first = program.line()
        for _ in range(_BANNERS):  # empty lines, and what some say when they start
            if first[:1] in ("=", "?"):
                break
            first = program.line()
        found = re.fullmatch(r"([=?])\d*\s*(.*)", first)
        if not found:
            raise program.wrong(first, "= or ? first")
        lines = [found[2]]
        while text := program.line():
            lines.append(text)
        answer = "\n".join(lines).strip()
        if found[1] == "?":
            raise Refused(answer[:200] or "no reason given")
        return answer

    def _read(self, answer: str) -> int:
        assert self.program is not None
        if answer.lower() == "resign":
            told = "resigned, which a match does not know; tell it in its command never to"
            raise EngineError(f"{self.engine.name} {told}")
        try:
            return parse_move(self.game, answer)
        except UserError:
            raise self.program.wrong(answer, "the name of a move") from None

    def _colour(self, seat: int) -> str:
        return "bw"[seat] if self._seats() == 2 else str(seat + 1)

    def _seats(self) -> int:
        return int(self.game.limits().seats)
