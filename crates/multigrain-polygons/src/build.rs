//! Ways to make convex polygons: regular, rectangular, random, around points.

use super::convex::ConvexPolygon;
use super::error::PolygonError;
use super::limits::{MAX_CORNERS, MAX_SIZE, MIN_SIZE};
use super::vector::{Point, cross, dot, norm, sub};
use multigrain_sizes::Rng;
use std::f64::consts::TAU;

impl ConvexPolygon {
    /// The regular polygon with its corners on a circle, the first one along x.
    pub fn regular(corners: usize, radius: f64) -> Result<Self, PolygonError> {
        check_corners(corners)?;
        check_length("radius", radius)?;
        let corner = |k: usize| on_circle(TAU * k as f64 / corners as f64).map(|x| radius * x);
        Self::new(&(0..corners).map(corner).collect::<Vec<_>>())
    }

    /// A rectangle of this width and height.
    pub fn rectangle(width: f64, height: f64) -> Result<Self, PolygonError> {
        check_length("width", width)?;
        check_length("height", height)?;
        let (x, y) = (0.5 * width, 0.5 * height);
        Self::new(&[[-x, -y], [x, -y], [x, y], [-x, y]])
    }

    /// A random polygon of exactly this many corners, `radius` being that of the circle around it. Its corners lie on an
    /// ellipse whose half axes stand in a random ratio between 0.6 and 1, at uneven angles, turned at random.
    pub fn random(corners: usize, radius: f64, rng: &mut Rng) -> Result<Self, PolygonError> {
        check_corners(corners)?;
        check_length("radius", radius)?;
        let ratio = 0.6 + 0.4 * rng.uniform();
        let turn = rng.uniform();
        // An angle in its own stretch keeps a distance from the next, so that no corner is lost to rounding.
        let angles: Vec<f64> =
            (0..corners).map(|k| TAU * ((k as f64 + 0.8 * rng.uniform()) / corners as f64 + turn)).collect();
        let tilt = on_circle(TAU * rng.uniform());
        let corner = |&angle: &f64| {
            let [x, y] = on_circle(angle);
            [tilt[0] * x - tilt[1] * y * ratio, tilt[1] * x + tilt[0] * y * ratio]
        };
        let polygon = Self::new(&angles.iter().map(corner).collect::<Vec<_>>())?;
        polygon.resized(radius)
    }

    /// The smallest convex polygon around the points: its corners are some of them. Points that lie on an edge as nearly as
    /// rounding can tell are no corners.
    pub fn around(points: &[[f64; 2]]) -> Result<Self, PolygonError> {
        for (corner, &[x, y]) in points.iter().enumerate() {
            if !(x.is_finite() && y.is_finite()) {
                return Err(PolygonError::CornerNotFinite { corner, x, y });
            }
        }
        let mut sorted = points.to_vec();
        sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        sorted.dedup();
        let mut corners = half_hull(sorted.iter().copied());
        corners.pop();
        let mut upper = half_hull(sorted.iter().rev().copied());
        upper.pop();
        corners.append(&mut upper);
        if corners.len() < 3 && points.len() >= 3 {
            return Err(PolygonError::NoArea);
        }
        Self::new(&corners)
    }

    /// The same shape with another radius.
    pub fn resized(&self, radius: f64) -> Result<Self, PolygonError> {
        check_length("radius", radius)?;
        let factor = radius / self.radius();
        Self::new(&self.corners().iter().map(|corner| corner.map(|x| x * factor)).collect::<Vec<_>>())
    }
}

/// The lower hull of points in ascending order, or the upper one of points in descending order.
fn half_hull(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut hull: Vec<Point> = Vec::new();
    for point in points {
        while let [.., before, last] = hull[..] {
            let (e, f) = (sub(last, before), sub(point, last));
            if cross(e, f) > 32.0 * f64::EPSILON * norm(e) * norm(f) || dot(e, f) < 0.0 && cross(e, f) > 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(point);
    }
    hull
}

fn on_circle(angle: f64) -> Point {
    let (sin, cos) = libm::sincos(angle);
    [cos, sin]
}

fn check_corners(count: usize) -> Result<(), PolygonError> {
    if (3..=MAX_CORNERS).contains(&count) { Ok(()) } else { Err(PolygonError::CornerCount { count }) }
}

pub(super) fn check_length(what: &'static str, value: f64) -> Result<(), PolygonError> {
    if (MIN_SIZE..=MAX_SIZE).contains(&value) { Ok(()) } else { Err(PolygonError::Length { what, value }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_polygons_have_their_area() {
        for n in [3, 4, 7, 1000, 100_000] {
            let polygon = ConvexPolygon::regular(n, 2.0).unwrap();
            let area = 2.0 * n as f64 * (TAU / n as f64).sin();
            assert!((polygon.area() - area).abs() < 1e-11, "{n}: {}", polygon.area());
            assert_eq!(polygon.len(), n);
        }
        assert_eq!(ConvexPolygon::rectangle(3.0, 2.0).unwrap().area(), 6.0);
    }

    #[test]
    fn random_polygons_have_the_corners_and_radius_asked_for_whatever_the_seed() {
        for seed in 0..300 {
            let corners = 3 + (seed as usize * 37) % 998;
            let polygon = ConvexPolygon::random(corners, 0.3, &mut Rng::new(seed)).unwrap();
            assert_eq!(polygon.len(), corners);
            assert!((polygon.radius() - 0.3).abs() < 1e-12);
        }
        let twice = [1, 1].map(|seed| ConvexPolygon::random(9, 1.0, &mut Rng::new(seed)).unwrap());
        assert_eq!(twice[0], twice[1]);
    }

    #[test]
    fn a_hull_holds_all_points() {
        let mut rng = Rng::new(4);
        for round in 0..200 {
            let flat = 0.1f64.powi(round % 12);
            let points: Vec<Point> = (0..40).map(|_| [rng.normal(), flat * rng.normal()]).collect();
            let hull = ConvexPolygon::around(&points).unwrap();
            let worst = points.iter().map(|&point| {
                let point = sub(point, hull.given_at());
                let sides = hull.corners().iter().zip(hull.corners().iter().cycle().skip(1));
                sides.map(|(&p, &q)| cross(sub(q, p), sub(point, p)) / norm(sub(q, p))).fold(f64::INFINITY, f64::min)
            });
            let worst = worst.fold(f64::INFINITY, f64::min);
            assert!(worst > -1e-14, "{round}: {worst}");
        }
        assert_eq!(ConvexPolygon::around(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]), Err(PolygonError::NoArea));
    }

    #[test]
    fn bad_parameters_are_named() {
        let text = ConvexPolygon::regular(5, -1.0).unwrap_err().to_string();
        assert_eq!(text, "radius is -1, must be between 1e-70 and 1e70");
        assert!(ConvexPolygon::rectangle(1.0, f64::NAN).unwrap_err().to_string().starts_with("height is NaN"));
        assert_eq!(ConvexPolygon::random(2, 1.0, &mut Rng::new(0)), Err(PolygonError::CornerCount { count: 2 }));
    }
}
