"""What all protocols share: a program, started when needed, and what it was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from quintet.bridges.engines.line import Line
from quintet.bridges.engines.program import EngineError, Program
from quintet.notation import picture
from quintet.rules import Position


class EngineAt(NamedTuple):
    """An engine with its settings, about to play a game."""

    name: str  # for messages
    command: Sequence[str]
    values: dict[str, int]
    timeout: float
    passes: bool


class Conversation:
    """Talks to an engine about one board; each protocol derives its own."""

    def __init__(self, engine: EngineAt, game: Any) -> None:
        """Nothing runs yet."""
        self.engine, self.game = engine, game
        self._program: Program | None = None
        self._told: list[int] = []  # the moves that the engine knows
        self._told_from: Position | None = None
        self._spent: float | None = None

    def choose(self, line: Line) -> int:
        """The engine's move at the end of a line, which it then has not seen made."""
        raise NotImplementedError

    def start(
        self, *words: str, terminal: bool = False, files: Mapping[str, str] | None = None
    ) -> Program:
        """The program, newly started, perhaps with more words and with files in its home."""
        self.close()
        command = [*self.engine.command, *words]
        self._program = Program(
            self.engine.name, command, self.engine.timeout, terminal, files or {}
        )
        return self._program

    @property
    def program(self) -> Program | None:
        """The program, if it runs."""
        return self._program if self._program is not None and self._program.is_usable else None

    def knows(self, line: Line) -> bool:
        """Does the line only go on from what the engine was told?"""
        return self.program is not None and line.follows(self._told, self._told_from)

    def untold(self, line: Line) -> list[tuple[int, int]]:
        """The seats and moves that the engine has not been told."""
        first = len(self._told)
        return list(zip(line.seats[first:], line.moves[first:], strict=True))

    def forget(self, line: Line) -> None:
        """The engine has a new board."""
        self._told, self._told_from = [], line.start

    def note(self, *moves: int) -> None:
        """The engine knows of these moves now."""
        self._told += moves

    def stop(self) -> None:
        """End the program, from another thread."""
        if self._program is not None:
            self._program.stop()

    def spent(self) -> float:
        """Seconds of processor time since this was asked first."""
        before = 0.0 if self._spent is None else self._spent
        self._spent = before  # from now on, also of programs that end
        return before + (self.program.spent() if self.program is not None else 0.0)

    def close(self) -> None:
        """End the program."""
        if self._program is not None:
            if self._spent is not None:
                self._spent += self._program.spent()
            self._program.close()
            self._program = None

    def cannot(self, problem: str, line: Line) -> EngineError:
        """Why the engine cannot play on, with the board."""
        return EngineError(f"{self.engine.name} {problem}\n{picture(self.game, line.position)}")
