"""``neighbor_list``: neighbours in the convention of ASE and matscipy, from arrays or from objects of theirs."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ._core import _neighbor_list

_SYMBOLS = (
    "X H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc "
    "Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po "
    "At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og"
).split()
_NUMBERS = {symbol: number for number, symbol in enumerate(_SYMBOLS)}

_Cutoffs = ArrayLike | Mapping[tuple[Any, Any], float]


def neighbor_list(
    quantities: str,
    positions: Any = None,
    cell: Any = None,
    pbc: Any = None,
    radii: ArrayLike | None = None,
    *,
    cutoff: _Cutoffs | None = None,
    full: bool = True,
    sorted: bool = True,
    dtype: DTypeLike | None = None,
    index_dtype: DTypeLike | None = None,
    self_interaction: bool = False,
    numbers: ArrayLike | None = None,
    atoms: Any = None,
    batch: ArrayLike | None = None,
    cell_origin: ArrayLike | None = None,
    max_nbins: float | None = None,
) -> NDArray[Any] | tuple[NDArray[Any], ...]:
    """Neighbours of every particle in the convention of ASE's ``neighbor_list`` and matscipy's ``neighbour_list``, under
    either name: every pair in both directions, images of a particle itself with both signs, sorted by (i, j, S). Half
    lists, unsorted ones and narrower types on request.

    Parameters
    ----------
    quantities : str
        Any of ``i`` (first particle), ``j`` (second), ``P`` (both, in two columns), ``d`` (distance), ``D`` (vector from i to j)
        and ``S`` (cells crossed): ``D == positions[j] - positions[i] + S @ cell``.
    positions : array_like, shape (N, 2) or (N, 3)
        Or an object with positions, cell and pbc, such as ASE's ``Atoms``; then the next argument is the cut-off, as in
        ``neighbor_list("ij", atoms, 3.0)``.
    cell : array_like, shape (D,) or (D, D), optional
        Lengths of the cell, or its vectors in rows: of any tilt, rotated or left-handed. Vectors that are not periodic may
        be anything, also zeros. Needed where an axis is periodic.
    pbc : bool or sequence of D bools, default False
        Periodic directions.
    radii : array_like, shape (N,), or float
        Neighbours are closer than ``radii[i] + radii[j]``. This is ASE's list of cut-offs, one per atom.
    cutoff : float, array_like or dict, optional
        Instead of radii, as ASE has it. A number is the distance below which any two are neighbours (so it is twice a
        radius), a list of N numbers is the same as radii. A dictionary has a distance for pairs of species, by symbol or
        number, as in ``{("C", "H"): 1.2}``; pairs that it lacks are no neighbours. A symmetric matrix has a distance for
        every two species ``numbers[i]`` and ``numbers[j]``, or, without numbers, for every two particles.
    full : bool, default True
        Every pair in both directions. If False every pair once: ``i < j``, or an own image whose first shift that is not
        zero is positive.
    sorted : bool, default True
        Sorted by (i, j, S). If False as found, which takes less time; then entries ``2 * k`` and ``2 * k + 1`` of a full
        list are one pair from both sides.
    dtype : float64 or float32, default float64
        Of ``d`` and ``D``. They are worked out in float64 and rounded once.
    index_dtype : int64 or int32, default int64
        Of ``i`` and ``j``.
    self_interaction : bool, default False
        Whether every particle is its own neighbour too, at distance 0, where its cut-off allows.
    numbers : array_like of int, shape (N,), optional
        Species of the particles, for dictionaries and matrices of cut-offs; by default those of the atoms.
    atoms : object, optional
        Another way to pass an object with positions, cell and pbc.
    batch : array_like of int, shape (N,), optional
        The number of the system of each particle, from 0, where several systems come one after the other: particles of different
        systems are no neighbours. ``cell`` may then have shape (B, D, D) or (B, D), and ``pbc`` shape (B, D), one for each system.
        Positions of shape (B, N, D) are B systems of N particles, whose particles are counted from one to the next.
    cell_origin, max_nbins
        Taken because others have them. The list does not depend on where the cell begins.

    Returns
    -------
    tuple of arrays, or one array for a single quantity
        ``i``, ``j``: (M,) int64; ``P``: (M, 2) int64; ``d``: (M,) float64; ``D``: (M, D) float64; ``S``: (M, D) int32; the same for any number
        of threads.

    Examples
    --------
    >>> import multigrain as mg
    >>> i, j, d, S = mg.neighbor_list("ijdS", [[0.5, 0.5, 0.5], [3.5, 0.5, 0.5]], [4, 9, 9], [True, False, False], [0.6, 0.5])
    >>> i, j, d
    (array([0, 1]), array([1, 0]), array([1., 1.]))
    >>> S
    array([[-1,  0,  0],
           [ 1,  0,  0]], dtype=int32)
    >>> mg.neighbor_list("ij", [[0, 0], [3, 0], [2, 0]], cutoff=2.5, full=False)
    (array([0, 1]), array([2, 2]))
    >>> mg.neighbor_list("ij", [[0, 0, 0], [1, 0, 0], [2, 0, 0]], cutoff={("C", "H"): 1.2, ("H", "H"): 3}, numbers=[1, 6, 1])
    (array([0, 0, 1, 1, 2, 2]), array([1, 2, 0, 2, 0, 1]))
    >>> mg.neighbor_list("ij", [[0, 0], [1, 0], [0, 0], [1, 0]], cutoff=1.5, batch=[0, 0, 1, 1])
    (array([0, 1, 2, 3]), array([1, 0, 3, 2]))
    """
    if atoms is None and hasattr(positions, "pbc") and hasattr(positions, "cell"):
        atoms, positions = positions, None
    if atoms is not None:
        if positions is None and not (cell is None and pbc is None):
            # As in neighbor_list("ij", atoms, cutoff, self_interaction).
            if cutoff is not None or radii is not None:
                raise ValueError("atoms have a cell and pbc of their own: leave these arguments out")
            cutoff, cell = cell, None
            self_interaction, pbc = self_interaction if pbc is None else bool(pbc), None
        positions = atoms.positions if positions is None else positions
        cell = np.asarray(atoms.cell, dtype=np.float64) if cell is None else cell
        pbc = np.broadcast_to(atoms.pbc, 3) if pbc is None else pbc
        numbers = getattr(atoms, "numbers", None) if numbers is None else numbers
    if positions is None:
        raise TypeError("positions are missing: give positions, or atoms")
    if batch is not None or np.ndim(positions) == 3:
        options = {
            "full": full, "sorted": sorted, "dtype": dtype, "index_dtype": index_dtype, "self_interaction": self_interaction,
        }
        return _of_batch(quantities, positions, cell, pbc, radii, cutoff, numbers, batch, options)
    per_pair = None
    if cutoff is not None and not isinstance(cutoff, (float, int)):
        if isinstance(cutoff, Mapping) or np.ndim(cutoff) == 2:
            if radii is not None:
                raise ValueError("radii and cutoff both set the reach: give one of them")
            count = len(positions)
            if isinstance(cutoff, Mapping):
                kinds, per_pair = _by_species(cutoff, numbers, count)
            else:
                kinds, per_pair = _by_matrix(cutoff, numbers, count)
            widest = per_pair.max(axis=1, initial=0.0) / 2
            radii, cutoff = widest[kinds], None
    if per_pair is None and not self_interaction:
        return _neighbor_list(
            quantities, positions, cell, pbc, radii,
            cutoff=cutoff, full=full, sorted=sorted, dtype=dtype, index_dtype=index_dtype,
        )
    for quantity in quantities:
        if quantity not in "ijPdDS":
            break
    else:
        if quantities:
            needed = "".join(dict.fromkeys("ijd" + ("S" if self_interaction else "") + quantities.replace("P", "")))
            found = _neighbor_list(
                needed, positions, cell, pbc, radii, cutoff=cutoff, full=full, sorted=sorted, index_dtype=index_dtype,
            )
            columns = dict(zip(needed, found))
            if per_pair is not None:
                kept = columns["d"] < per_pair[kinds[columns["i"]], kinds[columns["j"]]]
                columns = {name: column[kept] for name, column in columns.items()}
            if self_interaction:
                selves = np.arange(len(positions))
                if per_pair is not None:
                    selves = selves[per_pair[kinds, kinds] > 0]
                columns = _with_selves(columns, selves, sorted)
            if dtype is not None:
                columns.update({name: columns[name].astype(dtype) for name in "dD" if name in columns})
            if "P" in quantities:
                columns["P"] = np.column_stack([columns["i"], columns["j"]])
            lists = [columns[name].copy() if name in quantities[:k] else columns[name] for k, name in enumerate(quantities)]
            return lists[0] if len(lists) == 1 else tuple(lists)
    # What is wrong with the quantities is reported as ever.
    return _neighbor_list(quantities, positions, cell, pbc, radii, cutoff=cutoff)


def _of_batch(
    quantities: str, positions: Any, cell: Any, pbc: Any, radii: Any, cutoff: Any, numbers: Any, batch: Any, options: dict[str, Any]
) -> Any:
    """Lists of several systems, one after the other."""
    positions = np.asarray(positions)
    if positions.ndim == 3:
        if batch is not None:
            raise ValueError("positions have a system along their first axis: leave batch out")
        batch = np.repeat(np.arange(len(positions)), positions.shape[1])
        positions = positions.reshape(-1, positions.shape[2])
        radii, numbers = (part if np.ndim(part) != 2 else np.reshape(part, -1) for part in (radii, numbers))
    batch = _whole(batch, len(positions), "batch")
    if len(batch) and (batch[0] < 0 or np.any(np.diff(batch) < 0)):
        raise ValueError("batch must ascend from 0: particles of one system stand together")
    axes = positions.shape[1] if positions.ndim == 2 else 3
    # Cells of shape (D, D) are of all systems, unless pbc says that they are the lengths of D of them.
    cells_each = np.ndim(cell) == 3 or (np.ndim(cell) == 2 and np.shape(cell) != (axes, axes))
    found = []
    for system in range(int(batch[-1]) + 1 if len(batch) else 0):
        first, last = np.searchsorted(batch, [system, system + 1])
        own = slice(first, last)
        of_particles = [part[own] if np.ndim(part) == 1 else part for part in (radii, cutoff, numbers)]
        lists_of_one = neighbor_list(
            quantities,
            positions[own],
            cell[system] if cells_each else cell,
            pbc[system] if np.ndim(pbc) == 2 else pbc,
            of_particles[0],
            cutoff=of_particles[1],
            numbers=of_particles[2],
            **options,
        )
        columns = lists_of_one if isinstance(lists_of_one, tuple) else (lists_of_one,)
        found.append([column + first.astype(column.dtype) if name in "ijP" else column for name, column in zip(quantities, columns)])
    if not found:
        return neighbor_list(quantities, positions, None, None, 0.0, **options)
    lists = [np.concatenate(columns) for columns in zip(*found)]
    return lists[0] if len(lists) == 1 else tuple(lists)


def _with_selves(columns: dict[str, NDArray[Any]], selves: NDArray[np.intp], is_sorted: bool) -> dict[str, NDArray[Any]]:
    """The columns with an entry for each of these particles itself."""
    both = {}
    for name, column in columns.items():
        own = selves if name in "ij" else np.zeros((len(selves), *column.shape[1:]))
        both[name] = np.concatenate([column, own.astype(column.dtype)])
    if is_sorted:
        order = np.lexsort((*both["S"].T[::-1], both["j"], both["i"]))
        both = {name: column[order] for name, column in both.items()}
    return both


def _by_species(cutoff: Mapping[tuple[Any, Any], float], numbers: Any, count: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The kind of every particle, and a cut-off for every two kinds."""
    if numbers is None:
        raise ValueError("cutoff is a dictionary, but nothing gives the species: give numbers")
    species, kinds = np.unique(_whole(numbers, count), return_inverse=True)
    place = {int(number): k for k, number in enumerate(species)}
    table = np.zeros((len(species), len(species)))
    for key, value in cutoff.items():
        if not (isinstance(key, tuple) and len(key) == 2):
            raise ValueError(f"cutoff has the key {key!r}, must be two symbols or numbers such as ('C', 'H')")
        if not (np.isfinite(value) and value >= 0):
            raise ValueError(f"cutoff of {key!r} is {value}, must be finite and not negative")
        one, other = (place.get(_number_of(part)) for part in key)
        if one is not None and other is not None:
            table[one, other] = table[other, one] = value
    return kinds, table


