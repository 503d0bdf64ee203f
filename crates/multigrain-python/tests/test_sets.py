"""Two sets, groups, questions about places, changes from call to call, bounding boxes: against plain numpy."""

import pickle

import numpy as np
import pytest
from scipy.spatial import cKDTree

import multigrain as mg

DOMAINS = {
    "open": lambda axes: None,
    "periodic": lambda axes: mg.Domain([0] * axes, [6] * axes, [True] + [False] * (axes - 2) + [True]),
    "sheared": lambda axes: mg.Domain.from_cell(np.eye(axes) * 6 + np.tri(axes, k=-1) * 2.5),
}


@pytest.fixture(params=[2, 3])
def axes(request):
    return request.param


@pytest.fixture(params=DOMAINS)
def domain(request, axes):
    return DOMAINS[request.param](axes)


def bodies(axes, count, seed):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 7, (count, axes)), rng.uniform(0.05, 0.6, count)


def rows(pairs):
    return [(*map(int, pair), *map(int, shift)) for pair, shift in zip(pairs.array, pairs.shifts)]


def test_pairs_between_sets_are_those_of_one_set_that_cross(axes, domain):
    (a, ra), (b, rb) = bodies(axes, 80, 1), bodies(axes, 50, 2)
    whole = mg.find_pairs(np.vstack([a, b]), np.concatenate([ra, rb]), margin=0.05, domain=domain)
    crossing = whole[(whole.i < 80) & (whole.j >= 80)].sorted()
    pairs = mg.find_pairs_between(a, ra, b, rb, margin=0.05, domain=domain)
    assert len(pairs) > 10 and np.array_equal(pairs.i, crossing.i) and np.array_equal(pairs.j, crossing.j - 80)
    assert np.array_equal(pairs.shifts, crossing.shifts)
    for name in ["distances", "vectors", "overlaps"]:
        assert np.array_equal(getattr(pairs, name), getattr(crossing, name)), name
    for again in [pickle.loads(pickle.dumps(pairs)), pairs[::-1].sorted(), mg.find_pairs_between(
            a, ra, b, rb, "nbs", 0.05, domain)]:
        assert again == pairs and np.array_equal(again.distances, pairs.distances)
    with pytest.raises(ValueError, match="between two sets"):
        pairs.neighbor_table()


def test_empty_and_odd_sets():
    assert len(mg.find_pairs_between([], [], [[0, 0]], 1.0)) == 0
    assert len(mg.find_pairs_between([[0, 0]], 1.0, [], 1.0)) == 0
    assert len(mg.find_pairs_between([], 1.0, [], 1.0)) == 0
    with pytest.raises(ValueError, match="must be the same"):
        mg.find_pairs_between([[0, 0]], 1.0, [[0, 0, 0]], 1.0)
    with pytest.raises(ValueError, match="set b has 1 centers but 2 radii"):
        mg.find_pairs_between([[0, 0]], 1.0, [[0, 0]], [1.0, 2.0])


def test_pairs_inside_a_group_are_left_out(axes, domain):
    centers, radii = bodies(axes, 120, 3)
    groups = np.random.default_rng(4).integers(0, 5, 120)
    whole = mg.find_pairs(centers, radii, domain=domain)
    wanted = whole[groups[whole.i] != groups[whole.j]]
    assert 10 < len(wanted) < len(whole)
    grid = mg.HierarchicalGrid.tuned_for(centers, radii, domain=domain)
    for kind in (groups, groups.tolist(), groups - 3, groups.astype("u1"), groups.astype(np.int64) << 40):
        assert mg.find_pairs(centers, radii, domain=domain, groups=kind) == wanted
        assert grid.find_pairs(centers, radii, domain=domain, groups=kind) == wanted
    for method in mg.methods():
        assert mg.Detector(method).find_pairs(centers, radii, domain=domain, groups=groups) == wanted, method
    assert mg.System(centers, radii, domain).find_pairs(groups=groups) == wanted
    assert mg.count_work(centers, radii, domain=domain, groups=groups).contacts == len(wanted)


@pytest.mark.parametrize(("groups", "error", "text"), [
    ([1, 2, 3], ValueError, "2 particles but 3 groups"),
    ([0.5, 1.0], TypeError, "groups must be a list of integers"),
    ([[1], [2]], TypeError, "groups must be a list of integers"),
])
def test_groups_that_do_not_fit_are_clear_errors(groups, error, text):
    with pytest.raises(error, match=text):
        mg.find_pairs([[0, 0], [1, 0]], 1.0, groups=groups)


