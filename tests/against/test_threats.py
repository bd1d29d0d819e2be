"""Forced wins by fours and threes: every one is checked by trying every defence."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from quintet import games, notation, rules
from quintet.search.threats import forced_win

Board = tuple[int, ...]  # 0 for empty, or the side + 1


class Judge:
    """k in a row with loops: who has won, and can a side force a win in so many plies?"""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.lines = self._lines()
        self.can_win = cache(self._can_win)
        self.by_fours = cache(self._by_fours)

    def _lines(self) -> list[tuple[list[int], list[int]]]:
        found = []
        rows, columns, k = self.game.rows, self.game.columns, self.game.k
        for row in range(rows):
            for column in range(columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    spots = [(row + i * down, column + i * right) for i in range(-1, k + 1)]
                    cells = [
                        r * columns + c if 0 <= r < rows and 0 <= c < columns else -1
                        for r, c in spots
                    ]
                    if -1 not in cells[1:-1]:
                        beyond = [cell for cell in (cells[0], cells[-1]) if cell >= 0]
                        found.append((cells[1:-1], beyond))
        return found

    def has_won(self, board: Board, side: int) -> bool:
        return any(
            all(board[cell] == side + 1 for cell in cells)
            and not (self.game.exact and any(board[cell] == side + 1 for cell in beyond))
            for cells, beyond in self.lines
        )

    def moves(self, board: Board) -> list[int]:
        return [cell for cell, owner in enumerate(board) if owner == 0]

    def winning(self, board: Board, side: int) -> list[int]:
        return [c for c in self.moves(board) if self.has_won(after(board, c, side), side)]

    def _can_win(self, board: Board, side: int, plies: int) -> bool:
        """Can the side to move win within so many plies, whatever the other does?"""
        if plies < 1:
            return False
        if self.winning(board, side):
            return True
        return any(
            self.has_lost(after(board, move, side), 1 - side, plies - 1)
            for move in self.moves(board)
        )

    def has_lost(self, board: Board, side: int, plies: int) -> bool:
        """Does every move of `side` lose within so many plies?"""
        moves = self.moves(board)
        if plies < 2 or not moves or self.winning(board, side):
            return False
        return all(self.can_win(after(board, move, side), 1 - side, plies - 1) for move in moves)

    def _by_fours(self, board: Board, side: int) -> bool:
        """Can the side to move win by moves each of which threatens to win at once?"""
        if self.winning(board, side):
            return True
        danger = self.winning(board, 1 - side)
        for move in self.moves(board):
            if any(cell != move for cell in danger):
                continue
            mine = after(board, move, side)
            threats = self.winning(mine, side)
            if len(threats) > 1:
                return True
            if threats and self.by_fours(after(mine, threats[0], 1 - side), side):
                return True
        return False


def after(board: Board, cell: int, side: int) -> Board:
    return (*board[:cell], side + 1, *board[cell + 1 :])


def random_positions(text: str, count: int, stones: tuple[int, int]) -> list[tuple[Any, Any]]:
    """Positions of random games that are not over."""
    game = games.make(text)
    chance = random.Random(text)
    found: list[tuple[Any, Any]] = []
    while len(found) < count:
        position = rules.new_position(game)
        for _ in range(chance.randint(*stones)):
            legal = rules.list_legal_moves(game, position)
            if legal:
                rules.play(game, position, chance.choice(legal))
        if not rules.is_over(game, position):
            found.append((game, position))
    return found


def board_of(game: Any, position: Any) -> Board:
    from tests.against.test_line_players import board_of as rows_of

    return tuple(owner for row in rows_of(game, position) for owner in row)


def check_line(judge: Judge, board: Board, side: int, line: list[int]) -> None:
    """The moves are legal, and the last of them wins."""
    for ply, move in enumerate(line):
        mover = side if ply % 2 == 0 else 1 - side
        assert board[move] == 0
        board = after(board, move, mover)
        assert judge.has_won(board, mover) == (ply + 1 == len(line))


SMALL = [
    ("k-in-a-row:rows=4,columns=4,k=3", 60, (5, 9)),
    ("k-in-a-row:rows=4,columns=4,k=3,exact=yes", 60, (5, 9)),
    ("k-in-a-row:rows=5,columns=5,k=4", 150, (9, 16)),
    ("k-in-a-row:rows=4,columns=6,k=4,exact=yes", 150, (9, 15)),
]


@pytest.mark.parametrize(("text", "count", "stones"), SMALL)
def test_wins_hold_against_every_defence(text: str, count: int, stones: tuple[int, int]) -> None:
    found_some = 0
    judge = Judge(games.make(text))
    for game, position in random_positions(text, count, stones):
        board, side = board_of(game, position), int(position.turn)
        line = forced_win(game, position)
        if line is None:
            continue
        story = f"{notation.picture(game, position)}\n{line}"
        check_line(judge, board, side, line)
        if len(line) <= 7:
            found_some += 1
            assert judge.can_win(board, side, len(line)), story
            if len(line) > 1:
                reply = after(board, line[0], side)
                assert judge.has_lost(reply, 1 - side, len(line) - 1), story
    assert found_some >= count // 10


@pytest.mark.parametrize(("text", "count", "stones"), SMALL)
def test_all_wins_by_fours_are_found(text: str, count: int, stones: tuple[int, int]) -> None:
    wins = 0
    judge = Judge(games.make(text))
    for game, position in random_positions(text, count, stones):
        exists = judge.by_fours(board_of(game, position), int(position.turn))
        line = forced_win(game, position, threes=0)
        assert (line is not None) == exists, notation.picture(game, position)
        wins += exists
    assert 0 < wins < count


@pytest.mark.parametrize(("text", "count", "stones"), SMALL[2:])
def test_short_wins_are_found(text: str, count: int, stones: tuple[int, int]) -> None:
    """Every win in five plies is by a four, or by a move that threatens one: so it is found."""
    wins = 0
    judge = Judge(games.make(text))
    for game, position in random_positions(text, count, stones):
        exists = judge.can_win(board_of(game, position), int(position.turn), 5)
        if exists:
            assert forced_win(game, position) is not None, notation.picture(game, position)
        wins += exists
    assert 0 < wins < count


def check_by_trying(game: Any, position: Any, line: list[int], **limits: int) -> int:
    """After the first move, every defence loses to a line no longer; returns how many defences."""
    mine = rules.copied(position)
    rules.checked_play(game, mine, line[0])
    tried = 0
    for answer in rules.list_legal_moves(game, mine):
        theirs = rules.copied(mine)
        rules.play(game, theirs, answer)
        assert not rules.is_over(game, theirs)
        rest = forced_win(game, theirs, **limits)
        assert rest is not None, notation.move_name(game, answer)
        assert len(rest) <= len(line) - 2
        tried += 1
    return tried


@pytest.mark.parametrize(
    ("text", "moves", "plies"),
    [
        ("go-moku", "H8 A1 J8 A3 K8 A5", 3),  # open three: open four
        ("go-moku", "H8 G8 J8 A3 K8 L8", None),  # three with both ends taken
        ("go-moku", "J8 M8 K8 H4 L8 O1 H7 O3 H6 O5 H5 O7", 3),  # H8 makes two fours
        ("go-moku", "H8 A1 J8 A15 K7 P15 K6 P1", 5),  # K8 makes two open threes
        ("go-moku", "H8 A1 J8 A3 K7 A5 K6 P1", 9),  # the same, but A4 and A7 gain a move each
        ("go-moku:exact=yes", "A1 A15 B1 C15 C1 E15 E1 G15 F1 J15", None),  # D1 makes six
        ("go-moku", "A1 A15 B1 C15 C1 E15 E1 G15 F1 J15", 1),
        ("go-moku", "H8", None),
    ],
)
def test_known_positions(text: str, moves: str, plies: int | None) -> None:
    game = games.make(text)
    position = rules.new_position(game)
    for name in moves.split():
        rules.checked_play(game, position, notation.parse_move(game, name))
    line = forced_win(game, position)
    assert (len(line) if line else None) == plies, line
    if line and plies and plies > 1:
        assert check_by_trying(game, position, line) > 200


def test_wins_on_a_large_board_hold_against_every_defence() -> None:
    """Stones near the centre, so that there are threats; each win is tried one move deeper."""
    game = games.make("go-moku")
    chance = random.Random(1)
    by_threes = 0
    for _ in range(30):
        position = rules.new_position(game)
        for cell in chance.sample([r * 15 + c for r in range(4, 10) for c in range(4, 10)], 12):
            if not rules.is_over(game, position):
                rules.play(game, position, cell)
        line = forced_win(game, position, nodes=20_000)
        if line and len(line) > 1:
            check_by_trying(game, position, line, nodes=50_000)
            by_threes += forced_win(game, position, threes=0) is None
    assert by_threes >= 2


def test_few_nodes_find_nothing_rather_than_something_wrong() -> None:
    for game, position in random_positions("k-in-a-row:rows=5,columns=5,k=4", 40, (4, 10)):
        line = forced_win(game, position, nodes=5)
        assert line is None or forced_win(game, position) is not None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("pente:size=7", "k in a row only"),
        ("connect-four", "without gravity"),
        ("tic-tac-mo", "two players, not 3"),
        ("k-in-a-row:k=2", "at least 3, not 2"),
    ],
)
def test_other_games_are_refused(text: str, why: str) -> None:
    from quintet.errors import UserError

    game = games.make(text)
    with pytest.raises(UserError, match=why):
        forced_win(game, rules.new_position(game))
