"""What a player thinks of every position of a game, added to its tree."""

from __future__ import annotations

from collections.abc import Iterator

from quintet import rules
from quintet.bridges.game_tree import Analysis, GameTree, positions
from quintet.players import make_player
from quintet.players.player import Seat
from quintet.randomness import seeded


def to_annotate(tree: GameTree) -> int:
    """How many positions `annotate` will look at."""
    return len(tree.nodes)


def annotate(tree: GameTree, player: str, seed: int) -> Iterator[int]:
    """Think about each position in turn, variations too; yields the numbers of the nodes.

    Each is thought about afresh, with random numbers of its own, so that what is found
    does not depend on the other positions.
    """
    made = make_player(player, tree.game)
    for number, position in positions(tree):
        if not rules.is_over(tree.game, position):
            thinker = Seat(made, tree.game, seeded(seed, number))
            thinker.begin()
            best = thinker.choose(position)
            thoughts = thinker.thoughts(position)
            found = Analysis(player, best)
            if thoughts is not None and thoughts.values and not thoughts.utilities:
                values, line = tuple(thoughts.values[0]), tuple(thoughts.line)
                found = Analysis(player, best, values, line, thoughts.nodes, thoughts.solved)
            tree.nodes[number].analysis = found
        yield number
