//! Hertz along the normal, Mindlin without slip along the contact plane, damping after Tsuji, friction after Coulomb.

use super::normal::{Acting, Normal};
use super::spring::{Local, Rubbing, on_all, spring_of};
use super::{Lanes, Law, Point, Wrench};
use crate::kernel::fastest;
use crate::material::{ContactLaw, Elasticity};
use crate::number::Number;
use crate::vector::dot;

/// Force proportional to overlap to the power 3/2.
#[derive(Debug, Clone, Copy)]
pub(super) struct HertzMindlin {
    /// `4/3 E*`, to be multiplied by `sqrt(R)` and the overlap to the power 3/2.
    stiffness: f64,
    /// `8 G*`, to be multiplied by the square root of radius and overlap.
    tangential_stiffness: f64,
    rubbing: Rubbing,
    law: ContactLaw,
}

impl HertzMindlin {
    pub fn new(law: &ContactLaw) -> Self {
        let (modulus, poisson) = match law.elasticity {
            Elasticity::Hertz { modulus, poisson } => (modulus, poisson),
            _ => (0.0, 0.0),
        };
        let (effective, shear) = effective_moduli(modulus, poisson);
        // In the form of Tsuji, whose restitution does not depend on speed: the factor belongs to the local stiffness, 3/2 of
        // force over overlap.
        let rubbing = Rubbing::new(law, (5.0f64 / 6.0).sqrt());
        Self { stiffness: 4.0 / 3.0 * effective, tangential_stiffness: 8.0 * shear, rubbing, law: *law }
    }

    /// An elastic impact: 2.9433 times largest overlap over speed.
    fn lasts(&self, inverse_mass: f64, radius: f64, speed: f64) -> f64 {
        let (mass, stiffness) = (1.0 / inverse_mass, self.stiffness * radius.sqrt());
        2.943_275_4 * libm::pow(1.25 * mass * speed * speed / stiffness, 0.4) / speed
    }

    #[inline(always)]
    fn local<const D: usize, N: Number>(&self, point: &Point<D, N>) -> Local<N> {
        let overlap = (-point.gap).max(N::splat(0.0));
        let root = (point.radius * overlap).sqrt();
        Local {
            push: N::splat(self.stiffness) * root * overlap,
            // 2 E* sqrt(R overlap), the derivative of the force, is 3/2 of 4/3 E* times the root.
            stiffness: N::splat(1.5 * self.stiffness) * root,
            tangential: N::splat(self.tangential_stiffness) * root,
        }
    }
}

impl<const D: usize> Law<D> for HertzMindlin {
    fn history(&self) -> usize {
        if self.rubbing.friction > 0.0 { D } else { 0 }
    }

    fn has_couple(&self) -> bool {
        false
    }

    fn turns(&self) -> bool {
        self.rubbing.friction > 0.0
    }

    fn act(&self, point: &Point<D>, history: &mut [f64], time: f64) -> Wrench<D> {
        let (wrench, spring) = self.rubbing.act(point, &self.local(point), spring_of(history), time);
        history.iter_mut().zip(spring).for_each(|(number, grown)| *number = grown);
        wrench
    }

    fn act_on(&self, lanes: &mut Lanes<D>, time: f64) {
        self.act_on_many(std::slice::from_mut(lanes), time);
    }

    fn act_on_many(&self, many: &mut [Lanes<D>], time: f64) {
        fastest!(for lanes in &mut *many {
            on_all(lanes, |point, spring| self.rubbing.act(point, &self.local(point), spring, time));
        });
    }

    /// The integral of the force: two fifths of force times overlap.
    fn energy(&self, point: &Point<D>, history: &[f64]) -> f64 {
        0.4 * self.local(point).push * (-point.gap).max(0.0) + self.remembered_energy(point, history)
    }

    fn remembered_energy(&self, point: &Point<D>, history: &[f64]) -> f64 {
        let spring: [f64; D] = spring_of(history);
        if self.rubbing.friction > 0.0 { 0.5 * self.local(point).tangential * dot(spring, spring) } else { 0.0 }
    }

    fn duration(&self, inverse_mass: f64, radius: f64, speed: f64) -> f64 {
        self.lasts(inverse_mass, radius, speed)
    }

    fn is_speed_needed(&self) -> bool {
        true
    }

    fn describe(&self) -> String {
        self.law.describe()
    }
}

impl Normal for HertzMindlin {
    fn act(&self, gap: f64, radius: f64, _: &mut [f64]) -> Acting {
        if gap >= 0.0 {
            return Acting::NONE;
        }
        let root = (-radius * gap).sqrt();
        let push = -self.stiffness * root * gap;
        Acting {
            push,
            stiffness: 1.5 * self.stiffness * root,
            tangential: self.tangential_stiffness * root,
            bears: push,
        }
    }

    fn energy(&self, gap: f64, radius: f64, _: &[f64]) -> f64 {
        let overlap = (-gap).max(0.0);
        0.4 * self.stiffness * (radius * overlap).sqrt() * overlap * overlap
    }

    fn duration(&self, inverse_mass: f64, radius: f64, speed: f64) -> f64 {
        self.lasts(inverse_mass, radius, speed)
    }

    fn is_speed_needed(&self) -> bool {
        true
    }
}

/// Effective modulus `E*` and shear modulus `G*` of two bodies of one material.
pub(super) fn effective_moduli(modulus: f64, poisson: f64) -> (f64, f64) {
    let effective = modulus / (2.0 * (1.0 - poisson * poisson));
    let shear = modulus / (2.0 * (1.0 + poisson)) / (2.0 * (2.0 - poisson));
    (effective, shear)
}
