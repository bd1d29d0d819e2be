"""The evolution strategy CMA-ES as named arrays, so that a run can stop and go on.

The strategy is the library `cmaes` (Hansen's tutorial, arXiv 1604.00772).  Of the
library's own file format nothing is used, since that could run code.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from quintet.learn.learner import State

_KEPT = {"mean": "_mean", "covariance": "_C", "step_path": "_p_sigma", "path": "_pc"}


def new_strategy(mean: Any, sigma: float) -> State:
    """Around a genome, equally far in all directions."""
    size = len(mean)
    return {
        "mean": np.array(mean, np.float64),
        "covariance": np.eye(size),
        "step_path": np.zeros(size),
        "path": np.zeros(size),
        "sigma": np.array([sigma]),
        "generation": np.zeros(1, np.int64),
    }


def strategy_of(state: State, population: int, seed: int) -> Any:
    """The library's strategy, as it was after the last step; population 0 is Hansen's choice."""
    from cmaes import CMA  # type: ignore[import-untyped]

    size = population or 4 + math.floor(3 * math.log(len(state["mean"])))
    sigma = float(state["sigma"][0])
    strategy: Any = CMA(state["mean"], sigma, population_size=size, seed=seed % 2**32)
    for name, attribute in _KEPT.items():
        setattr(strategy, attribute, state[name].copy())
    strategy._g = int(state["generation"][0])
    return strategy


def keep_strategy(state: State, strategy: Any) -> None:
    """Write what the strategy knows now."""
    for name, attribute in _KEPT.items():
        state[name] = np.array(getattr(strategy, attribute))
    state["sigma"] = np.array([strategy._sigma])
    state["generation"] = np.array([strategy.generation])
