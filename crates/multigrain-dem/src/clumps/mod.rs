//! Clumps: rigid bodies of spheres that overlap.
//!
//! Members are particles like others: they are found, touch, and are pushed one by one, but never by members of the same clump. After
//! forces are known, every clump sums what its members feel, in their order, moves and turns as one, and puts its members where they
//! belong. Members have no mass of their own; where laws look at masses they see that of the clump.

mod filling;
mod gathering;
mod parting;
mod saving;
mod shape;
mod turning;
mod union;
mod warming;

pub use shape::ClumpShape;
pub use turning::{Quaternion, random_turn};
pub(crate) use turning::{UPRIGHT, unit};

use crate::fields::Spread;
use crate::space::Space;
use crate::state::{NOBODY, State};
use crate::vector::{Spin, add, add_scaled, sub, turned};
use multigrain::{Axes, Dimension};
use rayon::prelude::*;
use turning::{momentum_of, rotation, spin_change, spin_of, to_space, turned_freely};

/// Clumps that are worked on by one thread.
const FEW: usize = 256;

/// All clumps of a simulation.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Clumps<const D: usize> {
    /// By number, growing.
    pub bodies: Vec<Clump<D>>,
    /// The number of the next one.
    pub next: u32,
    /// Places of members, clump by clump; empty when the state has changed its order since.
    places: Vec<u32>,
    /// For every guest the way from the center of its clump, where that is asked for: clumps of guests are not here.
    pub arms_of_guests: Vec<[f64; D]>,
}

/// A clump as it is now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clump<const D: usize> {
    /// Its number: clumps are numbered from 0 in the order in which they come.
    pub number: u32,
    /// The number of its shape.
    pub shape: u32,
    /// Id of its first member; those of the others follow.
    pub first: u64,
    /// Members.
    pub members: u32,
    /// Where its center of mass is; along periodic axes inside the box.
    pub position: [f64; D],
    /// Whole periods by which the position was wrapped so far.
    pub periods: [i32; D],
    /// Velocity of the center of mass.
    pub velocity: [f64; D],
    /// Angular velocity.
    pub spin: Spin,
    /// Force at the end of the last step, weight included.
    pub force: [f64; D],
    /// Torque about the center of mass at the end of the last step.
    pub torque: Spin,
    /// Mass.
    pub mass: f64,
    /// Whether it keeps its velocity and spin whatever pushes it.
    pub held: bool,
    /// How its main axes of inertia are turned.
    pub(crate) main: Quaternion,
    /// Angular momentum.
    pub(crate) momentum: Spin,
    /// Moments of inertia about the main axes; 1 where it is held.
    pub(crate) moments: Spin,
}

impl<const D: usize> Clump<D> {
    /// Energy of turning.
    pub fn rotational_energy(&self) -> f64 {
        0.5 * (0..3).map(|k| self.momentum[k] * self.spin[k]).sum::<f64>()
    }

    /// Angular momentum about its center of mass.
    pub fn angular_momentum(&self) -> Spin {
        self.momentum
    }

    /// What laws see of it as inverse mass and, as one number, inverse moment of inertia.
    fn inverses(&self) -> (f64, f64) {
        // In the plane the third axis alone has one.
        let about = if D == 2 { self.moments[2] } else { self.moments.iter().sum::<f64>() / 3.0 };
        (1.0 / self.mass, 1.0 / about)
    }

    fn inverse_moments(&self) -> Spin {
        self.moments.map(|moment| if moment > 0.0 { 1.0 / moment } else { 0.0 })
    }

    /// How its mass is spread about its center.
    pub(crate) fn spread(&self, shape: &ClumpShape<D>) -> Spread {
        shape.spread(self.main, self.mass)
    }

    /// Lets it turn with this angular velocity.
    pub(crate) fn set_spin(&mut self, spin: Spin) {
        self.spin = spin;
        self.momentum = momentum_of(&rotation(self.main), spin, self.moments);
    }

