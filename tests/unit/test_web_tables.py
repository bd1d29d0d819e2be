"""A table by itself: the tree of moves, undo and redo, resignations, pictures, seats."""

from __future__ import annotations

import pytest

from quintet import drawing, games, notation, rules
from quintet.layout import Layout
from quintet.web import boards
from quintet.web.messages import SeatWanted
from quintet.web.problems import Refused
from quintet.web.seats import Occupant, hashed, matches, new_secret, seats_of
from quintet.web.tables import Table, seated

MANY = 1_000


def table_of(text: str, *players: int) -> Table:
    """A table where the seats in `players` are the computer's."""
    game = games.make(text)
    seats = [
        Occupant("player", player="random") if seat in players else Occupant("here")
        for seat in range(game.limits().seats)
    ]
    return Table("table-1", game, hashed("owner"), seats)


def played(table: Table, *moves: int) -> Table:
    for move in moves:
        table.move(table.node, move, MANY)
    return table


def test_a_move_made_before_leads_to_the_same_node() -> None:
    table = played(table_of("tic-tac-toe"), 4, 0)
    table.go_to(1)
    assert table.move(1, 0, MANY) == 2
    assert table.move(1, 8, MANY) == 3
    assert [node.parent for node in table.nodes_from(0)] == [None, 0, 1, 1]


def test_an_illegal_move_changes_nothing() -> None:
    table = played(table_of("tic-tac-toe"), 4)
    with pytest.raises(Refused, match="b2: not legal here") as refusal:
        table.move(1, 4, MANY)
    assert refusal.value.problem.code == "illegal"
    assert (table.node, len(table.tree.nodes)) == (1, 2)
    with pytest.raises(Refused, match="number 77"):
        table.move(1, 77, MANY)


def test_undo_goes_back_to_a_person_and_redo_forward_again() -> None:
    table = played(table_of("tic-tac-toe", 1), 4, 0, 8, 1)
    table.undo(None)
    assert (table.node, table.paused) == (2, False)
    table.undo(1)
    assert (table.node, table.paused) == (1, True)  # the player's turn: it waits
    table.redo(None)
    assert table.node == 2
    table.redo(100)
    assert table.node == 4
    with pytest.raises(Refused, match="nothing to redo"):
        table.redo(None)


def test_redo_follows_the_variation_that_was_left() -> None:
    table = played(table_of("tic-tac-toe"), 4, 0)
    table.go_to(1)
    played(table, 8)
    table.go_to(2)
    table.go_to(0)
    assert table.tree.ahead(0) == [1, 2]


def test_undo_at_a_table_of_players_goes_back_one_ply_and_waits() -> None:
    table = played(table_of("tic-tac-toe", 0, 1), 4, 0)
    table.undo(None)
    assert (table.node, table.paused) == (1, True)


def test_a_resignation_ends_the_game_and_can_be_taken_back() -> None:
    table = played(table_of("tic-tac-mo"), 7)
    table.resign(1, MANY)
    shown = table.shown(table.node)
    assert (shown.over, shown.turn, shown.legal) == (True, None, [])
    assert shown.scores == [0.5, 0.0, 0.5]
    assert shown.result == "Player 2 resigns; Player 1 and Player 3 share the win."
    with pytest.raises(Refused, match="over"):
        table.move(table.node, 0, MANY)
    table.undo(1)
    assert not table.is_over(table.node)


def test_a_tree_has_a_limit() -> None:
    table = played(table_of("tic-tac-toe"), 4)
    with pytest.raises(Refused, match="2 moves were tried"):
        table.move(1, 0, 2)


def test_a_picture_begins_a_round_and_a_wrong_one_changes_nothing() -> None:
    table = played(table_of("tic-tac-toe"), 4)
    with pytest.raises(ValueError, match="rows"):
        table.begin("nonsense")
    assert (table.round, table.node) == (1, 1)
    picture = "  a b c\n3 X X .\n2 O O .\n1 . . .\nturn: 0"
    table.begin(picture)
    assert (table.round, table.node, len(table.tree.nodes)) == (2, 0, 1)
    assert table.shown(0).picture == picture
    played(table, 2)
    shown = table.shown(table.node)
    assert (shown.winning, shown.result) == ([[0, 1, 2]], "Player 1 wins.")


