"""Runs a scene, with the changes that belong to it, draws what it shows, and holds it against its reference.

    python scenes/curves.py repose-rolling [--program multigrain] [--folder curves]
    python scenes/curves.py all

Runs and pictures go to the folder. Exit code 1 where a result is not what it should be. What is there of earlier runs is used again.
"""

import argparse
import pathlib
import re
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

HERE = pathlib.Path(__file__).parent


class Run:
    """What a run has written."""

    def __init__(self, folder):
        self.folder = folder

    def table(self, name):
        return np.genfromtxt(self.folder / name, delimiter=",", names=True)

    def snapshots(self):
        return sorted(self.folder.glob("snapshot-*.dump"))

    def times(self):
        """Times of the snapshots."""
        return [float(time) for time in re.findall('timestep="([^"]*)"', (self.folder / "snapshots.pvd").read_text())]

    def grains(self, which=-1):
        """Columns of a snapshot."""
        lines = self.snapshots()[which].read_text().splitlines()
        start = next(k for k, line in enumerate(lines) if line.startswith("ITEM: ATOMS"))
        names = lines[start].split()[2:]
        values = np.array([line.split() for line in lines[start + 1 :]], dtype=float)
        return {name: values[:, k] for k, name in enumerate(names)}


class Checks:
    """Results against their references."""

    def __init__(self):
        self.all_good = True

    def __call__(self, what, value, low, high, unit=""):
        good = bool(low <= value <= high)
        self.all_good &= good
        print(f"  {what}: {value:.4g}{unit}, reference {low:.4g} to {high:.4g}: {'as it should be' if good else 'NOT AS IT SHOULD BE'}")


def surface(grains, across, up, width):
    """Where the surface of a heap is: for each column as wide as this, the top of its highest grain."""
    x, top = grains[across], grains[up] + grains["radius"]
    columns = np.floor(x / width).astype(int)
    places = np.unique(columns)
    return (places + 0.5) * width, np.array([top[columns == k].max() for k in places])


def legend_above(axes):
    """A legend beside the curves, where there is no room between them."""
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False)


def slope(x, y):
    """Angle of a line through points, in degrees."""
    return np.degrees(np.arctan(np.polyfit(x, y, 1)[0]))


