//! Forces along the normal that laws are composed of, one at a time: repulsion with its stiffness, and cohesion added to it.

use std::fmt::Debug;

/// A force along the normal. Bodies are seen by the gap between their surfaces and by their effective radius,
/// `r_1 r_2 / (r_1 + r_2)`, at a wall the radius.
pub(super) trait Normal: Debug + Send + Sync {
    /// How many numbers it remembers, 0 when a contact begins. One that remembers may give back less than it was given.
    fn history(&self) -> usize {
        0
    }

    /// The largest gap over which it may act; it does not fall with the radius.
    fn reach(&self, _radius: f64) -> f64 {
        0.0
    }

    /// What it does. What is remembered may change.
    fn act(&self, gap: f64, radius: f64, history: &mut [f64]) -> Acting;

    /// Energy stored, 0 for bodies that are apart.
    fn energy(&self, gap: f64, radius: f64, history: &[f64]) -> f64;

    /// Whether bodies act on each other at all, beyond touch too.
    fn is_there(&self, gap: f64, _history: &[f64]) -> bool {
        gap < 0.0
    }

    /// How long an impact lasts, as for a law.
    fn duration(&self, _inverse_mass: f64, _radius: f64, _speed: f64) -> f64 {
        f64::INFINITY
    }

    /// Whether the duration depends on the speed.
    fn is_speed_needed(&self) -> bool {
        false
    }
}

/// What a force along the normal is at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Acting {
    /// Below 0 where it pulls.
    pub push: f64,
    /// Force per overlap now, for damping, rolling and twisting; 0 where bodies do not touch.
    pub stiffness: f64,
    /// Force per tangential displacement now.
    pub tangential: f64,
    /// How strongly surfaces press on each other: what friction is a share of.
    pub bears: f64,
}

impl Acting {
    pub const NONE: Self = Self { push: 0.0, stiffness: 0.0, tangential: 0.0, bears: 0.0 };

    /// A pull that friction does not feel.
    pub const fn pull(force: f64) -> Self {
        Self { push: -force, ..Self::NONE }
    }
}
