"""Discs of every size in a periodic box, and every contact between them.

    python contacts_of_discs.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import multigrain as mg

# Sizes 1 to 20, as much area in small ones as in large ones, at random: they overlap.
grains = mg.pack(law="power", exponent=-3, ratio=20, count=600, packing_fraction=0.55, dimension=2, periodic="xy", seed=4)
pairs = grains.find_pairs()

across = np.any(pairs.shifts != 0, axis=1)
print(f"{len(pairs)} contacts of {len(grains)} grains, {across.sum()} of them across the borders of the box")
print(f"deepest overlap: {pairs.overlaps.max():.3f}")

ax = mg.plot.system(grains, pairs=pairs)
ax.set_title(f"{len(grains)} discs, {len(pairs)} contacts")
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "contacts_of_discs.png", dpi=110)
