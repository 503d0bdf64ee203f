//! How two bodies meet: from positions and motion to the point that a law sees.

use crate::integrator::{Accelerations, Integrator};
use crate::kernel::{AtPlaces, Places};
use crate::laws::{LawTable, Point};
use crate::number::{LANES, Number, Pack};
use crate::state::{Derivatives, State};
use crate::vector::{Spin, add, add_scaled, dot, scale, sub, turned};
use multigrain::grid::prefetch;
use std::ops::Range;

/// Over what time springs grow, and how particles move in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Growth {
    pub integrator: Integrator,
    /// 0 where nothing grows.
    pub time: f64,
    /// Whether any law turns particles.
    pub turns: bool,
    /// Whether any law has a couple.
    pub couples: bool,
    /// Whether springs grow over whole steps, as some laws act over gaps: then a step need not begin a contact that it ends with.
    pub whole: bool,
}

/// What contacts look at of a particle, or of several at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<const D: usize, N = f64> {
    pub velocity: [N; D],
    pub inverse_mass: N,
    pub spin: [N; 3],
    pub radius: N,
    /// By how much the velocity exceeds that of the middle of the step.
    pub gained: [N; D],
    /// The same of the spin.
    pub gained_spin: [N; 3],
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

/// A vector and a number in a row of four.
#[inline(always)]
pub(super) fn four<const K: usize, N: Number>(vector: [N; K], last: N) -> [N; 4] {
    let mut row = [N::splat(0.0); 4];
    row[..K].copy_from_slice(&vector);
    row[3] = last;
    row
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

/// Two spheres that meet. Of what counts only by its difference there is but the difference, the second's less the first's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting<const D: usize, N = f64> {
    /// From the first to the second.
    pub away: [N; D],
    velocity: [N; D],
    /// By how much the velocity exceeds that of the middle of the step.
    gained: [N; D],
    /// Of both.
    radii: [N; 2],
    spins: [[N; 3]; 2],
    gained_spins: [[N; 3]; 2],
    /// The sum of both.
    inverse_mass: N,
}

impl<const D: usize, N: Number> Meeting<D, N> {
    #[inline(always)]
    pub fn new(away: [N; D], first: &Side<D, N>, second: &Side<D, N>) -> Self {
        Self {
            away,
            velocity: sub(second.velocity, first.velocity),
            gained: sub(second.gained, first.gained),
            radii: [first.radius, second.radius],
            spins: [first.spin, second.spin],
            gained_spins: [first.gained_spin, second.gained_spin],
            inverse_mass: first.inverse_mass + second.inverse_mass,
        }
    }

    /// The point where they meet.
    #[inline(always)]
    pub fn point(&self, grows: &Growth) -> Point<D, N> {
        let &Self { ref away, velocity, gained, radii, spins, gained_spins, inverse_mass } = self;
        let ([a, b], zero) = (radii, N::splat(0.0));
        let distance = dot(*away, *away).sqrt();
        let normal = direction(*away, distance);
        let overlap = a + b - distance;
        let mut point = Point {
            normal,
            gap: -overlap,
            apart: dot(velocity, normal),
            sliding: [zero; D],
            slide: [zero; D],
            turning: [zero; 3],
            turn: [zero; 3],
            inverse_mass,
            radius: a * b / (a + b),
        };
        if grows.turns {
            let time = N::splat(grows.time);
            let rolling = rolling(overlap, radii, spins);
            point.sliding = sub(add_scaled(velocity, normal, -point.apart), turned(rolling, normal));
            if grows.couples {
                let spins_then = [sub(spins[0], gained_spins[0]), sub(spins[1], gained_spins[1])];
                point.turning = sub(spins[1], spins[0]);
                point.turn = scale(sub(spins_then[1], spins_then[0]), time);
            }
            if grows.integrator.is_synchronised() {
                let velocity = sub(velocity, gained);
                let middle = add_scaled(*away, velocity, N::splat(-0.5 * grows.time));
                let distance = dot(middle, middle).sqrt();
                let spins = [sub(spins[0], gained_spins[0]), sub(spins[1], gained_spins[1])];
                let rolling = self::rolling(a + b - distance, radii, spins);
                let slide = Slide { normal: direction(middle, distance), velocity, rolling };
                point.slide = if grows.whole { slide.all_the_way(time) } else { slide.way(overlap, time) };
            } else {
                point.slide = Slide { normal, velocity, rolling }.all_the_way(time);
            }
        }
        point
    }
}

