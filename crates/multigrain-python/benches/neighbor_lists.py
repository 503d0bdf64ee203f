"""Neighbour lists for one cutoff against vesin, matscipy and scipy: indices, shifts and distances (ijSd), full and half, in turns
in one process. Part of compare.py: `python crates/multigrain-python/benches/compare.py --lists`.

Points lie at random with density 1, so that the cutoff follows from the number of neighbours: in a periodic cube, or, as
molecules do, in open space. All lists of one kind must have the same length.
"""

import statistics
import time

import numpy as np

import multigrain as mg

COUNTS = (5, 10, 30, 100, 300, 1000, 3000, 10_000, 100_000, 1_000_000)
# Of the processor: what this process took, others on the same core not counted. Only fair with one thread.
CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}
OPEN = [(count, 50) for count in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000)]


class Points:
    """Points at random, and a cutoff for a given number of neighbours."""

    def __init__(self, count, neighbors, is_periodic):
        self.side = count ** (1 / 3)
        self.centers = np.random.default_rng(1).uniform(0, self.side, (count, 3))
        self.cutoff = (3 * neighbors / (4 * np.pi)) ** (1 / 3)
        self.cell = self.side * np.eye(3)
        self.is_periodic = is_periodic

    def multigrain(self, full, sorted=True):
        return mg.neighbor_list("ijSd", self.centers, self.cell, self.is_periodic, cutoff=self.cutoff, full=full, sorted=sorted)

    def vesin(self, full):
        import vesin

        finder = vesin.NeighborList(cutoff=self.cutoff, full_list=full)
        return finder.compute(points=self.centers, box=self.cell, periodic=self.is_periodic, quantities="ijSd")

    def matscipy(self, full):
        from matscipy.neighbours import neighbour_list

        return neighbour_list("ijSd", positions=self.centers, cell=self.cell, pbc=[self.is_periodic] * 3, cutoff=self.cutoff)

    def scipy(self, full):
        from scipy.spatial import cKDTree

        tree = cKDTree(self.centers % self.side, boxsize=self.side) if self.is_periodic else cKDTree(self.centers)
        if full:
            near = tree.sparse_distance_matrix(tree, self.cutoff, output_type="ndarray")
            near = near[near["i"] != near["j"]]
            i, j, d = near["i"], near["j"], near["v"]
        else:
            i, j = tree.query_pairs(self.cutoff, output_type="ndarray").T
        gaps = self.centers[j] - self.centers[i]
        shifts = -np.rint(gaps / self.side).astype(np.int32) if self.is_periodic else np.zeros(gaps.shape, np.int32)
        if not full:
            gaps += shifts * self.side
            d = np.sqrt(np.einsum("ij,ij->i", gaps, gaps))
        return i, j, shifts, d

    def calls(self, full):
        """Every way to make the list, by name. matscipy has no half lists, scipy knows the nearest image alone."""
        yield "multigrain", lambda: self.multigrain(full)
        yield "vesin", lambda: self.vesin(full)
        # Not next to the other: neither is to find warm what the other has left.
        yield "unsorted", lambda: self.multigrain(full, sorted=False)
        if full:
            yield "matscipy", lambda: self.matscipy(full)
        if not self.is_periodic or self.cutoff < self.side / 2:
            yield "scipy", lambda: self.scipy(full)


def medians(calls, clock, seconds, patience):
    """Median of each call in turns, for so long; a call that took longer than `patience` is not made again."""
    times, lengths = {name: [] for name in calls}, set()
    if len(calls["multigrain"]()[0]) < 100_000:
        for call in calls.values():
            call()
    start = time.perf_counter()
    while len(times["multigrain"]) < 3 or (time.perf_counter() - start < seconds and len(times["multigrain"]) < 1000):
        for name, call in calls.items():
            if not times[name] or max(times[name]) < patience:
                begin = clock()
                made = call()
                times[name].append(clock() - begin)
                lengths.add(len(made[0]))
                del made
    assert len(lengths) == 1, f"lists of different lengths: {lengths}"
    return {name: statistics.median(own) for name, own in times.items()}, lengths.pop()


def table(title, systems, is_periodic, arguments):
    peers = ("vesin", "matscipy", "scipy")
    print(f"\n{title}; microseconds per call; factor: the fastest other library over multigrain, sorted and unsorted\n")
    print("| particles | neighbours | list | entries | multigrain | unsorted | vesin | matscipy | scipy | factor | unsorted |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    too_slow = {}
    for count, neighbors in systems:
        if count * neighbors > arguments.max_entries:
            continue
        points = Points(count, neighbors, is_periodic)
        for full in (True, False):
            # What was too slow for fewer entries is too slow for more.
            calls = {name: call for name, call in points.calls(full)
                     if count * neighbors < too_slow.get((name, full), float("inf"))}
            found, entries = medians(calls, CLOCKS[arguments.clock], arguments.seconds, arguments.patience)
            too_slow |= {(name, full): count * neighbors for name, own in found.items() if own > arguments.patience}
            best = min((found[name] for name in peers if name in found), default=float("nan"))
            cells = [f"{1e6 * found[name]:.0f}" if name in found else "" for name in ("multigrain", "unsorted", *peers)]
            cells += [f"{best / found[name]:.1f}" for name in ("multigrain", "unsorted")]
            print(f"| {count} | {neighbors} | {'full' if full else 'half'} | {entries} |", " | ".join(cells), "|", flush=True)


def compare(arguments):
    """Prints both tables."""
    print(f"{mg.threads()} threads, {arguments.clock} time, rounds in turns for {arguments.seconds} s or 3 rounds, medians")
    table("Open space", OPEN, False, arguments)
    systems = [(count, neighbors) for neighbors in arguments.neighbors for count in COUNTS]
    table("Periodic cube", systems, True, arguments)
