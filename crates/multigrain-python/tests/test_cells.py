"""Sheared cells, and neighbour lists of any cell, of Atoms, and with cut-offs by species."""

import itertools
import pickle

import numpy as np
import pytest

import multigrain as mg


def images_within(cell, pbc, way):
    """Every shift whose translation may be as long as `way`."""
    periodic = np.flatnonzero(pbc)
    dual = np.linalg.pinv(cell[periodic])
    most = np.zeros(len(cell), int)
    most[periodic] = np.ceil(way * np.linalg.norm(dual, axis=0)) + 1
    return np.array(list(itertools.product(*(range(-k, k + 1) for k in most))))


def by_brute_force(points, cell, pbc, radii):
    """The full list as a sorted list of (i, j, S), by testing every image."""
    reach = 2 * radii.max() + np.linalg.norm(np.ptp(points, axis=0))
    found = []
    for shift in images_within(cell, pbc, reach):
        vectors = points[None] - points[:, None] + shift @ cell
        touch = (vectors**2).sum(axis=2) < (radii[:, None] + radii) ** 2
        if not shift.any():
            np.fill_diagonal(touch, False)
        found += [(int(i), int(j), *map(int, shift)) for i, j in zip(*np.nonzero(touch))]
    return sorted(found)


def cells():
    """Cells of any tilt, hand and rotation, thin and flat ones, with any directions periodic."""
    rng = np.random.default_rng(11)
    for axes in (2, 3):
        for k in range(24):
            cell = np.diag(rng.uniform(0.8, 3.0, axes)) + rng.uniform(-3, 3, (axes, axes)) * (rng.random((axes, axes)) < 0.5)
            if k % 3 == 0:
                cell[0] *= -1
            if abs(np.linalg.det(cell)) < 0.4:
                continue
            pbc = rng.random(axes) < 0.7
            if k % 4 == 0:
                cell[~pbc] = 0.0
            count = (1, 2, 5, 20)[k % 4]
            yield rng.uniform(-3, 3, (count, axes)), cell, pbc, rng.uniform(0.1, 1.2, count)


def test_any_cell_gives_the_list_of_brute_force():
    sheared, own = 0, 0
    for points, cell, pbc, radii in cells():
        wanted = by_brute_force(points, cell, pbc, radii)
        i, j, S, D, d = mg.neighbor_list("ijSDd", points, cell, pbc, radii)
        assert [tuple(row) for row in np.column_stack([i, j, S]).tolist()] == wanted
        assert np.allclose(D, points[j] - points[i] + S @ cell) and np.allclose(d, np.linalg.norm(D, axis=1))
        sheared += len(wanted)
        own += int((i == j).sum())
    assert sheared > 1000 and own > 100


def test_every_method_takes_a_sheared_domain():
    rng = np.random.default_rng(3)
    cell = np.array([[4.0, 0.5, 0.0], [-6.0, 5.0, 1.0], [2.0, 1.0, 3.0]])
    points, radii = rng.uniform(-5, 9, (60, 3)), rng.uniform(0.1, 1.6, 60)
    domain = mg.Domain.from_cell(cell, origin=[1, 2, 3], periodic="xz")
    assert domain.is_sheared and domain.pbc == domain.periodic == (True, False, True)
    wanted = {row for row in by_brute_force(points, cell, np.array([True, False, True]), radii)
              if row[0] < row[1] or (row[0] == row[1] and next((s for s in row[2:] if s), 0) > 0)}
    assert len(wanted) > 50
    for method in mg.methods():
        pairs = mg.find_pairs(points, radii, method, domain=domain)
        assert {(int(i), int(j), *map(int, s)) for (i, j), s in zip(pairs.array, pairs.shifts)} == wanted, method
        assert len(pairs) == len(wanted)
    grid = mg.HierarchicalGrid.tuned_for(points, radii, domain=domain)
    pairs = grid.find_pairs(points, radii, domain=domain)
    assert len(pairs) == len(wanted)
    assert np.allclose(pairs.vectors, points[pairs.j] - points[pairs.i] + pairs.shifts @ cell)


