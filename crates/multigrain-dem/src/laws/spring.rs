//! What the laws with friction share: a dashpot along the normal, a spring and a dashpot along the contact plane, and Coulomb's
//! limit.

use super::{Lanes, Point, Wrench};
use crate::material::{ContactLaw, Damping, Dashpot};
use crate::number::{Number, Pack};
use crate::vector::{add, add_scaled, dot, length, scale};
use std::f64::consts::PI;

/// Friction and damping of a law.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rubbing {
    /// Damping that does not depend on masses.
    damping: f64,
    /// Damping over the square root of effective mass and stiffness.
    damping_by_mass: f64,
    /// Whether the dashpot takes at most the repulsion away.
    never_pulls: bool,
    pub friction: f64,
    pub tangential_damping_ratio: f64,
}

/// What a law is at one moment of a contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local<N> {
    /// Repulsion.
    pub push: N,
    /// Force per overlap now.
    pub stiffness: N,
    /// Force per tangential displacement now.
    pub tangential: N,
}

impl Rubbing {
    /// `factor` multiplies the damping that a restitution asks for.
    pub fn new(law: &ContactLaw, factor: f64) -> Self {
        let never_pulls = law.dashpot == Dashpot::NoPull;
        let (damping, damping_by_mass) = match law.damping {
            // Shares belong to the law of areas.
            Damping::None | Damping::Share(_) => (0.0, 0.0),
            Damping::Coefficient(coefficient) => (coefficient, 0.0),
            Damping::Restitution(share) if never_pulls => (0.0, 2.0 * share_for(share) * factor),
            Damping::Restitution(share) => {
                // An oscillator that keeps this share of its speed over half a period.
                let log = libm::log(share);
                let linear = -2.0 * log / (PI * PI + log * log).sqrt();
                (0.0, linear * factor)
            }
        };
        Self {
            damping,
            damping_by_mass,
            never_pulls,
            friction: law.friction.map_or(0.0, |friction| friction.coefficient),
            tangential_damping_ratio: law.friction.map_or(0.0, |friction| friction.damping_ratio),
        }
    }

    /// Damping along the normal for bodies of this stiffness and sum of inverse masses.
    #[inline(always)]
    pub fn damping<N: Number>(&self, stiffness: N, inverse_mass: N) -> N {
        let steady = N::splat(self.damping);
        if self.damping_by_mass > 0.0 {
            let by_mass = N::splat(self.damping_by_mass) * (stiffness / inverse_mass).sqrt();
            N::splat(0.0).if_below(inverse_mass, by_mass, steady)
        } else {
            steady
        }
    }

    /// The same from the effective mass itself.
    pub fn damping_of(&self, mass: f64, stiffness: f64) -> f64 {
        self.damping + self.damping_by_mass * (mass * stiffness).sqrt()
    }

    /// What a dashpot that would take this much from this repulsion does take.
    #[inline(always)]
    pub fn limited<N: Number>(&self, taken: N, push: N) -> N {
        if self.never_pulls { push.max(N::splat(0.0)).if_below(taken, push.max(N::splat(0.0)), taken) } else { taken }
    }

    /// How long an impact on a spring lasts; where damping is so strong that it never ends, the time in which motion dies down.
    pub fn duration(&self, stiffness: f64, inverse_mass: f64) -> f64 {
        let mass = 1.0 / inverse_mass;
        let damping = self.damping_of(mass, stiffness);
        let squared = stiffness / mass - (0.5 * damping / mass).powi(2);
        if squared > 0.0 { PI / squared.sqrt() } else { mass / damping }
    }

    /// Force, what is remembered and what was taken.
    #[inline(always)]
    pub fn act<const D: usize, N: Number>(
        &self,
        point: &Point<D, N>,
        local: &Local<N>,
        spring: [N; D],
        time: f64,
    ) -> (Wrench<D, N>, [N; D]) {
        let (normal, apart, time) = (point.normal, point.apart, N::splat(time));
        let zero = N::splat(0.0);
        let damping = self.damping(local.stiffness, point.inverse_mass);
        let by_dashpot = self.limited(damping * apart, local.push);
        let push = local.push - by_dashpot;
        let wrench = Wrench { force: scale(normal, push), couple: [zero; 3], taken: by_dashpot * apart * time };
        if self.friction == 0.0 {
            return (wrench, spring);
        }
        let damping = N::splat(self.tangential_damping_ratio) * damping;
        let most = N::splat(self.friction) * push.max(zero);
        let slip = Slider { stiffness: local.tangential, damping, most }.slip(
            normal,
            spring,
            point.slide,
            point.sliding,
            time,
        );
        let taken = wrench.taken + slip.taken;
        (Wrench { force: add(wrench.force, slip.force), taken, ..wrench }, slip.spring)
    }
}

