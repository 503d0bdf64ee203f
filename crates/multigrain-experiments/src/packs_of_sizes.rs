//! Packs of MMR's experiments: spheres of many sizes without overlap, in any number.

use crate::error::Result;
use crate::experiment::Context;
use crate::packings::Recipe;
use multigrain::{Domain, Rng, System};

/// Largest diameter over the smallest, in the paper.
pub const RATIO: f64 = 32.0;

/// The packing density of the paper.
pub const DENSITY: f64 = 0.5;

/// A pack that was grown in a periodic box, and copies of it side by side.
#[derive(Debug, Clone, Copy)]
pub struct Pack {
    /// Exponent of the number density of sizes.
    pub exponent: f64,
    /// Largest over smallest size.
    pub ratio: f64,
    /// Volume of the spheres over that of the box.
    pub density: f64,
    /// Bodies that are grown.
    pub grown: usize,
    /// Copies along each axis.
    pub copies: usize,
}

impl Pack {
    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.grown * self.copies.pow(3)
    }

    /// What tells it from others.
    pub fn key(&self) -> String {
        let Self { exponent, ratio, density, grown, copies } = self;
        format!("exponent={exponent},w={ratio},density={density},grown={grown},copies={copies}")
    }

    /// Grows what is copied, for the cache.
    pub fn prepare(&self, context: &Context<'_>) -> Result<()> {
        self.recipe()?.grow(context).map(|_| ())
    }

    /// How long that takes, about; a pack of which there are copies has mostly been grown for others.
    pub fn seconds_of_growth(&self) -> f64 {
        if self.copies == 1 || self.grown > 100_000 { 6e-4 * self.grown as f64 } else { 0.01 }
    }

    fn recipe(&self) -> Result<Recipe> {
        Recipe::power(self.exponent, self.ratio, self.grown, self.density, true)
    }

    /// The pack in a periodic box, bodies numbered row by row.
    pub fn make(&self, context: &Context<'_>) -> Result<System<3>> {
        let one = self.recipe()?.grow(context)?;
        let lengths = one.domain.lengths();
        let mut centers = Vec::with_capacity(self.len());
        let mut radii = Vec::with_capacity(self.len());
        for copy in 0..self.copies.pow(3) {
            let steps = [copy % self.copies, copy / self.copies % self.copies, copy / self.copies.pow(2)];
            for (center, radius) in one.centers.iter().zip(&one.radii) {
                centers.push(std::array::from_fn(|axis| center[axis] + steps[axis] as f64 * lengths[axis]));
                radii.push(*radius);
            }
        }
        let lo = one.domain.lo();
        let hi = std::array::from_fn(|axis| lo[axis] + self.copies as f64 * lengths[axis]);
        Ok(numbered_by_place(System { centers, radii, domain: Domain::periodic(lo, hi)? }))
    }
}

/// Moves every coordinate by up to a share of the smallest diameter.
pub fn shake(centers: &mut [[f64; 3]], smallest_radius: f64, share: f64, rng: &mut Rng) {
    let most = 2.0 * smallest_radius * share;
    centers.iter_mut().flatten().for_each(|x| *x += most * (2.0 * rng.uniform() - 1.0));
}

/// The same bodies with numbers that go along x, then y, then z, by cells that hold one body on average.
fn numbered_by_place(system: System<3>) -> System<3> {
    let lengths = system.domain.lengths();
    let per_length = (system.centers.len() as f64 / lengths.iter().product::<f64>()).cbrt();
    let cell = |body: u32| system.centers[body as usize].map(|along| (along * per_length).floor() as i64);
    let mut order: Vec<u32> = (0..system.centers.len() as u32).collect();
    order.sort_by_cached_key(|&body| {
        let [x, y, z] = cell(body);
        [z, y, x]
    });
    let centers = order.iter().map(|&body| system.centers[body as usize]).collect();
    let radii = order.iter().map(|&body| system.radii[body as usize]).collect();
    System { centers, radii, domain: system.domain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Silent;

    #[test]
    fn copies_of_a_grown_pack_do_not_overlap() {
        let folder = tempfile::tempdir().unwrap();
        let context = Context { cache: folder.path(), seed: 3, watch: &Silent };
        let pack = Pack { exponent: -4.0, ratio: 4.0, density: 0.4, grown: 200, copies: 2 };
        let system = pack.make(&context).unwrap();
        assert_eq!((system.radii.len(), pack.len()), (1600, 1600));
        assert!(multigrain::find_pairs(system.snapshot().unwrap()).is_empty());
        assert!((system.packing_fraction() - 0.4).abs() < 1e-6);
    }
}
