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
    ({"quantities": "ijx"}, ValueError, "quantity is 'x', must be one of i, j, P, d, D, S"),
    ({"radii": None}, ValueError, "radii are missing"),
    ({"cutoff": 1.0}, ValueError, "radii and cutoff both set the reach"),
    ({"radii": None, "cutoff": np.nan}, ValueError, "cutoff is NaN"),
    ({"radii": [1.0]}, ValueError, "2 centers but 1 radii"),
    ({"cell": None}, ValueError, "there is no cell"),
    ({"cell": [1, 2]}, ValueError, r"cell has shape \(2,\), must be \(3,\) or \(3, 3\)"),
    ({"cell": [0, 1, 1]}, ValueError, "has a periodic edge without length"),
    ({"cell": [[4, 0, 0], [8, 0, 0], [0, 0, 4]]}, ValueError, "periodic edges that lie in one line or plane"),
    ({"positions": None}, TypeError, "positions are missing"),
    ({"radii": None, "cutoff": {("C", "H"): 1.0}}, ValueError, "nothing gives the species: give numbers"),
    ({"radii": None, "cutoff": {("C", "H"): -1.0}, "numbers": [1, 6]}, ValueError, "must be finite and not negative"),
    ({"radii": None, "cutoff": {("C", "Hx"): 1.0}, "numbers": [1, 6]}, ValueError, "'Hx', which is no chemical symbol"),
    ({"radii": None, "cutoff": {"C": 1.0}, "numbers": [1, 6]}, ValueError, "must be two symbols or numbers"),
    ({"radii": None, "cutoff": {(1, 1): 1.0}, "numbers": [1]}, ValueError, "must be 2 integers"),
    ({"radii": None, "cutoff": np.ones((3, 3))}, ValueError, r"cutoff has shape \(3, 3\), must be \(2, 2\)"),
    ({"radii": None, "cutoff": [[1, 2], [3, 4]]}, ValueError, "cutoff is not symmetric"),
    ({"radii": None, "cutoff": np.ones((2, 2)), "numbers": [1, 2]}, ValueError, "numbers reach from 1 to 2"),
    ({"cutoff": np.ones((2, 2))}, ValueError, "radii and cutoff both set the reach"),
    ({"quantities": "x", "self_interaction": True}, ValueError, "quantity is 'x'"),
    ({"dtype": np.float16}, ValueError, "dtype is float16, must be float64 or float32"),
    ({"index_dtype": "uint32"}, ValueError, "index_dtype is uint32, must be int64 or int32"),
    ({"pbc": [True]}, ValueError, "periodic has 1 values, must be 3"),
    ({"positions": [[1, 2, np.nan]], "radii": 1.0}, ValueError, "z of particle 0 is NaN"),
])
def test_wrong_arguments_are_clear_errors(arguments, error, text):
    good = {"quantities": "ij", "positions": POINTS, "cell": [4, 4, 4], "pbc": True, "radii": 0.6}
    with pytest.raises(error, match=text):
        mg.neighbor_list(**{**good, **arguments})


def by_brute_force(points, cell, pbc, radii):
    """Every entry of the full list, sorted by (i, j, S): all images tested in numpy."""
    count, axes = points.shape
    reach = 2 * radii.max(initial=0)
    far = [int(np.ceil((reach + np.ptp(points[:, k])) / cell[k])) if pbc[k] and count else 0 for k in range(axes)]
    shifts = np.stack(np.meshgrid(*(np.arange(-n, n + 1) for n in far), indexing="ij"), -1).reshape(-1, axes)
    found = []
    for i in range(count):
        for j in range(count):
            vectors = (points[j] - points[i]) + shifts * cell
            touch = (vectors**2).sum(axis=1) < (radii[i] + radii[j]) ** 2
            touch &= (i != j) | (shifts != 0).any(axis=1)
            found += [(i, j, *shift) for shift in shifts[touch]]
    table = np.array(sorted(found), dtype=np.int64).reshape(-1, 2 + axes)
    return table[:, 0], table[:, 1], table[:, 2:]


def systems():
    """Open and periodic, boxes larger and smaller than the reach, bodies outside, none and one."""
    rng = np.random.default_rng(3)
    for axes in (2, 3):
        for count, width, radius in [(0, 3.0, 0.5), (1, 3.0, 0.5), (1, 0.7, 0.6), (2, 0.6, 0.5), (7, 1.3, 0.8),
                                     (40, 3.0, 0.4), (60, 5.0, 0.6)]:
            for pbc in ([False] * axes, [True] * axes, [True] + [False] * (axes - 1)):
                cell = width * rng.uniform(0.8, 1.2, axes)
                points = rng.uniform(-0.5, 1.5, (count, axes)) * cell
                yield points, cell, pbc, radius * rng.uniform(0.7, 1.0, count)


