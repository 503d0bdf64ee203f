//! Fluids, fields and temperatures.

use super::columns::by_id;
use super::grains::each as one_for_each;
use super::inner::{Inner, each};
use super::simulation::Simulation;
use super::{each_keyword, no_such_keyword, vector_of};
use crate::errors::{too_new, unknown};
use multigrain_dem::{Drag, Field, Fluid};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A fluid from a dict with the keys of scenes.
pub fn fluid_of<const D: usize>(given: &Bound<'_, PyDict>) -> PyResult<Fluid<D>> {
    let (mut fluid, mut drag, mut coefficient) = (Fluid::new(0.0), "stokes".to_owned(), None::<f64>);
    each_keyword(Some(given), |name, value| {
        match name {
            "drag" => drag = value.extract()?,
            "coefficient" => coefficient = value.extract()?,
            "viscosity" => fluid.viscosity = value.extract()?,
            "density" => fluid.density = value.extract()?,
            "buoyancy" => fluid.buoyancy = value.extract()?,
            "velocity" => {
                fluid.velocity = vector_of(&value.extract::<Vec<f64>>()?, || "velocity of the fluid".to_owned())?
            }
            _ => return Err(no_such_keyword()),
        }
        Ok(())
    })?;
    fluid.drag = match (drag.as_str(), coefficient) {
        ("stokes", None) => Drag::Stokes,
        ("schiller-naumann", None) => Drag::SchillerNaumann,
        ("linear", Some(coefficient)) => Drag::Linear(coefficient),
        ("stokes" | "schiller-naumann" | "linear", _) => {
            return Err(PyValueError::new_err("coefficient belongs to drag 'linear', which needs it"));
        }
        (name, _) => return Err(unknown("drag", name, ["stokes", "linear", "schiller-naumann"])),
    };
    Ok(fluid)
}

/// The dict that gives a fluid.
pub fn fluid_dict<'py, const D: usize>(py: Python<'py>, fluid: &Fluid<D>) -> PyResult<Bound<'py, PyDict>> {
    let keys = PyDict::new(py);
    let drag = match fluid.drag {
        Drag::Stokes => "stokes",
        Drag::SchillerNaumann => "schiller-naumann",
        Drag::Linear(coefficient) => {
            keys.set_item("coefficient", coefficient)?;
            "linear"
        }
        _ => return Err(too_new("drag")),
    };
    keys.set_item("drag", drag)?;
    keys.set_item("viscosity", fluid.viscosity)?;
    keys.set_item("density", fluid.density)?;
    keys.set_item("velocity", fluid.velocity.to_vec())?;
    keys.set_item("buoyancy", fluid.buoyancy)?;
    Ok(keys)
}

/// The dict that gives a field.
pub fn field_dict<'py, const D: usize>(py: Python<'py>, field: &Field<D>) -> PyResult<Bound<'py, PyDict>> {
    let keys = PyDict::new(py);
    keys.set_item("acceleration", field.acceleration.to_vec())?;
    keys.set_item("gradient", field.gradient.map(|row| row.to_vec()).to_vec())?;
    keys.set_item("about", field.about.to_vec())?;
    Ok(keys)
}

/// A field from a dict with the keys of scenes.
pub fn field_of<const D: usize>(given: &Bound<'_, PyDict>) -> PyResult<Field<D>> {
    let mut field = Field::uniform([0.0; D]);
    each_keyword(Some(given), |name, value| {
        let vector = |values: Vec<f64>| vector_of(&values, || format!("{name} of a field"));
        match name {
            "acceleration" => field.acceleration = vector(value.extract()?)?,
            "about" => field.about = vector(value.extract()?)?,
            "gradient" => {
                let rows = value.extract::<Vec<Vec<f64>>>()?.into_iter().map(vector).collect::<PyResult<Vec<_>>>()?;
                let must = |_| PyValueError::new_err(format!("gradient of a field must have {D} rows"));
                field.gradient = rows.try_into().map_err(must)?;
            }
            _ => return Err(no_such_keyword()),
        }
        Ok(())
    })?;
    Ok(field)
}

#[pymethods]
impl Simulation {
    /// Temperatures, shape (N,), in the order of ids; empty where no material conducts heat. They can be set, to one for all or one
    /// for each.
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg
    /// >>> warm = mg.dem.Material(2500, stiffness=1e3, conductivity=20, heat_capacity=500)
    /// >>> sim = mg.dem.Simulation([[0, 0, 0], [0.0199, 0, 0]], 0.01, warm, held=True, time_step=1e-3)
    /// >>> sim.temperatures = [400, 300]
    /// >>> sim.run(1000)
    /// >>> bool(sim.temperatures[0] < 400 and sim.temperatures[1] > 300)
    /// True
    #[getter]
    fn temperatures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let column = self.look(|inner| {
            Ok(each!(inner, s => match s.state().temperatures() {
                [] => Vec::new(),
                all => by_id(s.state(), all),
            }))
        })?;
        Ok(PyArray1::from_vec(py, column))
    }

    #[setter]
    fn set_temperatures(&self, py: Python<'_>, temperatures: &Bound<'_, PyAny>) -> PyResult<()> {
        let count = self.look(|inner| Ok(each!(inner, s => s.state().own())))?;
        let all = one_for_each(temperatures, "temperatures", count)?;
        self.change(py, |inner| each!(inner, s => Ok(s.set_temperatures(&all)?)))
    }
}
