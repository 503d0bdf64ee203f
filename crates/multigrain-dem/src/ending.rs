//! The end of a step: what contacts do is summed for every particle, and velocities follow.

use crate::contacts::{Candidates, ContactBlock, ContactTable, NONE, Seconds, lock};
use crate::error::Error;
use crate::giants::{Pushes, pushes_on};
use crate::integrator::{Integrator, Motion, of_own};
use crate::kernel::fastest;
use crate::number::LANES;
use crate::simulation::{Ending, Simulation};
use crate::space::Moving;
use crate::state::{Derivatives, State};
use crate::threads;
use crate::vector::{Spin, add, add_scaled, scale, sub};
use multigrain::grid::prefetch;
use multigrain::{Axes, Dimension};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Sums what contacts do and ends the motion of the step with it.
    pub(crate) fn end_motion(&mut self, ending: Ending) -> Result<(), Error> {
        let mut own = self.own_forces_now()?;
        self.add_body_forces(&mut own, ending);
        let is_lost = !self.end_blocks(&own, ending, |_| true) || !self.end_clumps(ending);
        if is_lost { Err(self.lost_by_motion()) } else { Ok(()) }
    }

    /// The same for the particles of some blocks, with the user's own forces and torques where there are any. Whether all motion stayed
    /// finite.
    pub(crate) fn end_blocks(
        &mut self,
        own: &(Vec<[f64; D]>, Vec<Spin>),
        ending: Ending,
        is_asked: impl Fn(usize) -> bool,
    ) -> bool {
        let (bits, count) = (self.candidates.bits, self.state.own());
        let State {
            positions,
            velocities,
            spins,
            angles,
            forces,
            torques,
            derivatives,
            radii,
            masses,
            inverse_masses,
            inverse_inertias,
            ..
        } = &mut self.state;
        let end = End {
            integrator: self.setup.physics.integrator,
            dt: self.time_step,
            ending,
            turns: self.laws.turns(),
            gravity: self.setup.physics.gravity,
            pulled: self.space.moving().filter(|moving| moving.is_pulled()),
            has_walls: !self.obstacles.is_empty(),
            candidates: &self.candidates,
            contacts: &self.contacts,
            own,
            giant_radius: self.giant_radius,
            pushes: &self.pushes,
            radii,
            masses,
            inverse_masses,
            inverse_inertias,
        };
        let size = 1 << bits;
        // Guests end their motion where they belong.
        let mut positions = positions[..count].chunks_mut(size);
        let (mut velocities, mut spins) = (velocities[..count].chunks_mut(size), spins[..count].chunks_mut(size));
        let (mut forces, mut torques) = (forces[..count].chunks_mut(size), torques[..count].chunks_mut(size));
        let (angles, derivatives) = (of_own(angles, count), of_own(derivatives, count));
        let (mut angles, mut derivatives) = (angles.chunks_mut(size), derivatives.chunks_mut(size));
        let mut blocks: Vec<(usize, Columns<'_, D>)> = (0..count.div_ceil(size))
            .map(|b| {
                (
                    b,
                    Columns {
                        positions: positions.next().unwrap_or_default(),
                        velocities: velocities.next().unwrap_or_default(),
                        spins: spins.next().unwrap_or_default(),
                        forces: forces.next().unwrap_or_default(),
                        torques: torques.next().unwrap_or_default(),
                        angles: angles.next().unwrap_or_default(),
                        derivatives: derivatives.next().unwrap_or_default(),
                    },
                )
            })
            .filter(|(b, _)| is_asked(*b))
            .collect();
        let has_lost = AtomicBool::new(false);
        threads::for_each(&mut blocks, |_, (b, columns)| {
            if !end.block(*b, columns) {
                has_lost.store(true, Relaxed);
            }
        });
        !has_lost.into_inner()
    }
}

/// Particles whose contacts are asked for before they are summed.
const AHEAD: usize = 24;

/// What all blocks look at.
struct End<'a, const D: usize> {
    integrator: Integrator,
    dt: f64,
    ending: Ending,
    turns: bool,
    gravity: [f64; D],
    /// The box, where it is accelerated and takes particles along.
    pulled: Option<&'a Moving<D>>,
    has_walls: bool,
    candidates: &'a Candidates<D>,
    contacts: &'a ContactTable<D>,
    /// Forces and torques of the user's own; empty where there are none.
    own: &'a (Vec<[f64; D]>, Vec<Spin>),
    /// What others do to larger particles is summed already.
    giant_radius: f64,
    pushes: &'a [Pushes<D>],
    radii: &'a [f64],
    masses: &'a [f64],
    inverse_masses: &'a [f64],
    inverse_inertias: &'a [f64],
}

