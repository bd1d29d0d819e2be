"""The report: whole, safe, the same for the same results, and it needs nothing from anywhere."""

from __future__ import annotations

import html
import html.parser
import math
import pathlib
import re
import xml.etree.ElementTree as ET

import pytest

from quintet.studies.plots import drawn, lines_of
from quintet.studies.report import (
    Report,
    as_html,
    as_markdown,
    report_of,
    write_html,
    write_markdown,
)
from quintet.studies.results import Result, Results
from quintet.studies.study import Curve, Plot, Scale
from tests.unit.small_study import STUDY

VERSIONS = {"quintet": "1", "python": "3"}
VOID = {"meta", "br", "img", "link", "hr", "input"}


def results_of(folder: pathlib.Path, seeds: int = 3, area: float = 9.0) -> Results:
    results = Results(STUDY, Scale.SMOKE, folder)
    for seed in range(1, seeds + 1):
        square = {"area": area + seed / 10, "curve": [float(seed * x) for x in range(5)]}
        doubled = {"area": 2 * area + seed / 5, "nothing": math.nan}
        for name, figures in (("square", square), ("doubled", doubled), ("after", square)):
            result = Result(name, seed, figures, {}, 1.5 * seed, 1.0 * seed, 100 + seed, VERSIONS)
            results.write(result)
    return results


@pytest.fixture
def report(tmp_path: pathlib.Path) -> Report:
    return report_of(results_of(tmp_path), "small")


