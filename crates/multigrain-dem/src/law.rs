//! From overlap and motion to force: the inner loop of every contact, with grains and with walls.

use crate::error::Error;
use crate::material::{ContactLaw, Damping, Elasticity, Material};
use crate::vector::{Spin, add, add_scaled, dot, length, scale, sub, turned};
use std::f64::consts::PI;

/// The laws between all materials, with constants worked out.
#[derive(Debug, Clone)]
pub(crate) struct LawTable {
    laws: Vec<PairLaw>,
    materials: usize,
    has_friction: bool,
}

/// One law with its constants.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairLaw {
    is_hertz: bool,
    /// Force per overlap; with Hertz `4/3 E*`, to be multiplied by `sqrt(R)` and the overlap to the power 3/2.
    stiffness: f64,
    /// Damping that does not depend on masses.
    damping: f64,
    /// Damping over the square root of effective mass and stiffness.
    damping_by_mass: f64,
    friction: f64,
    /// Force per tangential displacement; with Hertz `8 G*`, to be multiplied by the square root of radius and overlap.
    tangential_stiffness: f64,
    tangential_damping_ratio: f64,
}

/// Two bodies in contact, as the law sees them. The second may be a wall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting<const D: usize> {
    /// Unit vector from the first to the second.
    pub normal: [f64; D],
    pub overlap: f64,
    /// Velocity of the second's center relative to the first's.
    pub velocity: [f64; D],
    /// Sum of both spins, each times the distance from its center to the contact.
    pub rolling: Spin,
    /// How far the second's surface has slid on the first's in this step: see [`Slide`].
    pub slide: [f64; D],
    /// Sum of the inverse masses; 0 for a wall and for what is held.
    pub inverse_mass: f64,
    /// `r_1 r_2 / (r_1 + r_2)`; the radius itself at a wall.
    pub radius: f64,
}

/// How the spring of a contact grows in a step: along the contact plane, by what the surfaces slide on each other.
///
/// Velocities are those of the middle of the step, which Verlet moves positions with, measured against the normal and the
/// arms of the middle of the step. So the way is right to second order, a spring swings without loss, and nothing of the
/// motion along the normal counts as sliding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slide<const D: usize> {
    /// Unit vector from the first body to the second, in the middle of the step.
    pub normal: [f64; D],
    /// Velocity of the second's center relative to the first's.
    pub velocity: [f64; D],
    /// Sum of both spins, each times the distance from its center to the contact.
    pub rolling: Spin,
}

impl<const D: usize> Slide<D> {
    /// The way over a step of this length, at whose end the bodies overlap so much. If they did not touch yet when it began,
    /// only the time since they do counts.
    #[inline]
    pub fn way(&self, overlap: f64, time: f64) -> [f64; D] {
        let apart = dot(self.velocity, self.normal);
        self.all_the_way(if -apart * time > overlap { overlap / -apart } else { time })
    }

    /// The way over this time.
    #[inline]
    pub fn all_the_way(&self, time: f64) -> [f64; D] {
        let along = add_scaled(self.velocity, self.normal, -dot(self.velocity, self.normal));
        scale(sub(along, turned(self.rolling, self.normal)), time)
    }
}

/// What a contact does over a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reaction<const D: usize> {
    /// Force on the second body.
    pub force: [f64; D],
    /// Energy that dashpot and friction took from motion.
    pub taken: f64,
    /// Energy that the tangential spring holds: so much of what was taken so far is not lost.
    pub stored: f64,
}

