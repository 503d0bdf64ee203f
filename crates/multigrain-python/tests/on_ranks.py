"""Run by mpirun: what ranks of an mpi4py communicator find and simulate together is what one finds and simulates."""

import pathlib
import re

import numpy as np
import pytest
from mpi4py import MPI

import multigrain as mg

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def test_pairs() -> None:
    """Lists of ranks, one after the other, are the list of one."""
    rng = np.random.default_rng(5)
    for dimension, is_periodic, is_sheared in [(2, False, False), (3, True, False), (2, True, True)]:
        centers = rng.uniform(0, 10, (700, dimension))
        radii = 0.3 * rng.uniform(0.02, 1, 700) ** 3 + 0.05
        radii[123] = 3.0
        domain = None
        if is_sheared:
            domain = mg.Domain.from_cell([[10, 0], [4, 10]])
        elif is_periodic:
            domain = mg.Domain([0] * dimension, [10] * dimension)
        # The first rank brings fewer, and, where there are three, the second none.
        cuts = np.concatenate([[0, 50], np.full(max(size - 2, 0), 50) if size < 3 else np.linspace(50, 700, size - 1)[:-1], [700]])
        cuts = cuts.astype(int) if size > 1 else np.array([0, 700])
        own = slice(cuts[rank], cuts[rank + 1])
        pairs, shifts = mg.distributed.find_pairs(comm, centers[own], radii[own], domain=domain, margin=0.01)
        assert pairs.dtype == np.uint64
        found = np.concatenate(comm.allgather(pairs))
        whole = mg.find_pairs(centers, radii, domain=domain, margin=0.01)
        order = np.lexsort((*whole.shifts.T[::-1], whole.array[:, 1], whole.array[:, 0])) if domain else np.lexsort(whole.array.T[::-1])
        assert len(found) > 100
        assert (found == whole.array[order]).all()
        if domain:
            assert (np.concatenate(comm.allgather(shifts)) == whole.shifts[order]).all()
        else:
            assert shifts is None


def test_simulation() -> None:
    """The bytes of a run without ranks."""

    def made() -> mg.dem.Simulation:
        rng = np.random.default_rng(7)
        grid = np.stack(np.meshgrid(np.arange(12), np.arange(12)), -1).reshape(-1, 2) + 0.5
        rubber = mg.dem.Material(1.0, stiffness=100, restitution=0.5, friction=0.4)
        box = mg.dem.Wall.inside_box([0, 0], [12, 12])
        velocities = rng.uniform(-1, 1, grid.shape)
        return mg.dem.Simulation(grid, rng.uniform(0.3, 0.6, len(grid)), rubber, velocities=velocities, walls=[box], gravity=[0, -1])

    alone, together = made(), made()
    alone.run(150)
    together.run_on(comm, 100)
    together.run_on(comm, 50)
    assert together.steps == 150
    for name in ("positions", "velocities", "spins", "forces"):
        assert (getattr(together, name)() == getattr(alone, name)()).all(), name


def test_refusals() -> None:
    """What is wrong is reported on all ranks alike."""
    with pytest.raises(TypeError, match="must be a communicator of mpi4py"):
        mg.distributed.find_pairs("comm", [[0.0, 0.0]], 1.0)
    with pytest.raises(ValueError, match="must not be negative|radius"):
        mg.distributed.find_pairs(comm, [[0.0, 0.0]], -1.0 if rank == size - 1 else 1.0)


def test_documents() -> None:
    """What the page about ranks shows is true."""
    page = pathlib.Path(__file__).resolve().parents[3] / "docs" / "distributed.md"
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.S | re.M)
    assert len(blocks) >= 1
    for block in blocks:
        shared: dict = {}
        exec(compile(block, page.name, "exec"), shared)
        assert comm.allreduce(len(shared["pairs"])) > 100


if __name__ == "__main__":
    test_documents()
    test_pairs()
    test_simulation()
    test_refusals()
    print(f"rank {rank} of {size}: ok", flush=True)
