"""An engine in a seat: ``engine:gnugo:level=5``; a comma or parentheses do as well."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from quintet import rules
from quintet.bridges.engines.configuration import find_engine
from quintet.bridges.engines.conversation import Conversation, EngineAt
from quintet.bridges.engines.engine import PROTOCOLS, Engine
from quintet.bridges.engines.line import Line
from quintet.bridges.engines.program import EngineError
from quintet.errors import UserError
from quintet.notation import move_name, picture
from quintet.parameters import read_settings
from quintet.randomness import Random, next_word
from quintet.registry import joined
from quintet.rules import Position

_TEXT = re.compile(r"([\w.-]+)(?:\((.*)\)|[:,](.*))?", re.DOTALL)
_LONGEST_TIMEOUT = 86_400.0


class EnginePlayer(NamedTuple):
    """Another program chooses the moves."""

    engine: Engine
    values: tuple[tuple[str, int], ...]  # of its settings
    timeout: float  # seconds for an answer

    def __str__(self) -> str:
        values = ",".join(f"{name}={value}" for name, value in self.values)
        return f"engine:{joined(self.engine.name, values)}"

    def unfit(self, game: Any) -> str | None:
        """Why it cannot play a game, or None."""
        return self.engine.unfit(game)

    def memory(self, game: Any) -> Sitting:
        """The game so far, and the program when it runs."""
        return Sitting(self, game)

    def begin(self, game: Any, memory: Sitting) -> None:
        """A new game."""
        memory.line.begin()

    def watch(self, game: Any, position: Position, move: int, memory: Sitting) -> None:
        """Somebody is about to make this move."""
        memory.line.meet(position)
        memory.line.play(move)

    def think(self, game: Any, position: Position, memory: Sitting, random: Random) -> int:
        """The engine's move."""
        return memory.choose(position, int(next_word(random)))

    def stop(self, memory: Sitting) -> None:
        """End the program that thinks; it is started again when it is needed."""
        memory.stop()


class Sitting:
    """An engine at a board."""

    def __init__(self, player: EnginePlayer, game: Any) -> None:
        """Nothing runs before the first move is wanted."""
        self.line = Line(game)
        self._player, self._game = player, game
        self._conversation = _conversation(player, game)

    def choose(self, position: Position, seed: int) -> int:
        """The engine's move, checked by our rules."""
        self.line.meet(position)
        self.line.seed = seed
        try:
            move = self._conversation.choose(self.line)
            self._check(move, position)
        except BaseException:  # also Ctrl-C: what it was about to say must not answer later
            self._conversation.close()
            raise
        return move

    def spent(self) -> float:
        """Seconds of processor time that the program has used since this was asked first."""
        return self._conversation.spent()

    def _check(self, move: int, position: Position) -> None:
        if move not in rules.list_legal_moves(self._game, position):
            told = f"{self._player} chose {move_name(self._game, move)}, which is not legal"
            raise EngineError(f"{told}\n{picture(self._game, position)}")

    def stop(self) -> None:
        """End the program, from another thread."""
        self._conversation.stop()


def player_of_engine(text: str, game: Any) -> EnginePlayer:
    """The player that a text such as ``gnugo:level=5`` names."""
    name, settings = taken_apart(text)
    engine = find_engine(name)
    given = read_settings(settings)
    timeouts = [value for name, value in given if name == "timeout"]
    values = engine.values([(name, value) for name, value in given if name != "timeout"])
    timeout = _seconds(timeouts[-1]) if timeouts else engine.timeout
    player = EnginePlayer(engine, values, timeout)
    problem = player.unfit(game)
    if problem:
        raise UserError(f"player 'engine:{text}': {problem}")
    return player


def taken_apart(text: str) -> tuple[str, str]:
    """The name of an engine, and its settings."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise UserError(f"engine:{text[:80]} names no engine; expected engine:NAME:level=5")
    return found[1], found[2] or found[3] or ""


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _LONGEST_TIMEOUT:
        raise UserError(f"timeout={text} is not possible; expected seconds, more than 0")
    return seconds


def _conversation(player: EnginePlayer, game: Any) -> Conversation:
    values = dict(player.values)
    command = player.engine.command_for(game, values)
    at = EngineAt(str(player), command, values, player.timeout, player.engine.passes)
    made: Conversation = PROTOCOLS[player.engine.protocol].load()(at, game)
    return made
