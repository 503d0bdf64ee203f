"""How much work each method does as sizes spread, and where the hierarchical grid puts its levels.

    python work_of_methods.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import multigrain as mg

grains = mg.pack(law="power", exponent=-3, ratio=30, count=15_000, packing_fraction=0.6, seed=1)

fig, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
mg.plot.work(grains, ax=left)
left.set_title(f"{len(grains)} spheres, radii 1 to 30")

# The papers' model predicts the work of hgrid-cells for any levels: one level is the linked cell.
ratios = np.geomspace(1.5, 1000, 25)
tuned = [mg.tune(law="power", exponent=-3, ratio=ratio, packing_fraction=0.6) for ratio in ratios]
right.loglog(ratios, [tuning.linked_cell_work for tuning in tuned], color="#440154", label="one level (linked cell)")
right.loglog(ratios, [tuning.work for tuning in tuned], color="#21918c", label="optimal levels")
for ratio, tuning in list(zip(ratios, tuned))[3::6]:
    right.annotate(f"{tuning.levels}", (ratio, tuning.work), textcoords="offset points", xytext=(0, 6), ha="center")
right.set_xlabel("largest radius over smallest")
right.set_ylabel("predicted work per particle")
right.set_title("levels keep the work flat (their number beside the line)")
right.legend()
picture = sys.argv[1] if len(sys.argv) > 1 else "work_of_methods.png"
plt.savefig(picture, dpi=110)
print(f"picture written to {picture}")
