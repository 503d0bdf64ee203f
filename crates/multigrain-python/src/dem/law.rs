//! `Law`: how two bodies push each other.

use multigrain_dem::{ContactLaw, DAMPING_RATIO, Damping, Elasticity, Friction, STIFFNESS_RATIO};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

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
    pub stiffness: Option<f64>,
    pub modulus: Option<f64>,
    pub poisson: Option<f64>,
    pub restitution: Option<f64>,
    pub damping: Option<f64>,
    pub friction: Option<f64>,
    pub tangential_stiffness: Option<f64>,
    pub tangential_damping: Option<f64>,
}

#[pymethods]
impl Law {
    #[new]
    #[pyo3(signature = (
        *, stiffness=None, modulus=None, poisson=None, restitution=None, damping=None, friction=None,
        tangential_stiffness=None, tangential_damping=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        stiffness: Option<f64>,
        modulus: Option<f64>,
        poisson: Option<f64>,
        restitution: Option<f64>,
        damping: Option<f64>,
        friction: Option<f64>,
        tangential_stiffness: Option<f64>,
        tangential_damping: Option<f64>,
    ) -> PyResult<Self> {
        let arguments = LawArguments {
            stiffness,
            modulus,
            poisson,
            restitution,
            damping,
            friction,
            tangential_stiffness,
            tangential_damping,
        };
        Ok(Self(arguments.law("a law")?))
    }

    fn __repr__(&self) -> String {
        format!("Law({})", shown(&self.0))
    }
}

impl LawArguments {
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
