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
    "Generator",
    "HierarchicalGrid",
    "Law",
    "Material",
    "NeighborTable",
    "Outflow",
    "Overlap",
    "Pairs",
    "Polygon",
    "Queries",
    "Simulation",
    "System",
    "Tuning",
    "View",
    "Wall",
    "Work",
    "__version__",
    "_detector_of",
    "_domain_of",
    "_neighbor_list",
    "_neighbor_table_of",
    "_pairs_of",
    "_seconds_in_rust",
    "analyze",
    "closest_features",
    "count_work",
    "find_box_pairs",
    "find_pairs",
    "find_pairs_between",
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
_Law = Literal["mono", "uniform", "power", "bidisperse", "log-normal"]
_Axes = bool | Sequence[bool] | NDArray[np.bool_] | str

@final
class Domain:
    def __new__(cls, lo: ArrayLike, hi: ArrayLike, periodic: _Axes | None = None) -> Domain: ...
    @property
    def lo(self) -> NDArray[np.float64]: ...
    @property
    def hi(self) -> NDArray[np.float64]: ...
    @property
    def origin(self) -> NDArray[np.float64]: ...
    @property
    def cell(self) -> NDArray[np.float64]: ...
    @property
    def periodic(self) -> tuple[bool, ...]: ...
    @property
    def pbc(self) -> tuple[bool, ...]: ...
    @property
    def is_sheared(self) -> bool: ...
    @property
    def volume(self) -> float: ...
    @property
    def dimension(self) -> int: ...
    @staticmethod
    def from_cell(
        matrix: ArrayLike, origin: ArrayLike | None = None, periodic: _Axes | None = None, *, pbc: _Axes | None = None
    ) -> Domain: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class NeighborTable:
    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def indices(self) -> NDArray[np.int64]: ...
    @property
    def shifts(self) -> NDArray[np.int32]: ...
    @property
    def counts(self) -> NDArray[np.int64]: ...
    def neighbors(self, body: int) -> NDArray[np.int64]: ...
    def __len__(self) -> int: ...

@final
class Pairs:
    @property
    def array(self) -> NDArray[np.uint32]: ...
    @property
    def i(self) -> NDArray[np.int64]: ...
    @property
    def j(self) -> NDArray[np.int64]: ...
    @property
    def shifts(self) -> NDArray[np.int32]: ...
    @property
    def vectors(self) -> NDArray[np.float64]: ...
    @property
    def distances(self) -> NDArray[np.float64]: ...
    @property
    def overlaps(self) -> NDArray[np.float64]: ...
    @property
    def particles(self) -> int: ...
    def neighbor_table(self) -> NeighborTable: ...
    def sorted(self) -> Pairs: ...
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
    @property
    def pairs(self) -> NDArray[np.int64]: ...
    def keys(self) -> list[str]: ...
    def __getitem__(self, name: str, /) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...

@final
class View:
    @property
    def html(self) -> str: ...
    @property
    def notes(self) -> list[str]: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def _repr_html_(self) -> str: ...

@final
class System:
    def __new__(cls, centers: ArrayLike, radii: ArrayLike, domain: Domain | None = None) -> System: ...
    @property
    def centers(self) -> NDArray[np.float64]: ...
    @property
    def radii(self) -> NDArray[np.float64]: ...
    @property
    def domain(self) -> Domain | None: ...
    @property
    def dimension(self) -> int: ...
    @property
    def packing_fraction(self) -> float | None: ...
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
    ) -> Pairs: ...
    def __len__(self) -> int: ...

@final
class HierarchicalGrid:
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
    ) -> HierarchicalGrid: ...
    @property
    def cell_sizes(self) -> NDArray[np.float64]: ...
    @property
    def direction(self) -> _Direction: ...
    def find_pairs(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        margin: float = 0.0,
        domain: Domain | None = None,
        *,
        groups: ArrayLike | None = None,
    ) -> Pairs: ...
    def explain(self) -> str: ...
    def __getnewargs__(self) -> tuple[list[float], str]: ...

@final
class Detector:
    def __new__(
        cls,
        method: str = "auto",
        *,
        cell_sizes: Sequence[float] | NDArray[np.float64] | None = None,
        levels: int | None = None,
        direction: _Direction | None = None,
        factor: float | None = None,
    ) -> Detector: ...
    @property
    def method(self) -> str: ...
    def find_pairs(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        margin: float = 0.0,
        domain: Domain | None = None,
        *,
        groups: ArrayLike | None = None,
    ) -> Pairs: ...

@final
class Queries:
    def __new__(
        cls, centers: ArrayLike, radii: ArrayLike | None = None, margin: float = 0.0, domain: Domain | None = None
    ) -> Queries: ...
    def touching(
        self, centers: ArrayLike, radii: ArrayLike
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]: ...
    def in_box(self, lo: ArrayLike, hi: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]: ...
    @overload
    def nearest(
        self,
        points: ArrayLike,
        k: int = 1,
        to: Literal["center", "surface"] = "center",
        *,
        return_shifts: Literal[False] = False,
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]: ...
    @overload
    def nearest(
        self, points: ArrayLike, k: int = 1, to: Literal["center", "surface"] = "center", *, return_shifts: bool
    ) -> tuple[NDArray[Any], ...]: ...
    def __len__(self) -> int: ...

