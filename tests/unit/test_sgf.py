"""SGF as others write it: tricky files, and sgfmill as a second opinion."""

from __future__ import annotations

import random

import pytest
from sgfmill import sgf as sgfmill

from quintet import games, rules
from quintet.bridges import sgf
from quintet.bridges.game_tree import GameTree, Result, content_of, last_position, tree_of
from quintet.errors import UserError


def read(text: str | bytes, game: str | None = None) -> GameTree:
    data = text.encode() if isinstance(text, str) else text
    (tree,) = sgf.read(data, None if game is None else games.make(game))
    return tree


def kept(tree: GameTree) -> GameTree:
    """The tree after it was written and read again."""
    return read(sgf.write([tree]))


# --- the grammar ----------------------------------------------------------------


def test_escapes() -> None:
    tree = read(r"(;GM[1]SZ[5]PB[a\]b\\c\:d]C[one\]two \\ three" + "\\\nfour\nfive])")
    assert tree.players == [r"a]b\c:d", ""]
    assert tree.nodes[0].comment == "one]two \\ threefour\nfive"
    assert kept(tree).nodes == tree.nodes
    assert kept(tree).players == tree.players


def test_variations_in_variations() -> None:
    tree = read("(;SZ[5];B[aa](;W[bb](;B[cc])(;B[dd];W[ee]))(;W[ba]))")
    assert [node.parent for node in tree.nodes] == [-1, 0, 1, 2, 2, 4, 1]
    assert tree.moves() == [0, 6, 12]
    assert kept(tree).nodes == tree.nodes


def test_a_collection_and_what_stands_before_it() -> None:
    text = "From: me\nSubject: games (two)\n\n(;GM[1]SZ[5];B[aa])\n \n(;GM[4]SZ[15];B[hh])\n"
    one, two = sgf.read(text.encode())
    assert games.text_of(one.game) == "go:size=5"
    assert games.text_of(two.game) == "go-moku"


def test_unknown_properties_are_kept_as_they_are() -> None:
    text = r"(;SZ[5]RU[Chinese]GC[x\]y]KGSDE[]LB[aa:x\:y][bb:2];B[aa]XX[1][2]TR[aa:bb]BL[3.5])"
    back = kept(read(text))
    assert back.nodes[0].other == {
        "RU": ["Chinese"],
        "GC": [r"x\]y"],
        "KGSDE": [""],
        "LB": [r"aa:x\:y", "bb:2"],
    }
    assert back.nodes[1].other == {"XX": ["1", "2"], "TR": ["aa:bb"], "BL": ["3.5"]}


def test_old_files_have_lower_case_letters_in_names() -> None:
    tree = read("(;GaMe[1]SiZe[5]PlayerBlack[me];Black[aa];White[bb])".replace("SiZe", "SiZ"))
    assert tree.players[0] == "me"
    assert tree.moves() == [0, 6]


@pytest.mark.parametrize(
    ("charset", "name"),
    [("UTF-8", "古力"), ("Shift_JIS", "表示ソ"), ("GB18030", "古力"), ("ISO-8859-1", "Zoë")],
)
def test_charsets(charset: str, name: str) -> None:
    # the second byte of some of these is a backslash or a bracket
    data = f"(;GM[1]SZ[5]CA[{charset}]PB[{name}];B[aa])".encode(charset)
    assert read(data).players[0] == name


def test_without_a_charset() -> None:
    assert read("(;SZ[5]PB[Zoë])".encode()).players[0] == "Zoë"
    assert read("(;SZ[5]PB[Zoë])".encode("latin-1")).players[0] == "Zoë"
    assert read("(;SZ[5]PB[Zoë])".encode("utf-8-sig")).players[0] == "Zoë"
    assert read("(;SZ[5]PB[Zoë])".encode("utf-16")).players[0] == "Zoë"


# --- games ------------------------------------------------------------------------


def test_passes_of_go() -> None:
    tree = read("(;SZ[5];B[aa];W[tt];B[])")
    assert tree.moves() == [0, 25, 25]
    assert b";W[];B[]" in sgf.write([tree])


def test_handicap_stones_give_white_the_move() -> None:
    tree = read("(;SZ[9]HA[2]AB[gc][cg];W[ee];B[aa])")
    content = content_of(tree.game, last_position(tree))
    assert [int(content[cell]) for cell in (24, 56, 40, 0)] == [1, 1, 2, 1]
    assert tree.nodes[0].setup is not None
    assert tree.nodes[0].setup.turn == 1
    assert kept(tree).nodes == tree.nodes


def test_rectangles_of_stones() -> None:
    tree = read("(;SZ[5]AB[aa:cb]AW[ee]AE[ba]PL[W])")
    content = content_of(tree.game, last_position(tree)).tolist()
    assert content[:10] == [1, 1, 1, 0, 0, 1, 1, 1, 0, 0]  # added after it was emptied
    assert content[24] == 2


