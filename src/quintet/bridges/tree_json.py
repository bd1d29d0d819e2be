"""Trees of games as JSON, for other programs and for the page (docs/guide/files.md)."""

from __future__ import annotations

import json
import math
from typing import Any

from quintet import games
from quintet.bridges.game_tree import (
    MOST_NODES,
    Analysis,
    GameTree,
    Node,
    Result,
    Setup,
    positions,
)
from quintet.errors import UserError
from quintet.notation import move_name

FORMAT = 1


def write(trees: list[GameTree]) -> bytes:
    """Games as an object of JSON."""
    found = {"quintet_games": FORMAT, "games": [as_json(tree) for tree in trees]}
    return (json.dumps(found, indent=1) + "\n").encode()


def as_json(tree: GameTree) -> dict[str, Any]:
    """A tree as plain lists and dictionaries."""
    return {
        "game": games.text_of(tree.game),
        "version": int(tree.game.limits().version),
        "players": tree.players,
        "result": tree.result._asdict() if tree.result is not None else None,
        "nodes": [_node_json(tree.game, node) for node in tree.nodes],
    }


def _node_json(game: Any, node: Node) -> dict[str, Any]:
    """A node without what it has not."""
    found: dict[str, Any] = {"parent": node.parent}
    if node.move is not None:
        found |= {"move": node.move, "name": move_name(game, node.move)}
    if node.setup is not None:
        found["setup"] = node.setup._asdict()
    if node.comment:
        found["comment"] = node.comment
    if node.other:
        found["other"] = node.other
    if node.analysis is not None:
        best = {"best_name": move_name(game, node.analysis.best)}
        line = {"line_names": [move_name(game, move) for move in node.analysis.line]}
        found["analysis"] = {**node.analysis._asdict(), **best, **line}
    return found


def read(data: bytes, game: Any = None, trust: bool = False) -> list[GameTree]:
    """The games of a file."""
    try:
        found = json.loads(data)
    except json.JSONDecodeError as error:
        told = f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise UserError(f"{told}; expected JSON") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"no JSON that can be read: {error}") from None
    if not isinstance(found, dict) or found.get("quintet_games") != FORMAT:
        raise UserError(f'expected an object with "quintet_games": {FORMAT}')
    listed = _take(found, "games", list, "file")
    if sum(len(item.get("nodes", ())) for item in listed if _has_nodes(item)) > MOST_NODES:
        raise UserError(f"more than {MOST_NODES} nodes")
    trees = []
    for number, item in enumerate(listed, 1):
        try:
            trees.append(from_json(item, game, trust))
        except UserError as error:
            raise UserError(f"game {number}: {error}") from None
    return trees


def _has_nodes(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("nodes"), list)


def from_json(found: Any, game: Any = None, trust: bool = False) -> GameTree:
    """A tree from plain lists and dictionaries, checked by the rules."""
    if not isinstance(found, dict):
        raise UserError("expected an object for each game")
    game = game or games.make_as_told(_take(found, "game", str, "game"), trust)
    limits = game.limits()
    if found.get("version", limits.version) != limits.version:
        raise UserError(f"version {found['version']!r} of the rules; expected {limits.version}")
    players = found.get("players")
    is_list = isinstance(players, list) and all(isinstance(name, str) for name in players)
    if not is_list or not isinstance(players, list) or len(players) != limits.seats:
        raise UserError(f"players; expected {limits.seats} names")
    tree = GameTree(game, list(players), _result(found.get("result"), limits.seats), [])
    for number, item in enumerate(_take(found, "nodes", list, "game")):
        try:
            tree.nodes.append(_node(game, item, number))
        except UserError as error:
            raise UserError(f"node {number}: {error}") from None
    if not tree.nodes:
        raise UserError("nodes; expected at least the root")
    number = -1
    try:
        for number, _ in positions(tree):  # noqa: B007 - the last good one
            pass
    except UserError as error:
        raise UserError(f"node {number + 1}: {error}") from None
    return tree


def _node(game: Any, item: Any, number: int) -> Node:
    if not isinstance(item, dict):
        raise UserError("expected an object")
    parent: Any = item.get("parent")
    low, high = (-1, -1) if number == 0 else (0, number - 1)
    if not _is_whole(parent, low, high):
        raise UserError(f"parent {str(parent)[:20]}; expected {low} to {high}")
    move = item.get("move")
    if move is not None:
        _expect_move(game, move)
    comment = item.get("comment", "")
    other = item.get("other", {})
    if not isinstance(comment, str) or not _are_properties(other):
        raise UserError("comment or other; expected a text, and lists of texts by name")
    return Node(
        int(parent), move, _setup(game, item.get("setup")), comment, other, _analysis(game, item)
    )


def _setup(game: Any, item: Any) -> Setup | None:
    if item is None:
        return None
    stones = _take(item, "stones", list, "setup") if isinstance(item, dict) else None
    turn = item.get("turn") if isinstance(item, dict) else None
    seats, cells = game.limits().seats, game.layout().cells
    fine = stones is not None and all(
        isinstance(pair, list)
        and len(pair) == 2
        and _is_whole(pair[0], 0, cells - 1)
        and _is_whole(pair[1], 0, seats)
        for pair in stones
    )
    if not fine or stones is None or not (turn is None or _is_whole(turn, 0, seats - 1)):
        raise UserError("setup; expected stones as pairs of cell and owner, and turn")
    return Setup(tuple((pair[0], pair[1]) for pair in stones), turn)


def _result(item: Any, seats: int) -> Result | None:
    if item is None:
        return None
    item = item if isinstance(item, dict) else {}
    scores, margin, how = item.get("scores"), item.get("margin"), item.get("how", "")
    fine = isinstance(scores, list) and len(scores) == seats and all(map(_is_number, scores))
    fine = fine and (margin is None or _is_number(margin))
    if not fine or how not in ("", "resign", "time", "forfeit"):
        raise UserError(f"result; expected {seats} scores, a margin and how")
    return Result(tuple(float(score) for score in scores), margin, how)


def _analysis(game: Any, node: dict[str, Any]) -> Analysis | None:
    item = node.get("analysis")
    if item is None:
        return None
    item = item if isinstance(item, dict) else {}
    player, values, line = item.get("player"), item.get("values", []), item.get("line", [])
    fine = isinstance(player, str) and isinstance(values, list) and isinstance(line, list)
    if (
        not fine
        or not all(map(_is_number, values))
        or not _is_whole(item.get("nodes", 0), 0, 2**63)
    ):
        raise UserError("analysis; expected player, best, values, line, nodes and solved")
    for move in (item.get("best"), *line):
        _expect_move(game, move)
    nodes, solved = item.get("nodes", 0), bool(item.get("solved"))
    return Analysis(str(player), item["best"], tuple(values), tuple(line), nodes, solved)


def _expect_move(game: Any, move: Any) -> None:
    most = game.limits().moves - 1
    if not _is_whole(move, 0, most):
        raise UserError(f"move {str(move)[:20]}; expected 0 to {most}")


def _take(found: dict[str, Any], name: str, kind: type, where: str) -> Any:
    if not isinstance(found.get(name), kind):
        raise UserError(f"no {name!r} in the {where}, or not what is expected: a {kind.__name__}")
    return found[name]


def _is_whole(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and abs(value) < 1e15


def _are_properties(other: Any) -> bool:
    return isinstance(other, dict) and all(
        name.isascii()
        and name.isalnum()
        and isinstance(values, list)
        and all(isinstance(value, str) for value in values)
        for name, values in other.items()
    )
