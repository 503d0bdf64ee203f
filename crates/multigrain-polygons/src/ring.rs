//! A polygon as the narrow phase sees it: corners turned and shifted one at a time, as they are asked for.

use super::convex::{Placed, REPEATED};
use super::frame::Frame;
use super::vector::{Point, add, cross, dot, sub};

/// The corners of a placed polygon in coordinates that have the axes of the world and a chosen origin. Nothing is done
/// per corner until it is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ring<'a> {
    /// Corners with [`REPEATED`] of them before and after.
    around: &'a [Point],
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
            around: body.polygon.corners_around(),
            frame: body.frame,
            shift: sub(body.frame.position(), origin),
            radius: body.polygon.radius(),
        })
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.around.len() - 2 * REPEATED
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
        add(self.shift, self.frame.turned(self.own_corner(k)))
    }

    /// The edge vector from corner `k` to the next. Turned by itself, not a difference of corners, so that its direction
    /// is right to the last bits however short it is and however far away.
    #[inline]
    pub(super) fn edge(&self, k: usize) -> Point {
        self.frame.turned(self.own_edge(k))
    }

    /// A corner in the body's own coordinates, where nothing has to be turned.
    #[inline]
    pub(super) fn own_corner(&self, k: usize) -> Point {
        self.around[k + REPEATED]
    }

    /// An edge vector in the body's own coordinates.
    #[inline]
    pub(super) fn own_edge(&self, k: usize) -> Point {
        sub(self.around[k + REPEATED + 1], self.around[k + REPEATED])
    }

    /// A point in the body's own coordinates.
    #[inline]
    pub(super) fn own_view_of(&self, point: Point) -> Point {
        self.frame.turned_back(sub(point, self.shift))
    }

    /// Whether a point is inside or on the boundary, by halving: seen from the centroid, corners go round by their angle.
    pub(super) fn holds(&self, point: Point) -> bool {
        let point = self.own_view_of(point);
        let first = self.own_corner(0);
        // Angles from the first corner on, below and above half a turn.
        let is_before = cross(first, point) >= 0.0;
        let is_passed = |k: usize| match (cross(first, self.own_corner(k)) >= 0.0, is_before) {
            (true, false) => true,
            (false, true) => false,
            _ => cross(self.own_corner(k), point) >= 0.0,
        };
        let (mut passed, mut ahead) = (0, self.len());
        while ahead - passed > 1 {
            let middle = passed + (ahead - passed) / 2;
            if is_passed(middle) {
                passed = middle;
            } else {
                ahead = middle;
            }
        }
        cross(self.own_edge(passed), sub(point, self.own_corner(passed))) >= 0.0
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

    /// The two edges that meet at a corner: the one that leads to it and the one that leaves it.
    #[inline]
    pub(super) fn edges_at(&self, k: usize) -> [Point; 2] {
        let [before, here, after] = *self.window(k + REPEATED - 1);
        [sub(here, before), sub(after, here)].map(|edge| self.frame.turned(edge))
    }

    /// The corner furthest along `direction`, looked for from corner `k` on. Up to [`REPEATED`] corners to either side all are
    /// looked at at once, without a branch that could be foreseen wrongly; further away one after the other.
    #[inline]
    pub(super) fn top_near(&self, k: usize, direction: Point, steps: &mut u32) -> usize {
        let direction = self.frame.turned_back(direction);
        let corners: &[Point; 2 * REPEATED + 1] = self.window(k);
        let rise = |edge: usize| dot(direction, sub(corners[edge + 1], corners[edge]));
        let (mut ahead, mut back) = (0, 0);
        let (mut goes_ahead, mut goes_back) = (true, true);
        for away in 0..REPEATED {
            goes_ahead &= rise(REPEATED + away) > 0.0;
            goes_back &= rise(REPEATED - 1 - away) < 0.0;
            ahead += usize::from(goes_ahead);
            back += usize::from(goes_back);
        }
        let len = self.len();
        if goes_ahead || goes_back {
            return self.climb(k, direction, steps);
        }
        // The lowest corner has others above it to both sides. Then this is no better than any other guess.
        let top = k + len + ahead - back;
        let top = if top >= 2 * len { top - 2 * len } else { top };
        if top >= len { top - len } else { top }
    }

    #[cold]
    fn climb(&self, k: usize, direction: Point, steps: &mut u32) -> usize {
        let mut k = k;
        for _ in 0..self.len() {
            if dot(direction, self.own_edge(k)) <= 0.0 {
                break;
            }
            (k, *steps) = (self.next(k), *steps + 1);
        }
        for _ in 0..self.len() {
            if dot(direction, self.own_edge(self.previous(k))) >= 0.0 {
                break;
            }
            (k, *steps) = (self.previous(k), *steps + 1);
        }
        k
    }

    /// Some entries of the list with repeated corners.
    #[inline]
    fn window<const N: usize>(&self, from: usize) -> &[Point; N] {
        self.around[from..].first_chunk().expect("corners are repeated at both ends")
    }

    #[inline]
    pub(super) fn next(&self, k: usize) -> usize {
        if k + 1 == self.len() { 0 } else { k + 1 }
    }

    #[inline]
    pub(super) fn previous(&self, k: usize) -> usize {
        if k == 0 { self.len() - 1 } else { k - 1 }
    }

    /// Index of a corner or edge of an earlier call, whatever the polygon was then.
    #[inline]
    pub(super) fn wrapped(&self, k: u32) -> usize {
        let k = k as usize;
        if k < self.len() { k } else { 0 }
    }
}
