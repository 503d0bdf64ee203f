//! Changes to a running simulation from Python: physics, motion, forces of the user's own.

use super::body_forces::{field_dict, fluid_dict};
use super::grains::{each as one_for_each, spins_of, vectors};
use super::inner::{Inner, each};
use super::law::Law;
use super::material::Material;
use super::own_forces;
use super::setup::{all_materials, integrator_name, laws_between};
use super::simulation::Simulation;
use super::wall::Wall;
use super::{ClumpShape, Deformation, Generator, Meter, Outflow, vector_of};
use crate::domain::Domain;
use crate::errors::too_new;
use crate::polygons::Polygon;
use multigrain_dem::{Skin, TimeStep};
use numpy::PyArray1;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

#[pymethods]
impl Simulation {
    /// Acceleration by gravity, shape (D,). It can be set while the simulation runs.
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg
    /// >>> sim = mg.dem.Simulation([[0, 1]], 0.5, mg.dem.Material(1, stiffness=1e3), gravity=[0, -9.81])
    /// >>> sim.gravity = [0, -1.62]
    /// >>> sim.gravity
    /// array([ 0.  , -1.62])
    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.look(|inner| Ok(each!(inner, s => s.gravity().to_vec())))?))
    }

    #[setter]
    fn set_gravity(&self, py: Python<'_>, gravity: Vec<f64>) -> PyResult<()> {
        let what = || "gravity".to_owned();
        self.change(py, |inner| each!(inner, s => Ok(s.set_gravity(vector_of(&gravity, what)?)?)))
    }

    /// The walls as they stand now. They can be set while the simulation runs: spins stay, and so do the springs of contacts with
    /// walls that stay, or that take the place of one of the same shape. Walls that move begin to do so then.
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg
    /// >>> floor, sand = mg.dem.Wall.plane([0, 0], [0, 1]), mg.dem.Material(1, stiffness=1e4, restitution=0.5)
    /// >>> sim = mg.dem.Simulation([[0, 1]], 0.5, sand, walls=[floor], gravity=[0, -9.81])
    /// >>> sim.run(5000)
    /// >>> sim.walls = [floor.carrying([1, 0]), mg.dem.Wall.plane([0, 3], [0, -1])]
    /// >>> sim.walls
    /// [<Wall: plane in 2D, material 0>, <Wall: plane in 2D, material 0>]
    #[getter]
    fn walls(&self) -> PyResult<Vec<Wall>> {
        self.look(|inner| each!(inner, s => s.walls().iter().map(Wall::of_engine).collect()))
    }

    #[setter]
    fn set_walls(&self, py: Python<'_>, walls: Vec<Bound<'_, Wall>>) -> PyResult<()> {
        let walls: Vec<Wall> = walls.iter().map(|wall| wall.get().clone()).collect();
        self.change(py, |inner| {
            each!(inner, s => {
                let walls = walls.iter().enumerate().map(|(number, wall)| wall.inner(number));
                Ok(s.set_walls(walls.collect::<PyResult<_>>()?)?)
            })
        })
    }

    /// The materials, by their numbers. They can be set while the simulation runs; masses follow densities, the time step stays
    /// what it is.
    #[getter]
    fn materials(&self) -> PyResult<Vec<Material>> {
        self.look(|inner| Ok(each!(inner, s => s.materials().iter().map(|&one| Material::from(one)).collect())))
    }

    #[setter]
    fn set_materials(&self, py: Python<'_>, materials: &Bound<'_, PyAny>) -> PyResult<()> {
        let materials: Vec<_> = all_materials(materials)?.iter().map(Material::inner).collect();
        self.change(py, |inner| each!(inner, s => Ok(s.set_materials(materials, s.laws_between())?)))
    }

    /// Laws between materials, by their numbers, where they do not follow from the materials. They can be set while the simulation
    /// runs.
    #[getter]
    fn between<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let laws = self.look(|inner| Ok(each!(inner, s => s.laws_between())))?;
        let between = PyDict::new(py);
        for (first, second, law) in laws {
            between.set_item((first, second), Bound::new(py, Law(law))?)?;
        }
        Ok(between)
    }

    #[setter]
    fn set_between(&self, py: Python<'_>, between: &Bound<'_, PyAny>) -> PyResult<()> {
        let laws: Vec<_> = laws_between(between)?.iter().map(|((a, b), law)| (*a, *b, law.get().0)).collect();
        self.change(py, |inner| each!(inner, s => Ok(s.set_materials(s.materials().to_vec(), laws)?)))
    }

    /// The space as it is now; None where all of it is open.
    #[getter]
    fn domain(&self) -> PyResult<Option<Domain>> {
        self.look(|inner| each!(inner, s => s.domain().has_images().then(|| Domain::of_engine(s.domain())).transpose()))
    }

    /// How grains move in one time step.
    #[getter]
    fn integrator(&self) -> PyResult<&'static str> {
        self.look(|inner| Ok(integrator_name(each!(inner, s => s.integrator()))))
    }

    /// The method of detection.
    #[getter]
    fn method(&self) -> PyResult<&'static str> {
        self.look(|inner| Ok(each!(inner, s => s.method()).name()))
    }

    /// The skin: its width, "auto", or None.
    #[getter]
    fn skin<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.look(|inner| Ok(each!(inner, s => s.skin())))? {
            Skin::None => Ok(None),
            Skin::Width(width) => Ok(Some(width.into_bound_py_any(py)?)),
            Skin::Chosen => Ok(Some("auto".into_bound_py_any(py)?)),
            _ => Err(too_new("skin")),
        }
    }

    /// Put the grains elsewhere. Contacts that are still there keep what they remember.
    ///
    /// Parameters
    /// ----------
    /// positions : array_like, shape (N, D), in the order of ids
    fn set_positions(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<()> {
        let (count, axes) = self.shape()?;
        match axes {
            2 => self.change_2d(py, vectors::<2>(positions, "positions", count)?, |s, x| s.set_positions(x)),
            _ => self.change_3d(py, vectors::<3>(positions, "positions", count)?, |s, x| s.set_positions(x)),
        }
    }

    /// Give the grains other velocities.
    ///
    /// Parameters
    /// ----------
    /// velocities : array_like, shape (N, D), in the order of ids
    fn set_velocities(&self, py: Python<'_>, velocities: &Bound<'_, PyAny>) -> PyResult<()> {
        let (count, axes) = self.shape()?;
        match axes {
            2 => self.change_2d(py, vectors::<2>(velocities, "velocities", count)?, |s, v| s.set_velocities(v)),
            _ => self.change_3d(py, vectors::<3>(velocities, "velocities", count)?, |s, v| s.set_velocities(v)),
        }
    }

    /// Give the grains other angular velocities.
    ///
    /// Parameters
    /// ----------
    /// spins : array_like, shape (N, 3), in the order of ids
    ///     In the plane only the third component is used; there shape (N,) does, too.
    fn set_spins(&self, py: Python<'_>, spins: &Bound<'_, PyAny>) -> PyResult<()> {
        let spins = spins_of(spins, self.shape()?.0)?;
        self.change(py, |inner| each!(inner, s => Ok(s.set_spins(&spins)?)))
    }

    /// Hold grains, so that they keep their velocity and spin whatever pushes them, or let them go.
    ///
    /// Parameters
    /// ----------
    /// held : bool, or sequence of N bools in the order of ids
    fn set_held(&self, py: Python<'_>, held: &Bound<'_, PyAny>) -> PyResult<()> {
        let held: Vec<bool> = one_for_each(held, "held", self.shape()?.0)?;
        self.change(py, |inner| each!(inner, s => Ok(s.set_held(&held)?)))
    }

    /// Give the grains other materials; masses follow.
    ///
    /// Parameters
    /// ----------
    /// material : int, or sequence of N ints in the order of ids
    fn set_grain_materials(&self, py: Python<'_>, material: &Bound<'_, PyAny>) -> PyResult<()> {
        let materials: Vec<u16> = one_for_each(material, "material", self.shape()?.0)?;
        self.change(py, |inner| each!(inner, s => Ok(s.set_materials_of_particles(&materials)?)))
    }

    /// Push the grains with forces of one's own, in every step from now on.
    ///
    /// They add to those of contacts and gravity. They are not saved, and the work that they do is not counted.
    ///
    /// Parameters
    /// ----------
    /// forces : array_like, shape (N, D), callable, or None
    ///     The same in every step, in the order of ids; grains that come later have none. Or a function that is called in every step,
    ///     ``forces(time, positions, velocities)``, with arrays in the order of ids, and returns such an array. Or none any more.
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg, numpy as np
    /// >>> sim = mg.dem.Simulation([[1, 0]], 0.1, mg.dem.Material(1, stiffness=1e3), time_step=1e-3)
    /// >>> masses = sim.masses[:, None]
    /// >>> sim.set_forces(lambda time, positions, velocities: -masses * positions)
    /// >>> sim.run(1571)
    /// >>> bool(np.abs(sim.positions()).max() < 1e-3)
    /// True
    /// >>> sim.set_forces(None)
    fn set_forces(&self, py: Python<'_>, forces: &Bound<'_, PyAny>) -> PyResult<()> {
        let (count, axes) = self.shape()?;
        match axes {
            2 => {
                let own = own_forces::of::<2>(forces, count, self.raised())?;
                self.change(py, |inner| match inner {
                    Inner::D2(simulation) => Ok(simulation.set_own_forces(own)?),
                    Inner::D3(_) => unreachable!("a simulation keeps its dimension"),
                })
            }
            _ => {
                let own = own_forces::of::<3>(forces, count, self.raised())?;
                self.change(py, |inner| match inner {
                    Inner::D3(simulation) => Ok(simulation.set_own_forces(own)?),
                    Inner::D2(_) => unreachable!("a simulation keeps its dimension"),
                })
            }
        }
    }

    /// All of it but forces of one's own.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (saved, interrupt) = self.work(py, |inner, _| each!(inner, simulation => simulation.encode()))?;
        interrupt.map_or(Ok(()), Err)?;
        let physics = PyDict::new(py);
        self.look(|inner| {
            each!(inner, s => {
                physics.set_item("dimension", s.gravity().len())?;
                physics.set_item("gravity", s.gravity().to_vec())?;
                physics.set_item("walls", s.walls_at_start().iter().map(Wall::of_engine).collect::<PyResult<Vec<_>>>()?)?;
                physics.set_item("generators", s.generators().iter().map(Generator::of_engine).collect::<PyResult<Vec<_>>>()?)?;
                physics.set_item("outflows", s.outflows().iter().map(Outflow::of_engine).collect::<PyResult<Vec<_>>>()?)?;
                physics.set_item("meters", s.meters().iter().map(Meter::of_engine).collect::<PyResult<Vec<_>>>()?)?;
                let clumps = s.setup().clump_shapes().iter().map(ClumpShape::of_engine).collect::<PyResult<Vec<_>>>()?;
                physics.set_item("clump_shapes", clumps)?;
                physics.set_item("deformations", s.deformations().iter().map(Deformation::from).collect::<Vec<_>>())?;
                let domain = s.setup().domain_at_start();
                physics.set_item("domain", domain.has_images().then(|| Domain::of_engine(domain)).transpose()?)?;
                physics.set_item("impact_speed", s.impact_speed_asked())?;
                physics.set_item("fluid", s.fluid().map(|fluid| fluid_dict(py, fluid)).transpose()?)?;
                let fields = s.fields().iter().map(|field| field_dict(py, field));
                physics.set_item("fields", fields.collect::<PyResult<Vec<_>>>()?)?;
                match s.time_step_asked() {
                    TimeStep::Given(length) => physics.set_item("time_step", length)?,
                    TimeStep::Fraction(share) => physics.set_item("fraction", share)?,
                    _ => return Err(too_new("time step")),
                }
                let shapes = s.setup().shapes().iter().map(Polygon::of_shape).collect::<PyResult<Vec<_>>>()?;
                physics.set_item("shapes", shapes)?;
                if let Some([lo, hi]) = s.bounds() {
                    physics.set_item("bounds", Domain::of_engine(&multigrain::Domain::new(lo, hi, [false; _]).map_err(crate::errors::refused)?)?)?;
                }
                Ok(())
            })
        })?;
        physics.set_item("between", self.between(py)?)?;
        physics.set_item("integrator", self.integrator()?)?;
        physics.set_item("method", self.method()?)?;
        physics.set_item("skin", self.skin(py)?)?;
        let parts = (PyBytes::new(py, &saved), self.materials()?, physics);
        Ok((py.import("multigrain._made")?.getattr("simulation")?, parts.into_bound_py_any(py)?))
    }
}
