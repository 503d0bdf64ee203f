//! Laws composed of parts: a force along the normal, cohesion added to it, friction, resistance to rolling and to twisting, bonds.
//!
//! Plain repulsion with friction is not composed: [`linear`](super::linear) and [`hertz_mindlin`](super::hertz_mindlin) work out eight
//! contacts at a time.

use super::bond::{Bond, BondMemory};
use super::normal::{Acting, Normal};
use super::resistance::{Resistance, Turning};
use super::spring::{Rubbing, Slider, spring_of};
use super::{Law, Point, Wrench, cohesion_of, repulsion_of};
use crate::material::{ContactLaw, Elasticity};
use crate::vector::{add, add_scaled, dot, scale};
use std::f64::consts::PI;

#[derive(Debug)]
pub(super) struct Composed {
    normal: Box<dyn Normal>,
    cohesion: Option<Box<dyn Normal>>,
    rubbing: Rubbing,
    rolling: Option<Resistance>,
    twisting: Option<Resistance>,
    bond: Option<Bond>,
    law: ContactLaw,
}

/// What a contact remembers, part by part; those that are not there are empty.
struct Parts<'a> {
    /// Tangential displacement; always there.
    spring: &'a mut [f64],
    /// Angles rolled; in the plane one.
    rolling: &'a mut [f64],
    twisting: &'a mut [f64],
    normal: &'a mut [f64],
    cohesion: &'a mut [f64],
    bond: &'a mut [f64],
    /// Gap and force of the step before, where not all work is given back.
    work: &'a mut [f64],
}

impl Composed {
    pub fn new(law: &ContactLaw) -> Self {
        let factor = if matches!(law.elasticity, Elasticity::Hertz { .. }) { (5.0f64 / 6.0).sqrt() } else { 1.0 };
        Self {
            normal: repulsion_of(law),
            cohesion: cohesion_of(law),
            rubbing: Rubbing::new(law, factor),
            rolling: law.rolling,
            twisting: law.twisting,
            bond: law.bond,
            law: *law,
        }
    }

    fn lengths<const D: usize>(&self) -> [usize; 7] {
        let remembers = |resistance: &Option<Resistance>| resistance.is_some_and(|resistance| resistance.remembers());
        let rolling = if remembers(&self.rolling) { 2 * D - 3 } else { 0 };
        let twisting = usize::from(D == 3 && remembers(&self.twisting));
        let (normal, cohesion) =
            (self.normal.history(), self.cohesion.as_ref().map_or(0, |cohesion| cohesion.history()));
        let bond = if self.bond.is_some() { BondMemory::<D>::LENGTH } else { 0 };
        let work = if normal + cohesion + bond > 0 { 2 } else { 0 };
        [D, rolling, twisting, normal, cohesion, bond, work]
    }

    fn parts<'a, const D: usize>(&self, history: &'a mut [f64]) -> Parts<'a> {
        let mut rest = history;
        let [spring, rolling, twisting, normal, cohesion, bond, work] = self.lengths::<D>().map(|length| {
            let (part, others) = std::mem::take(&mut rest).split_at_mut(length);
            rest = others;
            part
        });
        Parts { spring, rolling, twisting, normal, cohesion, bond, work }
    }

    /// Shows a copy of what a contact remembers.
    fn look<const D: usize, T>(&self, history: &[f64], look: impl FnOnce(&mut Parts<'_>) -> T) -> T {
        let mut copy = [0.0; super::MAX_HISTORY];
        let copy = &mut copy[..history.len()];
        copy.copy_from_slice(history);
        look(&mut self.parts::<D>(copy))
    }

    /// Energies of what remembers, and of what does not.
    fn energies<const D: usize>(&self, point: &Point<D>, history: &[f64]) -> [f64; 2] {
        let (gap, radius) = (point.gap, point.radius);
        self.look::<D, _>(history, |parts| {
            let mut energies = [0.0; 2];
            // Where work is counted, it is that of all forces along the normal.
            let of_normal = &mut energies[usize::from(parts.work.is_empty())];
            *of_normal += self.normal.energy(gap, radius, parts.normal);
            if let Some(cohesion) = &self.cohesion {
                *of_normal += cohesion.energy(gap, radius, parts.cohesion);
            }
            let now = self.normal.act(gap, radius, parts.normal);
            if self.rubbing.friction > 0.0 {
                let spring: [f64; D] = spring_of(parts.spring);
                energies[0] += 0.5 * now.tangential * dot(spring, spring);
            }
            if let Some(rolling) = &self.rolling {
                energies[0] += rolling.energy(now.stiffness, radius, angles(parts.rolling));
            }
            if let (Some(twisting), [twist]) = (&self.twisting, &*parts.twisting) {
                energies[0] += twisting.energy(now.stiffness, radius, [*twist, 0.0, 0.0]);
            }
            if let Some(bond) = &self.bond {
                energies[0] += bond.energy::<D>(gap, &BondMemory::read(parts.bond));
            }
            energies
        })
    }
}

