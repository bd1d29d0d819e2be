"""Go with tuples and flood fill: a board is a tuple, and all past boards are kept.

What the ko rules mean for any number of players:

- simple: the board must not become what it was before the last move, whoever
  made that; so only the next player is kept from taking back, and only at once.
- positional: the board must not become what it ever was.
- situational: nor what it ever was with the same player to move next.
"""

from __future__ import annotations

from typing import Any

from quintet.games.go import Eye, Ko, Passing

Board = tuple[int, ...]  # per point: 0 for empty, or the owner's seat + 1
SIDES = [(-1, 0), (0, -1), (0, 1), (1, 0)]
DIAGONALS = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


class GoReference:
    """Every group is searched anew for every question."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.size = game.size
        self.pass_move = game.size * game.size
        self.neighbours = [self.around(p, SIDES) for p in range(self.pass_move)]
        self.corners = [self.around(p, DIAGONALS) for p in range(self.pass_move)]
        self.board: Board = (0,) * self.pass_move
        self.mover = 0
        self.passes = 0
        self.past = [self.board]  # the last one is now
        self.past_boards = {self.board}
        self.past_situations = {(self.board, self.mover)}  # with who was to move

    def turn(self) -> int:
        return self.mover

    def legal_moves(self) -> list[int]:
        if self.is_over():
            return []
        places = [point for point in range(self.pass_move) if self.may_place(point)]
        may_pass = self.game.passing == Passing.FREE or not places
        return places + [self.pass_move] * may_pass

    def play(self, move: int) -> None:
        if move == self.pass_move:
            self.passes += 1
        else:
            self.passes = 0
            self.board = self.after(move)
        self.mover = self.next_mover()
        self.past.append(self.board)
        self.past_boards.add(self.board)
        self.past_situations.add((self.board, self.mover))

    def is_over(self) -> bool:
        plies = len(self.past) - 1
        cap = self.game.cap or 6 * self.size * self.size
        return self.passes >= self.game.players or plies >= cap

    def scores(self) -> list[float]:
        komi = self.game.komi or (0.0,) * self.game.players
        return [area + extra for area, extra in zip(self.points(), komi, strict=True)]

    def points(self) -> list[float]:
        """Stones, and empty regions that only one colour touches."""
        area = [0.0] * self.game.players
        left = set(range(self.pass_move))
        while left:
            point = left.pop()
            group = self.group(self.board, point)
            left -= group
            owners = {self.board[point]} - {0} or self.colours_around(group)
            if len(owners) == 1:
                area[owners.pop() - 1] += len(group)
        return area

    def cells(self) -> list[int]:
        return list(self.board)

    def next_mover(self) -> int:
        return (self.mover + 1) % self.game.players

    def may_place(self, point: int) -> bool:
        """Is a stone of the mover here within the rules?"""
        if self.board[point]:
            return False
        if self.game.passing == Passing.FORCED and self.is_eye(point):
            return False
        result = self.after(point)
        if result == self.board:  # a stone that kills only itself
            return False
        if not result[point] and not self.game.suicide:
            return False
        return not self.repeats(result)

    def repeats(self, result: Board) -> bool:
        """Does the ko rule forbid this board?"""
        if self.game.ko == Ko.SIMPLE:
            return len(self.past) > 1 and result == self.past[-2]
        if self.game.ko == Ko.POSITIONAL:
            return result in self.past_boards
        return (result, self.next_mover()) in self.past_situations

    def after(self, point: int) -> Board:
        """The board after the mover's stone here."""
        own = self.mover + 1
        board = (*self.board[:point], own, *self.board[point + 1 :])
        others = [n for n in self.neighbours[point] if board[n] not in (0, own)]
        board = self.without(board, [n for n in others if self.is_dead(board, n)])
        return self.without(board, [point] if self.is_dead(board, point) else [])

    def without(self, board: Board, stones: list[int]) -> Board:
        """The board without the groups of these stones."""
        taken = {p for stone in stones for p in self.group(board, stone)}
        return tuple(0 if p in taken else owner for p, owner in enumerate(board))

    def is_dead(self, board: Board, point: int) -> bool:
        group = self.group(board, point)
        return all(board[n] for p in group for n in self.neighbours[p])

    def group(self, board: Board, point: int) -> set[int]:
        """The points of the same content that hang together with this one."""
        found, todo = {point}, [point]
        while todo:
            for n in self.neighbours[todo.pop()]:
                if board[n] == board[point] and n not in found:
                    found.add(n)
                    todo.append(n)
        return found

    def colours_around(self, region: set[int]) -> set[int]:
        return {self.board[n] for p in region for n in self.neighbours[p]} - {0}

    def around(self, point: int, steps: list[tuple[int, int]]) -> list[int]:
        row, column = divmod(point, self.size)
        places = [(row + down, column + right) for down, right in steps]
        return [r * self.size + c for r, c in places if 0 <= r < self.size and 0 <= c < self.size]

    def is_eye(self, point: int) -> bool:
        """Is this empty point an eye of the mover?"""
        own = self.mover + 1
        if any(self.board[n] != own for n in self.neighbours[point]):
            return False
        enemies = sum(self.board[p] not in (0, own) for p in self.corners[point])
        inside = len(self.corners[point]) == 4
        return self.game.eye == Eye.SIMPLE or enemies <= (1 if inside else 0)
