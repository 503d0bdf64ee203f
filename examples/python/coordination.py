"""Who touches how many: coordination numbers by size, and clusters of touching grains.

    python coordination.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

import multigrain as mg

fractions = np.linspace(0.05, 0.6, 12)
largest = []
for fraction in fractions:
    grains = mg.pack(law="uniform", ratio=10, count=20_000, packing_fraction=fraction, periodic="xyz", seed=2)
    table = grains.find_pairs().neighbor_table()
    graph = csr_array((np.ones(len(table.indices)), table.indices, table.offsets), shape=(len(grains), len(grains)))
    _, cluster = connected_components(graph, directed=False)
    largest.append(np.bincount(cluster).max() / len(grains))

fig, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
mean = [table.counts[(lo <= grains.radii) & (grains.radii < lo + 1)].mean() for lo in range(1, 10)]
jitter = np.random.default_rng(1).uniform(-0.35, 0.35, len(grains))
left.scatter(grains.radii, table.counts + jitter, s=2, c=grains.radii, cmap="viridis", alpha=0.4)
left.plot(np.arange(1, 10) + 0.5, mean, "o-", color="crimson", label="mean")
left.yaxis.get_major_locator().set_params(integer=True)
left.legend()
left.set_xlabel("radius")
left.set_ylabel("contacts")
left.set_title(f"packing fraction {fraction:.2f}: {table.counts.mean():.2f} contacts in the mean")
right.plot(fractions, largest, "o-", color="#31688e")
right.set_xlabel("packing fraction")
right.set_ylabel("share of grains in the largest cluster")
right.set_title("clusters of overlapping spheres grow together")
picture = sys.argv[1] if len(sys.argv) > 1 else "coordination.png"
plt.savefig(picture, dpi=110)
print(f"picture written to {picture}")