impl LawTable {
    /// Laws given for a pair of materials go before those mixed from both.
    pub fn new(materials: &[Material], given: &[(u16, u16, ContactLaw)]) -> Result<Self, Error> {
        let count = materials.len();
        if count == 0 {
            return Err(Error::NoMaterial);
        }
        for (number, material) in materials.iter().enumerate() {
            material.check(&format!("material {number}"))?;
        }
        for &(a, b, law) in given {
            let of = format!("materials {a} and {b}");
            for material in [a, b].map(usize::from) {
                if material >= count {
                    return Err(Error::NoSuchMaterial { what: format!("the law between {of}"), material, count });
                }
            }
            law.check(&of)?;
        }
        let mut laws = Vec::with_capacity(count * count);
        for first in 0..count {
            for second in 0..count {
                let (low, high) = (first.min(second), first.max(second));
                let is_it = |&&(a, b, _): &&(u16, u16, ContactLaw)| {
                    let (a, b) = (usize::from(a), usize::from(b));
                    (a.min(b), a.max(b)) == (low, high)
                };
                let law = match given.iter().rev().find(is_it) {
                    Some(&(_, _, law)) => law,
                    None if first == second => materials[first].law,
                    None => ContactLaw::between(&materials[low].law, &materials[high].law)
                        .ok_or(Error::NoLawBetween { first: low, second: high })?,
                };
                laws.push(PairLaw::new(&law));
            }
        }
        let has_friction = laws.iter().any(|law| law.friction > 0.0);
        Ok(Self { laws, materials: count, has_friction })
    }

    #[inline]
    pub fn between(&self, a: u16, b: u16) -> &PairLaw {
        &self.laws[usize::from(a) * self.materials + usize::from(b)]
    }

    /// Whether any two bodies rub: then contacts remember, and particles turn.
    pub fn has_friction(&self) -> bool {
        self.has_friction
    }
}

impl PairLaw {
    fn new(law: &ContactLaw) -> Self {
        let friction = law.friction;
        let (is_hertz, stiffness, tangential_stiffness) = match law.elasticity {
            Elasticity::Linear { stiffness } => {
                (false, stiffness, stiffness * friction.map_or(0.0, |friction| friction.stiffness_ratio))
            }
            Elasticity::Hertz { modulus, poisson } => {
                let effective = modulus / (2.0 * (1.0 - poisson * poisson));
                let shear = modulus / (2.0 * (1.0 + poisson)) / (2.0 * (2.0 - poisson));
                (true, 4.0 / 3.0 * effective, 8.0 * shear)
            }
        };
        let (damping, damping_by_mass) = match law.damping {
            Damping::None => (0.0, 0.0),
            Damping::Coefficient(coefficient) => (coefficient, 0.0),
            Damping::Restitution(share) => {
                // An oscillator that keeps this share of its speed over half a period. Hertz in the form of Tsuji, whose
                // restitution does not depend on speed: the factor belongs to the local stiffness, 3/2 of force over overlap.
                let log = share.ln();
                let linear = -2.0 * log / (PI * PI + log * log).sqrt();
                (0.0, if is_hertz { linear * (5.0f64 / 6.0).sqrt() } else { linear })
            }
        };
        Self {
            is_hertz,
            stiffness,
            damping,
            damping_by_mass,
            friction: friction.map_or(0.0, |friction| friction.coefficient),
            tangential_stiffness,
            tangential_damping_ratio: friction.map_or(0.0, |friction| friction.damping_ratio),
        }
    }

    /// The force on the second body, and what it took over `time`. `spring` is the tangential displacement that the contact
    /// remembers; it grows by the way that surfaces slid and is cut where the contact slides.
    #[inline]
    pub fn act<const D: usize>(&self, meeting: &Meeting<D>, spring: &mut [f64; D], time: f64) -> Reaction<D> {
        let Meeting { normal, velocity, .. } = *meeting;
        let local = self.local(meeting);
        let apart = dot(velocity, normal);
        let push = local.push - local.damping * apart;
        let taken = local.damping * apart * apart * time;
        let mut reaction = Reaction { force: scale(normal, push), taken, stored: 0.0 };
        if self.friction > 0.0 {
            let (tangential, taken) = self.tangential(meeting, &local, apart, push, spring, time);
            reaction.force = std::array::from_fn(|k| reaction.force[k] + tangential[k]);
            reaction.taken += taken;
            reaction.stored = 0.5 * local.tangential * dot(*spring, *spring);
        }
        reaction
    }

    /// Whether contacts of this law remember.
    #[inline]
    pub fn rubs(&self) -> bool {
        self.friction > 0.0
    }

