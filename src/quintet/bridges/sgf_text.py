"""The grammar of SGF FF[4] (red-bean.com/sgf): trees of nodes of properties, as text.

Nothing here knows a game.  The parser is a loop, so that no nesting is too deep
for it.  Beyond FF[4] it takes digits in the names of properties, for games of
three and more players, and lower case letters, which older versions ignore.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from quintet.bridges.game_tree import MOST_NODES
from quintet.errors import UserError

_BEGIN = re.compile(r"\(\s*;")
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<mark>[;()])
    | (?P<name>[A-Za-z0-9]+)
    | \[(?P<value>[^\\\]]*(?:\\.[^\\\]]*)*)\]
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_CHARSET = re.compile(rb"(?<![A-Z])CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
# those that are plain text; some others that Python knows take very long
_CHARSETS = (
    r"ascii|big5.*|cp\d+|euc_.*|gb.*|hz|iso\d.*|iso2022.*|johab|koi8.*|mac.*|shift_jis.*"
    r"|utf-(8|16|32).*"
)
_LINE = 76  # columns after which a new line begins


class RawNode(NamedTuple):
    """A node as it is written."""

    parent: int  # -1 for a root
    properties: dict[str, list[str]]  # values with their escapes
    offset: int  # where it begins


class Text:
    """A file's text, which knows its lines."""

    def __init__(self, data: bytes) -> None:
        """Decode a file by what it says of itself."""
        self.text = _decoded(data).replace("\r\n", "\n").replace("\r", "\n")

    def wrong(self, offset: int, what: str) -> UserError:
        """The error of something at an offset."""
        line = self.text.count("\n", 0, offset) + 1
        column = offset - self.text.rfind("\n", 0, offset)
        return UserError(f"line {line}, column {column}: {what}")


