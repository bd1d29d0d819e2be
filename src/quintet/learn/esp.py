"""Enforced Sub-Populations: neurons evolve apart and are tried together (paper 000).

Each hidden unit has a sub-population of neurons.  In a generation every neuron takes part
in the same number of networks, put together at random; its fitness is the mean of theirs.
Neurons breed within their sub-population.  Where the best fitness stagnates, all
sub-populations burst: they begin anew around the best network.  After two bursts without
success a unit may be removed that is hardly missed, or else one is added.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from quintet.learn.archive import Archive
from quintet.learn.evolving import (
    ATTENTION,
    THREE_PLAYERS,
    TWO_PLAYERS,
    Consolation,
    Finishing,
    Matches,
    MovesMax,
    Net,
    OwnSeat,
    Remembered,
    Retests,
    Rivals,
    Room,
    Tests,
    crown,
    drawn_rivals,
    essence,
    has_rivals,
    no_champion,
    player_of,
    tried,
    unfit,
)
from quintet.learn.learner import State, Step
from quintet.learn.population import genome_rows
from quintet.learn.subpopulations import breed, burst, neuron_fitness, new_neurons, teams
from quintet.nets.perceptron import Perceptron
from quintet.parameters import Between
from quintet.players.finishing import Finish

WAITED, BURSTS = 0, 1  # generations without progress in this phase; bursts without any
_KEEPS = 0.8  # of the fitness: a unit that may go (000.3)
_PATIENCE = 2  # bursts


class Esp(NamedTuple):
    """Neurons in sub-populations, one for each hidden unit."""

    net: Net = Perceptron()
    tests: Tests = "random"
    generations: Annotated[int, Between(1, 10**9), "steps (000.6)"] = 2000
    members: Annotated[int, Between(4, 10**5), "neurons of a sub-population (000.3)"] = 20
    trials: Annotated[int, Between(1, 10**4), "networks of each neuron (000.3)"] = 10
    mutation: Annotated[float, Between(0, 1), "chance that a child changes (000.3)"] = 0.4
    scale: Annotated[float, Between(0, 10), "of changes, by Cauchy (000.3)"] = 0.3
    stagnation: Annotated[int, Between(0, 10**9), "generations to a burst; 0: none (000.3)"] = 20
    resize: Annotated[bool, "add and remove sub-populations (000.3)"] = False
    matches: Matches = 10
    moves_max: MovesMax = 0
    consolation: Consolation = 0.5
    finish: Finishing = Finish.LINE
    retests: Retests = 0
    seat: OwnSeat = 0
    archive: Remembered = Archive.FAME
    room: Room = 40
    rivals: Rivals = 4

    @staticmethod
    def presets() -> dict[str, str]:
        """The three experiments of the paper (000.6)."""
        attention = f"tests={ATTENTION},net=perceptron"
        return {
            "two-players": f"tests={TWO_PLAYERS}",
            "three-players": f"tests={THREE_PLAYERS},generations=900",
            "forward": attention,
            "recurrent": f"{attention}(kind=recurrent)",
            "attentive": f"{attention}(kind=attentive)",
        }

    @property
    def headline(self) -> tuple[str, ...]:
        """The champion's fitness, and how many games it won."""
        return ("fitness", "won")

    @property
    def steps(self) -> int:
        """A step is a generation."""
        return self.generations

    def problem(self) -> str | None:
        """Quarters breed, and halves stay."""
        if self.members % 4:
            return f"members={self.members} has no quarter; expected a multiple of 4"
        if self.resize and has_rivals(self):
            return "resize=yes makes networks of other sizes, which can be no rivals"
        return None

    def unfit(self, game: Any) -> str | None:
        """It needs a network for the game."""
        return unfit(self, game)

    def start(self, game: Any, step: Step) -> State:
        """Random neurons."""
        gene = self.net.gene(game)
        neurons = new_neurons(step.chance, self.net.units, self.members, gene)
        first = neurons[:, 0].reshape(-1).copy()
        return {
            "neurons": neurons,
            "champion": first,
            "best": first.copy(),
            "phase_best": np.array([-np.inf]),
            "counts": np.zeros(2, np.int64),
            **no_champion(),
        }

    def step(self, game: Any, state: State, step: Step) -> None:
        """A generation: try all neurons, then breed, or burst."""
        neurons = state["neurons"]
        net = self.net.with_units(len(neurons))
        chosen = teams(step.chance, len(neurons), self.members, self.trials)
        genomes = genome_rows(neurons, chosen)
        rivals = drawn_rivals(self, state, genomes, step)
        tally = tried(self, game, net, genomes, step.seed(), rivals)
        before = float(state["best_fitness"][0])
        crown(self, game, net, state, genomes, tally, step, rivals)
        counts = state["counts"].copy()
        if state["best_fitness"][0] > before:
            counts[BURSTS] = 0
        fitness = tally.fitness()
        counts[WAITED] += 1
        if fitness.max() > state["phase_best"][0]:
            state["phase_best"] = np.array([fitness.max()])
            counts[WAITED] = 0
        state["counts"] = counts
        if self.stagnation and counts[WAITED] >= self.stagnation:
            self._burst(game, state, step)
        else:
            found = neuron_fitness(chosen, fitness, self.members)
            state["neurons"] = breed(step.chance, neurons, found, self.mutation, self.scale)
        step.tell(units=len(state["neurons"]), bursts=counts[BURSTS])

    def _burst(self, game: Any, state: State, step: Step) -> None:
        """Begin a new phase around the best network."""
        units = len(state["neurons"])
        genes = state["best"].reshape(units, -1)
        state["neurons"] = burst(step.chance, genes, self.members, self.scale)
        state["phase_best"] = np.array([-np.inf])
        counts = np.array([0, state["counts"][BURSTS] + 1])
        if self.resize and counts[BURSTS] >= _PATIENCE:
            self._resize(game, state, step)
            counts[BURSTS] = 0
        state["counts"] = counts

    def _resize(self, game: Any, state: State, step: Step) -> None:
        """Remove the unit that is missed least, if it is missed little; else add one."""
        units = len(state["neurons"])
        net, genes = self.net.with_units(units), state["best"].reshape(units, -1)
        rest = [net.without(game, genes, unit) for unit in range(units)] if units > 1 else []
        if rest:
            lesioned = np.stack([each.reshape(-1) for each in rest])
            fewer = net.with_units(units - 1)
            fitness = tried(self, game, fewer, lesioned, step.seed()).fitness()
            unit = int(np.argmax(fitness))
            if fitness[unit] >= _KEEPS * state["best_fitness"][0]:
                moved = net.without(game, state["neurons"], unit)
                state["neurons"] = moved
                state["best"] = state["champion"] = lesioned[unit]
                state["best_fitness"] = fitness[unit : unit + 1].copy()
                return
        gene = net.with_units(units + 1).gene(game)
        new = new_neurons(step.chance, 1, self.members, gene)[0]
        state["neurons"] = net.with_one_more(game, state["neurons"], new)
        silent = np.zeros(gene, np.float32)
        state["best"] = net.with_one_more(game, genes, silent).reshape(-1)
        state["champion"] = state["best"].copy()

    def essence(self, state: State) -> State:
        """What the player needs."""
        # of the neurons, only how many units there are
        return {**essence(self, state), "neurons": state["neurons"][:, :0]}

    def player(self, game: Any, state: State) -> Any:
        """The best network so far."""
        return player_of(self, game, self.net.with_units(len(state["neurons"])), state)
