"""GGF, the Generic Game Format of GGS, for Othello (skatgame.net/mburo/ggsa/ggf).

``(;GM[Othello]PB[a]PW[b]RE[+12.00]TY[8]BO[8 ---...--- *]B[F5/1.5/3.2]W[PA]...;)``

A file has games, each perhaps after the number of games in its match.  There are no
variations, no comments and no escapes.  The evaluation and the time of a move are
kept as GGF[/1.5/3.2].
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from quintet import games, rules
from quintet.bridges.coordinates import OTHELLO, shortened
from quintet.bridges.game_tree import (
    MOST_NODES,
    GameTree,
    Result,
    Setup,
    content_of,
    empty_tree,
    forced_pass,
    last_position,
    pass_of,
    set_up,
)
from quintet.bridges.sgf_game import number
from quintet.bridges.sgf_text import Text, escaped, unescaped
from quintet.errors import UserError

_TOKEN = re.compile(r"\s*(?:(?P<name>[A-Za-z]+)\s*\[(?P<value>[^\]]*)\]|(?P<end>;\s*\)))")
_BEGIN = re.compile(r"\s*(?:\d{1,4}\s*)?\(\s*;")
_COLOURS = "BW"
_STONES = "-*O"
_ENDINGS = {"r": "resign", "t": "time"}
_OWN = ("GM", "TY", "BO", "PB", "PW", "RE")  # written anew


def read(data: bytes, game: Any = None, trust: bool = False) -> list[GameTree]:
    """The games of a file."""
    text = Text(data)
    found, offset, nodes = [], 0, 0
    while begin := _BEGIN.match(text.text, offset):
        properties: list[tuple[str, str, int]] = []
        offset = begin.end()
        while not (token := _TOKEN.match(text.text, offset)) or not token["end"]:
            if token is None:
                raise text.wrong(offset, "expected a property such as B[F5], or ';)'")
            properties.append((token["name"].upper(), token["value"], token.start("name")))
            offset, nodes = token.end(), nodes + 1
            if nodes > MOST_NODES:
                raise text.wrong(offset, f"more than {MOST_NODES} properties")
        offset = token.end()
        found.append(_Builder(text, game).tree(properties))
    if not found or text.text[offset:].strip():
        raise text.wrong(offset, "expected a game: '(;'")
    return found


class _Builder:
    """Makes a tree of a game's properties."""

    def __init__(self, text: Text, game: Any) -> None:
        self._text, self._game = text, game

    def tree(self, properties: list[tuple[str, str, int]]) -> GameTree:
        """The game."""
        at = properties[0][2] if properties else 0
        try:
            header = {name: value for name, value, _ in properties if name in _OWN}
            tree, position = self._begun(header)
            for name, value, at in properties:  # noqa: B007 - the place of a complaint
                if name in _COLOURS:
                    self._play(tree, position, _COLOURS.index(name), value)
                elif name not in _OWN:
                    tree.nodes[-1].other.setdefault(name, []).append(escaped(value))
        except UserError as error:
            raise self._text.wrong(at, str(error)) from None
        tree.result = _read_result(header.get("RE", ""))
        if tree.result is None and header.get("RE", "?") != "?":
            tree.nodes[0].other["RE"] = [escaped(header["RE"])]
        return tree

    def _begun(self, header: dict[str, str]) -> tuple[GameTree, Any]:
        if header.get("GM", "").lower() != "othello":
            raise UserError(f"GM[{header.get('GM', '')[:20]}]; expected GM[Othello]")
        if "a" in header.get("TY", ""):
            raise UserError(f"TY[{header['TY'][:20]}] is anti-Othello; expected the usual game")
        board = header.get("BO", "8").split()
        size = board[0] if board else ""
        if not re.fullmatch(r"[1-9][0-9]?", size):
            raise UserError(f"BO[{size[:20]}...]; expected a size such as 8 first")
        game = self._game or games.make(f"othello:size={size}")
        if int(size) != game.layout().rows:
            raise UserError(f"BO[{size} ...]; expected a board of {game.layout().rows}")
        tree = empty_tree(game)
        tree.players = [header.get("PB", ""), header.get("PW", "")]
        if header.get("TY", size) != size:
            tree.nodes[0].other["TY"] = [escaped(header["TY"])]
        position = rules.new_position(game)
        if len(board) > 1:
            setup = _read_board(game, "".join(board[1:]))
            start, position = position, set_up(game, position, setup)
            same = np.array_equal(content_of(game, start), content_of(game, position))
            if not same or setup.turn != 0:
                tree.nodes[0].setup = setup
        return tree, position

    def _play(self, tree: GameTree, position: Any, seat: int, value: str) -> None:
        game = tree.game
        name, slash, rest = value.strip().partition("/")
        is_pass = name.strip().upper() in ("PA", "PASS")
        move = pass_of(game) if is_pass else OTHELLO.read(game.layout(), name)
        assert move is not None
        if rules.turn(game, position) != seat:
            passing = forced_pass(game, position)
            if passing is None:
                other = _COLOURS[1 - seat]
                raise UserError(f"a move of {_COLOURS[seat]}; expected one of {other}")
            rules.checked_play(game, position, passing)
            tree.add(len(tree.nodes) - 1, passing)
        rules.checked_play(game, position, move)
        number = tree.add(len(tree.nodes) - 1, move)
        if slash:
            tree.nodes[number].other["GGF"] = [escaped(slash + rest)]


