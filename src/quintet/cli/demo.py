"""``demo``: the lab in a minute: a player learns before your eyes, then waits on the page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from quintet.cli.entry import main
from quintet.cli.printing import say
from quintet.cli.progress import leave_if, stopping_by_ctrl_c

if TYPE_CHECKING:
    from quintet.runs.run import Run

_NAME = "demo"
_GAME = "connect-four"
_LEARNER = "ntuple:tuples=windows(4)+rectangles(2x3),games={games}"
_OPPONENT = "greedy"
_SEED = 1
_JUDGED_BY = 400  # games
_CHECKPOINTS_APART = 4  # from one judgement to the next


@main.command()
@click.option("--games", type=click.IntRange(1, 10**6), default=20000, show_default=True,
              help="Of self-play, if it has not begun yet.")  # fmt: skip
@click.option("--no-serve", is_flag=True, help="End after the training.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
def demo(games: int, no_serve: bool, port: int) -> None:
    """Train a small player before your eyes, then play it in the browser.

    It learns Connect Four from its own games alone, in a run called `demo`; what was
    trained before is not trained again.  Without a terminal it ends after the training.
    """
    from quintet.cli.serve import serve

    try:
        _train_and_judge(_the_run(games))
    except KeyboardInterrupt:  # before the training, or while it is judged
        say("\nStopped; `quintet demo` goes on.")
        leave_if(True)
    if no_serve or not (sys.stdin.isatty() and sys.stdout.isatty()):
        say("`quintet serve` shows the page, where it waits for you.")
        return
    say(f"It waits for you on the page: 'Play against {_NAME}'. 'Pente for three' is beside it.")
    click.get_current_context().invoke(serve, port=port)


def _the_run(games: int) -> Run:
    from quintet.cli.given import make_game
    from quintet.learn import learner_from
    from quintet.runs.run import Run
    from quintet.runs.settings import Settings
    from quintet.runs.trained import runs_folder

    folder = runs_folder() / _NAME
    if (folder / "run.toml").is_file():
        return Run(folder)
    game = make_game(_GAME)
    learner = learner_from(_LEARNER.format(games=games), game)
    return Run.create(folder, Settings(learner, game, _SEED))


def _train_and_judge(run: Run) -> None:
    """Train in parts, and tell after each how strong the player is."""
    from quintet.games import text_of

    game = text_of(run.settings.game)
    say(f"A player learns {game} from its own games (run {run.name}, seed {run.settings.seed}).")
    say(f"Its wins in {_JUDGED_BY} games against {_OPPONENT!r}, with 95% intervals:")
    apart = _CHECKPOINTS_APART * run.settings.steps_between
    for step in [*range(0, run.steps, apart), run.steps]:
        _train_until(run, step)
        wins = _wins(run, step)
        low, high = 100 * wins.low, 100 * wins.high
        say(f"  after step {step:>3}: {100 * wins.mean:5.1f}% ({low:.1f} to {high:.1f})")


def _train_until(run: Run, step: int) -> None:
    from quintet.arena.running import Stop
    from quintet.cli.train import shown

    if run.checkpoints() and run.step() >= step:
        return
    stop, done = Stop(), run.step()
    with stopping_by_ctrl_c(stop), shown(run) as show:

        def on_step(number: int, figures: dict[str, float]) -> None:
            nonlocal done
            done = number
            show(number, figures)

        run.train(lambda: stop.is_set() or done >= step, on_step)
    if stop.is_set():
        say(f"Stopped after step {run.step()} of {run.steps}; `quintet demo` goes on.")
        leave_if(True)


def _wins(run: Run, step: int) -> Any:
    from quintet.arena.match import Entrant, Terms, entrants, play_match
    from quintet.runs.trained import player_of_run

    game = run.settings.game
    learnt = Entrant(run.name, player_of_run(f"{run.folder}@{step}", game))
    others = entrants([_OPPONENT] * (game.limits().seats - 1), game)
    match = play_match(game, [learnt, *others], Terms(_JUDGED_BY, _SEED))
    return next(s.wins for s in match.standings() if s.player == run.name and s.seat is None)
