//! How particles move in one time step.

use crate::state::{Derivatives, State};
use crate::vector::{Spin, add_scaled, scale, sub};
use multigrain::Domain;
use rayon::prelude::*;

/// How particles move in one time step.
///
/// **Synchronised Verlet.** Velocity Verlet moves positions with velocities of half a step earlier. If the force is then
/// worked out with those, sliding velocity, dashpots and the tangential spring lag half a step behind the normal that they
/// are measured against. Part of the motion along the normal counts as sliding, is stored in the spring, and with static
/// friction small grains between large ones stick where they should roll off; above a size ratio of about 3 this decides
/// results (Vyas, Ottino, Lueptow, Umbanhowar, Comp. Phys. Comm. 310 (2025) 109524). Here velocities and spins are carried
/// on to the end of the step, with the force that is known, before forces are worked out: `v* = v(t + dt/2) + a(t) dt/2`.
/// The step ends with the velocity of plain Verlet, `v(t + dt/2) + a(t + dt) dt/2`. Without friction and damping both are
/// the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Integrator {
    /// Velocity Verlet, with velocities brought to the time of the positions before forces are worked out.
    #[default]
    Verlet,
    /// Velocity Verlet that works out forces with velocities of half a step earlier: to compare with codes that do. Not for
    /// friction and size ratios above 3.
    PlainVerlet,
    /// Gear's predictor and corrector with five values, for forces that depend on velocity: 19/90, 3/4, 1, 1/2, 1/12.
    Gear,
}

/// How far the corrector takes back each scaled derivative, position first.
const GEAR: [f64; 5] = [19.0 / 90.0, 3.0 / 4.0, 1.0, 1.0 / 2.0, 1.0 / 12.0];

impl Integrator {
    /// Moves positions to the end of the step, and velocities to what forces are to be worked out with.
    pub(crate) fn advance<const D: usize>(
        self,
        state: &mut State<D>,
        domain: &Domain<D>,
        dt: f64,
        bits: u32,
        turns: bool,
    ) {
        match self {
            Self::Verlet => verlet(state, dt, 0.5 * dt, bits, turns),
            Self::PlainVerlet => verlet(state, dt, 0.0, bits, turns),
            Self::Gear => gear(state, dt, bits, turns),
        }
        if domain.has_images() {
            wrap(state, domain, bits);
        }
    }

    /// Ends the step of one particle with the force found. Returns what is to be added to the position, if anything.
    #[inline]
    pub(crate) fn end_motion<const D: usize>(
        self,
        motion: Motion<'_, D>,
        derivatives: Option<&mut [[f64; D]; 3]>,
        dt: f64,
    ) -> Option<[f64; D]> {
        let Motion { velocity, force, before, inverse_mass } = motion;
        match (self, derivatives) {
            (Self::Gear, Some([second, third, fourth])) => {
                let wanted = scale(force, 0.5 * dt * dt * inverse_mass);
                let missing = sub(wanted, *second);
                *velocity = add_scaled(*velocity, missing, GEAR[1] / dt);
                *second = wanted;
                *third = add_scaled(*third, missing, GEAR[3]);
                *fourth = add_scaled(*fourth, missing, GEAR[4]);
                Some(scale(missing, GEAR[0]))
            }
            (Self::Verlet, _) => {
                *velocity = add_scaled(*velocity, sub(force, before), 0.5 * dt * inverse_mass);
                None
            }
            _ => {
                *velocity = add_scaled(*velocity, force, 0.5 * dt * inverse_mass);
                None
            }
        }
    }
}

/// Motion of a particle at the end of a step; of its center, or of its angle with a torque as force.
pub(crate) struct Motion<'a, const D: usize> {
    pub velocity: &'a mut [f64; D],
    pub force: [f64; D],
    /// The force of the step before.
    pub before: [f64; D],
    pub inverse_mass: f64,
}

/// Half a kick, a drift, and velocities carried on by `ahead`.
fn verlet<const D: usize>(state: &mut State<D>, dt: f64, ahead: f64, bits: u32, turns: bool) {
    let State { positions, velocities, forces, inverse_masses, .. } = state;
    in_blocks(bits, (positions, velocities), |first, positions: &mut [[f64; D]], velocities: &mut [[f64; D]]| {
        let (forces, inverse_masses) =
            (&forces[first..][..positions.len()], &inverse_masses[first..][..positions.len()]);
        for k in 0..positions.len() {
            let half = add_scaled(velocities[k], forces[k], 0.5 * dt * inverse_masses[k]);
            positions[k] = add_scaled(positions[k], half, dt);
            velocities[k] = add_scaled(half, forces[k], ahead * inverse_masses[k]);
        }
    });
    if turns {
        let State { spins, torques, inverse_inertias, .. } = state;
        for_spins(spins, bits, |place, spin| {
            *spin = add_scaled(*spin, torques[place], (0.5 * dt + ahead) * inverse_inertias[place]);
        });
    }
}

