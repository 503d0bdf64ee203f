//! The common part of two polygons however they overlap, from all corners.

use super::clip::{Cut, clip};
use super::crossing::off_edge;
use super::ring::Ring;
use super::vector::{Point, add, along, cross, sub};

/// Corners of the common part, counter-clockwise; fewer than three where there is none.
pub(super) fn common_part(a: &Ring<'_>, b: &Ring<'_>) -> Vec<Cut> {
    let (small, large) = if a.radius() < b.radius() { (a, b) } else { (b, a) };
    let shared = [(small, large), (large, small)].into_iter().find(|(of, other)| other.holds(of.center()));
    shared.and_then(|(of, _)| seen_from(of.center(), a, b)).unwrap_or_else(|| clip(a, b))
}

/// The common part as seen from a point inside both: in every direction the boundary that is nearer. Corners of both go round by
/// their angle, each is looked at once. Nothing where the point is too close to a boundary for that.
fn seen_from(center: Point, a: &Ring<'_>, b: &Ring<'_>) -> Option<Vec<Cut>> {
    let [a, b] = [a, b].map(|ring| (0..ring.len()).map(|k| sub(ring.corner(k), center)).collect::<Vec<Point>>());
    let goes_round = |corners: &[Point]| {
        let mut last = corners[corners.len() - 1];
        corners.iter().all(|&corner| cross(std::mem::replace(&mut last, corner), corner) > 0.0)
    };
    if !goes_round(&a) || !goes_round(&b) {
        return None;
    }
    let following = |k: usize, corners: &[Point]| if k + 1 == corners.len() { 0 } else { k + 1 };
    let is_against = |j: &usize| cross(b[*j], a[0]) >= 0.0 && cross(b[following(*j, &b)], a[0]) < 0.0;
    let (mut i, mut j) = (0, (0..b.len()).find(is_against)?);
    let height = |edges: &[Point], k: usize, point: Point| {
        cross(sub(edges[following(k, edges)], edges[k]), sub(point, edges[k]))
    };
    let mut cuts = Vec::with_capacity(a.len() + b.len());
    // The corner that was passed last.
    let mut seen = a[0];
    let mut is_a_nearer = height(&b, j, a[0]) >= 0.0;
    if is_a_nearer {
        cuts.push(Cut { corner: a[0], is_of_a: true });
    }
    for _ in 0..a.len() + b.len() {
        let (next_i, next_j) = (following(i, &a), following(j, &b));
        let (end_a, end_b) = (a[next_i], b[next_j]);
        let is_end_of_a = cross(end_a, end_b) > 0.0;
        // Inside the other is nearer; on its boundary nothing changes.
        let side = if is_end_of_a { height(&b, j, end_a) } else { -height(&a, i, end_b) };
        let was_a_nearer = is_a_nearer;
        is_a_nearer = side > 0.0 || (side == 0.0 && was_a_nearer);
        if is_a_nearer != was_a_nearer {
            let (low, high) = (height(&b, j, a[i]), height(&b, j, end_a));
            let share = zero_between(low, high);
            let mut corner = along(a[i], sub(end_a, a[i]), share);
            if (low < 0.0 && high < 0.0) || (low > 0.0 && high > 0.0) {
                // Edges that lie on each other: rounding has them cross nowhere on this one. It was between the directions of the
                // last corner and of this one, or at the end of the edge: where the other edge is closer.
                let ends = [seen, if is_end_of_a { end_a } else { end_b }];
                let [from, to] = ends.map(|corner| share_along(a[i], end_a, corner));
                let between = along(a[i], sub(end_a, a[i]), share.max(from).min(to));
                let off = |point: Point| off_edge(point, b[j], end_b, sub(end_b, b[j]));
                corner = if off(between) < off(corner) { between } else { corner };
            }
            cuts.push(Cut { corner, is_of_a: is_a_nearer });
        }
        seen = if is_end_of_a { end_a } else { end_b };
        if is_end_of_a == is_a_nearer {
            cuts.push(Cut { corner: if is_end_of_a { end_a } else { end_b }, is_of_a: is_end_of_a });
        }
        (i, j) = if is_end_of_a { (next_i, j) } else { (i, next_j) };
    }
    // The first corner has come again.
    if cuts.len() > 1 && cuts[0].corner == cuts[cuts.len() - 1].corner {
        cuts.pop();
    }
    cuts.iter_mut().for_each(|cut| cut.corner = add(center, cut.corner));
    Some(cuts)
}

/// Where on the edge from `start` to `end`, as a share of it, the direction of a corner meets it, all as seen from the middle.
fn share_along(start: Point, end: Point, corner: Point) -> f64 {
    zero_between(cross(corner, start), cross(corner, end))
}

/// Where a line from one height to another passes zero, as a share of its length; inside it whatever the heights are.
fn zero_between(low: f64, high: f64) -> f64 {
    if low == high { 0.5 } else { (low / (low - high)).clamp(0.0, 1.0) }
}