/// The share of the critical damping that leaves this share of the speed of an impact, if dashpots never pull. That of the law of Hertz
/// follows the same formula, as Tsuji's dashpot makes an oscillator of it in other coordinates.
fn share_for(restitution: f64) -> f64 {
    // The more damping the less is left; above 1 / (2 sqrt(e)) less than e.
    let (mut low, mut high) = (0.0, 1.0 + 1.0 / restitution.sqrt());
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if left_by(middle) > restitution { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// What is left of the speed of an impact on a spring with this share of the critical damping, up to when the force is zero: Schwager
/// and Poeschel, Granular Matter 9 (2007) 465.
fn left_by(share: f64) -> f64 {
    let squared = 1.0 - share * share;
    if squared.abs() < 1e-12 {
        return libm::exp(-2.0);
    }
    let root = squared.abs().sqrt();
    let angle = match squared > 0.0 {
        true => libm::atan2(2.0 * share * root, share * share - squared),
        false => libm::log((share + root) / (share - root)),
    };
    libm::exp(-share / root * angle)
}

/// A spring and a dashpot in the plane across a normal that slide from a limit on: forces by ways along the contact plane, or torques by
/// angles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slider<N> {
    pub stiffness: N,
    pub damping: N,
    /// The largest force.
    pub most: N,
}

/// What a slider does in a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slip<const K: usize, N> {
    pub force: [N; K],
    /// How far the spring is stretched now.
    pub spring: [N; K],
    /// Energy taken from motion.
    pub taken: N,
}

impl<N: Number> Slider<N> {
    /// The spring so far is stretched by a way, at this speed at its end.
    #[inline(always)]
    pub fn slip<const K: usize>(
        &self,
        normal: [N; K],
        spring: [N; K],
        way: [N; K],
        speed: [N; K],
        time: N,
    ) -> Slip<K, N> {
        let Self { stiffness, damping, most } = *self;
        let (zero, one) = (N::splat(0.0), N::splat(1.0));
        // The contact may have turned since the last step: the spring is laid into the present tangent plane, its length
        // kept.
        let laid = add_scaled(spring, normal, -dot(spring, normal));
        let (before, after) = (dot(spring, spring), dot(laid, laid));
        let kept = scale(laid, zero.if_below(after, (before / after).sqrt(), one));
        let stretched = add(kept, way);
        let mut wanted = [zero; K];
        for k in 0..K {
            wanted[k] = -stiffness * stretched[k] - damping * speed[k];
        }
        // Sliding: as much as the limit allows, and a spring that would give just that.
        let size = length(wanted);
        let force = scale(wanted, most.if_below(size, most / size, one));
        let softness = zero.if_below(stiffness, one / stiffness, zero);
        let mut spring = stretched;
        for k in 0..K {
            let slid = -(force[k] + damping * speed[k]) * softness;
            spring[k] = most.if_below(size, slid, stretched[k]);
        }
        // The spring's force is the mean over the step, so that what it holds and gives back is right to second order.
        let by_spring = N::splat(0.5) * stiffness * dot(add(kept, spring), way);
        let by_dashpot = damping * dot(speed, speed) * time;
        Slip { force, spring, taken: by_spring + by_dashpot }
    }
}

/// Shows all lanes to a law that remembers a spring of D numbers.
#[inline(always)]
pub(super) fn on_all<const D: usize>(
    lanes: &mut Lanes<D>,
    law: impl Fn(&Point<D, Pack>, [Pack; D]) -> (Wrench<D, Pack>, [Pack; D]),
) {
    let mut spring = [lanes.history[0]; D];
    spring.copy_from_slice(&lanes.history[..D]);
    let (wrench, grown) = law(&lanes.points, spring);
    lanes.wrench = wrench;
    lanes.history[..D].copy_from_slice(&grown);
}

/// The spring as the list of numbers that a contact remembers.
pub(super) fn spring_of<const D: usize>(history: &[f64]) -> [f64; D] {
    std::array::from_fn(|k| history.get(k).copied().unwrap_or(0.0))
}
