"""UCT with objects, lists and dicts: slow and obvious.

It asks the compiled rules and evaluations, and draws from the same stream of chance,
so that it must grow the same tree, node by node.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from quintet import rules
from quintet.randomness import below
from quintet.search.evaluation import evaluate, final_values, new_desk

# what a seat makes of the totals of all seats over some visits
Aims = Callable[[int, list[float], int], float]


def maxn(seat: int, totals: list[float], visits: int) -> float:
    return totals[seat] / visits


def paranoid(root: int) -> Aims:
    def aim(seat: int, totals: list[float], visits: int) -> float:
        return totals[root] / visits if seat == root else 1.0 - totals[root] / visits

    return aim


def coalition(root: int) -> Aims:
    def aim(seat: int, totals: list[float], visits: int) -> float:
        if seat == root:
            return totals[seat] / visits
        return sum_of([total for other, total in enumerate(totals) if other != root]) / visits

    return aim


def alliance(one: int, two: int) -> Aims:
    def aim(seat: int, totals: list[float], visits: int) -> float:
        total = totals[one] + totals[two] if seat in (one, two) else totals[seat]
        return total / visits

    return aim


def sum_of(results: list[float]) -> float:
    """From the first to the last; Python's own sum is more exact than adding."""
    total = 0.0
    for result in results:
        total += result
    return total


