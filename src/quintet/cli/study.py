"""``study``: repeat a paper's experiments, and see what became of its claims."""

from __future__ import annotations

import contextlib
import pathlib
import shlex
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from quintet.cli.entry import main
from quintet.cli.printing import console, say
from quintet.cli.progress import leave_if, progress_bar, stopping_by_ctrl_c
from quintet.errors import UserError

if TYPE_CHECKING:
    from quintet.studies.results import Results
    from quintet.studies.running import News, Part

F = TypeVar("F", bound=Callable[..., Any])


def _study_options(command: F) -> F:
    """What running and reporting share."""
    for decorate in (
        click.option(
            "--folder",
            metavar="DIR",
            help="Where the results of studies are; by default $QUINTET_STUDIES or studies.",
        ),
        click.option(
            "--scale",
            type=click.Choice(["smoke", "quick", "full"]),
            default="quick",
            show_default=True,
            help="Seconds of work, minutes, or the paper's own budget.",
        ),
        click.argument("name"),
    ):
        command = decorate(command)
    return command


@main.group()
def study() -> None:
    """Repeat a paper's experiments and compare their claims with ours.

    NAME is one of `quintet study list`, or a study in a file of yours:
    ./my_study.py:STUDY.
    """


@study.command("list")
def list_studies() -> None:
    """List the studies, and what has been run of them."""
    from rich.table import Table

    from quintet.studies import STUDIES, load
    from quintet.studies.results import Results, studies_folder
    from quintet.studies.study import Scale

    if not STUDIES:
        say("There are no studies; `quintet study run ./my_study.py:STUDY` runs one of yours.")
        return
    table = Table("study", "title", "finished", box=None, pad_edge=False)
    for name in STUDIES:
        loaded = load(name)
        done = []
        for scale in Scale:
            found = Results(loaded, scale, studies_folder()).all()
            seeds = min((len(results) for results in found.values()), default=0)
            if seeds:
                done.append(f"{scale.value}: {_seeds(seeds)}")
        table.add_row(name, loaded.title, ", ".join(done) or "-")
    console().print(table)


@study.command()
@_study_options
@click.option("--seeds", type=click.IntRange(1, 10_000), metavar="N",
              help="By default 2 (smoke), 3 (quick) or 10 (full).")  # fmt: skip
@click.option("--only", multiple=True, metavar="EXPERIMENT",
              help="This experiment and what it needs; may be given several times.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; by default all cores.")
def run(
    name: str,
    scale: str,
    folder: str | None,
    seeds: int | None,
    only: tuple[str, ...],
    workers: int | None,
) -> None:
    """Run what is not finished yet, and show the table of claims.

    Ctrl-C stops it; the same command goes on.
    """
    from quintet.studies.results import SEEDS
    from quintet.studies.running import carried_out, chosen, unfinished

    results = _results(name, scale, folder)
    experiments = chosen(results.study, only)
    seeds = seeds or SEEDS[results.scale]
    parts = unfinished(results, experiments, seeds)
    kept = len(experiments) * seeds - len(parts)
    say(f"{results.study.name}, {scale}, {_seeds(seeds)}: {len(parts)} parts to run, {kept} kept")
    stop = threading.Event()
    with contextlib.ExitStack() as stack:
        stack.enter_context(stopping_by_ctrl_c(stop))
        told = _Told(stack.enter_context(progress_bar(described=True)), len(parts))
        events = carried_out(name, results, parts, workers, stop.is_set)
        stack.enter_context(contextlib.closing(events))
        for news in events:
            told.note(news)
    stopped = stop.is_set() and told.finished < len(parts)
    if stopped:
        say(f"Stopped after {told.finished} of {len(parts)} parts; the same command goes on.")
    _print_claims(results)
    told.tell_failures(results)
    leave_if(stopped)
    if told.failed:
        click.get_current_context().exit(1)


