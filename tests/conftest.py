"""An account of what was not run: tests that need a program which this machine lacks."""

from __future__ import annotations

import os
import shutil

import pytest

CHROMIUM = os.environ.get("QUINTET_CHROMIUM", "chromium")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what cannot run here."""
    if shutil.which(CHROMIUM):
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="not run: needs Chromium"))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything must be run, a test that was not is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not os.environ.get("CI"):
        return
    if reporter.stats.get("skipped"):
        reporter.write_line("Some tests were not run.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
