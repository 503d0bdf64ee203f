"""How objects of the simulator are made again: what pickles and copies of them name."""

from collections.abc import Sequence
from typing import Any

from ._core import LivingGrid, Outflow, Polygon, Simulation, Wall


def outflow(maker: str, first: Sequence[float], second: Sequence[float]) -> Outflow:
    return getattr(Outflow, maker)(first, second)  # type: ignore[no-any-return]


def wall(maker: str, parts: tuple[Any, ...], material: int, velocity: Any, turning: Any, moves: bool) -> Wall:
    made: Wall = getattr(Wall, maker)(*parts).of_material(material)
    if velocity is not None:
        made = made.carrying(velocity)
    if turning is not None:
        made = made.turning(*turning)
    return made.moving() if moves else made


def simulation(saved: bytes, materials: Any, physics: dict[str, Any]) -> Simulation:
    return Simulation.resume(saved, materials, **physics)


def polygon(corners: Any, position: tuple[float, float], angle: float) -> Polygon:
    return Polygon(corners).at(position, angle)


def living_grid(parts: tuple[Any, Any, Any], bodies: tuple[Any, Any, Any]) -> LivingGrid:
    cell_sizes, domain, dimension = parts
    grid = LivingGrid(cell_sizes, domain, dimension=dimension)
    grid.insert(*bodies)
    return grid
