"""Does a game obey the laws that every game must obey?

``check_game`` plays random games and tells in plain words what it found wrong:
what was expected, and the board.  It is meant for games under construction, so
whatever a broken game raises becomes a problem in the list.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from quintet import notation, rules
from quintet.randomness import seeded
from quintet.rules import Position
from quintet.symmetry import Symmetries, symmetries, transformed

_SPARE_MOVES = 1024  # room for a broken game that lists too many
_SENTINEL = -7_654_321
_DRAWS_PER_MOVE = 30


class _Scene(NamedTuple):
    """One position of a random game, and what the laws about it need."""

    game: Any
    position: Position
    legal: list[int]
    chance: random.Random


_Law: TypeAlias = Callable[..., Iterator[str]]


class _Findings:
    """The problems found so far: the first of each law."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.by_law: dict[str, str] = {}

    def test(self, law: _Law, *args: Any, position: Position = None) -> bool:
        """Does a law hold?  If not, note its first problem, with the board."""
        try:
            problem = next(law(*args), None)
        except Exception as error:  # a broken game may raise anything
            problem = f"expected {_meaning(law)}, but it raised {_first_lines(error)}"
        if problem is not None and law.__name__ not in self.by_law:
            board = "" if position is None else "\n" + _shown(self.game, position)
            self.by_law[law.__name__] = problem + board
        return problem is None


def check_game(game: Any, games: int = 20, seed: int = 0) -> list[str]:
    """The problems found in `games` random games; none, for a game that is fine.

    Each law that is broken is told once, with the first position that breaks it.
    """
    findings = _Findings(game)
    if not findings.test(_description_is_sound, game):
        return list(findings.by_law.values())
    findings.test(_names_round_trip, game)
    for number in range(games):
        chance = random.Random(f"{seed} {number}")
        if not findings.test(_game_can_be_played, findings, chance):
            break
        if number == 0 and not findings.by_law:
            start = rules.new_position(game)
            findings.test(_random_moves_are_uniform, game, start, seed, position=start)
    return list(findings.by_law.values())


def _game_can_be_played(findings: _Findings, chance: random.Random) -> Iterator[str]:
    """a random game to be playable from start to end"""
    game = findings.game
    limits = game.limits()
    position = rules.new_position(game)
    board_symmetries = symmetries(game)
    shadows = [transformed(game, position, s) for s in range(len(board_symmetries.cells))]
    keys: list[int] = []
    for _ in range(limits.plies + 1):
        sound = [
            findings.test(law, game, position, position=position)
            for law in (_turn_is_a_seat, _legal_moves_are_sound)
        ]
        if not all(sound):
            return  # nothing can be played on from here
        scene = _Scene(game, position, _legal(game, position), chance)
        for law in _LAWS_OF_POSITIONS:
            findings.test(law, scene, position=position)
        findings.test(_shadows_agree, scene, board_symmetries, shadows, position=position)
        keys.append(int(rules.key(game, position)))
        if not scene.legal:
            findings.test(_scores_are_sound, game, position, position=position)
            findings.test(_keys_differ, keys, position=position)
            return
        move = chance.choice(scene.legal)
        rules.play(game, position, move)
        for s, shadow in enumerate(shadows):
            rules.play(game, shadow, int(board_symmetries.moves[s, move]))
    yield f"expected the game to end within {limits.plies} plies, but it goes on\n" + _shown(
        game, position
    )


# --- laws about a game --------------------------------------------------------


