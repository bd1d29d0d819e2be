"""Random play in Quintet and in its peers: each counts moves made in about some seconds.

Of the processor, not of the clock: other work on the machine then counts for nobody.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time
from typing import Any

Runner = Callable[[float], float]  # from seconds to moves per second

# pgx may choose; larger ones of Go do not fit into memory
BATCHES = {"go_9x9": (64, 256, 1024), "go_19x19": (16, 64, 256)}


def quintet(text: str, seed: int = 1, clock: Callable[[], float] = process_time) -> Runner:
    """Whole random games inside compiled code."""
    from quintet import games, rules
    from quintet.randomness import seeded

    game = games.make(text)
    positions = rules.new_positions(game, 2)
    moves, chance = rules.move_buffer(game), seeded(seed)

    def run(seconds: float) -> float:
        count, plies, begun = 1, 0, clock()
        while (spent := clock() - begun) < seconds:
            plies += rules.random_games(game, positions, moves, chance, count)
            count = min(2 * count, 1024)
        return plies / spent

    run(0.05)  # compiles
    return run


def open_spiel(name: str, seed: int = 1) -> Runner:
    """OpenSpiel's C++ rules, driven from Python."""
    import pyspiel

    game, chance = pyspiel.load_game(name), random.Random(seed)

    def run(seconds: float) -> float:
        plies, begun = 0, process_time()
        while (spent := process_time() - begun) < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
                plies += 1
        return plies / spent

    return run


def pgx(name: str, seed: int = 1) -> Runner:
    """Batches of games in pgx, finished ones begun anew; the best of some batch sizes."""
    runners = [_pgx_batch(name, batch, seed) for batch in BATCHES.get(name, (256, 2048, 16384))]
    speeds = [run(0.3) for run in runners]
    return runners[speeds.index(max(speeds))]


def _pgx_batch(name: str, batch: int, seed: int) -> Runner:
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    steps = 16
    env: Any = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def play(state: Any, key: Any) -> Any:
        def one(_: Any, carried: Any) -> Any:
            state, key = carried
            key, choosing, resetting = jax.random.split(key, 3)
            action = act_randomly(choosing, state.legal_action_mask)
            return step(state, action, jax.random.split(resetting, batch)), key

        return jax.lax.fori_loop(0, steps, one, (state, key))

    key = jax.random.PRNGKey(seed)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, batch))
    carried = jax.block_until_ready(play(state, key))

    def run(seconds: float) -> float:
        nonlocal carried
        moves, begun = 0, process_time()
        while (spent := process_time() - begun) < seconds:
            carried = jax.block_until_ready(play(*carried))
            moves += steps * batch
        return moves / spent

    return run
