//! Force proportional to overlap, with dashpots and friction.

use super::normal::{Acting, Normal};
use super::spring::{Local, Rubbing, on_all, spring_of};
use super::{Lanes, Law, Point, Wrench};
use crate::kernel::fastest;
use crate::material::{ContactLaw, Elasticity};
use crate::number::Number;
use crate::vector::dot;

/// Springs and dashpots of constant stiffness, along the normal and along the contact plane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linear {
    stiffness: f64,
    tangential_stiffness: f64,
    rubbing: Rubbing,
    law: ContactLaw,
}

impl Linear {
    pub fn new(law: &ContactLaw) -> Self {
        let stiffness = if let Elasticity::Linear { stiffness } = law.elasticity { stiffness } else { 0.0 };
        let tangential_stiffness = stiffness * law.friction.map_or(0.0, |friction| friction.stiffness_ratio);
        Self { stiffness, tangential_stiffness, rubbing: Rubbing::new(law, 1.0), law: *law }
    }

    #[inline(always)]
    fn local<const D: usize, N: Number>(&self, point: &Point<D, N>) -> Local<N> {
        let stiffness = N::splat(self.stiffness);
        let push = stiffness * (-point.gap).max(N::splat(0.0));
        Local { push, stiffness, tangential: N::splat(self.tangential_stiffness) }
    }
}

impl<const D: usize> Law<D> for Linear {
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

    fn energy(&self, point: &Point<D>, history: &[f64]) -> f64 {
        0.5 * self.local(point).push * (-point.gap).max(0.0) + self.remembered_energy(point, history)
    }

    fn remembered_energy(&self, _: &Point<D>, history: &[f64]) -> f64 {
        let spring: [f64; D] = spring_of(history);
        0.5 * self.tangential_stiffness * dot(spring, spring)
    }

    /// Where damping is so strong that an impact never ends, the time in which motion dies down.
    fn duration(&self, inverse_mass: f64, _: f64, _: f64) -> f64 {
        self.rubbing.duration(self.stiffness, inverse_mass)
    }

    fn describe(&self) -> String {
        self.law.describe()
    }
}

impl Normal for Linear {
    fn act(&self, gap: f64, _: f64, _: &mut [f64]) -> Acting {
        if gap >= 0.0 {
            return Acting::NONE;
        }
        let push = -self.stiffness * gap;
        Acting { push, stiffness: self.stiffness, tangential: self.tangential_stiffness, bears: push }
    }

    fn energy(&self, gap: f64, _: f64, _: &[f64]) -> f64 {
        0.5 * self.stiffness * gap.min(0.0) * gap
    }

    fn duration(&self, inverse_mass: f64, _: f64, _: f64) -> f64 {
        self.rubbing.duration(self.stiffness, inverse_mass)
    }
}