    /// Energy stored in the contact.
    pub fn energy<const D: usize>(&self, meeting: &Meeting<D>, spring: [f64; D]) -> f64 {
        let local = self.local(meeting);
        // The integral of the force: half of force times overlap, two fifths with the power 3/2.
        let normal = if self.is_hertz { 0.4 } else { 0.5 } * local.push * meeting.overlap;
        normal + if self.friction > 0.0 { 0.5 * local.tangential * dot(spring, spring) } else { 0.0 }
    }

    /// How long an impact lasts, of bodies with this sum of inverse masses and effective radius, at this speed, which only
    /// matters with Hertz. Where damping is so strong that it never ends, the time in which motion dies down.
    pub fn duration(&self, inverse_mass: f64, radius: f64, speed: f64) -> f64 {
        let mass = 1.0 / inverse_mass;
        if self.is_hertz {
            // Elastic impact: 2.9433 times largest overlap over speed.
            let stiffness = self.stiffness * radius.sqrt();
            return 2.943_275_4 * (1.25 * mass * speed * speed / stiffness).powf(0.4) / speed;
        }
        let damping = self.damping + self.damping_by_mass * (mass * self.stiffness).sqrt();
        let squared = self.stiffness / mass - (0.5 * damping / mass).powi(2);
        if squared > 0.0 { PI / squared.sqrt() } else { mass / damping }
    }

    pub fn is_hertz(&self) -> bool {
        self.is_hertz
    }

    #[inline]
    fn local<const D: usize>(&self, meeting: &Meeting<D>) -> Local {
        let (push, stiffness, tangential) = if self.is_hertz {
            let root = (meeting.radius * meeting.overlap).sqrt();
            // 2 E* sqrt(R overlap), the derivative of the force, is 3/2 of 4/3 E* times the root.
            (self.stiffness * root * meeting.overlap, 1.5 * self.stiffness * root, self.tangential_stiffness * root)
        } else {
            (self.stiffness * meeting.overlap, self.stiffness, self.tangential_stiffness)
        };
        let damping = if self.damping_by_mass > 0.0 && meeting.inverse_mass > 0.0 {
            self.damping_by_mass * (stiffness / meeting.inverse_mass).sqrt()
        } else {
            self.damping
        };
        Local { push, damping, tangential }
    }

    /// The tangential force on the second body: spring and dashpot up to the friction that the push allows. `apart` is the
    /// speed with which the bodies part. Also the energy that spring, dashpot and sliding took from motion.
    #[inline]
    fn tangential<const D: usize>(
        &self,
        meeting: &Meeting<D>,
        local: &Local,
        apart: f64,
        push: f64,
        spring: &mut [f64; D],
        time: f64,
    ) -> ([f64; D], f64) {
        let normal = meeting.normal;
        let (stiffness, damping) = (local.tangential, self.tangential_damping_ratio * local.damping);
        // Velocity of the second's surface against the first's, without its part along the normal.
        let sliding = sub(add_scaled(meeting.velocity, normal, -apart), turned(meeting.rolling, normal));
        // The contact may have turned since the last step: the spring is laid into the present tangent plane, its length
        // kept.
        let old = *spring;
        let laid = add_scaled(old, normal, -dot(old, normal));
        let (before, after) = (dot(old, old), dot(laid, laid));
        let kept = if after > 0.0 { scale(laid, (before / after).sqrt()) } else { laid };
        let stretched = add(kept, meeting.slide);
        let force: [f64; D] = std::array::from_fn(|k| -stiffness * stretched[k] - damping * sliding[k]);
        let (size, most) = (length(force), self.friction * push.max(0.0));
        let (force, grown) = if size <= most {
            (force, stretched)
        } else {
            // Sliding: as much as Coulomb allows, and a spring that would give just that.
            let cut = scale(force, most / size);
            let held: [f64; D] = std::array::from_fn(|k| -(cut[k] + damping * sliding[k]));
            (cut, if stiffness > 0.0 { scale(held, 1.0 / stiffness) } else { [0.0; D] })
        };
        // The spring's force is the mean over the step, so that what it holds and gives back is right to second order.
        let by_spring = 0.5 * stiffness * dot(add(kept, grown), meeting.slide);
        *spring = grown;
        (force, by_spring + damping * dot(sliding, sliding) * time)
    }
}

