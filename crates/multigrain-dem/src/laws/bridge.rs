//! Liquid bridges. One forms when bodies touch, pulls with the same force as long as they do, less over a gap, and ruptures at a gap of
//! `(1 + angle / 2)` times the cube root of its volume (Lian, Thornton and Adams 1993).
//!
//! With `f = 2 pi r gamma cos(angle)`, where `r` is twice the effective radius, the radius of equal spheres, and the gap `s`, the pull is
//! after Willett, Adams, Johnson and Seville (2000) `f / (1 + 1.05 t + 2.5 t^2)`, `t = s sqrt(r / V)`, and after Rabinovich, Esayanur and
//! Moudgil (2005) `f (1 - s / sqrt(s^2 + 2 V / (pi r)))`.

use super::cohesion::Bridge;
use super::normal::{Acting, Normal};
use std::f64::consts::PI;

/// How the pull falls with the gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fall {
    Willett,
    Rabinovich,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct LiquidBridge {
    /// `2 pi gamma cos(angle)`.
    tension: f64,
    volume: f64,
    rupture: f64,
    fall: Fall,
}

impl LiquidBridge {
    pub fn new(bridge: &Bridge, fall: Fall) -> Self {
        let angle = bridge.angle.to_radians();
        Self {
            tension: 2.0 * PI * bridge.tension * libm::cos(angle),
            volume: bridge.volume,
            rupture: (1.0 + 0.5 * angle) * libm::cbrt(bridge.volume),
            fall,
        }
    }

    fn share(&self, gap: f64, radius: f64) -> f64 {
        match self.fall {
            Fall::Willett => {
                let gap = gap * (radius / self.volume).sqrt();
                1.0 / (1.0 + (1.05 + 2.5 * gap) * gap)
            }
            Fall::Rabinovich => 1.0 - gap / (gap * gap + 2.0 * self.volume / (PI * radius)).sqrt(),
        }
    }

    /// The integral of the share from 0 to a gap.
    fn work(&self, gap: f64, radius: f64) -> f64 {
        match self.fall {
            Fall::Willett => {
                let (unit, root) = ((self.volume / radius).sqrt(), (10.0f64 - 1.05 * 1.05).sqrt());
                let integral = |gap: f64| 2.0 / root * libm::atan((5.0 * gap + 1.05) / root);
                unit * (integral(gap / unit) - integral(0.0))
            }
            Fall::Rabinovich => {
                let squared = 2.0 * self.volume / (PI * radius);
                gap + squared.sqrt() - (gap * gap + squared).sqrt()
            }
        }
    }

    fn holds(&self, gap: f64, history: &[f64]) -> bool {
        gap <= 0.0 || history[0] > 0.0 && gap < self.rupture
    }
}

impl Normal for LiquidBridge {
    /// Whether the bridge has formed.
    fn history(&self) -> usize {
        1
    }

    fn reach(&self, _: f64) -> f64 {
        self.rupture
    }

    fn act(&self, gap: f64, radius: f64, history: &mut [f64]) -> Acting {
        let holds = self.holds(gap, history);
        history[0] = f64::from(u8::from(holds));
        let radius = 2.0 * radius;
        let share = if holds { self.share(gap.max(0.0), radius) } else { 0.0 };
        Acting::pull(self.tension * radius * share)
    }

    fn energy(&self, gap: f64, radius: f64, history: &[f64]) -> f64 {
        if !self.holds(gap, history) {
            return 0.0;
        }
        let radius = 2.0 * radius;
        let left = self.work(self.rupture, radius) - self.work(gap.max(0.0), radius) + (-gap).max(0.0);
        -self.tension * radius * left
    }

    fn is_there(&self, gap: f64, history: &[f64]) -> bool {
        gap < 0.0 || history[0] > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_is_the_work_of_the_force() {
        let given = Bridge { tension: 0.072, angle: 20.0, volume: 1e-12 };
        for fall in [Fall::Willett, Fall::Rabinovich] {
            let (bridge, radius, steps) = (LiquidBridge::new(&given, fall), 5e-4, 10_000);
            let width = bridge.rupture / f64::from(steps);
            let pull = |k: i32| -bridge.act(width * (f64::from(k) + 0.5), radius, &mut [1.0]).push;
            let work: f64 = (0..steps).map(|k| pull(k) * width).sum();
            assert!((work / -bridge.energy(0.0, radius, &[1.0]) - 1.0).abs() < 1e-6, "{fall:?}");
            // Spheres that touch are held with the whole force.
            let whole = 2.0 * PI * 1e-3 * 0.072 * 20.0f64.to_radians().cos();
            assert!((bridge.act(-1e-6, radius, &mut [0.0]).push / -whole - 1.0).abs() < 1e-12);
        }
    }
}
