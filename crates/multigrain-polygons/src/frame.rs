//! Where a body is and how it is turned.

use super::error::PolygonError;
use super::limits::{MAX_ANGLE, MAX_POSITION};
use super::vector::Point;

/// A moving frame: coordinates of the body, turned by `angle` and shifted by `position`, are coordinates of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    position: [f64; 2],
    angle: f64,
    cos: f64,
    sin: f64,
}

impl Frame {
    /// The frame of the world itself.
    pub const WORLD: Self = Self { position: [0.0; 2], angle: 0.0, cos: 1.0, sin: 0.0 };

    /// A body at `position`, turned counter-clockwise by `angle` (radians). Fails where a number is not finite or too large.
    pub fn new(position: [f64; 2], angle: f64) -> Result<Self, PolygonError> {
        for (what, value) in [("x", position[0]), ("y", position[1])] {
            // NaN is in no range, so that it is refused here.
            if !(-MAX_POSITION..=MAX_POSITION).contains(&value) {
                return Err(PolygonError::Place { what, value, most: MAX_POSITION });
            }
        }
        if !(-MAX_ANGLE..=MAX_ANGLE).contains(&angle) {
            return Err(PolygonError::Place { what: "angle", value: angle, most: MAX_ANGLE });
        }
        // The same on every processor, which the system's library is not.
        let (sin, cos) = libm::sincos(angle);
        Ok(Self { position, angle, cos, sin })
    }

    /// The same turn elsewhere, as of an image of a body in a periodic box.
    pub fn moved_to(self, position: [f64; 2]) -> Self {
        Self { position, ..self }
    }

    /// Where the body's origin is; its centroid, for the polygons of this library.
    pub fn position(&self) -> [f64; 2] {
        self.position
    }

    /// By how much the body is turned, in radians.
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// A point of the body in the world.
    #[inline]
    pub fn to_world(&self, point: [f64; 2]) -> [f64; 2] {
        let [x, y] = self.turned(point);
        [self.position[0] + x, self.position[1] + y]
    }

    /// A point of the world as the body sees it.
    #[inline]
    pub fn to_body(&self, point: [f64; 2]) -> [f64; 2] {
        let [x, y] = [point[0] - self.position[0], point[1] - self.position[1]];
        [self.cos * x + self.sin * y, self.cos * y - self.sin * x]
    }

    /// A direction of the body in the world.
    #[inline]
    pub(crate) fn turned(&self, [x, y]: Point) -> Point {
        [self.cos * x - self.sin * y, self.sin * x + self.cos * y]
    }

    /// A direction of the world as the body sees it.
    #[inline]
    pub(crate) fn turned_back(&self, [x, y]: Point) -> Point {
        [self.cos * x + self.sin * y, self.cos * y - self.sin * x]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_is_the_same_point() {
        let frame = Frame::new([3.0, -2.0], 0.7).unwrap();
        let there = frame.to_world([1.5, 0.25]);
        let back = frame.to_body(there);
        assert!((back[0] - 1.5).abs() < 1e-15 && (back[1] - 0.25).abs() < 1e-15);
        assert_eq!(Frame::WORLD.to_world([1.5, 0.25]), [1.5, 0.25]);
    }

    #[test]
    fn names_what_is_not_finite_or_too_large() {
        let error = |position, angle| Frame::new(position, angle).unwrap_err().to_string();
        assert_eq!(error([f64::NAN, 0.0], 0.0), "x is NaN, must be finite and within ±1e150");
        assert_eq!(error([0.0, -2e150], 0.0).split(' ').next(), Some("y"));
        assert_eq!(error([0.0; 2], f64::INFINITY), "angle is inf, must be finite and within ±1e12");
    }
}
