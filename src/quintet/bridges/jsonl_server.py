"""Lines of JSON: any game for any number of players, several requests at once, in any order.

docs/guide/jsonl.md tells how it is used, jsonl.schema.json what the lines look like.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import Any, NamedTuple

from quintet import games, rules
from quintet.bridges.channel import Channel
from quintet.bridges.clock import LEAST, own_seconds
from quintet.bridges.game_so_far import GameSoFar
from quintet.bridges.in_sight import Limits, limits_of, think_in_sight
from quintet.bridges.jsonl_answers import answer_json, position_json
from quintet.bridges.jsonl_requests import Problem, Request, id_of, read_request
from quintet.errors import IllegalMove, UserError
from quintet.notation import parse_move, parse_picture
from quintet.players import make_player, players_for
from quintet.players.thinking import Answer, Line, Thinker, deepening
from quintet.runs.settings import version_of

PROTOCOL = 1
_SHOWN = 10  # moves of a thought, if the request does not say


class Bounds(NamedTuple):
    """What one request, and all of them, may take."""

    at_once: int = max(1, os.cpu_count() or 1)  # requests that are worked on
    waiting: int = 1000  # requests that wait for that
    seconds: float = 60.0  # for one position
    nodes: int = 2_000_000  # of a tree: 200 MB
    table: int = 256  # megabytes
    threads: int = max(1, os.cpu_count() or 1)  # of one search


class Task:
    """A request that is being worked on."""

    def __init__(self, request: Request) -> None:
        """Nothing is done yet."""
        self.request, self.stopped = request, False
        self._thinker: Thinker | None = None

    def thinks(self, thinker: Thinker) -> Thinker:
        """Remember what is at work for it."""
        self._thinker = thinker
        return thinker

    def choose(self, thinker: Thinker, line: Line, seconds: float) -> Answer:
        """A player's answer; one that is no more wanted takes no time."""
        try:
            return thinker.choose(line, lambda: not self.stopped, seconds)
        except CancelledError:
            return thinker.choose(line, lambda: True, LEAST)

    def stop(self) -> None:
        """Come to an end, with what has been found."""
        self.stopped = True
        if self._thinker is not None:
            self._thinker.stop()


