"""GGF and WTHOR, Piskvork's files and pasted moves, against bytes made by hand."""

from __future__ import annotations

import datetime

import pytest

from quintet import games
from quintet.bridges import ggf, move_text, psq, sgf, wthor
from quintet.bridges.game_tree import GameTree, Result, content_of, positions
from quintet.errors import UserError
from quintet.notation import move_name

START = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"


def names(tree: GameTree) -> list[str]:
    return [move_name(tree.game, move) for move in tree.moves()]


# --- WTHOR ------------------------------------------------------------------------


def by_hand(*codes: int, score: int = 40) -> bytes:
    """A file of one game, byte by byte."""
    header = b"\x14\x1a\x0b\x12\1\0\0\0\0\0\xea\x07\x08\0\0\0"  # 0x7ea is 2026
    game = b"\x34\x12\2\0\0\1" + bytes([score, 33])  # players 2 and 256
    return header + game + bytes(codes) + bytes(60 - len(codes))


def test_wthor_bytes() -> None:
    data = by_hand(56, 64, 33)  # f5: row 5, column 6
    assert len(data) == 16 + 68
    (tree,) = wthor.read(data)
    assert names(tree) == ["f5", "d6", "c3"]
    assert tree.result == Result((40.0, 24.0))
    assert tree.nodes[0].other == {"WTHOR": ["4660:2:256:33"], "DT": ["2026"]}
    assert wthor.write([tree], datetime.date(2026, 11, 18)) == data


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "byte 0: the file ends; expected a header of 16 bytes"),
        (by_hand(56)[:-1], "byte 4: 1 games need 84 bytes, the file has 83"),
        (by_hand(56)[:12] + b"\x0a" + by_hand(56)[13:], "byte 12: a board of size 10"),
        (by_hand(56, 56), r"byte 16, after 1 moves: move f5: not legal here"),
        (by_hand(99), r"byte 16, after 0 moves: '99' is no cell; expected one from 11 to 88"),
        (by_hand(56, score=65), "65 discs of Black; expected 0 to 64"),
    ],
)
def test_broken_wthor(data: bytes, told: str) -> None:
    with pytest.raises(UserError, match=told):
        wthor.read(data)


# --- GGF ----------------------------------------------------------------------------


def test_ggf() -> None:
    text = f"1 (;GM[Othello]PC[GGS/os]PB[me]PW[you]RB[1500]RE[-4.00:t]TI[15:00//02:00]TY[8]BO[{START}]B[F5/1.50/3.2]W[d6//2]B[C3];)\n"  # noqa: E501
    (tree,) = ggf.read(text.encode())
    assert names(tree) == ["f5", "d6", "c3"]
    assert tree.players == ["me", "you"]
    assert tree.result == Result((0.0, 1.0), 4.0, "time")
    assert tree.nodes[0].setup is None
    assert tree.nodes[1].other == {"GGF": ["/1.50/3.2"]}
    written = ggf.write([tree]).decode()
    assert f"BO[{START}]" in written
    assert "RE[-4.00:t]" in written
    assert "PC[GGS/os]" in written
    assert "B[F5/1.50/3.2]W[D6//2]B[C3];)" in written
    (again,) = ggf.read(written.encode())
    assert again == tree


