"""The laws are seen to fail: each broken copy of a good game is caught."""

from __future__ import annotations

import pathlib

import pytest

from quintet import games
from quintet.check import check_game

GOOD = (pathlib.Path(__file__).parents[2] / "examples" / "elbow_room.py").read_text()

FOUND = """            moves[found] = cell
            found += 1
"""
END = "    return position.over\n"
RESULT = "out[seat] = 1.0 / winners if out[seat] == most else 0.0"
ROOM = "    if position.board[row, column] != 0:\n"
SETTLED = """] = content[cell]
    pass_over_the_stuck(game, position)
"""
MOVED = "position.turn = (position.turn + 1) % game.players\n    pass_over"

BREAKS = {
    "moves in the wrong order": (
        "    return found\n",
        "    moves[:found] = moves[:found][::-1].copy()\n    return found\n",
        "ascending order",
    ),
    "a move listed twice": (FOUND, FOUND + FOUND, "0 to 9 legal moves"),
    "moves out of range": ("moves[found] = cell\n", "moves[found] = cell + 1\n", "moves from 0 to"),
    "scores not summing to one": (RESULT, RESULT.replace("1.0 / winners", "1.0"), "sum to 1.0"),
    "scores too high": (RESULT, RESULT.replace("1.0 / winners", "5.0"), "scores from 0.0 to 1.0"),
    "an end too early": (END, "    return position.over or position.board[1, 1] > 0\n", "is over"),
    "an end too late": ("position.over = True", "position.over = False", "expected a legal move"),
    "a game too long": ("plies=board", "plies=3", "within 3 plies"),
    "turn forgotten in set_up": (
        SETTLED,
        SETTLED.replace("    pass", "    position.turn = 0\n    pass"),
        "expected turn",
    ),
    "the end forgotten in set_up": (SETTLED, "] = content[cell]\n", "expected is_over"),
    "an asymmetric rule": (
        ROOM,
        ROOM.replace("!= 0:", "!= 0 or (row == 0 and column == 1):"),
        "under symmetry",
    ),
    "a turn out of range": (MOVED, MOVED.replace(" % game.players", ""), "expected a turn"),
    "too few planes": ("2 * self.players", "2 * self.players - 2", "plane 0"),
    "a missing function": ("@rules.scores.implement(ElbowRoom)\n", "", "implements no scores"),
    "a missing grid": ("grid=(np.int8, (self.size, self.size, 0)),", "", "expected the field grid"),
    "a mistake in Python": ("return Layout(self.size", "return Layout(self.sise", "sise"),
    "code that cannot be compiled": (END, "    return position.ower\n", "ower"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_broken_games_are_caught(name: str, tmp_path: pathlib.Path) -> None:
    old, new, expected = BREAKS[name]
    assert GOOD.count(old) == 1, f"the break {name!r} does not fit the example any more"
    file = tmp_path / "broken.py"
    file.write_text(GOOD.replace(old, new))
    problems = check_game(games.make(f"{file}:ElbowRoom:size=3"), games=12)
    assert any(expected in problem for problem in problems), problems
    assert all("expected" in problem for problem in problems), problems


def test_a_problem_shows_the_board(tmp_path: pathlib.Path) -> None:
    old, new, _ = BREAKS["scores too high"]
    file = tmp_path / "broken.py"
    file.write_text(GOOD.replace(old, new))
    (problem,) = check_game(games.make(f"{file}:ElbowRoom:size=3"), games=3)
    assert "a b c" in problem
    assert "turn: " in problem


def test_a_key_that_never_changes_is_caught(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "broken.py"
    same_key = (
        "\n\n@rules.key.implement(ElbowRoom)\ndef _key(game, position):\n    return np.uint64(7)\n"
    )
    file.write_text(GOOD + same_key)
    problems = check_game(games.make(f"{file}:ElbowRoom:size=3"), games=2)
    assert len(problems) == 1
    assert "different keys" in problems[0]


def test_a_random_move_that_prefers_is_caught(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "broken.py"
    first = (
        "\n\n@rules.random_move.implement(ElbowRoom)\n"
        "def _random_move(game, position, moves, random):\n"
        "    rules.legal_moves(game, position, moves)\n"
        "    return moves[0]\n"
    )
    file.write_text(GOOD + first)
    problems = check_game(games.make(f"{file}:ElbowRoom:size=3"), games=2)
    assert len(problems) == 1
    assert "expected each move about" in problems[0]


def test_a_good_game_has_no_problems(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "good.py"
    file.write_text(GOOD)
    assert check_game(games.make(f"{file}:ElbowRoom:size=3"), games=12) == []
