//! Where the boundaries of two polygons cross.

use super::ring::Ring;
use super::vector::{Point, along, cross, dot, norm, sub};

/// How far a crossing is followed along both rings before the search for it is given up.
pub(super) const MAX_FOLLOWED: usize = 24;

/// How far apart, as a share of the bodies' sizes, the points of two edges may be that rounding makes of one crossing.
const SAME_POINT: f64 = 1e-13;

/// A point where an edge of `p` goes into `q`, and an edge of `q` comes out of `p`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    /// Edge of `p`.
    pub(super) edge_p: usize,
    /// Edge of `q`.
    pub(super) edge_q: usize,
    pub(super) point: Point,
}

/// How two edges lie to each other.
enum Sight {
    Crosses(Point),
    /// The crossing would be on an earlier or later edge.
    EarlierP,
    LaterP,
    EarlierQ,
    LaterQ,
}

/// Looks for the point where `p` goes into `q` from two edges near it, one edge at a time. Gives up after a few steps.
pub(super) fn follow(p: &Ring<'_>, edge_p: usize, q: &Ring<'_>, edge_q: usize, steps: &mut u32) -> Option<Crossing> {
    follow_at_most(MAX_FOLLOWED, p, edge_p, q, edge_q, steps)
}

/// The same, giving up after this many steps.
pub(super) fn follow_at_most(
    most: usize,
    p: &Ring<'_>,
    edge_p: usize,
    q: &Ring<'_>,
    edge_q: usize,
    steps: &mut u32,
) -> Option<Crossing> {
    let (mut edge_p, mut edge_q) = (edge_p, edge_q);
    for _ in 0..most {
        *steps += 1;
        match sight(p, edge_p, q, edge_q) {
            Sight::Crosses(point) => return Some(Crossing { edge_p, edge_q, point }),
            Sight::EarlierP => edge_p = p.previous(edge_p),
            Sight::LaterP => edge_p = p.next(edge_p),
            Sight::EarlierQ => edge_q = q.previous(edge_q),
            Sight::LaterQ => edge_q = q.next(edge_q),
        }
    }
    None
}

/// Whether edge `edge_p` goes into `q` through edge `edge_q`. Edges that only touch do, but for parallel ones.
pub(super) fn at(p: &Ring<'_>, edge_p: usize, q: &Ring<'_>, edge_q: usize) -> Option<Crossing> {
    match sight(p, edge_p, q, edge_q) {
        Sight::Crosses(point) => Some(Crossing { edge_p, edge_q, point }),
        _ => None,
    }
}

/// What corners of `p` tell about where it goes into `q`.
pub(super) enum Scan {
    /// Here, from a corner outside to one inside.
    Enters(Crossing),
    /// Nowhere: all corners are inside.
    Inside,
    /// Perhaps between two corners that are both outside.
    Unknown,
}

/// Goes round `p` once and asks of each corner whether it is inside `q`.
pub(super) fn scan(p: &Ring<'_>, q: &Ring<'_>) -> Scan {
    let mut was_inside = q.holds(p.corner(p.len() - 1));
    let mut are_all_inside = was_inside;
    for k in 0..p.len() {
        let is_inside = q.holds(p.corner(k));
        if is_inside
            && !was_inside
            && let Some(found) = on_edge(p, p.previous(k), q)
        {
            return Scan::Enters(found);
        }
        are_all_inside &= is_inside;
        was_inside = is_inside;
    }
    if are_all_inside { Scan::Inside } else { Scan::Unknown }
}

/// Searches all pairs of edges for one where `p` goes into `q`; takes the first.
pub(super) fn search(p: &Ring<'_>, q: &Ring<'_>) -> Option<Crossing> {
    (0..p.len()).find_map(|edge_p| {
        let (start, e) = (p.corner(edge_p), p.edge(edge_p));
        // A line that passes by the circle around `q` has no crossing on it.
        if cross(e, sub(q.center(), start)).abs() > q.radius() * norm(e) * (1.0 + 1e-12) {
            return None;
        }
        on_edge(p, edge_p, q)
    })
}

/// Where one edge of `p` goes into `q`.
fn on_edge(p: &Ring<'_>, edge_p: usize, q: &Ring<'_>) -> Option<Crossing> {
    let (start, e) = (p.corner(edge_p), p.edge(edge_p));
    let mut before = cross(e, sub(q.corner(0), start));
    (0..q.len()).find_map(|edge_q| {
        let after = cross(e, sub(q.corner(q.next(edge_q)), start));
        let comes_out = before >= 0.0 && after <= 0.0;
        before = after;
        if comes_out { at(p, edge_p, q, edge_q) } else { None }
    })
}

fn sight(p: &Ring<'_>, edge_p: usize, q: &Ring<'_>, edge_q: usize) -> Sight {
    let (p0, e) = (p.corner(edge_p), p.edge(edge_p));
    let (q0, f) = (q.corner(edge_q), q.edge(edge_q));
    let [p1, q1] = [p.corner(p.next(edge_p)), q.corner(q.next(edge_q))];
    // Heights of the ends of `p`'s edge over the line of `q`'s edge, inside being positive; and the other way round.
    let (enters, exits) = (cross(f, sub(p0, q0)), cross(f, sub(p1, q0)));
    if enters > 0.0 {
        return Sight::EarlierP;
    }
    if exits < 0.0 || enters == exits {
        return Sight::LaterP;
    }
    let (first, last) = (cross(e, sub(q0, p0)), cross(e, sub(q1, p0)));
    if first < 0.0 {
        return Sight::EarlierQ;
    }
    if last > 0.0 || first == last {
        return Sight::LaterQ;
    }
    // Of the two forms of the point take the one along the shorter edge. Edges on almost one line may seem to cross far from
    // each other: the point must be on both.
    let (along_p, along_q) = (enters / (enters - exits), first / (first - last));
    let (point, off) = if dot(e, e) < dot(f, f) {
        let point = along(p0, e, along_p);
        (point, off_edge(point, q0, q1, f))
    } else {
        let point = along(q0, f, along_q);
        (point, off_edge(point, p0, p1, e))
    };
    if off > SAME_POINT * (p.radius() + q.radius()) { Sight::LaterP } else { Sight::Crosses(point) }
}

/// Distance of a point from an edge between two corners.
pub(super) fn off_edge(point: Point, start: Point, end: Point, edge: Point) -> f64 {
    let (from_start, from_end) = (sub(point, start), sub(point, end));
    if dot(edge, from_start) <= 0.0 {
        norm(from_start)
    } else if dot(edge, from_end) >= 0.0 {
        norm(from_end)
    } else {
        cross(edge, from_start).abs() / norm(edge)
    }
}
