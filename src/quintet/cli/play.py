"""``play``: a game in the terminal."""

from __future__ import annotations

import io
import secrets
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from quintet.cli.entry import PlayersCommand, main
from quintet.cli.given import make_game, players_option, seed_option, split_words
from quintet.cli.printing import mark, print_board, print_legal_moves, results, say
from quintet.errors import UserError

if TYPE_CHECKING:
    from quintet.players.player import Seat


@main.command(cls=PlayersCommand)
@click.argument("game_text", metavar="GAME")
@players_option("One for each seat, after GAME: human, greedy, or any of `quintet players`.")
@seed_option
def play(game_text: str, players: tuple[str, ...], seed: int | None) -> None:
    """Play a game in the terminal.

    By default you have the first seat and greedy players the others; without a
    terminal, greedy players have them all.  Chosen humans may also be piped in:
    one move a line.
    """
    from quintet import rules

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are a wrong move
    game = make_game(game_text)
    words = split_words(players) or _default_players(game.limits().seats)
    match = _Match(game, words, secrets.randbits(32) if seed is None else seed)
    try:
        match.run()
    except _Quit:
        say("Stopped.")
    except (EOFError, KeyboardInterrupt):  # the prompt's line is still open
        say("\nStopped.")
    if rules.is_over(game, match.position):
        print_board(game, match.position)
        for line in results(game, match.position, words):
            say(line)
    say(f"moves: {match.moves()}")
    say(f"seed: {match.seed}")


class _Quit(Exception):
    """A person wants to stop."""


class _Turn(NamedTuple):
    """A move made, and what it was made in."""

    seat: int
    before: Any
    move: int


_HELP = """\
a move's name   make that move
moves           list the legal moves
undo            go back to your last turn
help            show this
quit            stop the game"""


class _Match:
    """A game in the terminal among people and simple players."""

    def __init__(self, game: Any, words: list[str], seed: int) -> None:
        from quintet import rules
        from quintet.players import make_player
        from quintet.players.player import Seat
        from quintet.randomness import seeded

        seats = game.limits().seats
        if len(words) != seats:
            raise UserError(f"{len(words)} player(s) for {seats} seats; expected one for each")
        self.players: list[Seat | None] = [
            None if word == "human" else Seat(make_player(word, game), game, seeded(seed, number))
            for number, word in enumerate(words)
        ]
        self.game = game
        self.seed = seed
        self.position = rules.new_position(game)
        self.turns: list[_Turn] = []

    def run(self) -> None:
        """Play to the end, or to _Quit, EOFError or KeyboardInterrupt."""
        from quintet import rules
        from quintet.notation import move_name

        self._tell_players()
        while not rules.is_over(self.game, self.position):
            seat = int(rules.turn(self.game, self.position))
            player = self.players[seat]
            if player is None:
                self._ask(seat)
            else:
                move = player.choose(self.position)
                say(f"{mark(seat)} plays {move_name(self.game, move)}")
                self._make(seat, move)

    def moves(self) -> str:
        """The moves so far, as --moves takes them."""
        from quintet.notation import move_name

        return " ".join(move_name(self.game, turn.move) for turn in self.turns)

    def _make(self, seat: int, move: int) -> None:
        from quintet import rules

        before = rules.copied(self.position)
        rules.checked_play(self.game, self.position, move)
        self.turns.append(_Turn(seat, before, move))
        for player in filter(None, self.players):
            player.watch(before, move)

    def _tell_players(self) -> None:
        """A game begins, perhaps with moves that were not taken back."""
        for player in filter(None, self.players):
            player.begin()
            for turn in self.turns:
                player.watch(turn.before, turn.move)

    def _ask(self, seat: int) -> None:
        """Let a person answer until a move is made."""
        from quintet.notation import parse_move

        print_board(self.game, self.position)
        made = len(self.turns)
        while len(self.turns) == made:
            answer = _read_line(f"{mark(seat)} to move: ")
            if answer == "quit":
                raise _Quit
            if answer == "undo":
                if self._undo(seat):
                    return
                say("There is nothing to undo.")
            elif answer == "moves":
                print_legal_moves(self.game, self.position)
            elif answer == "help":
                say(_HELP)
            elif answer:
                try:
                    self._make(seat, parse_move(self.game, answer))
                except UserError as error:
                    # the board is on the screen already: tell only the mistake
                    say(f"{str(error).splitlines()[0]} (try: moves, help)")

    def _undo(self, seat: int) -> bool:
        """Go back to the last turn of `seat`, if it had one."""
        own = [number for number, turn in enumerate(self.turns) if turn.seat == seat]
        if not own:
            return False
        self.position = self.turns[own[-1]].before
        del self.turns[own[-1] :]
        self._tell_players()
        return True


def _default_players(seats: int) -> list[str]:
    person = sys.stdin is not None and sys.stdin.isatty()
    return ["human" if person and seat == 0 else "greedy" for seat in range(seats)]


def _read_line(prompt: str) -> str:
    if sys.stdin is None:  # closed by whoever started us
        raise EOFError
    answer = input(prompt).strip().lower()
    if not sys.stdin.isatty():
        say(answer)  # as a terminal would have shown it
    return answer
