//! Discs and ellipses, and their distance from each other and from polygons.

use super::build::check_length;
use super::convex::Placed;
use super::error::PolygonError;
use super::frame::Frame;
use super::vector::{Point, along, cross, dot, sub, unit};
use std::f64::consts::PI;

/// An ellipse with its half axes along the axes of its body; a disc where they are equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipse {
    half_axes: [f64; 2],
}

impl Ellipse {
    /// An ellipse with these half axes along x and y.
    pub fn new(along_x: f64, along_y: f64) -> Result<Self, PolygonError> {
        check_length("half axis along x", along_x)?;
        check_length("half axis along y", along_y)?;
        Ok(Self { half_axes: [along_x, along_y] })
    }

    /// A disc.
    pub fn disc(radius: f64) -> Result<Self, PolygonError> {
        check_length("radius", radius)?;
        Ok(Self { half_axes: [radius; 2] })
    }

    /// Half axes along x and y of the body.
    pub fn half_axes(&self) -> [f64; 2] {
        self.half_axes
    }

    /// Area.
    pub fn area(&self) -> f64 {
        PI * self.half_axes[0] * self.half_axes[1]
    }

    /// Moment of inertia around the center, for a density of one.
    pub fn inertia(&self) -> f64 {
        let [a, b] = self.half_axes;
        0.25 * self.area() * (a * a + b * b)
    }

    /// Radius of the circle around it.
    pub fn radius(&self) -> f64 {
        self.half_axes[0].max(self.half_axes[1])
    }

    /// The ellipse in a frame.
    pub fn at(&self, frame: Frame) -> PlacedEllipse {
        PlacedEllipse { ellipse: *self, frame }
    }
}

/// An ellipse in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedEllipse {
    ellipse: Ellipse,
    frame: Frame,
}

impl PlacedEllipse {
    /// Lower and upper corner of the axis-parallel box around it, a few ulps too large.
    pub fn bounding_box(&self) -> [[f64; 2]; 2] {
        let reach = |direction: Point| {
            let [x, y] = self.frame.turned_back(direction);
            let [a, b] = self.ellipse.half_axes;
            libm::hypot(a * x, b * y) * (1.0 + 8.0 * f64::EPSILON)
        };
        let (x, y) = (reach([1.0, 0.0]), reach([0.0, 1.0]));
        let [cx, cy] = self.frame.position();
        let slack = |value: f64| 2.0 * f64::EPSILON * value.abs();
        [[cx - x - slack(cx), cy - y - slack(cy)], [cx + x + slack(cx), cy + y + slack(cy)]]
    }
}

/// A convex body that can tell which of its points is furthest along a direction.
pub trait Support {
    /// The point furthest along `direction`, seen from the body's origin, with the axes of the world.
    fn furthest(&self, direction: [f64; 2]) -> [f64; 2];

    /// Where the body's origin, which is inside it, lies in the world.
    fn origin(&self) -> [f64; 2];
}

impl Support for PlacedEllipse {
    fn furthest(&self, direction: [f64; 2]) -> [f64; 2] {
        let [x, y] = self.frame.turned_back(direction);
        let [a, b] = self.ellipse.half_axes;
        let length = libm::hypot(a * x, b * y);
        self.frame.turned([a * a * x / length, b * b * y / length])
    }

    fn origin(&self) -> [f64; 2] {
        self.frame.position()
    }
}

impl Support for Placed<'_> {
    fn furthest(&self, direction: [f64; 2]) -> [f64; 2] {
        let local = self.frame.turned_back(direction);
        let corners = self.polygon.corners();
        let best = corners
            .iter()
            .fold(corners[0], |best, &corner| if dot(local, corner) > dot(local, best) { corner } else { best });
        self.frame.turned(best)
    }

    fn origin(&self) -> [f64; 2] {
        self.frame.position()
    }
}

