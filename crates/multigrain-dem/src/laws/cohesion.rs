//! Cohesion as setups name it: what pulls bodies together. How each does is in a file of its own.

use crate::error::Error;

/// What pulls bodies together where they touch, or nearly do.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Cohesion {
    /// A steady force where bodies touch, that falls linearly to nothing over a gap.
    Linear {
        /// The force.
        force: f64,
        /// The gap over which it is gone; 0 if it ends with touch.
        range: f64,
    },
    /// Derjaguin, Muller and Toporov: `2 pi w R` where bodies touch.
    Dmt {
        /// Work of adhesion `w`: energy per area that parts two surfaces.
        energy: f64,
    },
    /// Johnson, Kendall and Roberts: with the law of Hertz, a contact that begins with touch and is torn off at a gap.
    Jkr {
        /// Work of adhesion `w`.
        energy: f64,
    },
    /// A liquid bridge, with the force of Willett.
    Willett(Bridge),
    /// A liquid bridge, with the force of Rabinovich.
    Rabinovich(Bridge),
}

/// A liquid bridge: it forms when bodies touch, and ruptures at a gap of `(1 + angle / 2)` times the cube root of its volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bridge {
    /// Surface tension of the liquid.
    pub tension: f64,
    /// Contact angle of the liquid on the bodies, in degrees.
    pub angle: f64,
    /// Volume of the liquid of each bridge.
    pub volume: f64,
}

impl Cohesion {
    /// Where two materials have cohesion of one kind: the geometric mean of forces and energies, the mean of ranges and liquids.
    /// `Err` where the kinds differ; none with a material that has none.
    pub(crate) fn between(a: Option<Self>, b: Option<Self>) -> Result<Option<Self>, ()> {
        use Cohesion::{Dmt, Jkr, Linear, Rabinovich, Willett};
        let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
        let mean = |a: f64, b: f64| 0.5 * (a + b);
        let both = |a: Bridge, b: Bridge| Bridge {
            tension: mean(a.tension, b.tension),
            angle: mean(a.angle, b.angle),
            volume: mean(a.volume, b.volume),
        };
        Ok(Some(match (a, b) {
            (Linear { force: a, range: r }, Linear { force: b, range: s }) => {
                Linear { force: (a * b).sqrt(), range: mean(r, s) }
            }
            (Dmt { energy: a }, Dmt { energy: b }) => Dmt { energy: (a * b).sqrt() },
            (Jkr { energy: a }, Jkr { energy: b }) => Jkr { energy: (a * b).sqrt() },
            (Willett(a), Willett(b)) => Willett(both(a, b)),
            (Rabinovich(a), Rabinovich(b)) => Rabinovich(both(a, b)),
            _ => return Err(()),
        }))
    }

    pub(crate) fn describe(&self) -> String {
        let bridge = |name: &str, bridge: &Bridge| {
            let Bridge { tension, angle, volume } = bridge;
            format!(", {name} 1, surface_tension {tension:e}, contact_angle {angle:e}, liquid_volume {volume:e}")
        };
        match self {
            Self::Linear { force, range } => format!(", adhesion {force:e}, adhesion_range {range:e}"),
            Self::Dmt { energy } => format!(", dmt 1, adhesion_energy {energy:e}"),
            Self::Jkr { energy } => format!(", jkr 1, adhesion_energy {energy:e}"),
            Self::Willett(given) => bridge("willett", given),
            Self::Rabinovich(given) => bridge("rabinovich", given),
        }
    }

    pub(crate) fn check(&self, of: &str) -> Result<(), Error> {
        let refuse = |what: &str, value, must| Err(Error::Parameter { what: format!("{what} of {of}"), value, must });
        let values = match *self {
            Self::Linear { force, range } => vec![("adhesion", force), ("adhesion_range", range)],
            Self::Dmt { energy } | Self::Jkr { energy } => vec![("adhesion_energy", energy)],
            Self::Willett(Bridge { tension, angle, volume }) | Self::Rabinovich(Bridge { tension, angle, volume }) => {
                if !(0.0..90.0).contains(&angle) {
                    return refuse("contact_angle", angle, "must be at least 0 and below 90 degrees");
                }
                vec![("surface_tension", tension), ("liquid_volume", volume)]
            }
        };
        for (what, value) in values {
            let may_be_zero = what == "adhesion" || what == "adhesion_range";
            if !((value > 0.0 || may_be_zero && value == 0.0) && value < 1e100) {
                let must = if may_be_zero { "must be finite and not negative" } else { "must be positive and finite" };
                return refuse(what, value, must);
            }
        }
        Ok(())
    }
}
