"""How objects of the simulator are made again: what pickles and copies of them name."""

from collections.abc import Sequence
from typing import Any

from ._core import LivingGrid, Outflow, Region, Simulation, Wall


def outflow(maker: str, first: Any, second: Sequence[float] | None) -> Outflow:
    return getattr(Outflow, maker)(first, *([] if second is None else [second]))  # type: ignore[no-any-return]


def region(maker: str, points: Sequence[Sequence[float]], radius: float) -> Region:
    if maker == "box":
        return Region.box(*points)
    if maker == "face":
        return Region.face(points)
    return Region.ball(points[0], radius) if maker == "ball" else Region.cylinder(points, radius)


def wall(maker: str, parts: tuple[Any, ...], material: int, moving: tuple[Any, ...]) -> Wall:
    velocity, turning, moves, motion, wear, start, temperature = moving
    made: Wall = getattr(Wall, maker)(*parts).of_material(material).since(start)
    if motion is not None:
        made = getattr(made, motion[0])(*motion[1])
    if wear is not None:
        made = made.wearing(*wear)
    if temperature is not None:
        made = made.of_temperature(temperature)
    if velocity is not None:
        made = made.carrying(velocity)
    if turning is not None:
        made = made.turning(*turning)
    return made.moving() if moves else made


def simulation(saved: bytes, materials: Any, physics: dict[str, Any]) -> Simulation:
    return Simulation.resume(saved, materials, **physics)


def living_grid(parts: tuple[Any, Any, Any], bodies: tuple[Any, Any, Any]) -> LivingGrid:
    cell_sizes, domain, dimension = parts
    grid = LivingGrid(cell_sizes, domain, dimension=dimension)
    grid.insert(*bodies)
    return grid
