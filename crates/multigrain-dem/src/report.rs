//! What there is to see of a simulation: contacts, energies, momentum.

use crate::simulation::Simulation;
use crate::vector::{Spin, add, add_scaled, dot, length, scale, torque};

/// Two particles that touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact<const D: usize> {
    /// Ids of both, the lower first.
    pub ids: [u32; 2],
    /// Places of both in the state.
    pub places: [u32; 2],
    /// How many periods the image of the second lies from where it is.
    pub shift: [i32; D],
    /// Unit vector from the first to the second.
    pub normal: [f64; D],
    /// How deep they overlap.
    pub overlap: f64,
    /// Force on the second; the first feels the opposite.
    pub force: [f64; D],
    /// Tangential displacement that the contact remembers.
    pub spring: [f64; D],
}

/// A particle that touches a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallTouch<const D: usize> {
    /// Id of the particle.
    pub id: u32,
    /// Its place in the state.
    pub place: u32,
    /// Number of the wall.
    pub wall: usize,
    /// Unit vector from the particle to the wall.
    pub normal: [f64; D],
    /// How deep they overlap.
    pub overlap: f64,
    /// Force on the particle.
    pub force: [f64; D],
    /// Tangential displacement that the contact remembers.
    pub spring: [f64; D],
}

/// How deep particles overlap each other and walls. Pairs of which nothing can move are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Overlaps {
    /// Number of contacts, those with walls included.
    pub count: usize,
    /// The largest overlap as a share of the smaller radius, with a wall of the only one.
    pub largest: f64,
    /// Ids of those that overlap most; no second one if it is a wall.
    pub ids: Option<(u32, Option<u32>)>,
}

impl Overlaps {
    fn add(&mut self, share: f64, ids: (u32, Option<u32>)) {
        self.count += 1;
        // The lower ids of equals, in whatever order contacts come.
        if share > self.largest || (share == self.largest && self.ids.is_some_and(|known| ids < known)) {
            (self.largest, self.ids) = (share, Some(ids));
        }
    }
}

/// Energies of a simulation. What held particles have is left out: it cannot be had from them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Energies {
    /// Of the motion of centers.
    pub translational: f64,
    /// Of turning.
    pub rotational: f64,
    /// Stored in contacts, walls included.
    pub elastic: f64,
    /// Of weight, from the origin up; along periodic axes by the way travelled.
    pub gravitational: f64,
}

impl Energies {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.translational + self.rotational + self.elastic + self.gravitational
    }

    /// All motion.
    pub fn kinetic(&self) -> f64 {
        self.translational + self.rotational
    }
}

impl<const D: usize> Simulation<D> {
    /// Every contact between particles, sorted by ids and image. Forces are those of the last step.
    pub fn contacts(&self) -> Vec<Contact<D>> {
        let lengths = self.setup.physics.domain.lengths();
        let (ids, positions, radii) = (&self.state.ids, &self.state.positions, &self.state.radii);
        let contact = |contact: crate::contacts::Saved<D>| {
            let places = [contact.owner, contact.partner];
            let [i, j] = places.map(|place| place as usize);
            let away: [f64; D] = std::array::from_fn(|axis| {
                positions[j][axis] - positions[i][axis] + f64::from(contact.shift[axis]) * lengths[axis]
            });
            let distance = length(away);
            Contact {
                ids: [ids[i], ids[j]],
                places,
                shift: contact.shift,
                normal: if distance > 0.0 { scale(away, 1.0 / distance) } else { [0.0; D] },
                overlap: radii[i] + radii[j] - distance,
                force: contact.push.force,
                spring: contact.spring,
            }
        };
        let mut all: Vec<Contact<D>> = self.contacts.saved().map(contact).collect();
        all.sort_by_key(|contact| (contact.ids, contact.shift));
        all
    }

    /// Number of contacts between particles.
    pub fn contact_count(&self) -> usize {
        self.contacts.len()
    }

