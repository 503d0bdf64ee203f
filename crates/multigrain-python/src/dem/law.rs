//! `Law`: how two bodies push each other.

use super::{each_keyword, no_such_keyword};
use crate::errors::unknown;
use multigrain_dem::{CohesionName, ContactLaw, DashpotName, Elasticity, LawKeys, LawMistake, Repulsion, RollingName};
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
///     Coefficient of restitution; without it, and without damping, contacts are elastic.
/// damping : float, optional
///     Of the linear law instead: force per speed.
/// friction : float, optional
///     Coefficient of friction; without it contacts turn nothing.
/// tangential_stiffness, tangential_damping : float, optional
///     Over the normal ones, with friction; 2/7 and 1/2 by default.
/// rolling_friction, twisting_friction : float, optional
///     Resistance to rolling and to twisting about the normal: largest torque over normal force times effective radius.
/// rolling_stiffness, rolling_damping, twisting_stiffness, twisting_damping : float, optional
///     Of their springs and dashpots, over the normal ones times the effective radius squared; 2/7 and 1/2 by default.
/// rolling : {"spring", "constant"}, optional
///     How both are resisted: by spring, dashpot and slider (the default), or by a constant torque.
/// unloading_stiffness, cohesive_stiffness, plastic_depth : float, optional
///     Luding's elasto-plastic law, with ``stiffness`` as that of first loading.
/// cohesion : {"linear", "dmt", "jkr", "willett", "rabinovich"}, optional
///     Which cohesion is meant.
/// adhesion, adhesion_range : float, optional
///     Linear cohesion: force where grains touch, and the gap over which it is gone.
/// adhesion_energy : float, optional
///     Work of adhesion of "jkr" (with Hertz) and "dmt": energy per area.
/// surface_tension, contact_angle, liquid_volume : float, optional
///     Liquid bridges; the angle in degrees, 0 by default, and the volume of each bridge.
/// bond_modulus, bond_strength, bond_shear_strength, bond_radius, bond_ratio, bond_damping, bond_gap : float, optional
///     Bonds, where :meth:`Simulation.bond` makes some: Young's modulus, stresses that break them, radius over the smaller one,
///     stiffness across over that along, share of the critical damping, largest gap over which they are made.
/// dashpot : {"free", "no-pull"}, optional
///     What the dashpot along the normal may do at the end of an impact: pull too (the default), or take at most the repulsion away.
///     The restitution is that asked for with both.
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
    #[pyo3(signature = (**law), text_signature = "(*, stiffness=None, modulus=None, poisson=None, restitution=None, damping=None, friction=None, tangential_stiffness=None, tangential_damping=None, rolling_friction=None, rolling_stiffness=None, rolling_damping=None, twisting_friction=None, twisting_stiffness=None, twisting_damping=None, unloading_stiffness=None, cohesive_stiffness=None, plastic_depth=None, adhesion=None, adhesion_range=None, adhesion_energy=None, surface_tension=None, contact_angle=None, liquid_volume=None, bond_modulus=None, bond_strength=None, bond_shear_strength=None, bond_radius=None, bond_ratio=None, bond_damping=None, bond_gap=None, cohesion=None, rolling=None, dashpot=None, repulsion=None)")]
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
    each_keyword(keywords, |name, value| take(&mut keys, &mut repulsion, name, value))?;
    law_of_keys(&keys, repulsion)
}

/// The law of these keys.
pub fn law_of_keys(keys: &LawKeys, repulsion: Option<Repulsion>) -> PyResult<ContactLaw> {
    try_law(keys, repulsion).map_err(|mistake| PyValueError::new_err(mistake.to_string()))
}

