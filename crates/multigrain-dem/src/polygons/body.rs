//! Bodies of a polygon simulation: grains that move by forces, walls that rest or are driven.

use multigrain_polygons::{ConvexPolygon, Frame, PolygonError};

/// A body to simulate.
#[derive(Debug, Clone, PartialEq)]
pub struct PolygonBody {
    /// Its shape.
    pub shape: ConvexPolygon,
    /// Where it is at the start.
    pub frame: Frame,
    /// Velocity of its centroid at the start.
    pub velocity: [f64; 2],
    /// Angular velocity at the start, counter-clockwise.
    pub spin: f64,
    /// How it is driven, if it is a wall.
    pub drive: Option<Drive>,
}

/// A prescribed motion: shifting with a velocity, turning with a rate around a center that shifts along.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    /// Velocity of the center.
    pub velocity: [f64; 2],
    /// Angular velocity around the center, counter-clockwise.
    pub spin: f64,
    /// The center at the start.
    pub center: [f64; 2],
}

impl Drive {
    /// No motion at all.
    pub const REST: Self = Self { velocity: [0.0; 2], spin: 0.0, center: [0.0; 2] };

    /// A body that starts at `start`, after so much time.
    pub(super) fn frame_at(&self, start: &Frame, time: f64) -> Result<Frame, PolygonError> {
        let turn = self.spin * time;
        let (sin, cos) = turn.sin_cos();
        let arm = [start.position()[0] - self.center[0], start.position()[1] - self.center[1]];
        let turned = [cos * arm[0] - sin * arm[1], sin * arm[0] + cos * arm[1]];
        let center = [0, 1].map(|axis| self.center[axis] + self.velocity[axis] * time);
        Frame::new([center[0] + turned[0], center[1] + turned[1]], start.angle() + turn)
    }

    /// Velocity of a body's centroid at `position`, after so much time.
    pub(super) fn velocity_at(&self, position: [f64; 2], time: f64) -> [f64; 2] {
        let center = [0, 1].map(|axis| self.center[axis] + self.velocity[axis] * time);
        let arm = [position[0] - center[0], position[1] - center[1]];
        [self.velocity[0] - self.spin * arm[1], self.velocity[1] + self.spin * arm[0]]
    }
}

impl PolygonBody {
    /// A grain at rest.
    pub fn grain(shape: ConvexPolygon, frame: Frame) -> Self {
        Self { shape, frame, velocity: [0.0; 2], spin: 0.0, drive: None }
    }

    /// A wall that stays where it is.
    pub fn wall(shape: ConvexPolygon, frame: Frame) -> Self {
        Self { drive: Some(Drive::REST), ..Self::grain(shape, frame) }
    }

    /// The same body with another velocity and angular velocity at the start.
    pub fn moving(self, velocity: [f64; 2], spin: f64) -> Self {
        Self { velocity, spin, ..self }
    }

    /// The same body as a wall that is driven.
    pub fn driven(self, drive: Drive) -> Self {
        Self { drive: Some(drive), ..self }
    }
}
