"""The studies, by name, or in a file of the user's own: ``./my_study.py:STUDY``."""

from __future__ import annotations

import graphlib
import pathlib
import re
from typing import TYPE_CHECKING

from quintet.errors import UserError
from quintet.registry import Entry, find, module_in_file

if TYPE_CHECKING:
    from quintet.studies.study import Study

STUDIES = {  # name: module:STUDY
    "go-moku": "quintet.studies.go_moku:STUDY",
    "othello": "quintet.studies.othello:STUDY",
    "pentago": "quintet.studies.pentago:STUDY",
    "pente": "quintet.studies.pente:STUDY",
}

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")  # names are those of files, too


def load(text: str) -> Study:
    """A study from its name or FILE.py:NAME; mistakes in it are told."""
    if ".py:" in text:
        study = _study_in_file(text)
    else:
        entries = {name: Entry(place, {}, "") for name, place in STUDIES.items()}
        study = find(entries, text, "study").load()
    problem = _problem(study)
    if problem:
        raise UserError(f"study {text!r}: {problem}")
    return study


def full_text(text: str) -> str:
    """The text of a study, such that it means the same in every folder."""
    path, in_file, name = text.partition(".py:")
    return f"{pathlib.Path(path).expanduser().resolve()}.py:{name}" if in_file else text


def _study_in_file(text: str) -> Study:
    from quintet.studies.study import Study

    path, _, name = text.partition(".py:")
    file = pathlib.Path(path + ".py").expanduser().resolve()
    if not file.is_file():
        raise UserError(f"no file {path + '.py'!r}; expected a Python file with a study")
    module = module_in_file(file, "quintet_study_file_")
    study = getattr(module, name, None)
    if not isinstance(study, Study):
        known = [name for name, it in vars(module).items() if isinstance(it, Study)]
        raise UserError(f"{path}.py has no study {name!r}; it has {', '.join(known) or 'none'}")
    return study


def _problem(study: Study) -> str | None:
    """What is wrong with a study, or None."""
    from quintet.studies.study import Scale

    names = [experiment.name for experiment in study.experiments]
    for name in [study.name, *names]:
        if not _NAME.fullmatch(name):
            return f"{name!r} is no name; expected small letters, digits, - and _"
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        return f"there are two experiments {twice.pop()!r}"
    for experiment in study.experiments:
        for scale in Scale:
            if scale not in experiment.sizes:
                return f"experiment {experiment.name!r} has no sizes for the scale {scale.value}"
    titles = [plot.title for plot in study.plots]
    if len(set(titles)) < len(titles):
        return "two plots have the same title"
    return _problem_of_needs(study) or _problem_of_measures(study, names)


def _problem_of_needs(study: Study) -> str | None:
    needs = {experiment.name: experiment.needs for experiment in study.experiments}
    for name, needed in needs.items():
        for other in needed:
            if other not in needs:
                return f"experiment {name!r} needs {other!r}, which there is not"
    try:
        graphlib.TopologicalSorter(needs).prepare()
    except graphlib.CycleError as error:
        return f"experiments need each other: {', '.join(error.args[1])}"
    return None


def _problem_of_measures(study: Study, names: list[str]) -> str | None:
    curves = [curve.measure for plot in study.plots for curve in plot.curves]
    across = [plot.x for plot in study.plots if plot.x is not None]
    for measure in [*(claim.measure for claim in study.claims), *curves, *across]:
        experiment, dot, figure = measure.partition(".")
        if experiment not in names or not dot or not figure:
            return f"{measure!r} is no measure; expected 'experiment.figure'"
    return None
