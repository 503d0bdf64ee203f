"""Contact detection for grains of every size: every touching pair of spheres or discs, exactly once.

>>> import multigrain as mg
>>> mg.find_pairs([[0, 0, 0], [1.5, 0, 0], [9, 0, 0]], [1.0, 0.8, 2.0]).array
array([[0, 1]], dtype=uint32)
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from . import dem, polygons
from ._core import (
    Domain,
    HierarchicalGrid,
    NeighborTable,
    Pairs,
    System,
    Tuning,
    Work,
    __version__,
    count_work,
    find_pairs,
    methods,
    pack,
    read,
    set_threads,
    threads,
    tune,
    write,
)
from ._neighbors import neighbor_list, neighbour_list

__all__ = [
    "Domain",
    "HierarchicalGrid",
    "NeighborTable",
    "Pairs",
    "System",
    "Tuning",
    "Work",
    "count_work",
    "dem",
    "find_pairs",
    "methods",
    "neighbor_list",
    "neighbour_list",
    "pack",
    "plot",
    "polygons",
    "read",
    "set_threads",
    "threads",
    "tune",
    "write",
]


if TYPE_CHECKING:
    from . import plot


def __getattr__(name: str) -> ModuleType:
    # Plots need matplotlib, an optional extra: loaded when first asked for.
    if name == "plot":
        return importlib.import_module(".plot", __name__)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