def test_positions_that_were_forgotten_are_replayed() -> None:
    table = played(table_of("tic-tac-toe"), 4, 0, 8)
    before = table.shown(3)
    table._positions.clear()
    assert table.shown(3) == before
    assert table.shown(1).cells[4] == 1


def test_othello_tells_what_turned_and_counts_discs() -> None:
    table = table_of("othello")
    first = table.shown(0).legal[0]
    played(table, first)
    shown = table.shown(1)
    assert shown.last is not None
    assert shown.last.cell == first
    assert len(shown.last.changed) == 2  # the new disc and the one it turned
    assert shown.points == [4.0, 1.0]


def test_connect_four_tells_where_the_stone_fell() -> None:
    table = played(table_of("connect-four"), 3, 3)
    last = table.shown(2).last
    assert last is not None
    assert (last.cell, last.changed) == (31, [31])
    assert table.board.moves[3].cells == [3, 10, 17, 24, 31, 38]


def test_pentago_moves_tell_cell_block_and_direction() -> None:
    game = games.make("pentago")
    board = boards.board_of(game)
    assert len(board.moves) == 288
    shown = board.moves[notation.parse_move(game, "b2:4R")]
    assert (shown.cells, shown.block[0], shown.block[-1], shown.clockwise) == ([7], 21, 35, True)
    # what is said to turn is what the rules turn
    position = rules.new_position(game)
    rules.play(game, position, notation.parse_move(game, "a1:1R"))
    assert [cell for cell, owner in enumerate(drawing.cells_of(game, position)) if owner] == [2]


def test_pente_tells_captured_stones() -> None:
    table = table_of("pente:size=7,centre=no")
    names = ["A1", "B1", "A2", "C1", "D1"]
    played(table, *(notation.parse_move(table.game, name) for name in names))
    shown = table.shown(table.node)
    assert shown.facts["captured"] == [2, 0]
    assert shown.last is not None
    assert len(shown.last.changed) == 3


@pytest.mark.parametrize(
    ("lines", "stars"),
    [(19, 9), (15, 5), (13, 5), (9, 5), (7, 5), (5, 1)],
)
def test_star_points(lines: int, stars: int) -> None:
    layout = Layout(lines, lines, "points")
    assert len(layout.stars) == stars
    assert {layout.cells - 1 - cell for cell in layout.stars} == set(layout.stars)


def test_a_draw_by_points_and_a_shared_win() -> None:
    go, mo = games.make("go:size=5"), games.make("tic-tac-mo")
    names = ["A", "B", "C"]
    assert boards.result(go, [12.5, 12.5], names[:2]) == "A draw (12.5, 12.5)."
    assert boards.result(mo, [0.0, 0.5, 0.5], names) == "B and C share the win."


def test_only_the_winners_lines_are_marked() -> None:
    game = games.make("k-in-a-row:rows=4,columns=4,k=3,exact=yes")
    cells = [1, 1, 1, 0, 2, 2, 2, 0, 1, 1, 1, 1, 0, 0, 0, 0]
    assert drawing.winning_lines(game, cells, [1.0, 0.0]) == [
        [0, 1, 2]
    ]  # four are not exactly three


def test_invitations_are_good_once_and_tokens_for_their_seat() -> None:
    table = table_of("tic-tac-toe")
    key = table.sit(1, SeatWanted(kind="elsewhere"))
    assert key.invitation is not None
    assert not table.seats_shown(set())[1].claimed
    taken = table.claim(key.invitation, "Ann")
    assert taken.token is not None
    assert seats_of([taken.token], table.seats) == {1}
    assert table.names() == ["Player 1", "Ann"]
    with pytest.raises(Refused, match="no longer"):
        table.claim(key.invitation, "Bob")


def test_secrets_are_kept_as_hashes() -> None:
    secret = new_secret()
    occupant, key = seated(0, SeatWanted(kind="here"))
    assert key.token not in vars(occupant).values()
    assert matches(secret, hashed(secret))
    assert not matches(secret, hashed(new_secret()))
    assert not matches(secret, None)


def test_a_player_needs_a_text_and_a_person_none() -> None:
    for wanted in (SeatWanted(kind="player"), SeatWanted(kind="here", player="random")):
        with pytest.raises(Refused, match="expected a player's text"):
            seated(0, wanted)
