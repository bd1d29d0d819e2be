"""The report of a study: one HTML file that needs nothing else, and Markdown with pictures.

It holds no date and nothing of the machine but what the results say: it changes only when
these do.
"""

from __future__ import annotations

import html
import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from quintet.runs.files import write_whole
from quintet.studies.plots import Line, drawn, in_words, lines_of, slug
from quintet.studies.results import SEEDS, Result, Results
from quintet.studies.study import Experiment, Plot, Scale, Study
from quintet.studies.verdict import (
    Judgement,
    count_of,
    judged,
    ours_in_words,
    published_in_words,
)

_MEANING = {
    Scale.SMOKE: "seconds of work, to see that everything runs: its figures mean nothing",
    Scale.QUICK: "minutes of work, less than the paper's: its figures are a first impression",
    Scale.FULL: "the paper's own budget",
}
_CLAIMS = ("where", "what", "published", "ours (95% interval)", "seeds", "verdict", "remarks")
_EXPERIMENTS = ("experiment", "what", "sizes", "seeds", "seconds", "processor", "megabytes")
_VERDICTS = """\
Ours is the mean over the seeds with Student's 95% interval.
*Reproduced*: our interval and the published range overlap.
*Beaten*: they do not, and ours is on the better side, where there is one.
*Not reached*: they do not, and it is not.
A goal of ours is *reached* by the mean.
With two or three seeds an interval is so wide that *reproduced* says little."""
_COSTS = """\
Seconds (by the clock), processor seconds and megabytes are those of one seed on one core with
compiling, the mean and, in brackets, the most.  Where others use the core too, the clock says
more than the processor.  The memory is the whole process's, with the interpreter and all
compiled code."""


class Report(NamedTuple):
    """Everything a report tells."""

    study: Study
    scale: Scale
    text: str  # by which the user names the study
    found: Mapping[str, Mapping[int, Result]]
    judgements: Sequence[Judgement]
    plots: Sequence[tuple[Plot, list[Line]]]
    options: str = ""  # with which the user asked for the report

    @property
    def seeds(self) -> int:
        """The most that an experiment has."""
        return max((max(results, default=0) for results in self.found.values()), default=0)

    def commands(self) -> list[str]:
        """How to make it again."""
        named = f"{self.text} --scale {self.scale.value}"
        seeds = "" if self.seeds in (0, SEEDS[self.scale]) else f" --seeds {self.seeds}"
        return [f"quintet study run {named}{seeds}", f"quintet study report {named}{self.options}"]


def report_of(results: Results, text: str, options: str = "") -> Report:
    """What there is to tell now."""
    study, found = results.study, results.all()
    plots = [(plot, lines_of(plot, found)) for plot in study.plots]
    return Report(study, results.scale, text, found, judged(study, found), plots, options)


# --- rows of the tables, as text ----------------------------------------------


def claim_row(judgement: Judgement) -> list[str]:
    """The cells of a claim."""
    claim, ours, seeds, verdict, note = judgement
    published = published_in_words(claim)
    words = ours_in_words(ours)
    return [claim.where, claim.what, published, words, str(seeds), verdict.value, note]


def _experiment_row(report: Report, experiment: Experiment) -> list[str]:
    results = list(report.found[experiment.name].values())
    sizes = experiment.sizes[report.scale]
    told = ", ".join(f"{name} {size}" for name, size in sizes.items())
    seconds = _mean_and_most([result.seconds for result in results], 1)
    megabytes = _mean_and_most([result.megabytes for result in results], 0)
    processor = _mean_and_most([result.processor for result in results], 1)
    count = str(len(results))
    return [experiment.name, experiment.what, told, count, seconds, processor, megabytes]


def _mean_and_most(numbers: Sequence[float], places: int) -> str:
    if not numbers:
        return "-"
    return f"{sum(numbers) / len(numbers):.{places}f} ({max(numbers):.{places}f})"


def _facts(report: Report) -> list[str]:
    """Total, seeds and versions."""
    results = [result for of_one in report.found.values() for result in of_one.values()]
    if not results:
        return ["Nothing has been run yet."]
    total = sum(result.processor for result in results)
    clock = sum(result.seconds for result in results)
    seeds = sorted({result.seed for result in results})
    versions: dict[str, set[str]] = {}
    for result in results:
        for name, version in result.versions.items():
            versions.setdefault(name, set()).add(version)
    told = ", ".join(f"{name} {' and '.join(sorted(each))}" for name, each in versions.items())
    return [
        f"Altogether {_time(total)} of one core's work, and {_time(clock)} by the clock.",
        f"Seeds: {', '.join(map(str, seeds))}.",
        f"Versions: {told}.",
    ]


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.1f} hours"


def _is_drawn(lines: Sequence[Line]) -> bool:
    return any(line.y or line.curve.published for line in lines)


# --- Markdown -----------------------------------------------------------------


def write_markdown(report: Report, file: pathlib.Path) -> None:
    """``NAME.md``, with its pictures in the folder ``NAME`` beside it."""
    folder = file.with_suffix("")
    for plot, lines in report.plots:
        if _is_drawn(lines):
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / f"{slug(plot.title)}.svg", drawn(plot, lines, True).encode())
    write_whole(file, as_markdown(report, folder.name).encode())


def as_markdown(report: Report, folder: str) -> str:
    """The report as Markdown; its pictures are in a folder."""
    return "\n".join(_markdown_parts(report, folder)) + "\n"


