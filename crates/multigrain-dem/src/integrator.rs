//! How particles move in one time step.

use crate::kernel::fastest;
use crate::space::Space;
use crate::state::{Derivatives, State};
use crate::threads;
use crate::vector::{Spin, add_scaled, dot, scale, sub};
use multigrain::grid::{less_along, periods_along};
use multigrain::limits::MAX_LENGTH;
use multigrain::{Axes, Dimension};
use std::f64::consts::TAU;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
#[non_exhaustive]
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

/// No id: where there is nothing to name.
const NOBODY: u64 = u64::MAX;

/// Angles beyond are brought back by whole turns.
const MAX_ANGLE: f64 = 1e6;

/// Periods from the box beyond which a position is absurd: far more than any particle comes in a step.
const MAX_PERIODS: u32 = 1 << 20;

/// How far the corrector takes back each scaled derivative, position first.
const GEAR: [f64; 5] = [19.0 / 90.0, 3.0 / 4.0, 1.0, 1.0 / 2.0, 1.0 / 12.0];

impl Integrator {
    /// Moves positions to the end of the step, and velocities to what forces are to be worked out with. A particle that would
    /// come where positions cannot be worked with stays in its place.
    pub(crate) fn advance<const D: usize>(
        self,
        state: &mut State<D>,
        space: &Space<D>,
        dt: f64,
        bits: u32,
        turns: bool,
    ) -> Moved
    where
        Axes: Dimension<D>,
    {
        let own = state.own();
        let State {
            ids,
            positions,
            velocities,
            spins,
            forces,
            torques,
            inverse_masses,
            inverse_inertias,
            angles,
            periods,
            derivatives,
            ..
        } = state;
        let reach = Reach::new(space);
        let advance = Advance {
            integrator: self,
            dt,
            turns,
            space,
            reach,
            ids,
            forces,
            torques,
            inverse_masses,
            inverse_inertias,
        };
        let (size, count) = (1 << bits, own.div_ceil(1 << bits));
        let (positions, velocities) = (&mut positions[..own], &mut velocities[..own]);
        let (mut positions, mut velocities) = (positions.chunks_mut(size), velocities.chunks_mut(size));
        let (mut spins, mut periods) = (spins[..own].chunks_mut(size), of_own(periods, own).chunks_mut(size));
        let (angles, derivatives) = (of_own(angles, own), of_own(derivatives, own));
        let (mut angles, mut derivatives) = (angles.chunks_mut(size), derivatives.chunks_mut(size));
        let mut blocks: Vec<MovedBlock<'_, D>> = (0..count)
            .map(|_| MovedBlock {
                positions: positions.next().unwrap_or_default(),
                velocities: velocities.next().unwrap_or_default(),
                spins: spins.next().unwrap_or_default(),
                angles: angles.next().unwrap_or_default(),
                periods: periods.next().unwrap_or_default(),
                derivatives: derivatives.next().unwrap_or_default(),
                fastest: 0.0,
            })
            .collect();
        threads::for_each(&mut blocks, |b, block| advance.block(b << bits, block));
        let fastest = blocks.iter().map(|block| block.fastest).fold(0.0, f64::max);
        Moved {
            lost: Some(advance.reach.lost.into_inner()).filter(|&id| id != NOBODY),
            // The corrector moves positions once more, and a box that moves takes particles along.
            way: if self == Self::Gear || space.moving().is_some() { f64::INFINITY } else { fastest.sqrt() * dt },
        }
    }

    /// By how much velocity and spin, as forces are worked out with, exceed those of the middle of the step.
    #[inline(always)]
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

    /// Where the next [`advance`](Self::advance) will bring each particle that is no guest, not wrapped.
    pub(crate) fn next_position<const D: usize>(self, state: &State<D>, place: usize, dt: f64) -> [f64; D] {
        let (position, velocity) = (state.positions[place], state.velocities[place]);
        match (self, state.derivatives.get(place)) {
            (Self::Gear, Some(Derivatives { position: [a, b, c], .. })) => {
                std::array::from_fn(|k| position[k] + (velocity[k] * dt + a[k] + b[k] + c[k]))
            }
            _ => {
                let half = add_scaled(velocity, state.forces[place], 0.5 * dt * state.inverse_masses[place]);
                add_scaled(position, half, dt)
            }
        }
    }

    /// Ends the step of one particle with the force found. Returns what is to be added to the position, if anything.
    #[inline(always)]
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
pub(crate) struct Reach<const D: usize> {
    most: [f64; D],
    lost: AtomicU64,
}

impl<const D: usize> Reach<D> {
    pub fn new(space: &Space<D>) -> Self {
        let most = std::array::from_fn(|axis| match space.period_along(axis) {
            0.0 => MAX_LENGTH,
            length => space.domain().lo()[axis].abs() + f64::from(MAX_PERIODS - 1) * length,
        });
        Self { most, lost: AtomicU64::new(NOBODY) }
    }

    /// Whether a particle may be there.
    #[inline]
    pub fn allows(&self, there: [f64; D]) -> bool {
        (0..D).all(|axis| there[axis].abs() <= self.most[axis])
    }

    /// Moves a particle there, if it may be there.
    #[inline]
    fn put(&self, position: &mut [f64; D], there: [f64; D], id: u64) {
        if self.allows(there) {
            *position = there;
        } else {
            self.lost.fetch_min(id, Relaxed);
        }
    }
}

/// What came of a step's motion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moved {
    /// The lowest id of those that could not be moved.
    pub lost: Option<u64>,
    /// No particle has come further.
    pub way: f64,
}