impl<const D: usize> Law<D> for Composed {
    fn history(&self) -> usize {
        self.lengths::<D>().iter().sum()
    }

    fn reach(&self, radius: f64) -> f64 {
        let cohesion = self.cohesion.as_ref().map_or(0.0, |cohesion| cohesion.reach(radius));
        let bond = self.bond.map_or(0.0, |bond| bond.reach(radius));
        // A little more, so that what is torn is seen once more.
        1.01 * self.normal.reach(radius).max(cohesion).max(bond)
    }

    fn turns(&self) -> bool {
        self.rubbing.friction > 0.0 || <Self as Law<D>>::has_couple(self)
    }

    fn has_couple(&self) -> bool {
        self.rolling.is_some() || self.twisting.is_some() || self.bond.is_some()
    }

    fn act(&self, point: &Point<D>, history: &mut [f64], time: f64) -> Wrench<D> {
        let Parts { spring, rolling, twisting, normal: memory, cohesion, bond, work } = self.parts::<D>(history);
        let (gap, radius, normal) = (point.gap, point.radius, point.normal);
        let own = self.normal.act(gap, radius, memory);
        let pull = self.cohesion.as_ref().map_or(Acting::NONE, |part| part.act(gap, radius, cohesion));
        let touches = own.stiffness > 0.0;
        let damping = if touches { self.rubbing.damping(own.stiffness, point.inverse_mass) } else { 0.0 };
        let dashpot = -self.rubbing.limited(damping * point.apart, own.push);
        let mut push = own.push + pull.push;
        let mut wrench = Wrench { force: [0.0; D], couple: [0.0; 3], taken: -dashpot * point.apart * time };
        let mut turning = Turning {
            normal: std::array::from_fn(|k| if k < D { normal[k] } else { 0.0 }),
            way: point.turn,
            speed: point.turning,
            stiffness: own.stiffness,
            damping,
            bears: own.bears + dashpot,
            radius,
            inverse_mass: point.inverse_mass,
            time,
        };
        let mut bond_dashpot = 0.0;
        if let Some(law) = &self.bond {
            let mut state = BondMemory::read(bond);
            let turns = [turning.normal, turning.way, turning.speed];
            if let Some(bonded) = law.act(point, turns, &mut state, time) {
                push += bonded.push[0];
                bond_dashpot = bonded.push[1];
                (wrench.force, wrench.couple) = (bonded.across, bonded.couple);
                wrench.taken += bonded.taken;
            }
            state.write(bond);
        }
        let mut slide = point.slide;
        if let [gap_before, push_before] = work {
            if gap < 0.0 && *gap_before > 0.0 {
                // Friction begins with touch.
                slide = scale(slide, gap / (gap - *gap_before));
            }
            // Not all of it may be given back: what is still stored is known by the energy that is remembered.
            wrench.taken -= 0.5 * (push + *push_before) * (gap - *gap_before);
            (*gap_before, *push_before) = (gap, push);
        }
        wrench.force = add_scaled(wrench.force, normal, push + dashpot + bond_dashpot);
        if !touches {
            [spring, rolling, twisting].into_iter().for_each(|part| part.fill(0.0));
            return wrench;
        }
        if self.rubbing.friction > 0.0 {
            let slider = Slider {
                stiffness: own.tangential,
                damping: self.rubbing.tangential_damping_ratio * damping,
                most: self.rubbing.friction * turning.bears.max(0.0),
            };
            let slip = slider.slip(normal, spring_of(spring), slide, point.sliding, time);
            spring.copy_from_slice(&slip.spring);
            wrench.force = add(wrench.force, slip.force);
            wrench.taken += slip.taken;
        }
        let (twist, twist_speed) = (dot(turning.way, turning.normal), dot(turning.speed, turning.normal));
        if let Some(law) = &self.rolling {
            turning.way = add_scaled(turning.way, turning.normal, -twist);
            turning.speed = add_scaled(turning.speed, turning.normal, -twist_speed);
            let slip = law.act(&turning, angles(rolling));
            put_angles(rolling, slip.spring);
            wrench.couple = add(wrench.couple, slip.force);
            wrench.taken += slip.taken;
        }
        if let Some(law) = self.twisting.as_ref().filter(|_| D == 3) {
            // About the normal: as if it were the first axis, and nothing across it.
            let about = |along: f64| [along, 0.0, 0.0];
            let turned = Turning { normal: [0.0; 3], way: about(twist), speed: about(twist_speed), ..turning };
            let slip = law.act(&turned, about(twisting.first().copied().unwrap_or(0.0)));
            twisting.iter_mut().for_each(|angle| *angle = slip.spring[0]);
            wrench.couple = add(wrench.couple, scale(turning.normal, slip.force[0]));
            wrench.taken += slip.taken;
        }
        wrench
    }