/// The columns of one block that change.
struct Columns<'a, const D: usize> {
    positions: &'a mut [[f64; D]],
    velocities: &'a mut [[f64; D]],
    spins: &'a mut [Spin],
    forces: &'a mut [[f64; D]],
    torques: &'a mut [Spin],
    /// Empty without polygons.
    angles: &'a mut [f64],
    /// Empty with Verlet.
    derivatives: &'a mut [Derivatives<D>],
}

impl<const D: usize> End<'_, D> {
    /// Ends the step of a block. Whether all velocities and spins stayed finite.
    fn block(&self, b: usize, columns: &mut Columns<'_, D>) -> bool {
        let mut found = lock(&self.contacts.seconds).pop().unwrap_or_default();
        self.find_by_seconds(b, &mut found);
        let mut all_finite = true;
        fastest!(all_finite = self.end_all(b, columns, &found));
        lock(&self.contacts.seconds).push(found);
        all_finite
    }

    /// The same, with the contacts in which particles are the second.
    #[inline(always)]
    fn end_all(&self, b: usize, columns: &mut Columns<'_, D>, found: &Seconds) -> bool {
        let first = b << self.candidates.bits;
        let (mut start, mut asked) = (0, 0);
        for k in 0..columns.positions.len() {
            // What contacts do lies anywhere in memory: it is asked for some time before it is summed.
            if let Some(&end) = found.ends.get(k + AHEAD) {
                for &[block, contact] in &found.contacts[asked..end as usize] {
                    prefetch(&self.contacts.blocks[block as usize].effects, contact as usize);
                }
                asked = end as usize;
            }
            let end = found.ends[k] as usize;
            let mut sum = self.sum(b, k, first + k, &found.contacts[start..end]);
            if let Some(moving) = self.pulled {
                sum.0 = add_scaled(sum.0, moving.pull_at(columns.positions[k]), self.masses[first + k]);
            }
            start = end;
            match self.ending {
                Ending::Start => self.begin(k, first + k, sum, columns),
                Ending::Step => self.end(k, first + k, sum, columns),
            }
        }
        // Afterwards for all: what was just written in parts cannot be read as a whole for a while.
        are_finite(columns.velocities) & are_finite(columns.spins)
    }

    /// The contacts in which the particles of a block are the second, for every particle those that it finds in the rows of
    /// others. For a whole block at once and without a branch: nobody can guess which pairs touch, and looking there takes time.
    #[inline(always)]
    fn find_by_seconds(&self, b: usize, found: &mut Seconds) {
        let (rows, blocks, bits) = (&self.candidates.blocks[b], &self.contacts.blocks[..], self.candidates.bits);
        let Seconds { contacts, ends } = found;
        if contacts.len() <= rows.seconds.len() {
            contacts.resize(rows.seconds.len() + 1, [0; 2]);
        }
        ends.clear();
        let mut count = 0;
        for row in rows.second_rows.windows(2) {
            for at in row[0] as usize..row[1] as usize {
                let pair = rows.seconds[at];
                if let Some(pair) = rows.seconds.get(at + AHEAD) {
                    prefetch(&blocks[(pair.first >> bits) as usize].contact_of, pair.slot as usize);
                }
                let block = pair.first >> bits;
                let contact = blocks[block as usize].contact_of[pair.slot as usize];
                contacts[count] = [block, contact];
                count += usize::from(contact != NONE);
            }
            ends.push(count as u32);
        }
    }

    /// The first forces: nothing has moved yet.
    fn begin(&self, k: usize, place: usize, (force, twist): ([f64; D], Spin), columns: &mut Columns<'_, D>) {
        (columns.forces[k], columns.torques[k]) = (force, twist);
        if let Some(higher) = columns.derivatives.get_mut(k) {
            let factor = 0.5 * self.dt * self.dt;
            *higher = Derivatives::ZERO;
            higher.position[0] = scale(force, factor * self.inverse_masses[place]);
            higher.angle[0] = scale(twist, factor * self.inverse_inertias[place]);
        }
    }

    /// Velocities follow.
    #[inline(always)]
    fn end(&self, k: usize, place: usize, (force, twist): ([f64; D], Spin), columns: &mut Columns<'_, D>) {
        let Columns { positions, velocities, spins, forces, torques, angles, derivatives } = columns;
        let (higher, higher_angle) =
            derivatives.get_mut(k).map(|higher| (&mut higher.position, &mut higher.angle)).unzip();
        let before = std::mem::replace(&mut forces[k], force);
        let motion = Motion { velocity: &mut velocities[k], force, before, inverse_mass: self.inverse_masses[place] };
        let correction = self.integrator.end_motion(motion, higher, self.dt);
        // A particle that is lost stays where it was last as it should be.
        if let Some(correction) = correction.filter(|_| velocities[k].iter().all(|component| component.is_finite())) {
            positions[k] = add(positions[k], correction);
        }
        if self.turns {
            let before = std::mem::replace(&mut torques[k], twist);
            let inverse_mass = self.inverse_inertias[place];
            let motion = Motion { velocity: &mut spins[k], force: twist, before, inverse_mass };
            let correction = self.integrator.end_motion(motion, higher_angle, self.dt);
            if let (Some(angle), Some(correction)) = (angles.get_mut(k), correction) {
                *angle += correction[2];
            }
        }
    }

    /// Force and torque on a particle: its weight, faces, then contacts by the id of the other, whatever the order of the state.
    #[inline(always)]
    fn sum(&self, b: usize, k: usize, place: usize, as_second: &[[u32; 2]]) -> ([f64; D], Spin) {
        let (own, radius) = (&self.contacts.blocks[b], self.radii[place]);
        let mut sum = Sum { force: [0.0; 4], torque: [0.0; 4] };
        for axis in 0..D {
            sum.force[axis] = self.gravity[axis] * self.masses[place];
        }
        let mut contacts = own.rows[k] as usize..own.rows[k + 1] as usize;
        if self.has_walls {
            let rows = &self.candidates.blocks[b];
            while contacts.start < contacts.end && rows.is_face(own.slots[contacts.start] as usize) {
                sum = self.add(sum, own, contacts.start, radius, Body::First);
                contacts.start += 1;
            }
        }
        let of_giant = if radius > self.giant_radius { Some(self.with_giants(b, k)) } else { None };
        for &[block, contact] in of_giant.as_deref().unwrap_or(as_second) {
            sum = self.add(sum, &self.contacts.blocks[block as usize], contact as usize, radius, Body::Second);
        }
        for contact in contacts {
            sum = self.add(sum, own, contact, radius, Body::First);
        }
        let mut sum: ([f64; D], Spin) = (first_of(sum.force), first_of(sum.torque));
        if let Some(pushes) = of_giant.and_then(|_| pushes_on(self.pushes, place)) {
            sum = pushes.add_to(sum);
        }
        if let (Some(&force), Some(&torque)) = (self.own.0.get(place), self.own.1.get(place)) {
            sum = (add(sum.0, force), add(sum.1, torque));
        }
        sum
    }

    /// Of the contacts in which a giant is the second those with other giants.
    fn with_giants(&self, b: usize, k: usize) -> Vec<[u32; 2]> {
        let (rows, bits) = (&self.candidates.blocks[b], self.candidates.bits);
        let pairs = &rows.seconds[rows.second_rows[k] as usize..rows.second_rows[k + 1] as usize];
        let giants = pairs.iter().filter(|pair| self.radii[pair.first as usize] > self.giant_radius);
        let contacts = giants.map(|pair| {
            let block = pair.first >> bits;
            [block, self.contacts.blocks[block as usize].contact_of[pair.slot as usize]]
        });
        contacts.filter(|contact| contact[1] != NONE).collect()
    }

    /// Adds what a contact does to one of its bodies.
    #[inline(always)]
    fn add(&self, mut sum: Sum, block: &ContactBlock, contact: usize, radius: f64, body: Body) -> Sum {
        let effect = &block.effects[contact];
        sum.force = match body {
            Body::First => sub(sum.force, effect.force_and_gap),
            Body::Second => add(sum.force, effect.force_and_gap),
        };
        if self.turns {
            sum.torque = add_scaled(sum.torque, effect.moment_and_taken, -0.5 * effect.gap() - radius);
            if let Some(torques) = block.torques.get(contact) {
                let [x, y, z] = torques[body as usize];
                sum.torque = add(sum.torque, [x, y, z, 0.0]);
            }
        }
        sum
    }
}

