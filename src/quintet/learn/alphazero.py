"""AlphaZero for any number of seats: a network learns from games that it plays with itself.

Silver et al. 2018; values of all seats after Petosa and Balch 2019 and paper 002.  Each
search gives a better policy than the network's, each game its result: both are what the
network is to say next time.  How the moves at the root are tried is that of Danihelka et
al. 2022, or with ``candidates=0`` AlphaZero's own: PUCT with noise.

In a step some games go on for a number of questions to the network while another thread
trains it on what was played before: so all cores have work, and the result depends on the
state alone.  The network that plays is an average over the last changes.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.learn import replay, training
from quintet.learn.learner import State, Step
from quintet.learn.self_play import (
    IDLE,
    NETWORK,
    UCT,
    Habits,
    PlayedOut,
    SelfPlay,
    new_slots,
)
from quintet.nets.residual import (
    BLUEPRINT,
    Residual,
    Sizes,
    Tower,
    shapes,
    sizes_for,
    tower,
)
from quintet.parameters import Between
from quintet.players.puct import Puct
from quintet.search.uct import Search

_SLOT_FIELDS = ("moves", "policies", "marks", "counts", "roles")


class AlphaZero(NamedTuple):
    """Self-play with tree search."""

    net: Annotated[Any, BLUEPRINT, "the network"] = Residual()
    steps: Annotated[int, Between(1, 10**7), "of the run"] = 200
    games: Annotated[int, Between(1, 10**5), "played at once"] = 128
    asks: Annotated[int, Between(1, 10**6), "questions to the network in a step"] = 200
    sims: Annotated[int, Between(1, 10**6), "simulations of a search"] = 24
    quick: Annotated[int, Between(1, 10**6), "simulations of a quick search"] = 8
    share: Annotated[float, Between(0, 1), "of the searches that are not quick"] = 1.0
    candidates: Annotated[int, Between(0, 10**4), "moves to be halved; 0: PUCT with noise"] = 8
    scale: Annotated[float, Between(0, 1000), "how much values count in halving"] = 1.0
    c: Annotated[float, Between(0, 100), "how much exploration counts in PUCT"] = 1.25
    fpu: Annotated[float, Between(-10, 10), "what an untried move is worth less"] = 0.0
    noise: Annotated[float, Between(0, 1), "its share in the priors of PUCT's root"] = 0.25
    alpha: Annotated[float, Between(0.001, 100), "of the noise: less, and it falls on few"] = 0.3
    warm: Annotated[int, Between(0, 10**4), "plies in which PUCT draws its move"] = 10
    uct: Annotated[float, Between(0, 1), "share of the seats that UCT plays at first"] = 0.0
    uct_end: Annotated[float, Between(0, 1), "and later on, at least"] = 0.0
    uct_sims: Annotated[int, Between(1, 10**6), "simulations of UCT"] = 180
    window: Annotated[int, Between(1, 10**9), "plies that are learnt from, the latest"] = 200_000
    batch: Annotated[int, Between(2, 10**5), "positions learnt from at once"] = 512
    passes: Annotated[float, Between(0, 1000), "how often a position is learnt from"] = 4.0
    rate: Annotated[float, Between(0, 10), "of learning, at first"] = 2e-3
    rate_end: Annotated[float, Between(0, 10), "and at the end"] = 1e-4
    decay: Annotated[float, Between(0, 10), "of the weights"] = 1e-4
    adam: Annotated[bool, "follow the gradient by Adam, or with momentum"] = True
    average: Annotated[float, Between(0, 1), "how slowly the playing network follows"] = 0.99
    turned: Annotated[bool, "learn all symmetries of the board"] = True
    workers: Annotated[int, Between(1, 64), "threads that play"] = 2
    check: Annotated[int, Between(0, 10**7), "steps between games with UCT; 0: none"] = 0
    check_games: Annotated[int, Between(1, 10**5), "for each seat"] = 40
    device: Annotated[str, training.DEVICE, "where the network is"] = "cpu"

    @staticmethod
    def presets() -> dict[str, str]:
        """The paper's, and what worked on two cores."""
        paper = (
            "net=residual(blocks=8,filters=128,head=points,relative=no),sims=180,candidates=0,"
            "c=0.8,uct=0.5,uct_end=0.05,batch=256,adam=no,rate=0.0001,rate_end=0.0001,"
            "passes=2,window=130000,games=256,asks=200,steps=11700,average=0"
        )
        go = "net=residual(head=areas{}),steps=400"
        return {
            "paper": paper,
            "go-three": go.format(""),
            "go-three-hints": go.format(",hints=yes"),
            "small": "net=residual(blocks=2,filters=16),games=64,asks=60,sims=16,batch=256",
        }

    @property
    def packages(self) -> tuple[str, ...]:
        """On which the exact bits depend, besides those of all learners."""
        return ("torch",)

    @property
    def headline(self) -> tuple[str, ...]:
        """What the network does not foresee, and how games with UCT went."""
        return ("policy", "value")

    def problem(self) -> str | None:
        """Why these parameters do not fit together."""
        if self.games < self.workers:
            return f"games={self.games},workers={self.workers}: expected a game for each worker"
        return None

    def unfit(self, game: Any) -> str | None:
        """Why a network cannot play it."""
        return None  # the network tells itself

    def plays(self, learnt: Any, game: Any) -> bool:
        """The same weights serve boards of other sizes, where their shapes are the same."""
        same = getattr(learnt, "family", type(learnt)) is getattr(game, "family", type(game))
        return same and (
            self.net.unfit(game) is None
            and shapes(sizes_for(self.net, learnt)) == shapes(sizes_for(self.net, game))
        )

    def start(self, game: Any, step: Step) -> State:
        """A network that knows nothing, and games that have not begun."""
        state = training.begin(sizes_for(self.net, game), step.chance)
        state.update(replay.empty(game))
        slots = new_slots(game, self.games)
        state.update({f"slots.{name}": getattr(slots, name) for name in _SLOT_FIELDS})
        state["counts"] = np.zeros(2, np.int64)  # games, positions
        state["owed"] = np.zeros(1)  # positions still to be learnt from
        return state

    def step(self, game: Any, state: State, step: Step) -> None:
        """Play and train at the same time, each on what was there before."""
        sizes = sizes_for(self.net, game)
        judge = training.torch_part().Judge(sizes, training.named(state, "play"), self.device)
        seed, groups = step.seed(), self._groups(game, state, sizes, judge, step)
        with ThreadPoolExecutor(self.workers + 1) as pool:
            playing = [
                pool.submit(self._play, group, seed, number, step.number)
                for number, group in enumerate(groups)
            ]
            learning = pool.submit(self._train, game, sizes, state, step)
            finished = [future.result() for future in playing]
            told = learning.result()
        games = [one for group in finished for one in group]
        for name in _SLOT_FIELDS:
            parts = [getattr(group.slots, name) for group in groups]
            state[f"slots.{name}"] = np.concatenate(parts)
        new = replay.add(state, games, self.window)
        state["owed"] += new * self.passes
        state["counts"] += len(games), new
        self._tell(step, state, told, games, groups)
        if self.check and step.number % self.check == 0:
            self._compare(game, sizes, judge, step)

    def player(self, game: Any, state: State) -> Puct:
        """Who searches with what was learnt."""
        return Puct(self.evaluation(game, state), self.sims, self.c, self.fpu)

    def evaluation(self, game: Any, state: State) -> Tower:
        """The network."""
        return tower(sizes_for(self.net, game), training.named(state, "play"), game)

    # --- games ----------------------------------------------------------------

    def search(self, *, luck: float = 1.0) -> Search:
        """How trees are searched in training; without luck, in play."""
        return Search(
            float(self.c),
            float(self.fpu),
            puct=True,
            inherits=True,
            candidates=self.candidates,
            scale=float(self.scale),
            luck=luck,
            noise=0.0 if self.candidates or not luck else float(self.noise),
            alpha=float(self.alpha),
        )

    def habits(self) -> Habits:
        """How moves are chosen in training."""
        uct_sims = self.uct_sims if self.uct or self.uct_end else 0
        return Habits(self.sims, self.quick, float(self.share), self.warm, uct_sims)

    def _groups(
        self, game: Any, state: State, sizes: Sizes, judge: Any, step: Step
    ) -> list[SelfPlay]:
        """The games of each worker, as they are now."""
        groups = []
        for rows in np.array_split(np.arange(self.games), self.workers):
            slots = new_slots(game, len(rows))
            given = {name: state[f"slots.{name}"][rows].copy() for name in _SLOT_FIELDS}
            slots = slots._replace(**given)
            if step.number == 1:
                slots.roles[:] = self._roles(slots.roles.shape, step.chance, step.number)
            group = SelfPlay(game, sizes, judge, self.search(), self.habits(), slots)
            groups.append(group)
        return groups

    def _roles(
        self, shape: tuple[int, ...], chance: np.random.Generator, number: int
    ) -> NDArray[np.int64]:
        """Who plays the seats of new games (paper 002, 3.2)."""
        share = max(self.uct - (number - 1) / self.steps, self.uct_end)
        return np.where(chance.random(shape) < share, UCT, NETWORK).astype(np.int64)

    def _play(self, group: SelfPlay, seed: int, number: int, step: int) -> list[PlayedOut]:
        """Ask the network many times; the games that were over."""
        group.begin(seed, number << 20)
        chance = np.random.default_rng([seed, number])
        finished = []
        for _ in range(self.asks):
            for played in group.go_on():
                finished.append(played)
                group.renew(played.slot, self._roles(played.roles.shape, chance, step))
        return finished

    # --- training -------------------------------------------------------------

    def _train(self, game: Any, sizes: Sizes, state: State, step: Step) -> Any:
        """Learn from so many positions as are owed; returns the mean losses, if any."""
        shelf = replay.Shelf(game, sizes, state, turned=self.turned)
        changes = int(state["owed"][0] // self.batch)
        if not changes or len(shelf) < self.batch:
            return None
        state["owed"] -= changes * self.batch
        chance = np.random.default_rng([step.number, int(state["changes"][0]), len(shelf)])
        done = (step.number - 1) / max(self.steps - 1, 1)
        rate = training.fading(self.rate, self.rate_end, done)
        plan = training.Plan(rate, float(self.decay), self.adam, float(self.average), self.device)
        return training.train(sizes, state, lambda: shelf.batch(self.batch, chance), changes, plan)

    def _tell(
        self, step: Step, state: State, told: Any, games: list[PlayedOut], groups: list[SelfPlay]
    ) -> None:
        step.tell(
            games=float(state["counts"][0]),
            positions=float(state["counts"][1]),
            judged=sum(group.judged for group in groups),
        )
        if told is not None:
            step.tell(policy=told[0], value=told[1])
        if games:
            step.tell(plies=float(np.mean([len(game.moves) for game in games])))
            for seat, score in enumerate(np.mean([game.scores for game in games], 0)):
                step.tell(**{f"seat_{seat + 1}": float(score)})
            step.keep(
                ["self"] * len(games[0].scores), games[0].moves.tolist(), games[0].scores.tolist()
            )

    def _compare(self, game: Any, sizes: Sizes, judge: Any, step: Step) -> None:
        """Tell how the network does from each seat, where UCT has the others."""
        scores = against_uct(
            game,
            sizes,
            judge,
            self.search(luck=0.0),
            self.habits()._replace(uct_sims=self.uct_sims),
            self.check_games,
            step.seed(),
        )
        for seat, found in enumerate(scores):
            step.tell(**{f"uct_{seat + 1}": float(found.mean())})
        step.tell(uct=float(scores.mean()))


def against_uct(
    game: Any, sizes: Sizes, judge: Any, search: Search, habits: Habits, games: int, seed: int
) -> NDArray[np.float64]:
    """Scores of a network in each seat, in so many games with UCT in all others: [seat, game]."""
    seats = game.limits().seats
    slots = new_slots(game, seats * games)
    slots.roles[:] = UCT
    for number in range(seats * games):
        slots.roles[number, number // games] = NETWORK
    play = SelfPlay(game, sizes, judge, search, habits._replace(share=1.0, warm=0), slots)
    play.begin(seed)
    scores = np.zeros((seats, games))
    while (slots.stages != IDLE).any():
        for played in play.go_on():
            seat = played.slot // games
            scores[seat, played.slot % games] = played.scores[seat]
            play.renew(played.slot, None)
    return scores
