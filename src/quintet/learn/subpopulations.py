"""Neurons in sub-populations, and how they are tried and bred: Enforced Sub-Populations.

Gomez and Miikkulainen 1997; every number from the C++ package and its port, as in papers
000.3.  Neurons are an array: sub-population, member, weight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Neurons = NDArray[np.float32]
Chance = np.random.Generator

RANGE = 6.0  # weights begin between -6 and 6
_FARTHEST = 10.0  # changes beyond are drawn again


def new_neurons(chance: Chance, units: int, members: int, gene: int) -> Neurons:
    """Evenly random weights."""
    return chance.uniform(-RANGE, RANGE, (units, members, gene)).astype(np.float32)


def cauchy(chance: Chance, scale: float, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Changes that are mostly small and sometimes large."""
    drawn = scale * np.tan(np.pi * chance.random(shape))
    while (far := np.abs(drawn) > _FARTHEST).any():
        drawn[far] = scale * np.tan(np.pi * chance.random(int(far.sum())))
    return drawn


def teams(chance: Chance, units: int, members: int, trials: int) -> NDArray[np.int64]:
    """Who plays with whom, a row for each network: every neuron exactly `trials` times."""
    rounds = [
        np.stack([chance.permutation(members) for _ in range(units)], axis=1) for _ in range(trials)
    ]
    return np.concatenate(rounds)


def neuron_fitness(
    chosen: NDArray[np.int64], fitness: NDArray[np.float64], members: int
) -> NDArray[np.float64]:
    """The mean over the networks in which a neuron took part."""
    units = chosen.shape[1]
    total = np.zeros((units, members))
    parts = np.zeros((units, members))
    for unit in range(units):
        np.add.at(total[unit], chosen[:, unit], fitness)
        np.add.at(parts[unit], chosen[:, unit], 1.0)
    return total / parts


def breed(
    chance: Chance, neurons: Neurons, fitness: NDArray[np.float64], mutation: float, scale: float
) -> Neurons:
    """The next generation, each sub-population sorted: the better half stays as it is.

    Each neuron of the best quarter mates with a random better one (the best with any of
    the quarter); their two children take places in the worse half.
    """
    units, members, gene = neurons.shape
    quarter, half = members // 4, members // 2
    order = np.argsort(-fitness, axis=1, kind="stable")
    ranked: Neurons = np.take_along_axis(neurons, order[:, :, np.newaxis], axis=1)
    for unit in range(units):
        group = ranked[unit]
        for rank in range(quarter):
            mate = int(chance.integers(rank if rank > 0 else quarter))
            point = int(chance.integers(gene))
            first = members - 1 - 2 * rank
            group[first] = np.concatenate([group[rank, :point], group[mate, point:]])
            group[first - 1] = np.concatenate([group[mate, :point], group[rank, point:]])
        for child in range(half, members):
            if chance.random() < mutation:
                group[child, chance.integers(gene)] += cauchy(chance, scale, (1,))[0]
    return ranked


def burst(chance: Chance, best: NDArray[np.float32], members: int, scale: float) -> Neurons:
    """New sub-populations around the neurons of the best network: every weight is changed."""
    units, gene = best.shape
    around = best[:, np.newaxis, :] + cauchy(chance, scale, (units, members, gene))
    return around.astype(np.float32)
