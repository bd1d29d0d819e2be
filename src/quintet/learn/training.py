"""The part of a learner that trains a network: its arrays in the state, and changes of them.

All come in kinds: ``weights.*`` as they are, ``means.*`` and ``squares.*`` of their
gradients, ``average.*`` over the last changes, and that for use, ``play.*``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.errors import UserError
from quintet.learn.learner import State
from quintet.nets.residual import Arrays, Sizes
from quintet.parameters import ByText

_KINDS = ("weights", "means", "squares", "average")


class Plan(NamedTuple):
    """How a network is trained in one step."""

    rate: float
    decay: float
    adam: bool
    average: float
    device: str


def begin(sizes: Sizes, chance: np.random.Generator) -> State:
    """A network that knows nothing."""
    trainer = torch_part()
    weights = trainer.begun(sizes, chance)
    state: State = {f"weights.{name}": array for name, array in weights.items()}
    for name, array in weights.items():
        state[f"average.{name}"] = array.copy()
        if trainer.is_learnt(name):
            state[f"means.{name}"] = np.zeros_like(array)
            state[f"squares.{name}"] = np.zeros_like(array)
    state.update({f"play.{name}": array for name, array in trainer.folded(weights).items()})
    state["changes"] = np.zeros(1, np.int64)
    return state


def train(
    sizes: Sizes, state: State, batch: Callable[[], Any], changes: int, plan: Plan
) -> NDArray[np.float64]:
    """Learn from so many batches; returns the mean losses of policy and value."""
    trainer = torch_part()
    tensors = [trainer.as_tensors(named(state, kind), plan.device) for kind in _KINDS]
    rates = trainer.Rates(plan.rate, plan.decay, adam=plan.adam)
    sums = np.zeros(2)
    for _ in range(changes):
        state["changes"] += 1
        number = int(state["changes"][0])
        sums += trainer.learn(sizes, tensors, batch(), rates, number, plan.average, plan.device)
    for kind, found in zip(_KINDS, tensors, strict=True):
        arrays = trainer.as_arrays(found)
        state.update({f"{kind}.{name}": array for name, array in arrays.items()})
    played = trainer.folded(named(state, "average"))
    state.update({f"play.{name}": array for name, array in played.items()})
    return sums / max(changes, 1)


def named(state: State, kind: str) -> Arrays:
    """The arrays of one kind, by their own names."""
    start = f"{kind}."
    return {name[len(start) :]: array for name, array in state.items() if name.startswith(start)}


def fading(first: float, last: float, done: float) -> float:
    """From the first rate to the last, along half a cosine."""
    return last + (first - last) * 0.5 * (1.0 + math.cos(math.pi * done))


def torch_part() -> Any:
    """What needs PyTorch, imported only now."""
    try:
        from quintet.nets import torch_residual
    except ImportError as error:
        told = "to train a residual network needs PyTorch: pip install 'quintet[torch]'"
        raise UserError(told) from error
    return torch_residual


def _device(text: str, _: Any) -> str:
    if text.split(":", maxsplit=1)[0] not in ("cpu", "cuda", "mps"):
        raise UserError(f"device={text} is not possible; expected cpu, cuda, cuda:1 or mps")
    return text


DEVICE = ByText(_device, str, lambda: "cpu, cuda or mps")
