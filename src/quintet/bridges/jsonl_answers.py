"""Positions and thoughts as the lines of JSON tell them."""

from __future__ import annotations

import math
from typing import Any

from quintet import games, rules
from quintet.bridges.game_so_far import GameSoFar
from quintet.bridges.game_tree import content_of
from quintet.notation import move_name, picture
from quintet.players.player import Thoughts
from quintet.players.thinking import Answer, Line


def position_json(so_far: GameSoFar) -> dict[str, Any]:
    """A position, and what may happen in it."""
    game, position, layout = so_far.game, so_far.position, so_far.game.layout()
    over = so_far.is_over
    return {
        "game": games.text_of(game),
        "seats": game.limits().seats,
        "rows": layout.rows,
        "columns": layout.columns,
        "cells": [int(owner) for owner in content_of(game, position)],
        "turn": None if over else so_far.turn,
        "legal": [_move_json(game, move) for move in so_far.legal()],
        "scores": rules.list_scores(game, position) if over else None,
        "picture": picture(game, position),
    }


def answer_json(game: Any, line: Line, answer: Answer, most: int) -> dict[str, Any]:
    """A choice, and what was thought of so many moves."""
    found = answer.thoughts or Thoughts([], [], [], [], 0, 0, False)
    count = min(most, len(found.moves))
    return {
        "ply": len(line.moves),
        "seat": int(rules.turn(game, line.positions[-1])),
        "best": _move_json(game, answer.move),
        "seconds": round(answer.seconds, 4),
        "moves": [_thought_json(game, found, order) for order in range(count)],
        "nodes": found.nodes,
        "depth": found.depth,
        "solved": found.solved,
    }


def _move_json(game: Any, move: int) -> dict[str, Any]:
    return {"move": move, "name": move_name(game, move)}


def _thought_json(game: Any, found: Thoughts, order: int) -> dict[str, Any]:
    move = found.moves[order]
    known = found.lines[order] if found.lines else []
    line = known or (found.line if found.line[:1] == [move] else [move])
    return {
        **_move_json(game, move),
        "visits": found.visits[order],
        "values": [value if math.isfinite(value) else None for value in found.values[order]],
        "line": [move_name(game, one) for one in line],
    }
