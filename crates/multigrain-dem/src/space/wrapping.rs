//! Grains that cross borders of a box that is sheared or moves.

use super::{Matrix, Space, map, times};
use crate::state::State;
use crate::vector::{add, add_scaled, dot, scale, sub};
use multigrain::{Axes, Dimension};
use rayon::prelude::*;

/// Particles that are worked on by one thread.
const FEW: usize = 2048;

impl<const D: usize> Space<D>
where
    Axes: Dimension<D>,
{
    /// Brings all grains, from this place on, into the box. With a box that moves, a grain loses what images on that side are
    /// faster. What the box changes of its energy, over a step of this length, counts as given.
    pub fn wrap(&self, state: &mut State<D>, first: usize, time: f64) {
        if state.periods.is_empty() || state.own() <= first {
            return;
        }
        let own = state.own();
        let State { positions, velocities, forces, periods, given, masses, inverse_masses, .. } = state;
        let pulled = self.moving.as_ref().filter(|moving| time > 0.0 && moving.is_pulled());
        let (masses, inverse_masses) = (&masses[first..own], &inverse_masses[first..own]);
        (
            positions[first..own].par_iter_mut(),
            velocities[first..own].par_iter_mut(),
            forces[first..own].par_iter_mut(),
        )
            .into_par_iter()
            .zip((
                periods[first..own].par_iter_mut(),
                given[first..own].par_iter_mut(),
                masses.par_iter(),
                inverse_masses.par_iter(),
            ))
            .with_min_len(FEW)
            .for_each(|((position, velocity, force), (periods, given, &mass, &inverse_mass))| {
                if let Some(moving) = pulled.filter(|_| inverse_mass > 0.0) {
                    // By the velocity that the step began with, half a kick before it and half a kick after it.
                    let change = scale(*force, time * inverse_mass);
                    let before = sub(*velocity, change);
                    let from = add_scaled(*position, add_scaled(before, change, 0.5), -time);
                    *given += mass * dot(moving.pull_at(from), before) * time;
                }
                let shift = self.domain.periods_away(*position);
                if shift == [0; D] {
                    return;
                }
                *position = self.domain.less(*position, shift);
                *periods = std::array::from_fn(|k| periods[k].wrapping_add(shift[k]));
                if let Some(moving) = &self.moving {
                    let before = dot(*velocity, *velocity);
                    *velocity = sub(*velocity, times(shift, &moving.velocities));
                    *force = add_scaled(*force, times(shift, &moving.accelerations), -mass);
                    if inverse_mass > 0.0 {
                        *given += 0.5 * mass * (dot(*velocity, *velocity) - before);
                    }
                }
            });
    }

    /// Lets all grains that are not held, from this place on, follow a change of the velocity gradient.
    pub fn take_along(&self, state: &mut State<D>, first: usize, change: &Matrix<D>) {
        let Some(moving) = &self.moving else { return };
        for place in first..state.own() {
            if state.is_held(place) {
                continue;
            }
            let velocity = &mut state.velocities[place];
            let before = dot(*velocity, *velocity);
            *velocity = add(*velocity, map(change, sub(state.positions[place], moving.center)));
            state.given[place] += 0.5 * state.masses[place] * (dot(*velocity, *velocity) - before);
        }
    }
}
