import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, final, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

__version__: str
__all__ = [
    "Closest",
    "Contacts",
    "Detector",
    "Domain",
    "Features",
    "ClumpShape",
    "Deformation",
    "Generator",
    "HierarchicalGrid",
    "Law",
    "LivingGrid",
    "Material",
    "Meter",
    "NeighborTable",
    "Outflow",
    "Overlap",
    "Pairs",
    "Polygon",
    "Queries",
    "Region",
    "Simulation",
    "System",
    "Tuning",
    "View",
    "Wall",
    "Work",
    "__version__",
    "_closest_of",
    "_contacts_of",
    "_detector_of",
    "_domain_of",
    "_features_of",
    "_find_pairs_on_ranks",
    "_neighbor_list",
    "_neighbor_table_of",
    "_overlap_of",
    "_polygon_of",
    "_pairs_changed",
    "_pairs_of",
    "_seconds_in_rust",
    "_tuning_of",
    "_view_of",
    "_work_of",
    "analyze",
    "closest_features",
    "count_work",
    "find_box_pairs",
    "find_pairs",
    "find_pairs_between",
    "find_pairs_each",
    "methods",
    "overlap",
    "pack",
    "read",
    "set_threads",
    "threads",
    "tune",
    "view",
    "write",
]

_Direction = Literal["top-down", "bottom-up"]
_Ids = int | Sequence[int] | NDArray[np.integer[Any]]
_Point = Sequence[float] | NDArray[np.float64]
_Law = Literal["mono", "uniform", "power", "bidisperse", "log-normal"]
_Axes = bool | Sequence[bool] | NDArray[np.bool_] | str