/// What the law is at one moment of a contact.
struct Local {
    push: f64,
    damping: f64,
    tangential: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(overlap: f64, velocity: [f64; 3]) -> Meeting<3> {
        let (normal, rolling) = ([1.0, 0.0, 0.0], [0.0; 3]);
        let slide = Slide { normal, velocity, rolling }.way(overlap, 0.01);
        Meeting { normal, overlap, velocity, rolling, slide, inverse_mass: 2.0, radius: 0.5 }
    }

    #[test]
    fn friction_holds_up_to_coulombs_limit_and_slides_beyond() {
        let law = PairLaw::new(&ContactLaw::linear(100.0).friction(0.5));
        let mut spring = [0.0; 3];
        let force = law.act(&meeting(0.1, [0.0, 1.0, 0.0]), &mut spring, 0.01).force;
        assert!((force[0] - 10.0).abs() < 1e-12 && (force[1] + 0.01 * 100.0 * STIFFNESS_RATIO).abs() < 1e-12);
        assert_eq!(spring, [0.0, 0.01, 0.0]);
        let force = law.act(&meeting(0.1, [0.0, 100.0, 0.0]), &mut spring, 0.01).force;
        assert!((force[1] + 5.0).abs() < 1e-12);
        assert!((spring[1] - 5.0 / (100.0 * STIFFNESS_RATIO)).abs() < 1e-12);
    }

    #[test]
    fn the_spring_turns_with_the_contact_and_keeps_its_length() {
        let law = PairLaw::new(&ContactLaw::linear(100.0).friction(10.0));
        let mut spring = [0.003, 0.004, 0.0];
        law.act(&meeting(0.1, [0.0; 3]), &mut spring, 0.01);
        assert!((spring[1] - 0.005).abs() < 1e-15 && spring[0] == 0.0);
    }

    /// A body that comes at speed 10 and overlaps by 0.02 has touched for 0.002 of a step of 0.01.
    #[test]
    fn a_spring_grows_from_the_first_touch_on() {
        let slide = Slide { normal: [1.0, 0.0, 0.0], velocity: [-10.0, 3.0, 0.0], rolling: [0.0; 3] };
        assert!((slide.way(0.02, 0.01)[1] - 0.006).abs() < 1e-15);
        assert!((slide.way(0.11, 0.01)[1] - 0.03).abs() < 1e-15);
        assert!((slide.all_the_way(0.01)[1] - 0.03).abs() < 1e-15);
    }

    #[test]
    fn energy_is_the_work_of_the_force() {
        for law in [ContactLaw::linear(100.0), ContactLaw::hertz(100.0, 0.3)] {
            let law = PairLaw::new(&law);
            let steps = 10_000;
            let work: f64 = (0..steps)
                .map(|k| 0.1 * (f64::from(k) + 0.5) / f64::from(steps))
                .map(|overlap| {
                    law.act(&meeting(overlap, [0.0; 3]), &mut [0.0; 3], 0.0).force[0] * 0.1 / f64::from(steps)
                })
                .sum();
            let energy = law.energy(&meeting(0.1, [0.0; 3]), [0.0; 3]);
            assert!((work / energy - 1.0).abs() < 1e-6, "{work} {energy}");
        }
    }

    #[test]
    fn unlike_materials_need_laws_of_one_kind() {
        let linear = Material::new(1.0, ContactLaw::linear(1.0));
        let hertz = Material::new(1.0, ContactLaw::hertz(1.0, 0.3));
        let error = LawTable::new(&[linear, hertz], &[]).unwrap_err().to_string();
        assert!(error.starts_with("materials 0 and 1 have laws of different kinds"), "{error}");
        assert!(LawTable::new(&[linear, hertz], &[(1, 0, linear.law)]).is_ok());
    }

    use crate::material::STIFFNESS_RATIO;
}
