//! The end of a step: every particle sums what pushes it, and its velocity follows.

use crate::contacts::{ContactTable, Growth, MateBlock, Push, RowBlock};
use crate::error::Error;
use crate::integrator::{Accelerations, Integrator, Motion};
use crate::law::LawTable;
use crate::simulation::{Ending, Simulation};
use crate::state::{Body, Derivatives, State};
use crate::threads;
use crate::vector::{Spin, add, add_scaled, scale, sub};
use crate::walls::{Load, Obstacles, WallBlock};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Particles whose contacts are fetched together.
const TOGETHER: usize = 64;

impl<const D: usize> Simulation<D> {
    /// Sums forces by particle, adds walls and weight, and ends the motion of the step. Springs at walls grow over `time`.
    pub(crate) fn gather(&mut self, time: f64, ending: Ending) -> Result<(), Error> {
        let particles = self.state.len();
        let bits = threads::block_bits(particles);
        let (size, blocks) = (1 << bits, particles.div_ceil(1 << bits));
        self.wall_contacts.blocks.resize_with(blocks, WallBlock::default);
        let state = &mut self.state;
        let ContactTable { blocks: rows, mates, .. } = &mut self.contacts;
        let gather = Gather {
            rows: &*rows,
            bits,
            obstacles: &self.obstacles,
            laws: &self.laws,
            gravity: self.setup.physics.gravity,
            integrator: self.setup.physics.integrator,
            dt: self.time_step,
            time,
            ending,
            has_walls: !self.obstacles.is_empty(),
            turns: self.laws.has_friction(),
            radii: &state.radii,
            masses: &state.masses,
            inverse_masses: &state.inverse_masses,
            inverse_inertias: &state.inverse_inertias,
            materials: &state.materials,
        };
        let State { positions, velocities, forces, spins, torques, derivatives, .. } = state;
        let walls = &mut self.wall_contacts.blocks;
        let has_lost = AtomicBool::new(false);
        let work = |block: usize, columns: Columns<'_, D>| {
            if !gather.all_finite(block * size, columns) {
                has_lost.store(true, Relaxed);
            }
        };
        if blocks > 1 && rayon::current_num_threads() > 1 {
            // Without Gear there are no derivatives, and every block has none of them.
            let higher: Vec<&mut [Derivatives<D>]> = match derivatives.is_empty() {
                true => (0..blocks).map(|_| Default::default()).collect(),
                false => derivatives.chunks_mut(size).collect(),
            };
            let moving = (positions.par_chunks_mut(size), velocities.par_chunks_mut(size), forces.par_chunks_mut(size));
            let turning = (spins.par_chunks_mut(size), torques.par_chunks_mut(size));
            let columns = (moving.into_par_iter(), turning.into_par_iter(), higher, walls, mates).into_par_iter();
            columns.enumerate().with_max_len(1).for_each(
                |(block, (moving, (spins, torques), derivatives, walls, mates))| {
                    let (positions, velocities, forces) = moving;
                    work(block, Columns { positions, velocities, forces, spins, torques, derivatives, walls, mates });
                },
            );
        } else {
            for (block, (walls, mates)) in walls.iter_mut().zip(mates).enumerate() {
                let range = block * size..((block + 1) * size).min(particles);
                let columns = Columns {
                    positions: &mut positions[range.clone()],
                    velocities: &mut velocities[range.clone()],
                    forces: &mut forces[range.clone()],
                    spins: &mut spins[range.clone()],
                    torques: &mut torques[range.clone()],
                    derivatives: derivatives.get_mut(range).unwrap_or_default(),
                    walls,
                    mates,
                };
                work(block, columns);
            }
        }
        if has_lost.into_inner() { Err(self.lost_by_motion()) } else { Ok(()) }
    }
}

/// What all blocks look at.
struct Gather<'a, const D: usize> {
    rows: &'a [RowBlock<D>],
    bits: u32,
    obstacles: &'a Obstacles<D>,
    laws: &'a LawTable,
    gravity: [f64; D],
    integrator: Integrator,
    dt: f64,
    time: f64,
    ending: Ending,
    has_walls: bool,
    turns: bool,
    radii: &'a [f64],
    masses: &'a [f64],
    inverse_masses: &'a [f64],
    inverse_inertias: &'a [f64],
    materials: &'a [u16],
}

