//! Contacts of grains with walls, and what they remember.

use super::features::{Obstacles, Touch};
use crate::contacts::Growth;
use crate::law::{LawTable, Meeting, Reaction, Slide};
use crate::state::{Body, NOBODY, State};
use crate::vector::{Spin, add, add_scaled, dot, scale, sub, torque};

/// All contacts with walls, a block of particles at a time.
#[derive(Debug, Clone, Default)]
pub(crate) struct WallTable<const D: usize> {
    pub blocks: Vec<WallBlock<D>>,
}

/// Contacts of the particles of one block, sorted by particle and surface.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct WallBlock<const D: usize> {
    pub contacts: Vec<WallContact<D>>,
    /// Those of the step before, while those of this step are made.
    former: Vec<WallContact<D>>,
    /// The first of them that belongs to the present particle or a later one.
    next: usize,
    /// Energy that dashpots and friction took from motion in the last step.
    pub taken: f64,
    /// Energy in the tangential springs.
    pub stored: f64,
    /// Energy that moving surfaces gave in the last step.
    pub work: f64,
}

/// A grain that touches a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WallContact<const D: usize> {
    /// Place of the particle.
    pub place: u32,
    pub feature: u32,
    /// Unit vector from the grain to the surface.
    pub normal: [f64; D],
    pub overlap: f64,
    pub spring: [f64; D],
    /// Force on the grain.
    pub force: [f64; D],
}

/// All that acts on a particle: force and torque.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load<const D: usize> {
    pub force: [f64; D],
    pub twist: Spin,
}

impl<const D: usize> WallBlock<D> {
    /// Makes ready for another step, in which particles will come one after the other.
    pub fn begin(&mut self) {
        std::mem::swap(&mut self.contacts, &mut self.former);
        self.contacts.clear();
        self.next = 0;
        (self.taken, self.stored, self.work) = (0.0, 0.0, 0.0);
    }

    /// Adds force and torque of all walls on a particle to what acts on it already.
    #[inline]
    pub fn act(
        &mut self,
        place: u32,
        body: &Body<D>,
        obstacles: &Obstacles<D>,
        laws: &LawTable,
        grows: Growth,
        load: &mut Load<D>,
    ) {
        let &Body { position, radius, .. } = body;
        obstacles.touching(position, radius, |touch| {
            let surface = obstacles.surface(touch.feature);
            let law = laws.between(body.material, surface.material);
            let arm = radius - 0.5 * touch.overlap;
            let point = add_scaled(position, touch.normal, radius - touch.overlap);
            let surface_velocity = surface.velocity_at(point);
            let velocity = sub(surface_velocity, body.velocity);
            let rolling = if law.rubs() { scale(body.spin, arm) } else { [0.0; 3] };
            let slide = if !law.rubs() || grows.time == 0.0 {
                [0.0; D]
            } else if grows.integrator.is_synchronised() {
                // Where the grain was in the middle of the step, seen from the wall where it is now.
                let velocity = add(velocity, body.gained);
                let middle = add_scaled(position, velocity, 0.5 * grows.time);
                let (normal, overlap) = obstacles.nearest(touch.feature, middle, radius, touch.normal);
                let rolling = scale(sub(body.spin, body.gained_spin), radius - 0.5 * overlap);
                Slide { normal, velocity, rolling }.way(touch.overlap, grows.time)
            } else {
                Slide { normal: touch.normal, velocity, rolling }.all_the_way(grows.time)
            };
            let time = grows.time;
            let meeting = Meeting {
                normal: touch.normal,
                overlap: touch.overlap,
                velocity,
                rolling,
                slide,
                inverse_mass: body.inverse_mass,
                radius,
            };
            let mut spring = if law.rubs() { self.recall(place, touch.feature) } else { [0.0; D] };
            let Reaction { force: on_wall, taken, stored } = law.act(&meeting, &mut spring, time);
            let on_grain = scale(on_wall, -1.0);
            self.taken += taken;
            self.stored += stored;
            self.work += dot(on_grain, surface_velocity) * time;
            load.force = add(load.force, on_grain);
            if law.rubs() {
                load.twist = add_scaled(load.twist, torque(touch.normal, on_grain), arm);
            }
            let Touch { feature, normal, overlap } = touch;
            self.contacts.push(WallContact { place, feature, normal, overlap, spring, force: on_grain });
        });
    }

    /// The spring that the contact had in the last step.
    fn recall(&mut self, place: u32, feature: u32) -> [f64; D] {
        while let Some(old) = self.former.get(self.next) {
            if (old.place, old.feature) >= (place, feature) {
                return if (old.place, old.feature) == (place, feature) { old.spring } else { [0.0; D] };
            }
            self.next += 1;
        }
        [0.0; D]
    }
}

impl<const D: usize> WallTable<D> {
    /// Follows the particles into another order: `to[k]` is where the particle in place `k` goes, or nobody.
    pub fn reorder(&mut self, to: &[u32], bits: u32, blocks: usize) {
        let mut all: Vec<WallContact<D>> = self.contacts().copied().collect();
        for contact in &mut all {
            contact.place = to[contact.place as usize];
        }
        all.retain(|contact| contact.place != NOBODY);
        all.sort_unstable_by_key(|contact| (contact.place, contact.feature));
        self.fill(all, bits, blocks);
    }

    /// Takes contacts sorted by place and surface.
    pub fn fill(&mut self, all: Vec<WallContact<D>>, bits: u32, blocks: usize) {
        self.blocks.resize_with(blocks, WallBlock::default);
        self.blocks.iter_mut().for_each(|block| block.contacts.clear());
        for contact in all {
            self.blocks[(contact.place >> bits) as usize].contacts.push(contact);
        }
    }

    /// All contacts, by place and surface.
    pub fn contacts(&self) -> impl Iterator<Item = &WallContact<D>> {
        self.blocks.iter().flat_map(|block| &block.contacts)
    }

    /// Energy stored in contacts with walls.
    pub fn energy(&self, state: &State<D>, obstacles: &Obstacles<D>, laws: &LawTable) -> f64 {
        let energy = |contact: &WallContact<D>| {
            let place = contact.place as usize;
            let meeting = Meeting {
                normal: contact.normal,
                overlap: contact.overlap,
                velocity: [0.0; D],
                rolling: [0.0; 3],
                slide: [0.0; D],
                inverse_mass: state.inverse_masses[place],
                radius: state.radii[place],
            };
            laws.between(state.materials[place], obstacles.surface(contact.feature).material)
                .energy(&meeting, contact.spring)
        };
        self.contacts().map(energy).sum()
    }
}
