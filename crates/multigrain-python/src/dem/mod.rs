//! `multigrain.dem`: the simulator.

mod columns;
mod grains;
mod material;
mod setup;
mod simulation;
mod wall;

pub use material::Material;
pub use simulation::Simulation;
pub use wall::Wall;

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