    /// Half a kick, a drift, and velocities carried on to the end of the step.
    pub(super) fn advance(&mut self, dt: f64) {
        if !self.held {
            self.velocity = add_scaled(self.velocity, self.force, 0.5 * dt / self.mass);
            self.momentum = add_scaled(self.momentum, self.torque, 0.5 * dt);
        }
        self.position = add_scaled(self.position, self.velocity, dt);
        self.main = turned_freely(self.main, self.momentum, self.inverse_moments(), dt);
        if !self.held {
            self.velocity = add_scaled(self.velocity, self.force, 0.5 * dt / self.mass);
            self.momentum = add_scaled(self.momentum, self.torque, 0.5 * dt);
        }
        self.spin = spin_of(&rotation(self.main), self.momentum, self.inverse_moments());
    }

    /// Ends a step with the force and torque found.
    fn end(&mut self, force: [f64; D], torque: Spin, dt: f64) {
        if !self.held {
            self.velocity = add_scaled(self.velocity, sub(force, self.force), 0.5 * dt / self.mass);
            self.momentum = add_scaled(self.momentum, sub(torque, self.torque), 0.5 * dt);
            self.spin = spin_of(&rotation(self.main), self.momentum, self.inverse_moments());
        }
        (self.force, self.torque) = (force, torque);
    }

    /// Acceleration of its center, and of its angular velocity.
    fn accelerations(&self) -> ([f64; D], Spin) {
        if self.held {
            return ([0.0; D], [0.0; 3]);
        }
        let turning = spin_change(&rotation(self.main), self.momentum, self.torque, self.inverse_moments());
        (self.force.map(|component| component / self.mass), turning)
    }

    /// From its center to a member.
    pub(super) fn arm(&self, shape: &ClumpShape<D>, member: usize) -> [f64; D] {
        let place = to_space(&rotation(self.main), shape.along_main(member));
        std::array::from_fn(|axis| place[axis])
    }
}

/// Where a member is and how it moves.
pub(crate) struct Member<const D: usize> {
    pub position: [f64; D],
    pub periods: [i32; D],
    pub velocity: [f64; D],
    pub spin: Spin,
    /// Accelerations.
    pub gains: ([f64; D], Spin),
}

