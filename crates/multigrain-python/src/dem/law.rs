//! `Law`: how two bodies push each other.

use super::{each_keyword, no_such_keyword};
use multigrain_dem::{ContactLaw, DAMPING_RATIO, Damping, Elasticity, Friction, STIFFNESS_RATIO};
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
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> mg.dem.Law(stiffness=1e5, restitution=0.9, friction=0.1)
/// Law(stiffness=100000, restitution=0.9, friction=0.1)
#[pyclass(frozen, eq, module = "multigrain.dem")]
#[derive(Clone, Copy, PartialEq)]
pub struct Law(pub ContactLaw);

/// Keyword arguments of a law.
#[derive(Clone, Copy, Default)]
pub struct LawArguments {
    stiffness: Option<f64>,
    modulus: Option<f64>,
    poisson: Option<f64>,
    restitution: Option<f64>,
    damping: Option<f64>,
    friction: Option<f64>,
    tangential_stiffness: Option<f64>,
    tangential_damping: Option<f64>,
}

#[pymethods]
impl Law {
    #[new]
    #[pyo3(signature = (**law), text_signature = "(*, stiffness=None, modulus=None, poisson=None, restitution=None, damping=None, friction=None, tangential_stiffness=None, tangential_damping=None)")]
    fn new(law: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Ok(Self(LawArguments::new(law)?.law("a law")?))
    }

    fn __repr__(&self) -> String {
        format!("Law({})", shown(&self.0))
    }
}

impl LawArguments {
    /// From keyword arguments.
    pub fn new(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut arguments = Self::default();
        each_keyword(keywords, |name, value| {
            let place = match name {
                "stiffness" => &mut arguments.stiffness,
                "modulus" => &mut arguments.modulus,
                "poisson" => &mut arguments.poisson,
                "restitution" => &mut arguments.restitution,
                "damping" => &mut arguments.damping,
                "friction" => &mut arguments.friction,
                "tangential_stiffness" => &mut arguments.tangential_stiffness,
                "tangential_damping" => &mut arguments.tangential_damping,
                _ => return Err(no_such_keyword()),
            };
            *place = value.extract()?;
            Ok(())
        })?;
        Ok(arguments)
    }

    /// The law, or what is wrong with the arguments of `whose`.
    pub fn law(&self, whose: &str) -> PyResult<ContactLaw> {
        let refuse = |text: String| Err(PyValueError::new_err(text));
        let law = match (self.stiffness, self.modulus, self.poisson) {
            (Some(stiffness), None, None) => ContactLaw::linear(stiffness),
            (None, Some(modulus), Some(poisson)) => ContactLaw::hertz(modulus, poisson),
            (None, None, None) => return refuse(format!("{whose} needs stiffness, or modulus and poisson")),
            (Some(_), _, _) => {
                return refuse("stiffness is of the linear law, modulus and poisson of Hertz: give one law".to_owned());
            }
            (None, _, _) => return refuse("the law of Hertz needs both modulus and poisson".to_owned()),
        };
        let law = match (self.restitution, self.damping) {
            (Some(share), None) => law.restitution(share),
            (None, Some(coefficient)) => law.damping(coefficient),
            (None, None) => law,
            (Some(_), Some(_)) => {
                return refuse("restitution and damping both set what is lost: give one of them".to_owned());
            }
        };
        match (self.friction, self.tangential_stiffness, self.tangential_damping) {
            (Some(coefficient), stiffness, damping) => Ok(law.with_friction(Friction {
                coefficient,
                stiffness_ratio: stiffness.unwrap_or(STIFFNESS_RATIO),
                damping_ratio: damping.unwrap_or(DAMPING_RATIO),
            })),
            (None, None, None) => Ok(law),
            _ => refuse("tangential_stiffness and tangential_damping belong to friction: give friction too".to_owned()),
        }
    }
}

/// A law as it would be written.
pub fn shown(law: &ContactLaw) -> String {
    let elasticity = match law.elasticity {
        Elasticity::Linear { stiffness } => format!("stiffness={stiffness}"),
        Elasticity::Hertz { modulus, poisson } => format!("modulus={modulus}, poisson={poisson}"),
    };
    let damping = match law.damping {
        Damping::None => String::new(),
        Damping::Restitution(share) => format!(", restitution={share}"),
        Damping::Coefficient(coefficient) => format!(", damping={coefficient}"),
    };
    let friction = law.friction.map_or(String::new(), |friction| {
        let unless = |name: &str, value: f64, usual: f64| match value == usual {
            true => String::new(),
            false => format!(", {name}={value}"),
        };
        format!(
            ", friction={}{}{}",
            friction.coefficient,
            unless("tangential_stiffness", friction.stiffness_ratio, STIFFNESS_RATIO),
            unless("tangential_damping", friction.damping_ratio, DAMPING_RATIO)
        )
    });
    format!("{elasticity}{damping}{friction}")
}
