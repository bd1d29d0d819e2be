"""Lines of JSON: answers are as the schema says, several requests at once, any can be stopped."""

from __future__ import annotations

import json
import pathlib
import random
import time
from typing import Any

import jsonschema_rs
import pytest

from quintet.bridges.channel import Channel
from quintet.bridges.jsonl_requests import (
    FIELDS,
    LONGEST_LINE,
    REQUESTS,
    SCHEMA,
    Problem,
    read_request,
)
from quintet.bridges.jsonl_server import Bounds, Server
from tests.unit.engine_talk import Talk

DESCRIBED = json.loads(SCHEMA.read_text())


def _validator(part: str) -> Any:
    return jsonschema_rs.validator_for({**DESCRIBED, "oneOf": [{"$ref": f"#/$defs/{part}"}]})


ANSWER, REQUEST = _validator("answer"), _validator("request")
ELBOW = str(pathlib.Path(__file__).parents[2] / "examples" / "elbow_room.py:ElbowRoom:size=4")


class Client:
    """Sends requests, and checks every answer against the schema."""

    def __init__(self, bounds: Bounds | None = None, trust: bool = False) -> None:
        def serve(channel: Channel) -> None:
            Server(channel, bounds or Bounds(at_once=2, seconds=30), trust).serve()

        self.talk = Talk(serve)

    def send(self, **request: Any) -> None:
        assert REQUEST.is_valid(request), request
        self.talk.say(json.dumps(request))

    def get(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.talk.until("\n"))
        ANSWER.validate(answer)
        return answer

    def ask(self, **request: Any) -> dict[str, Any]:
        self.send(id="it", **request)
        answer = self.get()
        assert answer["id"] == "it"
        return answer

    def refused(self, **request: Any) -> str:
        answer = self.ask(**request)
        assert answer["type"] == "error", answer
        return f"{answer['problem']['code']}: {answer['problem']['message']}"


def test_what_there_is() -> None:
    it = Client()
    assert it.ask(do="about")["protocol"] == 1
    assert "pente" in it.ask(do="games")["games"]
    found = it.ask(do="players", game="tic-tac-mo")["players"]
    assert "uct" in found
    assert "alphabeta" not in found  # it is for two
    it.talk.end()


def test_positions_of_any_game_and_players_own() -> None:
    it = Client(trust=True)
    three = it.ask(do="position", game="pente:size=7,players=3", moves=["D4", 0])
    assert (three["seats"], three["turn"], three["cells"][24], three["cells"][0]) == (3, 2, 1, 2)
    assert {"move": 1, "name": "B7"} in three["legal"]
    again = it.ask(do="position", game="pente:size=7,players=3", picture=three["picture"])
    assert again["cells"] == three["cells"]
    over = it.ask(do="position", game="tic-tac-toe", moves=[0, 3, 1, 4, 2])
    assert (over["turn"], over["legal"], over["scores"]) == (None, [], [1.0, 0.0])
    assert it.ask(do="position", game=ELBOW)["rows"] == 4
    it.talk.end()


def test_a_choice_is_the_same_for_the_same_seed() -> None:
    it = Client()
    wanted = {"do": "choose", "game": "tic-tac-mo", "player": "uct:sims=300", "seed": 5, "most": 4}
    first, second = it.ask(**wanted), it.ask(**wanted)
    first.pop("seconds")
    second.pop("seconds")
    assert first == second
    assert len(first["moves"]) == 4
    assert len(first["moves"][0]["values"]) == 3
    assert first["moves"][0]["line"][0] == first["moves"][0]["name"] == first["best"]["name"]
    assert it.ask(do="choose", game="tic-tac-mo", player="random")["moves"] == []
    it.talk.end()


def test_all_plies_of_a_game_are_analysed() -> None:
    it = Client()
    it.send(id=9, do="analyse", game="tic-tac-toe", player="uct:sims=200", moves=["a1", "b2", "c3"], plies=[3, 0, 1])  # fmt: skip # noqa: E501
    found = [it.get() for _ in range(3)]
    assert [(one["ply"], one["seat"]) for one in found] == [(3, 1), (0, 0), (1, 1)]
    assert all(one["finished"] and not one["stopped"] for one in found)
    it.talk.end()


def test_reports_on_the_way_until_it_is_stopped() -> None:
    it = Client()
    it.send(
        id="deep", do="analyse", game="tic-tac-mo", player="uct:sims=0,seconds=1000", every=0.05
    )
    reports = [it.get() for _ in range(3)]
    assert not any(one["finished"] for one in reports)
    visits = [sum(move["visits"] for move in one["moves"]) for one in reports]
    assert visits == sorted(visits)
    it.send(id="s", do="stop", stop="deep")
    rest = [it.get(), it.get()]
    while not any(one.get("finished") for one in rest):
        rest.append(it.get())
    assert rest[-1]["stopped"] or rest[-1]["found"]
    assert any(one["id"] == "s" and one["found"] for one in rest)
    it.send(id="s", do="stop", stop="deep")
    assert it.get()["found"] is False
    it.talk.end()


def test_requests_are_answered_in_any_order() -> None:
    it = Client(Bounds(at_once=2, seconds=1000))
    it.send(id="slow", do="choose", game="tic-tac-mo", player="uct:sims=0,seconds=1000")
    time.sleep(0.5)
    for number in range(5):
        it.send(id=number, do="choose", game="tic-tac-toe", player="greedy")
    assert sorted(it.get()["id"] for _ in range(5)) == list(range(5))
    it.send(id="twice", do="stop", stop="slow")
    answers = {one["id"]: one for one in (it.get(), it.get())}
    assert answers["twice"]["found"]
    assert answers["slow"]["stopped"]
    it.talk.end()


