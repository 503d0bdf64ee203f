"""ASE's neighbour lists by multigrain. Tests: ``ase/test/neighbor`` of the installed package.

What the adapter converts: scaled positions; ``S`` from int32 to int; half lists to the classes' lists by atom.
"""

import os

import ase
import ase.neighborlist
import numpy as np
from counting import mg

DEFAULT_TESTS = os.path.join(os.path.dirname(ase.__file__), "test", "neighbor")
CONVENTIONS = {}


def as_ase(quantities, found):
    arrays = [found] if len(quantities) == 1 else found
    arrays = [array.astype(int) if name == "S" else array for name, array in zip(quantities, arrays)]
    return arrays[0] if len(arrays) == 1 else tuple(arrays)


def neighbor_list(quantities, a, cutoff, self_interaction=False, max_nbins=1e6):
    return as_ase(quantities, mg.neighbor_list(quantities, a, cutoff, self_interaction))


def primitive_neighbor_list(
    quantities, pbc, cell, positions, cutoff, numbers=None, self_interaction=False, use_scaled_positions=False, max_nbins=1e6
):
    if use_scaled_positions:
        positions = positions @ np.asarray(cell)
    found = mg.neighbor_list(
        quantities, positions, np.asarray(cell), pbc, cutoff=cutoff, numbers=numbers, self_interaction=self_interaction
    )
    return as_ase(quantities, found)


def build(self, pbc, cell, coordinates):
    self.pbc, self.cell, self.coordinates = np.array(pbc), np.array(cell), np.array(coordinates)
    positions = self.coordinates @ self.cell if self.use_scaled_positions else self.coordinates
    self.nupdates += 1
    i, j, offsets = mg.neighbor_list(
        "ijS", positions, self.cell, pbc, self.cutoffs, full=self.bothways, self_interaction=self.self_interaction
    )
    rows = np.searchsorted(i, np.arange(1, len(positions)))
    self.neighbors, self.displacements = np.split(j, rows), np.split(offsets.astype(int), rows)


def install():
    ase.neighborlist.neighbor_list = neighbor_list
    ase.neighborlist.primitive_neighbor_list = primitive_neighbor_list
    ase.neighborlist.PrimitiveNeighborList.build = build
