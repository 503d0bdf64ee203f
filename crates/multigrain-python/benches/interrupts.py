"""How soon every call ends after ctrl-C, at several moments of the work: seconds from the signal to KeyboardInterrupt, or to
the end of what was done before the signal was heard. Beside it seconds of processor time, of all threads: on a machine that
has more to do, these count.

python crates/multigrain-python/benches/interrupts.py [--count 1e6] [--only PATTERN]
"""

import argparse
import os
import re
import signal
import threading
import time

import numpy as np

import multigrain as mg

# Calls that last longer than this are interrupted at fixed times instead of shares of their whole time.
LONG = 8.0


def delay(call, after):
    """Seconds, and seconds of processor time, from a signal sent so long after the beginning to the end of the call; None where
    it ended before."""
    sent = []

    def send():
        sent.append(clocks())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    heard.clear()
    try:
        call()
        end = clocks()
        heard.append("enough")
    except KeyboardInterrupt:
        end = clocks()
    timer.cancel()
    timer.join()
    return end - sent[0] if sent and sent[0][0] < end[0] else None


# What comes after the call is left alone.
heard = ["enough"]


def interrupt(number, frame):
    if not heard:
        heard.append("enough")
        raise KeyboardInterrupt


def clocks():
    return np.array([time.monotonic(), time.process_time()])


def whole_time(call):
    """Seconds of the call, or infinity where it lasts too long."""
    begin = time.monotonic()
    late = delay(call, LONG)
    return time.monotonic() - begin if late is None else np.inf


def cases(count):
    """Name and call of everything that may last."""
    even = mg.pack(law="mono", count=count, packing_fraction=0.6, seed=1)
    wide = mg.pack(law="uniform", ratio=50, count=count, packing_fraction=0.6, seed=1)
    crowd = np.zeros((count // 100, 3)) + np.linspace(0, 1e-3, count // 100)[:, None]
    for method in mg.methods():
        for name, system in (("even", even), ("sizes 1 to 50", wide)):
            yield f"find_pairs {method}, {name}", lambda method=method, system=system: system.find_pairs(method)
    for method in ("auto", "linked-cell", "mr", "nbs", "brute-force"):
        yield f"find_pairs {method}, a hundredth of them in one place", lambda method=method: mg.find_pairs(crowd, 1.0, method)
        yield f"count_work {method}", lambda method=method: mg.count_work(even.centers, even.radii, method, domain=even.domain)
    centers, radii = wide.centers, wide.radii
    half = count // 2
    yield "find_pairs_between", lambda: mg.find_pairs_between(centers[:half], radii[:half], centers[half:], radii[half:])
    yield "neighbor_list", lambda: mg.neighbor_list("ijdDS", even.centers, radii=3 * even.radii)
    yield "find_box_pairs", lambda: mg.find_box_pairs(centers - radii[:, None], centers + radii[:, None])
    yield "Detector with skin", lambda: mg.Detector(skin="auto").find_pairs(centers, 2 * radii)
    yield "Changes", lambda: mg.Changes().update(centers, radii)
    yield "Queries", lambda: mg.Queries(centers, radii)
    bodies = mg.Queries(centers, radii)
    yield "Queries.nearest", lambda: bodies.nearest(centers, 10)
    yield "Queries.touching", lambda: bodies.touching(centers, 2 * radii)
    pairs = mg.find_pairs(centers, 2 * radii)
    yield "Pairs.sorted", pairs.sorted
    yield "Pairs.neighbor_table", pairs.neighbor_table
    yield "Pairs.distances", lambda: pairs.distances
    yield "tune", lambda: mg.tune(radii)
    yield "HierarchicalGrid.tuned_for", lambda: mg.HierarchicalGrid.tuned_for(centers, radii)
    yield "analyze", lambda: mg.analyze(even)
    yield "pack by growth", lambda: mg.pack(law="uniform", ratio=4, count=count // 10, packing_fraction=0.6, placement="growth")
    glass = mg.dem.Material(2500, stiffness=1e5, restitution=0.6, friction=0.3)
    yield "Simulation, made", lambda: mg.dem.Simulation(even.centers, even.radii, glass, domain=even.domain)
    simulation = mg.dem.Simulation(even.centers, even.radii, glass, domain=even.domain, skin="auto")
    yield "Simulation.run", lambda: simulation.run(10**9)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=float, default=1e6)
    parser.add_argument("--only", default="", help="cases whose name has this pattern")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, interrupt)
    worst = np.zeros(2)
    for name, call in cases(int(options.count)):
        if not re.search(options.only, name):
            continue
        whole = whole_time(call)
        moments = [0.5, 2.0, 5.0] if whole == np.inf else [whole * share for share in (0.1, 0.3, 0.5, 0.7, 0.9)]
        late = [seconds for seconds in (delay(call, moment) for moment in moments) if seconds is not None]
        lasts = "longer" if whole == np.inf else f"{whole:.2f} s"
        longest = np.max([np.zeros(2), *late], axis=0)
        worst = np.maximum(worst, longest)
        print(f"{name:45} lasts {lasts:>8}   ends {longest[0]:.3f} s after ctrl-C, {longest[1]:.3f} s of processor time", flush=True)
    print(f"longest: {worst[0]:.3f} s, {worst[1]:.3f} s of processor time")


if __name__ == "__main__":
    main()
