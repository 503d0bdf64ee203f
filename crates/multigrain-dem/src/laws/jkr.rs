//! Adhesion after Johnson, Kendall and Roberts (1971): Hertz with surfaces that hold on to each other.
//!
//! With the contact radius `a`, the force is `4 E* a^3 / (3 R) - sqrt(8 pi w E* a^3)` and the overlap `a^2 / R - sqrt(2 pi w a / E*)`.
//! A contact begins with touch. It is torn off at the gap where no contact radius fits any more; on the way there the pull is at most
//! `3/2 pi w R`. Friction is a share of the force and twice that (Thornton and Yin).

use super::hertz_mindlin::{HertzMindlin, effective_moduli};
use super::normal::{Acting, Normal};
use crate::material::{ContactLaw, Elasticity};
use std::f64::consts::PI;

/// More steps than any contact radius takes to be found.
const MAX_STEPS: usize = 64;

#[derive(Debug, Clone, Copy)]
pub(super) struct Jkr {
    effective: f64,
    shear: f64,
    energy: f64,
    hertz: HertzMindlin,
}

impl Jkr {
    pub fn new(law: &ContactLaw, energy: f64) -> Self {
        let (effective, shear) = match law.elasticity {
            Elasticity::Hertz { modulus, poisson } => effective_moduli(modulus, poisson),
            _ => (0.0, 0.0),
        };
        Self { effective, shear, energy, hertz: HertzMindlin::new(law) }
    }

    /// `c` of the overlap `x^4 / R - c x`, `x` being the root of the contact radius.
    fn slope(&self) -> f64 {
        (2.0 * PI * self.energy / self.effective).sqrt()
    }

    /// The gap at which a contact is torn off.
    fn tear_off(&self, radius: f64) -> f64 {
        let slope = self.slope();
        0.75 * slope * libm::cbrt(0.25 * slope * radius)
    }

    /// The root of the contact radius: Newton's method from above, where the overlap is convex.
    fn root(&self, gap: f64, radius: f64) -> f64 {
        let (slope, overlap) = (self.slope(), -gap);
        let mut root = (radius * overlap.max(0.0)).sqrt().sqrt() + libm::cbrt(slope * radius);
        for _ in 0..MAX_STEPS {
            let cubed = root * root * root / radius;
            let next = root - (root * cubed - slope * root - overlap) / (4.0 * cubed - slope);
            // Not a number, or no smaller any more: that is as near as numbers come.
            if next.is_nan() || next >= root {
                break;
            }
            root = next;
        }
        root
    }

    /// `4 E* / (3 R)` and `sqrt(8 pi w E*)`: the force is the first times `x^6` less the second times `x^3`.
    fn factors(&self, radius: f64) -> [f64; 2] {
        [4.0 * self.effective / (3.0 * radius), (8.0 * PI * self.energy * self.effective).sqrt()]
    }

    fn holds(&self, gap: f64, radius: f64, history: &[f64]) -> bool {
        gap <= 0.0 || history[0] > 0.0 && gap < self.tear_off(radius)
    }
}

impl Normal for Jkr {
    /// Whether the contact has begun.
    fn history(&self) -> usize {
        1
    }

    fn reach(&self, radius: f64) -> f64 {
        self.tear_off(radius)
    }

    fn act(&self, gap: f64, radius: f64, history: &mut [f64]) -> Acting {
        if !self.holds(gap, radius, history) {
            history[0] = 0.0;
            return Acting::NONE;
        }
        history[0] = 1.0;
        let root = self.root(gap, radius);
        let (contact, cubed) = (root * root, root * root * root);
        let [by_sixth, by_third] = self.factors(radius);
        let push = (by_sixth * cubed - by_third) * cubed;
        Acting {
            push,
            stiffness: 2.0 * self.effective * contact,
            tangential: 8.0 * self.shear * contact,
            bears: push + 3.0 * PI * self.energy * radius,
        }
    }

    /// The integral of the force over the overlap, both by the root of the contact radius.
    fn energy(&self, gap: f64, radius: f64, history: &[f64]) -> f64 {
        if !self.holds(gap, radius, history) {
            return 0.0;
        }
        let (root, slope) = (self.root(gap, radius), self.slope());
        let [by_sixth, by_third] = self.factors(radius);
        let third = root * root * root;
        let (fourth, seventh) = (third * root, third * third * root);
        0.4 * by_sixth / radius * seventh * third - (by_sixth * slope + 4.0 * by_third / radius) / 7.0 * seventh
            + 0.25 * by_third * slope * fourth
    }

    fn is_there(&self, gap: f64, history: &[f64]) -> bool {
        gap < 0.0 || history[0] > 0.0
    }

    /// An impact, or half an oscillation about where bodies that hold on to each other rest, if that is shorter.
    fn duration(&self, inverse_mass: f64, radius: f64, speed: f64) -> f64 {
        let contact = libm::cbrt(4.5 * PI * self.energy * radius * radius / self.effective);
        let at_rest = PI / (2.0 * self.effective * contact * inverse_mass).sqrt();
        self.hertz.duration(inverse_mass, radius, speed).min(at_rest)
    }

    fn is_speed_needed(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jkr() -> Jkr {
        Jkr::new(&ContactLaw::hertz(1e7, 0.3), 0.5)
    }

    /// The largest pull is `3/2 pi w R`, wherever it is.
    #[test]
    fn the_largest_pull_is_that_of_the_formula() {
        let (jkr, radius) = (jkr(), 2e-3);
        let end = jkr.tear_off(radius);
        let pull = |k: i32| -jkr.act(end * f64::from(k) / 1e4, radius, &mut [1.0]).push;
        let largest = (-10_000..10_000).map(pull).fold(0.0, f64::max);
        assert!((largest / (1.5 * PI * 0.5 * radius) - 1.0).abs() < 1e-6, "{largest}");
        // Where it is torn off, 5/9 of it.
        assert!((pull(9_999) / largest - 5.0 / 9.0).abs() < 0.02);
    }

    #[test]
    fn energy_is_the_work_of_the_force() {
        let (jkr, radius) = (jkr(), 2e-3);
        let (from, to, steps) = (0.99 * jkr.tear_off(radius), -1e-4, 100_000);
        let width = (from - to) / f64::from(steps);
        let force = |k: i32| jkr.act(from - width * (f64::from(k) + 0.5), radius, &mut [1.0]).push;
        let work: f64 = (0..steps).map(|k| force(k) * width).sum();
        let energy = jkr.energy(to, radius, &[1.0]) - jkr.energy(from, radius, &[1.0]);
        assert!((work / energy - 1.0).abs() < 1e-5, "{work} {energy}");
    }

    #[test]
    fn a_contact_begins_with_touch_and_ends_when_it_is_torn_off() {
        let (jkr, radius) = (jkr(), 2e-3);
        let gap = 0.5 * jkr.tear_off(radius);
        let mut history = [0.0];
        assert_eq!(jkr.act(gap, radius, &mut history), Acting::NONE);
        assert!(jkr.act(0.0, radius, &mut history).push < 0.0);
        assert!(jkr.act(gap, radius, &mut history).push < 0.0);
        assert_eq!(jkr.act(2.1 * gap, radius, &mut history), Acting::NONE);
        assert_eq!(jkr.act(gap, radius, &mut history), Acting::NONE);
    }
}
