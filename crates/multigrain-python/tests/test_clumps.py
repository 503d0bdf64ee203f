"""Rigid bodies of spheres."""

import pickle

import multigrain as mg
import numpy as np
import pytest

GRAIN = mg.dem.Material(1.0, stiffness=300.0, restitution=0.7, friction=0.4)


def crooked():
    return mg.dem.ClumpShape([[0, 0, 0], [0.4, 0, 0], [0, 0.4, 0.1]], [0.3, 0.25, 0.2])


def gas(**keywords):
    rng = np.random.default_rng(3)
    centers = np.stack(np.meshgrid(*[np.arange(3) + 0.5] * 3), -1).reshape(-1, 3)
    orientations = rng.normal(size=(27, 4))
    return mg.dem.Simulation(centers, 0.4, GRAIN, velocities=rng.normal(size=(27, 3)), clump=np.where(np.arange(27) % 3, 0, -1),
                             orientations=orientations, clump_shapes=[crooked()], domain=mg.Domain([0, 0, 0], [3, 3, 3]),
                             **keywords), orientations


def test_members_are_where_their_clump_has_them():
    sim, orientations = gas()
    clumps, numbers = sim.clumps(), sim.clump_numbers
    assert len(clumps["numbers"]) == 18 and len(sim.radii) == 9 + 3 * 18
    wanted = orientations[np.arange(27) % 3 != 0]
    wanted /= np.linalg.norm(wanted, axis=1)[:, None]
    assert np.allclose(clumps["orientations"], wanted)
    w, x, y, z = wanted[0]
    turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    places = (clumps["positions"][0] + crooked().centers @ turn.T) % 3
    assert np.allclose(sim.positions()[numbers == 0], places)
    sim.run(500)
    pairs = sim.contacts()["ids"]
    numbers = dict(zip(sim.ids.tolist(), sim.clump_numbers.tolist()))
    assert len(pairs) > 0 and all(numbers[a] != numbers[b] or numbers[a] == -1 for a, b in pairs.tolist())


def test_clumps_are_pickled_and_go_on():
    sim, _ = gas(skin="auto")
    sim.run(200)
    again = pickle.loads(pickle.dumps(sim))
    sim.run(200)
    again.run(200)
    assert np.array_equal(sim.positions(), again.positions())
    assert np.array_equal(sim.clumps()["orientations"], again.clumps()["orientations"])


def test_mass_and_inertia_are_those_of_the_union():
    shape = crooked()
    rng = np.random.default_rng(1)
    points = rng.uniform(-0.8, 0.8, size=(400_000, 3))
    inside = (np.linalg.norm(points[:, None] - shape.centers, axis=2) < shape.radii).any(1)
    volume = inside.mean() * 1.6**3
    assert shape.volume == pytest.approx(volume, rel=0.02)
    held = points[inside]
    inertia = ((held**2).sum(1)[:, None, None] * np.eye(3) - held[:, :, None] * held[:, None]).mean(0) * shape.volume
    assert np.allclose(shape.inertia, inertia, atol=0.03 * np.abs(inertia).max())
    own = mg.dem.ClumpShape(shape.centers, shape.radii, center_of_mass=[0, 0, 0], volume=2.0, inertia=np.eye(3))
    assert own.volume == 2.0 and np.array_equal(pickle.loads(pickle.dumps(own)).inertia, np.eye(3))


@pytest.mark.parametrize("upright", [False, True])
def test_clumps_are_packed_without_overlap(upright):
    packed = mg.pack(law="uniform", ratio=1.5, count=80, packing_fraction=0.15, placement="growth", periodic="xyz", seed=4,
                     clump=crooked(), upright=upright)
    sim = mg.dem.Simulation(**packed, materials=GRAIN)
    clumps = sim.clumps()
    volume = sum(packed["clump_shapes"][shape].volume for shape in clumps["shapes"])
    assert volume / packed["domain"].volume == pytest.approx(0.15, rel=1e-9)
    assert len(sim) == 3 * 80 and len(sim.contacts()["ids"]) == 0
    turns = np.abs(clumps["orientations"][:, 0])
    assert (turns > 1 - 1e-15).all() if upright else turns.std() > 0.1
    flat = mg.pack(law="mono", count=20, packing_fraction=0.3, placement="growth", dimension=2, periodic="xy",
                   clump=mg.dem.ClumpShape([[0, 0], [1, 0]], 0.8))
    assert len(flat["clump_shapes"]) == 1 and np.allclose(flat["orientations"][:, 1:3], 0)


def test_what_pack_says_to_simulations_goes_into_files_and_back():
    packed = mg.pack(law="mono", count=10, packing_fraction=0.1, periodic="xyz", clump=crooked(), placement="growth")
    again = pickle.loads(pickle.dumps(packed))
    one, other = (mg.dem.Simulation(**keywords, materials=GRAIN) for keywords in (packed, again))
    assert np.array_equal(one.positions(), other.positions())


@pytest.mark.parametrize(("make", "text"), [
    (lambda: mg.pack(law="mono", count=5, packing_fraction=0.1, upright=True), "upright is for clumps"),
    (lambda: mg.pack(law="mono", count=5, packing_fraction=0.1, dimension=2, clump=crooked()), "must be"),
    (lambda: mg.dem.ClumpShape([[0, 0]], -1.0), "radius of a member"),
    (lambda: mg.dem.ClumpShape([[0, 0]], 1.0, volume=2.0), "belong together"),
    (lambda: mg.dem.Simulation([[0, 0, 0]], 1.0, GRAIN, clump=[1], clump_shapes=[crooked()]), "number of a clump shape of the setup"),
    (lambda: mg.dem.Simulation([[0, 0]], 1.0, GRAIN, clump_shapes=[crooked()]), "must be"),
    (lambda: mg.dem.Simulation([[0, 0, 0]], 1.0, GRAIN, orientations=[[0, 0, 0, 0]], clump_shapes=[crooked()]), "must be a turn"),
])
def test_clumps_that_cannot_be_are_clear_errors(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def columns(path):
    """The columns of the last frame of a dump, by name."""
    lines = path.read_text().split("ITEM: ATOMS ")[-1].splitlines()
    return dict(zip(lines[0].split(), np.array([line.split() for line in lines[1:]], dtype=float).T))


def test_files_have_all_that_is_known_of_grains(tmp_path):
    sim, _ = gas()
    sim.run(300, every=100, trajectory=tmp_path / "run.dump")
    written = columns(tmp_path / "run.dump")
    assert np.array_equal(written["mol"] - 1, sim.clump_numbers)
    assert np.array_equal(np.array([written[f"omega{axis}"] for axis in "xyz"]).T, sim.spins())
    assert np.array_equal(np.array([written[f"f{axis}"] for axis in "xyz"]).T, sim.forces())
    assert np.array_equal(written["mass"], sim.masses)
    assert np.allclose(written["pressure"], np.trace(sim.stresses(), axis1=1, axis2=2) / 3, rtol=1e-12)
    clumps = sim.clumps()
    turned = np.array([written[f"quat{part}"] for part in "wijk"]).T[np.isin(sim.ids, clumps["first_ids"])]
    assert np.array_equal(turned, clumps["orientations"])
    assert written["contacts"].sum() == 2 * len(sim.contacts()["ids"]) > 0