@study.command()
@_study_options
@click.option("--html", metavar="FILE", help="By default report.html beside the results.")
@click.option("--markdown", metavar="FILE", help="By default report.md; pictures beside it.")
def report(
    name: str, scale: str, folder: str | None, html: str | None, markdown: str | None
) -> None:
    """Write the report: one HTML file, and Markdown with pictures."""
    from quintet.studies.report import report_of, write_html, write_markdown

    results = _results(name, scale, folder)
    if not any(results.all().values()):
        hint = f"`quintet study run {name} --scale {scale}` runs it"
        raise UserError(f"study {name!r} has no results in {str(results.folder)!r}; {hint}")
    given = {"--html": html, "--markdown": markdown}
    options = "".join(f" {word} {shlex.quote(file)}" for word, file in given.items() if file)
    made = report_of(results, name, options)
    if html is None and markdown is None:
        html, markdown = (str(results.folder / f"report.{kind}") for kind in ("html", "md"))
    for file, write in ((html, write_html), (markdown, write_markdown)):
        if file is not None:
            try:
                write(made, pathlib.Path(file))
            except OSError as error:
                raise UserError(f"{file!r} cannot be written: {error.strerror}") from error
            say(f"written: {file}")


# --- shared -------------------------------------------------------------------


def _results(name: str, scale: str, folder: str | None) -> Results:
    from quintet.studies import load
    from quintet.studies.results import Results, studies_folder
    from quintet.studies.study import Scale

    try:
        loaded = load(name)
    except (ImportError, AttributeError) as error:
        raise UserError(f"study {name!r} could not be loaded: {error}") from error
    root = studies_folder() if folder is None else pathlib.Path(folder)
    return Results(loaded, Scale(scale), root)


class _Told:
    """What is shown while parts are done: a bar, or lines where there is no terminal."""

    def __init__(self, bar: Any, parts: int) -> None:
        self.finished = 0
        self.failed: list[News] = []
        self._parts = parts
        self._under_way: list[Part] = []
        self._bar = bar
        self._task = None if bar is None else bar.add_task("", total=parts)

    def note(self, news: News) -> None:
        from quintet.studies.running import State

        if news.state is State.BEGUN:
            self._under_way.append(news.part)
        elif news.part in self._under_way:
            self._under_way.remove(news.part)
        if news.state is State.FINISHED:
            self.finished += 1
        if news.state in (State.FAILED, State.LEFT_OUT):
            self.failed.append(news)
        if self._bar is None:
            self._print(news)
        else:
            done = self.finished + len(self.failed)
            described = "; ".join(map(str, self._under_way))
            self._bar.update(self._task, completed=done, description=described)

    def _print(self, news: News) -> None:
        from quintet.studies.running import State

        if news.state is State.FINISHED:
            say(f"{self.finished}/{self._parts} {news.part}: {news.seconds:.1f} s")

    def tell_failures(self, results: Results) -> None:
        from quintet.studies.running import State

        for news in self.failed:
            if news.state is State.LEFT_OUT:
                say(f"left out: {news.part}, as something that it needs has failed")
            else:
                say(f"failed: {news.part}: {news.error}")
        if self.failed:
            say(f"What they printed is in {results.folder / 'log.txt'}.")


def _print_claims(results: Results) -> None:
    from rich.table import Table

    from quintet.studies.report import claim_row
    from quintet.studies.verdict import count_of, judged, never_given

    found = results.all()
    judgements = judged(results.study, found)
    table = Table(
        "where", "what", "published", "ours", "seeds", "verdict", box=None, pad_edge=False
    )
    for judgement in judgements:
        table.add_row(*claim_row(judgement)[:6])
    screen = console()
    if not screen.is_terminal:
        screen.width = 200
    screen.print(table)
    say(f"{count_of(judgements)}.")
    for measure in never_given(results.study, found):
        say(f"The study speaks of {measure}, which its experiment did not give.")


def _seeds(count: int) -> str:
    return f"{count} seed{'s' if count > 1 else ''}"
