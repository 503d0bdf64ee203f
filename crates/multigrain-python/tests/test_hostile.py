"""Arrays of every kind: the right answer or a clear error."""

import pickle

import numpy as np
import pytest

import multigrain as mg

CENTERS = np.array([[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 2.0, 0.5]])
RADII = np.array([1.0, 0.8, 1.0, 1.5])
EXPECTED = [[0, 1], [2, 3]]


def searches(centers, radii, **more):
    """The same bodies by every way in."""
    yield mg.find_pairs(centers, radii, **more)
    yield mg.HierarchicalGrid([4.0]).find_pairs(centers, radii, **more)
    yield mg.System(centers, radii).find_pairs(**more)


def unaligned(array):
    raw = np.zeros(array.nbytes + 1, np.uint8)
    shifted = raw[1:].view(array.dtype).reshape(array.shape)
    shifted[...] = array
    return shifted


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("layout", [
    np.asfortranarray,
    lambda a: np.repeat(a, 2, axis=0)[::2],
    lambda a: a[::-1].copy()[::-1],
    lambda a: np.concatenate([a, a], axis=-1)[..., : a.shape[-1]],
    lambda a: a.astype(np.float32),
    lambda a: a.astype(np.float16),
    lambda a: a.astype(np.longdouble),
    lambda a: a.astype(">f8"),
    lambda a: a.tolist(),
    lambda a: a.view(type("Sub", (np.ndarray,), {})),
    read_only,
    unaligned,
], ids=["fortran", "strided", "reversed", "sliced", "float32", "float16", "longdouble", "big-endian", "list", "subclass",
        "read-only", "unaligned"])
def test_every_layout_of_real_numbers_gives_the_same_pairs(layout):
    for pairs in searches(layout(CENTERS), layout(RADII)):
        assert np.array_equal(pairs.sorted().array, EXPECTED)
        assert np.all(np.isfinite(pairs.distances))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_integers_are_numbers(dtype):
    centers = np.array([[0, 0, 0], [3, 0, 0], [9, 0, 0]], dtype)
    for pairs in searches(centers, np.array([2, 2, 1], dtype)):
        assert np.array_equal(pairs.array, [[0, 1]])


def test_good_arrays_are_taken_as_they_are():
    system = mg.System(CENTERS, RADII)
    assert system.centers is CENTERS and system.radii is RADII
    assert mg.System(np.asfortranarray(CENTERS), RADII).centers is not CENTERS


def test_a_single_radius_is_that_of_all():
    for radius in [1.0, 1, np.float32(1), np.array(1.0)]:
        assert np.array_equal(mg.find_pairs(CENTERS, radius).array, [[0, 1]])


@pytest.mark.parametrize(("centers", "radii", "error", "text"), [
    (CENTERS * np.nan, RADII, ValueError, "x of particle 0 is NaN, must be finite"),
    ([[0, 0, 0], [0, np.inf, 0]], 1.0, ValueError, "y of particle 1 is inf, must be finite"),
    ([[0, 0, 1e200]], 1.0, ValueError, "z of particle 0 is 1"),
    (CENTERS, [1, 1, -0.5, 1], ValueError, "radius of particle 2 is -0.5, must not be negative"),
    (CENTERS, [1, 1, np.nan, 1], ValueError, "radius of particle 2 is NaN, must be finite"),
    (CENTERS, -1, ValueError, "radius of particle 0 is -1, must not be negative"),
    (CENTERS, RADII[:3], ValueError, "4 centers but 3 radii: every particle needs one of each"),
    (CENTERS, RADII[:, None], ValueError, r"radii have shape \(4, 1\), must be \(N,\)"),
    (CENTERS[:, :1], RADII, ValueError, r"centers have shape \(4, 1\), must be \(N, 2\) or \(N, 3\)"),
    (np.zeros((4, 4)), RADII, ValueError, r"centers have shape \(4, 4\)"),
    (CENTERS.ravel(), RADII, ValueError, r"centers have shape \(12,\)"),
    (CENTERS[None], RADII, ValueError, r"centers have shape \(1, 4, 3\)"),
    (5.0, RADII, ValueError, r"centers have shape \(\)"),
    (CENTERS.astype(complex), RADII, TypeError, "centers have dtype complex128, must be real numbers"),
    (CENTERS.astype(str), RADII, TypeError, "centers have dtype <U"),
    (CENTERS.astype(object), RADII, TypeError, "centers have dtype object"),
    (CENTERS, RADII > 1, TypeError, "radii have dtype bool"),
    (None, RADII, TypeError, "centers have dtype object"),
    ("grains", RADII, TypeError, "centers have dtype <U6"),
    (np.ma.masked_array(CENTERS, CENTERS > 5), RADII, TypeError, "centers are a masked array"),
    ([[0, 0, 0], [1, 2]], 1.0, ValueError, "inhomogeneous"),
])
def test_wrong_arrays_are_clear_errors(centers, radii, error, text):
    for search in [mg.find_pairs, mg.HierarchicalGrid([4.0]).find_pairs, mg.System, mg.count_work,
                   mg.HierarchicalGrid.tuned_for]:
        with pytest.raises(error, match=text):
            search(centers, radii)


