"""Go for 2 to 4 colours, on boards of 2 x 2 to 19 x 19.

Players place stones in turn.  A stone takes all groups of all other colours
that it leaves without a liberty, at once; then its own group must have one.
The game ends when all have passed one after the other, or at the ply cap; who
has the most area wins.  Moves are points, row by row, then the pass.

This class keeps chains of stones in arrays and fits every size; go_on_bits.py
has a faster one for small boards.  Points have a border around them: one row
above and below, and one column that serves both sides.
"""

from __future__ import annotations

import enum
import math
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.bits import Word, added, mixed
from quintet.compiled import borrowing, generic
from quintet.layout import Layout
from quintet.parameters import Between, value_text
from quintet.randomness import Random, below
from quintet.rules import Cells, Limits, Moves, Position, Scores, record

NOWHERE = -1
EMPTY, BORDER = 0, 9  # the colours between are seats + 1
TRIES = 12  # random points that may be illegal before all moves are listed
PLENTY = 10000  # liberties of what is no chain
LARGEST_ON_BITS = 7


class Ko(enum.IntEnum):
    """Which board may not come again."""

    SIMPLE = 0  # the one before the last move
    POSITIONAL = 1  # any earlier one
    SITUATIONAL = 2  # any earlier one with the same player to move


class Passing(enum.IntEnum):
    """Who may pass."""

    FREE = 0  # anybody, always
    FORCED = 1  # who has nothing left but own eyes, which nobody may fill


class Eye(enum.IntEnum):
    """When a point between own stones is an eye."""

    DIAGONAL = 0  # at most one enemy at its corners, none at the edge
    SIMPLE = 1  # always


class Go(NamedTuple):
    """Who surrounds the most wins."""

    size: Annotated[int, Between(2, 19), "points on a side"] = 9
    players: Annotated[int, Between(2, 4), "how many play"] = 2
    komi: Annotated[tuple[float, ...], "points given to each seat; none if left out"] = ()
    ko: Annotated[Ko, "which board may not come again"] = Ko.POSITIONAL
    suicide: Annotated[bool, "a group of two or more may kill itself"] = False
    passing: Annotated[Passing, "always, or only without another move"] = Passing.FREE
    eye: Annotated[Eye, "what forced passing takes for an eye"] = Eye.DIAGONAL
    cap: Annotated[int, Between(0, 10000), "plies at most; 0 for six a point"] = 0

    def problem(self) -> str | None:
        """Why these parameters make no game, if they do not."""
        if len(self.komi) not in (0, self.players):
            return f"komi for {len(self.komi)} seats; expected one for each of {self.players}"
        if not all(math.isfinite(part) for part in self.komi):
            return f"komi={value_text(self.komi)} is not possible; expected finite numbers"
        return None

    def normal(self) -> Go:
        """The same game with a komi for every seat, as compiled code wants it."""
        komi = tuple(float(part) for part in self.komi) or (0.0,) * self.players
        return self._replace(komi=komi)

    def specialised(self) -> Go:
        """The fastest class for these parameters."""
        from quintet.games.go_on_bits import GoOnBits

        game = self.normal()
        return GoOnBits(*game) if game.size <= LARGEST_ON_BITS else game

    def as_given(self) -> Go:
        """The same game with parameters left out where they say nothing."""
        return self if any(self.komi) else self._replace(komi=())

    def position_type(self) -> np.dtype[Any]:
        """Colours and chains of the points, the empty points, and what was before."""
        points = (self.size + 2) * (self.size + 1) + 1
        return record(
            **self.shared_fields(),
            empties=np.int16,
            colour=(np.int8, (points,)),
            head=(np.uint16, (points,)),  # the stone that stands for the chain
            link=(np.uint16, (points,)),  # the next stone of the chain, in a ring
            liberties=(np.int16, (points,)),  # of a head, counted once per stone beside
            lost=(np.int8, (points,)),  # who has lost a stone here, each a bit
            empty=(np.uint16, (self.size * self.size,)),  # the empty points, in any order
            place=(np.uint16, (points,)),  # where an empty point is in that list
        )

    def shared_fields(self) -> dict[str, Any]:
        """What a position has whatever its board is made of."""
        return {
            "turn": np.int8,
            "passes": np.int8,
            "ko": np.int16,  # the point that simple ko forbids
            "ply": np.int32,
            "kept": np.int32,  # boards in `history`
            "board": np.uint64,  # the stones as one word
            "history": (np.uint64, (1 if self.ko == Ko.SIMPLE else self.limits().plies + 1,)),
            # take no room: their shapes tell the compiler the size and the seats
            "grid": (np.int8, (self.size, self.size, 0)),
            "seats": (np.int8, (self.players, 0)),
        }

    def limits(self) -> Limits:
        """One move a point, and the pass."""
        board = self.size * self.size
        komi = self.komi or (0.0,)
        return Limits(
            self.players,
            board + 1,
            self.cap or 6 * board,
            2 * self.players,
            highest=board + max(komi),
            lowest=min(komi),
            total=None,
            remembers=self.ko != Ko.SIMPLE,
            hints=2,
        )

    def layout(self) -> Layout:
        """Points named as Go players do."""
        return Layout(
            self.size,
            self.size,
            "points",
            skip_i=True,
            upward=True,
            capital=True,
            facts=("turn", "passes", "ply", "ko"),
            located=("ko",),
        )


