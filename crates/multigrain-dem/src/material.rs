//! What grains and walls are made of, and how two of them push each other.

use crate::error::Error;

/// What grains or walls are made of.
///
/// ```
/// use multigrain_dem::{ContactLaw, Material};
/// let glass = Material::new(2500.0, ContactLaw::linear(1e5).restitution(0.9).friction(0.4));
/// let steel = Material::new(7800.0, ContactLaw::hertz(2.1e11, 0.3).restitution(0.6));
/// assert!(glass.density < steel.density);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Mass per volume; in the plane mass per area.
    pub density: f64,
    /// How two grains of this material push each other.
    pub law: ContactLaw,
}

impl Material {
    /// A material of this density and law of contact.
    pub const fn new(density: f64, law: ContactLaw) -> Self {
        Self { density, law }
    }

    /// An error if a number of this material cannot be worked with; `of` says which material it is.
    pub fn check(&self, of: &str) -> Result<(), Error> {
        self.law.check(of)?;
        if self.density > 0.0 && self.density.is_finite() {
            return Ok(());
        }
        let (what, must) = (format!("density of {of}"), "must be positive and finite");
        Err(Error::Parameter { what, value: self.density, must })
    }
}

/// How two touching bodies push each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactLaw {
    /// Repulsion along the normal.
    pub elasticity: Elasticity,
    /// What is lost of motion along the normal.
    pub damping: Damping,
    /// Friction; without it contacts turn nothing.
    pub friction: Option<Friction>,
}

/// Repulsion along the normal, by overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Elasticity {
    /// Force proportional to overlap.
    Linear {
        /// Force per overlap.
        stiffness: f64,
    },
    /// Hertz: force proportional to overlap to the power 3/2. Tangential stiffness as Mindlin has it for no slip.
    Hertz {
        /// Young's modulus of the material.
        modulus: f64,
        /// Poisson's ratio of the material.
        poisson: f64,
    },
}

/// What is lost of motion along the normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Damping {
    /// Nothing.
    None,
    /// As much as leaves this share of the speed of approach after an impact, whatever the masses.
    Restitution(f64),
    /// Force per speed, the same for all contacts. Only with the linear law.
    Coefficient(f64),
}

/// Coulomb friction with a tangential spring that remembers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    /// Largest tangential force over the normal one.
    pub coefficient: f64,
    /// Tangential over normal stiffness of the linear law. Hertz has its own.
    pub stiffness_ratio: f64,
    /// Tangential over normal damping.
    pub damping_ratio: f64,
}

/// Tangential over normal stiffness where nothing is said: normal and tangential motion then take the same time for solid
/// spheres.
pub const STIFFNESS_RATIO: f64 = 2.0 / 7.0;

/// Tangential over normal damping where nothing is said.
pub const DAMPING_RATIO: f64 = 0.5;

impl ContactLaw {
    /// Force proportional to overlap, nothing lost, no friction.
    pub const fn linear(stiffness: f64) -> Self {
        Self { elasticity: Elasticity::Linear { stiffness }, damping: Damping::None, friction: None }
    }

    /// Hertz, from Young's modulus and Poisson's ratio; nothing lost, no friction.
    pub const fn hertz(modulus: f64, poisson: f64) -> Self {
        Self { elasticity: Elasticity::Hertz { modulus, poisson }, damping: Damping::None, friction: None }
    }

    /// The same with losses that leave this share of the speed of approach.
    pub const fn restitution(self, share: f64) -> Self {
        Self { damping: Damping::Restitution(share), ..self }
    }

    /// The same with a dashpot: force per speed.
    pub const fn damping(self, coefficient: f64) -> Self {
        Self { damping: Damping::Coefficient(coefficient), ..self }
    }

    /// The same with friction of this coefficient.
    pub const fn friction(self, coefficient: f64) -> Self {
        let friction = Friction { coefficient, stiffness_ratio: STIFFNESS_RATIO, damping_ratio: DAMPING_RATIO };
        Self { friction: Some(friction), ..self }
    }

    /// The same with this friction.
    pub const fn with_friction(self, friction: Friction) -> Self {
        Self { friction: Some(friction), ..self }
    }

