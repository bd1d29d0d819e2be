"""A player as an engine of the Go Text Protocol, version 2, for every game.

The analysing commands go on until the next line arrives, as those of Leela Zero and
KataGo do; the colors and moves are told in gtp_board.py.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import re
import time
from collections.abc import Callable
from typing import Any

from quintet.bridges.channel import Channel
from quintet.bridges.clock import ENDLESS, Clock, own_seconds
from quintet.bridges.gtp_analysis import Report, Wanted, read_wanted
from quintet.bridges.gtp_board import BoardCommands
from quintet.bridges.in_sight import limits_of, think_in_sight
from quintet.bridges.sgf_game import number as decimal
from quintet.errors import UserError
from quintet.notation import move_name
from quintet.players import make_player
from quintet.players.thinking import Answer, Deepening, Thinker, deepening

_SLICE = 0.1  # seconds of an analysis, at most, before it looks around
_LONGEST_SLICE = 10.0  # of a search that begins anew each time


class Engine(BoardCommands):
    """A game, its moves so far, and the player that thinks about it."""

    def __init__(self, game: Any, player: str, seed: int, channel: Channel) -> None:
        """Sit down at a new board."""
        self.quitting = False
        self._text, self._seed, self._channel = player, seed, channel
        self._number, self._streaming = "", False
        self._clock, self._values = Clock(), list[float]()
        self._interruptible = False
        self._commands: dict[str, Callable[[list[str]], str]] = {
            name.removeprefix("_do_").replace("_Z_", "-"): getattr(self, name)
            for name in dir(self)
            if name.startswith("_do_")
        }
        super().__init__(game)

    def _begin(self, game: Any) -> None:
        player = make_player(self._text, game)  # before anything changes: it may not fit
        super()._begin(game)
        self._player = player
        self._thinker = Thinker(lambda: player, game, self._seed)
        self._analyst = Thinker(lambda: deepening(player), game, self._seed)

    def answer(self, line: str) -> str | None:
        """What is left of the reply to a line, without the empty line after it; None if none is due."""  # noqa: E501
        text = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line.partition("#")[0]).replace("\t", " ")
        words = text.split()
        self._number = words.pop(0) if words and re.fullmatch(r"[0-9]{1,20}", words[0]) else ""
        self._streaming = False
        if not words:
            return f"?{self._number} expected a command" if self._number else None
        try:
            if words[0] not in self._commands:
                raise UserError("unknown command")
            text = self._commands[words[0]](words[1:])
        except UserError as error:
            told = str(error).splitlines()[0]
            return told if self._streaming else f"?{self._number} {told}"
        if self._streaming:
            return text.lstrip("\n")
        return f"={self._number}{'' if text[:1] in ('', chr(10)) else ' '}{text}"

    def _stream(self, text: str) -> None:
        """Say a line of a reply that goes on."""
        if not self._streaming:
            self._channel.say(f"={self._number}\n")
        self._streaming = True
        self._channel.say(f"{text}\n")

    def interrupt(self, line: str | None) -> None:
        """A line has arrived, or the end: an analysis ends; other thoughts if nobody listens."""
        if self._channel.gone:
            self._thinker.stop()
        if self._channel.gone or self._interruptible:
            self._analyst.stop()

    # --- about the engine -------------------------------------------------------

    def _do_protocol_version(self, words: list[str]) -> str:
        return "2"

    def _do_name(self, words: list[str]) -> str:
        return "Quintet"

    def _do_version(self, words: list[str]) -> str:
        return self._text

    def _do_known_command(self, words: list[str]) -> str:
        return "true" if words[:1] and words[0] in self._commands else "false"

    def _do_list_commands(self, words: list[str]) -> str:
        return "\n".join(sorted(self._commands))

    def _do_quit(self, words: list[str]) -> str:
        self.quitting = True
        return ""

    # --- time -------------------------------------------------------------------

    def _do_time_settings(self, words: list[str]) -> str:
        main, period, moves = _numbers(words, 3, "main time, byo-yomi time and byo-yomi stones")
        self._clock.settle(main, period, int(moves))
        if not self._so_far.is_over:  # what must be compiled first takes time that counts from here
            self._thinker.prepare(self._so_far.line())
        return ""

    def _do_time_left(self, words: list[str]) -> str:
        seat = self._seat(words)
        seconds, moves = _numbers(words[1:], 2, "a color, a time and stones")
        self._clock.tell(seat, seconds, int(moves))
        return ""

    def _do_clear_board(self, words: list[str]) -> str:
        self._clock.begin()
        return super()._do_clear_board(words)

    # --- moves --------------------------------------------------------------------

    def _do_genmove(self, words: list[str]) -> str:
        seat = self._may_move(words)
        answer = self._thought(seat)
        self._clock.spend(seat, answer.seconds)
        return self._played(seat, answer)

    def _do_reg_genmove(self, words: list[str]) -> str:
        seat = self._may_move(words)
        answer = self._thought(seat)
        self._do_undo([])
        return move_name(self._game, answer.move)

    def _do_get_value(self, words: list[str]) -> str:
        """What the player that moved last could expect, from 0 to 1."""
        if not self._values:
            raise UserError("no search has told a value yet")
        return f"{self._values[0]:.6f}"

    def _may_move(self, words: list[str]) -> int:
        """The seat that is named, whose turn has begun."""
        seat = self._seat(words)
        if self._so_far.is_over:
            raise UserError("the game is over")
        self._turn_to(seat)
        if self._so_far.is_over:
            self._do_undo([])
            raise UserError("the game is over")
        return seat

    def _thought(self, seat: int) -> Answer:
        own, line = own_seconds(self._player), self._so_far.line()
        return self._thinker.choose(line, lambda: True, self._clock.seconds(seat, own))

    def _played(self, seat: int, answer: Answer) -> str:
        self._play(answer.move)
        found = answer.thoughts
        self._values = [] if found is None or not any(found.visits) else [found.values[0][seat]]
        return move_name(self._game, answer.move)

    # --- analysis -------------------------------------------------------------------

    def _do_lz_Z_analyze(self, words: list[str]) -> str:  # noqa: N802
        return self._analysed(words, False)

    def _do_kata_Z_analyze(self, words: list[str]) -> str:  # noqa: N802
        return self._analysed(words, True)

    def _do_lz_Z_genmove_analyze(self, words: list[str]) -> str:  # noqa: N802
        return self._moved_in_sight(words, False)

    def _do_kata_Z_genmove_analyze(self, words: list[str]) -> str:  # noqa: N802
        return self._moved_in_sight(words, True)

    def _named_or_turn(self, words: list[str]) -> tuple[int, list[str]]:
        """The seat that the first word names, or that is to move; and the other words."""
        # of two numbers the first is a color, a single one is an interval
        named = words[:1] and words[0].lower() in self._seats_by_name()
        if named and (not words[0].isdecimal() or (words[1:] and words[1].isdecimal())):
            return self._seat(words), words[1:]
        return self._so_far.turn, words

    def _analysed(self, words: list[str], kata: bool) -> str:
        """Reports until a line arrives, and a last one then."""
        seat, rest = self._named_or_turn(words)
        wanted = read_wanted(rest, kata, hasattr(self._game, "komi"))
        self._may_move([str(seat + 1)])
        self._interruptible = True
        try:
            return "\n" + self._until_a_line(wanted)
        finally:
            self._interruptible = False
            self._do_undo([])

    def _until_a_line(self, wanted: Wanted) -> str:
        """Think in slices, and report now and then; the last report."""
        line, arrived = self._so_far.line(), self._channel.is_waiting
        report = Report(self._game, line, self._player, wanted)
        going = Deepening(self._analyst, min(_SLICE, wanted.seconds), _LONGEST_SLICE, ENDLESS)
        answer = going.note(self._analyst.choose(line, lambda: True, going.seconds))
        told = time.monotonic() - wanted.seconds
        while not arrived() and not self._channel.gone:
            if time.monotonic() - told >= wanted.seconds:
                self._stream(report.line(answer))
                told = time.monotonic()
            if going.finished:
                self._channel.wait(wanted.seconds)
                continue
            with contextlib.suppress(concurrent.futures.CancelledError):
                slice_ = self._analyst.choose(line, lambda: not arrived(), going.seconds)
                answer = going.note(slice_)
        return report.line(answer)

    def _moved_in_sight(self, words: list[str], kata: bool) -> str:
        """Reports until the player's own limits are reached, then its move."""
        seat, rest = self._named_or_turn(words)
        wanted = read_wanted(rest, kata, hasattr(self._game, "komi"))
        self._may_move([str(seat + 1)])
        line = self._so_far.line()
        report = Report(self._game, line, self._player, wanted)
        limits = limits_of(self._player, self._clock.seconds(seat, own_seconds(self._player)))
        answer = think_in_sight(
            self._analyst,
            line,
            limits,
            wanted.seconds,
            lambda found: self._stream(report.line(found)),
            lambda: not self._channel.gone,
        )
        self._clock.spend(seat, answer.seconds)
        self._stream(report.line(answer))
        return f"play {self._played(seat, answer)}"


def _numbers(words: list[str], count: int, expected: str) -> list[float]:
    """Numbers that are not negative."""
    found = [decimal(word) for word in words]
    numbers = [number for number in found if number is not None and number >= 0]
    if len(words) != count or len(numbers) != count:
        raise UserError(f"expected {expected}")
    return numbers


def serve(engine: Engine, channel: Channel) -> None:
    """Answer lines until there are no more, or one says quit."""
    channel.open(engine.interrupt)
    while not engine.quitting and not channel.gone:
        line = channel.next()
        if line is None:
            return
        reply = engine.answer(line)
        if reply is not None:
            channel.say(f"{reply}\n\n")
