//! A particle system as read from or written to a file.

use multigrain::{Domain, Snapshot};

/// A particle system of two or three dimensions.
#[derive(Debug, Clone, PartialEq)]
pub enum System {
    /// Discs in the plane.
    Flat(Particles<2>),
    /// Spheres in space.
    Solid(Particles<3>),
}

/// Particles and, where the file tells, the box they live in.
#[derive(Debug, Clone, PartialEq)]
pub struct Particles<const D: usize> {
    /// Centers, by particle.
    pub centers: Vec<[f64; D]>,
    /// Radii, by particle.
    pub radii: Vec<f64>,
    /// Box and periodic axes, where known.
    pub domain: Option<Domain<D>>,
}

impl<const D: usize> Particles<D> {
    /// No particles yet, with room for `count`.
    pub fn with_capacity(count: usize) -> Self {
        Self { centers: Vec::with_capacity(count), radii: Vec::with_capacity(count), domain: None }
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.radii.len()
    }

    /// Whether there are no particles.
    pub fn is_empty(&self) -> bool {
        self.radii.is_empty()
    }

    /// The particles as the engine sees them, in open space.
    pub fn snapshot(&self) -> Result<Snapshot<'_, D>, multigrain::Error> {
        Snapshot::new(&self.centers, &self.radii)
    }

    /// The box, or the bounds of the spheres where there is none; unit size for nothing at all.
    pub fn bounds(&self) -> ([f64; D], [f64; D]) {
        if let Some(domain) = &self.domain {
            return (domain.lo(), domain.hi());
        }
        let (mut lo, mut hi) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
        for (center, radius) in self.centers.iter().zip(&self.radii) {
            for axis in 0..D {
                lo[axis] = lo[axis].min(center[axis] - radius);
                hi[axis] = hi[axis].max(center[axis] + radius);
            }
        }
        for axis in 0..D {
            if lo[axis] > hi[axis] {
                (lo[axis], hi[axis]) = (0.0, 1.0);
            }
        }
        (lo, hi)
    }

    /// Which axes are periodic.
    pub fn periodic(&self) -> [bool; D] {
        std::array::from_fn(|axis| self.domain.is_some_and(|domain| domain.is_periodic(axis)))
    }
}

impl From<Particles<2>> for System {
    fn from(particles: Particles<2>) -> Self {
        Self::Flat(particles)
    }
}

impl From<Particles<3>> for System {
    fn from(particles: Particles<3>) -> Self {
        Self::Solid(particles)
    }
}

/// The name of an axis in columns and flags.
pub const AXES: [&str; 3] = ["x", "y", "z"];

/// The domain that a file gives. On an open axis a box is information only, so there it may be flat.
pub fn file_domain<const D: usize>(lo: [f64; D], hi: [f64; D], periodic: [bool; D]) -> anyhow::Result<Domain<D>> {
    let is_flat = |axis: usize| !periodic[axis] && lo[axis] == hi[axis];
    let widened = |bounds: [f64; D], by: f64| -> [f64; D] {
        std::array::from_fn(
            |axis| if is_flat(axis) { bounds[axis] + by * (1.0 + bounds[axis].abs()) } else { bounds[axis] },
        )
    };
    Ok(Domain::new(widened(lo, -0.5), widened(hi, 0.5), periodic)?)
}
