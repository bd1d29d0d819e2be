"""SGF FF[4]: Go, Othello and Go-Moku as other programs write them, and all our games.

- Go for two is GM[1]; Othello GM[2], its cells named d3 as Othello programs do; Go-Moku
  GM[4].  Every other game has its name, GM[Pente], as Pentobi does it for Blokus.
- Two players are B and W; three and more are numbered: moves 1[..] 2[..], names P1,
  stones A1, whose turn PL[1] (Pentobi-SGF.md, after the proposals for FF[5]).
- Cells are two letters from the top left.  A move that is no cell has its name here:
  a column of Connect Four, b2:1L of Pentago.
- QUINTET[go:size=9,ko=simple] tells the game where the properties of SGF do not.

Properties that are not understood are kept and written again.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from quintet import rules
from quintet.bridges import coordinates, sgf_text
from quintet.bridges.coordinates import Convention, shortened
from quintet.bridges.game_tree import (
    Analysis,
    GameTree,
    Node,
    Replay,
    Result,
    Setup,
    content_of,
    empty_tree,
    forced_pass,
    pass_of,
    set_up,
)
from quintet.bridges.sgf_game import game_of, header_of, number_of
from quintet.bridges.sgf_game import number as decimal
from quintet.bridges.sgf_text import RawNode, Text, escaped, unescaped
from quintet.errors import UserError
from quintet.games import Trust
from quintet.notation import STONES, move_name, parse_move
from quintet.parameters import value_text
from quintet.rules import Position

_ENDINGS = {"": "", "r": "resign", "t": "time", "f": "forfeit"}
_ENDINGS |= {word: word for word in ("resign", "time", "forfeit")}
_LETTERS = {"resign": "R", "time": "T", "forfeit": "F", "": ""}
_FILE = ("FF", "GM", "CA", "AP", "SZ", "QUINTET")  # written anew


def read(data: bytes, game: Any = None, trust: Trust = False) -> list[GameTree]:
    """The games of a collection; `game` if the files' own word is not to be taken."""
    text = Text(data)
    return [_Builder(text, nodes, game, trust).tree() for nodes in sgf_text.parse(text)]


def write(trees: list[GameTree]) -> bytes:
    """A collection of games."""
    return sgf_text.collection_text([_raw_nodes(tree) for tree in trees]).encode()


# --- names of seats and moves -------------------------------------------------------


def colours_of(game: Any) -> list[str]:
    """What a move of each seat is called."""
    seats = game.limits().seats
    return ["B", "W"] if seats == 2 else [str(seat + 1) for seat in range(seats)]


def _conventions(game: Any) -> tuple[Convention, ...]:
    """How cells are written, and then how else they may be read."""
    found: dict[int | None, tuple[Convention, ...]] = {
        2: (coordinates.OTHELLO, coordinates.SGF),
        4: (coordinates.SGF, coordinates.RENJU),
    }
    return found.get(number_of(game), (coordinates.SGF,))


def _read_cell(game: Any, text: str) -> int:
    layout = game.layout()
    for convention in _conventions(game)[1:]:
        try:
            return convention.read(layout, text)
        except UserError:
            continue
    return _conventions(game)[0].read(layout, text)


def _moves_are_cells(game: Any) -> bool:
    return not hasattr(game, "move_name") or game.move_name(0) is None


def read_move(game: Any, text: str) -> int:
    """The move of a value."""
    layout = game.layout()
    if not _moves_are_cells(game):
        return parse_move(game, text)
    if text == "" or (text == "tt" and max(layout.rows, layout.columns) <= 19):
        passing = pass_of(game)
        if passing is None:
            raise UserError("a pass, which this game has not; expected a point")
        return passing
    return _read_cell(game, text)


def write_move(game: Any, move: int) -> str:
    """The value of a move."""
    if not _moves_are_cells(game):
        return move_name(game, move)
    return "" if move == pass_of(game) else _conventions(game)[0].write(game.layout(), move)


# --- reading ------------------------------------------------------------------------


