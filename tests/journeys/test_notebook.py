"""The tour in docs/ shows what its cells give."""

from __future__ import annotations

import json

from tests.journeys.notebook import TOUR, run


def test_the_tour_is_as_it_was_executed() -> None:
    stored = json.loads(TOUR.read_text())
    for now, then in zip(run(TOUR)["cells"], stored["cells"], strict=True):
        assert now == then, "".join(then["source"])
    kinds = [
        kind
        for cell in stored["cells"]
        for out in cell.get("outputs", ())
        for kind in out.get("data", ())
    ]
    assert kinds.count("image/svg+xml") >= 4
