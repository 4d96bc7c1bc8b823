"""Counts cases as scripts/count-tests reads them."""
import collections
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def examples():
    return ROOT / "examples"


def pytest_terminal_summary(terminalreporter):
    stats = terminalreporter.stats
    failed = len(stats.get("failed", [])) + len(stats.get("error", []))
    skipped = stats.get("skipped", [])
    reasons = collections.Counter(
        str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr).removeprefix("Skipped: ")
        for report in skipped)
    for reason, count in reasons.items():
        terminalreporter.write_line(f"skipped: {reason}" + (f" ({count} cases)" if count > 1 else ""))
    terminalreporter.write_line(
        f"test cases counted: {len(stats.get('passed', []))} passed, {failed} failed, {len(skipped)} skipped")
