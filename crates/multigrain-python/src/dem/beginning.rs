//! How simulations begin: with grains, or with what was saved.

use super::refused;
use crate::threads;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Grain, Setup, Simulation as Engine};
use pyo3::prelude::*;
use std::io::{Read, Seek};

pub fn started<const D: usize>(py: Python<'_>, setup: Setup<D>, grains: Vec<Grain<D>>) -> PyResult<Box<Engine<D>>>
where
    Axes: Dimension<D>,
{
    Ok(Box::new(threads::run(py, move |_| setup.build(grains))?.map_err(refused)?))
}

/// What a saved simulation is read from.
pub trait Input: Read + Seek + Send {}

impl<T: Read + Seek + Send> Input for T {}

pub fn resumed<const D: usize>(py: Python<'_>, setup: Setup<D>, mut input: &mut dyn Input) -> PyResult<Box<Engine<D>>>
where
    Axes: Dimension<D>,
{
    Ok(Box::new(threads::run(py, move |_| setup.resume_from(&mut input))?.map_err(refused)?))
}
