//! Walls: surfaces that hold grains back, carry them along, and may move themselves.

mod features;
mod merge;
mod motion;
mod nearest;
mod pieces;
mod solids;

pub(crate) use features::{Obstacles, Touch};

use crate::vector::{Spin, add_scaled, dot, length, sub};

/// A surface. It may carry grains along, as a conveyor or a turning drum does, and stays where it is unless it is
/// [`moving`](Self::moving): then it goes along with its surface, as a piston or a paddle does.
///
/// ```
/// use multigrain_dem::Wall;
/// let floor = Wall::plane([0.0, 0.0], [0.0, 1.0]);
/// let belt = Wall::plate(vec![[0.0, 0.0], [5.0, 1.0]]).carrying([0.3, 0.06]).material(1);
/// let piston = Wall::plane([0.0, 5.0], [0.0, -1.0]).carrying([0.0, -0.1]).moving();
/// let drum = Wall::<2>::cylinder([0.0, 0.0], [0.0, 0.0], 1.0).turning([0.0, 0.0, 2.0], [0.0, 0.0]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Wall<const D: usize> {
    /// Its shape.
    pub shape: Shape<D>,
    /// Number of its material.
    pub material: u16,
    /// Velocity of its surface, the same everywhere.
    pub velocity: [f64; D],
    /// Angular velocity of its surface; in the plane only the third component is used.
    pub spin: Spin,
    /// A point on the axis of its spin, at the start if it moves.
    pub about: [f64; D],
    /// Whether the wall itself goes along with its surface.
    pub moves: bool,
}

/// The shape of a wall.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape<const D: usize> {
    /// All of space is free on the side that the normal points to, and wall on the other.
    Plane {
        /// A point on the surface.
        point: [f64; D],
        /// The direction towards the free side, of any length.
        normal: [f64; D],
    },
    /// The inside of a box is free.
    Box {
        /// Lower corner.
        lo: [f64; D],
        /// Upper corner.
        hi: [f64; D],
    },
    /// The inside of an endless cylinder is free; in the plane the inside of a circle.
    Cylinder {
        /// A point on its axis.
        point: [f64; D],
        /// Direction of its axis, of any length; not used in the plane.
        axis: [f64; D],
        /// Its radius.
        radius: f64,
    },
    /// A thin plate with edges, that holds grains back on both sides: in the plane from one point to another, in space a
    /// flat convex polygon.
    Plate {
        /// Its corners, in order.
        corners: Vec<[f64; D]>,
    },
    /// A convex polygon, solid, in the plane only.
    Polygon {
        /// Its corners, in order.
        corners: Vec<[f64; D]>,
    },
    /// A thin funnel that holds grains back on both sides: the side of a truncated cone, in space only. Both openings must
    /// be wider than the largest grain.
    Funnel {
        /// Centers of both openings.
        ends: [[f64; D]; 2],
        /// Radii of both openings.
        radii: [f64; 2],
    },
}

impl<const D: usize> Shape<D> {
    /// Whether a point is on the side that is all wall; thin walls have none.
    pub(crate) fn is_behind(&self, x: [f64; D]) -> bool {
        match self {
            &Self::Plane { point, normal } => dot(sub(x, point), normal) < 0.0,
            Self::Box { lo, hi } => (0..D).any(|axis| x[axis] < lo[axis] || x[axis] > hi[axis]),
            &Self::Cylinder { point, axis, radius } => {
                let (way, squared) = (sub(x, point), dot(axis, axis));
                let along = if D == 3 && squared > 0.0 { dot(way, axis) / squared } else { 0.0 };
                length(add_scaled(way, axis, -along)) > radius
            }
            Self::Plate { .. } | Self::Polygon { .. } | Self::Funnel { .. } => false,
        }
    }
}

impl<const D: usize> Wall<D> {
    /// A wall of this shape and the first material, at rest.
    pub const fn new(shape: Shape<D>) -> Self {
        Self { shape, material: 0, velocity: [0.0; D], spin: [0.0; 3], about: [0.0; D], moves: false }
    }

    /// All of space is free on the side that the normal points to.
    pub const fn plane(point: [f64; D], normal: [f64; D]) -> Self {
        Self::new(Shape::Plane { point, normal })
    }

    /// The inside of a box is free.
    pub const fn inside_box(lo: [f64; D], hi: [f64; D]) -> Self {
        Self::new(Shape::Box { lo, hi })
    }

    /// The inside of an endless cylinder is free; in the plane, where the axis is not used, the inside of a circle.
    pub const fn cylinder(point: [f64; D], axis: [f64; D], radius: f64) -> Self {
        Self::new(Shape::Cylinder { point, axis, radius })
    }

    /// A thin plate with edges: in the plane two points, in space the corners of a flat convex polygon in order.
    pub const fn plate(corners: Vec<[f64; D]>) -> Self {
        Self::new(Shape::Plate { corners })
    }

    /// A solid convex polygon, in the plane only.
    pub const fn polygon(corners: Vec<[f64; D]>) -> Self {
        Self::new(Shape::Polygon { corners })
    }

    /// The side of a truncated cone, in space only.
    pub const fn funnel(ends: [[f64; D]; 2], radii: [f64; 2]) -> Self {
        Self::new(Shape::Funnel { ends, radii })
    }

    /// The same of the material with this number.
    pub fn material(self, material: u16) -> Self {
        Self { material, ..self }
    }

    /// The same with a surface that moves along with this velocity.
    pub fn carrying(self, velocity: [f64; D]) -> Self {
        Self { velocity, ..self }
    }

    /// The same with a surface that turns about an axis through a point.
    pub fn turning(self, spin: Spin, about: [f64; D]) -> Self {
        Self { spin, about, ..self }
    }

    /// The same, going along with its surface from the start of the simulation on: shifted by its velocity, turned by its spin.
    pub fn moving(self) -> Self {
        Self { moves: true, ..self }
    }
}
