//! Voronoi regions: which feature of a ring a point is closest to, and whether a vertex and an edge are closest to each other.

use super::features::Feature;
use super::ring::Ring;
use super::vector::{Point, along, cross, dot, outward, scaled, sub};

/// A neighbour is closer only where it rises by more than this towards the other body, as the sine of the angle. What this
/// neglects is far below 1e-12 of the size.
const LEVEL: f64 = 4.0 * f64::EPSILON;

/// Where a vertex is, seen from the Voronoi regions of an edge and those around it, and the edge seen from the vertex.
pub(super) enum Region {
    /// Each in the other's region: the point on the edge and the vertex.
    Inside { edge: usize, vertex: usize, points: [Point; 2], distance: f64 },
    /// Across a border: the feature of the edge's body and of the vertex's body to go to.
    Leave(Feature, Feature),
    /// The vertex is below the edge.
    Below { edge: usize, vertex: usize },
}

/// Works in the coordinates of the edge's body: along its ring nothing has to be turned.
pub(super) fn edge_and_vertex(
    edge_ring: &Ring<'_>,
    i: usize,
    vertex_ring: &Ring<'_>,
    k: usize,
    steps: &mut u32,
) -> Region {
    let seen = edge_ring.own_view_of(vertex_ring.corner(k));
    let (mut i, mut edge) = (i, edge_ring.own_edge(i));
    let mut from_start = sub(seen, edge_ring.own_corner(i));
    let mut position = dot(edge, from_start);
    // Along the ring to the region that the vertex is in. A border is judged by the same numbers from both sides, so that
    // no step is taken back.
    if position < 0.0 {
        while position < 0.0 {
            *steps += 1;
            let before = edge_ring.previous(i);
            let edge_before = edge_ring.own_edge(before);
            if dot(edge_before, from_start) >= 0.0 {
                return Region::Leave(Feature::vertex(i), Feature::vertex(k));
            }
            (i, edge) = (before, edge_before);
            from_start = sub(seen, edge_ring.own_corner(i));
            position = dot(edge, from_start);
        }
    } else {
        loop {
            let end = edge_ring.next(i);
            let from_end = sub(seen, edge_ring.own_corner(end));
            if dot(edge, from_end) <= 0.0 {
                break;
            }
            *steps += 1;
            let edge_after = edge_ring.own_edge(end);
            let position_after = dot(edge_after, from_end);
            if position_after < 0.0 {
                return Region::Leave(Feature::vertex(end), Feature::vertex(k));
            }
            (i, edge, from_start, position) = (end, edge_after, from_end, position_after);
        }
    }
    let mut height = -cross(edge, from_start);
    if height <= 0.0 {
        return Region::Below { edge: i, vertex: k };
    }
    // The vertex is closest where neither of its edges leads down to the edge below. Else on to the lower end of that edge, as
    // long as it is above the edge below: both edges are closest there, or at an end of the other that is passed on the way.
    let down = edge_ring.turned_into(vertex_ring, scaled(outward(edge), -1.0));
    let mut k = k;
    let goes_on = rises(down, vertex_ring.own_edge(k));
    let goes_back = !goes_on && rises(down, scaled(vertex_ring.own_edge(vertex_ring.previous(k)), -1.0));
    let (start, end) = (edge_ring.own_corner(i), edge_ring.own_corner(edge_ring.next(i)));
    let mut is_lower = goes_on || goes_back;
    while is_lower {
        *steps += 1;
        let (lower_edge, lower_vertex) =
            if goes_on { (k, vertex_ring.next(k)) } else { (vertex_ring.previous(k), vertex_ring.previous(k)) };
        let lower = edge_ring.own_view_of(vertex_ring.corner(lower_vertex));
        if dot(edge, sub(lower, start)) < 0.0 {
            return Region::Leave(Feature::vertex(i), Feature::edge(lower_edge));
        }
        if dot(edge, sub(lower, end)) > 0.0 {
            return Region::Leave(Feature::vertex(edge_ring.next(i)), Feature::edge(lower_edge));
        }
        *steps += 1;
        (k, from_start) = (lower_vertex, sub(lower, start));
        (height, position) = (-cross(edge, from_start), dot(edge, from_start));
        if height <= 0.0 {
            return Region::Below { edge: i, vertex: k };
        }
        is_lower = if goes_on {
            rises(down, vertex_ring.own_edge(k))
        } else {
            rises(down, scaled(vertex_ring.own_edge(vertex_ring.previous(k)), -1.0))
        };
    }
    let square = dot(edge, edge);
    let foot = edge_ring.out_of_own(along(start, edge, position / square));
    let distance = height / square.sqrt();
    Region::Inside { edge: i, vertex: k, points: [foot, vertex_ring.corner(k)], distance }
}

/// Whether going along `edge` leads towards where `direction` points, by more than rounding.
#[inline]
pub(super) fn rises(direction: Point, edge: Point) -> bool {
    let rise = dot(direction, edge);
    rise > 0.0 && rise * rise > LEVEL * LEVEL * dot(direction, direction) * dot(edge, edge)
}

/// The squared distance of a point from an edge, and the feature that is closest to it: the edge or one of its ends.
pub(super) fn end_and_edge(ring: &Ring<'_>, k: usize, point: Point) -> (f64, Feature) {
    let (foot, feature) = foot_on(ring, k, point);
    let between = sub(point, foot);
    (dot(between, between), feature)
}

/// The point of an edge closest to a point, and whether that is the edge or one of its ends.
pub(super) fn foot_on(ring: &Ring<'_>, k: usize, point: Point) -> (Point, Feature) {
    let (start, end, edge) = (ring.corner(k), ring.corner(ring.next(k)), ring.edge(k));
    let position = dot(edge, sub(point, start));
    if position <= 0.0 {
        (start, Feature::vertex(k))
    } else if dot(edge, sub(point, end)) >= 0.0 {
        (end, Feature::vertex(ring.next(k)))
    } else {
        (along(start, edge, position / dot(edge, edge)), Feature::edge(k))
    }
}
