"""Detection on all ranks of an mpi4py communicator.

Each rank brings some rows and gets the pairs of its rows; together they are the list of one machine. What ranks say to each other goes
through the methods of the communicator, so that any MPI will do::

    from mpi4py import MPI
    import multigrain as mg

    pairs, shifts = mg.distributed.find_pairs(MPI.COMM_WORLD, centers, radii)   # rows of this rank

Simulations have :meth:`multigrain.dem.Simulation.run_on`.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._core import Domain, _find_pairs_on_ranks

__all__ = ["find_pairs"]


def find_pairs(
    comm: Any,
    centers: npt.ArrayLike,
    radii: npt.ArrayLike,
    method: str = "auto",
    margin: float = 0.0,
    domain: Domain | None = None,
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32] | None]:
    """Every touching pair of the bodies of all ranks, exactly once. Every rank must call it.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        The ranks.
    centers, radii
        Bodies of this rank, as for :func:`multigrain.find_pairs`. Rows are numbered over all ranks, in their order; a rank may bring none.
    method, margin, domain
        The same on all ranks, as for :func:`multigrain.find_pairs`.

    Returns
    -------
    pairs : ndarray of uint64, shape (M, 2)
        Numbers ``i < j`` of rows, those whose ``i`` is a row of this rank, sorted. One rank after the other they are the sorted list of one machine.
    shifts : ndarray of int32, shape (M, D), or None
        How many periods the image of ``j`` lies from ``j``; None in open space.
    """
    return _find_pairs_on_ranks(comm, centers, radii, method, margin, domain)
