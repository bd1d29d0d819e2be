"""An account of what was not run: tests that need a program which this machine lacks."""

from __future__ import annotations

import os
import shutil
import signal

import pytest

# Who is started in the background ignores Ctrl-C, and so would the programs under test.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

CHROMIUM = os.environ.get("QUINTET_CHROMIUM", "chromium")
_FOLDERS = [os.environ.get("PATH", os.defpath), "/usr/games"]  # games are not on every PATH


def _needed(item: pytest.Item) -> list[str]:
    """The programs that a test needs."""
    named = [str(name) for marker in item.iter_markers("program") for name in marker.args]
    return named + ([CHROMIUM] if item.get_closest_marker("browser") else [])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what cannot run here."""
    for item in items:
        for name in _needed(item):
            if not shutil.which(name, path=os.pathsep.join(_FOLDERS)):
                item.add_marker(pytest.mark.skip(reason=f"not run: needs {name}"))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything must be run, a test that was not is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not os.environ.get("CI"):
        return
    if reporter.stats.get("skipped"):
        reporter.write_line("Some tests were not run.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
