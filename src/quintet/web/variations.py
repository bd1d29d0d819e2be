"""The tree of all that was tried in a round: a line of play and its variations."""

from __future__ import annotations

import itertools
from typing import NamedTuple

START = 0


class Played(NamedTuple):
    """A node: how it was reached."""

    parent: int | None
    move: int | None  # None for the start, and for a resignation
    seat: int | None  # who moved or resigned


class Variations:
    """Nodes by number; numbers only grow, and nodes never go."""

    def __init__(self, picture: str | None = None) -> None:
        """A tree with a start alone: the game's own, or that of a picture."""
        self.picture = picture
        self.nodes = [Played(None, None, None)]
        self._children: list[list[int]] = [[]]
        self._latest: list[int | None] = [None]  # the child visited last

    def add(self, parent: int, move: int | None, seat: int) -> int:
        """The node after a move; the same one if the move was tried before."""
        known = self.child(parent, move, seat)
        if known is None:
            known = len(self.nodes)
            self.nodes.append(Played(parent, move, seat))
            self._children.append([])
            self._latest.append(None)
            self._children[parent].append(known)
        self._latest[parent] = known
        return known

    def child(self, parent: int, move: int | None, seat: int) -> int | None:
        """The node that a move leads to, if it was tried."""
        wanted = Played(parent, move, seat)
        return next((node for node in self._children[parent] if self.nodes[node] == wanted), None)

    def visit(self, node: int) -> None:
        """Walk here: what leads forward again is what was walked back."""
        path = self.path(node)
        for parent, child in itertools.pairwise(path):
            self._latest[parent] = child

    def path(self, node: int) -> list[int]:
        """The nodes from the start to this one."""
        found: list[int] = []
        at: int | None = node
        while at is not None:
            found.append(at)
            at = self.nodes[at].parent
        return found[::-1]

    def ahead(self, node: int) -> list[int]:
        """The nodes after this one, along what was visited last."""
        found = []
        at = self._latest[node]
        while at is not None:
            found.append(at)
            at = self._latest[at]
        return found

    def moves(self, node: int) -> list[int]:
        """The moves from the start to a node."""
        played = [self.nodes[at].move for at in self.path(node)]
        return [move for move in played if move is not None]
