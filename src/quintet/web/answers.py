"""What is asked and answered over HTTP; what is said over the websocket is in `messages`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quintet.web.messages import (
    LONGEST_PICTURE,
    LONGEST_RECORD,
    MOST_SEATS,
    Board,
    Incoming,
    Number,
    Outgoing,
    Problem,
    SeatKey,
    SeatWanted,
    State,
    Text,
)


class ParameterShown(Outgoing):
    """One setting of a game or player."""

    name: str
    kind: Literal["number", "whole", "yes_no", "choice", "text"]
    default: str  # as it is written in a text
    expected: str
    low: float | None
    high: float | None  # None: no limit
    choices: list[str]
    meaning: str


class GameShown(Outgoing):
    """A game one can choose."""

    name: str
    summary: str
    seats: int
    seats_by: str | None  # the parameter that changes the number of seats
    parameters: list[ParameterShown]


class PlayerShown(Outgoing):
    """A player one can choose."""

    name: str
    summary: str
    thinks_aloud: bool  # can it be asked for its thoughts?
    parameters: list[ParameterShown]


class TrainedShown(Outgoing):
    """A player that a run has made."""

    player: str  # its text
    run: str
    step: int
    last: bool  # the newest of its run


class ModelShown(Outgoing):
    """A player that comes with Quintet."""

    player: str  # its text
    name: str
    summary: str
    strengths: list[str]  # what was measured, in words


class UnfitShown(Outgoing):
    """A player that cannot play the game, and why."""

    name: str
    why: str


class PlayersShown(Outgoing):
    """Who can play a game."""

    game: str
    players: list[PlayerShown]
    trained: list[TrainedShown]
    models: list[ModelShown]
    unfit: list[UnfitShown]


class RunShown(Outgoing):
    """A run on disk."""

    name: str
    game: str
    learner: str
    seed: int
    step: int
    steps: int
    training: bool  # is it at work now?
    headline: list[str]  # the figures that matter
    figures: dict[str, float | None]  # each as it was told last
    checkpoints: list[int]


class RunsShown(Outgoing):
    """The runs, and what is wrong with those that cannot be read."""

    runs: list[RunShown]
    broken: list[str]


class Metrics(Outgoing):
    """The figures of a run after a step: ask again with since=last."""

    run: str
    last: int
    training: bool
    lines: list[dict[str, float | None]]  # each has `step`


class RecordFile(Outgoing):
    """A file of recorded games in the folder of runs."""

    file: str
    bytes: int


class RecordedGame(Outgoing):
    """A recorded game."""

    number: int  # in its file, from 0
    game: str
    players: list[str]  # seat by seat
    plies: int
    scores: list[float]


class RecordedGames(Outgoing):
    """Some of the games of a file."""

    file: str
    first: int
    games: list[RecordedGame]
    more: bool
    note: str | None  # what was left out


class FromFile(Incoming):
    """A recorded game in the folder of runs."""

    file: Text
    number: Annotated[int, Field(ge=0, le=10**9)] = 0


class FromText(Incoming):
    """A game that the page has, in one of the formats of docs/guide/files.md."""

    format: Literal["record", "sgf", "json", "ggf", "psq", "compact", "names"] | None = None
    name: Text | None = None  # of the file; without format, its ending or the content tells it
    game: Text | None = None  # for formats that do not tell it
    content: Annotated[str, Field(max_length=LONGEST_RECORD)]
    number: Annotated[int, Field(ge=0, le=10**9)] = 0


class TableWanted(Incoming):
    """A table to be made: with a game, or with one that was recorded."""

    game: Text | None = None
    seats: Annotated[list[SeatWanted], Field(max_length=MOST_SEATS)] | None = None
    moves: Annotated[tuple[Number, ...], Field(max_length=2_000, strict=False)] = ()
    picture: Annotated[str, Field(max_length=LONGEST_PICTURE)] | None = None
    file: FromFile | None = None
    record: FromText | None = None
    paused: bool = False


class TableMade(Outgoing):
    """A new table, with the secrets of its owner."""

    table: str
    owner: str
    keys: list[SeatKey]


class TableShown(Outgoing):
    """A table as a spectator sees it."""

    table: str
    board: Board
    state: State


class ProblemShown(Outgoing):
    """Why a request over HTTP was refused."""

    problem: Problem


class Health(Outgoing):
    """The server is there."""

    version: str
    tables: int
    connections: int
    moves: int  # made since it started