def test_a_sheared_domain_says_what_it_is():
    domain = mg.Domain.from_cell([[4, 1, 0], [0, 0, 3], [2, 0, 0]], origin=[1, 1, 1], pbc=[True, False, True])
    assert np.array_equal(domain.cell, [[4, 1, 0], [0, 0, 3], [2, 0, 0]]) and np.array_equal(domain.origin, [1, 1, 1])
    assert domain.volume == pytest.approx(6.0) and domain.dimension == 3
    assert np.array_equal(domain.lo, [1, 1, 1]) and np.array_equal(domain.hi, [7, 2, 4])
    assert domain != mg.Domain.from_cell(domain.cell, origin=[1, 1, 2], pbc=domain.pbc)
    for again in [pickle.loads(pickle.dumps(domain)), eval(repr(domain), {"Domain": mg.Domain})]:
        assert again == domain and np.array_equal(again.cell, domain.cell)
    box = mg.Domain.from_cell([2, 3], origin=[1, 1])
    assert box == mg.Domain([1, 1], [3, 4]) and not box.is_sheared and pickle.loads(pickle.dumps(box)) == box
    assert np.array_equal(box.cell, [[2, 0], [0, 3]])


@pytest.mark.parametrize(("arguments", "text"), [
    ({"matrix": [1, 2, 3, 4]}, r"cell has shape \(4,\)"),
    ({"matrix": [[1, 2, 3], [4, 5, 6]]}, r"cell has shape \(2, 3\)"),
    ({"matrix": [[1, 1], [2, 2]]}, "lie in one line or plane"),
    ({"matrix": [[1, np.nan], [2, 2]]}, "not finite"),
    ({"matrix": [[1, 0], [2, 2]], "origin": [1, 2, 3]}, "origin has 3 coordinates, must be 2"),
    ({"matrix": [[1, 0], [2, 2]], "periodic": "x", "pbc": True}, "the same: give one of them"),
])
def test_what_makes_no_cell_is_a_clear_error(arguments, text):
    with pytest.raises(ValueError, match=text):
        mg.Domain.from_cell(**arguments)


def shear(**keywords):
    """Discs in a cell that leans and is sheared on at a given stress across."""
    steel = mg.dem.Material(1.0, stiffness=200.0, restitution=0.5, friction=0.3)
    centers = [[x + 0.1 * (y % 2), y] for x in range(6) for y in range(6)]
    cell = mg.Domain.from_cell([[6, 0], [1.5, 6]])
    deformations = [mg.dem.Deformation(rates={"xy": 0.4}, stress={"yy": 5.0}, max_rate=0.2)]
    return mg.dem.Simulation(centers, 0.55, steel, domain=cell, deformations=deformations, **keywords)


def test_boxes_deform_and_report_stress():
    sim = shear()
    sim.run(round(8 / sim.time_step))
    assert sim.strain[0, 1] == pytest.approx(0.4 * sim.time, rel=1e-4)
    assert sim.velocity_gradient[0, 1] == pytest.approx(0.4, rel=1e-3)
    assert sim.stress()[1, 1] == pytest.approx(5.0, rel=0.1)
    # Love and Weber from contacts, by numpy.
    contacts, edges = sim.contacts(), np.asarray(sim.domain.cell)
    first, second = (sim.positions()[contacts["ids"][:, k]] for k in (0, 1))
    branches = second + contacts["shifts"] @ edges - first
    volume = abs(np.linalg.det(edges))
    of_contacts = np.einsum("ki,kj->ij", contacts["forces"], branches) / volume
    own = sim.velocities() - (sim.positions() - sim.domain.origin - edges.sum(0) / 2) @ sim.velocity_gradient.T
    own -= (sim.masses[:, None] * own).sum(0) / sim.masses.sum()
    of_motion = np.einsum("k,ki,kj->ij", sim.masses, own, own) / volume
    assert np.allclose(sim.stress(), of_contacts + of_motion, rtol=1e-9, atol=1e-12)
    assert sim.stresses().shape == (36, 2, 2)
    volumes = np.pi * sim.radii**2
    assert np.allclose((sim.stresses() * volumes[:, None, None]).sum(0) / volume, sim.stress(), rtol=1e-9, atol=1e-12)


