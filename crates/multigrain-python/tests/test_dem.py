"""Simulations: physics by hand, arrays by id, grains that come and go, save and resume."""

import pickle
import subprocess
import signal
import sys
import threading

import numpy as np
import pytest

import multigrain as mg

GLASS = mg.dem.Material(1000, stiffness=1e5, restitution=0.7, friction=0.3)


def heap(**more):
    rng = np.random.default_rng(5)
    centers = np.array([[0.1 + 0.2 * (k % 5), 0.15 + 0.2 * (k // 5)] for k in range(40)])
    walls = [mg.dem.Wall.inside_box([0, 0], [1, 3])]
    return mg.dem.Simulation(centers, rng.uniform(0.04, 0.09, 40), GLASS, walls=walls, gravity=[0, -9.81], **more)


def is_in_use(sim):
    """Whether another thread has the simulation to itself."""
    try:
        sim.steps
    except RuntimeError as error:
        assert "another thread" in str(error)
        return True
    return False


def test_a_grain_falls_as_newton_says():
    sim = mg.dem.Simulation([[0.0, 0.0, 10.0]], 0.1, GLASS, gravity=[0, 0, -10], time_step=1e-3)
    sim.run(1000)
    assert sim.steps == 1000 and sim.time == pytest.approx(1.0) and sim.time_step == 1e-3
    assert sim.positions()[0] == pytest.approx([0, 0, 5.0])
    assert sim.velocities()[0] == pytest.approx([0, 0, -10.0])
    assert sim.forces()[0] == pytest.approx([0, 0, -10 * sim.masses[0]])
    assert sim.masses[0] == pytest.approx(1000 * 4 / 3 * np.pi * 1e-3)


def test_equal_grains_exchange_velocities_and_energy_is_kept():
    elastic = mg.dem.Material(1, stiffness=1e4)
    sim = mg.dem.Simulation([[0, 0], [2.5, 0]], 1.0, elastic, velocities=[[1, 0], [0, 0]])
    before = sim.energies()
    assert before["translational"] == pytest.approx(np.pi / 2)
    seen = []
    sim.run(round(1.5 / sim.time_step), lambda sim: seen.append(len(sim.contacts()["ids"])), every=5)
    assert max(seen) == 1 and seen[-1] == 0
    assert sim.velocities() == pytest.approx(np.array([[0, 0], [1, 0]]), abs=1e-4)
    assert sum(sim.energies().values()) == pytest.approx(sum(before.values()), rel=1e-4)


def test_contacts_say_who_pushes_whom():
    sim = mg.dem.Simulation([[0, 0, 0], [1.5, 0, 0], [9, 0, 0]], 1.0, GLASS)
    contacts = sim.contacts()
    assert contacts["ids"].tolist() == [[0, 1]] and contacts["ids"].dtype == np.uint64
    assert contacts["overlaps"] == pytest.approx([0.5]) and contacts["normals"] == pytest.approx(np.array([[1, 0, 0]]))
    assert contacts["forces"].shape == (1, 3) and contacts["forces"][0, 0] > 0
    assert contacts["shifts"].tolist() == [[0, 0, 0]]


def test_arrays_go_by_id_and_are_filled_in_place():
    sim = heap(velocities=np.arange(80.0).reshape(40, 2) * 1e-3)
    assert np.array_equal(sim.ids, np.arange(40))
    assert np.array_equal(sim.velocities(), np.arange(80.0).reshape(40, 2) * 1e-3)
    out = np.empty((40, 2))
    assert sim.positions(out=out) is out and np.array_equal(out, sim.positions())
    assert sim.spins(np.empty((40, 3))).shape == (40, 3)
    read_only = np.zeros((40, 2))
    read_only.flags.writeable = False
    for wrong, error in [(np.empty((39, 2)), ValueError), (np.empty((40, 3)), ValueError), (read_only, ValueError),
                         (np.asfortranarray(out), ValueError), (np.empty((40, 2), np.float32), TypeError),
                         ([[0.0, 0.0]], TypeError)]:
        with pytest.raises(error, match="out"):
            sim.positions(out=wrong)


def test_the_course_is_the_same_for_every_method_skin_and_number_of_threads():
    courses = []
    try:
        for count, more in [(0, {}), (1, {"method": "linked-cell"}), (2, {"method": "nbs", "skin": "auto"}),
                            (3, {"method": "hgrid", "skin": 0.02})]:
            mg.set_threads(count)
            sim = heap(**more)
            sim.run(500)
            courses.append((sim.positions(), sim.velocities(), sim.spins()))
    finally:
        mg.set_threads(0)
    for other in courses[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(courses[0], other))


def test_saved_simulations_go_on_as_if_they_had_never_stopped(tmp_path):
    setup = dict(walls=[mg.dem.Wall.inside_box([0, 0], [1, 3])], gravity=[0, -9.81], dimension=2)
    sim = heap()
    sim.run(300)
    sim.save(tmp_path / "heap.state")
    again = mg.dem.Simulation.resume(tmp_path / "heap.state", GLASS, method="nbs", **setup)
    sim.run(200)
    again.run(200)
    assert again.steps == 500 and np.array_equal(sim.positions(), again.positions())
    with pytest.raises(ValueError):
        mg.dem.Simulation.resume(tmp_path / "heap.state", GLASS, **{**setup, "gravity": [0, -1]})
    with pytest.raises(ValueError):
        mg.dem.Simulation.resume(tmp_path / "heap.state", GLASS)
    with pytest.raises(FileNotFoundError, match="cannot read .*nothing.state"):
        mg.dem.Simulation.resume(tmp_path / "nothing.state", GLASS)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        sim.save(tmp_path / "no" / "heap.state")
    (tmp_path / "short.state").write_bytes(b"mgraindm")
    with pytest.raises(ValueError, match="cannot be read"):
        mg.dem.Simulation.resume(tmp_path / "short.state", GLASS)


def test_grains_come_and_go():
    sim = heap()
    sim.run(10)
    ids = sim.add([[0.5, 2.5], [0.5, 2.8]], 0.05, velocities=[[0, -1], [0, 1]])
    assert ids.tolist() == [40, 41] and len(sim) == 42
    assert np.array_equal(sim.velocities()[40:], [[0, -1], [0, 1]])
    sim.remove([3, 40])
    sim.remove(np.uint32(5))
    assert len(sim) == 39 and not {3, 5, 40} & set(sim.ids.tolist())
    sim.run(10)
    assert sim.positions().shape == (39, 2)
    with pytest.raises(ValueError, match="no particle has the id 3"):
        sim.remove([0, 3])
    with pytest.raises(ValueError, match="an id to remove is 7, must be named once"):
        sim.remove([0, 7, 7])
    assert {0, 7} <= set(sim.ids.tolist())
    sim.remove([])
    with pytest.raises(ValueError, match="ids is -1, must not be negative"):
        sim.remove(-1)
    with pytest.raises(ValueError, match=r"ids is \[0, -1\], of which a number is out of range"):
        sim.remove([0, -1])
    with pytest.raises(ValueError, match="radius"):
        sim.add([[0.5, 2.5], [0.6, 2.9]], [0.05, -1])
    assert len(sim) == 39


def test_arguments_may_look_at_the_simulation_while_they_are_converted():
    script = """
import multigrain as mg, numpy as np
sim = mg.dem.Simulation([[0, 0], [5, 0]], 1.0, mg.dem.Material(1, stiffness=1e3))
class Looking:
    def __init__(self, values):
        self.values = values
    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, float) * (1 + sim.steps)
print(sim.add(Looking([[9, 9]]), Looking([1.0]), velocities=Looking([[1, 2]])), sim.velocities()[2])
"""
    seen = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert seen.stdout == "[2] [1. 2.]\n", seen.stderr


def test_added_grains_have_as_many_axes_as_the_others():
    sim = heap()
    with pytest.raises(ValueError, match=r"centers have shape \(1, 3\), must be \(N, 2\) as the grains"):
        sim.add([[0, 0, 0]], 1.0)
    assert sim.add([], 1.0).shape == (0,)


def test_callbacks_may_end_a_run_and_raise():
    sim = heap()
    sim.run(1000, lambda sim: sim.steps < 300, every=100)
    assert sim.steps == 300

    def fail(_):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        sim.run(1000, fail, every=50)
    assert sim.steps == 350
    sim.step()
    assert sim.steps == 351
    with pytest.raises(ValueError, match="every is 0"):
        sim.run(10, fail, every=0)
    with pytest.raises(ValueError, match="every is -5, must not be negative"):
        sim.run(10, fail, every=-5)
    with pytest.raises(ValueError, match="steps is -1, must not be negative"):
        sim.run(-1)


def test_every_wall_holds_grains():
    walls = {
        "plane": mg.dem.Wall.plane([0, 0, 0], [0, 0, 1]),
        "box": mg.dem.Wall.inside_box([-1, -1, 0], [1, 1, 5]),
        "plate": mg.dem.Wall.plate([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]]),
        "cylinder": mg.dem.Wall.cylinder([0, 0, 1], 1.0, axis=[0, 1, 0]),
    }
    for name, wall in walls.items():
        sim = mg.dem.Simulation([[0.02, 0, 0.5]], 0.05, mg.dem.Material(1000, stiffness=1e5, restitution=0.3),
                                walls=[wall], gravity=[0, 0, -9.81])
        sim.run(round(1.0 / sim.time_step))
        assert -0.5 < sim.positions()[0, 2] < 0.5, name
    funnel = mg.dem.Simulation([[0.8, 0, 1.4]], 0.05, GLASS, gravity=[0, 0, -9.81],
                               walls=[mg.dem.Wall.funnel([[0, 0, 1.2], [0, 0, -0.5]], [1.2, 0.1])])
    funnel.run(round(0.5 / funnel.time_step))
    assert funnel.positions()[0, 0] < 0.75
    circle = mg.dem.Simulation([[0, 0]], 0.1, GLASS, walls=[mg.dem.Wall.cylinder([0, 0], 1.0)], gravity=[0, -9.81])
    circle.run(round(2.0 / circle.time_step))
    assert -0.91 < circle.positions()[0, 1] < -0.8
    belt = mg.dem.Wall.plane([0, 0], [0, 1]).carrying([1, 0])
    carried = mg.dem.Simulation([[0, 0.1]], 0.1, GLASS, walls=[belt], gravity=[0, -9.81])
    carried.run(round(2.0 / carried.time_step))
    assert carried.positions()[0, 0] > 0.5


def test_walls_move_and_do_work():
    piston = mg.dem.Wall.plane([0, 0], [1, 0]).carrying([2, 0]).moving()
    sim = mg.dem.Simulation([[1.0, 0.0]], 0.5, mg.dem.Material(1, stiffness=1e4, restitution=0.5), walls=[piston])
    sim.run(round(0.5 / sim.time_step))
    assert sim.velocities()[0] == pytest.approx([3, 0], rel=0.01)
    assert sim.wall_work == pytest.approx(sim.energies()["translational"] + sim.dissipated, rel=0.01)
    paddle = mg.dem.Wall.plate([[0, 0], [1, 0]]).turning([0, 0, 1], about=[0, 0]).moving()
    sim = mg.dem.Simulation([[0.5, 0.2]], 0.1, GLASS, walls=[paddle])
    sim.run(round(1.5 / sim.time_step))
    assert sim.positions()[0, 1] > 0.4
    with pytest.raises(ValueError, match="wall 0 is a box that turns"):
        box = mg.dem.Wall.inside_box([0, 0], [1, 1]).turning([0, 0, 1], about=[0, 0]).moving()
        mg.dem.Simulation([[0.5, 0.5]], 0.1, GLASS, walls=[box])


def test_what_an_impact_loses_is_counted():
    sim = mg.dem.Simulation([[0, 0], [2.1, 0]], 1.0, mg.dem.Material(1, stiffness=1e4, restitution=0.5),
                            velocities=[[1, 0], [-1, 0]])
    before = sum(sim.energies().values())
    assert sim.dissipated == 0
    sim.run(round(0.5 / sim.time_step))
    assert sim.dissipated == pytest.approx(0.75 * before, rel=0.03)
    assert sum(sim.energies().values()) + sim.dissipated == pytest.approx(before, rel=0.02)


def test_laws_between_materials_count_before_those_of_the_materials():
    hard = mg.dem.Material(1, stiffness=1e4)
    dead = mg.dem.Law(stiffness=1e4, restitution=0.2)
    for between, share in [(None, 1.0), ({(0, 1): dead}, 0.2), ({(1, 0): dead}, 0.2), ({(1, 1): dead}, 1.0)]:
        sim = mg.dem.Simulation([[0, 0]], 1.0, [hard, hard], velocities=[[1, 0]], between=between)
        sim.add([[2.1, 0]], 1.0, velocities=[[-1, 0]], material=1)
        sim.run(round(1.0 / sim.time_step))
        assert sim.velocities()[:, 0] == pytest.approx([-share, share], rel=0.02)
    hertz = mg.dem.Material(1, modulus=1e5, poisson=0.3)
    with pytest.raises(ValueError, match="materials 0 and 1 have laws of different kinds"):
        mg.dem.Simulation([[0, 0]], 1.0, [hard, hertz], impact_speed=1.0)
    mg.dem.Simulation([[0, 0]], 1.0, [hard, hertz], between={(0, 1): dead}, impact_speed=1.0)
    assert dead == mg.dem.Law(stiffness=1e4, restitution=0.2) and dead != mg.dem.Law(stiffness=1e4)
    assert repr(mg.dem.Law(stiffness=1, friction=0.5, tangential_damping=0.25)) \
        == "Law(stiffness=1, friction=0.5, tangential_damping=0.25)"


def test_generators_and_outflows_let_grains_come_and_go(tmp_path):
    setup = dict(
        generators=[mg.dem.Generator([0, 4], [3, 5], rate=100, radii=[0.05, 0.1], velocity=[0, -2], limit=40, seed=7)],
        outflows=[mg.dem.Outflow.beyond([0, 0], [0, -1]), mg.dem.Outflow.outside([-9, -9], [9, 9])],
        time_step=1e-3)
    sim = mg.dem.Simulation(np.empty((0, 2)), 1.0, GLASS, **setup)
    sim.run(300)
    sim.save(tmp_path / "rain.state")
    assert 25 <= sim.generated <= 30 and len(sim) == sim.generated and sim.removed == 0
    sim.run(4000)
    assert (sim.generated, sim.removed, len(sim)) == (40, 40, 0)
    again = mg.dem.Simulation.resume(tmp_path / "rain.state", GLASS, dimension=2, **setup)
    again.run(4000)
    assert (again.generated, again.removed) == (40, 40)
    with pytest.raises(ValueError, match="other materials, walls, gravity"):
        mg.dem.Simulation.resume(tmp_path / "rain.state", GLASS, dimension=2, time_step=1e-3)


def test_periodic_axes_and_bounds():
    box = mg.Domain([0, 0], [1, 1], periodic="x")
    sim = mg.dem.Simulation([[0.5, 0.5]], 0.1, GLASS, velocities=[[1, 0]], domain=box, time_step=0.01)
    sim.run(120)
    assert 0 <= sim.positions()[0, 0] < 1
    lost = mg.dem.Simulation([[0.5, 0.5]], 0.1, GLASS, velocities=[[0, 1]], bounds=box, time_step=0.01)
    with pytest.raises(RuntimeError, match="particle 0 was lost in step .* it left the bounds .* last good position"):
        lost.run(1000)


@pytest.mark.parametrize(("arguments", "error", "text"), [
    ({"radii": [-1.0]}, ValueError, "radius of grain 0 is -1"),
    ({"radii": 0.0}, ValueError, "radius of grain 0 is 0"),
    ({"radii": [1.0, 2.0]}, ValueError, "1 centers but 2 radii"),
    ({"centers": [[np.nan, 0]]}, ValueError, "position of grain 0 is NaN"),
    ({"centers": [[0, 0, 0, 0]]}, ValueError, "centers have shape"),
    ({"velocities": [[1, 0, 0]]}, ValueError, r"velocities have shape \(1, 3\), must be \(1, 2\)"),
    ({"velocities": [[np.inf, 0]]}, ValueError, "velocity of grain 0 is inf"),
    ({"gravity": [1.0]}, ValueError, r"gravity has shape \(1,\), must be \(2,\)"),
    ({"gravity": [np.nan, 0]}, ValueError, "gravity is NaN"),
    ({"walls": [mg.dem.Wall.plane([0, 0, 0], [0, 0, 1])]}, ValueError, r"point of wall 0 has shape \(3,\)"),
    ({"walls": [mg.dem.Wall.plane([0, 0], [0, 0])]}, ValueError, "wall 0"),
    ({"walls": ["floor"]}, TypeError, "argument 'walls': .*Wall"),
    ({"wals": []}, TypeError, "argument 'wals': there is no argument of this name"),
    ({"between": [1]}, TypeError, "argument 'between': it must be a dict"),
    ({"between": {(0, 1): GLASS}}, TypeError, "argument 'between': it must be a dict"),
    ({"between": {(0, 1): mg.dem.Law(stiffness=1.0)}}, ValueError, "materials 0 and 1 is of material 1"),
    ({"generators": [mg.dem.Generator([0, 0, 0], [1, 1, 1], 1, 0.1)]}, ValueError, r"lo of generator 0 has shape \(3,\)"),
    ({"generators": [mg.dem.Generator([0, 0], [1, 1], -1, 0.1)]}, ValueError, "rate of generator 0 is -1"),
    ({"generators": [mg.dem.Generator([0, 0], [1, 1], 1, [])]}, ValueError, "number of radii of generator 0 is 0"),
    ({"outflows": [mg.dem.Outflow.inside([0, 0], [1])]}, ValueError, r"hi of outflow 0 has shape \(1,\)"),
    ({"outflows": 5}, TypeError, "argument 'outflows'"),
    ({"materials": []}, ValueError, "no material was given"),
    ({"materials": 5}, TypeError, "materials must be a Material"),
    ({"materials": [5]}, TypeError, "materials must be a Material"),
    ({"material": 3}, ValueError, "grain 0 is of material 3, but there are only 1"),
    ({"time_step": -1.0}, ValueError, "time step"),
    ({"integrator": "euler"}, ValueError, "integrator is 'euler', must be one of verlet"),
    ({"method": "magic"}, ValueError, "method is 'magic'"),
    ({"skin": "thick"}, TypeError, "skin must be a width"),
    ({"skin": -1.0}, ValueError, "skin"),
    ({"domain": mg.Domain([0, 0, 0], [1, 1, 1])}, ValueError, "the domain has 3 axes"),
])
def test_wrong_setups_are_clear_errors(arguments, error, text):
    good = {"centers": [[0, 0]], "radii": 1.0, "materials": GLASS}
    with pytest.raises(error, match=text):
        mg.dem.Simulation(**{**good, **arguments})


@pytest.mark.parametrize(("arguments", "text"), [
    ({}, "give `stiffness`, or `modulus` and `poisson`"),
    ({"stiffness": 1.0, "modulus": 1.0}, "give one law"),
    ({"modulus": 1.0}, "needs both `modulus` and `poisson`"),
    ({"stiffness": 1.0, "restitution": 1.0, "damping": 1.0}, "give one of them"),
    ({"stiffness": 1.0, "tangential_damping": 1.0}, "belong to friction"),
])
def test_wrong_materials_are_clear_errors(arguments, text):
    with pytest.raises(ValueError, match=text):
        mg.dem.Material(1.0, **arguments)


def test_a_simulation_that_another_thread_runs_says_so():
    rng = np.random.default_rng(1)
    sim = mg.dem.Simulation(rng.uniform(0, 10, (2000, 3)), 0.1, GLASS)
    in_use = threading.Event()
    inside = threading.Thread(target=lambda: is_in_use(sim) and in_use.set())

    def forces(*_):
        # Another thread asks while the run waits for this function.
        if not in_use.is_set():
            inside.start()
            inside.join()
        return np.zeros((2000, 3))

    sim.set_forces(forces)
    sim.run(20)
    assert in_use.is_set() and sim.steps == 20


def test_other_threads_go_on_while_a_simulation_is_saved(tmp_path):
    side = np.arange(60) * 0.19
    sim = mg.dem.Simulation(np.stack(np.meshgrid(side, side, side), -1).reshape(-1, 3), 0.1, GLASS)
    # How soon threads take turns is the system's business: saved until this thread was seen to run meanwhile.
    refused = False
    while not refused:
        thread = threading.Thread(target=lambda: sim.save(tmp_path / "large.state"))
        thread.start()
        while thread.is_alive() and not refused:
            refused = is_in_use(sim)
        thread.join()
    assert sim.steps == 0
    assert len(mg.dem.Simulation.resume(tmp_path / "large.state", GLASS)) == len(sim)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_a_run_after_a_step_and_the_simulation_lives_on():
    script = """
import signal, threading
import multigrain as mg
signal.signal(signal.SIGINT, signal.default_int_handler)
sim = mg.dem.Simulation([[0, 0], [1.9, 0]], 1.0, mg.dem.Material(1, stiffness=1e3))

def watch():
    # Ready when the run is seen to be under way.
    while True:
        try:
            sim.steps
        except RuntimeError:
            print("ready", flush=True)
            return

threading.Thread(target=watch, daemon=True).start()
try:
    sim.run(10**12)
except KeyboardInterrupt:
    before = sim.steps
    sim.run(5)
    print("stopped", sim.steps - before, flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert output == "stopped 5\n"


def plant():
    """Spheres by mass through a face, clumps into a cylinder, a meter below, two outflows."""
    dumbbell = mg.dem.ClumpShape([[0, 0, 0], [0.15, 0, 0]], [0.12, 0.1])
    face = mg.dem.Region.face([[0, 0, 3], [2, 0, 3], [2, 2, 3], [0, 2, 3]])
    tube = mg.dem.Region.cylinder([[1, 1, 3.2], [1, 1, 4.2]], 0.8)
    return {
        "materials": mg.dem.Material(2, stiffness=2000, restitution=0.5, friction=0.3),
        "gravity": [0, 0, -5],
        "clump_shapes": [dumbbell],
        "generators": [
            mg.dem.Generator(region=face, mass_rate=0.5, mass_limit=0.3, radii=[0.07, 0.1], velocity=[0, 0, -1]),
            mg.dem.Generator(region=tube, rate=30, clumps=[0], limit=12, speed=0.2, start=0.1, seed=4),
        ],
        "meters": [mg.dem.Meter([0, 0, 2], normal=[0, 0, -1])],
        "outflows": [
            mg.dem.Outflow.inside(mg.dem.Region.ball([1, 1, 0.5], 0.5)),
            mg.dem.Outflow.beyond([0, 0, 0], normal=[0, 0, -1]),
        ],
    }


def test_flows_are_counted_and_masses_balance():
    physics = plant()
    sim = mg.dem.Simulation([[1, 1, 2.5]], 0.1, physics.pop("materials"), **physics)
    sim.run(round(3 / sim.time_step))
    flows = sim.flows()
    assert [grains for grains, _ in flows["made"]][1] == 12
    assert flows["made"][0][1] >= 0.3
    came = sum(grains for grains, _ in flows["made"]) + 1
    assert flows["metered"][0][0] == came
    assert sum(grains for grains, _ in flows["left"]) == came
    assert all(grains > 0 for grains, _ in flows["left"])
    assert sum(mass for _, mass in flows["left"]) == pytest.approx(flows["metered"][0][1], rel=1e-12)


def test_a_pickled_plant_goes_on_bit_for_bit():
    physics = plant()
    sim = mg.dem.Simulation([[1, 1, 2.5]], 0.1, physics.pop("materials"), **physics)
    sim.run(300)
    again = pickle.loads(pickle.dumps(sim))
    for one in (sim, again):
        one.run(500)
    assert again.flows() == sim.flows()
    np.testing.assert_array_equal(again.positions(), sim.positions())
    for thing in plant()["generators"] + plant()["meters"] + plant()["outflows"]:
        assert repr(pickle.loads(pickle.dumps(thing))) == repr(thing)


def test_regions_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="ends are 1 points"):
        mg.dem.Region.cylinder([[0, 0, 0]], 1)
    with pytest.raises(ValueError, match="must be \\(2,\\) or \\(3,\\)"):
        mg.dem.Region.ball([0], 1)
    with pytest.raises(TypeError, match="both corners of a box, or a region"):
        mg.dem.Generator([0, 0], rate=1, radii=0.1)
    with pytest.raises(ValueError, match="give one"):
        mg.dem.Generator([0, 0], [1, 1], rate=1, mass_rate=1, radii=0.1)
    glass = mg.dem.Material(2, stiffness=2000)
    face = mg.dem.Region.face([[0, 0], [1, 0]])
    with pytest.raises(ValueError, match="must have an inside"):
        mg.dem.Simulation([[0, 0]], 0.1, glass, outflows=[mg.dem.Outflow.inside(face)])
