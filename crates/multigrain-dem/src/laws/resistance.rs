//! Resistance to rolling and to twisting: a torque against relative turning, up to a share of what presses the bodies together.

use super::spring::{Slider, Slip};
use crate::error::Error;
use crate::vector::{dot, length, scale};

/// Stiffness and damping of a resistance by default: over those along the normal, times the effective radius squared.
pub const RESISTANCE_STIFFNESS: f64 = 2.0 / 7.0;

/// See [`RESISTANCE_STIFFNESS`].
pub const RESISTANCE_DAMPING: f64 = 0.5;

/// Resistance of a contact to rolling, or to twisting about its normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resistance {
    /// Largest torque over normal force times effective radius.
    pub coefficient: f64,
    /// How the torque follows from turning.
    pub kind: ResistanceKind,
}

/// How a torque against turning follows from it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ResistanceKind {
    /// Spring, dashpot and slider: the torque grows with the angle turned, up to the limit. Bodies at rest are held.
    Spring {
        /// Torque per angle, over normal stiffness times effective radius squared.
        stiffness_ratio: f64,
        /// Torque per angular velocity, over normal damping times effective radius squared.
        damping_ratio: f64,
    },
    /// Always the largest torque, against turning. It stops bodies within a step; those at rest are not held.
    Constant,
}

/// What a resistance looks at.
pub(super) struct Turning {
    /// Of the contact; a resistance to twisting needs none.
    pub normal: [f64; 3],
    /// Angle turned in this step, of the second against the first.
    pub way: [f64; 3],
    /// Angular velocity now.
    pub speed: [f64; 3],
    /// Along the normal.
    pub stiffness: f64,
    pub damping: f64,
    /// What presses the bodies together.
    pub bears: f64,
    pub radius: f64,
    pub inverse_mass: f64,
    pub time: f64,
}

impl Resistance {
    /// Spring, dashpot and slider of usual stiffness, with this coefficient.
    pub const fn spring(coefficient: f64) -> Self {
        let (stiffness_ratio, damping_ratio) = (RESISTANCE_STIFFNESS, RESISTANCE_DAMPING);
        Self { coefficient, kind: ResistanceKind::Spring { stiffness_ratio, damping_ratio } }
    }

    /// A constant torque, with this coefficient.
    pub const fn constant(coefficient: f64) -> Self {
        Self { coefficient, kind: ResistanceKind::Constant }
    }

    /// Whether it remembers an angle.
    pub(super) fn remembers(&self) -> bool {
        matches!(self.kind, ResistanceKind::Spring { .. })
    }

    /// Torque on the second body, the angle remembered, and energy taken.
    pub(super) fn act(&self, at: &Turning, angle: [f64; 3]) -> Slip<3, f64> {
        let most = self.coefficient * at.radius * at.bears.max(0.0);
        match self.kind {
            ResistanceKind::Spring { stiffness_ratio, damping_ratio } => {
                let squared = at.radius * at.radius;
                let (stiffness, damping) =
                    (stiffness_ratio * at.stiffness * squared, damping_ratio * at.damping * squared);
                Slider { stiffness, damping, most }.slip(at.normal, angle, at.way, at.speed, at.time)
            }
            ResistanceKind::Constant => {
                let speed = length(at.speed);
                // At most what stops turning in this step: moments of inertia are no smaller than those of solid spheres of the
                // effective radius.
                let inertia = 0.4 * at.radius * at.radius / at.inverse_mass;
                let most = if at.time > 0.0 { most.min(inertia * speed / at.time) } else { most };
                let force = if speed > 0.0 { scale(at.speed, -most / speed) } else { [0.0; 3] };
                Slip { force, spring: [0.0; 3], taken: -dot(force, at.way) }
            }
        }
    }

    /// Energy in the spring, at this stiffness along the normal.
    pub(super) fn energy(&self, stiffness: f64, radius: f64, angle: [f64; 3]) -> f64 {
        match self.kind {
            ResistanceKind::Spring { stiffness_ratio, .. } => {
                0.5 * stiffness_ratio * stiffness * radius * radius * dot(angle, angle)
            }
            ResistanceKind::Constant => 0.0,
        }
    }

    /// Of two materials the smaller counts.
    pub(crate) fn between(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        let (a, b) = (a?, b?);
        Some(if a.coefficient <= b.coefficient { a } else { b })
    }

    pub(crate) fn describe(&self, name: &str) -> String {
        let coefficient = self.coefficient;
        match self.kind {
            ResistanceKind::Spring { stiffness_ratio, damping_ratio } => format!(
                ", {name}_friction {coefficient:e}, {name}_stiffness {stiffness_ratio:e}, {name}_damping {damping_ratio:e}"
            ),
            ResistanceKind::Constant => format!(", constant {name}_friction {coefficient:e}"),
        }
    }

    /// An error if a number cannot be worked with; `name` is `rolling` or `twisting`, `of` says whose law it is.
    pub(crate) fn check(&self, name: &str, of: &str) -> Result<(), Error> {
        let mut values = vec![("friction", self.coefficient)];
        if let ResistanceKind::Spring { stiffness_ratio, damping_ratio } = self.kind {
            values.extend([("stiffness", stiffness_ratio), ("damping", damping_ratio)]);
        }
        for (key, value) in values {
            let must = match key {
                "stiffness" if value == 0.0 => "must be positive",
                _ if !(value >= 0.0 && value.is_finite()) => "must be finite and not negative",
                _ => continue,
            };
            return Err(Error::Parameter { what: format!("{name}_{key} of {of}"), value, must });
        }
        Ok(())
    }
}
