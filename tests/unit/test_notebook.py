"""The Python surface: games, positions that draw themselves, players and matches."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import quintet
from quintet import drawing, games, notation, rules

SVG = "{http://www.w3.org/2000/svg}"


def test_what_is_exported_is_there() -> None:
    for name in quintet.__all__:
        assert getattr(quintet, name).__name__ == name
        assert name in dir(quintet)
    with pytest.raises(AttributeError, match="'nothing'"):
        quintet.nothing  # noqa: B018


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, quintet; dir(quintet); print({'numba', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_games_are_made_from_text_and_settings() -> None:
    game = quintet.make("pente:size=7", players=3, centre=False)
    assert repr(game) == "quintet.make('pente:size=7,players=3,centre=no')"
    assert game == quintet.make("pente", size=7, players=3, centre=False)
    assert game.parameters == games.make("pente:size=7,players=3,centre=no")
    assert "uct" in game.players()
    with pytest.raises(quintet.UserError, match="did you mean 'players'"):
        quintet.make("pente", player=3)


def test_positions_do_not_change() -> None:
    start = quintet.make("tic-tac-mo").start()
    position = start.play("a1 b1", "c1").play(3)
    assert start.moves == []
    assert position.moves == ["a1", "b1", "c1", "d3"]
    assert position.turn == 1
    assert position.back(3).moves == ["a1"]
    assert position.stones.tolist() == [[0, 0, 0, 1, 0], [0] * 5, [1, 2, 3, 0, 0]]
    assert "a1" not in position.legal
    assert position.game.read(str(position)).legal == position.legal
    with pytest.raises(quintet.IllegalMove, match="a1"):
        position.play("a1")
    with pytest.raises(quintet.UserError, match="only 4"):
        position.back(5)


def test_observations_are_those_of_the_rules() -> None:
    position = quintet.make("tic-tac-mo").start().play("a1 b1")
    assert position.observe().shape == (6, 3, 5)
    assert (position.observe(0)[:3].sum(axis=(1, 2)) == [1, 1, 0]).all()
    assert (position.observe(1)[:3].sum(axis=(1, 2)) == [1, 0, 1]).all()
    assert (position.observe() == position.observe(2)).all()
    with pytest.raises(quintet.UserError, match="0 to 2"):
        position.observe(3)


def test_players_play_a_game() -> None:
    game = quintet.make("tic-tac-toe")
    last = game.play("greedy", "random", seed=4)
    assert last.is_over
    assert last.scores is not None
    assert sum(last.scores) == 1
    assert game.play("greedy", "random", seed=4).moves == last.moves
    assert len({tuple(game.play("random", "random", seed=n).moves) for n in range(5)}) > 1
    assert game.start().scores is None
    with pytest.raises(quintet.UserError, match="expected one for each"):
        game.play("random")


def test_a_match_is_a_table() -> None:
    match = quintet.make("tic-tac-toe").match("greedy", "random", games=40, seed=1)
    assert match.standings[0].player == "greedy"
    assert repr(match).splitlines()[1].split()[:3] == ["greedy", "all", "40"]
    assert match._repr_html_().count("<tr>") == 7  # a heading, and each player overall and twice


def test_a_search_tells_what_it_found() -> None:
    position = quintet.make("tic-tac-toe").start().play("a1 b1 a2 b2")
    found = position.think("uct:sims=300")
    assert found.move == "a3"
    assert found.rows()[0][0] == "a3"
    assert found.line[0] == "a3"
    assert "plays a3" in repr(found)
    assert "<b>a3</b>" in found._repr_html_()
    assert position.think("greedy").rows() == []
    with pytest.raises(quintet.UserError, match="over"):
        position.play("a3").think()


# --- drawings ---------------------------------------------------------------------


def _drawn(position: quintet.Position) -> ET.Element:
    return ET.fromstring(position._repr_svg_())


def _stones(image: ET.Element) -> list[tuple[float, float, str]]:
    """Where stones are, and their colours."""
    found = []
    for group in image.iter(f"{SVG}g"):
        if "scale" in group.get("transform", ""):
            x, y = group.get("transform", "")[10:].split(")")[0].split()
            circle = group.find(f"{SVG}circle")
            assert circle is not None
            found.append((float(x), float(y), str(circle.get("fill"))))
    return found


@pytest.mark.parametrize("text", [*games.BUILT_IN, "go:size=5,players=4", "pente:players=3"])
def test_every_stone_is_drawn_where_it_is(text: str) -> None:
    game = games.make(text)
    position = quintet.Position(quintet.Game(game), rules.new_position(game))
    for _ in range(5):
        legal = position.legal
        position = position.play(legal[len(legal) // 3])
    stones = _stones(_drawn(position))
    seats = [owner - 1 for owner in position.stones.ravel() if owner]
    assert [colour for *_, colour in stones] == [drawing.SEATS[seat] for seat in seats]
    rows, columns = np.nonzero(position.stones)
    # rows from the top, columns from the left
    for axis, places in ((0, columns), (1, rows)):
        order = [stone[axis] for stone in stones]
        assert (np.argsort(order, kind="stable") == np.argsort(places, kind="stable")).all()
    ours = f"{notation.picture(game, position.record)}"
    assert _drawn(position).findtext(f"{SVG}title") == ours


def _rings(image: ET.Element) -> int:
    return len([c for c in image.iter(f"{SVG}circle") if c.get("r") == ".74"])


def test_the_last_move_is_marked_where_it_is_now() -> None:
    start = quintet.make("pentago").start()
    assert _rings(_drawn(start)) == 0
    position = start.play("a1:1R")
    assert _rings(_drawn(position)) == 1
    cells = [drawing.cells_of(start.game.parameters, p.record) for p in (start, position)]
    move = notation.parse_move(start.game.parameters, "a1:1R")
    assert drawing.last_cell(start.game.parameters, *cells, move) == 2  # c1
    assert position.stones[0, 2] == 1
    fallen = quintet.make("connect-four").start().play("d d")
    cells = [drawing.cells_of(fallen.game.parameters, p.record) for p in (fallen.back(), fallen)]
    assert drawing.last_cell(fallen.game.parameters, *cells, 3) == 31


def test_seats_have_marks_where_there_are_more_than_two() -> None:
    for text, marks in (("tic-tac-toe", 0), ("tic-tac-mo", 2)):
        image = _drawn(quintet.make(text).start().play("a1 b1"))
        paths = [p for g in image.iter(f"{SVG}g") for p in g.findall(f"{SVG}path")]
        assert len(paths) == marks


def test_captures_and_winning_lines_are_shown() -> None:
    pente = quintet.make("pente:size=7,centre=no").start().play("A1 B1 A7 C1")
    assert "stroke-dasharray" not in pente.svg()
    assert pente.play("D1").svg().count("stroke-dasharray") == 2
    won = quintet.make("tic-tac-toe").start().play("a1 b1 a2 b2 a3")
    assert len(_drawn(won).findall(f"{SVG}polyline")) == 2
    assert len(_drawn(won.back()).findall(f"{SVG}polyline")) == 0


def test_a_drawing_can_be_made_wider() -> None:
    image = ET.fromstring(quintet.make("go").start().svg(width=900))
    assert (image.get("width"), image.get("height")) == ("900", "900")


def test_training_gives_a_player_and_goes_on_where_it_was(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINTET_RUNS", str(tmp_path))
    game = quintet.make("tic-tac-toe")
    learnt = game.train("ntuple:games=200", name="small", seed=1)
    assert learnt == "run:small"
    assert game.play(learnt, "random").is_over
    written = (tmp_path / "small" / "run.toml").read_bytes()
    assert game.train("ntuple:games=200", name="small", seed=1) == learnt
    assert (tmp_path / "small" / "run.toml").read_bytes() == written
    with pytest.raises(quintet.UserError, match="other settings"):
        game.train("ntuple:games=400", name="small", seed=1)
    with pytest.raises(quintet.UserError, match="no name of a run"):
        game.train("ntuple", name="../small")
