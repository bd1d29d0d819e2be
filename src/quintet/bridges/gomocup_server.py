"""A player as a brain of Piskvork, the manager of Gomocup's tournaments, for Go-Moku.

The protocol is that of plastovicka.github.io/protocl2en.htm.  Cells are column and row,
counted from 0 at the top left.  Free play and exactly five (rule 1) are played; games
that go on after a five (2), Renju (4) and Caro (8) are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from quintet import games
from quintet.bridges.channel import Channel
from quintet.bridges.clock import own_seconds, seconds_for
from quintet.bridges.coordinates import PISKVORK, shortened
from quintet.bridges.game_so_far import GameSoFar
from quintet.bridges.game_tree import Setup, set_up
from quintet.errors import UserError
from quintet.players import make_player
from quintet.players.thinking import Answer, Thinker
from quintet.runs.settings import version_of

SIZES = (5, 20)
_OWN, _THEIRS = 1, 2  # the fields of BOARD
_EXACT = 1  # the only rule of INFO that we know
_RULES = {2: "a game that goes on after a five", 4: "Renju", 8: "Caro"}
_STOPS = {"END", "STOP", "YXSTOP"}
_PLACE_BYTES = 100  # of a search's tree, about


class Brain:
    """A board, the manager's limits, and the player that thinks."""

    def __init__(self, player: str, seed: int, channel: Channel) -> None:
        """Nothing is on the table before START."""
        self.quitting = False
        self._text, self._seed, self._channel = player, seed, channel
        self._so_far: GameSoFar | None = None
        self._thinker: Thinker | None = None
        self._own = 0.0  # seconds by the player's own settings
        self._stones: list[tuple[int, int]] | None = None  # of a BOARD that is being told
        self._problem: str | None = None  # the first one of that BOARD
        self._turn: float | None = None  # seconds a move
        self._left: float | None = None  # seconds for the rest of the game
        self._rule = self._memory = 0
        self._do: dict[str, Callable[[str], str | None]] = {
            name.removeprefix("_do_").upper(): getattr(self, name)
            for name in dir(self)
            if name.startswith("_do_")
        }

    def answer(self, line: str) -> str | None:
        """The line that answers a line; None if none is due."""
        text = re.sub(r"[\x00-\x1f\x7f]", " ", line).strip()
        name, _, rest = text.partition(" ")
        try:
            if self._stones is not None:
                return self._next_stone(text)
            if not name:
                return None
            if name.upper() not in self._do:
                return f"UNKNOWN {shortened(name)}"
            return self._do[name.upper()](rest.strip())
        except UserError as error:
            return f"ERROR {str(error).splitlines()[0]}"

    def interrupt(self, line: str | None) -> None:
        """A line has arrived, or the end; some of them end a thought."""
        word = (line or "").strip().upper()
        if self._thinker is not None and (word in _STOPS or self._channel.gone):
            self._thinker.stop()

    # --- beginning and ending -----------------------------------------------------

    def _do_start(self, rest: str) -> str:
        return self._started(*_sizes(rest, 1) * 2)

    def _do_rectstart(self, rest: str) -> str:
        return self._started(*_sizes(rest, 2))

    def _do_restart(self, rest: str) -> str:
        game = self._playing().game
        return self._started(game.columns, game.rows)

    def _started(self, columns: int, rows: int) -> str:
        self._refuse_rules()
        self._sit_down(columns, rows)
        assert self._so_far is not None
        assert self._thinker is not None
        self._thinker.prepare(self._so_far.line())  # compiled now, not while the clock runs
        return "OK"

    def _sit_down(self, columns: int, rows: int) -> None:
        exact = ",exact=yes" if self._rule & _EXACT else ""
        game = games.make(f"go-moku:columns={columns},rows={rows}{exact}")
        player = self._within_memory(make_player(self._text, game))
        self._so_far, self._own = GameSoFar(game), own_seconds(player)
        self._thinker = Thinker(lambda: player, game, self._seed)

    def _within_memory(self, player: Any) -> Any:
        """The player with a smaller tree, if the manager allows no larger one."""
        if not self._memory or "nodes" not in player._fields or "sims" not in player._fields:
            return player
        return player._replace(nodes=max(1, min(player.nodes, self._memory // _PLACE_BYTES)))

    def _playing(self) -> GameSoFar:
        if self._so_far is None:
            raise UserError("no board; expected START first")
        return self._so_far

    def _do_end(self, rest: str) -> None:
        self.quitting = True

    def _do_stop(self, rest: str) -> None:
        """Nothing is to be stopped any more."""

    _do_yxstop = _do_stop

    def _do_about(self, rest: str) -> str:
        about = {"name": f"Quintet {self._text}", "version": version_of("quintet")}
        about |= {"author": "Quintet", "country": "-"}
        return ", ".join(f'{key}="{value}"' for key, value in about.items())

    # --- what the manager tells -----------------------------------------------------

    def _do_info(self, rest: str) -> None:
        """Nothing answers INFO; what is not known is not for us."""
        key, _, text = rest.partition(" ")
        if not re.fullmatch(r"-?[0-9]{1,18}", text.strip()):
            return
        value = int(text)
        if key.lower() == "timeout_turn":
            self._turn = max(0, value) / 1000
        elif key.lower() in ("timeout_match", "time_left"):
            is_endless = key.lower() == "timeout_match" and value == 0
            self._left = None if is_endless else max(0, value) / 1000
        elif key.lower() == "rule":
            self._rule = max(0, value)
        elif key.lower() == "max_memory":
            self._memory = max(0, value)

    def _refuse_rules(self) -> None:
        for bit, name in _RULES.items():
            if self._rule & bit:
                raise UserError(f"rule {self._rule} is {name}; expected 0 or {_EXACT}")

    # --- moves ----------------------------------------------------------------------

    def _do_begin(self, rest: str) -> str | None:
        self._playing().begin()
        return self._moved()

    def _do_turn(self, rest: str) -> str | None:
        so_far = self._playing()
        so_far.play(PISKVORK.read(so_far.game.layout(), rest))
        try:
            return self._moved()
        except UserError:
            so_far.undo()
            raise

    def _do_play(self, rest: str) -> str:
        so_far = self._playing()
        move = PISKVORK.read(so_far.game.layout(), rest)
        so_far.play(move)
        return PISKVORK.write(so_far.game.layout(), move)

    def _do_takeback(self, rest: str) -> str:
        so_far = self._playing()
        cell = PISKVORK.read(so_far.game.layout(), rest)
        if so_far.moves[-1:] != [cell]:
            last = [PISKVORK.write(so_far.game.layout(), move) for move in so_far.moves[-1:]]
            raise UserError(f"{rest} is not the last move; expected {' '.join(last) or 'a board'}")
        so_far.undo()
        return "OK"

    def _moved(self) -> str | None:
        """Think, and make the move."""
        self._refuse_rules()
        self._keep_to_rule()
        so_far, thinker = self._playing(), self._thinker
        assert thinker is not None
        if so_far.is_over:
            raise UserError("the game is over")
        seconds = seconds_for(self._own, self._turn, self._left)
        answer = thinker.choose(so_far.line(), lambda: True, seconds)
        if self._left is not None:
            self._left = max(0.0, self._left - answer.seconds)
        self._tell(answer)
        so_far.play(answer.move)
        return PISKVORK.write(so_far.game.layout(), answer.move)

    def _keep_to_rule(self) -> None:
        """INFO may come after START: take another board with the same stones."""
        old = self._playing()
        if old.game.exact == bool(self._rule & _EXACT):
            return
        self._sit_down(old.game.columns, old.game.rows)
        new = self._playing()
        new.begin(old.start)
        for move in old.moves:
            new.play(move)

    def _tell(self, answer: Answer) -> None:
        found = answer.thoughts
        if found is not None and any(found.visits):
            so_far = self._playing()
            value = found.values[0][so_far.turn]
            line = " ".join(PISKVORK.write(so_far.game.layout(), move) for move in found.line)
            told = f"value {value:.3f} depth {found.depth} nodes {found.nodes} line {line}"
            self._channel.say(f"MESSAGE {told}\r\n")

    # --- a board at once ----------------------------------------------------------------

    def _do_board(self, rest: str) -> None:
        self._playing()
        self._stones, self._problem = [], None

    def _next_stone(self, text: str) -> str | None:
        """A line of BOARD; the first thing that is wrong is told at its end."""
        assert self._stones is not None
        if text.upper() == "DONE":
            stones, self._stones = self._stones, None
            if self._problem is not None:
                raise UserError(self._problem)
            self._place(stones)
            return self._moved()
        try:
            self._stones.append(self._read_stone(text))
        except UserError as error:
            self._problem = self._problem or str(error)
        return None

    def _read_stone(self, text: str) -> tuple[int, int]:
        layout = self._playing().game.layout()
        cell, _, field = text.replace(" ", "").rpartition(",")
        if field not in (str(_OWN), str(_THEIRS)):
            raise UserError(f"{shortened(text)}; expected x,y,1 (own) or x,y,2 (the opponent's)")
        found = PISKVORK.read(layout, cell)
        if any(found == one for one, _ in self._stones or ()):
            raise UserError(f"{shortened(text)}; a stone is there already")
        return found, int(field)

    def _place(self, stones: list[tuple[int, int]]) -> None:
        """Play the stones in their order if they alternate in number, else put them there."""
        so_far = self._playing()
        own, theirs = ([c for c, owner in stones if owner == one] for one in (_OWN, _THEIRS))
        first, second = (own, theirs) if len(own) == len(theirs) else (theirs, own)
        so_far.begin()
        if len(first) - len(second) in (0, 1):
            try:
                for number in range(len(stones)):
                    so_far.play((first, second)[number % 2][number // 2])
                return
            except UserError:  # there is a five among them, or two
                so_far.begin()
        seat = 0 if len(own) >= len(theirs) else 1
        owners = {_OWN: seat + 1, _THEIRS: 2 - seat}
        placed = tuple((cell, owners[owner]) for cell, owner in stones)
        so_far.begin(set_up(so_far.game, so_far.position, Setup(placed, seat)))


def _sizes(text: str, count: int) -> list[int]:
    low, high = SIZES
    words = re.split(r"\s*,\s*", text.strip())
    sizes = [int(word) for word in words if re.fullmatch(r"[0-9]{1,3}", word)]
    if len(words) != count or not all(low <= size <= high for size in sizes) or not sizes:
        raise UserError(f"size {shortened(text)}; expected {low} to {high}")
    if len(sizes) != count:
        raise UserError(f"size {shortened(text)}; expected {count} whole numbers")
    return sizes


def serve(brain: Brain, channel: Channel) -> None:
    """Answer lines until there are no more, or END."""
    channel.open(brain.interrupt)
    while not channel.gone:
        line = channel.next()
        if line is None:
            return
        reply = brain.answer(line)
        if brain.quitting:
            return
        if reply is not None:
            channel.say(f"{reply}\r\n")
