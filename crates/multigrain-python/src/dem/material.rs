//! `Material`: what grains and walls are made of.

use super::law::{keywords_of, law_of, shown};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What grains or walls are made of, and how two bodies of it push each other.
///
/// Units are your own, as long as they belong together: with metres, kilograms and seconds forces are in newtons.
///
/// Parameters
/// ----------
/// density : float
///     Mass per volume; in the plane mass per area.
/// stiffness : float, optional
///     Of the linear law: force per overlap.
/// modulus, poisson : float, optional
///     Of the law of Hertz instead: Young's modulus and Poisson's ratio.
/// restitution : float, optional
///     Share of the speed of approach that an impact leaves; without it, and without damping, nothing is lost.
/// damping : float, optional
///     Of the linear law instead: force per speed.
/// friction : float, optional
///     Coefficient of friction; without it contacts turn nothing.
/// tangential_stiffness, tangential_damping : float, optional
///     Over the normal ones, with friction; 2/7 and 1/2 by default.
/// repulsion : {"energy", "area"}, optional
///     Law of areas instead, as for :class:`Law`.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> mg.dem.Material(2500, stiffness=1e5, restitution=0.9, friction=0.4)
/// Material(2500, stiffness=100000, restitution=0.9, friction=0.4)
/// >>> mg.dem.Material(7800, modulus=2.1e11, poisson=0.3, restitution=0.6).density
/// 7800.0
#[pyclass(frozen, eq, module = "multigrain.dem")]
#[derive(Clone, Copy, PartialEq)]
pub struct Material(multigrain_dem::Material);

#[pymethods]
impl Material {
    #[new]
    #[pyo3(signature = (density, **law), text_signature = "(density, *, stiffness=None, modulus=None, poisson=None, restitution=None, damping=None, friction=None, tangential_stiffness=None, tangential_damping=None, repulsion=None)")]
    fn new(density: f64, law: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Ok(Self(multigrain_dem::Material::new(density, law_of(law)?)))
    }

    /// Mass per volume; in the plane mass per area.
    #[getter]
    fn density(&self) -> f64 {
        self.0.density
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((f64,), Bound<'py, PyDict>)> {
        Ok(((self.0.density,), keywords_of(py, &self.0.law)?))
    }

    fn __repr__(&self) -> String {
        format!("Material({}, {})", self.0.density, shown(&self.0.law))
    }
}

impl From<multigrain_dem::Material> for Material {
    fn from(material: multigrain_dem::Material) -> Self {
        Self(material)
    }
}

impl Material {
    /// As the simulator takes it.
    pub fn inner(&self) -> multigrain_dem::Material {
        self.0
    }
}
