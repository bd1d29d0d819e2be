"""Hashes: whole numbers that stand for boards, by text: ``key``, ``primes``, ``streaks``.

A hash is a NamedTuple that implements `number_of`.  Learners that keep something for
each of a few buckets take the rest of a division of the number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from quintet import rules
from quintet.bits import Word
from quintet.compiled import generic
from quintet.errors import UserError
from quintet.parameters import ByText
from quintet.registry import Entry, find, fit_for, name_of
from quintet.rules import Position

_PENTAGO = "quintet.players.pentago_hashes"
HASHES = {
    "key": Entry("quintet.players.hashes:Key", {}, "any game: as good as random"),
    "primes": Entry(f"{_PENTAGO}:Primes", {}, "Pentago: powers of primes, added"),
    "streaks": Entry(f"{_PENTAGO}:Streaks", {}, "Pentago: cubes of the lengths of runs, added"),
}


@generic
def number_of(hash: Any, game: Any, position: Position) -> int:
    """A number from 0 on for a position: the same for the same one."""
    raise NotImplementedError


class Key(NamedTuple):
    """What searches know a position by."""


@number_of.implement(Key)
def _key(hash: Key, game: Any, position: Position) -> int:
    return np.int64(rules.key(game, position) >> Word(1))  # type: ignore[return-value]


def make_hash(text: str, game: Any = None) -> Any:
    """A hash from its name, for a game if it is known."""
    offered = [name for name, _ in fit_for(HASHES, game)]
    if game is not None and text in HASHES and text not in offered:
        raise UserError(f"hash {text!r} is for another game; there are {', '.join(offered)}")
    return find(HASHES, text, "hash", offered).preset()


def text_of_hash(hash: Any) -> str:
    """The name from which `make_hash` gives this hash again."""
    return name_of(HASHES, type(hash))


HASH = ByText(make_hash, text_of_hash, lambda: " or ".join(HASHES))
