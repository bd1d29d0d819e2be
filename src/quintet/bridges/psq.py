"""Piskvork's .psq, in which Gomocup keeps its games of Go-Moku.

The first line tells the size, the levels of two players and which of them begins
(``Piskvorky 15x15, 11:11, 0``); then a line a move: column and row, counted from 1 at
the top left, and milliseconds.  Tournaments add the players' names, a number that
says how it ended, and perhaps ``1,Freestyle``: the winner and the rule (openPsq and
savePsq of Piskvork's game.cpp).

Times are kept as PSQMS, lines after the names as PSQ.
"""

from __future__ import annotations

import re
from typing import Any

from quintet import games, rules
from quintet.bridges.coordinates import PSQ, shortened
from quintet.bridges.game_tree import GameTree, Result, empty_tree, last_position, result_of
from quintet.bridges.sgf_game import number_of
from quintet.bridges.sgf_text import Text, escaped, unescaped
from quintet.errors import UserError

_FIRST = re.compile(r"Piskvorky\s+(\d{1,3})x(\d{1,3}),\s*(-?\d{1,4}:-?\d{1,4}),\s*([01])\s*")
_MOVE = re.compile(r"\s*(\d{1,3}\s*,\s*\d{1,3})\s*(?:,\s*(-?\d{1,12})\s*)?")
_MOST_LINES = 2000


def read(data: bytes, game: Any = None, trust: bool = False) -> list[GameTree]:
    """The game of a file."""
    lines = Text(data).text.split("\n", _MOST_LINES)
    first = _FIRST.fullmatch(lines[0])
    if first is None:
        expected = "expected one such as 'Piskvorky 15x15, 0:0, 0'"
        raise UserError(f"line 1: {shortened(lines[0])}; {expected}")
    moves = 1
    while moves < len(lines) and _MOVE.fullmatch(lines[moves]):
        moves += 1
    rest = [line.strip() for line in lines[moves:]]
    try:
        game = game or _game(int(first[1]), int(first[2]), rest)
    except UserError as error:
        raise UserError(f"line 1: {error}") from None
    tree = empty_tree(game)
    _play(tree, lines[1:moves])
    if rest and not re.fullmatch(r"-?\d{1,4}", rest[0]):  # what follows games of tournaments
        names, rest = [*rest, ""][:2], rest[2:]
        tree.players = names[::-1] if first[4] == "1" else names
    while rest and not rest[-1]:
        rest.pop()
    tree.nodes[0].other["PSQ"] = [escaped(line) for line in (first[3], *rest)]
    tree.result = _result(tree, rest)
    return [tree]


def _game(columns: int, rows: int, rest: list[str]) -> Any:
    exact = any(re.fullmatch(r"\d,\s*Standard", line) for line in rest)
    return games.make(f"go-moku:rows={rows},columns={columns}" + (",exact=yes" if exact else ""))


def _play(tree: GameTree, lines: list[str]) -> None:
    game, position = tree.game, rules.new_position(tree.game)
    if number_of(game) != 4:
        raise UserError(f"Piskvork plays Go-Moku; not {games.text_of(game)}")
    for number, line in enumerate(lines, 2):
        found = _MOVE.fullmatch(line)
        assert found is not None
        try:
            move = PSQ.read(game.layout(), re.sub(r"\s", "", found[1]))
            rules.checked_play(game, position, move)
        except UserError as error:
            raise UserError(f"line {number}: {error}") from None
        node = tree.add(len(tree.nodes) - 1, move)
        if found[2]:
            tree.nodes[node].other["PSQMS"] = [found[2]]


def _result(tree: GameTree, rest: list[str]) -> Result | None:
    """By the board, or by the last line of a judge."""
    by_board = result_of(tree.game, last_position(tree))
    told = re.fullmatch(r"([012]),\s*\w+", rest[-1]) if rest else None
    if by_board is not None or told is None:
        return by_board
    return Result({"0": (0.5, 0.5), "1": (1.0, 0.0), "2": (0.0, 1.0)}[told[1]])


def write(trees: list[GameTree]) -> bytes:
    """The file of one game."""
    if len(trees) != 1:
        raise UserError(f"{len(trees)} games; expected one, which is all that a .psq file holds")
    (tree,) = trees
    game, layout = tree.game, tree.game.layout()
    if number_of(game) != 4:
        raise UserError(f"Piskvork plays Go-Moku; not {games.text_of(game)}")
    line = [tree.nodes[number] for number in tree.main_line()]
    if any(node.setup is not None for node in line):
        raise UserError("Piskvork's games begin on the empty board")
    levels, *rest = [unescaped(text) for text in line[0].other.get("PSQ", ["0:0", "-1"])]
    lines = [f"Piskvorky {layout.columns}x{layout.rows}, {levels}, 0"]
    for node in line:
        if node.move is not None:
            time = "".join(node.other.get("PSQMS", ["0"]))
            lines.append(f"{PSQ.write(layout, node.move)},{time}")
    names = [_one_line(name) for name in tree.players] if any(tree.players) else []
    if game.exact and not any("Standard" in text for text in rest):
        rest.append("0,Standard" if tree.result is None else f"{_winner(tree.result)},Standard")
    return "\r\n".join([*lines, *names, *rest, ""]).encode()


def _winner(result: Result) -> int:
    first, second = result.scores
    return 0 if first == second else 1 if first > second else 2


def _one_line(name: str) -> str:
    """A name that nobody takes for a move or a number."""
    name = " ".join(name.split())
    return f"({name})" if not name or re.fullmatch(r"[-\d,\s]+", name) else name