def test_every_kind_of_list_is_that_of_brute_force():
    several, own = 0, 0
    for points, cell, pbc, radii in systems():
        i, j, S = by_brute_force(points, cell, pbc, radii)
        D = points[j] - points[i] + S * cell
        d = np.sqrt((D**2).sum(axis=1))
        forward = (i < j) | ((i == j) & np.array([next((x for x in shift if x), 0) > 0 for shift in S], dtype=bool))
        several += int((np.diff(i) == 0)[np.diff(j) == 0].sum())
        own += int((i == j).sum())
        for full, kept in [(True, slice(None)), (False, forward)]:
            for dtype, index_dtype, close in [(None, None, 1e-12), (np.float32, "i4", 1e-6)]:
                given = dict(full=full, dtype=dtype, index_dtype=index_dtype)
                lists = mg.neighbor_list("ijSdD", points, cell, pbc, radii, **given)
                for found, wanted in zip(lists, (i, j, S)):
                    assert np.array_equal(found, wanted[kept])
                assert np.allclose(lists[3], d[kept], atol=close) and np.allclose(lists[4], D[kept], atol=close)
                assert [array.dtype for array in lists] == [
                    index_dtype or np.int64, index_dtype or np.int64, np.int32, dtype or np.float64, dtype or np.float64]
                unsorted = mg.neighbor_list("ijSdD", points, cell, pbc, radii, sorted=False, **given)
                order = np.lexsort((*unsorted[2].T[::-1], unsorted[1], unsorted[0]))
                for found, wanted in zip(unsorted, lists):
                    assert found[order].tobytes() == wanted.tobytes()
    assert several > 100 and own > 100


def test_an_unsorted_full_list_has_both_sides_of_a_pair_together():
    points = np.random.default_rng(4).uniform(0, 5, (200, 3))
    i, j, S = mg.neighbor_list("ijS", points, [5, 5, 5], True, 0.6, sorted=False)
    assert len(i) > 100
    assert np.array_equal(i[::2], j[1::2]) and np.array_equal(j[::2], i[1::2]) and np.array_equal(S[::2], -S[1::2])


@pytest.mark.parametrize("cutoff", [0.9, 1.6, 4.5])
def test_large_lists_are_those_of_matscipy(cutoff):
    neighbours = pytest.importorskip("matscipy.neighbours")
    points = np.random.default_rng(5).uniform(0, 9, (3000, 3))
    cell = np.diag([9.0, 9.0, 9.0])
    i, j, S, d = mg.neighbor_list("ijSd", points, cell, True, cutoff=cutoff)
    others = neighbours.neighbour_list("ijSd", positions=points, cell=cell, pbc=[True] * 3, cutoff=cutoff)
    order = np.lexsort((*others[2].T[::-1], others[1], others[0]))
    assert np.array_equal(i, others[0][order]) and np.array_equal(j, others[1][order])
    assert np.array_equal(S, others[2][order]) and np.allclose(d, others[3][order])


@pytest.mark.parametrize("options", [{}, {"sorted": False}, {"full": False}, {"full": False, "sorted": False},
                                     {"dtype": "f4", "index_dtype": "i4"}])
def test_the_number_of_threads_changes_no_byte(options):
    rng = np.random.default_rng(6)
    for count, width, cutoff in [(30, 2.0, 3.0), (3000, 10.0, 1.2), (40_000, 20.0, 1.5)]:
        points = rng.uniform(0, width, (count, 3))
        lists = []
        try:
            for threads in (1, 2, 3):
                mg.set_threads(threads)
                lists.append(mg.neighbor_list("ijSdD", points, [width] * 3, True, cutoff=cutoff, **options))
        finally:
            mg.set_threads(0)
        assert len(lists[0][0]) > 1000
        for other in lists[1:]:
            assert all(a.tobytes() == b.tobytes() for a, b in zip(lists[0], other))


def test_a_quantity_named_twice_is_two_arrays():
    first, again = mg.neighbor_list("ii", POINTS, radii=2.0)
    first[0] = 7
    assert np.array_equal(again, [0, 1])


def test_differences_of_indices_have_signs():
    i, j = mg.neighbor_list("ij", POINTS, radii=2.0)
    assert np.array_equal(i - j, [-1, 1])
    assert np.array_equal(mg.neighbor_list("i", POINTS, radii=2.0, index_dtype=np.int32), [0, 1])


@pytest.mark.parametrize("options", [{}, {"self_interaction": True}, {"full": False}, {"index_dtype": "int32"}])
def test_both_indices_come_in_two_columns(options):
    positions = np.random.default_rng(31).uniform(0, 5, (60, 3))
    i, both, j = mg.neighbor_list("iPj", positions, [5, 5, 5], True, cutoff=1.5, **options)
    assert np.array_equal(both, np.column_stack([i, j])) and len(i) > 100 and both.dtype == i.dtype
    assert np.array_equal(mg.neighbor_list("P", positions, [5, 5, 5], True, cutoff=1.5, **options), both)
