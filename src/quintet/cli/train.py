"""``train``, ``resume``, ``runs``, ``learners``: make better players, and see how far they are."""

from __future__ import annotations

import contextlib
import pathlib
import secrets
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from quintet.cli.entry import main
from quintet.cli.given import make_game, seed_option
from quintet.cli.printing import console, say
from quintet.cli.progress import leave_if, progress_bar, stopping_by_ctrl_c
from quintet.errors import UserError

if TYPE_CHECKING:
    from quintet.runs.run import OnStep, Run

_SECONDS_A_LINE = 10.0  # where there is no bar

tensorboard_option = click.option(
    "--tensorboard", is_flag=True, help="Write the figures for TensorBoard too."
)


@main.command()
@click.argument("learner", metavar="LEARNER")
@click.option("--game", "game_text", metavar="GAME", help="What to learn.")
@click.option("--preset", metavar="NAME", help="Settings that belong together.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A setting.")
@seed_option
@click.option("--name", metavar="NAME", help="Of the run; by default learner, game and a number.")
@click.option("--checkpoints", type=click.IntRange(1, 10**6), default=20, show_default=True,
              help="How many to keep, evenly over the run.")  # fmt: skip
@tensorboard_option
def train(learner: str, tensorboard: bool, **options: Any) -> None:
    """Let a LEARNER learn a game, in a run of its own.

    LEARNER is a name (`quintet learners` lists them) or a TOML file that tells the
    learner, the game and its settings.  The run is a folder in `runs`, or in what the
    environment variable QUINTET_RUNS names.  Ctrl-C stops it, `quintet resume` goes on.
    """
    from quintet.runs.run import Run

    read = _from_file if learner.endswith(".toml") else _from_words
    settings = read(learner, options)
    folder = _new_folder(options["name"], settings)
    run = Run.create(folder, settings)
    say(f"run {run.name}, seed {settings.seed}, in {folder}")
    _work_on(run, tensorboard)


@main.command()
@click.argument("run", metavar="RUN")
@tensorboard_option
def resume(run: str, tensorboard: bool) -> None:
    """Go on with a run that was stopped, or killed.

    It ends as if it had never been stopped, to the bit.
    """
    from quintet.cli.printing import say_compiling
    from quintet.compiled import tell_when_compiling
    from quintet.runs.trained import find_run

    tell_when_compiling(say_compiling)
    found = find_run(run)
    if found.is_finished():
        say(f"run {found.name} is finished: {found.steps} steps")
        return
    for name, (was, now) in found.other_versions().items():
        click.echo(f"quintet: {name} was {was}, is {now}: the bits may differ", err=True)
    _work_on(found, tensorboard)


@main.command()
def runs() -> None:
    """List the runs on disk, and how far they are."""
    from rich.table import Table

    from quintet.games import text_of
    from quintet.runs.settings import learn_name
    from quintet.runs.trained import all_runs, runs_folder

    found, broken = all_runs()
    for told in broken:
        click.echo(f"quintet: {told}", err=True)
    if not found:
        say(f"no runs in {runs_folder()}; `quintet train` begins one")
        return
    table = Table(
        "run", "learner", "game", "seed", "steps", "", "figures", box=None, pad_edge=False
    )
    for run in found:
        settings = run.settings
        done = run.step()
        state = "training" if run.is_training() else "finished" if done >= run.steps else "stopped"
        table.add_row(
            run.name,
            learn_name(settings.learner),
            text_of(settings.game),
            str(settings.seed),
            f"{done}/{run.steps}",
            state,
            _headline(run, run.last_figures()),
        )
    console().print(table)


@main.command()
@click.argument("game_text", metavar="[GAME]", required=False)
def learners(game_text: str | None) -> None:
    """List the learners, for a game with their parameters."""
    from quintet.learn import learners_for, presets_of
    from quintet.parameters import parameters_of

    game = None if game_text is None else make_game(game_text)
    for name, entry in learners_for(game):
        say(f"  {name}: {entry.summary}")
        if game is None:
            continue
        cls = entry.load()
        for parameter in parameters_of(cls):
            value = parameter.written(entry.presets.get(parameter.name, parameter.default))
            say(f"      {parameter.name}={value} ({parameter.expected})  {parameter.meaning}")
        for preset, text in presets_of(cls).items():
            say(f"      --preset {preset}: {text}")


# --- what is to be done -------------------------------------------------------


