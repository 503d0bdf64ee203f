"""multigrain for the adapters, with a count of its calls: a test that passes without any says nothing about it."""

import pytest

import multigrain


class Counting:
    """The package, counting what is taken from it."""

    def __init__(self):
        self.calls = 0

    def __getattr__(self, name):
        self.calls += 1
        return getattr(multigrain, name)


mg = Counting()


def not_concerned(reason):
    """Leaves the running test out: it asks for what multigrain is not for."""
    pytest.skip(reason)
