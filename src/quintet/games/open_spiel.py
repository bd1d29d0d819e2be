"""Games of OpenSpiel as ours: ``openspiel:breakthrough(rows=6,columns=6)``.

Their rules are not compiled here, so each move asks the interpreter, once: the
record of a position then holds all that our rules are asked for, and the moves
that led to it.  OpenSpiel's own state is found by these moves, in a store of the
latest ones, or by playing them again.

Taken are games of perfect information, without chance, in which one seat moves at
a time and whose rewards come at the end.  Utilities are the scores; those of two
seats that are 1, 0 or -1 become shares of 1.  What OpenSpiel tells of a board
are a text, which is our picture of it, and a tensor, which is our observation: on
its rows and columns if it has three dimensions, else a number in each plane.
"""

from __future__ import annotations

import collections
import ctypes
import difflib
import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import Word, added, mixed
from quintet.compiled import ask_python, python_address
from quintet.errors import UserError
from quintet.layout import Layout, Touch
from quintet.rules import Cells, Limits, Moves, Position, Scores, record

_MOST_STATES = 20_000  # kept; a search looks at the same ones again and again
_WIDEST = 25  # columns that have a letter
_START = -1


class _Loaded:
    """A game of OpenSpiel, with the states that were met lately."""

    def __init__(self, theirs: Any) -> None:
        self.theirs = theirs
        kind, seats = theirs.get_type(), theirs.num_players()
        self.low, self.high = float(theirs.min_utility()), float(theirs.max_utility())
        self.shares = seats == 2 and (self.low, self.high) == (-1.0, 1.0)
        shape = list(theirs.observation_tensor_shape()) if kind.provides_observation_tensor else []
        on_board = len(shape) == 3 and max(shape[1:]) <= _WIDEST
        self.planes = tuple(shape) if on_board else (max(1, int(np.prod(shape))), 1, 1)
        self.observed = bool(shape)
        self.dtype = record(
            history=(np.int32, theirs.max_game_length()),
            legal=(np.uint8, theirs.num_distinct_actions()),
            scores=(np.float64, seats),
            key=np.uint64,
            ply=np.int32,
            turn=np.int8,
            over=np.bool_,
            grid=(np.uint8, (*self.planes[1:], 0)),
        )
        self._states: collections.OrderedDict[bytes, Any] = collections.OrderedDict()
        self._lock = threading.Lock()

    def state(self, position: Position) -> Any:
        """OpenSpiel's state after the moves of a position: not to be changed."""
        moves = position["history"][: position["ply"]]
        state = self._found(moves.tobytes())
        if state is None:
            state = self.theirs.new_initial_state()
            for move in moves:
                state.apply_action(int(move))
            self._keep(moves.tobytes(), state)
        return state

    def _found(self, key: bytes) -> Any:
        with self._lock:
            state = self._states.get(key)
            if state is not None:
                self._states.move_to_end(key)
            return state

    def _keep(self, key: bytes, state: Any) -> None:
        with self._lock:
            self._states[key] = state
            if len(self._states) > _MOST_STATES:
                self._states.popitem(last=False)

    def play(self, position: Position, move: int) -> None:
        """Make a move, or write the start position."""
        state = self.state(position)
        if move != _START:
            state = state.child(move)
            position["history"][position["ply"]] = move
            position["ply"] += 1
            self._keep(position["history"][: position["ply"]].tobytes(), state)
        position["over"] = state.is_terminal()
        position["legal"][:] = 0
        if position["over"]:
            returns = np.array(state.returns())
            position["scores"] = (returns + 1) / 2 if self.shares else returns
        else:
            position["legal"][state.legal_actions()] = 1
            position["turn"] = state.current_player()

    def observe(self, position: Position, seat: int, planes: NDArray[np.float32]) -> None:
        """Write what a seat sees."""
        if self.observed:
            planes[:] = np.reshape(self.state(position).observation_tensor(seat), -1)


_LOADED: list[_Loaded] = []
_NUMBERS: dict[str, int] = {}


def load(text: str) -> OpenSpiel:
    """The game that OpenSpiel knows by a text such as ``hex(board_size=5)``."""
    try:
        import pyspiel
    except ImportError:
        raise UserError("games of OpenSpiel need it: pip install 'quintet[openspiel]'") from None
    name = text.partition("(")[0]
    if name not in pyspiel.registered_names():
        close = difflib.get_close_matches(name, pyspiel.registered_names(), 1)
        hint = f"did you mean {close[0]!r}?" if close else "expected one such as 'hex'"
        raise UserError(f"OpenSpiel has no game {name!r}; {hint}")
    try:
        theirs = pyspiel.load_game(text)
    except pyspiel.SpielError as error:
        told = str(error).splitlines()[0]
        raise UserError(f"OpenSpiel cannot make {text!r}: {told}") from None
    name = str(theirs)
    problem = _problem(theirs)
    if problem:
        raise UserError(f"OpenSpiel's {name}: {problem}")
    if name not in _NUMBERS:
        _LOADED.append(_Loaded(theirs))
        _NUMBERS[name] = len(_LOADED) - 1
    return OpenSpiel(_NUMBERS[name], _PLAYING, _OBSERVING)


