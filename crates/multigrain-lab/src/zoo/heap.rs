//! What arrangements are made with: bodies that are put down one group after the other.

use super::placed::Placed;
use multigrain::Domain;
use multigrain::Rng;
use multigrain::System;
use multigrain::sizes::{SizeLaw, ball_volume};
use std::f64::consts::TAU;

/// Bodies so far, in open space unless a box is given.
pub struct Heap<const D: usize> {
    /// Centers, by body.
    pub centers: Vec<[f64; D]>,
    /// Radii, by body.
    pub radii: Vec<f64>,
    /// The space around them.
    pub domain: Domain<D>,
    /// The margin of contact.
    pub margin: f64,
}

impl<const D: usize> Heap<D> {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { centers: Vec::new(), radii: Vec::new(), domain: Domain::open(), margin: 0.0 }
    }

    /// Puts down one body.
    pub fn put(&mut self, center: [f64; D], radius: f64) {
        self.centers.push(center);
        self.radii.push(radius);
    }

    /// Puts down bodies evenly at random in the cube of this corner and side.
    pub fn scatter(&mut self, radii: impl IntoIterator<Item = f64>, lo: [f64; D], side: f64, rng: &mut Rng) {
        for radius in radii {
            self.put(in_box(lo, [side; D], rng), radius);
        }
    }

    /// Puts down bodies evenly at random in the cube from this corner that they fill to `fraction`; returns its side.
    pub fn fill(&mut self, radii: &[f64], fraction: f64, lo: [f64; D], rng: &mut Rng) -> f64 {
        let side = side_of(radii, fraction, D);
        self.scatter(radii.iter().copied(), lo, side, rng);
        side
    }

    /// Moves all bodies.
    pub fn moved(mut self, by: f64) -> Self {
        for x in self.centers.iter_mut().flatten() {
            *x += by;
        }
        self
    }

    /// The same bodies in a box.
    pub fn within(self, lo: [f64; D], hi: [f64; D], periodic: [bool; D]) -> Self {
        let domain = Domain::new(lo, hi, periodic).unwrap_or_else(|error| panic!("a box of the zoo: {error}"));
        Self { domain, ..self }
    }

    /// The same bodies, in contact already at a distance.
    pub fn with_margin(self, margin: f64) -> Self {
        Self { margin, ..self }
    }

    /// All bodies in random order, as users have them.
    pub(super) fn placed(self, count: usize, rng: &mut Rng) -> Placed<D> {
        assert_eq!(self.centers.len(), count, "an arrangement has as many bodies as asked for");
        let mut bodies: Vec<([f64; D], f64)> = self.centers.into_iter().zip(self.radii).collect();
        rng.shuffle(&mut bodies);
        let (centers, radii) = bodies.into_iter().unzip();
        Placed { system: System { centers, radii, domain: self.domain }, margin: self.margin }
    }
}

/// A point evenly at random in a box.
pub fn in_box<const D: usize>(lo: [f64; D], sides: [f64; D], rng: &mut Rng) -> [f64; D] {
    std::array::from_fn(|axis| lo[axis] + sides[axis] * rng.uniform())
}

/// The side of the cube that the bodies fill to `fraction`.
pub fn side_of(radii: &[f64], fraction: f64, dimension: usize) -> f64 {
    let volume: f64 = radii.iter().map(|&radius| ball_volume(radius, dimension)).sum();
    libm::pow(volume / fraction, 1.0 / dimension as f64)
}

/// Radii of a power law, the smallest 1.
pub fn power(exponent: f64, ratio: f64, count: usize, dimension: usize) -> Vec<f64> {
    let law = SizeLaw::power(exponent, ratio).unwrap_or_else(|error| panic!("a law of the zoo: {error}"));
    law.sample(count, dimension)
}

/// A number whose logarithm is evenly distributed.
pub fn log_uniform(lo: f64, hi: f64, rng: &mut Rng) -> f64 {
    lo * libm::exp(rng.uniform() * libm::log(hi / lo))
}

/// A direction in space, all equally likely.
pub fn direction(rng: &mut Rng) -> [f64; 3] {
    let z = 2.0 * rng.uniform() - 1.0;
    let (sin, cos) = libm::sincos(TAU * rng.uniform());
    let across = (1.0 - z * z).sqrt();
    [across * cos, across * sin, z]
}

/// `center + length * direction`.
pub fn ahead<const D: usize>(center: [f64; D], length: f64, direction: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| center[axis] + length * direction[axis])
}

/// The sizes of `groups` groups that make up `count`, as equal as can be.
pub fn shares(count: usize, groups: usize) -> impl Iterator<Item = usize> {
    (0..groups).map(move |group| count * (group + 1) / groups - count * group / groups)
}
