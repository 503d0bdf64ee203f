//! Area, centroid and moment of inertia of polygons.

use super::vector::{Point, add, cross, dot, scaled, sub};

/// What a polygon weighs, for a density of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Area; positive where corners go round counter-clockwise.
    pub area: f64,
    /// Center of the area; the mean of the corners where there is no area.
    pub centroid: [f64; 2],
    /// Integral of the squared distance from the centroid over the area.
    pub inertia: f64,
}

/// The moments of the polygon with these corners, which may be any simple polygon. Coordinates are taken relative to the
/// first corner, so that a small polygon far out keeps its digits.
pub fn moments(corners: &[Point]) -> Moments {
    let Some(&origin) = corners.first() else {
        return Moments { area: 0.0, centroid: [0.0; 2], inertia: 0.0 };
    };
    let (mut twice_area, mut first, mut second) = (0.0, [0.0; 2], 0.0);
    for pair in corners[1..].windows(2) {
        let (p, q) = (sub(pair[0], origin), sub(pair[1], origin));
        let weight = cross(p, q);
        twice_area += weight;
        first = add(first, scaled(add(p, q), weight));
        second += weight * (dot(p, p) + dot(p, q) + dot(q, q));
    }
    if twice_area == 0.0 {
        let sum = corners.iter().fold([0.0; 2], |sum, &corner| add(sum, sub(corner, origin)));
        let centroid = add(origin, scaled(sum, 1.0 / corners.len() as f64));
        return Moments { area: 0.0, centroid, inertia: 0.0 };
    }
    let area = 0.5 * twice_area;
    let offset = scaled(first, 1.0 / (3.0 * twice_area));
    let inertia = second / 12.0 - area * dot(offset, offset);
    Moments { area, centroid: add(origin, offset), inertia }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangle_has_the_moments_of_the_books() {
        let corners = [[2.0, 1.0], [6.0, 1.0], [6.0, 4.0], [2.0, 4.0]];
        let found = moments(&corners);
        assert_eq!((found.area, found.centroid), (12.0, [4.0, 2.5]));
        assert!((found.inertia - 12.0 * (16.0 + 9.0) / 12.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn many_corners_on_a_circle_weigh_like_a_disc() {
        let n = 10_000;
        let angle = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
        let corners: Vec<Point> = (0..n).map(|k| [5.0 + angle(k).cos(), 2.0 * 0.5 + angle(k).sin()]).collect();
        let found = moments(&corners);
        let pi = std::f64::consts::PI;
        assert!((found.area - pi).abs() < 1e-6 && (found.inertia - pi / 2.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn a_small_polygon_far_out_keeps_its_digits() {
        let far = 2f64.powi(30);
        let corners = [[far, far], [far + 0.25, far], [far, far + 0.25]];
        let found = moments(&corners);
        assert_eq!(found.area, 1.0 / 32.0);
        assert!((found.centroid[0] - far - 0.25 / 3.0).abs() < 2e-7);
    }
}