/// Takes one keyword argument of a law.
pub fn take(
    keys: &mut LawKeys,
    repulsion: &mut Option<Repulsion>,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    if let Some(place) = keys.number(name) {
        *place = value.extract()?;
        return Ok(());
    }
    let Ok(given) = value.extract::<Option<String>>() else { return Err(no_such_keyword()) };
    let known = |what: &str, names: &[&'static str]| {
        let name = given.clone().unwrap_or_default();
        unknown(what, &name, names.iter().copied())
    };
    match (name, given.as_deref()) {
        ("repulsion" | "cohesion" | "rolling" | "dashpot", None) => (),
        ("repulsion", Some(word)) => *repulsion = Some(repulsion_of(word)?),
        ("cohesion", Some(word)) => {
            let found = CohesionName::from_name(word).ok_or_else(|| known("cohesion", CohesionName::NAMES))?;
            keys.cohesion = Some(found);
        }
        ("rolling", Some(word)) => {
            let found = RollingName::from_name(word).ok_or_else(|| known("rolling", RollingName::NAMES))?;
            keys.rolling = Some(found);
        }
        ("dashpot", Some(word)) => {
            let found = DashpotName::from_name(word).ok_or_else(|| known("dashpot", DashpotName::NAMES))?;
            keys.dashpot = Some(found);
        }
        _ => return Err(no_such_keyword()),
    }
    Ok(())
}

fn try_law(keys: &LawKeys, repulsion: Option<Repulsion>) -> Result<ContactLaw, LawMistake> {
    match repulsion {
        Some(repulsion) => keys.area_law(repulsion),
        None => keys.law(),
    }
}

const REPULSIONS: [(&str, Repulsion); 2] = [("energy", Repulsion::Energy), ("area", Repulsion::Area)];

fn repulsion_of(name: &str) -> PyResult<Repulsion> {
    let found = REPULSIONS.iter().find(|(known, _)| *known == name);
    found.map(|found| found.1).ok_or_else(|| unknown("repulsion", name, REPULSIONS.map(|known| known.0)))
}

/// Numbers by name.
type Numbers = Vec<(&'static str, f64)>;

/// Words by name.
type Words = Vec<(&'static str, &'static str)>;

/// Numbers and words that name a law, without those that it would have anyway.
fn spelled(law: &ContactLaw) -> (Numbers, Words) {
    let mut keys = LawKeys::of(law);
    let repulsion = match law.elasticity {
        Elasticity::Area { repulsion, .. } => Some(repulsion),
        _ => None,
    };
    let mut numbers = Vec::new();
    for &name in LawKeys::NAMES {
        let Some(value) = keys.number(name).and_then(|number| number.take()) else { continue };
        if try_law(&keys, repulsion) != Ok(*law) {
            if let Some(place) = keys.number(name) {
                *place = Some(value);
            }
            numbers.push((name, value));
        }
    }
    let mut words = Vec::new();
    let without = LawKeys { cohesion: None, ..keys };
    if let Some(name) = keys.cohesion.filter(|_| try_law(&without, repulsion) != Ok(*law)) {
        words.push(("cohesion", name.name()));
    }
    let without = LawKeys { rolling: None, ..keys };
    if let Some(name) = keys.rolling.filter(|_| try_law(&without, repulsion) != Ok(*law)) {
        words.push(("rolling", name.name()));
    }
    words.extend(keys.dashpot.map(|name| ("dashpot", name.name())));
    let name = REPULSIONS.iter().find(|(_, other)| Some(*other) == repulsion);
    words.extend(name.map(|(name, _)| ("repulsion", *name)));
    (numbers, words)
}

/// The keyword arguments that name a law.
pub fn keywords_of<'py>(py: Python<'py>, law: &ContactLaw) -> PyResult<Bound<'py, PyDict>> {
    let (numbers, words) = spelled(law);
    let keywords = PyDict::new(py);
    for (name, value) in numbers {
        keywords.set_item(name, value)?;
    }
    for (name, word) in words {
        keywords.set_item(name, word)?;
    }
    Ok(keywords)
}

/// A law as it would be written.
pub fn shown(law: &ContactLaw) -> String {
    let (numbers, words) = spelled(law);
    let numbers = numbers.into_iter().map(|(name, value)| format!("{name}={value}"));
    numbers.chain(words.into_iter().map(|(name, word)| format!("{name}='{word}'"))).collect::<Vec<_>>().join(", ")
}
