//! The common part of two polygons whose boundaries cross twice, from one of the crossings: corners near the contact are
//! looked at, others are not.
//!
//! From the crossing where `p` goes into `q` the common part has a chain of `p` on its right and one of `q`, walked
//! backwards, on its left. Seen from the crossing, corners of the right chain turn to the left and those of the left chain to
//! the right, all the way round both polygons. Both chains are walked at once until they pass each other; just there they
//! cross again. Last comes a proof that nothing else of the boundaries cuts the part in between.

use super::crossing::{self, Crossing};
use super::ring::Ring;
use super::vector::{Point, cross, norm, scaled, sub};

/// Rounding in the side of a line that a point is on, as a share of the bodies' sizes.
const ROUNDING: f64 = 1e-14;

/// Puts the corners of the common part into `polygon`, counter-clockwise from the crossing `start`: its corners on `p`, the
/// other crossing, its corners on `q`. Returns where `p` goes into `q` and where it comes out; nothing where the bodies overlap
/// in another way.
pub(super) fn lens(p: &Ring<'_>, q: &Ring<'_>, start: &Crossing, polygon: &mut Vec<Point>) -> Option<[Point; 2]> {
    let end = other_end(p, q, start)?;
    // At the other end it is `q` that goes into `p`.
    let (last_p, last_q) = (end.edge_q, end.edge_p);
    let corners_p = steps(start.edge_p, last_p, p.len());
    let corners_q = steps(last_q, start.edge_q, q.len());
    polygon.clear();
    polygon.push(start.point);
    let mut k = start.edge_p;
    for _ in 0..corners_p {
        k = p.next(k);
        polygon.push(p.corner(k));
    }
    polygon.push(end.point);
    k = last_q;
    for _ in 0..corners_q {
        k = q.next(k);
        polygon.push(q.corner(k));
    }
    let (chain_p, rest) = polygon[1..].split_at(corners_p);
    let chain_q = &rest[1..];
    let slack = ROUNDING * (p.radius() + q.radius());
    let inside_q = Outside { ring: q, from: start.edge_q, corners: q.len() - corners_q, slack };
    let inside_p = Outside { ring: p, from: last_p, corners: p.len() - corners_p, slack };
    let is_proven = inside_q.holds(start.point, end.point, chain_p) && inside_p.holds(end.point, start.point, chain_q);
    is_proven.then_some([start.point, end.point])
}

/// Steps forward from edge `from` to edge `to` of a ring.
fn steps(from: usize, to: usize, count: usize) -> usize {
    if to >= from { to - from } else { to + count - from }
}

/// The crossing where `p` comes out again.
fn other_end(p: &Ring<'_>, q: &Ring<'_>, start: &Crossing) -> Option<Crossing> {
    let (mut edge_p, mut edge_q) = (start.edge_p, start.edge_q);
    // The crossing lies on both edges, so that their directions are those of their ends.
    let (mut head_p, mut head_q) = (p.edge(edge_p), scaled(q.edge(edge_q), -1.0));
    let mut walked = 0;
    while cross(head_p, head_q) > 0.0 {
        if walked >= p.len().min(q.len()) {
            return None;
        }
        walked += 1;
        (edge_p, edge_q) = (p.next(edge_p), q.previous(edge_q));
        head_p = sub(p.corner(p.next(edge_p)), start.point);
        head_q = sub(q.corner(edge_q), start.point);
    }
    let mut steps = 0;
    let end = crossing::follow_at_most(3 * walked + 8, q, edge_q, p, edge_p, &mut steps)?;
    (end.point != start.point).then_some(end)
}

/// The boundary of a body from one crossing to the other on the outer side: forward from the end of edge `from`.
struct Outside<'a, 'b> {
    ring: &'b Ring<'a>,
    from: usize,
    /// Number of corners on it.
    corners: usize,
    slack: f64,
}

impl Outside<'_, '_> {
    /// Whether the chain, which lies beyond the line from crossing `start` to crossing `end`, is proven to be inside the body:
    /// inside the convex polygon of both crossings and a few corners in between. `false` may also mean that this polygon is
    /// too small.
    fn holds(&self, start: Point, end: Point, chain: &[Point]) -> bool {
        if chain.is_empty() {
            return true;
        }
        let chord = sub(end, start);
        if self.corners == 0 || chain.iter().any(|&corner| cross(chord, sub(corner, start)) > 0.0) {
            return false;
        }
        let is_inside = |corners: &mut dyn Iterator<Item = usize>| {
            let mut from = start;
            corners.map(|place| self.corner(place)).chain([end]).all(|to| {
                let line = sub(to, from);
                let slack = -self.slack * norm(line);
                let is_held = chain.iter().all(|&corner| cross(line, sub(corner, from)) >= slack);
                from = to;
                is_held
            })
        };
        if self.corners <= FEW {
            return is_inside(&mut (0..self.corners));
        }
        // Ever fewer corners further away from both crossings.
        let ahead = (0..self.corners.ilog2()).map(|doublings| (1 << doublings) - 1);
        let behind = ahead.clone().rev().map(|place| self.corners - 1 - place);
        is_inside(&mut ahead.chain(behind))
    }

    /// A corner by its place after the first crossing.
    fn corner(&self, place: usize) -> Point {
        let k = self.from + 1 + place;
        self.ring.corner(k % self.ring.len())
    }
}

/// This many corners are simply all taken.
const FEW: usize = 8;
