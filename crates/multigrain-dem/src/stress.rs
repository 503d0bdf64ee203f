//! Stress, by Love and Weber: what contacts carry, and what motion carries. Pressure is positive.

use crate::clumps::{Clump, ClumpShape, Clumps};
use crate::compiled;
use crate::contacts::Entry;
use crate::exact_sum::ExactSum;
use crate::simulation::Simulation;
use crate::space::{Matrix, Space, plus, symmetric, zero};
use crate::state::State;
use crate::vector::{add, sub};
use multigrain::sizes::ball_volume;
use multigrain::{Axes, Dimension, Domain};
use rayon::prelude::*;
use std::collections::HashMap;

/// A stress; pressure is positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stress<const D: usize> {
    /// Of contacts: the sum of `f l` over the volume. In a box `l` goes from the first center to the second and `f` acts on the second,
    /// without walls; of a grain it goes from its center to where it touches others and walls, and `f` acts on these.
    pub contact: Matrix<D>,
    /// Of motion: the sum of `m c c` over the volume, `c` being the velocity beside the flow of the box and the mean of all.
    pub kinetic: Matrix<D>,
}

impl<const D: usize> Stress<D> {
    /// Both.
    pub fn total(&self) -> Matrix<D> {
        plus(&self.contact, &self.kinetic, 1.0)
    }

    /// Mean of the diagonal of both.
    pub fn pressure(&self) -> f64 {
        let total = self.total();
        (0..D).map(|axis| total[axis][axis]).sum::<f64>() / D as f64
    }
}

