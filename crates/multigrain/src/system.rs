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
        self.radii.iter().map(|&radius| ball_volume(radius, D)).sum::<f64>() / self.domain.volume()
    }
}
