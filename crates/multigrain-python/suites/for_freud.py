"""freud's neighbour queries by multigrain. Tests: ``test_locality_neighbor_query.py`` and ``test_locality_neighbor_list.py``
of its sources, with ``util.py`` and ``conftest.py`` beside them.

What the adapter converts: freud's box, whose middle is the origin, to a ``Domain``; pairs of equal numbers and what is nearer
than ``r_min`` are left out of the answers; each body counts once (``images=False``). Checks of points, boxes and plots are
freud's own code.
"""

import freud
import numpy as np
from counting import mg

DEFAULT_TESTS = None
CONVENTIONS = {
    "*test_too_large_r_max_raises": "every image counts, so a reach beyond half the box is no error",
    "*test_invalid_r_max_r_min_bounds": "a reach of 0 or below r_min is no error: nothing is found",
    "*test_query_invalid": "there are two calls, touching and nearest, so no mode to be at odds with arguments",
}


class Result:
    """Answers to a question, as freud's NeighborQueryResult."""

    def __init__(self, nq, query_points, *, mode=None, r_max=None, r_min=0.0, num_neighbors=None, exclude_ii=False, r_guess=None, scale=None):
        axes = 2 if nq.box.is2D else 3
        points = np.asarray(query_points, dtype=np.float64)[:, :axes]
        edges = nq.box.to_matrix().T[:axes, :axes]
        domain = mg.Domain.from_cell(edges, origin=-edges.sum(axis=0) / 2, periodic=list(nq.box.periodic)[:axes])
        bodies = mg.Queries(np.asarray(nq.points, dtype=np.float64)[:, :axes], domain=domain)
        if num_neighbors is not None:
            # With itself left out, one more.
            k = num_neighbors + exclude_ii
            distances, found, shifts = bodies.nearest(points, k, max_distance=r_max, images=False, return_shifts=True)
            i = np.repeat(np.arange(len(points)), k)
            j, shifts = found.ravel(), shifts.reshape(-1, axes)
            there = j >= 0
            if exclude_ii:
                is_other = (there & (i != j)).reshape(-1, k)
                there = (is_other & (np.cumsum(is_other, axis=1) <= num_neighbors)).ravel()
            i, j, shifts = i[there], j[there], shifts[there]
        else:
            offsets, j, shifts = bodies.touching(points, r_max)
            i = np.repeat(np.arange(len(points)), np.diff(offsets))
        places = np.asarray(nq.points, dtype=np.float64)[:, :axes]
        vectors = places[j] + shifts @ edges - points[i]
        distances = np.linalg.norm(vectors, axis=1)
        kept = (distances >= r_min) & ~(exclude_ii & (i == j))
        self.i, self.j, self.distances = i[kept], j[kept], distances[kept]
        self.vectors = np.pad(vectors[kept], ((0, 0), (0, 3 - axes)))
        self.counts = len(query_points), len(nq.points)

    def __iter__(self):
        return zip(self.i.tolist(), self.j.tolist(), self.distances.tolist())

    def toNeighborList(self, sort_by_distance=False):
        return freud.locality.NeighborList.from_arrays(*self.counts, self.i, self.j, self.vectors).sort(sort_by_distance)


def query(self, query_points, query_args):
    points = freud.util._convert_array(np.atleast_2d(query_points), shape=(None, 3))
    return Result(self, points, **query_args)


def install():
    freud.locality.NeighborQuery.query = query