def _description_is_sound(game: Any) -> Iterator[str]:
    """the class to tell position_type, limits and layout"""
    limits, layout, kind = game.limits(), game.layout(), game.position_type()
    if limits.seats < 1 or limits.moves < 1 or limits.plies < 1 or limits.planes < 1:
        yield f"expected seats, moves, plies and planes of at least 1, but limits() is {limits}"
    if limits.seats > len(notation.STONES):
        yield f"expected at most {len(notation.STONES)} seats, but limits() is {limits}"
    if limits.lowest > limits.highest:
        yield f"expected lowest <= highest, but limits() is {limits}"
    for fact in layout.facts:
        if fact not in kind.names:
            yield f"expected each fact to be a field of the position, but {fact!r} is none"
    if "grid" not in kind.names or kind["grid"].shape != (layout.rows, layout.columns, 0):
        wanted = f"grid=(np.int8, ({layout.rows}, {layout.columns}, 0))"
        yield f"expected the field {wanted} in position_type(), for the board of layout()"


def _names_round_trip(game: Any) -> Iterator[str]:
    """each move to have a name that can be read back"""
    seen: dict[str, int] = {}
    for move in range(game.limits().moves):
        name = notation.move_name(game, move)
        if name.lower() in seen:
            other = seen[name.lower()]
            yield f"expected distinct names, but moves {other} and {move} are both {name!r}"
        seen[name.lower()] = move
        back = notation.parse_move(game, name)
        if back != move:
            yield f"expected {name!r} to be read as move {move}, but it is read as {back}"


def _random_moves_are_uniform(game: Any, position: Position, seed: int) -> Iterator[str]:
    """random_move to choose each legal move equally often"""
    legal = _legal(game, position)
    if not legal:
        return
    source, moves = seeded(seed, 1), rules.move_buffer(game)
    counts = dict.fromkeys(legal, 0)
    for _ in range(_DRAWS_PER_MOVE * len(legal)):
        move = int(rules.random_move(game, position, moves, source))
        if move not in counts:
            yield f"expected a legal move, but random_move gave {move}; legal are {legal}"
            return
        counts[move] += 1
    # chi-square: its mean is about n and its variance 2n; six deviations are no chance
    surprise = sum((n - _DRAWS_PER_MOVE) ** 2 for n in counts.values()) / _DRAWS_PER_MOVE
    if surprise > len(legal) + 6 * math.sqrt(2 * len(legal)) + 10:
        yield f"expected each move about {_DRAWS_PER_MOVE} times, but random_move gave {counts}"


# --- laws about each position -------------------------------------------------


def _turn_is_a_seat(game: Any, position: Position) -> Iterator[str]:
    """turn to be a seat"""
    seat, seats = int(rules.turn(game, position)), game.limits().seats
    if not 0 <= seat < seats:
        yield f"expected a turn from 0 to {seats - 1}, but it is {seat}"


def _legal_moves_are_sound(game: Any, position: Position) -> Iterator[str]:
    """legal_moves to list the legal moves"""
    room = game.limits().moves
    moves = np.full(room + _SPARE_MOVES, _SENTINEL, np.int32)
    count = int(rules.legal_moves(game, position, moves))
    over = bool(rules.is_over(game, position))
    listed = moves[: max(count, 0)].tolist()
    if not 0 <= count <= room:
        yield f"expected 0 to {room} legal moves, but legal_moves gave {count}"
    if _SENTINEL in listed:
        yield f"expected {count} moves to be written, but only {listed.index(_SENTINEL)} are"
    if any(not 0 <= move < room for move in listed):
        yield f"expected moves from 0 to {room - 1}, but legal moves are {listed}"
    if listed != sorted(set(listed)):
        yield f"expected legal moves in ascending order, each once, but they are {listed}"
    if over and listed:
        yield f"expected no legal moves, since the game is over, but there are {listed}"
    if not over and not listed:
        yield "expected a legal move, since the game is not over, but there is none"


def _positions_can_be_copied(scene: _Scene) -> Iterator[str]:
    """a copy to be equal and independent"""
    game, position = scene.game, scene.position
    before = rules.copied(position)
    if rules.key(game, before) != rules.key(game, position):
        yield "expected the same key for a copy, but it differs"
    if not scene.legal:
        return
    move = scene.chance.choice(scene.legal)
    first, second = rules.copied(position), rules.copied(position)
    rules.play(game, first, move)
    if not _same_fields(before, position):
        yield f"expected a move in a copy to leave the original alone, but {move} changed it"
    rules.play(game, second, move)
    if not _same_fields(first, second):
        yield f"expected move {move} to give the same position twice, but it gave two"


