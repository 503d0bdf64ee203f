//! Convex polygons, checked once.

use super::error::PolygonError;
use super::frame::Frame;
use super::limits::{MAX_CORNERS, MAX_SIZE, MIN_SIZE};
use super::moments::{Moments, moments};
use super::vector::{Point, cross, dot, norm, sub};

/// This many corners are repeated before the first and after the last, so that whoever looks at a corner and its neighbours finds
/// them side by side in memory.
pub(super) const REPEATED: usize = 3;

/// Corners may turn inwards by this much, as the sine of the angle: what rounding of coordinates does to a straight line.
const STRAIGHT: f64 = 8.0 * f64::EPSILON;

/// A convex polygon: a ring of corners, counter-clockwise around its centroid, which is the origin of its coordinates.
///
/// Corners on a straight line are allowed. Edge `k` runs from corner `k` to corner `k + 1`.
///
/// ```
/// use multigrain_polygons::ConvexPolygon;
/// let square = ConvexPolygon::new(&[[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0]])?;
/// assert_eq!((square.len(), square.area(), square.given_at()), (4, 4.0, [1.0, 1.0]));
/// # Ok::<(), multigrain_polygons::PolygonError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ConvexPolygon {
    /// The corners, with the last ones repeated before them and the first ones after them.
    corners: Vec<Point>,
    given_at: Point,
    area: f64,
    inertia: f64,
    radius: f64,
}

impl ConvexPolygon {
    /// The polygon with these corners, listed in either sense. Fails on anything that is not a convex polygon, naming the
    /// corner as it was given.
    pub fn new(corners: &[[f64; 2]]) -> Result<Self, PolygonError> {
        Self::seen_from(corners, |given| given.centroid)
    }

    /// The polygon with these corners, which lie around its centroid already, as [`corners`](Self::corners) of another have them: not a bit
    /// of them changes.
    pub fn centered(corners: &[[f64; 2]]) -> Result<Self, PolygonError> {
        Self::seen_from(corners, |_| [0.0; 2])
    }

    /// The polygon with these corners around what is taken for the centroid.
    fn seen_from(corners: &[[f64; 2]], centroid: impl Fn(&Moments) -> Point) -> Result<Self, PolygonError> {
        let count = corners.len();
        if !(3..=MAX_CORNERS).contains(&count) {
            return Err(PolygonError::CornerCount { count });
        }
        for (corner, &[x, y]) in corners.iter().enumerate() {
            if !(x.is_finite() && y.is_finite()) {
                return Err(PolygonError::CornerNotFinite { corner, x, y });
            }
            if x.abs() > MAX_SIZE || y.abs() > MAX_SIZE {
                return Err(PolygonError::CornerTooFar { corner, x, y });
            }
        }
        let given = moments(corners);
        let center = centroid(&given);
        let mut centered: Vec<Point> = corners.iter().map(|&corner| sub(corner, center)).collect();
        for corner in 0..count {
            // Corners that only rounding told apart are one around the centroid.
            let before = (corner + count - 1) % count;
            if corners[before] == corners[corner] || centered[before] == centered[corner] {
                let [x, y] = corners[corner];
                return Err(PolygonError::CornerRepeated { corner, x, y });
            }
        }
        let turned = given.area < 0.0;
        if turned {
            centered.reverse();
        }
        check_turns(&centered, |corner| {
            let corner = if turned { count - 1 - corner } else { corner };
            (corner, corners[corner])
        })?;
        let radius = centered.iter().map(|&corner| norm(corner)).fold(0.0, f64::max);
        if !(MIN_SIZE..=MAX_SIZE).contains(&radius) {
            return Err(PolygonError::Size { size: radius });
        }
        let own = moments(&centered);
        if !(own.area > 0.0 && own.inertia > 0.0) {
            return Err(PolygonError::NoArea);
        }
        let corners = [&centered[count - REPEATED..], &centered[..], &centered[..REPEATED]].concat();
        Ok(Self { corners, given_at: center, area: own.area, inertia: own.inertia, radius })
    }

    /// Corners around the centroid, counter-clockwise.
    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners[REPEATED..self.corners.len() - REPEATED]
    }

    /// The corners with [`REPEATED`] of them before and after.
    pub(super) fn corners_around(&self) -> &[Point] {
        &self.corners
    }

    /// Number of corners, and of edges.
    #[expect(clippy::len_without_is_empty, reason = "a polygon has at least three corners")]
    pub fn len(&self) -> usize {
        self.corners.len() - 2 * REPEATED
    }

    /// Where the centroid was in the list of corners that the polygon was made from.
    pub fn given_at(&self) -> [f64; 2] {
        self.given_at
    }

    /// The polygon where its list of corners had it.
    pub fn as_given(&self) -> Placed<'_> {
        let frame = Frame::new(self.given_at, 0.0);
        Placed { polygon: self, frame: frame.expect("the centroid lies among corners that were checked") }
    }

    /// The polygon in a frame.
    pub fn at(&self, frame: Frame) -> Placed<'_> {
        Placed { polygon: self, frame }
    }

    /// Area.
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Moment of inertia around the centroid, for a density of one.
    pub fn inertia(&self) -> f64 {
        self.inertia
    }

    /// Radius of the circle around the centroid that holds all corners.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// A polygon in its place: borrowed, cheap to copy.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    pub(crate) polygon: &'a ConvexPolygon,
    pub(crate) frame: Frame,
}