class Page(html.parser.HTMLParser):
    """Reads a page, and holds that its tags match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self.rows: list[list[str]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if "td" in self._open or "th" in self._open:
            self.rows[-1][-1] += data


def test_the_page_asks_for_nothing_from_anywhere(report: Report) -> None:
    text = as_html(report)
    page = Page(text)
    assert not {"script", "link", "iframe", "img", "object", "embed", "form"} & set(page.tags)
    loading = {"src", "srcset", "href", "xlink:href", "data", "action", "poster", "background"}
    references = [value for _, name, value in page.attributes if name in loading]
    assert references  # the marks of curves
    assert all(value.startswith("#") for value in references)
    assert not any(name.startswith("on") for _, name, _ in page.attributes)
    inside = re.findall(r"url\(([^)]*)\)", text)
    assert inside
    assert all(each.startswith("#") for each in inside)
    assert "@import" not in text
    named = [value for _, name, value in page.attributes if name == "id"]
    assert {value.removeprefix("#") for value in [*references, *inside]} <= set(named)
    addresses = set(re.findall(r"https?://[^\"'\s<)]*", text))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}  # names only


def test_names_inside_the_page_are_its_own(tmp_path: pathlib.Path) -> None:
    plots = [STUDY.plots[0], STUDY.plots[0]._replace(title="Another")]
    study = STUDY._replace(plots=plots)
    results_of(tmp_path)
    page = Page(as_html(report_of(Results(study, Scale.SMOKE, tmp_path), "small")))
    named = [value for _, name, value in page.attributes if name == "id"]
    assert page.tags.count("svg") == 2
    assert len(named) == len(set(named))


def test_the_table_of_claims(report: Report) -> None:
    rows = Page(as_html(report)).rows
    assert rows[1] == ["Table 1", "area of a square", "9.15", "9.20 (8.95 to 9.45)", "3", "✓ reproduced", ""]  # fmt: skip # noqa: E501
    assert rows[2][1] == "twice <script>alert(1)</script>"
    assert rows[2][2:] == ["2:1 (30 ± 0.5)", "18.40 (17.90 to 18.90)", "3", "✗ not reached", "we | think it is wrong"]  # fmt: skip # noqa: E501
    assert rows[3][-2] == "✓ reached"
    assert rows[4][3:6] == ["-", "0", "- not run"]


def test_the_table_of_experiments(report: Report) -> None:
    rows = {row[0]: row for row in Page(as_html(report)).rows}
    assert rows["square"] == ["square", "a side, <squared>", "side 3", "3", "3.0 (4.5)", "2.0 (3.0)", "102 (103)"]  # fmt: skip # noqa: E501
    assert rows["slow"][3:] == ["0", "-", "-", "-"]
    text = as_html(report)
    told = html.unescape(text)
    assert "Altogether 18 seconds of one core's work, and 27 seconds by the clock." in told
    assert "Seeds: 1, 2, 3." in text
    assert "Versions: quintet 1, python 3." in text


def test_the_page_is_for_everybody(report: Report) -> None:
    text = as_html(report)
    page = Page(text)
    assert ("html", "lang", "en") in page.attributes
    assert ("meta", "content", "width=device-width, initial-scale=1") in page.attributes
    assert "prefers-color-scheme: dark" in text
    (alternative,) = (v for tag, name, v in page.attributes if (tag, name) == ("svg", "aria-label"))
    assert "ours <x> (mean of 3 seeds) from 0 at 0 to 8 at 4" in alternative
    assert "ours <x> in the paper: 1.5 at 1, 6 at 4" in alternative
    assert ("svg", "role", "img") in page.attributes
    assert "#010203" not in text  # the ink is that of the page
    assert "currentColor" in text


def test_texts_are_shown_as_they_are(report: Report) -> None:
    told = " ".join(Page(as_html(report)).texts)
    for text in (STUDY.title, STUDY.paper, "It *squares*.", "As it <is>.", "ours <x> (paper)"):
        assert text in told
    markdown = as_markdown(report, "small")
    assert "<script" not in re.sub(r"\\<", "", markdown)
    assert "we \\| think it is wrong" in markdown
    assert "It \\*squares\\*." in markdown


def test_markdown_says_what_the_page_says(report: Report) -> None:
    lines = as_markdown(report, "small").splitlines()
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines if line.startswith("| ")]
    plain = [[re.sub(r"\\(.)", r"\1", cell.strip()) for cell in row] for row in rows]
    shown = [[re.sub("^[✓▲✗-] ", "", cell) for cell in row] for row in Page(as_html(report)).rows]
    assert [row for row in plain if set(row) != {"---"}] == shown
    assert len({len(row) for row in plain[:6]}) == 1


def test_commands_make_the_report_again(tmp_path: pathlib.Path) -> None:
    results = results_of(tmp_path, seeds=2)
    assert report_of(results, "small").commands() == [
        "quintet study run small --scale smoke",
        "quintet study report small --scale smoke",
    ]
    results_of(tmp_path, seeds=3)
    run, again = report_of(results, "small", " --markdown x.md").commands()
    assert run == "quintet study run small --scale smoke --seeds 3"
    assert again == "quintet study report small --scale smoke --markdown x.md"
    assert run in as_html(report_of(results, "small"))


def test_files_change_only_with_the_results(tmp_path: pathlib.Path) -> None:
    def written(folder: str, area: float) -> dict[str, bytes]:
        report = report_of(results_of(tmp_path / "results", area=area), "small")
        (tmp_path / folder).mkdir()
        write_html(report, tmp_path / folder / "small.html")
        write_markdown(report, tmp_path / folder / "small.md")
        files = [file for file in (tmp_path / folder).rglob("*") if file.is_file()]
        return {str(file.relative_to(tmp_path / folder)): file.read_bytes() for file in files}

    first = written("a", 9.0)
    assert set(first) == {"small.html", "small.md", "small/a-curve-of-5-more.svg"}
    assert written("b", 9.0) == first
    changed = written("c", 9.5)
    assert {name for name in first if first[name] != changed[name]} == {"small.html", "small.md"}
    picture = re.search(r"\]\((.*)\)", first["small.md"].decode())
    assert picture is not None
    assert picture[1] in first


def test_a_picture_is_well_formed_and_shows_the_means(tmp_path: pathlib.Path) -> None:
    found = results_of(tmp_path).all()
    plot = STUDY.plots[0]
    lines = lines_of(plot, found)
    assert [value.mean for value in lines[0].y] == [0, 2, 4, 6, 8]
    # 1, 2 and 3: standard deviation 1, t of 2 degrees of freedom 4.3027
    assert lines[0].y[1].high == pytest.approx(2 + 4.30265 / math.sqrt(3), abs=1e-4)
    for alone in (True, False):
        tree = ET.fromstring(drawn(plot, lines, alone))
        texts = {text for text in tree.itertext() if text.strip()}
        assert {"step", "value", "ours <x>", "ours <x> (paper)", "after"} <= texts
    assert "currentColor" not in drawn(plot, lines, True)


def test_curves_are_as_long_as_the_shortest_and_know_their_x(tmp_path: pathlib.Path) -> None:
    x = [10.0, 20.0, 30.0]
    curves = [[1.0, 2.0, math.nan], [3.0, 2.0, 7.0, 9.0]]
    results = [Result("square", 1, {"x": x, "y": y}, {}, 1, 1, 1, {}) for y in curves]
    found = {"square": dict(enumerate(results))}
    plot = Plot("t", "c", "x", "y", [Curve("square.y", "a"), Curve("square.z", "b")], "square.x")
    known, unknown = lines_of(plot, found)
    assert known.x == [10, 20, 30]
    assert [value.mean for value in known.y] == [2, 2, 7]
    assert math.isnan(known.y[2].low)
    assert (unknown.x, unknown.y) == ([], [])
    ET.fromstring(drawn(plot, [known, unknown], True))


def test_a_study_that_was_not_run_has_a_report(tmp_path: pathlib.Path) -> None:
    curves = [curve._replace(published=()) for curve in STUDY.plots[0].curves]
    study = STUDY._replace(plots=[STUDY.plots[0]._replace(curves=curves)])
    report = report_of(Results(study, Scale.FULL, tmp_path), "small")
    for text in (as_html(report), as_markdown(report, "small")):
        assert "Not run yet." in text
        assert "Nothing has been run yet." in text
    assert "svg" not in Page(as_html(report)).tags
