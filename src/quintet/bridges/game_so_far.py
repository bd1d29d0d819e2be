"""A game that another program plays with us: its moves until now, which may be taken back."""

from __future__ import annotations

import itertools
from typing import Any

from quintet import rules
from quintet.bridges.game_tree import GameTree, set_up
from quintet.errors import UserError
from quintet.players.thinking import Line
from quintet.rules import Position

_ROUNDS = itertools.count(1)  # no two beginnings are taken for one another


class GameSoFar:
    """Where it began, and all positions since then."""

    def __init__(self, game: Any) -> None:
        """A new game."""
        self.game = game
        self.begin()

    def begin(self, start: Position | None = None) -> None:
        """Begin anew, from a position if one is given."""
        self._round = next(_ROUNDS)
        self.moves: list[int] = []
        self._positions = [rules.new_position(self.game) if start is None else start]

    def begin_as(self, tree: GameTree, most: int | None = None) -> None:
        """Begin with the main line of a tree, or so many moves of it."""
        self.begin()
        for number in tree.main_line():
            node = tree.nodes[number]
            if node.setup is not None:
                self.begin(set_up(self.game, self.position, node.setup))
            if node.move is not None:
                if most is not None and len(self.moves) >= most:
                    return
                self.play(node.move)

    @property
    def start(self) -> Position:
        """The position that it began with."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def turn(self) -> int:
        """The seat to move."""
        return int(rules.turn(self.game, self.position))

    @property
    def is_over(self) -> bool:
        """Has it ended?"""
        return bool(rules.is_over(self.game, self.position))

    def legal(self) -> list[int]:
        """The legal moves."""
        return rules.list_legal_moves(self.game, self.position)

    def play(self, move: int) -> None:
        """Make a move, if it is legal."""
        position = rules.copied(self.position)
        rules.checked_play(self.game, position, move)
        self.moves.append(move)
        self._positions.append(position)

    def undo(self) -> None:
        """Take the last move back."""
        if not self.moves:
            raise UserError("cannot undo")
        self.moves.pop()
        self._positions.pop()

    def line(self, plies: int | None = None) -> Line:
        """What a player must know to think about the position, or that after so many plies."""
        moves = tuple(self.moves[:plies])
        positions = tuple(self._positions[: len(moves) + 1])
        return Line(self._round, (-1, *moves), moves, positions)
