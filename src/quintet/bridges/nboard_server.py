"""A player as an engine of NBoard, version 2, for Othello.

The protocol is that of NBoard's documentation (orbanova.com/nboard).  The game on the
board comes as GGF.  A line that arrives while the player thinks ends the thought, which
is answered with what was found until then; so `pong` says that nothing of an older
position will follow.

An eval is what the mover may expect, from -64 (a loss) to 64 (a win): our searches ask
who wins, and not by how many discs.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from typing import Any

from quintet import games
from quintet.bridges import ggf
from quintet.bridges.channel import Channel
from quintet.bridges.clock import own_seconds
from quintet.bridges.coordinates import OTHELLO, shortened
from quintet.bridges.game_so_far import GameSoFar
from quintet.bridges.game_tree import pass_of
from quintet.errors import UserError
from quintet.players import make_player
from quintet.players.thinking import Answer, Deepening, Thinker, deepening

_DISCS = 64
_SLICE, _LONGEST_SLICE = 0.1, 10.0  # seconds of a hint before it looks around
_EVERY = 0.5  # seconds between the reports of a hint
_HINT_SECONDS = 60.0  # of thinking, at most


class Engine:
    """The game on NBoard's board, and the player that thinks about it."""

    def __init__(self, player: str, seed: int, channel: Channel) -> None:
        """The start position, until `set game` says another."""
        self.quitting = False
        self._text, self._seed, self._channel = player, seed, channel
        self._depth: int | None = None
        self._sit_down(games.make("othello"))
        self._do: dict[str, Callable[[str], None]] = {
            name.removeprefix("_do_"): getattr(self, name)
            for name in dir(self)
            if name.startswith("_do_")
        }

    def obey(self, line: str) -> None:
        """Do what a line says; lines that are not known are ignored, as NBoard wants it."""
        text = re.sub(r"[\x00-\x1f\x7f]", " ", line).strip()
        name, _, rest = text.partition(" ")
        try:
            if name in self._do:
                self._do[name](rest.strip())
        except UserError as error:
            self._say(f"status error: {str(error).splitlines()[0]}")

    def interrupt(self, line: str | None) -> None:
        """A line has arrived, or the end: a thought ends, but a script may wait for a move."""
        if line is not None or self._channel.gone:
            self._thinker.stop()
            self._analyst.stop()

    def _say(self, text: str) -> None:
        self._channel.say(f"{text}\n")

    def _sit_down(self, game: Any) -> None:
        player = make_player(self._text, game)
        if self._depth is not None and "depth" in player._fields:
            player = player._replace(depth=max(0, self._depth - 1))  # ours follow the move
        self._player, self._so_far = player, GameSoFar(game)
        self._thinker = Thinker(lambda: player, game, self._seed)
        self._analyst = Thinker(lambda: deepening(player), game, self._seed)

    # --- what NBoard tells ------------------------------------------------------------

    def _do_nboard(self, rest: str) -> None:
        self._say(f"set myname Quintet {self._text}")

    def _do_set(self, rest: str) -> None:
        what, _, value = rest.partition(" ")
        if what == "game":
            self._set_game(value)
        elif what == "depth":
            self._set_depth(value)

    def _set_game(self, text: str) -> None:
        tree = ggf.read(text.encode())[0]
        if games.text_of(tree.game) != games.text_of(self._so_far.game):
            make_player(self._text, tree.game)  # before anything changes
            self._sit_down(tree.game)
        loaded = GameSoFar(tree.game)
        loaded.begin_as(tree)
        self._so_far = loaded

    def _set_depth(self, text: str) -> None:
        if not re.fullmatch(r"[0-9]{1,2}", text):
            raise UserError(f"depth {shortened(text)}; expected a whole number")
        self._depth, old = int(text), self._so_far
        self._sit_down(old.game)
        self._so_far = old

    def _do_move(self, rest: str) -> None:
        name = re.split(r"[/\s]", rest, maxsplit=1)[0]
        passing = pass_of(self._so_far.game)
        is_pass = name.upper() in ("PA", "PASS") and passing is not None
        layout = self._so_far.game.layout()
        self._so_far.play(int(passing or 0) if is_pass else OTHELLO.read(layout, name))

    def _do_ping(self, rest: str) -> None:
        if not re.fullmatch(r"[0-9]{1,18}", rest):
            raise UserError(f"ping {shortened(rest)}; expected a whole number")
        self._say(f"pong {rest}")

    def _do_learn(self, rest: str) -> None:
        self._say("learned")  # nothing: players learn by `quintet train`

    def _do_quit(self, rest: str) -> None:
        self.quitting = True

    # --- thinking ---------------------------------------------------------------------

    def _do_go(self, rest: str) -> None:
        self._expect_a_move_to_make()
        self._say("status Thinking")
        line = self._so_far.line()
        answer = self._thinker.choose(line, lambda: True, own_seconds(self._player))
        self._say(f"=== {self._name(answer.move)}{self._eval(answer)}/{answer.seconds:.2f}")
        self._say("status")

    def _expect_a_move_to_make(self) -> None:
        if self._so_far.is_over:
            raise UserError("the game is over")

    def _do_hint(self, rest: str) -> None:
        if not re.fullmatch(r"[0-9]{1,3}", rest or "1"):
            raise UserError(f"hint {shortened(rest)}; expected a whole number")
        self._expect_a_move_to_make()
        self._say("status Thinking")
        self._hint(max(1, int(rest or "1")))
        self._say("status")

    def _hint(self, most: int) -> None:
        """Report now and then, until a line arrives or nothing more is to be found."""
        line, arrived = self._so_far.line(), self._channel.is_waiting
        going = Deepening(self._analyst, _SLICE, _LONGEST_SLICE, _HINT_SECONDS)
        told = time.monotonic()
        while True:
            answer = self._analyst.choose(line, lambda: True, going.seconds)
            answer = going.note(answer)
            ends = arrived() or going.finished or self._channel.gone
            if ends or time.monotonic() - told >= _EVERY:
                self._report(answer, most)
                told = time.monotonic()
            if ends:
                return

    def _report(self, answer: Answer, most: int) -> None:
        found, seat = answer.thoughts, self._so_far.turn
        if found is None:
            self._say(f"search {self._name(answer.move)} 0.00 0 1")
            return
        for order, move in enumerate(found.moves[:most]):
            line = found.lines[order] if found.lines else [move]
            names = "".join(self._name(one) for one in line)
            value = _in_discs(found.values[order][seat])
            self._say(f"search {names} {value:.2f} 0 {found.depth}")
        self._say(f"nodestats {found.nodes} {answer.seconds:.2f}")

    def _eval(self, answer: Answer) -> str:
        if answer.thoughts is None:
            return "/0.00"
        return f"/{_in_discs(answer.thoughts.values[0][self._so_far.turn]):.2f}"

    def _name(self, move: int) -> str:
        game = self._so_far.game
        return "PA" if move == pass_of(game) else OTHELLO.write(game.layout(), move).upper()


def _in_discs(value: float) -> float:
    return _DISCS * (2 * value - 1) if math.isfinite(value) else 0.0


def serve(engine: Engine, channel: Channel) -> None:
    """Obey lines until there are no more, or one says quit."""
    channel.open(engine.interrupt)
    while not engine.quitting and not channel.gone:
        line = channel.next()
        if line is None:
            return
        engine.obey(line)