def test_boxes_that_deform_are_pickled_and_go_on():
    sim = shear(skin="auto")
    sim.run(500)
    again = pickle.loads(pickle.dumps(sim))
    assert again.domain == sim.domain
    sim.run(500)
    again.run(500)
    assert np.array_equal(sim.positions(), again.positions()) and again.domain == sim.domain


def test_deformations_that_cannot_be_are_clear_errors():
    with pytest.raises(ValueError, match='no component "xw"'):
        mg.dem.Deformation(rates={"xw": 1.0})
    steel = mg.dem.Material(1.0, stiffness=200.0)
    stretch = mg.dem.Deformation(rates={"xx": 1.0})
    with pytest.raises(ValueError, match="both axes must be periodic"):
        mg.dem.Simulation([[0.0, 0.0]], 0.1, steel, deformations=[stretch])


class Atoms:
    """What neighbor_list needs of ASE's atoms."""

    def __init__(self, positions, cell, pbc, numbers):
        self.positions, self.cell, self.pbc = np.asarray(positions, float), Cell(cell), np.asarray(pbc)
        self.numbers = np.asarray(numbers)


class Cell:
    """Converts to an array when asked, as ASE's does."""

    def __init__(self, rows):
        self.rows = np.asarray(rows, float)

    def __array__(self, dtype=None, copy=None):
        return self.rows if dtype is None else self.rows.astype(dtype)


@pytest.fixture
def atoms():
    rng = np.random.default_rng(5)
    return Atoms(rng.uniform(0, 5, (30, 3)), [[5, 0, 0], [2, 4, 0], [0, 1, 6]], [True, True, False], rng.choice([1, 6, 8], 30))


def same(one, other):
    return len(one) == len(other) and all(np.array_equal(a, b) for a, b in zip(one, other))


def test_atoms_are_taken_as_ase_and_matscipy_take_them(atoms):
    wanted = mg.neighbor_list("ijS", atoms.positions, atoms.cell.rows, atoms.pbc, cutoff=2.5)
    assert len(wanted[0]) > 100
    assert same(mg.neighbor_list("ijS", atoms, 2.5), wanted)
    assert same(mg.neighbor_list("ijS", atoms, cutoff=2.5, max_nbins=1e6), wanted)
    assert same(mg.neighbour_list("ijS", atoms=atoms, cutoff=2.5), wanted)
    assert same(mg.neighbour_list("ijS", cutoff=2.5, positions=atoms.positions, cell=atoms.cell, pbc=atoms.pbc,
                                  cell_origin=np.zeros(3)), wanted)
    assert same(mg.neighbor_list("ijS", atoms, np.full(30, 1.25)), wanted)
    assert len(mg.neighbor_list("i", atoms, 2.5, True)) == len(wanted[0]) + 30
    with pytest.raises(ValueError, match="atoms have a cell and pbc of their own"):
        mg.neighbor_list("ij", atoms, np.eye(3), cutoff=1.0)


@pytest.mark.parametrize("full", [True, False])
def test_cutoffs_by_species_leave_out_all_others(atoms, full):
    i, j, d, D, S = mg.neighbor_list("ijdDS", atoms, cutoff=3.0, full=full)
    one, other = atoms.numbers[i], atoms.numbers[j]
    kept = (((one == 1) & (other == 6)) | ((one == 6) & (other == 1))) & (d < 3.0) | ((one == 8) & (other == 8) & (d < 2.0))
    wanted = [array[kept] for array in (i, j, d, D, S)]
    assert 0 < kept.sum() < len(kept)
    matrix = np.zeros((9, 9))
    matrix[1, 6] = matrix[6, 1] = 3.0
    matrix[8, 8] = 2.0
    of_atoms = matrix[np.ix_(atoms.numbers, atoms.numbers)]
    for cutoff in ({("H", "C"): 3.0, ("O", "O"): 2.0}, {(6, 1): 3.0, (8, 8): 2.0, ("Au", "H"): 9.0}, matrix):
        assert same(mg.neighbor_list("ijdDS", atoms, cutoff, full=full), wanted)
    assert same(mg.neighbor_list("ijdDS", atoms.positions, atoms.cell, atoms.pbc, cutoff=of_atoms, full=full), wanted)
    single = mg.neighbor_list("dd", atoms, matrix, full=full, dtype=np.float32)
    assert single[0].dtype == np.float32 and np.allclose(single[0], wanted[2]) and single[0] is not single[1]


