//! Linear adhesion: a steady pull where bodies touch, that falls linearly to nothing over a gap. And that of Derjaguin, Muller and
//! Toporov, which is steady too and ends with touch. Both give back what they take.

use super::normal::{Acting, Normal};
use std::f64::consts::PI;

/// Linear adhesion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Adhesion {
    pub force: f64,
    pub range: f64,
}

impl Normal for Adhesion {
    fn reach(&self, _: f64) -> f64 {
        self.range
    }

    fn act(&self, gap: f64, _: f64, _: &mut [f64]) -> Acting {
        if gap < 0.0 {
            Acting::pull(self.force)
        } else if gap < self.range {
            Acting::pull(self.force * (1.0 - gap / self.range))
        } else {
            Acting::NONE
        }
    }

    fn energy(&self, gap: f64, _: f64, _: &[f64]) -> f64 {
        let apart = gap.max(0.0).min(self.range);
        let over_gap =
            if self.range > 0.0 { 0.5 * (self.range - apart) * (self.range - apart) / self.range } else { 0.0 };
        -self.force * (over_gap + (-gap).max(0.0))
    }

    fn is_there(&self, gap: f64, _: &[f64]) -> bool {
        gap < self.range.max(0.0)
    }
}

/// Adhesion after Derjaguin, Muller and Toporov.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dmt {
    pub energy: f64,
}

impl Dmt {
    fn force(&self, radius: f64) -> f64 {
        2.0 * PI * self.energy * radius
    }
}

impl Normal for Dmt {
    fn act(&self, gap: f64, radius: f64, _: &mut [f64]) -> Acting {
        if gap < 0.0 { Acting::pull(self.force(radius)) } else { Acting::NONE }
    }

    fn energy(&self, gap: f64, radius: f64, _: &[f64]) -> f64 {
        self.force(radius) * gap.min(0.0)
    }
}
