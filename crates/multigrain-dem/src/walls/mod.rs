//! Walls: surfaces that hold grains back, carry them along, and may move themselves.

mod drive;
mod features;
mod merge;
mod mesh;
mod motion;
mod nearest;
mod obstacles;
mod pieces;
mod pose;
mod slab;
mod solids;

pub use drive::{Drive, Oscillation, Servo, TimeTable};
pub(crate) use motion::Steering;
pub(crate) use obstacles::{Obstacles, Touch};

use crate::vector::{Spin, add_scaled, dot, length, sub};
use multigrain_meshes::Surface;
use std::sync::Arc;

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
    /// Its temperature, if it conducts heat to grains.
    pub temperature: Option<f64>,
    /// How the wall moves beside that.
    pub drive: Drive<D>,
    /// The time at which its motion begins.
    pub start: f64,
    /// How grains that slide on it wear it off; `None` where that is not looked at.
    pub wear: Option<Wear>,
}

/// Wear after Archard: sliding takes the volume `coefficient * normal force * way / hardness`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wear {
    /// Without unit.
    pub coefficient: f64,
    /// Force per area.
    pub hardness: f64,
}

/// The shape of a wall.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
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
    /// A thin funnel that holds grains back on both sides: the side of a truncated cone or a cylinder with ends, in space only. Both
    /// openings must be wider than the largest grain, or closed, or the point of a cone.
    Funnel {
        /// Centers of both openings.
        ends: [[f64; D]; 2],
        /// Radii of both openings.
        radii: [f64; 2],
        /// Whether each opening is closed by a flat disc.
        closed: [bool; 2],
    },
    /// Many thin faces that hold grains back on both sides: triangles in space, straight pieces of a line in the plane. Where
    /// they share edges they are one surface.
    Mesh {
        /// The faces.
        surface: Arc<Surface<D>>,
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
            Self::Plate { .. } | Self::Polygon { .. } | Self::Funnel { .. } | Self::Mesh { .. } => false,
        }
    }
}

impl<const D: usize> Wall<D> {
    /// A wall of this shape and the first material, at rest.
    pub const fn new(shape: Shape<D>) -> Self {
        Self {
            shape,
            material: 0,
            velocity: [0.0; D],
            spin: [0.0; 3],
            about: [0.0; D],
            moves: false,
            temperature: None,
            drive: Drive::None,
            start: 0.0,
            wear: None,
        }
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
        Self::new(Shape::Funnel { ends, radii, closed: [false; 2] })
    }

    /// A cylinder with ends, or a cone, closed at one end or both, in space only; grains are inside or outside.
    pub const fn closed_cone(ends: [[f64; D]; 2], radii: [f64; 2], closed: [bool; 2]) -> Self {
        Self::new(Shape::Funnel { ends, radii, closed })
    }

    /// The faces of a mesh.
    ///
    /// ```
    /// use multigrain_dem::Wall;
    /// use multigrain_meshes::Surface;
    /// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.5], [0.0, 1.0, 0.5]];
    /// let (ramp, findings) = Surface::new(corners, [[0, 1, 2], [0, 2, 3]])?;
    /// findings.iter().for_each(|finding| println!("{finding}"));
    /// let wall = Wall::mesh(ramp);
    /// # Ok::<(), multigrain_meshes::MeshError>(())
    /// ```
    pub fn mesh(surface: Surface<D>) -> Self {
        Self::new(Shape::Mesh { surface: Arc::new(surface) })
    }

    /// The same of the material with this number.
    pub fn material(self, material: u16) -> Self {
        Self { material, ..self }
    }

    /// The same with this temperature: grains that touch it are warmed or cooled, as far as both materials conduct heat.
    pub fn temperature(self, temperature: f64) -> Self {
        Self { temperature: Some(temperature), ..self }
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

    /// The same, moved to and fro, along a table of times, or by a servo, from the start of the simulation on.
    pub fn driven(self, drive: Drive<D>) -> Self {
        Self { drive, ..self }
    }

    /// The same, worn off by grains that slide on it.
    pub fn wearing(self, coefficient: f64, hardness: f64) -> Self {
        Self { wear: Some(Wear { coefficient, hardness }), ..self }
    }
}
