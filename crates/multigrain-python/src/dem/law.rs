//! `Law`: how two bodies push each other.

use super::{each_keyword, no_such_keyword};
use crate::errors::unknown;
use multigrain_dem::{ContactLaw, Damping, Elasticity, LawKeys, Repulsion};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How grains of two materials push each other, where it is not to follow from the materials themselves: see ``between`` of
/// :class:`Simulation`.
///
/// Parameters
/// ----------
/// stiffness : float, optional
///     Linear law: force per overlap.
/// modulus, poisson : float, optional
///     Law of Hertz instead: Young's modulus and Poisson's ratio.
/// restitution : float, optional
///     Share of the speed of approach that an impact leaves; without it, and without damping, nothing is lost.
/// damping : float, optional
///     Of the linear law instead: force per speed.
/// friction : float, optional
///     Coefficient of friction; without it contacts turn nothing.
/// tangential_stiffness, tangential_damping : float, optional
///     Over the normal ones, with friction; 2/7 and 1/2 by default.
/// repulsion : {"energy", "area"}, optional
///     Law of areas instead, for polygons and discs in the plane: with ``modulus``, ``damping`` as a share of the critical one
///     (0.3 by default), ``friction`` and ``tangential_stiffness`` as a share of the modulus (0.3).
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> mg.dem.Law(stiffness=1e5, restitution=0.9, friction=0.1)
/// Law(stiffness=100000, restitution=0.9, friction=0.1)
#[pyclass(frozen, eq, module = "multigrain.dem")]
#[derive(Clone, Copy, PartialEq)]
pub struct Law(pub ContactLaw);

#[pymethods]
impl Law {
    #[new]
    #[pyo3(signature = (**law), text_signature = "(*, stiffness=None, modulus=None, poisson=None, restitution=None, damping=None, friction=None, tangential_stiffness=None, tangential_damping=None, repulsion=None)")]
    fn new(law: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Ok(Self(law_of(law)?))
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        Ok(((), keywords_of(py, &self.0)?))
    }

    fn __repr__(&self) -> String {
        format!("Law({})", shown(&self.0))
    }
}

/// The law that keyword arguments name.
pub fn law_of(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<ContactLaw> {
    let (mut keys, mut repulsion) = (LawKeys::default(), None);
    each_keyword(keywords, |name, value| {
        if name == "repulsion" {
            let given: Option<String> = value.extract()?;
            repulsion = given.map(|name| repulsion_of(&name)).transpose()?;
            return Ok(());
        }
        let place = match name {
            "stiffness" => &mut keys.stiffness,
            "modulus" => &mut keys.modulus,
            "poisson" => &mut keys.poisson,
            "restitution" => &mut keys.restitution,
            "damping" => &mut keys.damping,
            "friction" => &mut keys.friction,
            "tangential_stiffness" => &mut keys.tangential_stiffness,
            "tangential_damping" => &mut keys.tangential_damping,
            _ => return Err(no_such_keyword()),
        };
        *place = value.extract()?;
        Ok(())
    })?;
    let law = match repulsion {
        Some(repulsion) => keys.area_law(repulsion),
        None => keys.law(),
    };
    law.map_err(|mistake| PyValueError::new_err(mistake.to_string()))
}

fn repulsion_of(name: &str) -> PyResult<Repulsion> {
    match name {
        "energy" => Ok(Repulsion::Energy),
        "area" => Ok(Repulsion::Area),
        _ => Err(unknown("repulsion", name, ["energy", "area"])),
    }
}

/// The keyword arguments that name a law.
pub fn keywords_of<'py>(py: Python<'py>, law: &ContactLaw) -> PyResult<Bound<'py, PyDict>> {
    let keywords = PyDict::new(py);
    match law.elasticity {
        Elasticity::Linear { stiffness } => keywords.set_item("stiffness", stiffness)?,
        Elasticity::Hertz { modulus, poisson } => {
            keywords.set_item("modulus", modulus)?;
            keywords.set_item("poisson", poisson)?;
        }
        Elasticity::Area { .. } => return Err(PyValueError::new_err("laws by area have no keyword arguments")),
    }
    match law.damping {
        Damping::None => (),
        Damping::Restitution(share) => keywords.set_item("restitution", share)?,
        Damping::Coefficient(value) | Damping::Share(value) => keywords.set_item("damping", value)?,
    }
    if let Some(friction) = law.friction {
        keywords.set_item("friction", friction.coefficient)?;
        if matches!(law.elasticity, Elasticity::Linear { .. }) {
            keywords.set_item("tangential_stiffness", friction.stiffness_ratio)?;
        }
        keywords.set_item("tangential_damping", friction.damping_ratio)?;
    }
    Ok(keywords)
}

/// A law as it would be written.
pub fn shown(law: &ContactLaw) -> String {
    let elasticity = match law.elasticity {
        Elasticity::Linear { stiffness } => format!("stiffness={stiffness}"),
        Elasticity::Hertz { modulus, poisson } => format!("modulus={modulus}, poisson={poisson}"),
        Elasticity::Area { modulus, repulsion } => {
            let name = if repulsion == Repulsion::Energy { "energy" } else { "area" };
            format!("modulus={modulus}, repulsion='{name}'")
        }
    };
    let damping = match law.damping {
        Damping::None => String::new(),
        Damping::Restitution(share) => format!(", restitution={share}"),
        Damping::Coefficient(value) | Damping::Share(value) => format!(", damping={value}"),
    };
    let friction = law.friction.map_or(String::new(), |friction| {
        let usual = law.friction(friction.coefficient).friction.unwrap_or(friction);
        let unless = |name: &str, value: f64, usual: f64| match value == usual {
            true => String::new(),
            false => format!(", {name}={value}"),
        };
        format!(
            ", friction={}{}{}",
            friction.coefficient,
            unless("tangential_stiffness", friction.stiffness_ratio, usual.stiffness_ratio),
            unless("tangential_damping", friction.damping_ratio, usual.damping_ratio)
        )
    });
    format!("{elasticity}{damping}{friction}")
}
