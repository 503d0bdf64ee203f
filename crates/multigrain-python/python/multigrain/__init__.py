"""Contact detection for grains of every size: every touching pair of spheres or discs, exactly once.

>>> import multigrain as mg
>>> mg.find_pairs([[0, 0, 0], [1.5, 0, 0], [9, 0, 0]], [1.0, 0.8, 2.0]).array
array([[0, 1]], dtype=uint32)
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from . import dem, distributed, polygons
from ._changes import Changes, nearest
from ._core import (
    Contacts,
    Detector,
    Domain,
    HierarchicalGrid,
    LivingGrid,
    NeighborTable,
    Pairs,
    Queries,
    System,
    Tuning,
    View,
    Work,
    __version__,
    analyze,
    count_work,
    find_box_pairs,
    find_pairs,
    find_pairs_between,
    find_pairs_each,
    methods,
    pack,
    read,
    set_threads,
    threads,
    tune,
    view,
    write,
)
from ._neighbors import neighbor_list, neighbour_list

__all__ = [
    "Changes",
    "Contacts",
    "Detector",
    "Domain",
    "HierarchicalGrid",
    "LivingGrid",
    "NeighborTable",
    "Pairs",
    "Queries",
    "System",
    "Tuning",
    "View",
    "Work",
    "analyze",
    "count_work",
    "dem",
    "distributed",
    "find_box_pairs",
    "find_pairs",
    "find_pairs_between",
    "find_pairs_each",
    "methods",
    "nearest",
    "neighbor_list",
    "neighbour_list",
    "pack",
    "plot",
    "polygons",
    "read",
    "set_threads",
    "threads",
    "tune",
    "view",
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