def test_too_many_requests_are_refused_and_the_others_answered() -> None:
    it = Client(Bounds(at_once=1, waiting=2, seconds=0.5))
    for number in range(6):
        it.send(id=number, do="choose", game="tic-tac-mo", player="uct:sims=0,seconds=1000")
    found = [it.get() for _ in range(6)]
    problems = [one["problem"]["code"] for one in found if one["type"] == "error"]
    assert problems == ["busy"] * 3
    assert sum(one["type"] == "choice" for one in found) == 3
    it.talk.end()


def test_an_id_is_used_once_at_a_time_and_the_end_waits_for_answers() -> None:
    it = Client(Bounds(at_once=1, seconds=0.5))
    for _ in range(2):
        it.send(id="x", do="choose", game="tic-tac-mo", player="uct:sims=0,seconds=1000")
    assert "not answered yet" in it.get()["problem"]["message"]
    it.talk.end()
    assert it.get()["type"] == "choice"


def test_mistakes_are_named() -> None:
    it = Client()
    assert it.refused(do="position", game="chess").startswith("invalid: no game 'chess'")
    assert it.refused(do="position", game=ELBOW).startswith("invalid: the game")  # not trusted
    told = it.refused(do="position", game="tic-tac-toe", moves=["b2", "b2"])
    assert told == "illegal: move 2: move b2: not legal here"
    assert it.refused(do="choose", game="tic-tac-mo", player="alphabeta").startswith("invalid: ")
    over = {"game": "tic-tac-toe", "moves": [0, 3, 1, 4, 2], "player": "random"}
    assert it.refused(do="choose", **over) == "illegal: the game is over after 5 plies"
    assert "expected 0 to 5" in it.refused(do="analyse", plies=[6], **over)
    for line, told in (
        ("{", "no JSON"),
        ("[1]", "expected an object with an id"),
        ('{"id": 1, "do": "dance"}', "do 'dance'; expected one of"),
        ('{"id": 1, "do": "choose", "game": "go"}', "no player; expected a player"),
        ('{"id": 1, "do": "games", "game": "go"}', "no field 'game'; expected nothing else"),
        ('{"id": 1, "do": "stop", "stop": NaN}', "NaN is no number of JSON"),
        ("[" * 100_000, "no JSON"),
        ('"' + "x" * LONGEST_LINE, "a line of more than"),
    ):
        it.talk.say(line)
        assert told in it.get()["problem"]["message"]
    it.talk.end()


# --- the schema and the code say the same ---------------------------------------------

VALUES: list[Any] = ["x", "a" * 501, "", "tic-tac-toe", "random", 0, 1, -1, 2.0, 0.5, 1e400, 2**53, 2**53 + 1, 10**30, True, None, [], [0], ["a1", 0], [1.0], ["x" * 41], [[0]], [-1], {}, {"a": 1}, 1001, 0.001, 3600, "a" * 4001]  # fmt: skip # noqa: E501


def _random_request(chance: random.Random) -> dict[str, Any]:
    do = chance.choice([*REQUESTS, "dance", 3])
    required, others = REQUESTS.get(do, ((), ()))  # type: ignore[arg-type]
    names = [*required, *chance.sample(others, chance.randrange(len(others) + 1))]
    good = {"game": "tic-tac-toe", "player": "random", "moves": ["a1", 4], "picture": "x", "seed": 1, "seconds": 1, "most": 5, "every": 1, "plies": [0], "stop": "y"}  # fmt: skip # noqa: E501
    found = {"id": chance.choice(["i", 7]), "do": do, **{name: good[name] for name in names}}
    for _ in range(chance.choice((0, 0, 1, 2))):
        name = chance.choice([*found, *FIELDS, "other"])
        if chance.random() < 0.3:
            found.pop(name, None)
        else:
            found[name] = chance.choice(VALUES)
    return found


def _accepts(request: dict[str, Any]) -> bool:
    try:
        read_request(json.dumps(request))
    except Problem:
        return False
    return True


def test_the_schema_accepts_what_the_server_accepts() -> None:
    chance, accepted = random.Random(4), 0
    for _ in range(3000):
        request = _random_request(chance)
        if any(value == float("inf") for value in request.values()):
            continue  # no number of JSON
        assert _accepts(request) == REQUEST.is_valid(request), request
        accepted += _accepts(request)
    assert 300 < accepted < 2700


# --- lines that nobody should send ------------------------------------------------------


class _Listed:
    """A channel that keeps what is said."""

    gone = False

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)


def _fuzz(count: int, seed: int) -> None:
    chance, channel = random.Random(seed), _Listed()
    server = Server(channel, Bounds(at_once=1, waiting=10, seconds=0.02))  # type: ignore[arg-type]
    asked = 0
    for _ in range(count):
        request = {**_random_request(chance), "id": asked}
        line = json.dumps(request)
        if chance.random() < 0.3:
            at = chance.randrange(len(line))
            line = line[:at] + chr(chance.randrange(300)) + line[at + chance.randrange(3) :]
        if "players=" in line or not line.strip():
            continue
        asked += 1
        server.take(line)
        while len(server._tasks) > 5:
            time.sleep(0.0005)
    server._pool.shutdown()
    for text in channel.said:
        assert text.count("\n") == 1
        ANSWER.validate(json.loads(text))
    assert len(channel.said) == asked
    assert not any('"failed"' in text for text in channel.said)


def test_mutated_lines() -> None:
    _fuzz(400, 1)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_many_mutated_lines() -> None:
    _fuzz(100_000, 2)