class _Builder:
    """Makes a tree of a game's raw nodes, each checked by the rules."""

    def __init__(self, text: Text, nodes: list[RawNode], game: Any, trust: Trust) -> None:
        self._text, self._raw = text, nodes
        self._at = nodes[0].offset  # of what is read
        self._game = self._told(game_of, nodes[0].properties, trust) if game is None else game
        self._colours = colours_of(self._game)
        self._tree = empty_tree(self._game)
        self._tree.nodes = []
        self._numbers: list[int] = []  # of each raw node in the tree

    def tree(self) -> GameTree:
        """The whole tree."""
        replay = Replay(self._game, [raw.parent for raw in self._raw])
        for number, raw in enumerate(self._raw):
            self._at = raw.offset
            position = replay.begin(raw.parent)
            self._told(lambda n=number, p=position: replay.done(n, self._add(n, p)))
        self._at = self._raw[0].offset
        self._told(self._read_header)
        return self._tree

    def _told(self, function: Any, *arguments: Any) -> Any:
        """What a function returns, or its complaint with its place."""
        try:
            return function(*arguments)
        except UserError as error:
            raise self._text.wrong(self._at, str(error)) from None

    def _add(self, number: int, position: Position) -> Position:
        """Add a node; its position."""
        raw = self._raw[number]
        node = Node(self._numbers[raw.parent] if raw.parent >= 0 else -1)
        node.other = dict(raw.properties)
        node.comment = "".join(unescaped(value) for value in node.other.pop("C", []))
        seat, text = self._take_move(node.other)
        node.setup = self._take_setup(node.other, number, position)
        if node.setup is not None:
            before, position = position, set_up(self._game, position, node.setup)
            if raw.parent < 0 and _same(self._game, before, position):
                node.setup = None  # the usual start, spelled out
        if seat is not None:
            node.parent = self._pass_until(seat, node.parent, position)
            node.move = read_move(self._game, text)
            rules.checked_play(self._game, position, node.move)
        self._tree.nodes.append(node)
        self._numbers.append(len(self._tree.nodes) - 1)
        return position

    def _take_move(self, properties: dict[str, list[str]]) -> tuple[int | None, str]:
        """The seat that moves in a node and the value of its move."""
        movers = [seat for seat, colour in enumerate(self._colours) if colour in properties]
        if not movers:
            return None, ""
        values = properties.pop(self._colours[movers[0]])
        if len(movers) > 1 or len(values) != 1:
            raise UserError("several moves in one node; expected one")
        return movers[0], unescaped(values[0]).strip()

    def _pass_until(self, seat: int, parent: int, position: Position) -> int:
        """Add the forced passes that a file leaves out; the parent of the move."""
        while (turn := int(rules.turn(self._game, position))) != seat:
            passing = forced_pass(self._game, position)
            if passing is None or parent < 0:
                colours = self._colours
                raise UserError(f"a move of {colours[seat]}; expected one of {colours[turn]}")
            rules.checked_play(self._game, position, passing)
            parent = self._tree.add(parent, passing)
        return parent

    def _take_setup(
        self, properties: dict[str, list[str]], number: int, position: Position
    ) -> Setup | None:
        names = ["AE", *(f"A{colour}" for colour in self._colours)]
        if not any(name in properties for name in (*names, "PL")):
            return None
        stones: dict[int, int] = {}
        adds = any(name in properties for name in names)
        if number == 0 and adds:  # the stones of the usual start are named too, or not there
            stones = {int(c): 0 for c in np.flatnonzero(content_of(self._game, position))}
        for owner, name in enumerate(names):
            for value in properties.pop(name, []):
                stones.update((cell, owner) for cell in self._cells(unescaped(value)))
        turn = self._turn(properties, number)
        return Setup(tuple(sorted(stones.items())), turn)

    def _cells(self, value: str) -> list[int]:
        """A cell, or all cells between two corners."""
        ends = [_read_cell(self._game, part.strip()) for part in value.split(":", 1)]
        columns = self._game.layout().columns
        (top, left), (bottom, right) = (divmod(end, columns) for end in (ends[0], ends[-1]))
        if bottom < top or right < left:
            raise UserError(f"{shortened(value)}; expected the top left corner first")
        rows = range(top, bottom + 1)
        return [row * columns + column for row in rows for column in range(left, right + 1)]

    def _turn(self, properties: dict[str, list[str]], number: int) -> int | None:
        """Who is to move after a setup: by PL, or by the move that follows."""
        if "PL" in properties:
            told = "".join(unescaped(value) for value in properties.pop("PL")).strip().upper()
            told = {"BLACK": "B", "WHITE": "W"}.get(told, told)
            if told not in self._colours:
                expected = ", ".join(self._colours)
                raise UserError(f"PL[{told[:20]}]; expected one of {expected}")
            return self._colours.index(told)
        following = self._raw[number : number + 2]
        near = [raw for raw in following if raw is following[0] or raw.parent == number]
        for raw in near:
            for seat, colour in enumerate(self._colours):
                if colour in raw.properties:
                    return seat
        return None

    def _read_header(self) -> None:
        tree, other = self._tree, self._tree.nodes[0].other
        for name in _FILE:
            other.pop(name, None)
        if number_of(self._game) == 1:
            other.pop("KM", None)
        for seat, colour in enumerate(self._colours):
            tree.players[seat] = unescaped("".join(other.pop(f"P{colour}", [])))
        tree.result = _read_result("".join(other.get("RE", [])), self._colours)
        if tree.result is not None:
            del other["RE"]


def _same(game: Any, one: Position, two: Position) -> bool:
    """Do two positions show the same board and turn?"""
    boards = content_of(game, one), content_of(game, two)
    return bool(np.array_equal(*boards)) and rules.turn(game, one) == rules.turn(game, two)


