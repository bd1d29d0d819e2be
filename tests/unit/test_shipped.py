"""Models that come with Quintet: they load, they play, and their cards are complete."""

from __future__ import annotations

import pathlib
import shutil

import pytest
from click.testing import CliRunner

from quintet import games, rules
from quintet.cli import main
from quintet.errors import UserError
from quintet.players import make_player
from quintet.players.player import Seat
from quintet.runs import shipped
from quintet.runs.files import read_description
from quintet.runs.trained import shipped_for

PLIES = 8
MOST_BYTES = 1_000_000  # of one that comes along

CARD = """
summary = "plays"
made = "quintet train toy"
commit = "abc"
[[strength]]
against = "random"
games = 10
wins = 0.5
interval = [0.2, 0.8]
command = "quintet match"
"""
DESCRIBED = {"game": "othello", "learner": "esp", "seed": "1", "step": "2"}


@pytest.mark.parametrize("name", shipped.names())
def test_each_plays_and_its_card_is_complete(name: str) -> None:
    card = shipped.card_of(name)
    assert card.strengths
    assert all(strength.games >= 200 for strength in card.strengths)
    game = games.make(card.game)
    seat = Seat(make_player(card.player, game), game)
    position = rules.new_position(game)
    seat.begin()
    for _ in range(PLIES):
        move = seat.choose(position)
        seat.watch(position, move)
        rules.checked_play(game, position, move)
    assert card in shipped_for(game)


def test_there_are_some_and_they_are_small() -> None:
    files = list(shipped.FOLDER.glob("*"))
    assert any(file.suffix == shipped.SUFFIX for file in files)
    cards = {file.stem for file in files if file.suffix == ".toml"}
    assert cards == set(shipped.names())
    assert all(file.stat().st_size < MOST_BYTES for file in files)


def test_a_model_is_offered_only_where_it_plays() -> None:
    everything = shipped_for()
    assert len(everything) == len(shipped.names())
    assert not shipped_for(games.make("tic-tac-mo:columns=6"))
    for card in shipped_for(games.make("pente:size=7")):
        assert card.game.startswith("pente")


def test_a_name_is_not_a_file() -> None:
    assert shipped.is_shipped("pente-7")
    for text in ("pente.safetensors", "a/b", "/etc/passwd", "..", "", "A\0"):
        assert not shipped.is_shipped(text)
    with pytest.raises(UserError, match=r"no model 'nobody' comes with Quintet; .*nobody\.safet"):
        make_player("model:nobody", games.make("othello"))


@pytest.mark.parametrize("word", ["summary", "made", "commit", "against", "games", "interval"])
def test_a_card_must_be_complete(word: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "it.toml"
    path.write_text(CARD)
    assert shipped.read_card(path, "it", DESCRIBED).strengths[0].wins == 0.5
    path.write_text(CARD.replace(f"{word} =", "other ="))
    with pytest.raises(UserError, match="no complete card"):
        shipped.read_card(path, "it", DESCRIBED)
    path.write_text(CARD.replace("0.2, 0.8", "0.6, 0.8"))
    with pytest.raises(UserError, match="in order"):
        shipped.read_card(path, "it", DESCRIBED)


def test_a_run_becomes_a_small_file_that_plays_the_same(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINTET_RUNS", str(tmp_path))
    settings = ["--set", "net=perceptron(hidden=2)", "--set", "generations=1", "--set", "matches=1"]
    train = ["train", "esp", "--game", "tic-tac-toe", "--name", "a", "--seed", "1", *settings]
    assert CliRunner().invoke(main, train).exit_code == 0
    file = tmp_path / "small.safetensors"
    assert CliRunner().invoke(main, ["export", "a", str(file)]).exit_code == 0
    assert file.stat().st_size < 2000
    assert read_description(file)["step"] == "1"
    game = games.make("tic-tac-toe")
    ours, theirs = (make_player(text, game) for text in ("run:a", f"model:{file}"))
    assert (ours.network.outward == theirs.network.outward).all()
    assert (ours.network.inward == theirs.network.inward).all()
    bad = CliRunner().invoke(main, ["export", "a", str(tmp_path / "small.bin")])
    assert bad.exit_code == 2
    shutil.rmtree(tmp_path / "a")


def test_models_are_listed() -> None:
    listed = CliRunner().invoke(main, ["models"]).output
    assert all(f"model:{name}" in listed for name in shipped.names())
    assert "model:" not in CliRunner().invoke(main, ["models", "tic-tac-toe"]).output
    (card, *_) = shipped_for()
    shown = CliRunner().invoke(main, ["models", card.game]).output
    assert card.strengths[0].command in shown.replace("\n", "")