@generic
def breathes(game: Any, position: Position) -> bool:
    """Has every group a liberty?"""
    raise NotImplementedError


# --- what does not depend on how the board is kept ----------------------------


@rules.turn.implement(Go)
def _turn(game: Go, position: Position) -> int:
    return position.turn


@rules.is_over.implement(Go)
@borrowing
def _is_over(game: Go, position: Position) -> bool:
    return has_ended(game, position, position.passes, position.ply)


@rules.scores.implement(Go)
def _scores(game: Go, position: Position, out: Scores) -> None:
    rules.points(game, position, out)
    for seat in range(position.seats.shape[0]):
        out[seat] += game.komi[seat]


@borrowing
def has_ended(game: Go, position: Position, passes: int, ply: int) -> bool:
    """Is the game over after so many passes in a row, and plies in all?"""
    size = position.grid.shape[0]
    cap = game.cap if game.cap > 0 else 6 * size * size
    return passes >= position.seats.shape[0] or ply >= cap


@borrowing
def seat_after(position: Position, turn: int) -> int:
    """Who moves after a player."""
    following = turn + 1
    return 0 if following == position.seats.shape[0] else following


@borrowing
def keeps_ko_point(game: Go, position: Position) -> bool:
    """Does this rule forbid to take back at once?

    With three players, taking back leaves another player to move than before,
    which situational superko allows.
    """
    return game.ko != Ko.SITUATIONAL or position.seats.shape[0] == 2


@borrowing
def situation(game: Go, board: Word, mover: int) -> Word:
    """What the superko rule compares: the board, and who is to move if that counts."""
    if game.ko == Ko.SITUATIONAL:
        # a board on bits leaves the top two bits free, so this loses nothing there
        return board ^ (Word(mover) << Word(62))
    return board


@borrowing
def was_seen(position: Position, kept: int, what: Word) -> bool:
    """Is this among the first boards kept?"""
    found = False
    for i in range(kept):  # without a way out, so that it compiles to vectors
        found |= position.history[i] == what
    return found


@borrowing
def start_history(game: Go, position: Position) -> None:
    """Let the superko rule know the current board only."""
    position.kept = 0
    if game.ko != Ko.SIMPLE:
        position.history[0] = situation(game, position.board, int(position.turn))
        position.kept = 1


@borrowing
def key_with_facts(position: Position, board: Word) -> Word:
    """A hash of the board and the facts; earlier boards are left out.

    With them hardly two ways to a position would have the same key.
    """
    word = mixed(added(board, Word(position.turn + 1)))
    word = mixed(added(word, Word(position.passes)))
    word = mixed(added(word, Word(position.ko + 1)))
    return mixed(added(word, Word(position.ply)))


# --- the board in arrays --------------------------------------------------------


@borrowing
def point_of(position: Position, cell: int) -> int:
    """The point of a cell in the arrays."""
    size = position.grid.shape[0]
    return cell + cell // size + size + 2


@borrowing
def cell_of(position: Position, point: int) -> int:
    """The cell of a point."""
    size = position.grid.shape[0]
    inside = point - size - 2
    return inside - inside // (size + 1)


@borrowing
def neighbours(position: Position, point: int) -> tuple[int, int, int, int]:
    """The four points beside."""
    width = position.grid.shape[0] + 1
    return point - width, point - 1, point + 1, point + width