def simple_shear(runs, axes, check):
    """Friction of steady flow against the inertial number, from the second half of each rate."""
    table = runs["simple-shear"].table("energies.csv")
    rate = np.gradient(table["strain_xy"], table["time"])
    numbers, points, solid = [], [], []
    grains = runs["simple-shear"].grains()
    volume = np.pi * (grains["radius"] ** 2).sum()
    for wanted in (0.3, 0.1, 0.03, 0.01):
        steady = np.flatnonzero(np.abs(rate / wanted - 1) < 0.02)
        steady = steady[len(steady) // 2 :]
        ratio = -table["stress_xy"][steady] / table["stress_yy"][steady]
        numbers.append(wanted / np.sqrt(table["stress_yy"][steady].mean()))
        points.append((ratio.mean(), ratio.std() / np.sqrt(max(1, len(ratio) / 10))))
        solid.append(volume / table["volume"][steady].mean())
    points = np.array(points)
    print("  I, mu, packing fraction:", [(round(i, 4), round(mu, 3), round(nu, 3)) for i, mu, nu in zip(numbers, points[:, 0], solid)])
    line = np.linspace(0, 0.2, 50)
    law = lambda number: 0.26 + 1.1 * number  # noqa: E731
    axes[0].errorbar(numbers, points[:, 0], points[:, 1], fmt="o", label="this run")
    axes[0].plot(line, law(line), color="gray", label="0.26 + 1.1 I, da Cruz and others 2005")
    axes[0].set(xlabel="inertial number I", ylabel="shear stress over pressure", xscale="log", xlim=(0.005, 0.5))
    axes[0].legend()
    axes[1].plot(numbers, solid, "o-", label="this run")
    axes[1].plot(line, 0.81 - 0.3 * line, color="gray", label="0.81 - 0.3 I, da Cruz and others 2005")
    axes[1].set(xlabel="inertial number I", ylabel="packing fraction")
    axes[1].legend()
    for number, (mu, _), nu in list(zip(numbers, points, solid))[1:]:
        check(f"shear stress over pressure at I = {number:.3f}", mu, law(number) - 0.05, law(number) + 0.05)
        check(f"packing fraction at I = {number:.3f}", nu, 0.81 - 0.3 * number - 0.03, 0.81 - 0.3 * number + 0.03)


def triaxial(runs, axes, check):
    """Ratio of stresses and volume against the strain along z since the sides are held."""
    table = runs["triaxial"].table("energies.csv")
    side = 0.5 * (table["stress_xx"] + table["stress_yy"])
    start = np.searchsorted(table["time"], 0.15)
    strain = -(table["strain_zz"] - table["strain_zz"][start])[start:]
    ratio = table["stress_zz"][start:] / side[start:]
    friction = (ratio - 1) / (ratio + 1)
    smooth = np.convolve(friction, np.ones(5) / 5, "same")
    late = strain > 0.25
    axes[0].plot(strain, ratio)
    axes[0].set(xlabel="compression along z, logarithmic strain", ylabel="stress along z over that of the sides")
    axes[1].plot(strain, np.log(table["volume"][start:] / table["volume"][start]))
    axes[1].set(xlabel="compression along z, logarithmic strain", ylabel="change of volume, logarithmic")
    settled = strain > 0.02
    check("stress of the sides over 10 kPa", side[start:][settled].mean() / 1e4, 0.98, 1.02)
    check("peak angle of friction", np.degrees(np.arcsin(smooth.max())), 20, 36, " degrees")
    check("angle of friction of steady flow", np.degrees(np.arcsin(friction[late].mean())), 18, 25, " degrees")
    check("peak over steady flow", smooth.max() / friction[late].mean(), 1.0, 1.8)


def polygon_shear(runs, axes, check):
    """Friction and volume against shear, of polygons and of discs."""
    means = {}
    for name, run in runs.items():
        table = run.table("energies.csv")
        sheared = table["strain_xy"] > 0
        strain = table["strain_xy"][sheared]
        ratio = (-table["stress_xy"] / table["stress_yy"])[sheared]
        means[name] = ratio[strain > 1].mean()
        axes[0].plot(strain, ratio, label=name)
        axes[1].plot(strain, table["volume"][sheared] / table["volume"][sheared][0], label=name)
        check(f"stress across the flow over 500, {name}", table["stress_yy"][sheared][strain > 1].mean() / 500, 0.97, 1.03)
    axes[0].set(xlabel="shear strain", ylabel="shear stress over pressure")
    axes[0].legend()
    axes[1].set(xlabel="shear strain", ylabel="area over that at the start")
    axes[1].legend()
    check("shear stress over pressure", means["polygon-shear"], 0.4, 0.75)
    check("more than regular ones of 24 corners, nearly discs", means["polygon-shear"] / means["round"], 1.15, 3)


def repose_rolling(runs, axes, check):
    """Heaps and their angles for several resistances to rolling."""
    angles = {}
    for name, run in runs.items():
        grains = run.grains()
        heap = {key: value[grains["y"] > 0] for key, value in grains.items()}
        x, top = surface(heap, "x", "y", 0.008)
        axes[0].plot(x, top, ".-", label=name.replace("rolling_friction", "rolling friction"))
        flank = (top > 0.2 * top.max()) & (top < 0.85 * top.max())
        left, right = flank & (x < 0), flank & (x > 0)
        angles[name] = 0.5 * (slope(x[left], top[left]) - slope(x[right], top[right]))
    axes[0].set(xlabel="x, m", ylabel="surface, m", aspect="equal")
    legend_above(axes[0])
    axes[1].plot([float(name.split()[-1]) for name in angles], list(angles.values()), "o-")
    axes[1].set(xlabel="rolling friction", ylabel="angle of repose, degrees")
    names = sorted(angles, key=lambda name: float(name.split()[-1]))
    for name, low, high in zip(names, (14, 18, 24), (21, 28, 36)):
        check(f"angle of repose, {name}", angles[name], low, high, " degrees")
    for less, more in zip(names, names[1:]):
        check(f"{more} over {less}", angles[more] / angles[less], 1.05, 4)


def cohesive_collapse(runs, axes, check):
    """Columns after their collapse, with and without adhesion."""
    ends = {}
    for name, run in runs.items():
        first, last = run.grains(0), run.grains()
        width, height = (first["x"] + first["radius"]).max(), (first["y"] + first["radius"]).max()
        x, top = surface(last, "x", "y", 0.006)
        axes[0].plot(x, top, ".-", label=f"{name} N")
        # The foot: as far as nearly all grains come; a few roll on alone.
        ends[name] = (np.quantile(last["x"], 0.98) / width, top[0] / height)
        snapshots = [np.quantile(run.grains(k)["x"], 0.98) / width for k in range(len(run.snapshots()))]
        axes[1].plot(run.times(), snapshots, "o-", label=f"{name} N")
    aspect = height / width
    axes[0].set(xlabel="x, m", ylabel="surface at the end, m", aspect="equal")
    legend_above(axes[0])
    axes[1].set(xlabel="time, s", ylabel="how far it has come, over its width")
    axes[1].legend()
    wet, dry = ends["adhesion 0.02"], ends["adhesion 0"]
    print(f"  height over width at the start: {aspect:.2f}")
    # Columns of discs that do not stick, in the plane: 2.5 a below an aspect ratio of 2, 3.25 a^0.7 above (Staron and Hinch 2005).
    law = 2.5 * aspect if aspect < 2 else 3.25 * aspect**0.7
    check("run-out of dry grains, (end - width) / width, over that of Staron and Hinch", (dry[0] - 1) / law, 0.75, 1.25)
    check("run-out of sticky grains, over that of dry ones", (wet[0] - 1) / (dry[0] - 1), -0.2, 0.6)
    check("height of sticky grains at the wall, over that at the start", wet[1], 0.6, 1.05)


def drum_angle(run, axes, name):
    """Mean slope of the surface in the middle of a drum, over the second half of the run."""
    count = len(run.snapshots())
    angles = []
    for k in range(count // 2, count):
        x, top = surface(run.grains(k), "x", "y", 0.01)
        middle = np.abs(x) < 0.06
        angles.append(slope(x[middle], top[middle]))
    axes[0].plot(x, top, ".-", label=name)
    axes[1].plot(run.times()[count // 2 :], angles, "o-", label=name)
    return np.mean(angles), np.std(angles)


def wet_drum(runs, axes, check):
    """Slope of the surface in a drum, with and without water."""
    angles = {name: drum_angle(run, axes, name) for name, run in runs.items()}
    axes[0].set(xlabel="x, m", ylabel="surface at the end, m", aspect="equal")
    axes[0].legend()
    axes[1].set(xlabel="time, s", ylabel="slope in the middle, degrees")
    axes[1].legend()
    wet, dry = angles["wet"][0], angles["dry"][0]
    check("slope of dry grains", dry, 15, 32, " degrees")
    check("slope of wet grains", wet, 22, 60, " degrees")
    check("how much the slope of wet grains changes", angles["wet"][1], 0, 8, " degrees")
    check("wet over dry", wet / dry, 1.1, 3)


def vibrated_bed(runs, axes, check):
    """Height of the large disc among the small ones."""
    run = runs["vibrated-bed"]
    ranks, heights, tops = [], [], []
    for k in range(len(run.snapshots())):
        grains = run.grains(k)
        large = np.argmax(grains["radius"])
        small = np.delete(grains["y"], large)
        ranks.append((small < grains["y"][large]).mean())
        heights.append(grains["y"][large])
        tops.append(np.quantile(small, 0.95))
    times = run.times()
    axes[0].plot(times, heights, "o-", label="large disc")
    axes[0].plot(times, tops, label="95 % of small ones are lower")
    axes[0].set(xlabel="time, s", ylabel="height, m")
    axes[0].legend()
    axes[1].plot(times, ranks, "o-")
    axes[1].set(xlabel="time, s", ylabel="share of small discs below the large one")
    check("share of small discs below the large one at the start", ranks[0], 0, 0.15)
    check("the same where it is highest", np.max(ranks), 0.9, 1)


def oedometer(runs, axes, check):
    """Force and way of the lid."""
    walls = runs["oedometer"].table("walls.csv")
    area = 0.05**2
    grains = runs["oedometer"].grains()
    weight = 9.81 * grains["mass"].sum()
    axes[0].plot(walls["time"], walls["lid_fz"] / area, label="lid")
    axes[0].plot(walls["time"], -walls["box_z_lo_fz"] / area, label="floor")
    axes[0].axhline(4000, color="gray", linestyle="--", label="pressure of the servo")
    axes[0].set(xlabel="time, s", ylabel="pressure, Pa")
    axes[0].legend()
    axes[1].plot(walls["time"], 1e3 * walls["lid_z"])
    axes[1].set(xlabel="time, s", ylabel="shift of the lid, mm")
    late = walls["time"] > 0.9 * walls["time"][-1]
    check("pressure on the lid over 4 kPa", walls["lid_fz"][late].mean() / area / 4000, 0.99, 1.01)
    floor = -walls["box_z_lo_fz"][late].mean()
    check("force on the floor over that of the lid and the weight", floor / (4000 * area + weight), 0.99, 1.01)
    rest = np.ptp(walls["lid_z"][late]) / 0.08
    check("shift of the lid in the last tenth, over the height", rest, 0, 0.002)


def clump_hopper(runs, axes, check):
    """What has left, of clumps and of spheres with their volume."""
    rates = {}
    for name, run in runs.items():
        table = run.table("flows.csv")
        whole = table["outlet_mass"][-1] if table["outlet_mass"][-1] > 0 else 1
        axes[0].plot(table["time"], 1e3 * table["outlet_mass"], label=name)
        steady = (table["outlet_mass"] > 0.15 * whole) & (table["outlet_mass"] < 0.6 * whole)
        rates[name] = np.polyfit(table["time"][steady], table["outlet_mass"][steady], 1)[0]
        # The mean of seven rows, of which there are none beyond the ends.
        axes[1].plot(table["time"][3:-3], 1e3 * np.convolve(table["outlet_flow"], np.ones(7) / 7, "valid"), label=name)
    axes[0].set(xlabel="time, s", ylabel="mass that has left, g")
    axes[0].legend()
    axes[1].set(xlabel="time, s", ylabel="mass flow, g/s")
    axes[1].legend()
    # A slit: bulk density times slit times sqrt(g) (width - 1.4 d)^1.5, with a coefficient of about 1 (Beverloo's law for slits).
    width, depth, bulk = SLIT["width"], SLIT["depth"], 0.58 * 2500
    d = SLIT["diameter"]
    beverloo = 1.03 * bulk * depth * np.sqrt(9.81) * (width - 1.4 * d) ** 1.5
    for name, rate in rates.items():
        print(f"  {name}: {1e3 * rate:.1f} g/s")
    check("flow of spheres over Beverloo's law for slits", rates["spheres"] / beverloo, 0.7, 1.3)
    check("flow of clumps over that of spheres", rates["clumps"] / rates["spheres"], 0.4, 0.98)


SLIT = {"width": 0.016, "depth": 0.012, "diameter": 0.00356}


def screw(runs, axes, check):
    """Mass that leaves a screw, for two speeds."""
    per_turn = {}
    for name, run in runs.items():
        turns = float(name.split()[0])
        table = run.table("flows.csv")
        axes[0].plot(table["time"] * turns, 1e3 * table["outlet_mass"], label=name)
        steady = table["time"] * turns > 3.0
        per_turn[name] = np.polyfit(table["time"][steady] * turns, table["outlet_mass"][steady], 1)[0]
        walls = run.table("walls.csv")
        axes[1].plot(walls["time"] * turns, 1e9 * walls["screw_wear"], label=name)
    axes[0].set(xlabel="turns", ylabel="mass that has left, g")
    axes[0].legend()
    axes[1].set(xlabel="turns", ylabel="volume that the screw has lost, mm³")
    axes[1].legend()
    # A turn moves no more than what is in the trough along a pitch, filled up to its cover.
    most = (0.5 * np.pi * 0.04**2 + 0.08 * 0.056 - np.pi * 0.010**2) * 0.047 * 0.6 * 2500
    for name, mass in per_turn.items():
        print(f"  {name}: {1e3 * mass:.1f} g per turn of {1e3 * most:.0f} g at most")
    values = list(per_turn.values())
    check("mass of a turn over that of a full trough", values[0] / most, 0.15, 0.9)
    check("mass of a turn, fast over slow", values[-1] / values[0], 0.7, 1.15)
    deepest = max(run.table("energies.csv")["largest_overlap"].max() for run in runs.values())
    check("largest overlap over a radius", deepest, 0.0, 0.1)


def agglomerate(runs, axes, check):
    """Bonds that break against the speed of the impact, and where its energy goes."""
    speeds, shares = [], []
    for name, run in runs.items():
        table, walls = run.table("energies.csv"), run.table("walls.csv")
        speeds.append(float(name.split()[0]))
        shares.append(table["bonds_broken"][-1] / table["bonds"][0])
        # What is conserved: energy with what was taken, and momentum with the impulse of the wall.
        account = (table["total"] + table["dissipated"]) / table["total"][0]
        check(f"energy, and what was taken of it, over that at the start, {name}: least", account.min(), 0.99, 1.01)
        check(f"the same, {name}: most", account.max(), 0.99, 1.01)
        impulse = -np.trapezoid(walls["wall0_fz"], walls["time"])
        check(f"impulse of the wall over the change of momentum, {name}", impulse / (table["pz"][-1] - table["pz"][0]), 0.98, 1.02)
    axes[0].plot(speeds, shares, "o-")
    axes[0].set(xlabel="speed of the impact, m/s", ylabel="share of bonds that break", ylim=(0, None))
    energy, time = table["total"][0], 1e3 * table["time"]
    axes[1].plot(time, table["translational"] / energy, label="motion")
    axes[1].plot(time, table["rotational"] / energy, label="turning")
    axes[1].plot(time, table["elastic"] / energy, label="springs and bonds")
    axes[1].plot(time, table["dissipated"] / energy, label="taken")
    axes[1].plot(time, account, color="gray", label="all of it")
    axes[1].set(xlabel="time, ms", ylabel=f"share of the energy at {name}")
    axes[1].legend()
    check("share of bonds that break at 1 m/s", shares[0], 0, 0.01)
    check("the same at 6 m/s", shares[-1], 0.1, 1)
    check("least growth from speed to speed", np.diff(shares).min(), 0, 1)


def pull_off(runs, axes, check):
    """Pull between two spheres against their distance, and the largest one against the work of adhesion."""
    laws = {"jkr": (1.5, "o"), "dmt": (2.0, "s")}
    effective = 0.01 * 0.02 / 0.03
    for name, run in runs.items():
        law, work = name.split()[0], float(name.split()[1])
        gaps, pulls = [], []
        for k in range(len(run.snapshots())):
            grains = run.grains(k)
            order = np.argsort(grains["id"])
            gaps.append(np.diff(grains["x"][order])[0] - 0.03)
            pulls.append(grains["fx"][order][0])
        factor, mark = laws[law]
        if work == 0.1:
            axes[0].plot(1e6 * np.array(gaps), 1e3 * np.array(pulls), label=law)
        axes[1].plot(work, 1e3 * max(pulls), mark, color="C0" if law == "jkr" else "C1")
        check(f"largest pull over {factor} pi w R, {name}", max(pulls) / (factor * np.pi * work * effective), 0.99, 1.01)
    line = np.linspace(0, 0.2, 2)
    for law, (factor, _) in laws.items():
        axes[1].plot(line, 1e3 * factor * np.pi * line * effective, "-" if law == "jkr" else "--", color="gray", label=f"{factor:g} pi w R ({law})")
    axes[0].set(xlabel="gap, micrometres", ylabel="pull at w = 0.1, mN")
    axes[0].legend()
    axes[1].set(xlabel="work of adhesion w, J/m^2", ylabel="largest pull, mN")
    axes[1].legend()


def clump_impact(runs, axes, check):
    """Velocity and spin of a clump after it met the floor with one end, against the angle."""
    radius, density, stiffness, damping, speed = 0.01, 2500, 1e7, 50.0, 1.0
    mass = 2 * density * 4 / 3 * np.pi * radius**3
    inertia = mass * (0.4 + 1) * radius**2

    def law(angle):
        arm = radius * np.cos(angle)
        at_point = 1 / (1 / mass + arm**2 / inertia)
        pulse = np.sqrt(stiffness / at_point - (0.5 * damping / at_point) ** 2)
        impulse = (1 + np.exp(-0.5 * damping / at_point * np.pi / pulse)) * speed * at_point
        return impulse / mass - speed, arm * impulse / inertia

    line = np.radians(np.linspace(10, 85, 100))
    velocity, spin = law(line)
    axes[0].plot(np.degrees(line), velocity, color="gray", label="rigid body")
    axes[1].plot(np.degrees(line), spin, color="gray", label="rigid body")
    for name, run in runs.items():
        angle = np.radians(float(name.split()[0]))
        grains = run.grains()
        found = grains["vz"].mean(), np.abs(grains["omegay"][0])
        axes[0].plot(np.degrees(angle), found[0], "o", color="C0")
        axes[1].plot(np.degrees(angle), found[1], "o", color="C0")
        wanted = law(angle)
        check(f"velocity after the impact over that of a rigid body, by the speed before, {name}", 1 + (found[0] - wanted[0]) / speed, 0.99, 1.01)
        check(f"spin over that of a rigid body, {name}", found[1] / wanted[1], 0.99, 1.01)
    axes[0].set(xlabel="angle to the floor, degrees", ylabel="velocity after the impact, m/s")
    axes[1].set(xlabel="angle to the floor, degrees", ylabel="spin after the impact, 1/s")
    axes[0].legend()
    axes[1].legend()


def leaning(degrees):
    """The change that lets the clump of the scene lean by this angle."""
    x, z = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return f"[[-0.8, 0.0, -0.6, 1.0], [0.8, 0.0, 0.6, 1.0]] -> [[{-x:.12f}, 0.0, {-z:.12f}, 1.0], [{x:.12f}, 0.0, {z:.12f}, 1.0]]"


KINDS = {
    "simple-shear": (simple_shear, {"simple-shear": []}),
    "triaxial": (triaxial, {"triaxial": []}),
    "polygon-shear": (polygon_shear, {"polygon-shear": [], "round": ["corners = [4, 8] -> corners = [24, 24]\nregular = true"]}),
    "repose-rolling": (
        repose_rolling,
        {f"rolling_friction {value}": [f"rolling_friction = 0.4 -> rolling_friction = {value}"] for value in (0.0, 0.1, 0.4)},
    ),
    "cohesive-collapse": (
        cohesive_collapse,
        {f"adhesion {value}": [f"adhesion = 0.02 -> adhesion = {value}"] for value in ("0.02", "0")},
    ),
    "agglomerate": (
        agglomerate,
        {
            f"{speed} m/s": [
                f"velocity = [0.0, 0.0, -6.0] -> velocity = [0.0, 0.0, -{speed}]",
                "table_every = 0.00005 -> table_every = 0.00001",
                "picture = true -> page = false",
            ]
            for speed in (1.0, 2.0, 3.0, 4.5, 6.0)
        },
    ),
    "pull-off": (
        pull_off,
        {
            f"{law} {work}": [f'cohesion = "jkr" -> cohesion = "{law}"', f"adhesion_energy = 0.1 -> adhesion_energy = {work}"]
            for law in ("jkr", "dmt")
            for work in (0.05, 0.1, 0.2)
        },
    ),
    "clump-impact": (clump_impact, {f"{degrees} degrees": [leaning(degrees)] for degrees in (20, 35, 50, 65, 80)}),
    "wet-drum": (wet_drum, {"wet": [], "dry": ["surface_tension = 0.072 -> surface_tension = 1e-9"]}),
    "vibrated-bed": (vibrated_bed, {"vibrated-bed": []}),
    "oedometer": (oedometer, {"oedometer": []}),
    "clump-hopper": (clump_hopper, {"clumps": [], "spheres": [
        "[[0.0, 0.0, 0.0, 1.0], [1.3, 0.0, 0.0, 0.9], [0.5, 1.1, 0.0, 0.8]] -> [[0.0, 0.0, 0.0, 1.0]]",
        "radius = 0.0024 -> radius = 0.00178",
    ]}),
    "screw": (screw, {"2 turns per second": [], "3 turns per second": [
        "duration = 2.4 -> duration = 1.6",
        "spin = [-12.566370614359172, -> spin = [-18.84955592153876,",
    ]}),
}


# What the pictures are called.
TITLES = {
    "simple-shear": "Discs in simple shear at constant pressure",
    "triaxial": "Triaxial test of 1,000 spheres, the sides kept at 10 kPa",
    "polygon-shear": "Polygons in simple shear: 4 to 8 corners, and regular ones of 24 (round)",
    "repose-rolling": "Heaps of 600 discs for several resistances to rolling",
    "cohesive-collapse": "Collapse of a column of 380 discs, with and without adhesion",
    "wet-drum": "Discs in a turning drum, with and without liquid bridges",
    "vibrated-bed": "A large disc in a shaken bed of small ones",
    "oedometer": "Spheres under a lid that a servo presses with 4 kPa",
    "clump-hopper": "Clumps, and spheres of the same volume, run out of a hopper",
    "screw": "Spheres in a screw conveyor, for two speeds",
    "agglomerate": "Agglomerates of bonded spheres that hit a plate",
    "pull-off": "Two spheres torn apart, with JKR and with DMT",
    "clump-impact": "A clump of two spheres that hits a plane, and a rigid body",
}

# Scenes with wide and flat pictures: one above the other.
FLAT = {"repose-rolling", "cohesive-collapse"}


def measure(kind, program, folder):
    """Runs what is missing, draws, checks."""
    draw, variants = KINDS[kind]
    print(kind)
    runs = {}
    for number, (name, changes) in enumerate(variants.items()):
        run = folder / f"{kind}-{number}"
        if not (run / "done").exists():
            scene = HERE / f"{kind}.toml"
            text = scene.read_text().replace('"parts/', f'"{HERE.resolve()}/parts/')
            for old, new in (change.split(" -> ") for change in changes):
                assert old in text, f"{scene} has no {old}"
                text = text.replace(old, new)
            scene = folder / f"{kind}-{number}.toml"
            scene.write_text(text)
            subprocess.run([program, "simulate", str(scene), "-o", str(run), "--overwrite"], check=True)
            (run / "done").touch()
        runs[name] = Run(run)
    if kind in FLAT:
        figure, axes = plt.subplots(2, 1, figsize=(8, 6), height_ratios=[1, 1.4], layout="constrained")
    else:
        figure, axes = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    check = Checks()
    draw(runs, axes, check)
    figure.suptitle(TITLES[kind])
    figure.savefig(folder / f"{kind}.png", dpi=110)
    return check.all_good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=[*KINDS, "all"])
    parser.add_argument("--program", default="multigrain")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("curves"))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    kinds = KINDS if given.kind == "all" else [given.kind]
    sys.exit(0 if all([measure(kind, given.program, given.folder) for kind in kinds]) else 1)


main()
