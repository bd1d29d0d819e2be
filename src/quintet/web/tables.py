"""A table: a game, who plays it, and all that was tried.

Nothing here waits, writes or sends; who calls it does, one request after another.
A request that is refused changes nothing.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from quintet import notation, rules
from quintet.errors import IllegalMove
from quintet.web import boards
from quintet.web.messages import (
    Node,
    Position,
    SeatKey,
    SeatShown,
    SeatWanted,
)
from quintet.web.problems import Refused
from quintet.web.seats import Occupant, hashed, matches, new_secret
from quintet.web.variations import START, Variations

if TYPE_CHECKING:
    from quintet.web.kept import Kept

_REMEMBERED = 256  # positions; the others are replayed


class Table:
    """A game, its seats, the tree of a round and where in it the table is."""

    def __init__(self, id: str, game: Any, owner: str, seats: list[Occupant]) -> None:
        """A table in its first round; `owner` is a hashed secret."""
        self.id, self.game, self.owner, self.seats = id, game, owner, seats
        self.board = boards.board_of(game)
        self.round = 1
        self.tree = Variations()
        self.node = START
        self.paused = False
        self.seconds = 0.5
        self.used = time.time()
        self._positions: dict[int, Any] = {}

    # --- what there is --------------------------------------------------------

    def check_node(self, node: int) -> None:
        """Refuse the number of no node."""
        if node >= len(self.tree.nodes):
            raise Refused("unknown", f"node {node}; there are 0 to {len(self.tree.nodes) - 1}")

    def position(self, node: int) -> Any:
        """The position at a node, not to be changed."""
        if len(self._positions) > _REMEMBERED:
            self._positions.clear()
        path = self.tree.path(node)
        known = next((at for at in reversed(path) if at in self._positions), None)
        position = self._start() if known is None else self._positions[known]
        for at in path[0 if known is None else path.index(known) + 1 :]:
            move = self.tree.nodes[at].move
            if move is not None:
                position = rules.copied(position)
                rules.play(self.game, position, move)
            self._positions[at] = position
        return position

    def _start(self) -> Any:
        if self.tree.picture is None:
            return rules.new_position(self.game)
        return notation.parse_picture(self.game, self.tree.picture)

    def resigned(self, node: int) -> int | None:
        """The seat that resigned last, at a node."""
        played = self.tree.nodes[node]
        return played.seat if node != START and played.move is None else None

    def is_over(self, node: int) -> bool:
        """Has the game ended at a node?"""
        over = self.resigned(node) is not None
        return over or bool(rules.is_over(self.game, self.position(node)))

    def mover(self, node: int) -> int | None:
        """The seat to move at a node; None if the game is over."""
        return None if self.is_over(node) else int(rules.turn(self.game, self.position(node)))

    def player_to_move(self) -> int | None:
        """The seat of the player of the computer that is to move now."""
        seat = self.mover(self.node)
        return None if seat is None or self.seats[seat].is_person else seat

    def shown(self, node: int) -> Position:
        """The position at a node, for the page."""
        played, reached = self.tree.nodes[node], None
        if played.move is not None and played.parent is not None and played.seat is not None:
            before = self.position(played.parent)
            reached = boards.Reached(self.game, before, played.move, played.seat)
        return boards.shown(
            self.game, self.position(node), reached, self.names(), self.resigned(node)
        )

    def nodes_from(self, first: int) -> list[Node]:
        """The nodes with this number and above."""
        return [self._node(number) for number in range(first, len(self.tree.nodes))]

    def _node(self, number: int) -> Node:
        parent, move, seat = self.tree.nodes[number]
        name = "start" if parent is None else "resigns"
        if move is not None:
            name = self.board.moves[move].name
        return Node(id=number, parent=parent, move=move, name=name, seat=seat)

    def names(self) -> list[str]:
        """What to call each seat."""
        return [self._name(seat) for seat in range(len(self.seats))]

    def _name(self, seat: int) -> str:
        occupant = self.seats[seat]
        if occupant.name:
            return occupant.name
        label = f"Player {seat + 1}"
        return label if occupant.player is None else f"{label} ({occupant.player})"

    def seats_shown(self, present: set[int]) -> list[SeatShown]:
        """Who sits, where some seats' people are there."""
        return [
            SeatShown(
                kind=it.kind,
                name=self._name(seat),
                player=it.player,
                claimed=it.invitation is None,
                present=not it.is_person or seat in present,
            )
            for seat, it in enumerate(self.seats)
        ]

    # --- what can be done -----------------------------------------------------

    def move(self, node: int, move: int, most_nodes: int) -> int:
        """Make a move at a node and bring the table there; the new node."""
        self.check_node(node)
        seat = self.mover(node)
        if seat is None:
            raise Refused("illegal", f"move {move}: the game is over")
        position = rules.copied(self.position(node))
        try:
            rules.checked_play(self.game, position, move)
        except IllegalMove as error:
            raise Refused("illegal", str(error).splitlines()[0]) from error
        self._check_room(most_nodes)
        self.node = self.tree.add(node, move, seat)
        self.tree.visit(self.node)
        self._positions[self.node] = position
        return self.node

    def resign(self, seat: int, most_nodes: int) -> None:
        """End the game: the others win."""
        if self.is_over(self.node):
            raise Refused("illegal", "the game is over; there is nothing to resign")
        self._check_room(most_nodes)
        self.node = self.tree.add(self.node, None, seat)

    def _check_room(self, most: int) -> None:
        if len(self.tree.nodes) >= most:
            raise Refused("large", f"{most} moves were tried; begin a new game")

    def go_to(self, node: int) -> None:
        """Bring the table to a node; players wait there until told."""
        self.check_node(node)
        self.node = node
        self.tree.visit(node)
        self.paused = self.player_to_move() is not None

    def undo(self, plies: int | None) -> None:
        """Go back by so many plies, or to where a person was to move."""
        path = self.tree.path(self.node)
        self.go_to(self._there(path[-2::-1], plies, "undo"))

    def redo(self, plies: int | None) -> None:
        """Go forward in the same way."""
        self.go_to(self._there(self.tree.ahead(self.node), plies, "redo"))

    def _there(self, nodes: list[int], plies: int | None, what: str) -> int:
        if not nodes:
            raise Refused("illegal", f"there is nothing to {what}")
        if plies is not None:
            return nodes[min(plies, len(nodes)) - 1]
        if not any(occupant.is_person for occupant in self.seats):
            return nodes[0]
        return next((node for node in nodes if self._is_for_person(node)), nodes[-1])

    def _is_for_person(self, node: int) -> bool:
        seat = self.mover(node)
        return seat is not None and self.seats[seat].is_person

    def lay_out(self, kept: Kept, most_nodes: int) -> None:
        """Put a game that was kept on a new table."""
        if kept.picture is not None:
            self.begin(kept.picture)
        nodes = [START]  # a move that was tried twice is one node here
        for before, move in kept.moves:
            nodes.append(self.move(nodes[before], move, most_nodes))
        self.go_to(nodes[kept.end])
        if kept.resigned is not None and not self.is_over(self.node):
            self.resign(kept.resigned, most_nodes)

    def begin(self, picture: str | None = None) -> None:
        """A new round, at the start or with the position of a picture."""
        if picture is not None:
            notation.parse_picture(self.game, picture)  # it must be one
        self.round += 1
        self.tree, self.node = Variations(picture), START
        self._positions.clear()
        self.paused = picture is not None and self.player_to_move() is not None

    def sit(self, seat: int, wanted: SeatWanted) -> SeatKey:
        """Somebody sits down; the secret, if it is a person."""
        self.check_seat(seat)
        self.seats[seat], key = seated(seat, wanted)
        return key

    def check_seat(self, seat: int) -> None:
        """Refuse the number of no seat."""
        if seat >= len(self.seats):
            raise Refused("unknown", f"seat {seat}; there are 0 to {len(self.seats) - 1}")

    def claim(self, invitation: str, name: str | None) -> SeatKey:
        """Take the seat of an invitation, which is good only once."""
        for seat, occupant in enumerate(self.seats):
            if matches(invitation, occupant.invitation):
                token = new_secret()
                occupant.invitation, occupant.token = None, hashed(token)
                occupant.name = (name or occupant.name).strip()
                return SeatKey(seat=seat, token=token)
        raise Refused("stranger", "this invitation is not, or no longer, good")


def seated(seat: int, wanted: SeatWanted) -> tuple[Occupant, SeatKey]:
    """Who was asked for, and the secret that lets a person sit."""
    if (wanted.kind == "player") != (wanted.player is not None):
        told = f"seat {seat}: kind {wanted.kind!r} with player {wanted.player!r}"
        raise Refused("invalid", f"{told}; expected a player's text for the kind 'player' alone")
    name, secret = (wanted.name or "").strip(), new_secret()
    if wanted.kind == "here":
        return Occupant("here", name, token=hashed(secret)), SeatKey(seat=seat, token=secret)
    if wanted.kind == "elsewhere":
        occupant = Occupant("elsewhere", name, invitation=hashed(secret))
        return occupant, SeatKey(seat=seat, invitation=secret)
    return Occupant("player", name, wanted.player), SeatKey(seat=seat)
