"""vesin's ``NeighborList`` and ``ase_neighbor_list`` by multigrain. Tests: ``test_numpy.py`` of its sources, with
``_utils.py`` and ``data`` beside it.

What the adapter converts: indices to uint64; float32 positions to ``dtype="float32"``; lists with a skin, which come from
``Detector(skin=...)`` and are halves, to both directions.
"""

import numpy as np
import vesin
from counting import mg, not_concerned

DEFAULT_TESTS = None
CONVENTIONS = {
    "test_errors": "errors are ValueError with words of multigrain's own, and cut-offs of 0 or 1e-12 are no error: nothing is nearer",
    "test_cpu_brute_force_error": "brute force is a method as any other here, and not refused",
}


class NeighborList:
    def __init__(self, *, cutoff, full_list, sorted=False, algorithm="auto", skin=0.0, n_threads=0):
        if n_threads != 0:
            not_concerned("the number of threads is set for all calls, by set_threads")
        self.cutoff, self.full, self.sorted = cutoff, full_list, sorted
        self.detector = mg.Detector(skin=skin) if skin else None

    def compute(self, points, box, periodic, quantities="ij", copy=True):
        points = np.asarray(points)
        periodic = np.broadcast_to(periodic, 3)
        if self.detector is None:
            narrow = {"dtype": "float32"} if points.dtype == np.float32 else {}
            found = mg.neighbor_list(
                quantities, points, box, periodic, cutoff=self.cutoff, full=self.full, sorted=self.sorted, **narrow
            )
            columns = [found] if len(quantities) == 1 else found
        else:
            columns = self.from_kept_list(points, np.asarray(box, dtype=float), periodic, quantities)
        whole = [column.astype(np.uint64) if name in "ijP" else column for name, column in zip(quantities, columns)]
        return tuple(whole)

    def from_kept_list(self, points, box, periodic, quantities):
        domain = mg.Domain.from_cell(box, periodic=periodic) if any(periodic) else None
        pairs = self.detector.find_pairs(points, self.cutoff / 2, domain=domain)
        columns = {"i": pairs.i, "j": pairs.j, "S": pairs.shifts, "d": pairs.distances, "D": pairs.vectors}
        if self.full:
            other = {**columns, "i": pairs.j, "j": pairs.i, "S": -pairs.shifts, "D": -pairs.vectors}
            columns = {name: np.concatenate([columns[name], other[name]]) for name in columns}
        columns["P"] = np.column_stack([columns["i"], columns["j"]])
        return [columns[name] for name in quantities]


def ase_neighbor_list(quantities, a, cutoff, self_interaction=False, max_nbins=0):
    return mg.neighbor_list(quantities, a, cutoff, self_interaction)


def install():
    vesin.NeighborList = NeighborList
    vesin.ase_neighbor_list = ase_neighbor_list
