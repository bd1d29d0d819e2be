"""Games go to a file and come back: all games, all formats that can hold them."""

from __future__ import annotations

import pathlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quintet import games, rules
from quintet.bridges.files import FORMATS, format_named, is_game_file, left_out
from quintet.bridges.game_tree import (
    Analysis,
    GameTree,
    Result,
    Setup,
    last_position,
    positions,
    result_of,
    tree_of,
)
from quintet.errors import UserError

ROOT = pathlib.Path(__file__).parents[2]
TEXTS = [
    *games.BUILT_IN,
    "pente:size=7,players=3",
    "othello:size=6",
    "go:size=5,komi=0/6.5",
    "go:size=5,komi=1/6.5,ko=simple",
    "go:size=5,players=3",
    "go:size=4,players=4,ko=simple,suicide=yes,komi=0/1/2/3",
    "go-moku:rows=9,columns=12,exact=yes",
    f"{ROOT}/examples/elbow_room.py:ElbowRoom:size=4",
]
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=12)


def random_tree(text: str, seed: int, plies: int, words: list[str]) -> GameTree:
    """A game with variations, comments and names, drawn by chance."""
    chance = random.Random(seed)
    game = games.make(text)
    tree = tree_of(game, [], [f"{seat} {word}" for seat, word in zip(range(6), [*words, *"abcdef"], strict=False)][: game.limits().seats])  # fmt: skip # noqa: E501
    lines = [(0, rules.new_position(game))]
    for _ in range(plies):
        parent, position = chance.choice(lines[-3:])
        if rules.is_over(game, position):
            continue
        position = rules.copied(position)
        move = chance.choice(rules.list_legal_moves(game, position))
        number = tree.add(parent, move)
        rules.play(game, position, move)
        tree.nodes[number].comment = chance.choice(["", "", *words])
        lines.append((number, position))
    return tree


def preorder(tree: GameTree) -> GameTree:
    """The same tree with its nodes as a file has them."""
    children, order, todo = tree.children(), [], [0]
    while todo:
        order.append(todo.pop())
        todo += reversed(children[order[-1]])
    place = {number: new for new, number in enumerate(order)} | {-1: -1}
    nodes = [tree.nodes[number] for number in order]
    for node in nodes:
        node.parent = place[node.parent]
    return GameTree(tree.game, tree.players, tree.result, nodes)


@settings(max_examples=40, deadline=None)
@given(
    text=st.sampled_from(TEXTS),
    seed=st.integers(0, 2**32),
    plies=st.integers(0, 40),
    words=st.lists(WORDS, max_size=4),
    kind=st.sampled_from(["sgf", "json"]),
)
def test_trees_come_back(text: str, seed: int, plies: int, words: list[str], kind: str) -> None:
    tree = preorder(random_tree(text, seed, plies, words))
    written = FORMATS[kind].write([tree, tree])
    first, second = FORMATS[kind].read(written, None, True)
    assert first == second
    assert games.text_of(first.game) == games.text_of(tree.game)
    assert first.players == tree.players
    assert first.nodes == tree.nodes
    assert FORMATS[kind].write([first, second]) == written


def finished(text: str, seed: int) -> GameTree:
    """A whole random game."""
    chance, game = random.Random(seed), games.make(text)
    position, moves = rules.new_position(game), []
    while not rules.is_over(game, position):
        moves.append(chance.choice(rules.list_legal_moves(game, position)))
        rules.play(game, position, moves[-1])
    names = [f"p{seat}" for seat in range(game.limits().seats)]
    tree = tree_of(game, moves, names)
    tree.result = result_of(game, position)
    return tree


HOLDS = {
    "record": TEXTS[:-1],
    "compact": [*games.BUILT_IN, "go:size=5", "othello:size=6"],
    "names": TEXTS,
    "ggf": ["othello", "othello:size=6"],
    "wthor": ["othello"],
    "psq": ["go-moku", "go-moku:rows=9,columns=12,exact=yes"],
}


@pytest.mark.parametrize(("kind", "text"), [(k, t) for k, texts in HOLDS.items() for t in texts])
def test_whole_games_come_back(kind: str, text: str) -> None:
    large = games.make(text).layout().cells > 100
    for seed in range(1 if large else 3):
        tree = finished(text, seed)
        known = tree.game if kind in ("compact", "names") else None
        (back,) = FORMATS[kind].read(FORMATS[kind].write([tree]), known, False)
        assert games.text_of(back.game) == games.text_of(tree.game)
        assert back.moves() == tree.moves()
        if kind in ("record", "ggf", "psq"):
            assert back.players == tree.players
        if back.result is not None and tree.result is not None:
            pair = back.result.scores, tree.result.scores
            assert [s.index(max(s)) for s in pair] == [s.index(max(s)) for s in pair[::-1]]