impl<'a> Placed<'a> {
    /// The shape.
    pub fn polygon(&self) -> &'a ConvexPolygon {
        self.polygon
    }

    /// The place.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// Corners in the world, counter-clockwise.
    pub fn corners(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.polygon.corners().iter().map(|&corner| self.frame.to_world(corner))
    }

    /// Whether a point of the world is inside or on the boundary.
    pub fn contains(&self, point: [f64; 2]) -> bool {
        let point = self.frame.to_body(point);
        let corners = self.polygon.corners();
        (0..corners.len()).all(|k| {
            let next = corners[(k + 1) % corners.len()];
            cross(sub(next, corners[k]), sub(point, corners[k])) >= 0.0
        })
    }
}

/// Fails where counter-clockwise corners do not turn to the left at each and go round once.
fn check_turns(corners: &[Point], as_given: impl Fn(usize) -> (usize, Point)) -> Result<(), PolygonError> {
    let count = corners.len();
    let edge = |k: usize| sub(corners[(k + 1) % count], corners[k % count]);
    let rises = |[x, y]: Point| y > 0.0 || (y == 0.0 && x > 0.0);
    let (mut turns, mut bent) = (0, false);
    for k in 0..count {
        let (before, after) = (edge(k), edge(k + 1));
        let (sine, slack) = (cross(before, after), STRAIGHT * norm(before) * norm(after));
        let is_straight = sine.abs() <= slack;
        if (sine < 0.0 && !is_straight) || (is_straight && dot(before, after) <= 0.0 && bent) {
            let (corner, [x, y]) = as_given((k + 1) % count);
            return Err(PolygonError::NotConvex { corner, x, y });
        }
        bent |= !is_straight;
        turns += usize::from(!rises(before) && rises(after));
    }
    if !bent {
        return Err(PolygonError::NoArea);
    }
    if turns != 1 {
        return Err(PolygonError::Winding { turns });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(corners: &[Point]) -> String {
        ConvexPolygon::new(corners).unwrap_err().to_string()
    }

    #[test]
    fn either_sense_gives_the_same_polygon() {
        let corners = [[1.0, 1.0], [4.0, 1.0], [4.0, 3.0], [1.0, 3.0]];
        let mut turned = corners;
        turned.reverse();
        let (a, b) = (ConvexPolygon::new(&corners).unwrap(), ConvexPolygon::new(&turned).unwrap());
        assert_eq!((a.area(), a.given_at(), a.inertia()), (b.area(), b.given_at(), b.inertia()));
        assert_eq!((a.area(), a.given_at()), (6.0, [2.5, 2.0]));
        assert!(a.as_given().contains([4.0, 3.0]) && !a.as_given().contains([4.1, 2.0]));
    }

    #[test]
    fn names_the_corner_and_its_value() {
        let (o, x, xy, y) = ([0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]);
        assert_eq!(error_of(&[o, x]), "2 corners given: a polygon has at least 3 and here at most 1,000,000");
        assert_eq!(error_of(&[o, x, [f64::NAN, 1.0]]), "corner 2 is (NaN, 1): both coordinates must be finite");
        assert_eq!(error_of(&[o, x, [0.0, 1e71]]), "corner 2 is (0e0, 1e71): coordinates must lie within ±1e70");
        let repeated = "corner 2 at (1, 0) repeats the corner before it: leave one of them out";
        assert_eq!(error_of(&[o, x, x, y]), repeated);
        assert!(error_of(&[o, x, y, o]).starts_with("corner 0 at (0, 0) repeats"));
        let inwards = "corner 3 at (0.9, 0.5) turns inwards: corners must go round a convex polygon, in either sense";
        assert_eq!(error_of(&[o, x, xy, [0.9, 0.5], y]), inwards);
        assert_eq!(error_of(&[[2.0, 0.0], x, o, [0.9, 0.5], y]), inwards);
        assert_eq!(error_of(&[o, x, [2.0, 0.0]]), "the corners lie on one line: a polygon needs an area");
        let tiny = error_of(&[o, [1e-80, 0.0], [0.0, 1e-80]]);
        assert!(tiny.ends_with("must be between 1e-70 and 1e70"), "{tiny}");
    }

    #[test]
    fn a_star_goes_round_twice() {
        let star: Vec<Point> = (0..5)
            .map(|k| (2.0 * std::f64::consts::TAU * f64::from(k) / 5.0).sin_cos())
            .map(|(sin, cos)| [cos, sin])
            .collect();
        assert_eq!(error_of(&star), "the corners go round 2 times: they must go round a convex polygon once");
    }

    #[test]
    fn a_spike_and_a_bow_tie_are_refused() {
        assert!(error_of(&[[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [2.0, 0.0], [1.0, 1.0]]).contains("turns inwards"));
        assert!(ConvexPolygon::new(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]).is_err());
    }

    #[test]
    fn corners_on_a_straight_line_are_allowed() {
        let corners = [[0.0, 0.0], [0.1, 0.1], [0.2, 0.2], [0.3, 0.3], [0.0, 0.3]];
        let polygon = ConvexPolygon::new(&corners).unwrap();
        assert_eq!(polygon.len(), 5);
        assert!((polygon.area() - 0.045).abs() < 1e-16);
    }
}