@final
class Tuning:
    @property
    def levels(self) -> int: ...
    @property
    def cell_sizes(self) -> NDArray[np.float64]: ...
    @property
    def work(self) -> float: ...
    @property
    def candidates_per_particle(self) -> float: ...
    @property
    def cells_per_particle(self) -> float: ...
    @property
    def linked_cell_work(self) -> float: ...
    @property
    def particles_per_cell(self) -> NDArray[np.float64]: ...
    @property
    def share_of_particles(self) -> NDArray[np.float64]: ...
    @property
    def direction(self) -> _Direction: ...
    @property
    def k(self) -> float: ...

@final
class Work:
    @property
    def candidates(self) -> int: ...
    @property
    def cells(self) -> int: ...
    @property
    def contacts(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Material:
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
        repulsion: Literal["energy", "area"] | None = None,
    ) -> Material: ...
    @property
    def density(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Law:
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
        repulsion: Literal["energy", "area"] | None = None,
    ) -> Law: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

_Vector = Sequence[float] | NDArray[np.float64]

@final
class Generator:
    def __new__(
        cls,
        lo: _Vector,
        hi: _Vector,
        rate: float,
        radii: float | _Vector,
        *,
        velocity: _Vector | None = None,
        material: int = 0,
        limit: int | None = None,
        seed: int = 1,
    ) -> Generator: ...

@final
class Outflow:
    @staticmethod
    def inside(lo: _Vector, hi: _Vector) -> Outflow: ...
    @staticmethod
    def outside(lo: _Vector, hi: _Vector) -> Outflow: ...
    @staticmethod
    def beyond(point: _Vector, normal: _Vector) -> Outflow: ...

@final
class Wall:
    @staticmethod
    def plane(point: _Vector, normal: _Vector) -> Wall: ...
    @staticmethod
    def inside_box(lo: _Vector, hi: _Vector) -> Wall: ...
    @staticmethod
    def cylinder(point: _Vector, radius: float, axis: _Vector | None = None) -> Wall: ...
    @staticmethod
    def plate(corners: Sequence[_Vector] | NDArray[np.float64]) -> Wall: ...
    @staticmethod
    def polygon(corners: Sequence[_Vector] | NDArray[np.float64]) -> Wall: ...
    @staticmethod
    def funnel(ends: Sequence[_Vector] | NDArray[np.float64], radii: _Vector) -> Wall: ...
    def of_material(self, number: int) -> Wall: ...
    def carrying(self, velocity: _Vector) -> Wall: ...
    def turning(self, spin: _Vector, about: _Vector) -> Wall: ...
    def moving(self) -> Wall: ...

_Integrator = Literal["verlet", "plain-verlet", "gear"]