/// A contact of two particles: what files say of it, and what it adds to stresses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried<const D: usize> {
    /// Ids of both, the lower first.
    pub ids: [u64; 2],
    /// How many periods the image of the second lies from where it is.
    pub shift: [i32; D],
    /// Centers, that of the second as the image that touches.
    pub ends: [[f64; D]; 2],
    /// Force on the second.
    pub force: [f64; D],
    /// How deep they overlap.
    pub overlap: f64,
    /// The largest stress in their bond over what it bears; nothing where no bond holds.
    pub bond_load: Option<f64>,
    /// What it adds to the stress of either times its volume: force times the way from the center, of members that of their clumps, to
    /// where it acts.
    pub moments: [Matrix<D>; 2],
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// The mean stress in the box now; none where no box was given. Sums are exact before they are rounded, so that no order shows.
    pub fn stress(&self) -> Option<Stress<D>> {
        stress_in(self.space.domain(), &self.stress_sums())
    }

    /// What the mean stress is made of now, of own particles.
    pub(crate) fn stress_sums(&self) -> Vec<ExactSum> {
        let mut sums = Sums::new();
        self.visit_contacts(|touching, acts| {
            if let Entry::Particle(second) = touching.other {
                sums.add_contact(acts.force, self.branch([touching.place, second as usize], touching.shift));
            }
        });
        (0..self.state.own()).for_each(|place| sums.add_motion(&self.state, &self.space, place));
        self.clumps().iter().for_each(|clump| sums.add_clump(clump, &self.space));
        sums.into_list()
    }

    /// The stress of each grain, by place, in its own volume: of all its contacts, with walls too, by the way from its center to where they
    /// act, and of its motion. Of a clump it is that of the whole clump, which all of its members say.
    pub fn stresses(&self) -> Vec<Stress<D>> {
        compiled::stresses(self)
    }

    pub(crate) fn stresses_here(&self) -> Vec<Stress<D>> {
        self.stresses_by(&self.carried(), self.mean_motion())
    }

    /// The mean of all velocities beside the flow of the box, by mass.
    pub fn mean_motion(&self) -> [f64; D] {
        let mut sums = Sums::new();
        (0..self.state.own()).for_each(|place| sums.add_motion(&self.state, &self.space, place));
        self.clumps().iter().for_each(|clump| sums.add_clump(clump, &self.space));
        sums.mean()
    }

    /// [`stresses`](Self::stresses) by what contacts carry, in their order, and the mean motion of all: of particles that are a part.
    pub fn stresses_by(&self, carried: &[Carried<D>], mean: [f64; D]) -> Vec<Stress<D>> {
        let state = &self.state;
        let place_of: HashMap<u64, usize> = state.ids.iter().copied().zip(0..).collect();
        let mut moments = vec![zero(); state.len()];
        for contact in carried {
            for (id, adds) in contact.ids.iter().zip(&contact.moments) {
                if let Some(&place) = place_of.get(id) {
                    moments[place] = plus(&moments[place], adds, 1.0);
                }
            }
        }
        self.visit_contacts(|touching, acts| {
            if let Entry::Face(_) = touching.other {
                let place = touching.place;
                moments[place] = plus(&moments[place], &outer(acts.force, add(self.arm(place), acts.arms[0])), 1.0);
            }
        });
        let stress = |moment: &Matrix<D>, mass: f64, own: [f64; D], volume: f64| Stress {
            contact: moment.map(|row| row.map(|entry| entry / volume)),
            kinetic: outer(own.map(|component| mass / volume * component), own),
        };
        let beside = |is_held: bool, own: [f64; D]| if is_held { [0.0; D] } else { sub(own, mean) };
        let of_place = |(place, moment): (usize, &Matrix<D>)| {
            let own = beside(state.is_held(place), own_velocity(state, &self.space, place));
            stress(moment, state.masses[place], own, self.volume(place))
        };
        let mut all: Vec<Stress<D>> = moments.iter().enumerate().map(of_place).collect();
        for clump in self.clumps() {
            let members = (clump.first..).take(clump.members as usize);
            let places: Vec<usize> = members.filter_map(|id| place_of.get(&id).copied()).collect();
            let moment = places.iter().fold(zero(), |sum, &place| plus(&sum, &moments[place], 1.0));
            let own = beside(clump.held, sub(clump.velocity, self.space.flow_at(clump.position)));
            let volume = self.setup.physics.clump_shapes[clump.shape as usize].volume();
            places.iter().for_each(|&place| all[place] = stress(&moment, clump.mass, own, volume));
        }
        all
    }

    /// Every contact between particles, as [`contacts`](Self::contacts), with what it is in files and what it adds to stresses.
    pub fn carried(&self) -> Vec<Carried<D>> {
        let (state, domain) = (&self.state, self.space.domain());
        let mut all = Vec::with_capacity(self.contact_count());
        self.visit_contacts(|touching, acts| {
            let Entry::Particle(second) = touching.other else { return };
            let pair = [touching.place, second as usize];
            let back = |vector: [f64; D]| vector.map(|component| -component);
            let arms = [add(self.arm(pair[0]), acts.arms[0]), back(add(self.arm(pair[1]), acts.arms[1]))];
            let mut carried = Carried {
                ids: pair.map(|place| state.ids[place]),
                shift: touching.shift,
                ends: [[0.0; D]; 2],
                force: acts.force,
                overlap: -acts.point.gap,
                bond_load: acts.bond_load,
                moments: arms.map(|arm| outer(acts.force, arm)),
            };
            // Of a contact with a giant, that may be the first.
            let mut ends = pair;
            if carried.ids[0] > carried.ids[1] {
                ends.reverse();
                carried.ids.reverse();
                carried.moments.reverse();
                (carried.shift, carried.force) = (carried.shift.map(|periods| -periods), back(carried.force));
            }
            let [first, second] = ends.map(|place| state.positions[place]);
            carried.ends = [first, add(second, domain.translation(carried.shift))];
            all.push(carried);
        });
        all.sort_by_key(|contact| (contact.ids, contact.shift));
        all
    }

    /// From the center of its clump to the particle in this place; nothing for others.
    fn arm(&self, place: usize) -> [f64; D] {
        if self.clumps.bodies.is_empty() && self.clumps.arms_of_guests.is_empty() {
            return [0.0; D];
        }
        self.clumps.arm_at(&self.setup.physics.clump_shapes, &self.state, place)
    }

    /// The way between the centers of two bodies that touch, of members those of their clumps.
    fn branch(&self, pair: [usize; 2], shift: [i32; D]) -> [f64; D] {
        branch(&self.state, &self.space, &self.clumps, &self.setup.physics.clump_shapes, pair, shift)
    }

    /// Volume of the grain in this place, area in the plane.
    pub(crate) fn volume(&self, place: usize) -> f64 {
        match self.state.shape(place) {
            Some(shape) => self.setup.physics.shapes[shape as usize].area(),
            None => ball_volume(self.state.radii[place], D),
        }
    }

    /// What the mean stress is made of, by the forces that were worked out in this step, which must not be over yet.
    pub(crate) fn stress_of_step(&self) -> Vec<ExactSum> {
        let (state, space) = (&self.state, &self.space);
        let (clumps, shapes) = (&self.clumps, &self.setup.physics.clump_shapes[..]);
        let (contacts, candidates) = (&self.contacts, &self.candidates);
        let of_block = |b: usize| {
            let (mut sums, block, rows) = (Sums::new(), &contacts.blocks[b], &candidates.blocks[b]);
            let first = b << candidates.bits;
            // A contact counts for whoever owns its first body.
            for (place, row) in (first..state.own()).zip(block.rows.windows(2)) {
                for contact in row[0] as usize..row[1] as usize {
                    let slot = block.slots[contact] as usize;
                    if let Entry::Particle(second) = rows.entry(slot) {
                        let second = second as usize;
                        let shift = candidates.shift_now(state, rows, slot, [place, second]);
                        let branch = branch(state, space, clumps, shapes, [place, second], shift);
                        sums.add_contact(block.effects[contact].force(), branch);
                    }
                }
            }
            let last = (first + block.rows.len().saturating_sub(1)).min(state.own());
            (first..last).for_each(|place| sums.add_motion(state, space, place));
            sums
        };
        let blocks = candidates.blocks.len();
        let mut sums = if blocks > 1 && rayon::current_num_threads() > 1 {
            (0..blocks).into_par_iter().with_max_len(1).map(of_block).reduce(Sums::new, Sums::or)
        } else {
            (0..blocks).map(of_block).fold(Sums::new(), Sums::or)
        };
        self.clumps().iter().for_each(|clump| sums.add_clump(clump, &self.space));
        sums.into_list()
    }

    /// The mean stress that is made of these; its symmetric part.
    pub(crate) fn stress_of(&self, list: &[ExactSum]) -> Matrix<D> {
        symmetric(&Sums::from_list(list).stress(self.space.domain().volume()).total())
    }
}

