"""neighbor_list: the convention of ASE and matscipy."""

import numpy as np
import pytest

import multigrain as mg

POINTS = [[0.5, 0.5, 0.5], [3.5, 0.5, 0.5]]


def test_own_images_are_listed_with_both_signs():
    i, j, S = mg.neighbor_list("ijS", [[0.5, 0.5, 0.5]], [1, 5, 5], [True, False, False], 0.6)
    assert np.array_equal(i, [0, 0]) and np.array_equal(j, [0, 0]) and np.array_equal(S, [[-1, 0, 0], [1, 0, 0]])


def test_vectors_follow_from_shifts():
    rng = np.random.default_rng(2)
    points, cell = rng.uniform(-5, 10, (40, 3)), np.diag([4.0, 5.0, 6.0])
    i, j, d, D, S = mg.neighbor_list("ijdDS", points, cell, True, rng.uniform(0.2, 1.5, 40))
    assert len(i) > 0
    assert np.allclose(D, points[j] - points[i] + S @ cell)
    assert np.allclose(d, np.linalg.norm(D, axis=1))
    assert i.dtype == j.dtype == np.int64 and S.dtype == np.int32
    assert np.all(np.diff(i) >= 0)


def test_one_quantity_comes_without_a_tuple_and_any_order_is_kept():
    assert isinstance(mg.neighbor_list("d", POINTS, radii=2.0), np.ndarray)
    d, i = mg.neighbor_list("di", POINTS, radii=2.0)
    assert np.allclose(d, 3.0) and np.array_equal(i, [0, 1])


def test_a_cutoff_is_a_distance_and_an_array_of_them_radii():
    for cutoff, found in [(2.9, 0), (3.1, 2), ([1.4, 1.5], 0), ([1.6, 1.5], 2)]:
        assert len(mg.neighbor_list("i", POINTS, cutoff=cutoff)) == found
    assert len(mg.neighbor_list("i", POINTS, radii=3.1 / 2)) == 2


def test_cells_may_be_lengths_vectors_and_nearly_exact():
    lists = [mg.neighbor_list("ij", POINTS, cell, [1, 0, 0], 0.6) for cell in
             ([4, 0, 0], [4, 9, 9], np.diag([4, 0, 0]), [[4, 2e-16, 0], [1, 2, 3], [0, 0, 0]])]
    assert all(np.array_equal(own, lists[0]) for own in lists)
    assert np.array_equal(lists[0], [[0, 1], [1, 0]])


@pytest.mark.parametrize(("arguments", "error", "text"), [
    ({"quantities": ""}, ValueError, "quantities is empty"),
    ({"quantities": "ijx"}, ValueError, "quantity is 'x', must be one of i, j, d, D, S"),
    ({"radii": None}, ValueError, "radii are missing"),
    ({"cutoff": 1.0}, ValueError, "radii and cutoff both set the reach"),
    ({"radii": None, "cutoff": np.nan}, ValueError, "cutoff is NaN"),
    ({"radii": [1.0]}, ValueError, "2 centers but 1 radii"),
    ({"cell": None}, ValueError, "there is no cell"),
    ({"cell": [1, 2]}, ValueError, r"cell has shape \(2,\), must be \(3,\) or \(3, 3\)"),
    ({"cell": [0, 1, 1]}, ValueError, "box along x runs from 0 to 0"),
    ({"cell": np.diag([-4, 1, 1])}, ValueError, "box along x runs from 0 to -4"),
    ({"cell": [[4, 0, 0], [1, 4, 0], [0, 0, 4]]}, ValueError, "cell is skewed or rotated: its vector 1"),
    ({"pbc": [True]}, ValueError, "periodic has 1 values, must be 3"),
    ({"positions": [[1, 2, np.nan]], "radii": 1.0}, ValueError, "z of particle 0 is NaN"),
])
def test_wrong_arguments_are_clear_errors(arguments, error, text):
    good = {"quantities": "ij", "positions": POINTS, "cell": [4, 4, 4], "pbc": True, "radii": 0.6}
    with pytest.raises(error, match=text):
        mg.neighbor_list(**{**good, **arguments})