/// The distance of two convex bodies of which at least one is round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundDistance {
    /// Distance; 0 where they overlap.
    pub distance: f64,
    /// Unit vector from the first to the second; where they overlap, the last direction that was tried.
    pub normal: [f64; 2],
    /// The closest point of each; where they overlap, the furthest points along the normal.
    pub points: [[f64; 2]; 2],
    /// Directions tried.
    pub steps: u32,
}

/// The distance of an ellipse or disc from any convex body, by bisection of the direction in which they are parted.
///
/// For each direction there is a pair of parallel lines that the bodies lie beyond, and the difference of the points where
/// they touch tells on which side the direction of the greatest gap is: the interval halves at every step, whatever the
/// shapes, until rounding ends it.
///
/// ```
/// use multigrain_polygons::{ConvexPolygon, Ellipse, Frame, round_distance};
/// let ellipse = Ellipse::new(3.0, 1.0)?.at(Frame::new([8.0, 0.0], 0.0)?);
/// let square = ConvexPolygon::rectangle(2.0, 2.0)?;
/// let found = round_distance(&ellipse, &square.at(Frame::WORLD));
/// assert!((found.distance - 4.0).abs() < 1e-12);
/// # Ok::<(), multigrain_polygons::PolygonError>(())
/// ```
pub fn round_distance(a: &PlacedEllipse, b: &impl Support) -> RoundDistance {
    let between = sub(b.origin(), a.origin());
    // The support points along a direction and their difference.
    let ends = |direction: Point| {
        let p = a.furthest(direction);
        let q = b.furthest([-direction[0], -direction[1]]);
        (p, along(sub(between, p), q, 1.0))
    };
    let mut here = unit(between).unwrap_or([1.0, 0.0]);
    // Any direction that parts the bodies is within a right angle of that from center to center.
    let (mut right, mut left) = ([here[1], -here[0]], [-here[1], here[0]]);
    let (mut best, mut gap, mut steps) = (here, f64::NEG_INFINITY, 0);
    for _ in 0..MAX_HALVINGS {
        steps += 1;
        let (_, difference) = ends(here);
        let here_gap = dot(here, difference);
        if here_gap > gap {
            (best, gap) = (here, here_gap);
        }
        // Directions that part the bodies have a positive product with every such difference.
        if dot(right, difference) <= 0.0 && dot(left, difference) <= 0.0 {
            break;
        }
        *(if cross(here, difference) > 0.0 { &mut right } else { &mut left }) = here;
        match unit([right[0] + left[0], right[1] + left[1]]) {
            Some(middle) if middle != here && middle != right && middle != left => here = middle,
            _ => break,
        }
    }
    let (p, _) = ends(best);
    let distance = gap.max(0.0);
    let point = [a.origin()[0] + p[0], a.origin()[1] + p[1]];
    RoundDistance { distance, normal: best, points: [point, along(point, best, gap)], steps }
}

