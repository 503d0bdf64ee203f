"""Runs the tests of another library with multigrain in the place of its neighbour search: see docs/other-suites.md.

python crates/multigrain-python/suites/run.py {ase|matscipy|vesin|freud|scipy} [tests ...] [options of pytest ...]
"""

import fnmatch
import importlib
import os
import sys

import pytest
from counting import mg

LIBRARIES = ("ase", "matscipy", "vesin", "freud", "scipy")


class Plugin:
    """Marks the conventions that differ, counts calls, sums up."""

    def __init__(self, conventions):
        self.conventions = conventions
        self.called = 0
        self.skipped = {}
        self.met = []
        self.outcomes = {"passed": 0, "failed": 0}

    def pytest_collection_modifyitems(self, items):
        for item in items:
            name = item.nodeid.split("::", 1)[1]
            for pattern, reason in self.conventions.items():
                if fnmatch.fnmatch(name, pattern):
                    item.add_marker(pytest.mark.xfail(reason=reason, strict=True))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        self.before = mg.calls
        yield

    def pytest_runtest_logreport(self, report):
        if hasattr(report, "wasxfail") and report.skipped:
            self.met.append(report.nodeid.split("::", 1)[1])
        elif report.skipped:
            reason = report.longrepr[2].removeprefix("Skipped: ")
            self.skipped[reason] = self.skipped.get(reason, 0) + 1
        elif report.failed:
            self.outcomes["failed"] += 1
        elif report.when == "call":
            self.outcomes["passed"] += 1
            self.called += mg.calls > self.before

    def pytest_terminal_summary(self, terminalreporter):
        line = terminalreporter.write_line
        line(f"passed {self.outcomes['passed']} (of these {self.called} by multigrain), failed {self.outcomes['failed']}")
        line(f"conventions that differ: {len(self.met)}")
        for name in self.met:
            line(f"  {name}")
        line(f"not concerned: {sum(self.skipped.values())}")
        for reason, count in sorted(self.skipped.items()):
            line(f"  {count}: {reason}")


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in LIBRARIES:
        sys.exit(f"error: name one of {', '.join(LIBRARIES)}\nhint: {__doc__.splitlines()[-1]}")
    adapter = importlib.import_module(f"for_{sys.argv[1]}")
    arguments = sys.argv[2:]
    if not any(not argument.startswith("-") for argument in arguments):
        if adapter.DEFAULT_TESTS is None:
            sys.exit(f"error: say where the tests of {sys.argv[1]} are: {adapter.__doc__.splitlines()[0]}")
        arguments.append(adapter.DEFAULT_TESTS)
    # Tests import what lies beside them.
    files = [argument.split("::")[0] for argument in arguments if not argument.startswith("-")]
    sys.path.extend(os.path.dirname(os.path.abspath(path)) for path in files)
    adapter.install()
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "-W", "ignore::pytest.PytestUnknownMarkWarning"]
    sys.exit(pytest.main([*options, *arguments], plugins=[Plugin(adapter.CONVENTIONS)]))


if __name__ == "__main__":
    main()
