//! How two bodies meet: from positions and motion to the point that a law sees.

use crate::integrator::{Accelerations, Integrator};
use crate::laws::{Point, set_lane};
use crate::number::{LANES, Number, Pack};
use crate::state::{Derivatives, State};
use crate::vector::{Spin, add, add_scaled, dot, scale, sub, turned};

/// Over what time springs grow, and how particles move in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Growth {
    pub integrator: Integrator,
    /// 0 where nothing grows.
    pub time: f64,
    /// Whether any law turns particles.
    pub turns: bool,
}

/// What contacts look at of a particle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<const D: usize, N = f64> {
    pub velocity: [N; D],
    pub spin: [N; 3],
    /// By how much the velocity exceeds that of the middle of the step.
    pub gained: [N; D],
    /// The same of the spin.
    pub gained_spin: [N; 3],
    pub radius: N,
    pub inverse_mass: N,
}

impl<const D: usize> Side<D> {
    pub const NONE: Self = Self {
        velocity: [0.0; D],
        spin: [0.0; 3],
        gained: [0.0; D],
        gained_spin: [0.0; 3],
        radius: 0.0,
        inverse_mass: 0.0,
    };
}

/// How far springs grow, along the contact plane: by what the surfaces slide on each other.
///
/// Velocities are those of the middle of the step, which Verlet moves positions with, measured against the normal and the
/// arms of the middle of the step. So the way is right to second order, a spring swings without loss, and nothing of the
/// motion along the normal counts as sliding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slide<const D: usize, N = f64> {
    /// Unit vector from the first body to the second, in the middle of the step.
    pub normal: [N; D],
    /// Velocity of the second's center relative to the first's.
    pub velocity: [N; D],
    /// Sum of both spins, each times the distance from its center to the contact.
    pub rolling: [N; 3],
}

impl<const D: usize, N: Number> Slide<D, N> {
    /// The way over a step of this length, at whose end the bodies overlap so much. If they did not touch yet when it began,
    /// only the time since they do counts.
    #[inline(always)]
    pub fn way(&self, overlap: N, time: N) -> [N; D] {
        let (apart, overlap) = (dot(self.velocity, self.normal), overlap.max(N::splat(0.0)));
        self.all_the_way(overlap.if_below(-apart * time, overlap / -apart, time))
    }

    /// The way over this time.
    #[inline(always)]
    pub fn all_the_way(&self, time: N) -> [N; D] {
        let along = add_scaled(self.velocity, self.normal, -dot(self.velocity, self.normal));
        scale(sub(along, turned(self.rolling, self.normal)), time)
    }
}

/// Two spheres that meet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting<const D: usize, N = f64> {
    /// From the first to the second.
    pub away: [N; D],
    pub first: Side<D, N>,
    pub second: Side<D, N>,
}

impl<const D: usize> Side<D, Pack> {
    const EMPTY: Self = {
        let (none, one) = (Pack([0.0; LANES]), Pack([1.0; LANES]));
        let (vector, spin) = ([none; D], [none; 3]);
        Self { velocity: vector, spin, gained: vector, gained_spin: spin, radius: one, inverse_mass: one }
    };

    /// Puts one of the bodies.
    #[inline(always)]
    pub fn put(&mut self, lane: usize, side: &Side<D>, turns: bool) {
        set_lane(&mut self.velocity, lane, side.velocity);
        self.radius.0[lane] = side.radius;
        self.inverse_mass.0[lane] = side.inverse_mass;
        if turns {
            set_lane(&mut self.spin, lane, side.spin);
            set_lane(&mut self.gained, lane, side.gained);
            set_lane(&mut self.gained_spin, lane, side.gained_spin);
        }
    }
}

impl<const D: usize> Meeting<D, Pack> {
    pub const EMPTY: Self = Self { away: [Pack([1.0; LANES]); D], first: Side::EMPTY, second: Side::EMPTY };
}

