"""A player that thinks in one thread and is stopped from another; an analysis that deepens.

For whoever shows thoughts while they grow: the page, and the protocols of other programs.
"""

from __future__ import annotations

import concurrent.futures
import math
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from quintet.players.player import Seat, Thoughts
from quintet.randomness import seeded

_AGAIN = 0.02  # seconds: a search that is only beginning forgets that it should stop


class Line(NamedTuple):
    """How a position was reached."""

    round: int
    nodes: tuple[int, ...]  # what tells the positions of a round apart, from the start
    moves: tuple[int, ...]
    positions: tuple[Any, ...]  # one more than moves: the last is the position itself

    @property
    def node(self) -> int:
        """The node of the position."""
        return self.nodes[-1]


class Answer(NamedTuple):
    """What a player chose, and what it thought."""

    move: int
    thoughts: Thoughts | None
    seconds: float


class Thinker:
    """A player with its memory, which one thread at a time may use."""

    def __init__(self, make: Callable[[], Any], game: Any, seed: int) -> None:
        """The player is made only when it must think, by the thread that thinks."""
        self._make, self._game, self._seed = make, game, seed
        self._seat: Seat | None = None
        self._seen: tuple[int, tuple[int, ...]] = (0, ())
        self._lock = threading.Lock()
        self._thoughts = 0  # begun

    def choose(
        self,
        line: Line,
        wanted: Callable[[], bool],
        seconds: float | None = None,
        sims: int | None = None,
    ) -> Answer:
        """Think about a position, unless it is wanted no more; perhaps only so long or so much."""
        with self._lock:
            self._thoughts += 1
            if not wanted():
                raise concurrent.futures.CancelledError
            seat = self._followed(line)
            limits = {"seconds": seconds, "sims": sims}
            given = {name: limits[name] for name in limits if limits[name] is not None}
            known = {name: given[name] for name in given if name in seat.player._fields}
            seat.player = seat.player._replace(**known) if known else seat.player
            begun = time.perf_counter()
            position = line.positions[-1]
            move = seat.choose(position)
            found = _without_guesses(seat.thoughts(position))
            return Answer(move, found, time.perf_counter() - begun)

    def stop(self) -> None:
        """End the thought that is going on, if the player can."""
        self._stop(self._thoughts)

    def _stop(self, thought: int) -> None:
        if not self._lock.locked() or self._thoughts != thought:
            return
        if self._seat is not None:
            self._seat.stop()
        if self._seat is None or hasattr(self._seat.player, "stop"):
            again = threading.Timer(_AGAIN, self._stop, [thought])
            again.daemon = True
            again.start()

    def prepare(self, line: Line) -> None:
        """Make and compile the player, so that it can begin at once."""
        with self._lock:
            self._followed(line)

    def deepens(self) -> bool:
        """Would more time give more?"""
        return self._seat is not None and "seconds" in self._seat.player._fields

    def resumes(self) -> bool:
        """Does it go on with what it found, when it is asked again?"""
        return self._seat is not None and getattr(self._seat.player, "reuse", False)

    def _followed(self, line: Line) -> Seat:
        """The player, after it was told the moves that it has not seen."""
        if self._seat is None:
            player = self._make()
            _compile(player, self._game, line.positions[-1])
            self._seat = Seat(player, self._game, seeded(self._seed))
        seat, (round_, seen) = self._seat, self._seen
        goes_on = round_ == line.round and line.nodes[: len(seen)] == seen and len(seen) > 0
        if not goes_on:
            seat.begin()
            seen = line.nodes[:1]
        for ply in range(len(seen) - 1, len(line.moves)):
            seat.watch(line.positions[ply], line.moves[ply])
        self._seen = (line.round, line.nodes)
        return seat


def _without_guesses(found: Thoughts | None) -> Thoughts | None:
    """A search that had only one move to make visited nothing: its values are not known."""
    if found is None or any(found.visits):
        return found
    return found._replace(values=[[math.nan] * len(values) for values in found.values])


def _compile(player: Any, game: Any, position: Any) -> None:
    """Let a search think as little as it can, so that its clock does not run while it compiles."""
    least = {"sims": 1, "depth": 0}
    fields = set(getattr(player, "_fields", ()))
    if "seconds" in fields:
        little = {name: value for name, value in least.items() if name in fields}
        seat = Seat(player._replace(**little), game, seeded(0))
        seat.choose(position)
        seat.thoughts(position)


def deepening(player: Any) -> Any:
    """The same search, but such that it goes on where it was when it is asked again."""
    if {"sims", "reuse", "seconds"} <= set(player._fields):
        return player._replace(sims=0, reuse=True)
    return player


class Deepening:
    """An analysis in slices: how long the next one is, and whether it is at its end."""

    def __init__(self, thinker: Thinker, slice_seconds: float, longest: float, most: float) -> None:
        """The first slice; the longest, where each begins anew; and all of them together."""
        self._thinker, self._longest, self._most = thinker, longest, most
        self.seconds, self.spent, self.finished = slice_seconds, 0.0, False

    def note(self, answer: Answer) -> Answer:
        """Take a slice into account; its answer with the seconds of all slices."""
        self.spent += min(answer.seconds, 2 * self.seconds)  # what compiled first does not count
        resumes = self._thinker.resumes()
        # who could have gone on and did not has no more to say
        done = not resumes and answer.seconds < self.seconds / 2
        done = done or is_settled(answer) or not self._thinker.deepens()
        self.finished = done or self.spent > self._most
        if not resumes:  # it begins anew each time: give it more
            self.seconds = min(2 * self.seconds, self._longest)
        return answer._replace(seconds=self.spent)


def is_settled(answer: Answer) -> bool:
    """Would no search find more?  Where only one move is legal, there is nothing to visit."""
    thoughts = answer.thoughts
    return thoughts is not None and (thoughts.solved or not any(thoughts.visits))
