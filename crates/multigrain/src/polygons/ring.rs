//! A polygon as the narrow phase sees it: corners turned and shifted one at a time, as they are asked for.

use super::convex::Placed;
use super::frame::Frame;
use super::vector::{Point, add, sub};

/// The corners of a placed polygon in coordinates that have the axes of the world and a chosen origin. Nothing is done
/// per corner until it is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ring<'a> {
    corners: &'a [Point],
    frame: Frame,
    shift: Point,
    radius: f64,
}

impl<'a> Ring<'a> {
    /// Both bodies seen from where the first one is. The difference of positions is the only place where large coordinates
    /// cost digits.
    pub(super) fn pair(a: &Placed<'a>, b: &Placed<'a>) -> [Self; 2] {
        let origin = a.frame.position();
        [a, b].map(|body| Self {
            corners: body.polygon.corners(),
            frame: body.frame,
            shift: sub(body.frame.position(), origin),
            radius: body.polygon.radius(),
        })
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.corners.len()
    }

    /// Where the body's own origin is.
    pub(super) fn center(&self) -> Point {
        self.shift
    }

    /// Radius of the circle around the center that holds the body.
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    #[inline]
    pub(super) fn corner(&self, k: usize) -> Point {
        add(self.shift, self.frame.turned(self.corners[k]))
    }

    /// The edge vector from corner `k` to the next. Turned by itself, not a difference of corners, so that its direction
    /// is right to the last bits however short it is and however far away.
    #[inline]
    pub(super) fn edge(&self, k: usize) -> Point {
        self.frame.turned(sub(self.corners[self.next(k)], self.corners[k]))
    }

    /// A corner in the body's own coordinates, where nothing has to be turned.
    #[inline]
    pub(super) fn own_corner(&self, k: usize) -> Point {
        self.corners[k]
    }

    /// An edge vector in the body's own coordinates.
    #[inline]
    pub(super) fn own_edge(&self, k: usize) -> Point {
        sub(self.corners[self.next(k)], self.corners[k])
    }

    /// A point in the body's own coordinates.
    #[inline]
    pub(super) fn to_own(&self, point: Point) -> Point {
        self.frame.turned_back(sub(point, self.shift))
    }

    /// A point of the body's own coordinates in those of both bodies.
    #[inline]
    pub(super) fn out_of_own(&self, point: Point) -> Point {
        add(self.shift, self.frame.turned(point))
    }

    /// A direction in the body's own coordinates, turned into those of another body.
    #[inline]
    pub(super) fn turned_into(&self, other: &Self, direction: Point) -> Point {
        other.frame.turned_back(self.frame.turned(direction))
    }

    #[inline]
    pub(super) fn next(&self, k: usize) -> usize {
        if k + 1 == self.corners.len() { 0 } else { k + 1 }
    }

    #[inline]
    pub(super) fn previous(&self, k: usize) -> usize {
        if k == 0 { self.corners.len() - 1 } else { k - 1 }
    }

    /// Index of a corner or edge of an earlier call, whatever the polygon was then.
    #[inline]
    pub(super) fn wrapped(&self, k: u32) -> usize {
        let k = k as usize;
        if k < self.corners.len() { k } else { 0 }
    }
}
