//! How particles move in one time step.

use crate::state::{Derivatives, NOBODY, State};
use crate::vector::{Spin, add_scaled, scale, sub};
use multigrain::Domain;
use multigrain::limits::LARGEST;
use rayon::prelude::*;
use std::f64::consts::TAU;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// How particles move in one time step.
///
/// **Synchronised Verlet.** Velocity Verlet moves positions with velocities of half a step earlier. If the force is then
/// worked out with those, sliding velocity, dashpots and the tangential spring lag half a step behind the normal that they
/// are measured against. Part of the motion along the normal counts as sliding, is stored in the spring, and with static
/// friction small grains between large ones stick where they should roll off; above a size ratio of about 3 this decides
/// results (Vyas, Ottino, Lueptow, Umbanhowar, Comp. Phys. Comm. 310 (2025) 109524). Here velocities and spins are carried
/// on to the end of the step, with the force that is known, before forces are worked out: `v* = v(t + dt/2) + a(t) dt/2`.
/// The step ends with the velocity of plain Verlet, `v(t + dt/2) + a(t + dt) dt/2`. Without friction and damping both are
/// the same. Tangential springs grow by the velocity of the middle of the step, `v(t + dt/2)`, measured against the normal of
/// the middle of the step: of second order, as the motion itself, and without loss.
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

/// Angles beyond are brought back by whole turns.
const MAX_ANGLE: f64 = 1e6;

/// Periods from the box beyond which a position is absurd: far more than any particle comes in a step.
const MAX_PERIODS: u32 = 1 << 20;

/// How far the corrector takes back each scaled derivative, position first.
const GEAR: [f64; 5] = [19.0 / 90.0, 3.0 / 4.0, 1.0, 1.0 / 2.0, 1.0 / 12.0];

impl Integrator {
    /// Moves positions to the end of the step, and velocities to what forces are to be worked out with. A particle that would
    /// come where positions cannot be worked with stays in its place; the lowest id of such is returned.
    pub(crate) fn advance<const D: usize>(
        self,
        state: &mut State<D>,
        domain: &Domain<D>,
        dt: f64,
        bits: u32,
        turns: bool,
    ) -> Option<u32> {
        let reach = Reach::new(domain);
        match self {
            Self::Verlet => verlet(state, dt, 0.5 * dt, bits, turns, &reach),
            Self::PlainVerlet => verlet(state, dt, 0.0, bits, turns, &reach),
            Self::Gear => gear(state, dt, bits, turns, &reach),
        }
        if domain.has_images() {
            wrap(state, domain, bits);
        }
        Some(reach.lost.into_inner()).filter(|&id| id != NOBODY)
    }

    /// By how much velocity and spin, as forces are worked out with, exceed those of the middle of the step.
    #[inline]
    pub(crate) fn gained<const D: usize>(self, by: Accelerations<'_, D>, dt: f64) -> ([f64; D], Spin) {
        match (self, by.derivatives) {
            (Self::PlainVerlet, _) => ([0.0; D], [0.0; 3]),
            (Self::Gear, Some(Derivatives { position, angle })) => (half_step(position, dt), half_step(angle, dt)),
            _ => (scale(by.force, 0.5 * dt * by.inverse_mass), scale(by.torque, 0.5 * dt * by.inverse_inertia)),
        }
    }

    /// Whether sliding is measured in the middle of the step, where normals and velocities belong together.
    pub(crate) fn is_synchronised(self) -> bool {
        self != Self::PlainVerlet
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

/// What changed the velocity and spin of a particle in the step so far.
pub(crate) struct Accelerations<'a, const D: usize> {
    /// Force and torque at the start of the step.
    pub force: [f64; D],
    pub torque: Spin,
    pub inverse_mass: f64,
    pub inverse_inertia: f64,
    /// With Gear: as predicted for the end of the step.
    pub derivatives: Option<&'a Derivatives<D>>,
}

/// Motion of a particle at the end of a step; of its center, or of its angle with a torque as force.
pub(crate) struct Motion<'a, const D: usize> {
    pub velocity: &'a mut [f64; D],
    pub force: [f64; D],
    /// The force of the step before.
    pub before: [f64; D],
    pub inverse_mass: f64,
}

/// How far positions may be, and who would be further.
struct Reach<const D: usize> {
    most: [f64; D],
    lost: AtomicU32,
}

