//! Reading grains, contacts and walls of a simulation.

use super::columns::{ContactColumns, Rows, WallContacts, by_id};
use super::inner::{Inner, each};
use super::simulation::Simulation;
use crate::arrays::table;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Passed, State};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A column of vectors as an array in the order of ids.
macro_rules! vectors {
    ($simulation:ident . $name:ident ($py:ident, $out:ident)) => {
        $simulation
            .look(|inner| Ok(each!(inner, s => Rows::new(by_id(s.state(), s.state().$name())))))?
            .into_array_or($py, $out)
    };
}

/// A column of numbers as an array in the order of ids.
macro_rules! numbers {
    ($simulation:ident . $name:ident ($py:ident)) => {{
        let column = $simulation.look(|inner| Ok(each!(inner, s => by_id(s.state(), s.state().$name()))))?;
        Ok(PyArray1::from_vec($py, column))
    }};
}

#[pymethods]
impl Simulation {
    /// Centers, shape (N, D), in the order of ids; along periodic axes inside the box.
    ///
    /// Parameters
    /// ----------
    /// out : ndarray of float64, shape (N, D), optional
    ///     An array to fill and return instead of a new one.
    #[pyo3(signature = (out=None))]
    fn positions<'py>(&self, py: Python<'py>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors!(self.positions(py, out))
    }

    /// Velocities of the centers, shape (N, D), in the order of ids.
    ///
    /// Parameters
    /// ----------
    /// out : ndarray of float64, shape (N, D), optional
    ///     An array to fill and return instead of a new one.
    #[pyo3(signature = (out=None))]
    fn velocities<'py>(&self, py: Python<'py>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors!(self.velocities(py, out))
    }

    /// Angular velocities, shape (N, 3), in the order of ids; in the plane only the third component is used.
    ///
    /// Parameters
    /// ----------
    /// out : ndarray of float64, shape (N, 3), optional
    ///     An array to fill and return instead of a new one.
    #[pyo3(signature = (out=None))]
    fn spins<'py>(&self, py: Python<'py>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors!(self.spins(py, out))
    }

    /// Forces on the centers, shape (N, D), in the order of ids.
    ///
    /// Parameters
    /// ----------
    /// out : ndarray of float64, shape (N, D), optional
    ///     An array to fill and return instead of a new one.
    #[pyo3(signature = (out=None))]
    fn forces<'py>(&self, py: Python<'py>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors!(self.forces(py, out))
    }

    /// Permanent ids, ascending, shape (N,), uint64.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        numbers!(self.ids(py))
    }

    /// Radii, shape (N,), in the order of ids.
    #[getter]
    fn radii<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        numbers!(self.radii(py))
    }

    /// Masses, shape (N,), in the order of ids.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        numbers!(self.masses(py))
    }

    /// Angles by which grains are turned, shape (N,), in the order of ids; 0 where there are no polygons.
    #[getter]
    fn angles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let angles = self.look(|inner| {
            Ok(each!(inner, s => {
                let angles: Vec<f64> = (0..s.state().len()).map(|place| s.state().angle(place)).collect();
                by_id(s.state(), &angles)
            }))
        })?;
        Ok(PyArray1::from_vec(py, angles))
    }

    /// Corners of every grain where they are now, in the order of ids: an array of shape (K, 2) each, None for those that are round.
    fn corners<'py>(&self, py: Python<'py>) -> PyResult<Vec<Option<Bound<'py, PyArray2<f64>>>>> {
        let corners = self.look(|inner| {
            Ok(each!(inner, s => {
                let places = s.state().places_by_id().into_iter();
                let corners = places.map(|place| s.polygon(place as usize).map(|polygon| polygon.corners().collect()));
                corners.collect::<Vec<Option<Vec<[f64; 2]>>>>()
            }))
        })?;
        corners.into_iter().map(|corners| corners.map(|corners| table(py, corners)).transpose()).collect()
    }

    /// Length of a time step.
    #[getter]
    fn time_step(&self) -> PyResult<f64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.time_step())))
    }

    /// Steps taken so far.
    #[getter]
    pub fn steps(&self) -> PyResult<u64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.steps())))
    }

    /// Time simulated so far.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.time())))
    }

    /// How many grains generators have made so far.
    #[getter]
    fn generated(&self) -> PyResult<u64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.generated())))
    }

    /// What came, went and passed so far: a list of ``(grains, mass)`` for each generator (``made``), each outflow (``left``) and each
    /// meter (``metered``). A clump is one grain.
    ///
    /// Returns
    /// -------
    /// dict of str to list of tuple
    fn flows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let [made, left, metered] = self.look(|inner| {
            Ok(each!(inner, simulation => {
                let passed = |all: &[Passed]| all.iter().map(|one| (one.grains, one.mass.value())).collect::<Vec<_>>();
                let made = simulation.made().iter().map(|made| (made.grains as i64, made.mass)).collect();
                [made, passed(simulation.left()), passed(simulation.metered())]
            }))
        })?;
        let flows = PyDict::new(py);
        flows.set_item("made", made)?;
        flows.set_item("left", left)?;
        flows.set_item("metered", metered)?;
        Ok(flows)
    }

    /// How many grains have flowed out so far.
    #[getter]
    fn removed(&self) -> PyResult<u64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.removed())))
    }

    /// Energy that dashpots and sliding friction have taken so far.
    #[getter]
    fn dissipated(&self) -> PyResult<f64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.dissipated())))
    }

    /// Energy that moving walls, surfaces that carry or turn, and a box that deforms have given to grains so far.
    #[getter]
    fn wall_work(&self) -> PyResult<f64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.wall_work())))
    }

    /// Contacts between grains, sorted by ids: a dict of arrays.
    ///
    /// Returns
    /// -------
    /// dict
    ///     ``ids`` (M, 2) uint64; ``overlaps`` (M,); ``normals`` (M, D), from the first to the second; ``forces`` (M, D)
    ///     on the second; ``shifts`` (M, D) int32.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.look(|inner| Ok(each!(inner, simulation => ContactColumns::of(&simulation.contacts()))))?.into_dict(py)
    }

    /// Energies now.
    ///
    /// Returns
    /// -------
    /// dict of str to float
    ///     ``translational``, ``rotational``, ``elastic`` and ``gravitational``.
    fn energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let energies = self.look(|inner| Ok(each!(inner, simulation => simulation.energies())))?;
        let named = PyDict::new(py);
        named.set_item("translational", energies.translational)?;
        named.set_item("rotational", energies.rotational)?;
        named.set_item("elastic", energies.elastic)?;
        named.set_item("gravitational", energies.gravitational)?;
        Ok(named)
    }

    /// Torques on the grains, shape (N, 3), in the order of ids; in the plane only the third component is used.
    ///
    /// Parameters
    /// ----------
    /// out : ndarray of float64, shape (N, 3), optional
    ///     An array to fill and return instead of a new one.
    #[pyo3(signature = (out=None))]
    fn torques<'py>(&self, py: Python<'py>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors!(self.torques(py, out))
    }

    /// Numbers of the materials of the grains, shape (N,), uint16, in the order of ids.
    #[getter]
    fn grain_materials<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        numbers!(self.materials(py))
    }

    /// Which grains are held, shape (N,), bool, in the order of ids: these keep their velocity and spin whatever pushes them.
    #[getter]
    fn held<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        fn held<const D: usize>(state: &State<D>) -> Vec<bool>
        where
            Axes: Dimension<D>,
        {
            state.places_by_id().into_iter().map(|place| state.is_held(place as usize)).collect()
        }
        Ok(PyArray1::from_vec(py, self.look(|inner| Ok(each!(inner, s => held(s.state()))))?))
    }

    /// Contacts of grains with walls, sorted by id and wall: a dict of arrays.
    ///
    /// Returns
    /// -------
    /// dict
    ///     ``ids`` (M,) uint64; ``walls`` (M,) int64, their numbers; ``overlaps`` (M,); ``normals`` (M, D), from the grain to the
    ///     wall; ``forces`` (M, D) on the grain.
    fn wall_contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.look(|inner| Ok(each!(inner, simulation => WallContacts::of(&simulation.wall_contacts()))))?.into_dict(py)
    }

    /// Force of all grains on each wall now, shape (W, D).
    fn wall_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.look(|inner| Ok(each!(inner, s => Rows::new(s.wall_forces()))))?.into_array(py)
    }

    /// How far every wall is shifted from where it was put, shape (W, D).
    fn wall_shifts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.look(|inner| Ok(each!(inner, s => Rows::new(s.wall_shifts()))))?.into_array(py)
    }

    /// Volume that each wall has lost by wear so far, shape (W,).
    fn wall_wear<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.look(|inner| Ok(each!(inner, s => s.wall_wear())))?))
    }

    /// Volume that each face of a wall has lost by wear so far, in the order of its faces; empty where no wall wears off.
    ///
    /// Parameters
    /// ----------
    /// wall : int
    ///     Its number.
    fn face_wear<'py>(&self, py: Python<'py>, wall: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.look(|inner| Ok(each!(inner, s => s.face_wear(wall))))?))
    }

    /// Torque of all grains on each wall now, shape (W, 3), about the point that it turns about, or the origin.
    fn wall_torques<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.look(|inner| Ok(each!(inner, s => s.wall_torques())))?)
    }

    /// The largest overlap now, of grains with each other or with walls, as a share of the smaller radius.
    #[getter]
    fn largest_overlap(&self) -> PyResult<f64> {
        self.look(|inner| Ok(each!(inner, s => s.overlaps().largest)))
    }
}
