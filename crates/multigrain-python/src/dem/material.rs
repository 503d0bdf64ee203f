//! `Material`: what grains and walls are made of.

use multigrain_dem::{ContactLaw, Damping, Elasticity};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

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
    #[pyo3(signature = (
        density, *, stiffness=None, modulus=None, poisson=None, restitution=None, damping=None, friction=None
    ))]
    fn new(
        density: f64,
        stiffness: Option<f64>,
        modulus: Option<f64>,
        poisson: Option<f64>,
        restitution: Option<f64>,
        damping: Option<f64>,
        friction: Option<f64>,
    ) -> PyResult<Self> {
        let refuse = |text: &str| Err(PyValueError::new_err(text.to_owned()));
        let law = match (stiffness, modulus, poisson) {
            (Some(stiffness), None, None) => ContactLaw::linear(stiffness),
            (None, Some(modulus), Some(poisson)) => ContactLaw::hertz(modulus, poisson),
            (None, None, None) => return refuse("a material needs stiffness, or modulus and poisson"),
            (Some(_), _, _) => {
                return refuse("stiffness is of the linear law, modulus and poisson of Hertz: give one law");
            }
            (None, _, _) => return refuse("the law of Hertz needs both modulus and poisson"),
        };
        let law = match (restitution, damping) {
            (Some(share), None) => law.restitution(share),
            (None, Some(coefficient)) => law.damping(coefficient),
            (None, None) => law,
            (Some(_), Some(_)) => return refuse("restitution and damping both set what is lost: give one of them"),
        };
        let law = friction.map_or(law, |coefficient| law.friction(coefficient));
        Ok(Self(multigrain_dem::Material::new(density, law)))
    }

    /// Mass per volume; in the plane mass per area.
    #[getter]
    fn density(&self) -> f64 {
        self.0.density
    }

    fn __repr__(&self) -> String {
        let multigrain_dem::Material { density, law } = self.0;
        let elasticity = match law.elasticity {
            Elasticity::Linear { stiffness } => format!("stiffness={stiffness}"),
            Elasticity::Hertz { modulus, poisson } => format!("modulus={modulus}, poisson={poisson}"),
        };
        let damping = match law.damping {
            Damping::None => String::new(),
            Damping::Restitution(share) => format!(", restitution={share}"),
            Damping::Coefficient(coefficient) => format!(", damping={coefficient}"),
        };
        let friction = law.friction.map_or(String::new(), |friction| format!(", friction={}", friction.coefficient));
        format!("Material({density}, {elasticity}{damping}{friction})")
    }
}

impl Material {
    /// As the simulator takes it.
    pub fn inner(&self) -> multigrain_dem::Material {
        self.0
    }
}
