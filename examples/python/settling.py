"""Grains of many sizes fall into a box, settle, and lean on each other: forces between them as lines.

    python settling.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

import multigrain as mg

rng = np.random.default_rng(3)
columns, rows = 12, 20
radii = rng.choice([0.012, 0.02, 0.035], columns * rows, p=[0.5, 0.35, 0.15])
places = np.array([[0.045 + 0.083 * (k % columns), 0.05 + 0.083 * (k // columns)] for k in range(columns * rows)])
glass = mg.dem.Material(2500, stiffness=5e5, restitution=0.4, friction=0.5)
walls = [mg.dem.Wall.inside_box([0, 0], [1, 3])]
sim = mg.dem.Simulation(places, radii, glass, velocities=rng.normal(0, 0.3, places.shape), walls=walls, gravity=[0, -9.81])

times, motion = [], []


def watch(sim):
    energies = sim.energies()
    times.append(sim.time)
    motion.append(energies["translational"] + energies["rotational"])


sim.run(int(1.2 / sim.time_step), watch, every=200)
contacts = sim.contacts()
centers = sim.positions()
print(f"{sim}: {len(contacts['ids'])} contacts, {motion[-1]:.2g} J of motion left")

fig, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained", width_ratios=[1.6, 1])
mg.plot.system(centers, sim.radii, ax=left, cmap="Greys")
i, j = contacts["ids"].T
strength = np.linalg.norm(contacts["forces"], axis=1)
lines = LineCollection(list(np.stack([centers[i], centers[j]], axis=1)), colors="crimson",
                       linewidths=4 * strength / strength.max(), zorder=3)
left.add_collection(lines)
left.plot([0, 0, 1, 1], [centers[:, 1].max() + 0.1, 0, 0, centers[:, 1].max() + 0.1], color="black")
left.set_ylim(-0.02, centers[:, 1].max() + 0.1)
left.set_title("forces between grains that come to rest")
right.semilogy(times, motion, color="#31688e")
right.set_xlabel("time in s")
right.set_ylabel("energy of motion in J")
right.set_title("falling, impacts, rest")
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "settling.png", dpi=110)
