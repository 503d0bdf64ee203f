"""Curves of scenes whose boxes deform, from the tables of their runs.

    multigrain simulate scenes/simple-shear.toml -o shear
    python scenes/curves.py simple-shear shear/energies.csv shear.png

Kinds: simple-shear, triaxial, polygon-shear.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np


def simple_shear(table, axes):
    """Friction of steady flow against the inertial number, from the second half of each rate."""
    rate = np.gradient(table["strain_xy"], table["time"])
    numbers, points, solid = [], [], []
    volume = 700 * np.pi * 0.25 * 1.02  # of all discs, nearly: the fraction is for the eye
    for wanted in (0.3, 0.1, 0.03, 0.01):
        steady = np.flatnonzero(np.abs(rate / wanted - 1) < 0.02)
        steady = steady[len(steady) // 2 :]
        ratio = -table["stress_xy"][steady] / table["stress_yy"][steady]
        numbers.append(wanted / np.sqrt(table["stress_yy"][steady].mean()))
        points.append((ratio.mean(), ratio.std() / np.sqrt(max(1, len(ratio) / 10))))
        solid.append(volume / table["volume"][steady].mean())
    points = np.array(points)
    print("I, mu:", [(round(i, 4), round(mu, 3)) for i, mu in zip(numbers, points[:, 0])])
    axes[0].errorbar(numbers, points[:, 0], points[:, 1], fmt="o", label="this run")
    line = np.linspace(0, 0.3, 50)
    axes[0].plot(line, 0.26 + 1.1 * np.minimum(line, 0.2), color="gray", label="0.26 + 1.1 I, da Cruz and others 2005")
    axes[0].set(xlabel="inertial number I", ylabel="shear stress over pressure")
    axes[0].legend()
    axes[1].plot(numbers, solid, "o-")
    axes[1].set(xlabel="inertial number I", ylabel="packing fraction")


def triaxial(table, axes):
    """Ratio of stresses and volume against the strain along z since the sides are held."""
    side = 0.5 * (table["stress_xx"] + table["stress_yy"])
    start = np.searchsorted(table["time"], 0.15)
    strain = -(table["strain_zz"] - table["strain_zz"][start])[start:]
    ratio = (table["stress_zz"] / side)[start:]
    friction = (ratio - 1) / (ratio + 1)
    print("side:", side[start:].mean(), "+-", side[start:].std(), "peak angle:", np.degrees(np.arcsin(friction.max())),
          "steady angle:", np.degrees(np.arcsin(friction[strain > 0.25].mean())))
    axes[0].plot(strain, ratio)
    axes[0].set(xlabel="strain along z", ylabel="stress along z over that of the sides")
    axes[1].plot(strain, np.log(table["volume"][start:] / table["volume"][start]))
    axes[1].set(xlabel="strain along z", ylabel="change of volume")


def polygon_shear(table, axes):
    """Friction and volume against shear."""
    sheared = table["strain_xy"] > 0
    strain = table["strain_xy"][sheared]
    ratio = (-table["stress_xy"] / table["stress_yy"])[sheared]
    print("mean ratio beyond a strain of 1:", ratio[strain > 1].mean())
    axes[0].plot(strain, ratio)
    axes[0].set(xlabel="strain", ylabel="shear stress over pressure")
    axes[1].plot(strain, table["volume"][sheared] / table["volume"][sheared][0])
    axes[1].set(xlabel="strain", ylabel="area over that at the start")


kind, path, picture = sys.argv[1:]
figure, both = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
{"simple-shear": simple_shear, "triaxial": triaxial, "polygon-shear": polygon_shear}[kind](
    np.genfromtxt(path, delimiter=",", names=True), both
)
plt.savefig(picture, dpi=110)