/// The predictor: a Taylor series in all five values.
fn gear<const D: usize>(state: &mut State<D>, dt: f64, bits: u32, turns: bool) {
    let State { positions, velocities, derivatives, .. } = state;
    let (forward, back) = (dt, 1.0 / dt);
    in_blocks(bits, (positions, velocities), |first, positions: &mut [[f64; D]], velocities: &mut [[f64; D]]| {
        for k in 0..positions.len() {
            let [a, b, c] = derivatives[first + k].position;
            for axis in 0..D {
                let first = velocities[k][axis] * forward;
                positions[k][axis] += first + a[axis] + b[axis] + c[axis];
                velocities[k][axis] = (first + 2.0 * a[axis] + 3.0 * b[axis] + 4.0 * c[axis]) * back;
            }
        }
    });
    if turns {
        let State { spins, derivatives, .. } = &mut *state;
        for_spins(spins, bits, |place, spin| {
            let [a, b, c] = derivatives[place].angle;
            *spin = std::array::from_fn(|k| spin[k] + (2.0 * a[k] + 3.0 * b[k] + 4.0 * c[k]) * back);
        });
    }
    let predict = |derivatives: &mut Derivatives<D>| {
        predict_higher(&mut derivatives.position);
        if turns {
            predict_higher(&mut derivatives.angle);
        }
    };
    let derivatives = &mut state.derivatives;
    if derivatives.len() >> bits > 0 && rayon::current_num_threads() > 1 {
        derivatives.par_iter_mut().with_min_len(1 << bits).for_each(predict);
    } else {
        derivatives.iter_mut().for_each(predict);
    }
}

fn predict_higher<const D: usize>([second, third, fourth]: &mut [[f64; D]; 3]) {
    for k in 0..D {
        second[k] += 3.0 * third[k] + 6.0 * fourth[k];
        third[k] += 4.0 * fourth[k];
    }
}

/// Brings positions that crossed a periodic border back into the box, and counts the periods.
fn wrap<const D: usize>(state: &mut State<D>, domain: &Domain<D>, bits: u32) {
    let (lo, hi) = (domain.lo(), domain.hi());
    let State { positions, periods, .. } = state;
    in_blocks(bits, (positions, periods), |_, positions: &mut [[f64; D]], periods: &mut [[i32; D]]| {
        for (position, period) in positions.iter_mut().zip(periods) {
            for axis in (0..D).filter(|&axis| domain.is_periodic(axis)) {
                let length = domain.length(axis);
                if position[axis] < lo[axis] || position[axis] >= hi[axis] {
                    let turns = ((position[axis] - lo[axis]) / length).floor();
                    // Absurd distances are left to the check that follows.
                    if turns.abs() < f64::from(1 << 20) {
                        position[axis] -= turns * length;
                        period[axis] += turns as i32;
                    }
                }
            }
        }
    });
}

/// Does `work` on all blocks of two columns; it is told where the block begins.
fn in_blocks<A: Send, B: Send>(
    bits: u32,
    (a, b): (&mut Vec<A>, &mut Vec<B>),
    work: impl Fn(usize, &mut [A], &mut [B]) + Sync,
) {
    let size = 1 << bits;
    if a.len() > size && rayon::current_num_threads() > 1 {
        let blocks = a.par_chunks_mut(size).zip(b.par_chunks_mut(size)).enumerate().with_max_len(1);
        blocks.for_each(|(block, (a, b))| work(block << bits, a, b));
    } else {
        work(0, a, b);
    }
}

fn for_spins(spins: &mut [Spin], bits: u32, work: impl Fn(usize, &mut Spin) + Sync) {
    if spins.len() >> bits > 0 && rayon::current_num_threads() > 1 {
        let spins = spins.par_iter_mut().with_min_len(1 << bits).enumerate();
        spins.for_each(|(place, spin)| work(place, spin));
    } else {
        spins.iter_mut().enumerate().for_each(|(place, spin)| work(place, spin));
    }
}
