//! Grains as they are analyzed.

use multigrain::sizes::ball_volume;
use multigrain::{Axes, Dimension, Domain, Error, Snapshot};

/// Borrowed grains and the box around them.
#[derive(Debug, Clone, Copy)]
pub struct Grains<'a, const D: usize> {
    /// Centers.
    pub centers: &'a [[f64; D]],
    /// Radii.
    pub radii: &'a [f64],
    /// Velocities, where they are known.
    pub velocities: Option<&'a [[f64; D]]>,
    domain: Domain<D>,
    lo: [f64; D],
    hi: [f64; D],
}

impl<'a, const D: usize> Grains<'a, D>
where
    Axes: Dimension<D>,
{
    /// Grains without velocities. Along periodic axes the domain is the box that is analyzed, along others the grains themselves
    /// are: from the lowest to the highest point of all.
    pub fn new(centers: &'a [[f64; D]], radii: &'a [f64], domain: Domain<D>) -> Result<Self, Error> {
        Snapshot::new(centers, radii)?.within(domain)?;
        let (mut lo, mut hi) = (domain.lo(), domain.hi());
        for axis in 0..D {
            if domain.is_periodic(axis) {
                continue;
            }
            let ends = |side: f64| centers.iter().zip(radii).map(move |(center, radius)| center[axis] + side * radius);
            lo[axis] = ends(-1.0).fold(f64::INFINITY, f64::min);
            hi[axis] = ends(1.0).fold(f64::NEG_INFINITY, f64::max);
            if lo[axis] >= hi[axis] {
                (lo[axis], hi[axis]) = (0.0, 1.0);
            }
        }
        Ok(Self { centers, radii, velocities: None, domain, lo, hi })
    }

    /// The same with velocities, one for each grain.
    pub fn moving(self, velocities: &'a [[f64; D]]) -> Self {
        assert_eq!(velocities.len(), self.len(), "there is a velocity for each grain");
        Self { velocities: Some(velocities), ..self }
    }

    /// The same in the walls of a container: the box that is analyzed is the domain along all axes.
    pub fn in_container(self) -> Self {
        let (lo, hi) = (self.domain.lo(), self.domain.hi());
        let is_finite = (0..D).all(|axis| (hi[axis] - lo[axis]).is_finite());
        if is_finite { Self { lo, hi, ..self } } else { self }
    }

    /// Number of grains.
    pub fn len(&self) -> usize {
        self.radii.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.radii.is_empty()
    }

    /// The space they are in.
    pub fn domain(&self) -> Domain<D> {
        self.domain
    }

    /// Lower and upper corner of the box that is analyzed.
    pub fn bounds(&self) -> ([f64; D], [f64; D]) {
        (self.lo, self.hi)
    }

    /// Length of this box along an axis.
    pub fn length(&self, axis: usize) -> f64 {
        self.hi[axis] - self.lo[axis]
    }

    /// Volume of this box, in the plane its area; where all axes are periodic that of the cell, sheared or not.
    pub fn box_volume(&self) -> f64 {
        if (0..D).all(|axis| self.domain.is_periodic(axis)) {
            return self.domain.volume();
        }
        (0..D).map(|axis| self.length(axis)).product()
    }

    /// Volume of one grain.
    pub fn volume(&self, grain: usize) -> f64 {
        ball_volume(self.radii[grain], D)
    }

    /// Volume of all grains over that of the box.
    pub fn packing_fraction(&self) -> f64 {
        // The sum of nothing is minus zero.
        (0..self.len()).map(|grain| self.volume(grain)).sum::<f64>().abs() / self.box_volume()
    }

    /// The mean diameter.
    pub fn mean_diameter(&self) -> f64 {
        2.0 * self.radii.iter().sum::<f64>() / self.len().max(1) as f64
    }

    /// A center, wrapped into the box along periodic axes.
    pub(crate) fn wrapped(&self, grain: usize) -> [f64; D] {
        self.domain.wrap(self.centers[grain]).0
    }
}
