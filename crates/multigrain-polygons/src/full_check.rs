//! All feature pairs that can be closest, visited once: the check that always ends.
//!
//! The differences `b - a` of points of both bodies form a convex polygon, whose distance from the origin is that of the
//! bodies. Its edges are those of `b` and the reversed ones of `a`, merged by their direction; each is an edge of one body
//! seen from a vertex of the other. So there are only as many pairs to visit as the bodies have corners together.

use super::features::Feature;
use super::ring::Ring;
use super::vector::{Point, cross, dot, norm, outward, scaled, sub};

/// What the check found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    /// The bodies are apart, and these features are closest.
    Apart([Feature; 2]),
    /// The bodies overlap: moving `b` by `depth` along `normal` is the shortest way to part them.
    Overlap { normal: Point, depth: f64, features: [Feature; 2] },
}

pub(super) fn full_check(a: &Ring<'_>, b: &Ring<'_>) -> Found {
    let (mut i, mut j) = (topmost(a), lowest(b));
    let (mut used_a, mut used_b) = (0, 0);
    let mut is_outside = false;
    let (mut nearest, mut closest, mut nearest_edge) = (f64::INFINITY, [Feature::Vertex(0); 2], [1.0, 0.0]);
    while used_a < a.len() || used_b < b.len() {
        let (edge_a, edge_b) = (scaled(a.edge(i), -1.0), b.edge(j));
        let is_of_a = used_b == b.len() || (used_a < a.len() && cross(edge_a, edge_b) > 0.0);
        let edge = if is_of_a { edge_a } else { edge_b };
        let start = sub(b.corner(j), a.corner(i));
        let pair = |is_edge: bool| match (is_edge, is_of_a) {
            (true, true) => [Feature::edge(i), Feature::vertex(j)],
            (true, false) => [Feature::vertex(i), Feature::edge(j)],
            (false, _) => [Feature::vertex(i), Feature::vertex(j)],
        };
        // The origin as seen from the start of the edge is `-start`.
        let length = norm(edge);
        let height = cross(edge, start) / length;
        is_outside |= height > 0.0;
        // The closest point of the edge is its foot or its start. Its end is the start of the next one.
        let foot = -dot(edge, start);
        let is_foot = foot > 0.0 && foot < length * length;
        let distance = if is_foot { height.abs() } else { norm(start) };
        if distance < nearest {
            (nearest, closest, nearest_edge) = (distance, pair(is_foot), edge);
        }
        if is_of_a {
            (i, used_a) = (a.next(i), used_a + 1);
        } else {
            (j, used_b) = (b.next(j), used_b + 1);
        }
    }
    if is_outside {
        return Found::Apart(closest);
    }
    let normal = scaled(outward(nearest_edge), -1.0 / norm(nearest_edge));
    Found::Overlap { normal, depth: nearest, features: closest }
}

/// The corner where the edges of a counter-clockwise ring begin to point left or down.
fn topmost(ring: &Ring<'_>) -> usize {
    extreme(ring, |[x, y]| [y, x])
}

/// The corner where the edges of a counter-clockwise ring begin to point right or up.
fn lowest(ring: &Ring<'_>) -> usize {
    extreme(ring, |[x, y]| [-y, -x])
}

fn extreme(ring: &Ring<'_>, key: impl Fn(Point) -> [f64; 2]) -> usize {
    let mut best = (0, key(ring.corner(0)));
    for k in 1..ring.len() {
        let here = key(ring.corner(k));
        if here[0] > best.1[0] || (here[0] == best.1[0] && here[1] > best.1[1]) {
            best = (k, here);
        }
    }
    best.0
}
