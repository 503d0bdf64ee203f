//! The elasto-plastic adhesive law of Luding (Granular Matter 10 (2008) 235): loading along one line, unloading along a steeper one, so
//! that a dent is left, and cohesion by the dent.
//!
//! A contact remembers its largest overlap. Loading follows `k1 d`; unloading and loading again follow `k2* (d - d0)` with
//! `d0 = (1 - k1 / k2*) d_max`; pulled further, the force follows `-kc d`, on which the largest overlap is brought down, until it is 0 at
//! touch. `k2*` grows with the largest overlap from `k1` to `k2`, which it has from a share `depth` of the harmonic mean of both radii on
//! (times `k2 / (k2 - k1)`); deeper overlaps follow this line. Friction is a share of the force and `kc d`.

use super::normal::{Acting, Normal};
use super::spring::Rubbing;
use crate::error::Error;
use crate::material::ContactLaw;

/// Numbers of the law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plastic {
    /// `k1`, of first loading.
    pub loading: f64,
    /// `k2`, of unloading from the largest dent.
    pub unloading: f64,
    /// `kc`, of cohesion; 0 for none.
    pub cohesive: f64,
    /// The share of the harmonic mean of both radii that the largest dent has as depth.
    pub depth: f64,
}

impl Plastic {
    pub(crate) fn between(a: &Self, b: &Self) -> Self {
        let series = |a: f64, b: f64| if a * b == 0.0 { 0.0 } else { 2.0 / (1.0 / a + 1.0 / b) };
        Self {
            loading: series(a.loading, b.loading),
            unloading: series(a.unloading, b.unloading),
            cohesive: series(a.cohesive, b.cohesive),
            depth: 0.5 * (a.depth + b.depth),
        }
    }

    pub(crate) fn describe(&self) -> String {
        let Self { loading, unloading, cohesive, depth } = self;
        format!(
            "luding 1, stiffness {loading:e}, unloading_stiffness {unloading:e}, cohesive_stiffness {cohesive:e}, plastic_depth {depth:e}"
        )
    }

    pub(crate) fn check(&self, of: &str) -> Result<(), Error> {
        let refuse = |what: &str, value, must| Err(Error::Parameter { what: format!("{what} of {of}"), value, must });
        if !(self.loading > 0.0 && self.loading.is_finite()) {
            return refuse("stiffness", self.loading, "must be positive and finite");
        }
        if !(self.unloading > self.loading && self.unloading.is_finite()) {
            return refuse("unloading_stiffness", self.unloading, "must be finite and above `stiffness`");
        }
        if !(self.cohesive >= 0.0 && self.cohesive.is_finite()) {
            return refuse("cohesive_stiffness", self.cohesive, "must be finite and not negative");
        }
        if !(self.depth > 0.0 && self.depth < 1.0) {
            return refuse("plastic_depth", self.depth, "must be above 0 and below 1");
        }
        Ok(())
    }
}

/// The law at work.
#[derive(Debug, Clone, Copy)]
pub(super) struct Luding {
    law: Plastic,
    tangential_ratio: f64,
    rubbing: Rubbing,
}

/// The line that a contact unloads along.
struct Line {
    stiffness: f64,
    /// Where its force is 0.
    rest: f64,
}

impl Luding {
    pub fn new(law: &ContactLaw, plastic: Plastic) -> Self {
        let tangential_ratio = law.friction.map_or(0.0, |friction| friction.stiffness_ratio);
        Self { law: plastic, tangential_ratio, rubbing: Rubbing::new(law, 1.0) }
    }

    /// The overlap from which on dents do not grow.
    fn deepest(&self, radius: f64) -> f64 {
        let Plastic { loading, unloading, depth, .. } = self.law;
        unloading / (unloading - loading) * depth * 2.0 * radius
    }

    fn line(&self, largest: f64, radius: f64) -> Line {
        let Plastic { loading, unloading, .. } = self.law;
        let share = (largest / self.deepest(radius)).min(1.0);
        let stiffness = loading + (unloading - loading) * share;
        Line { stiffness, rest: (1.0 - loading / stiffness) * largest }
    }

    /// The largest overlap whose line goes through the cohesive branch at this one.
    fn brought_down(&self, overlap: f64, largest: f64, radius: f64) -> f64 {
        // `k2*` depends on the largest overlap, linearly: what is sought is the root of
        // `k2*(m) (d - m) + k1 m + kc d`, between the overlap and the largest so far, where it falls.
        let Plastic { loading, cohesive, .. } = self.law;
        let above = |largest: f64| {
            let stiffness = self.line(largest, radius).stiffness;
            stiffness * (overlap - largest) + loading * largest + cohesive * overlap
        };
        let (mut low, mut high) = (overlap, largest);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if above(middle) > 0.0 { low = middle } else { high = middle }
        }
        high
    }
}

impl Normal for Luding {
    /// The largest overlap, as far as it counts.
    fn history(&self) -> usize {
        1
    }

    fn act(&self, gap: f64, radius: f64, history: &mut [f64]) -> Acting {
        if gap >= 0.0 {
            history[0] = 0.0;
            return Acting::NONE;
        }
        let Plastic { loading, cohesive, .. } = self.law;
        let overlap = -gap;
        let mut largest = history[0].max(overlap.min(self.deepest(radius)));
        let mut line = self.line(largest, radius);
        let mut push = line.stiffness * (overlap - line.rest);
        if push < -cohesive * overlap {
            largest = self.brought_down(overlap, largest, radius);
            line = self.line(largest, radius);
            push = -cohesive * overlap;
        }
        history[0] = largest;
        Acting {
            push,
            stiffness: line.stiffness,
            tangential: self.tangential_ratio * loading,
            bears: push + cohesive * overlap,
        }
    }

    /// What unloading gives back.
    fn energy(&self, gap: f64, radius: f64, history: &[f64]) -> f64 {
        if gap >= 0.0 {
            return 0.0;
        }
        let line = self.line(history[0].max((-gap).min(self.deepest(radius))), radius);
        0.5 * line.stiffness * (-gap - line.rest) * (-gap - line.rest)
    }

    /// Of unloading, the shortest.
    fn duration(&self, inverse_mass: f64, _: f64, _: f64) -> f64 {
        self.rubbing.duration(self.law.unloading, inverse_mass)
    }
}