/// Whether all numbers are finite.
#[inline(always)]
fn are_finite<const K: usize>(vectors: &[[f64; K]]) -> bool {
    // Not a number if anything is none, in several sums that do not wait for each other.
    let (mut nothing, numbers) = ([0.0; LANES], vectors.as_flattened());
    let mut at = 0;
    while let Some(some) = numbers[at..].first_chunk::<LANES>() {
        for lane in 0..LANES {
            nothing[lane] += 0.0 * some[lane];
        }
        at += LANES;
    }
    for &number in &numbers[at..] {
        nothing[0] += 0.0 * number;
    }
    let mut sum = 0.0;
    for lane in 0..LANES {
        sum += nothing[lane];
    }
    sum == 0.0
}

/// Sums of what pushes a particle, in whole vectors: the last components mean nothing.
#[derive(Clone, Copy)]
struct Sum {
    force: [f64; 4],
    torque: [f64; 4],
}

fn first_of<const K: usize>(vector: [f64; 4]) -> [f64; K] {
    let mut first = [0.0; K];
    // Copied as a whole it would be in memory while it is summed.
    #[expect(clippy::manual_memcpy)]
    for k in 0..K {
        first[k] = vector[k];
    }
    first
}

/// Which of the two bodies of a contact.
#[derive(Clone, Copy)]
enum Body {
    First,
    Second,
}