def _markdown_parts(report: Report, folder: str) -> Iterator[str]:
    study = report.study
    yield f"# {_plain(study.title)}\n\n{_plain(study.paper)}\n"
    yield f"{_plain(_unwrapped(study.about))}\n"
    yield f"Scale: **{report.scale.value}**, {_MEANING[report.scale]}. Made by\n"
    yield "\n".join(["```", *report.commands(), "```"]) + "\n"
    yield f"## Claims\n\n{count_of(report.judgements)}.\n"
    yield _markdown_table(_CLAIMS, [claim_row(each) for each in report.judgements])
    yield _VERDICTS + "\n"
    for plot, lines in report.plots:
        yield f"## {_plain(plot.title)}\n"
        if _is_drawn(lines):
            yield f"![{_plain(in_words(plot, lines))}]({folder}/{slug(plot.title)}.svg)\n"
        else:
            yield "Not run yet.\n"
        yield _plain(_unwrapped(plot.caption)) + "\n"
    rows = [_experiment_row(report, each) for each in study.experiments]
    yield "## Experiments\n\n" + _markdown_table(_EXPERIMENTS, rows)
    yield _COSTS + "\n\n" + "\n".join(_facts(report))


def _markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [list(headings), ["---"] * len(headings)]
    lines += [[_plain(" ".join(cell.split())) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)


def _unwrapped(text: str) -> str:
    """Paragraphs, each on one line."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


# --- HTML ---------------------------------------------------------------------

_CSS = """\
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --line: #ccc; --soft: #f3f3f3;
  --good: #00664b; --bad: #a63e00; --best: #00578a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #16181c; --line: #444;
  --soft: #22252b; --good: #4fd3a8; --bad: #ff9a5c; --best: #7cc4f5; } }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 70rem; margin: 0 auto; padding: 1rem; overflow-wrap: break-word; }
h1 { line-height: 1.2; } pre { background: var(--soft); padding: .75rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem;
  border-bottom: 1px solid var(--line); }
.reproduced, .reached { color: var(--good); } .beaten { color: var(--best); }
.not-reached { color: var(--bad); }
[class] > b { white-space: nowrap; }
figure { margin: 1.5rem 0; } figure svg { width: 100%; height: auto; max-width: 38rem; }
@media (max-width: 45rem) {
  thead { position: absolute; clip-path: inset(50%); }
  tr { display: block; border: 1px solid var(--line); border-radius: .4rem; margin: .8rem 0; }
  td { display: block; border: 0; } td:empty { display: none; }
  td::before { content: attr(data-label) ": "; font-weight: 600; }
}"""
_MARKS = {"reproduced": "✓", "reached": "✓", "beaten": "▲", "not reached": "✗", "not run": "-"}


def write_html(report: Report, file: pathlib.Path) -> None:
    """One file that asks for nothing from anywhere."""
    write_whole(file, as_html(report).encode())


def as_html(report: Report) -> str:
    """The report as a page."""
    return "\n".join(_html_parts(report)) + "\n"


def _html_parts(report: Report) -> Iterator[str]:
    study = report.study
    title = html.escape(study.title)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>\n<style>\n{_CSS}\n</style>\n</head>\n<body>\n<main>"
    yield f"<h1>{title}</h1>\n<p><cite>{html.escape(study.paper)}</cite></p>"
    yield _paragraphs(study.about)
    yield f"<p>Scale: <b>{report.scale.value}</b>, {_MEANING[report.scale]}. Made by</p>"
    yield f"<pre><code>{html.escape(chr(10).join(report.commands()))}</code></pre>"
    yield f"<h2>Claims</h2>\n<p><b>{count_of(report.judgements)}.</b></p>"
    yield _html_table(_CLAIMS, [claim_row(each) for each in report.judgements])
    yield "<p>" + re.sub(r"\*(.+?)\*", r"<em>\1</em>", _VERDICTS) + "</p>"
    for plot, lines in report.plots:
        yield f"<h2>{html.escape(plot.title)}</h2>\n<figure>"
        yield drawn(plot, lines, False) if _is_drawn(lines) else "<p>Not run yet.</p>"
        yield f"<figcaption>{html.escape(plot.caption)}</figcaption>\n</figure>"
    rows = [_experiment_row(report, each) for each in study.experiments]
    yield "<h2>Experiments</h2>\n" + _html_table(_EXPERIMENTS, rows)
    yield f"<p>{_COSTS}</p>"
    yield "\n".join(f"<p>{html.escape(fact)}</p>" for fact in _facts(report))
    yield "</main>\n</body>\n</html>"


def _paragraphs(text: str) -> str:
    return "\n".join(f"<p>{html.escape(part)}</p>" for part in _unwrapped(text).split("\n\n"))


def _html_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f'<th scope="col">{heading}</th>' for heading in headings)
    lines = [f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>"]
    for row in rows:
        cells = (_html_cell(*pair) for pair in zip(headings, row, strict=True))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</tbody>\n</table>"])


def _html_cell(heading: str, text: str) -> str:
    shown, kind = html.escape(text), ""
    if heading == "verdict":
        kind = f' class="{text.replace(" ", "-")}"'
        shown = f'<b><span aria-hidden="true">{_MARKS[text]}</span> {shown}</b>'
    return f'<td data-label="{heading}"{kind}>{shown}</td>'