def _by_matrix(cutoff: Any, numbers: Any, count: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The row of every particle, and the matrix."""
    table = np.asarray(cutoff, dtype=np.float64)
    if numbers is None and table.shape != (count, count):
        raise ValueError(
            f"cutoff has shape {table.shape}, must be ({count}, {count}), or give numbers, which name its rows"
        )
    if table.shape[0] != table.shape[1] or not np.array_equal(table, table.T):
        raise ValueError("cutoff is not symmetric, must be the same from i to j and from j to i")
    if not np.all(np.isfinite(table) & (table >= 0)):
        raise ValueError("cutoff has numbers that are negative or not finite")
    kinds = np.arange(count) if numbers is None else _whole(numbers, count)
    if count and not (0 <= kinds.min() and kinds.max() < len(table)):
        raise ValueError(f"numbers reach from {kinds.min()} to {kinds.max()}, but cutoff has {len(table)} rows")
    return kinds, table


def _whole(numbers: Any, count: int, what: str = "numbers") -> NDArray[np.intp]:
    array = np.asarray(numbers)
    if array.shape != (count,) or (array.dtype.kind not in "iu" and count):
        raise ValueError(f"{what} have shape {array.shape} and dtype {array.dtype}, must be {count} integers")
    return array.astype(np.intp)


def _number_of(part: Any) -> int:
    if not isinstance(part, str):
        return int(part)
    if part not in _NUMBERS:
        raise ValueError(f"cutoff names '{part}', which is no chemical symbol")
    return _NUMBERS[part]


neighbour_list = neighbor_list