def _read_board(game: Any, text: str) -> Setup:
    cells = game.layout().cells
    board, turn = text[:-1], text[-1]
    if len(board) != cells or set(board) - set(_STONES) or turn not in "*O":
        expected = f"{cells} of {_STONES}, then * or O for who moves"
        raise UserError(f"BO[... {shortened(text)}]; expected {expected}")
    stones = tuple((cell, _STONES.index(mark)) for cell, mark in enumerate(board))
    return Setup(stones, "*O".index(turn))


def _read_result(text: str) -> Result | None:
    """RE: by how many discs Black won, and perhaps how."""
    count, _, flag = text.partition(":")
    margin = number(count)
    if margin is None or flag not in ("", "r", "t"):
        return None
    scores = (0.5, 0.5) if margin == 0 else (float(margin > 0), float(margin < 0))
    return Result(scores, abs(margin), _ENDINGS.get(flag, ""))


def write(trees: list[GameTree]) -> bytes:
    """Games, one a line."""
    return "".join(_game_text(tree) + "\n" for tree in trees).encode()


def _game_text(tree: GameTree) -> str:
    game = tree.game
    if type(game).__name__ != "Othello":
        raise UserError(f"GGF is for Othello; not for {games.text_of(game)}")
    position = rules.new_position(game)
    line = [tree.nodes[number] for number in tree.main_line()]
    if any(node.setup is not None for node in line[1:]):
        raise UserError("the board is changed in the middle of the game, which GGF cannot tell")
    if line[0].setup is not None:
        position = set_up(game, position, line[0].setup)
    size = game.layout().rows
    board = "".join(_STONES[owner] for owner in content_of(game, position))
    rows = " ".join(board[row * size : (row + 1) * size] for row in range(size))
    turn = "*O"[rules.turn(game, position)]
    kept = dict(line[0].other)
    kind = unescaped("".join(kept.pop("TY", []))) or str(size)
    parts = [f"(;GM[Othello]PB[{_plain(tree.players[0])}]PW[{_plain(tree.players[1])}]"]
    told = unescaped("".join(kept.pop("RE", []))) or "?"
    told = _plain(told) if tree.result is None else _result_text(tree, tree.result)
    parts += [f"RE[{told}]TY[{kind}]BO[{size} {rows} {turn}]"]
    parts += [f"{name}[{_plain(unescaped(values[0]))}]" for name, values in kept.items() if values]
    for node in line:
        if node.move is not None:
            name = "PA" if node.move == pass_of(game) else OTHELLO.write(game.layout(), node.move)
            tail = _plain(unescaped("".join(node.other.get("GGF", []))))
            parts.append(f"{_COLOURS[rules.turn(game, position)]}[{name.upper()}{tail}]")
            rules.checked_play(game, position, node.move)
    return "".join(parts) + ";)"


def _plain(text: str) -> str:
    """A value for a format without escapes."""
    return text.replace("]", ")").replace("\n", " ")


def _result_text(tree: GameTree, result: Result) -> str:
    """By how many discs Black won, counted if nobody has told."""
    if result.margin is None and not result.how:
        content = content_of(tree.game, last_position(tree))
        margin = float(np.sum(content == 1) - np.sum(content == 2))
    else:
        first, second = result.scores
        margin = (result.margin or 0.0) * (1 if first >= second else -1)
    flag = {"resign": ":r", "time": ":t"}.get(result.how, "")
    return f"{margin:+.2f}{flag}"
