"""Soft-sphere simulation of grains of every size, in two and three dimensions.

>>> import multigrain as mg
>>> rubber = mg.dem.Material(1000, stiffness=1e4, restitution=0.8, friction=0.5)
>>> box = mg.dem.Wall.inside_box([0, 0], [1, 2])
>>> sim = mg.dem.Simulation([[0.3, 0.5], [0.7, 0.6]], 0.05, rubber, walls=[box], gravity=[0, -9.81])
>>> sim.run(200)
>>> sim
<Simulation: 2 grains in 2D, 200 steps, ...>
"""

from ._core import ClumpShape, Deformation, Generator, Law, Material, Meter, Outflow, Region, Simulation, Wall

__all__ = ["ClumpShape", "Deformation", "Generator", "Law", "Material", "Meter", "Outflow", "Region", "Simulation", "Wall"]
