//! What grains and walls are made of, and how two of them push each other.

use crate::error::Error;
use crate::heat::Heat;
use crate::laws::{Bond, Cohesion, Plastic, Resistance};

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
    /// How it conducts and holds heat, if it does.
    pub heat: Option<Heat>,
}

impl Material {
    /// A material of this density and law of contact.
    pub const fn new(density: f64, law: ContactLaw) -> Self {
        Self { density, law, heat: None }
    }

    /// The same with this conductivity of heat, and energy per mass and temperature.
    pub const fn heat(self, conductivity: f64, capacity: f64) -> Self {
        Self { heat: Some(Heat { conductivity, capacity }), ..self }
    }

    /// An error if a number of this material cannot be worked with; `of` says which material it is.
    pub fn check(&self, of: &str) -> Result<(), Error> {
        self.law.check(of)?;
        self.heat.map_or(Ok(()), |heat| heat.check(of))?;
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
    /// What the dashpot along the normal may do.
    pub dashpot: Dashpot,
    /// Friction; without it contacts turn nothing.
    pub friction: Option<Friction>,
    /// Resistance to rolling.
    pub rolling: Option<Resistance>,
    /// Resistance to twisting about the normal, in space.
    pub twisting: Option<Resistance>,
    /// What pulls bodies together.
    pub cohesion: Option<Cohesion>,
    /// What bonds of grains are like, where some are made: see [`Simulation::bond`](crate::Simulation::bond).
    pub bond: Option<Bond>,
}

/// Repulsion along the normal, by overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
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
    /// Force by the area that bodies have in common, in the plane only: for polygons, and discs among them.
    Area {
        /// Young's modulus; in the plane a force per length, as for a plate of thickness one.
        modulus: f64,
        /// How the force follows from the area.
        repulsion: Repulsion,
    },
    /// Luding's elasto-plastic law: contacts are dented, and dents hold bodies together.
    Plastic(Plastic),
}

/// How repulsion follows from what two bodies have in common: its area `A`, its moment of inertia `J` around its centroid, the
/// characteristic length `l` and Young's modulus `Y`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repulsion {
    /// The gradient of the energy `Y A^2 / (2 l w)`, where `w = sqrt(12 J / A)` is the width of a thin rectangle with the same
    /// area and inertia. That is `Y A / l` where faces meet and within a tenth of it where a blunt corner or round bodies do;
    /// direction and place are such that elastic collisions keep their energy, whatever meets. Faces on faces resist rocking.
    #[default]
    Energy,
    /// Force `Y A / l` across the contact line at the centroid of the overlap. Where a corner meets a corner it has no exact
    /// potential: single collisions lose or gain some percent of their energy.
    Area,
}

/// What is lost of motion along the normal.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Damping {
    /// Nothing.
    None,
    /// By the coefficient of restitution: the speed after an impact over that before, whatever the masses.
    Restitution(f64),
    /// Force per speed, the same for all contacts. Only with the linear law.
    Coefficient(f64),
    /// This share of the critical damping, along the normal and along the contact line. Only with the law of areas.
    Share(f64),
}

/// What the dashpot along the normal may do at the end of an impact, when it slows bodies that part more than repulsion drives them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dashpot {
    /// It pulls them: repulsion and dashpot together are an oscillator for half a period, as most codes have it by default.
    #[default]
    Free,
    /// It takes at most the repulsion away, so that bodies without cohesion never pull each other. From then on they touch without a
    /// force. The coefficient of restitution is still that asked for: dashpots are a little stronger (Schwager and Poeschel, Granular
    /// Matter 9 (2007) 465).
    NoPull,
}

/// Coulomb friction with a tangential spring that remembers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    /// Largest tangential force over the normal one.
    pub coefficient: f64,
    /// Tangential over normal stiffness of the linear law; with the law of areas, over Young's modulus. Hertz has its own.
    pub stiffness_ratio: f64,
    /// Tangential over normal damping.
    pub damping_ratio: f64,
}

/// Tangential over normal stiffness by default: normal and tangential motion then take the same time for solid
/// spheres.
pub const STIFFNESS_RATIO: f64 = 2.0 / 7.0;

/// Stiffness of the tangential spring as a share of Young's modulus, with the law of areas, by default.
pub const AREA_STIFFNESS_RATIO: f64 = 0.3;

/// Share of the critical damping, with the law of areas, where files and keyword arguments give none.
pub const AREA_DAMPING: f64 = 0.3;

/// Tangential over normal damping by default.
pub const DAMPING_RATIO: f64 = 0.5;

impl ContactLaw {
    const fn of(elasticity: Elasticity) -> Self {
        let (damping, dashpot, friction) = (Damping::None, Dashpot::Free, None);
        Self { elasticity, damping, dashpot, friction, rolling: None, twisting: None, cohesion: None, bond: None }
    }

    /// Force proportional to overlap, nothing lost, no friction.
    pub const fn linear(stiffness: f64) -> Self {
        Self::of(Elasticity::Linear { stiffness })
    }

