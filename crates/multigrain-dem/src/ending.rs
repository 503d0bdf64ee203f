//! The end of a step: velocities follow the forces that were found.

use crate::error::Error;
use crate::integrator::{Integrator, Motion};
use crate::simulation::{Ending, Simulation};
use crate::state::{Derivatives, State};
use crate::threads;
use crate::vector::{Spin, add, scale};
use multigrain::{Axes, Dimension};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Ends the motion of the step with the forces that the pass has summed, which become those of the state.
    pub(crate) fn end_motion(&mut self, ending: Ending) -> Result<(), Error> {
        let particles = self.state.len();
        let size = 1 << threads::block_bits(particles);
        let blocks = particles.div_ceil(size);
        let State {
            positions,
            velocities,
            spins,
            angles,
            forces,
            torques,
            derivatives,
            inverse_masses,
            inverse_inertias,
            ..
        } = &mut self.state;
        let end = End {
            integrator: self.setup.physics.integrator,
            dt: self.time_step,
            ending,
            turns: self.laws.turns(),
            inverse_masses,
            inverse_inertias,
            forces: &self.sums.forces,
            torques: &self.sums.torques,
            forces_before: forces,
            torques_before: torques,
        };
        let has_lost = AtomicBool::new(false);
        let work = |block: usize, columns: Columns<'_, D>| {
            if !end.block(block * size, columns) {
                has_lost.store(true, Relaxed);
            }
        };
        if blocks > 1 && rayon::current_num_threads() > 1 {
            // Without Gear there are no derivatives, without polygons no angles, and every block has none of them.
            let (higher, angles) = (chunks_or_none(derivatives, size, blocks), chunks_or_none(angles, size, blocks));
            let columns = (
                positions.par_chunks_mut(size),
                velocities.par_chunks_mut(size),
                spins.par_chunks_mut(size),
                angles,
                higher,
            );
            columns.into_par_iter().enumerate().with_max_len(1).for_each(
                |(block, (positions, velocities, spins, angles, derivatives))| {
                    work(block, Columns { positions, velocities, spins, angles, derivatives });
                },
            );
        } else {
            work(0, Columns { positions, velocities, spins, angles, derivatives });
        }
        std::mem::swap(&mut self.state.forces, &mut self.sums.forces);
        std::mem::swap(&mut self.state.torques, &mut self.sums.torques);
        if has_lost.into_inner() { Err(self.lost_by_motion()) } else { Ok(()) }
    }
}

/// A column in blocks, or as many empty ones where there is no such column.
fn chunks_or_none<T>(column: &mut [T], size: usize, blocks: usize) -> Vec<&mut [T]> {
    match column.is_empty() {
        true => (0..blocks).map(|_| Default::default()).collect(),
        false => column.chunks_mut(size).collect(),
    }
}

/// What all blocks look at.
struct End<'a, const D: usize> {
    integrator: Integrator,
    dt: f64,
    ending: Ending,
    turns: bool,
    inverse_masses: &'a [f64],
    inverse_inertias: &'a [f64],
    forces: &'a [[f64; D]],
    torques: &'a [Spin],
    forces_before: &'a [[f64; D]],
    torques_before: &'a [Spin],
}

/// The columns of one block that change.
struct Columns<'a, const D: usize> {
    positions: &'a mut [[f64; D]],
    velocities: &'a mut [[f64; D]],
    spins: &'a mut [Spin],
    /// Empty without polygons.
    angles: &'a mut [f64],
    /// Empty with Verlet.
    derivatives: &'a mut [Derivatives<D>],
}

impl<const D: usize> End<'_, D> {
    /// Ends the step of the block that begins in place `first`. Whether all velocities and spins stayed finite.
    fn block(&self, first: usize, columns: Columns<'_, D>) -> bool {
        let Columns { positions, velocities, spins, angles, derivatives } = columns;
        let mut all_finite = true;
        for k in 0..positions.len() {
            let place = first + k;
            let (force, twist) = (self.forces[place], self.torques[place]);
            let (inverse_mass, inverse_inertia) = (self.inverse_masses[place], self.inverse_inertias[place]);
            let higher = derivatives.get_mut(k);
            if self.ending == Ending::Start {
                if let Some(higher) = higher {
                    let factor = 0.5 * self.dt * self.dt;
                    *higher = Derivatives::ZERO;
                    higher.position[0] = scale(force, factor * inverse_mass);
                    higher.angle[0] = scale(twist, factor * inverse_inertia);
                }
                continue;
            }
            let (higher, higher_angle) = higher.map(|higher| (&mut higher.position, &mut higher.angle)).unzip();
            let before = self.forces_before[place];
            let motion = Motion { velocity: &mut velocities[k], force, before, inverse_mass };
            let correction = self.integrator.end_motion(motion, higher, self.dt);
            let is_finite = velocities[k].iter().all(|component| component.is_finite());
            all_finite &= is_finite;
            // A particle that is lost stays where it was last as it should be.
            if let Some(correction) = correction.filter(|_| is_finite) {
                positions[k] = add(positions[k], correction);
            }
            if self.turns {
                let before = self.torques_before[place];
                let motion = Motion { velocity: &mut spins[k], force: twist, before, inverse_mass: inverse_inertia };
                let correction = self.integrator.end_motion(motion, higher_angle, self.dt);
                if let (Some(angle), Some(correction)) = (angles.get_mut(k), correction) {
                    *angle += correction[2];
                }
                all_finite &= spins[k].iter().all(|component| component.is_finite());
            }
        }
        all_finite
    }
}