def test_komi_and_result() -> None:
    tree = read("(;SZ[9]KM[6.5]RE[W+Resign])")
    assert games.text_of(tree.game) == "go:komi=0/6.5"
    assert tree.result == Result((0.0, 1.0), None, "resign")
    back = sgf.write([tree])
    assert b"KM[6.5]" in back
    assert b"RE[W+R]" in back
    assert b"QUINTET" not in back


def test_a_result_that_is_not_understood_is_kept() -> None:
    tree = read("(;SZ[5]RE[B+ on the bell])")
    assert tree.result is None
    assert b"RE[B+ on the bell]" in sgf.write([tree])


def test_rules_that_sgf_cannot_tell() -> None:
    tree = tree_of(games.make("go:size=5,ko=situational"), [0])
    assert b"GM[1]" in sgf.write([tree])
    assert kept(tree).game == tree.game


def test_othello_as_its_programs_write_it() -> None:
    text = "(;GM[2]FF[4]SZ[8]AB[e4][d5]AW[d4][e5]PL[B];B[d3];W[c5])"
    tree = read(text)
    assert tree.nodes[0].setup is None
    assert [tree.game.layout().cell_name(move) for move in tree.moves()] == ["d3", "c5"]
    assert read("(;GM[2];B[dc];W[ce])").moves() == tree.moves()
    written = sgf.write([tree])
    assert b";B[d3];W[c5]" in written
    assert b"AB[e4][d5]" in written


def test_othello_passes_may_be_left_out() -> None:
    game, chance = games.make("othello"), random.Random(5)
    while True:
        position, moves = rules.new_position(game), []
        while not rules.is_over(game, position):
            moves.append(chance.choice(rules.list_legal_moves(game, position)))
            rules.play(game, position, moves[-1])
        if 64 in moves:
            break
    tree = tree_of(game, moves)
    text = sgf.write([tree]).decode().replace("\n", "")
    assert read(text.replace(";B[]", "").replace(";W[]", "")).moves() == moves


def test_go_moku_in_letters_and_numbers() -> None:
    assert read("(;GM[4]SZ[15];B[h8];W[i9])").moves() == read("(;GM[4]SZ[15];B[hh];W[ig])").moves()


def test_three_players() -> None:
    text = (
        "(;GM[Pente Three-Player]SZ[7]P1[a]P2[b]P3[c]RE[0 1 0];1[dd];2[ee];3[ff](;1[aa])(;1[bb]))"
    )
    tree = read(text)
    assert games.text_of(tree.game) == "pente:size=7,players=3"
    assert tree.players == ["a", "b", "c"]
    assert tree.result == Result((0.0, 1.0, 0.0))
    assert sgf.write([tree]).decode().replace("\n", "") == text.replace(
        "SZ", "FF[4]CA[UTF-8]AP[Quintet]SZ"
    )


def test_another_game_may_be_told() -> None:
    assert games.text_of(read("(;SZ[7];B[dd])", "pente:size=7").game) == "pente:size=7"


# --- what is wrong is told with its place ------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", r"no game; expected '\(;'"),
        ("(;SZ[5];B[aa]", r"line 1, column 14: the file ends; expected a property, ';', '\(' or"),
        ("(;SZ[5]\n;B[aa)", r"line 2, column 3: expected '\[' after B, and a '\]' that closes"),
        ("(;SZ[5];B)", r"line 1, column 10: '\)'; expected '\[' after B"),
        ("(;SZ[5];B[aa]))", r"column 15: '\)'; expected '\(;' or the end"),
        ("(;SZ[5]);B[aa]", r"column 9: ';'; expected '\(;' or the end"),
        ("(;SZ[5](B[aa]))", r"column 9: 'B'; expected ';'"),
        ("(;SZ[5](;B[aa]);W[bb])", r"column 16: ';'; expected '\(' or '\)'"),
        ("(;[aa])", r"column 3: a value; expected a property"),
        ("(;SZ[5];B[aa];W[aa])", r"column 14: move A5: not legal here"),
        ("(;SZ[5];B[aa];B[bb])", r"column 14: a move of B; expected one of W"),
        ("(;SZ[5];B[aa]W[bb])", r"column 8: several moves in one node"),
        ("(;SZ[5];B[ff])", r"column 8: 'ff' is no point; expected one from aa to ee"),
        ("(;GM[4];B[])", r"a pass, which this game has not; expected a point"),
        ("(;GM[3])", r"column 2: GM\[3\]; expected 1 \(Go\), 2 \(Othello\), 4 \(Go-Moku\)"),
        ("(;GM[Blokus])", r"GM\[Blokus\] is no game; expected one of"),
        ("(;SZ[20])", r"size=20 is not possible; expected 2 to 19"),
        ("(;SZ[9:7])", r"SZ\[9:7\]; expected a square board"),
        ("(;SZ[x])", r"SZ\[x\]; expected a size"),
        ("(;KM[6,5])", r"KM\[6,5\]; expected a number"),
        ("(;SZ[5]PL[X])", r"PL\[X\]; expected one of B, W"),
        ("(;SZ[5]AB[bb:aa])", r"'bb:aa'; expected the top left corner first"),
        ("(;QUINTET[chess])", r"no game 'chess'"),
        ("(;CA[base64])", r"CA\[base64\] is no known charset"),
        ("(;CA[idna])", r"CA\[idna\] is no known charset"),
        (b"(;CA[UTF-8]C[\xff])", r"byte 13: no utf-8 text"),
    ],
)
def test_broken_files(text: str | bytes, told: str) -> None:
    with pytest.raises(UserError, match=told):
        read(text)