def test_ggf_from_another_board() -> None:
    board = "4 *OO- ---- ---- ---- *"
    (tree,) = ggf.read(f"(;GM[Othello]TY[4]BO[{board}]B[d1];)".encode())
    contents = [content_of(tree.game, position).tolist() for _, position in positions(tree)]
    assert contents[0][:4] == [1, 2, 2, 0]
    assert contents[-1][:4] == [1, 1, 1, 1]
    assert ggf.read(ggf.write([tree])) == [tree]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hello", r"line 1, column 1: expected a game: '\(;'"),
        ("(;GM[Go];)", r"GM\[Go\]; expected GM\[Othello\]"),
        ("(;GM[Othello]B[F5]", "column 19: expected a property such as"),
        ("(;GM[Othello]\nB[F5]B[D6];)", "line 2, column 6: a move of B; expected one of W"),
        ("(;GM[Othello]B[A1];)", "column 14: move a1: not legal here"),
        ("(;GM[Othello]BO[8 -- *];)", "expected 64 of"),
        ("(;GM[Othello]BO[10 -- *];)", "size=10 is not possible"),
        ("(;GM[Othello]TY[8a];)", "anti-Othello"),
    ],
)
def test_broken_ggf(text: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        ggf.read(text.encode())


# --- Piskvork -------------------------------------------------------------------------


def test_psq_of_a_tournament() -> None:
    text = (
        "Piskvorky 15x15, 11:11, 1\r\n8,8,120\r\n9,7,35\r\na.zip\r\nb.zip\r\n-1\r\n2,Freestyle\r\n"
    )
    (tree,) = psq.read(text.encode())
    assert names(tree) == ["H8", "J9"]  # without the I
    assert tree.players == ["b.zip", "a.zip"]  # the second began
    assert tree.result == Result((0.0, 1.0))
    assert tree.nodes[2].other == {"PSQMS": ["35"]}
    written = psq.write([tree])
    assert (
        written
        == text.replace(", 1\r", ", 0\r").replace("a.zip\r\nb.zip", "b.zip\r\na.zip").encode()
    )


def test_psq_without_names() -> None:
    (tree,) = psq.read(b"Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n")
    assert tree.players == ["", ""]
    assert psq.write([tree]) == b"Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\n-1\r\n"


def test_psq_on_the_board_of_gomocup() -> None:
    (tree,) = psq.read(b"Piskvorky 20x20, 11:11, 0\r\n20,1,15\r\n1,20,7\r\n-1\r\n")
    assert games.text_of(tree.game) == "go-moku:rows=20,columns=20"
    assert tree.moves() == [19, 380]


def test_psq_by_the_standard_rule() -> None:
    (tree,) = psq.read(b"Piskvorky 15x15, 0:0, 0\na\nb\n-1\n1,Standard\n")
    assert games.text_of(tree.game) == "go-moku:exact=yes"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: ''; expected one such as"),
        ("Piskvorky 21x21, 0:0, 0\n", "line 1: rows=21 is not possible"),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n", "line 3: move H8: not legal here"),
        ("Piskvorky 15x15, 0:0, 0\n16,1,0\n", "line 2: '16,1' is no cell"),
    ],
)
def test_broken_psq(text: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        psq.read(text.encode())


# --- pasted moves -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "text", "expected"),
    [
        ("othello", "f5d6c3", ["f5", "d6", "c3"]),
        ("othello", "1. F5 d6 2. C3", ["f5", "d6", "c3"]),
        ("connect-four", "4453", ["d", "d", "e", "c"]),
        ("connect-four", "4 4, 5 3", ["d", "d", "e", "c"]),
        ("go-moku", "h8i9j10", ["H8", "J9", "K10"]),
        ("pente", "1. K10 L9 2. J8", ["K10", "L9", "J8"]),
        ("go", "E5 pass c3", ["E5", "pass", "C3"]),
        ("pentago", "b2:1L c3:4R", ["b2:1L", "c3:4R"]),
    ],
)
def test_pasted_moves(game: str, text: str, expected: list[str]) -> None:
    (tree,) = move_text.read(text.encode(), games.make(game))
    assert names(tree) == expected
    (again,) = move_text.read(move_text.write([tree]), tree.game)
    assert again == tree


def test_lines_are_games() -> None:
    trees = move_text.read(b"f5d6\n\nd3c5e6\n", games.make("othello"))
    assert [len(tree.moves()) for tree in trees] == [2, 3]


@pytest.mark.parametrize(
    ("game", "text", "told"),
    [
        ("othello", "f5d6\nf5f5", "line 2: move f5: not legal here"),
        ("othello", "f5 x9", "line 1: 'x9' is no cell"),
        ("connect-four", "48", "line 1: '8' is no column; expected one from 1 to 7"),
        ("connect-four", "4444444", "line 1: move d: not legal here"),
        ("go-moku", "h8pass", "is a pass, which this game has not"),
        ("othello", " \n", "line 1: no moves"),
    ],
)
def test_broken_pastes(game: str, text: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        move_text.read(text.encode(), games.make(game))


def test_pasted_moves_need_a_game() -> None:
    with pytest.raises(UserError, match="expected --game"):
        move_text.read(b"f5")


def test_a_property_of_ggf_is_not_taken_for_stones_by_sgf() -> None:
    (tree,) = ggf.read(b"(;GM[Othello]BO[8]B[d3]AB[a1]W[c3]PL[x]C[y]SZ[3];)")
    (back,) = sgf.read(sgf.write([tree]))
    assert back.moves() == tree.moves()
    assert all(node.setup is None and not node.comment for node in back.nodes)
    (again,) = ggf.read(ggf.write([tree]))
    assert again.moves() == tree.moves()
