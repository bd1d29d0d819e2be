"""The commands of GTP that are about the board: what stands there, and whose turn it is.

Two players are B and W; three and more are numbered from 1, and final_score is then
a list of points, as in Pentobi's GTP.  Moves have the names that Quintet prints: those
of GTP for Go, and Othello's own, from the top, as GRhino has them.
"""

from __future__ import annotations

import re
from typing import Any

from quintet import games, rules
from quintet.bridges.files import format_named, read_bytes, read_trees
from quintet.bridges.game_so_far import GameSoFar
from quintet.bridges.game_tree import Result, pass_of
from quintet.bridges.sgf import colours_of, result_text
from quintet.bridges.sgf_game import number as decimal
from quintet.errors import UserError
from quintet.notation import move_name, parse_move, picture
from quintet.parameters import parameters_of, read_settings, value_text
from quintet.registry import joined

_BLACK_AND_WHITE = {"b": 0, "black": 0, "w": 1, "white": 1}
_LARGEST_FILE = 1 << 20


class BoardCommands:
    """A game, and its turns so far: a move after the passes of those who were left out."""

    def __init__(self, game: Any) -> None:
        """A new board."""
        self._first = games.text_of(game)  # which the command line allows, whatever it is
        self._turns: list[int] = []  # how many moves each has
        self._begin(game)

    def _begin(self, game: Any) -> None:
        """Another game, or the same with other parameters."""
        self._game, self._so_far = game, GameSoFar(game)
        self._turns.clear()

    # --- which game ---------------------------------------------------------------

    def _do_list_games(self, words: list[str]) -> str:
        return "\n".join(dict.fromkeys([self._first, *games.names()]))

    def _do_set_game(self, words: list[str]) -> str:
        text = "-".join(words)
        if text != self._first:
            text = text.lower()
        self._begin(games.make(text) if text == self._first else games.make_as_told(text))
        return ""

    def _do_clear_board(self, words: list[str]) -> str:
        self._so_far.begin()
        self._turns.clear()
        return ""

    def _do_boardsize(self, words: list[str]) -> str:
        if not words or not re.fullmatch(r"[0-9]{1,3}", words[0]):
            raise UserError("boardsize not an integer")
        layout = self._game.layout()
        if (layout.rows, layout.columns) != (int(words[0]), int(words[0])):
            self._begin(self._changed({"size": words[0], "rows": words[0], "columns": words[0]}))
        return self._do_clear_board([])

    def _do_komi(self, words: list[str]) -> str:
        points = decimal(words[0]) if words else None
        if points is None:
            raise UserError("komi not a float")
        if not hasattr(self._game, "komi"):
            return ""
        rest = "/0" * (self._game.limits().seats - 2)
        game = self._changed({"komi": f"0/{value_text(points)}{rest}"})
        moves, turns = self._so_far.moves, list(self._turns)
        self._begin(game)
        for move in moves:
            self._so_far.play(move)
        self._turns = turns
        return ""

    def _changed(self, settings: dict[str, str]) -> Any:
        """The game with other parameters, of those that it has."""
        text = games.text_of(self._game)
        known = {one.name for one in parameters_of(getattr(self._game, "family", type(self._game)))}
        wanted = {name: value for name, value in settings.items() if name in known}
        if ".py:" in text or not wanted:
            raise UserError("unacceptable size")
        name, _, old = text.partition(":")
        pairs = {**dict(read_settings(old)), **wanted}
        return games.make(joined(name, ",".join(f"{key}={value}" for key, value in pairs.items())))

    def _do_loadsgf(self, words: list[str]) -> str:
        """A file, up to before a move, counted from 1."""
        if not words or not re.fullmatch(r"[0-9]{1,6}", (words[1:] or ["1"])[0]):
            raise UserError("expected a file and perhaps the number of a move")
        data = read_bytes(words[0])
        if len(data) > _LARGEST_FILE:
            raise UserError(f"{words[0]!r} is larger than {_LARGEST_FILE} bytes")
        tree = read_trees(data, words[0], format_named("sgf", words[0]), None, False)[0]
        loaded = GameSoFar(tree.game)
        loaded.begin_as(tree, int(words[1]) - 1 if words[1:] else None)
        if games.text_of(tree.game) != games.text_of(self._game):
            self._begin(tree.game)
        self._so_far, self._turns = loaded, [1] * len(loaded.moves)
        return ""

    # --- whose turn, and moves ------------------------------------------------------

    def _seat(self, words: list[str]) -> int:
        named = self._seats_by_name()
        if not words or words[0].lower() not in named:
            raise UserError(f"invalid color; expected one of {', '.join(colours_of(self._game))}")
        return named[words[0].lower()]

    def _seats_by_name(self) -> dict[str, int]:
        seats = self._game.limits().seats
        numbered = {str(seat + 1): seat for seat in range(seats)}
        return numbered | (_BLACK_AND_WHITE if seats == 2 else {})

    def _play(self, move: int) -> None:
        """Make a legal move, as a part of the last turn."""
        self._so_far.play(move)
        self._turns[-1] += 1

    def _turn_to(self, seat: int) -> None:
        """Begin the turn of a seat; those before it pass, if they may."""
        self._turns.append(0)
        passing = pass_of(self._game)
        try:
            while self._so_far.turn != seat:
                if passing not in self._so_far.legal():
                    turn = colours_of(self._game)[self._so_far.turn]
                    raise UserError(f"not the turn of this color; expected {turn}")
                self._play(int(passing or 0))
        except UserError:
            self._do_undo([])
            raise

    def _do_play(self, words: list[str]) -> str:
        seat = self._seat(words)
        if len(words) != 2:
            raise UserError("expected a color and a move")
        move = parse_move(self._game, words[1])
        self._turn_to(seat)
        try:
            self._play(move)
        except UserError:
            self._do_undo([])
            raise UserError("illegal move") from None
        return ""

    def _do_undo(self, words: list[str]) -> str:
        if not self._turns:
            raise UserError("cannot undo")
        for _ in range(self._turns.pop()):
            self._so_far.undo()
        return ""

    # --- what stands there ------------------------------------------------------------

    def _do_showboard(self, words: list[str]) -> str:
        return "\n" + picture(self._game, self._so_far.position)

    def _do_all_legal(self, words: list[str]) -> str:
        if self._seat(words) != self._so_far.turn:
            return ""
        return " ".join(move_name(self._game, move) for move in self._so_far.legal())

    def _scores(self) -> list[float]:
        is_go = hasattr(self._game, "komi")  # whose area is there at any time
        if not is_go and not self._so_far.is_over:
            raise UserError("the game is not over")
        return rules.list_scores(self._game, self._so_far.position)

    def _do_final_score(self, words: list[str]) -> str:
        return result_text(Result(tuple(self._scores())), colours_of(self._game))

    def _do_get_place(self, words: list[str]) -> str:
        """The rank of a color at the end, and whether others have it too."""
        seat, scores = self._seat(words), self._scores()
        place = 1 + sum(score > scores[seat] for score in scores)
        return f"{place} shared" if scores.count(scores[seat]) > 1 else str(place)
