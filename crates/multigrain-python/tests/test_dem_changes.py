"""What a running simulation is changed: physics, places, motion, forces; and what it reports."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import multigrain as mg

SAND = mg.dem.Material(1000, stiffness=1e6, restitution=0.5, friction=0.5)
FLOOR = mg.dem.Wall.plane([0, 0], [0, 1])


def heap(**options):
    """Discs that settle on a floor, periodic in x."""
    centers = np.array([[0.1 + 0.21 * (k % 9) + 0.03 * (k // 9 % 2), 0.11 + 0.2 * (k // 9)] for k in range(63)])
    sim = mg.dem.Simulation(centers, 0.1, SAND, domain=mg.Domain([0, 0], [2, 9], periodic="x"),
                            walls=[FLOOR], gravity=[0, -9.81], **options)
    sim.run(8000)
    return sim


def test_physics_can_be_read_back():
    wall = mg.dem.Wall.plate([[0, 5], [1, 5]]).of_material(1).carrying([1, 0]).turning([0, 0, 2], [0.5, 5]).moving()
    law = mg.dem.Law(stiffness=1e4, restitution=0.3)
    other = mg.dem.Material(500, stiffness=2e5)
    sim = mg.dem.Simulation([[0, 1], [3, 1]], 0.5, [SAND, other], walls=[FLOOR, wall], between={(0, 1): law},
                            gravity=[0, -1], method="hgrid", skin="auto", integrator="gear", time_step=1e-3, material=[0, 1])
    assert sim.walls == [FLOOR, wall] and sim.materials == [SAND, other] and sim.between == {(0, 1): law}
    assert sim.gravity.tolist() == [0, -1] and sim.domain is None
    assert (sim.method, sim.skin, sim.integrator) == ("hgrid", "auto", "gear")
    assert sim.grain_materials.tolist() == [0, 1] and not sim.held.any()
    assert np.isclose(sim.masses[0], 2 * sim.masses[1])
    assert mg.dem.Simulation([[0, 1]], 0.5, SAND, skin=0.1, domain=mg.Domain([0, 0], [4, 4])).domain == mg.Domain([0, 0], [4, 4])


def test_spins_and_springs_outlast_changes():
    sim = heap()
    spins, forces = sim.spins(), sim.contacts()["forces"]
    assert np.abs(spins).max() > 0 and len(forces) > 60
    sim.gravity = [1, -9.81]
    sim.walls = [FLOOR, mg.dem.Wall.plane([0, 5], [0, -1]).carrying([0, -1]).moving()]
    assert np.array_equal(sim.spins(), spins)
    assert np.allclose(sim.contacts()["forces"], forces, rtol=1e-6, atol=1e-6 * np.abs(forces).max())
    sim.run(10)
    lid = sim.walls[1]
    assert lid == sim.walls[1] and lid != mg.dem.Wall.plane([0, 5], [0, -1]).carrying([0, -1]).moving()
    sim.materials = mg.dem.Material(1000, stiffness=1e6, restitution=0.5, friction=0.1)
    sim.between = {(0, 0): mg.dem.Law(stiffness=1e6, restitution=0.9, friction=0.2)}
    sim.run(10)
    assert sim.between == {(0, 0): mg.dem.Law(stiffness=1e6, restitution=0.9, friction=0.2)}


def test_places_and_motion_can_be_set():
    sim = heap()
    x, rng = sim.positions(), np.random.default_rng(1)
    sim.set_positions(x + [2.0, 0.0])
    assert np.allclose(sim.positions(), x)
    x = sim.positions()
    velocities = rng.normal(size=x.shape)
    sim.set_velocities(velocities)
    sim.set_spins(np.arange(63.0))
    assert np.array_equal(sim.velocities(), velocities) and np.array_equal(sim.spins()[:, 2], np.arange(63.0))
    sim.set_velocities(np.zeros_like(x))
    sim.set_spins(np.zeros((63, 3)))
    sim.set_held(np.arange(63) == 40)
    sim.run(300)
    assert np.array_equal(sim.positions()[40], x[40]) and sim.held.sum() == 1
    sim.set_held(False)
    sim.run(10)
    sim.set_grain_materials(0)
    for mistake, text in [
        (lambda: sim.set_positions(x[:3]), r"positions have shape \(3, 2\), must be \(63, 2\)"),
        (lambda: sim.set_held([True]), r"held has shape \(1,\), must be \(63,\), or one for all"),
        (lambda: sim.set_velocities(np.full_like(x, np.nan)), "a velocity is NaN, must be finite"),
        (lambda: sim.set_grain_materials(3), "material 3, but there are only 1"),
        (lambda: setattr(sim, "gravity", [0, 0, 0]), r"gravity has shape \(3,\), must be \(2,\)"),
        (lambda: setattr(sim, "walls", [mg.dem.Wall.plane([0, 0], [0, 0])]), "wall 0 "),
    ]:
        before = sim.positions()
        with pytest.raises(ValueError, match=text):
            mistake()
        assert np.array_equal(sim.positions(), before)


def test_grains_come_with_spins_materials_and_holds_of_their_own():
    light = mg.dem.Material(10, stiffness=1e5)
    sim = mg.dem.Simulation([[0, 1], [3, 1], [6, 1]], 0.5, [SAND, light], velocities=[[1, 0]] * 3, spins=[1, 2, 3],
                            material=np.array([0, 1, 0]), held=[False, False, True], gravity=[0, -1])
    assert sim.spins()[:, 2].tolist() == [1, 2, 3] and sim.held.tolist() == [False, False, True]
    ids = sim.add([[9, 1], [12, 1]], 0.5, spins=[[0, 0, 4]] * 2, material=[1, 0], held=True)
    assert sim.grain_materials.tolist() == [0, 1, 0, 1, 0] and sim.held[ids].all()
    sim.run(20)
    y = sim.positions()[:, 1]
    assert (y[:2] < 1).all() and (y[2:] == 1).all()
    with pytest.raises(TypeError, match="argument 'material'"):
        mg.dem.Simulation([[0, 1]], 0.5, SAND, material=["sand"])


def test_forces_of_ones_own_push_in_every_step():
    def drop(**options):
        return mg.dem.Simulation([[0, 2], [3, 4]], [0.5, 0.25], SAND, walls=[FLOOR], time_step=1e-4, **options)

    pulled, steady, called = drop(gravity=[0, -9.81]), drop(), drop()
    weight = np.outer(steady.masses, [0, -9.81])
    steady.set_forces(weight)
    times = []

    def forces(time, positions, velocities):
        times.append(time)
        assert positions.shape == velocities.shape == (2, 2)
        return weight

    called.set_forces(forces)
    for sim in (pulled, steady, called):
        sim.run(8000)
    assert np.allclose(steady.positions(), pulled.positions()) and np.allclose(called.positions(), pulled.positions())
    assert len(times) == 8001 and np.isclose(times[-1], called.time)
    called.set_forces(None)
    before = called.velocities()[1]
    called.run(1)
    assert np.allclose(called.velocities()[1], before) or called.positions()[1, 1] < 0.25
    steady.add([[8, 1]], 0.5)
    steady.run(5)
    assert steady.positions()[2].tolist() == [8, 1]


def test_what_a_function_of_ones_own_raises_comes_out():
    sim = mg.dem.Simulation([[0, 2]], 0.5, SAND, time_step=1e-4)
    with pytest.raises(ZeroDivisionError):
        sim.set_forces(lambda *_: 1 / 0)
    with pytest.raises(ValueError, match=r"forces have shape \(3, 2\), must be \(1, 2\)"):
        sim.set_forces(lambda *_: np.zeros((3, 2)))
    sim.set_forces(lambda time, *_: np.zeros((1, 2)) if time < 5e-4 else sim.positions())
    with pytest.raises(RuntimeError, match="being run or saved by another thread"):
        sim.run(100)
    sim.set_forces(None)
    sim.run(100)


def test_walls_feel_what_grains_do_to_them():
    sim = heap()
    sim.run(60000)
    weight = 9.81 * sim.masses.sum()
    assert np.isclose(sim.wall_forces()[0, 1], -weight, rtol=0.02) and sim.wall_torques().shape == (1, 3)
    touches = sim.wall_contacts()
    assert np.allclose(touches["forces"].sum(axis=0), -sim.wall_forces()[0]) and (touches["walls"] == 0).all()
    assert np.allclose(touches["normals"], [0, -1]) and (touches["overlaps"] > 0).all()
    assert sim.torques().shape == (63, 3)
    # A lever of 2 to the right of the point that a plate turns about.
    plate = mg.dem.Wall.plate([[-3, 0], [3, 0]])
    sim = mg.dem.Simulation([[2, 0.5]], 0.5, mg.dem.Material(1, stiffness=1e4, restitution=0.1), walls=[plate], gravity=[0, -1])
    sim.run(5000)
    assert np.isclose(sim.wall_torques()[0, 2], -2 * sim.masses[0], rtol=1e-4)


def same(a, b):
    return all(np.array_equal(getattr(a, name)(), getattr(b, name)()) for name in ("positions", "velocities", "spins", "forces"))


@pytest.mark.parametrize("again", [lambda sim: pickle.loads(pickle.dumps(sim)), copy.deepcopy], ids=["pickle", "deepcopy"])
def test_simulations_go_on_from_copies_bit_for_bit(again):
    rain = mg.dem.Generator([0, 4], [2, 6], rate=50, radii=[0.05, 0.1], velocity=[0, -2], limit=50)
    sim = heap(generators=[rain], outflows=[mg.dem.Outflow.beyond([0, 8], [0, 1])], skin="auto",
               bounds=mg.Domain([-9, -9], [9, 9]))
    sim.walls = [FLOOR, mg.dem.Wall.plane([0, 7], [0, -1]).carrying([0.3, -0.1]).moving()]
    sim.gravity = [0.5, -9]
    sim.run(50)
    other = again(sim)
    assert same(sim, other) and other.steps == sim.steps and other.walls == sim.walls
    sim.run(200)
    other.run(200)
    assert same(sim, other)


@pytest.mark.parametrize("thing", [
    SAND, mg.dem.Material(7800, modulus=2.1e11, poisson=0.3, restitution=0.6, friction=0.2, tangential_damping=0.1),
    mg.dem.Law(stiffness=1e5, damping=3.0, friction=0.1, tangential_stiffness=0.4), FLOOR,
    mg.dem.Wall.inside_box([0, 0, 0], [1, 2, 3]).of_material(2), mg.dem.Wall.cylinder([0, 0], 1.0).turning([0, 0, 2], [0, 0]),
    mg.dem.Wall.cylinder([0, 0, 0], 1.0, [0, 0, 1]), mg.dem.Wall.plate([[0, 0], [5, 1]]).carrying([0.3, 0.06]).moving(),
    mg.dem.Wall.plane([0, 0], [0, 1]).of_temperature(20.0), mg.dem.Wall.slab([0, 0], [2, 0], 0.5),
    mg.dem.Wall.funnel([[0, 0, 0], [0, 0, 1]], [1.0, 0.5]), mg.dem.Wall.polygon([[0, 0], [1, 0], [0, 1]]),
], ids=repr)
def test_parts_of_simulations_pickle_and_compare(thing):
    again = pickle.loads(pickle.dumps(thing))
    assert again == thing and repr(again) == repr(thing) and copy.copy(thing) == thing


@pytest.mark.parametrize("thing", [
    mg.dem.Generator([0, 4], [3, 5], rate=100, radii=[0.05, 0.1], velocity=[0, -2], limit=50, seed=3, material=1),
    mg.dem.Outflow.inside([0, 0], [1, 1]), mg.dem.Outflow.outside([0, 0, 0], [1, 1, 1]), mg.dem.Outflow.beyond([0, 0], [0, -1]),
], ids=repr)
def test_sources_and_sinks_of_grains_pickle(thing):
    assert repr(pickle.loads(pickle.dumps(thing))) == repr(thing)


def test_polygons_go_on_from_a_pickle():
    shapes = [mg.polygons.Polygon([[0, 0], [1, 0.1 * k], [0.3, 1]]) for k in range(5)]
    sim = mg.dem.Simulation([[2.5 * k, 1.0] for k in range(5)], 1.0, SAND, shapes=shapes, shape=range(5), angles=0.3,
                            velocities=[[2.0 - k, 0] for k in range(5)], walls=[FLOOR], gravity=[0, -9])
    sim.run(300)
    again = pickle.loads(pickle.dumps(sim))
    sim.run(300)
    again.run(300)
    assert same(sim, again) and np.array_equal(sim.angles, again.angles)


def test_a_wall_keeps_its_temperature_and_warms_grains():
    warm = mg.dem.Material(1, stiffness=1e3, conductivity=50, heat_capacity=1)
    floor = mg.dem.Wall.plane([0, 0, 0], [0, 0, 1])
    heated = mg.dem.Simulation([[0, 0, 0.99]], 1.0, warm, walls=[floor.of_temperature(20.0)])
    alone = mg.dem.Simulation([[0, 0, 0.99]], 1.0, warm, walls=[floor])
    for sim in (heated, alone):
        sim.run(200)
    assert heated.temperatures[0] > 0.1 and alone.temperatures[0] == 0
    assert heated.walls == [floor.of_temperature(20.0)]


def test_meshes_are_scaled_turned_and_shifted(tmp_path):
    path = tmp_path / "ramp.obj"
    path.write_text("v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nf 1 2 3 4\n")
    ramp = mg.dem.Wall.from_file(path, scale=0.5, rotate=([0, 1, 0], -90), translate=[1, 0, 2])
    # Flat on the floor before, it stands at x = 1 now, from z = 2 to 7.
    sims = [mg.dem.Simulation([[x, 2.5, 4.5]], 0.3, SAND, walls=[ramp], time_step=1e-5) for x in (1.28, 0.72, 1.4)]
    assert [len(sim.wall_contacts()["overlaps"]) for sim in sims] == [1, 1, 0]
    with pytest.raises(ValueError, match="must have a direction"):
        mg.dem.Wall.from_file(path, rotate=([0, 0, 0], 90))
    line = tmp_path / "line.obj"
    line.write_text("v 0 0 0\nv 4 0 0\nl 1 2\n")
    flat = mg.dem.Wall.from_file(line, dimension=2, rotate=([0, 0, 1], 90))
    sim = mg.dem.Simulation([[0.29, 2.0]], 0.3, SAND, walls=[flat], time_step=1e-5)
    assert sim.largest_overlap == pytest.approx(0.01 / 0.3)


def test_flaws_of_meshes_are_warnings(tmp_path):
    path = tmp_path / "ramp.obj"
    path.write_text("v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nf 1 2 3 4\nf 1 1 2\n")
    with pytest.warns(RuntimeWarning, match="ramp.obj: 1 face without area is left out") as warned:
        mg.dem.Wall.from_file(path)
    assert len(warned) == 1, "edges of a sheet are open"
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    with pytest.warns(RuntimeWarning, match="1 face with a vertex that is not there"):
        mg.dem.Wall.mesh(square, [[0, 1, 2], [0, 2, 3], [0, 1, 7]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mg.dem.Wall.mesh(square, [[0, 1, 2], [0, 2, 3]])


def test_servos_push_with_a_pressure_on_an_area():
    lid = mg.dem.Wall.plane([0, 0, 1], [0, 0, -1])
    assert lid.servo([0, 0, -1], max_speed=0.1, pressure=50, area=0.5) == lid.servo([0, 0, -1], 25, 0.1)
    for wrong in ({}, {"pressure": 5}, {"force": 1, "pressure": 5, "area": 1}):
        with pytest.raises(TypeError, match="a force, or a pressure and the area"):
            lid.servo([0, 0, -1], max_speed=0.1, **wrong)
    with pytest.raises(ValueError, match="area is 0"):
        lid.servo([0, 0, -1], max_speed=0.1, pressure=5, area=0)
    with pytest.raises(TypeError, match="needs max_speed"):
        lid.servo([0, 0, -1], 5)


def test_generators_give_spin_and_temperature():
    warm = mg.dem.Material(1000, stiffness=1e5, friction=0.3, conductivity=1.0, heat_capacity=500.0)
    rain = mg.dem.Generator([0, 0], [5, 5], radii=0.1, limit=7, spin=[0, 0, 3.0], temperature=320.0)
    again = pickle.loads(pickle.dumps(rain))
    for generator in (rain, again):
        sim = mg.dem.Simulation(np.zeros((0, 2)), [], warm, generators=[generator], time_step=1e-5)
        sim.run(1)
        assert len(sim) == 7 and (sim.spins()[:, 2] == 3.0).all() and (sim.temperatures == 320.0).all()


def test_solid_walls_of_the_plane_are_made_of_polygons():
    ring = [piece.turning([0, 0, 1], [0, 0]).moving() for piece in mg.dem.Wall.ring([0, 0], 5.0, 0.5, pieces=24)]
    sim = mg.dem.Simulation([[0, -4.5]], 0.4, SAND, walls=ring, gravity=[0, -9], fraction=0.05)
    plain = mg.dem.Simulation([[0, -4.5]], 0.4, SAND, walls=ring, gravity=[0, -9])
    assert sim.time_step == pytest.approx(2.5 * plain.time_step) and len(ring) == 24
    sim.run(round(2 / sim.time_step))
    assert np.linalg.norm(sim.positions()[0]) < 4.7 and sim.positions()[0, 0] > 0.01
    assert pickle.loads(pickle.dumps(sim)).time_step == sim.time_step
    with pytest.raises(ValueError, match="both set the time step"):
        mg.dem.Simulation([[0, 0]], 1.0, SAND, time_step=1e-3, fraction=0.1)


def test_long_steps_grains_outside_and_crushed_grains_are_reported():
    box = mg.dem.Wall.inside_box([0, 0], [4, 4])

    def make(second=(3, 1), **options):
        return mg.dem.Simulation([[1, 1], second], 0.5, mg.dem.Material(1, stiffness=1e4), walls=[box], **options)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make().run(300)
    with pytest.warns(RuntimeWarning, match="the time step of .* of the shortest contact, more than a tenth"):
        make(time_step=5e-3)
    with pytest.warns(RuntimeWarning, match="more than a half: energy comes from nothing"):
        make(time_step=3e-2)
    with pytest.warns(RuntimeWarning, match="grain 1 has its center behind wall 0"):
        make((9, 1))
    with pytest.warns(RuntimeWarning, match="grain 0 and grain 1 overlap by 80 %"):
        make((1.6, 1))
    sim = make()
    with pytest.warns(RuntimeWarning, match="behind wall 0"):
        sim.walls = [mg.dem.Wall.inside_box([0, 0], [2, 2])]
    soft = mg.dem.Simulation([[0, 0.5]], 0.5, mg.dem.Material(1, stiffness=10), walls=[FLOOR], gravity=[0, -9.81], time_step=1e-3)
    with pytest.warns(RuntimeWarning, match="grain 0 and a wall overlap by"):
        soft.run(1000)


def test_trajectories_and_progress(tmp_path, capsys):
    sim = heap()
    path = tmp_path / "run.dump"
    sim.run(50, every=20, trajectory=path, progress=True)
    frames = path.read_text().split("ITEM: TIMESTEP")[1:]
    assert len(frames) == 4 and [int(frame.split()[0]) for frame in frames] == [8000, 8020, 8040, 8050]
    assert "100 % of 50 steps" in capsys.readouterr().err
    last = mg.read(path, frame=3)
    assert np.allclose(last.centers, sim.positions(), atol=1e-5) and np.allclose(last.radii, sim.radii)
    sim.write(tmp_path / "now.vtp")
    assert len(mg.read(tmp_path / "now.vtp")) == len(sim)
    with pytest.raises(ValueError, match="append goes with .dump"):
        sim.write(tmp_path / "now.vtp", append=True)
    with pytest.raises(ValueError, match="must end in .dump or .vtp"):
        sim.write(tmp_path / "now.txt")
    with pytest.raises(OSError):
        sim.write(tmp_path / "none" / "now.dump")