    /// Hertz, from Young's modulus and Poisson's ratio; nothing lost, no friction.
    pub const fn hertz(modulus: f64, poisson: f64) -> Self {
        Self::of(Elasticity::Hertz { modulus, poisson })
    }

    /// Force by the area in common, in the plane, from Young's modulus; nothing lost, no friction.
    pub const fn area(modulus: f64) -> Self {
        Self::of(Elasticity::Area { modulus, repulsion: Repulsion::Energy })
    }

    /// Luding's elasto-plastic law; nothing lost by damping, no friction.
    pub const fn plastic(plastic: Plastic) -> Self {
        Self::of(Elasticity::Plastic(plastic))
    }

    /// The same law of areas with another repulsion; other laws stay as they are.
    pub const fn repulsion(self, repulsion: Repulsion) -> Self {
        match self.elasticity {
            Elasticity::Area { modulus, .. } => Self { elasticity: Elasticity::Area { modulus, repulsion }, ..self },
            _ => self,
        }
    }

    /// The same with this share of the critical damping: for the law of areas.
    pub const fn damping_share(self, share: f64) -> Self {
        Self { damping: Damping::Share(share), ..self }
    }

    /// The same with this coefficient of restitution.
    pub const fn restitution(self, share: f64) -> Self {
        Self { damping: Damping::Restitution(share), ..self }
    }

    /// The same with a dashpot: force per speed.
    pub const fn damping(self, coefficient: f64) -> Self {
        Self { damping: Damping::Coefficient(coefficient), ..self }
    }

    /// The same with a dashpot that never pulls.
    pub const fn no_pull(self) -> Self {
        Self { dashpot: Dashpot::NoPull, ..self }
    }

    /// The same with friction of this coefficient.
    pub const fn friction(self, coefficient: f64) -> Self {
        let (stiffness_ratio, damping_ratio) = match self.elasticity {
            Elasticity::Area { .. } => (AREA_STIFFNESS_RATIO, 1.0),
            _ => (STIFFNESS_RATIO, DAMPING_RATIO),
        };
        Self { friction: Some(Friction { coefficient, stiffness_ratio, damping_ratio }), ..self }
    }

    /// The same with this friction.
    pub const fn with_friction(self, friction: Friction) -> Self {
        Self { friction: Some(friction), ..self }
    }

    /// The same with resistance to rolling.
    pub const fn rolling(self, resistance: Resistance) -> Self {
        Self { rolling: Some(resistance), ..self }
    }

    /// The same with resistance to twisting about the normal, in space.
    pub const fn twisting(self, resistance: Resistance) -> Self {
        Self { twisting: Some(resistance), ..self }
    }

    /// The same with cohesion.
    pub const fn cohesion(self, cohesion: Cohesion) -> Self {
        Self { cohesion: Some(cohesion), ..self }
    }

    /// The same with bonds of this kind, where some are made.
    pub const fn bond(self, bond: Bond) -> Self {
        Self { bond: Some(bond), ..self }
    }

    /// Whether there is more to it than repulsion and friction.
    pub(crate) fn is_composed(&self) -> bool {
        let has_more =
            self.rolling.is_some() || self.twisting.is_some() || self.cohesion.is_some() || self.bond.is_some();
        has_more || matches!(self.elasticity, Elasticity::Plastic(_))
    }

    /// The law between two materials for which none was given: springs in series, and of restitution and friction the
    /// smaller. `None` where the laws are of different kinds.
    pub(crate) fn between(a: &Self, b: &Self) -> Option<Self> {
        use Elasticity::{Area, Hertz, Linear, Plastic};
        let elasticity = match (a.elasticity, b.elasticity) {
            (Linear { stiffness: a }, Linear { stiffness: b }) => Linear { stiffness: 2.0 / (1.0 / a + 1.0 / b) },
            (Hertz { modulus: a, poisson: p }, Hertz { modulus: b, poisson: q }) => {
                // One material that gives the same effective modulus, with the mean of Poisson's ratios.
                let poisson = 0.5 * (p + q);
                let compliance = (1.0 - p * p) / a + (1.0 - q * q) / b;
                Hertz { modulus: 2.0 * (1.0 - poisson * poisson) / compliance, poisson }
            }
            (Area { modulus: a, repulsion }, Area { modulus: b, repulsion: other }) if repulsion == other => {
                Area { modulus: 2.0 / (1.0 / a + 1.0 / b), repulsion }
            }
            (Plastic(a), Plastic(b)) => Plastic(self::Plastic::between(&a, &b)),
            _ => return None,
        };
        let damping = match (a.damping, b.damping) {
            (Damping::None, Damping::None) => Damping::None,
            (Damping::Restitution(a), Damping::Restitution(b)) => Damping::Restitution(a.min(b)),
            (Damping::None, Damping::Restitution(share)) | (Damping::Restitution(share), Damping::None) => {
                Damping::Restitution(share)
            }
            (Damping::Coefficient(a), Damping::Coefficient(b)) => Damping::Coefficient(0.5 * (a + b)),
            (Damping::Share(a), Damping::Share(b)) => Damping::Share(0.5 * (a + b)),
            (Damping::None, Damping::Share(share)) | (Damping::Share(share), Damping::None) => {
                Damping::Share(0.5 * share)
            }
            _ => return None,
        };
        let friction = match (a.friction, b.friction) {
            (Some(a), Some(b)) => Some(if a.coefficient <= b.coefficient { a } else { b }),
            _ => None,
        };
        let dashpot = match (a.dashpot, b.dashpot) {
            (Dashpot::Free, Dashpot::Free) => Dashpot::Free,
            _ => Dashpot::NoPull,
        };
        let cohesion = Cohesion::between(a.cohesion, b.cohesion).ok()?;
        let [rolling, twisting] =
            [(a.rolling, b.rolling), (a.twisting, b.twisting)].map(|(a, b)| Resistance::between(a, b));
        let bond = Bond::between(a.bond, b.bond);
        Some(Self { elasticity, damping, dashpot, friction, rolling, twisting, cohesion, bond })
    }

