"""Runs a notebook's cells, and writes their outputs: ``python -m tests.journeys.notebook``.

Only what our notebooks need: the value of a cell's last expression, and what it prints.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import pathlib
import tempfile
from typing import Any
from unittest import mock

from quintet.runs.trained import FOLDER

TOUR = pathlib.Path(__file__).parents[2] / "docs" / "tour.ipynb"
_RICH = {"_repr_svg_": "image/svg+xml", "_repr_html_": "text/html"}


def run(path: pathlib.Path) -> dict[str, Any]:
    """The notebook, with the outputs that its cells give now; its runs are not kept."""
    notebook: dict[str, Any] = json.loads(path.read_text())
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {FOLDER: folder}):
        _run_cells(notebook)
    return notebook


def _run_cells(notebook: dict[str, Any]) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = _outputs("".join(cell["source"]), names, count)


def _outputs(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # type: ignore[attr-defined]
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        found.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        for method, kind in _RICH.items():
            if hasattr(value, method):
                data[kind] = getattr(value, method)().splitlines(keepends=True)
        result = {"data": data, "execution_count": count, "metadata": {}}
        found.append({**result, "output_type": "execute_result"})
    return found


def write(notebook: dict[str, Any], path: pathlib.Path) -> None:
    """As Jupyter does."""
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n")


if __name__ == "__main__":
    write(run(TOUR), TOUR)