def _decoded(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _decoded_as(data, "utf-16")
    given = _CHARSET.search(data)
    if given:
        return _decoded_as(data, _known_charset(given[1].decode("ascii"))).removeprefix("\ufeff")
    try:  # what all write today; FF[4] itself says Latin-1
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _known_charset(name: str) -> str:
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        found = ""
    if not re.fullmatch(_CHARSETS, found):
        raise UserError(f"CA[{name}] is no known charset; expected one such as UTF-8")
    return found


def _decoded_as(data: bytes, charset: str) -> str:
    try:
        return data.decode(charset)
    except UnicodeDecodeError as error:
        raise UserError(f"byte {error.start}: no {charset} text, which CA announces") from None


# --- reading ------------------------------------------------------------------


def parse(text: Text) -> list[list[RawNode]]:
    """The games of a collection, each as nodes whose parents come first."""
    begin = _BEGIN.search(text.text)  # what people put before it, such as mail, is no SGF
    if begin is None:
        raise UserError("no game; expected '(;'")
    reader = _Reader(text, begin.start())
    while reader.step():
        pass
    return reader.games


class _Reader:
    """Reads on by a token a step."""

    def __init__(self, text: Text, offset: int) -> None:
        self._text, self._offset = text, offset
        self.games: list[list[RawNode]] = []
        self._open: list[int] = []  # the last node before each parenthesis that is open
        self._last = -1  # the node that is read, or after which variations follow
        self._place = "between"  # between games; "opened", "node", "named" or "closed"
        self._name = ""
        self._count = 0

    def step(self) -> bool:
        found = _TOKEN.match(self._text.text, self._offset)
        if found is None:
            raise self._wrong(self._skipped(), self._expected())
        at, self._offset = found.start(found.lastgroup or 0), found.end()
        if found["mark"]:
            self._mark(found["mark"], at)
        elif found["name"]:
            self._begin_property(found["name"], at)
        elif found["value"] is not None:
            self._add_value(found["value"], at - 1)
        else:
            if self._place != "between":
                raise self._wrong(at, "the file ends; " + self._expected())
            return False
        return True

    def _mark(self, mark: str, at: int) -> None:
        allowed = {"(": ("between", "node", "closed"), ";": ("opened", "node")}
        if self._place not in allowed.get(mark, ("node", "closed")):
            raise self._wrong(at, f"{mark!r}; " + self._expected())
        if mark == "(":
            self._open_tree()
        elif mark == ";":
            self._begin_node(at)
        else:
            self._last = self._open.pop()
            self._place = "closed" if self._open else "between"

    def _open_tree(self) -> None:
        if self._place == "between":
            self.games.append([])
            self._last = -1
        self._open.append(self._last)
        self._place = "opened"

    def _begin_node(self, at: int) -> None:
        self._count += 1
        if self._count > MOST_NODES:
            raise self._wrong(at, f"more than {MOST_NODES} nodes")
        nodes = self.games[-1]
        nodes.append(RawNode(self._last, {}, at))
        self._last = len(nodes) - 1
        self._place = "node"

    def _begin_property(self, name: str, at: int) -> None:
        if self._place != "node":
            raise self._wrong(at, f"{name[:20]!r}; " + self._expected())
        capitals = re.sub("[a-z]", "", name)
        self._name = capitals or name
        self.games[-1][-1].properties.setdefault(self._name, [])
        self._place = "named"

    def _add_value(self, value: str, at: int) -> None:
        properties = self.games[-1][-1].properties if self.games and self.games[-1] else {}
        if self._place not in ("named", "node") or self._name not in properties:
            raise self._wrong(at, "a value; " + self._expected())
        properties[self._name].append(value)
        self._place = "node"

    def _expected(self) -> str:
        return (
            "expected "
            + {
                "between": "'(;' or the end",
                "opened": "';'",
                "node": "a property, ';', '(' or ')'",
                "named": f"'[' after {self._name[:20]}, and a ']' that closes it",
                "closed": "'(' or ')'",
            }[self._place]
        )

    def _skipped(self) -> int:
        blank = re.compile(r"\s*").match(self._text.text, self._offset)
        return blank.end() if blank else self._offset

    def _wrong(self, at: int, what: str) -> UserError:
        return self._text.wrong(at, what)


# --- writing ------------------------------------------------------------------


def collection_text(games: Sequence[Sequence[tuple[int, Mapping[str, Sequence[str]]]]]) -> str:
    """Games as text; each node is its parent and its properties, with escaped values.

    Nodes come before their children, and the order of children is kept.
    """
    return "".join(f"{''.join(_wrapped(_pieces(game)))}\n" for game in games)


def _pieces(nodes: Sequence[tuple[int, Mapping[str, Sequence[str]]]]) -> Iterator[str]:
    children: list[list[int]] = [[] for _ in nodes]
    for number, (parent, _) in enumerate(nodes):
        if parent >= 0:
            children[parent].append(number)
    todo: list[int | str] = [")", 0, "("]
    while todo:
        piece = todo.pop()
        if isinstance(piece, str):
            yield piece
            continue
        yield ";" + "".join(
            name + "".join(f"[{value}]" for value in values)
            for name, values in nodes[piece][1].items()
        )
        below = children[piece]
        if len(below) == 1:
            todo.append(below[0])
        else:
            for child in reversed(below):
                todo += [")", child, "("]


def _wrapped(pieces: Iterator[str]) -> Iterator[str]:
    """The pieces, with the ends of lines between nodes."""
    column = 0
    for piece in pieces:
        if column and (column + len(piece) > _LINE or piece == "(") and piece != ")":
            yield "\n"
            column = 0
        yield piece
        end = piece.rfind("\n")
        column = column + len(piece) if end < 0 else len(piece) - end - 1


def escaped(text: str) -> str:
    """A text as a value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def unescaped(value: str) -> str:
    """The text of a value; an escaped end of line is none."""
    return re.sub(r"\\(.)", lambda found: "" if found[1] == "\n" else found[1], value, flags=re.S)
