"""Pictures of particle systems and of work, on matplotlib (``pip install '.[plot]'`` in the checkout)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ._core import Domain, Pairs, System, count_work, methods

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["system", "work"]

# Methods whose candidates grow with the square of the number of particles, and from where on they are left out.
_MAX_BY_BRUTE_FORCE = 20_000


def system(
    centers: ArrayLike | System,
    radii: ArrayLike | None = None,
    *,
    domain: Domain | None = None,
    pairs: Pairs | None = None,
    ax: Axes | None = None,
    cmap: str = "viridis",
) -> Axes:
    """Draw particles as circles, colored by radius, and contacts as lines between centers.

    Systems in space are seen along z, the nearest particles on top.

    Parameters
    ----------
    centers : array_like, shape (N, 2) or (N, 3), or System
    radii : array_like, shape (N,), or float
        Left out with a System.
    domain : Domain, optional
        Its box is drawn, periodic sides dashed; that of a System by default.
    pairs : Pairs, optional
        Contacts of these particles, as found by :func:`multigrain.find_pairs`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    cmap : str, default "viridis"
        Colors from the smallest radius to the largest.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import multigrain as mg
    >>> grains = mg.pack(law="uniform", ratio=5, count=200, packing_fraction=0.5, dimension=2, periodic="xy")
    >>> ax = mg.plot.system(grains, pairs=grains.find_pairs())
    >>> ax.get_aspect()
    1.0
    """
    plt = _matplotlib()
    from matplotlib.collections import EllipseCollection, LineCollection
    from matplotlib.colors import LogNorm, Normalize

    particles = _particles(centers, radii, domain)
    domain = domain if domain is not None else particles.domain
    points, sizes = particles.centers, particles.radii
    ax = ax if ax is not None else plt.subplots(figsize=(7, 6), layout="constrained")[1]
    order = np.argsort(points[:, 2], kind="stable") if particles.dimension == 3 else np.argsort(-sizes, kind="stable")
    spread = len(sizes) > 0 and 0 < sizes.min() < sizes.max()
    colors = EllipseCollection(
        2 * sizes[order],
        2 * sizes[order],
        np.zeros(len(sizes)),
        units="xy",
        offsets=points[order, :2],
        offset_transform=ax.transData,
        array=sizes[order],
        norm=LogNorm() if spread else Normalize(),
        cmap=cmap,
        edgecolors="black",
        linewidths=0.3,
        alpha=1.0 if particles.dimension == 3 else 0.8,
    )
    ax.add_collection(colors)
    if pairs is not None and len(pairs):
        start = points[pairs.array[:, 0], :2]
        ends = start + pairs.vectors[:, :2]
        ax.add_collection(LineCollection(list(np.stack([start, ends], axis=1)), colors="crimson", linewidths=0.8, zorder=3))
    _frame(ax, points, sizes, domain)
    if spread:
        bar = ax.figure.colorbar(colors, ax=ax, label="radius", shrink=0.75)
        for axis in [bar.ax.yaxis.set_major_formatter, bar.ax.yaxis.set_minor_formatter]:
            axis("{x:g}")
    return ax


def work(
    centers: ArrayLike | System,
    radii: ArrayLike | None = None,
    *,
    methods: Iterable[str] | None = None,
    margin: float = 0.0,
    domain: Domain | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the counted work of methods side by side: candidate pairs and look-ups per particle, and contacts.

    Parameters
    ----------
    centers, radii, margin, domain
        As for :func:`multigrain.find_pairs`; or a System alone.
    methods : iterable of str, optional
        All of :func:`multigrain.methods` but ``auto`` by default, and but ``brute-force`` for more than 20,000
        particles.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import multigrain as mg
    >>> grains = mg.pack(law="power", exponent=-3, ratio=10, count=500, packing_fraction=0.5)
    >>> ax = mg.plot.work(grains, methods=["linked-cell", "hgrid"])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['linked-cell', 'hgrid']
    """
    plt = _matplotlib()
    from matplotlib.transforms import ScaledTranslation

    particles = _particles(centers, radii, domain)
    domain = domain if domain is not None else particles.domain
    names = list(methods) if methods is not None else _affordable(len(particles))
    counted = [count_work(particles.centers, particles.radii, name, margin, domain) for name in names]
    per_particle = 1 / max(len(particles), 1)
    ax = ax if ax is not None else plt.subplots(figsize=(7, 0.5 * len(names) + 1.5), layout="constrained")[1]
    rows = np.arange(len(names))
    ax.barh(rows - 0.2, [w.candidates * per_particle for w in counted], 0.38, label="candidate pairs", color="#31688e")
    ax.barh(rows + 0.2, [w.cells * per_particle for w in counted], 0.38, label="cells or rows", color="#90d743")
    if counted:
        ax.axvline(counted[0].contacts * per_particle, color="crimson", linewidth=1, label="contacts")
    ax.set_yticks(rows, names)
    ax.invert_yaxis()
    if any(w.candidates for w in counted):
        ax.set_xscale("log")
    ax.set_xlabel("per particle")
    # Three and a half lines below the axes, however high they are: under ticks and label.
    below = ScaledTranslation(0, -3.5 * plt.rcParams["font.size"] / 72, ax.figure.dpi_scale_trans)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0), bbox_transform=ax.transAxes + below, ncol=3, frameon=False)
    return ax


def _particles(centers: ArrayLike | System, radii: ArrayLike | None, domain: Domain | None) -> System:
    """The particles that a caller means; a System checks its arrays as a search does."""
    if isinstance(centers, System):
        if radii is not None:
            raise TypeError("a System has radii of its own: leave them out")
        return centers
    if radii is None:
        raise TypeError("give a System, or centers and radii")
    return System(centers, radii, domain)


def _affordable(particles: int) -> list[str]:
    left_out = {"auto", "brute-force"} if particles > _MAX_BY_BRUTE_FORCE else {"auto"}
    return [name for name in methods() if name not in left_out]


def _frame(ax: Axes, points: np.ndarray, sizes: np.ndarray, domain: Domain | None) -> None:
    """Limits around everything, and the box."""
    if domain is not None:
        (x0, y0), (x1, y1) = domain.lo[:2], domain.hi[:2]
        for axis, (xs, ys) in [
            (0, ([x0, x0], [y0, y1])),
            (0, ([x1, x1], [y0, y1])),
            (1, ([x0, x1], [y0, y0])),
            (1, ([x0, x1], [y1, y1])),
        ]:
            ax.plot(xs, ys, "--" if domain.periodic[axis] else "-", color="black", linewidth=1, zorder=4)
    corners = [] if domain is None else [domain.lo[:2], domain.hi[:2]]
    if len(sizes):
        corners += [(points[:, :2] - sizes[:, None]).min(axis=0), (points[:, :2] + sizes[:, None]).max(axis=0)]
    if corners:
        lo, hi = np.min(corners, axis=0), np.max(corners, axis=0)
        pad = 0.02 * (hi - lo).max() or 1.0
        ax.set_xlim(lo[0] - pad, hi[0] + pad)
        ax.set_ylim(lo[1] - pad, hi[1] + pad)
    ax.set_aspect("equal")
    ax.set_xlabel("x")
    ax.set_ylabel("y")


def _matplotlib() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib, or '.[plot]' in the checkout") from error
    return plt