@final
class Domain:
    r"""A box, or a sheared cell, of which any axes may be periodic.

    On a periodic axis bodies stand for all their images, wherever they are. On an open axis the box is information only:
    bodies outside it are ordinary. Without a domain every axis is open. For sheared cells see :meth:`from_cell`.

    Parameters
    ----------
    lo, hi : array_like, shape (D,)
        Lower and upper corner, with D = 2 or 3.
    periodic : bool, sequence of D bools, or str, default True
        Which axes are periodic: all, one by one, or by name as in ``"xy"``; ``"none"`` for none.

    Examples
    --------
    >>> import multigrain as mg
    >>> box = mg.Domain([0, 0, 0], [1, 1, 2], periodic="xz")
    >>> box.periodic
    (True, False, True)
    >>> box.hi
    array([1., 1., 2.])
    >>> pairs = mg.find_pairs([[0.1, 0.5, 0.5], [0.9, 0.5, 0.5]], [0.15, 0.15], domain=box)
    >>> pairs.shifts
    array([[-1,  0,  0]], dtype=int32)
    """
    def __new__(cls, lo: ArrayLike, hi: ArrayLike, periodic: _Axes | None = None) -> Domain: ...
    @property
    def lo(self) -> NDArray[np.float64]:
        r"""Lower corner, shape (D,); of a sheared cell that of its bounds."""
    @property
    def hi(self) -> NDArray[np.float64]:
        r"""Upper corner, shape (D,); of a sheared cell that of its bounds."""
    @property
    def origin(self) -> NDArray[np.float64]:
        r"""Where the edges begin, shape (D,): the lower corner if they lie along the axes."""
    @property
    def cell(self) -> NDArray[np.float64]:
        r"""The edges, one in each row, shape (D, D)."""
    @property
    def periodic(self) -> tuple[bool, ...]:
        r"""Which axes, or edges of a sheared cell, are periodic, a tuple of D bools."""
    @property
    def pbc(self) -> tuple[bool, ...]:
        r"""Another name of ``periodic``, as ASE has it."""
    @property
    def is_sheared(self) -> bool:
        r"""Whether edges do not lie along the axes."""
    @property
    def volume(self) -> float:
        r"""Volume of the cell, area in the plane."""
    @property
    def dimension(self) -> int:
        r"""Number of axes, 2 or 3."""
    @staticmethod
    def from_cell(
        matrix: ArrayLike, origin: ArrayLike | None = None, periodic: _Axes | None = None, *, pbc: _Axes | None = None
    ) -> Domain:
        r"""A cell spanned by edge vectors, which may be sheared, rotated or left-handed: triclinic cells.

        Parameters
        ----------
        matrix : array_like, shape (D, D) or (D,)
            An edge vector in each row, or lengths along the axes. Edges that are not periodic may be anything, also zeros.
        origin : array_like, shape (D,), optional
            Where the edges begin; zero by default.
        periodic : bool, sequence of D bools, or str, default True
            Along which edges space is periodic: all, one by one, or by name as in ``"xy"`` for the first two.
        pbc : bool or sequence of D bools, optional
            Another name of ``periodic``, as ASE has it.

        Returns
        -------
        Domain

        Examples
        --------
        >>> import multigrain as mg
        >>> cell = mg.Domain.from_cell([[10, 0], [3, 10]])
        >>> cell.is_sheared, cell.volume
        (True, 100.0)
        >>> mg.find_pairs([[1, 0.5], [4, 9.8]], 0.5, domain=cell).shifts
        array([[ 0, -1]], dtype=int32)
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class NeighborTable:
    r"""Partners of every body, both directions, in compressed rows (CSR): those of body k are
    ``indices[offsets[k]:offsets[k + 1]]``, sorted, images of one partner by shift.

    Examples
    --------
    >>> import multigrain as mg
    >>> table = mg.find_pairs([[0, 0], [1.5, 0], [3, 0]], 1.0).neighbor_table()
    >>> table.neighbors(1)
    array([0, 2])
    >>> table.counts
    array([1, 2, 1])
    """
    @property
    def offsets(self) -> NDArray[np.int64]:
        r"""Where the partners of each body begin, shape (N + 1,), int64."""
    @property
    def indices(self) -> NDArray[np.int64]:
        r"""Partners, body after body, shape (2 M,), int64."""
    @property
    def shifts(self) -> NDArray[np.int32]:
        r"""Image shifts of the partners, shape (2 M, D), int32, negated in the mirrored entry; zeros where no axis is periodic."""
    @property
    def counts(self) -> NDArray[np.int64]:
        r"""Number of partners of each body, shape (N,), int64."""
    def neighbors(self, body: int) -> NDArray[np.int64]:
        r"""Partners of one body.

        Parameters
        ----------
        body : int
            Index of the body; negative ones count from the end.

        Returns
        -------
        ndarray of int64
            A view of ``indices``.
        """
    def __len__(self) -> int: ...
    def __getitem__(self, body: int, /) -> NDArray[np.int64]: ...
    def _repr_html_(self) -> str: ...

@final
class Pairs:
    r"""Contacts found by a search, each once.

    Distances, vectors and overlaps are computed when asked, from a copy of the bodies as they were searched: what happens to
    the arrays later changes nothing. ``pairs[k]`` is the indices (i, j) of one contact, so are the items of a loop;
    ``pairs[2:5]``, ``pairs[mask]`` and ``pairs[[3, 1]]`` are Pairs again. Pairs are equal where they have the same contacts, in any
    order.

    Examples
    --------
    >>> import multigrain as mg
    >>> import numpy as np
    >>> centers = np.array([[0.0, 0.0], [1.5, 0.0], [0.0, 1.0]])
    >>> pairs = mg.find_pairs(centers, [1.0, 0.8, 0.25])
    >>> len(pairs)
    2
    >>> np.asarray(pairs)
    array([[0, 1],
           [0, 2]], dtype=uint32)
    >>> pairs.i - pairs.j
    array([-1, -2])
    >>> pairs.distances
    array([1.5, 1. ])
    >>> pairs[pairs.distances > 1.2], list(pairs)
    (<Pairs: 1 contacts of 3 particles in 2D>, [(0, 1), (0, 2)])
    >>> pairs == pairs[::-1]
    True
    """
    @property
    def array(self) -> NDArray[np.uint32]:
        r"""Indices (i, j) of every contact, shape (M, 2), uint32, read-only: i < j, or i = j for a body's own image. Between two sets
        i is of the first and j of the second.
        """
    @property
    def i(self) -> NDArray[np.int64]:
        r"""The first body of every contact, shape (M,), int64: a copy. Differences of these are right, and torch takes them as
        an index; those of ``array`` are unsigned, where 0 - 1 is 4294967295.
        """
    @property
    def j(self) -> NDArray[np.int64]:
        r"""The second body of every contact, shape (M,), int64: a copy."""
    @property
    def shifts(self) -> NDArray[np.int32]:
        r"""How many periods the image of j lies from j, shape (M, D), int32; zeros where no axis is periodic."""
    @property
    def vectors(self) -> NDArray[np.float64]:
        r"""Vector from the center of i to the center of (the image of) j, shape (M, D)."""
    @property
    def distances(self) -> NDArray[np.float64]:
        r"""Distance between the centers, shape (M,)."""
    @property
    def overlaps(self) -> NDArray[np.float64]:
        r"""Depth of overlap, r_i + r_j - distance, shape (M,); negative within the margin."""
    @property
    def particles(self) -> int:
        r"""Number of bodies that were searched."""
    def neighbor_table(self) -> NeighborTable:
        r"""Every body's partners in both directions, as compressed rows (CSR), each sorted by partner and shift.

        Returns
        -------
        NeighborTable

        Examples
        --------
        >>> import multigrain as mg, numpy as np, scipy.sparse
        >>> table = mg.find_pairs([[0, 0], [1.5, 0], [3, 0]], 1.0).neighbor_table()
        >>> table.offsets
        array([0, 1, 3, 4])
        >>> table.indices
        array([1, 0, 2, 1])
        >>> graph = scipy.sparse.csr_array((np.ones(len(table.indices)), table.indices, table.offsets))
        >>> int(scipy.sparse.csgraph.connected_components(graph)[0])
        1
        """
    def sorted(self) -> Pairs:
        r"""The same contacts sorted by (i, j, shift), the same for every method.

        Returns
        -------
        Pairs

        Examples
        --------
        >>> import multigrain as mg
        >>> system = mg.pack(law="uniform", ratio=4, count=500, packing_fraction=0.6, seed=1)
        >>> a = system.find_pairs(method="nbs").sorted()
        >>> b = system.find_pairs(method="hgrid").sorted()
        >>> bool((a.array == b.array).all())
        True
        """
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, which: int, /) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, which: slice | NDArray[Any] | Sequence[bool] | Sequence[int], /) -> Pairs: ...
    def __iter__(self) -> Iterator[tuple[int, int]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def _repr_html_(self) -> str: ...
    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.uint32]: ...

@final
class Contacts:
    r"""Contacts as :func:`read` finds them in a file: those that ``multigrain detect`` writes as CSV, and those of a simulation
    (``contacts-N.vtp``).

    Columns are arrays by name: ``i``, ``j``, ``overlap``, ``sx`` and so on of a CSV; ``ids``, ``force``, ``force_norm``, ``overlap`` and ``ends``
    of a simulation.

    Examples
    --------
    >>> import multigrain as mg, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "contacts.csv")
    >>> _ = open(path, "w").write("i,j,overlap\n0,1,0.5\n")
    >>> contacts = mg.read(path)
    >>> contacts
    <Contacts: 1 contacts with i, j, overlap>
    >>> contacts.pairs
    array([[0, 1]])
    """
    @property
    def pairs(self) -> NDArray[np.int64]:
        r"""Both particles of each contact, shape (M, 2), int64: places of a CSV, ids of a simulation."""
    def keys(self) -> list[str]:
        r"""Names of the columns."""
    def __getitem__(self, name: str, /) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class View:
    r"""A page that shows particles in 3D or in the plane: in a notebook it appears by itself."""
    @property
    def html(self) -> str:
        r"""The page, whole: program, style and data."""
    @property
    def notes(self) -> list[str]:
        r"""What was left out, and why."""
    def save(self, path: str | os.PathLike[str]) -> None:
        r"""Write the page to a file, which needs no network and no other file.

        Parameters
        ----------
        path : str or os.PathLike
        """
    def _repr_html_(self) -> str: ...

@final
class System:
    r"""A particle system: centers, radii and, where known, the box.

    Parameters
    ----------
    centers : array_like, shape (N, 2) or (N, 3)
    radii : array_like, shape (N,), or float
    domain : Domain, optional

    Examples
    --------
    >>> import multigrain as mg
    >>> system = mg.System([[0.1, 0.5], [0.9, 0.5]], 0.15, mg.Domain([0, 0], [1, 1]))
    >>> system
    <System: 2 particles in 2D, Domain([0.0, 0.0], [1.0, 1.0], periodic='xy')>
    >>> system.find_pairs().array
    array([[0, 1]], dtype=uint32)
    """
    def __new__(cls, centers: ArrayLike, radii: ArrayLike, domain: Domain | None = None) -> System: ...
    @property
    def centers(self) -> NDArray[np.float64]:
        r"""Centers, shape (N, D), float64."""
    @property
    def radii(self) -> NDArray[np.float64]:
        r"""Radii, shape (N,), float64."""
    @property
    def domain(self) -> Domain | None:
        r"""The box, or None where there is none."""
    @property
    def dimension(self) -> int:
        r"""Number of axes, 2 or 3."""
    @property
    def packing_fraction(self) -> float | None:
        r"""Volume of all particles, overlaps counted twice, over the volume of the box; None without a box."""
    def __getnewargs__(self) -> tuple[NDArray[np.float64], NDArray[np.float64], Domain | None]: ...
    def find_pairs(
        self,
        method: str = "auto",
        margin: float = 0.0,
        *,
        cell_sizes: Sequence[float] | NDArray[np.float64] | None = None,
        levels: int | None = None,
        direction: _Direction | None = None,
        factor: float | None = None,
        groups: ArrayLike | None = None,
    ) -> Pairs:
        r"""Every touching pair, in the system's own domain.

        Parameters
        ----------
        method, margin, cell_sizes, levels, direction, factor, groups
            As for :func:`find_pairs`.

        Returns
        -------
        Pairs
        """
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class HierarchicalGrid:
    r"""The hierarchical grid with levels of its own, which keeps its memory from call to call.

    For a moving system make one and call :meth:`find_pairs` every step. Any call is right for any bodies, after any
    other; those too large for every level make the coarsest one grow. Threads may call it at once.

    Parameters
    ----------
    cell_sizes : array_like, shape (L,)
        Cell size of each level, ascending.
    direction : {"top-down", "bottom-up"}, default "top-down"
        Which of two bodies on different levels searches for the other.

    Examples
    --------
    >>> import multigrain as mg
    >>> system = mg.pack(law="power", exponent=-3, ratio=20, count=2000, packing_fraction=0.6, seed=1)
    >>> grid = mg.HierarchicalGrid.tuned_for(system.centers, system.radii)
    >>> bool(grid.cell_sizes[-1] >= 2 * system.radii.max())
    True
    >>> grid.find_pairs(system.centers, system.radii)
    <Pairs: 2046 contacts of 2000 particles in 3D>
    >>> mg.HierarchicalGrid([4, 40]).cell_sizes
    array([ 4., 40.])
    """
    def __new__(
        cls, cell_sizes: Sequence[float] | NDArray[np.float64], direction: _Direction = "top-down"
    ) -> HierarchicalGrid: ...
    @staticmethod
    def tuned_for(
        centers: ArrayLike,
        radii: ArrayLike,
        margin: float = 0.0,
        domain: Domain | None = None,
        *,
        levels: int | None = None,
        direction: _Direction = "top-down",
    ) -> HierarchicalGrid:
        r"""A grid whose levels suit these bodies and others like them.

        Parameters
        ----------
        centers, radii, margin, domain
            As for :func:`find_pairs`.
        levels : int, optional
            Number of levels; by default as many as are predicted to be fastest.
        direction : {"top-down", "bottom-up"}, default "top-down"
            Which of two bodies on different levels searches for the other.

        Returns
        -------
        HierarchicalGrid
        """
    @property
    def cell_sizes(self) -> NDArray[np.float64]:
        r"""Cell size of each level, ascending, shape (L,)."""
    @property
    def direction(self) -> _Direction:
        r"""Which of two bodies on different levels searches for the other."""
    def find_pairs(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        margin: float = 0.0,
        domain: Domain | None = None,
        *,
        groups: ArrayLike | None = None,
    ) -> Pairs:
        r"""Every touching pair, exactly once.

        Parameters
        ----------
        centers, radii, margin, domain, groups
            As for :func:`find_pairs`.

        Returns
        -------
        Pairs
        """
    def explain(self) -> str:
        r"""The levels in words, and what the last search met on each.

        Returns
        -------
        str

        Examples
        --------
        >>> import multigrain as mg
        >>> grid = mg.HierarchicalGrid([2, 8])
        >>> pairs = grid.find_pairs([[0, 0, 0], [1, 0, 0], [3, 0, 0]], [1, 1, 3.5])
        >>> print(grid.explain())
        hierarchical grid with 2 levels, top-down: the larger body searches finer levels
        last search: 3 contacts of 3 particles
        level 1: cells of size 2, 2 particles (66.7 %)
        level 2: cells of size 8, 1 particles (33.3 %)
        """
    def __getnewargs__(self) -> tuple[list[float], str]: ...

@final
class LivingGrid:
    r"""Bodies that come, go, move and grow one at a time, and the question which of them touch a sphere or a box. Each change takes the
    same short time, however many bodies there are; for all pairs at once :func:`find_pairs` is faster.

    Parameters
    ----------
    cell_sizes : sequence of floats
        Of the levels, ascending; about the diameters of the bodies. Larger bodies open levels of their own.
    domain : Domain, optional
        Box with periodic axes, not sheared.
    dimension : {3, 2}
        Where there is no domain to say it.

    Examples
    --------
    >>> import multigrain as mg
    >>> grid = mg.LivingGrid([3.0, 8.0], dimension=2)
    >>> grid.insert([7, 8], [[10.3, 14.4], [14.0, 14.0]], [4.0, 1.5])
    >>> grid.touching([15.0, 15.0], 0.5)
    (array([8]), array([[0, 0]], dtype=int32))
    >>> grid.move(7, [[13.0, 14.4]])
    >>> grid.touching([15.0, 15.0], 0.5)[0]
    array([7, 8])
    >>> grid.remove(8)
    >>> grid, 8 in grid
    (<LivingGrid: 1 bodies in 2D>, False)
    """
    def __new__(
        cls,
        cell_sizes: Sequence[float] | NDArray[np.float64],
        domain: Domain | None = None,
        *,
        dimension: Literal[2, 3] = 3,
    ) -> LivingGrid: ...
    def insert(self, ids: _Ids, centers: ArrayLike, radii: ArrayLike) -> None:
        r"""Add bodies; none of them where one is refused.

        Parameters
        ----------
        ids : int, or sequence of N ints
            Numbers of your choice that no body has yet.
        centers : array_like, shape (N, D)
        radii : array_like, shape (N,), or float
        """
    def remove(self, ids: _Ids) -> None:
        r"""Remove bodies; none of them where one is not there.

        Parameters
        ----------
        ids : int, or sequence of ints
        """
    def move(self, ids: _Ids, centers: ArrayLike) -> None:
        r"""Move bodies, over any distance.

        Parameters
        ----------
        ids : int, or sequence of N ints
        centers : array_like, shape (N, D)
        """
    def resize(self, ids: _Ids, radii: ArrayLike) -> None:
        r"""Change the radii of bodies.

        Parameters
        ----------
        ids : int, or sequence of N ints
        radii : array_like, shape (N,), or float
        """
    def touching(self, center: _Point, radius: float) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        r"""All bodies that touch a sphere.

        Parameters
        ----------
        center : array_like, shape (D,)
        radius : float

        Returns
        -------
        ids, shifts : arrays, shape (M,) int64 and (M, D) int32
            Sorted; which image of each body touches.
        """
    def in_box(self, lo: _Point, hi: _Point) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        r"""All bodies that reach into a box along the axes.

        Parameters
        ----------
        lo, hi : array_like, shape (D,)

        Returns
        -------
        ids, shifts : arrays
            As for :meth:`touching`.
        """
    @property
    def ids(self) -> NDArray[np.int64]:
        r"""Ids of all bodies, ascending, shape (N,), int64."""
    @property
    def centers(self) -> NDArray[np.float64]:
        r"""Centers of all bodies in the order of ids, shape (N, D)."""
    @property
    def radii(self) -> NDArray[np.float64]:
        r"""Radii of all bodies in the order of ids, shape (N,)."""
    def __len__(self) -> int: ...
    def __contains__(self, id: object, /) -> bool: ...

@final
class Detector:
    r"""Any method, kept from call to call: those that remember mend what they built in the last call, so that bodies that moved
    little take less time.

    Any call is right for any bodies, after any other. For which pairs came and went see :class:`Changes`.

    Parameters
    ----------
    method : str, default "auto"
        One of :func:`methods`.
    cell_sizes, levels, direction, factor
        As for :func:`find_pairs`.
    variant : str, optional
        Of ``mr`` ``"quick-sort"`` (sorted again in every call) or ``"binary-search"`` (and searched row by row), of ``mmr`` ``"per-step"``
        (for each group also a list of all smaller bodies), of both ``"computed-coordinates"`` (smaller lists): what the papers compare.
    skin : float or "auto", optional
        Pairs within this gap of touching are found once and tested again at every call, until bodies have moved so far that
        others may touch (a Verlet list). The pairs are the same with and without one. ``"auto"`` chooses its width by how fast
        bodies move.

    Examples
    --------
    >>> import multigrain as mg
    >>> detector = mg.Detector("mmr", factor=2)
    >>> detector.find_pairs([[0, 0], [1.5, 0]], [1.0, 0.8])
    <Pairs: 1 contacts of 2 particles in 2D>
    >>> detector
    Detector('mmr', factor=2.0)
    >>> mg.Detector(skin=0.5).find_pairs([[0, 0], [2.1, 0]], 1.0)
    <Pairs: 0 contacts of 2 particles in 2D>
    """
    def __new__(
        cls,
        method: str = "auto",
        *,
        cell_sizes: Sequence[float] | NDArray[np.float64] | None = None,
        levels: int | None = None,
        direction: _Direction | None = None,
        factor: float | None = None,
        variant: Literal["quick-sort", "binary-search", "computed-coordinates", "per-step"] | None = None,
        skin: float | Literal["auto"] | None = None,
    ) -> Detector: ...
    @property
    def method(self) -> str:
        r"""Name of the method."""
    def find_pairs(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        margin: float = 0.0,
        domain: Domain | None = None,
        *,
        groups: ArrayLike | None = None,
    ) -> Pairs:
        r"""Every touching pair, exactly once.

        Parameters
        ----------
        centers, radii, margin, domain, groups
            As for :func:`find_pairs`.

        Returns
        -------
        Pairs
        """

@final
class Queries:
    r"""Bodies prepared for questions about places: what touches a sphere, reaches into a box, is nearest to a point.

    Takes memory and time once; then each question costs about as much as it has answers. The bodies are copied: what happens
    to the arrays later changes no answer.

    Parameters
    ----------
    centers, radii, margin, domain
        As for :func:`find_pairs`. Radii are 0 by default: points.

    Examples
    --------
    >>> import multigrain as mg
    >>> bodies = mg.Queries([[0.5, 0.5], [3, 0.5], [9.8, 0.5]], 0.5, domain=mg.Domain([0, 0], [10, 10]))
    >>> offsets, indices, shifts = bodies.touching([[0, 0.5], [3.2, 0]], 0.2)
    >>> offsets, indices
    (array([0, 2, 3]), array([0, 2, 1]))
    >>> distances, indices = bodies.nearest([[4, 0.5]], k=2, to="surface")
    >>> distances, indices
    (array([[0.5, 3. ]]), array([[1, 0]]))
    """
    def __new__(
        cls, centers: ArrayLike, radii: ArrayLike | None = None, margin: float = 0.0, domain: Domain | None = None
    ) -> Queries: ...
    def touching(
        self, centers: ArrayLike, radii: ArrayLike
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
        r"""All bodies that touch given spheres, margin included.

        Parameters
        ----------
        centers : array_like, shape (Q, D)
        radii : array_like, shape (Q,), or float

        Returns
        -------
        offsets, indices, shifts : arrays
            Compressed rows: bodies that touch sphere q are ``indices[offsets[q]:offsets[q + 1]]``, sorted; ``shifts`` says which
            image of each. int64, int64, int32.
        """
    def in_box(self, lo: ArrayLike, hi: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
        r"""All bodies that reach into given boxes along the axes, borders and margin included.

        Parameters
        ----------
        lo, hi : array_like, shape (Q, D)
            Lower and upper corners.

        Returns
        -------
        offsets, indices, shifts : arrays
            As for :meth:`touching`.
        """
    @overload
    def nearest(
        self,
        points: ArrayLike,
        k: int = 1,
        to: Literal["center", "surface"] = "center",
        *,
        max_distance: float | None = None,
        images: bool = True,
        return_shifts: Literal[False] = False,
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        r"""The k bodies nearest to given points.

        Parameters
        ----------
        points : array_like, shape (Q, D)
        k : int, default 1
        to : {"center", "surface"}, default "center"
            What the distance is to; to a surface it is negative inside.
        max_distance : float, optional
            Only bodies nearer than this.
        images : bool, default True
            Whether images of one body count apart. If False every body counts once, by its nearest image, as in scipy and freud.
        return_shifts : bool, default False
            Whether to return which images these are, too.

        Returns
        -------
        distances, indices : arrays, shape (Q, k)
            Nearest first. Where there are fewer bodies the distance is infinite and the index -1.
        shifts : array, shape (Q, k, D), int32
            Where asked for.
        """
    @overload
    def nearest(
        self,
        points: ArrayLike,
        k: int = 1,
        to: Literal["center", "surface"] = "center",
        *,
        max_distance: float | None = None,
        images: bool = True,
        return_shifts: bool,
    ) -> tuple[NDArray[Any], ...]: ...
    def __len__(self) -> int: ...

@final
class Tuning:
    r"""Chosen levels and what they are predicted to cost; sizes in the unit of the radii (of a law: its smallest)."""
    @property
    def levels(self) -> int:
        r"""Number of levels."""
    @property
    def cell_sizes(self) -> NDArray[np.float64]:
        r"""Cell size of each level, ascending, shape (L,); the last is the largest diameter."""
    @property
    def work(self) -> float:
        r"""Work per particle, T/N, in units of a pair test."""
    @property
    def candidates_per_particle(self) -> float:
        r"""Candidate pairs per particle."""
    @property
    def cells_per_particle(self) -> float:
        r"""Cells looked at per particle."""
    @property
    def linked_cell_work(self) -> float:
        r"""Work per particle of a single level, the linked cell."""
    @property
    def particles_per_cell(self) -> NDArray[np.float64]:
        r"""Particles per cell of each level, shape (L,)."""
    @property
    def share_of_particles(self) -> NDArray[np.float64]:
        r"""Share of all particles on each level, shape (L,)."""
    @property
    def direction(self) -> _Direction:
        r"""Which of two bodies on different levels searches for the other."""
    @property
    def k(self) -> float:
        r"""Cost of looking at a cell, in units of a pair test."""
    def _repr_html_(self) -> str: ...

@final
class Work:
    r"""What a search did, counted."""
    @property
    def candidates(self) -> int:
        r"""Candidate pairs whose distance was tested."""
    @property
    def cells(self) -> int:
        r"""Cells, or rows of cells, looked up; compares only within one method."""
    @property
    def contacts(self) -> int:
        r"""Contacts found."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Material:
    r"""What grains or walls are made of, and how two bodies of it push each other.

    Units are your own, as long as they belong together: with metres, kilograms and seconds forces are in newtons.

    Parameters
    ----------
    density : float
        Mass per volume; in the plane mass per area.
    stiffness : float, optional
        Of the linear law: force per overlap.
    modulus, poisson : float, optional
        Of the law of Hertz instead: Young's modulus and Poisson's ratio.
    restitution : float, optional
        Coefficient of restitution; without it, and without damping, contacts are elastic.
    damping : float, optional
        Of the linear law instead: force per speed.
    friction : float, optional
        Coefficient of friction; without it contacts turn nothing.
    tangential_stiffness, tangential_damping : float, optional
        Over the normal ones, with friction; 2/7 and 1/2 by default.
    conductivity, heat_capacity : float, optional
        Of heat: power per length and temperature, energy per mass and temperature. Without them there are no temperatures.
    **parts
        Rolling, twisting, cohesion, bonds, Luding's law, the law of areas: as for :class:`Law`.

    Examples
    --------
    >>> import multigrain as mg
    >>> mg.dem.Material(2500, stiffness=1e5, restitution=0.9, friction=0.4)
    Material(2500, stiffness=100000, restitution=0.9, friction=0.4)
    >>> mg.dem.Material(7800, modulus=2.1e11, poisson=0.3, restitution=0.6).density
    7800.0
    """
    def __getnewargs_ex__(self) -> tuple[tuple[float], dict[str, float | str]]: ...
    def __new__(
        cls,
        density: float,
        *,
        stiffness: float | None = None,
        modulus: float | None = None,
        poisson: float | None = None,
        restitution: float | None = None,
        damping: float | None = None,
        friction: float | None = None,
        tangential_stiffness: float | None = None,
        tangential_damping: float | None = None,
        rolling_friction: float | None = None,
        rolling_stiffness: float | None = None,
        rolling_damping: float | None = None,
        twisting_friction: float | None = None,
        twisting_stiffness: float | None = None,
        twisting_damping: float | None = None,
        unloading_stiffness: float | None = None,
        cohesive_stiffness: float | None = None,
        plastic_depth: float | None = None,
        adhesion: float | None = None,
        adhesion_range: float | None = None,
        adhesion_energy: float | None = None,
        surface_tension: float | None = None,
        contact_angle: float | None = None,
        liquid_volume: float | None = None,
        bond_modulus: float | None = None,
        bond_strength: float | None = None,
        bond_shear_strength: float | None = None,
        bond_radius: float | None = None,
        bond_ratio: float | None = None,
        bond_damping: float | None = None,
        bond_gap: float | None = None,
        cohesion: Literal["linear", "dmt", "jkr", "willett", "rabinovich"] | None = None,
        rolling: Literal["spring", "constant"] | None = None,
        dashpot: Literal["free", "no-pull"] | None = None,
        repulsion: Literal["energy", "area"] | None = None,
        conductivity: float | None = None,
        heat_capacity: float | None = None,
    ) -> Material: ...
    @property
    def density(self) -> float:
        r"""Mass per volume; in the plane mass per area."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Law:
    r"""How grains of two materials push each other, where it is not to follow from the materials themselves: see ``between`` of
    :class:`Simulation`.

    Parameters
    ----------
    stiffness : float, optional
        Linear law: force per overlap.
    modulus, poisson : float, optional
        Law of Hertz instead: Young's modulus and Poisson's ratio.
    restitution : float, optional
        Coefficient of restitution; without it, and without damping, contacts are elastic.
    damping : float, optional
        Of the linear law instead: force per speed.
    friction : float, optional
        Coefficient of friction; without it contacts turn nothing.
    tangential_stiffness, tangential_damping : float, optional
        Over the normal ones, with friction; 2/7 and 1/2 by default.
    rolling_friction, twisting_friction : float, optional
        Resistance to rolling and to twisting about the normal: largest torque over normal force times effective radius.
    rolling_stiffness, rolling_damping, twisting_stiffness, twisting_damping : float, optional
        Of their springs and dashpots, over the normal ones times the effective radius squared; 2/7 and 1/2 by default.
    rolling : {"spring", "constant"}, optional
        How both are resisted: by spring, dashpot and slider (the default), or by a constant torque.
    unloading_stiffness, cohesive_stiffness, plastic_depth : float, optional
        Luding's elasto-plastic law, with ``stiffness`` as that of first loading.
    cohesion : {"linear", "dmt", "jkr", "willett", "rabinovich"}, optional
        Which cohesion is meant.
    adhesion, adhesion_range : float, optional
        Linear cohesion: force where grains touch, and the gap over which it is gone.
    adhesion_energy : float, optional
        Work of adhesion of "jkr" (with Hertz) and "dmt": energy per area.
    surface_tension, contact_angle, liquid_volume : float, optional
        Liquid bridges; the angle in degrees, 0 by default, and the volume of each bridge.
    bond_modulus, bond_strength, bond_shear_strength, bond_radius, bond_ratio, bond_damping, bond_gap : float, optional
        Bonds, where :meth:`Simulation.bond` makes some: Young's modulus, stresses that break them, radius over the smaller one,
        stiffness across over that along, share of the critical damping, largest gap over which they are made.
    dashpot : {"free", "no-pull"}, optional
        What the dashpot along the normal may do at the end of an impact: pull too (the default), or take at most the repulsion away.
        The restitution is that asked for with both.
    repulsion : {"energy", "area"}, optional
        Law of areas instead, for polygons and discs in the plane: with ``modulus``, ``damping`` as a share of the critical one
        (0.3 by default), ``friction`` and ``tangential_stiffness`` as a share of the modulus (0.3).

    Examples
    --------
    >>> import multigrain as mg
    >>> mg.dem.Law(stiffness=1e5, restitution=0.9, friction=0.1)
    Law(stiffness=100000, restitution=0.9, friction=0.1)
    """
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, float | str]]: ...
    def __new__(
        cls,
        *,
        stiffness: float | None = None,
        modulus: float | None = None,
        poisson: float | None = None,
        restitution: float | None = None,
        damping: float | None = None,
        friction: float | None = None,
        tangential_stiffness: float | None = None,
        tangential_damping: float | None = None,
        rolling_friction: float | None = None,
        rolling_stiffness: float | None = None,
        rolling_damping: float | None = None,
        twisting_friction: float | None = None,
        twisting_stiffness: float | None = None,
        twisting_damping: float | None = None,
        unloading_stiffness: float | None = None,
        cohesive_stiffness: float | None = None,
        plastic_depth: float | None = None,
        adhesion: float | None = None,
        adhesion_range: float | None = None,
        adhesion_energy: float | None = None,
        surface_tension: float | None = None,
        contact_angle: float | None = None,
        liquid_volume: float | None = None,
        bond_modulus: float | None = None,
        bond_strength: float | None = None,
        bond_shear_strength: float | None = None,
        bond_radius: float | None = None,
        bond_ratio: float | None = None,
        bond_damping: float | None = None,
        bond_gap: float | None = None,
        cohesion: Literal["linear", "dmt", "jkr", "willett", "rabinovich"] | None = None,
        rolling: Literal["spring", "constant"] | None = None,
        dashpot: Literal["free", "no-pull"] | None = None,
        repulsion: Literal["energy", "area"] | None = None,
    ) -> Law: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

_Vector = Sequence[float] | NDArray[np.float64]

@final
class ClumpShape:
    r"""A rigid body of spheres, in the plane of discs, that may overlap. Places are seen from its center of mass.

    Parameters
    ----------
    centers : array_like, shape (K, 2) or (K, 3)
    radii : array_like, shape (K,), or float
    center_of_mass : array_like, shape (D,), optional
    volume : float, optional
    inertia : array_like, shape (3, 3), or float in the plane, optional
        All three, for density 1 and about the center of mass, or none: then they are those of the union, each point counting once.

    Examples
    --------
    >>> import multigrain as mg
    >>> dumbbell = mg.dem.ClumpShape([[0, 0, 0], [1.2, 0, 0]], 1.0)
    >>> dumbbell
    <ClumpShape: 2 spheres in 3D, volume 7.506>
    >>> grain = mg.dem.Material(1, stiffness=1e4, restitution=0.5, friction=0.5)
    >>> floor = mg.dem.Wall.plane([0, 0, 0], [0, 0, 1])
    >>> sim = mg.dem.Simulation([[0, 0, 3.0]], 1.0, grain, clump_shapes=[dumbbell], orientations=[[0.9, 0.1, 0.4, 0]],
    ...                         walls=[floor], gravity=[0, 0, -9.81])
    >>> sim.run(round(5 / sim.time_step))
    >>> bool(abs(sim.clumps()["positions"][0, 2] - 1) < 0.02)  # it lies on both spheres
    True
    """
    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]: ...
    def __new__(
        cls,
        centers: ArrayLike,
        radii: ArrayLike,
        *,
        center_of_mass: _Vector | None = None,
        volume: float | None = None,
        inertia: ArrayLike | None = None,
    ) -> ClumpShape: ...
    @property
    def centers(self) -> NDArray[np.float64]:
        r"""Centers of members from the center of mass, shape (K, D)."""
    @property
    def radii(self) -> NDArray[np.float64]:
        r"""Radii of members, shape (K,)."""
    @property
    def volume(self) -> float:
        r"""Volume, in the plane area."""
    @property
    def inertia(self) -> NDArray[np.float64]:
        r"""Inertia for density 1, about the center of mass, shape (3, 3); in the plane that of a flat body."""
    @property
    def radius(self) -> float:
        r"""Radius of the sphere around the center of mass that holds all members."""

@final
class Deformation:
    r"""How a periodic box changes its shape, from the end of the one before until a time. Each component of the velocity gradient is
    given, or found by the box so that a stress comes to its target.

    Parameters
    ----------
    rates : dict of str to float, optional
        Velocity gradient by components: ``{"xy": 0.5}`` is simple shear, the velocity along x growing along y.
    stress : dict of str to float, optional
        Stresses to be reached, by components; pressure is positive.
    pressure : float, optional
        Mean stress along the periodic axes to be reached, by growing or shrinking alike.
    max_rate : float, optional
        The fastest rate for that; needed with stresses and pressure.
    band : float, default 0.1
        Difference of stress, as a share of the largest target, at which the rate is the fastest.
    until : float, optional
        When it ends; for ever by default.
    flowing : bool, default False
        Whether grains that are there at the start move with the box already.

    Examples
    --------
    >>> import multigrain as mg
    >>> glass = mg.dem.Material(1, stiffness=100, restitution=0.5)
    >>> shear = mg.dem.Deformation(rates={"xy": 0.5}, stress={"yy": 1.0}, max_rate=0.1)
    >>> centers = [[x, y] for x in range(4) for y in range(4)]
    >>> sim = mg.dem.Simulation(centers, 0.5, glass, domain=mg.Domain([0, 0], [4, 4]), deformations=[shear])
    >>> sim.run(round(1 / sim.time_step))
    >>> round(float(sim.strain[0, 1]), 2)
    0.5
    """
    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]: ...
    def __new__(
        cls,
        *,
        rates: dict[str, float] | None = None,
        stress: dict[str, float] | None = None,
        pressure: float | None = None,
        max_rate: float | None = None,
        band: float = 0.1,
        until: float | None = None,
        flowing: bool = False,
    ) -> Deformation: ...

@final
class Generator:
    r"""Puts grains into a region at a steady rate, at random places where they touch nothing. A grain that finds no place waits.

    Parameters
    ----------
    lo, hi : array_like, shape (D,), optional
        Corners of the box that new grains lie in.
    rate : float, optional
        Grains per time; where neither this nor ``mass_rate`` is given, as many come as find a place.
    radii : float, or sequence of floats, optional
        One of them is drawn for each grain.
    region : Region, optional
        In place of a box.
    mass_rate : float, optional
        Mass per time.
    velocity : array_like, shape (D,), optional
        Of new grains; at rest by default.
    speed : float, default 0
        Standard deviation of each component of a velocity that is added at random.
    spin : array_like, shape (3,), optional
        Angular velocity of new grains.
    temperature : float, optional
        Of new grains, where their material conducts heat.
    shapes, clumps : sequence of int, optional
        Numbers of shapes or clump shapes, of which one is drawn for each grain, in place of radii.
    upright : bool, default False
        Whether they lie as their shapes have them; turned at random otherwise.
    material : int, default 0
    limit : int, optional
        Most grains in all.
    mass_limit : float, optional
        It ends when the mass of all that it made has reached this.
    start, until : float
        When it begins and ends.
    seed : int, default 1
        Names the sequence of places and radii.

    Examples
    --------
    >>> import multigrain as mg
    >>> glass = mg.dem.Material(2500, stiffness=1e4, restitution=0.5)
    >>> rain = mg.dem.Generator([0, 4], [3, 5], rate=100, radii=[0.05, 0.1], velocity=[0, -2], limit=50)
    >>> drain = mg.dem.Outflow.beyond([0, 0], normal=[0, -1])
    >>> sim = mg.dem.Simulation([[1.5, 2]], 0.1, glass, generators=[rain], outflows=[drain], gravity=[0, -9.81])
    >>> sim.run(round(2 / sim.time_step))
    >>> sim.generated, sim.removed
    (50, 51)
    >>> sim.flows()["left"][0][0]
    51
    """
    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]: ...
    def __new__(
        cls,
        lo: _Vector | None = None,
        hi: _Vector | None = None,
        rate: float | None = None,
        radii: float | _Vector | None = None,
        *,
        region: Region | None = None,
        mass_rate: float | None = None,
        velocity: _Vector | None = None,
        speed: float = 0.0,
        spin: _Vector = ...,
        temperature: float | None = None,
        shapes: Sequence[int] | None = None,
        clumps: Sequence[int] | None = None,
        upright: bool = False,
        material: int = 0,
        limit: int | None = None,
        mass_limit: float | None = None,
        start: float = 0.0,
        until: float = ...,
        seed: int = 1,
    ) -> Generator: ...

@final
class Region:
    r"""A part of space: where grains come from, leave, or are counted. Make one with ``box``, ``ball``, ``cylinder`` or ``face``.

    Examples
    --------
    >>> import multigrain as mg
    >>> mg.dem.Region.cylinder([[0, 0, 1], [0, 0, 2]], 0.5)
    <Region: cylinder in 3D>
    """
    @staticmethod
    def box(lo: _Vector, hi: _Vector) -> Region:
        r"""A box along the axes.

        Parameters
        ----------
        lo, hi : array_like, shape (D,)
        """
    @staticmethod
    def ball(center: _Vector, radius: float) -> Region:
        r"""A ball, in the plane a disc.

        Parameters
        ----------
        center : array_like, shape (D,)
        radius : float
        """
    @staticmethod
    def cylinder(ends: Sequence[_Vector], radius: float) -> Region:
        r"""A cylinder with ends, in the plane a rectangle of any direction.

        Parameters
        ----------
        ends : array_like, shape (2, D)
            Where its axis begins and ends.
        radius : float
        """
    @staticmethod
    def face(corners: Sequence[_Vector]) -> Region:
        r"""A flat convex polygon, in the plane a line: grains come with their centers on it.

        Parameters
        ----------
        corners : array_like, shape (n, D)
        """

@final
class Meter:
    r"""Counts what passes through a plane: grains whose center comes to the side that the normal points to, less those that come back.
    ``Simulation.flows()["metered"]`` says how many, and their mass.

    Parameters
    ----------
    point, normal : array_like, shape (D,)
    region : Region, optional
        Where centers must be when they have passed; everywhere by default.

    Examples
    --------
    >>> import multigrain as mg
    >>> mg.dem.Meter([0, 0, 1], normal=[0, 0, -1])
    <Meter: a plane in 3D>
    """
    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]: ...
    def __new__(cls, point: _Vector, normal: _Vector, *, region: Region | None = None) -> Meter: ...

@final
class Outflow:
    r"""Where grains leave: those whose center comes there are removed. Make one with ``inside``, ``outside`` or ``beyond``.

    Examples
    --------
    >>> import multigrain as mg
    >>> mg.dem.Outflow.outside([0, 0, 0], [1, 1, 1])
    <Outflow: outside a box in 3D>
    >>> mg.dem.Outflow.inside(mg.dem.Region.ball([0, 0], 0.1))
    <Outflow: inside a ball in 2D>
    """
    @staticmethod
    def inside(lo: _Vector | Region, hi: _Vector | None = None) -> Outflow:
        r"""Inside a region, or a box.

        Parameters
        ----------
        lo : Region, or array_like, shape (D,)
        hi : array_like, shape (D,), optional
            The upper corner, where ``lo`` is the lower one.
        """
    @staticmethod
    def outside(lo: _Vector | Region, hi: _Vector | None = None) -> Outflow:
        r"""Outside a region, or a box.

        Parameters
        ----------
        lo : Region, or array_like, shape (D,)
        hi : array_like, shape (D,), optional
            The upper corner, where ``lo`` is the lower one.
        """
    @staticmethod
    def beyond(point: _Vector, normal: _Vector) -> Outflow:
        r"""Behind a plane, on the side that the normal points to.

        Parameters
        ----------
        point, normal : array_like, shape (D,)
        """

@final
class Wall:
    r"""A surface that holds grains back, may carry them along, and may move itself. Make one with ``plane``, ``inside_box``,
    ``cylinder``, ``plate``, ``polygon``, ``slab``, ``ring``, ``funnel``, ``mesh`` or ``from_file``.

    Examples
    --------
    >>> import multigrain as mg
    >>> floor = mg.dem.Wall.plane([0, 0, 0], [0, 0, 1])
    >>> belt = mg.dem.Wall.plate([[0, 0], [5, 1]]).carrying([0.3, 0.06]).of_material(1)
    >>> piston = mg.dem.Wall.plane([0, 0, 5], [0, 0, -1]).carrying([0, 0, -0.1]).moving()
    >>> drum = mg.dem.Wall.cylinder([0, 0], 1.0).turning([0, 0, 2], about=[0, 0])
    >>> drum
    <Wall: cylinder in 2D, material 0>
    >>> shaken = floor.oscillating([0, 0, 1e-3], frequency=50)
    >>> lid = mg.dem.Wall.plane([0, 0, 1], [0, 0, -1]).servo([0, 0, -1], force=25, max_speed=0.1)
    """
    @staticmethod
    def plane(point: _Vector, normal: _Vector) -> Wall:
        r"""All of space is free on the side that the normal points to, and wall on the other.

        Parameters
        ----------
        point, normal : array_like, shape (D,)
            A point on the surface, and the direction towards the free side, of any length.
        """
    @staticmethod
    def inside_box(lo: _Vector, hi: _Vector) -> Wall:
        r"""The inside of a box is free.

        Parameters
        ----------
        lo, hi : array_like, shape (D,)
        """
    @staticmethod
    def cylinder(point: _Vector, radius: float, axis: _Vector | None = None) -> Wall:
        r"""The inside of an endless cylinder is free; in the plane, where it has no axis, the inside of a circle.

        Parameters
        ----------
        point : array_like, shape (D,)
            A point on the axis.
        radius : float
        axis : array_like, shape (3,), optional
            Its direction, of any length; in space only.
        """
    @staticmethod
    def plate(corners: Sequence[_Vector] | NDArray[np.float64]) -> Wall:
        r"""A thin plate with edges that holds grains back on both sides: in the plane from one point to another, in space a
        flat convex polygon.

        Parameters
        ----------
        corners : array_like, shape (K, D)
        """
    @staticmethod
    def polygon(corners: Sequence[_Vector] | NDArray[np.float64]) -> Wall:
        r"""A solid convex polygon, in the plane only.

        Parameters
        ----------
        corners : array_like, shape (K, 2)
            In order, in either sense.
        """
    @staticmethod
    def slab(start: _Vector, end: _Vector, thickness: float) -> Wall:
        r"""A solid slab below the line from one point to another, seen along it: grains are on the left. In the plane only.

        Parameters
        ----------
        start, end : array_like, shape (2,)
        thickness : float
        """
    @staticmethod
    def ring(center: _Vector, radius: float, thickness: float, pieces: int = 48) -> list[Wall]:
        r"""A solid ring of flat pieces around grains, a drum once each is turning and moving. In the plane only.

        Parameters
        ----------
        center : array_like, shape (2,)
        radius : float
            Of its inner sides.
        thickness : float
        pieces : int, default 48

        Returns
        -------
        list of Wall
        """
    @staticmethod
    def funnel(ends: Sequence[_Vector] | NDArray[np.float64], radii: _Vector, closed: tuple[bool, bool] = ...) -> Wall:
        r"""A thin funnel, the side of a truncated cone or a cylinder with ends, in space only; grains are inside or outside.

        Parameters
        ----------
        ends : array_like, shape (2, 3)
            Centers of both openings.
        radii : (float, float)
            Their radii, wider than the largest grain where they are open; one may be 0, the point of a cone.
        closed : (bool, bool), default (False, False)
            Which openings are closed by a flat disc.
        """
    @staticmethod
    def mesh(
        vertices: Sequence[_Vector] | NDArray[np.float64], faces: Sequence[Sequence[int]] | NDArray[np.integer[Any]]
    ) -> Wall:
        r"""Many thin faces that hold grains back on both sides: triangles in space, pieces of a line in the plane. Where they share
        edges they are one surface.

        Parameters
        ----------
        vertices : array_like, shape (V, D)
        faces : array_like of int, shape (F, D)
            Numbers of the vertices of each face, from 0. Faces without area and the like are left out.

        Warns
        -----
        RuntimeWarning
            Of what is wrong with the mesh: faces that are left out, turned over and so on. Open edges are no flaw here.
        """
    @staticmethod
    def from_file(
        path: str | os.PathLike[str],
        *,
        scale: float = 1.0,
        rotate: tuple[_Vector, float] | None = None,
        translate: _Vector | None = None,
        dimension: Literal[2, 3] = 3,
    ) -> Wall:
        r"""The triangles of an STL or OBJ file, in the plane the lines of an OBJ file.

        Parameters
        ----------
        path : str or os.PathLike
        scale : float, default 1
            Multiplies all coordinates, first.
        rotate : (axis, degrees), optional
            Turns it about the origin then; the axis is array_like, shape (3,), of any length.
        translate : array_like, shape (D,), optional
            Added to coordinates last.
        dimension : {3, 2}

        Returns
        -------
        Wall
            What is wrong with the mesh is a warning, as of :meth:`mesh`, and in words with open edges what `check_mesh` returns; what cannot
            be used is left out.
        """
    @staticmethod
    def check_mesh(path: str | os.PathLike[str]) -> list[str]:
        r"""What is wrong with the mesh of an STL or OBJ file, in words; an empty list for a good one."""
    def of_material(self, number: int) -> Wall:
        r"""The same of the material with this number, from 0; of the first by default."""
    def of_temperature(self, temperature: float) -> Wall:
        r"""The same, kept at this temperature: it conducts heat to grains that touch it, where their material does."""
    def carrying(self, velocity: _Vector) -> Wall:
        r"""The same with a surface that moves along with this velocity, as a conveyor belt does."""
    def turning(self, spin: _Vector, about: _Vector) -> Wall:
        r"""The same with a surface that turns about an axis through a point, as a drum does."""
    def moving(self) -> Wall:
        r"""The same, going along with its surface from the start on: shifted by the velocity of ``carrying``, turned by the
        spin of ``turning``, as a piston or a paddle. A box may not turn.
        """
    def oscillating(self, amplitude: _Vector, frequency: float, phase: float = 0.0, swing: _Vector = ...) -> Wall:
        r"""The same, shaken: shifted by ``amplitude * (sin(2 pi frequency t + phase) - sin(phase))``, turned by ``swing`` likewise.

        Parameters
        ----------
        amplitude : array_like, shape (D,)
            The furthest shift.
        frequency : float
            Per time.
        phase : float, default 0
            Of the sine at the start.
        swing : array_like, shape (3,), optional
            The furthest turn, as axis times angle, about the point of ``turning``.
        """
    def following(self, times: _Vector, shifts: Sequence[_Vector] | NDArray[np.float64]) -> Wall:
        r"""The same, shifted along a table of times: straight and steady between its rows, at rest before and after.

        Parameters
        ----------
        times : array_like, shape (K,)
            Growing.
        shifts : array_like, shape (K, D)
            From where the wall was put.
        """
    def servo(
        self,
        direction: _Vector,
        force: float | None = None,
        max_speed: float | None = None,
        gain: float | None = None,
        *,
        pressure: float | None = None,
        area: float | None = None,
    ) -> Wall:
        r"""The same, moved along a direction, or back, so that it pushes grains with a force, or with a pressure on an area.

        Parameters
        ----------
        direction : array_like, shape (D,)
            Where it pushes, of any length.
        force : float, optional
            Needed where no pressure is given.
        max_speed : float
        gain : float, optional
            Speed per force that is missing; ``max_speed / force`` by default. It is cut where the wall would ring.
        pressure, area : float, optional
            In place of a force: their product. The area, in the plane a length, is that of the wall that grains push.
        """
    def wearing(self, coefficient: float, hardness: float) -> Wall:
        r"""The same, worn off by grains that slide on it, after Archard: coefficient times normal force times way over hardness."""
    def since(self, time: float) -> Wall:
        r"""The same, with a motion that begins at this time: until then the wall stands."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