def _bytes_round_trip(scene: _Scene) -> Iterator[str]:
    """the bytes of a position to give it back"""
    game, position = scene.game, scene.position
    back = np.frombuffer(position.tobytes(), position.dtype).copy()[0]
    if not _same_fields(back, position):
        yield "expected the bytes of a position to give it back, but some fields differ"
    yield from _differences(game, back, position, "the position read from its bytes")


def _pictures_round_trip(scene: _Scene) -> Iterator[str]:
    """the picture of a position to give it back"""
    game, position = scene.game, scene.position
    back = notation.parse_picture(game, notation.picture(game, position))
    yield from _differences(game, back, position, "the position set up from its picture")
    for fact in game.layout().facts:
        if not np.array_equal(back[fact], position[fact]):
            found = f"but set_up left {back[fact]}"
            yield f"expected the fact {fact} = {position[fact]} as in the picture, {found}"


def _random_move_is_legal(scene: _Scene) -> Iterator[str]:
    """random_move to choose a legal move"""
    if not scene.legal:
        return
    game, moves = scene.game, rules.move_buffer(scene.game)
    source = seeded(scene.chance.getrandbits(32))
    for _ in range(4):
        move = int(rules.random_move(game, scene.position, moves, source))
        if move not in scene.legal:
            yield f"expected a legal move, but random_move gave {move}; legal are {scene.legal}"


def _observations_are_sound(scene: _Scene) -> Iterator[str]:
    """observe to fill its planes, a seat's own stones first"""
    game, limits, layout = scene.game, scene.game.limits(), scene.game.layout()
    content = _content(game, scene.position).reshape(layout.rows, layout.columns)
    for seat in range(limits.seats):
        planes = np.full((limits.planes, layout.rows, layout.columns), np.nan, np.float32)
        rules.observe(game, scene.position, seat, planes)
        if not np.isfinite(planes).all():
            unfilled = sorted({int(i) for i in np.argwhere(~np.isfinite(planes))[:, 0]})
            yield f"expected finite numbers in every plane, but {unfilled} have others"
        if not np.array_equal(planes[0] != 0, content == seat + 1):
            yield f"expected the stones of seat {seat} in plane 0 of its view, but others are there"


def _points_are_finite(scene: _Scene) -> Iterator[str]:
    """points to give a number for each seat"""
    out = np.full(scene.game.limits().seats, np.nan)
    rules.points(scene.game, scene.position, out)
    if not np.isfinite(out).all():
        yield f"expected a number of points for each seat, but they are {out.tolist()}"


def _symmetries_keep_the_position(scene: _Scene) -> Iterator[str]:
    """a position turned and turned back to be the same"""
    game, position = scene.game, scene.position
    known = symmetries(game)
    s = scene.chance.randrange(len(known.cells))
    back = int(np.flatnonzero((known.cells == np.argsort(known.cells[s])).all(axis=1))[0])
    again = transformed(game, transformed(game, position, s), back)
    yield from _differences(game, again, position, f"symmetry {s} undone by {back}")


_LAWS_OF_POSITIONS: tuple[_Law, ...] = (
    _positions_can_be_copied,
    _bytes_round_trip,
    _pictures_round_trip,
    _random_move_is_legal,
    _observations_are_sound,
    _points_are_finite,
    _symmetries_keep_the_position,
)


# --- laws about a whole game --------------------------------------------------


