//! Grains of very different sizes, for tests of this crate and of those that run simulations in parts.

use multigrain::{Axes, Dimension, Rng};
use multigrain_dem::{Grain, Setup, Spin, Wall};

/// A grain in each cell of a cube of cells, near its middle, with a random spin and velocity; every third is of the second
/// material, and a boulder is among them.
pub struct Mixture {
    pub seed: u64,
    /// Mean radius and how far others are from it at most.
    pub radii: (f64, f64),
    pub boulder: f64,
    /// Of each component of the velocity, at most.
    pub speed: f64,
}

impl Mixture {
    pub fn grains<const D: usize>(&self, count: usize) -> Vec<Grain<D>>
    where
        Axes: Dimension<D>,
    {
        let side = side::<D>(count);
        let mut rng = Rng::new(self.seed);
        let grain = |k: usize| {
            let mut cell = k as f64;
            let position = std::array::from_fn(|_| {
                let along = cell % side;
                cell = (cell / side).floor();
                along + 0.4 + 0.2 * rng.uniform()
            });
            let mut draw = || 2.0 * rng.uniform() - 1.0;
            let spin: Spin = if D == 2 { [0.0, 0.0, draw()] } else { [draw(), draw(), draw()] };
            let (mean, further) = self.radii;
            let radius = if k == count / 2 { self.boulder } else { mean + further * draw() };
            let velocity = std::array::from_fn(|_| self.speed * draw());
            Grain::at(position, radius).velocity(velocity).spin(spin).material(k.is_multiple_of(3).into())
        };
        (0..count).map(grain).collect()
    }
}

/// The side of a cube with a cell of side 1 for each grain.
pub fn side<const D: usize>(count: usize) -> f64 {
    (count as f64).powf(1.0 / D as f64).ceil()
}

/// The same with planes along all borders of the cube that are not periodic, the upper ones of the second material.
pub fn walled<const D: usize>(mut setup: Setup<D>, side: f64, periodic: [bool; D]) -> Setup<D>
where
    Axes: Dimension<D>,
{
    for axis in (0..D).filter(|&axis| !periodic[axis]) {
        let up: [f64; D] = std::array::from_fn(|k| f64::from(k == axis));
        setup = setup.wall(Wall::plane([0.0; D], up)).wall(Wall::plane([side; D], up.map(|x| -x)).material(1));
    }
    setup
}
