"""Games as texts: those a page gives to be put on a table, and those it takes to be kept.

The formats are those of the bridges.  A game is a tree: variations are kept by formats
that have them.
"""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable
from typing import Any, NamedTuple

from quintet import games, notation, rules
from quintet.arena.records import FORMAT, Reader, Record
from quintet.bridges import sgf
from quintet.bridges.files import FORMATS, format_named
from quintet.bridges.game_tree import GameTree, Result, Setup, content_of, result_of, set_up
from quintet.errors import UserError
from quintet.web.answers import FromText
from quintet.web.messages import LONGEST_NAME, SeatWanted
from quintet.web.problems import Refused
from quintet.web.tables import Table
from quintet.web.variations import START


class Kept(NamedTuple):
    """A game to put on a table."""

    game: str
    seats: list[SeatWanted]  # none: people
    moves: list[tuple[int, int]]  # of a tree: the node before, and the move that makes the next
    end: int = START  # the node to show
    picture: str | None = None
    resigned: int | None = None  # the seat that gave up at the end


def line_of(game: str, moves: list[int], seats: list[SeatWanted]) -> Kept:
    """A game without variations."""
    return Kept(game, seats, list(enumerate(moves)), len(moves))


def kept_of_record(record: Record) -> Kept:
    """A recorded game."""
    names = [record.header.players[player] for player in record.seats]
    return line_of(record.header.game, record.moves, _people(names))


def _people(names: list[str]) -> list[SeatWanted]:
    return [SeatWanted(kind="here", name=name[:LONGEST_NAME]) for name in names]


# --- reading ------------------------------------------------------------------


def game_in_text(
    wanted: FromText, make: Callable[[str], Any], trusts: Callable[[str], bool]
) -> Kept:
    """A game of a text; `make` and `trusts` know which games may be used."""
    data = wanted.content.encode()
    kind = wanted.format and FORMATS[wanted.format]
    kind = kind or format_named(None, wanted.name or "the text", data)
    if kind is FORMATS["record"]:
        content = wanted.content.rstrip() + "\n"  # what was pasted may lack the end of its line
        reader = Reader("the record", trusts, unfinished=True, content=io.BytesIO(content.encode()))
        return kept_of_record(nth(reader, wanted.number, "the record"))
    game = None if wanted.game is None or not _needs_game(kind) else make(wanted.game)
    trees = sgf.read(data, game, trusts) if kind is FORMATS["sgf"] else kind.read(data, game, False)
    return _kept_of_tree(nth(trees, wanted.number, "the text"))


def _needs_game(kind: Any) -> bool:
    """Does a format not tell which game it is?"""
    return kind in (FORMATS["compact"], FORMATS["names"])


def nth(found: Any, number: int, name: str) -> Any:
    """One of some games."""
    wanted = next(itertools.islice(found, number, None), None)
    if wanted is None:
        raise Refused("unknown", f"{name} has no game {number}")
    return wanted


def _kept_of_tree(tree: GameTree) -> Kept:
    places, moves = [START], []  # where each node of the tree is on the table
    for node in tree.nodes[1:]:
        if node.setup is not None:
            raise UserError(
                "stones are set up in mid-game; a table can do so at the beginning alone"
            )
        if node.move is None:
            places.append(places[node.parent])
        else:
            moves.append((places[node.parent], node.move))
            places.append(len(moves))
    if tree.nodes[0].move is not None:
        raise UserError("the first node has a move; expected it in a node of its own")
    setup, game = tree.nodes[0].setup, tree.game
    picture = None
    if setup is not None:
        picture = notation.picture(game, set_up(game, rules.new_position(game), setup))
    names = _people(tree.players) if any(tree.players) else []
    end = places[tree.main_line()[-1]]
    return Kept(games.text_of(game), names, moves, end, picture, _loser(tree.result))


def _loser(result: Result | None) -> int | None:
    """Who resigned, where that is told."""
    if result is None or result.how != "resign" or len(result.scores) != 2:
        return None
    return int(result.scores[1] < result.scores[0])


# --- writing ------------------------------------------------------------------


def text_of_table(table: Table, format: str) -> str:
    """What was played at a table, in a format."""
    return WRITERS[format](table)


def _to_record(table: Table) -> str:
    """The line of moves to where the table is; without scores if the rules do not know its end."""
    if table.tree.picture is not None:
        raise UserError(
            "the game began with a set-up position, which a record cannot hold; SGF can"
        )
    position = table.shown(table.node)
    by_rules = position.over and table.resigned(table.node) is None
    header = {
        "quintet": FORMAT,
        "game": games.text_of(table.game),
        "version": int(table.game.limits().version),
        "players": table.names(),
        "seed": 0,
    }
    line = {
        "number": 0,
        "seats": list(range(len(table.seats))),
        "opening": 0,
        "moves": table.tree.moves(table.node),
        "scores": position.scores if by_rules else [],
    }
    return "".join(json.dumps(part, separators=(",", ":")) + "\n" for part in (header, line))


def _to_sgf(table: Table) -> str:
    """All that was tried; the main line is the one on which the table is."""
    main = [*table.tree.path(table.node), *table.tree.ahead(table.node)]
    others = sorted(set(range(len(table.tree.nodes))) - set(main))
    tree = GameTree(table.game, table.names(), _result(table, main[-1]))
    tree.nodes[START].setup = _setup(table)
    places = {START: START}
    for number in [*main[1:], *others]:  # so each comes after its parent, and the main line first
        parent, move, _ = table.tree.nodes[number]
        if move is not None and parent is not None:  # a resignation is told by the result
            places[number] = tree.add(places[parent], move)
    return sgf.write([tree]).decode()


def _result(table: Table, end: int) -> Result | None:
    if table.resigned(end) is None:
        return result_of(table.game, table.position(end))
    return Result(tuple(table.shown(end).scores or ()), how="resign")


def _setup(table: Table) -> Setup | None:
    """How the round began, if stones were set up."""
    game = table.game
    if table.tree.picture is None:
        return None
    begun, usual = table.position(START), rules.new_position(game)
    cells = zip(content_of(game, begun).tolist(), content_of(game, usual).tolist(), strict=True)
    stones = tuple((cell, now) for cell, (now, before) in enumerate(cells) if now or before)
    setup = Setup(stones, int(rules.turn(game, begun)))
    if notation.picture(game, set_up(game, usual, setup)) != table.tree.picture.rstrip():
        told = "the position that was set up has more than its stones and turn, such as captures"
        raise UserError(f"{told}, which SGF cannot hold")
    return setup


WRITERS: dict[str, Callable[[Table], str]] = {"record": _to_record, "sgf": _to_sgf}
