//! Bodies with a name: what the suites run methods on.

use multigrain::Rng;
use multigrain::System;
use multigrain::{Axes, Dimension, Domain, Snapshot};

/// A named system of bodies.
pub struct Scene<const D: usize> {
    pub name: String,
    pub centers: Vec<[f64; D]>,
    pub radii: Vec<f64>,
    pub domain: Domain<D>,
    pub margin: f64,
    /// Cell sizes to try on this scene besides the usual ones.
    pub cell_sizes: Vec<Vec<f64>>,
}

impl<const D: usize> Scene<D>
where
    Axes: Dimension<D>,
{
    /// Bodies in open space.
    pub fn new(name: impl Into<String>, centers: Vec<[f64; D]>, radii: Vec<f64>) -> Self {
        let domain = Domain::open();
        Self { name: name.into(), centers, radii, domain, margin: 0.0, cell_sizes: Vec::new() }
    }

    pub fn of(name: impl Into<String>, system: System<D>) -> Self {
        Self { domain: system.domain, ..Self::new(name, system.centers, system.radii) }
    }

    /// The same bodies in a box, its axes periodic or not.
    pub fn within(self, lo: [f64; D], hi: [f64; D], periodic: [bool; D]) -> Self {
        Self { domain: Domain::new(lo, hi, periodic).unwrap(), ..self }
    }

    pub fn with_margin(self, margin: f64) -> Self {
        Self { margin, ..self }
    }

    pub fn cell_sizes(mut self, sizes: &[f64]) -> Self {
        self.cell_sizes.push(sizes.into());
        self
    }

    /// This scene once per choice of periodic axes: none, the first, all but the first, all.
    pub fn in_every_domain(self, lo: [f64; D], hi: [f64; D]) -> Vec<Self> {
        periodic_axes()
            .into_iter()
            .map(|(axes, periodic)| {
                let name = format!("{}, {axes} periodic", self.name);
                Self { name, ..self.copy() }.within(lo, hi, periodic)
            })
            .collect()
    }

    pub fn copy(&self) -> Self {
        Self {
            name: self.name.clone(),
            centers: self.centers.clone(),
            radii: self.radii.clone(),
            domain: self.domain,
            margin: self.margin,
            cell_sizes: self.cell_sizes.clone(),
        }
    }

    /// The scene as a detector takes it.
    pub fn now(&self) -> Snapshot<'_, D> {
        let now = Snapshot::new(&self.centers, &self.radii).and_then(|now| now.within(self.domain));
        match now.and_then(|now| now.with_margin(self.margin)) {
            Ok(now) => now,
            Err(error) => panic!("{}: {error}", self.name),
        }
    }
}

/// No axis, the first, all but the first, and all, with words for them.
pub fn periodic_axes<const D: usize>() -> [(&'static str, [bool; D]); 4] {
    [
        ("nothing", [false; D]),
        ("x", std::array::from_fn(|axis| axis == 0)),
        ("all but x", std::array::from_fn(|axis| axis != 0)),
        ("every axis", [true; D]),
    ]
}

/// A point uniformly random in a box.
pub fn point_in<const D: usize>(rng: &mut Rng, lo: f64, hi: f64) -> [f64; D] {
    std::array::from_fn(|_| lo + (hi - lo) * rng.uniform())
}

/// A number between `lo` and `hi` whose logarithm is uniformly random.
pub fn log_uniform(rng: &mut Rng, lo: f64, hi: f64) -> f64 {
    (lo.ln() + (hi / lo).ln() * rng.uniform()).exp()
}

/// A random direction of length 1, up to rounding.
pub fn direction<const D: usize>(rng: &mut Rng) -> [f64; D] {
    let vector: [f64; D] = std::array::from_fn(|_| rng.normal());
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.map(|x| x / length)
}
