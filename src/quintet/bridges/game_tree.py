"""A game with its variations and comments: what every format is read to and written from.

The nodes are a flat list, the root first and each after its parent; a node's
children, in their order, are those that name it as their parent, and the first
children from the root on are the main line.  So nothing here calls itself, however
long a game is, and a tree is compared, copied and sent as a plain list.

Moves are the game's numbers.  `positions` plays them by the rules; what a file says
is believed only after that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from quintet import rules
from quintet.errors import UserError
from quintet.rules import Position

MOST_NODES = 500_000  # of one file: a wrong one should not fill the memory
_MOST_KEPT = 1 << 28  # bytes of positions to which variations go back


class Setup(NamedTuple):
    """A change of the board that is no move."""

    stones: tuple[tuple[int, int], ...]  # cells, each with its owner: 0 for nobody, or seat + 1
    turn: int | None = None  # who moves next, if that changes


class Result(NamedTuple):
    """How a game ended; the highest score wins, equals share."""

    scores: tuple[float, ...]
    margin: float | None = None  # by how much, where only that is known
    how: str = ""  # "resign", "time" or "forfeit", if the board did not decide


class Analysis(NamedTuple):
    """What a player found in a position."""

    player: str
    best: int  # the move it would make
    values: tuple[float, ...] = ()  # what each seat may expect, from 0 to 1
    line: tuple[int, ...] = ()  # the expected continuation
    nodes: int = 0
    solved: bool = False  # the value is certain


@dataclass(slots=True)
class Node:
    """A move, a change of the board, a comment, or some of these."""

    parent: int  # -1 for the root
    move: int | None = None
    setup: Setup | None = None  # before the move
    comment: str = ""
    other: dict[str, list[str]] = field(default_factory=dict)  # properties as SGF writes them
    analysis: Analysis | None = None


@dataclass(slots=True)
class GameTree:
    """A game, who played it, how it ended, and its nodes."""

    game: Any
    players: list[str]  # a name for each seat; empty where it is not known
    result: Result | None = None
    nodes: list[Node] = field(default_factory=lambda: [Node(-1)])

    def add(self, parent: int, move: int | None = None) -> int:
        """A new last child of a node; its number."""
        self.nodes.append(Node(parent, move))
        return len(self.nodes) - 1

    def children(self) -> list[list[int]]:
        """The children of each node."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            if node.parent >= 0:
                found[node.parent].append(number)
        return found

    def main_line(self) -> list[int]:
        """The nodes of the game as it was played."""
        children, line = self.children(), [0]
        while children[line[-1]]:
            line.append(children[line[-1]][0])
        return line

    def moves(self) -> list[int]:
        """The moves of the main line."""
        nodes = [self.nodes[number] for number in self.main_line()]
        return [node.move for node in nodes if node.move is not None]


def empty_tree(game: Any) -> GameTree:
    """A game that nobody has begun."""
    return GameTree(game, [""] * game.limits().seats)


def tree_of(game: Any, moves: Sequence[int], players: Sequence[str] = ()) -> GameTree:
    """A game without variations."""
    tree = empty_tree(game)
    tree.players = list(players) or tree.players
    for move in moves:
        tree.add(len(tree.nodes) - 1, move)
    return tree


# --- positions ------------------------------------------------------------------


class Replay:
    """Hands out positions to change: each node's is made from its parent's.

    A position is copied only where variations part, and kept only until the last
    of them has begun.
    """

    def __init__(self, game: Any, parents: Sequence[int]) -> None:
        """The parent of each node that will be visited, -1 for the root's."""
        self.game = game
        self._waiting = [0] * (len(parents) + 1)
        for parent in parents:
            self._waiting[parent + 1] += 1
        self._kept = {-1: rules.new_position(game)}

    def begin(self, parent: int) -> Position:
        """The position of a node, to be changed to a child's."""
        self._waiting[parent + 1] -= 1
        if self._waiting[parent + 1] == 0:
            return self._kept.pop(parent)
        return rules.copied(self._kept[parent])

    def done(self, number: int, position: Position) -> None:
        """Give back the position of a node, for its children."""
        if self._waiting[number + 1]:
            self._kept[number] = position
            if len(self._kept) * position.dtype.itemsize > _MOST_KEPT:
                raise UserError(f"variations in variations, {len(self._kept)} deep; too many")


def positions(tree: GameTree) -> Iterator[tuple[int, Position]]:
    """Each node's number and position; raises UserError where the rules are broken.

    The position may change as soon as the next is asked for.
    """
    replay = Replay(tree.game, [node.parent for node in tree.nodes])
    for number, node in enumerate(tree.nodes):
        position = replay.begin(node.parent)
        if node.setup is not None:
            position = set_up(tree.game, position, node.setup)
        if node.move is not None:
            rules.checked_play(tree.game, position, node.move)
        yield number, position
        replay.done(number, position)


def last_position(tree: GameTree) -> Position:
    """The position at the end of the main line."""
    position = rules.new_position(tree.game)
    for number in tree.main_line():
        node = tree.nodes[number]
        if node.setup is not None:
            position = set_up(tree.game, position, node.setup)
        if node.move is not None:
            rules.checked_play(tree.game, position, node.move)
    return position


def set_up(game: Any, position: Position, setup: Setup) -> Position:
    """The position after a change of the board; what does not show on it stays."""
    layout = game.layout()
    content = content_of(game, position)
    for cell, owner in setup.stones:
        content[cell] = owner
    problem = game.board_problem(content) if hasattr(game, "board_problem") else None
    if problem:
        raise UserError(problem)
    fresh = np.zeros(1, position.dtype)[0]
    for fact in layout.facts:
        # a cell that the last move made special is so no longer
        fresh[fact] = -1 if fact in layout.located else position[fact]
    if setup.turn is not None:
        fresh["turn"] = setup.turn
    rules.set_up(game, fresh, content)
    return fresh


def content_of(game: Any, position: Position) -> rules.Cells:
    """The owner of each cell."""
    content = np.zeros(game.layout().cells, np.int8)
    rules.cells(game, position, content)
    return content


# --- passes and results -----------------------------------------------------------


def pass_of(game: Any) -> int | None:
    """The number of the pass, if moves are cells and the pass."""
    cells = int(game.layout().cells)
    is_named = hasattr(game, "move_name")
    return cells if game.limits().moves == cells + 1 and not is_named else None


def forced_pass(game: Any, position: Position) -> int | None:
    """The pass, if there is no other move: some formats leave it out."""
    passing = pass_of(game)
    if passing is None or rules.list_legal_moves(game, position) != [passing]:
        return None
    return passing


def with_forced_passes(game: Any, moves: Iterator[int] | Sequence[int]) -> Iterator[int]:
    """Moves from the start, checked, with the forced passes that were left out."""
    position = rules.new_position(game)
    for move in moves:
        while (passing := forced_pass(game, position)) is not None and move != passing:
            rules.checked_play(game, position, passing)
            yield passing
        rules.checked_play(game, position, move)
        yield move


def result_of(game: Any, position: Position) -> Result | None:
    """How a position ended the game, if it did."""
    if not rules.is_over(game, position):
        return None
    return Result(tuple(rules.list_scores(game, position)))
