//! Tiny bodies in huge boxes: every power of ten that may meet another.

use crate::scene::{Scene, point_in};
use multigrain::{Axes, Dimension, Rng};

/// Exponents of ten of box sides and, negative, of radii.
const EXPONENTS: [i32; 7] = [0, 20, 40, 50, 60, 90, 120];

/// Three bodies, two of them in the same place; and in fewer boxes two hundred, two of them in the same place.
pub fn scenes<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut all = Vec::new();
    for side in EXPONENTS {
        for radius in EXPONENTS {
            let (side, radius) = (10f64.powi(side), 10f64.powi(-radius));
            for (axes, periodic) in [("x", std::array::from_fn(|axis| axis == 0)), ("every axis", [true; D])] {
                let name = |count: usize| format!("{count} bodies of {radius:e} in a box of {side:e}, {axes} periodic");
                let three = vec![[133.5; D], [63.1; D], [133.5; D]];
                all.push(Scene::new(name(3), three, vec![radius; 3]).within([0.0; D], [side; D], periodic));
                if side >= 1e50 && radius <= 1e-40 {
                    let mut rng = Rng::new(3);
                    let mut many: Vec<[f64; D]> = (0..200).map(|_| point_in(&mut rng, 0.0, 100.0)).collect();
                    many[199] = many[0];
                    all.push(Scene::new(name(200), many, vec![radius; 200]).within([0.0; D], [side; D], periodic));
                }
            }
        }
    }
    all
}
