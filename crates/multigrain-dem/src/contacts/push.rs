//! What contacts do to their particles.

use super::rows::Saved;
use super::table::ContactTable;
use crate::integrator::{Accelerations, Integrator};
use crate::law::{LawTable, Meeting, Reaction, Slide};
use crate::state::{Body, State};
use crate::threads;
use crate::vector::{Spin, add_scaled, dot, scale, sub, torque};
use multigrain::Domain;

/// Contacts whose particles are fetched together, so that memory is waited for once for many.
const TOGETHER: usize = 16;

/// What a contact does to its two particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Push<const D: usize> {
    /// Force on the partner.
    pub force: [f64; D],
    /// Torque for an arm of length 1; zero without friction.
    pub moment: Spin,
    /// By how much the arms are shorter than the radii.
    pub half_overlap: f64,
}

impl<const D: usize> Push<D> {
    pub const NONE: Self = Self { force: [0.0; D], moment: [0.0; 3], half_overlap: 0.0 };
}

impl<const D: usize> ContactTable<D> {
    /// Works out the force of every contact. Springs grow over `time`.
    pub fn push_apart(
        &mut self,
        state: &State<D>,
        domain: &Domain<D>,
        laws: &LawTable,
        integrator: Integrator,
        time: f64,
    ) {
        let (lengths, turns) = (domain.lengths(), laws.has_friction());
        let grows = Growth { integrator, time: if turns { time } else { 0.0 } };
        threads::for_each(&mut self.blocks, |_, block| {
            threads::make_room(&mut block.pushes, block.links.len());
            let mut bodies = [[Body::<D>::NONE; 2]; TOGETHER];
            (block.taken, block.stored) = (0.0, 0.0);
            for (chunk, links) in block.links.chunks(TOGETHER).enumerate() {
                for (bodies, link) in bodies.iter_mut().zip(links) {
                    *bodies = [link.place, link.other].map(|place| grows.body(state, place as usize));
                }
                for (k, [owner, partner]) in bodies[..links.len()].iter().enumerate() {
                    let slot = chunk * TOGETHER + k;
                    let shift = block.shifts.get(slot).copied().unwrap_or([0; D]);
                    let meeting = meeting(owner, partner, shift, lengths, turns, grows);
                    let law = laws.between(owner.material, partner.material);
                    let mut none = [0.0; D];
                    let spring = block.springs.get_mut(slot).unwrap_or(&mut none);
                    let Reaction { force, taken, stored } = law.act(&meeting, spring, time);
                    block.taken += taken;
                    block.stored += stored;
                    let moment = if law.rubs() { torque(meeting.normal, force) } else { [0.0; 3] };
                    block.pushes.push(Push { force, moment, half_overlap: 0.5 * meeting.overlap });
                }
            }
        });
    }

    /// Energy stored in contacts.
    pub fn energy(&self, state: &State<D>, domain: &Domain<D>, laws: &LawTable) -> f64 {
        let lengths = domain.lengths();
        let energy = |contact: Saved<D>| {
            let still = ([0.0; D], [0.0; 3]);
            let [owner, partner] = [contact.owner, contact.partner].map(|place| state.body(place as usize, still));
            let meeting = meeting(&owner, &partner, contact.shift, lengths, false, Growth::NONE);
            laws.between(owner.material, partner.material).energy(&meeting, contact.spring)
        };
        self.saved().map(energy).sum()
    }
}

/// Over what time springs grow, and how particles move in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Growth {
    pub integrator: Integrator,
    /// 0 where nothing rubs.
    pub time: f64,
}

impl Growth {
    pub const NONE: Self = Self { integrator: Integrator::PlainVerlet, time: 0.0 };

    /// What contacts look at of the particle in this place.
    #[inline]
    fn body<const D: usize>(self, state: &State<D>, place: usize) -> Body<D> {
        if self.time == 0.0 {
            return state.body(place, ([0.0; D], [0.0; 3]));
        }
        let by = Accelerations {
            force: state.forces[place],
            torque: state.torques[place],
            inverse_mass: state.inverse_masses[place],
            inverse_inertia: state.inverse_inertias[place],
            derivatives: state.derivatives.get(place),
        };
        state.body(place, self.integrator.gained(by, self.time))
    }
}

/// Two particles in contact, as the law sees them: the second where its image is.
#[inline]
fn meeting<const D: usize>(
    first: &Body<D>,
    second: &Body<D>,
    shift: [i32; D],
    lengths: [f64; D],
    turns: bool,
    grows: Growth,
) -> Meeting<D> {
    let (a, b) = (first.radius, second.radius);
    let away: [f64; D] = std::array::from_fn(|k| {
        let difference = second.position[k] - first.position[k];
        match shift[k] {
            0 => difference,
            shift => difference + f64::from(shift) * lengths[k],
        }
    });
    let distance = dot(away, away).sqrt();
    let normal = direction(away, distance);
    let overlap = (a + b - distance).max(0.0);
    let velocity = sub(second.velocity, first.velocity);
    let arms = |overlap: f64, one: Spin, other: Spin| {
        let half = 0.5 * overlap;
        add_scaled(scale(one, a - half), other, b - half)
    };
    let rolling = if turns { arms(overlap, first.spin, second.spin) } else { [0.0; 3] };
    let slide = if grows.time == 0.0 {
        [0.0; D]
    } else if grows.integrator.is_synchronised() {
        let velocity = sub(velocity, sub(second.gained, first.gained));
        let middle = add_scaled(away, velocity, -0.5 * grows.time);
        let distance = dot(middle, middle).sqrt();
        let spins = [first, second].map(|body| sub(body.spin, body.gained_spin));
        let rolling = arms(a + b - distance, spins[0], spins[1]);
        Slide { normal: direction(middle, distance), velocity, rolling }.way(overlap, grows.time)
    } else {
        Slide { normal, velocity, rolling }.all_the_way(grows.time)
    };
    Meeting {
        normal,
        overlap,
        velocity,
        rolling,
        slide,
        inverse_mass: first.inverse_mass + second.inverse_mass,
        radius: a * b / (a + b),
    }
}

/// The unit vector along a way of this length. Centers in the same point are pushed apart along the first axis.
#[inline]
fn direction<const D: usize>(way: [f64; D], length: f64) -> [f64; D] {
    if length > 0.0 { scale(way, 1.0 / length) } else { std::array::from_fn(|k| f64::from(k == 0)) }
}
