//! A particle system that owns its bodies.

use crate::domain::Domain;
use crate::error::Error;
use crate::sizes::ball_volume;
use crate::snapshot::Snapshot;

/// Bodies and the box they were placed in. Axes that are not periodic are open; their box is information only.
#[derive(Debug, Clone, PartialEq)]
pub struct System<const D: usize> {
    /// Centers, by particle.
    pub centers: Vec<[f64; D]>,
    /// Radii, by particle.
    pub radii: Vec<f64>,
    /// The box, each axis open or periodic.
    pub domain: Domain<D>,
}

impl<const D: usize> System<D> {
    /// The bodies as a detector takes them.
    pub fn snapshot(&self) -> Result<Snapshot<'_, D>, Error> {
        Snapshot::new(&self.centers, &self.radii)?.within(self.domain)
    }

    /// Volume of all bodies, overlaps counted twice, over the volume of the box.
    pub fn packing_fraction(&self) -> f64 {
        let (lo, hi) = (self.domain.lo(), self.domain.hi());
        let volume: f64 = (0..D).map(|axis| hi[axis] - lo[axis]).product();
        total_volume::<D>(&self.radii) / volume
    }
}

/// Volume of all bodies.
pub(super) fn total_volume<const D: usize>(radii: &[f64]) -> f64 {
    radii.iter().map(|&radius| ball_volume(radius, D)).sum()
}

/// Volume of the box in which the bodies have the packing fraction asked for.
pub(super) fn box_volume<const D: usize>(radii: &[f64], packing_fraction: f64) -> Result<f64, Error> {
    if !(packing_fraction > 0.0 && packing_fraction.is_finite()) {
        let must = "must be positive and finite";
        return Err(Error::Parameter { what: "packing fraction", value: packing_fraction, must });
    }
    if radii.is_empty() {
        return Ok(1.0);
    }
    let total = total_volume::<D>(radii);
    let volume = total / packing_fraction;
    if volume > 0.0 && volume.is_finite() {
        return Ok(volume);
    }
    let must = "must be positive and finite, also divided by the packing fraction";
    Err(Error::Parameter { what: "total volume of the particles", value: total, must })
}

/// An error if a radius is not valid, before any size is derived from it.
pub(super) fn check_radii(radii: &[f64]) -> Result<(), Error> {
    let centers = vec![[0.0]; radii.len()];
    Snapshot::new(&centers, radii).map(drop)
}

/// The side of a cube.
pub(super) fn side_of_cube<const D: usize>(volume: f64) -> f64 {
    match D {
        2 => volume.sqrt(),
        3 => volume.cbrt(),
        _ => volume.powf(1.0 / D as f64),
    }
}
