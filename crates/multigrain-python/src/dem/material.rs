//! `Material`: what grains and walls are made of.

use super::each_keyword;
use super::law::{keywords_of, law_of_keys, shown, take};
use multigrain_dem::LawKeys;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Keyword arguments of heat.
const HEAT: [&str; 2] = ["conductivity", "heat_capacity"];

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
///     Coefficient of restitution; without it, and without damping, contacts are elastic.
/// damping : float, optional
///     Of the linear law instead: force per speed.
/// friction : float, optional
///     Coefficient of friction; without it contacts turn nothing.
/// tangential_stiffness, tangential_damping : float, optional
///     Over the normal ones, with friction; 2/7 and 1/2 by default.
/// conductivity, heat_capacity : float, optional
///     Of heat: power per length and temperature, energy per mass and temperature. Without them there are no temperatures.
/// **parts
///     Rolling, twisting, cohesion, bonds, Luding's law, the law of areas: as for :class:`Law`.
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
    #[pyo3(signature = (density, **law), text_signature = "(density, *, stiffness=None, modulus=None, poisson=None, restitution=None, damping=None, friction=None, tangential_stiffness=None, tangential_damping=None, rolling_friction=None, rolling_stiffness=None, rolling_damping=None, twisting_friction=None, twisting_stiffness=None, twisting_damping=None, unloading_stiffness=None, cohesive_stiffness=None, plastic_depth=None, adhesion=None, adhesion_range=None, adhesion_energy=None, surface_tension=None, contact_angle=None, liquid_volume=None, bond_modulus=None, bond_strength=None, bond_shear_strength=None, bond_radius=None, bond_ratio=None, bond_damping=None, bond_gap=None, cohesion=None, rolling=None, dashpot=None, repulsion=None, conductivity=None, heat_capacity=None)")]
    fn new(density: f64, law: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let (mut keys, mut repulsion, mut heat) = (LawKeys::default(), None, [None::<f64>; 2]);
        each_keyword(law, |name, value| {
            match HEAT.iter().position(|known| *known == name) {
                Some(k) => heat[k] = value.extract()?,
                None => take(&mut keys, &mut repulsion, name, value)?,
            }
            Ok(())
        })?;
        let made = multigrain_dem::Material::new(density, law_of_keys(&keys, repulsion)?);
        match heat {
            [None, None] => Ok(Self(made)),
            [Some(conductivity), Some(capacity)] => Ok(Self(made.heat(conductivity, capacity))),
            _ => Err(PyValueError::new_err("heat needs both conductivity and heat_capacity: add the other one")),
        }
    }

    /// Mass per volume; in the plane mass per area.
    #[getter]
    fn density(&self) -> f64 {
        self.0.density
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((f64,), Bound<'py, PyDict>)> {
        let keywords = keywords_of(py, &self.0.law)?;
        if let Some(heat) = self.0.heat {
            keywords.set_item(HEAT[0], heat.conductivity)?;
            keywords.set_item(HEAT[1], heat.capacity)?;
        }
        Ok(((self.0.density,), keywords))
    }

    fn __repr__(&self) -> String {
        let heat = self.0.heat.map_or(String::new(), |heat| {
            format!(", conductivity={}, heat_capacity={}", heat.conductivity, heat.capacity)
        });
        format!("Material({}, {}{heat})", self.0.density, shown(&self.0.law))
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