def test_spheres_touch_what_a_search_of_both_finds(axes, domain):
    (centers, radii), (probes, sizes) = bodies(axes, 150, 5), bodies(axes, 40, 6)
    pairs = mg.find_pairs_between(probes, sizes, centers, radii, margin=0.05, domain=domain)
    offsets, indices, shifts = mg.Queries(centers, radii, 0.05, domain).touching(probes, sizes)
    assert len(indices) > 20 and len(offsets) == 41 and offsets.dtype == indices.dtype == np.int64
    found = [(k, *row) for k in range(40)
             for row in np.column_stack([indices, shifts])[offsets[k]:offsets[k + 1]].tolist()]
    assert found == rows(pairs)


def test_boxes_hold_what_reaches_into_them(axes):
    centers, radii = bodies(axes, 200, 7)
    lo = np.random.default_rng(8).uniform(0, 5, (30, axes))
    hi = lo + np.random.default_rng(9).uniform(0, 2, (30, axes))
    offsets, indices, shifts = mg.Queries(centers, radii).in_box(lo, hi)
    outside = np.maximum(np.maximum(lo[:, None] - centers, centers - hi[:, None]), 0)
    wanted = (outside**2).sum(axis=2) < radii**2
    assert wanted.sum() > 30 and not shifts.any()
    for k in range(30):
        assert np.array_equal(indices[offsets[k]:offsets[k + 1]], np.flatnonzero(wanted[k]))


def test_the_nearest_are_those_of_all_distances_sorted(axes, domain):
    centers, radii = bodies(axes, 60, 10)
    points = np.random.default_rng(11).uniform(-3, 9, (25, axes))
    reach = np.arange(-4, 5)
    cell = np.zeros((axes, axes)) if domain is None else domain.cell
    pbc = (False,) * axes if domain is None else domain.periodic
    shifts = np.stack(np.meshgrid(*(reach if p else [0] for p in pbc), indexing="ij"), -1).reshape(-1, axes)
    places = (centers[None] + (shifts @ cell)[:, None]).reshape(-1, axes)
    owners = np.tile(np.arange(60), len(shifts))
    distance = np.linalg.norm(places[None] - points[:, None], axis=2)
    queries = mg.Queries(centers, radii, domain=domain)
    for to, all_of_them in [("center", distance), ("surface", distance - radii[owners])]:
        order = np.argsort(all_of_them, axis=1)[:, :7]
        distances, indices, images = queries.nearest(points, 7, to, return_shifts=True)
        assert np.allclose(distances, np.take_along_axis(all_of_them, order, 1)) and np.array_equal(indices, owners[order])
        moved = centers[indices] + images @ cell
        own = radii[indices] if to == "surface" else 0
        assert np.allclose(np.linalg.norm(moved - points[:, None], axis=2) - own, distances)
    again = mg.nearest(points, centers, 7, domain=domain)
    assert np.array_equal(again[1], queries.nearest(points, 7)[1])
    if domain is None:
        assert np.allclose(again[0], cKDTree(centers).query(points, 7)[0])


def test_fewer_bodies_than_wanted_leave_room():
    distances, indices = mg.nearest([[0, 0], [3, 0]], [[1, 0], [2, 0]], 3)
    assert np.array_equal(indices, [[0, 1, -1], [1, 0, -1]]) and np.array_equal(distances[:, 2], [np.inf, np.inf])
    distances, indices = mg.nearest([[0, 0, 0]], [], 2)
    assert np.array_equal(indices, [[-1, -1]])


def test_questions_are_about_the_bodies_as_they_were_given():
    centers = np.array([[0.0, 0.0], [5.0, 0.0]])
    queries = mg.Queries(centers, 1.0)
    centers[:] = 99
    assert np.array_equal(queries.touching([[4, 0]], 0.5)[1], [1]) and len(queries) == 2
    again = pickle.loads(pickle.dumps(queries))
    assert np.array_equal(again.nearest([[1, 0]])[1], [[0]])


@pytest.mark.parametrize(("ask", "text"), [
    (lambda q: q.nearest([[0, 0, 0]]), "must have 2 axes"),
    (lambda q: q.nearest([[0, 0]], 0), "k is 0"),
    (lambda q: q.nearest([[0, 0]], to="skin"), "to is 'skin', must be one of center, surface"),
    (lambda q: q.touching([[0, np.nan]], 1.0), "y of particle 0 is NaN"),
    (lambda q: q.touching([[0, 0]], [1.0, 2.0]), "1 centers but 2 radii"),
    (lambda q: q.touching([[0, 0]] * 3, [1.0, 2.0]), "3 centers but 2 radii"),
    (lambda q: q.in_box([[0, 0]], [[1, 1], [2, 2]]), "1 lower corners but 2 upper ones"),
])
def test_questions_that_make_no_sense_are_clear_errors(ask, text):
    with pytest.raises(ValueError, match=text):
        ask(mg.Queries([[0.0, 0.0]], 1.0))