    /// How deep particles overlap now.
    pub fn overlaps(&self) -> Overlaps {
        let (state, lengths) = (&self.state, self.setup.physics.domain.lengths());
        let mut overlaps = Overlaps::default();
        for contact in self.contacts.saved() {
            let [i, j] = [contact.owner, contact.partner].map(|place| place as usize);
            if state.is_held(i) && state.is_held(j) {
                continue;
            }
            let away: [f64; D] = std::array::from_fn(|axis| {
                state.positions[j][axis] - state.positions[i][axis] + f64::from(contact.shift[axis]) * lengths[axis]
            });
            let overlap = state.radii[i] + state.radii[j] - length(away);
            overlaps.add(overlap / state.radii[i].min(state.radii[j]), (state.ids[i], Some(state.ids[j])));
        }
        for contact in self.wall_contacts.contacts() {
            let place = contact.place as usize;
            if !state.is_held(place) {
                overlaps.add(contact.overlap / state.radii[place], (state.ids[place], None));
            }
        }
        overlaps
    }

    /// Every contact with a wall, sorted by id and wall.
    pub fn wall_contacts(&self) -> Vec<WallTouch<D>> {
        let touch = |contact: &crate::walls::WallContact<D>| WallTouch {
            id: self.state.ids[contact.place as usize],
            place: contact.place,
            wall: self.obstacles.surface(contact.feature).wall,
            normal: contact.normal,
            overlap: contact.overlap,
            force: contact.force,
            spring: contact.spring,
        };
        let mut all: Vec<WallTouch<D>> = self.wall_contacts.contacts().map(touch).collect();
        all.sort_by_key(|touch| (touch.id, touch.wall));
        all
    }

    /// Energies now.
    pub fn energies(&self) -> Energies {
        let (state, physics) = (&self.state, &self.setup.physics);
        let lengths = physics.domain.lengths();
        let mut energies = Energies {
            elastic: self.contacts.energy(state, &physics.domain, &self.laws)
                + self.wall_contacts.energy(state, &self.obstacles, &self.laws),
            ..Energies::default()
        };
        for place in (0..state.len()).filter(|&place| !state.is_held(place)) {
            let (mass, velocity, spin) = (state.masses[place], state.velocities[place], state.spins[place]);
            energies.translational += 0.5 * mass * dot(velocity, velocity);
            energies.rotational += 0.5 * state.inertia(place) * dot(spin, spin);
            let mut travelled = state.positions[place];
            if let Some(periods) = state.periods.get(place) {
                travelled = std::array::from_fn(|axis| travelled[axis] + f64::from(periods[axis]) * lengths[axis]);
            }
            energies.gravitational -= mass * dot(physics.gravity, travelled);
        }
        energies
    }

    /// Energy that dashpots and sliding friction have taken so far. With [`energies`](Self::energies) it makes up what a closed
    /// system had at the start, as closely as the time step allows; where walls move, they add [`wall_work`](Self::wall_work).
    pub fn dissipated(&self) -> f64 {
        self.dissipated
    }

    /// Energy that moving walls, and surfaces that carry or turn, have given to grains so far.
    pub fn wall_work(&self) -> f64 {
        self.wall_work
    }

    /// Momentum of all particles that are not held.
    pub fn momentum(&self) -> [f64; D] {
        let free = (0..self.state.len()).filter(|&place| !self.state.is_held(place));
        free.fold([0.0; D], |sum, place| add_scaled(sum, self.state.velocities[place], self.state.masses[place]))
    }

    /// Angular momentum about the origin of all particles that are not held, their spin included.
    pub fn angular_momentum(&self) -> Spin {
        let state = &self.state;
        let free = (0..state.len()).filter(|&place| !state.is_held(place));
        free.fold([0.0; 3], |sum, place| {
            let of_center = torque(state.positions[place], scale(state.velocities[place], state.masses[place]));
            add(sum, add_scaled(of_center, state.spins[place], state.inertia(place)))
        })
    }
}
