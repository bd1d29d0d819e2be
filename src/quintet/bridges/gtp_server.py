"""A player as an engine of the Go Text Protocol, version 2, for every game.

Two players are B and W; three and more are numbered from 1, and final_score is then
a list of points, as in Pentobi's GTP.  Moves have the names that Quintet prints: those
of GTP for Go, and Othello's own, from the top, as GRhino has them.  `lz-analyze` and
`kata-analyze` answer once with what the search found, and do not go on by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, BinaryIO

from quintet import games, rules
from quintet.bridges.game_tree import Result, pass_of
from quintet.bridges.sgf import colours_of, result_text
from quintet.bridges.sgf_game import number as decimal
from quintet.errors import UserError
from quintet.notation import move_name, parse_move, picture
from quintet.parameters import parameters_of, read_settings, value_text
from quintet.players import make_player
from quintet.players.player import Seat
from quintet.randomness import seeded
from quintet.registry import joined

_LONGEST_LINE = 1 << 16
_BLACK_AND_WHITE = {"b": 0, "black": 0, "w": 1, "white": 1}


class Engine:
    """A game, its moves so far, and the player that thinks about it."""

    def __init__(self, game: Any, player: str, seed: int) -> None:
        """Sit down at a new board."""
        self.quitting = False
        self._player, self._seed = player, seed
        self._commands: dict[str, Callable[[list[str]], str]] = {
            name.removeprefix("_do_").replace("_Z_", "-"): getattr(self, name)
            for name in dir(self)
            if name.startswith("_do_")
        }
        self._sit_down(game)

    def answer(self, line: str) -> str | None:
        """The reply to a line, without the empty line after it; None if none is due."""
        text = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line.partition("#")[0]).replace("\t", " ")
        words = text.split()
        number = words.pop(0) if words and re.fullmatch(r"[0-9]{1,20}", words[0]) else ""
        if not words:
            return f"?{number} expected a command" if number else None
        try:
            if words[0] not in self._commands:
                raise UserError("unknown command")
            text = self._commands[words[0]](words[1:])
            return f"={number}{'' if text[:1] in ('', chr(10)) else ' '}{text}"
        except UserError as error:
            return f"?{number} {str(error).splitlines()[0]}"

    # --- about the engine -------------------------------------------------------

    def _do_protocol_version(self, words: list[str]) -> str:
        return "2"

    def _do_name(self, words: list[str]) -> str:
        return "Quintet"

    def _do_version(self, words: list[str]) -> str:
        return self._player

    def _do_known_command(self, words: list[str]) -> str:
        return "true" if words[:1] and words[0] in self._commands else "false"

    def _do_list_commands(self, words: list[str]) -> str:
        return "\n".join(sorted(self._commands))

    def _do_list_games(self, words: list[str]) -> str:
        return games.text_of(self._game)

    def _do_quit(self, words: list[str]) -> str:
        self.quitting = True
        return ""

    def _do_time_settings(self, words: list[str]) -> str:
        return ""  # the player's own settings say how long it thinks

    def _do_time_left(self, words: list[str]) -> str:
        return ""

    # --- the board ----------------------------------------------------------------

    def _sit_down(self, game: Any) -> None:
        self._thinker = Seat(make_player(self._player, game), game, seeded(self._seed))
        self._game = game
        self._do_clear_board([])

    def _do_clear_board(self, words: list[str]) -> str:
        self._turns: list[list[int]] = []  # a move, after the passes of who was left out
        self._position = rules.new_position(self._game)
        self._thinker.begin()
        return ""

    def _do_boardsize(self, words: list[str]) -> str:
        if not words or not re.fullmatch(r"[0-9]{1,3}", words[0]):
            raise UserError("boardsize not an integer")
        layout = self._game.layout()
        if (layout.rows, layout.columns) != (int(words[0]), int(words[0])):
            self._sit_down(self._changed({"size": words[0], "rows": words[0], "columns": words[0]}))
        return self._do_clear_board([])

    def _do_komi(self, words: list[str]) -> str:
        points = decimal(words[0]) if words else None
        if points is None:
            raise UserError("komi not a float")
        if not hasattr(self._game, "komi"):
            return ""
        rest = "/0" * (self._game.limits().seats - 2)
        game, turns = self._changed({"komi": f"0/{value_text(points)}{rest}"}), self._turns
        self._sit_down(game)
        self._replay(turns)
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

    def _replay(self, turns: list[list[int]]) -> None:
        self._do_clear_board([])
        for moves in turns:
            self._turns.append([])
            for move in moves:
                self._play(move)

    def _play(self, move: int) -> None:
        """Make a legal move, as a part of the last turn."""
        before = rules.copied(self._position)
        rules.checked_play(self._game, self._position, move)
        self._thinker.watch(before, move)
        self._turns[-1].append(move)

    def _seat(self, words: list[str]) -> int:
        seats = self._game.limits().seats
        named = {str(seat + 1): seat for seat in range(seats)}
        named |= _BLACK_AND_WHITE if seats == 2 else {}
        if not words or words[0].lower() not in named:
            raise UserError(f"invalid color; expected one of {', '.join(colours_of(self._game))}")
        return named[words[0].lower()]

    def _turn_to(self, seat: int) -> None:
        """Begin the turn of a seat; those before it pass, if they may."""
        self._turns.append([])
        passing = pass_of(self._game)
        try:
            while rules.turn(self._game, self._position) != seat:
                if passing not in rules.list_legal_moves(self._game, self._position):
                    turn = colours_of(self._game)[rules.turn(self._game, self._position)]
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
        self._replay(self._turns[:-1])
        return ""

    def _do_showboard(self, words: list[str]) -> str:
        return "\n" + picture(self._game, self._position)

    def _do_all_legal(self, words: list[str]) -> str:
        if self._seat(words) != rules.turn(self._game, self._position):
            return ""
        legal = rules.list_legal_moves(self._game, self._position)
        return " ".join(move_name(self._game, move) for move in legal)

    def _do_final_score(self, words: list[str]) -> str:
        is_go = hasattr(self._game, "komi")  # whose area is there at any time
        if not is_go and not rules.is_over(self._game, self._position):
            raise UserError("the game is not over")
        scores = tuple(rules.list_scores(self._game, self._position))
        return result_text(Result(scores), colours_of(self._game))

    # --- thinking -------------------------------------------------------------------

    def _do_genmove(self, words: list[str]) -> str:
        move = self._chosen(words)
        self._play(move)
        return move_name(self._game, move)

    def _do_reg_genmove(self, words: list[str]) -> str:
        move = self._chosen(words)
        self._do_undo([])
        return move_name(self._game, move)

    def _chosen(self, words: list[str]) -> int:
        """The player's move for a seat, whose turn has begun."""
        seat = self._seat(words)
        if rules.is_over(self._game, self._position):
            raise UserError("the game is over")
        self._turn_to(seat)
        if rules.is_over(self._game, self._position):
            self._do_undo([])
            raise UserError("the game is over")
        return self._thinker.choose(self._position)

    def _do_lz_Z_analyze(self, words: list[str]) -> str:  # noqa: N802
        return self._analysed(words, lambda value: f"{round(10_000 * value)}")

    def _do_kata_Z_analyze(self, words: list[str]) -> str:  # noqa: N802
        return self._analysed(words, lambda value: f"{value:.4f}")

    def _analysed(self, words: list[str], written: Callable[[float], str]) -> str:
        """What the search finds for who is to move, or for the color that is named."""
        seat = int(rules.turn(self._game, self._position))
        if words and words[0].lower() in _BLACK_AND_WHITE and self._game.limits().seats == 2:
            seat = self._seat(words)
        best = self._chosen([str(seat + 1)])
        found = self._thinker.thoughts(self._position)
        self._do_undo([])
        if found is None:
            return f"\ninfo move {move_name(self._game, best)} visits 1 order 0"
        parts = []
        for order, move in enumerate(found.moves):
            line = found.line if found.line[:1] == [move] else [move]
            parts.append(
                f"info move {move_name(self._game, move)} visits {found.visits[order]}"
                f" winrate {written(found.values[order][seat])} order {order}"
                f" pv {' '.join(move_name(self._game, one) for one in line)}"
            )
        return "\n" + " ".join(parts)


def serve(engine: Engine, source: BinaryIO, target: BinaryIO) -> None:
    """Answer lines until there are no more, or one says quit."""
    while not engine.quitting and (line := source.readline(_LONGEST_LINE)):
        reply = engine.answer(line.decode(errors="replace"))
        if reply is not None:
            target.write(f"{reply}\n\n".encode())
            target.flush()
