"""Systems: packed, read, written."""

import copy
import pickle

import numpy as np
import pytest

import multigrain as mg

LAWS = [{"law": "mono"}, {"law": "uniform", "ratio": 5}, {"law": "power", "exponent": -3, "ratio": 10},
        {"law": "bidisperse", "ratio": 4}, {"law": "log-normal", "sigma": 0.3}, {"law": "log-normal", "ratio": 4},
        {"law": "log-normal", "sigma": 0.3, "ratio": 3}]


@pytest.mark.parametrize("law", LAWS, ids=str)
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("placement", ["random", "lattice"])
def test_every_law_packs_to_the_fraction_asked_for(law, dimension, placement):
    system = mg.pack(**law, count=300, packing_fraction=0.3, dimension=dimension, placement=placement, periodic=True)
    assert len(system) == 300 and system.dimension == dimension
    assert system.centers.shape == (300, dimension) and system.radii.shape == (300,)
    assert system.packing_fraction == pytest.approx(0.3)
    assert system.radii.min() == pytest.approx(1, rel=0.2) and system.domain.periodic == (True,) * dimension


@pytest.mark.parametrize("dimension", [2, 3])
def test_grown_systems_fill_the_box_without_overlap(dimension):
    system = mg.pack(law="uniform", ratio=3, count=150, packing_fraction=0.5, dimension=dimension, placement="growth",
                     periodic="x", seed=2)
    assert system.packing_fraction == pytest.approx(0.5) and len(system.find_pairs()) == 0
    assert np.all(system.centers[:, 1] > system.radii - 1e-9)
    same = mg.pack(law="uniform", ratio=3, count=150, packing_fraction=0.5, dimension=dimension, placement="growth",
                   periodic="x", seed=2)
    assert np.array_equal(same.centers, system.centers)


def test_growth_that_cannot_be_says_how_far_it_came():
    with pytest.raises(ValueError, match="growth jams at a packing fraction of 0[^$]*hint: ask for less"):
        mg.pack(law="mono", count=40, packing_fraction=0.9, dimension=3, placement="growth", periodic=True)
    with pytest.raises(ValueError, match="packing fraction is 1.5, must be below 1"):
        mg.pack(law="mono", count=40, packing_fraction=1.5, placement="growth")


def test_a_seed_names_one_system():
    one, same, other = (mg.pack(law="mono", count=50, packing_fraction=0.5, seed=seed) for seed in [1, 1, 2])
    assert np.array_equal(one.centers, same.centers) and not np.array_equal(one.centers, other.centers)


def test_sizes_may_be_given_and_lattices_spaced():
    system = mg.pack(radii=[1, 2, 3, 4], packing_fraction=0.4, periodic="x", seed=5)
    assert sorted(system.radii) == [1, 2, 3, 4] and system.domain.periodic == (True, False, False)
    spaced = mg.pack(law="mono", count=27, placement="lattice", spacing=[1.5, 1, 1])
    assert np.allclose(np.unique(np.diff(np.unique(spaced.centers[:, 0].round(9)))), 3.0)


@pytest.mark.parametrize(("arguments", "text"), [
    ({"packing_fraction": 0.5}, "there are no sizes"),
    ({"law": "mono", "packing_fraction": 0.5}, "a law needs count"),
    ({"law": "mono", "count": 10}, "placement 'random' needs packing_fraction"),
    ({"law": "mono", "count": 10, "packing_fraction": -1}, "packing fraction is -1, must be positive"),
    ({"law": "mono", "count": 10, "packing_fraction": 1, "placement": "heap"}, "placement is 'heap'"),
    ({"law": "mono", "count": 10, "packing_fraction": 1, "dimension": 1}, "dimension is 1, must be 2 or 3"),
    ({"law": "mono", "count": 10, "packing_fraction": 1, "spacing": [1, 1, 1]}, "spacing is for placement 'lattice'"),
    ({"law": "mono", "count": 10, "placement": "lattice"}, "needs packing_fraction or spacing"),
    ({"law": "mono", "count": 10, "placement": "lattice", "spacing": [1.0]}, "spacing has 1 numbers"),
    ({"radii": [1.0], "count": 3, "packing_fraction": 1}, "count belongs to a law"),
    ({"radii": [-1.0], "packing_fraction": 1}, "radius of particle 0 is -1"),
    ({"law": "uniform", "ratio": 0.5, "count": 3, "packing_fraction": 1}, "ratio"),
    ({"law": "mono", "count": 10, "packing_fraction": 1, "periodic": "w"}, "periodic is 'w'"),
    ({"law": "mono", "count": -1, "packing_fraction": 1}, "count is -1, must not be negative"),
    ({"law": "mono", "count": 10, "packing_fraction": 1, "seed": -1}, "seed is -1, must not be negative"),
])
def test_wrong_wishes_for_packing_are_clear_errors(arguments, text):
    with pytest.raises(ValueError, match=text):
        mg.pack(**arguments)