/// The tensor of all products of components.
fn outer<const D: usize>(a: [f64; D], b: [f64; D]) -> Matrix<D> {
    std::array::from_fn(|i| std::array::from_fn(|j| a[i] * b[j]))
}

/// The mean stress that is made of these; none where there is no box.
pub(crate) fn stress_in<const D: usize>(domain: &Domain<D>, list: &[ExactSum]) -> Option<Stress<D>> {
    Some(Sums::from_list(list).stress(domain.bounded()?.volume()))
}

/// The mean of all velocities beside the flow of the box, by mass, that is made of these.
pub(crate) fn mean_motion_of<const D: usize>(list: &[ExactSum]) -> [f64; D] {
    Sums::from_list(list).mean()
}

/// The way between the centers of two bodies that touch, of members those of their clumps.
fn branch<const D: usize>(
    state: &State<D>,
    space: &Space<D>,
    clumps: &Clumps<D>,
    shapes: &[ClumpShape<D>],
    [a, b]: [usize; 2],
    shift: [i32; D],
) -> [f64; D]
where
    Axes: Dimension<D>,
{
    let way = space.away(state.positions[a], state.positions[b], shift);
    if clumps.bodies.is_empty() && clumps.arms_of_guests.is_empty() {
        return way;
    }
    add(way, sub(clumps.arm_at(shapes, state, a), clumps.arm_at(shapes, state, b)))
}

