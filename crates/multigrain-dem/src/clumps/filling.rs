//! Clumps in the places of the spheres around them.

use super::{ClumpShape, UPRIGHT, random_turn, unit};
use crate::error::Error;
use crate::grain::Grain;
use multigrain::{Axes, Dimension, Rng, System};
use std::collections::HashMap;

impl<const D: usize> ClumpShape<D>
where
    Axes: Dimension<D>,
{
    /// A clump of this shape in each sphere of a system, as large as fits it and turned at random or upright, with its center of mass in
    /// that of the sphere: shapes, one for each size, and grains.
    ///
    /// ```
    /// use multigrain::{Domain, System};
    /// use multigrain_dem::ClumpShape;
    /// let pair = ClumpShape::new(&[([-1.0, 0.0], 1.0), ([1.0, 0.0], 1.0)])?;
    /// let around = System { centers: vec![[0.0; 2], [5.0, 0.0]], radii: vec![1.0, 1.0], domain: Domain::open() };
    /// let (shapes, clumps) = pair.fill(&around, false, 1)?;
    /// assert_eq!((shapes.len(), clumps.len()), (1, 2));
    /// assert!((shapes[0].radius() - 1.0).abs() < 1e-12);
    /// # Ok::<(), multigrain_dem::Error>(())
    /// ```
    pub fn fill(&self, around: &System<D>, upright: bool, seed: u64) -> Result<(Vec<Self>, Vec<Grain<D>>), Error> {
        // Another sequence than those of sizes and places.
        let mut rng = Rng::new(seed.rotate_left(32) ^ 0x636c_756d);
        let mut shapes = Vec::new();
        let mut known: HashMap<u64, u32> = HashMap::new();
        let mut clumps = Vec::with_capacity(around.radii.len());
        for (&center, &radius) in around.centers.iter().zip(&around.radii) {
            let turned = if upright { UPRIGHT } else { unit(random_turn(&mut rng, D)).unwrap_or(UPRIGHT) };
            let shape = match known.get(&radius.to_bits()) {
                Some(&shape) => shape,
                None => {
                    let shape = shapes.len() as u32;
                    shapes.push(self.scaled(radius / self.radius())?);
                    known.insert(radius.to_bits(), shape);
                    shape
                }
            };
            clumps.push(Grain::clump(shape, center).turned(turned));
        }
        Ok((shapes, clumps))
    }
}
