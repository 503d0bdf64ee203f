"""Parts of laws, bonds, heat, fluids and fields from Python, against formulas."""

import math
import pickle

import multigrain as mg
import numpy as np
import pytest

LINEAR = {"stiffness": 1e5, "restitution": 0.5, "friction": 0.5}
G = 9.81


@pytest.mark.parametrize("keys", [
    {"rolling_friction": 0.1},
    {"dashpot": "no-pull"},
    {"rolling_friction": 0.1, "twisting_friction": 0.2, "rolling": "constant"},
    {"twisting_friction": 0.1, "twisting_stiffness": 0.5},
    {"adhesion": 0.1, "adhesion_range": 1e-4},
    {"cohesion": "dmt", "adhesion_energy": 0.1},
    {"surface_tension": 0.07, "liquid_volume": 1e-9},
    {"cohesion": "rabinovich", "surface_tension": 0.07, "liquid_volume": 1e-9, "contact_angle": 20},
    {"unloading_stiffness": 5e5, "plastic_depth": 0.05, "cohesive_stiffness": 1e4},
    {"bond_modulus": 1e8, "bond_strength": 1e6, "bond_gap": 1e-5},
])
def test_laws_are_written_as_they_were_given_and_pickled(keys):
    law = mg.dem.Law(**LINEAR, **keys)
    assert eval(repr(law), {"Law": mg.dem.Law}) == law
    assert pickle.loads(pickle.dumps(law)) == law
    material = mg.dem.Material(2500, **LINEAR, **keys, conductivity=20, heat_capacity=500)
    assert eval(repr(material), {"Material": mg.dem.Material}) == material
    assert pickle.loads(pickle.dumps(material)) == material


@pytest.mark.parametrize("keys, words", [
    ({"rolling_stiffness": 0.1}, "belong to a friction"),
    ({"adhesion_energy": 0.1}, "two kinds of cohesion"),
    ({"cohesion": "jrk", "adhesion_energy": 0.1}, "jkr"),
    ({"rolling": "fast", "rolling_friction": 0.1}, "constant"),
    ({"conductivity": 1.0}, "heat_capacity"),
])
def test_mistakes_are_reported(keys, words):
    with pytest.raises((TypeError, ValueError), match=words):
        mg.dem.Material(2500, **LINEAR, **keys)


def test_rolling_dies_down_as_resistance_says():
    sand = mg.dem.Material(2500, **LINEAR, rolling_friction=0.02)
    floor = mg.dem.Wall.plane([0, 0, 0], [0, 0, 1])
    ball = mg.dem.Simulation([[0, 0, 0.01]], 0.01, sand, velocities=[[0.2, 0, 0]], spins=[[0, 20, 0]], walls=[floor], gravity=[0, 0, -G])
    while ball.time < 0.5:
        ball.run(100)
    assert ball.velocities()[0, 0] == pytest.approx(0.2 - 5 / 7 * 0.02 * G * ball.time, rel=0.01)


def test_bonds_hold_and_break():
    glued = mg.dem.Material(2500, stiffness=1e3, bond_modulus=1e8, bond_strength=1e5, bond_gap=1e-6)
    row = mg.dem.Simulation([[0, 0, 0], [0.02, 0, 0], [0.04, 0, 0]], 0.01, glued)
    assert row.bond([[0, 1], [1, 2]]) == 2
    with pytest.raises(ValueError, match="cannot be bonded"):
        row.bond([[0, 2]])
    row.run(100)
    assert row.bonds()["ids"].tolist() == [[0, 1], [1, 2]] and row.bonds_broken == 0
    saved = pickle.loads(pickle.dumps(row))
    row.set_velocities([[0, 0, 0], [0, 0, 0], [50, 0, 0]])
    row.run(1000)
    assert row.bonds_broken > 0
    assert saved.bonds()["ids"].tolist() == [[0, 1], [1, 2]]


def test_heat_flows_from_warm_to_cold():
    warm = mg.dem.Material(2500, stiffness=1e3, conductivity=20, heat_capacity=500)
    pair = mg.dem.Simulation([[0, 0, 0], [0.0199, 0, 0]], 0.01, warm, held=True, time_step=1e-2)
    pair.temperatures = [400, 300]
    pair.run(2000)
    holds = 500 * 2500 * 4 / 3 * math.pi * 1e-6
    rate = 2 * 20 * math.sqrt(0.005 * 1e-4) * 2 / holds
    first, second = pair.temperatures
    assert first - second == pytest.approx(100 * math.exp(-rate * 20), rel=0.01)
    assert first + second == pytest.approx(700)


def test_fluids_and_fields():
    glass = mg.dem.Material(2500, stiffness=1e3)
    fluid = {"viscosity": 0.05, "velocity": [0.1, 0, 0]}
    bead = mg.dem.Simulation([[0, 0, 0]], 5e-4, glass, fluid=fluid, gravity=[0, 0, -G], time_step=1e-4)
    bead.run(5000)
    stokes = 3 * math.pi * 0.05 * 1e-3
    np.testing.assert_allclose(bead.velocities()[0], [0.1, 0, -bead.masses[0] * G / stokes], rtol=0.01)
    field = {"acceleration": [0, 2], "gradient": [[-100, 0], [0, 0]], "about": [1, 0]}
    disc = mg.dem.Simulation([[1.5, 0]], 0.1, glass, fields=[field], time_step=1e-4)
    disc.run(3000)
    np.testing.assert_allclose(disc.positions()[0], [1 + 0.5 * math.cos(3), 0.09], rtol=0.01)
    again = pickle.loads(pickle.dumps(disc))
    again.run(10)
    disc.run(10)
    assert (again.positions() == disc.positions()).all()
    with pytest.raises(ValueError, match="stokes"):
        mg.dem.Simulation([[0, 0]], 0.1, glass, fluid={"drag": "stoke", "viscosity": 1}, time_step=1)
