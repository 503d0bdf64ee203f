"""The same contacts as scipy, matscipy and plain numpy, on random systems."""

import matscipy.neighbours
import numpy as np
import pytest
from scipy.spatial import cKDTree

import multigrain as mg

CASES = range(100)
DIMENSIONS = [2, 3]


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("seed", CASES)
def test_equal_radii_agree_with_scipy(seed, dimension):
    rng = np.random.default_rng([1, seed, dimension])
    points = rng.uniform(-3, 7, (rng.integers(2, 400), dimension))
    radius = rng.uniform(0.05, 1.0)
    expected = cKDTree(points).query_pairs(2 * radius, output_type="ndarray")
    pairs = mg.find_pairs(points, radius).sorted().array
    assert np.array_equal(pairs, expected[np.lexsort((expected[:, 1], expected[:, 0]))])


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("seed", CASES)
def test_equal_radii_in_a_periodic_box_agree_with_scipy(seed, dimension):
    rng = np.random.default_rng([2, seed, dimension])
    lengths = rng.uniform(4, 9, dimension)
    points = rng.uniform(0, 1, (rng.integers(2, 300), dimension)) * lengths
    # Up to half the box scipy's nearest images are all images.
    radius = rng.uniform(0.05, 0.95)
    expected = cKDTree(points, boxsize=lengths).query_pairs(2 * radius, output_type="ndarray")
    pairs = mg.find_pairs(points, radius, domain=mg.Domain(np.zeros(dimension), lengths)).sorted().array
    assert np.array_equal(pairs, expected[np.lexsort((expected[:, 1], expected[:, 0]))])


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("seed", CASES)
def test_mixed_radii_agree_with_brute_force(seed, dimension, brute_force, as_set):
    rng = np.random.default_rng([3, seed, dimension])
    lengths = rng.uniform(1.5, 8, dimension)
    count = rng.integers(1, 60)
    # Positions up to a box outside, radii over two decades, some larger than half the box.
    points = rng.uniform(-1, 2, (count, dimension)) * lengths
    radii = 10 ** rng.uniform(-2, 0, count)
    margin = rng.choice([0.0, 0.2])
    domain = mg.Domain(np.zeros(dimension), lengths, periodic=rng.integers(0, 2, dimension).astype(bool))
    domain = domain if rng.uniform() < 0.8 else None
    expected = brute_force(points, radii, margin, domain)
    names = list(mg.methods())
    for method in {"auto", names[seed % len(names)]}:
        assert as_set(mg.find_pairs(points, radii, method, margin, domain)) == expected, method


@pytest.mark.parametrize("seed", CASES)
def test_neighbor_lists_agree_with_matscipy(seed):
    rng = np.random.default_rng([4, seed])
    lengths = rng.uniform(1.0, 6, 3)
    count = rng.integers(1, 50)
    points = rng.uniform(0, 1, (count, 3)) * lengths
    radii = 10 ** rng.uniform(-1.5, 0, count)
    pbc = rng.integers(0, 2, 3).astype(bool)
    i, j, d, D, S = matscipy.neighbours.neighbour_list(
        "ijdDS", positions=points, cell=np.diag(lengths), pbc=pbc, cutoff=radii
    )
    order = np.lexsort((*S.T[::-1], j, i))
    own = mg.neighbor_list("ijdDS", points, np.diag(lengths), pbc, radii)
    assert np.array_equal(own[0], i[order])
    assert np.array_equal(own[1], j[order])
    assert np.array_equal(own[4], S[order])
    assert np.allclose(own[2], d[order])
    assert np.allclose(own[3], D[order])


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("seed", range(20))
def test_neighbor_lists_in_the_plane_and_in_space_agree_with_brute_force(seed, dimension, brute_force):
    rng = np.random.default_rng([5, seed, dimension])
    lengths = rng.uniform(1.0, 6, dimension)
    points = rng.uniform(-1, 2, (30, dimension)) * lengths
    radii = 10 ** rng.uniform(-1.5, 0, 30)
    pbc = rng.integers(0, 2, dimension).astype(bool)
    once = brute_force(points, radii, domain=mg.Domain(np.zeros(dimension), lengths, pbc))
    both = once | {(j, i, tuple(-s for s in shift)) for i, j, shift in once}
    i, j, S = mg.neighbor_list("ijS", points, lengths, pbc, radii)
    assert [(int(a), int(b), tuple(map(int, s))) for a, b, s in zip(i, j, S)] == sorted(both)