def halving(candidates: int, sims: int) -> list[int]:
    """For each simulation, how many visits the candidate must have had that is tried next."""
    if candidates == 1:
        return list(range(sims))
    rounds = math.ceil(math.log2(candidates))
    order: list[int] = []
    visits, left = 0, candidates
    while len(order) < sims:
        for _ in range(max(1, sims // (rounds * left))):
            order += [visits] * left
            visits += 1
        left = max(2, left // 2)
    return order[:sims]


class Node:
    """A position in the tree."""

    def __init__(self, seats: int, prior: float = 0.0) -> None:
        self.visits = 0
        self.totals = [0.0] * seats
        self.prior = prior
        self.untried: list[int] | None = None  # None before it is expanded
        self.children: dict[int, Node] = {}  # in the order in which they were tried
        self.priors: dict[int, float] = {}
        self.exact: list[float] | None = None
        self.amaf: dict[tuple[int, int], list[float]] = {}  # results of a seat's move
        self.has_table = False

    def worth(self, seat: int, aims: Aims) -> float:
        if self.exact is not None:
            return aims(seat, self.exact, 1)
        return aims(seat, self.totals, self.visits)


class ReferenceUct:
    """One search from a position."""

    def __init__(
        self,
        game: Any,
        position: Any,
        evaluation: Any,
        search: Any,
        random: Any,
        aims: Aims = maxn,
        highest: float = 1.0,
        network: Callable[[Any], tuple[list[float], list[float]]] | None = None,
    ) -> None:
        self.game, self.position, self.evaluation = game, position, evaluation
        self.search, self.random, self.aims, self.highest = search, random, aims, highest
        self.network = network
        self.seats = game.limits().seats
        self.desk = new_desk(game)
        self.root = Node(self.seats)
        if network is None:
            self.expand(self.root, position)

    def expand(self, node: Node, position: Any) -> None:
        node.untried = rules.list_legal_moves(self.game, position)
        node.has_table = True

    def run(self, count: int) -> None:
        self.sims = count - 1  # the first visit judges the root
        for _ in range(count):
            if self.root.exact is None:
                self.simulate()

    def simulate(self) -> None:
        position = rules.copied(self.position)
        node, path = self.root, [self.root]
        steps: list[tuple[int, int]] = []
        sure: list[list[float] | None] = []
        table = self.root
        while self.leads_on(node, position):
            seat = int(rules.turn(self.game, position))
            if node.visits > self.search.ref:
                table = node
            if node is self.root and self.search.candidates:
                move = self.halve(seat)
            else:
                move = self.select(node, seat, table)
            sure.append(node.children[move].exact)
            if sure[-1] is not None:
                move = self.select_unsure(node, seat, move)
            rules.play(self.game, position, move)
            steps.append((seat, move))
            node = node.children[move]
            path.append(node)
        values, playout = self.judge(node, position)
        if self.search.amaf:
            self.learn(path, steps, playout, values)
        self.back_up(path, steps, sure, values)

    def leads_on(self, node: Node, position: Any) -> bool:
        if node.exact is not None:
            return False
        if node.untried is None:
            if node.visits == 0 or rules.is_over(self.game, position):
                return False
            self.expand(node, position)
        return True

    # --- select ---------------------------------------------------------------

    def select(self, node: Node, seat: int, table: Node) -> int:
        if self.search.amaf:
            return self.select_by_amaf(node, seat, table)
        assert node.untried is not None
        scores = {move: self.score(node, child, seat) for move, child in node.children.items()}
        best = max(scores, key=lambda move: scores[move]) if scores else -1
        highest = scores[best] if scores else -math.inf
        if not node.untried:
            return best
        if self.search.puct:
            likeliest = max(node.untried, key=lambda move: node.priors[move])
            prior = node.priors[likeliest]
            fpu = self.search.fpu
            if self.search.inherits:
                fpu = node.worth(seat, self.aims) - fpu
            if fpu + self.urgency(node) * prior > highest:
                return self.try_move(node, likeliest)
        elif self.search.fpu > highest:
            return self.try_move(node, self.drawn(node.untried))
        return best

    def halve(self, seat: int) -> int:
        """Sequential halving at the root, with nothing left to chance."""
        root = self.root
        assert root.untried is not None
        moves = sorted(root.priors, key=lambda move: -root.priors[move])
        visits = [root.children[m].visits if m in root.children else 0 for m in moves]
        most = max(visits)

        def score(move: int) -> float:
            value = root.children[move].worth(seat, self.aims) if move in root.children else 0.0
            return math.log(root.priors[move]) + (50 + most) * self.search.scale * value

        count = min(self.search.candidates, len(moves))
        due = halving(count, self.sims)[root.visits - 1]
        best = max((m for m, v in zip(moves[:count], visits, strict=False) if v == due), key=score)
        return best if best in root.children else self.try_move(root, best)

    def urgency(self, node: Node) -> float:
        visits = max(node.visits, 1)
        return self.search.c * math.sqrt(visits if self.search.puct else math.log(visits))

    def score(self, parent: Node, child: Node, seat: int) -> float:
        mean = child.worth(seat, self.aims)
        if child.exact is not None:
            return mean
        if self.search.puct:
            return mean + self.urgency(parent) * (child.prior / (1 + child.visits))
        return mean + self.urgency(parent) * (1.0 / math.sqrt(child.visits))

    def drawn(self, moves: list[int]) -> int:
        return moves[below(self.random, len(moves))]

    def try_move(self, node: Node, move: int) -> int:
        """The chosen one changes places with the first of those left, as in the arrays."""
        assert node.untried is not None
        where = node.untried.index(move)
        node.untried[0], node.untried[where] = node.untried[where], node.untried[0]
        del node.untried[0]
        node.children[move] = Node(self.seats, node.priors.get(move, 0.0))
        return move

    def select_by_amaf(self, node: Node, seat: int, table: Node) -> int:
        assert node.untried is not None
        scores = {m: self.mixed(c, seat, m, table, node) for m, c in node.children.items()}
        for move in node.untried:
            told = table.amaf.get((seat, move), [])
            if told:
                scores[move] = sum_of(told) / len(told) + self.urgency(node)
        unknown = [move for move in node.untried if not table.amaf.get((seat, move))]
        best = max(scores, key=lambda move: scores[move]) if scores else -1
        if unknown and (not scores or self.search.fpu > scores[best]):
            return self.try_move(node, self.drawn(unknown))
        return best if best in node.children else self.try_move(node, best)

    def mixed(self, child: Node, seat: int, move: int, table: Node, node: Node) -> float:
        mean = child.worth(seat, self.aims)
        if child.exact is not None:
            return mean
        told = table.amaf.get((seat, move), [])
        if told:
            known, n = len(told), child.visits
            share = known / (known + n + self.search.bias * known * n)
            mean = (1.0 - share) * mean + share * (sum_of(told) / known)
        return mean + self.urgency(node) * (1.0 / math.sqrt(child.visits))

    def select_unsure(self, node: Node, seat: int, sure: int) -> int:
        """Where the best child is solved, look into another."""
        unsolved = {m: self.score(node, c, seat) for m, c in node.children.items() if not c.exact}
        if unsolved:
            return max(unsolved, key=lambda move: unsolved[move])
        if not node.untried:
            return sure
        if self.search.puct:
            return self.try_move(node, max(node.untried, key=lambda move: node.priors[move]))
        return self.try_move(node, self.drawn(node.untried))

    # --- evaluate -------------------------------------------------------------

    def judge(self, node: Node, position: Any) -> tuple[list[float], list[tuple[int, int]]]:
        if node.exact is not None:
            return list(node.exact), []
        out = np.zeros(self.seats)
        if rules.is_over(self.game, position):
            final_values(self.game, position, self.desk, out)
            values = self.rewards(out.tolist())
            if self.search.solve:
                node.exact = values
            return values, []
        if self.network:
            likely, values = self.network(position)
            self.expand(node, position)
            assert node.untried is not None
            total = sum_of([likely[move] for move in node.untried])
            node.priors = {move: likely[move] / total for move in node.untried}
            return values, []
        before = rules.copied(position)
        played = evaluate(self.evaluation, self.game, position, self.desk, self.random, out)
        playout = []
        for move in self.desk.trace[:played].tolist():
            playout.append((int(rules.turn(self.game, before)), move))
            rules.play(self.game, before, move)
        values = out.tolist()
        return self.rewards(values) if rules.is_over(self.game, position) else values, playout

    def rewards(self, values: list[float]) -> list[float]:
        if not self.search.wins:
            return values
        winners = values.count(max(values))
        return [1.0 / winners if value == max(values) else 0.0 for value in values]

    # --- back up --------------------------------------------------------------

    def learn(self, path: Any, steps: Any, playout: Any, values: list[float]) -> None:
        for depth, node in enumerate(path):
            if node.has_table:
                for seat, move in set(steps[depth:] + playout):
                    node.amaf.setdefault((seat, move), []).append(self.aims(seat, values, 1))

    def back_up(self, path: Any, steps: Any, sure: Any, values: list[float]) -> None:
        for depth in range(len(path) - 1, -1, -1):
            node = path[depth]
            if depth < len(path) - 1 and sure[depth] is not None:
                values = sure[depth]
            if self.search.solve and node.exact is None and depth < len(path) - 1:
                node.exact = self.certain(node, steps[depth][0])
                if node.exact is not None:
                    values = node.exact
            node.visits += 1
            node.totals = [total + value for total, value in zip(node.totals, values, strict=True)]

    def certain(self, node: Node, mover: int) -> list[float] | None:
        solved = [child.exact for child in node.children.values() if child.exact is not None]
        for values in solved:
            if self.aims(mover, values, 1) >= self.highest:
                return values
        if node.untried or len(solved) < len(node.children) or not solved:
            return None
        best = max(self.aims(mover, values, 1) for values in solved)
        wished = [values for values in solved if self.aims(mover, values, 1) == best]
        seats = range(self.seats)
        views = {tuple(self.aims(seat, values, 1) for seat in seats) for values in wished}
        return wished[0] if len(views) == 1 else None