impl<const D: usize> Clumps<D>
where
    Axes: Dimension<D>,
{
    /// The state has another order, or other particles.
    pub fn forget_places(&mut self) {
        self.places.clear();
    }

    /// Which clump has this number.
    pub fn index_of(&self, number: u32) -> Option<usize> {
        self.bodies.binary_search_by_key(&number, |body| body.number).ok()
    }

    /// The clump of the particle in this place and which member it is.
    pub fn member_at(&self, state: &State<D>, place: usize) -> Option<(&Clump<D>, usize)> {
        let number = *state.clumps.get(place).filter(|&&number| number != NOBODY)?;
        let body = &self.bodies[self.index_of(number)?];
        Some((body, (state.ids[place] - body.first) as usize))
    }

    /// From the center of its clump to the particle in this place; nothing for others.
    pub fn arm_at(&self, shapes: &[ClumpShape<D>], state: &State<D>, place: usize) -> [f64; D] {
        if let Some(guest) = place.checked_sub(state.own()) {
            return self.arms_of_guests.get(guest).copied().unwrap_or([0.0; D]);
        }
        match self.member_at(state, place) {
            Some((body, member)) => body.arm(&shapes[body.shape as usize], member),
            None => [0.0; D],
        }
    }

    /// Places of all members, clump by clump.
    fn find_places(&mut self, state: &State<D>) {
        if !self.places.is_empty() || self.bodies.is_empty() {
            return;
        }
        let starts: Vec<u32> = self
            .bodies
            .iter()
            .scan(0, |start, body| {
                let this = *start;
                *start += body.members;
                Some(this)
            })
            .collect();
        let count = self.bodies.iter().map(|body| body.members as usize).sum();
        let mut places = vec![NOBODY; count];
        for (place, &number) in state.clumps.iter().enumerate().filter(|(_, number)| **number != NOBODY) {
            if let Some(index) = self.index_of(number) {
                let member = (state.ids[place] - self.bodies[index].first) as u32;
                places[(starts[index] + member) as usize] = place as u32;
            }
        }
        self.places = places;
    }

    /// Moves all clumps to the end of a step, and members with them.
    pub fn advance(&mut self, shapes: &[ClumpShape<D>], state: &mut State<D>, space: &Space<D>, dt: f64) {
        self.bodies.par_iter_mut().with_min_len(FEW).for_each(|body| body.advance(dt));
        self.wrap(state, space);
        self.put_members(shapes, state, space);
    }

    /// Brings centers into the periodic box.
    pub fn wrap(&mut self, state: &mut State<D>, space: &Space<D>) {
        if state.periods.is_empty() {
            return;
        }
        for body in &mut self.bodies {
            let shift = space.domain().periods_away(body.position);
            if shift == [0; D] {
                continue;
            }
            body.position = space.domain().less(body.position, shift);
            body.periods = std::array::from_fn(|k| body.periods[k].wrapping_add(shift[k]));
            if let Some(moving) = space.moving() {
                let (faster, pull) = moving.of_edges(shift);
                body.velocity = sub(body.velocity, faster);
                body.force = add_scaled(body.force, pull, -body.mass);
            }
        }
    }

    /// Puts all members where their clumps have them.
    pub fn put_members(&mut self, shapes: &[ClumpShape<D>], state: &mut State<D>, space: &Space<D>) {
        self.find_places(state);
        let members: Vec<Member<D>> = self
            .bodies
            .par_iter()
            .with_min_len(FEW)
            .flat_map_iter(|body| {
                let shape = &shapes[body.shape as usize];
                (0..body.members as usize).map(move |member| member_of(body, shape, member, space))
            })
            .collect();
        for (member, &place) in members.iter().zip(&self.places) {
            let place = place as usize;
            state.positions[place] = member.position;
            state.velocities[place] = member.velocity;
            state.spins[place] = member.spin;
            if let Some(periods) = state.periods.get_mut(place) {
                *periods = member.periods;
            }
            state.forces[place] = over(member.gains.0, state.inverse_masses[place]);
            state.torques[place] = over(member.gains.1, state.inverse_inertias[place]);
        }
    }
}

/// What a column of forces has where this acceleration comes of it.
fn over<const N: usize>(change: [f64; N], inverse: f64) -> [f64; N] {
    if inverse > 0.0 { change.map(|component| component / inverse) } else { [0.0; N] }
}

fn member_of<const D: usize>(body: &Clump<D>, shape: &ClumpShape<D>, member: usize, space: &Space<D>) -> Member<D> {
    let arm = body.arm(shape, member);
    let there = add(body.position, arm);
    let around = turned(body.spin, arm);
    let (center, turning) = body.accelerations();
    // The member is pulled towards the axis, and swings ahead.
    let gain = add(center, add(turned(turning, arm), turned(body.spin, around)));
    let mut made = Member {
        position: there,
        periods: body.periods,
        velocity: add(body.velocity, around),
        spin: body.spin,
        gains: (gain, turning),
    };
    if space.domain().has_images() {
        let shift = space.domain().periods_away(there);
        if shift != [0; D] {
            made.position = space.domain().less(there, shift);
            made.periods = std::array::from_fn(|k| body.periods[k].wrapping_add(shift[k]));
            if let Some(moving) = space.moving() {
                let (faster, pull) = moving.of_edges(shift);
                made.velocity = sub(made.velocity, faster);
                made.gains.0 = sub(made.gains.0, pull);
            }
        }
    }
    made
}