@borrowing
def hashed(point: int, colour: int) -> Word:
    """The part of a stone in the hash of the board (Zobrist)."""
    return mixed(added(Word(point * 8 + colour), Word(0x9E3779B97F4A7C15)))


@rules.start.implement(Go)
def _start(game: Go, position: Position) -> None:
    position.ko = NOWHERE
    clear(position)
    start_history(game, position)


@borrowing
def clear(position: Position) -> None:
    """Take all stones away."""
    size = position.grid.shape[0]
    position.board = Word(0)
    position.colour[:] = BORDER
    position.head[:] = 0  # of no chain: points to a border point
    position.liberties[:] = PLENTY
    position.lost[:] = 0
    position.empties = size * size
    for cell in range(size * size):
        point = point_of(position, cell)
        position.colour[point] = EMPTY
        position.empty[cell] = point
        position.place[point] = cell


@rules.set_up.implement(Go)
def _set_up(game: Go, position: Position, content: Cells) -> None:
    clear(position)
    for cell in range(content.shape[0]):
        if content[cell] > 0:
            place(position, point_of(position, cell), int(content[cell]))
    start_history(game, position)


@rules.cells.implement(Go)
def _cells(game: Go, position: Position, out: Cells) -> None:
    for cell in range(out.shape[0]):
        out[cell] = position.colour[point_of(position, cell)]


@rules.legal_moves.implement(Go)
@borrowing
def _legal_moves(game: Go, position: Position, moves: Moves) -> int:
    if rules.is_over(game, position):
        return 0
    size = position.grid.shape[0]
    found = 0
    for cell in range(size * size):
        point = point_of(position, cell)
        if position.colour[point] == EMPTY and is_legal(game, position, point):
            moves[found] = cell
            found += 1
    if game.passing == Passing.FREE or found == 0:
        moves[found] = size * size
        found += 1
    return found


@rules.random_move.implement(Go)
@borrowing
def _random_move(game: Go, position: Position, moves: Moves, random: Random) -> int:
    size = position.grid.shape[0]
    choices = position.empties + (1 if game.passing == Passing.FREE else 0)
    for _ in range(TRIES if choices else 0):
        chosen = below(random, choices)
        if chosen == position.empties:
            return size * size
        point = int(position.empty[chosen])
        if is_legal(game, position, point):
            return cell_of(position, point)
    return moves[below(random, rules.legal_moves(game, position, moves))]


@borrowing
def is_legal(game: Go, position: Position, point: int) -> bool:
    """May the mover place a stone on this empty point?"""
    own = int(position.turn) + 1
    if position.ko >= 0 and point == point_of(position, position.ko):
        return False
    open_beside = False
    for beside in neighbours(position, point):
        open_beside |= position.colour[beside] == EMPTY
    if open_beside and not may_repeat(game, position, point):
        return True
    if game.passing == Passing.FORCED and is_eye(game, position, point, own):
        return False
    return is_safe(game, position, point, own, open_beside)


@borrowing
def may_repeat(game: Go, position: Position, point: int) -> bool:
    """May a stone here, if it stays, bring back an earlier board?

    That had the stone, so it must have been taken since.
    """
    return game.ko != Ko.SIMPLE and position.lost[point] >> position.turn & 1 != 0


@borrowing
def is_safe(game: Go, position: Position, point: int, own: int, open_beside: bool) -> bool:
    """Is the stone no forbidden suicide and no repetition?"""
    takes, joins, survives = False, False, open_beside
    n = neighbours(position, point)
    for i in range(4):
        breathes_on = breathes_beyond(position, n, i)
        if position.colour[n[i]] == own:
            joins = True
            survives |= breathes_on
        else:
            takes |= not breathes_on
    stays = takes or survives
    legal = stays or (game.suicide and joins)
    if legal and (may_repeat(game, position, point) if stays else game.ko != Ko.SIMPLE):
        board = position.board
        if takes or not stays:
            board ^= hash_of_taken(position, point, own, takes)
        if stays:
            board ^= hashed(point, own)
        legal = not is_repeated(game, position, board)
    return legal


@borrowing
def is_repeated(game: Go, position: Position, board: Word) -> bool:
    """Would this board be one that may not come again?"""
    following = seat_after(position, int(position.turn))
    return was_seen(position, int(position.kept), situation(game, board, following))