@pytest.mark.parametrize(("arguments", "error", "text"), [
    ({"margin": -1.0}, ValueError, "margin is -1, must be 0 or between"),
    ({"margin": np.nan}, ValueError, "margin is NaN"),
    ({"margin": "wide"}, TypeError, "argument 'margin': must be real number"),
    ({"method": 0.1}, TypeError, "argument 'method': 'float' object"),
    ({"levels": -1}, ValueError, "levels is -1, must not be negative"),
    ({"levels": 10**30}, ValueError, "levels is 1000000000000000000000000000000, which is too large"),
    ({"method": "magic"}, ValueError, "method is 'magic', must be one of auto, brute-force"),
    ({"method": "nbs", "levels": 2}, ValueError, "method nbs takes no number of levels"),
    ({"method": "hgrid", "levels": 0}, ValueError, "0 levels asked for"),
    ({"method": "hgrid", "levels": 2, "cell_sizes": [4]}, ValueError, "give one of them"),
    ({"method": "hgrid", "cell_sizes": [1.0]}, ValueError, "largest cell size is 1, but particle 3 has diameter 3"),
    ({"method": "hgrid", "cell_sizes": [4.0, 2.0]}, ValueError, "strictly ascending"),
    ({"direction": "sideways"}, ValueError, "direction is 'sideways', must be one of top-down, bottom-up"),
    ({"domain": mg.Domain([0, 0], [1, 1])}, ValueError, "the domain has 2 axes, but the centers have 3"),
    ({"domain": ([0, 0, 0], [10, 10, 10])}, TypeError, "argument 'domain': 'tuple' object .* 'Domain'"),
])
def test_wrong_arguments_are_clear_errors(arguments, error, text):
    with pytest.raises(error, match=text):
        mg.find_pairs(CENTERS, RADII, **arguments)
    with pytest.raises(error, match=text):
        mg.count_work(CENTERS, RADII, **arguments)


@pytest.mark.parametrize(("lo", "hi", "periodic", "error", "text"), [
    ([0, 0], [1, 0], True, ValueError, "box along y runs from 0 to 0"),
    ([0, 0, np.nan], [1, 1, 1], True, ValueError, "box along z runs from NaN to 1"),
    ([0, 0], [1, 1, 1], True, ValueError, "lo has 2 coordinates and hi 3"),
    ([0], [1], True, ValueError, "lo has 1 coordinates"),
    (0, 1, True, ValueError, "lo has 0 dimensions"),
    ([0, 0], [1, 1], "xz", ValueError, "periodic is 'xz', must name axes out of 'xy'"),
    ([0, 0], [1, 1], [True], ValueError, "periodic has 1 values, must be 2"),
    ([0, 0], [1, 1], 3.5, TypeError, "periodic must be a bool"),
    ([0, 0], [1, 1], ["a", "b"], TypeError, "periodic must be a bool"),
])
def test_wrong_domains_are_clear_errors(lo, hi, periodic, error, text):
    with pytest.raises(error, match=text):
        mg.Domain(lo, hi, periodic)


