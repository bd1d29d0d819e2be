"""The pictures of a report, as SVG: mean curves, their intervals, and the paper's points.

Colours are those of Okabe and Ito, which colour-blind people can tell apart (without the
two that are too pale on white); lines differ in their dashes, too.  The same
results give the same bytes.
"""

from __future__ import annotations

import html
import io
import math
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from quintet.arena.intervals import Estimate
from quintet.studies.results import Result
from quintet.studies.study import Curve, Plot
from quintet.studies.verdict import curves_of, over_seeds

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
_POINTS = "osD^vP"
_INK = "#010203"  # of text and axes: becomes the colour of the text around
_DARK = "#1a1a1a"  # the ink of a picture that stands alone, on white
_INCHES = (5.2, 3.7)  # small, so that letters are large enough on a phone
_LONG = 24  # letters of a label that does not fit beside another one
_FEW = 30  # points of a curve that are marked one by one
_STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: to be read aloud, searched, selected
    "svg.hashsalt": "quintet",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.size": 10.5,
    "text.color": _INK,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}


class Line(NamedTuple):
    """A curve, ready to be drawn."""

    curve: Curve
    x: list[float]
    y: list[Estimate]
    seeds: int


def lines_of(plot: Plot, found: Mapping[str, Mapping[int, Result]]) -> list[Line]:
    """The curves of a plot over the seeds; as long as the shortest of them."""
    across = _over_seeds(curves_of(found, plot.x)) if plot.x is not None else None
    lines = []
    for curve in plot.curves:
        curves = curves_of(found, curve.measure)
        y = _over_seeds(curves)
        x = [float(n) for n in range(len(y))] if across is None else [e.mean for e in across]
        length = min(len(x), len(y))
        lines.append(Line(curve, x[:length], y[:length], len(curves)))
    return lines


def _over_seeds(curves: Sequence[Sequence[float]]) -> list[Estimate]:
    points = zip(*curves, strict=False)
    return [over_seeds([value for value in point if math.isfinite(value)]) for point in points]


def in_words(plot: Plot, lines: Sequence[Line]) -> str:
    """What a picture shows, for those who do not see it."""
    told = []
    for curve, x, y, seeds in lines:
        known = [
            (at, value.mean) for at, value in zip(x, y, strict=True) if value.mean == value.mean
        ]
        if known:
            (first, begin), (last, end) = known[0], known[-1]
            seeds_told = f"mean of {seeds} seeds" if seeds > 1 else "one seed"
            ends = f"from {begin:.3g} at {first:g} to {end:.3g} at {last:g}"
            told.append(f"{curve.label} ({seeds_told}) {ends}")
        if curve.published:
            points = ", ".join(f"{up:.3g} at {at:g}" for at, up in curve.published)
            told.append(f"{curve.label} in the paper: {points}")
    return f"{plot.title}. {plot.up} against {plot.across}. " + "; ".join(told) + "."


def drawn(plot: Plot, lines: Sequence[Line], alone: bool) -> str:
    """A picture as SVG: one that stands alone in a file, or one inside a page.

    Inside a page its text and axes have the colour of the page's text.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        # the reader's fonts draw the letters; that ours lack some only moves them a little
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure = Figure(figsize=_INCHES, layout="constrained")
        axes = figure.add_subplot()
        for number, line in enumerate(lines):
            _draw(axes, number, line)
        axes.set_xlabel(plot.across)
        axes.set_ylabel(plot.up)
        axes.grid(alpha=0.25, color=_INK, linewidth=0.5)
        is_long = any(len(line.curve.label) > _LONG for line in lines)
        figure.legend(loc="outside lower left", ncols=1 if is_long else 2)
        if alone:
            figure.set_facecolor("white")
        else:
            figure.patch.set_alpha(0)
            axes.patch.set_alpha(0)
        stream = io.BytesIO()
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(stream, format="svg", metadata=nothing)
    return _finished(stream.getvalue().decode(), plot, lines, alone)


def _draw(axes: Any, number: int, line: Line) -> None:
    colour = _COLOURS[number % len(_COLOURS)]
    mark = _POINTS[number % len(_POINTS)]
    curve, x, y, seeds = line
    if y:
        few = {"marker": mark, "markersize": 3} if len(y) <= _FEW else {}
        dashes = _DASHES[number % len(_DASHES)]
        means = [value.mean for value in y]
        axes.plot(x, means, color=colour, linestyle=dashes, label=curve.label, **few)
        if seeds > 1:
            low, high = [value.low for value in y], [value.high for value in y]
            axes.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)
    if curve.published:
        across, up = zip(*curve.published, strict=True)
        label = f"{curve.label} (paper)"
        axes.plot(across, up, mark, color=colour, markerfacecolor="none", markersize=7, label=label)


def _finished(svg: str, plot: Plot, lines: Sequence[Line], alone: bool) -> str:
    """Without what only files need, with names that are its own, and with its words."""
    svg = svg[svg.index("<svg") :]
    prefix = slug(plot.title)
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'(href="|url\()#', rf"\1#{prefix}-", svg)
    svg = svg.replace(_INK, _DARK if alone else "currentColor")
    words = html.escape(in_words(plot, lines))
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{words}" ', 1)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def slug(title: str) -> str:
    """A title as a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "plot"
