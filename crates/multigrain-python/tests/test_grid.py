"""HierarchicalGrid, counted work and tuning."""

import pickle

import numpy as np
import pytest

import multigrain as mg


@pytest.fixture
def system():
    return mg.pack(law="power", exponent=-3, ratio=20, count=4000, packing_fraction=0.6, seed=3, periodic="xyz")


def test_a_tuned_grid_finds_the_same_pairs_call_after_call(system):
    grid = mg.HierarchicalGrid.tuned_for(system.centers, system.radii, domain=system.domain)
    for step in range(3):
        centers = system.centers + 0.1 * step
        pairs = grid.find_pairs(centers, system.radii, domain=system.domain).sorted()
        expected = mg.find_pairs(centers, system.radii, "linked-cell", domain=system.domain).sorted()
        assert np.array_equal(pairs.array, expected.array) and np.array_equal(pairs.shifts, expected.shifts)


def test_levels_may_be_given_or_counted(system):
    assert np.array_equal(mg.HierarchicalGrid([2.5, 40]).cell_sizes, [2.5, 40])
    three = mg.HierarchicalGrid.tuned_for(system.centers, system.radii, levels=3, direction="bottom-up")
    assert len(three.cell_sizes) == 3 and three.direction == "bottom-up"
    assert np.all(np.diff(three.cell_sizes) >= 0) and three.cell_sizes[-1] >= 2 * system.radii.max()
    expected = mg.find_pairs(system.centers, system.radii).sorted().array
    assert np.array_equal(three.find_pairs(system.centers, system.radii).sorted().array, expected)


def test_one_grid_serves_the_plane_and_space():
    grid = mg.HierarchicalGrid([4.0])
    assert len(grid.find_pairs([[0, 0], [1, 0]], 1.0)) == 1
    assert len(grid.find_pairs([[0, 0, 0], [1, 0, 0]], 1.0)) == 1
    assert "2 particles (100.0 %)" in grid.explain()


def test_particles_too_large_for_every_level_are_found():
    grid = mg.HierarchicalGrid([1.0])
    assert len(grid.find_pairs([[0, 0, 0], [30, 0, 0]], 20.0)) == 1


@pytest.mark.parametrize(("sizes", "error"), [([], ValueError), ([2, 1], ValueError), ([0], ValueError),
                                              ([np.nan], ValueError), ("ab", TypeError), (None, TypeError)])
def test_wrong_cell_sizes_are_errors(sizes, error):
    with pytest.raises(error):
        mg.HierarchicalGrid(sizes)


def test_work_is_counted(system):
    brute = mg.count_work(system.centers, system.radii, "brute-force")
    assert brute.candidates == 4000 * 3999 // 2 and brute.cells == 0
    for method in mg.methods():
        work = mg.count_work(system.centers, system.radii, method)
        assert work.contacts == brute.contacts <= work.candidates <= brute.candidates
    assert mg.count_work(system.centers, system.radii, "hgrid-cells", cell_sizes=[5, 40]) == mg.count_work(
        system.centers, system.radii, "hgrid-cells", cell_sizes=[5, 40])


def test_tuning_repeats_the_papers_numbers():
    tuning = mg.tune(law="power", exponent=-3, ratio=100, packing_fraction=0.7)
    assert tuning.levels == 8 and tuning.work < 11.58 and tuning.linked_cell_work > 10_000
    assert tuning.direction == "top-down" and tuning.k == 0.2
    assert tuning.cell_sizes.shape == tuning.particles_per_cell.shape == tuning.share_of_particles.shape == (8,)
    assert tuning.cell_sizes[-1] == pytest.approx(200) and tuning.share_of_particles.sum() == pytest.approx(1)
    assert tuning.work == pytest.approx(tuning.candidates_per_particle + 0.2 * tuning.cells_per_particle)


def test_tuning_takes_radii_and_every_choice(system):
    best = mg.tune(system.radii, packing_fraction=0.6)
    for distribution in ["linear", "exponential", "constant"]:
        assert mg.tune(system.radii, distribution=distribution).work >= best.work * (1 - 1e-6)
    assert mg.tune(system.radii, levels=2).levels == 2
    assert mg.tune(system.radii, direction="bottom-up").direction == "bottom-up"
    assert mg.tune(system.radii, distribution="constant", per_cell_ratio=2.0).levels >= 1
    assert mg.tune(system.radii, dimension=2).levels >= 1
    assert mg.tune(system.radii.astype(np.float32)[::2]).levels >= 1


