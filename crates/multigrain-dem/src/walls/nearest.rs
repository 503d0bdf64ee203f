//! Nearest points on surfaces with edges.

use crate::vector::{add_scaled, dot, sub};

/// The point nearest to `x` of the line from `a` to `b`.
pub(super) fn on_segment<const D: usize>(x: [f64; D], a: [f64; D], b: [f64; D]) -> [f64; D] {
    let (way, from) = (sub(b, a), sub(x, a));
    let squared = dot(way, way);
    let share = if squared > 0.0 { (dot(from, way) / squared).clamp(0.0, 1.0) } else { 0.0 };
    add_scaled(a, way, share)
}

/// The point nearest to `x` of a flat convex polygon with this unit normal; in the plane, of a line between two points. Also
/// whether it is inside, not on the edge.
pub(super) fn on_plate<const D: usize>(x: [f64; D], corners: &[[f64; D]], normal: [f64; D]) -> ([f64; D], bool) {
    if corners.len() == 2 {
        let (way, from) = (sub(corners[1], corners[0]), sub(x, corners[0]));
        let (along, squared) = (dot(from, way), dot(way, way));
        return (on_segment(x, corners[0], corners[1]), along > 0.0 && along < squared);
    }
    let foot = add_scaled(x, normal, -dot(sub(x, corners[0]), normal));
    let edge = |k: usize| (corners[k], corners[if k + 1 < corners.len() { k + 1 } else { 0 }]);
    // Corners in order turn one way round the normal, whichever of the two the normal is.
    let (mut left, mut right) = (false, false);
    for (a, b) in (0..corners.len()).map(edge) {
        let side = dot(crossed(sub(b, a), sub(foot, a)), normal);
        left |= side > 0.0;
        right |= side < 0.0;
    }
    if !(left && right) {
        return (foot, true);
    }
    let mut best = corners[0];
    let mut least = f64::INFINITY;
    for (a, b) in (0..corners.len()).map(edge) {
        let point = on_segment(x, a, b);
        let away = sub(x, point);
        if dot(away, away) < least {
            (best, least) = (point, dot(away, away));
        }
    }
    (best, false)
}

/// The point nearest to `x` of a flat disc with this unit normal, and whether it is inside, not on the rim.
pub(super) fn on_disc<const D: usize>(
    x: [f64; D],
    center: [f64; D],
    normal: [f64; D],
    radius: f64,
) -> ([f64; D], bool) {
    let from = sub(x, center);
    let flat = add_scaled(from, normal, -dot(from, normal));
    let distance = dot(flat, flat).sqrt();
    if distance <= radius {
        return (add_scaled(center, flat, 1.0), true);
    }
    (add_scaled(center, flat, radius / distance), false)
}

/// The point nearest to `x` of the border of a convex polygon in the plane, and whether that is a corner.
pub(super) fn on_polygon<const D: usize>(x: [f64; D], corners: &[[f64; D]]) -> ([f64; D], bool) {
    let (mut best, mut least) = (corners[0], f64::INFINITY);
    for (&a, &b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let point = on_segment(x, a, b);
        let away = sub(x, point);
        if dot(away, away) < least {
            (best, least) = (point, dot(away, away));
        }
    }
    (best, corners.contains(&best))
}

/// Whether a point is inside a convex polygon in the plane, whose corners are in order, either way round.
pub(super) fn is_in_polygon<const D: usize>(x: [f64; D], corners: &[[f64; D]]) -> bool {
    let (mut left, mut right) = (false, false);
    for (&a, &b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let side = (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
        left |= side > 0.0;
        right |= side < 0.0;
    }
    !(left && right)
}

/// Cross product in space; zero in the plane, where no plate has more than two corners.
pub(super) fn crossed<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    let mut result = [0.0; D];
    if D == 3 {
        for k in 0..3 {
            let (next, last) = ((k + 1) % 3, (k + 2) % 3);
            result[k] = a[next] * b[last] - a[last] * b[next];
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_points_of_a_segment_are_inside_or_at_its_ends() {
        let (a, b) = ([0.0, 0.0], [2.0, 0.0]);
        assert_eq!(on_segment([1.0, 3.0], a, b), [1.0, 0.0]);
        assert_eq!(on_segment([-1.0, 3.0], a, b), a);
        assert_eq!(on_segment([5.0, -1.0], a, b), b);
        assert_eq!(on_segment([5.0, -1.0], a, a), a);
    }

    #[test]
    fn nearest_points_of_a_plate_are_on_its_face_edges_and_corners() {
        let corners = [[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [2.0, 2.0, 1.0], [0.0, 2.0, 1.0]];
        for normal in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]] {
            assert_eq!(on_plate([0.5, 0.7, 4.0], &corners, normal), ([0.5, 0.7, 1.0], true));
            assert_eq!(on_plate([0.5, -0.7, 2.0], &corners, normal), ([0.5, 0.0, 1.0], false));
            assert_eq!(on_plate([3.0, 3.0, -2.0], &corners, normal), ([2.0, 2.0, 1.0], false));
        }
    }
}