/// What all blocks look at.
struct Advance<'a, const D: usize> {
    integrator: Integrator,
    dt: f64,
    turns: bool,
    space: &'a Space<D>,
    reach: Reach<D>,
    ids: &'a [u64],
    forces: &'a [[f64; D]],
    torques: &'a [Spin],
    inverse_masses: &'a [f64],
    inverse_inertias: &'a [f64],
}

/// One block of particles, to be moved.
struct MovedBlock<'a, const D: usize> {
    positions: &'a mut [[f64; D]],
    velocities: &'a mut [[f64; D]],
    spins: &'a mut [Spin],
    /// Empty without polygons.
    angles: &'a mut [f64],
    /// Empty in open domains.
    periods: &'a mut [[i32; D]],
    /// Empty with Verlet.
    derivatives: &'a mut [Derivatives<D>],
    /// Square of the largest speed.
    fastest: f64,
}

impl<const D: usize> Advance<'_, D> {
    fn block(&self, first: usize, block: &mut MovedBlock<'_, D>) {
        match self.integrator {
            Integrator::Verlet => fastest!(self.verlet(first, block, 0.5 * self.dt)),
            Integrator::PlainVerlet => self.verlet(first, block, 0.0),
            Integrator::Gear => self.gear(first, block),
        }
        if !block.periods.is_empty() && self.space.is_plain() {
            self.wrap(block);
        }
    }

    /// Half a kick, a drift, and velocities carried on by `ahead`.
    #[inline(always)]
    fn verlet(&self, first: usize, block: &mut MovedBlock<'_, D>, ahead: f64) {
        let (dt, count) = (self.dt, block.positions.len());
        let (positions, velocities) = (&mut block.positions[..count], &mut block.velocities[..count]);
        let (forces, inverse_masses) = (&self.forces[first..][..count], &self.inverse_masses[first..][..count]);
        for k in 0..count {
            let half = add_scaled(velocities[k], forces[k], 0.5 * dt * inverse_masses[k]);
            block.fastest = block.fastest.max(dot(half, half));
            let there = add_scaled(positions[k], half, dt);
            self.reach.put(&mut positions[k], there, self.ids[first + k]);
            velocities[k] = add_scaled(half, forces[k], ahead * inverse_masses[k]);
        }
        if self.turns {
            let (torques, inverses) = (&self.torques[first..][..count], &self.inverse_inertias[first..][..count]);
            for (k, angle) in block.angles.iter_mut().enumerate() {
                turn(angle, dt * (block.spins[k][2] + 0.5 * dt * torques[k][2] * inverses[k]));
            }
            for (k, spin) in block.spins.iter_mut().enumerate() {
                *spin = add_scaled(*spin, torques[k], (0.5 * dt + ahead) * inverses[k]);
            }
        }
    }

    /// The predictor: a Taylor series in all five values.
    fn gear(&self, first: usize, block: &mut MovedBlock<'_, D>) {
        let (forward, back) = (self.dt, 1.0 / self.dt);
        for k in 0..block.positions.len() {
            let Derivatives { position: [a, b, c], angle } = block.derivatives[k];
            let mut there = block.positions[k];
            for axis in 0..D {
                let velocity = &mut block.velocities[k][axis];
                let first = *velocity * forward;
                there[axis] += first + a[axis] + b[axis] + c[axis];
                *velocity = (first + 2.0 * a[axis] + 3.0 * b[axis] + 4.0 * c[axis]) * back;
            }
            self.reach.put(&mut block.positions[k], there, self.ids[first + k]);
            predict_higher(&mut block.derivatives[k].position);
            if self.turns {
                let ([a, b, c], spin) = (angle, &mut block.spins[k]);
                if let Some(angle) = block.angles.get_mut(k) {
                    turn(angle, self.dt * spin[2] + a[2] + b[2] + c[2]);
                }
                *spin = std::array::from_fn(|k| spin[k] + (2.0 * a[k] + 3.0 * b[k] + 4.0 * c[k]) * back);
                predict_higher(&mut block.derivatives[k].angle);
            }
        }
    }

    /// Brings positions that crossed a border of a plain periodic box back into the box, and counts the periods.
    fn wrap(&self, block: &mut MovedBlock<'_, D>) {
        let domain = self.space.domain();
        let (lo, hi) = (domain.lo(), domain.hi());
        for axis in (0..D).filter(|&axis| domain.is_periodic(axis)) {
            let length = domain.length(axis);
            for (position, period) in block.positions.iter_mut().zip(&mut *block.periods) {
                if position[axis] < lo[axis] || position[axis] >= hi[axis] {
                    let turns = periods_along(position[axis], lo[axis], length);
                    position[axis] = less_along(position[axis], turns, length);
                    period[axis] = period[axis].saturating_add(turns);
                }
            }
        }
    }
}

/// The entries of particles that are no guests; none in a column that is not there.
pub(crate) fn of_own<T>(column: &mut [T], own: usize) -> &mut [T] {
    let count = own.min(column.len());
    &mut column[..count]
}

/// Turns a particle. Angles stay small enough to be exact.
fn turn(angle: &mut f64, by: f64) {
    *angle += by;
    if angle.abs() > MAX_ANGLE {
        *angle %= TAU;
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