@pytest.mark.parametrize(("arguments", "text"), [
    ({}, "there are no sizes: give radii, or law"),
    ({"radii": [1.0], "law": "mono"}, "give one of them"),
    ({"radii": [1.0], "ratio": 2.0}, "ratio belongs to a law, but radii are given"),
    ({"radii": [-1.0]}, "radius of particle 0 is -1, must not be negative"),
    ({"radii": []}, "largest radius is 0, must be above 0"),
    ({"radii": [[1.0]]}, "radii have 2 dimensions"),
    ({"radii": [1.0], "packing_fraction": 0}, "packing fraction is 0"),
    ({"radii": [1.0], "dimension": 4}, "dimension is 4, must be 2 or 3"),
    ({"radii": [1.0], "distribution": "odd"}, "distribution is 'odd', must be one of optimal"),
    ({"radii": [1.0], "per_cell_ratio": 2.0}, "per_cell_ratio goes with distribution='constant'"),
    ({"radii": [1.0], "levels": 0}, "0 levels asked for"),
    ({"radii": [1.0], "k": -1.0}, "must be between 0 and 1e9"),
    ({"law": "power", "ratio": 2.0}, "law 'power' needs exponent"),
    ({"law": "zipf"}, "law is 'zipf', must be one of mono"),
    ({"law": "log-normal"}, "needs sigma or ratio"),
    ({"law": "mono", "sigma": 1.0}, "law 'mono' takes no sigma"),
])
def test_wrong_wishes_for_tuning_are_clear_errors(arguments, text):
    with pytest.raises(ValueError, match=text):
        mg.tune(**arguments)


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize("periodic", [False, True])
def test_a_living_grid_knows_what_touches_whatever_came_and_went(axes, periodic):
    rng = np.random.default_rng(41)
    domain = mg.Domain([0] * axes, [8] * axes) if periodic else None
    grid = mg.LivingGrid([0.5, 2.0], domain, dimension=axes)
    centers, radii = rng.uniform(-2, 10, (80, axes)), 0.8 * rng.uniform(0.05, 1, 80) ** 2
    grid.insert(np.arange(80), centers, radii)
    grid.remove([3, 50])
    grid.move([1, 2], centers[[2, 1]])
    grid.resize(7, 1.5)
    centers[[1, 2]], radii[7] = centers[[2, 1]], 1.5
    there = np.delete(np.arange(80), [3, 50])
    assert np.array_equal(grid.ids, there) and np.array_equal(grid.centers, centers[there])
    assert np.array_equal(grid.radii, radii[there]) and 4 in grid and 3 not in grid and len(grid) == 78
    queries = mg.Queries(centers[there], radii[there], domain=domain)
    again, found = pickle.loads(pickle.dumps(grid)), 0
    for place in rng.uniform(0, 8, (30, axes)):
        ids, shifts = grid.touching(place, 0.7)
        offsets, indices, expected = queries.touching([place], 0.7)
        assert np.array_equal(ids, there[indices]) and np.array_equal(shifts, expected)
        assert np.array_equal(again.touching(place, 0.7)[0], ids)
        ids, _ = grid.in_box(place, place + 1)
        assert np.array_equal(ids, there[queries.in_box([place], [place + 1])[1]])
        found += len(ids)
    assert found > 5
    with pytest.raises(KeyError, match="no body has the id 3"):
        grid.remove([1, 3])
    with pytest.raises(ValueError):
        grid.insert([200, 4], np.zeros((2, axes)), 0.1)
    assert 1 in grid and 200 not in grid
    with pytest.raises(ValueError, match="must have"):
        grid.insert([200], np.zeros((2, axes)), 0.1)


@pytest.mark.parametrize(("method", "variant"), [
    ("mr", "quick-sort"), ("mr", "binary-search"), ("mr", "computed-coordinates"), ("mmr", "per-step"), ("mmr", "computed-coordinates"),
])
def test_variants_of_the_classics_find_the_same_pairs(method, variant):
    system = mg.pack(law="uniform", ratio=6, count=400, packing_fraction=0.5, seed=3)
    detector = mg.Detector(method, variant=variant)
    for _ in range(2):
        assert detector.find_pairs(system.centers, system.radii, domain=system.domain) == system.find_pairs()
    again = pickle.loads(pickle.dumps(detector))
    assert repr(again) == repr(detector) == f"Detector('{method}', variant='{variant}')"


def test_variants_that_a_method_has_not_are_clear_errors():
    with pytest.raises(ValueError, match="variant is 'per-step', must be one of quick-sort, binary-search, computed-coordinates"):
        mg.Detector("mr", variant="per-step")
    with pytest.raises(ValueError, match="method hgrid has no variants"):
        mg.Detector("hgrid", variant="quick-sort")