def test_too_many_nodes_are_refused() -> None:
    with pytest.raises(UserError, match="more than 500000 nodes"):
        read("(" + ";" * 600_000 + ")")


def test_deep_nesting_is_no_trouble() -> None:
    assert len(read("(;SZ[5]" + "(;" * 50_000 + ")" * 50_001).nodes) == 50_001


def test_a_file_does_not_load_games_of_openspiel() -> None:
    with pytest.raises(UserError, match="unless you trust it"):
        read("(;GM[x]QUINTET[openspiel:hex(board_size=99999)])")


# --- sgfmill ------------------------------------------------------------------------------


def _random_game(text: str, seed: int, plies: int) -> GameTree:
    game, chance = games.make(text), random.Random(seed)
    position, moves = rules.new_position(game), []
    while not rules.is_over(game, position) and len(moves) < plies:
        moves.append(chance.choice(rules.list_legal_moves(game, position)))
        rules.play(game, position, moves[-1])
    tree = tree_of(game, moves, ["Zoë ]\\", "b"])
    tree.result = Result((1.0, 0.0), 2.5)
    return tree


def _cell(game: GameTree, point: tuple[int, int] | None) -> int:
    """Our move of sgfmill's row from the bottom and column."""
    size = game.game.layout().rows
    return size * size if point is None else (size - 1 - point[0]) * size + point[1]


@pytest.mark.parametrize("text", ["go:komi=0/6.5", "go:size=19", "go-moku", "go:size=5"])
def test_sgfmill_reads_what_we_write(text: str) -> None:
    for seed in range(5):
        tree = _random_game(text, seed, 60)
        tree.nodes[1].comment = "a ] and \\ and\na line"
        tree.add(0, tree.moves()[0])
        found = sgfmill.Sgf_game.from_bytes(sgf.write([tree]))
        assert found.get_size() == tree.game.layout().rows
        assert found.get_player_name("b") == "Zoë ]\\"
        assert found.get_winner() == "b"
        assert len(found.get_root()) == 2
        assert found.get_root()[0].get("C") == tree.nodes[1].comment
        moves = [node.get_move() for node in found.get_main_sequence()[1:]]
        assert [colour for colour, _ in moves] == ["b" if n % 2 == 0 else "w" for n in range(len(moves))]  # fmt: skip # noqa: E501
        assert [_cell(tree, point) for _, point in moves] == tree.moves()
        if text.startswith("go:komi"):
            assert found.get_komi() == 6.5


@pytest.mark.parametrize("text", ["go", "go:size=19", "go-moku"])
def test_we_read_what_sgfmill_writes(text: str) -> None:
    for seed in range(5):
        tree = _random_game(text, seed, 60)
        size = tree.game.layout().rows
        theirs = sgfmill.Sgf_game(size, encoding="ISO-8859-1" if seed % 2 else "UTF-8")
        theirs.root.set("PB", "Zoë ]\\")
        theirs.root.set("GM", 4 if text == "go-moku" else 1)
        for ply, move in enumerate(tree.moves()):
            row, column = divmod(move, size)
            point = (size - 1 - row, column) if move < size * size else None
            theirs.extend_main_sequence().set_move("bw"[ply % 2], point)
        theirs.root[0].set("C", "a ] and \\ and\na line")
        theirs.root.new_child().set_move("b", (0, 0))
        back = read(theirs.serialise())
        assert games.text_of(back.game) == text
        assert back.moves() == tree.moves()
        assert back.players[0] == "Zoë ]\\"
        assert back.nodes[1].comment == "a ] and \\ and\na line"
        assert back.children()[0] == [1, len(back.nodes) - 1]
        assert back.nodes[-1].move == size * (size - 1)
