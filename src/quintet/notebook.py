"""Games, positions and matches as objects for a notebook, which show themselves.

They are thin: a `Game` holds the NamedTuple of parameters, a `Position` the record,
with the moves that led to it.  Positions do not change; `play` gives another one.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quintet import drawing, games, notation, rules
from quintet.arena.intervals import Estimate
from quintet.arena.match import MatchResult, Terms, entrants, play_match
from quintet.arena.results import Standing
from quintet.errors import UserError
from quintet.parameters import value_text
from quintet.players import make_player, players_for
from quintet.players.player import Seat, Thoughts
from quintet.randomness import seeded


def make(text: str, **settings: Any) -> Game:
    """A game from its text: ``make("pente:size=7,players=3")``, or ``make("pente", size=7)``."""
    given = ",".join(f"{name}={value_text(value)}" for name, value in settings.items())
    joined = f"{text}{',' if ':' in text else ':'}{given}" if given else text
    return Game(games.make(joined))


class Game:
    """A game: who can play it, and its positions."""

    def __init__(self, parameters: Any) -> None:
        """The NamedTuple that `quintet.games.make` gives."""
        self.parameters = parameters
        limits = parameters.limits()
        self.seats: int = limits.seats

    def __repr__(self) -> str:
        return f"quintet.make({games.text_of(self.parameters)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def start(self) -> Position:
        """The start position."""
        return Position(self, rules.new_position(self.parameters))

    def read(self, picture: str) -> Position:
        """The position that a picture in text shows."""
        return Position(self, notation.parse_picture(self.parameters, picture))

    def players(self) -> list[str]:
        """The names of those who can play it."""
        return [name for name, _ in players_for(self.parameters)]

    def play(self, *players: str, seed: int = 0) -> Position:
        """Let players, one for each seat, play a game; its last position, with all moves."""
        if len(players) != self.seats:
            raise UserError(
                f"{len(players)} player(s) for {self.seats} seats; expected one for each"
            )
        seats = [self._seat(text, seed, number) for number, text in enumerate(players)]
        position = self.start()
        while not position.is_over:
            move = seats[position.turn].choose(position.record)
            for seat in seats:
                seat.watch(position.record, move)
            position = position.play(move)
        return position

    def _seat(self, text: str, seed: int, number: int) -> Seat:
        seat = Seat(make_player(text, self.parameters), self.parameters, seeded(seed, number))
        seat.begin()
        return seat

    def match(self, *players: str, games: int = 100, seed: int = 0, workers: int = 0) -> Match:
        """Let players meet in every order of seats; who is stronger, and how sure that is."""
        table = entrants(players, self.parameters)
        return Match(play_match(self.parameters, table, Terms(games, seed), workers or None))

    def train(self, learner: str, name: str, seed: int = 0) -> str:
        """Let a learner learn this game; the text of the player that it makes: ``run:NAME``.

        The run is kept in the folder of runs.  One of that name with the same settings goes
        on where it was; so nothing is learnt twice.
        """
        from quintet.learn import learner_from
        from quintet.runs.run import Run
        from quintet.runs.settings import Settings
        from quintet.runs.trained import checked_name, runs_folder

        settings = Settings(learner_from(learner, self.parameters), self.parameters, seed)
        folder = runs_folder() / checked_name(name)
        run = Run(folder) if (folder / "run.toml").is_file() else Run.create(folder, settings)
        if run.settings.written() != settings.written():
            raise UserError(f"run {name!r} has other settings; expected another name")
        run.train()
        return f"run:{name}"


class Position:
    """A position, with the moves that led to it.  It draws itself."""

    def __init__(
        self, game: Game, record: Any, before: Position | None = None, move: int | None = None
    ) -> None:
        """What `Game.start` and `play` make."""
        self.game = game
        self.record = record
        self.before = before
        self.move = move

    def play(self, *moves: str | int) -> Position:
        """The position after some moves, each its name or number, or several names in a text."""
        position = self
        for move in moves:
            names = re.split(r"[\s,]+", move.strip()) if isinstance(move, str) else [move]
            for name in names:
                position = position._after(name)
        return position

    def _after(self, move: str | int) -> Position:
        rule_book = self.game.parameters
        number = notation.parse_move(rule_book, move) if isinstance(move, str) else int(move)
        record = rules.copied(self.record)
        rules.checked_play(rule_book, record, number)
        return Position(self.game, record, self, number)

    def back(self, plies: int = 1) -> Position:
        """The position some plies before."""
        position = self
        for _ in range(plies):
            if position.before is None:
                raise UserError(f"{plies} plies back; only {len(self.moves)} were made")
            position = position.before
        return position

    @property
    def moves(self) -> list[str]:
        """The names of the moves that led here."""
        names = []
        position: Position | None = self
        while position is not None and position.move is not None:
            names.append(notation.move_name(self.game.parameters, position.move))
            position = position.before
        return names[::-1]

    @property
    def legal(self) -> list[str]:
        """The names of the legal moves."""
        rule_book = self.game.parameters
        legal = rules.list_legal_moves(rule_book, self.record)
        return [notation.move_name(rule_book, move) for move in legal]

    @property
    def turn(self) -> int:
        """The seat to move, from 0."""
        return int(rules.turn(self.game.parameters, self.record))

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        return bool(rules.is_over(self.game.parameters, self.record))

    @property
    def scores(self) -> list[float] | None:
        """What each seat has from a finished game; None before its end."""
        return rules.list_scores(self.game.parameters, self.record) if self.is_over else None

    @property
    def stones(self) -> NDArray[np.int8]:
        """Who owns each cell, row by row: 0 for nobody, or the seat + 1."""
        layout = self.game.parameters.layout()
        out = np.zeros(layout.cells, np.int8)
        rules.cells(self.game.parameters, self.record, out)
        return out.reshape(layout.rows, layout.columns)

    def observe(self, seat: int | None = None) -> NDArray[np.float32]:
        """The planes that a network would see, from a seat: by default whose turn it is."""
        layout, limits = self.game.parameters.layout(), self.game.parameters.limits()
        planes = np.zeros((limits.planes, layout.rows, layout.columns), np.float32)
        chosen = self.turn if seat is None else seat
        if not 0 <= chosen < limits.seats:
            raise UserError(f"seat {chosen}; expected 0 to {limits.seats - 1}")
        rules.observe(self.game.parameters, self.record, chosen, planes)
        return planes

    def think(self, player: str = "uct:sims=1000", seed: int = 0) -> Thinking:
        """What a player would do here, and what its search found."""
        if self.is_over:
            raise UserError("the game is over; expected a position in which somebody moves")
        seat = self.game._seat(player, seed, 0)
        best = seat.choose(self.record)
        return Thinking(self, player, best, seat.thoughts(self.record))

    def __str__(self) -> str:
        return notation.picture(self.game.parameters, self.record)

    def __repr__(self) -> str:
        text = games.text_of(self.game.parameters)
        state = "over" if self.is_over else f"{notation.STONES[self.turn]} to move"
        return f"<Position of {text} after {len(self.moves)} moves, {state}>"

    def svg(self, width: int = 0) -> str:
        """The board as SVG, `width` pixels wide; 0 for a width that suits it."""
        before = None if self.before is None else self.before.record
        return drawing.svg(self.game.parameters, self.record, before, self.move, width)

    def _repr_svg_(self) -> str:
        return self.svg()


class Thinking:
    """What a player would do in a position.  It shows itself as a table."""

    def __init__(
        self, position: Position, player: str, best: int, thoughts: Thoughts | None
    ) -> None:
        """What `Position.think` makes."""
        self.position, self.player, self.thoughts = position, player, thoughts
        self.move = notation.move_name(position.game.parameters, best)

    @property
    def line(self) -> list[str]:
        """The expected continuation; none if the player does not search."""
        return [self._name(move) for move in self.thoughts.line] if self.thoughts else []

    def _name(self, move: int) -> str:
        return notation.move_name(self.position.game.parameters, move)

    def rows(self, most: int = 10) -> list[list[str]]:
        """The best moves: name, visits, and what each seat may expect from 0 to 1."""
        if self.thoughts is None:
            return []
        if self.thoughts.utilities:
            told = zip(self.thoughts.moves, self.thoughts.utilities, strict=True)
            return [[self._name(move), f"{utility:.4g}"] for move, utility in list(told)[:most]]
        found = zip(self.thoughts.moves, self.thoughts.visits, self.thoughts.values, strict=True)
        return [
            [self._name(move), str(visits), *(f"{value:.3f}" for value in values)]
            for move, visits, values in list(found)[:most]
        ]

    def __repr__(self) -> str:
        lines = [f"{self.player} plays {self.move}"]
        return "\n".join([*lines, *_columns(self._table())] if self.thoughts else lines)

    def _table(self) -> list[list[str]]:
        stones = notation.STONES[: self.position.game.seats]
        if self.thoughts is not None and self.thoughts.utilities:
            return [["move", "utility"], *self.rows()]
        return [["move", "visits", *stones], *self.rows()]

    def _repr_html_(self) -> str:
        head = f"<p>{html.escape(self.player)} plays <b>{html.escape(self.move)}</b></p>"
        return head + (_html(self._table()) if self.thoughts else "")


class Match:
    """Who was stronger.  It shows itself as a table; intervals are of 95%."""

    def __init__(self, result: MatchResult) -> None:
        """What `Game.match` makes."""
        self.result = result

    @functools.cached_property
    def standings(self) -> list[Standing]:
        """How each player did, overall and in each seat, the best first."""
        return self.result.standings()

    def _table(self) -> list[list[str]]:
        rows = [["player", "seat", "games", "wins", "score", "rank"]]
        for row in self.standings:
            seat = "all" if row.seat is None else str(row.seat + 1)
            measures = [_told(row.wins), _told(row.score), _told(row.rank)]
            rows.append(
                ["" if row.seat is not None else row.player, seat, str(row.games), *measures]
            )
        return rows

    def __repr__(self) -> str:
        return "\n".join(_columns(self._table()))

    def _repr_html_(self) -> str:
        return _html(self._table())


def _told(estimate: Estimate) -> str:
    return "{:.3f} ({:.3f} to {:.3f})".format(*estimate)


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines of text."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _html(rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return (
        "<table>" + line(rows[0], "th") + "".join(line(row, "td") for row in rows[1:]) + "</table>"
    )