impl Growth {
    pub fn new<const D: usize>(integrator: Integrator, time: f64, laws: &LawTable<D>) -> Self {
        Self { integrator, time, turns: laws.turns(), couples: laws.has_couples(), whole: laws.reaches() }
    }

    /// Whether springs grow from the first touch on in the middle of steps, and no law has a couple: what most simulations need.
    pub fn is_usual(&self) -> bool {
        self.turns && !self.couples && !self.whole && self.integrator.is_synchronised()
    }

    /// What contacts look at of the particle in this place.
    pub fn side<const D: usize>(&self, state: &State<D>, place: usize) -> Side<D> {
        self.side_in(&SideColumns::new(state, 0..state.ids.len()), place)
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

    /// The same for several at once, straight from memory into vectors.
    #[inline(always)]
    pub fn sides_in<const D: usize>(
        &self,
        kernel: impl AtPlaces,
        columns: &SideColumns<'_, D>,
        places: [u32; LANES],
    ) -> Side<D, Pack> {
        let (zero, at) = (Pack([0.0; LANES]), &Places::new(places));
        let inverse_mass = kernel.numbers_at(columns.inverse_masses, at);
        let mut side = Side {
            velocity: kernel.vectors_at(columns.velocities, at),
            inverse_mass,
            spin: [zero; 3],
            radius: kernel.numbers_at(columns.radii, at),
            gained: [zero; D],
            gained_spin: [zero; 3],
        };
        if !self.turns {
            return side;
        }
        side.spin = kernel.vectors_at(columns.spins, at);
        if self.integrator == Integrator::Verlet && self.time > 0.0 {
            let half = Pack::splat(0.5 * self.time);
            side.gained = scale(kernel.vectors_at(columns.forces, at), half * inverse_mass);
            let inverse_inertia = kernel.numbers_at(columns.inverse_inertias, at);
            side.gained_spin = scale(kernel.vectors_at(columns.torques, at), half * inverse_inertia);
        } else if self.time > 0.0 {
            for lane in 0..LANES {
                let Side { gained, gained_spin, .. } = self.side_in(columns, places[lane] as usize);
                for axis in 0..D {
                    side.gained[axis].0[lane] = gained[axis];
                }
                for axis in 0..3 {
                    side.gained_spin[axis].0[lane] = gained_spin[axis];
                }
            }
        }
        side
    }
}

/// Columns that contacts look at of some particles, all of one length, so that a number among them is compared with it once.
#[derive(Debug, Clone, Copy)]
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
    pub fn new(state: &'a State<D>, places: Range<usize>) -> Self {
        let (first, count) = (places.start, places.len());
        Self {
            velocities: &state.velocities[first..][..count],
            spins: &state.spins[first..][..count],
            forces: &state.forces[first..][..count],
            torques: &state.torques[first..][..count],
            radii: &state.radii[first..][..count],
            inverse_masses: &state.inverse_masses[first..][..count],
            inverse_inertias: &state.inverse_inertias[first..][..count],
            derivatives: state.derivatives.get(places).unwrap_or_default(),
        }
    }

    /// Asks for what is wide of a particle.
    #[inline(always)]
    pub fn prefetch(&self, place: usize) {
        prefetch(self.velocities, place);
        prefetch(self.spins, place);
        prefetch(self.forces, place);
        prefetch(self.torques, place);
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
    let mut unit = [zero; D];
    for k in 0..D {
        unit[k] = zero.if_below(length, way[k] * inverse, N::splat(if k == 0 { 1.0 } else { 0.0 }));
    }
    unit
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