def test_othello_with_passes_goes_through_formats_that_leave_them_out() -> None:
    trees = [finished("othello", seed) for seed in range(40)]
    passing = [tree for tree in trees if 64 in tree.moves()]
    assert len(passing) > 3
    for kind in ("compact", "wthor"):
        game = passing[0].game
        back = FORMATS[kind].read(FORMATS[kind].write(passing), game, False)
        assert [tree.moves() for tree in back] == [tree.moves() for tree in passing]


@pytest.mark.parametrize("kind", ["sgf", "json"])
def test_a_board_set_up_comes_back(kind: str) -> None:
    game = games.make("go:size=5,players=3")
    tree = tree_of(game, [])
    tree.nodes[0].setup = Setup(((0, 1), (6, 3), (12, 2)), 2)
    number = tree.add(0, 7)
    tree.nodes[number].comment = "three moved"
    later = tree.add(number)
    tree.nodes[later].setup = Setup(((6, 0), (8, 1)), 1)
    tree.add(later, 6)
    (back,) = FORMATS[kind].read(FORMATS[kind].write([tree]), None, False)
    assert back.nodes == tree.nodes
    content = [int(rules.turn(game, position)) for _, position in positions(back)]
    assert content == [2, 0, 1, 2]


def test_analysis_is_kept_by_json_and_told_by_sgf() -> None:
    tree = finished("tic-tac-toe", 1)
    found = Analysis("uct:sims=9", 4, (0.75, 0.25), (4, 0), 9, True)
    tree.nodes[0].analysis = found
    (back,) = FORMATS["json"].read(FORMATS["json"].write([tree]), None, False)
    assert back.nodes[0].analysis == found
    text = FORMATS["sgf"].write([tree]).decode()
    assert "SBKV[75.00]" in text
    assert "uct:sims=9: best b2\nvalues: X 0.750, O 0.250 (certain)\nline: b2 a3" in text


def test_a_line_longer_than_the_interpreter_could_recurse() -> None:
    game = games.make("go:size=19")
    tree = tree_of(game, [])
    for number in range(30_000):
        tree.nodes[tree.add(number)].comment = str(number)
    (back,) = FORMATS["sgf"].read(FORMATS["sgf"].write([tree]), None, False)
    assert back.nodes == tree.nodes
    assert last_position(back).ply == 0


def test_what_a_format_has_no_place_for_is_told() -> None:
    tree = finished("othello", 1)
    assert left_out([tree], FORMATS["ggf"]) == []
    tree.nodes[3].comment = "hm"
    tree.add(0, tree.nodes[1].move)
    assert left_out([tree], FORMATS["ggf"]) == ["variations", "comments"]
    assert left_out([tree], FORMATS["sgf"]) == []


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("ggf", "go-moku", "GGF is for Othello; not for go-moku"),
        ("wthor", "othello:size=6", "WTHOR is for Othello on 8 x 8"),
        ("psq", "pente", "Piskvork plays Go-Moku; not pente"),
    ],
)
def test_a_game_of_another_kind_is_refused(kind: str, text: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        FORMATS[kind].write([tree_of(games.make(text), [])])


def test_a_record_must_be_finished() -> None:
    with pytest.raises(UserError, match="game 1 is not over"):
        FORMATS["record"].write([tree_of(games.make("tic-tac-toe"), [0])])


def test_formats_are_known_by_name_ending_or_content() -> None:
    assert format_named("psq", "x.sgf").suffix == ".psq"
    assert format_named(None, "X.SGF").suffix == ".sgf"
    for name, kind in FORMATS.items():
        if name not in ("wthor", "compact", "names"):
            tree = finished("go-moku" if name == "psq" else "othello", 2)
            assert format_named(None, "x", kind.write([tree])) is kind
    with pytest.raises(UserError, match="no known format"):
        format_named(None, "x", b"hello")
    assert is_game_file("a/b.Sgf")
    assert not is_game_file("./game.py:Game")


def test_a_python_file_is_not_run_unless_trusted() -> None:
    tree = tree_of(games.make(TEXTS[-1]), [0])
    for kind in ("sgf", "json"):
        with pytest.raises(UserError, match="not run unless you trust it"):
            FORMATS[kind].read(FORMATS[kind].write([tree]), None, False)


def test_results_of_two_and_of_more() -> None:
    tree = tree_of(games.make("go:size=5"), [])
    for result in (Result((1, 0), 3.5), Result((0, 1), None, "resign"), Result((0.5, 0.5))):
        tree.result = result
        (back,) = FORMATS["sgf"].read(FORMATS["sgf"].write([tree]), None, False)
        assert back.result == result
    tree = tree_of(games.make("go:size=5,players=3"), [])
    tree.result = Result((3.0, 12.5, 9.0))
    (back,) = FORMATS["sgf"].read(FORMATS["sgf"].write([tree]), None, False)
    assert back.result == tree.result
