//! `multigrain.dem`: the simulator.

mod columns;
mod flow;
mod grains;
mod law;
mod material;
mod setup;
mod simulation;
mod wall;

pub use flow::{Generator, Outflow};
pub use law::Law;
pub use material::Material;
pub use simulation::Simulation;
pub use wall::Wall;

use crate::arrays::shown;
use multigrain_dem::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

/// What the simulator says: a `RuntimeError` for what went wrong on the way, else a `ValueError`.
fn refused(error: Error) -> PyErr {
    match error {
        Error::Lost { .. } | Error::TooManyParticles => PyRuntimeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// A vector with as many numbers as grains have axes; `what` says what it is, if it is not.
fn vector_of<const D: usize>(values: &[f64], what: impl FnOnce() -> String) -> pyo3::PyResult<[f64; D]> {
    <[f64; D]>::try_from(values).map_err(|_| {
        let shape = shown(&[values.len()]);
        PyValueError::new_err(format!("{} has shape {shape}, must be ({D},) as the grains", what()))
    })
}
