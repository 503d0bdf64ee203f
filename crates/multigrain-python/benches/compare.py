"""Overhead of the call from Python, and time against scipy, freud, vesin and matscipy, all in one process.

    pip install '.[bench]'
    python crates/multigrain-python/benches/compare.py [--count 1000000] [--rounds 11] [--threads 0] [--no-freud] [sets ...]
    python crates/multigrain-python/benches/compare.py --lists [--threads 1] [--clock wall] [--max-entries 1e8] [--seconds 1]
        [--neighbors 10 50 200 1000] [--patience 5]

The second form is for neighbour lists with one cutoff for all: see neighbor_lists.py. The first is for spheres of any sizes.

The sets are those of the Rust benches: spheres at random in a cube, unsorted, to the list of all touching pairs. scipy and
freud know one cutoff only, so each gets a tree per size class, in which spheres look for those of their own and of smaller
classes, then a filter by the sum of radii; of two ways to do that with scipy the faster counts. Everything must find the
same pairs. (freud's cell list takes tens of seconds on these sets and is left out.)
"""

import argparse
import itertools
import statistics
import time

import neighbor_lists
import numpy as np

import multigrain as mg
from multigrain import _core

SETS = {
    "mono": dict(law="mono", packing_fraction=0.6),
    "us50": dict(law="power", exponent=0, ratio=50, packing_fraction=0.62),
    "bi10": dict(law="bidisperse", ratio=10, packing_fraction=0.62),
    "uv50": dict(law="power", exponent=-3, ratio=50, packing_fraction=0.62),
    "uv100": dict(law="power", exponent=-3, ratio=100, packing_fraction=0.7),
    "uv1000": dict(law="power", exponent=-3, ratio=1000, packing_fraction=0.7),
}


def size_classes(radii, factor):
    """Indices of the bodies of each class of sizes, finest first: largest over smallest in a class is below the factor."""
    number = np.floor(np.log(radii / radii.min()) / np.log(factor)).astype(int)
    return [np.flatnonzero(number == k) for k in np.unique(number)]


def by_size_class(centers, radii, find_own, find_finer, make, factor=2.0):
    """Candidates of all classes from the searches of a library, then the filter by the sum of radii."""
    found = []
    trees = [(bodies, make(bodies)) for bodies in size_classes(radii, factor)]
    for k, (bodies, tree) in enumerate(trees):
        i, j = find_own(bodies, tree, 2 * radii[bodies].max())
        found.append(np.column_stack([bodies[i], bodies[j]]))
        for smaller, finer in trees[:k]:
            i, j = find_finer(bodies, tree, finer, radii[smaller].max())
            found.append(np.column_stack([bodies[i], smaller[j]]))
    return touching(centers, radii, np.concatenate(found))


def scipy_balls(centers, radii, workers):
    """scipy: each body asks the finer trees with its own radius."""
    from scipy.spatial import cKDTree

    def find_finer(bodies, tree, finer, largest):
        near = finer.query_ball_point(centers[bodies], radii[bodies] + largest, workers=workers, return_sorted=False)
        lengths = np.fromiter(map(len, near), np.intp, len(near))
        partners = np.fromiter(itertools.chain.from_iterable(near), np.intp, lengths.sum())
        return np.repeat(np.arange(len(bodies)), lengths), partners

    return by_size_class(centers, radii, lambda _, tree, reach: tree.query_pairs(reach, output_type="ndarray").T,
                         find_finer, lambda bodies: cKDTree(centers[bodies]))


def scipy_trees(centers, radii, workers):
    """scipy: tree against tree, with the largest radius of each class."""
    from scipy.spatial import cKDTree

    def find_finer(bodies, tree, finer, largest):
        near = tree.sparse_distance_matrix(finer, radii[bodies].max() + largest, output_type="ndarray")
        return near["i"], near["j"]

    return by_size_class(centers, radii, lambda _, tree, reach: tree.query_pairs(reach, output_type="ndarray").T,
                         find_finer, lambda bodies: cKDTree(centers[bodies]))


