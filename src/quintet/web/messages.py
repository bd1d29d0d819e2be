"""What browser and server say to each other; docs/guide/protocol.md tells it in words.

What comes in is strict: an unknown or missing field, a number in quotes or a text that
is too long is refused.  What goes out is described by the same classes, so the
description at /openapi.json and /api/messages is complete.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

LONGEST_TEXT = 500  # of a game or a player
LONGEST_PICTURE = 4_000
LONGEST_RECORD = 200_000
LONGEST_NAME = 40
MOST_SEATS = 6

Text: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Name: TypeAlias = Annotated[str, Field(max_length=LONGEST_NAME)]
Secret: TypeAlias = Annotated[str, Field(min_length=8, max_length=80)]
Number: TypeAlias = Annotated[int, Field(ge=0, le=2**31)]
Step: TypeAlias = Annotated[int, Field(ge=0, le=2**53)]


class Incoming(BaseModel):
    """Something a stranger wrote."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Outgoing(BaseModel):
    """Something the server says."""

    model_config = ConfigDict(extra="forbid", frozen=True, ser_json_inf_nan="null")


# --- seats --------------------------------------------------------------------


class SeatWanted(Incoming):
    """Who is to sit: a person at this browser, one who gets a link, or a player by its text."""

    kind: Literal["here", "elsewhere", "player"]
    player: Text | None = None
    name: Name | None = None


class SeatShown(Outgoing):
    """Who sits."""

    kind: Literal["here", "elsewhere", "player"]
    name: str  # what to call it
    player: str | None  # the text of a player
    claimed: bool  # False while an invitation waits for its person
    present: bool  # is its person connected, or is it a player


class SeatKey(Outgoing):
    """What lets somebody sit: the secret itself, or an invitation that is good once."""

    seat: int
    token: str | None = None
    invitation: str | None = None


# --- boards and positions -----------------------------------------------------


class MoveShown(Outgoing):
    """How a move is made: by which cells, and what it turns."""

    name: str
    cells: list[int]  # a click on any of these means this move; none: a button, such as pass
    block: list[int] = []  # cells that turn by a quarter after the stone is placed
    clockwise: bool | None = None


class Board(Outgoing):
    """All that drawing a game needs and that does not change."""

    game: str  # the shortest text of the game
    seats: int
    kind: Literal["squares", "points", "columns", "quadrants"]
    rows: int
    columns: int
    row_names: list[str]
    column_names: list[str]
    stars: list[int]  # cells with a star point
    marks: str  # the letter of each seat in pictures
    moves: list[MoveShown]  # by the move's number
    most_plies: int
    counts_points: bool  # is what `points` tells of interest?


class LastMove(Outgoing):
    """The move that led to a position."""

    move: int
    name: str
    seat: int
    cell: int | None  # where its stone is now, or was placed before the turn
    changed: list[int]  # cells whose owner is another than before


class Position(Outgoing):
    """What is on the board, and what may happen."""

    cells: list[int]  # 0 for empty, or the owner's seat + 1
    turn: int | None  # None when the game is over
    legal: list[int]  # numbers of moves, ascending
    points: list[float] | None  # per seat, where the game counts them
    facts: dict[str, list[int]]  # what does not show on the board, such as captured stones
    last: LastMove | None
    winning: list[list[int]]  # lines of cells that won
    over: bool
    scores: list[float] | None  # per seat, of a finished game
    result: str  # in plain words; empty while the game goes on
    picture: str  # as `set_up` takes it


class Node(Outgoing):
    """A move in the tree of all that was tried in a round; the first node is the start."""

    id: int
    parent: int | None
    move: int | None  # None for the start and for a resignation
    name: str
    seat: int | None  # who moved


class MoveThought(Outgoing):
    """What was found of one move."""

    move: int
    visits: int
    share: float  # of all visits
    values: list[float | None]  # what each seat may expect, from 0 to 1
    utility: float | None = None  # what a network gives it, on a scale of its own


class Thoughts(Outgoing):
    """What a player thinks of a position."""

    type: Literal["thoughts"] = "thoughts"
    why: Literal["analysis", "hint", "seat"]
    round: int
    node: int
    seat: int  # who is to move there
    player: str
    moves: list[MoveThought]  # the best first
    values: list[float | None]  # per seat
    line: list[int]  # the expected moves from here
    line_names: list[str]
    visits: int
    depth: int
    seconds: float
    solved: bool
    finished: bool  # nothing deeper will follow


# --- what a browser says to a table -------------------------------------------


class Request(Incoming):
    """Answered by one `done` or `error` with the same number, after all that it caused."""

    request: Number | None = None


class Join(Request):
    """The first message: which secrets are held; none makes a spectator."""

    type: Literal["join"]
    tokens: Annotated[list[Secret], Field(max_length=MOST_SEATS + 1)] = []


class Claim(Request):
    """Take the seat that an invitation is for."""

    type: Literal["claim"]
    invitation: Secret
    name: Name | None = None


