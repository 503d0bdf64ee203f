//! What contacts do to their particles.

use super::rows::Saved;
use super::table::ContactTable;
use crate::law::{LawTable, Meeting, Reaction};
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
    pub fn push_apart(&mut self, state: &State<D>, domain: &Domain<D>, laws: &LawTable, time: f64) {
        let (lengths, turns) = (domain.lengths(), laws.has_friction());
        threads::for_each(&mut self.blocks, |_, block| {
            threads::make_room(&mut block.pushes, block.links.len());
            let mut bodies = [[Body::<D>::NONE; 2]; TOGETHER];
            (block.taken, block.stored) = (0.0, 0.0);
            for (chunk, links) in block.links.chunks(TOGETHER).enumerate() {
                for (bodies, link) in bodies.iter_mut().zip(links) {
                    *bodies = [state.body(link.place as usize), state.body(link.other as usize)];
                }
                for (k, [owner, partner]) in bodies[..links.len()].iter().enumerate() {
                    let slot = chunk * TOGETHER + k;
                    let shift = block.shifts.get(slot).copied().unwrap_or([0; D]);
                    let meeting = meeting(owner, partner, shift, lengths, turns);
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
            let [owner, partner] = [contact.owner, contact.partner].map(|place| state.body(place as usize));
            let meeting = meeting(&owner, &partner, contact.shift, lengths, false);
            laws.between(owner.material, partner.material).energy(&meeting, contact.spring)
        };
        self.saved().map(energy).sum()
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
    // Centers in the same point are pushed apart along the first axis.
    let normal = if distance > 0.0 { scale(away, 1.0 / distance) } else { std::array::from_fn(|k| f64::from(k == 0)) };
    let overlap = (a + b - distance).max(0.0);
    let half = 0.5 * overlap;
    Meeting {
        normal,
        overlap,
        velocity: sub(second.velocity, first.velocity),
        rolling: if turns { add_scaled(scale(first.spin, a - half), second.spin, b - half) } else { [0.0; 3] },
        inverse_mass: first.inverse_mass + second.inverse_mass,
        radius: a * b / (a + b),
    }
}