def _shadows_agree(scene: _Scene, known: Symmetries, shadows: list[Position]) -> Iterator[str]:
    """the game turned or mirrored to be played alike"""
    # played along from the start, a shadow has the memory of its game (superko)
    game, position = scene.game, scene.position
    content = _content(game, position)
    for s, shadow in enumerate(shadows):
        where = f"under symmetry {s} of layout().symmetric = {game.layout().symmetric!r}"
        turned = np.empty_like(content)
        turned[known.cells[s]] = content
        if not np.array_equal(_content(game, shadow), turned):
            yield f"expected the same stones {where}, but they are\n{_shown(game, shadow)}"
        if rules.turn(game, shadow) != rules.turn(game, position):
            yield f"expected the same turn {where}, but it is {rules.turn(game, shadow)}"
        moved = sorted(int(known.moves[s, move]) for move in scene.legal)
        if _legal(game, shadow) != moved:
            yield f"expected legal moves {moved} {where}, but they are {_legal(game, shadow)}"
        if not moved and rules.list_scores(game, shadow) != rules.list_scores(game, position):
            yield f"expected the same scores {where}, but they are other"


def _scores_are_sound(game: Any, position: Position) -> Iterator[str]:
    """scores to give each seat's score"""
    limits = game.limits()
    out = np.full(limits.seats, np.nan)
    rules.scores(game, position, out)
    found = f"but the scores are {out.tolist()}"
    if not all(limits.lowest <= score <= limits.highest for score in out):
        yield f"expected scores from {limits.lowest} to {limits.highest}, {found}"
    if limits.total is not None and not math.isclose(out.sum(), limits.total, abs_tol=1e-9):
        yield f"expected scores that sum to {limits.total}, {found}"


def _keys_differ(keys: list[int]) -> Iterator[str]:
    """positions of a game to have different keys"""
    # a game may come back to a position, though not most of the time
    if 2 * len(set(keys)) <= len(keys):
        yield f"expected different keys along a game, but {len(keys)} have {len(set(keys))}"


# --- helpers ------------------------------------------------------------------


def _differences(game: Any, found: Position, wanted: Position, what: str) -> Iterator[str]:
    if not np.array_equal(_content(game, found), _content(game, wanted)):
        yield f"expected the same stones in {what}, but they are\n{_shown(game, found)}"
    if rules.turn(game, found) != rules.turn(game, wanted):
        turns = f"turn {rules.turn(game, wanted)} in {what}, but it is {rules.turn(game, found)}"
        yield f"expected {turns}"
    over = bool(rules.is_over(game, wanted))
    if bool(rules.is_over(game, found)) != over:
        yield f"expected is_over to be {over} in {what}, but it is {not over}"
    elif over and rules.list_scores(game, found) != rules.list_scores(game, wanted):
        scores = f"{rules.list_scores(game, wanted)} in {what}"
        yield f"expected scores {scores}, but they are {rules.list_scores(game, found)}"
    is_now, was = _legal(game, found), _legal(game, wanted)
    # superko forgets: a position set up anew may allow what its history forbids, and
    # who can then place a stone may no longer be forced to pass
    cells = game.layout().cells
    missing = [move for move in was if move not in is_now and move < cells]
    remembers = game.limits().remembers and not missing
    if is_now != was and not remembers:
        yield f"expected legal moves {was} in {what}, but they are {is_now}"


def _same_fields(one: Position, other: Position) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one.dtype.names)


def _content(game: Any, position: Position) -> NDArray[np.int8]:
    content = np.full(game.layout().cells, -1, np.int8)
    rules.cells(game, position, content)
    if content.min() < 0 or content.max() > game.limits().seats:
        raise ValueError(f"cells wrote {content.tolist()}; expected 0 to {game.limits().seats}")
    return content


def _legal(game: Any, position: Position) -> list[int]:
    return rules.list_legal_moves(game, position)


def _meaning(law: _Law) -> str:
    return str(law.__doc__)


def _first_lines(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()][:3]
    return f"{type(error).__name__}: " + "\n".join(lines)


def _shown(game: Any, position: Position) -> str:
    try:
        return notation.picture(game, position)
    except Exception:  # the game is so broken that it has no picture
        return f"(no picture) {position}"