/// The columns of one block that change.
struct Columns<'a, const D: usize> {
    positions: &'a mut [[f64; D]],
    velocities: &'a mut [[f64; D]],
    forces: &'a mut [[f64; D]],
    spins: &'a mut [Spin],
    torques: &'a mut [Spin],
    /// Empty with Verlet.
    derivatives: &'a mut [Derivatives<D>],
    walls: &'a mut WallBlock<D>,
    mates: &'a mut MateBlock<D>,
}

impl<const D: usize> Gather<'_, D> {
    /// Ends the step of the block that begins in place `first`. Whether all velocities and spins stayed finite.
    fn all_finite(&self, first: usize, columns: Columns<'_, D>) -> bool {
        let Columns { positions, velocities, forces, spins, torques, derivatives, walls, mates } = columns;
        let mut all_finite = true;
        let grows = Growth { integrator: self.integrator, time: self.time };
        walls.begin();
        let (particles, row) = (positions.len(), &self.rows[first >> self.bits]);
        for k in 0..particles {
            if k % TOGETHER == 0 {
                mates.fetch(k..(k + TOGETHER).min(particles), self.rows, self.bits);
            }
            let place = first + k;
            let (radius, inverse_mass) = (self.radii[place], self.inverse_masses[place]);
            let mut load = Load { force: scale(self.gravity, self.masses[place]), twist: [0.0; 3] };
            if self.has_walls {
                let (gained, gained_spin) = match self.turns && self.time > 0.0 {
                    true => self.integrator.gained(
                        Accelerations {
                            force: forces[k],
                            torque: torques[k],
                            inverse_mass,
                            inverse_inertia: self.inverse_inertias[place],
                            derivatives: derivatives.get(k),
                        },
                        self.dt,
                    ),
                    false => ([0.0; D], [0.0; 3]),
                };
                let body = Body {
                    position: positions[k],
                    velocity: velocities[k],
                    spin: spins[k],
                    gained,
                    gained_spin,
                    radius,
                    inverse_mass,
                    material: self.materials[place],
                };
                walls.act(place as u32, &body, self.obstacles, self.laws, grows, &mut load);
            }
            let Load { mut force, mut twist } = load;
            let mut turn = |push: &Push<D>| {
                if self.turns {
                    twist = add_scaled(twist, push.moment, push.half_overlap - radius);
                }
            };
            for push in mates.pushes(k) {
                force = add(force, push.force);
                turn(push);
            }
            for push in row.pushes(k) {
                force = sub(force, push.force);
                turn(push);
            }
            let before = std::mem::replace(&mut forces[k], force);
            let higher = derivatives.get_mut(k);
            if self.ending == Ending::Start {
                torques[k] = twist;
                if let Some(higher) = higher {
                    let factor = 0.5 * self.dt * self.dt;
                    *higher = Derivatives::ZERO;
                    higher.position[0] = scale(force, factor * inverse_mass);
                    higher.angle[0] = scale(twist, factor * self.inverse_inertias[place]);
                }
                continue;
            }
            let (higher, higher_angle) = higher.map(|higher| (&mut higher.position, &mut higher.angle)).unzip();
            let motion = Motion { velocity: &mut velocities[k], force, before, inverse_mass };
            let correction = self.integrator.end_motion(motion, higher, self.dt);
            let is_finite = velocities[k].iter().all(|component| component.is_finite());
            all_finite &= is_finite;
            // A particle that is lost stays where it was last as it should be.
            if let Some(correction) = correction.filter(|_| is_finite) {
                positions[k] = add(positions[k], correction);
            }
            if self.turns {
                let before = std::mem::replace(&mut torques[k], twist);
                let inverse_mass = self.inverse_inertias[place];
                let motion = Motion { velocity: &mut spins[k], force: twist, before, inverse_mass };
                self.integrator.end_motion(motion, higher_angle, self.dt);
                all_finite &= spins[k].iter().all(|component| component.is_finite());
            }
        }
        all_finite
    }
}
