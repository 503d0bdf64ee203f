//! Walls in the plane that are made of solid polygons.

use super::Wall;
use crate::vector::{add_scaled, length, scale, sub};
use std::f64::consts::TAU;

impl Wall<2> {
    /// A slab below the line from `start` to `end`, seen along it: grains are on the left.
    ///
    /// ```
    /// use multigrain_dem::{Shape, Wall};
    /// let floor = Wall::slab([0.0, 0.0], [2.0, 0.0], 0.5);
    /// assert_eq!(floor.shape, Shape::Polygon { corners: vec![[0.0, 0.0], [0.0, -0.5], [2.0, -0.5], [2.0, 0.0]] });
    /// ```
    pub fn slab(start: [f64; 2], end: [f64; 2], thickness: f64) -> Self {
        let way = sub(end, start);
        let down = scale([way[1], -way[0]], thickness / length(way));
        let below = |corner| add_scaled(corner, down, 1.0);
        Self::polygon(vec![start, below(start), below(end), end])
    }

    /// A ring of flat pieces, at least three, with its inner sides at `radius`: a drum, once it is turned and moves.
    pub fn ring(center: [f64; 2], radius: f64, thickness: f64, pieces: usize) -> Vec<Self> {
        let pieces = pieces.max(3);
        let corner = |reach: f64, k: usize| {
            let (sin, cos) = libm::sincos(TAU * k as f64 / pieces as f64);
            add_scaled(center, [cos, sin], reach)
        };
        let outer = radius + thickness;
        let piece = |k: usize| vec![corner(radius, k), corner(outer, k), corner(outer, k + 1), corner(radius, k + 1)];
        (0..pieces).map(|k| Self::polygon(piece(k))).collect()
    }
}