/// Velocity beside the flow of the box; none of particles that are held.
fn own_velocity<const D: usize>(state: &State<D>, space: &Space<D>, place: usize) -> [f64; D]
where
    Axes: Dimension<D>,
{
    if state.is_held(place) {
        return [0.0; D];
    }
    sub(state.velocities[place], space.flow_at(state.positions[place]))
}

/// Sums that no order shows in.
#[derive(Clone)]
struct Sums<const D: usize> {
    contact: Box<[[ExactSum; D]; D]>,
    kinetic: Box<[[ExactSum; D]; D]>,
    momentum: [ExactSum; D],
    mass: ExactSum,
}

impl<const D: usize> Sums<D> {
    fn new() -> Self {
        let none = || Box::new(std::array::from_fn(|_| std::array::from_fn(|_| ExactSum::default())));
        Self {
            contact: none(),
            kinetic: none(),
            momentum: std::array::from_fn(|_| ExactSum::default()),
            mass: ExactSum::default(),
        }
    }

    fn add_motion(&mut self, state: &State<D>, space: &Space<D>, place: usize)
    where
        Axes: Dimension<D>,
    {
        if state.is_held(place) {
            return;
        }
        self.add_moving(own_velocity(state, space, place), state.masses[place]);
    }

    fn add_clump(&mut self, clump: &Clump<D>, space: &Space<D>) {
        if clump.held {
            return;
        }
        let own = sub(clump.velocity, space.flow_at(clump.position));
        self.add_moving(own, clump.mass);
    }

    fn add_moving(&mut self, own: [f64; D], mass: f64) {
        self.mass.add(mass);
        for i in 0..D {
            self.momentum[i].add(mass * own[i]);
            (0..D).for_each(|j| self.kinetic[i][j].add(mass * own[i] * own[j]));
        }
    }

    fn add_contact(&mut self, force: [f64; D], branch: [f64; D]) {
        (0..D).for_each(|i| (0..D).for_each(|j| self.contact[i][j].add(force[i] * branch[j])));
    }

    fn or(mut self, other: Self) -> Self {
        let own = self.contact.iter_mut().chain(self.kinetic.iter_mut()).flatten();
        let others = other.contact.iter().chain(other.kinetic.iter()).flatten();
        own.zip(others).for_each(|(sum, other)| sum.merge(other));
        self.momentum.iter_mut().zip(&other.momentum).for_each(|(sum, other)| sum.merge(other));
        self.mass.merge(&other.mass);
        self
    }

    fn into_list(self) -> Vec<ExactSum> {
        let matrices = [self.contact, self.kinetic].into_iter().flat_map(|matrix| matrix.into_iter().flatten());
        matrices.chain(self.momentum).chain([self.mass]).collect()
    }

    fn from_list(list: &[ExactSum]) -> Self {
        let mut sums = Self::new();
        let matrices = sums.contact.iter_mut().chain(sums.kinetic.iter_mut()).flatten();
        let all = matrices.chain(&mut sums.momentum).chain([&mut sums.mass]);
        all.zip(list).for_each(|(sum, known)| sum.clone_from(known));
        sums
    }

    fn mean(&self) -> [f64; D] {
        let mass = self.mass.value();
        std::array::from_fn(|i| if mass > 0.0 { self.momentum[i].value() / mass } else { 0.0 })
    }

    fn stress(&self, volume: f64) -> Stress<D> {
        let (mean, mass) = (self.mean(), self.mass.value());
        Stress {
            contact: std::array::from_fn(|i| std::array::from_fn(|j| self.contact[i][j].value() / volume)),
            kinetic: std::array::from_fn(|i| {
                std::array::from_fn(|j| (self.kinetic[i][j].value() - mass * mean[i] * mean[j]) / volume)
            }),
        }
    }
}