@borrowing
def breathes_beyond(position: Position, n: tuple[int, int, int, int], i: int) -> bool:
    """Has the chain of a point's i-th neighbour liberties besides this point?"""
    head = position.head[n[i]]
    touching = 0  # how often this point counts among them
    for j in range(4):
        touching += position.head[n[j]] == head
    return position.liberties[head] > touching


@borrowing
def hash_of_taken(position: Position, point: int, own: int, takes: bool) -> Word:
    """The hash of the chains that a stone leaves without liberties: others', or else own."""
    word = Word(0)
    n = neighbours(position, point)
    for i in range(4):
        head = int(position.head[n[i]])
        colour = int(position.colour[n[i]])
        counted = False
        for j in range(i):
            counted |= position.head[n[j]] == head
        if not counted and (colour != own) == takes and not breathes_beyond(position, n, i):
            word ^= hash_of_chain(position, head, colour)
    return word


@borrowing
def hash_of_chain(position: Position, head: int, colour: int) -> Word:
    """The hash of all stones of a chain."""
    word = hashed(head, colour)
    stone = int(position.link[head])
    while stone != head:
        word ^= hashed(stone, colour)
        stone = int(position.link[stone])
    return word


@borrowing
def is_eye(game: Go, position: Position, point: int, own: int) -> bool:
    """Is an empty point an eye of this colour?"""
    width = position.grid.shape[0] + 1
    at_edge = False
    for beside in neighbours(position, point):
        colour = position.colour[beside]
        if colour == BORDER:
            at_edge = True
        elif colour != own:
            return False
    if game.eye == Eye.SIMPLE:
        return True
    enemies = 0
    for corner in (point - width - 1, point - width + 1, point + width - 1, point + width + 1):
        colour = position.colour[corner]
        enemies += colour not in (EMPTY, BORDER, own)
    return enemies <= (0 if at_edge else 1)


@rules.play.implement(Go)
@borrowing
def _play(game: Go, position: Position, move: int) -> None:
    size = position.grid.shape[0]
    position.ko = NOWHERE
    if move == size * size:
        position.passes += 1
    else:
        position.passes = 0
        put(game, position, point_of(position, move))
    position.turn = seat_after(position, int(position.turn))
    position.ply += 1
    if game.ko != Ko.SIMPLE:
        position.history[position.kept] = situation(game, position.board, int(position.turn))
        position.kept += 1


@borrowing
def put(game: Go, position: Position, point: int) -> None:
    """Place the mover's stone and take what has no liberty left."""
    own = int(position.turn) + 1
    place(position, point, own)
    before = position.empties
    taken_at, taken_from = take_beside(position, point, own)
    if position.empties == before and position.liberties[position.head[point]] == 0:
        take(position, point)
    if (
        position.empties == before + 1
        and position.link[point] == point
        and position.liberties[point] == 1
        and taken_from == seat_after(position, own - 1) + 1
        and keeps_ko_point(game, position)
    ):
        position.ko = cell_of(position, taken_at)


@borrowing
def take_beside(position: Position, point: int, own: int) -> tuple[int, int]:
    """Take the others' chains that have no liberty; returns a point and its colour."""
    n = neighbours(position, point)
    dead = 0  # first find them all: each one taken gives liberties to the others
    for i in range(4):
        if position.liberties[position.head[n[i]]] == 0 and position.colour[n[i]] != own:
            dead |= 1 << i
    taken_at, taken_from = 0, 0
    for i in range(4):
        if dead >> i & 1 and position.colour[n[i]] != EMPTY:
            taken_at, taken_from = n[i], int(position.colour[n[i]])
            take(position, taken_at)
    return taken_at, taken_from


@borrowing
def place(position: Position, point: int, colour: int) -> None:
    """Put a stone on an empty point and join it to its neighbours."""
    position.board ^= hashed(point, colour)
    position.empties -= 1
    last = position.empty[position.empties]
    position.empty[position.place[point]] = last
    position.place[last] = position.place[point]
    position.colour[point] = colour
    free = 0
    for beside in neighbours(position, point):
        free += position.colour[beside] == EMPTY
        position.liberties[position.head[beside]] -= 1
    position.liberties[0] = PLENTY
    position.head[point] = point
    position.link[point] = point
    position.liberties[point] = free
    for beside in neighbours(position, point):
        if position.colour[beside] == colour:
            join(position, point, beside)