def _read_result(text: str, colours: list[str]) -> Result | None:
    """What RE says, if it is understood."""
    if len(colours) > 2:
        parts = [decimal(part) for part in text.split()]
        known = [part for part in parts if part is not None]
        return Result(tuple(known)) if len(known) == len(parts) == len(colours) else None
    if text in ("0", "Draw"):
        return Result((0.5, 0.5))
    found = re.fullmatch(r"([BW])\+(.*)", text)
    if not found:
        return None
    scores = (1.0, 0.0) if found[1] == "B" else (0.0, 1.0)
    margin = decimal(found[2])
    if margin is not None and margin >= 0:
        return Result(scores, margin)
    how = _ENDINGS.get(found[2].lower())
    return Result(scores, None, how) if how is not None else None


# --- writing ------------------------------------------------------------------------


def _raw_nodes(tree: GameTree) -> list[tuple[int, dict[str, list[str]]]]:
    seats = _movers(tree)
    found = [
        (node.parent, _properties(tree.game, node, seat))
        for node, seat in zip(tree.nodes, seats, strict=True)
    ]
    root = found[0][1]
    header = _header(tree, "AB" in root or "AW" in root)
    found[0] = (-1, {**header, **{name: root[name] for name in root if name not in header}})
    return found


def _movers(tree: GameTree) -> list[int]:
    """Who made the move of each node."""
    replay = Replay(tree.game, [node.parent for node in tree.nodes])
    found = []
    for number, node in enumerate(tree.nodes):
        position = replay.begin(node.parent)
        if node.setup is not None:
            position = set_up(tree.game, position, node.setup)
        found.append(int(rules.turn(tree.game, position)))
        if node.move is not None:
            rules.checked_play(tree.game, position, node.move)
        replay.done(number, position)
    return found


def _header(tree: GameTree, is_set_up: bool) -> dict[str, list[str]]:
    game, colours = tree.game, colours_of(tree.game)
    told = header_of(game)
    header = {"GM": told.pop("GM"), "FF": ["4"], "CA": ["UTF-8"], "AP": ["Quintet"], **told}
    for colour, name in zip(colours, tree.players, strict=True):
        if name:
            header[f"P{colour}"] = [escaped(name)]
    if tree.result is not None:
        header["RE"] = [result_text(tree.result, colours)]
    if number_of(game) == 2 and not is_set_up:  # Othello programs want the start spelled out
        header.update(_stones(game, enumerate(content_of(game, rules.new_position(game)))))
        header["PL"] = [colours[0]]
    return header


def _properties(game: Any, node: Node, seat: int) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    if node.setup is not None:
        found.update(_stones(game, node.setup.stones, with_empty=True))
        if node.setup.turn is not None:
            found["PL"] = [colours_of(game)[node.setup.turn]]
    if node.move is not None:
        found[colours_of(game)[seat]] = [escaped(write_move(game, node.move))]
    comment = node.comment
    if node.analysis is not None:
        comment = "\n\n".join(
            part for part in (comment, analysis_text(game, node.analysis)) if part
        )
        if node.analysis.values and game.limits().seats == 2:
            # the value in percent for Black, of which Sabaki draws its graph
            found["SBKV"] = [f"{100 * node.analysis.values[0]:.2f}"]
    if comment:
        found["C"] = [escaped(comment)]
    meant = _meant(colours_of(game))
    for name, values in node.other.items():
        if (re.sub("[a-z]", "", name) or name) not in meant:  # capitals count, as in old files
            found.setdefault(name, values)
    return found


def _meant(colours: list[str]) -> set[str]:
    """What is read as something: other formats may use these names for something else."""
    return {"C", "AE", "PL", *_FILE, *colours, *(f"A{colour}" for colour in colours)}


def _stones(game: Any, stones: Any, with_empty: bool = False) -> dict[str, list[str]]:
    """AB, AW and so on, and AE if asked for."""
    names = ["AE", *(f"A{colour}" for colour in colours_of(game))]
    found: dict[str, list[str]] = {}
    for cell, owner in stones:
        if owner or with_empty:
            name = _conventions(game)[0].write(game.layout(), cell)
            found.setdefault(names[owner], []).append(name)
    return found


def result_text(result: Result, colours: list[str]) -> str:
    """The value of RE."""
    if len(colours) > 2:
        return " ".join(value_text(float(score)) for score in result.scores)
    first, second = result.scores
    if first == second:
        return "0"
    margin = abs(first - second) if max(first, second) > 1 else None
    margin = result.margin if result.margin is not None else margin
    tail = _LETTERS[result.how] or (value_text(float(margin)) if margin is not None else "")
    return f"{colours[0] if first > second else colours[1]}+{tail}"


def analysis_text(game: Any, analysis: Analysis) -> str:
    """What a player found, in words."""
    values = ", ".join(f"{STONES[s]} {value:.3f}" for s, value in enumerate(analysis.values))
    lines = [f"{analysis.player}: best {move_name(game, analysis.best)}"]
    if values:
        lines.append(f"values: {values}" + (" (certain)" if analysis.solved else ""))
    if analysis.line:
        lines.append(f"line: {' '.join(move_name(game, move) for move in analysis.line)}")
    return "\n".join(lines)
