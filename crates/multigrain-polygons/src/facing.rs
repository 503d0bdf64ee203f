//! Straight to the closest features of bodies that were apart a moment ago.
//!
//! The differences `b - a` of points of both bodies form a convex polygon, whose distance from the origin is that of the bodies.
//! Its corners are pairs of vertices, its edges those of `b` and the reversed ones of `a`. The pair of vertices that are
//! furthest along a direction, each in its body, is a corner of it. Where the direction across the gap is nearly that of the
//! last call, this corner is next to the closest point or near it, however far both bodies have spun.

use super::features::{Feature, Features};
use super::ring::Ring;
use super::vector::{Point, along, cross, dot, norm, scaled, sub};

/// Edges of the difference to go along before this way is given up.
pub(super) const MAX_EDGES: usize = 16;

/// The closest features with a proof: their closest points and distance.
pub(super) struct Facing {
    pub(super) features: Features,
    pub(super) points: [Point; 2],
    pub(super) distance: f64,
}

/// The closest features, from those in `memory` and its direction; nothing where the bodies are not apart, or where the
/// direction led astray.
#[inline]
pub(super) fn facing(a: &Ring<'_>, b: &Ring<'_>, memory: &Features, steps: &mut u32) -> Option<Facing> {
    let toward = memory.toward();
    let mut i = a.top_near(a.wrapped(memory.a.corner()), toward, steps);
    let mut j = b.top_near(b.wrapped(memory.b.corner()), scaled(toward, -1.0), steps);
    for _ in 0..MAX_EDGES {
        *steps += 1;
        let (p, q) = (a.corner(i), b.corner(j));
        let corner = sub(q, p);
        // Edges of the difference that lead to this corner and leave it, those of the first body reversed.
        let ([b_before, b_after], [a_before, a_after]) = (b.edges_at(j), a.edges_at(i));
        let (a_before, a_after) = (scaled(a_before, -1.0), scaled(a_after, -1.0));
        // Of two that leave it the first by direction does, of two that lead to it the last.
        let (is_after_of_a, is_before_of_a) = (cross(a_after, b_after) > 0.0, cross(a_before, b_before) < 0.0);
        let after = if is_after_of_a { a_after } else { b_after };
        let before = if is_before_of_a { a_before } else { b_before };
        let goes_on = -dot(after, corner) > 0.0;
        let goes_back = dot(before, corner) > 0.0;
        if !goes_on && !goes_back {
            // The corner is closest if no edge leads closer; the other two must be asked for a proof.
            let (other_after, other_before) =
                (if is_after_of_a { b_after } else { a_after }, if is_before_of_a { b_before } else { a_before });
            let distance = norm(corner);
            let is_proven = dot(other_after, corner) >= 0.0 && dot(other_before, corner) <= 0.0 && distance > 0.0;
            let features = Features::facing(Feature::vertex(i), Feature::vertex(j), corner);
            return is_proven.then_some(Facing { features, points: [p, q], distance });
        }
        if goes_on && goes_back {
            return None;
        }
        let (edge, is_of_a) = if goes_on { (after, is_after_of_a) } else { (before, is_before_of_a) };
        // Everything must be on the left of the edge. Two of four edges were compared with it when it was chosen, a third is of
        // the same body; the last is asked now.
        let is_outermost = if goes_on {
            cross(if is_of_a { b_before } else { a_before }, edge) >= 0.0
        } else {
            cross(edge, if is_of_a { b_after } else { a_after }) >= 0.0
        };
        let height = cross(edge, corner);
        if !is_outermost || height <= 0.0 {
            return None;
        }
        let square = dot(edge, edge);
        let foot = -dot(edge, corner);
        let reach = if goes_on { foot } else { -foot };
        let (k, ring) = if is_of_a { (i, a) } else { (j, b) };
        let edge_index = if goes_on { k } else { ring.previous(k) };
        if reach < square {
            let share = foot / square;
            let distance = height / square.sqrt();
            let toward = [-edge[1], edge[0]];
            // Where the edge is one of the first body, it is that body's point which moves, and the other way.
            let (features, points) = if is_of_a {
                (Features::facing(Feature::edge(edge_index), Feature::vertex(j), toward), [along(p, edge, -share), q])
            } else {
                (Features::facing(Feature::vertex(i), Feature::edge(edge_index), toward), [p, along(q, edge, share)])
            };
            return Some(Facing { features, points, distance });
        }
        let next = if goes_on { ring.next(k) } else { edge_index };
        if is_of_a {
            i = next;
        } else {
            j = next;
        }
    }
    None
}
