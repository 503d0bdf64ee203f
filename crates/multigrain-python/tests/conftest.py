"""What the tests share: random systems and a search in plain numpy."""

import itertools
import pathlib

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")


@pytest.fixture
def root():
    """The root of the checkout."""
    return pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def brute_force():
    """Contacts as a set of (i, j, shift), by numpy, over all images."""
    return _brute_force


def _brute_force(centers, radii, margin=0.0, domain=None):
    centers, radii = np.asarray(centers, float), np.asarray(radii, float)
    axes = centers.shape[1]
    periodic = domain.periodic if domain is not None else (False,) * axes
    lengths = domain.hi - domain.lo if domain is not None else np.zeros(axes)
    reach = 2 * radii.max(initial=0.0) + margin
    spans = centers.max(axis=0, initial=-np.inf) - centers.min(axis=0, initial=np.inf) if len(centers) else np.zeros(axes)
    most = [int(np.ceil((reach + span) / length)) if is_periodic else 0
            for is_periodic, length, span in zip(periodic, lengths, spans)]
    found = set()
    sums = radii[:, None] + radii[None, :] + margin
    for shift in itertools.product(*(range(-k, k + 1) for k in most)):
        vectors = centers[None, :, :] - centers[:, None, :] + np.array(shift) * lengths
        for i, j in zip(*np.nonzero((vectors**2).sum(axis=2) < sums**2)):
            positive = next((s for s in shift if s != 0), 0) > 0
            if i < j or (i == j and positive):
                found.add((int(i), int(j), shift))
    return found


@pytest.fixture
def as_set():
    """Pairs as a set of (i, j, shift), each of them once."""

    def convert(pairs):
        rows = [(int(i), int(j), tuple(int(s) for s in shift)) for (i, j), shift in zip(pairs.array, pairs.shifts)]
        assert len(set(rows)) == len(rows), "a contact is listed twice"
        return set(rows)

    return convert