_Integrator = Literal["verlet", "plain-verlet", "gear"]
_Materials = int | Sequence[int] | NDArray[np.integer[Any]]
_Held = bool | Sequence[bool] | NDArray[np.bool_]

@final
class Simulation:
    r"""A soft-sphere simulation: grains of every size, with contact laws, walls and gravity.

    Its course is the same, bit for bit, for every method of detection, skin and number of threads, and after
    :meth:`save` and :meth:`resume`. Arrays go by id: grains are numbered from 0 in the order in which they come.

    Parameters
    ----------
    centers : array_like, shape (N, 2) or (N, 3)
    radii : array_like, shape (N,), or float
    materials : Material, or sequence of them
        Numbered from 0.
    velocities : array_like, shape (N, D), optional
        At rest by default.
    spins : array_like, shape (N, 3), optional
        Angular velocities; in the plane only the third component is used, and shape (N,) does, too.
    material : int, or sequence of N ints, default 0
        Of the grains.
    held : bool, or sequence of N bools, default False
        Grains that keep their velocity and spin whatever pushes them.
    shape : int or array_like, shape (N,), optional
        Numbers of the shapes of grains that are polygons, -1 for discs. By default one shape is that of all grains, and as many
        shapes as grains are one for each. The radii of polygons are not used.
    angles : float or array_like, shape (N,), optional
        By which polygons are turned, counter-clockwise.
    clump : int or array_like, shape (N,), optional
        Numbers of the clump shapes of grains that are clumps, -1 for others; by default one clump shape is that of all grains. Each
        member is a grain of its own with an id; the radii of clumps are not used.
    orientations : array_like, shape (N, 4), optional
        How clumps are turned: quaternions, the real part first.
    between : dict of (int, int) to Law, optional
        How two materials push each other, by their numbers. by default, springs act in series, and the smaller
        restitution and friction count.
    domain : Domain, optional
        Periodic axes, or a cell that leans; walls are given apart.
    deformations : sequence of Deformation, optional
        How the periodic box changes its shape, one after the other.
    gravity : array_like, shape (D,), optional
    walls : sequence of Wall, optional
    generators : sequence of Generator, optional
        Where grains come from while the simulation runs.
    outflows : sequence of Outflow, optional
        Where grains leave.
    meters : sequence of Meter, optional
        Where grains that pass are counted.
    time_step, fraction : float, optional
        Its length, or as a share of the shortest contact; a fiftieth of that by default.
    impact_speed : float, optional
        Of the fastest impacts to be expected: for the time step with the law of Hertz.
    integrator : {"verlet", "plain-verlet", "gear"}
    bounds : Domain, optional
        A grain whose center leaves this box stops the simulation with an error.
    method : str, default "auto"
        Of contact detection, as for :func:`multigrain.find_pairs`.
    skin : float or "auto", optional
        Find contacts with a skin, so that one list serves several steps.
    shapes : sequence of Polygon, optional
        In the plane: shapes of grains, numbered from 0.
    clump_shapes : sequence of ClumpShape, optional
        Shapes of clumps, numbered from 0.
    fluid : dict, optional
        A fluid that drags grains along: "viscosity", "density", "velocity", "buoyancy" (bool), and "drag", "stokes" (the default),
        "schiller-naumann", or "linear" with a "coefficient".
    fields : sequence of dict, optional
        Accelerations by place: "acceleration", "gradient" (D rows), "about". Forces of any kind: :meth:`set_forces`.

    Warns
    -----
    RuntimeWarning
        For time steps that are too long for the contacts, grains outside their box, and grains crushed into each other.

    Examples
    --------
    >>> import multigrain as mg
    >>> glass = mg.dem.Material(2500, stiffness=1e4, restitution=0.5)
    >>> floor = mg.dem.Wall.plane([0, 0, 0], [0, 0, 1])
    >>> fall = mg.dem.Simulation([[0, 0, 0.02]], 0.01, glass, walls=[floor], gravity=[0, 0, -9.81])
    >>> fall.run(20_000)
    >>> bool(abs(fall.positions()[0, 2] - 0.01) < 1e-4)
    True
    """
    def __new__(
        cls,
        centers: ArrayLike,
        radii: ArrayLike,
        materials: Material | Sequence[Material],
        *,
        velocities: ArrayLike | None = None,
        spins: ArrayLike | None = None,
        material: _Materials = 0,
        held: _Held = False,
        shape: ArrayLike | None = None,
        angles: ArrayLike | None = None,
        clump: ArrayLike | None = None,
        orientations: ArrayLike | None = None,
        between: dict[tuple[int, int], Law] | None = None,
        domain: Domain | None = None,
        deformations: Sequence[Deformation] = ...,
        gravity: _Vector | None = None,
        walls: Sequence[Wall] = ...,
        generators: Sequence[Generator] = ...,
        outflows: Sequence[Outflow] = ...,
        meters: Sequence[Meter] = ...,
        time_step: float | None = None,
        fraction: float | None = None,
        impact_speed: float | None = None,
        integrator: _Integrator = "verlet",
        bounds: Domain | None = None,
        method: str = "auto",
        skin: float | Literal["auto"] | None = None,
        shapes: Sequence[Polygon] = ...,
        clump_shapes: Sequence[ClumpShape] = ...,
        fluid: dict[str, Any] | None = None,
        fields: Sequence[dict[str, Any]] = ...,
    ) -> Simulation: ...
    @staticmethod
    def resume(
        path: str | os.PathLike[str] | bytes,
        materials: Material | Sequence[Material],
        *,
        dimension: Literal[2, 3] = 3,
        between: dict[tuple[int, int], Law] | None = None,
        domain: Domain | None = None,
        deformations: Sequence[Deformation] = ...,
        gravity: _Vector | None = None,
        walls: Sequence[Wall] = ...,
        generators: Sequence[Generator] = ...,
        outflows: Sequence[Outflow] = ...,
        meters: Sequence[Meter] = ...,
        time_step: float | None = None,
        fraction: float | None = None,
        impact_speed: float | None = None,
        integrator: _Integrator = "verlet",
        bounds: Domain | None = None,
        method: str = "auto",
        skin: float | Literal["auto"] | None = None,
        shapes: Sequence[Polygon] = ...,
        clump_shapes: Sequence[ClumpShape] = ...,
        fluid: dict[str, Any] | None = None,
        fields: Sequence[dict[str, Any]] = ...,
    ) -> Simulation:
        r"""Go on with a saved simulation, bit for bit as if it had never stopped.

        Parameters
        ----------
        path : str, os.PathLike, or bytes
            What :meth:`save` wrote, or the bytes of such a file.
        materials, between, domain, deformations, gravity, walls, generators, outflows, meters, time_step, fraction, impact_speed, integrator, bounds
            As they were given to the simulation; other physics are refused.
        method, skin
            Of contact detection; these may differ.
        dimension : {3, 2}
            Of the simulation.

        Returns
        -------
        Simulation
        """
    def save(self, path: str | os.PathLike[str]) -> None:
        r"""Save everything that changes while the simulation runs, contact history included. The file appears complete or not
        at all.

        Parameters
        ----------
        path : str or os.PathLike
        """
    def step(self) -> None:
        r"""One time step."""
    def run_on(self, comm: Any, steps: int) -> None:
        r"""Run this many time steps on all ranks of an mpi4py communicator, each of which works on a part of space: the bits of a run without
        them. Every rank calls it, with the same simulation, and has all of it afterwards.

        Parameters
        ----------
        comm : mpi4py.MPI.Intracomm
        steps : int
        """
    def run(
        self,
        steps: int,
        callback: Callable[[Simulation], object] | None = None,
        *,
        every: int = 100,
        trajectory: str | os.PathLike[str] | None = None,
        progress: bool = False,
    ) -> None:
        r"""Run this many time steps. Ctrl-C ends it after the current step.

        Parameters
        ----------
        steps : int
        callback : callable, optional
            Called with the simulation every ``every`` steps, and at the end; if it returns False the run ends.
        every : int, default 100
            Steps between two calls, and between two frames of a trajectory.
        trajectory : str or os.PathLike, optional
            A ``.dump`` file that frames are added to, as :meth:`write` does: at the beginning, every ``every`` steps, and at the end.
        progress : bool, default False
            Report progress on standard error.
        """
    def write(self, path: str | os.PathLike[str], *, append: bool = False) -> None:
        r"""Write the grains as they are now, with all that snapshots of ``multigrain simulate`` say of them: ids, velocities, spins, forces, masses,
        contacts, stress, and temperatures, bonds and clumps where there are some.

        Parameters
        ----------
        path : str or os.PathLike
            ``.dump`` for LAMMPS, which OVITO and others read, or ``.vtp`` for ParaView.
        append : bool, default False
            Add a frame to the file, so that it becomes a trajectory; ``.dump`` only.

        Examples
        --------
        >>> import multigrain as mg, os, tempfile
        >>> sim = mg.dem.Simulation([[0, 0], [3, 0]], 1.0, mg.dem.Material(1, stiffness=1e3))
        >>> path = os.path.join(tempfile.mkdtemp(), "run.dump")
        >>> sim.run(30, every=10, trajectory=path)
        >>> open(path).read().count("ITEM: TIMESTEP")
        4
        """
    def positions(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        r"""Centers, shape (N, D), in the order of ids; along periodic axes inside the box.

        Parameters
        ----------
        out : ndarray of float64, shape (N, D), optional
            An array to fill and return instead of a new one.
        """
    def velocities(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        r"""Velocities of the centers, shape (N, D), in the order of ids.

        Parameters
        ----------
        out : ndarray of float64, shape (N, D), optional
            An array to fill and return instead of a new one.
        """
    def spins(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        r"""Angular velocities, shape (N, 3), in the order of ids; in the plane only the third component is used.

        Parameters
        ----------
        out : ndarray of float64, shape (N, 3), optional
            An array to fill and return instead of a new one.
        """
    def forces(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        r"""Forces on the centers, shape (N, D), in the order of ids.

        Parameters
        ----------
        out : ndarray of float64, shape (N, D), optional
            An array to fill and return instead of a new one.
        """
    def torques(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        r"""Torques on the grains, shape (N, 3), in the order of ids; in the plane only the third component is used.

        Parameters
        ----------
        out : ndarray of float64, shape (N, 3), optional
            An array to fill and return instead of a new one.
        """
    def set_positions(self, positions: ArrayLike) -> None:
        r"""Put the grains elsewhere. Contacts that are still there keep what they remember.

        Parameters
        ----------
        positions : array_like, shape (N, D), in the order of ids
        """
    def set_velocities(self, velocities: ArrayLike) -> None:
        r"""Give the grains other velocities.

        Parameters
        ----------
        velocities : array_like, shape (N, D), in the order of ids
        """
    def set_spins(self, spins: ArrayLike) -> None:
        r"""Give the grains other angular velocities.

        Parameters
        ----------
        spins : array_like, shape (N, 3), in the order of ids
            In the plane only the third component is used; there shape (N,) does, too.
        """
    def set_held(self, held: _Held) -> None:
        r"""Hold grains, so that they keep their velocity and spin whatever pushes them, or let them go.

        Parameters
        ----------
        held : bool, or sequence of N bools in the order of ids
        """
    def set_grain_materials(self, material: _Materials) -> None:
        r"""Give the grains other materials; masses follow.

        Parameters
        ----------
        material : int, or sequence of N ints in the order of ids
        """
    def set_forces(
        self,
        forces: ArrayLike | Callable[[float, NDArray[np.float64], NDArray[np.float64]], ArrayLike] | None,
    ) -> None:
        r"""Push the grains with forces of one's own, in every step from now on.

        They add to those of contacts and gravity. They are not saved, and the work that they do is not counted.

        Parameters
        ----------
        forces : array_like, shape (N, D), callable, or None
            The same in every step, in the order of ids; grains that come later have none. Or a function that is called in every step,
            ``forces(time, positions, velocities)``, with arrays in the order of ids, and returns such an array. Or none any more.

        Examples
        --------
        >>> import multigrain as mg, numpy as np
        >>> sim = mg.dem.Simulation([[1, 0]], 0.1, mg.dem.Material(1, stiffness=1e3), time_step=1e-3)
        >>> masses = sim.masses[:, None]
        >>> sim.set_forces(lambda time, positions, velocities: -masses * positions)
        >>> sim.run(1571)
        >>> bool(np.abs(sim.positions()).max() < 1e-3)
        True
        >>> sim.set_forces(None)
        """
    @property
    def gravity(self) -> NDArray[np.float64]:
        r"""Acceleration by gravity, shape (D,). It can be set while the simulation runs.

        Examples
        --------
        >>> import multigrain as mg
        >>> sim = mg.dem.Simulation([[0, 1]], 0.5, mg.dem.Material(1, stiffness=1e3), gravity=[0, -9.81])
        >>> sim.gravity = [0, -1.62]
        >>> sim.gravity
        array([ 0.  , -1.62])
        """
    @gravity.setter
    def gravity(self, gravity: _Vector) -> None: ...
    @property
    def walls(self) -> list[Wall]:
        r"""The walls as they stand now. They can be set while the simulation runs: spins stay, and so do the springs of contacts with
        walls that stay, or that take the place of one of the same shape. Walls that move begin to do so then.

        Examples
        --------
        >>> import multigrain as mg
        >>> floor, sand = mg.dem.Wall.plane([0, 0], [0, 1]), mg.dem.Material(1, stiffness=1e4, restitution=0.5)
        >>> sim = mg.dem.Simulation([[0, 1]], 0.5, sand, walls=[floor], gravity=[0, -9.81])
        >>> sim.run(5000)
        >>> sim.walls = [floor.carrying([1, 0]), mg.dem.Wall.plane([0, 3], [0, -1])]
        >>> sim.walls
        [<Wall: plane in 2D, material 0>, <Wall: plane in 2D, material 0>]
        """
    @walls.setter
    def walls(self, walls: Sequence[Wall]) -> None: ...
    @property
    def materials(self) -> list[Material]:
        r"""The materials, by their numbers. They can be set while the simulation runs; masses follow densities, the time step stays
        what it is.
        """
    @materials.setter
    def materials(self, materials: Material | Sequence[Material]) -> None: ...
    @property
    def angles(self) -> NDArray[np.float64]:
        r"""Angles by which grains are turned, shape (N,), in the order of ids; 0 where there are no polygons."""
    def corners(self) -> list[NDArray[np.float64] | None]:
        r"""Corners of every grain where they are now, in the order of ids: an array of shape (K, 2) each, None for those that are round."""
    @property
    def between(self) -> dict[tuple[int, int], Law]:
        r"""Laws between materials, by their numbers, where they do not follow from the materials. They can be set while the simulation
        runs.
        """
    @between.setter
    def between(self, between: dict[tuple[int, int], Law] | None) -> None: ...
    @property
    def domain(self) -> Domain | None:
        r"""The space as it is now; None where all of it is open."""
    @property
    def integrator(self) -> _Integrator:
        r"""How grains move in one time step."""
    @property
    def method(self) -> str:
        r"""The method of detection."""
    @property
    def skin(self) -> float | Literal["auto"] | None:
        r"""The skin: its width, "auto", or None."""
    @property
    def held(self) -> NDArray[np.bool_]:
        r"""Which grains are held, shape (N,), bool, in the order of ids: these keep their velocity and spin whatever pushes them."""
    @property
    def grain_materials(self) -> NDArray[np.uint16]:
        r"""Numbers of the materials of the grains, shape (N,), uint16, in the order of ids."""
    @property
    def ids(self) -> NDArray[np.uint64]:
        r"""Permanent ids, ascending, shape (N,), uint64."""
    @property
    def radii(self) -> NDArray[np.float64]:
        r"""Radii, shape (N,), in the order of ids."""
    @property
    def masses(self) -> NDArray[np.float64]:
        r"""Masses, shape (N,), in the order of ids."""
    @property
    def time_step(self) -> float:
        r"""Length of a time step."""
    @property
    def steps(self) -> int:
        r"""Steps taken so far."""
    @property
    def time(self) -> float:
        r"""Time simulated so far."""
    @property
    def generated(self) -> int:
        r"""How many grains generators have made so far."""
    @property
    def removed(self) -> int:
        r"""How many grains have flowed out so far."""
    def flows(self) -> dict[str, list[tuple[int, float]]]:
        r"""What came, went and passed so far: a list of ``(grains, mass)`` for each generator (``made``), each outflow (``left``) and each
        meter (``metered``). A clump is one grain.

        Returns
        -------
        dict of str to list of tuple
        """
    @property
    def dissipated(self) -> float:
        r"""Energy that dashpots and sliding friction have taken so far."""
    @property
    def wall_work(self) -> float:
        r"""Energy that moving walls, surfaces that carry or turn, and a box that deforms have given to grains so far."""
    def contacts(self) -> dict[str, NDArray[Any]]:
        r"""Contacts between grains, sorted by ids: a dict of arrays.

        Returns
        -------
        dict
            ``ids`` (M, 2) uint64; ``overlaps`` (M,); ``normals`` (M, D), from the first to the second; ``forces`` (M, D)
            on the second; ``shifts`` (M, D) int32.
        """
    def wall_contacts(self) -> dict[str, NDArray[Any]]:
        r"""Contacts of grains with walls, sorted by id and wall: a dict of arrays.

        Returns
        -------
        dict
            ``ids`` (M,) uint64; ``walls`` (M,) int64, their numbers; ``overlaps`` (M,); ``normals`` (M, D), from the grain to the
            wall; ``forces`` (M, D) on the grain.
        """
    def clumps(self) -> dict[str, NDArray[Any]]:
        r"""All clumps by number: a dict of arrays.

        Returns
        -------
        dict
            ``numbers`` (C,) uint32; ``first_ids`` (C,) uint64, of their first members, those of others follow; ``shapes`` (C,) uint32;
            ``positions`` and ``velocities`` of their centers of mass, (C, D); ``spins`` (C, 3); ``orientations`` (C, 4), quaternions with the real
            part first; ``masses`` (C,); ``forces`` (C, D); ``torques`` (C, 3).
        """
    @property
    def clump_numbers(self) -> NDArray[np.int64]:
        r"""Numbers of the clumps that grains are members of, shape (N,), int64, in the order of ids; -1 for others."""
    @property
    def temperatures(self) -> NDArray[np.float64]:
        r"""Temperatures, shape (N,), in the order of ids; empty where no material conducts heat. They can be set, to one for all or one
        for each.

        Examples
        --------
        >>> import multigrain as mg
        >>> warm = mg.dem.Material(2500, stiffness=1e3, conductivity=20, heat_capacity=500)
        >>> sim = mg.dem.Simulation([[0, 0, 0], [0.0199, 0, 0]], 0.01, warm, held=True, time_step=1e-3)
        >>> sim.temperatures = [400, 300]
        >>> sim.run(1000)
        >>> bool(sim.temperatures[0] < 400 and sim.temperatures[1] > 300)
        True
        """
    @temperatures.setter
    def temperatures(self, temperatures: ArrayLike) -> None: ...
    def bond(self, pairs: ArrayLike | None = None) -> int:
        r"""Bond grains as their law says: those that touch, or lie within its ``bond_gap``. Where they are now they are at rest.

        Parameters
        ----------
        pairs : array_like of int, shape (B, 2), optional
            Ids of those to bond; all that touch by default.

        Returns
        -------
        int
            How many bonds were made.

        Examples
        --------
        >>> import multigrain as mg
        >>> glued = mg.dem.Material(2500, stiffness=1e6, bond_modulus=1e8, bond_strength=1e6, bond_gap=1e-6)
        >>> row = mg.dem.Simulation([[0, 0], [0.02, 0], [0.04, 0]], 0.01, glued)
        >>> row.bond()
        2
        >>> row.run(10)
        >>> row.bonds()["ids"].tolist(), row.bonds_broken
        ([[0, 1], [1, 2]], 0)
        """
    def bonds(self) -> dict[str, NDArray[Any]]:
        r"""Bonds that hold: "ids", shape (B, 2), and "loads", the largest stress in each over what it bears, shape (B,)."""
    @property
    def bonds_broken(self) -> int:
        r"""How many bonds are no more: broken, or gone with their grains."""
    def stress(self) -> NDArray[np.float64]:
        r"""Mean stress in the box now, shape (D, D), by Love and Weber: contacts between grains, and motion beside the flow of the box.
        Pressure is positive; walls are not in it.
        """
    def stresses(self) -> NDArray[np.float64]:
        r"""Stress of each grain, shape (N, D, D), in the order of ids, pressure positive: of its contacts with others and with walls, and of its
        motion, over its volume. Members of a clump have that of the whole clump.
        """
    @property
    def velocity_gradient(self) -> NDArray[np.float64] | None:
        r"""Velocity gradient of the box now, shape (D, D); None for a box that does not deform."""
    @property
    def strain(self) -> NDArray[np.float64] | None:
        r"""The velocity gradient of the box summed over time, shape (D, D); None for a box that does not deform."""
    def wall_forces(self) -> NDArray[np.float64]:
        r"""Force of all grains on each wall now, shape (W, D)."""
    def wall_shifts(self) -> NDArray[np.float64]:
        r"""How far every wall is shifted from where it was put, shape (W, D)."""
    def wall_wear(self) -> NDArray[np.float64]:
        r"""Volume that each wall has lost by wear so far, shape (W,)."""
    def face_wear(self, wall: int) -> NDArray[np.float64]:
        r"""Volume that each face of a wall has lost by wear so far, in the order of its faces; empty where no wall wears off.

        Parameters
        ----------
        wall : int
            Its number.
        """
    @property
    def largest_overlap(self) -> float:
        r"""The largest overlap now, of grains with each other or with walls, as a share of the smaller radius."""
    def wall_torques(self) -> NDArray[np.float64]:
        r"""Torque of all grains on each wall now, shape (W, 3), about the point that it turns about, or the origin."""
    def energies(self) -> dict[str, float]:
        r"""Energies now.

        Returns
        -------
        dict of str to float
            ``translational``, ``rotational``, ``elastic`` and ``gravitational``.
        """
    def add(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        *,
        velocities: ArrayLike | None = None,
        spins: ArrayLike | None = None,
        material: _Materials = 0,
        held: _Held = False,
        shape: ArrayLike | None = None,
        angles: ArrayLike | None = None,
        clump: ArrayLike | None = None,
        orientations: ArrayLike | None = None,
    ) -> NDArray[np.uint64]:
        r"""Add grains, which are pushed from the next step on where they overlap others.

        Parameters
        ----------
        centers : array_like, shape (N, D)
        radii : array_like, shape (N,), or float
        velocities : array_like, shape (N, D), optional
        spins : array_like, shape (N, 3), optional
        material : int, or sequence of N ints, default 0
        held : bool, or sequence of N bools, default False
        shape : int or array_like, optional
            Numbers of their shapes; round by default.
        angles : float or array_like, optional
        clump : int or array_like, optional
            Numbers of their clump shapes; none by default.
        orientations : array_like, shape (N, 4), optional

        Returns
        -------
        ndarray of uint64, shape (N,)
            Their ids.

        Examples
        --------
        >>> import multigrain as mg
        >>> glass = mg.dem.Material(1, stiffness=1e3)
        >>> gas = mg.dem.Simulation([[0, 0], [3, 0]], 1.0, glass)
        >>> gas.add([[6.0, 0.0]], 1.0, velocities=[[-1.0, 0.0]])
        array([2], dtype=uint64)
        >>> gas.remove([0])
        >>> gas.ids
        array([1, 2], dtype=uint64)
        """
    def remove(self, ids: int | Sequence[int] | NDArray[np.integer[Any]]) -> None:
        r"""Remove the grains with these ids; none of them where one is unknown or named twice.

        Parameters
        ----------
        ids : int, or sequence of ints
        """
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Polygon:
    r"""A convex polygon somewhere in the plane.

    Parameters
    ----------
    corners : array_like, shape (K, 2)
        In order around the polygon, in either sense.

    Examples
    --------
    >>> import multigrain as mg
    >>> square = mg.polygons.Polygon([[0, 0], [2, 0], [2, 2], [0, 2]])
    >>> square.area, square.position
    (4.0, array([1., 1.]))
    >>> moved = square.at([5, 1.5])
    >>> mg.polygons.closest_features(square, moved).distance
    2.0
    """
    def __new__(cls, corners: ArrayLike) -> Polygon: ...
    def at(self, position: _Vector, angle: float = 0.0) -> Polygon:
        r"""The same polygon with its centroid at another place, turned by an angle from how it was made.

        Parameters
        ----------
        position : (float, float)
        angle : float, default 0.0
            In radians, counter-clockwise.
        """
    @property
    def corners(self) -> NDArray[np.float64]:
        r"""Corners where they are now, counter-clockwise, shape (K, 2)."""
    @property
    def position(self) -> NDArray[np.float64]:
        r"""Where the centroid is, shape (2,)."""
    @property
    def angle(self) -> float:
        r"""By how much it is turned, in radians."""
    @property
    def area(self) -> float:
        r"""Area."""
    @property
    def inertia(self) -> float:
        r"""Second moment of area about the centroid."""
    @property
    def radius(self) -> float:
        r"""Radius of the circle around the centroid that holds it: what a search for contacts takes."""
    def contains(self, point: _Vector) -> bool:
        r"""Whether a point is inside or on the border."""
    def __len__(self) -> int: ...

@final
class Features:
    r"""One feature of each of two polygons: what makes the next call short. Any value is right."""
    @property
    def a(self) -> tuple[Literal["vertex", "edge"], int]:
        r"""Of the first polygon: ("vertex" or "edge", index)."""
    @property
    def b(self) -> tuple[Literal["vertex", "edge"], int]:
        r"""Of the second polygon: ("vertex" or "edge", index)."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Closest:
    r"""How close two polygons are, and where."""
    @property
    def distance(self) -> float:
        r"""Distance; 0 where the polygons overlap."""
    @property
    def points(self) -> NDArray[np.float64]:
        r"""The closest point of each, shape (2, 2); where they overlap, twice a point of both."""
    @property
    def contact(self) -> Literal["apart", "crossing", "nested"]:
        r"""How they lie: "apart", "crossing" (boundaries cross) or "nested"."""
    @property
    def features(self) -> Features:
        r"""The corners or edges that hold the points: to be passed to the next call."""
    @property
    def steps(self) -> int:
        r"""Pairs of features looked at."""

@final
class Overlap:
    r"""What two polygons have in common, as forces need it."""
    @property
    def area(self) -> float:
        r"""Area of the common part."""
    @property
    def centroid(self) -> NDArray[np.float64]:
        r"""Its centroid, shape (2,)."""
    @property
    def line(self) -> NDArray[np.float64]:
        r"""The contact line, shape (2, 2): from one crossing of the boundaries to the other."""
    @property
    def normal(self) -> NDArray[np.float64]:
        r"""Unit vector across the contact line, from the first to the second, shape (2,)."""
    @property
    def depth(self) -> float:
        r"""How far the common part reaches along the normal."""
    @property
    def crossings(self) -> int:
        r"""How often the boundaries cross; 0 where one is inside the other."""
    @property
    def polygon(self) -> NDArray[np.float64]:
        r"""Corners of the common part, counter-clockwise, shape (K, 2)."""

def closest_features(a: Polygon, b: Polygon, features: Features | None = None) -> Closest:
    r"""The distance of two convex polygons, and the corners or edges that are closest.

    Parameters
    ----------
    a, b : Polygon
    features : Features, optional
        Those of an earlier call for the same two: where they have moved little since, a step or two is all it takes.

    Returns
    -------
    Closest

    Examples
    --------
    >>> import multigrain as mg
    >>> square = mg.polygons.Polygon([[0, 0], [2, 0], [2, 2], [0, 2]])
    >>> found = mg.polygons.closest_features(square, square.at([5, 1]))
    >>> found.distance, found.contact
    (2.0, 'apart')
    >>> mg.polygons.closest_features(square, square.at([5.1, 1]), found.features).steps
    1
    """
def overlap(a: Polygon, b: Polygon, features: Features | None = None) -> Overlap | None:
    r"""The common part of two convex polygons, or None where they do not overlap.

    Parameters
    ----------
    a, b : Polygon
    features : Features, optional
        Those that :func:`closest_features` gave for the two as they lie now; any other value is right too.

    Returns
    -------
    Overlap or None

    Examples
    --------
    >>> import multigrain as mg
    >>> square = mg.polygons.Polygon([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    >>> common = mg.polygons.overlap(square, square.at([0.5, 1.5]))
    >>> common.area, common.centroid, common.polygon.shape
    (0.75, array([0.25, 0.75]), (4, 2))
    """
def _find_pairs_on_ranks(
    comm: Any,
    centers: ArrayLike,
    radii: ArrayLike,
    method: str = "auto",
    margin: float = 0.0,
    domain: Domain | None = None,
) -> tuple[NDArray[np.uint64], NDArray[np.int32] | None]: ...
def find_pairs(
    centers: ArrayLike,
    radii: ArrayLike,
    method: str = "auto",
    margin: float = 0.0,
    domain: Domain | None = None,
    *,
    cell_sizes: Sequence[float] | NDArray[np.float64] | None = None,
    levels: int | None = None,
    direction: _Direction | None = None,
    factor: float | None = None,
    groups: ArrayLike | None = None,
) -> Pairs:
    r"""Every touching pair of spheres (or discs), exactly once.

    Two bodies touch where the gap between them is below the margin: ``|x_j - x_i| < r_i + r_j + margin``.

    Parameters
    ----------
    centers : array_like, shape (N, 2) or (N, 3)
        C-contiguous float64 is used without a copy; anything else is converted once. It must not be written to by
        another thread while the search runs.
    radii : array_like, shape (N,), or float
        A single number is the radius of all.
    method : str, default "auto"
        One of :func:`methods`. All give the same pairs, in orders of their own.
    margin : float, default 0.0
        Gap below which bodies count as touching.
    domain : Domain, optional
        Box with periodic axes; without one space is open.
    cell_sizes : array_like, optional
        Cell sizes of the levels, ascending, for ``hgrid`` and ``hgrid-cells``.
    levels : int, optional
        Number of levels instead, for the same methods.
    direction : {"top-down", "bottom-up"}, optional
        Which of two bodies on different levels searches for the other, for the same methods.
    factor : float, optional
        Factor between groups of sizes, for ``mmr``.
    groups : array_like of int, shape (N,), optional
        Bodies of one group are never a pair, as elements of one mesh or spheres of one clump.

    Returns
    -------
    Pairs
        M contacts; ``pairs.array`` is (M, 2) uint32 with i < j, or i = j for a body that touches its own image.

    Raises
    ------
    ValueError
        For values that cannot be searched, such as NaN or a negative radius; the message names the particle.
    TypeError
        For arrays that are not of real numbers.

    Examples
    --------
    >>> import multigrain as mg
    >>> pairs = mg.find_pairs([[0, 0, 0], [1.5, 0, 0], [9, 0, 0]], [1.0, 0.8, 2.0])
    >>> pairs.array
    array([[0, 1]], dtype=uint32)
    >>> mg.find_pairs([[0, 0], [2.5, 0]], 1.0, margin=0.6).array
    array([[0, 1]], dtype=uint32)
    """
def find_pairs_between(
    a_centers: ArrayLike,
    a_radii: ArrayLike,
    b_centers: ArrayLike,
    b_radii: ArrayLike,
    method: str = "auto",
    margin: float = 0.0,
    domain: Domain | None = None,
) -> Pairs:
    r"""Every touching pair of a body of one set and a body of another; none within a set.

    Parameters
    ----------
    a_centers, b_centers : array_like, shape (N, D) and (M, D)
    a_radii, b_radii : array_like, shape (N,) and (M,), or float
    method, margin, domain
        As for :func:`find_pairs`.

    Returns
    -------
    Pairs
        Sorted; ``pairs.i`` counts the bodies of the first set, ``pairs.j`` those of the second, and shifts belong to j.

    Examples
    --------
    >>> import multigrain as mg
    >>> pairs = mg.find_pairs_between([[0, 0], [0.5, 0], [9, 0]], 0.5, [[9.4, 0], [0.9, 0]], 0.1)
    >>> pairs.array
    array([[1, 1],
           [2, 0]], dtype=uint32)
    >>> pairs.distances
    array([0.4, 0.4])
    """
def find_pairs_each(systems: Sequence[System], method: str = "auto", margin: float = 0.0) -> list[Pairs]:
    r"""The touching pairs of each of many systems: systems are shared among threads, so that many small ones take less time than in a
    loop.

    Parameters
    ----------
    systems : sequence of System
        Each in its own domain; in the plane or in space.
    method, margin
        As for :func:`find_pairs`.

    Returns
    -------
    list of Pairs
        In the order of the systems.

    Examples
    --------
    >>> import multigrain as mg
    >>> systems = [mg.pack(law="mono", count=100, packing_fraction=0.5, seed=seed) for seed in range(8)]
    >>> found = mg.find_pairs_each(systems)
    >>> len(found), found[3] == systems[3].find_pairs()
    (8, True)
    """
def find_box_pairs(
    lo: ArrayLike, hi: ArrayLike, domain: Domain | None = None
) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    r"""Every pair of overlapping bounding boxes along the axes, by ``sort-and-update``: for bodies of any shape. Boxes that touch
    overlap.

    Parameters
    ----------
    lo, hi : array_like, shape (N, D)
        Lower and upper corners.
    domain : Domain, optional
        Not a sheared one.

    Returns
    -------
    indices : array, shape (M, 2), uint32
        Sorted, i < j, or i = j for a box that overlaps its own image.
    shifts : array, shape (M, D), int32
        How many periods the image of j lies from j.

    Examples
    --------
    >>> import multigrain as mg
    >>> indices, shifts = mg.find_box_pairs([[0, 0], [2, 1], [0.5, 3]], [[2, 1], [3, 2], [9, 4]])
    >>> indices
    array([[0, 1]], dtype=uint32)
    """
def count_work(
    centers: ArrayLike,
    radii: ArrayLike,
    method: str = "auto",
    margin: float = 0.0,
    domain: Domain | None = None,
    *,
    cell_sizes: Sequence[float] | NDArray[np.float64] | None = None,
    levels: int | None = None,
    direction: _Direction | None = None,
    factor: float | None = None,
    groups: ArrayLike | None = None,
) -> Work:
    r"""Count the work of a search: the same on any machine and for any number of threads.

    Parameters
    ----------
    centers, radii, method, margin, domain, cell_sizes, levels, direction, factor, groups
        As for :func:`find_pairs`.

    Returns
    -------
    Work
        Candidate pairs tested, cells looked up, contacts found.

    Examples
    --------
    >>> import multigrain as mg
    >>> work = mg.count_work([[0, 0, 0], [1.5, 0, 0], [9, 0, 0]], [1.0, 0.8, 2.0], method="brute-force")
    >>> work
    Work(candidates=3, cells=0, contacts=1)
    """
def methods() -> dict[str, str]:
    r"""Every method by name, with one line on what it is.

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> import multigrain as mg
    >>> list(mg.methods())[:4]
    ['auto', 'brute-force', 'linked-cell', 'hgrid']
    """
def _detector_of(
    method: str, cell_sizes: Any, levels: int | None, direction: str | None, factor: float | None, variant: Any, skin: Any
) -> Detector: ...
def _domain_of(cell: ArrayLike, origin: ArrayLike, periodic: _Axes) -> Domain: ...
def _pairs_changed(now: Pairs, before: Pairs) -> tuple[Pairs, Pairs]: ...
def _neighbor_list(
    quantities: str,
    positions: ArrayLike,
    cell: ArrayLike | None = None,
    pbc: _Axes | None = None,
    radii: ArrayLike | None = None,
    *,
    cutoff: ArrayLike | None = None,
    full: bool = True,
    sorted: bool = True,
    dtype: DTypeLike | None = None,
    index_dtype: DTypeLike | None = None,
) -> NDArray[Any] | tuple[NDArray[Any], ...]: ...
def tune(
    radii: ArrayLike | None = None,
    packing_fraction: float = 0.6,
    *,
    law: _Law | None = None,
    exponent: float | None = None,
    ratio: float | None = None,
    sigma: float | None = None,
    dimension: Literal[2, 3] = 3,
    distribution: Literal["optimal", "linear", "exponential", "constant"] = "optimal",
    levels: int | None = None,
    direction: _Direction = "top-down",
    k: float = 0.2,
    per_cell_ratio: float | None = None,
) -> Tuning:
    r"""Find the levels of a hierarchical grid that need the least predicted work.

    Work is that of the papers' cost model, which ``hgrid-cells`` counts: candidate pairs, plus k times the cells looked
    at, per particle, for particles at random places. :class:`HierarchicalGrid` has a model of its own:
    ``HierarchicalGrid.tuned_for``.

    Parameters
    ----------
    radii : array_like, shape (N,), optional
        Sizes of the particles.
    packing_fraction : float, default 0.6
        Volume of the particles over volume of the space.
    law, exponent, ratio, sigma : optional
        A size law instead of radii, as for :func:`pack`.
    dimension : {3, 2}
    distribution : {"optimal", "linear", "exponential", "constant"}
        How cell sizes follow one another: least work of all, equal steps, equal ratios, or particles per cell in the
        constant ratio ``per_cell_ratio``.
    levels : int, optional
        Number of levels; by default the one with the least work.
    direction : {"top-down", "bottom-up"}
    k : float, default 0.2
        Cost of looking at a cell over that of testing a pair.
    per_cell_ratio : float, default 1.0
        With ``distribution="constant"``.

    Returns
    -------
    Tuning

    Examples
    --------
    >>> import multigrain as mg
    >>> tuning = mg.tune(law="power", exponent=-3, ratio=100, packing_fraction=0.7)
    >>> tuning.levels, round(tuning.work, 2)
    (8, 11.57)
    >>> mg.tune([1.0, 1.0, 5.0], packing_fraction=0.6).cell_sizes.round(2)
    array([ 4.03, 10.  ])
    """
@overload
def pack(
    *,
    law: _Law | None = None,
    exponent: float | None = None,
    ratio: float | None = None,
    sigma: float | None = None,
    count: int | None = None,
    radii: ArrayLike | None = None,
    packing_fraction: float | None = None,
    dimension: Literal[2, 3] = 3,
    placement: Literal["random", "lattice", "growth"] = "random",
    spacing: Sequence[float] | NDArray[np.float64] | None = None,
    periodic: _Axes | None = None,
    seed: int = 1,
    clump: None = None,
    upright: bool = False,
) -> System:
    r"""Make a particle system: sizes from a law or from an array, places at random, on a lattice, or by growth without
    overlap. The same seed gives the same system for ever.

    Parameters
    ----------
    law : {"mono", "uniform", "power", "bidisperse", "log-normal"}, optional
        Distribution of the radii, whose smallest is 1: all the same; equally frequent up to ``ratio``; density
        r**exponent up to ``ratio``; two sizes 1 and ``ratio`` of equal total volumes; normal in ln r.
    exponent, ratio, sigma : float, optional
        Parameters of the law: exponent of the density, largest radius over smallest, standard deviation of ln r.
    count : int, optional
        Number of particles; with a law.
    radii : array_like, shape (N,), optional
        Sizes instead of a law; they are shuffled.
    packing_fraction : float, optional
        Volume of the particles over volume of the box.
    dimension : {3, 2}
    placement : {"random", "lattice", "growth"}
        At random, overlaps allowed; on a cubic lattice; or grown from random points as hard spheres that collide, between
        walls on axes that are not periodic, which gives no overlaps and takes a while.
    spacing : array_like, shape (D,), optional
        Of a lattice, in units of the largest diameter, instead of the packing fraction.
    periodic : bool, sequence of bools, or str, default False
        Periodic axes of the box, as for :class:`Domain`.
    seed : int, default 1
    clump : dem.ClumpShape, optional
        Grains are clumps of this shape, each in a sphere of the system: sizes are those of the spheres around clumps, the packing fraction
        is that of the clumps.
    upright : bool, default False
        Whether clumps lie as their shape has them; turned at random otherwise.

    Returns
    -------
    System
        With ``clump`` a dict, arguments of :class:`multigrain.dem.Simulation`: ``centers``, ``radii``, ``clump``, ``clump_shapes`` (one for each
        size), ``orientations``, ``domain``.

    Examples
    --------
    >>> import multigrain as mg
    >>> system = mg.pack(law="power", exponent=-3, ratio=50, count=1000, packing_fraction=0.6, periodic="xyz")
    >>> system.centers.shape, system.radii.shape
    ((1000, 3), (1000,))
    >>> round(system.packing_fraction, 12)
    0.6
    >>> pair = mg.dem.ClumpShape([[0, 0, 0], [1.2, 0, 0]], 1.0)
    >>> clumps = mg.pack(law="mono", count=50, packing_fraction=0.2, placement="growth", periodic="xyz", clump=pair)
    >>> sim = mg.dem.Simulation(**clumps, materials=mg.dem.Material(1, stiffness=1e3))
    >>> len(sim.clumps()["positions"]), len(sim)
    (50, 100)
    """
@overload
def pack(
    *,
    law: _Law | None = None,
    exponent: float | None = None,
    ratio: float | None = None,
    sigma: float | None = None,
    count: int | None = None,
    radii: ArrayLike | None = None,
    packing_fraction: float | None = None,
    dimension: Literal[2, 3] = 3,
    placement: Literal["random", "lattice", "growth"] = "random",
    spacing: Sequence[float] | NDArray[np.float64] | None = None,
    periodic: _Axes | None = None,
    seed: int = 1,
    clump: ClumpShape,
    upright: bool = False,
) -> dict[str, Any]: ...
def read(path: str | os.PathLike[str], frame: int = 0) -> System | Contacts:
    r"""Read a particle system: ``.csv`` (columns x, y, [z,] r), ``.npy``, extended ``.xyz``, a LAMMPS dump or ``.vtp``, recognized by
    extension and content, also compressed (``.gz``, ``.zst``). Lists of contacts are read too.

    Parameters
    ----------
    path : str or os.PathLike
    frame : int, default 0
        Of a file with several frames; -1 is the last.

    Returns
    -------
    System or Contacts
        Particles, with the domain of the file where it has one; contacts where the file is a list of them.

    Raises
    ------
    OSError
        Where the file cannot be opened.
    ValueError
        Where it cannot be understood; the message names line and column.

    Examples
    --------
    >>> import multigrain as mg, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "grains.xyz")
    >>> mg.write(path, mg.pack(law="mono", count=10, packing_fraction=0.3, periodic="xy"))
    >>> mg.read(path).domain.periodic
    (True, True, False)
    """
def analyze(
    system: System | ArrayLike,
    radii: ArrayLike | None = None,
    domain: Domain | None = None,
    *,
    velocities: ArrayLike | None = None,
    pairs: Pairs | None = None,
    forces: ArrayLike | None = None,
    wall_contacts: ArrayLike | None = None,
    stiffness: float | None = None,
    margin: float = 0.0,
    axis: int | None = None,
    bins: int = 40,
) -> dict[str, Any]:
    r"""Analyze grains and their contacts: coordination, fabric and stress tensors, pair correlation, profiles, forces, segregation.

    The box is that of the domain along periodic axes; along others it reaches from the lowest to the highest point of the grains.

    Parameters
    ----------
    system : System
        Or centers, as for :func:`find_pairs`, followed by radii.
    radii : array_like, shape (N,), or float, optional
        With centers.
    domain : Domain, optional
        With centers.
    velocities : array_like, shape (N, D), optional
        For velocity and granular temperature in the profile.
    pairs : Pairs, optional
        Contacts; by default all with a gap below ``margin``.
    forces : array_like, shape (M, D), optional
        With ``pairs``: force of each on its second body, for the stress.
    wall_contacts : array_like of int, shape (N,), optional
        Contacts of each grain with walls, which coordination counts too.
    stiffness : float, optional
        Instead of forces: linear springs that push with the overlap times this.
    margin : float, default 0.0
    axis : int, optional
        Of the profile; the last by default.
    bins : int, default 40
        Of profile and histograms.

    Returns
    -------
    dict
        ``packing_fraction``, ``contacts``, ``coordination`` (``mean``, ``mechanical``, ``rattlers``, ``of_grain``, ``histogram``),
        ``fabric`` (``tensor``, ``eigenvalues``, ``anisotropy``), ``stress`` (``tensor``, ``eigenvalues``, ``pressure``, ``shear``),
        ``forces`` (``mean``, ``max``, ``strong_share``, ``force_over_mean``, ``density``), ``pair_correlation`` (``r``, ``g``),
        ``profile`` (``from``, ``to``, ``packing_fraction`` and so on), ``segregation`` (for each axis). What is not known is None.

    Examples
    --------
    >>> import multigrain as mg
    >>> system = mg.pack(law="mono", count=200, packing_fraction=0.6, placement="growth", periodic="xyz")
    >>> found = mg.analyze(system, margin=0.05, stiffness=1000.0)
    >>> round(found["packing_fraction"], 6), found["coordination"]["mean"] > 2
    (0.6, True)
    >>> found["fabric"]["tensor"].shape, found["stress"]["pressure"] >= 0
    ((3, 3), True)
    """
def view(
    system: System | ArrayLike | str | os.PathLike[str] | Sequence[System | str | os.PathLike[str]],
    radii: ArrayLike | None = None,
    domain: Domain | None = None,
    *,
    columns: dict[str, ArrayLike] | None = None,
    contacts: bool | None = None,
    title: str | None = None,
    height: int = 600,
) -> View:
    r"""Show particles: an interactive page to be turned, cut and colored, as `multigrain view` writes it.

    Parameters
    ----------
    system : System, path, or list of these
        Or centers, as for :func:`find_pairs`, followed by radii. A path is that of a particle file, all frames of which are shown; of
        a list each is a frame.
    radii : array_like, shape (N,), or float, optional
        With centers.
    domain : Domain, optional
        With centers.
    columns : dict of str to array_like, shape (N,), optional
        Numbers to color by.
    contacts : bool, optional
        Whether contacts are shown; by default up to some hundred thousand grains.
    title : str, optional
    height : int, default 600
        Of the page in a notebook, in pixels.

    Returns
    -------
    View
        Shown by notebooks; ``save(path)`` writes it to a file.

    Examples
    --------
    >>> import multigrain as mg, os, tempfile
    >>> page = mg.view([[0, 0, 0], [1.5, 0, 0]], [1.0, 0.8], columns={"charge": [1.0, -1.0]})
    >>> page
    <View: 2 particles, ... MB>
    >>> page.save(os.path.join(tempfile.mkdtemp(), "page.html"))
    """
@overload
def write(
    path: str | os.PathLike[str], system: System, radii: None = None, domain: None = None
) -> None:
    r"""Write a particle system in the format of the extension: ``.csv``, ``.npy``, ``.xyz``, ``.dump``, ``.lammpstrj`` or
    ``.vtp``, compressed where ``.gz`` or ``.zst`` follows, or ``.h5`` where the package was built with HDF5. The file appears complete or not at all.

    Parameters
    ----------
    path : str or os.PathLike
    system : System
        Or centers, as for :func:`find_pairs`, followed by radii.
    radii : array_like, shape (N,), or float, optional
        With centers.
    domain : Domain, optional
        With centers; kept by ``.xyz``, dumps and ``.vtp`` alone.

    Raises
    ------
    OSError
        Where the file cannot be written.

    Warns
    -----
    UserWarning
        Where the box is periodic and the format does not keep it.

    Examples
    --------
    >>> import multigrain as mg, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "grains.csv")
    >>> mg.write(path, [[0.5, 1.0], [2.0, 3.0]], [0.25, 0.5])
    >>> print(open(path).read(), end="")
    x,y,r
    0.5,1,0.25
    2,3,0.5
    """
@overload
def write(
    path: str | os.PathLike[str], system: ArrayLike, radii: ArrayLike, domain: Domain | None = None
) -> None: ...
def threads() -> int:
    r"""Number of threads that searches share.

    Examples
    --------
    >>> import multigrain as mg
    >>> mg.threads() >= 1
    True
    """
def set_threads(count: int) -> None:
    r"""Choose how many threads searches share; 0 means one per core, which is the default. Results never depend on it.

    Parameters
    ----------
    count : int
        Number of threads, 0 for all cores.

    Examples
    --------
    >>> import multigrain as mg
    >>> mg.set_threads(2)
    >>> mg.threads()
    2
    >>> mg.set_threads(0)
    """
def _neighbor_table_of(parts: tuple[Any, ...]) -> NeighborTable: ...
def _pairs_of(parts: tuple[Any, ...]) -> Pairs: ...
def _polygon_of(corners: Any, position: tuple[float, float], angle: float) -> Polygon: ...
def _closest_of(distance: float, points: Any, contact: str, features: Features, steps: int) -> Closest: ...
def _contacts_of(count: int, columns: Any) -> Contacts: ...
def _features_of(a: tuple[str, int], b: tuple[str, int]) -> Features: ...
def _overlap_of(parts: tuple[Any, ...], polygon: NDArray[np.float64]) -> Overlap: ...
def _tuning_of(parts: tuple[Any, ...]) -> Tuning: ...
def _view_of(html: str, notes: list[str], frames: int, particles: int, height: int) -> View: ...
def _work_of(candidates: int, cells: int, contacts: int) -> Work: ...
def _seconds_in_rust(centers: ArrayLike, radii: ArrayLike) -> float: ...
