"""Threads, forks and ctrl-C."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import multigrain as mg


def contacts_of(seed):
    system = mg.pack(law="uniform", ratio=5, count=3000, packing_fraction=0.6, seed=seed)
    return system.find_pairs().sorted().array


def test_threads_may_search_at_once():
    expected = [contacts_of(seed) for seed in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            for found, wanted in zip(pool.map(contacts_of, range(8)), expected):
                assert np.array_equal(found, wanted)


def test_threads_may_share_one_grid():
    grid = mg.HierarchicalGrid([4, 10])
    systems = [mg.pack(law="uniform", ratio=5, count=3000, packing_fraction=0.6, seed=s, dimension=2 + s % 2)
               for s in range(8)]
    expected = [system.find_pairs().sorted().array for system in systems]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            found = pool.map(lambda system: grid.find_pairs(system.centers, system.radii).sorted().array, systems)
            for own, wanted in zip(found, expected):
                assert np.array_equal(own, wanted)
    assert "last search" in grid.explain()


def test_the_interpreter_is_released_while_searching():
    points = np.random.default_rng(1).uniform(0, 100, (20_000, 3))
    ticks, done = 0, threading.Event()

    def search():
        mg.find_pairs(points, 1.0, method="brute-force")
        done.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
    thread.join()
    assert ticks > 5


def test_the_number_of_threads_changes_nothing():
    system = mg.pack(law="power", exponent=-3, ratio=20, count=20_000, packing_fraction=0.6, periodic="xyz")
    before = system.find_pairs()
    try:
        for count in [1, 3]:
            mg.set_threads(count)
            assert mg.threads() == count
            pairs = system.find_pairs()
            assert np.array_equal(pairs.array, before.array) and np.array_equal(pairs.shifts, before.shifts)
    finally:
        mg.set_threads(0)
    with pytest.raises(ValueError, match="at most"):
        mg.set_threads(10**6)
    with pytest.raises(ValueError, match="count is -1, must not be negative"):
        mg.set_threads(-1)


@pytest.mark.skipif(sys.platform != "linux", reason="only there threads tell how long they worked")
@pytest.mark.parametrize("method", ["mr", "mmr", "bbts"])
def test_classic_methods_share_their_work_among_threads(method):
    script = f"""
import multigrain as mg, numpy as np, pathlib
mg.set_threads(2)
mg.find_pairs(np.random.default_rng(1).uniform(0, 48, (400_000, 3)), 0.5, method="{method}")
for task in pathlib.Path("/proc/self/task").iterdir():
    if (task / "comm").read_text().startswith("multigrain-"):
        print((task / "schedstat").read_text().split()[0])
"""
    ended = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    nanoseconds = [int(line) for line in ended.stdout.split()]
    assert len(nanoseconds) == 2 and min(nanoseconds) > 5e6, nanoseconds


@pytest.mark.parametrize("method", mg.methods())
def test_the_order_of_pairs_is_the_same_for_any_number_of_threads(method):
    system = mg.pack(law="uniform", ratio=3, count=5000, packing_fraction=0.6, periodic="xyz")
    before = system.find_pairs(method)
    try:
        mg.set_threads(1)
        pairs = system.find_pairs(method)
    finally:
        mg.set_threads(0)
    assert np.array_equal(pairs.array, before.array) and np.array_equal(pairs.shifts, before.shifts)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_children_search_too():
    expected = contacts_of(1)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for found in pool.map_async(contacts_of, [1, 1, 1]).get(timeout=60):
            assert np.array_equal(found, expected)
    with multiprocessing.get_context("fork").Pool(2, mg.set_threads, [1]) as pool:
        for found in pool.map_async(contacts_of, [1, 1, 1]).get(timeout=60):
            assert np.array_equal(found, expected)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize("method", ["brute-force", "linked-cell", "mr", "mr-s", "nbs", "bbts"])
def test_ctrl_c_ends_a_search_that_would_take_minutes(method):
    script = f"""
import signal
import multigrain as mg, numpy as np
# Programs in the background are born with it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
points = np.random.default_rng(1).uniform(0, 100, (1_000_000, 3))
radii = np.full(len(points), 0.01)
radii[0] = 60.0
print("ready", flush=True)
mg.find_pairs(points, radii, method="{method}")
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in errors
    assert "panicked" not in errors


def output_of(script):
    ended = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    return ended.stdout.split()


@pytest.mark.skipif(sys.platform != "linux", reason="only there threads can be counted")
def test_small_calls_start_no_threads():
    before, after = output_of("""
import multigrain as mg, numpy as np, pathlib
rng = np.random.default_rng(1)
count = lambda: len(list(pathlib.Path("/proc/self/task").iterdir()))
print(count())
for bodies, width in [(1, 1.0), (10, 3.0), (300, 8.0), (1900, 20.0), (1900, 1e6), (3000, 30.0), (3000, 1e6)]:
    points = rng.uniform(0, width, (bodies, 3))
    if width > 100:
        points[: bodies // 2] /= 100
    for pbc in (False, True):
        mg.neighbor_list("ijSdD", points, [width] * 3, pbc, cutoff=1.0)
        pairs = mg.find_pairs(points, 0.5, domain=mg.Domain([0] * 3, [width] * 3, periodic=pbc))
        pairs.distances, pairs.neighbor_table()
    mg.HierarchicalGrid([1.0]).find_pairs(points, 0.5)
print(count())
""")
    assert before == after


def test_plain_numbers_and_lists_load_no_masked_arrays():
    loaded, = output_of("""
import multigrain as mg, sys
mg.neighbor_list("ijSdD", [[0, 0, 0], [1, 0, 0]], [4, 4, 4], [True, True, False], cutoff=1.5)
mg.find_pairs([[0, 0], [1, 0]], [1, 2])
print("numpy.ma" in sys.modules)
""")
    assert loaded == "False"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_children_do_small_and_large_work():
    def neighbors(count):
        points = np.random.default_rng(1).uniform(0, 40, (count, 3))
        return len(mg.neighbor_list("i", points, [40] * 3, True, cutoff=2.0))

    counts = [5, 3000, 60_000]
    expected = [neighbors(count) for count in counts]
    receiver, sender = multiprocessing.Pipe(False)
    child = multiprocessing.get_context("fork").Process(target=lambda: sender.send([neighbors(n) for n in counts]))
    child.start()
    assert receiver.poll(60) and receiver.recv() == expected
    child.join()
