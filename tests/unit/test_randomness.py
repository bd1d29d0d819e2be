"""Random numbers: the published ones of splitmix64, evenly spread, and streams apart."""

from __future__ import annotations

import numpy as np
import pytest

from quintet.compiled import jit
from quintet.randomness import Random, below, next_word, seed_stream, seeded, uniform

PUBLISHED = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC],
    1234567: [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431],
}


@pytest.mark.parametrize("state", PUBLISHED)
def test_the_words_of_splitmix64(state: int) -> None:
    random = np.array([state], np.uint64)
    assert [int(next_word(random)) for _ in range(4)] == PUBLISHED[state]


@jit
def tally(random: Random, counts: np.ndarray, numbers: int) -> None:
    """Count how often each number below len(counts) comes."""
    for _ in range(numbers):
        counts[below(random, len(counts))] += 1


# (limit, what chi-square exceeds once in ten thousand times)
@pytest.mark.parametrize(("limit", "critical"), [(2, 15.2), (7, 27.9), (49, 91.8), (361, 471.1)])
def test_numbers_below_a_limit_are_evenly_spread(limit: int, critical: float) -> None:
    numbers = 20_000
    counts = np.zeros(limit, np.int64)
    tally(seeded(11), counts, numbers)
    expected = numbers / limit
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    assert 0 < chi_square < critical


def test_all_numbers_below_a_large_limit_are_possible() -> None:
    random = seeded(12)
    numbers = [below(random, 2**32) for _ in range(1000)]
    assert 0 <= min(numbers) < 2**26
    assert 2**32 - 2**26 < max(numbers) < 2**32


def test_the_only_number_below_one() -> None:
    random = seeded(13)
    assert {below(random, 1) for _ in range(100)} == {0}


def test_floats_are_evenly_spread() -> None:
    random = seeded(14)
    floats = np.array([uniform(random) for _ in range(4000)])
    assert 0.0 <= floats.min() < 0.01
    assert 0.99 < floats.max() < 1.0
    assert floats.mean() == pytest.approx(0.5, abs=0.02)
    assert floats.var() == pytest.approx(1 / 12, abs=0.005)


def test_a_float_is_never_one() -> None:
    """The largest word comes from this state: the inverse of the scrambling gives it."""
    state = (unmixed(2**64 - 1) - 0x9E3779B97F4A7C15) % 2**64
    assert int(next_word(np.array([state], np.uint64))) == 2**64 - 1
    assert uniform(np.array([state], np.uint64)) == 1.0 - 2.0**-53
    assert below(np.array([state], np.uint64), 361) == 360


def unmixed(word: int) -> int:
    """The word that `mixed` scrambles to this one."""
    word = unshifted(word, 31) * pow(0x94D049BB133111EB, -1, 2**64) % 2**64
    word = unshifted(word, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) % 2**64
    return unshifted(word, 30)


def unshifted(word: int, by: int) -> int:
    """The x of which `word` is x ^ (x >> by); each round sets `by` more bits right."""
    found = word
    for _ in range(64 // by):
        found = word ^ (found >> by)
    return found


def test_seeds_and_streams_differ() -> None:
    firsts = {int(next_word(seeded(seed, stream))) for seed in range(100) for stream in range(100)}
    assert len(firsts) == 100 * 100


def test_streams_do_not_follow_one_another() -> None:
    """The state of a stream is not reached soon from another's."""
    states = set()
    for stream in range(20):
        random = seeded(1, stream)
        for _ in range(500):
            states.add(int(random[0]))
            next_word(random)
    assert len(states) == 20 * 500


def test_a_stream_can_be_taken_up_anew() -> None:
    random = seeded(5, 8)
    words = [int(next_word(random)) for _ in range(5)]
    seed_stream(random, 5, 8)
    assert [int(next_word(random)) for _ in range(5)] == words


def test_a_seed_means_the_same_in_every_version() -> None:
    """Otherwise no game or run that is told by its seed could be had again."""
    seeds = [(0, 0), (1, 0), (1, 2)]
    assert [int(next_word(seeded(seed, stream))) for seed, stream in seeds] == [
        6235967106033911276,
        7982734928498899980,
        11446999876264359965,
    ]