    /// Name, version and every number of the law, in words that stay the same: checkpoints are tied to them.
    pub fn describe(&self) -> String {
        let mut text = match self.elasticity {
            Elasticity::Linear { stiffness } => format!("linear 1, stiffness {stiffness:e}"),
            Elasticity::Hertz { modulus, poisson } => {
                format!("hertz-mindlin 1, modulus {modulus:e}, poisson {poisson:e}")
            }
            Elasticity::Area { modulus, repulsion } => {
                let repulsion = match repulsion {
                    Repulsion::Energy => "energy",
                    Repulsion::Area => "area",
                };
                format!("area 1, modulus {modulus:e}, repulsion {repulsion}")
            }
            Elasticity::Plastic(plastic) => plastic.describe(),
        };
        match self.damping {
            Damping::None => {}
            Damping::Restitution(share) => text += &format!(", restitution {share:e}"),
            Damping::Coefficient(value) => text += &format!(", damping {value:e}"),
            Damping::Share(share) => text += &format!(", damping_share {share:e}"),
        }
        if self.dashpot == Dashpot::NoPull {
            text += ", dashpot no-pull";
        }
        if let Some(Friction { coefficient, stiffness_ratio, damping_ratio }) = self.friction {
            text += &format!(
                ", friction {coefficient:e}, tangential_stiffness {stiffness_ratio:e}, tangential_damping {damping_ratio:e}"
            );
        }
        for (name, resistance) in [("rolling", self.rolling), ("twisting", self.twisting)] {
            text += &resistance.map_or(String::new(), |resistance| resistance.describe(name));
        }
        text += &self.cohesion.map_or(String::new(), |cohesion| cohesion.describe());
        text += &self.bond.map_or(String::new(), |bond| bond.describe());
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
            Elasticity::Area { modulus, .. } if !(modulus > 0.0 && modulus < 1e100) => {
                return refuse("Young's modulus", modulus, "must be positive and below 1e100");
            }
            Elasticity::Plastic(plastic) => plastic.check(of)?,
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
            Damping::Share(share) if !(0.0..=100.0).contains(&share) => {
                return refuse("damping", share, "must be between 0 and 100");
            }
            Damping::Restitution(value) | Damping::Coefficient(value)
                if matches!(self.elasticity, Elasticity::Area { .. }) =>
            {
                return refuse("damping", value, "must be a share of the critical one with the law of areas");
            }
            Damping::Share(share) if !matches!(self.elasticity, Elasticity::Area { .. }) => {
                return refuse("share of the critical damping", share, "belongs to the law of areas");
            }
            _ => {}
        }
        if self.dashpot == Dashpot::NoPull && matches!(self.elasticity, Elasticity::Area { .. }) {
            return refuse("dashpot", 0.0, "is not of the law of areas, whose dashpots never pull");
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
        self.check_parts(of)
    }

    /// The same for what a law is composed with.
    fn check_parts(&self, of: &str) -> Result<(), Error> {
        let refuse = |what: &str, value, must| Err(Error::Parameter { what: format!("{what} of {of}"), value, must });
        self.rolling.map_or(Ok(()), |rolling| rolling.check("rolling", of))?;
        self.twisting.map_or(Ok(()), |twisting| twisting.check("twisting", of))?;
        self.cohesion.map_or(Ok(()), |cohesion| cohesion.check(of))?;
        self.bond.map_or(Ok(()), |bond| bond.check(of))?;
        match self.cohesion {
            Some(Cohesion::Jkr { energy }) if !matches!(self.elasticity, Elasticity::Hertz { .. }) => {
                refuse("adhesion_energy", energy, "needs Hertz where cohesion is by JKR: give `modulus` and `poisson`")
            }
            _ if self.is_composed() && matches!(self.elasticity, Elasticity::Area { .. }) => {
                let value = self.rolling.or(self.twisting).map_or(0.0, |resistance| resistance.coefficient);
                refuse("rolling, twisting, cohesion or bond", value, "cannot be had with the law of areas")
            }
            _ => Ok(()),
        }
    }
}