def _problem(theirs: Any) -> str | None:
    """Why a game does not fit our rules, or None."""
    kind = theirs.get_type()
    wanted = {
        "dynamics": ("SEQUENTIAL", "seats move at the same time"),
        "chance_mode": ("DETERMINISTIC", "it has chance moves"),
        "information": ("PERFECT_INFORMATION", "it has hidden information"),
        "reward_model": ("TERMINAL", "it gives rewards before the end"),
    }
    for name, (value, problem) in wanted.items():
        if getattr(kind, name).name != value:
            return f"{problem}; expected a board game without"
    if theirs.num_players() > 6:
        return f"{theirs.num_players()} seats; expected 1 to 6"
    return None


def _play_at(address: int, number: int, move: int) -> None:
    loaded = _LOADED[number]
    loaded.play(_record_at(address, loaded.dtype), move)


def _observe_at(address: int, both: int, planes: int) -> None:
    number, seat = divmod(both, 8)
    loaded = _LOADED[number]
    size = int(np.prod(loaded.planes))
    view = np.ctypeslib.as_array((ctypes.c_float * size).from_address(planes))
    loaded.observe(_record_at(address, loaded.dtype), seat, view)


def _record_at(address: int, dtype: np.dtype[Any]) -> Position:
    """A view of the record that begins at an address."""
    memory: Any = (ctypes.c_char * dtype.itemsize).from_address(address)
    return np.frombuffer(memory, dtype)[0]


_PLAYING, _OBSERVING = python_address(_play_at), python_address(_observe_at)


class OpenSpiel(NamedTuple):
    """A game whose rules are OpenSpiel's; `load` makes it."""

    number: int  # among those loaded in this process
    playing: int  # addresses in this process
    observing: int

    def text(self) -> str:
        """What OpenSpiel calls it."""
        return str(_LOADED[self.number].theirs).removesuffix("()")

    def position_type(self) -> np.dtype[Any]:
        """All that the rules are asked for, and the moves so far."""
        return _LOADED[self.number].dtype

    def limits(self) -> Limits:
        """As OpenSpiel tells them."""
        loaded = _LOADED[self.number]
        theirs = loaded.theirs
        seats, moves = theirs.num_players(), theirs.num_distinct_actions()
        sizes = (seats, moves, theirs.max_game_length(), loaded.planes[0])
        if loaded.shares:
            return Limits(*sizes, remembers=True)
        total = theirs.utility_sum()
        return Limits(*sizes, loaded.high, loaded.low, total, remembers=True)

    def layout(self) -> Layout:
        """Where the planes of the observation are; who owns a cell is not told."""
        _, rows, columns = _LOADED[self.number].planes
        return Layout(rows, columns, symmetric="none", facts=())

    def touch(self, move: int) -> Touch:
        """No place on the board: which one, OpenSpiel does not tell."""
        return Touch(())

    def move_name(self, move: int) -> str:
        """Its number: OpenSpiel's names depend on the position, and need not be distinct."""
        return str(move)

    def picture(self, position: Position) -> str:
        """OpenSpiel's text, with its names of the moves."""
        state = _LOADED[self.number].state(position)
        names = [f"{move}={state.action_to_string(move)}" for move in state.legal_actions()]
        return "\n".join([str(state), *([" ".join(names)] if names else [])])

    def board_problem(self, content: Cells) -> str:
        """Why a position cannot be set up."""
        return "a position of OpenSpiel's cannot be set up; play the moves that lead to it"


@rules.start.implement(OpenSpiel)
def _start(game: OpenSpiel, position: Position) -> None:
    ask_python(game.playing, position, game.number, _START)


@rules.play.implement(OpenSpiel)
def _play(game: OpenSpiel, position: Position, move: int) -> None:
    ask_python(game.playing, position, game.number, move)
    position.key = mixed(added(position.key, Word(move + 1)))


@rules.turn.implement(OpenSpiel)
def _turn(game: OpenSpiel, position: Position) -> int:
    return position.turn


@rules.legal_moves.implement(OpenSpiel)
def _legal_moves(game: OpenSpiel, position: Position, moves: Moves) -> int:
    count = 0
    for move in range(position.legal.shape[0]):
        if position.legal[move]:
            moves[count] = move
            count += 1
    return count


@rules.is_over.implement(OpenSpiel)
def _is_over(game: OpenSpiel, position: Position) -> bool:
    return bool(position.over)


@rules.scores.implement(OpenSpiel)
def _scores(game: OpenSpiel, position: Position, out: Scores) -> None:
    out[:] = position.scores


@rules.cells.implement(OpenSpiel)
def _cells(game: OpenSpiel, position: Position, out: Cells) -> None:
    out[:] = 0


@rules.points.implement(OpenSpiel)
def _points(game: OpenSpiel, position: Position, out: Scores) -> None:
    out[:] = position.scores


@rules.key.implement(OpenSpiel)
def _key(game: OpenSpiel, position: Position) -> Word:
    return mixed(added(position.key, Word(position.ply + 1)))


@rules.observe.implement(OpenSpiel)
def _observe(game: OpenSpiel, position: Position, seat: int, planes: NDArray[np.float32]) -> None:
    both = 8 * game.number + seat
    ask_python(game.observing, position, both, planes.ctypes.data)