class Server:
    """Reads requests, and has them answered by a few threads."""

    def __init__(self, channel: Channel, bounds: Bounds | None = None, trust: bool = False) -> None:
        """`trust`: Python files and OpenSpiel's games may be named as games."""
        self._channel, self._bounds, self._trust = channel, bounds or Bounds(), trust
        self._tasks: dict[str | int, Task] = {}
        self._pool = ThreadPoolExecutor(self._bounds.at_once, "request")
        self._do: dict[str, Callable[[Task], None]] = {
            name.removeprefix("_do_"): getattr(self, name)
            for name in dir(self)
            if name.startswith("_do_")
        }

    def serve(self) -> None:
        """Answer until there are no more lines and all is answered, or nobody listens."""
        self._channel.open(self._arrived)
        is_cut = True
        try:
            while not self._channel.gone and (line := self._channel.next()) is not None:
                self.take(line)
            is_cut = self._channel.gone
        finally:
            if is_cut:  # Ctrl-C, or nobody listens
                self._stop_all()
            self._pool.shutdown(cancel_futures=is_cut)

    def _arrived(self, line: str | None) -> None:
        if self._channel.gone:
            self._stop_all()

    def _stop_all(self) -> None:
        for task in list(self._tasks.values()):
            task.stop()

    def take(self, line: str) -> None:
        """Begin to answer a line; `stop` is answered at once."""
        if not line.strip():
            return
        try:
            request = read_request(line)
            if request.do == "stop":
                self._stop(request)
            else:
                self._begin(request)
        except Problem as problem:
            self._refuse(id_of(line), problem)

    def _stop(self, request: Request) -> None:
        task = self._tasks.get(request.given["stop"])
        if task is not None:
            task.stop()
        self._say(request.id, "stopped", stopped=request.given["stop"], found=task is not None)

    def _begin(self, request: Request) -> None:
        if request.id in self._tasks:
            raise Problem("invalid", f"id {request.id!r} is of a request that is not answered yet")
        if len(self._tasks) >= self._bounds.at_once + self._bounds.waiting:
            raise Problem("busy", f"{len(self._tasks)} requests wait already; try later")
        task = Task(request)
        self._tasks[request.id] = task
        self._pool.submit(self._work, task)

    def _work(self, task: Task) -> None:
        """Answer a request, whatever happens."""
        try:
            self._do[task.request.do](task)
        except Problem as problem:
            self._end(task, problem)
        except IllegalMove as error:
            self._end(task, Problem("illegal", str(error).splitlines()[0]))
        except UserError as error:
            self._end(task, Problem("invalid", str(error).splitlines()[0]))
        except Exception as error:
            self._end(task, Problem("failed", f"{type(error).__name__}: {error}"[:500]))
        else:
            self._tasks.pop(task.request.id, None)

    def _end(self, task: Task, problem: Problem) -> None:
        self._tasks.pop(task.request.id, None)
        self._refuse(task.request.id, problem)

    def _refuse(self, to: str | int | None, problem: Problem) -> None:
        self._say(to, "error", problem={"code": problem.code, "message": str(problem)})

    def _last(self, task: Task, kind: str, **content: Any) -> None:
        """The last answer: its id is free again before it can be read."""
        self._tasks.pop(task.request.id, None)
        self._say(task.request.id, kind, **content)

    def _say(self, to: str | int | None, kind: str, **content: Any) -> None:
        found = {"id": to, "type": kind, **content}
        self._channel.say(json.dumps(found, allow_nan=False, separators=(",", ":")) + "\n")

    # --- what does not think --------------------------------------------------------

    def _do_about(self, task: Task) -> None:
        version = version_of("quintet")
        self._last(task, "about", name="Quintet", version=version, protocol=PROTOCOL)

    def _do_games(self, task: Task) -> None:
        names = {name: entry.summary for name, entry in games.names().items()}
        self._last(task, "games", games=names)

    def _do_players(self, task: Task) -> None:
        names = {name: entry.summary for name, entry in players_for(self._game(task))}
        self._last(task, "players", players=names)

    def _do_position(self, task: Task) -> None:
        self._last(task, "position", **position_json(self._so_far(task)))

    # --- thinking ---------------------------------------------------------------------

    def _do_choose(self, task: Task) -> None:
        so_far = self._so_far(task)
        player, seconds = self._player(task, so_far.game)
        line = so_far.line()
        _expect_a_move(so_far.game, line)
        thinker = task.thinks(self._thinker(task, player, so_far.game))
        answer = task.choose(thinker, line, seconds)
        told = answer_json(so_far.game, line, answer, task.request.given.get("most", _SHOWN))
        self._last(task, "choice", **told, stopped=task.stopped)

    def _do_analyse(self, task: Task) -> None:
        """Each of the plies in turn, by one player."""
        so_far, given = self._so_far(task), task.request.given
        player, seconds = self._player(task, so_far.game)
        plies = given.get("plies", [len(so_far.moves)])
        if max(plies) > len(so_far.moves):
            told = f"plies {max(plies)}; expected 0 to {len(so_far.moves)}, the number of moves"
            raise Problem("invalid", told)
        lines = [so_far.line(ply) for ply in plies]
        for line in lines:
            _expect_a_move(so_far.game, line)
        deeper = deepening(player) if "every" in given else player
        thinker = task.thinks(self._thinker(task, deeper, so_far.game))
        for line in lines:
            if deeper == player:
                answer = task.choose(thinker, line, seconds)
            else:
                answer = self._in_sight(task, thinker, line, limits_of(player, seconds))
            is_last = line is lines[-1] or task.stopped
            self._tell(task, line, answer, finished=True, last=is_last)
            if is_last:
                return

    def _in_sight(self, task: Task, thinker: Thinker, line: Line, limits: Limits) -> Answer:
        def report(found: Answer) -> None:
            self._tell(task, line, found, finished=False)

        every = task.request.given["every"]
        return think_in_sight(thinker, line, limits, every, report, lambda: not task.stopped)

    def _tell(
        self, task: Task, line: Line, answer: Answer, finished: bool, last: bool = False
    ) -> None:
        given = task.request.given
        told = answer_json(self._game(task), line, answer, given.get("most", _SHOWN))
        say = self._last if last else self._more
        say(task, "thoughts", **told, finished=finished, stopped=finished and task.stopped)

    def _more(self, task: Task, kind: str, **content: Any) -> None:
        self._say(task.request.id, kind, **content)

    # --- what requests name -----------------------------------------------------------

    def _game(self, task: Task) -> Any:
        return games.make_as_told(task.request.given["game"], self._trust)

    def _so_far(self, task: Task) -> GameSoFar:
        game, given = self._game(task), task.request.given
        so_far = GameSoFar(game)
        if "picture" in given:
            so_far.begin(parse_picture(game, given["picture"]))
        for number, move in enumerate(given.get("moves", []), 1):
            try:
                so_far.play(parse_move(game, move) if isinstance(move, str) else move)
            except UserError as error:
                code = "illegal" if isinstance(error, IllegalMove) else "invalid"
                raise Problem(code, f"move {number}: {str(error).splitlines()[0]}") from None
        return so_far

    def _player(self, task: Task, game: Any) -> tuple[Any, float]:
        """The player within the bounds, and how long it may think about a position."""
        player, bounds = make_player(task.request.given["player"], game), self._bounds
        fields, changes = set(getattr(player, "_fields", ())), {}
        if "nodes" in fields and "sims" in fields:
            changes["nodes"] = min(player.nodes, bounds.nodes)
        if "threads" in fields:
            changes["threads"] = min(player.threads, bounds.threads)
        if "table" in fields and type(player.table) is int:
            changes["table"] = min(player.table, bounds.table)
        asked = task.request.given.get("seconds", bounds.seconds)
        return player._replace(**changes), min(own_seconds(player), asked, bounds.seconds)

    def _thinker(self, task: Task, player: Any, game: Any) -> Thinker:
        return Thinker(lambda: player, game, task.request.given.get("seed", 0))


def _expect_a_move(game: Any, line: Line) -> None:
    if rules.is_over(game, line.positions[-1]):
        raise Problem("illegal", f"the game is over after {len(line.moves)} plies")