impl<const D: usize, N: Number> Meeting<D, N> {
    /// The point where they meet.
    #[inline(always)]
    pub fn point(&self, grows: &Growth) -> Point<D, N> {
        let Self { away, first, second } = self;
        let (a, b, zero) = (first.radius, second.radius, N::splat(0.0));
        let distance = dot(*away, *away).sqrt();
        let normal = direction(*away, distance);
        let overlap = a + b - distance;
        let velocity = sub(second.velocity, first.velocity);
        let mut point = Point {
            normal,
            gap: -overlap,
            apart: dot(velocity, normal),
            sliding: [zero; D],
            slide: [zero; D],
            turning: [zero; 3],
            inverse_mass: first.inverse_mass + second.inverse_mass,
            radius: a * b / (a + b),
        };
        if grows.turns {
            let time = N::splat(grows.time);
            let rolling = rolling(overlap, [a, b], [first.spin, second.spin]);
            point.sliding = sub(add_scaled(velocity, normal, -point.apart), turned(rolling, normal));
            point.turning = sub(second.spin, first.spin);
            if grows.integrator.is_synchronised() {
                let velocity = sub(velocity, sub(second.gained, first.gained));
                let middle = add_scaled(*away, velocity, N::splat(-0.5 * grows.time));
                let distance = dot(middle, middle).sqrt();
                let spins = [sub(first.spin, first.gained_spin), sub(second.spin, second.gained_spin)];
                let rolling = self::rolling(a + b - distance, [a, b], spins);
                let slide = Slide { normal: direction(middle, distance), velocity, rolling };
                point.slide = slide.way(overlap, time);
            } else {
                point.slide = Slide { normal, velocity, rolling }.all_the_way(time);
            }
        }
        point
    }
}

impl Growth {
    /// What contacts look at of the particle in this place.
    pub fn side<const D: usize>(&self, state: &State<D>, place: usize) -> Side<D> {
        self.side_in(&SideColumns::new(state), place)
    }

    /// The same for many particles.
    #[inline(always)]
    pub fn side_in<const D: usize>(&self, columns: &SideColumns<'_, D>, place: usize) -> Side<D> {
        let inverse_mass = columns.inverse_masses[place];
        let (velocity, radius) = (columns.velocities[place], columns.radii[place]);
        let mut side = Side { velocity, radius, inverse_mass, ..Side::NONE };
        if self.turns {
            side.spin = columns.spins[place];
            if self.time > 0.0 {
                let by = Accelerations {
                    force: columns.forces[place],
                    torque: columns.torques[place],
                    inverse_mass,
                    inverse_inertia: columns.inverse_inertias[place],
                    derivatives: columns.derivatives.get(place),
                };
                (side.gained, side.gained_spin) = self.integrator.gained(by, self.time);
            }
        }
        side
    }
}

/// Columns that contacts look at, all cut to one length, so that a place is compared with it once.
pub(crate) struct SideColumns<'a, const D: usize> {
    velocities: &'a [[f64; D]],
    spins: &'a [Spin],
    forces: &'a [[f64; D]],
    torques: &'a [Spin],
    radii: &'a [f64],
    inverse_masses: &'a [f64],
    inverse_inertias: &'a [f64],
    /// Empty with Verlet.
    derivatives: &'a [Derivatives<D>],
}

impl<'a, const D: usize> SideColumns<'a, D> {
    #[inline(always)]
    pub fn new(state: &'a State<D>) -> Self {
        let count = state.ids.len();
        Self {
            velocities: &state.velocities[..count],
            spins: &state.spins[..count],
            forces: &state.forces[..count],
            torques: &state.torques[..count],
            radii: &state.radii[..count],
            inverse_masses: &state.inverse_masses[..count],
            inverse_inertias: &state.inverse_inertias[..count],
            derivatives: &state.derivatives,
        }
    }
}

/// The sum of both spins, each times the distance from its center to the contact.
#[inline(always)]
fn rolling<N: Number>(overlap: N, radii: [N; 2], spins: [[N; 3]; 2]) -> [N; 3] {
    let half = N::splat(0.5) * overlap;
    add(scale(spins[0], radii[0] - half), scale(spins[1], radii[1] - half))
}

/// The unit vector along a way of this length. Centers in the same point are pushed apart along the first axis.
#[inline(always)]
pub(crate) fn direction<const D: usize, N: Number>(way: [N; D], length: N) -> [N; D] {
    let (zero, inverse) = (N::splat(0.0), N::splat(1.0) / length);
    std::array::from_fn(|k| zero.if_below(length, way[k] * inverse, N::splat(if k == 0 { 1.0 } else { 0.0 })))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body that comes at speed 10 and overlaps by 0.02 has touched for 0.002 of a step of 0.01.
    #[test]
    fn a_spring_grows_from_the_first_touch_on() {
        let slide = Slide { normal: [1.0, 0.0, 0.0], velocity: [-10.0, 3.0, 0.0], rolling: [0.0; 3] };
        assert!((slide.way(0.02, 0.01)[1] - 0.006).abs() < 1e-15);
        assert!((slide.way(0.11, 0.01)[1] - 0.03).abs() < 1e-15);
        assert!((slide.all_the_way(0.01)[1] - 0.03).abs() < 1e-15);
    }
}