def freud_trees(centers, radii, workers):
    """freud: a tree for each class. It knows periodic boxes only: one in which no image is in reach."""
    import freud

    lo, hi = centers.min(axis=0), centers.max(axis=0)
    box = freud.box.Box.cube(float((hi - lo).max() + 4.2 * radii.max()))
    points = (centers - (lo + hi) / 2).astype(np.float32)
    slack = 1e-6 * box.Lx

    def find_own(bodies, tree, reach):
        wish = {"mode": "ball", "r_max": reach + slack, "exclude_ii": True}
        near = tree.query(points[bodies], wish).toNeighborList()
        i, j = near.query_point_indices, near.point_indices
        return i[i < j], j[i < j]

    def find_finer(bodies, tree, finer, largest):
        wish = {"mode": "ball", "r_max": radii[bodies].max() + largest + slack}
        near = finer.query(points[bodies], wish).toNeighborList()
        return near.query_point_indices, near.point_indices

    return by_size_class(centers, radii, find_own, find_finer,
                         lambda bodies: freud.locality.AABBQuery(box, points[bodies]))


def peers(arguments):
    """Ways to use each library: the fastest counts."""
    found = {}
    if not arguments.no_scipy:
        found["scipy"] = [scipy_balls, scipy_trees]
    if not arguments.no_freud:
        import freud

        freud.parallel.set_num_threads(arguments.threads or None)
        found["freud"] = [freud_trees]
    return found


def touching(centers, radii, pairs):
    """Those of the candidates that touch."""
    i, j = pairs.T
    gap = centers[j] - centers[i]
    reach = radii[i] + radii[j]
    return pairs[np.einsum("ij,ij->i", gap, gap) < reach * reach]


def fingerprint(pairs):
    """The same for the same set of pairs in any order."""
    i, j = np.sort(np.asarray(pairs, dtype=np.uint64), axis=1).T
    keys = (i << np.uint64(32)) | j
    return len(keys), int(np.bitwise_xor.reduce(keys * np.uint64(0x9E3779B97F4A7C15))) if len(keys) else 0


def seconds_of(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def median_of(search, system, workers, rounds, expected):
    """Median of the rounds, all of which must find the pairs expected."""
    times = []
    for _ in range(rounds):
        seconds, pairs = seconds_of(lambda: search(system.centers, system.radii, workers))
        assert fingerprint(pairs) == expected, f"{search} finds other pairs"
        times.append(seconds)
    return statistics.median(times)


def overhead(system, rounds):
    """Medians of the call from Python and of the same call from Rust, in turns."""
    python, rust = [], []
    for _ in range(rounds):
        seconds, pairs = seconds_of(lambda: mg.find_pairs(system.centers, system.radii))
        del pairs
        python.append(seconds)
        rust.append(_core._seconds_in_rust(system.centers, system.radii))
    return statistics.median(python), statistics.median(rust)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=list(SETS), help="names of sets")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--peer-rounds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="of multigrain and scipy; 0 for all cores")
    parser.add_argument("--no-scipy", action="store_true")
    parser.add_argument("--no-freud", action="store_true")
    parser.add_argument("--lists", action="store_true", help="neighbour lists instead, against vesin, matscipy and scipy")
    parser.add_argument("--neighbors", nargs="*", type=int, default=[10, 50, 200, 1000], help="of lists in periodic cubes, about")
    parser.add_argument("--max-entries", type=float, default=1e8, help="of lists; longer ones are left out")
    parser.add_argument("--seconds", type=float, default=1.0, help="that the rounds of one list take, about")
    parser.add_argument("--clock", choices=neighbor_lists.CLOCKS, default="wall", help="for lists; processor with one thread only")
    parser.add_argument("--patience", type=float, default=5.0, help="seconds after which a library is left out of longer lists")
    arguments = parser.parse_args()
    mg.set_threads(arguments.threads)
    if arguments.lists:
        return neighbor_lists.compare(arguments)
    workers = arguments.threads or -1
    libraries = peers(arguments)
    print(f"{arguments.count} spheres, {mg.threads()} threads, ns per sphere, medians of {arguments.rounds} "
          f"(peers: {arguments.peer_rounds})")
    print(f"{'set':8}{'contacts':>10}{'python':>9}{'rust':>9}{'over':>8}", *(f"{name:>9}{'times':>8}" for name in libraries))
    for name in arguments.sets:
        system = mg.pack(**SETS[name], count=arguments.count, seed=1)
        expected = fingerprint(mg.find_pairs(system.centers, system.radii))
        python, rust = overhead(system, arguments.rounds)
        line = f"{name:8}{expected[0]:10}{1e9 * python / len(system):9.1f}{1e9 * rust / len(system):9.1f}"
        line += f"{100 * (python / rust - 1):7.1f}%"
        for searches in libraries.values():
            best = min(median_of(search, system, workers, arguments.peer_rounds, expected) for search in searches)
            line += f"{1e9 * best / len(system):10.0f}{best / python:8.1f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
