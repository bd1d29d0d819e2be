"""What random games come to, against Go's own count of the area."""

from __future__ import annotations

import numpy as np
import pytest

from quintet import games, rules
from quintet.randomness import seeded
from quintet.search.playouts import survey


@pytest.mark.parametrize("text", ["go:size=5", "go:size=5,players=3"])
def test_cells_have_the_owners_that_the_area_is_counted_for(text: str) -> None:
    game = games.make(text)
    moves = rules.move_buffer(game)
    for seed in range(20):
        position = rules.new_position(game)
        rules.play_out(game, position, moves, seeded(seed))
        found = survey(game, position, seeded(0), 1)  # nothing is left to play
        assert found.owned.sum(axis=1).tolist() == found.scores
        assert found.scores == rules.list_scores(game, position)


def test_means_of_many_games() -> None:
    game = games.make("go:size=5")
    position = rules.new_position(game)
    before = position.tobytes()
    found = survey(game, position, seeded(3), 400)
    assert position.tobytes() == before
    assert np.allclose(found.owned.sum(axis=1), found.scores)
    assert found.scores[0] > found.scores[1]  # who begins has more
    assert 0 <= found.owned.min() <= found.owned.max() <= 1