@pytest.mark.parametrize("detector", ["auto", "sort-and-update", mg.HierarchicalGrid([1, 4])], ids=str)
def test_changes_are_the_differences_of_sets(detector, axes, domain):
    centers, radii = bodies(axes, 100, 12)
    contacts, rng, before = mg.Changes(detector), np.random.default_rng(13), set()
    with pytest.raises(ValueError, match="nothing was searched yet"):
        contacts.begun
    several = 0
    for step in range(6):
        pairs = contacts.update(centers, radii, 0.05, domain)
        now = set(rows(mg.find_pairs(centers, radii, margin=0.05, domain=domain)))
        assert rows(pairs) == sorted(now) and contacts.pairs is pairs
        assert rows(contacts.begun) == sorted(now - before) and rows(contacts.ended) == sorted(before - now)
        several += step > 0 and 0 < len(now - before) < len(now)
        before = now
        centers = centers + rng.normal(0, 0.05, centers.shape)
    assert several >= 3
    again = pickle.loads(pickle.dumps(contacts))
    assert again.pairs == contacts.pairs and again.ended == contacts.ended and repr(again) == repr(contacts)


def test_each_body_counts_once_by_its_nearest_image(axes, domain):
    centers, radii = bodies(axes, 60, 21)
    points = np.random.default_rng(22).uniform(-2, 9, (25, axes))
    queries = mg.Queries(centers, radii, domain=domain)
    all_distances, all_indices, all_shifts = queries.nearest(points, 3000, return_shifts=True)
    for k, limit in ((5, None), (60, None), (100, None), (60, 1.5)):
        distances, indices, shifts = queries.nearest(points, k, images=False, max_distance=limit, return_shifts=True)
        for q in range(len(points)):
            seen, expected = set(), []
            for distance, index, shift in zip(all_distances[q], all_indices[q], all_shifts[q]):
                if index >= 0 and index not in seen and (limit is None or distance < limit):
                    seen.add(index)
                    expected.append((distance, index, *shift))
            found = [(d, i, *s) for d, i, s in zip(distances[q], indices[q], shifts[q]) if i >= 0]
            assert found == expected[:k]
    again = mg.nearest(points, centers, 3, domain=domain, max_distance=2.0, images=False)
    assert np.array_equal(again[1], queries.nearest(points, 3, max_distance=2.0, images=False)[1])
    with pytest.raises(ValueError, match="max_distance is nan"):
        queries.nearest(points, max_distance=np.nan)


@pytest.mark.parametrize("skin", [0.3, "auto"])
def test_a_skin_changes_no_pairs(skin, axes, domain):
    centers, radii = bodies(axes, 120, 23)
    detector, rng = mg.Detector("hgrid", skin=skin), np.random.default_rng(24)
    for _ in range(8):
        assert detector.find_pairs(centers, radii, domain=domain) == mg.find_pairs(centers, radii, domain=domain)
        centers = centers + rng.normal(0, 0.02, centers.shape)
    again = pickle.loads(pickle.dumps(detector))
    assert repr(again) == repr(detector) == f"Detector('hgrid', skin={skin!r})"
    with pytest.raises(TypeError, match="skin must be a width, 'auto', or None"):
        mg.Detector(skin="wide")
    with pytest.raises(ValueError, match="skin is -1"):
        mg.Detector(skin=-1)


def test_detectors_refuse_what_their_method_does_not_take():
    assert mg.Detector("nbs").method == "nbs"
    with pytest.raises(ValueError, match="method nbs takes no factor"):
        mg.Detector("nbs", factor=2)
    with pytest.raises(ValueError, match="takes no number of levels"):
        mg.Detector("mr", levels=2)
    centers, radii = bodies(3, 300, 14)
    wanted = mg.find_pairs(centers, radii)
    for factor in (1.5, 2, 8):
        assert mg.find_pairs(centers, radii, "mmr", factor=factor) == wanted
        assert mg.Detector("mmr", factor=factor).find_pairs(centers, radii) == wanted


def test_boxes_overlap_as_intervals_do(axes):
    rng = np.random.default_rng(15)
    lo = rng.uniform(0, 6, (80, axes))
    hi = lo + rng.uniform(0, 1.5, (80, axes))
    indices, shifts = mg.find_box_pairs(lo, hi)
    overlap = ((lo[:, None] <= hi) & (lo <= hi[:, None])).all(axis=2)
    assert np.array_equal(indices, np.argwhere(np.triu(overlap, 1))) and len(indices) > 20 and not shifts.any()
    indices, shifts = mg.find_box_pairs(lo, hi, mg.Domain([0] * axes, [6] * axes))
    assert shifts.any() and len(indices) > overlap.sum() // 2 - 40
    with pytest.raises(ValueError, match="bounding boxes takes no sheared cell"):
        mg.find_box_pairs(lo, hi, mg.Domain.from_cell(np.eye(axes) * 6 + np.tri(axes, k=-1)))
