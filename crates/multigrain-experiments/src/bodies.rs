//! Bodies at the centres of cells, and their motion from cell to cell: the systems of mr and comparison.

use crate::error::Result;
use multigrain::Rng;
use multigrain::{Error, Snapshot};

/// Spheres of diameter 1, which is also the size of a cell.
const RADIUS: f64 = 0.5;

/// Spheres on their way.
#[derive(Debug, Clone)]
pub struct CellBodies {
    /// Centers.
    pub centers: Vec<[f64; 3]>,
    /// Radii.
    pub radii: Vec<f64>,
    rng: Rng,
}

/// How bodies move between two detections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// Not at all.
    None,
    /// Each coordinate by up to a hundredth of a cell.
    Hundredth,
    /// Each coordinate by -1, 0 or 1 cell, equally likely.
    OneCell,
}

impl Motion {
    /// Its name in keys and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "rest",
            Self::Hundredth => "slow",
            Self::OneCell => "motion",
        }
    }
}

impl CellBodies {
    /// Spheres at given places.
    pub fn at(centers: Vec<[f64; 3]>, radii: Vec<f64>, seed: u64) -> Self {
        Self { centers, radii, rng: Rng::new(seed) }
    }

    /// This many of diameter 1 on a raster that is as cubic as can be, its points this many diameters apart along x, y and z. The
    /// axes are walked in this order from the slowest to the fastest.
    pub fn raster(count: usize, spacing: [f64; 3], order: [usize; 3], seed: u64) -> Self {
        let side = cube_root_up(count);
        let along = [side, side, count.div_ceil(side * side).max(1)];
        let centers = (0..count).map(|body| {
            // The slowest axis has as many planes as are needed, so that all planes but the last are full.
            let steps = [body / (along[0] * along[1]), body / along[0] % along[1], body % along[0]];
            let mut center = [0.0; 3];
            for (axis, step) in order.into_iter().zip(steps) {
                center[axis] = (step as f64 + 0.5) * spacing[axis];
            }
            center
        });
        let centers: Vec<_> = centers.collect();
        Self::at(centers, vec![RADIUS; count], seed)
    }

    /// In random cells of a cube whose side is 3 times the cube root of their number, in random order.
    pub fn random_cells(count: usize, seed: u64) -> Self {
        let side = (3.0 * (count as f64).cbrt()).round() as u64;
        let mut rng = Rng::new(seed);
        let centers = (0..count).map(|_| [(); 3].map(|()| rng.below(side) as f64 + 0.5)).collect();
        Self { centers, radii: vec![RADIUS; count], rng }
    }

    /// All in one cell.
    pub fn in_one_cell(count: usize) -> Self {
        Self::at(vec![[0.5; 3]; count], vec![RADIUS; count], 0)
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.radii.len()
    }

    /// As detectors take them.
    pub fn snapshot(&self) -> Result<Snapshot<'_, 3>, Error> {
        Snapshot::new(&self.centers, &self.radii)
    }

    /// Moves all bodies.
    pub fn advance(&mut self, motion: Motion) {
        let rng = &mut self.rng;
        let places = self.centers.iter_mut().flatten();
        match motion {
            Motion::None => (),
            Motion::Hundredth => places.for_each(|x| *x += 0.01 * (2.0 * rng.uniform() - 1.0)),
            Motion::OneCell => places.for_each(|x| *x += rng.below(3) as f64 - 1.0),
        }
    }

    /// The same bodies, each anywhere in its cell instead of in the middle.
    pub fn anywhere_in_cells(mut self) -> Self {
        let rng = &mut self.rng;
        self.centers.iter_mut().flatten().for_each(|x| *x += rng.uniform() - 0.5);
        self
    }
}

/// The smallest number whose cube is at least `count`.
fn cube_root_up(count: usize) -> usize {
    let mut root = (count as f64).cbrt() as usize;
    while root.pow(3) < count {
        root += 1;
    }
    root.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rasters_are_walked_in_the_order_given() {
        let bodies = CellBodies::raster(8, [1.0, 2.0, 3.0], [0, 1, 2], 1);
        assert_eq!(bodies.centers[..3], [[0.5, 1.0, 1.5], [0.5, 1.0, 4.5], [0.5, 3.0, 1.5]]);
        let turned = CellBodies::raster(8, [1.0; 3], [2, 1, 0], 1);
        assert_eq!(turned.centers[..3], [[0.5, 0.5, 0.5], [1.5, 0.5, 0.5], [0.5, 1.5, 0.5]]);
        assert_eq!(CellBodies::raster(5_000_211, [1.0; 3], [2, 1, 0], 1).centers[5_000_210], [170.5; 3]);
    }

    #[test]
    fn motion_is_by_a_cell_at_most_and_named_by_its_seed() {
        let start = CellBodies::raster(1000, [1.0; 3], [2, 1, 0], 7);
        let mut moved = start.clone();
        moved.advance(Motion::OneCell);
        let steps: Vec<f64> =
            start.centers.iter().flatten().zip(moved.centers.iter().flatten()).map(|(a, b)| b - a).collect();
        assert!([-1.0, 0.0, 1.0].iter().all(|step| steps.iter().filter(|&other| other == step).count() > 800));
        let mut again = start.clone();
        again.advance(Motion::OneCell);
        assert_eq!(again.centers, moved.centers);
        moved.advance(Motion::None);
        assert_eq!(again.centers, moved.centers);
    }
}