@pytest.mark.parametrize("extension", ["csv", "npy", "xyz", "dump", "lammpstrj", "vtp"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_files_are_read_as_they_were_written(tmp_path, extension, dimension):
    system = mg.pack(law="uniform", ratio=3, count=100, packing_fraction=0.5, dimension=dimension, periodic="x")
    path = tmp_path / f"grains.{extension}"
    if extension in ["csv", "npy"]:
        with pytest.warns(UserWarning, match=r"the file does not hold the box; search with domain=Domain\(.*periodic='x'\)"):
            mg.write(path, system)
    else:
        mg.write(path, system)
    again = mg.read(str(path))
    assert np.array_equal(again.centers, system.centers) and np.array_equal(again.radii, system.radii)
    if extension not in ["csv", "npy"]:
        assert again.domain.periodic == system.domain.periodic
        assert np.allclose(again.domain.hi, system.domain.hi)
    mg.write(path, np.asfortranarray(system.centers), list(system.radii))
    assert np.array_equal(mg.read(path).centers, system.centers)


def test_files_of_numpy_are_read(tmp_path):
    rows = np.random.default_rng(1).uniform(0, 1, (20, 4))
    np.save(tmp_path / "rows.npy", np.asfortranarray(rows.astype(np.float32)))
    system = mg.read(tmp_path / "rows.npy")
    assert np.array_equal(np.column_stack([system.centers, system.radii]), rows.astype(np.float32))


def test_files_that_cannot_be_read_are_clear_errors(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.csv"):
        mg.read(tmp_path / "nowhere.csv")
    (tmp_path / "bad.csv").write_text("x,y,r\n0,0,1\n0,oops,1\n")
    with pytest.raises(ValueError, match=r"bad.csv: line 3, column 2 \(y\)"):
        mg.read(tmp_path / "bad.csv")
    (tmp_path / "headless.csv").write_text("1,2,3\n")
    with pytest.raises(ValueError, match="hint: begin the file with a line that names the columns"):
        mg.read(tmp_path / "headless.csv")
    (tmp_path / "points.vtp").write_text('<VTKFile type="PolyData" compressor="vtkZLibDataCompressor"><PolyData/></VTKFile>')
    with pytest.raises(ValueError, match="points.vtp: line 1, <VTKFile>: its arrays are compressed"):
        mg.read(tmp_path / "points.vtp")
    with pytest.raises(TypeError):
        mg.read(5)


def test_files_that_cannot_be_written_are_clear_errors(tmp_path):
    with pytest.raises(ValueError, match="cannot tell the format of .*grains.doc by its extension"):
        mg.write(tmp_path / "grains.doc", [[0, 0]], 1.0)
    with pytest.raises(FileNotFoundError, match="cannot write .*grains.csv: there is no folder"):
        mg.write(tmp_path / "no" / "grains.csv", [[0, 0]], 1.0)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(IsADirectoryError, match="cannot write .*folder.csv: it is a folder"):
        mg.write(tmp_path / "folder.csv", [[0, 0]], 1.0)
    (tmp_path / "folder.csv").rmdir()
    with pytest.raises(ValueError, match="radius of particle 0 is -1"):
        mg.write(tmp_path / "grains.csv", [[0, 0]], -1.0)
    with pytest.raises(TypeError, match="give a System, or centers and radii"):
        mg.write(tmp_path / "grains.csv", [[0, 0]])
    with pytest.raises(TypeError, match="leave these arguments out"):
        mg.write(tmp_path / "grains.csv", mg.System([[0, 0]], 1.0), 1.0)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("error")
def test_boxes_that_are_not_periodic_may_be_dropped(tmp_path):
    system = mg.pack(law="mono", count=10, packing_fraction=0.3)
    mg.write(tmp_path / "grains.csv", system)
    mg.write(tmp_path / "grains.csv", system.centers, system.radii, mg.Domain([0, 0, 0], [9, 9, 9], periodic="none"))
    with pytest.raises(UserWarning, match="does not hold the box"):
        mg.write(tmp_path / "grains.csv", system.centers, system.radii, mg.Domain([0, 0, 0], [9, 9, 9]))


def test_systems_without_a_box_have_no_packing_fraction():
    system = mg.System([[0, 0]], 1.0)
    assert system.domain is None and system.packing_fraction is None
    assert repr(system) == "<System: 1 particles in 2D, no box>"


@pytest.mark.parametrize("extension", ["xyz", "dump", "vtp"])
def test_sheared_cells_come_back_from_files(extension, tmp_path):
    domain = mg.Domain.from_cell([[4, 0.1, 0], [-7.3, 5, 0], [0.5, 1 / 3, 2]], origin=[0.1, 0.2, 0.3], periodic="xz")
    system = mg.System([[0.5, 1.5, 2.5], [3, 2, 1]], [1.0, 0.25], domain)
    mg.write(tmp_path / f"cell.{extension}", system)
    again = mg.read(tmp_path / f"cell.{extension}")
    assert again.domain == domain and again.domain.is_sheared and np.array_equal(again.centers, system.centers)
    assert again.find_pairs(margin=2.0) == system.find_pairs(margin=2.0)


def test_many_systems_are_searched_at_once():
    systems = [mg.pack(law="uniform", ratio=3, count=20 + 40 * k, packing_fraction=0.5, dimension=2 + k % 2, seed=k + 1)
               for k in range(12)]
    for options in ({}, {"method": "nbs", "margin": 0.3}):
        found = mg.find_pairs_each(systems, **options)
        assert found == [system.find_pairs(**options) for system in systems] and sum(map(len, found)) > 100
    assert mg.find_pairs_each([]) == []
    with pytest.raises(ValueError, match="method is 'none'"):
        mg.find_pairs_each(systems, "none")


def test_lists_of_many_systems_follow_each_other():
    rng = np.random.default_rng(5)
    sizes, cells = [30, 1, 0, 50], np.array([np.diag([4, 5, 6]), np.eye(3), np.eye(3), [[5, 0, 0], [2, 5, 0], [0, 1, 5]]])
    pbc = np.array([[True] * 3, [True, False, False], [False] * 3, [True, True, False]])
    positions = rng.uniform(0, 5, (sum(sizes), 3))
    batch = np.repeat(np.arange(4), sizes)
    found = mg.neighbor_list("ijPdDS", positions, cells, pbc, cutoff=1.4, batch=batch)
    expected = []
    for system, first in enumerate(np.cumsum([0, *sizes[:-1]])):
        own = slice(first, first + sizes[system])
        i, j, pairs, *rest = mg.neighbor_list("ijPdDS", positions[own], cells[system], pbc[system], cutoff=1.4)
        expected.append([i + first, j + first, pairs + first, *rest])
    for one, parts in zip(found, zip(*expected)):
        assert np.array_equal(one, np.concatenate(parts))
    assert len(found[0]) > 50
    # Systems of equal numbers along the first axis, and radii of their own.
    together = positions[:60].reshape(3, 20, 3)
    radii = rng.uniform(0.3, 0.8, (3, 20))
    i, j = mg.neighbor_list("ij", together, radii=radii)
    k, m = mg.neighbor_list("ij", positions[:60], radii=radii.ravel(), batch=np.repeat(np.arange(3), 20))
    assert np.array_equal(i, k) and np.array_equal(j, m) and (i // 20 == j // 20).all() and len(i) > 5
    assert len(mg.neighbor_list("i", np.zeros((0, 3)), cutoff=1.0, batch=[])) == 0
    with pytest.raises(ValueError, match="batch must ascend"):
        mg.neighbor_list("ij", positions[:2], cutoff=1.0, batch=[1, 0])


@pytest.mark.parametrize("again", [lambda thing: pickle.loads(pickle.dumps(thing)), copy.deepcopy], ids=["pickle", "deepcopy"])
def test_everything_is_copied(again, tmp_path):
    system = mg.pack(law="uniform", ratio=4, count=300, packing_fraction=0.6, seed=1)
    tuning = mg.tune(system.radii)
    copied = again(tuning)
    assert np.array_equal(copied.cell_sizes, tuning.cell_sizes) and (copied.work, copied.k) == (tuning.work, tuning.k)
    assert np.array_equal(copied.particles_per_cell, tuning.particles_per_cell) and copied.direction == tuning.direction
    work = mg.count_work(system.centers, system.radii)
    assert again(work) == work
    view = mg.view(system)
    assert again(view).html == view.html and repr(again(view)) == repr(view)
    path = tmp_path / "contacts.csv"
    path.write_text("i,j,overlap\n0,1,0.5\n")
    contacts = mg.read(path)
    assert again(contacts).keys() == contacts.keys() and np.array_equal(again(contacts).pairs, contacts.pairs)
    square = mg.polygons.Polygon([[0, 0], [2, 0], [2, 2], [0, 2]])
    other = square.at([2.8, 1.2], angle=0.3)
    assert np.allclose(again(other).corners, other.corners, rtol=1e-15) and repr(again(square)) == repr(square)
    closest, overlap = mg.polygons.closest_features(square, other), mg.polygons.overlap(square, square.at([1.5, 1.5]))
    assert repr(again(closest)) == repr(closest) and np.array_equal(again(closest).points, closest.points)
    assert again(closest).features.a == closest.features.a
    assert again(overlap).area == overlap.area and np.array_equal(again(overlap).polygon, overlap.polygon)
    for thing in (mg.Queries(system.centers), mg.Detector("nbs"), mg.HierarchicalGrid([1, 2]), system.domain, mg.Changes()):
        assert repr(again(thing)) == repr(thing)