def test_domains_compare_pickle_and_take_axes_in_every_form():
    box = mg.Domain([0, 0, 0], [1, 2, 3], periodic="xz")
    for periodic in ["x,z", [True, False, True], np.array([1, 0, 1]), (1, 0, 1)]:
        assert mg.Domain([0, 0, 0], [1, 2, 3], periodic) == box
    assert mg.Domain([0, 0, 0], [1, 2, 3], "none").periodic == (False, False, False)
    assert mg.Domain([0, 0, 0], [1, 2, 3]).periodic == (True, True, True)
    assert pickle.loads(pickle.dumps(box)) == box
    assert repr(box) == "Domain([0.0, 0.0, 0.0], [1.0, 2.0, 3.0], periodic='xz')"


@pytest.mark.parametrize("centers", [[], np.empty((0, 2)), np.empty((0, 3)), np.empty((0, 3), np.float32)])
def test_no_particles_have_no_contacts(centers):
    for radii in [[], 1.0]:
        for pairs in searches(centers, radii):
            assert len(pairs) == 0 and pairs.array.shape == (0, 2)
            assert pairs.distances.shape == (0,) and pairs.vectors.shape[0] == 0
            assert np.array_equal(pairs.neighbor_table().offsets, [0])
    assert mg.count_work(centers, []).candidates == 0
    assert [len(part) for part in mg.neighbor_list("ijdDS", centers, None, False, [])] == [0] * 5


def test_an_empty_list_takes_the_dimension_of_its_domain():
    pairs = mg.find_pairs([], [], domain=mg.Domain([0, 0], [1, 1]))
    assert pairs.shifts.shape == (0, 2)


def test_one_particle_points_and_coincident_particles_are_ordinary():
    assert len(mg.find_pairs([[1.0, 2.0, 3.0]], [1.0])) == 0
    assert len(mg.find_pairs([[0.0, 0.0], [0.0, 0.0]], 0.0)) == 0
    assert len(mg.find_pairs(np.zeros((50, 3)), 1e-3)) == 50 * 49 // 2


def test_periodic_boxes_far_smaller_than_the_bodies_are_refused():
    tiny = mg.Domain([0, 0, 0], [1e-3, 1e-3, 1e-3])
    for search in (
        lambda: mg.find_pairs([[0, 0, 0]], 1.0, domain=tiny),
        lambda: mg.find_pairs([[0, 0, 0]], 1.0, domain=tiny, method="brute-force"),
        lambda: mg.find_pairs_between([[0, 0, 0]], 1.0, [[0, 0, 0]], 1.0, domain=tiny),
        lambda: mg.System([[0, 0, 0]], 1.0, tiny).find_pairs(),
    ):
        with pytest.raises(ValueError, match="the periodic box is far smaller than the particles"):
            search()


@pytest.mark.parametrize("array", ["centers", "radii"])
def test_arrays_that_change_shape_later_change_nothing(array):
    arrays = {"centers": CENTERS.copy(), "radii": RADII.copy()}
    pairs = mg.find_pairs(**arrays)
    before = pairs.distances, pairs.overlaps
    arrays[array].resize((2, 3) if array == "centers" else 2, refcheck=False)
    assert np.array_equal(pairs.distances, before[0]) and np.array_equal(pairs.overlaps, before[1])


@pytest.mark.parametrize("what", ["pairs", "between", "neighbors"])
def test_damaged_pickles_are_refused(what):
    box = mg.Domain([0, 0, 0], [20, 20, 20])
    pairs = mg.find_pairs(CENTERS, RADII, domain=box)
    if what == "between":
        pairs = mg.find_pairs_between(CENTERS, RADII, CENTERS[:2], RADII[:2], domain=box)
    whole = pairs.neighbor_table() if what == "neighbors" else pairs
    make, (parts,) = whole.__reduce__()
    again = make(parts)
    assert repr(again) == repr(whole)
    broken = 0
    for part, array in enumerate(parts):
        if not isinstance(array, np.ndarray) or array.size == 0 or array.dtype == np.float64:
            continue
        # Of neighbors only the offsets say how many there are.
        if what == "neighbors" and part == 1:
            continue
        shorter = array[:-1].copy()
        with pytest.raises(ValueError, match="damaged"):
            make((*parts[:part], shorter, *parts[part + 1 :]))
        broken += 1
        if array.dtype != np.int32:
            far = array.copy()
            far[-1] = 1000
            with pytest.raises(ValueError, match="damaged"):
                make((*parts[:part], far, *parts[part + 1 :]))
            broken += 1
    assert broken >= 1