/// Halvings of a straight angle until nothing of it is left.
const MAX_HALVINGS: u32 = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConvexPolygon;
    use multigrain_sizes::Rng;

    /// The distance by sampling both boundaries, finer and finer around the closest pair of samples.
    fn sampled(a: &PlacedEllipse, b: &PlacedEllipse) -> f64 {
        let at = |body: &PlacedEllipse, t: f64| {
            let [p, q] = body.ellipse.half_axes;
            body.frame.to_world([p * t.cos(), q * t.sin()])
        };
        let (mut center, mut width, mut least) = ([PI, PI], PI, f64::INFINITY);
        for _ in 0..12 {
            let start = center;
            for i in -60..=60 {
                for j in -60..=60 {
                    let t = [start[0] + width * f64::from(i) / 60.0, start[1] + width * f64::from(j) / 60.0];
                    let (p, q) = (at(a, t[0]), at(b, t[1]));
                    let distance = (p[0] - q[0]).hypot(p[1] - q[1]);
                    if distance < least {
                        (least, center) = (distance, t);
                    }
                }
            }
            width *= 0.1;
        }
        least
    }

    fn any(rng: &mut Rng, reach: f64) -> PlacedEllipse {
        let ellipse = Ellipse::new(0.2 + rng.uniform(), 0.2 + rng.uniform()).unwrap();
        ellipse.at(Frame::new([reach * rng.normal(), reach * rng.normal()], 6.0 * rng.uniform()).unwrap())
    }

    #[test]
    fn distance_of_ellipses_is_that_of_their_sampled_boundaries() {
        let mut rng = Rng::new(21);
        let mut apart = 0;
        for round in 0..60 {
            let (a, b) = (any(&mut rng, 1.0), any(&mut rng, 2.0));
            let found = round_distance(&a, &b);
            assert!(found.steps <= MAX_HALVINGS);
            if found.distance == 0.0 {
                continue;
            }
            apart += 1;
            let expected = sampled(&a, &b);
            assert!((found.distance - expected).abs() < 1e-9, "{round}: {} {expected}", found.distance);
            let [p, q] = found.points;
            assert!(((p[0] - q[0]).hypot(p[1] - q[1]) - found.distance).abs() < 1e-12);
        }
        assert!(apart > 20);
    }

    #[test]
    fn discs_are_as_far_apart_as_centers_and_radii_say_also_when_they_touch_or_overlap() {
        let (a, b) = (Ellipse::disc(1.0).unwrap(), Ellipse::disc(0.5).unwrap());
        let at = |x: f64, y: f64| Frame::new([x, y], 0.4).unwrap();
        for (x, y) in [(3.0, 4.0), (1.5, 0.0), (1.5 + 1e-12, 0.0), (1.0, 0.2), (0.0, 0.0), (1e9, 2.0)] {
            let found = round_distance(&a.at(at(0.0, 0.0)), &b.at(at(x, y)));
            let expected = (x.hypot(y) - 1.5f64).max(0.0);
            assert!((found.distance - expected).abs() <= 1e-15 * (4.0 + expected), "{x} {y}: {found:?}");
        }
    }

    #[test]
    fn flat_ellipses_keep_the_overlap_and_the_gap_apart() {
        let needle = Ellipse::new(1.0, 1e-6).unwrap();
        let at = |x: f64, y: f64, angle: f64| needle.at(Frame::new([x, y], angle).unwrap());
        let crossed = round_distance(&at(0.0, 0.0, 0.0), &at(0.5, 0.0, 1.5));
        assert_eq!(crossed.distance, 0.0);
        let beside = round_distance(&at(0.0, 0.0, 0.0), &at(0.0, 3e-6, 0.0));
        assert!((beside.distance - 1e-6).abs() < 1e-15, "{beside:?}");
    }

    #[test]
    fn a_polygon_of_many_corners_is_as_far_as_its_ellipse() {
        let mut rng = Rng::new(5);
        for _ in 0..40 {
            let (a, b) = (any(&mut rng, 1.0), any(&mut rng, 3.0));
            let [p, q] = b.ellipse.half_axes;
            let corner = |k: usize| {
                let (sin, cos) = (2.0 * PI * k as f64 / 4000.0).sin_cos();
                [p * cos, q * sin]
            };
            let polygon = ConvexPolygon::new(&(0..4000).map(corner).collect::<Vec<_>>()).unwrap();
            let found = round_distance(&a, &polygon.at(b.frame));
            assert!((found.distance - round_distance(&a, &b).distance).abs() < 1e-5);
        }
    }

    #[test]
    fn boxes_of_ellipses_touch_them() {
        let mut rng = Rng::new(8);
        for _ in 0..50 {
            let body = any(&mut rng, 5.0);
            let [lo, hi] = body.bounding_box();
            for (axis, direction) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
                let [low, high] = [-1.0, 1.0].map(|sign: f64| {
                    body.origin()[axis] + body.furthest([sign * direction[0], sign * direction[1]])[axis]
                });
                assert!(lo[axis] <= low && low - lo[axis] < 1e-13 && high <= hi[axis] && hi[axis] - high < 1e-13);
            }
        }
        assert!(Ellipse::new(1.0, 0.0).unwrap_err().to_string().starts_with("half axis along y is 0, must be"));
    }
}
