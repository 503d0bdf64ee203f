"""``Changes``: which pairs began and ended from call to call. ``nearest``: one call for the nearest bodies."""

from typing import Any, Literal

from numpy.typing import ArrayLike

from ._core import Detector, Domain, HierarchicalGrid, Pairs, Queries, _pairs_changed


class Changes:
    """Which pairs are new and which are gone since the last call. Body i is taken to be body i of the last call.

    Pairs are distinguished by their two bodies and the shift between them. In a periodic domain a body that is brought back
    into the box changes the shifts of its pairs; where that should not count, give positions that are not wrapped.

    Parameters
    ----------
    detector : Detector, HierarchicalGrid or str, default "auto"
        What searches; a name is one of :func:`methods`.

    Examples
    --------
    >>> import multigrain as mg
    >>> contacts = mg.Changes("sort-and-update")
    >>> contacts.update([[0, 0], [1.5, 0], [4, 0]], 1.0)
    <Pairs: 1 contacts of 3 particles in 2D>
    >>> pairs = contacts.update([[0, 0], [2.5, 0], [4, 0]], 1.0)
    >>> list(contacts.begun), list(contacts.ended)
    ([(1, 2)], [(0, 1)])
    """

    __slots__ = ("_begun", "_detector", "_ended", "_pairs")

    def __init__(self, detector: Detector | HierarchicalGrid | str = "auto") -> None:
        self._detector = Detector(detector) if isinstance(detector, str) else detector
        self._pairs: Pairs | None = None
        self._begun: Pairs | None = None
        self._ended: Pairs | None = None

    @property
    def pairs(self) -> Pairs:
        """All pairs of the last call, sorted by (i, j, shift)."""
        return _there(self._pairs)

    @property
    def begun(self) -> Pairs:
        """Pairs that the call before did not have, sorted."""
        return _there(self._begun)

    @property
    def ended(self) -> Pairs:
        """Pairs of the call before that are gone, sorted; their distances are those of then."""
        return _there(self._ended)

    def update(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        margin: float = 0.0,
        domain: Domain | None = None,
        *,
        groups: ArrayLike | None = None,
    ) -> Pairs:
        """Find the pairs, and what changed since the last call.

        Parameters
        ----------
        centers, radii, margin, domain, groups
            As for :func:`find_pairs`.

        Returns
        -------
        Pairs
            All pairs, sorted by (i, j, shift); also in ``pairs``.
        """
        now = self._detector.find_pairs(centers, radii, margin, domain, groups=groups).sorted()
        before = self._pairs
        if before is None or before.shifts.shape[1] != now.shifts.shape[1]:
            self._begun, self._ended = now, now[:0] if before is None else before
        else:
            self._begun, self._ended = _pairs_changed(now, before)
        self._pairs = now
        return now

    def __repr__(self) -> str:
        return f"Changes({self._detector!r})"


def _there(pairs: Pairs | None) -> Pairs:
    if pairs is None:
        raise ValueError("nothing was searched yet: call update first")
    return pairs


def nearest(
    points: ArrayLike,
    centers: ArrayLike,
    k: int = 1,
    *,
    radii: ArrayLike | None = None,
    domain: Domain | None = None,
    to: Literal["center", "surface"] = "center",
    max_distance: float | None = None,
    images: bool = True,
    return_shifts: bool = False,
) -> Any:
    """The k bodies nearest to each point. For many calls on the same bodies make a :class:`Queries`.

    Parameters
    ----------
    points : array_like, shape (Q, D)
    centers : array_like, shape (N, D)
    k : int, default 1
    radii : array_like, shape (N,), or float, optional
        Of the bodies, for distances to their surfaces.
    domain : Domain, optional
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

    Examples
    --------
    >>> import multigrain as mg
    >>> mg.nearest([[0.2, 0], [2.6, 0]], [[0, 0], [1, 0], [3, 0]], k=2)
    (array([[0.2, 0.8],
           [0.4, 1.6]]), array([[0, 1],
           [2, 1]]))
    """
    bodies = Queries(centers, radii, domain=domain)
    return bodies.nearest(points, k, to, max_distance=max_distance, images=images, return_shifts=return_shifts)