def test_self_interaction_adds_every_particle_once(atoms):
    without = mg.neighbor_list("ijSdD", atoms, 6.0)
    table = mg.neighbor_list("ijSdD", atoms, 6.0, self_interaction=True)
    assert len(table[0]) == len(without[0]) + 30
    rows = [tuple(row) for row in np.column_stack(table[:3]).tolist()]
    assert rows == sorted(rows)
    own = (table[0] == table[1]) & ~table[2].any(axis=1)
    assert own.sum() == 30 and not table[3][own].any() and not table[4][own].any()
    assert same([array[~own] for array in table], without)
    assert [a.dtype for a in table] == [a.dtype for a in without]
    assert np.array_equal(mg.neighbor_list("i", [[0, 0], [9, 9]], cutoff=1, self_interaction=True), [0, 1])
    of_species = mg.neighbor_list("ij", atoms, {("C", "C"): 0.1, ("C", "H"): 0.1}, self_interaction=True)
    assert np.array_equal(of_species[0], np.flatnonzero(atoms.numbers == 6)), "as ASE has it: only where a cut-off is given"


def test_awkward_cells_agree_with_matscipy():
    neighbours = pytest.importorskip("matscipy.neighbours")
    rng = np.random.default_rng(9)
    shears = [np.diag([3.0, 3.0, 3.0]), [[3, 0, 0], [1.5, 2.6, 0], [1.5, 0.9, 2.4]], [[-3, 0, 0], [0, 3, 0], [0, 0, 3]],
              [[0, 3, 0], [3, 0, 0], [0, 0, 3]], [[3, 0, 0], [7, 2, 0], [-5, 4, 1.5]]]
    for cell, pbc, count, cutoff in itertools.product(shears, [(True,) * 3, (True, True, False)], (1, 6), (2.0, 7.5)):
        cell = np.asarray(cell, float)
        points = rng.uniform(0, 1, (count, 3)) @ cell
        i, j, S, d = mg.neighbor_list("ijSd", points, cell, pbc, cutoff=cutoff)
        others = neighbours.neighbour_list("ijSd", positions=points, cell=cell, pbc=np.array(pbc), cutoff=cutoff)
        order = np.lexsort((*others[2].T[::-1], others[1], others[0]))
        assert same([i, j, S], [array[order] for array in others[:3]]) and np.allclose(d, others[3][order])
        assert len(i) > 0 or cutoff == 2.0


@pytest.mark.parametrize("name", ["now.dump", "now.vtp"])
def test_a_box_that_leans_is_written_as_it_leans(tmp_path, name):
    rng = np.random.default_rng(2)
    cell = mg.Domain.from_cell([[6, 0, 0], [2, 6, 0], [-1, 1, 6]])
    grain = mg.dem.Material(1.0, stiffness=100.0, restitution=0.8, friction=0.3)
    sim = mg.dem.Simulation(rng.uniform(0, 6, (60, 3)), 0.5, grain, domain=cell)
    sim.run(20)
    sim.write(tmp_path / name)
    again = mg.read(tmp_path / name)
    assert np.allclose(again.domain.cell, sim.domain.cell, atol=1e-12)
    pairs = mg.find_pairs(again.centers, again.radii, domain=again.domain)
    assert len(pairs) == len(sim.contacts()["ids"]) > 10