    fn energy(&self, point: &Point<D>, history: &[f64]) -> f64 {
        self.energies(point, history).iter().sum()
    }

    fn remembered_energy(&self, point: &Point<D>, history: &[f64]) -> f64 {
        self.energies(point, history)[0]
    }

    fn is_there(&self, point: &Point<D>, history: &[f64]) -> bool {
        self.look::<D, _>(history, |parts| {
            self.normal.is_there(point.gap, parts.normal)
                || self.cohesion.as_ref().is_some_and(|cohesion| cohesion.is_there(point.gap, parts.cohesion))
                || parts.bond.first().is_some_and(|&smaller| smaller > 0.0)
        })
    }

    fn make_bond(&self, point: &Point<D>, smaller: f64, history: &mut [f64]) -> bool {
        let (Some(law), parts) = (&self.bond, self.parts::<D>(history)) else { return false };
        let is_free = parts.bond.first().is_some_and(|&known| known <= 0.0);
        if !is_free || point.gap > law.gap {
            return false;
        }
        BondMemory::<D> { smaller, rest: point.gap, shear: [0.0; D], bend: [0.0; 3], twist: 0.0 }.write(parts.bond);
        true
    }

    fn bond_load(&self, point: &Point<D>, history: &[f64]) -> Option<f64> {
        let law = self.bond?;
        let memory = self.look::<D, _>(history, |parts| BondMemory::<D>::read(parts.bond));
        (memory.smaller > 0.0).then(|| law.load(point.gap, &memory))
    }

    fn duration(&self, inverse_mass: f64, radius: f64, speed: f64) -> f64 {
        let contact = self.normal.duration(inverse_mass, radius, speed);
        match self.bond {
            Some(bond) => contact.min(PI / (bond.stiffness::<D>(radius) * inverse_mass).sqrt()),
            None => contact,
        }
    }

    fn is_speed_needed(&self) -> bool {
        self.normal.is_speed_needed()
    }

    fn describe(&self) -> String {
        self.law.describe()
    }
}

/// Angles from what is remembered: all three, in the plane the last alone.
fn angles(numbers: &[f64]) -> [f64; 3] {
    match *numbers {
        [x, y, z] => [x, y, z],
        [z] => [0.0, 0.0, z],
        _ => [0.0; 3],
    }
}

fn put_angles(numbers: &mut [f64], angles: [f64; 3]) {
    let first = 3 - numbers.len();
    numbers.copy_from_slice(&angles[first..]);
}