@final
class Simulation:
    def __new__(
        cls,
        centers: ArrayLike,
        radii: ArrayLike,
        materials: Material | Sequence[Material],
        *,
        velocities: ArrayLike | None = None,
        material: int = 0,
        shape: ArrayLike | None = None,
        angles: ArrayLike | None = None,
        between: dict[tuple[int, int], Law] | None = None,
        domain: Domain | None = None,
        gravity: _Vector | None = None,
        walls: Sequence[Wall] = ...,
        generators: Sequence[Generator] = ...,
        outflows: Sequence[Outflow] = ...,
        time_step: float | None = None,
        impact_speed: float | None = None,
        integrator: _Integrator = "verlet",
        bounds: Domain | None = None,
        method: str = "auto",
        skin: float | Literal["auto"] | None = None,
        shapes: Sequence[Polygon] = ...,
    ) -> Simulation: ...
    @staticmethod
    def resume(
        path: str | os.PathLike[str],
        materials: Material | Sequence[Material],
        *,
        dimension: Literal[2, 3] = 3,
        between: dict[tuple[int, int], Law] | None = None,
        domain: Domain | None = None,
        gravity: _Vector | None = None,
        walls: Sequence[Wall] = ...,
        generators: Sequence[Generator] = ...,
        outflows: Sequence[Outflow] = ...,
        time_step: float | None = None,
        impact_speed: float | None = None,
        integrator: _Integrator = "verlet",
        bounds: Domain | None = None,
        method: str = "auto",
        skin: float | Literal["auto"] | None = None,
        shapes: Sequence[Polygon] = ...,
    ) -> Simulation: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def step(self) -> None: ...
    def run(
        self, steps: int, callback: Callable[[Simulation], object] | None = None, *, every: int = 100
    ) -> None: ...
    def positions(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]: ...
    def velocities(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]: ...
    def spins(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]: ...
    def forces(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]: ...
    @property
    def ids(self) -> NDArray[np.uint32]: ...
    @property
    def radii(self) -> NDArray[np.float64]: ...
    @property
    def masses(self) -> NDArray[np.float64]: ...
    @property
    def angles(self) -> NDArray[np.float64]: ...
    def corners(self) -> list[NDArray[np.float64] | None]: ...
    @property
    def time_step(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def generated(self) -> int: ...
    @property
    def removed(self) -> int: ...
    @property
    def dissipated(self) -> float: ...
    @property
    def wall_work(self) -> float: ...
    def contacts(self) -> dict[str, NDArray[np.generic]]: ...
    def energies(self) -> dict[str, float]: ...
    def add(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        *,
        velocities: ArrayLike | None = None,
        material: int = 0,
        shape: ArrayLike | None = None,
        angles: ArrayLike | None = None,
    ) -> NDArray[np.uint32]: ...
    def remove(self, ids: int | Sequence[int] | NDArray[np.integer[Any]]) -> None: ...
    def __len__(self) -> int: ...

@final
class Polygon:
    def __new__(cls, corners: ArrayLike) -> Polygon: ...
    def at(self, position: _Vector, angle: float = 0.0) -> Polygon: ...
    @property
    def corners(self) -> NDArray[np.float64]: ...
    @property
    def position(self) -> NDArray[np.float64]: ...
    @property
    def angle(self) -> float: ...
    @property
    def area(self) -> float: ...
    @property
    def inertia(self) -> float: ...
    @property
    def radius(self) -> float: ...
    def contains(self, point: _Vector) -> bool: ...
    def __len__(self) -> int: ...

@final
class Features:
    @property
    def a(self) -> tuple[Literal["vertex", "edge"], int]: ...
    @property
    def b(self) -> tuple[Literal["vertex", "edge"], int]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Closest:
    @property
    def distance(self) -> float: ...
    @property
    def points(self) -> NDArray[np.float64]: ...
    @property
    def contact(self) -> Literal["apart", "crossing", "nested"]: ...
    @property
    def features(self) -> Features: ...
    @property
    def steps(self) -> int: ...

@final
class Overlap:
    @property
    def area(self) -> float: ...
    @property
    def centroid(self) -> NDArray[np.float64]: ...
    @property
    def line(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def depth(self) -> float: ...
    @property
    def crossings(self) -> int: ...
    @property
    def polygon(self) -> NDArray[np.float64]: ...

def closest_features(a: Polygon, b: Polygon, features: Features | None = None) -> Closest: ...
def overlap(a: Polygon, b: Polygon, features: Features | None = None) -> Overlap | None: ...
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
) -> Pairs: ...
def find_pairs_between(
    a_centers: ArrayLike,
    a_radii: ArrayLike,
    b_centers: ArrayLike,
    b_radii: ArrayLike,
    method: str = "auto",
    margin: float = 0.0,
    domain: Domain | None = None,
) -> Pairs: ...
def find_box_pairs(
    lo: ArrayLike, hi: ArrayLike, domain: Domain | None = None
) -> tuple[NDArray[np.uint32], NDArray[np.int32]]: ...
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
) -> Work: ...
def methods() -> dict[str, str]: ...
def _detector_of(
    method: str, cell_sizes: Any, levels: int | None, direction: str | None, factor: float | None
) -> Detector: ...
def _domain_of(cell: ArrayLike, origin: ArrayLike, periodic: _Axes) -> Domain: ...
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
) -> Any: ...
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
) -> Tuning: ...
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
) -> System: ...
# A System, or Contacts where the file is a list of them.
def read(path: str | os.PathLike[str], frame: int = 0) -> Any: ...
def analyze(
    system: System | ArrayLike,
    radii: ArrayLike | None = None,
    domain: Domain | None = None,
    *,
    velocities: ArrayLike | None = None,
    pairs: Pairs | None = None,
    forces: ArrayLike | None = None,
    stiffness: float | None = None,
    margin: float = 0.0,
    axis: int | None = None,
    bins: int = 40,
) -> dict[str, Any]: ...
def view(
    system: System | ArrayLike | str | os.PathLike[str] | Sequence[System | str | os.PathLike[str]],
    radii: ArrayLike | None = None,
    domain: Domain | None = None,
    *,
    columns: dict[str, ArrayLike] | None = None,
    contacts: bool | None = None,
    title: str | None = None,
    height: int = 600,
) -> View: ...
@overload
def write(
    path: str | os.PathLike[str], system: System, radii: None = None, domain: None = None
) -> None: ...
@overload
def write(
    path: str | os.PathLike[str], system: ArrayLike, radii: ArrayLike, domain: Domain | None = None
) -> None: ...
def threads() -> int: ...
def set_threads(count: int) -> None: ...
def _neighbor_table_of(parts: tuple[Any, ...]) -> NeighborTable: ...
def _pairs_of(parts: tuple[Any, ...]) -> Pairs: ...
def _seconds_in_rust(centers: ArrayLike, radii: ArrayLike) -> float: ...
