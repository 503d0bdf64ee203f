//! What a simulation is told, from Python's keyword arguments.

use super::material::Material;
use super::wall::Wall;
use crate::arrays::shown;
use crate::domain::Domain;
use crate::errors::unknown;
use crate::search::method_of;
use multigrain_dem::{Integrator, Setup, Skin, TimeStep};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Names of integrators.
const INTEGRATORS: [(&str, Integrator); 3] =
    [("verlet", Integrator::Verlet), ("plain-verlet", Integrator::PlainVerlet), ("gear", Integrator::Gear)];

/// Keyword arguments as they come, checked when the dimension is known.
pub struct Wishes<'a, 'py> {
    pub materials: &'a Bound<'py, PyAny>,
    pub domain: Option<&'a Bound<'py, Domain>>,
    pub gravity: Option<Vec<f64>>,
    pub walls: Vec<Bound<'py, Wall>>,
    pub time_step: Option<f64>,
    pub integrator: &'a str,
    pub bounds: Option<&'a Bound<'py, Domain>>,
    pub method: &'a str,
    pub skin: Option<&'a Bound<'py, PyAny>>,
}

impl Wishes<'_, '_> {
    /// The setup for grains with `D` axes.
    pub fn setup<const D: usize>(&self) -> PyResult<Setup<D>> {
        let integrator = INTEGRATORS.iter().find(|(name, _)| *name == self.integrator);
        let Some((_, integrator)) = integrator else {
            return Err(unknown("integrator", self.integrator, INTEGRATORS.map(|(name, _)| name)));
        };
        let mut setup = Setup::new()
            .domain(Domain::for_axes(self.domain.map(|domain| domain.get()))?)
            .integrator(*integrator)
            .method(method_of(self.method)?)
            .skin(self.skin()?);
        if let Some(gravity) = &self.gravity {
            let values = <[f64; D]>::try_from(gravity.as_slice()).map_err(|_| {
                let shape = shown(&[gravity.len()]);
                PyValueError::new_err(format!("gravity has shape {shape}, must be ({D},) as the grains"))
            })?;
            setup = setup.gravity(values);
        }
        for material in self.materials()? {
            setup = setup.material(material.inner());
        }
        for (number, wall) in self.walls.iter().enumerate() {
            setup = setup.wall(wall.get().inner(number)?);
        }
        if let Some(length) = self.time_step {
            setup = setup.time_step(TimeStep::Given(length));
        }
        if let Some(bounds) = self.bounds {
            let bounds = Domain::for_axes::<D>(Some(bounds.get()))?;
            setup = setup.bounds(bounds.lo(), bounds.hi());
        }
        Ok(setup)
    }

    fn materials(&self) -> PyResult<Vec<Material>> {
        if let Ok(one) = self.materials.cast::<Material>() {
            return Ok(vec![*one.get()]);
        }
        let must = |_| PyTypeError::new_err("materials must be a Material, or a sequence of them");
        let items = self.materials.try_iter().map_err(must)?;
        items.map(|item| Ok(*item?.cast::<Material>().map_err(|error| must(error.into()))?.get())).collect()
    }

    fn skin(&self) -> PyResult<Skin> {
        let Some(skin) = self.skin else { return Ok(Skin::None) };
        if let Ok(width) = skin.extract::<f64>() {
            return Ok(Skin::Width(width));
        }
        match skin.extract::<&str>() {
            Ok("auto") => Ok(Skin::Chosen),
            _ => Err(PyTypeError::new_err("skin must be a width, 'auto', or None")),
        }
    }
}
