//! A particle as it is handed to a simulation.

use crate::clumps::{Quaternion, UPRIGHT};
use crate::vector::Spin;
use multigrain::System;

/// A particle that is to join a simulation. Its mass follows from its radius or shape and the density of its material.
///
/// ```
/// use multigrain_dem::Grain;
/// let grain = Grain::at([0.0, 1.0], 0.5).velocity([2.0, 0.0]).material(1);
/// assert!(!grain.held);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grain<const D: usize> {
    /// Where its center is.
    pub position: [f64; D],
    /// Velocity of its center.
    pub velocity: [f64; D],
    /// Angular velocity; in the plane only the third component is used.
    pub spin: Spin,
    /// Its radius; of a polygon that of the circle around it, which its shape decides.
    pub radius: f64,
    /// Number of its shape, in the order in which shapes were added to the setup; `None` for spheres and discs.
    pub shape: Option<u32>,
    /// By how much it is turned, in the plane, counter-clockwise; nothing shows it but polygons.
    pub angle: f64,
    /// Number of its clump shape, in the order in which these were added to the setup; `None` for what is no clump.
    pub clump: Option<u32>,
    /// How a clump is turned.
    pub turned: Quaternion,
    /// Number of its material, in the order in which materials were added.
    pub material: u16,
    /// Whether it keeps its velocity and spin whatever pushes it.
    pub held: bool,
    /// Its temperature, where its material conducts heat; that of the setup by default.
    pub temperature: Option<f64>,
}

impl<const D: usize> Grain<D> {
    /// A grain of the first material, at rest.
    pub const fn at(position: [f64; D], radius: f64) -> Self {
        Self {
            position,
            velocity: [0.0; D],
            spin: [0.0; 3],
            radius,
            shape: None,
            angle: 0.0,
            clump: None,
            turned: UPRIGHT,
            material: 0,
            held: false,
            temperature: None,
        }
    }

    /// A clump of the first material, at rest and upright, with its center of mass here: see
    /// [`Setup::clump_shape`](crate::Setup::clump_shape).
    pub const fn clump(shape: u32, position: [f64; D]) -> Self {
        Self { clump: Some(shape), ..Self::at(position, 0.0) }
    }

    /// The same clump turned by this quaternion, the real part first, of any length.
    pub const fn turned(self, turned: Quaternion) -> Self {
        Self { turned, ..self }
    }

    /// The same with this velocity.
    pub const fn velocity(self, velocity: [f64; D]) -> Self {
        Self { velocity, ..self }
    }

    /// The same with this angular velocity.
    pub const fn spin(self, spin: Spin) -> Self {
        Self { spin, ..self }
    }

    /// The same of the material with this number.
    pub const fn material(self, material: u16) -> Self {
        Self { material, ..self }
    }

    /// The same, but nothing can push it: it keeps its velocity and spin.
    pub const fn held(self) -> Self {
        Self { held: true, ..self }
    }

    /// The same with this temperature.
    pub const fn temperature(self, temperature: f64) -> Self {
        Self { temperature: Some(temperature), ..self }
    }

    /// The same turned by this angle.
    pub const fn angle(self, angle: f64) -> Self {
        Self { angle, ..self }
    }

    /// The bodies of a system as grains of the first material, at rest.
    pub fn all_of(system: &System<D>) -> Vec<Self> {
        system.centers.iter().zip(&system.radii).map(|(&position, &radius)| Self::at(position, radius)).collect()
    }
}

impl Grain<2> {
    /// A polygon of the first material, at rest, with its centroid here: see [`Setup::shape`](crate::Setup::shape).
    pub const fn polygon(shape: u32, position: [f64; 2]) -> Self {
        Self { shape: Some(shape), ..Self::at(position, 0.0) }
    }
}
