"""scipy's ``KDTree`` and ``cKDTree`` by multigrain, in two and three dimensions. Tests: ``test_kdtree.py`` of the installed
package.

What the adapter converts: any shape of points; k as a list; a missing neighbour is n, not -1; distances up to and including r
(multigrain: below); each body once (``images=False``), though it may touch by several images. Answers are exact where
eps would allow others.
"""

import os

import numpy as np
import scipy.sparse
import scipy.spatial
from counting import mg, not_concerned

DEFAULT_TESTS = os.path.join(os.path.dirname(scipy.spatial.__file__), "tests", "test_kdtree.py")
CONVENTIONS = {
    "test_query_pairs_eps*": "answers are exact: eps, which may add pairs, is not looked at",
    "test_kdtree_box_upper_bounds*": "bodies outside the box are brought into it, not refused",
    "*test_query_raises_for_k_none": "an argument that is no number is a TypeError",
}


def closed(r):
    """The least reach that holds distances up to and including r."""
    return np.maximum(np.nextafter(np.asarray(r, dtype=float), np.inf), 1e-150)


class KDTree:
    """Stands for scipy's."""

    def __init__(self, data, leafsize=10, compact_nodes=True, copy_data=False, balanced_tree=True, boxsize=None):
        self.data = np.asarray(data)
        if self.data.ndim != 2 or self.data.shape[1] not in (2, 3):
            not_concerned("other dimensions than 2 and 3")
        self.n, self.m = self.data.shape
        self.domain = None
        if boxsize is not None and np.any(boxsize):
            lengths = np.broadcast_to(np.asarray(boxsize, dtype=float), self.m)
            self.domain = mg.Domain(np.zeros(self.m), np.where(lengths > 0, lengths, 1.0), periodic=list(lengths > 0))
        self.bodies = mg.Queries(self.data, domain=self.domain)

    def __getattr__(self, name):
        if name in ("tree", "size", "leafsize", "_build_weights"):
            not_concerned("the nodes of a tree")
        raise AttributeError(name)

    def query(self, x, k=1, eps=0, p=2, distance_upper_bound=np.inf, workers=1):
        euclidean(p)
        x, wanted = np.asarray(x), np.atleast_1d(k)
        distances, found = self.bodies.nearest(
            x.reshape(-1, self.m), int(wanted.max()), max_distance=distance_upper_bound, images=False
        )
        found = np.where(found < 0, self.n, found)
        if np.ndim(k):
            distances, found = distances[:, wanted - 1], found[:, wanted - 1]
        shape = x.shape[:-1] if np.ndim(k) == 0 and k == 1 else x.shape[:-1] + distances.shape[1:]
        distances, found = distances.reshape(shape), found.reshape(shape)
        return (distances, found) if shape else (float(distances), self.index(found))

    @staticmethod
    def index(found):
        return found[()]

    def query_ball_point(self, x, r, p=2.0, eps=0, workers=1, return_sorted=None, return_length=False):
        euclidean(p)
        x = np.asarray(x)
        radii = np.broadcast_to(closed(r), x.shape[:-1]).ravel()
        offsets, found, _ = self.bodies.touching(x.reshape(-1, self.m), radii)
        rows = np.empty(len(radii), dtype=object)
        rows[:] = [np.unique(row).tolist() for row in np.split(found, offsets[1:-1])] if len(radii) else []
        if return_length:
            rows = np.array([len(row) for row in rows], dtype=int)
        return rows.reshape(x.shape[:-1])[()]

    def query_ball_tree(self, other, r, p=2.0, eps=0):
        return list(other.query_ball_point(self.data, r, p))

    def query_pairs(self, r, p=2.0, eps=0, output_type="set"):
        euclidean(p)
        pairs = np.unique(mg.find_pairs(self.data, closed(r) / 2, domain=self.domain).array.astype(np.intp), axis=0)
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
        return pairs if output_type == "ndarray" else {(int(i), int(j)) for i, j in pairs}

    def between(self, other, r):
        """Pairs of the two trees by their nearest images, and their distances."""
        pairs = mg.find_pairs_between(self.data, float(closed(r)), other.data, 0.0, domain=self.domain)
        order = np.lexsort((pairs.distances, pairs.j, pairs.i))
        i, j, distances = pairs.i[order], pairs.j[order], pairs.distances[order]
        first = np.ones(len(i), dtype=bool)
        first[1:] = (np.diff(i) != 0) | (np.diff(j) != 0)
        return i[first], j[first], distances[first]

    def count_neighbors(self, other, r, p=2.0, weights=None, cumulative=True):
        euclidean(p)
        if weights is not None:
            not_concerned("weighted counts")
        r = np.asarray(r, dtype=float)
        distances = self.between(other, r.max(initial=0.0))[2]
        counts = np.array([np.count_nonzero(distances <= one) for one in r.ravel()], dtype=np.intp).reshape(r.shape)
        return counts[()] if cumulative else np.diff(counts, prepend=0)

    def sparse_distance_matrix(self, other, max_distance, p=2.0, output_type="dok_matrix"):
        euclidean(p)
        i, j, distances = self.between(other, max_distance)
        if output_type == "dict":
            return dict(zip(zip(i.tolist(), j.tolist()), distances.tolist()))
        if output_type == "ndarray":
            entries = np.empty(len(i), dtype=np.dtype([("i", np.intp), ("j", np.intp), ("v", np.float64)], align=True))
            entries["i"], entries["j"], entries["v"] = i, j, distances
            return entries
        matrix = scipy.sparse.coo_matrix((distances, (i, j)), shape=(self.n, other.n))
        return matrix if output_type == "coo_matrix" else matrix.todok()


class cKDTree(KDTree):
    """Stands for scipy's."""

    @staticmethod
    def index(found):
        return int(found)


def euclidean(p):
    if p != 2:
        not_concerned("other distances than Euclid's")


def install():
    # Nodes are not looked at.
    for name in ("node", "innernode", "leafnode"):
        setattr(KDTree, name, getattr(scipy.spatial.KDTree, name))
    scipy.spatial.KDTree, scipy.spatial.cKDTree = KDTree, cKDTree