class Move(Request):
    """Make a move in the position at `node`, which must be the one on the table."""

    type: Literal["move"]
    node: Number
    move: Number


class Branch(Request):
    """Go to any node and make a move there."""

    type: Literal["branch"]
    node: Number
    move: Number


class Undo(Request):
    """Go back: so many plies, or to the last position in which a person was to move."""

    type: Literal["undo"]
    plies: Annotated[int, Field(ge=1, le=10_000)] | None = None


class Redo(Request):
    """Go forward in the same way, along what was played last."""

    type: Literal["redo"]
    plies: Annotated[int, Field(ge=1, le=10_000)] | None = None


class GoTo(Request):
    """Bring the table to a node."""

    type: Literal["go_to"]
    node: Number


class Look(Request):
    """See the position at a node; the table stays where it is."""

    type: Literal["look"]
    node: Number


class SetUp(Request):
    """Begin a round with the position of a picture."""

    type: Literal["set_up"]
    picture: Annotated[str, Field(max_length=LONGEST_PICTURE)]


class Resign(Request):
    """Give up for a seat one holds."""

    type: Literal["resign"]
    seat: Number


class NewGame(Request):
    """Begin a round at the start position, with the same seats."""

    type: Literal["new_game"]


class ChangeSeat(Request):
    """Somebody else sits down; the secret of who sat there is void."""

    type: Literal["seat"]
    seat: Number
    wanted: SeatWanted


class Hint(Request):
    """What would a player do here?"""

    type: Literal["hint"]
    player: Text | None = None


class Analysis(Request):
    """Think about the position on the table, or at a node, for as long as I look."""

    type: Literal["analysis"]
    on: bool
    player: Text | None = None
    node: Number | None = None


class Pace(Request):
    """How players move: at least so many seconds after the last move, or not at all."""

    type: Literal["pace"]
    seconds: Annotated[float, Field(ge=0, le=60, strict=False)] | None = None
    paused: bool | None = None


class Ping(Request):
    """Are you there?"""

    type: Literal["ping"]


AnyRequest: TypeAlias = Annotated[
    Join
    | Claim
    | Move
    | Branch
    | Undo
    | Redo
    | GoTo
    | Look
    | SetUp
    | Resign
    | NewGame
    | ChangeSeat
    | Hint
    | Analysis
    | Pace
    | Ping,
    Field(discriminator="type"),
]
REQUEST: TypeAdapter[AnyRequest] = TypeAdapter(AnyRequest)


# --- what a table says to a browser -------------------------------------------


class Welcome(Outgoing):
    """The answer to `join`, and sent again when one's seats change: which seats one holds."""

    type: Literal["welcome"] = "welcome"
    table: str
    board: Board
    seats: list[int]  # that the tokens are good for
    owner: bool  # may change seats


class State(Outgoing):
    """The table as it is now; sent whenever something changes."""

    type: Literal["state"] = "state"
    round: int  # another number than before: forget all nodes
    node: int  # the one on the table
    nodes: list[Node]  # those this connection was not told yet
    path: list[int]  # from the start to `node`
    ahead: list[int]  # what redo would walk through
    position: Position
    seats: list[SeatShown]
    thinking: int | None  # the seat whose player is at work
    paused: bool  # players wait
    seconds: float  # pace of players
    watchers: int  # connections


class View(Outgoing):
    """The answer to `look`."""

    type: Literal["view"] = "view"
    round: int
    node: int
    path: list[int]
    position: Position


class Given(Outgoing):
    """A secret, told only to the one who asked."""

    type: Literal["given"] = "given"
    key: SeatKey


class Done(Outgoing):
    """All that a request caused has been stored and told."""

    type: Literal["done"] = "done"
    request: int | None


ProblemCode: TypeAlias = Literal[
    "invalid",  # not as described
    "illegal",  # against the rules of the game
    "stale",  # the table has moved on
    "stranger",  # a secret that is none
    "forbidden",  # not your seat, or not your table
    "refused",  # a game, player or file that may not be used from a page
    "unknown",  # no such table, node, run, file
    "busy",  # too many tables, or nothing to do it with
    "fast",  # too many messages
    "large",  # too long
]


class Problem(Outgoing):
    """What was wrong: the bad value and what was expected."""

    code: ProblemCode
    message: str


class Error(Outgoing):
    """A request was refused; nothing has changed."""

    type: Literal["error"] = "error"
    request: int | None
    problem: Problem
    bad_tokens: list[int] = []  # of a refused `join`: which of its tokens, counted from 0


AnyMessage: TypeAlias = Annotated[
    Welcome | State | View | Given | Thoughts | Done | Error, Field(discriminator="type")
]


def described() -> dict[str, Any]:
    """The JSON schemas of both directions."""
    message: TypeAdapter[AnyMessage] = TypeAdapter(AnyMessage)
    return {
        "to_server": REQUEST.json_schema(),
        "to_browser": message.json_schema(mode="serialization"),
    }
