//! `multigrain.dem`: the simulator.

mod beginning;
mod body_forces;
mod bonds;
mod changing;
mod clump;
mod columns;
mod deformation;
mod flow;
mod grains;
mod inner;
mod law;
mod material;
mod own_forces;
mod reading;
mod region;
mod setup;
mod simulation;
mod trajectory;
mod wall;

pub use clump::ClumpShape;
pub use deformation::Deformation;
pub use flow::{Generator, Meter, Outflow};
pub use law::Law;
pub use material::Material;
pub use region::Region;
pub use simulation::Simulation;
pub use wall::Wall;

use crate::arguments::named;
use crate::arrays::shown;
use multigrain_dem::Error;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What the simulator says: a `RuntimeError` for what went wrong on the way, else a `ValueError`.
pub fn refused(error: Error) -> PyErr {
    match error {
        Error::Lost { .. } | Error::TooManyParticles | Error::OwnForces { .. } => {
            PyRuntimeError::new_err(error.to_string())
        }
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// What goes wrong when a simulation is changed.
pub enum Mistake {
    /// What the simulator says.
    Refused(Error),
    /// What Python says.
    Raised(PyErr),
}

impl From<Error> for Mistake {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl From<PyErr> for Mistake {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

/// Hands every keyword argument on by name. Values of the wrong type are refused by the name of the argument.
fn each_keyword<'py>(
    keywords: Option<&Bound<'py, PyDict>>,
    mut take: impl FnMut(&str, &Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    for (name, value) in keywords.into_iter().flatten() {
        let name: String = name.extract()?;
        take(&name, &value).map_err(|error| named(error, &name, &value))?;
    }
    Ok(())
}

fn no_such_keyword() -> PyErr {
    PyTypeError::new_err("there is no argument of this name")
}

/// A vector with as many numbers as grains have axes; `what` says what it is, if it is not.
fn vector_of<const D: usize>(values: &[f64], what: impl FnOnce() -> String) -> PyResult<[f64; D]> {
    <[f64; D]>::try_from(values).map_err(|_| {
        let shape = shown(&[values.len()]);
        PyValueError::new_err(format!("{} has shape {shape}, must be ({D},) as the grains", what()))
    })
}