impl<const D: usize> Reach<D> {
    fn new(domain: &Domain<D>) -> Self {
        let most = std::array::from_fn(|axis| match domain.length(axis) {
            0.0 => LARGEST,
            length => domain.lo()[axis].abs() + f64::from(MAX_PERIODS - 1) * length,
        });
        Self { most, lost: AtomicU32::new(NOBODY) }
    }

    /// Moves a particle there, if it may be there.
    #[inline]
    fn put(&self, position: &mut [f64; D], there: [f64; D], id: u32) {
        if (0..D).all(|axis| there[axis].abs() <= self.most[axis]) {
            *position = there;
        } else {
            self.lost.fetch_min(id, Relaxed);
        }
    }
}

/// Half a kick, a drift, and velocities carried on by `ahead`.
fn verlet<const D: usize>(state: &mut State<D>, dt: f64, ahead: f64, bits: u32, turns: bool, reach: &Reach<D>) {
    let State { ids, positions, velocities, forces, inverse_masses, .. } = state;
    in_blocks(bits, (positions, velocities), |first, positions: &mut [[f64; D]], velocities: &mut [[f64; D]]| {
        let (forces, inverse_masses) =
            (&forces[first..][..positions.len()], &inverse_masses[first..][..positions.len()]);
        for k in 0..positions.len() {
            let half = add_scaled(velocities[k], forces[k], 0.5 * dt * inverse_masses[k]);
            let there = add_scaled(positions[k], half, dt);
            reach.put(&mut positions[k], there, ids[first + k]);
            velocities[k] = add_scaled(half, forces[k], ahead * inverse_masses[k]);
        }
    });
    if turns {
        let State { spins, torques, inverse_inertias, angles, .. } = state;
        turn(angles, bits, |place| dt * (spins[place][2] + 0.5 * dt * torques[place][2] * inverse_inertias[place]));
        for_spins(spins, bits, |place, spin| {
            *spin = add_scaled(*spin, torques[place], (0.5 * dt + ahead) * inverse_inertias[place]);
        });
    }
}

/// The predictor: a Taylor series in all five values.
fn gear<const D: usize>(state: &mut State<D>, dt: f64, bits: u32, turns: bool, reach: &Reach<D>) {
    let State { ids, positions, velocities, derivatives, .. } = state;
    let (forward, back) = (dt, 1.0 / dt);
    in_blocks(bits, (positions, velocities), |first, positions: &mut [[f64; D]], velocities: &mut [[f64; D]]| {
        for k in 0..positions.len() {
            let [a, b, c] = derivatives[first + k].position;
            let mut there = positions[k];
            for axis in 0..D {
                let first = velocities[k][axis] * forward;
                there[axis] += first + a[axis] + b[axis] + c[axis];
                velocities[k][axis] = (first + 2.0 * a[axis] + 3.0 * b[axis] + 4.0 * c[axis]) * back;
            }
            reach.put(&mut positions[k], there, ids[first + k]);
        }
    });
    if turns {
        let State { spins, derivatives, angles, .. } = &mut *state;
        turn(angles, bits, |place| {
            let [a, b, c] = derivatives[place].angle;
            dt * spins[place][2] + a[2] + b[2] + c[2]
        });
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

/// What a velocity gains in the second half of a step, by the scaled derivatives at its end.
fn half_step<const D: usize>([second, third, fourth]: &[[f64; D]; 3], dt: f64) -> [f64; D] {
    std::array::from_fn(|k| (second[k] - 0.75 * third[k] + 0.5 * fourth[k]) / dt)
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
                    position[axis] -= turns * length;
                    period[axis] += turns as i32;
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

/// Turns particles by what `by` says of each, where there is account of it. Angles stay small enough to be exact.
fn turn(angles: &mut [f64], bits: u32, by: impl Fn(usize) -> f64 + Sync) {
    let turned = |place: usize, angle: &mut f64| {
        *angle += by(place);
        if angle.abs() > MAX_ANGLE {
            *angle %= TAU;
        }
    };
    if angles.len() >> bits > 0 && rayon::current_num_threads() > 1 {
        let angles = angles.par_iter_mut().with_min_len(1 << bits).enumerate();
        angles.for_each(|(place, angle)| turned(place, angle));
    } else {
        angles.iter_mut().enumerate().for_each(|(place, angle)| turned(place, angle));
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