@borrowing
def join(position: Position, stone: int, beside: int) -> None:
    """Make one chain of the chains of two stones, if they are two."""
    head, gone = position.head[beside], position.head[stone]
    if head == gone:
        return
    if position.link[stone] != stone:  # the new stone is no longer alone: walk the other
        head, gone = gone, head
    position.liberties[head] += position.liberties[gone]
    walker = gone
    while True:
        position.head[walker] = head
        walker = position.link[walker]
        if walker == gone:
            break
    position.link[head], position.link[gone] = position.link[gone], position.link[head]


@borrowing
def take(position: Position, stone: int) -> None:
    """Remove the chain of a stone."""
    colour = int(position.colour[stone])
    walker = stone
    while True:
        position.board ^= hashed(walker, colour)
        position.colour[walker] = EMPTY
        position.lost[walker] |= 1 << (colour - 1)
        position.head[walker] = 0
        position.empty[position.empties] = walker
        position.place[walker] = position.empties
        position.empties += 1
        for beside in neighbours(position, walker):
            position.liberties[position.head[beside]] += 1
        walker = int(position.link[walker])
        if walker == stone:
            break
    position.liberties[0] = PLENTY


@rules.points.implement(Go)
def _points(game: Go, position: Position, out: Scores) -> None:
    size = position.grid.shape[0]
    for seat in range(position.seats.shape[0]):
        stones = 0
        for point in range(position.colour.shape[0]):
            stones += position.colour[point] == seat + 1
        out[seat] = stones
    seen = np.zeros(position.colour.shape[0], np.bool_)
    todo = np.empty(size * size, np.int16)
    for i in range(position.empties):
        point = int(position.empty[i])
        if not seen[point]:
            region, colours = surroundings(position, point, seen, todo)
            for seat in range(position.seats.shape[0]):
                if colours == 1 << (seat + 1):
                    out[seat] += region


@borrowing
def surroundings(position: Position, point: int, seen: Any, todo: Any) -> tuple[int, int]:
    """How large an empty region is, and the colours beside it, each a bit."""
    seen[point] = True
    todo[0] = point
    found, done = 1, 0
    colours = 0
    while done < found:
        for beside in neighbours(position, int(todo[done])):
            colour = int(position.colour[beside])
            if colour == EMPTY and not seen[beside]:
                seen[beside] = True
                todo[found] = beside
                found += 1
            elif colour not in (EMPTY, BORDER):
                colours |= 1 << colour
        done += 1
    return found, colours


@rules.areas.implement(Go)
def _areas(game: Go, position: Position, out: Cells) -> None:
    size = position.grid.shape[0]
    rules.cells(game, position, out)
    seen = np.zeros(position.colour.shape[0], np.bool_)
    todo = np.empty(size * size, np.int16)
    for i in range(position.empties):
        point = int(position.empty[i])
        if not seen[point]:
            region, colours = surroundings(position, point, seen, todo)
            for seat in range(position.seats.shape[0]):
                if colours == 1 << (seat + 1):
                    for j in range(region):
                        out[cell_of(position, int(todo[j]))] = seat + 1


@rules.hint.implement(Go)
def _hint(game: Go, position: Position, seat: int, planes: NDArray[np.float32]) -> None:
    """Stones whose chain has one liberty, and those with two."""
    planes[:] = 0.0
    size = position.grid.shape[0]
    counted = np.zeros(position.colour.shape[0], np.int32)  # the head that counted a point
    for cell in range(size * size):
        head = point_of(position, cell)
        if position.colour[head] == EMPTY or position.head[head] != head:
            continue
        found = liberties_of(position, head, counted)
        if 1 <= found <= 2:
            stone = head
            while True:
                at = cell_of(position, stone)
                planes[found - 1, at // size, at % size] = 1.0
                stone = int(position.link[stone])
                if stone == head:
                    break


@borrowing
def liberties_of(position: Position, head: int, counted: Any) -> int:
    """How many empty points are beside a chain."""
    found, stone = 0, head
    while True:
        for beside in neighbours(position, stone):
            if position.colour[beside] == EMPTY and counted[beside] != head:
                counted[beside] = head
                found += 1
        stone = int(position.link[stone])
        if stone == head:
            return found


@breathes.implement(Go)
def _breathes(game: Go, position: Position) -> bool:
    size = position.grid.shape[0]
    for cell in range(size * size):
        if position.liberties[position.head[point_of(position, cell)]] == 0:
            return False
    return True


@rules.key.implement(Go)
def _key(game: Go, position: Position) -> Word:
    return key_with_facts(position, position.board)