def _from_words(learner: str, options: dict[str, Any]) -> Any:
    from quintet.learn import make_learner
    from quintet.runs.settings import Settings

    if options["game_text"] is None:
        raise UserError("no game to learn; expected --game GAME")
    game = make_game(options["game_text"])
    pairs = [_pair(text) for text in options["settings"]]
    made = make_learner(learner, game, pairs, options["preset"])
    return Settings(made, game, _seed(options["seed"]), options["checkpoints"])


def _from_file(path: str, options: dict[str, Any]) -> Any:
    from quintet.runs.settings import read_settings_file

    for name in ("game_text", "preset", "settings"):
        if options[name]:
            option = {"game_text": "--game", "settings": "--set"}.get(name, f"--{name}")
            raise UserError(f"{path!r} tells what to learn; expected no {option} beside it")
    settings, _ = read_settings_file(pathlib.Path(path))
    return settings if options["seed"] is None else settings._replace(seed=options["seed"])


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UserError(f"--set {text}: expected KEY=VALUE")
    return name, value


def _seed(given: int | None) -> int:
    return secrets.randbits(32) if given is None else given


def _new_folder(name: str | None, settings: Any) -> pathlib.Path:
    from quintet.games import text_of
    from quintet.runs.settings import learn_name
    from quintet.runs.trained import checked_name, runs_folder

    if name is not None:
        return runs_folder() / checked_name(name)
    game = text_of(settings.game).rpartition("/")[2].replace(":", "-")
    stem = f"{learn_name(settings.learner)}-{game}"
    number = 1
    while (runs_folder() / f"{stem}-{number}").exists():
        number += 1
    return runs_folder() / f"{stem}-{number}"


# --- while it goes on ---------------------------------------------------------


def _work_on(run: Run, tensorboard: bool) -> None:
    from quintet.arena.running import Stop

    stop = Stop()
    with (
        stopping_by_ctrl_c(stop),
        shown(run) as show,
        _written_for_tensorboard(run, tensorboard) as write,
    ):

        def on_step(number: int, figures: dict[str, float]) -> None:
            show(number, figures)
            write(number, figures)

        finished = run.train(stop.is_set, on_step)
    figures = _headline(run, run.last_figures())
    if not finished:
        say(f"Stopped after step {run.step()} of {run.steps}.  {figures}")
        say(f"quintet resume {run.name}   goes on")
        leave_if(True)
    say(f"Finished: {run.steps} steps.  {figures}")
    say(f"run:{run.name}   is the player")


def _headline(run: Run, figures: dict[str, Any]) -> str:
    names: Sequence[str] = run.settings.learner.headline
    return "  ".join(f"{name} {figures[name]:.4g}" for name in names if name in figures)


@contextlib.contextmanager
def shown(run: Run) -> Iterator[OnStep]:
    """A bar with the figures that matter; without a terminal, a line now and then."""
    with progress_bar(described=True) as bar:
        if bar is None:
            yield _lines(run)
            return
        task = bar.add_task(run.name, total=run.steps, completed=run.step())
        last: dict[str, float] = {}

        def on_step(number: int, figures: dict[str, float]) -> None:
            last.update(figures)
            bar.update(task, completed=number, description=_headline(run, last) or run.name)

        yield on_step


def _lines(run: Run) -> OnStep:
    told_at = time.monotonic()
    last: dict[str, float] = {}

    def on_step(number: int, figures: dict[str, float]) -> None:
        nonlocal told_at
        last.update(figures)
        if time.monotonic() - told_at > _SECONDS_A_LINE:
            told_at = time.monotonic()
            say(f"step {number} of {run.steps}  {_headline(run, last)}")

    return on_step


@contextlib.contextmanager
def _written_for_tensorboard(run: Run, wanted: bool) -> Iterator[OnStep]:
    if not wanted:
        yield lambda *_: None
        return
    try:
        from tensorboardX import SummaryWriter
    except ImportError:
        told = "--tensorboard needs the package tensorboardX; install quintet[tensorboard]"
        raise UserError(told) from None
    # what was written after the last checkpoint is not shown twice
    writer = SummaryWriter(str(run.folder / "tensorboard"), purge_step=run.step() + 1)
    with contextlib.closing(writer):

        def on_step(number: int, figures: dict[str, float]) -> None:
            for name, figure in figures.items():
                writer.add_scalar(name, figure, number)

        yield on_step
