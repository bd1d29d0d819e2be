"""BSD gomoku, of Debian's bsdgames, which wants a terminal.

Its screen is not read.  It takes all moves but the last from a file, the last one
is typed, and then the words to save the game: the file that it writes then holds
its answer.  So each move has a program of its own, in any position of a game.
"""

from __future__ import annotations

from quintet.bridges.coordinates import GO
from quintet.bridges.engines.conversation import Conversation
from quintet.bridges.engines.line import Line
from quintet.errors import UserError

_BEFORE, _SAVED = "before", "saved"  # files in the program's home
_MOST_BYTES = 10_000  # of a saved game


class BsdGomoku(Conversation):
    """A program for each move."""

    def choose(self, line: Line) -> int:
        """Let it answer the last move."""
        if line.start is not None:
            told = "knows only moves from the start, and this position was set up"
            raise self.cannot(told, line)
        names = [GO.write(self.game.layout(), move) for move in line.moves]
        if len(names) > 1:
            before = "".join(name + "\n" for name in names[:-1])
            program = self.start(_BEFORE, terminal=True, files={_BEFORE: before})
            typed = names[-1:]
        else:  # it asks which colour we have
            program = self.start(terminal=True)
            typed = ["black", *names] if names else ["white"]
        program.send("".join(f"{word}\n" for word in [*typed, "save", _SAVED]))
        saved = program.home / _SAVED
        program.wait_for(lambda: saved.is_file() and saved.stat().st_size > 0)
        with saved.open("rb") as file:
            words = file.read(_MOST_BYTES).decode(errors="replace").split()
        self.close()
        return self._answer(words, names, line)

    def _answer(self, words: list[str], names: list[str], line: Line) -> int:
        if words[: len(names)] != names or len(words) == len(names):
            last = names[-1] if names else "nothing"
            raise self.cannot(f"does not accept the moves up to {last}", line)
        try:
            return GO.read(self.game.layout(), words[len(names)])
        except UserError as error:
            raise self.cannot(f"saved a game in which {error}", line) from None