    /// The law between two materials for which none was given: springs in series, and of restitution and friction the
    /// smaller. `None` where the laws are of different kinds.
    pub(crate) fn between(a: &Self, b: &Self) -> Option<Self> {
        use Elasticity::{Hertz, Linear};
        let elasticity = match (a.elasticity, b.elasticity) {
            (Linear { stiffness: a }, Linear { stiffness: b }) => Linear { stiffness: 2.0 / (1.0 / a + 1.0 / b) },
            (Hertz { modulus: a, poisson: p }, Hertz { modulus: b, poisson: q }) => {
                // One material that gives the same effective modulus, with the mean of Poisson's ratios.
                let poisson = 0.5 * (p + q);
                let compliance = (1.0 - p * p) / a + (1.0 - q * q) / b;
                Hertz { modulus: 2.0 * (1.0 - poisson * poisson) / compliance, poisson }
            }
            _ => return None,
        };
        let damping = match (a.damping, b.damping) {
            (Damping::None, Damping::None) => Damping::None,
            (Damping::Restitution(a), Damping::Restitution(b)) => Damping::Restitution(a.min(b)),
            (Damping::None, Damping::Restitution(share)) | (Damping::Restitution(share), Damping::None) => {
                Damping::Restitution(share)
            }
            (Damping::Coefficient(a), Damping::Coefficient(b)) => Damping::Coefficient(0.5 * (a + b)),
            _ => return None,
        };
        let friction = match (a.friction, b.friction) {
            (Some(a), Some(b)) => Some(if a.coefficient <= b.coefficient { a } else { b }),
            _ => None,
        };
        Some(Self { elasticity, damping, friction })
    }

    /// Name, version and every number of the law, in words that stay the same: checkpoints are tied to them.
    pub fn describe(&self) -> String {
        let mut text = match self.elasticity {
            Elasticity::Linear { stiffness } => format!("linear 1, stiffness {stiffness:e}"),
            Elasticity::Hertz { modulus, poisson } => {
                format!("hertz-mindlin 1, modulus {modulus:e}, poisson {poisson:e}")
            }
        };
        match self.damping {
            Damping::None => {}
            Damping::Restitution(share) => text += &format!(", restitution {share:e}"),
            Damping::Coefficient(value) => text += &format!(", damping {value:e}"),
        }
        if let Some(Friction { coefficient, stiffness_ratio, damping_ratio }) = self.friction {
            text += &format!(
                ", friction {coefficient:e}, tangential_stiffness {stiffness_ratio:e}, tangential_damping {damping_ratio:e}"
            );
        }
        text
    }

    /// An error if a number of this law cannot be worked with; `of` says whose law it is.
    pub fn check(&self, of: &str) -> Result<(), Error> {
        let refuse = |what: &str, value, must| Err(Error::Parameter { what: format!("{what} of {of}"), value, must });
        match self.elasticity {
            Elasticity::Linear { stiffness } if !(stiffness > 0.0 && stiffness.is_finite()) => {
                return refuse("stiffness", stiffness, "must be positive and finite");
            }
            Elasticity::Hertz { modulus, .. } if !(modulus > 0.0 && modulus.is_finite()) => {
                return refuse("modulus", modulus, "must be positive and finite");
            }
            Elasticity::Hertz { poisson, .. } if !(poisson > -1.0 && poisson <= 0.5) => {
                return refuse("Poisson's ratio", poisson, "must be above -1 and at most 0.5");
            }
            _ => {}
        }
        match self.damping {
            Damping::Restitution(share) if !(share > 0.0 && share <= 1.0) => {
                return refuse("restitution", share, "must be above 0 and at most 1");
            }
            Damping::Coefficient(value) if !(value >= 0.0 && value.is_finite()) => {
                return refuse("damping", value, "must be finite and not negative");
            }
            Damping::Coefficient(value) if matches!(self.elasticity, Elasticity::Hertz { .. }) => {
                return refuse("damping", value, "belongs to the linear law; with Hertz give a restitution");
            }
            _ => {}
        }
        if let Some(friction) = self.friction {
            let values = [
                ("friction", friction.coefficient),
                ("tangential stiffness ratio", friction.stiffness_ratio),
                ("tangential damping ratio", friction.damping_ratio),
            ];
            for (what, value) in values {
                if !(value >= 0.0 && value.is_finite()) {
                    return refuse(what, value, "must be finite and not negative");
                }
            }
            if friction.stiffness_ratio == 0.0 {
                return refuse("tangential stiffness ratio", 0.0, "must be positive");
            }
        }
        Ok(())
    }
}
